// The player: a time line for a motion or a simulation, its path, and curves of every motor.

const CURVES = ["#d9731a", "#1f5fa8", "#5a9e6f", "#a8457f", "#3a9fb3", "#8c7a2e"];

class Player {
  constructor(data, machine, act) {
    const { play } = data;
    Object.assign(this, { data, machine, act, count: play.count, simulated: play.simulated });
    for (const name of ["t", "y", "V", "Vdot"]) this[name] = doubles(play[name]);
    this.recorded = play.tau ? doubles(play.tau) : null;
    this.loads = Object.fromEntries(Object.entries(play.loads).map(([name, values]) => [name, doubles(values)]));
    this.playing = false;
    this.time = this.t[0];
    this.#build(play.label);
    this.path = Array.from({ length: this.count }, (_, k) => Array.from(this.y.slice(6 * k, 6 * k + 3)));
  }

  #build(label) {
    const section = document.getElementById("player");
    section.hidden = false;
    this.button = made("button", { type: "button", id: "play", textContent: "Play" });
    this.button.addEventListener("click", () => this.toggle());
    this.slider = made("input", { type: "range", id: "time", min: 0, max: this.count - 1, step: 1, value: 0 });
    this.slider.setAttribute("aria-label", "time");
    this.slider.addEventListener("input", () => {
      this.stop();
      this.time = this.t[Number(this.slider.value)];
      this.act();
    });
    this.clock = made("output", { id: "clock" });
    this.speed = made("select", { id: "speed" }, ...[0.1, 0.25, 0.5, 1, 2].map((value) =>
      made("option", { value, textContent: `${value}\u00d7`, selected: value === 1 })));
    this.speed.setAttribute("aria-label", "speed");
    this.curves = { tau: made("canvas", { id: "curve-efforts" }), qd: made("canvas", { id: "curve-speeds" }) };
    section.append(
      made("div", { className: "bar" }, this.button, this.slider, this.clock, this.speed),
      made("div", { className: "curves" }, this.curves.tau, this.curves.qd),
      made("p", { className: "note", textContent: label }));
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.time >= this.t[this.count - 1]) this.time = this.t[0];
    this.playing = true;
    this.before = undefined;
    this.button.textContent = "Pause";
    this.act();
  }

  stop() {
    this.playing = false;
    this.button.textContent = "Play";
  }

  /** Move the clock on to a frame's time [ms]. */
  tick(now) {
    if (!this.playing) return;
    const passed = this.before === undefined ? 0 : Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    this.time += passed * Number(this.speed.value);
    if (this.time >= this.t[this.count - 1]) {
      this.time = this.t[this.count - 1];
      this.stop();
    }
  }

  /** Loads of a sample, which stand until the next one. */
  acting(k) {
    return Object.fromEntries(Object.entries(this.loads).map(([name, values]) => {
      const width = values.length / this.count;
      return [name, values.slice(width * k, width * k + width)];
    }));
  }

  /** The motion now: exact at its samples, in between on straight lines. */
  now() {
    let k = 0;
    for (let high = this.count - 1; k + 1 < high; ) {
      const middle = (k + high) >> 1;
      if (this.t[middle] <= this.time) k = middle;
      else high = middle;
    }
    const length = this.t[k + 1] - this.t[k];
    const share = length > 0 ? Math.max(0, Math.min(1, (this.time - this.t[k]) / length)) : 0;
    const between = (array, width) => Float64Array.from({ length: width }, (_, i) => {
      const a = array[width * k + i], b = array[width * (k + 1) + i] ?? a;
      return share === 0 ? a : share === 1 ? b : a + share * (b - a);
    });
    const y = between(this.y, 6);
    return {
      x: this.machine.scales.free.map((place) => y[place]),
      V: between(this.V, 6),
      Vdot: between(this.Vdot, 6),
      loads: this.acting(share === 1 ? k + 1 : k),
      tau: this.recorded && between(this.recorded, this.data.motors.length),
    };
  }

  /** Efforts and speeds of all samples, with the payload of now; the machine is put back. */
  prepare() {
    const { machine, count } = this, m = this.data.motors.length;
    const { posture, q, along } = machine;
    this.samples = { tau: new Float64Array(count * m).fill(NaN), qd: new Float64Array(count * m).fill(NaN) };
    if (!m || !machine.kernels.has("efforts_in_view")) return;
    const from = this.start ?? posture;
    machine.stand(from);
    for (let k = 0; k < count; k++) {
      const x = machine.scales.free.map((place) => this.y[6 * k + place]);
      if (machine.go(x) < 1) break;
      if (k === 0) this.start = machine.posture;
      machine.along = this.acting(k);
      const found = machine.efforts(this.V.slice(6 * k, 6 * k + 6), this.Vdot.slice(6 * k, 6 * k + 6));
      this.samples.tau.set(this.recorded ? this.recorded.slice(m * k, m * k + m) : found.tau, m * k);
      this.samples.qd.set(found.qd, m * k);
    }
    Object.assign(machine, { posture, q, along });
    machine.look();
  }

  write() {
    const nearest = this.t.reduce((best, t, k) => (Math.abs(t - this.time) < Math.abs(this.t[best] - this.time) ? k : best), 0);
    this.slider.value = nearest;
    put(this.clock, `${fixed(this.time, 3)} s`, this.time);
    this.#draw(this.curves.tau, this.samples.tau, "effort", (turn) => (turn ? "N\u00b7m" : "N"));
    this.#draw(this.curves.qd, this.samples.qd, "speed", (turn) => (turn ? "rad/s" : "m/s"));
  }

  #draw(canvas, values, title, unitOf) {
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    const width = canvas.clientWidth, height = canvas.clientHeight, m = this.data.motors.length;
    if (!width || !m) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink"), line = style.getPropertyValue("--line");
    pen.scale(ratio, ratio);
    const good = values.filter(Number.isFinite);
    let low = Math.min(0, ...good), high = Math.max(0, ...good);
    if (!(high > low)) [low, high] = [-1, 1];
    const left = 46, top = 18, right = width - 8, bottom = height - 6;
    const end = this.t[this.count - 1], begin = this.t[0];
    const u = (t) => left + ((right - left) * (t - begin)) / (end - begin || 1);
    const v = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
    const units = [...new Set(this.data.motors.map((motor) => unitOf(motor.turn)))].join(", ");
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.fillText(`${title} [${units}]`, left, 11);
    pen.textAlign = "right";
    for (const value of low < 0 && high > 0 ? [low, 0, high] : [low, high]) {
      pen.strokeStyle = line;
      pen.beginPath();
      pen.moveTo(left, v(value));
      pen.lineTo(right, v(value));
      pen.stroke();
      pen.fillText(Number(value.toPrecision(3)), left - 4, v(value) + 4);
    }
    for (let i = 0; i < m; i++) {
      pen.strokeStyle = CURVES[i % CURVES.length];
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (let k = 0; k < this.count; k++) pen[k ? "lineTo" : "moveTo"](u(this.t[k]), v(values[m * k + i]));
      pen.stroke();
    }
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(u(this.time), top);
    pen.lineTo(u(this.time), bottom);
    pen.stroke();
    const k = Number(this.slider.value);
    for (let i = 0; i < m; i++) {
      pen.fillStyle = CURVES[i % CURVES.length];
      pen.beginPath();
      pen.arc(u(this.time), v(values[m * k + i]), 3, 0, 7);
      pen.fill();
    }
  }
}
