"""Quantities of machines with serial parts: motors below and above the loops.

The state is the pose of the platform and the positions ``q_s`` of the serial axes.  The core of the
machine is a robot of its own, on a base that moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, collect
from gough.dynamics import legs
from gough.dynamics.answers.certificate import Worked, worked
from gough.dynamics.answers.power_balance import MachineMotion, power_balance
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities.dynamic import require_motors
from gough.dynamics.quantities.kinematic import POSTURE, arrange_posture, axis_place
from gough.dynamics.quantities.row import MOTION, Model, quantity
from gough.dynamics.quantities.states import Rules
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.definite import CoordinateInertia
from gough.dynamics.shared.serial import serial_efforts, surrounded
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import motor_positions
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import SERIAL
from gough.mechanism.serial import SerialParts, serial_parts


@dataclass(frozen=True)
class SerialState:
    """A machine with serial parts in a state.

    Attributes:
        parts: the machine taken apart.
        moving: its serial parts in motion.
        core: its core in motion, seen from what carries it.
        model: of the core.
    """

    parts: SerialParts
    moving: SerialMotion
    core: Kinematics
    model: Model

    def efforts(self, loads: StateLoads) -> Array:
        """Efforts of all motors in this motion."""
        around = surrounded(self.core, self.moving, loads)
        tau = self.model.efforts(self.core, around.loads)
        return self.parts.together(tau, serial_efforts(self.core, self.moving, loads, around))

    def taken(self, kin: Kinematics, qdd: Array, loads: StateLoads) -> Taken:
        """What accelerations take in the core's freedoms and along the serial axes."""
        moving = self.moving.accelerated(qdd)
        around = surrounded(kin, moving, loads)
        A, w_r = self.model.theory.balanced(kin, around.loads)
        return Taken(A, w_r, serial_efforts(kin, moving, loads, around))

    def accelerations(self, tau: Array, loads: StateLoads) -> tuple[Kinematics, Array]:
        """The core in the motion that efforts cause, and accelerations of the serial axes."""
        parts, n = self.parts, self.parts.core.mobility
        core = collect([tau[i] for i, (own, _) in enumerate(parts.motors) if not own])
        serial = collect([tau[parts.robot.motors.index(name)] for name in parts.axes])
        kin, none = self.core.bias_motion, np.zeros(len(parts.axes))
        bias = self.taken(kin, none, loads)
        right = np.concatenate([bias.A @ core - bias.w_r, serial - bias.w_s])
        still = kin.with_motion()
        at_rest = replace(self, moving=SerialMotion(parts, self.moving.q, none, none))
        columns = []
        for unit in np.eye(n + len(none)):
            found = at_rest.taken(still.accelerated(unit[:n]), unit[n:], loads.inertial)
            columns.append(np.concatenate([found.w_r, found.w_s]))
        M = collect(columns)  # symmetric
        names = (*kin.assembly.freedoms, *parts.axes)
        inertia = CoordinateInertia(M, parts.robot, names, parts.natural_inertias)
        found = kin.rules.require(inertia).factor.solve(right)
        return kin.accelerated(found[:n]), found[n:]


class Taken(NamedTuple):
    """``A tau = w_r`` of the core's motors, and efforts ``w_s`` of the serial axes."""

    A: Array
    w_r: Array
    w_s: Array


def at_serial_state(
    rules: Rules, model: Model, state: dict[str, Array], *, counted: bool = False
) -> SerialState:
    """From pose, twists and motion of the serial axes, as far as they are given.

    ``counted`` says that whole turns of the core's motors matter, whether springs feel them or not.
    """
    parts = serial_parts(model.assembly)
    if parts is None:
        raise LookupError(model.assembly.robot.name)  # checked by whoever asks
    twists = [state.pop(name) for name in MOTION[1:3] if name in state]
    axes = [state.pop(name) for name in SERIAL if name in state]
    none = np.zeros(len(parts.axes))
    moving = SerialMotion(parts, *axes, *(none for _ in range(3 - len(axes))))
    at_rest = (np.zeros(6) for _ in range(2 - len(twists)))
    T, V, Vdot = moving.to_core(state.pop("T_0p"), *twists, *at_rest)
    own = model.variant
    variant = Variant(own.method, own.friction, own.rotors, own.smoothing, single=own.single)
    core = Model(parts.core.assembly, variant)
    kin = rules.at(
        core.assembly,
        *(T, V, Vdot)[: 1 + len(twists)],
        turns=counted or core.springs_count,
        taken_off=moving.taken_off,
    )
    return SerialState(parts, moving, kin, core)


