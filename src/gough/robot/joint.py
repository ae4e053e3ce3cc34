"""Joints: a frame on the parent meets a frame on the child, as the kind of the joint allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import counted
from gough.errors import DescriptionError, shown
from gough.robot.bearing import Bearing, Guide
from gough.robot.frame import Frame
from gough.robot.joint_kinds import BALL, KINDS, PLANE
from gough.robot.motor import Motor, Transmission
from gough.robot.names import check_label, check_name
from gough.robot.numbers import check_number
from gough.robot.parts import check_part, check_parts, settle

LOCKED, DRAGS = "locked", "drags"
"""Of ``Joint.idle``: what holds a motion that the platform does not feel.

Something outside the model does, as a brake; or the joint itself drags an idle spin along, as its
friction does: between several such joints, the spin is the mean of what each would give it.
"""


def suggest_kind(kind: object) -> str:
    """A hint for an unknown joint kind: the kind that has this name elsewhere, or the nearest."""
    word = str(kind).lower().replace("'", "").replace("-", "_").replace(" ", "_")
    for own in KINDS.values():
        if word.removesuffix("_joint") in (own.name, *own.synonyms.split()):
            return f"Did you mean {own.name!r}? Known: {', '.join(KINDS)}."
    return nearest(kind, KINDS)


@dataclass(frozen=True)
class Spring:
    """A linear spring on a joint axis: its effort along the axis is ``-stiffness * (q - rest)``.

    Args:
        stiffness: effort per coordinate, above 0 [N m/rad or N/m].
        rest: coordinate at which the spring is slack [rad or m].
    """

    stiffness: float
    rest: float = 0.0

    def __post_init__(self) -> None:
        stiffness = check_number(self.stiffness, "spring.stiffness", positive=True)
        settle(self, stiffness=stiffness, rest=check_number(self.rest, "spring.rest"))


@dataclass(frozen=True)
class Limits:
    """Bounds of an axis; ``None`` is no bound.

    Args:
        position: lowest and highest coordinate [rad or m]; of a ball: least and largest tilt
            between the z axes of its frames [rad].
        velocity: largest speed [rad/s or m/s].
        effort: largest effort [N m or N].
    """

    position: tuple[float, float] | None = None
    velocity: float | None = None
    effort: float | None = None

    def __post_init__(self) -> None:
        if self.position is not None:
            if not isinstance(self.position, (tuple, list)) or len(self.position) != 2:
                raise DescriptionError(
                    f"expected [lowest, highest], got {shown(self.position)}",
                    path="limits.position",
                )
            low, high = (check_number(v, "limits.position") for v in self.position)
            if low > high:
                raise DescriptionError(
                    f"lowest {low:g} is above highest {high:g}", path="limits.position"
                )
            settle(self, position=(low, high))
        for name in ("velocity", "effort"):
            value = getattr(self, name)
            if value is not None:
                settle(self, **{name: check_number(value, f"limits.{name}", positive=True)})


@dataclass(frozen=True)
class Axis:
    """What is known of one axis of a joint besides its geometry.

    Args:
        viscous: effort per speed [N m s/rad or N s/m].
        coulomb: constant effort against the motion [N m or N]; none at rest, sign(0) = 0.
        rotor_inertia: inertia reflected to the axis [kg m^2, or kg for a sliding axis].
        transmission: between the motor and the axis.
        limits: bounds of position, speed and effort.
        spring: between the two bodies, beside motor and friction; on turns and slides only.
        motor: data of the motor on its shaft; on turns and slides only.
    """

    viscous: float = 0.0
    coulomb: float = 0.0
    rotor_inertia: float = 0.0
    transmission: Transmission | None = None
    limits: Limits = field(default_factory=Limits)
    spring: Spring | None = None
    motor: Motor | None = None

    def __post_init__(self) -> None:
        for name in ("viscous", "coulomb", "rotor_inertia"):
            settle(self, **{name: check_number(getattr(self, name), name, nonnegative=True)})
        check_part(self.limits, Limits, "limits")
        parts = {"transmission": Transmission, "spring": Spring, "motor": Motor}
        for name, kind in parts.items():
            if getattr(self, name) is not None:
                check_part(getattr(self, name), kind, name)
        self._check_one_rotor()

    def _check_one_rotor(self) -> None:
        """The rotor of a motor is given once: its own shaft, the gear's, or the axis has it."""
        own = self.motor.rotor_inertia if self.motor else 0.0
        geared = self.transmission.motor_inertia if self.transmission else 0.0
        others = {"rotor_inertia": self.rotor_inertia, "transmission.motor_inertia": geared}
        for path, other in others.items():
            if own and other:
                raise DescriptionError(
                    f"is {own:g} beside {path}: {other:g}, so the rotor is given twice",
                    path="motor.rotor_inertia",
                    hint="Keep one: motor.rotor_inertia and transmission.motor_inertia are on the "
                    "motor's shaft, rotor_inertia of the axis is ratio^2 times that.",
                )

    @property
    def ratio(self) -> float:
        """Motor turns per joint turn, or motor radians per metre; 1 without a transmission."""
        return self.transmission.ratio if self.transmission else 1.0

    @property
    def reflected_inertia(self) -> float:
        """Rotor inertia felt at the axis, its transmission included [kg m^2 or kg]."""
        on_shaft = self.transmission.motor_inertia if self.transmission else 0.0
        on_shaft += self.motor.rotor_inertia if self.motor else 0.0
        return self.rotor_inertia + self.ratio**2 * on_shaft


