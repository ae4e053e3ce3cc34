"""The oracle: what public functions answer and refuse, frozen, so that a redesign keeps numbers.

    python tests/oracle.py OLDER NEWER     two working trees, all robots; bit for bit or to rounding
    python tests/oracle.py --exact O N     the same, and every bit counts: for moves and renames
    python tests/oracle.py --freeze        write tests/oracle_sample.npz from this tree

`make oracle BASE=revision` compares the working tree with a commit.  `tests/test_oracle.py`
compares it with the sample.

A question is a robot, a call and a variant: plain, loads, a method, platform axes, kernels, C.  It
is asked at the states of the robot, five good ones and some that are refused, and its answer is
one row of numbers a state, or the name of the error.  States are made once, by the older tree.
Rows agree if they differ by less than ``BOUND`` times the condition number of the motors'
Jacobian, measured in natural units by the largest entry of their kind.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

TESTS = Path(__file__).resolve().parent
SAMPLE = TESTS / "oracle_sample.npz"
BOUND = 1e-11
"""Largest difference, natural units, of a machine whose motors' Jacobian has the condition 1."""
WORST = 1e8
"""Condition number beyond which a state is singular: there answers need not agree at all."""
GOOD = 5
"""States of each robot that are meant to be answered; the faulty ones follow."""
FAULTY = 4
"""States with a fault: NaN and no pose, out of reach, out of reach and another twist, that."""
MOST = 48
"""Entries of a row that the sample keeps, spread over the row."""

COVERING = (
    *("five_bar", "three_rrr", "delta", "gough_stewart", "quattro", "tilt_3rps"),
    *("orthoglide", "four_rrr", "screw_hexapod", "split_hexapod", "delta_with_balls"),
    "table_below",
)
"""Twelve robots that cover joint kinds, hubs, idle spins, redundancy and serial axes."""

_NACELLES = ("delta_4", "quattro", "h4", "grounded_parallelogram", "stranger_in_the_hub")
_NACELLE = "joints of a nacelle follow from V_r, also in twists that the mobility forbids"
INTENDED = {f"{name} leg_jacobians": _NACELLE for name in _NACELLES}
"""Differences of two trees that are meant, by the beginning of a question: why."""

NAMES = {
    "inverse_kinematics": "inverse_geometry",
    "forward_kinematics": "direct_geometry",
    "forward_dynamics": "direct_dynamics",
    "motor_rates": "inverse_velocity",
    "motor_accelerations": "inverse_acceleration",
}
"""What a function is called, and what it was called before."""


ROUNDING = ("closure", "closure_rate", "closure_acceleration", "power", "agreement", "robot")
"""Residuals of certificates and postures."""
SMALL = 1e-3
"""Largest entry of a kind, SI, below which differences are measured by it all the same."""


class Call(NamedTuple):
    """A public function and what it takes.

    Attributes:
        name: of the function.
        takes: parts of a state, in order.
        more: other arguments, by what they are worked out from.
        variants: which variants it has besides the plain one.
    """

    name: str
    takes: tuple[str, ...]
    more: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()


POSE, TWIST, MOTION = ("T_0p",), ("T_0p", "V_0p"), ("T_0p", "V_0p", "Vdot_0p")
METHODS = ("elements", "screws", "tree")
CALLS = (
    Call("inverse_kinematics", POSE, (), ("kernel", "C")),
    Call("motor_rates", TWIST, (), ("frame", "kernel", "C")),
    Call("motor_accelerations", MOTION, (), ("frame", "kernel", "C")),
    Call("inverse_dynamics", MOTION, (), ("loads", "frame", "kernel", "C", *METHODS)),
    Call("forward_dynamics", TWIST, ("tau",), ("loads", "frame", "kernel", "C", *METHODS)),
    Call("energy", TWIST, (), ("loads", "kernel")),
    Call("reactions", MOTION, (), ("loads", "kernel")),
    Call("regressor", MOTION, (), ("frame", "kernel")),
    Call("cartesian_dynamics", MOTION, (), ("loads", "frame", "kernel", *METHODS)),
    Call("implicit_model", MOTION, (), ("loads", "kernel")),
    Call("inertia_matrix", POSE, (), ("loads", "frame", "kernel")),
    Call("bias_wrench", TWIST, (), ("loads", "frame", "kernel")),
    Call("gravity_wrench", POSE, (), ("loads", "frame", "kernel")),
    Call("posture", MOTION),
    Call("jacobian", POSE, (), ("frame",)),
    Call("inverse_jacobian", POSE, (), ("frame",)),
    Call("freedom_map", POSE, (), ("frame",)),
    Call("leg_jacobians", POSE, (), ("frame",)),
    Call("kinematic_coordinates", POSE),
    Call("influence_coefficients", POSE),
    Call("partial_screws", POSE),
    Call("reciprocal_screws", POSE),
    Call("internal_efforts", POSE),
    Call("singularities", POSE),
    Call("audit", MOTION),
    Call("observe", MOTION),
    Call("state_from_motors", (), ("q", "qd", "qdd", "near")),
    Call("inverse_dynamics_from_motors", (), ("q", "qd", "qdd", "near")),
    Call("state", (), ("x", "xd", "xdd")),
)


