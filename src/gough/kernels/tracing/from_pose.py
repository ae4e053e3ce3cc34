"""Quantities of a state by name, from the pose to the answer: with numbers and with symbols.

Each is one function of a machine and of arrays by name.  With a machine of numbers, see
:mod:`gough.kernels.tracing.checked`, it is the NumPy reference, which refuses by name; with one of
symbols, see :mod:`gough.kernels.tracing.traced`, it spells the program of a kernel, which doubts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gough.base.linalg import watched
from gough.base.spatial import Array, collect
from gough.dynamics import legs
from gough.dynamics.answers.certificate import Worked, worked
from gough.dynamics.answers.energy import of_motion
from gough.dynamics.answers.power_balance import MachineMotion, power_balance
from gough.dynamics.answers.reactions import FrameName, transmitted
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.base_wrench import on_base
from gough.kernels.tracing import from_joints
from gough.kernels.tracing import stepped_quantities as stepped
from gough.kernels.tracing.freedom_quantities import (
    accelerations_from_freedoms,
    efforts_from_freedoms,
)
from gough.kernels.tracing.integration_quantities import motion, slope
from gough.kernels.tracing.kinematic_quantities import (
    freedom_map,
    inverse_jacobian,
    inverse_kinematics,
    motor_accelerations,
    motor_motion,
    motor_rates,
)
from gough.kernels.tracing.leg_quantities import axis_speeds, legs_at
from gough.kernels.tracing.limited_step import limited_step
from gough.kernels.tracing.machine import MOTION, Machine
from gough.kernels.tracing.observed_quantity import OBSERVED, observed_efforts
from gough.kernels.tracing.pose_quantity import PoseQuantity
from gough.kernels.tracing.regressor_quantity import regressor_and_known
from gough.kernels.tracing.serial_quantities import (
    serial_acceleration,
    serial_audited,
    serial_forward_dynamics,
    serial_geometry,
    serial_inverse_dynamics,
    serial_velocity,
)
from gough.kernels.tracing.static_quantities import bodies_assembled, bodies_at, compliance
from gough.kernels.tracing.tracking_quantities import (
    efforts_of_freedoms,
    efforts_of_motors,
    geometry_step,
    motion_of_motors,
)
from gough.kernels.tracing.turning import reach, turning
from gough.kinematics.serial_axes import SERIAL


def _inverse_dynamics(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p, Vdot_0p)
    state.require_motors()
    return state.answer(tau=state.efforts(state.kin, machine.loads(loads)))


def _forward_dynamics(
    machine: Machine, T_0p: Array, V_0p: Array, tau: Array, **loads: Array
) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p)
    return state.answer(Vdot_0p=state.twist_rate(state.kin, tau, machine.loads(loads)))


def _cartesian_dynamics(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p, Vdot_0p)
    _, w_r = state.balanced(state.kin, machine.loads(loads))  # [BK] (15)-(16)
    return state.answer(w_r=w_r)


def _implicit_model(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p, Vdot_0p)
    A, w = state.balanced(state.kin, machine.loads(loads))
    return state.answer(A=A, b=-w)  # [OZ] (58)


def _inertia_by_columns(machine: Machine, T_0p: Array, **loads: Array) -> dict[str, Array]:
    state = machine.state(T_0p)
    return state.answer(M_rob=legs.inertia_matrix_by_columns(state.kin, machine.loads(loads)))


def _inertia_matrix(machine: Machine, T_0p: Array, **loads: Array) -> dict[str, Array]:
    state = machine.state(T_0p)
    return state.answer(M_rob=legs.inertia_matrix(state.kin, machine.loads(loads)))


def _bias_wrench(machine: Machine, T_0p: Array, V_0p: Array, **loads: Array) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p)
    acting = machine.loads(loads).during(state.kin.V, machine.assembly.length)
    return state.answer(c_rob=legs.bias_wrench(state.kin, acting))


def _gravity_wrench(machine: Machine, T_0p: Array, **loads: Array) -> dict[str, Array]:
    state = machine.state(T_0p)
    weight = replace(machine.loads(loads), base=None, pushes=(), friction=False, springs=False)
    return state.answer(g_rob=legs.bias_wrench(state.kin, weight))


def _cartesian_model(
    machine: Machine, T_0p: Array, V_0p: Array, **loads: Array
) -> dict[str, Array]:
    """``M_rob``, ``c_rob`` and ``J_inv``: the terms of ``J_inv^T tau = M_rob Vdot_r + c_rob``."""
    state = machine.under(loads, T_0p, V_0p)
    kin, acting = state.kin, machine.loads(loads)
    during = acting.during(kin.V, machine.assembly.length)
    return state.answer(
        M_rob=legs.inertia_matrix(kin, acting), c_rob=legs.bias_wrench(kin, during), J_inv=kin.J_inv
    )


def _base_wrench(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    """What the base exerts on the machine: whichever efforts and reactions, it is the same."""
    state = machine.under(loads, T_0p, V_0p, Vdot_0p)
    return state.answer(ground=on_base(state.kin, machine.loads(loads)))


def _audited(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    """What a certificate is made of: efforts by every method, residuals, powers and Jacobians."""
    state, acting = machine.under(loads, T_0p, V_0p, Vdot_0p), machine.loads(loads)
    state.require_motors()
    kin = state.kin
    efforts = [state.efforts(kin, acting, method) for method in METHODS]
    given = machine.variant.acting(loads)
    powers = power_balance(MachineMotion.of(kin), efforts[0], given)
    found = worked(kin, efforts, powers, legs.inertia_matrix(kin, acting))
    return state.answer(**found._asdict())


def _state(machine: Machine, **freedoms: Array) -> dict[str, Array]:
    """Pose, twist and twist rate from the robot's freedoms, by their derivatives in order."""
    return machine.of_freedoms(*freedoms.values())


