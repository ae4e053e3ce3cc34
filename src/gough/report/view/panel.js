// The panel: sliders, numbers and words.  Texts of a robot file are only ever set as text.

const DEGREES = 180 / Math.PI;

/** A new element with properties; children and text last. */
function made(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** A position in the unit one reads: degrees or millimetres. */
const shownPosition = (value, turn) =>
  turn ? `${fixed(value * DEGREES, 2)}\u00b0` : `${fixed(value * 1000, 2)} mm`;

/** A number with a fixed count of decimals, without a minus before zero. */
const fixed = (value, digits) => value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");

/** A count and what is counted. */
const named = (count, what, many = `${what}s`) => `${count} ${count === 1 ? what : many}`;

/** Put a number into an element: its text, and the value itself for whoever reads the page. */
function put(element, text, value) {
  if (element.textContent !== text) element.textContent = text;
  element.dataset.value = value;
}

class Panel {
  /** `acts` are functions that a user calls: freedom, motor, posture, load, option. */
  constructor(data, machine, acts) {
    Object.assign(this, { data, machine, acts });
    const panel = document.getElementById("panel");
    document.getElementById("title").textContent = data.label || data.robot;
    document.getElementById("subtitle").textContent =
      `${data.label ? `${data.robot}, ` : ""}${named(data.mobility, "freedom")}, ${named(data.motors.length, "motor")}`;
    panel.append(this.#freedoms(), this.#motors());
    if (machine.kernels.has("efforts_in_view")) panel.append(this.#loads());
    panel.append(this.#distances(), this.#modes());
    if (data.vibrations.length) panel.append(this.#vibrations());
    panel.append(this.#joints());
    if (data.notes.length)
      panel.append(this.#group("Notes", true, ...data.notes.map((text) => made("p", { className: "note", textContent: text }))));
    this.digits = this.#effortDigits();
    this.said = "";
  }

  #group(title, open, ...children) {
    const group = made("details", { open }, made("summary", { textContent: title }), ...children);
    return group;
  }

  #slider(id, low, high, value, act) {
    const slider = made("input", { type: "range", id, min: low, max: high, step: "any", value });
    slider.addEventListener("input", () => act(Number(slider.value)));
    slider.addEventListener("change", () => this.acts.settle());
    return slider;
  }

  #row(name, slider, id) {
    const label = made("label", { textContent: name, title: name });
    label.htmlFor = slider.id;
    const output = made("output", { id });
    return [made("div", { className: "row" }, label, slider, output), output];
  }

  #freedoms() {
    this.freedoms = this.data.freedoms.map((freedom, k) => {
      const slider = this.#slider(`freedom-${k}`, freedom.low, freedom.high, this.machine.x[k],
        (value) => this.acts.freedom(k, value));
      const [row, output] = this.#row(freedom.name, slider, `freedom-${k}-value`);
      return { ...freedom, row, slider, output };
    });
    return this.#group("Platform", true, ...this.freedoms.map((each) => each.row));
  }

  #motors() {
    const follows = Boolean(this.data.kernels.follow), { mobility } = this.data, count = this.data.motors.length;
    this.motors = this.data.motors.map((motor, k) => {
      const slider = this.#slider(`motor-${k}`, motor.low, motor.high, this.machine.q[k],
        (value) => this.acts.motor(k, value));
      slider.disabled = !follows;
      const [row, output] = this.#row(motor.name, slider, `motor-${k}-value`);
      if (this.data.play) row.firstChild.style.cssText = `border-left: 4px solid ${CURVES[k % CURVES.length]}; padding-left: 0.3rem`; // as its curves
      const fill = made("i"), effort = made("output", { id: `effort-${k}` });
      const second = made("div", { className: "row" }, made("span"), made("div", { className: "effort" }, fill), effort);
      return { ...motor, row, slider, output, second, fill, effort, limit: motor.effort };
    });
    const rows = this.motors.flatMap((each) =>
      this.machine.kernels.has("efforts_in_view") ? [each.row, each.second] : [each.row]);
    this.leading = made("p", { className: "note", id: "leading" });
    this.leading.textContent = !follows ? "Motors are read here: they do not lead the platform."
      : count > mobility ? `${count} motors for ${named(mobility, "freedom")}: of the motors ${mobility} lead, the one that you move among them, and the others follow.` : "";
    return this.#group("Motors: position and effort", true, ...rows, ...(this.leading.textContent ? [this.leading] : []));
  }

  /** Say who led when a motor of too many was moved. */
  led(k) {
    const { motors } = this.data, { lead } = motors[k];
    if (lead.length === motors.length) return;
    const names = (some) => some.map((i) => motors[i].name).join(", ");
    const held = lead.filter((i) => i !== k), rest = motors.flatMap((_, i) => (lead.includes(i) ? [] : [i]));
    put(this.leading, `${motors[k].name} leads${held.length ? `, ${names(held)} held` : ""}; ${names(rest)} followed.`, "");
  }

  #loads() {
    const { payload, words } = this.data.loads;
    const mass = made("input", { type: "number", id: "payload", min: 0, step: "any", value: payload ? "" : 0, placeholder: "as given" });
    mass.addEventListener("input", () => this.acts.load(payload && mass.value === "" ? null : Math.max(0, Number(mass.value) || 0), undefined));
    const gravity = made("input", { type: "checkbox", id: "gravity", checked: true });
    gravity.addEventListener("change", () => this.acts.load(undefined, gravity.checked));
    const rows = [
      made("div", { className: "row" }, made("label", { textContent: "payload", htmlFor: "payload" }), mass, made("span", { textContent: "kg" })),
      made("div", { className: "row" }, made("label", { textContent: "gravity", htmlFor: "gravity" }), made("span", {}, gravity)),
    ];
    if (this.machine.kernels.has("reactions_in_view")) {
      const forces = made("input", { type: "checkbox", id: "reactions" });
      forces.addEventListener("change", () => this.acts.option("reactions", forces.checked));
      const scale = made("output", { id: "reactions-largest" });
      this.largest = scale;
      rows.push(made("div", { className: "row" }, made("label", { textContent: "joint forces", htmlFor: "reactions" }), made("span", {}, forces), scale));
    }
    const typed = `${payload ? "A mass that is typed takes the place of the given payload: it" : "The payload"} is a point mass at the platform's frame.`;
    rows.push(...[...words, typed].map((textContent) => made("p", { className: "note", textContent })));
    return this.#group("Loads", true, ...rows);
  }

  #distances() {
    const names = { type_1: "Type 1 (legs)", type_2: "Type 2 (motors)", constraint: "constraint" };
    this.distances = Object.fromEntries(
      Object.keys(names).map((key) => [key, made("td", { className: "number", id: `distance-${key}` })]));
    const rows = Object.entries(names).map(([key, name]) =>
      made("tr", {}, made("td", { textContent: name }), this.distances[key]));
    const note = `Smallest singular values in natural units; below ${this.machine.rules.near} the machine is near a singularity.`;
    return this.#group("Distance to singularities", true, made("table", {}, ...rows), made("p", { className: "note", textContent: note }));
  }

  #modes() {
    this.modes = this.machine.postures.map((posture, k) => {
      const button = made("button", { type: "button", id: `posture-${k}`, textContent: posture.name });
      button.addEventListener("click", () => this.acts.posture(k));
      return button;
    });
    const text = this.modes.length > 1
      ? "Other ways to assemble the machine with its motors as at home. From there, sliders stay in that mode."
      : "No other assembly mode with the motors as at home is known.";
    const how = this.data.modes ? [made("p", { className: "note", textContent: this.data.modes })] : [];
    return this.#group("Assembly modes", this.modes.length > 1, made("div", { className: "buttons" }, ...this.modes),
      made("p", { className: "note", textContent: text }), ...how);
  }

  #vibrations() {
    const words = made("p", { className: "note", id: "vibration" });
    const buttons = this.data.vibrations.map((each, k) => {
      const button = made("button", { type: "button", id: `vibration-${k}`, textContent: each.name });
      button.addEventListener("click", () => {
        words.textContent = each.words;
        this.acts.vibration(k);
      });
      return button;
    });
    return this.#group("Vibrations", true, made("div", { className: "buttons" }, ...buttons), words,
      made("p", { className: "note", textContent: "About home, motors locked; amplitudes are not to scale, and slowed down." }));
  }

  #joints() {
    const head = made("tr", {}, ...["axis", "position", "limits"].map((text) => made("th", { textContent: text })));
    this.axes = this.data.axes.map((axis, k) => {
      const output = made("td", { className: "number", id: `axis-${k}` });
      const bounds = axis.limits ? axis.limits.map((value) => shownPosition(value, axis.turn)).join(" \u2026 ") : "";
      const row = made("tr", {}, made("td", { textContent: axis.ball ? `${axis.name} (tilt)` : axis.name }), output,
        made("td", { className: "muted", textContent: bounds }));
      return { ...axis, row, output };
    });
    return this.#group("All joints", false, made("table", {}, head, ...this.axes.map((each) => each.row)));
  }

  /** Decimals that show four digits of the efforts at home, or of those of 0.1 kg. */
  #effortDigits() {
    if (!this.machine.kernels.has("efforts_in_view")) return 3;
    if (!this.machine.loads.mass[0]) this.machine.mass = 0.1;
    const largest = Math.max(...this.machine.efforts().tau.map(Math.abs));
    this.machine.mass = null;
    this.full = 2 * Math.max(largest, 1e-4);
    if (largest < 1e-9) return 4; // home is balanced
    return Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(largest))));
  }

  /** Write all numbers anew.  `held` is the slider that a hand is on. */
  write(efforts, held) {
    const { machine } = this, { x, q } = machine;
    this.freedoms.forEach(({ slider, output, turn }, k) => {
      put(output, shownPosition(x[k], turn), x[k]);
      if (slider !== held) slider.value = x[k];
    });
    this.motors.forEach(({ slider, output, effort, fill, turn, limit, row, second }, k) => {
      put(output, shownPosition(q[k], turn), q[k]);
      if (slider !== held) slider.value = q[k];
      if (!efforts) return;
      const tau = efforts.tau[k], most = limit ?? (this.full = Math.max(this.full, Math.abs(tau)));
      put(effort, `${fixed(tau, this.digits)} ${turn ? "N\u00b7m" : "N"}`, tau);
      const share = Math.min(1, Math.abs(tau) / most);
      fill.style.width = `${50 * share}%`;
      fill.style.left = `${tau < 0 ? 50 - 50 * share : 50}%`;
      second.classList.toggle("bad", limit !== null && Math.abs(tau) > limit);
      row.title = "";
    });
    this.axes.forEach(({ output, turn, row }, k) => {
      const value = this.position(k);
      put(output, shownPosition(value, turn), value);
      row.classList.toggle("bad", this.beyond(k) !== 0);
    });
  }

  /** Position of an axis; motors with their turns. */
  position(k) {
    const motor = this.data.motors.findIndex((each) => each.name === this.data.axes[k].name);
    return motor < 0 ? this.machine.seen.positions[k] : this.machine.q[motor];
  }

  /** Whether an axis is below (-1), within (0) or above (1) its limits. */
  beyond(k) {
    const { limits } = this.data.axes[k];
    if (!limits) return 0;
    const value = this.position(k), slack = 1e-9;
    return value < limits[0] - slack ? -1 : value > limits[1] + slack ? 1 : 0;
  }

  /** What is to be said of the posture: [class, sentence]. */
  sentences(measures, efforts, stopped) {
    const { near, singular } = this.machine.rules, found = [];
    const names = this.data.freedoms.map(({ name }) => name).join(", ");
    const loose = measures.leg ? `leg ${measures.leg} is stretched or folded` : `${names} no longer tell where the platform goes`;
    if (stopped)
      found.push(["bad", measures.type_1 < 0.1
        ? `Out of reach: ${loose}.`
        : measures.type_2 < 0.1 && stopped === "motor"
          ? "The motors stop here: behind it lies a Type 2 singularity, and another assembly mode."
          : "Out of reach: the loops cannot be closed there."]);
    const beyond = this.axes.flatMap((axis, k) => {
      const side = this.beyond(k);
      if (!side) return [];
      const bound = shownPosition(axis.limits[side < 0 ? 0 : 1], axis.turn);
      return [["bad", `${axis.name} is ${side < 0 ? "below its lower" : "above its upper"} limit: ${shownPosition(this.position(k), axis.turn)}, limit ${bound}.`]];
    });
    const more = beyond.length - 3; // many sentences would hide the robot
    found.push(...(more > 0 ? [...beyond.slice(0, 3), ["bad", `${named(more, "more axis", "more axes")} beyond limits, red in All joints.`]] : beyond));
    const say = (value, text) => {
      if (value < near) found.push(["warn", `${value <= singular ? "On" : "Near"} a ${text} (${fixed(value, 4)}).`]);
    };
    say(measures.type_1, `Type 1 singularity: ${loose}`);
    say(measures.type_2, "Type 2 singularity: the motors hardly hold the platform");
    say(measures.constraint, "constraint singularity: the legs hardly guide the platform");
    if (efforts)
      this.motors.forEach(({ name, limit, turn }, k) => {
        const need = Math.abs(efforts.tau[k]);
        if (limit !== null && need > limit)
          found.push(["bad", `${name} would need ${fixed(need, this.digits)} ${turn ? "N\u00b7m" : "N"}, its limit is ${fixed(limit, this.digits)}.`]);
      });
    const { doubt } = this.machine.seen;
    if (!(doubt[0] + doubt[1] < 1))
      found.push(["warn", "The programs of this page are not sure of their numbers here: ask gough, which chooses its pivots anew."]);
    return found.length ? found : [["good", "Within all limits, and away from singularities."]];
  }

  /** Say it. */
  say(found, measures) {
    for (const [key, element] of Object.entries(this.distances)) put(element, fixed(measures[key], 4), measures[key]);
    const text = JSON.stringify(found);
    if (text === this.said) return;
    this.said = text;
    document.getElementById("words").replaceChildren(
      ...found.slice(0, 6).map(([className, textContent]) => made("p", { className, textContent })));
  }
}
