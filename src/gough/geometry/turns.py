"""Turns of the axes whose angle matters: carried as (cos, sin), they are counted along the way.

A motor, or an axis with a spring, that has gone round more than half a turn from home is not where
the nearest angle says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import homogeneous
from gough.mechanism.closure.axes import HUB, AxisPlace, coordinate
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.tree import Link
from gough.robot.joint_kinds import BALL, SCREW, TURN

ONE_WAY = 2.0
"""Angle between two near states up to which an axis counts as turned the shorter way [rad].

At pi both ways are equally long; states that Newton's method leads to each other are far nearer.
"""


@known_of(Assembly)
def counted_axes(assembly: Assembly) -> list[AxisPlace]:
    """Places of motors and sprung axes that are carried as (cos, sin); screws count themselves."""
    robot, home = assembly.robot, home_equations(assembly)
    names = [n for n in robot.axis_names if n in robot.motors or robot.axis(n).spring]
    places = [assembly.axes[name] for name in names]
    return [place for place in places if len(coordinate(home, place)) == 2]


def springs_count(assembly: Assembly) -> bool:
    """Whether an axis has a spring, so that whole turns change efforts and energies."""
    robot = assembly.robot
    return any(robot.axis(name).spring is not None for name in robot.axis_names)


def wound_axes(assembly: Assembly, *, every: bool = False) -> list[str]:
    """Names of turning axes whose spring effort depends on whole turns; screws count themselves.

    Args:
        assembly: the robot.
        every: whether any axis may have a spring.
    """
    robot, home = assembly.robot, home_equations(assembly)
    names = [n for n in robot.axis_names if every or robot.axis(n).spring]
    places = [(name, assembly.axes[name]) for name in names]
    return [n for n, p in places if p.what == TURN and len(coordinate(home, p)) == 2]


def followed(assembly: Assembly, at: Equations, near: Mapping[str, Any]) -> Equations:
    """The same state; axes named in ``near`` have the angle nearest the one given there [rad]."""
    places = {assembly.axes[name]: angle for name, angle in near.items()}
    T = homogeneous(at.platform.R, at.platform.p)
    return assembly.equations(T, at.configuration._replace(near=places))


@known_of(Assembly)
def home_equations(assembly: Assembly) -> Equations:
    """The machine at home."""
    return assembly.equations(assembly.T_home, assembly.home)


def turned(assembly: Assembly, before: Equations, after: Equations) -> np.ndarray:
    """Angles by which the counted axes have turned between two states, below pi [rad]."""
    pairs = [(coordinate(before, p), coordinate(after, p)) for p in counted_axes(assembly)]
    return np.array([_angle(a, b) for a, b in pairs])


def unambiguous(assembly: Assembly, before: Equations, after: Equations) -> bool:
    """Whether counted axes have turned by the nearest angles, and not the other way round.

    An axis that closes a loop turns at most by what all others of the loop do.
    """
    places = counted_axes(assembly)
    if not places:
        return True
    if np.abs(turned(assembly, before, after)).max() > ONE_WAY:
        return False
    hub, *legs = (
        [_moved(link, a, b) for link, a, b in zip(tree.links, x, y, strict=True)]
        for tree, x, y in zip(
            assembly.topology.trees,
            before.configuration.trees,
            after.configuration.trees,
            strict=True,
        )
    )
    near = [hub, *(legs[i] for i in {p.tree for p in places if p.tree != HUB})]
    screws = [abs(angle) for tree in near for screw, angle in tree if screw]
    if max(screws, default=0.0) > ONE_WAY:
        return False
    platform = sum(angle for _, angle in hub) + _rotation(before.platform.R.T @ after.platform.R)
    return all(
        (platform + sum(angle for _, angle in ([] if p.tree == HUB else legs[p.tree]))) < np.pi
        for p in places
        if not p.links
    )


def whole_turns(
    assembly: Assembly, travelled: np.ndarray, after: Equations
) -> dict[AxisPlace, float]:
    """Whole turns that travelled angles add to the nearest ones."""
    nearest = turned(assembly, home_equations(assembly), after)
    whole = np.round((travelled - nearest) / (2.0 * np.pi))
    return dict(zip(counted_axes(assembly), whole.tolist(), strict=True))


def _moved(link: Link, before: np.ndarray, after: np.ndarray) -> tuple[bool, float]:
    """Whether a link is on a screw, and the angle by which it has turned."""
    if link.move == SCREW:
        return True, abs(float(after[0] - before[0]))
    if link.move == BALL:
        return False, _rotation(before.T @ after)
    return False, abs(_angle(before, after)) if link.move == TURN else 0.0


def _angle(before: np.ndarray, after: np.ndarray) -> float:
    across = before[0] * after[1] - before[1] * after[0]
    return float(np.arctan2(across, before @ after))


def _rotation(R: np.ndarray) -> float:
    return float(np.arccos(np.clip((np.trace(R) - 1.0) / 2.0, -1.0, 1.0)))