def _energy(machine: Machine, T_0p: Array, V_0p: Array, **loads: Array) -> dict[str, Array]:
    state = machine.under(loads, T_0p, V_0p)
    kinetic, potential = of_motion(state.kin, machine.loads(loads))
    return state.answer(kinetic=collect([kinetic]), potential=collect([potential]))


def _reactions(
    frame: FrameName, machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **given: Array
) -> dict[str, Array]:
    """Wrenches in all joints; under efforts ``tau`` if they are given."""
    tau = given.pop("tau", None)
    state = machine.under(given, T_0p, V_0p, Vdot_0p)
    acting = machine.loads(given)
    if tau is None:
        state.require_motors()
        tau = state.efforts(state.kin, acting)
    during = acting.during(state.kin.V, machine.assembly.length)
    with watched() as made:
        found = transmitted(state.kin, tau, during, frame)
    state.require_pivots(made)
    state.require_balance(found)
    return state.answer(
        wrench=found.wrench,
        unique=found.unique,
        ground=found.ground,
        frozen=found.frozen,
        couplings=found.couplings,
    )


_MOTION = MOTION[:3]
_serial = partial(PoseQuantity, seated=False, figured=False, serial=True)
_REACTIONS = ("wrench", "unique", "ground", "frozen", "couplings")
FROM_POSE: dict[str, PoseQuantity] = {
    "inverse_kinematics": PoseQuantity(("T_0p",), ("q",), inverse_kinematics),
    "forward_kinematics_step": PoseQuantity(
        ("T_0p", "q"), ("T_0p", "error", "off", "size", "type_2"), geometry_step, closes=True
    ),
    "motion_of_motors": PoseQuantity(
        ("T_0p", "qd", "qdd"), ("V_0p", "Vdot_0p", "J_inv", "Psi"), motion_of_motors
    ),
    "inverse_jacobian": PoseQuantity(("T_0p",), ("q", "J_inv", "Psi"), inverse_jacobian),
    "freedom_map": PoseQuantity(
        ("T_0p", "V_r"), ("Psi", "closing", "drift", "joints"), freedom_map
    ),
    "motor_rates": PoseQuantity(("T_0p", "V_0p"), ("qd",), motor_rates),
    "motor_accelerations": PoseQuantity(_MOTION, ("qdd",), motor_accelerations),
    "inverse_dynamics": PoseQuantity(
        _MOTION, ("tau",), _inverse_dynamics, loaded=True, asks_motors=True
    ),
    "regressor": PoseQuantity(
        _MOTION,
        ("W", "tau_0"),
        regressor_and_known,
        loaded=True,
        method="legs",
        asks_motors=True,
        figured=False,
        columns=True,
    ),
    "inverse_dynamics_observed": PoseQuantity(
        OBSERVED,
        ("tau",),
        observed_efforts,
        loaded=True,
        method="elements",
        asks_motors=True,
        seated=False,
    ),
    "forward_dynamics": PoseQuantity(
        ("T_0p", "V_0p", "tau"), ("Vdot_0p",), _forward_dynamics, loaded=True
    ),
    "cartesian_dynamics": PoseQuantity(_MOTION, ("w_r",), _cartesian_dynamics, loaded=True),
    "implicit_model": PoseQuantity(
        _MOTION, ("A", "b"), _implicit_model, loaded=True, method="elements"
    ),
    "inertia_matrix": PoseQuantity(("T_0p",), ("M_rob",), _inertia_matrix, loaded=True),
    "inertia_matrix_by_columns": PoseQuantity(
        ("T_0p",), ("M_rob",), _inertia_by_columns, loaded=True
    ),
    "bias_wrench": PoseQuantity(("T_0p", "V_0p"), ("c_rob",), _bias_wrench, loaded=True),
    "gravity_wrench": PoseQuantity(
        ("T_0p",), ("g_rob",), _gravity_wrench, loaded=True, resting=True
    ),
    "energy": PoseQuantity(
        ("T_0p", "V_0p"), ("kinetic", "potential"), _energy, loaded=True, resting=True
    ),
    "reactions": PoseQuantity(
        _MOTION, _REACTIONS, partial(_reactions, "parent"), loaded=True, asks_motors=True
    ),
    "reactions_on_child": PoseQuantity(
        _MOTION, _REACTIONS, partial(_reactions, "child"), loaded=True, asks_motors=True
    ),
    "reactions_under_efforts": PoseQuantity(
        (*_MOTION, "tau"), _REACTIONS, partial(_reactions, "parent"), loaded=True
    ),
    "reactions_on_child_under_efforts": PoseQuantity(
        (*_MOTION, "tau"), _REACTIONS, partial(_reactions, "child"), loaded=True
    ),
    "motor_motion": PoseQuantity(_MOTION, ("q", "qd", "qdd", "J_inv", "Psi"), motor_motion),
    "cartesian_model": PoseQuantity(
        ("T_0p", "V_0p"), ("M_rob", "c_rob", "J_inv"), _cartesian_model, loaded=True
    ),
    "slope": PoseQuantity(
        ("T_0p", "V_r", "step", "tau"), ("slope",), slope, loaded=True, closes=True, resting=True
    ),
    "motion": PoseQuantity(
        ("T_0p", "V_r", "step"),
        ("T_0p", "V_0p", "q", "qd", "bounded", "type_2", "closure", "energy", "wound", "stretch"),
        motion,
        loaded=True,
        closes=True,
        resting=True,
    ),
    "efforts_of_freedoms": PoseQuantity(
        ("T_0p", "V_r", "Vdot_r"), ("tau",), efforts_of_freedoms, loaded=True, closes=True
    ),
    "efforts_of_motors": PoseQuantity(
        ("T_0p", "qd", "qdd"), ("tau",), efforts_of_motors, loaded=True, closes=True
    ),
    "efforts_from_freedoms": PoseQuantity(
        ("x", "xd", "xdd"),
        ("tau", "q", "qd"),
        efforts_from_freedoms,
        loaded=True,
        asks_motors=True,
        seated=False,
    ),
    "accelerations_from_freedoms": PoseQuantity(
        ("x", "xd", "tau"),
        ("xdd", "q", "qd"),
        accelerations_from_freedoms,
        loaded=True,
        seated=False,
    ),
    "turning": PoseQuantity(
        ("T_0p",), ("q", "angles", "rates", "closing", "margins", "off"), turning, seated=False
    ),
    "reach": PoseQuantity(("T_0p",), ("margins", "off"), reach, seated=False),
    "serial_inverse_kinematics": _serial(("T_0p", "q_s"), ("q",), serial_geometry),
    "serial_motor_rates": _serial((*_MOTION[:2], *SERIAL[:2]), ("qd",), serial_velocity),
    "serial_motor_accelerations": _serial((*_MOTION, *SERIAL), ("qdd",), serial_acceleration),
    "serial_inverse_dynamics": _serial(
        (*_MOTION, *SERIAL), ("tau",), serial_inverse_dynamics, loaded=True, asks_motors=True
    ),
    "serial_forward_dynamics": _serial(
        (*_MOTION[:2], *SERIAL[:2], "tau"), ("Vdot_s",), serial_forward_dynamics, loaded=True
    ),
}
"""Quantities of a state by name: what public functions and ``gough.compile`` answer."""