# ------------------------------------------------------------------------------------- one tree


class Machine(NamedTuple):
    """A robot with its states.

    Attributes:
        robot: the robot.
        inputs: arrays by name, one row a state, as the older tree made them.
    """

    robot: Any
    inputs: dict[str, np.ndarray]


def make_robot(name: str) -> Any:
    """A robot of the tests, by name."""
    import hybrids
    from robots import robot

    return hybrids.hybrid(name) if name in hybrids.CASES else robot(name)


def robot_names() -> list[str]:
    """All robots that are asked."""
    import hybrids
    from robots import ALL_NAMES

    return [*ALL_NAMES, *hybrids.CASES]


def make_inputs(robot: Any) -> dict[str, np.ndarray]:
    """Five states near home and far from it, and faulty ones: NaN, out of reach, another twist."""
    import gough

    core = gough.serial_core(robot) if robot.serial_axes else robot
    a, rng = core.assembly, np.random.default_rng(3)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    spread = np.array([0.02, 0.05, 0.1, 0.2, 0.4])[:, None] * a.scales.freedoms
    x = home + spread * rng.uniform(-1.0, 1.0, (GOOD, a.mobility))
    xd, xdd = rng.normal(size=(2, GOOD, a.mobility)) * a.scales.freedoms
    xd[0] = 0.0  # at rest
    made = gough.state(core, x, xd, xdd, on_error="nan")
    T, V, Vdot = (made.T_0p, made.V_0p, made.Vdot_0p) if hasattr(gough, "State") else made
    count = len(robot.serial_axes)
    s, sd, sdd = rng.uniform(-0.3, 0.3, (3, GOOD, count))
    if count:
        T, V, Vdot = in_space(robot, (T, V, Vdot), (s, sd, sdd))
    tau = rng.normal(size=(GOOD, len(robot.motors)))
    found = {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot, "tau": tau, "s": s, "sd": sd, "sdd": sdd}
    found |= {"x": x, "xd": xd, "xdd": xdd}
    # faults, two of them with a second one behind: NaN and out of reach, out of reach and a twist
    bad = {name: np.repeat(array[:1], FAULTY, axis=0) for name, array in found.items()}
    bad["V_0p"][0] = np.nan
    bad["T_0p"][1:3, :3, 3] += 10.0 * robot.length
    bad["V_0p"][2] = rng.normal(size=6)
    bad["V_0p"][3] = rng.normal(size=6)
    bad["x"][1:3] += 10.0 * a.scales.freedoms
    found = {name: np.concatenate([array, bad[name]]) for name, array in found.items()}
    return found | {"condition": conditions(robot, found)}


def in_space(robot: Any, state: Sequence[Any], axes: Sequence[Any]) -> tuple[np.ndarray, ...]:
    """States of a machine with serial axes, from those of its core."""
    import gough

    if hasattr(gough, "State"):
        made = gough.serial_state(robot, gough.State(*state, **internal(robot, axes)))
        return made.T_0p, made.V_0p, made.Vdot_0p
    return gough.serial_state(robot, *state, serial=gough.SerialAxes(*axes))


def internal(robot: Any, axes: Sequence[Any]) -> dict[str, Any]:
    """Internal coordinates, rates and accelerations by name, as a State takes them."""
    names = ("internal", "internal_rate", "internal_acceleration")
    return {
        name: {axis: values[..., k] for k, axis in enumerate(robot.serial_axes)}
        for name, values in zip(names, axes, strict=False)
    }


