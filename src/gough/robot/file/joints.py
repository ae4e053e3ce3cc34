"""Joints and their axes from their entries in a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.bearing import Bearing, Guide
from gough.robot.file.problems import Problem, collecting, within
from gough.robot.file.schema import AxisEntry, JointEntry, TransmissionEntry
from gough.robot.file.solids import frame
from gough.robot.frame import Frame
from gough.robot.joint import Axis, Joint, Limits, Spring, suggest_kind
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.motor import Motor, Transmission
from gough.robot.names import check_name


def joint(name: str, entry: JointEntry, problems: list[Problem]) -> Joint | None:
    """The joint an entry means; its parts are tried one by one, so that all problems are noted."""
    path, before = f"joints.{name}", len(problems)
    parent_frame, child_frame = Frame(), Frame()
    axes: tuple[Axis, ...] = ()
    with collecting(problems):
        check_name(name, path)
    with collecting(problems, path):
        _check_frames(entry)
    with collecting(problems, path, "frame" if entry.frame else "parent_frame"):
        parent_frame = frame(entry.frame or entry.parent_frame)
    if entry.frame is not None:
        child_frame = parent_frame
    else:
        with collecting(problems, path, "child_frame"):
            child_frame = frame(entry.child_frame)
    with collecting(problems, path):
        axes = _axes(entry)
    held: dict[str, Any] = {}
    with collecting(problems, path):
        held = _held(entry)
    if len(problems) > before:
        return None
    with collecting(problems):
        return Joint(
            name=name,
            parent_frame=parent_frame,
            child_frame=child_frame,
            axes=axes,
            **held,
            **entry.given("kind", "parent", "child", "pitch", "idle", "label"),
        )
    return None


def _held(entry: JointEntry) -> dict[str, Any]:
    """How the joint holds what it holds: its bearing and its guide."""
    found: dict[str, Any] = {}
    if entry.bearing is not None:
        found["bearing"] = Bearing(**entry.bearing.given())
    if entry.guide is not None:
        found["guide"] = Guide(**entry.guide.given())
    return found


def _check_frames(entry: JointEntry) -> None:
    for end in ("parent_frame", "child_frame"):
        if entry.frame is not None and getattr(entry, end) is not None:
            raise DescriptionError(
                "cannot stand beside 'frame'",
                path=end,
                hint="'frame' is the same frame on both bodies: keep it, or the other two.",
            )


def _axes(entry: JointEntry) -> tuple[Axis, ...]:
    """Axes of a joint, from its own keys if it has one axis, else from ``axes``."""
    if entry.kind not in KINDS:
        message, hint = f"unknown joint kind {shown(entry.kind)}", suggest_kind(entry.kind)
        raise DescriptionError(message, path="kind", hint=hint)
    names = KINDS[entry.kind].axes
    own = list(entry.given(*AxisEntry.model_fields))
    if own and not names:
        raise DescriptionError(f"a {entry.kind} joint has no axis", path=own[0], hint="Remove it.")
    if own and len(names) > 1:
        raise DescriptionError(
            f"a {entry.kind} joint has the axes {' and '.join(names)}",
            path=own[0],
            hint=f"Say of which: axes: {{{next(iter(names))}: {{{own[0]}: ...}}}}.",
        )
    if own and entry.axes is not None:
        raise DescriptionError(
            f"cannot stand beside {own[0]!r}", path="axes", hint="Keep one of them."
        )
    for name in entry.axes or {}:
        if name not in names:
            message = f"a {entry.kind} joint has no such axis"
            raise DescriptionError(message, path=f"axes.{name}", hint=nearest(name, names))
    if own:
        (only,) = names.values()
        return (axis(entry, only),)
    axes = []
    for name, what in names.items():
        with within("axes", name):
            axes.append(axis((entry.axes or {}).get(name, AxisEntry()), what))
    return tuple(axes)


def axis(entry: AxisEntry, what: str, like: Axis | None = None) -> Axis:
    """The axis an entry means.

    Args:
        entry: its keys.
        what: the axis does: a turn, a slide, ...
        like: an axis whose parts stay where the entry has nothing.
    """
    given: dict[str, Any] = entry.given("viscous", "coulomb", "rotor_inertia")
    if entry.transmission is not None:
        given["transmission"] = _transmission(entry.transmission, what)
    if entry.limits is not None:
        given["limits"] = Limits(**entry.limits.given())
    if entry.spring is not None:
        given["spring"] = Spring(**entry.spring.given())
    if entry.motor is not None:
        given["motor"] = Motor(**entry.motor.given())
    return Axis(**given) if like is None else replace(like, **given)


def _transmission(entry: TransmissionEntry, what: str) -> Transmission:
    figures = entry.given()
    if entry.lead is None:
        return Transmission(**figures)
    if entry.ratio is not None:
        raise DescriptionError(
            "cannot stand beside 'ratio'", path="transmission.lead", hint="Keep one of them."
        )
    if what != SLIDE:
        raise DescriptionError(
            "only a sliding axis has a lead", path="transmission.lead", hint="Give ratio instead."
        )
    return Transmission.from_screw(**figures)
