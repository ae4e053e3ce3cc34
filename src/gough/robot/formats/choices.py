"""What a user says where files are silent: platform, base, motors, locks, home, drops."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gough.base.arguments import check_known, nearest, number
from gough.base.english import quoted
from gough.errors import InputError, shown
from gough.robot.formats.model import BASE, FREE, Drive, Model, Tie
from gough.robot.formats.naming import their_name
from gough.robot.joint import Axis, Limits
from gough.robot.joint_kinds import KINDS
from gough.robot.motor import Transmission

DROPS = ("armature", "damping", "friction", "springs", "limits", "passive", "links", "shapes")
"""What may be left out on demand.

``passive`` is what acts on joints without a motor, ``links`` are those of next to no mass between
three hinges, which then are one ball.
"""

FIELDS: dict[str, dict[str, Any]] = {
    "armature": {"rotor_inertia": 0.0},
    "damping": {"viscous": 0.0},
    "friction": {"coulomb": 0.0},
    "springs": {"spring": None},
    "limits": {"limits": Limits()},
}
"""What becomes of an axis without each of them."""


@dataclass(frozen=True)
class Choices:
    """Arguments of ``gough.load`` for files of other programs."""

    platform: str | None = None
    base: str | None = None
    motors: Sequence[str] | None = None
    lock: Sequence[str] | Mapping[str, float] = ()
    home: Any = None
    drop: Sequence[str] = ()
    precision: float | None = None

    def __post_init__(self) -> None:
        for name in ("platform", "base"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise InputError(f"{name} is a name, got {shown(value)}", argument=name)
        lock: Any = self.lock
        if not isinstance(lock, Mapping):
            object.__setattr__(self, "lock", _names(lock, "lock"))
        if self.motors is not None:
            object.__setattr__(self, "motors", _names(self.motors, "motors"))
        object.__setattr__(self, "drop", _names(self.drop, "drop"))
        for word in self.drop:
            check_known(word, DROPS, "drop: unknown", "drop")
        if self.precision is not None:
            asked = number(self.precision, "precision", nonnegative=True)
            object.__setattr__(self, "precision", asked)


def _names(value: Any, argument: str) -> tuple[str, ...]:
    """Names of an argument: one, or a list of them."""
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(n, str) for n in names):
        raise InputError(
            f"{argument} are names, got {shown(value)}",
            hint=f'For instance {argument}=["q1", "q2"].',
            argument=argument,
        )
    return tuple(names)


def guessed_platform(model: Model) -> str:
    """What is called platform, or the body in which most joints meet; else the user must say."""
    for name in ("platform_frame", "platform"):
        if name in model.marks or name in model.links:
            model.note("platform", f"{name!r} is the platform, by its name")
            return name
    held = [tie for tie in model.joints if tie.kind != FREE]
    degree = {name: 0 for name in model.links if name != BASE}
    for tie in held:
        for end in (tie.parent, tie.child):
            if end in degree:
                degree[end] += 1
    most = sorted(degree, key=lambda name: -degree[name])
    if len(most) == 1 or (len(most) > 1 and degree[most[0]] > max(2, degree[most[1]])):
        model.warn(
            "platform",
            f"{most[0]!r} is taken for the platform: {degree[most[0]]} joints meet in it",
            f"If another body is meant, say platform=; platform={most[0]!r} says so too.",
        )
        return most[0]
    raise InputError(
        f"{model.file}: the file does not say which body is the platform",
        hint=f"Say so: platform='...', or gough convert FILE OUT --platform NAME. "
        f"{nearest('', most)}",
        argument="platform",
    )


def locks(model: Model, choices: Choices) -> dict[str, float]:
    """Joints that are held, and at which coordinate: as drawn, unless a value is given."""
    found: dict[str, float] = {}
    named = choices.lock if isinstance(choices.lock, Mapping) else dict.fromkeys(choices.lock)
    known = [tie.name for tie in model.joints if tie.kind != FREE]
    for said, value in named.items():
        name = their_name(said, known)
        check_known(name, known, "lock: unknown joint", "lock")
        tie = model.joint(name)
        if tie is None or tie.kind == "fixed":
            raise InputError(f"lock: {name!r} is fixed already", argument="lock")
        if len(KINDS[tie.kind].axes) != 1:
            raise InputError(
                f"lock: {name!r} is {tie.kind}, with several coordinates",
                hint=f"Its moves are {name}_x, {name}_y and {name}_z."
                if tie.kind == "planar"
                else "",
                argument="lock",
            )
        plain = isinstance(value, (int, float)) and math.isfinite(value)
        if value is not None and (not plain or tie.kind == "spherical"):
            message = f"lock of {name!r} is {shown(value)}, not a finite number"
            raise InputError(message, argument="lock")
        found[name] = _drawn(tie) if value is None else float(value)
    return _through_relations(model, found)


def _drawn(tie: Tie) -> float:
    return float(tie.drawn[0]) if tie.drawn and tie.kind != "spherical" else 0.0


def _through_relations(model: Model, found: dict[str, float]) -> dict[str, float]:
    """Joints that relations hold, once the others in them are held."""
    left = []
    waiting = list(model.relations)
    while waiting:
        settled = [r for r in waiting if len([n for n in r.terms if n not in found]) <= 1]
        if not settled:
            left += waiting
            break
        for relation in settled:
            waiting.remove(relation)
            free = [name for name in relation.terms if name not in found]
            rest = relation.offset - sum(
                c * found[n] for n, c in relation.terms.items() if n in found
            )
            if free and relation.terms[free[0]]:
                found[free[0]] = rest / relation.terms[free[0]]
                model.note("held", f"the coupling {relation.name!r} holds {free[0]!r}")
    model.relations = left
    return found


def driven(model: Model, choices: Choices, held: Iterable[str]) -> list[Drive]:
    """Motors: those that are named, or those of the file; none on joints that are locked."""
    taken = set(held)
    if choices.motors is None:
        found = [drive for drive in model.drives if drive.joint not in taken]
        if found:
            model.note("motors", f"motors of the file: {quoted(drive.joint for drive in found)}")
        else:
            model.warn(
                "motors", "the file names no motors", "Name the driven joints: motors=[...]."
            )
        return found
    by_name = {drive.name: drive for drive in model.drives if drive.name}
    by_name |= {drive.joint: drive for drive in model.drives}
    joints = [tie.name for tie in model.joints if tie.kind != FREE]
    found = []
    for name in (their_name(each, [*by_name, *joints]) for each in choices.motors):
        joint, _, axis = str(name).partition(".")
        if name in by_name and by_name[name].joint in joints:
            found.append(by_name[name])
        elif name in joints or (axis and joint in joints):
            found.append(Drive(name))
        else:
            check_known(name, joints, "motors: unknown joint", "motors")
        if found[-1].joint in taken:
            raise InputError(f"motors: {name!r} is locked as well", argument="motors")
    return found


def without(model: Model, choices: Choices, motors: set[str]) -> Model:
    """The model without what is dropped on demand."""
    everything = [word for word in choices.drop if word in FIELDS]

    def kept(tie: Tie) -> Tie:
        words = list(everything)
        if "passive" in choices.drop and tie.name not in motors:
            words = ["armature", "damping", "friction", "springs"]
        changes = {key: value for word in words for key, value in FIELDS[word].items()}
        axes = tuple(replace(axis, **changes) for axis in tie.axes)
        return replace(tie, axes=axes)

    if not choices.drop:
        return model
    model.note("dropped", f"left out on demand: {', '.join(choices.drop)}")
    links = model.links
    if "shapes" in choices.drop:
        links = {name: replace(link, looks=()) for name, link in links.items()}
    return replace(model, links=links, joints=[kept(tie) for tie in model.joints])


def with_gear(axis: Axis, drive: Drive) -> Axis:
    """An axis with the gear and the limit of its motor."""
    changes: dict[str, Any] = {}
    if drive.gear != 1.0:
        changes["transmission"] = Transmission(ratio=drive.gear)
    if drive.effort is not None:
        known = axis.limits.effort
        effort = drive.effort if known is None else min(known, drive.effort)
        changes["limits"] = replace(axis.limits, effort=effort)
    return replace(axis, **changes)
