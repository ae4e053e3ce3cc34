"""The neutral model that every reader fills: links, joints, loops, couplings, motors, names."""

from __future__ import annotations

from collections.abc import Container, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gough.errors import FileError, shown
from gough.robot.finding import NOTE, WARNING, Finding
from gough.robot.formats.xml import brief
from gough.robot.joint import Axis
from gough.robot.joint_kinds import KINDS

if TYPE_CHECKING:
    from gough.robot.formats.looks import Look

BASE = "world"
"""Name of the link that does not move, in every model."""


MOST_LINKS = 1000
"""Most links of a file: some steps of building look at all pairs of them."""

MOST_RELATIONS = 100
"""Most couplings of a file: motors on tendons are judged by all of them together."""

FREE = "free"
"""Kind of a tie that holds nothing: its link floats; its coordinate is the pose, 4x4."""


@dataclass(frozen=True)
class Place:
    """Where something stands in a file; ``what`` shows the element."""

    file: str = ""
    line: int | None = None
    what: str = ""

    def refuse(self, message: str, hint: str = "", **data: Any) -> NoReturn:
        """Refuse the file because of what stands there."""
        text = f"{self.what}: {message}" if self.what else message
        raise FileError(brief(text), file=self.file, line=self.line, hint=brief(hint), **data)


