"""Posture: position, velocity, acceleration and jerk of every joint and every body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from gough.base.batch import OnError
from gough.base.options import options
from gough.base.result import Result
from gough.errors import GoughError, InputError
from gough.evaluation.call import evaluate
from gough.geometry.inverse import posed
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.state import INTERNAL, as_state


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
    if not x.has_internal:
        check_pose_tells_all(assembly)
    elif x.is_given("Vddot_0p"):
        raise InputError("Vddot_0p: of serial axes no jerk is known", argument="Vddot_0p")
    given = "_of_jerks" if x.is_given("Vddot_0p") else "" if x.is_given("Vdot_0p") else "_of_rates"
    return _named(assembly, evaluate(robot, f"posture{given}", x, None, on_error))


def explain(robot: Robot, state: Any) -> GoughError | None:
    """Why the robot cannot have a state: the error that a call with this state would raise.

    Functions with ``on_error="nan"`` refuse a state without looking for the reason,
    which takes longer than the refusal.

    Args:
        robot: the machine; for another working mode than home's, ``robot.rehomed(mode)``.
        state: one state: a :class:`gough.State`, of which twist and twist rate are judged if they
            are given, or a pose ``(4, 4)``.

    Returns:
        ``UnreachablePose`` with the leg and what is missing, ``InconsistentPose`` with the
        component that the legs forbid, ``InconsistentTwist`` likewise, or ``None`` if the robot can
        have the state.
    """
    x = as_state(state, robot, with_internal=True)
    if x.shape:
        raise InputError(
            f"state has leading axes {x.shape}, expected one state or pose (4, 4)",
            hint="Choose one: gough.explain(robot, state[failed][0]).",
            argument="state",
        )
    moves = any(x.is_given(part) for part in ("V_0p", "Vdot_0p", *INTERNAL))
    try:
        with options(engine="numpy"):
            if moves:
                posture(robot, x)
            else:
                posed(assembled(robot), x.arguments("T_0p")["T_0p"][0], turns=False)
    except GoughError as err:
        return err
    return None


# shapes of where an axis is, and of its rates, by what it is
_PLACES = {"turn": (), "slide": (), "ball": (3, 3), "plane": (2,)}
_RATES = {"turn": (), "slide": (), "ball": (3,), "plane": (2,)}


def _named(assembly: Assembly, found: Sequence[np.ndarray]) -> Posture:
    """A posture of the outputs of its row: parts by the names of axes and bodies."""
    closure, positions, rates, accelerations, places, twists, twist_rates, *jerks = found
    poses = np.zeros((*places.shape[:-2], 4, 4))
    poses[..., :3, :], poses[..., 3, 3] = places, 1.0
    if np.isnan(places).any():
        poses[np.isnan(places).any(axis=(-1, -2))] = np.nan
    lead = closure.shape[:-1]

    def by_axis(array: np.ndarray, cores: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
        named, begin = {}, 0
        for name, place in assembly.axes.items():
            core = cores[place.what]
            if not core:  # most axes: one number, without reshaping
                named[name] = array[..., begin]
                begin += 1
                continue
            end = begin + prod(core)
            named[name], begin = array[..., begin:end].reshape(lead + core), end
        return named

    def by_body(array: np.ndarray, core: Any) -> dict[str, np.ndarray]:
        bodies = enumerate(assembly.robot.bodies)
        return {body.name: array[(..., k, *core)] for k, body in bodies}

    twist = (slice(None),)
    matrix = 2 * twist
    return Posture(
        by_axis(positions, _PLACES),
        by_axis(rates, _RATES),
        by_axis(accelerations, _RATES),
        by_body(poses, matrix),
        by_body(twists, twist),
        by_body(twist_rates, twist),
        closure[..., 0],
        by_axis(jerks[0], _RATES) if jerks else None,
        by_body(jerks[1], twist) if jerks else None,
    )
