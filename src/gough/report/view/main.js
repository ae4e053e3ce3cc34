// The page: what hands do, and one frame after another, drawn when something has changed.

const data = JSON.parse(document.getElementById("content").textContent);
const canvas = document.getElementById("canvas");

async function start() {
  const machine = new Machine(data, await Kernels.load(data.kernels));
  const painter = painterOn(canvas), camera = new Camera(data.shapes.camera);
  const scene = new Scene(data, painter);
  const options = { reactions: false, path: true, slice: true };
  let stopped = "", changed = true, shapes = [], held = null, moving = null, waiting = false, late = false, shaking = null;

  const ask = () => {
    changed = true;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(frame);
  };
  const rest = () => {
    moving = shaking = null;
    if (player) player.stop();
  };
  const acts = {
    freedom(k, value) {
      rest();
      held = document.activeElement;
      const goal = machine.x;
      goal[k] = value;
      stopped = machine.go(goal) < 1 ? "freedom" : "";
      ask();
    },
    motor(k, value) {
      rest();
      held = document.activeElement;
      const goal = machine.q.slice();
      goal[k] = value;
      stopped = machine.go(goal, data.motors[k].lead) < 1 ? "motor" : "";
      panel.led(k);
      ask();
    },
    posture(k) {
      rest();
      stopped = "";
      machine.stand(machine.postures[k]);
      ask();
    },
    vibration(k) {
      acts.posture(0);
      shaking = data.vibrations[k];
      ask();
    },
    load(mass, gravity) {
      if (mass !== undefined) machine.mass = mass;
      if (gravity !== undefined) machine.gravity = gravity;
      late = true;
      ask();
    },
    option(name, value) {
      options[name] = value;
      ask();
    },
    settle() {
      held = null;
      ask();
    },
  };
  const panel = new Panel(data, machine, acts);
  const player = data.play ? new Player(data, machine, () => { moving = player; shaking = held = null; ask(); }) : null;
  if (player) {
    player.prepare();
    moving = player;
  }

  function frame(now) {
    waiting = false;
    if (!changed && !shaking && !(player && player.playing)) return;
    changed = false;
    const begin = performance.now();
    let V, Vdot, recorded;
    machine.along = {};
    if (moving) {
      player.tick(now);
      let x;
      ({ x, V, Vdot, tau: recorded, loads: machine.along } = player.now());
      if (machine.go(x) < 1 && player.start) {
        machine.stand(player.start); // from another posture the way may be closed
        stopped = machine.go(x) < 1 ? "freedom" : "";
      } else stopped = "";
    }
    const efforts = machine.kernels.has("efforts_in_view") ? machine.efforts(V, Vdot) : null;
    if (efforts && recorded) efforts.tau = recorded;
    const measures = machine.measures();
    const bad = new Set();
    data.joints.forEach((joint, k) => { if (joint.axes.some((axis) => panel.beyond(axis))) bad.add(k); });
    panel.write(efforts, held);
    panel.say(panel.sentences(measures, efforts, stopped), measures);
    if (player) {
      if (late) player.prepare();
      player.write();
    }
    late = false;
    // one swing a second, whatever the frequency
    const poses = shaking ? shaken(machine.poses, shaking.moves, Math.sin(0.002 * Math.PI * now)) : machine.poses;
    shapes = scene.at(poses, bad);
    const lines = [...(player && options.path ? scene.path(player.path) : []), ...(options.slice ? scene.overlay() : [])];
    if (options.reactions) {
      const forces = machine.reactions(V, Vdot);
      put(panel.largest, `${Math.max(...forces.map(({ force }) => norm(force))).toPrecision(3)} N max`, "");
      lines.push(...scene.arrows(forces, machine.scales.length));
    } else if (panel.largest) put(panel.largest, "", "");
    lines.push(...scene.arrows(machine.pushes, machine.scales.length, WEIGHT));
    if (machine.loads.mass[0] && machine.gravity)
      lines.push(...arrow(machine.origin, times(unit(data.gravity), 0.2 * machine.scales.length), 0.24 * data.shapes.unit, WEIGHT, { frame: "weight" }));
    painter.paint(shapes, camera, lines);
    document.body.dataset.ms = (performance.now() - begin).toFixed(2);
    document.body.dataset.frames = 1 + Number(document.body.dataset.frames || 0);
    if (shaking || (player && player.playing)) ask();
  }

  tools(camera, scene, () => shapes, options, player, ask);
  hands(camera, machine, scene, painter.words, () => shapes, acts, (share) => { stopped = share < 1 ? "freedom" : ""; }, rest, ask);
  new ResizeObserver(ask).observe(canvas);
  ask();
  requestAnimationFrame(() => (document.body.dataset.ready = "1"));
}

/** Buttons above the picture. */
function tools(camera, scene, shapes, options, player, ask) {
  const bar = document.getElementById("tools");
  const button = (text, act, pressed) => {
    const found = made("button", { type: "button", textContent: text, id: `tool-${text.toLowerCase()}` });
    if (pressed !== undefined) found.setAttribute("aria-pressed", pressed);
    found.addEventListener("click", () => {
      const now = act();
      if (typeof now === "boolean") found.setAttribute("aria-pressed", now);
      ask();
    });
    bar.append(found);
  };
  const { pole, e1, e2 } = camera;
  const flat = data.shapes.camera.planar;
  button("Fit", () => camera.fit(shapes().filter((shape) => shape.frame === undefined)));
  button("Front", () => camera.look(flat ? camera.home.towards : unit(cross(pole, e2)).map((v) => -v)));
  button("Side", () => camera.look(flat ? cross(pole, camera.home.towards) : e1));
  button("Top", () => { camera.elevation = Math.PI / 2; });
  button("Perspective", () => (camera.perspective = !camera.perspective), camera.perspective);
  button("Frames", () => (scene.frames = !scene.frames), true);
  if (data.bare) button("Shapes", () => (scene.shapes = scene.shapes === data.bare ? data.shapes : data.bare) === data.shapes, true);
  if (player) button("Path", () => (options.path = !options.path), true);
  if (data.overlay.length) button("Workspace", () => (options.slice = !options.slice), true);
  const root = document.documentElement;
  root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
  button("Dark", () => root.classList.toggle("dark"), root.classList.contains("dark"));
}