@dataclass(frozen=True)
class Unknown:
    """A mass that a file gives by what is not read: where, why, and a remedy."""

    place: Place
    why: str
    remedy: str


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body of a file.

    Args:
        name: as the file has it.
        mass: [kg]; 0 without one.
        center: centre of mass in link axes [m].
        inertia: 3x3 about it, link axes [kg m^2].
        place: where it stands.
        unknown: why its mass is not known, if the file says it by a shape that is not read.
        looks: what it looks like.
    """

    name: str
    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    place: Place = Place()
    unknown: Unknown | None = None
    looks: tuple[Look, ...] = ()


@dataclass(frozen=True, eq=False)
class Tie:
    """A joint of a file, in the terms of ``gough.Joint``.

    Args:
        name: as the file has it.
        kind: one of ``gough.robot.KINDS``.
        parent, child: links.
        T_A, T_B: its frames on them; coordinates are those of the file.
        axes: friction, rotors, limits and springs of its axes.
        drawn: coordinates at which the file draws its links [rad or m]; of a ball the rotation.
        loop: how it was read, if it closes a loop of the file; empty for one of its tree.
        pitch: of a screw [m/rad].
        place: where it stands.
    """

    name: str
    kind: str
    parent: str
    child: str
    T_A: np.ndarray
    T_B: np.ndarray
    axes: tuple[Axis, ...] = ()
    drawn: tuple[Any, ...] = ()
    loop: str = ""
    pitch: float = 0.0
    place: Place = Place()

    def between(self, values: tuple[Any, ...] | None = None) -> np.ndarray:
        """Pose of frame B in frame A at coordinates, those that are drawn if none are given."""
        at = self.drawn if values is None else values
        if self.kind == FREE:
            return np.asarray(at[0] if at else np.eye(4))
        values = (at[0] if len(at) == 1 else at) if at else None
        return KINDS[self.kind].across(values, self.pitch)

    def at(self, place: Place) -> Tie:
        """The same joint with its place in the file."""
        return replace(self, place=place)

    def across(self, values: tuple[Any, ...] | None = None) -> np.ndarray:
        """Pose of the child in the parent."""
        return np.asarray(self.T_A @ self.between(values) @ np.linalg.inv(self.T_B))


@dataclass(frozen=True, eq=False)
class Relation:
    """A linear relation between coordinates of joints: ``sum c q = offset``."""

    name: str
    terms: Mapping[str, float]
    offset: float = 0.0
    place: Place = Place()


@dataclass(frozen=True)
class Obstacle:
    """Something that no robot here can have, and that matters only if the machine has it.

    Attributes:
        names: joints and links that it acts on; it is refused if one of them is free to move.
        place, message, hint: of the refusal.
        words: what it is gone with if all of these are dropped on demand.
    """

    names: frozenset[str]
    place: Place
    message: str
    hint: str
    words: frozenset[str] = frozenset()

    def check(self, moving: Container[str], dropped: Set[str]) -> None:
        """Refuse it if it acts on what moves, unless it is dropped."""
        gone = bool(self.words) and self.words <= dropped
        if not gone and any(name in moving for name in self.names):
            self.place.refuse(self.message, hint=self.hint)


@dataclass(frozen=True)
class Drive:
    """A motor on a joint of one axis.

    Args:
        joint: its name.
        gear: motor turns per joint turn, or rad/m; 1 if it acts on the joint.
        effort: largest effort at the joint [N m or N], if the file says so.
        name: of the motor itself.
    """

    joint: str
    gear: float = 1.0
    effort: float | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class Mark:
    """A named frame on a link: a site, a frame, a link that was merged."""

    link: str
    T: np.ndarray


@dataclass
class Model:
    """A file as it stands, before anything is chosen.

    Attributes:
        name: of the robot.
        file: it comes from.
        format: its kind, for sentences: ``MJCF``.
        links, joints: by which it is a graph; :data:`BASE` is among the links.
        relations: couplings.
        obstacles: what is refused if the machine that is chosen has it.
        marks: named frames.
        drives: motors that the file names.
        starts: postures that the file names, coordinates by joint.
        gravity: [m/s^2].
        precision: how exact its figures are, from their digits.
        root: link that the format takes for the base, where nothing is fixed to the world.
        findings: what was found, assumed and ignored so far.
    """

    name: str
    file: str
    format: str
    links: dict[str, Link] = field(default_factory=dict)
    joints: list[Tie] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)
    drives: list[Drive] = field(default_factory=list)
    starts: dict[str, dict[str, tuple[Any, ...]]] = field(default_factory=dict)
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    precision: float = 0.0
    root: str = ""
    findings: list[Finding] = field(default_factory=list)

    def note(self, code: str, sentence: str, **data: Any) -> None:
        """Something good to know."""
        self.findings.append(Finding(code, NOTE, sentence, data=data))

    def warn(self, code: str, sentence: str, advice: str = "", **data: Any) -> None:
        """Something that may be a mistake, or changes answers."""
        self.findings.append(Finding(code, WARNING, sentence, advice, data=data))

    def add(self, link: Link) -> None:
        """A link more, under a name that is not taken."""
        if link.name in self.links:
            link.place.refuse(
                f"the name {shown(link.name)} is given twice", hint="Rename one of them."
            )
        if len(self.links) > MOST_LINKS:
            link.place.refuse(
                f"the file has more than {MOST_LINKS} links", hint="Keep the robot alone in it."
            )
        self.links[link.name] = link

    def relate(self, relation: Relation) -> None:
        """A coupling more."""
        if len(self.relations) >= MOST_RELATIONS:
            relation.place.refuse(f"the file has more than {MOST_RELATIONS} couplings of joints")
        self.relations.append(relation)

    def joint(self, name: str) -> Tie | None:
        """A joint by name."""
        return next((each for each in self.joints if each.name == name), None)

    def poses(
        self, values: Mapping[str, tuple[Any, ...]] | None = None, root: str = BASE
    ) -> dict[str, np.ndarray]:
        """Poses of all links that the tree reaches, joints as drawn where no values are given."""
        found = {root: np.eye(4)}
        waiting = [tie for tie in self.joints if not tie.loop]
        while True:
            ready = [t for t in waiting if (t.parent in found) != (t.child in found)]
            if not ready:
                return found
            for tie in ready:
                T = tie.across((values or {}).get(tie.name))
                if tie.parent in found and tie.child not in found:
                    found[tie.child] = found[tie.parent] @ T
                elif tie.child in found and tie.parent not in found:
                    found[tie.parent] = found[tie.child] @ np.linalg.inv(T)
            waiting = [t for t in waiting if not (t.parent in found and t.child in found)]


def place_of(node: Any) -> Place:
    """Where an XML element stands."""
    return Place(node.file, node.line, node.label)
