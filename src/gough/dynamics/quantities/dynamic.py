"""Quantities of a state about forces: efforts, accelerations, matrices, energies, reactions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.base.spatial import Array, collect, cross, total
from gough.dynamics import legs
from gough.dynamics.answers.certificate import Worked, worked
from gough.dynamics.answers.energy import of_motion
from gough.dynamics.answers.held_bodies import (
    NOTHING,
    HeldBodies,
    Parts,
    held_compliance,
    held_plan,
)
from gough.dynamics.answers.power_balance import MachineMotion, power_balance
from gough.dynamics.answers.reactions import BodiesInBalance, FrameName, transmitted
from gough.dynamics.elements.camera import LegStates
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import SeenDirections, efforts_of_legs, normalise_directions
from gough.dynamics.elements.shown_pose import by_sums, fit_step, lead_to_pose
from gough.dynamics.legs.regressor import regressor as regressor_of
from gough.dynamics.methods import METHODS, during
from gough.dynamics.quantities.ports import OBSERVED, SENSED
from gough.dynamics.quantities.row import (
    MOTION,
    Model,
    at_counted_pose,
    at_loaded_pose,
    by_formula,
    quantity,
)
from gough.dynamics.quantities.states import Rules
from gough.dynamics.shared.base_wrench import on_base
from gough.dynamics.shared.definite import HasMass
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.parameters import Parameters
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import MotorsHold
from gough.robot import Robot


@quantity(MOTION[:3], ("tau",), at_loaded_pose, loaded=True, asks_motors=True)
def inverse_dynamics(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Motor efforts that produce a motion of the platform."""
    require_motors(kin)
    return {"tau": model.efforts(kin, model.loads)}


def require_motors(kin: Kinematics) -> None:
    """State that the motors hold the platform."""
    kin.rules.require(MotorsHold(kin.assembly, kin.solution))


@quantity((*MOTION[:2], "tau"), ("Vdot_0p",), at_loaded_pose, loaded=True)
def forward_dynamics(kin: Kinematics, model: Model, tau: Array) -> dict[str, Array]:
    """Twist rate of the platform under motor efforts."""
    return {"Vdot_0p": model.theory.twist_rate(kin, tau, model.loads)}


