"""Posture: position, velocity, acceleration and jerk of every joint and every body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.batch import OnError, map_states
from gough.base.result import Result
from gough.dynamics.quantities.ports import POSITIONS, RATES
from gough.errors import InputError
from gough.kernels.call import evaluate
from gough.kinematics.inverse import moving
from gough.kinematics.jerk import Jerks
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import SERIAL, check_serial, serial_arguments
from gough.kinematics.single import settled
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.closure.axes import coordinate, is_scalar
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import checked_parts
from gough.robot import Robot
from gough.states.state import as_state


@dataclass(frozen=True, eq=False)
class Posture(Result):
    """Everything in the machine at one state, or at a batch of states (leading axes).

    Attributes:
        joints: coordinate of every axis by name: turns and slides ``(...,)`` [rad or m], balls as
            rotations ``(..., 3, 3)``, planes ``(..., 2)`` [m].  Turns of motors and of sprung axes
            are counted from home, of the others the angle nearest home's is given.
        joint_rates: their rates; of a ball its angular velocity in child axes ``(..., 3)``.
        joint_accelerations: their accelerations.
        bodies: pose of every body frame in the base ``(..., 4, 4)``.
        twists: twist ``[v; omega]`` of every body frame's origin, base axes ``(..., 6)``.
        twist_rates: plain time derivatives of the twists ``(..., 6)``.
        closure: largest closure residual, natural units ``(...,)``.
        joint_jerks: time derivatives of the joint accelerations; ``None`` unless ``Vddot_0p`` was
            given.
        twist_jerks: second time derivatives of the twists ``(..., 6)``; ``None`` likewise.
    """

    joints: dict[str, np.ndarray]
    joint_rates: dict[str, np.ndarray]
    joint_accelerations: dict[str, np.ndarray]
    bodies: dict[str, np.ndarray]
    twists: dict[str, np.ndarray]
    twist_rates: dict[str, np.ndarray]
    closure: np.ndarray
    joint_jerks: dict[str, np.ndarray] | None = None
    twist_jerks: dict[str, np.ndarray] | None = None

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: position and derivatives of every axis that turns or slides."""
        single = [name for name, q in self.joints.items() if np.shape(q) == np.shape(self.closure)]
        groups = {"q": self.joints, "qd": self.joint_rates, "qdd": self.joint_accelerations}
        if self.joint_jerks is not None:
            groups["qddd"] = self.joint_jerks
        return {
            f"{head}_{name}": np.reshape(values[name], -1)
            for head, values in groups.items()
            for name in single
        }


def posture(
    robot: Robot,
    state: Any,
    *,
    on_error: OnError = "raise",
) -> Posture:
    """Position, velocity, acceleration and, where it is asked for, jerk of everything.

    Args:
        robot: the machine.
        state: a :class:`gough.State`, or a pose, which rests.  Without ``Vdot_0p`` the platform
            accelerates as the mobility imposes when the robot's own freedoms do not (not at all
            where Psi is constant).  With ``Vddot_0p``, base axes, jerks are told as well.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`Posture`.

    Raises:
        InconsistentTwist: the mobility does not allow the twist, or one of its derivatives.
    """
    assembly, x = assembled(robot), as_state(state, robot, with_internal=True)
    if not x.has_internal and not x.is_given("Vddot_0p"):
        check_pose_tells_all(assembly)
        quantity = "posture" if x.is_given("Vdot_0p") else "posture_of_rates"
        return _named(assembly, evaluate(robot, quantity, x, None, on_error))
    rates = [name for name in ("Vdot_0p", "Vddot_0p") if x.is_given(name)]
    arguments, jerks = x.arguments("T_0p", "V_0p", *rates), x.is_given("Vddot_0p")
    shapes = _shapes(assembly, jerks=jerks)
    if not x.has_internal:
        check_pose_tells_all(assembly)
    else:
        if jerks:
            raise InputError("Vddot_0p: of serial axes no jerk is known", argument="Vddot_0p")
        arguments |= serial_arguments(assembly, x)

    def one(T: np.ndarray, V: np.ndarray, *rest: np.ndarray) -> list[np.ndarray]:
        if x.has_internal:
            return _with_serial(assembly, T, V, rest[:-3], rest[-3:])
        kin = moving(assembly, T, V, rest[0] if rest else None)
        if len(rest) < 2:
            return _flatten(kin, None)
        third = Jerks(kin, rest[1])
        third.check()
        return _flatten(kin, third)

    results = map_states(
        one, settled(assembly, arguments), tuple(shape for _, shape in shapes), on_error
    )
    groups: dict[str, dict[str, np.ndarray]] = {}
    for ((group, name), _), array in zip(shapes, results, strict=True):
        groups.setdefault(group, {})[name] = array
    closure = groups.pop("closure")[""]
    of_joints = ["joints", "joint_rates", "joint_accelerations"]
    if jerks:
        of_joints.append("joint_jerks")
    empty = {group: groups.get(group, {}) for group in of_joints}
    return Posture(**(groups | empty), closure=closure)


