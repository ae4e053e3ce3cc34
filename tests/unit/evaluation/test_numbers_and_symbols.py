"""Every quantity is one function: with numbers it is the reference, with symbols the kernel."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.ports import OBSERVED
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.errors import InconsistentTwist, SingularPose, UnreachablePose
from gough.evaluation.compile import whole_program
from gough.evaluation.evaluator import Evaluator
from robots import random_freedoms, relative, robot

LEGS = gough.zoo.parameters("five_bar")["legs"]

# planar, with a Psi that depends on the pose, with freedoms inside the hub
ROBOTS = ("five_bar", "tilt_3rps", "grounded_parallelogram")
# their legs decide part of the pose, which no program knows: others for states of freedoms
PLAIN = {"five_bar": "three_rrr", "tilt_3rps": "agile_eye", "grounded_parallelogram": "quattro"}


def _loads(r: gough.Robot) -> gough.Loads:
    push = gough.Force(r.platform, [3.0, -2.0, 1.0], [0.2, 0.1, -0.3], [0.01, 0.02, 0.03])
    return gough.Loads([push], gough.Payload(0.4, [0.0, 0.01, 0.02], 0.001 * np.eye(3)))


def _state(name: str) -> dict[str, np.ndarray]:
    """Every input of a state, all of one motion."""
    r, a = robot(name), robot(name).assembly
    x, xd, xdd = (part[0] for part in random_freedoms(name, 1, 0.04))
    state = gough.state(r, x, xd, xdd, xdd - xd)
    T, V, Vdot = state.arrays
    free, rates = list(a.free), len(a.scales.rates)
    rng = np.random.default_rng(3)
    return {
        "x": x,
        "xd": xd,
        "xdd": xdd,
        "xddd": xdd - xd,
        "T_0p": T,
        "V_0p": V,
        "Vdot_0p": Vdot,
        "Vddot_0p": state.Vddot_0p,
        "tau": rng.normal(size=len(r.motors)),
        "q": gough.inverse_kinematics(r, T) + 1e-3,
        "lead": np.ones(len(r.motors)),
        "qd": gough.motor_rates(r, state),
        "qdd": gough.motor_accelerations(r, state),
        "V_r": V[free],
        "Vdot_r": Vdot[free],
        "step": np.concatenate([np.zeros(6), 0.1 * rng.normal(size=len(free))]),
        "coordinates": gough.trace.coordinates(r, T),
        "y": a.chart.coordinates(T),
        "joint_step": np.zeros(rates),
        "platform_step": 1e-3 * rng.normal(size=6),
    }


# wrenches on the child, or under efforts that are given, are the same lines: one robot is enough;
# test_charted.py has more of motions in the freedoms
SAME_LINES = ("reactions_", "efforts_from_", "accelerations_from_")
# tests/laws/test_serial.py has those of machines with serial axes
CASES = [
    (name, quantity)
    for quantity in ROWS
    # its loops need a closed form from the motors: tests/unit/dynamics/test_observed.py
    if not ROWS[quantity].serial and quantity != "inverse_dynamics_from_motors"
    for name in (ROBOTS[:1] if quantity.startswith(SAME_LINES) else ROBOTS)
]


@pytest.mark.parametrize(("name", "quantity"), CASES)
def test_numbers_and_symbols_say_the_same(name, quantity):
    name = PLAIN[name] if quantity.startswith("state") else name
    assembly, given = robot(name).assembly, LoadArguments(robot(name).assembly, _loads(robot(name)))
    loaded = ROWS[quantity].loaded
    evaluate = Evaluator(assembly, quantity, Variant.of(given) if loaded else Variant())
    state = _state(name) | {key: array for key, (array, _) in given.inputs.items()}
    if ROWS[quantity].sensed:
        legs = gough.observe(
            robot(name), gough.State(*(state[k] for k in ("T_0p", "V_0p", "Vdot_0p")))
        )
        state |= {key: getattr(legs, key) for key in OBSERVED}
    if quantity.endswith("_under_efforts"):  # those of this motion
        motion = [state[key] for key in ("T_0p", "V_0p", "Vdot_0p")]
        state["tau"] = gough.inverse_dynamics(
            robot(name), gough.State(*motion), loads=_loads(robot(name))
        )
    arrays = [state[key] for key in evaluate.inputs]
    kernel = evaluate.kernel("compiled")
    assert kernel is not None
    assert list(kernel.inputs.items()) == list(evaluate.inputs.items())
    assert list(kernel.outputs.items())[:-1] == list(evaluate.outputs.items())
    *by_kernel, doubt = kernel.one(arrays)
    assert is_valid(doubt)
    for key, one, other in zip(
        evaluate.outputs, by_kernel, evaluate.reference(*arrays), strict=True
    ):
        assert relative(one, other) < 1e-10 or np.abs(one - other).max() < 1e-12, key


def test_the_reference_refuses_by_name():
    r = robot("tilt_3rps")
    state, dynamics = _state("tilt_3rps"), Evaluator(r.assembly, "inverse_dynamics", Variant())
    motion = [state[key] for key in ("T_0p", "V_0p", "Vdot_0p")]
    with pytest.raises(InconsistentTwist):
        dynamics.reference(motion[0], motion[1] + 0.1, motion[2])
    state, dynamics = _state("delta"), Evaluator(robot("delta").assembly, "energy", Variant())
    far = state["T_0p"].copy()
    far[2, 3] += 50.0
    with pytest.raises(UnreachablePose):
        dynamics.reference(far, state["V_0p"])


def test_only_what_asks_the_motors_needs_them_to_hold():
    """On a Type 2 singularity inverse dynamics is refused, its terms and direct dynamics not."""
    r = robot("five_bar")

    def side(y: float) -> float:
        J_inv = gough.inverse_jacobian(r, gough.state(r, [0.0, y]).T_0p)
        return float(np.sign(np.linalg.det(J_inv)))

    heights = np.linspace(0.3, -0.1, 60)
    sides = [side(y) for y in heights]
    k = next(k for k in range(1, len(sides)) if sides[k] != sides[0])
    above, below = heights[k - 1], heights[k]
    for _ in range(60):
        middle = (above + below) / 2.0
        above, below = (middle, below) if side(middle) == sides[0] else (above, middle)
    state = gough.state(r, [0.0, below], [0.1, 0.2], [0.3, 0.4])
    with pytest.raises(SingularPose, match="Type 2"), gough.options(engine="numpy"):
        gough.inverse_dynamics(r, state)
    M, c, J_inv = Evaluator(r.assembly, "cartesian_model", Variant()).reference(
        state.T_0p, state.V_0p
    )
    tau = np.array([0.4, -0.7])
    Vdot_r = gough.forward_dynamics(r, state, tau).Vdot_0p[list(r.assembly.free)]
    assert relative(M @ Vdot_r + c, J_inv.T @ tau) < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_a_program_does_not_depend_on_what_was_worked_out_before(method):
    """Plans and home are kept with a robot: tracing finds them, or works them out meanwhile."""
    lengths = {"legs": 0.401, "elements": 0.402, "screws": 0.403, "tree": 0.404}  # new geometries
    r = gough.zoo.load("five_bar", legs=[{**leg, "l_dist": lengths[method]} for leg in LEGS])
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        first = whole_program(r.assembly, quantity, Variant(method=method))
        assert whole_program(r.assembly, quantity, Variant(method=method)) == first
