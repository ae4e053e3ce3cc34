"""One builder: from the neutral model of any file to a robot and what is to be said about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gough.errors import DescriptionError, FileError, NotAssembled
from gough.mechanism.mobility.ideal import ideal
from gough.robot.coupling import Coupling
from gough.robot.file.reading import sentences_about, too_free
from gough.robot.finding import Finding
from gough.robot.formats.balls import with_balls
from gough.robot.formats.choices import (
    Choices,
    driven,
    guessed_platform,
    locks,
    with_gear,
    without,
)
from gough.robot.formats.conversion import Conversion
from gough.robot.formats.homing import Start, assembled, closed, given, home_of
from gough.robot.formats.looks import shapes_of
from gough.robot.formats.lumping import lumped
from gough.robot.formats.model import BASE, FREE, MOST_LINKS, Drive, Mark, Model, Tie
from gough.robot.formats.naming import our_names
from gough.robot.formats.rejoined import part_planar
from gough.robot.formats.remarks import advice_of, remark
from gough.robot.formats.rooting import component, resolve, rooted
from gough.robot.formats.solids import bodies_of
from gough.robot.frame import Frame
from gough.robot.joint import DRAGS, Axis, Joint
from gough.robot.names import joint_of
from gough.robot.robot import Robot

# the cost of assembling grows with the square of both: beyond these it takes more than two seconds
_MOST_JOINTS = 160
_MOST_FREEDOMS = 50


def build(model: Model, choices: Choices) -> Conversion:
    """The robot that a file means, assembled, with all findings."""
    with naming_file(model.file):
        return _Building(model, choices).conversion()


@contextmanager
def naming_file(file: str) -> Iterator[None]:
    """Refusals of figures, which know no file, name it."""
    try:
        yield
    except FileError:
        raise
    except DescriptionError as err:
        raise FileError(err.message, file=file, path=err.path, hint=err.hint) from err


class _Building:
    """The steps from a model to a robot, in order."""

    def __init__(self, model: Model, choices: Choices) -> None:
        self.choices = choices
        if len(model.joints) > 2 * MOST_LINKS:
            raise FileError(
                f"has {len(model.joints)} joints and loops, at most {2 * MOST_LINKS} are read",
                file=model.file,
                hint="Keep the robot alone in it.",
            )
        every = {tie.name for tie in model.joints}
        model = lumped(rooted(lumped(model), choices.base))
        named = choices.platform or guessed_platform(model)
        self.platform = resolve(model, named, "platform")
        self._moves(model, named)
        model = component(model, self.platform.link)
        _check_size(model)
        home = choices.home if isinstance(choices.home, Mapping) else ()
        part_planar(model, {*(choices.motors or ()), *choices.lock, *home})
        self.held = locks(model, choices)
        locked = set(self.held)
        model = self._welded(model)
        self._moves(model, named, "once its joints are held")
        self._check(model, locked)
        self.drives = driven(model, choices, locked)
        motors = {drive.joint.partition(".")[0] for drive in self.drives}
        model = without(model, choices, motors)
        model = given(model, choices.home, every)
        model = with_balls(model, motors | set(self.held), drop="links" in choices.drop)
        self.model = replace(model, joints=_outwards(model.joints))
        self.bodies, self.joints = self._names()
        solids, self.mended = bodies_of(self.model, self.bodies)
        shapes = shapes_of(self.model)
        ours = {ours: shapes[link] for link, ours in self.bodies.items()}
        self.solids = tuple(replace(body, shapes=ours[body.name]) for body in solids)
        self.base_shapes = shapes.get(BASE, ())

    def _welded(self, model: Model) -> Model:
        """Locked joints that become part of a body: on the base, and balls, without a coordinate.

        What is locked to the base is the base, so that the legs are found on it.
        """
        while True:
            welded = [
                tie
                for tie in model.joints
                if tie.name in self.held
                and (tie.kind == "spherical" or BASE in (tie.parent, tie.child))
            ]
            if not welded:
                return model
            for tie in welded:
                at = tie.drawn if tie.kind == "spherical" else (self.held[tie.name],)
                ends = (tie.parent, tie.child, tie.T_A @ tie.between(at), tie.T_B)
                if tie.child == BASE:
                    ends = (tie.child, tie.parent, ends[3], ends[2])
                fixed = Tie(tie.name, "fixed", *ends, place=tie.place)
                model.joints[model.joints.index(tie)] = fixed
                del self.held[tie.name]
            model = lumped(model)
            if self.platform.link not in model.links:
                self.platform = _within(model, self.platform)

    def _moves(self, model: Model, named: str, when: str = "") -> None:
        """Refuse a platform that is fixed to the base."""
        if self.platform.link == BASE:
            raise FileError(
                f"the platform {named!r} is fixed to the base{f' {when}' if when else ''}",
                file=model.file,
                hint="Name a body that moves: platform='...'.",
            )

    def _check(self, model: Model, locked: set[str]) -> None:
        """Refuse what no robot here can have, on joints that move and on links of the machine."""
        links = {name for name in model.links if name != BASE}
        links |= {name for name, mark in model.marks.items() if mark.link != BASE}
        moving = {tie.name for tie in model.joints if tie.kind != FREE} - locked
        for obstacle in model.obstacles:
            obstacle.check(moving | links, set(self.choices.drop))

    def _names(self) -> tuple[dict[str, str], dict[str, str]]:
        """Our names of links and of joints."""
        links = [name for name in self.model.links if name != BASE]
        ties = [tie.name for tie in self.model.joints if tie.kind != FREE]
        return our_names(links, taken=["base"]), our_names(ties)

    def conversion(self) -> Conversion:
        """The robot, its findings, and the map of its names."""
        robot, start, refused = assembled(self.model, self.choices.home, self._robot)
        robot = self._redundant(self._dragging(closed(robot)))
        renamed = {
            old: new
            for names in (self.bodies, self.joints)
            for old, new in names.items()
            if old != new
        }
        remark(self.model, robot, start, refused, renamed, self.mended)
        said = {each.sentence for each in self.model.findings}
        for sentence in sentences_about(robot):  # which gough.load says of any robot
            if sentence not in said:
                self.model.warn("robot", sentence, advice_of(robot, sentence))
        findings: tuple[Finding, ...] = tuple(self.model.findings)
        return Conversion(robot, findings, renamed, start.name)

    def _dragging(self, robot: Robot) -> Robot:
        """Idle spins are held in joints of the file's tree, where other programs hold them.

        A point that closes a loop has no coordinates there, and no friction.
        """
        spins = [f for f in robot.assembly.idle if f.spin is not None]
        spinning = {body for f in spins for body in (*f.bodies, *f.between)}
        closing = {
            self.joints[tie.name] for tie in self.model.joints if tie.loop and tie.kind != FREE
        }
        moved = {joint_of(name) for name in robot.motors}
        drags = {
            joint.name
            for joint in robot.joints
            if {joint.parent, joint.child} & spinning
            and joint.kind not in ("fixed", "prismatic")
            and joint.name not in closing | moved
        }
        if not drags:
            return robot
        joints = tuple(replace(j, idle=DRAGS) if j.name in drags else j for j in robot.joints)
        return replace(robot, joints=joints)

    def _redundant(self, robot: Robot) -> Robot:
        """More motors than freedoms, all of them felt: that is meant."""
        found = robot.assembly
        if len(robot.motors) <= found.mobility or found.idle_motors:
            return robot
        if found.motor_rank < found.mobility or not found.mobility:
            return robot
        self.model.note(
            "redundant",
            f"{len(robot.motors)} motors for {found.mobility} freedoms: redundant, as is meant",
        )
        return replace(robot, redundant=True)

    def _robot(self, start: Start) -> Robot:
        values: dict[str, tuple[Any, ...]] = dict(start.values)
        values |= {name: (value,) for name, value in self.held.items()}
        drives = {drive.joint.partition(".")[0]: drive for drive in self.drives}
        frame = Frame.from_matrix(self.platform.T)
        robot = Robot(
            name=our_names([self.model.name])[self.model.name],
            bodies=self.solids,
            joints=tuple(self._joint(tie, drives) for tie in self.model.joints if tie.kind != FREE),
            platform=self.bodies[self.platform.link],
            platform_frame=frame,
            motors=tuple(self._axis(drive.joint) for drive in self.drives),
            home=home_of(self.model, Start(start.name, values), self.bodies, self.joints),
            gravity=self.model.gravity,
            locked=tuple(self.joints[name] for name in self.held),
            couplings=self._couplings(),
            source=f"{self.model.format} file {Path(self.model.file).name}",
            base_shapes=self.base_shapes,
        )
        return _exact(robot, self.precision)

    @property
    def precision(self) -> float:
        """Of the file, from its digits, unless the user says it."""
        asked = self.choices.precision
        return self.model.precision if asked is None else asked

    def _joint(self, tie: Tie, drives: Mapping[str, Drive]) -> Joint:
        axes: tuple[Axis, ...] = tie.axes
        if tie.name in drives and len(axes) == 1:
            axes = (with_gear(axes[0], drives[tie.name]),)
        ours = self.joints[tie.name]
        try:
            return Joint(
                *(ours, tie.kind, self._end(tie.parent), self._end(tie.child)),
                *(Frame.from_matrix(tie.T_A), Frame.from_matrix(tie.T_B)),
                axes=axes,
                pitch=tie.pitch,
                label="" if ours == tie.name else tie.name,
            )
        except DescriptionError as err:
            where = tie.place
            raise FileError(
                f"{where.what}: {err.message}", file=where.file, line=where.line, hint=err.hint
            ) from err

    def _end(self, link: str) -> str:
        return "base" if link == BASE else self.bodies[link]

    def _axis(self, name: str) -> str:
        joint, dot, axis = name.partition(".")
        return self.joints[joint] + dot + axis

    def _couplings(self) -> tuple[Coupling, ...]:
        names = our_names([relation.name for relation in self.model.relations])
        return tuple(
            Coupling(
                names[relation.name],
                {self._axis(name): c for name, c in relation.terms.items()},
                relation.offset,
            )
            for relation in self.model.relations
        )


def _check_size(model: Model) -> None:
    """Refuse a machine that would take minutes: too many joints, or a long chain of them."""
    ties = [tie for tie in model.joints if tie.kind != FREE]
    loops = len(ties) - (len(model.links) - 1)
    freedoms = sum(3 if tie.kind == "spherical" else len(tie.axes) for tie in ties)
    advice = "Name a platform nearer to the base, or make joints of the file fixed."
    if len(ties) > _MOST_JOINTS:
        raise FileError(
            f"the machine between base and platform has {len(ties)} joints, at most {_MOST_JOINTS} "
            "are read",
            file=model.file,
            hint=advice,
        )
    excess = too_free(freedoms, loops, _MOST_FREEDOMS)
    if excess:
        raise FileError(excess, file=model.file, hint=advice)


def _outwards(ties: list[Tie]) -> list[Tie]:
    """Joints of the tree from the base outwards, then those that close loops."""
    reached, found = {BASE}, []
    waiting = [tie for tie in ties if not tie.loop]
    while waiting:
        first = next((tie for tie in waiting if {tie.parent, tie.child} & reached), waiting[0])
        found.append(first)
        waiting.remove(first)
        reached |= {first.parent, first.child}
    return [*found, *(tie for tie in ties if tie.loop)]


def _within(model: Model, mark: Mark) -> Mark:
    """A frame on a link that has become part of another."""
    found = model.marks[mark.link]
    return Mark(found.link, found.T @ mark.T)


def _exact(robot: Robot, precision: float) -> Robot:
    """The robot with a precision, where its loops need one to close."""
    if not precision:
        return robot
    coarse = replace(robot, precision=precision)
    try:
        return coarse if ideal(coarse).sentence else robot
    except NotAssembled:
        if not _closes(robot):
            raise  # says how coarse the figures are
        return robot


def _closes(robot: Robot) -> bool:
    """Whether the loops of a robot close as they are described."""
    try:
        return robot.assembly is not None
    except NotAssembled:
        return False