_serial_quantity = partial(
    quantity, start=at_serial_state, seated=False, figured=False, serial=True
)


@_serial_quantity(("T_0p", "q_s"), ("q",))
def serial_inverse_kinematics(machine: SerialState, model: Model) -> dict[str, Array]:
    """Positions of all motors."""
    own = motor_positions(machine.core.assembly, machine.core.at)
    return {"q": machine.parts.together(own, machine.moving.q)}


@_serial_quantity((*MOTION[:2], *SERIAL[:2]), ("qd",))
def serial_motor_rates(machine: SerialState, model: Model) -> dict[str, Array]:
    """Rates of all motors."""
    return {"qd": machine.parts.together(machine.core.motor_rates(), machine.moving.qd)}


@_serial_quantity((*MOTION[:3], *SERIAL), ("qdd",))
def serial_motor_accelerations(machine: SerialState, model: Model) -> dict[str, Array]:
    """Accelerations of all motors."""
    own = machine.core.motor_accelerations()
    return {"qdd": machine.parts.together(own, machine.moving.qdd)}


@_serial_quantity((*MOTION[:3], *SERIAL), ("tau",), loaded=True, asks_motors=True)
def serial_inverse_dynamics(machine: SerialState, model: Model) -> dict[str, Array]:
    """Efforts of all motors."""
    require_motors(machine.core)
    return {"tau": machine.efforts(model.loads)}


@_serial_quantity(
    (*MOTION[:3], *SERIAL),
    (*Worked._fields, "V_0p", "Vdot_0p"),
    loaded=True,
    asks_motors=True,
    public=False,
)
def serial_audited(machine: SerialState, model: Model) -> dict[str, Array]:
    """What a certificate is made of: that of the core, with efforts and powers of all motors."""
    core, moving, acting = machine.core, machine.moving, model.loads
    require_motors(core)
    around = surrounded(core, moving, acting)
    efforts = [
        each.efforts(core, around.loads, share=machine.model.share) for each in METHODS.values()
    ]
    own = serial_efforts(core, moving, acting, around)
    M_rob = legs.inertia_matrix(core, around.loads)
    every = [machine.parts.together(tau, own) for tau in efforts]
    whole = MachineMotion.with_serial(core, moving)
    powers = power_balance(whole, every[0], model.acting)
    parts = worked(core, every, powers, M_rob)
    return {**parts._asdict(), "V_0p": core.V, "Vdot_0p": core.Vdot}


@_serial_quantity((*MOTION[:2], *SERIAL[:2], "tau"), ("Vdot_s",), loaded=True)
def serial_forward_dynamics(machine: SerialState, model: Model, tau: Array) -> dict[str, Array]:
    """Twist rate of the platform, and accelerations of the serial axes, under efforts."""
    kin, qdd_s = machine.accelerations(tau, model.loads)
    moving = machine.moving.accelerated(qdd_s)
    _, _, Vdot = moving.to_space(machine.core.T_0p, kin.V, kin.Vdot)
    return {"Vdot_s": np.concatenate([Vdot, qdd_s])}


def serial_posture(machine: SerialState, model: Model) -> dict[str, Array]:
    """Position, velocity and acceleration of every axis and every body, serial ones included."""
    parts, moving, core = machine.parts, machine.moving, machine.core
    axes: list[tuple[Array, Array, Array]] = []
    for name in model.assembly.axes:
        if name in parts.every:
            follow = parts.follow[parts.every.index(name)]
            axes.append((follow.value(moving.q), *map(follow.rate, (moving.qd, moving.qdd))))
        else:
            own = axis_place(core, name), core.axis_rate(name), core.axis_acceleration(name)
            axes.append(own)
    in_space = core.felt(moving.carried())
    bodies = [moving.body(in_space, body.name) for body in model.assembly.robot.bodies]
    return arrange_posture(core, axes, bodies)


_counted = partial(_serial_quantity, start=partial(at_serial_state, counted=True), public=False)
_counted((*MOTION[:3], *SERIAL), POSTURE, name="serial_posture")(serial_posture)
_counted((*MOTION[:2], *SERIAL), POSTURE, name="serial_posture_of_rates")(serial_posture)