_CORES = {"turn": (), "slide": (), "ball": (3, 3), "plane": (2,)}
_RATE_CORES = {"turn": (), "slide": (), "ball": (3,), "plane": (2,)}


def _named(assembly: Assembly, found: Sequence[np.ndarray]) -> Posture:
    """A posture of the outputs of its row: parts by the names of axes and bodies."""
    closure, positions, rates, accelerations, places, twists, twist_rates = found
    joints, joint_rates, joint_accelerations = {}, {}, {}
    lead, at, rate_at = closure.shape[:-1], 0, 0
    for name, place in assembly.axes.items():
        end, rate_end = at + POSITIONS[place.what], rate_at + RATES[place.what]
        core, rate_core = _CORES[place.what], _RATE_CORES[place.what]
        joints[name] = positions[..., at:end].reshape(lead + core)
        joint_rates[name] = rates[..., rate_at:rate_end].reshape(lead + rate_core)
        part = accelerations[..., rate_at:rate_end]
        joint_accelerations[name] = part.reshape(lead + rate_core)
        at, rate_at = end, rate_end
    poses = np.zeros((*places.shape[:-2], 4, 4))
    poses[..., :3, :], poses[..., 3, 3] = places, 1.0
    poses[np.isnan(places).any(axis=(-1, -2))] = np.nan

    def by_body(array: np.ndarray) -> dict[str, np.ndarray]:
        names = [body.name for body in assembly.robot.bodies]
        rows = np.moveaxis(array, len(lead), 0)
        return dict(zip(names, rows, strict=True))

    return Posture(
        joints,
        joint_rates,
        joint_accelerations,
        by_body(poses),
        by_body(twists),
        by_body(twist_rates),
        closure[..., 0],
    )


def _shapes(assembly: Assembly, *, jerks: bool) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
    coordinates, rates = _CORES, _RATE_CORES
    found: list[tuple[tuple[str, str], tuple[int, ...]]] = [(("closure", ""), ())]
    for name, place in assembly.axes.items():
        found.append((("joints", name), coordinates[place.what]))
        derivatives = ("joint_rates", "joint_accelerations", "joint_jerks")
        found += [((group, name), rates[place.what]) for group in derivatives[: 2 + jerks]]
    for body in assembly.robot.bodies:
        found.append((("bodies", body.name), (4, 4)))
        derivatives = ("twists", "twist_rates", "twist_jerks")
        found += [((group, body.name), (6,)) for group in derivatives[: 2 + jerks]]
    return found


def _flatten(k: Kinematics, jerks: Jerks | None) -> list[np.ndarray]:
    """All arrays of a posture in the order of :func:`_shapes`."""
    assembly, at = k.assembly, k.solution.equations
    values: list[Any] = [assembly.closure_error(at)]
    for name, place in assembly.axes.items():
        scalar = is_scalar(place)
        values.append(assembly.axis_position(at, name) if scalar else coordinate(at, place))
        values += [k.axis_rate(name), k.axis_acceleration(name)]
        values += [] if jerks is None else [jerks.axis(name)]
    for body in assembly.robot.bodies:
        values += _body(k, body.name)
        values += [] if jerks is None else [jerks.body(body.name)]
    return values


def _with_serial(
    assembly: Assembly,
    T: np.ndarray,
    V: np.ndarray,
    rates: Sequence[np.ndarray],
    axes: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """All arrays of a posture of a machine with serial axes, likewise."""
    parts = checked_parts(assembly)
    for name, array in zip(SERIAL, axes, strict=True):
        check_serial(parts, name, array)
    around = SerialMotion(parts, *axes)
    T_core, V_core, Vdot_core = around.to_core(T, V, *rates or (np.zeros(6),))
    kin = moving(
        parts.core.assembly,
        T_core,
        V_core,
        Vdot_core if rates else None,
        taken_off=around.taken_off,
    )
    at, core = kin.solution.equations, parts.core.assembly
    values: list[Any] = [core.closure_error(at)]
    for name, place in assembly.axes.items():
        if name in parts.every:
            follow = parts.follow[parts.every.index(name)]
            values += [follow.value(axes[0]), *(follow.rate(x) for x in axes[1:])]
            continue
        own = core.axis_position(at, name) if is_scalar(place) else coordinate(at, core.axes[name])
        values += [own, kin.axis_rate(name), kin.axis_acceleration(name)]
    in_space = kin.felt(around.carried())
    for body in assembly.robot.bodies:
        pose, (v, w, a, wd) = around.body(in_space, body.name)
        values += [spatial.pose(pose.R, pose.p), np.concatenate([v, w]), np.concatenate([a, wd])]
    return values


def _body(k: Kinematics, name: str) -> list[np.ndarray]:
    pose = k.solution.equations.body_poses[name]
    v, w, a, wd = k.body_motion(name)
    return [spatial.pose(pose.R, pose.p), np.concatenate([v, w]), np.concatenate([a, wd])]
