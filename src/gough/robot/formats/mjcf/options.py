"""Options of MJCF that change what acts on the machine: gravity, what is switched off, a medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gough.base.english import counted
from gough.robot.formats.choices import FIELDS
from gough.robot.formats.model import Model
from gough.robot.formats.xml import Node

_OFF = {"passive": ("springs", "damping"), "spring": ("springs",), "damper": ("damping",)}
_OFF |= {"frictionloss": ("friction",)}
_MEDIUM = ("density", "viscosity")


def read_options(root: Node, model: Model) -> None:
    """Take gravity from the options, and leave out what they switch off, once joints are there."""
    flags: dict[str, bool] = {}
    medium: Node | None = None
    for option in root.all("option"):
        x, y, z = option.vector("gravity", model.gravity)
        model.gravity = (float(x), float(y), float(z))
        medium = option if any(option.number(key) for key in _MEDIUM) else medium
        for node in option.all("flag"):
            for key, word in node.attributes.items():
                if word not in ("enable", "disable"):
                    node.refuse(f"{key} is {word!r}", hint="Known: enable, disable.")
            flags |= {key: word == "disable" for key, word in node.attributes.items()}
    off = {key for key, disabled in flags.items() if disabled}
    if "gravity" in off:
        model.gravity = (0.0, 0.0, 0.0)
        model.note("flags", "the file switches gravity off")
    dropped = [word for flag, words in _OFF.items() if flag in off for word in words]
    if dropped:
        changes = {key: value for word in dropped for key, value in FIELDS[word].items()}
        model.joints = [
            replace(tie, axes=tuple(replace(axis, **changes) for axis in tie.axes))
            for tie in model.joints
        ]
        model.note("flags", f"the file switches off: {', '.join(dict.fromkeys(dropped))}")
    if "equality" in off:
        model.warn(
            "flags",
            "the file switches its equalities off; here they hold, and close the loops",
            "Without loops it is an open chain: leave <equality> out if that is meant.",
        )
    if medium is not None:
        model.warn(
            "medium",
            f"{medium.label} in line {medium.line} has a medium that slows bodies down, which is "
            "not used",
            "Where air or water matters, add what it does as loads=.",
        )


def lightened(bodies: Sequence[Node], model: Model) -> None:
    """Say that the compensation of bodies' weight, which is a force of MuJoCo's, is not used."""
    if bodies:
        first, more = bodies[0], len(bodies) - 1
        has, whose = f"has gravcomp={first.get('gravcomp')!r}", "its"
        if more:
            has, whose = f"and {counted(more, 'other body', 'other bodies')} have gravcomp", "their"
        model.warn(
            "gravcomp",
            f"{first.label} in line {first.line} {has}, which is not used: motors bear {whose} "
            "weight",
            "Where a spring or a counterweight does it, add it as such, or as loads=.",
            bodies=[node.get("name") for node in bodies],
        )
