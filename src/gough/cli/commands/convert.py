"""``gough convert``: robots from files of other programs, and to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.printing import print_json, say
from gough.cli.words import AsJson, Force
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.robot.formats.conversion import Conversion


@app.command()
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="MJCF, URDF, SDF, SYMORO or a robot file; or a name of the zoo."
        ),
    ],
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="[OUT]",
            help="Its suffix says the format: .yaml, .json, .xml (MJCF), .urdf, .sdf; without it, "
            "only say what is found.",
            show_default=False,
        ),
    ] = None,
    platform: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Body, site, frame or link that does the work.", show_default=False
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Link that stands still.", show_default=False),
    ] = None,
    motors: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", help="Driven joints, in order.", show_default=False),
    ] = None,
    lock: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[=VALUE],...",
            help="Joints held where the file draws them, or at a value [rad or m].",
            show_default=False,
        ),
    ] = None,
    home: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="Joints near the posture that is meant, or the name of a keyframe.",
            show_default=False,
        ),
    ] = None,
    loops: Annotated[
        str | None,
        typer.Option(
            metavar="A:B[:KIND],...",
            help="Frames that a loop joins, by a ball unless a kind is said; or a YAML file.",
            show_default=False,
        ),
    ] = None,
    drop: Annotated[
        str | None,
        typer.Option(
            metavar="WORD,...",
            help="Leave out: armature, damping, friction, springs, limits, passive, shapes; links "
            "of next to no mass between three hinges, which then are a ball.",
            show_default=False,
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="How exact the figures are, beside the machine's size: 1e-5 for six digits; told "
            "by their digits if not given.",
            show_default=False,
        ),
    ] = None,
    numbers: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="Values of the symbols of a SYMORO table; or a YAML file with them.",
            show_default=False,
        ),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option(
            metavar="WORD,...",
            help="What OUT may lose where its format has no place for it: elastic, motors, idle, "
            "limits, springs, rotors, gravity, couplings.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Convert a robot from one format to another, and say what was found, assumed and left out."""
    from gough.base.tables.whole import check_place
    from gough.cli.words import find_robot
    from gough.robot.formats.loading import convert as read
    from gough.robot.formats.loading import is_foreign
    from gough.robot.formats.saving import save

    if target is not None:
        check_place(target, force=force)
    found: Conversion | None = None
    choices: dict[str, Any] = {
        "platform": platform,
        "base": base,
        "motors": _names(motors),
        "lock": _values(lock, "--lock") or (),
        "home": _home(home),
        "loops": _loops(loops),
        "drop": _names(drop) or (),
        "precision": precision,
        "numbers": _home(numbers, "--numbers"),
    }
    if is_foreign(source):
        found = read(source, **choices)
        robot = found.robot
    else:
        _check_silent(source, choices)
        robot = find_robot(source, remarks=True)
    if target is not None:
        save(robot, target, drop=_names(without) or ())
    if as_json:
        data: dict[str, Any] = {"robot": robot.name} if found is None else found.to_dict()
        print_json({**data, "file": None if target is None else str(target)})
        return
    for finding in found.findings if found is not None else ():
        say(f"{finding.sentence}.")
        if finding.advice:
            say(f"  {finding.advice}")
    if target is not None:
        say(f"Wrote {target}.")


def _check_silent(source: str, choices: dict[str, Any]) -> None:
    """Refuse choices for a robot of gough's own, which says all of that itself."""
    given = [name for name, value in choices.items() if value not in (None, ())]
    if given:
        raise InputError(
            f"--{given[0]} is for files of other programs: {source} says it itself",
            hint="Change the robot file.",
            argument=given[0],
        )


def _names(words: str | None) -> list[str] | None:
    return None if words is None else [word.strip() for word in words.split(",") if word.strip()]


def _values(words: str | None, option: str) -> dict[str, Any]:
    """Names, with values or without: ``a,b=0.3``."""
    found: dict[str, Any] = {}
    for word in _names(words) or []:
        name, equals, value = word.partition("=")
        try:
            found[name.strip()] = float(value) if equals else None
        except ValueError as err:
            message = f"{option}: {word!r} is not NAME=VALUE"
            raise InputError(message, hint="In radians or metres.") from err
    return found


def _home(words: str | None, option: str = "--home") -> Any:
    """Values by name, or a name alone: of a keyframe, of a file."""
    if words is None or "=" not in words:
        return words
    return _values(words, option)


def _loops(words: str | None) -> Any:
    if words is None or Path(words).suffix.lower() in (".yaml", ".yml"):
        return words
    return [tuple(word.split(":")) for word in _names(words) or []]
