// The painters: unit shapes stretched along three axes, lit from above the camera with WebGL 2, or
// as lines on a plain canvas where a browser has none (remote desktops, no graphics card).

const VERTEX = `#version 300 es
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 middle;
layout(location = 3) in vec3 x;
layout(location = 4) in vec3 y;
layout(location = 5) in vec3 z;
layout(location = 6) in vec4 colour;
uniform mat4 seen;
out vec3 facing;
out vec3 place;
flat out vec4 tint;
void main() {
  place = middle + corner.x * x + corner.y * y + corner.z * z;
  facing = normal.x * x / dot(x, x) + normal.y * y / dot(y, y) + normal.z * z / dot(z, z);
  tint = colour;
  gl_Position = seen * vec4(place, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 facing;
in vec3 place;
flat in vec4 tint;
uniform vec3 light;
uniform vec3 eye;
uniform vec3 pole;
out vec4 colour;
void main() {
  vec3 n = normalize(facing);
  vec3 back = normalize(eye - place);
  n = dot(n, back) < 0.0 ? -n : n; // thin walls of meshes are seen from both sides
  float sky = 0.5 + 0.5 * dot(n, pole);
  float lit = max(dot(n, light), 0.0);
  float shine = pow(max(dot(n, normalize(light + back)), 0.0), 40.0);
  vec3 shaded = tint.rgb * (0.34 + 0.2 * sky + 0.56 * lit) + 0.14 * shine;
  colour = vec4(mix(tint.rgb, shaded, tint.a), 1.0);
}`;

/** Corners and normals of the unit shapes, as triangles; `sides` of what is round. */
const unitMeshes = (sides) => ({
  block: boxMesh(),
  cylinder: roundMesh([[0, -1, 0, -1], [1, -1, 0, -1], [1, -1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]], sides),
  cone: roundMesh([[0, -1, 0, -1], [1, -1, 0, -1], [1, -1, 0.89, 0.45], [0, 1, 0.89, 0.45]], sides),
  ball: roundMesh(Array.from({ length: sides / 2 }, (_, k) => {
    const a = Math.PI * (k / (sides / 2 - 1) - 0.5);
    return [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)];
  }), sides),
});

/** A profile of (radius, height, normal outwards, normal upwards), turned around z. */
function roundMesh(profile, sides) {
  const mesh = [];
  const at = ([r, h, out, up], k) => {
    const c = Math.cos((2 * Math.PI * k) / sides), s = Math.sin((2 * Math.PI * k) / sides);
    return [r * c, r * s, h, out * c, out * s, up];
  };
  for (let i = 0; i + 1 < profile.length; i++)
    for (let k = 0; k < sides; k++) {
      const [a, b, c, d] = [at(profile[i], k), at(profile[i], k + 1), at(profile[i + 1], k + 1), at(profile[i + 1], k)];
      mesh.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  return new Float32Array(mesh);
}

function boxMesh() {
  const mesh = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const corner = (u, v) => {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = n[axis] = side;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v * side;
        return [...p, ...n];
      };
      const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      mesh.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  return new Float32Array(mesh);
}

/** A flat plate with a convex outline, in axes of its body. */
function plateMesh(outline, normal, half) {
  const mesh = [], corners = [];
  for (let k = 0; k < outline.length; k += 3) corners.push(outline.slice(k, k + 3));
  const up = times(normal, half), low = corners.map((p) => sub(p, up)), high = corners.map((p) => add(p, up));
  const triangle = (a, b, c, n) => [a, b, c].forEach((p) => mesh.push(...p, ...n));
  const down = times(normal, -1);
  for (let k = 0; k < corners.length; k++) {
    const next = (k + 1) % corners.length;
    triangle(high[0], high[k], high[next], normal);
    triangle(low[0], low[next], low[k], down);
    const out = cross(sub(corners[next], corners[k]), normal);
    triangle(low[k], low[next], high[next], out);
    triangle(low[k], high[next], high[k], out);
  }
  return new Float32Array(mesh);
}

/** A mesh of a file: its points are between -1 and 1, in 16 bits. */
function triangleMesh({ points, triangles }) {
  const all = new Int16Array(decoded(points).buffer), mesh = [];
  const at = (k) => [0, 1, 2].map((i) => all[3 * k + i] / 32767);
  const places = new Uint16Array(decoded(triangles).buffer), faces = [], around = {};
  for (let k = 0; k < places.length; k += 3) {
    const corners = Array.from(places.slice(k, k + 3)), [a, b, c] = corners.map(at);
    const face = { corners, normal: cross(sub(b, a), sub(c, a)) };
    faces.push(face);
    corners.forEach((corner) => (around[corner] ??= []).push(face.normal));
  }
  for (const { corners, normal } of faces)
    for (const corner of corners) {
      // smooth where faces meet at a small angle
      const alike = around[corner].filter((other) => dot(other, normal) > 0.7 * norm(other) * norm(normal));
      mesh.push(...at(corner), ...alike.reduce(add, [0, 0, 0]));
    }
  return new Float32Array(mesh);
}

const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);

