"""Parts of a machine, which add up, and the robot they make."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

import numpy as np

from gough.base.arguments import nearest, words
from gough.base.english import counted
from gough.build import checks
from gough.build.checks import Solid
from gough.build.passive import Passive, checked_passive, with_passive
from gough.errors import DescriptionWarning, InputError, shown
from gough.geometry.motor_home import by_motors
from gough.robot import Axis, Body, Frame, Home, Joint, Robot
from gough.robot.names import check_name
from gough.robot.parts import FrozenDict
from gough.robot.remarks import remarks

BASE, PLATFORM = "base", "platform"


@dataclass(frozen=True)
class Leg:
    """What a leg is made of: its two bodies, its motor, and the bodies that it joins.

    A body is a Body, mass properties as ``gough.inertia`` returns them, or None for one without
    mass.

    Args:
        proximal: body at the base: cylinder, crank, arm, slider, first link.
        distal: body at the platform: rod, second link; bars, of which a pair has one each: bar a,
            at +s along the elbow axis, and bar b.
        motor: friction, rotor, transmission, spring and limits of the actuated axis.
        passive: friction, springs and limits of passive joints, by their role, which is the name
            of the joint without that of the leg: ``{"u": Axis(viscous=0.01)}``; one Axis for all
            axes of the joint, or a tuple with one for each.  Positions count from home; of a ball
            they are the tilt of the link from its direction at home.
        base: name of the body at the foot of the leg.
        platform: name of the body that it holds.
    """

    proximal: Solid = None
    distal: Any = None
    motor: Axis | None = None
    base: str = BASE
    platform: str = PLATFORM
    passive: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.distal, list):
            object.__setattr__(self, "distal", tuple(self.distal))
        checks.solid(self.proximal, "proximal")
        for bar in self.bars:
            checks.solid(bar, "distal")
        if self.motor is not None:
            checks.motor(self.motor, "motor")
        object.__setattr__(self, "passive", FrozenDict(checked_passive(self.passive)))
        check_name(self.base, "base")
        check_name(self.platform, "platform")

    @property
    def bars(self) -> list[Solid]:
        """The distal body twice, for two parallel bars, or the pair that was given."""
        return checks.each(self.distal, 2, "distal")


BARE = Leg()
"""A leg without mass, between base and platform, its motor without friction and rotor."""


def checked_leg(value: Any, what: str = "made_of") -> Leg:
    """A builder's argument for the bodies of a leg, checked."""
    if not isinstance(value, Leg):
        raise InputError(
            f"{what}: expected a gough.build.Leg, got {shown(value)}",
            hint="For instance gough.build.Leg(distal=gough.inertia.rod(mass, start, end)).",
            argument=what,
        )
    return value


def each_leg(value: Any, count: int) -> list[Leg]:
    """What the legs of a machine are made of, one for all or a list with one for each."""
    return [checked_leg(leg, "legs") for leg in checks.each(value, count, "legs")]


class MachineAbout(TypedDict, total=False):
    """What builders of whole machines hand on to :func:`machine`, which explains it."""

    gravity: Any
    label: str
    source: str


class MachineOptions(MachineAbout, total=False):
    """The same for machines whose platform is a separate body."""

    platform: Solid
    platform_frame: Frame | None
    redundant: bool


@dataclass(frozen=True, repr=False)
class Parts:
    """Bodies and joints of a leg or of a whole machine, with its motors and a rough home.

    Legs add up: ``leg_1 + leg_2``, ``sum(legs, Parts())``.

    Args:
        bodies: bodies, in order.
        joints: joints between them, or with bodies that other parts bring.
        motors: actuated axes, in the order of the efforts.
        poses: rough poses of the bodies at home, in the base.
        values: coordinates of axes at home [rad or m], by axis name; they pick the turn of angles.
        ends: poses at home of bodies that other parts bring, for which these were drawn.
        passive: what is known of passive joints, by name; positions count from home.
    """

    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    motors: tuple[str, ...] = ()
    poses: Mapping[str, Frame] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    ends: Mapping[str, Frame] = field(default_factory=dict)
    passive: Mapping[str, Passive] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("poses", "values", "ends", "passive"):
            object.__setattr__(self, name, FrozenDict(dict(getattr(self, name))))

    def __repr__(self) -> str:
        names = ", ".join(self.motors) or "none"
        bodies, joints = counted(len(self.bodies), "body", "bodies"), len(self.joints)
        return f"<Parts: {bodies}, {counted(joints, 'joint')}, motors {names}>"

    def __add__(self, other: Parts) -> Parts:
        if not isinstance(other, Parts):
            return NotImplemented
        twice = [n for n in other.poses if n in self.poses]
        twice += [j.name for j in other.joints if j.name in {k.name for k in self.joints}]
        if twice:
            raise InputError(
                f"two parts bring the name {twice[0]!r}",
                hint="Give every leg its own name: ups_leg(1, ...), ups_leg(2, ...).",
                name=twice[0],
            )
        return Parts(
            self.bodies + other.bodies,
            self.joints + other.joints,
            self.motors + other.motors,
            {**self.poses, **other.poses},
            {**self.values, **other.values},
            {**self.ends, **other.ends},
            {**self.passive, **other.passive},
        )


