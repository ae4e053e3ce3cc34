"""All numbers of a machine's geometry in one vector, each with a name.

Frames of joints stand first, as :mod:`gough.dynamics.quantities.placements` has them: positions
and small turns on parent and child.  Then come offset and gain of every motor, ``q = gain *
reading + offset``, and the frames of the measuring device in the base and of the tool on the
platform, each as a displacement of its nominal frame: a translation and a Cayley vector.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gough.base.spatial import cayley, homogeneous, skew
from gough.dynamics.quantities.placements import SEATS, own_seats
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import SLIDE
from gough.robot.names import joint_of

AXES = ("x", "y", "z")
POSITION, DIRECTION, OFFSET, GAIN = "position", "direction", "offset", "gain"
DEVICE, TOOL = "device", "tool"


class Entry(NamedTuple):
    """One number of the geometry.

    Attributes:
        name: ``u1.base.position.x``, ``p1.gain``, ``tool.direction.z``.
        what: ``position``, ``direction``, ``offset`` or ``gain``.
        unit: ``m``, ``rad``, or empty for a gain.
        owner: the joint, the motor, ``device`` or ``tool``.
    """

    name: str
    what: str
    unit: str
    owner: str


class Layout:
    """Where each number of a robot's geometry stands in the vector.

    Args:
        robot: the machine as described.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.own = own_seats(robot)
        joints, n = len(robot.joints), len(robot.motors)
        sizes = [3 * joints] * 4 + [n, n, 6, 6]
        ends = np.cumsum([0, *sizes])
        parts = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.seats = dict(zip(SEATS, parts[:4], strict=True))
        self.offsets, self.gains, self.device, self.tool = parts[4:]
        self.frames = slice(0, self.offsets.start)
        self.size = int(ends[-1])

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Names and units of all numbers, in order."""
        robot = self.robot
        ends = {
            "parent": [j.parent for j in robot.joints],
            "child": [j.child for j in robot.joints],
        }
        found = []
        for seat in SEATS:
            end, _, kind = seat.partition("_")
            what, unit = (POSITION, "m") if kind == "points" else (DIRECTION, "rad")
            for joint, body in zip(robot.joints, ends[end], strict=True):
                head = f"{joint.name}.{body}.{what}"
                found += [Entry(f"{head}.{axis}", what, unit, joint.name) for axis in AXES]
        units = [self.motor_unit(name) for name in robot.motors]
        found += [
            Entry(f"{name}.{OFFSET}", OFFSET, unit, name)
            for name, unit in zip(robot.motors, units, strict=True)
        ]
        found += [Entry(f"{name}.{GAIN}", GAIN, "", name) for name in robot.motors]
        for owner in (DEVICE, TOOL):
            for what, unit in ((POSITION, "m"), (DIRECTION, "rad")):
                found += [Entry(f"{owner}.{what}.{axis}", what, unit, owner) for axis in AXES]
        return tuple(found)

    def motor_unit(self, name: str) -> str:
        """Unit of a motor's coordinate."""
        return "m" if move_of(self.robot.joint(joint_of(name)), name) == SLIDE else "rad"

    @cached_property
    def nominal(self) -> np.ndarray:
        """The geometry as described."""
        g = np.zeros(self.size)
        for name, place in self.seats.items():
            g[place] = self.own[name].ravel()
        g[self.gains] = 1.0
        return g

    def seats_of(self, g: np.ndarray) -> dict[str, np.ndarray]:
        """Positions and turns of all frames, by the names of a program's inputs."""
        return {name: g[place].reshape(-1, 3) for name, place in self.seats.items()}


def move_of(joint: Joint, axis: str) -> str:
    """What an axis of a joint does: turn, slide, ball or plane."""
    return joint.axis_kinds[axis]


def displaced(T: np.ndarray, by: np.ndarray) -> np.ndarray:
    """A frame moved by a translation and turned by a Cayley vector, both in the axes around it."""
    return np.asarray(homogeneous(cayley(by[3:]) @ T[:3, :3], T[:3, 3] + by[:3]), dtype=float)


def turning(w: np.ndarray) -> np.ndarray:
    """Angular velocity by the rate of a Cayley vector, 3x3, axes around the frame."""
    return np.asarray((np.eye(3) + 0.5 * skew(w)) / (1.0 + 0.25 * (w @ w)), dtype=float)


def cayley_vectors(R: np.ndarray) -> np.ndarray:
    """Cayley vectors (K, 3) of rotations (K, 3, 3) by less than half a turn."""
    axial = np.stack(
        [R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1
    )
    return np.asarray(2.0 * axial / (1.0 + np.trace(R, axis1=1, axis2=2))[:, None])