/** A canvas with as many points as its place on the screen has: width, height, points a CSS pixel. */
function fitted(canvas) {
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return [width, height, ratio];
}

/** The painter that a browser has. */
function painterOn(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true });
  return gl ? new Painter(canvas, gl) : new LinePainter(canvas, canvas.getContext("2d"));
}

/** Draws shapes: {kind, middle, x, y, z, colour (three numbers), flat}. */
class Painter {
  constructor(canvas, gl) {
    Object.assign(this, { canvas, gl, words: "" });
    const program = (this.program = gl.createProgram());
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    this.places = Object.fromEntries(
      ["seen", "light", "eye", "pole"].map((name) => [name, gl.getUniformLocation(program, name)]));
    this.meshes = {};
    for (const [name, mesh] of Object.entries(unitMeshes(28))) this.addMesh(name, mesh);
    gl.enable(gl.DEPTH_TEST);
  }

  addMesh(name, mesh) {
    const { gl } = this;
    const array = gl.createVertexArray(), corners = gl.createBuffer(), instances = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, mesh, gl.STATIC_DRAW);
    for (const place of [0, 1]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * place);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, instances);
    for (let place = 2; place < 7; place++) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, place < 6 ? 3 : 4, gl.FLOAT, false, 64, 12 * (place - 2));
      gl.vertexAttribDivisor(place, 1);
    }
    this.meshes[name] = { array, instances, count: mesh.length / 6 };
  }

  paint(shapes, camera, lines) {
    const { gl } = this, [width, height] = fitted(this.canvas);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.places.seen, false, camera.matrix(width / Math.max(1, height)));
    const { right, up, towards } = camera.axes();
    gl.uniform3fv(this.places.light, unit(add(add(times(towards, 1), times(up, 0.9)), times(right, -0.5))));
    gl.uniform3fv(this.places.eye, camera.eye());
    gl.uniform3fv(this.places.pole, camera.pole);
    const all = [...shapes, ...lines];
    gl.depthRange(0.1, 1);
    this.#groups(all.filter((shape) => shape.frame === undefined));
    gl.depthRange(0, 0.1); // half of a frame would hide in its plate, a force in its leg
    this.#groups(all.filter((shape) => shape.frame !== undefined));
  }

  #groups(shapes) {
    const { gl } = this, groups = {};
    for (const shape of shapes) (groups[shape.kind] ??= []).push(shape);
    for (const [kind, group] of Object.entries(groups)) {
      const mesh = this.meshes[kind], data = new Float32Array(16 * group.length);
      group.forEach(({ middle, x, y, z, colour, flat }, k) => {
        data.set(middle, 16 * k);
        data.set(x, 16 * k + 3);
        data.set(y, 16 * k + 6);
        data.set(z, 16 * k + 9);
        data.set(colour, 16 * k + 12);
        data[16 * k + 15] = flat ? 0 : 1;
      });
      gl.bindVertexArray(mesh.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.instances);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, mesh.count, group.length);
    }
  }
}

const SHARP = 0.85; // cosine of 32 degrees, more than between two sides of what is round