def conditions(robot: Any, inputs: dict[str, np.ndarray]) -> np.ndarray:
    """Condition number of the motors' Jacobian at each state, natural units; ``WORST`` at most."""
    import gough

    found = np.full(len(inputs["T_0p"]), WORST)
    a = robot.assembly
    for k, T in enumerate(inputs["T_0p"][:GOOD]):
        try:
            J = a.scales.jacobian(gough.inverse_jacobian(robot, T))
        except gough.GoughError:
            found[k] = 1e3 if robot.serial_axes else WORST  # of these no Jacobian is public
            continue
        sizes = np.linalg.svd(J, compute_uv=False)
        if sizes.size and sizes[-1] > 0.0:
            found[k] = min(WORST, (max(sizes[0], 1.0) / min(sizes[-1], 1.0)) ** 2)
    return found


def make_loads(robot: Any) -> Any:
    """A force on a body, a payload and a base that moves."""
    import gough

    body = robot.platform
    force = gough.Force(body, (1.0, -2.0, 3.0), (0.1, 0.2, -0.3), (0.01, 0.02, -0.03))
    payload = gough.Payload(0.7, (0.01, -0.02, 0.03), np.diag([1e-3, 2e-3, 3e-3]))
    base = gough.BaseMotion((0.1, -0.2, 9.9), (0.1, 0.2, 0.3), (0.3, -0.2, 0.1))
    return gough.Loads([force], payload, base=base)


def ask(machine: Machine, call: Call, variant: str, part: Any) -> Any:
    """One call of a public function at one state, or at several."""
    import gough

    robot, inputs = machine
    new = hasattr(gough, "State")
    name = call.name if hasattr(gough, call.name) else NAMES[call.name]
    options: dict[str, Any] = {}
    if variant in METHODS:
        options["method"] = variant
    if variant == "loads":
        options["loads"] = make_loads(robot)
    engine = "compiled" if variant == "kernel" else "numpy"
    if variant == "kernel" and inputs["T_0p"][part].ndim > 2:
        options["on_error"] = "nan"
    state = [inputs[key][part] for key in call.takes]
    more = [inputs[key][part] for key in call.more if key in inputs]
    if call.name == "state":
        pass
    elif not call.takes:  # motors: their motion is that of the state
        q, qd, qdd = (inputs[f"motors {key}"][part] for key in ("q", "qd", "qdd"))
        more, options["near"] = [q, qd, qdd], inputs["near"][part]
    moving = len(robot.serial_axes) and call.takes and accepts_serial(call.name)
    axes = [inputs[key][part] for key in ("s", "sd", "sdd")]
    if new:
        if call.takes:
            given = {} if variant != "frame" else {"frame": "platform"}
            if moving:
                given |= internal(robot, axes)
            more = [gough.State(*state, **given), *more]
        with gough.options(engine=engine) if "engine" not in options else nullcontext():
            return getattr(gough, name)(robot, *more, **options)
    if call.name in WITH_ENGINE:
        options["engine"] = engine
    if variant == "frame":
        options["frame"] = "platform"
    if moving:
        options["serial"] = gough.SerialAxes(*axes)
    return getattr(gough, name)(robot, *state, *more, **options)


WITH_ENGINE = (
    *("inverse_kinematics", "motor_rates", "motor_accelerations", "inverse_dynamics"),
    *("forward_dynamics", "energy", "reactions", "regressor", "cartesian_dynamics"),
    *("implicit_model", "inertia_matrix", "bias_wrench", "gravity_wrench", "audit", "state"),
    "inverse_dynamics_from_motors",
)
"""Functions that had an argument ``engine``."""


def accepts_serial(name: str) -> bool:
    """Whether a function knew the motion of serial axes from the beginning."""
    return name in (
        *("inverse_kinematics", "motor_rates", "motor_accelerations", "inverse_dynamics"),
        *("forward_dynamics", "posture", "audit"),
    )


