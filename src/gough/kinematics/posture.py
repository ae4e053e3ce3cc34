"""Posture: position, velocity and acceleration of every joint and every body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.batch import OnError, map_states, state_arguments
from gough.base.result import Result
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mechanism.closure.axes import coordinate, is_scalar
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot


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
    """

    joints: dict[str, np.ndarray]
    joint_rates: dict[str, np.ndarray]
    joint_accelerations: dict[str, np.ndarray]
    bodies: dict[str, np.ndarray]
    twists: dict[str, np.ndarray]
    twist_rates: dict[str, np.ndarray]
    closure: np.ndarray

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: position, rate and acceleration of every axis that turns or slides."""
        single = [name for name, q in self.joints.items() if np.shape(q) == np.shape(self.closure)]
        groups = {"q": self.joints, "qd": self.joint_rates, "qdd": self.joint_accelerations}
        return {
            f"{head}_{name}": np.reshape(values[name], -1)
            for head, values in groups.items()
            for name in single
        }


def posture(
    robot: Robot,
    T_0p: Any,
    V_0p: Any = None,
    Vdot_0p: Any = None,
    *,
    on_error: OnError = "raise",
) -> Posture:
    """Position, velocity and acceleration of every joint and body at given platform states.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist, base axes ``(..., 6)``; at rest if not given.
        Vdot_0p: its plain time derivative ``(..., 6)``; if not given the bias acceleration
            ``Psidot V_r``, in which the independent coordinates do not accelerate.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`Posture`.
    """
    assembly = assembled(robot)
    arguments = state_arguments(T_0p=T_0p, V_0p=np.zeros(6) if V_0p is None else V_0p)
    if Vdot_0p is not None:
        arguments |= state_arguments(Vdot_0p=Vdot_0p)
    shapes = _shapes(assembly)

    def one(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        T, V, *rest = arrays
        return tuple(_flatten(assembly, moving(assembly, T, V, rest[0] if rest else None)))

    results = map_states(
        one, settled(assembly, arguments), tuple(shape for _, shape in shapes), on_error
    )
    groups: dict[str, dict[str, np.ndarray]] = {}
    for ((group, name), _), array in zip(shapes, results, strict=True):
        groups.setdefault(group, {})[name] = array
    closure = groups.pop("closure")[""]
    empty = {g: groups.get(g, {}) for g in ("joints", "joint_rates", "joint_accelerations")}
    return Posture(**(groups | empty), closure=closure)


def _shapes(assembly: Assembly) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
    coordinates = {"turn": (), "slide": (), "ball": (3, 3), "plane": (2,)}
    rates = {"turn": (), "slide": (), "ball": (3,), "plane": (2,)}
    found: list[tuple[tuple[str, str], tuple[int, ...]]] = [(("closure", ""), ())]
    for name, place in assembly.axes.items():
        found.append((("joints", name), coordinates[place.what]))
        found.append((("joint_rates", name), rates[place.what]))
        found.append((("joint_accelerations", name), rates[place.what]))
    for body in assembly.robot.bodies:
        found.append((("bodies", body.name), (4, 4)))
        found.append((("twists", body.name), (6,)))
        found.append((("twist_rates", body.name), (6,)))
    return found


def _flatten(assembly: Assembly, k: Kinematics) -> list[np.ndarray]:
    """All arrays of a posture in the order of :func:`_shapes`."""
    at = k.solution.equations
    values: list[Any] = [assembly.closure_error(at)]
    for name, place in assembly.axes.items():
        scalar = is_scalar(place)
        values.append(assembly.axis_position(at, name) if scalar else coordinate(at, place))
        values.append(k.axis_rate(name))
        values.append(k.axis_acceleration(name))
    for body in assembly.robot.bodies:
        values += _body(k, body.name)
    return values


def _body(k: Kinematics, name: str) -> list[np.ndarray]:
    pose = k.solution.equations.body_poses[name]
    v, w, a, wd = k.body_motion(name)
    return [spatial.pose(pose.R, pose.p), np.concatenate([v, w]), np.concatenate([a, wd])]
