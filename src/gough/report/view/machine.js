// The machine: compiled programs of the robot, steps from where it is, distances to singularities.

/** Bytes of base64. */
const decoded = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
/** Doubles of base64. */
const doubles = (text) => new Float64Array(decoded(text).buffer);

/** Functions of the module over doubles in one memory: inputs first, outputs behind them. */
class Kernels {
  static async load(data) {
    const module = await WebAssembly.compile(decoded(data.module));
    const size = (ports) => ports.reduce((sum, [, count]) => sum + count, 0);
    const all = Object.values(data.functions);
    const most = Math.max(...all.map((f) => size(f.inputs) + size(f.outputs)));
    const memory = new WebAssembly.Memory({ initial: 2 + Math.ceil((8 * most) / 65536) });
    const env = { __linear_memory: memory };
    for (const wanted of WebAssembly.Module.imports(module))
      if (wanted.kind === "function") env[wanted.name] = Math[wanted.name];
    const found = new Kernels();
    found.functions = data.functions;
    found.exports = (await WebAssembly.instantiate(module, { env })).exports;
    found.cells = new Float64Array(memory.buffer);
    return found;
  }

  has(name) {
    return name in this.functions;
  }

  /** Outputs of a function by name, of inputs by name; as they are, until the next call. */
  call(name, given) {
    const { inputs, outputs } = this.functions[name];
    let place = 0;
    for (const [port, count] of inputs) {
      this.cells.set(given[port], place);
      place += count;
    }
    this.exports[name](0, 8 * place);
    const found = {};
    for (const [port, count] of outputs) {
      found[port] = this.cells.slice(place, place + count);
      place += count;
    }
    return found;
  }
}

const LARGEST = 1.0; // a step that may be trusted, natural units
const STRIDE = 0.15; // longest way between two states, natural units
const ROUNDS = 14;

/** A robot in a posture.  A posture is `y`, six coordinates of the platform, and all joints. */
class Machine {
  constructor(data, kernels) {
    Object.assign(this, { data, kernels, scales: data.kernels.scales, rules: data.kernels.rules });
    this.postures = data.states.map((state) => ({
      name: state.name,
      y: doubles(state.y),
      coordinates: doubles(state.coordinates),
    }));
    this.mass = null; // as given, unless another one is typed
    this.gravity = true;
    this.along = {}; // loads of now, along a motion
    this.stand(this.postures[0]);
  }

  /** Take a posture, whatever the last one was. */
  stand(posture) {
    this.posture = posture;
    this.q = null;
    this.look();
  }

  /** Work out everything that is shown of the posture. */
  look() {
    const seen = this.kernels.call("view", this.posture);
    const before = this.q;
    this.q = Array.from(seen.q);
    if (before)
      this.data.motors.forEach((motor, k) => {
        if (motor.counted)
          this.q[k] += 2 * Math.PI * Math.round((before[k] - this.q[k]) / (2 * Math.PI));
      });
    this.seen = seen;
    this.poses = [STILL];
    for (let k = 0; k < seen.bodies.length; k += 12) this.poses.push(seen.bodies.slice(k, k + 12));
  }

  get x() {
    return this.scales.free.map((place) => this.posture.y[place]);
  }

  /** The platform's origin. */
  get origin() {
    return [this.seen.T_0p[3], this.seen.T_0p[7], this.seen.T_0p[11]];
  }

  /**
   * Go to freedoms or to motor positions, straight, and as far as the machine can be followed.
   * `lead` are numbers of motors that lead where there are more than freedoms; the others follow.
   * Returns the share of the way that was gone: 1 for all of it.
   */
  go(goal, lead = null) {
    const motors = lead !== null;
    const units = motors ? this.scales.motors : this.scales.freedoms;
    const start = motors ? this.q : this.x;
    const far = Math.max(...goal.map((g, k) => Math.abs(g - start[k]) / units[k]));
    if (!(far > 0)) return 1;
    const longest = Math.min(1, STRIDE / far);
    let done = 0, stride = longest;
    while (done < 1 && stride > longest / 300) {
      const aim = Math.min(1, done + stride);
      const there = aim === 1 ? goal : start.map((s, k) => s + aim * (goal[k] - s));
      if (this.#step(there, lead)) {
        done = aim;
        stride = Math.min(longest, 2 * stride);
      } else stride /= 2;
    }
    return done;
  }