@quantity(MOTION[:3], ("w_r",), at_loaded_pose, loaded=True)
def cartesian_dynamics(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Generalised force on the robot's freedoms that produces a motion.  [BK] (15)-(16)."""
    return {"w_r": model.theory.balanced(kin, model.loads)[1]}


@quantity(MOTION[:3], ("A", "b"), at_loaded_pose, loaded=True, method="elements")
def implicit_model(kin: Kinematics, model: Model) -> dict[str, Array]:
    """``A tau + b = 0``.  [OZ] (58)."""
    A, w = model.theory.balanced(kin, model.loads)
    return {"A": A, "b": -w}


@quantity(("T_0p",), ("M_rob",), loaded=True)
def inertia_matrix(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Inertia matrix in the robot's freedoms."""
    return {"M_rob": legs.inertia_matrix(kin, model.loads)}


@quantity(("T_0p",), ("M_rob",), loaded=True)
def inertia_matrix_by_columns(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Inertia matrix in the robot's freedoms, one unit acceleration after the other."""
    return {"M_rob": legs.inertia_matrix_by_columns(kin, model.loads)}


@quantity(MOTION[:2], ("c_rob",), at_loaded_pose, loaded=True)
def bias_wrench(kin: Kinematics, model: Model) -> dict[str, Array]:
    """What velocities, gravity, friction, springs and loads take in the robot's freedoms."""
    return {"c_rob": legs.bias_wrench(kin, _during(kin, model.loads))}


@quantity(("T_0p",), ("g_rob",), loaded=True, resting=True)
def gravity_wrench(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Weight in the robot's freedoms."""
    weight = replace(model.loads, base=None, pushes=(), friction=False, springs=False)
    return {"g_rob": legs.bias_wrench(kin, weight)}


@quantity(MOTION[:2], ("M_rob", "c_rob", "J_inv"), at_loaded_pose, loaded=True)
def cartesian_model(kin: Kinematics, model: Model) -> dict[str, Array]:
    """The terms of ``J_inv^T tau = M_rob Vdot_r + c_rob``."""
    during_motion = _during(kin, model.loads)
    return {
        "M_rob": legs.inertia_matrix(kin, model.loads),
        "c_rob": legs.bias_wrench(kin, during_motion),
        "J_inv": kin.J_inv,
    }


@quantity(MOTION[:2], ("kinetic", "potential"), at_loaded_pose, loaded=True, resting=True)
def energy(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Kinetic and potential energy of the whole machine."""
    kinetic, potential = of_motion(kin, model.loads)
    return {"kinetic": collect([kinetic]), "potential": collect([potential])}


@quantity(MOTION[:2], ("momentum", "center_of_mass"), loaded=True, resting=True)
def centroidal_momentum(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Linear and angular momentum of all bodies about their centre of mass, and that centre.

    Momentum of rotors is left out, as they spin about themselves at a speed of their own.
    """
    parts = []
    for each in model.loads.masses(kin.assembly.robot):
        R, p = kin.at.body_poses[each.body]
        motion, arm = kin.body_motion(each.body), R @ each.c
        spin = R @ (each.I @ (R.T @ motion.w))
        parts.append((each.m, p + arm, (motion.v + cross(motion.w, arm)) * each.m, spin))
    mass = total(m for m, *_ in parts)
    kin.rules.require(HasMass(kin.assembly.robot, mass))
    center = total((x * m for m, x, *_ in parts), np.zeros(3)) / mass
    linear = total((mv for _, _, mv, _ in parts), np.zeros(3))
    angular = total((spin + cross(x - center, mv) for _, x, mv, spin in parts), np.zeros(3))
    return {"momentum": np.concatenate([linear, angular]), "center_of_mass": center}


@quantity(MOTION[:3], ("ground",), at_loaded_pose, loaded=True, public=False)
def base_wrench(kin: Kinematics, model: Model) -> dict[str, Array]:
    """What the base exerts on the machine: whichever efforts and reactions, it is the same."""
    return {"ground": on_base(kin, model.loads)}


@quantity(MOTION[:3], Worked._fields, at_loaded_pose, loaded=True, asks_motors=True, public=False)
def audited(kin: Kinematics, model: Model) -> dict[str, Array]:
    """What a certificate is made of: efforts by every method, residuals, powers and Jacobians."""
    require_motors(kin)
    efforts = [each.efforts(kin, model.loads, share=model.share) for each in METHODS.values()]
    powers = power_balance(MachineMotion.of(kin), efforts[0], model.acting)
    return worked(kin, efforts, powers, legs.inertia_matrix(kin, model.loads))._asdict()


@quantity(
    MOTION[:3],
    ("W", "tau_0"),
    at_loaded_pose,
    loaded=True,
    method="legs",
    asks_motors=True,
    figured=False,
    columns=True,
)
def regressor(kin: Kinematics, model: Model) -> dict[str, Array]:
    """``W`` and ``tau_0`` with ``tau = W chi + tau_0``: forces and payload have known figures."""
    require_motors(kin)
    columns, loads = model.variant.standard(kin.assembly), model.loads
    return {
        "W": regressor_of(kin, during(kin, loads), columns, model.share),
        "tau_0": _known_efforts(kin, model, loads),
    }


def _known_efforts(kin: Kinematics, model: Model, loads: StateLoads) -> Array:
    """Efforts of forces and payload alone: all bodies without mass, nothing on any axis."""
    robot = kin.assembly.robot
    if not loads.pushes and loads.payload is None:
        return np.zeros(len(robot.motors))
    nothing = _without_mass(robot)
    alone = replace(loads, figures=nothing, friction=False, rotors=False, springs=False)
    return model.efforts(kin, alone)


def _without_mass(robot: Robot) -> Parameters:
    """Parameters of a machine without mass."""
    none = np.zeros(3), np.zeros((3, 3))
    return Parameters({body.name: CentralMass(body.name, 0.0, *none) for body in robot.bodies})


@quantity(
    OBSERVED,
    ("tau",),
    by_formula,
    loaded=True,
    method="elements",
    asks_motors=True,
    seated=False,
    sensed=True,
)
def inverse_dynamics_observed(rules: Rules, model: Model, **state: Array) -> dict[str, Array]:
    """Efforts from directions, lengths and turns of the legs and their rates.  [OZ] (66)."""
    seen, T_0p = rules.see(model.assembly, model.sight.legs(state))
    return _efforts_seen(at_loaded_pose(rules, model, {"T_0p": T_0p}), model, seen)


@quantity(
    ("T_0p", *SENSED),
    ("tau",),
    at_loaded_pose,
    loaded=True,
    method="elements",
    asks_motors=True,
    seated=False,
    sensed=True,
    public=False,
)
def efforts_sensed(kin: Kinematics, model: Model, **state: Array) -> dict[str, Array]:
    """Efforts from what sensors see, and from the pose that they show.  [OZ] (66)."""
    return _efforts_seen(kin, model, normalise_directions(model.sight.legs(state)))


def _efforts_seen(kin: Kinematics, model: Model, seen: LegStates) -> dict[str, Array]:
    require_motors(kin)
    kin.rules.require(SeenDirections(kin, seen))
    return {"tau": efforts_of_legs(kin, seen, model.loads, model.share)}


@quantity(("x", "d", "theta"), ("T_0p",), by_formula, seated=False, sensed=True, public=False)
def pose_by_sums(rules: Rules, model: Model, **state: Array) -> dict[str, Array]:
    """The pose that directions and lengths show, by sums of ``d x``, as they are."""
    seen = normalise_directions(model.sight.legs(state))
    return {"T_0p": by_sums(lead_to_pose(model.assembly, seen.sight), seen)}


@quantity(
    ("T_0p", "x", "d", "theta", "q", "weights"),
    ("fit_step", "Psi"),
    at_counted_pose,
    seated=False,
    sensed=True,
    public=False,
)
def sensed_fit_step(kin: Kinematics, model: Model, **state: Array) -> dict[str, Array]:
    """Step of the freedoms, natural units, to the pose that fits what sensors see best."""
    here = ElementState(kin)
    seen = normalise_directions(model.sight.legs(state))
    return {"fit_step": fit_step(here, seen), "Psi": here.Psi}


_REACTIONS = ("wrench", "unique", "ground", "frozen", "couplings")


def _enter_reactions(name: str, frame: FrameName, *, given: bool) -> None:
    """Wrenches in all joints, seen from the parents or the children; under efforts if given."""

    def formula(kin: Kinematics, model: Model, tau: Array | None = None) -> dict[str, Array]:
        if tau is None:
            require_motors(kin)
            tau = model.efforts(kin, model.loads)
        found = transmitted(kin, tau, _during(kin, model.loads), frame)
        kin.rules.require(BodiesInBalance(kin.assembly.robot, found))
        return {key: getattr(found, key) for key in _REACTIONS}

    whose = "under efforts that are given" if given else "under the efforts of the motion"
    formula.__doc__ = f"Wrenches in all joints, in frames of the {frame}, {whose}."
    inputs = (*MOTION[:3], "tau") if given else MOTION[:3]
    enter = quantity(
        inputs, _REACTIONS, at_loaded_pose, name=name, loaded=True, asks_motors=not given
    )
    enter(formula)


_enter_reactions("reactions", "parent", given=False)
_enter_reactions("reactions_on_child", "child", given=False)
_enter_reactions("reactions_under_efforts", "parent", given=True)
_enter_reactions("reactions_on_child_under_efforts", "child", given=True)


@quantity(("T_0p",), ("compliance",), public=False)
def compliance(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Platform's displacement per wrench at its origin, by the parts of the variant, 6x6."""
    assembly, parts = kin.assembly, model.variant.parts
    if parts == NOTHING:  # rigid, its motors holding
        parts = Parts(assembly.robot.motors, ())
    plan = kin.rules.known(lambda: held_plan(assembly, parts))
    found = held_compliance(HeldBodies(assembly, kin.at, parts), plan, kin.rules)
    kin.rules.require(BodiesInBalance(assembly.robot, found))
    return {"compliance": found.compliance}


def _during(kin: Kinematics, loads: StateLoads) -> StateLoads:
    """Loads at the speed of a motion."""
    return loads.during(kin.V, kin.assembly.length)