_JOINTS = ("T_0p", "coordinates")
_CARRIED = ("y", "coordinates")
_STEPPED = ("y", "coordinates", "size", "off", "type_2")
EVERY: dict[str, PoseQuantity] = FROM_POSE | {
    "closed_form": PoseQuantity(("T_0p",), ("coordinates",), from_joints.by_closed_form),
    "closing_step": PoseQuantity(
        (*_JOINTS, "joint_step"),
        ("coordinates", "Psi", "closing", "joint_rates", "rates_closing", "open"),
        from_joints.closing_step,
    ),
    "freedom_motion": PoseQuantity((*_JOINTS, "V_r"), ("Psi", "drift"), from_joints.freedom_motion),
    "judged": PoseQuantity(
        _JOINTS, ("J_inv", "Psi", "bounded", "row_entries"), from_joints.judged, seated=False
    ),
    "limited_step": PoseQuantity(
        (*_JOINTS, "joint_step", "platform_step"),
        ("T_0p", "coordinates", "closure_rows", "gaps", "limited", "limited_rows", "open"),
        limited_step,
    ),
    "state": PoseQuantity(("x", "xd", "xdd"), MOTION[:3], _state),
    "state_with_jerk": PoseQuantity(("x", "xd", "xdd", "xddd"), MOTION, _state),
    "base_wrench": PoseQuantity(_MOTION, ("ground",), _base_wrench, loaded=True),
    "audited": PoseQuantity(_MOTION, Worked._fields, _audited, loaded=True, asks_motors=True),
    "serial_audited": _serial(
        (*_MOTION, *SERIAL),
        (*Worked._fields, "V_0p", "Vdot_0p"),
        serial_audited,
        loaded=True,
        asks_motors=True,
    ),
    "legs_at": PoseQuantity(
        ("T_0p", "V_0p"), ("closure_rows", "passive", "passive_rates"), legs_at
    ),
    "axis_speeds": PoseQuantity(("T_0p", "V_0p"), ("axis_speeds",), axis_speeds),
    "compliance": PoseQuantity(("T_0p",), ("compliance",), compliance),
    "bodies_at": PoseQuantity(("T_0p",), ("body_poses",), bodies_at),
    "bodies_assembled": PoseQuantity(_JOINTS, ("body_poses",), bodies_assembled),
    "step_of_freedoms": PoseQuantity((*_CARRIED, "x"), _STEPPED, stepped.step_of_freedoms),
    "step_of_motors": PoseQuantity((*_CARRIED, "q"), _STEPPED, stepped.step_of_motors),
    "step_of_leading_motors": PoseQuantity(
        (*_CARRIED, "q", "lead"), _STEPPED, stepped.step_of_leading_motors
    ),
    "view": PoseQuantity(
        _CARRIED,
        ("T_0p", "bodies", "positions", "q", "J_inv", "Psi", "row_entries"),
        stepped.view_of,
        seated=False,
    ),
    "efforts_in_view": PoseQuantity(
        (*_CARRIED, "V_0p", "Vdot_0p"), ("tau", "qd"), stepped.efforts_in_view, loaded=True
    ),
    "reactions_in_view": PoseQuantity(
        (*_CARRIED, "V_0p", "Vdot_0p"), ("wrench", "unique"), stepped.reactions_in_view, loaded=True
    ),
    "weighed": PoseQuantity(_JOINTS, ("M_rob", "c_rob"), from_joints.weighed, loaded=True),
}
"""The same, and those that only the library asks for, most of states whose joints are given."""