def plain(call: Call, answer: Any) -> Any:
    """An answer without states: a state that is found as three arrays, accelerations as one."""
    import gough

    if call.name in ("state", "state_from_motors"):
        is_value = hasattr(gough, "State")
        parts = (answer.T_0p, answer.V_0p, answer.Vdot_0p) if is_value else answer
        return dict(zip(MOTION, parts, strict=True))
    if call.name == "internal_efforts":  # a basis: only what it spans is unique
        return answer @ np.swapaxes(answer, -1, -2)
    if call.name == "singularities":  # so are free motions
        return {name: getattr(answer, name).smallest for name in ("type_1", "type_2", "constraint")}
    if call.name in ("audit", "posture"):  # residuals are rounding, another on every processor
        fields = answer.__dataclass_fields__
        return {name: getattr(answer, name) for name in fields if name not in ROUNDING}
    if call.name == "forward_dynamics" and not isinstance(answer, np.ndarray):
        more = [a[..., None] for a in answer.internal_acceleration.values()]
        return np.concatenate([answer.Vdot_0p, *more], axis=-1)
    return answer


def numbers(answer: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All numbers of an answer, with what they are called."""
    if answer is None or isinstance(answer, (str, bytes, bool)):
        return
    if isinstance(answer, (np.ndarray, float, int, np.number)):
        array = np.asarray(answer)
        if array.dtype.kind in "fiub":
            yield path, array.astype(float)
    elif hasattr(answer, "_asdict"):
        yield from numbers(answer._asdict(), path)
    elif isinstance(answer, dict):
        for key, value in answer.items():
            yield from numbers(value, f"{path}/{key}")
    elif isinstance(answer, (list, tuple)):
        for k, value in enumerate(answer):
            yield from numbers(value, f"{path}/{k}")
    elif hasattr(answer, "__dataclass_fields__") and not hasattr(answer, "assembly"):
        for key in answer.__dataclass_fields__:
            if key not in ("robot", "converged"):
                yield from numbers(getattr(answer, key), f"{path}/{key}")


class Answer(NamedTuple):
    """Answers to a question.

    Attributes:
        rows: by what the numbers are called, one row a state; NaN where it is refused.
        refusals: name of the error of each state, empty where there is none.
        states: which states were asked at.
    """

    rows: dict[str, np.ndarray]
    refusals: list[str]
    states: Sequence[int]


def asked_states(name: str, call: Call, variant: str, sample: bool) -> list[int]:
    """Which states a question is asked at: it takes long to prove that a pose is out of reach."""
    proves = not sample or COVERING.index(name) % 2 == 0
    if variant == "plain" and call.name == "inverse_dynamics":
        return [*range(GOOD + FAULTY)] if proves else [*range(GOOD), GOOD, GOOD + 3]
    if not sample:
        good = [*range(GOOD)]
    else:
        good = [1, 3] if variant == "plain" else [3]
    faulty = [GOOD, GOOD + 3] if call.takes else [GOOD + 1]
    return [*good, *faulty] if variant == "plain" and (call.takes or proves) else good


def answer(machine: Machine, call: Call, variant: str, states: Sequence[int]) -> Answer:
    """Ask at some states: one by one, or at once by a kernel."""
    import gough

    machine = Machine(machine.robot, {key: a[states] for key, a in machine.inputs.items()})
    count = len(states)
    if variant == "C":
        return answer_in_c(machine, call, states)
    batch = variant == "kernel"
    found: list[Any] = []
    refusals = [""] * count
    for part in [slice(None)] if batch else range(count):
        try:
            got = dict(numbers(plain(call, ask(machine, call, variant, part))))
            found.append({key: np.atleast_1d(value) for key, value in got.items() if value.size})
        except gough.GoughError as err:
            found.append({})
            refusals = [type(err).__name__] * count if batch else refusals
            if not batch:
                refusals[part] = type(err).__name__
    if batch:
        rows = {key: a.reshape(count, -1) for key, a in found[0].items() if len(a) == count}
        return Answer(rows, refusals, states)
    keys = list(dict.fromkeys(key for one in found for key in one))
    rows = {}
    for key in keys:
        size = max(one[key].size for one in found if key in one)
        rows[key] = np.full((count, size), np.nan)
        for k, one in enumerate(found):
            if key in one and one[key].size == size:
                rows[key][k] = one[key].reshape(-1)
    return Answer(rows, refusals, states)


def answer_in_c(machine: Machine, call: Call, states: Sequence[int]) -> Answer:
    """The same by generated C, compiled without optimisation."""
    import gough

    robot, inputs = machine
    count = len(inputs["T_0p"])
    quantity = call.name if hasattr(gough, call.name) else NAMES[call.name]
    with tempfile.TemporaryDirectory() as folder:
        try:
            code, _ = gough.export_c(robot, quantity, folder)
        except gough.GoughError as err:
            return Answer({}, [type(err).__name__] * count, states)
        library = Path(folder) / "code.so"
        flags = ["-std=c99", "-O0", "-ffp-contract=off", "-fPIC", "-shared"]
        subprocess.run(["gcc", *flags, str(code), "-o", str(library), "-lm"], check=True)
        function = getattr(ctypes.CDLL(str(library)), code.stem)
        size = 6 if call.name == "forward_dynamics" else len(robot.motors)
        rows, refusals = np.full((count, size), np.nan), []
        for k in range(count):
            arrays = [inputs[key][k] for key in (*call.takes, *call.more)]
            arrays = [np.ascontiguousarray(a) for a in [*arrays, rows[k]]]
            status = function(*(ctypes.c_void_p(a.ctypes.data) for a in arrays))
            refusals.append(f"status {status}" if status else "")
            rows[k] = arrays[-1]
            if status:
                rows[k] = np.nan
    return Answer({"": rows}, refusals, states)


def answers(
    inputs: dict[str, dict[str, np.ndarray]], sample: bool
) -> Iterator[tuple[str, dict[str, np.ndarray], Answer]]:
    """All questions and their answers: the name of each, its inputs, what comes out."""
    import gough

    warnings.simplefilter("ignore", gough.GoughWarning)
    for name in COVERING if sample else robot_names():
        robot = make_robot(name)
        known = inputs.get(name) or with_motors(robot, make_inputs(robot))
        machine = Machine(robot, known)
        for call in CALLS:
            for variant in ("plain", *call.variants):
                if variant in ("kernel", "C") and (name not in COVERING or robot.serial_axes):
                    continue
                if variant == "C" and not shutil.which("gcc"):
                    continue
                if sample and variant in ("kernel", "C") and not is_sampled(name, call, variant):
                    continue
                states = asked_states(name, call, variant, sample)
                question = f"{name} {call.name} {variant}"
                yield question, known, answer(machine, call, variant, states)


def is_sampled(name: str, call: Call, variant: str) -> bool:
    """Whether the sample has kernels and C of a robot: of dynamics, every robot's inverse ones."""
    place = COVERING.index(name)
    if call.name == "inverse_dynamics":
        return variant == "kernel" or place % 2 == 0
    return variant == "kernel" and call.name == "forward_dynamics" and place % 3 == 0


def with_motors(robot: Any, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """States with the motors' motion beside them, and a pose nearby."""
    import gough

    count = len(inputs["T_0p"])
    machine = Machine(robot, inputs)
    kinematics = CALLS[:3]
    for key, call in zip(("q", "qd", "qdd"), kinematics, strict=True):
        rows = np.full((count, len(robot.motors)), np.nan)
        for k in range(GOOD):
            try:
                rows[k] = ask(machine, call, "plain", k)
            except gough.GoughError:
                continue  # NaN is refused by name
        inputs[f"motors {key}"] = rows
    inputs["near"] = np.repeat(robot.home_pose[None], count, axis=0)
    return inputs


# ------------------------------------------------------------------------------ written and read


def pack(found: Iterator[tuple[str, dict[str, np.ndarray], Answer]], most: int) -> dict[str, Any]:
    """Everything as arrays by name; of rows longer than ``most`` some entries, spread over them."""
    packed: dict[str, Any] = {}
    refused: dict[str, Any] = {}
    for question, inputs, (rows, refusals, states) in found:
        robot = question.split()[0]
        packed |= {f"inputs|{robot}|{key}": array for key, array in inputs.items()}
        refused[question] = [list(states), refusals]
        groups: dict[str, list[np.ndarray]] = {}
        for key, array in rows.items():
            groups.setdefault(key.split("/")[1] if "/" in key else key, []).append(array)
        for group, parts in groups.items():
            row = np.concatenate(parts, axis=1)
            if (width := row.shape[1]) > most:
                row = row[:, np.linspace(0, width - 1, most).astype(int)]
            packed[f"rows|{question}|{group}"] = row
    return packed | {"refusals": np.array(json.dumps(refused))}


def unpack_inputs(packed: Any) -> dict[str, dict[str, np.ndarray]]:
    """States of all robots, of a file."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for key in packed:
        if key.startswith("inputs|"):
            _, robot, name = key.split("|")
            found.setdefault(robot, {})[name] = packed[key]
    return found


# ------------------------------------------------------------------------------------- two trees


def differences(older: Any, newer: Any, exact: bool = False) -> list[str]:
    """What differs, a line each.

    Args:
        older: answers of a tree, as :func:`pack` has them.
        newer: those of another one.
        exact: whether every bit counts.
    """
    lines = []
    refused = [json.loads(str(packed["refusals"])) for packed in (older, newer)]
    for question in sorted(refused[0].keys() | refused[1].keys()):
        if question.endswith(" C") and not shutil.which("gcc"):
            continue
        one, other = (found.get(question, [[], None])[1] for found in refused)
        if one != other:
            lines.append(f"{question}: refusals {one} -> {other}")
    inputs = unpack_inputs(older)
    rows = [{key for key in packed if key.startswith("rows|")} for packed in (older, newer)]
    states = {question: at for question, (at, _) in refused[0].items()}
    for key in sorted(rows[0] ^ rows[1]):
        if not key.split("|")[1].endswith(" C") or shutil.which("gcc"):
            lines.append(f"{key[5:]}: only in one of the trees")
    for key in sorted(rows[0] & rows[1]):
        question = key[5:].split("|")[0]
        condition = inputs[question.split()[0]]["condition"][states[question]]
        worst = difference(older[key], newer[key], condition, exact=exact)
        if worst:
            lines.append(f"{key[5:]}: {worst}")
    return lines


def difference(a: np.ndarray, b: np.ndarray, condition: np.ndarray, *, exact: bool) -> str:
    """How far two tables of one row a state differ, if they do."""
    if a.shape != b.shape:
        return f"shapes {a.shape} -> {b.shape}"
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return "NaN elsewhere"
    if exact:
        return "" if np.array_equal(a, b, equal_nan=True) else "other bits"
    sure = condition < WORST
    finite = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return "infinity elsewhere"
    size = np.abs(np.where(finite, a, 0.0)).max(initial=0.0)
    with np.errstate(invalid="ignore"):
        off = np.where(finite, np.abs(a - b), 0.0).max(axis=1, initial=0.0)
    share = off / max(size, SMALL) / condition
    return f"{share[sure].max():.2g}" if (share[sure] > BOUND).any() else ""


def work(tree: str, states: str, target: str, robots: Sequence[str] = ()) -> None:
    """In a process of its own: answers of a tree, into a file."""
    sys.path[:] = [str(Path(tree) / "src"), str(Path(tree) / "tests"), *sys.path[1:]]
    os.environ["GOUGH_CACHE"] = "off"
    inputs = unpack_inputs(np.load(states)) if Path(states).exists() else {}
    np.savez(target, **pack(answers(inputs, sample=False), sys.maxsize))


def compare(older: str, newer: str, *, exact: bool) -> int:
    """Ask two trees, one after the other, and print what differs."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{name}.npz") for name in ("older", "newer")]
        alone = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        for tree, target in zip((older, newer), files, strict=True):
            path = str(Path(tree).resolve())
            command = [sys.executable, __file__, "--work", path, files[0], target]
            subprocess.run(command, env=alone, check=True)
        a, b = (np.load(name) for name in files)
        found = differences(a, b, exact)
        lines = [line for line in found if not line.startswith(tuple(INTENDED))]
        print("\n".join(lines))
        asked = json.loads(str(a["refusals"]))
        states = sum(len(at) for at, _ in asked.values())
        print(
            f"{len(asked)} questions, {states} states: {len(lines)} differences, "
            f"{len(found) - len(lines)} intended"
        )
    return bool(lines)


def freeze() -> None:
    """Write the sample from this tree."""
    packed = pack(answers({}, sample=True), MOST)
    np.savez_compressed(SAMPLE, **packed)
    print(f"{SAMPLE.name}: {SAMPLE.stat().st_size / 1e6:.2f} MB, {len(packed)} arrays")


RUN: dict[str, Callable[..., Any]] = {"--work": work, "--freeze": freeze}

if __name__ == "__main__":
    first, *rest = sys.argv[1:] or [""]
    if first in RUN:
        RUN[first](*rest)
    elif len(sys.argv) - (first == "--exact") == 3:
        sys.exit(compare(*sys.argv[-2:], exact=first == "--exact"))
    else:
        sys.exit(__doc__)
