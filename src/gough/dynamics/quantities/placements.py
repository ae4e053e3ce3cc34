"""Where joints sit, as inputs of a program: positions of their frames, and small turns of them.

Both are in the axes of the body that carries the frame, about the frame's own origin: a row of
points minus the robot's own, and the same row of turns, are a small twist of that frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from gough.base.spatial import Array, cayley
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.moved import Moved, moved_assembly
from gough.mechanism.topology.seats import Seat, Seats
from gough.robot import Robot

POINTS = ("parent_points", "child_points")
"""Positions of the joints' frames on their parents and on their children [m], one row a joint."""

TURNS = ("parent_turns", "child_turns")
"""Turns of these frames from where they are described, body axes [rad], one row a joint.

A row w turns a frame R to ``cayley(w) R``: by the angle ``2 atan(|w|/2)``, which is the length of w
but for a twelfth of its cube.
"""

SEATS = (*POINTS, *TURNS)


def own_seats(robot: Robot) -> dict[str, np.ndarray]:
    """The robot's own positions, and turns of zero."""
    frames = {
        "parent": [joint.parent_frame for joint in robot.joints],
        "child": [joint.child_frame for joint in robot.joints],
    }
    points = {f"{end}_points": [frame.position for frame in each] for end, each in frames.items()}
    turns = {f"{end}_turns": np.zeros((len(each), 3)) for end, each in frames.items()}
    return {name: np.array(rows, dtype=float) for name, rows in points.items()} | turns


def with_seats(assembly: Assembly, given: Mapping[str, Array]) -> Moved:
    """The robot with its joints where inputs have them; inputs that are missing are its own.

    Args:
        assembly: the robot as described.
        given: some of ``SEATS``, numbers or symbols.
    """
    rows = own_seats(assembly.robot) | dict(given)

    def seat(end: str, own: np.ndarray, i: int) -> Seat:
        # a frame that no input turns keeps its numbers, which fold
        R = cayley(rows[f"{end}_turns"][i]) @ own if f"{end}_turns" in given else own
        return Seat(R, rows[f"{end}_points"][i])

    seats = {
        joint.name: Seats(
            seat("parent", np.array(joint.parent_frame.rotation), i),
            seat("child", np.array(joint.child_frame.rotation), i),
        )
        for i, joint in enumerate(assembly.robot.joints)
    }
    return moved_assembly(assembly, seats)


def seats_among(names: Collection[str]) -> tuple[str, ...]:
    """Those of some parameters that move joints, in order."""
    return tuple(name for name in SEATS if name in names)