  /** One stride: Newton's steps, trusted while they shrink, so that no branch is changed. */
  #step(goal, lead) {
    const before = { posture: this.posture, q: this.q, seen: this.seen, poses: this.poses };
    const found = this.#newton(goal, lead);
    if (!found) return false;
    this.posture = found;
    this.look();
    const parts = [before.seen, this.seen].map((seen) => this.#held(seen, lead));
    if (parts[0].every((part, k) => sameSign(part, parts[1][k]) > 0)) return true;
    Object.assign(this, before); // a leg has passed a singularity
    return false;
  }

  #newton(goal, lead) {
    const { contraction, fine } = this.rules, motors = lead !== null;
    const name = motors ? this.data.kernels.follow : "step_of_freedoms";
    const wanted = motors ? { q: goal, lead: goal.map((_, k) => Number(lead.includes(k))) } : { x: goal };
    let { y, coordinates } = this.posture;
    let before = Infinity, side = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const step = this.kernels.call(name, { y, coordinates, ...wanted });
      const size = step.size[0];
      if (!(size < LARGEST)) return null;
      if (motors && side * step.type_2[0] < 0) return null; // another assembly mode lies behind it
      side = side || step.type_2[0];
      ({ y, coordinates } = step);
      const settled = size < 1e-12 || (size < 1e-9 && size > 0.5 * before);
      if (settled) return step.off[0] < 1e-8 ? { y, coordinates } : null;
      if (!(size < contraction * before || size < fine)) return null;
      before = size;
    }
    return null;
  }

  /**
   * Matrices by columns that lose rank where something is loose: the closure rows with the freedoms
   * held, and those of each leg alone, for two that pass at once leave the sign of the whole; and
   * the rates of motors that lead: another assembly mode lies behind.
   */
  #held(seen, lead) {
    const columns = this.#columns(seen), n = this.scales.freedoms.length;
    const rates = columns.length - 6;
    const found = [columns.filter((_, k) => k < rates || !this.scales.free.includes(k - rates)), ...this.#legs(columns)];
    if (lead) found.push(lead.map((k) => seen.J_inv.slice(n * k, n * k + n)));
    return found;
  }

  /** Own columns of each leg that has as many rows. */
  #legs(columns) {
    return this.#places()
      .filter(({ leg }) => leg.rates && leg.rows >= leg.rates)
      .map(({ own }) => own(columns));
  }

  /** Legs with functions that take their rows of a column, and their own columns, out of all. */
  #places() {
    const { hub, legs } = this.scales;
    let row = hub.rows, place = hub.rates;
    return legs.map((leg) => {
      const from = row, first = place;
      const rows = (column) => column.slice(from, from + leg.rows);
      row += leg.rows;
      place += leg.rates;
      return { leg, rows, own: (columns) => columns.slice(first, first + leg.rates).map(rows) };
    });
  }

  /** Columns of all closure rows: what varies put beside what never does. */
  #columns(seen) {
    const { hub, legs, pattern } = this.scales, rows = new Float64Array(pattern.size);
    for (const [place, value] of pattern.constant) rows[place] = value;
    pattern.places.forEach((place, k) => (rows[place] = seen.row_entries[k]));
    const width = 6 + hub.rates + legs.reduce((sum, leg) => sum + leg.rates, 0);
    const count = rows.length / width;
    return Array.from({ length: width }, (_, j) => Float64Array.from({ length: count }, (_, i) => rows[i * width + j]));
  }

  /** Distances to all kinds of singularities, natural units; as gough.singularities has them. */
  measures() {
    const { hub, parts, twist, freedoms, motors } = this.scales;
    const columns = this.#columns(this.seen);
    const negative = (column) => column.map((value) => -value);
    const shared = [...columns.slice(0, hub.rates), ...columns.slice(-6)].map(negative);
    const demanded = shared.map((column) => Array.from(column.slice(0, hub.rows)));
    const smallest = [];
    for (const { leg, rows, own: take } of this.#places()) {
      const own = take(columns);
      smallest.push(this.#smallest(own, leg.rows));
      if (leg.rows >= leg.rates)
        outside(shared.map(rows), orthonormal(own)[0]).forEach((left, k) =>
          demanded[k].push(...left));
    }
    let constraints = demanded;
    if (hub.rates) {
      const own = demanded.slice(0, hub.rates);
      smallest.push(this.#smallest(own, own[0].length));
      constraints = outside(demanded.slice(hub.rates), orthonormal(own)[0]);
    }
    const fixed = 6 - this.data.mobility;
    const constraint = fixed ? singularValues(constraints.slice(-6))[fixed - 1] : 1;
    const n = freedoms.length, m = motors.length;
    const scaled = (matrix, units, count) =>
      freedoms.map((size, j) =>
        Float64Array.from({ length: count }, (_, i) => (matrix[i * n + j] / units[i]) * size));
    const Psi = scaled(this.seen.Psi, twist, 6);
    const [twists, felt] = orthonormal(Psi, scaled(this.seen.J_inv, motors, m));
    // where the position is all that counts, the tip may lose a direction although its bar still turns
    const told = this.scales.only_position && constraint > this.rules.singular
      ? singularValues(twists.map((column) => column.slice(0, 3)))[n - 1] : 1;
    const wanted = Math.min(m, n);
    const values = wanted ? singularValues(felt) : [1];
    const type_2 = wanted ? values[wanted - 1] : 1;
    const worst = smallest.indexOf(Math.min(...smallest));
    const type_1 = Math.min(1, told, ...smallest);
    const leg = smallest[worst] <= (1 + 1e-6) * told ? parts[worst] : ""; // of two alike the leg says more
    return { type_1, leg, type_2, constraint };
  }

  #smallest(columns, rows) {
    if (!columns.length) return 1;
    return rows < columns.length ? 0 : singularValues(columns)[columns.length - 1];
  }

  /** What acts now: as given, or a point mass at the platform's frame for a payload. */
  get loads() {
    const typed = { mass: [this.mass], center: this.data.platform_point, inertia: new Float64Array(9) };
    return { ...this.data.loads.at, ...this.along, ...(this.mass === null ? {} : typed) };
  }

  /** Given forces: where they act, and which; base axes. */
  get pushes() {
    const { loads } = this;
    return this.data.loads.pushed.map((body, k) =>
      ({ at: placed(this.poses[body], loads[`point_${k}`]), force: loads[`f_${k}`] }));
  }

  #loaded(V_0p, Vdot_0p) {
    return { ...this.posture, V_0p, Vdot_0p, ...this.loads, gravity: this.gravity ? this.data.gravity : [0, 0, 0] };
  }

  /** Efforts and rates of the motors; at rest without a twist. */
  efforts(V = new Float64Array(6), Vdot = new Float64Array(6)) {
    return this.kernels.call("efforts_in_view", this.#loaded(V, Vdot));
  }

  /** Forces in the joints: where, which, and whether they are decided; base axes. */
  reactions(V = new Float64Array(6), Vdot = new Float64Array(6)) {
    const found = this.kernels.call("reactions_in_view", this.#loaded(V, Vdot));
    return this.data.joints.map((joint, k) => {
      const T = this.poses[joint.parent], [a, b, c, p, d, e, f, q, g, h, i, r] = joint.frame;
      const own = found.wrench.slice(6 * k, 6 * k + 3);
      return {
        at: placed(T, [p, q, r]),
        force: turned(T, turned([a, b, c, d, e, f, g, h, i], own)),
        unique: found.unique.slice(6 * k, 6 * k + 3).every((value) => value > 0.5),
      };
    });
  }
}