const FINGER = 12; // half of a fingertip [CSS pixels]

/** Mouse and touch: the platform is dragged, all else turns, shifts and zooms the view. */
function hands(camera, machine, scene, remark, shapes, acts, stop, rest, ask) {
  const touching = new Map(), hint = document.getElementById("hint");
  const usual = [data.freedoms.length
    ? "Drag the platform or the view. With shift: turn the platform, shift the view."
    : "Nothing of this machine moves. Drag the view; with shift, shift it.", remark].join(" ").trim();
  hint.textContent = usual;
  let grip = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect(), aspect = box.width / box.height;
    const u = (2 * (event.clientX - box.left)) / box.width - 1, v = 1 - (2 * (event.clientY - box.top)) / box.height;
    return camera.ray(u, v, aspect);
  };
  const touched = (event) => scene.touched(shapes(), at(event));
  const onPlatform = (hit) => !!hit && hit.shape.body === data.platform;
  /** What of the platform is under a pointer; a finger is as wide as it is. */
  const grasped = (event) => {
    const around = [[0, 0], ...(event.pointerType === "touch" ? [0, 1, 2, 3, 4, 5, 6, 7] : []).map((k) =>
      [FINGER * Math.cos((k * Math.PI) / 4), FINGER * Math.sin((k * Math.PI) / 4)])];
    for (const [dx, dy] of around) {
      const hit = touched({ clientX: event.clientX + dx, clientY: event.clientY + dy });
      if (onPlatform(hit)) return hit;
    }
    return null;
  };
  const pixel = () => (2 * camera.half(canvas.clientWidth / canvas.clientHeight)) / canvas.clientHeight;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    touching.set(event.pointerId, [event.clientX, event.clientY]);
    const hit = touching.size === 1 && event.button === 0 ? grasped(event) : null;
    grip = hit && { point: hit.point, from: machine.origin };
    if (hit) rest();
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = touching.get(event.pointerId);
    if (!last) return hover(event);
    const dx = event.clientX - last[0], dy = event.clientY - last[1];
    touching.set(event.pointerId, [event.clientX, event.clientY]);
    if (touching.size === 2) {
      const [other] = [...touching].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
      zoom(apart(last) / apart([event.clientX, event.clientY]));
      shift(dx / 2, dy / 2);
    } else if (grip) drag(event, dx, dy);
    else if (event.shiftKey || event.buttons & 6) shift(dx, dy);
    else {
      camera.azimuth -= 0.008 * dx;
      camera.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.elevation + 0.008 * dy));
    }
    ask();
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, (event) => {
      touching.delete(event.pointerId);
      grip = null;
      stop(1);
      ask();
    });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(0.0012 * event.deltaY));
    ask();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!turn) return;
    camera.azimuth += turn[0];
    camera.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.elevation + turn[1]));
    event.preventDefault();
    ask();
  });

  function zoom(factor) {
    camera.distance = Math.max(0.2 * camera.home.radius, Math.min(20 * camera.home.radius, camera.distance * factor));
  }
  function shift(dx, dy) {
    const { right, up } = camera.axes();
    camera.middle = add(camera.middle, add(times(right, -dx * pixel()), times(up, dy * pixel())));
  }
  function hover(event) {
    const hit = touched(event), shape = hit && hit.shape;
    const joint = shape && shape.joint !== undefined ? data.joints[shape.joint] : null;
    canvas.classList.toggle("moving", onPlatform(hit));
    hint.textContent = joint ? `${joint.name}, ${joint.kind.replace("_", " ")}`
      : shape && shape.body !== undefined ? data.bodies[shape.body] : usual;
  }
  /** Along the freedoms that the platform has: slides where there are some, or turns with shift. */
  function drag(event, dx, dy) {
    const slides = data.freedoms.flatMap((freedom, k) => (freedom.turn ? [] : [k]));
    const turns = data.freedoms.flatMap((freedom, k) => (freedom.turn ? [k] : []));
    const turning = turns.length && (event.shiftKey || !slides.length);
    const some = turning ? turns : slides, goal = machine.x, n = goal.length, { Psi } = machine.seen;
    const { right, up, towards } = camera.axes();
    let A, b;
    if (turning) {
      A = some.map((k) => [3, 4, 5].map((i) => Psi[n * i + k]));
      b = add(times(up, 0.008 * dx), times(right, 0.008 * dy));
    } else {
      const { from, way } = at(event);
      const ahead = dot(sub(grip.point, from), towards) / dot(way, towards);
      const wanted = sub(add(from, times(way, ahead)), add(grip.point, sub(machine.origin, grip.from)));
      A = some.map((k) => [0, 1, 2].map((i) => Psi[n * i + k]));
      b = [right, up].map((axis) => dot(wanted, axis));
      A = A.map((column) => [right, up].map((axis) => dot(column, axis)));
    }
    leastSquares(A, b, 1e-3).forEach((step, i) => (goal[some[i]] += step));
    stop(machine.go(goal));
  }
}

start().catch((error) => {
  document.getElementById("words").replaceChildren(made("p", { className: "bad", textContent: String(error.message || error) }));
  document.body.dataset.failed = "1";
});