/** Corners of a mesh, its faces, and edges: two corners, the faces beside them, whether it is sharp. */
function wired(mesh) {
  const corners = [], faces = [], normals = [], known = new Map(), edges = new Map();
  const number = (k) => {
    const p = Array.from(mesh.slice(6 * k, 6 * k + 3)), key = p.map((v) => Math.round(1e5 * v)).join();
    if (!known.has(key)) known.set(key, corners.push(p) - 1);
    return known.get(key);
  };
  for (let k = 0; k < mesh.length / 6; k += 3) {
    const [a, b, c] = [k, k + 1, k + 2].map(number);
    if (a === b || b === c || c === a) continue;
    faces.push([a, b, c]);
    normals.push(unit(cross(sub(corners[b], corners[a]), sub(corners[c], corners[a]))));
    for (const [i, j] of [[a, b], [b, c], [c, a]]) {
      const key = `${Math.min(i, j)} ${Math.max(i, j)}`;
      if (!edges.has(key)) edges.set(key, { i, j, beside: [] });
      edges.get(key).beside.push(faces.length - 1);
    }
  }
  for (const edge of edges.values()) {
    const [f, g] = edge.beside;
    edge.sharp = g === undefined || dot(normals[f], normals[g]) < SHARP;
  }
  return { corners, faces, edges: [...edges.values()] };
}

/** Draws the same shapes without WebGL: outlines on pale faces, what is far away first. */
class LinePainter {
  constructor(canvas, pen) {
    Object.assign(this, { canvas, pen, meshes: {}, words: "Drawn as lines: this browser has no WebGL 2." });
    for (const [name, mesh] of Object.entries(unitMeshes(14))) this.addMesh(name, mesh);
  }

  addMesh(name, mesh) {
    this.meshes[name] = wired(mesh);
  }

  paint(shapes, camera, lines) {
    const { pen } = this, [width, height, ratio] = fitted(this.canvas);
    const m = camera.matrix(width / Math.max(1, height)), { towards } = camera.axes();
    const row = (k, p) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
    const place = (p) => {
      const w = row(3, p);
      return [(0.5 + (0.5 * row(0, p)) / w) * width, (0.5 - (0.5 * row(1, p)) / w) * height, w];
    };
    pen.clearRect(0, 0, width, height);
    Object.assign(pen, { lineCap: "round", lineJoin: "round" });
    const dark = document.documentElement.classList.contains("dark");
    const ordered = [...shapes, ...lines].map((shape) => ({ ...shape, near: dot(shape.middle, towards), above: shape.frame !== undefined }));
    ordered.sort((a, b) => a.above - b.above || a.near - b.near);
    for (const shape of ordered) this.#draw(shape, place, ratio, dark);
  }

  #draw({ kind, middle, x, y, z, colour, flat, plate }, place, ratio, dark) {
    const { pen } = this, css = (rgb) => `rgb(${rgb.map((value) => Math.round(255 * value)).join()})`;
    const towards = (share, end) => colour.map((value) => value + share * (end - value));
    pen.strokeStyle = css(flat ? colour : towards(0.25, Number(dark)));
    pen.lineWidth = (flat ? 2 : 1.2) * ratio;
    pen.beginPath();
    const { corners, faces, edges } = this.meshes[kind];
    const line = flat ? [sub(middle, z), add(middle, z)].map(place) : null;
    const points = line ?? corners.map(([a, b, c]) => place(add(middle, add(times(x, a), add(times(y, b), times(z, c))))));
    if (points.some(([, , w]) => !(w > 0))) return; // behind the eye
    const path = (...some) => some.forEach((p, k) => pen[k ? "lineTo" : "moveTo"](p[0], p[1]));
    if (line) {
      path(...line);
      return pen.stroke();
    }
    const side = Math.sign(dot(cross(x, y), z)) || 1; // of a mirrored shape what faces us is turned
    const facing = faces.map(([a, b, c]) => {
      const [p, q, r] = [points[a], points[b], points[c]];
      return side * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) < 0;
    });
    faces.forEach(([a, b, c], f) => { if (facing[f]) path(points[a], points[b], points[c], points[a]); });
    pen.fillStyle = css(towards(0.5, Number(!dark)));
    pen.globalAlpha = plate ? 0.5 : 1; // large: much is behind it in one place and before it in another
    pen.fill();
    pen.globalAlpha = 1;
    pen.beginPath();
    for (const { i, j, beside: [f, g], sharp } of edges)
      if (sharp ? facing[f] || facing[g] : facing[f] !== facing[g]) path(points[i], points[j]);
    pen.stroke();
  }
}

