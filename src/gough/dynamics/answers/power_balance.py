"""Power of the motors against what all the rest takes, from the description alone.

Bodies count one by one and axes one by one, by laws written from CONVENTIONS.md.  Nothing here is
imported from ``dynamics.shared`` or from a method, because a mistake in what the methods share
moves all of them alike, and would move such a witness with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, cross, total
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import SerialMotion
from gough.mechanism.closure.recursion import Motion, Pose
from gough.mechanism.mobility.scales import Scales
from gough.robot import Axis, Robot
from gough.robot.joint_kinds import BALL, PLANE, SLIDE

AT_REST = 1e-10
"""Share of the natural rate below which an axis is at rest, and Coulomb friction none."""


class Acting(NamedTuple):
    """What acts on a machine at one state, its motors and gravity apart, as it is given.

    Attributes:
        friction, rotors: whether they count.
        smoothing: speed that smooths Coulomb friction [rad/s or m/s].
        forces: body, point in its frame [m], force [N] and moment [N m] in base axes, of each.
        payload: mass [kg], centre [m] and inertia about it [kg m^2], frame of the platform's body.
        base: acceleration felt at the base's origin, its angular velocity and acceleration, base
            axes; at rest in the robot's gravity if there is none.
    """

    friction: bool
    rotors: bool
    smoothing: float
    forces: tuple[tuple[str, Array, Array, Array], ...] = ()
    payload: tuple[Array, Array, Array] | None = None
    base: tuple[Array, Array, Array] | None = None


class MachineMotion(NamedTuple):
    """A described machine in motion against its base: bodies and axes by their names.

    Attributes:
        robot: the description.
        body: gives pose and motion of a body's frame, base axes.
        scales: natural units.
        position, rate, acceleration: give those of a joint axis [rad or m].
    """

    robot: Robot
    scales: Scales
    body: Callable[[str], tuple[Pose, Motion]]
    position: Callable[[str], Array]
    rate: Callable[[str], Array]
    acceleration: Callable[[str], Array]

    @classmethod
    def of(cls, kin: Kinematics) -> MachineMotion:
        """A machine whose pose tells where all its joints are."""
        assembly, at = kin.assembly, kin.solution.equations
        return cls(
            assembly.robot,
            assembly.scales,
            lambda name: (at.body_poses[name], kin.body_motion(name)),
            lambda name: assembly.axis_position(at, name),
            kin.axis_rate,
            kin.axis_acceleration,
        )

    @classmethod
    def with_serial(cls, kin: Kinematics, serial: SerialMotion) -> MachineMotion:
        """A machine with serial parts around its core."""
        core, in_space, parts = cls.of(kin), kin.felt(serial.carried()), serial.parts
        own = dict(zip(parts.every, parts.follow, strict=True))
        return cls(
            parts.robot,
            core.scales,
            lambda name: serial.body(in_space, name),
            lambda name: own[name].value(serial.q) if name in own else core.position(name),
            lambda name: own[name].rate(serial.qd) if name in own else core.rate(name),
            lambda name: own[name].rate(serial.qdd) if name in own else core.acceleration(name),
        )


def power_balance(moving: MachineMotion, tau: Array, acting: Acting) -> Array:
    """Power of the motors, what all the rest takes, and the sums of their sizes ``(4,)`` [W].

    The rest is the rate of kinetic energy of every body and rotor, what gravity, or the motion of
    the base, and springs take up, what friction loses, less what loads bring.  Both are the same
    where the efforts ``tau``, in the order of the motors, belong to the motion.
    """
    terms = [*_of_bodies(moving, acting), *_of_forces(moving, acting), *_of_axes(moving, acting)]
    names = zip(tau, moving.robot.motors, strict=True)
    motors = [effort * moving.rate(name) for effort, name in names]
    sizes = [total(map(np.abs, parts)) for parts in (motors, terms)]
    return collect([total(motors), total(terms), *sizes])


def _of_bodies(moving: MachineMotion, acting: Acting) -> Iterator[Array]:
    """Power that masses take: each described body by itself, and the payload."""
    robot = moving.robot
    bodies: list[tuple[str, Any, Any, Any]] = [
        (body.name, body.mass, np.array(body.center), np.array(body.inertia))
        for body in robot.bodies
        if body.mass or np.any(body.inertia)
    ]
    if acting.payload is not None:
        bodies.append((robot.platform, *acting.payload))
    for name, m, center, inertia in bodies:
        (R, p), (v_o, w, a_o, wd) = moving.body(name)
        c = R @ center
        v = v_o + cross(w, c)
        a = a_o + cross(wd, c) + cross(w, cross(w, c))
        spin, spin_rate = R.T @ w, R.T @ wd
        # d/dt of m v.v / 2 + w.I w / 2: by the product rule, for w.(w x I w) = 0
        yield (v @ a) * m
        yield spin @ (inertia @ spin_rate)
        if acting.base is None:
            yield -(np.array(robot.gravity) @ v) * m
            continue
        # a base that moves: what its points feel; forces of Coriolis do no work against the base
        felt, omega, alpha = acting.base
        r, turn = p + c, R.T @ omega
        yield ((felt + cross(alpha, r) + cross(omega, cross(omega, r))) @ v) * m
        yield spin @ (inertia @ (R.T @ alpha) + cross(turn, inertia @ turn))


def _of_forces(moving: MachineMotion, acting: Acting) -> Iterator[Array]:
    """Power that forces and moments on bodies bring, with the sign of what is taken."""
    for body, point, f, n in acting.forces:
        (R, _), motion = moving.body(body)
        yield -(f @ (motion.v + cross(motion.w, R @ point)) + n @ motion.w)


def _of_axes(moving: MachineMotion, acting: Acting) -> Iterator[Array]:
    """Power that friction, rotors and springs of all joint axes take, driven or passive."""
    for joint in moving.robot.joints:
        kinds = joint.axis_kinds.values()
        for name, what, axis in zip(joint.axis_names, kinds, joint.axes, strict=True):
            rotor = _rotor(axis) if acting.rotors else 0.0
            rubs = acting.friction and (axis.viscous or axis.coulomb)
            if not (rubs or rotor or axis.spring):
                continue
            rate = moving.rate(name)
            several = what in (BALL, PLANE)
            square = rate @ rate if several else rate * rate
            if rubs:
                s = acting.smoothing
                # coulomb sign(rate) . rate; the tiny number only keeps 0/0 away
                rubbed = square / (np.sqrt(square + s**2) + 1e-300) if s else np.sqrt(square)
                unit = moving.scales.length if what in (SLIDE, PLANE) else 1.0
                moves = square > (AT_REST * moving.scales.frequency * unit) ** 2
                yield square * axis.viscous + rubbed * (axis.coulomb * moves)
            if rotor:
                growth = moving.acceleration(name)
                yield (rate @ growth if several else rate * growth) * rotor
            if axis.spring is not None:
                stretch = moving.position(name) - axis.spring.rest
                yield stretch * rate * axis.spring.stiffness


def _rotor(axis: Axis) -> float:
    """Inertia of an axis's rotor, that on the motor's shaft seen through the transmission."""
    gear, motor = axis.transmission, axis.motor
    ratio, on_shaft = (gear.ratio, gear.motor_inertia) if gear else (1.0, 0.0)
    return axis.rotor_inertia + ratio**2 * (on_shaft + (motor.rotor_inertia if motor else 0.0))
