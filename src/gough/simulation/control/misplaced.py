"""A machine whose joints are not quite where its model has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number, whole
from gough.base.spatial import rotation_exp
from gough.dynamics.elements.decomposition import element_parts
from gough.errors import GoughError, InputError
from gough.geometry.rehoming import kept_home
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Frame, Joint, Robot

Amount = float | Mapping[str, float]


class _Errors(NamedTuple):
    """How far frames are moved [m] and turned [rad] by joint, and zeros of motors are off."""

    positions: dict[str, float]
    axes: dict[str, float]
    zeros: dict[str, float]


def misplaced(robot: Robot, positions: Any, axes: Any, zeros: Any, seed: Any) -> Robot:
    """The same machine with joints moved, axes turned and zeros off; its loops closed again.

    Elements that always point the same way, as the bars of a parallelogram, get the same errors:
    else most machines that need one would not move at all.

    Raises:
        InputError: a name or an amount that makes no sense, or a machine that no longer moves as
            the first one does.
    """
    assembly = assembled(robot)
    joints = [joint.name for joint in robot.joints]
    errors = _Errors(
        _amounts("positions", positions, joints),
        _amounts("axes", axes, joints),
        _amounts("zeros", zeros, robot.motors),
    )
    rng = np.random.default_rng(whole(seed, "seed"))
    if not any(any(each.values()) for each in errors):
        return robot
    moved = _Mover(assembly, errors, rng)
    placed = tuple(moved.joint(joint) for joint in robot.joints)
    found = replace(robot, joints=placed, home=kept_home(robot))
    try:
        mobility = assembled(found).mobility
    except GoughError as err:
        raise _stuck(robot, err.message) from err
    if mobility != assembly.mobility:
        raise _stuck(robot, f"its mobility is {mobility}, not {assembly.mobility}")
    return found


def _stuck(robot: Robot, why: str) -> InputError:
    return InputError(
        f"{robot.name} with its joints elsewhere does not move as before: {why}",
        hint="It needs some axes exactly parallel, or lengths exactly equal; real ones bend or "
        "have play.  Give errors to some joints only, by name, or to the zeros of its motors.",
        argument="axes",
    )


class _Mover:
    """Draws errors once for all frames that need the same."""

    def __init__(self, assembly: Assembly, errors: _Errors, rng: np.random.Generator) -> None:
        self.assembly, self.errors, self.rng = assembly, errors, rng
        self.parts = element_parts(assembly)
        self.poses = assembly.equations(*assembly.start).body_poses
        self._drawn: dict[
            tuple[tuple[str, int], tuple[str, int]], tuple[np.ndarray, np.ndarray]
        ] = {}

    def joint(self, joint: Joint) -> Joint:
        """A joint with its frames elsewhere."""
        frames = {
            "parent_frame": self._moved(joint, joint.parent, joint.child, joint.parent_frame),
            "child_frame": self._moved(joint, joint.child, joint.parent, joint.child_frame),
        }
        for k, name in enumerate(joint.axis_names):
            off = self.errors.zeros.get(name, 0.0)
            if off:
                which = "parent_frame" if k == 0 else "child_frame"
                frames[which] = self._other_zero(frames[which], name, off)
        return replace(
            joint, parent_frame=frames["parent_frame"], child_frame=frames["child_frame"]
        )

    def _moved(self, joint: Joint, body: str, other: str, frame: Frame) -> Frame:
        move, turn = (self.errors.positions[joint.name], self.errors.axes[joint.name])
        key = (self._like(body), self._like(other))
        if key not in self._drawn:
            self._drawn[key] = (self._unit(), self._unit())
        R = np.eye(3) if body == self.parts.robot.base else np.asarray(self.poses[body].R)
        shift, axis = (R.T @ v for v in self._drawn[key])
        if not move and not turn:
            return frame
        position = np.array(frame.position) + move * shift
        return Frame(
            position.tolist(), (rotation_exp(turn * axis) @ np.array(frame.rotation)).tolist()
        )

    def _like(self, body: str) -> tuple[str, int]:
        """The same for bodies that must get the same errors: alike parts of alike elements."""
        element = self.parts.elements.get(self.parts.element_of[body])
        if element is None or element.fixed:  # parts that never turn: each is one of its own
            return body, 0
        return element.like, element.bodies.index(body)

    def _unit(self) -> np.ndarray:
        v = self.rng.normal(size=3)
        return np.asarray(v / np.linalg.norm(v))

    def _other_zero(self, frame: Frame, name: str, off: float) -> Frame:
        sign = float(self.rng.choice([-1.0, 1.0]))
        R, p = np.array(frame.rotation), np.array(frame.position)
        if is_turn(self.assembly.axes[name]):
            return Frame(
                frame.position, (R @ rotation_exp(np.array([0.0, 0.0, sign * off]))).tolist()
            )
        return Frame((p + sign * off * R[:, 2]).tolist(), frame.rotation)


def _amounts(what: str, given: Any, names: Any) -> dict[str, float]:
    if not isinstance(given, Mapping):
        return dict.fromkeys(names, number(given, what, nonnegative=True))
    for name in given:
        check_known(name, names, f"{what} has an unknown name", what)
    return {n: number(given.get(n, 0.0), f"{what}[{n!r}]", nonnegative=True) for n in names}
