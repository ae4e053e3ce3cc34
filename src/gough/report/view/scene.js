// The scene: shapes of the robot where its bodies are now, arrows and paths, and what is touched.

const CURVE = { "Type 2": rgb("#d92626"), "Type 1": rgb("#e8a01a"), constraint: rgb("#8b3fbf") };
const RED = rgb("#d92626"), PATH = rgb("#2f78c8"), FORCE = rgb("#8b3fbf"), WEIGHT = rgb("#2f7d4a"), VAGUE = rgb("#9aa5b1");

/** Poses moved by small twists [u; theta] of their origins, times a share; T is R by rows, then p. */
const shaken = (poses, moves, share) => poses.map((T, k) => {
  const [u, theta] = [moves[k].slice(0, 3), moves[k].slice(3)].map((part) => times(part, share));
  const found = Array.from(T);
  for (let c = 0; c < 3; c++) {
    const axis = [T[c], T[3 + c], T[6 + c]], turn = cross(theta, axis);
    for (let r = 0; r < 3; r++) found[3 * r + c] += turn[r];
  }
  for (let r = 0; r < 3; r++) found[9 + r] += u[r];
  return found;
});

class Scene {
  constructor(data, painter) {
    Object.assign(this, { data, shapes: data.shapes, frames: true });
    this.colours = {};
    for (const look of data.bare ? [data.shapes, data.bare] : [data.shapes])
      look.plates.forEach((plate, k) =>
        painter.addMesh(this.#plate(look, k), plateMesh(plate.outline, plate.normal, plate.half)));
    data.shapes.meshes.forEach((mesh, k) => painter.addMesh(`mesh ${k}`, triangleMesh(mesh)));
  }

  #plate(look, k) {
    return `${look === this.data.bare ? "bare plate" : "plate"} ${k}`;
  }

  rgb(hex) {
    return (this.colours[hex] ??= rgb(hex));
  }

  /** Everything to be painted; joints named in `bad` are red. */
  at(poses, bad) {
    const { primitives, plates, telescopes, belts, unit: size } = this.shapes;
    const found = [], mouths = {}, joints = {};
    for (const { joint, outer, inner, start, end, tube, most, radii, colours } of telescopes) {
      const from = placed(poses[outer], start), to = placed(poses[inner], end), way = sub(to, from);
      const mouth = (mouths[joint] = add(from, times(way, Math.min(tube / (norm(way) || 1), most))));
      if (colours[0]) found.push(bar(from, mouth, radii[0], this.rgb(colours[0]), { body: outer, joint }));
      if (colours[1]) found.push(bar(mouth, to, radii[1], this.rgb(colours[1]), { body: inner, joint }));
    }
    for (const part of primitives) {
      if (part.frame !== undefined && !this.frames) continue;
      const at = part.mouth ? mouths[part.joint] : placed(poses[part.at], part.point), R = poses[part.along];
      if (part.joint !== undefined) joints[part.joint] = at;
      const [x, y, z] = [0, 3, 6].map((k) => turned(R, part.axes.slice(k, k + 3)));
      found.push({
        kind: part.kind, middle: add(at, turned(R, part.offset)), x, y, z,
        colour: bad.has(part.joint) ? RED : this.rgb(part.colour),
        body: part.body, joint: part.joint, frame: part.frame,
      });
    }
    plates.forEach((plate, k) => {
      const T = poses[plate.at];
      found.push({
        kind: this.#plate(this.shapes, k), middle: [T[9], T[10], T[11]], x: [T[0], T[3], T[6]], y: [T[1], T[4], T[7]],
        z: [T[2], T[5], T[8]], colour: this.rgb(plate.colour), body: plate.body, plate,
      });
    });
    for (const belt of belts)
      for (let k = 0; k + 1 < belt.joints.length; k++)
        found.push(bar(joints[belt.joints[k]], joints[belt.joints[k + 1]], 0.12 * size, this.rgb(belt.colour)));
    return found;
  }

  /** A line through points. */
  path(points, colour = PATH) {
    const found = [];
    for (let k = 0; k + 1 < points.length; k++)
      if (norm(sub(points[k + 1], points[k])) > 1e-9)
        found.push(bar(points[k], points[k + 1], 0.1 * this.shapes.unit, colour, { flat: true }));
    return found;
  }

  /** Borders and singular curves of a slice of the workspace. */
  overlay() {
    this.slice ??= this.data.overlay.flatMap(({ kind, points }) => {
      const all = doubles(points);
      const line = Array.from({ length: all.length / 3 }, (_, k) => Array.from(all.slice(3 * k, 3 * k + 3)));
      return this.path(line, CURVE[kind] ?? VAGUE);
    });
    return this.slice;
  }

  /** Forces as arrows, the largest a third of the robot long. */
  arrows(forces, length, colour = FORCE) {
    const largest = Math.max(...forces.map(({ force }) => norm(force)), 1e-300);
    return forces
      .filter(({ force }) => norm(force) > 0.01 * largest)
      .flatMap(({ at, force, unique }) =>
        arrow(at, times(force, (0.35 * length) / largest), 0.2 * this.shapes.unit,
          unique === false ? VAGUE : colour, { frame: "force" }));
  }

  /** The nearest shape that a line of sight meets, and where. */
  touched(shapes, { from, way }) {
    let best = null;
    for (const shape of shapes) {
      if (shape.frame !== undefined) continue;
      const [middle, axes] = shape.plate ? this.#around(shape) : [shape.middle, [shape.x, shape.y, shape.z]];
      const d = sub(from, middle);
      let near = -Infinity, far = Infinity;
      for (const axis of axes) {
        const square = dot(axis, axis), p = dot(d, axis) / square, v = dot(way, axis) / square;
        const [a, b] = [(-1 - p) / v, (1 - p) / v].sort((s, t) => s - t);
        near = Math.max(near, a);
        far = Math.min(far, b);
      }
      if (near < far && near > 0 && (!best || near < best.distance))
        best = { shape, distance: near, point: add(from, times(way, near)) };
    }
    return best;
  }

  /** A box around a plate. */
  #around(shape) {
    const { outline, normal, half } = shape.plate;
    const [u, v] = across(normal), T = [...shape.x, ...shape.y, ...shape.z];
    const base = (w) => [0, 1, 2].map((i) => T[i] * w[0] + T[3 + i] * w[1] + T[6 + i] * w[2]);
    const range = (axis) => {
      const all = [];
      for (let k = 0; k < outline.length; k += 3) all.push(dot(axis, outline.slice(k, k + 3)));
      return [(Math.max(...all) + Math.min(...all)) / 2, (Math.max(...all) - Math.min(...all)) / 2];
    };
    const ranges = [u, v, normal].map(range);
    const middle = [u, v, normal].reduce((sum, axis, k) => add(sum, times(axis, ranges[k][0])), [0, 0, 0]);
    const halves = [ranges[0][1], ranges[1][1], half];
    return [add(shape.middle, base(middle)), [u, v, normal].map((axis, k) => times(base(axis), halves[k]))];
  }
}