/** A bar between two points, or an arrow with its head. */
function bar(a, b, radius, colour, rest = {}) {
  const half = times(sub(b, a), 0.5);
  const [x, y] = across(unit(half));
  return { kind: "cylinder", middle: add(a, half), x: times(x, radius), y: times(y, radius), z: half, colour, ...rest };
}
function arrow(from, way, radius, colour, rest = {}) {
  const neck = add(from, times(way, 1 - Math.min(0.6, (5 * radius) / (norm(way) || 1))));
  const tip = bar(neck, add(from, way), 2.4 * radius, colour, rest);
  return [bar(from, neck, radius, colour, rest), { ...tip, kind: "cone" }];
}

/** The camera: turns around a middle about a pole, with perspective or without. */
class Camera {
  constructor({ middle, radius, pole, towards }) {
    this.home = { middle, radius, towards };
    this.pole = unit(pole);
    [this.e1, this.e2] = across(this.pole);
    this.perspective = true;
    this.reset();
  }

  reset(towards = this.home.towards) {
    this.middle = this.home.middle;
    this.distance = 3 * this.home.radius; // a ball of this radius is seen whole
    this.look(towards);
  }

  /** Put shapes in the middle of the picture, from where it is looked at now. */
  fit(shapes) {
    const ends = shapes.filter(({ plate }) => !plate).flatMap(({ middle, z }) => [add(middle, z), sub(middle, z)]);
    const low = [0, 1, 2].map((i) => Math.min(...ends.map((p) => p[i])));
    const high = [0, 1, 2].map((i) => Math.max(...ends.map((p) => p[i])));
    this.middle = times(add(low, high), 0.5);
    this.distance = 1.4 * norm(sub(high, low));
  }

  look(towards) {
    const t = unit(towards);
    this.elevation = Math.asin(Math.max(-1, Math.min(1, dot(t, this.pole))));
    if (Math.abs(this.elevation) < 1.5) this.azimuth = Math.atan2(dot(t, this.e2), dot(t, this.e1));
  }

  axes() {
    const { azimuth: a, elevation: e } = this;
    const out = add(times(this.e1, Math.cos(a)), times(this.e2, Math.sin(a)));
    const right = add(times(this.e1, -Math.sin(a)), times(this.e2, Math.cos(a)));
    const towards = add(times(out, Math.cos(e)), times(this.pole, Math.sin(e)));
    return { right, up: cross(towards, right), towards };
  }

  eye() {
    return add(this.middle, times(this.axes().towards, this.distance * (this.perspective ? 1 : 20)));
  }

  /** Half of what is seen at the middle, upwards [m]; a narrow screen sees as much across. */
  half(aspect) {
    return (0.36 * this.distance) / Math.min(1, aspect);
  }

  matrix(aspect) {
    const { right, up, towards } = this.axes();
    const far = norm(sub(this.eye(), this.middle)), h = this.half(aspect), r = 8 * this.home.radius;
    const [px, py, pz] = [right, up, towards].map((axis) => -dot(axis, this.middle));
    const view = [right, up, towards];
    const rows = this.perspective
      ? (() => {
          const near = Math.max(far - r, 0.02 * far), end = far + r;
          const a = (end + near) / (end - near), b = (2 * end * near) / (end - near);
          return [
            [...times(view[0], far / (h * aspect)), (px * far) / (h * aspect)],
            [...times(view[1], far / h), (py * far) / h],
            [...times(view[2], -a), a * (far - pz) - b],
            [...times(view[2], -1), far - pz],
          ];
        })()
      : [
          [...times(view[0], 1 / (h * aspect)), px / (h * aspect)],
          [...times(view[1], 1 / h), py / h],
          [...times(view[2], -1 / r), -pz / r],
          [0, 0, 0, 1],
        ];
    return new Float32Array([0, 1, 2, 3].flatMap((j) => rows.map((row) => row[j])));
  }

  /** The line of sight through a point of the screen (-1 to 1): a point of it, its direction. */
  ray(u, v, aspect) {
    const { right, up, towards } = this.axes(), h = this.half(aspect);
    const at = add(this.middle, add(times(right, u * h * aspect), times(up, v * h)));
    if (!this.perspective) return { from: add(at, times(towards, 50 * this.distance)), way: times(towards, -1) };
    const from = this.eye();
    return { from, way: unit(sub(at, from)) };
  }
}
