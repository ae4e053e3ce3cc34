"""Quantities of machines with serial parts: motors below and above the loops.

The state is the pose of the platform and the positions ``q_s`` of the serial axes.  The core of the
machine is a robot of its own, on a base that moves: whatever the machine, with numbers or symbols,
its core is one of the same kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gough.base.linalg import Symmetric
from gough.base.spatial import Array, collect
from gough.dynamics import legs
from gough.dynamics.answers.certificate import worked
from gough.dynamics.answers.power_balance import MachineMotion, power_balance
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.definite import check_all_inertia
from gough.dynamics.shared.serial import serial_efforts, surrounded
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import motor_positions
from gough.kernels.tracing.machine import MOTION, Machine, State
from gough.kernels.tracing.variant import Variant
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import SERIAL
from gough.mechanism.serial import SerialParts, serial_parts


@dataclass(frozen=True)
class Serial:
    """A machine with serial parts in a state.

    Attributes:
        parts: the machine taken apart.
        moving: its serial parts in motion.
        core: its core in motion, seen from what carries it.
    """

    parts: SerialParts
    moving: SerialMotion
    core: State

    @classmethod
    def of(cls, machine: Machine, given: Mapping[str, Array]) -> Serial:
        """The machine in a state: pose, twists and motion of the serial axes as far as given."""
        parts = serial_parts(machine.assembly)
        if parts is None:
            raise LookupError(machine.assembly.robot.name)  # checked by whoever asks
        twists = [given[name] for name in MOTION[1:3] if name in given]
        axes = [given[name] for name in SERIAL if name in given]
        none = np.zeros(len(parts.axes))
        moving = SerialMotion(parts, *axes, *(none for _ in range(3 - len(axes))))
        at_rest = (np.zeros(6) for _ in range(2 - len(twists)))
        T, V, Vdot = moving.to_core(given["T_0p"], *twists, *at_rest)
        own = machine.variant
        variant = Variant(own.method, own.friction, own.rotors, own.smoothing, single=own.single)
        core = type(machine)(parts.core.assembly, variant)
        core.taken_off = moving.taken_off
        return cls(parts, moving, core.under({}, T, *(V, Vdot)[: len(twists)]))

    def efforts(self, loads: StateLoads) -> Array:
        """Efforts of all motors in this motion."""
        kin = self.core.kin
        around = surrounded(kin, self.moving, loads)
        tau = self.core.efforts(kin, around.loads)
        return self.parts.together(tau, serial_efforts(kin, self.moving, loads, around))

    def taken(self, kin: Kinematics, qdd: Array, loads: StateLoads) -> Taken:
        """What accelerations take in the core's freedoms and along the serial axes."""
        moving = self.moving.accelerated(qdd)
        around = surrounded(kin, moving, loads)
        A, w_r = self.core.balanced(kin, around.loads)
        return Taken(A, w_r, serial_efforts(kin, moving, loads, around))

    def accelerations(self, tau: Array, loads: StateLoads) -> tuple[Kinematics, Array]:
        """The core in the motion that efforts cause, and accelerations of the serial axes."""
        parts, n = self.parts, self.parts.core.mobility
        core = collect([tau[i] for i, (own, _) in enumerate(parts.motors) if not own])
        serial = collect([tau[parts.robot.motors.index(name)] for name in parts.axes])
        kin, none = self.core.kin.bias_motion, np.zeros(len(parts.axes))
        bias = self.taken(kin, none, loads)
        right = np.concatenate([bias.A @ core - bias.w_r, serial - bias.w_s])
        still = Kinematics(kin.assembly, kin.solution)
        at_rest = replace(self, moving=SerialMotion(parts, self.moving.q, none, none))
        columns = []
        for unit in np.eye(n + len(none)):
            found = at_rest.taken(still.accelerated(unit[:n]), unit[n:], loads.inertial)
            columns.append(np.concatenate([found.w_r, found.w_s]))
        M = collect(columns)  # symmetric
        if not kin.plans_are_fixed:
            names = (*kin.assembly.freedoms, *parts.axes)
            check_all_inertia(parts.robot, M, names, parts.natural_inertias)
        factor = Symmetric(M)
        self.core.require_inertia(factor, parts.natural_inertias)
        found = factor.solve(right)
        return kin.accelerated(found[:n]), found[n:]


class Taken(NamedTuple):
    """``A tau = w_r`` of the core's motors, and efforts ``w_s`` of the serial axes."""

    A: Array
    w_r: Array
    w_s: Array


def serial_geometry(machine: Machine, **given: Array) -> dict[str, Array]:
    """Positions of all motors."""
    found = Serial.of(machine, given)
    own = motor_positions(found.core.assembly, found.core.at)
    return found.core.answer(q=found.parts.together(own, found.moving.q))


def serial_velocity(machine: Machine, **given: Array) -> dict[str, Array]:
    """Rates of all motors."""
    found = Serial.of(machine, given)
    own = found.core.kin.motor_rates()
    return found.core.answer(qd=found.parts.together(own, found.moving.qd))


def serial_acceleration(machine: Machine, **given: Array) -> dict[str, Array]:
    """Accelerations of all motors."""
    found = Serial.of(machine, given)
    own = found.core.kin.motor_accelerations()
    return found.core.answer(qdd=found.parts.together(own, found.moving.qdd))


def serial_inverse_dynamics(machine: Machine, **given: Array) -> dict[str, Array]:
    """Efforts of all motors."""
    found = Serial.of(machine, given)
    found.core.require_motors()
    return found.core.answer(tau=found.efforts(machine.loads(given)))


def serial_audited(machine: Machine, **given: Array) -> dict[str, Array]:
    """What a certificate is made of: that of the core, with efforts and powers of all motors."""
    found = Serial.of(machine, given)
    core, moving, acting = found.core, found.moving, machine.loads(given)
    core.require_motors()
    kin, around = core.kin, surrounded(core.kin, moving, acting)
    efforts = [core.efforts(kin, around.loads, method) for method in METHODS]
    own = serial_efforts(kin, moving, acting, around)
    M_rob = legs.inertia_matrix(kin, around.loads)
    every = [found.parts.together(tau, own) for tau in efforts]
    whole = MachineMotion.with_serial(kin, moving)
    powers = power_balance(whole, every[0], machine.variant.acting(given))
    parts = worked(kin, every, powers, M_rob)
    return core.answer(**parts._asdict(), V_0p=kin.V, Vdot_0p=kin.Vdot)


def serial_forward_dynamics(machine: Machine, **given: Array) -> dict[str, Array]:
    """Twist rate of the platform, and accelerations of the serial axes, under efforts."""
    found = Serial.of(machine, given)
    kin, qdd_s = found.accelerations(given["tau"], machine.loads(given))
    moving = found.moving.accelerated(qdd_s)
    _, _, Vdot = moving.to_space(found.core.T_0p, kin.V, kin.Vdot)
    return found.core.answer(Vdot_s=np.concatenate([Vdot, qdd_s]))
