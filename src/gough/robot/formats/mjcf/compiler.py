"""Options of the compiler: angles, Euler sequences, limits, inertia from geoms; and poses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gough.base import spatial
from gough.robot.formats.xml import Node
from gough.robot.frame import rotation_from_axes

_TURN = {"x": spatial.rotation_x, "y": spatial.rotation_y, "z": spatial.rotation_z}


@dataclass
class Compiler:
    """What ``<compiler>`` elements say."""

    degrees: bool = True
    sequence: str = "xyz"
    auto_limits: bool = True
    from_geom: str = "auto"
    groups: tuple[int, int] = (0, 5)
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balance: bool = False
    total_mass: float = -1.0
    mesh_folder: str = ""
    strip_path: bool = False

    @classmethod
    def of(cls, root: Node) -> Compiler:
        """The options of a file; later ones win."""
        found = cls()
        for node in root.all("compiler"):
            if node.get("coordinate", "local") != "local":
                node.refuse(
                    "coordinate='global' is of MuJoCo before 2.3.3",
                    hint="Open the file with MuJoCo 2.3.2 and save it: it becomes local.",
                )
            unit = node.get("angle", "degree" if found.degrees else "radian")
            found.degrees = _known(node, "angle", unit, ("degree", "radian")) == "degree"
            found.sequence = node.get("eulerseq", found.sequence)
            found.auto_limits = node.flag("autolimits", found.auto_limits)
            way = node.get("inertiafromgeom", found.from_geom)
            found.from_geom = _known(node, "inertiafromgeom", way, ("auto", "true", "false"))
            low, high = node.numbers("inertiagrouprange", found.groups, (2,))  # type: ignore[misc]
            found.groups = (int(low), int(high))
            found.least_mass = node.number("boundmass", found.least_mass)
            found.least_inertia = node.number("boundinertia", found.least_inertia)
            found.balance = node.flag("balanceinertia", found.balance)
            folder = node.get("assetdir", found.mesh_folder)
            found.mesh_folder = node.get("meshdir", folder)
            found.strip_path = node.flag("strippath", found.strip_path)
            found.total_mass = node.number("settotalmass", found.total_mass)
            if len(found.sequence) != 3 or set(found.sequence.lower()) - set("xyz"):
                node.refuse(f"eulerseq is {found.sequence!r}, expected three of x y z X Y Z")
        return found

    def angle(self, value: float) -> float:
        """An angle of the file [rad]."""
        return math.radians(value) if self.degrees else value

    def rotation(self, node: Node) -> np.ndarray:
        """Orientation of an element, in whichever way it is given."""
        given = [k for k in ("quat", "axisangle", "euler", "xyaxes", "zaxis") if node.get(k)]
        if len(given) > 1:
            node.refuse(f"has two orientations, {given[0]} and {given[1]}", hint="Keep one.")
        if not given:
            return np.eye(3)
        numbers = node.numbers(given[0], None, _COUNTS[given[0]])
        return self._turned(node, given[0], np.zeros(0) if numbers is None else numbers)

    def _turned(self, node: Node, how: str, x: np.ndarray) -> np.ndarray:
        if how == "euler":
            R = np.eye(3)
            for letter, angle in zip(self.sequence, x, strict=True):
                turn = _TURN[letter.lower()](self.angle(float(angle)))
                R = R @ turn if letter.islower() else turn @ R  # lower case turns along
            return R
        leading = {"quat": x, "axisangle": x[:3], "xyaxes": x[:3], "zaxis": x}[how]
        if not np.linalg.norm(leading) > 0.0:
            node.refuse(f"{how} is zero: it has no direction")
        if how == "quat":
            return rotation_of(x)
        if how == "axisangle":
            return np.asarray(
                spatial.rotation_exp(x[:3] / np.linalg.norm(x[:3]) * self.angle(float(x[3])))
            )
        if how == "zaxis":
            return rotation_from_axes(x)
        e_x = x[:3] / np.linalg.norm(x[:3])
        e_y = x[3:] - (x[3:] @ e_x) * e_x
        if not np.linalg.norm(e_y) > 0.0:
            node.refuse("xyaxes are parallel")
        e_y = e_y / np.linalg.norm(e_y)
        return np.stack([e_x, e_y, np.cross(e_x, e_y)], axis=1)

    def pose(self, node: Node) -> np.ndarray:
        """Position and orientation of an element."""
        return spatial.pose(self.rotation(node), node.vector("pos"))

    def is_limited(self, node: Node, limited: str, range_: str) -> bool:
        """Whether a range counts: said, or left to be told by the range itself."""
        word = node.get(limited, "auto").strip()
        if word in ("true", "false"):
            return word == "true"
        given = node.numbers(range_, (0.0, 0.0), (2,))
        return self.auto_limits and given is not None and bool(given[0] < given[1])


_COUNTS = {"quat": (4,), "axisangle": (4,), "euler": (3,), "xyaxes": (6,), "zaxis": (3,)}


def _known(node: Node, name: str, word: str, known: tuple[str, ...]) -> str:
    if word not in known:
        node.refuse(f"{name} is {word!r}", hint=f"Known: {', '.join(known)}.")
    return word


def rotation_of(quaternion_wxyz: np.ndarray) -> np.ndarray:
    """Rotation of a quaternion, scalar first, made unit."""
    w, x, y, z = np.asarray(quaternion_wxyz, dtype=float) / np.linalg.norm(quaternion_wxyz)
    K = spatial.skew(np.array([x, y, z]))
    return np.asarray(np.eye(3) + 2.0 * w * K + 2.0 * K @ K)