@dataclass(frozen=True)
class Joint:
    """A joint between two bodies.

    Args:
        name: identifier, unique among joints.
        kind: one of ``gough.robot.KINDS``.
        parent: body that carries frame A, or the base.
        child: body that carries frame B, or the base.
        parent_frame: frame A on the parent.
        child_frame: frame B on the child.
        axes: friction, rotor, transmission, limits, spring and motor of each axis, in the order
            of the kind; missing ones are plain.
        pitch: advance of a helical joint [m/rad].
        label: free text.
        idle: ``"locked"`` says that a motion of this joint which the platform does not feel is
            held, as by a brake; a joint with one axis then stays at its home position.
            ``"drags"`` says that the joint drags along what spins idly in it.
        held: of a joint that ``Robot.locked`` names, which is ``fixed`` therefore: what it is
            without its brake; ``Robot`` sees to it.
        bearing: stiffness of the directions that the joint holds; rigid if not given.
        guide: where a telescopic leg is guided, of a prismatic or cylindrical joint between beams.
    """

    name: str
    kind: str
    parent: str
    child: str
    parent_frame: Frame = field(default_factory=Frame)
    child_frame: Frame = field(default_factory=Frame)
    axes: tuple[Axis, ...] = ()
    pitch: float = 0.0
    label: str = ""
    idle: str = ""
    held: Held | None = None
    bearing: Bearing | None = None
    guide: Guide | None = None

    def __post_init__(self) -> None:
        path = f"joints.{check_name(self.name, 'joints')}"
        check_label(self.label, f"{path}.label")
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise DescriptionError(
                f"unknown joint kind {shown(self.kind)}",
                path=f"{path}.kind",
                hint=suggest_kind(self.kind),
            )
        for end in ("parent", "child"):
            if not isinstance(getattr(self, end), str):
                raise DescriptionError(
                    f"expected the name of a body, got {shown(getattr(self, end))}",
                    path=f"{path}.{end}",
                )
        if self.parent == self.child:
            raise DescriptionError(
                f"joins {shown(self.parent)} to itself", path=path, hint="A joint needs two bodies."
            )
        pitch = check_number(self.pitch, f"{path}.pitch")
        if (pitch != 0.0) != KINDS[self.kind].is_screw:
            raise DescriptionError(
                "a helical joint, and no other, has a pitch other than zero [m/rad]",
                path=f"{path}.pitch",
            )
        check_part(self.parent_frame, Frame, f"{path}.parent_frame")
        check_part(self.child_frame, Frame, f"{path}.child_frame")
        names = KINDS[self.kind].axes
        axes = check_parts(self.axes, Axis, f"{path}.axes")
        if len(axes) > len(names):
            raise DescriptionError(
                f"a {self.kind} joint has {counted(len(names), 'axis', 'axes')}, "
                f"{len(axes)} are given",
                path=f"{path}.axes",
            )
        axes = axes + tuple(Axis() for _ in range(len(names) - len(axes)))
        for name, axis in zip(names, axes, strict=True):
            if names[name] not in (BALL, PLANE):
                if KINDS[self.kind].passive and (axis.transmission or axis.motor):
                    raise DescriptionError(
                        f"a {self.kind} joint carries no motor",
                        path=f"{path}.axes.{name}",
                        hint="Motors are on joints in a row with it: two prismatic ones and a "
                        "revolute one move likewise.",
                    )
                continue
            if axis.transmission or axis.motor or (names[name] == PLANE and axis.rotor_inertia):
                rotor = "no rotor, " if names[name] == PLANE else ""
                raise DescriptionError(
                    f"the {names[name]} of a {self.kind} joint has {rotor}no transmission and "
                    "no motor",
                    path=f"{path}.axes.{name}",
                )
            if axis.spring is not None:
                inner = f"axes.{name}." if len(names) > 1 else ""
                raise DescriptionError(
                    f"the {names[name]} of a {self.kind} joint has no spring",
                    path=f"{path}.{inner}spring",
                    hint="Only an axis with one coordinate has one: a turn or a slide.",
                )
        if not isinstance(self.idle, str) or self.idle not in ("", LOCKED, DRAGS):
            raise DescriptionError(
                f"is {shown(self.idle)}, expected {LOCKED!r} or {DRAGS!r}",
                path=f"{path}.idle",
                hint="Leave it out where nothing holds the joint.",
            )
        if self.idle == LOCKED and any(axis.spring is not None for axis in axes):
            raise DescriptionError(
                "a joint that is held has no spring",
                path=f"{path}.spring",
                hint="A spring acts in a joint that moves: take the spring or 'idle: locked' away.",
            )
        settle(self, pitch=pitch, axes=axes)
        if self.bearing is not None:
            check_part(self.bearing, Bearing, f"{path}.bearing").check_kind(self.kind, path)
        if self.guide is not None:
            ends = (self.parent, self.child)
            check_part(self.guide, Guide, f"{path}.guide").check_joint(self.kind, ends, path)

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the axes in order: the joint's own if it has one, else ``joint.axis``."""
        names = KINDS[self.kind].axes
        return (self.name,) if len(names) == 1 else tuple(f"{self.name}.{axis}" for axis in names)

    @property
    def axis_kinds(self) -> dict[str, str]:
        """What every axis does, by its name, in order: turn, slide, ball or plane."""
        return dict(zip(self.axis_names, KINDS[self.kind].axes.values(), strict=True))

    @property
    def freedoms(self) -> int:
        """Degrees of freedom of the joint."""
        return KINDS[self.kind].freedoms

    @property
    def released(self) -> Joint:
        """The joint without its brake; itself if it has none.

        It sits where this one does, also if that was moved after it was held.
        """
        if self.held is None:
            return self
        joint, at = self.held.joint, self.held.at
        ends: dict[str, Any] = {"parent": self.parent, "child": self.child}
        ends["parent_frame"] = self.parent_frame
        if joint.held_at(at).child_frame != self.child_frame:
            T_B = self.child_frame.matrix @ KINDS[joint.kind].across(at, joint.pitch)
            ends["child_frame"] = Frame.from_matrix(T_B)
        return replace(joint, **ends)

    def held_at(self, at: Sequence[float]) -> Joint:
        """The joint held by a brake: a fixed one whose frames meet in frame A of this one.

        Args:
            at: coordinates of its axes, which turn or slide, in order [rad or m].
        """
        values = tuple(check_number(q, f"home.joints.{self.name}") for q in at)
        T_BA = np.linalg.inv(KINDS[self.kind].across(values, self.pitch))
        child_frame = Frame.from_matrix(self.child_frame.matrix @ T_BA)
        return Joint(
            self.name,
            "fixed",
            self.parent,
            self.child,
            self.parent_frame,
            child_frame,
            label=self.label,
            held=Held(self, values),
        )


@dataclass(frozen=True)
class Held:
    """A joint that is held by a brake.

    Args:
        joint: what it is without the brake.
        at: coordinates at which it is held, in the order of its axes [rad or m].
    """

    joint: Joint
    at: tuple[float, ...]