def body(value: Solid, name: str, pose: Any = None) -> Parts:
    """One body as parts, with its pose at home if it is known.

    Args:
        value: a Body, mass properties, or None for a body without mass.
        name: its name, unless it is a Body.
        pose: 4x4 or Frame, in the base, at home.
    """
    made = checks.solid(value, name)
    at = {} if pose is None else {made.name: Frame.from_matrix(checks.pose(pose, name))}
    return Parts(bodies=(made,), poses=at)


def _added(parts: Any) -> Parts:
    whole = Parts()
    for part in checks.listed(parts, "parts"):
        if not isinstance(part, Parts):
            raise InputError(
                f"parts: expected legs, got {shown(part)}",
                hint="A leg is what gough.build.ups_leg, chain, ... return.",
                argument="parts",
            )
        whole = whole + part
    return whole


def machine(
    name: str,
    parts: Parts | Sequence[Parts],
    *,
    platform: Solid | str = None,
    platform_frame: Frame | None = None,
    home: Any = None,
    near: Any = None,
    gravity: Any = (0.0, 0.0, -9.81),
    motors: Sequence[str] | None = None,
    redundant: bool = False,
    base: str = BASE,
    label: str = "",
    source: str = "",
) -> Robot:
    """The robot that parts make: a plain graph, like any other.

    Args:
        name: identifier of the robot.
        parts: legs, added up or in a list.
        platform: the platform body: a Body, mass properties (the body is then called
            ``platform``), None for a platform without mass; or the name of a body that the parts
            bring already.
        platform_frame: frame on the platform whose pose is ``T_0p``; default the body's own.
        home: pose of the platform body at home, 4x4 or Frame; default that for which the legs were
            drawn.  Or by motors: ``"mid"``, every motor at the middle of its stroke; positions by
            name, ``{"p1": 0.8}``, other motors as the parts are drawn; or a list
            of all, if there are more than three.
        near: of a home by motors: pose of the platform body from which the motors are moved there,
            straight and on the working mode of the parts; default as for ``home``.
        gravity: acceleration of free fall in base axes [m/s^2].
        motors: axes in the order of the efforts; default those of the parts, in their order.
        redundant: more motors than freedoms are meant.
        base: name of the fixed body.
        label: free text.
        source: where the figures come from.

    Returns:
        The robot. Nothing is assembled yet: ``robot.assembly`` does, on first use.

    Raises:
        InputError: arguments that do not fit; a home by motors without limits or with other names.
        UnreachablePose: a home by motors that is not reached; says how far the way goes, and why.

    Warns:
        DescriptionWarning: figures that look like millimetres, grams or degrees.
    """
    pose = start_pose(home, near)
    whole = parts if isinstance(parts, Parts) else _added(parts)
    if isinstance(platform, str):
        known = [b.name for b in whole.bodies]
        if platform not in known:
            raise InputError(
                f"no part brings the platform {platform!r}",
                hint=nearest(platform, known),
                argument="platform",
            )
        called = platform
        if pose is not None:
            at = Frame.from_matrix(checks.pose(pose, "home"))
            whole = replace(whole, poses={**whole.poses, called: at})
    else:
        brought_name = platform.name if isinstance(platform, Body) else PLATFORM
        stands = whole.ends.get(brought_name, Frame()) if pose is None else pose
        brought = body(platform, PLATFORM, stands)
        called = brought.bodies[0].name
        whole = whole + brought
    robot = Robot(
        name,
        whole.bodies,
        whole.joints,
        platform=called,
        platform_frame=Frame() if platform_frame is None else platform_frame,
        motors=whole.motors if motors is None else words(motors, "motors"),
        home=Home(whole.poses, whole.values),
        gravity=gravity,
        base=base,
        label=label,
        source=source,
        redundant=redundant,
    )
    if by_motors(home):
        robot = robot.rehomed(home)
    robot = with_passive(robot, whole.passive)
    for sentence in remarks(robot):  # as gough.load does
        warnings.warn(f"{name}: {sentence}", DescriptionWarning, stacklevel=_outside())
    return robot


def start_pose(home: Any, near: Any) -> Any:
    """The pose in which a machine is drawn, None if none is given."""
    if not by_motors(home) and near is not None:
        raise InputError(
            "near is for a home by motors; this one is a pose already"
            if home is not None
            else "near is for a home by motors, home='mid' or home={'p1': 0.8}",
            argument="near",
        )
    return near if by_motors(home) else home


def at_home(home: Any, T: np.ndarray) -> dict[str, Any]:
    """Where a machine is at home, for :func:`machine`: a pose, or by motors from a pose."""
    return {"home": home, "near": T} if by_motors(home) else {"home": T}


def _outside() -> int:
    """How many calls up the user is: a warning points to the line that asked for the machine."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("gough."):
        frame, level = frame.f_back, level + 1
    return level
