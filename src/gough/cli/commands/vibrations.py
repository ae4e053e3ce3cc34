"""``gough vibrations``: frequencies, the parts to blame, and whether a motion makes it ring."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.elastic import ElasticOf, elastic_words, find_elastic, with_elastic
from gough.cli.files import check_files, save_picture
from gough.cli.loads import PayloadMass, find_loads
from gough.cli.printing import print_facts, print_json, print_places, say
from gough.cli.progress import progress_bar
from gough.cli.words import AsJson, Force, PoseWord, RobotWord, TablePath, find_pose, find_robot
from gough.errors import InputError, shown

if TYPE_CHECKING:
    from gough.elastic.in_motion.result import ElasticMotion
    from gough.elastic.result import Elasticity
    from gough.robot import Robot

_POINTS = 400  # frequencies of a response where none are said


@app.command()
@with_elastic
def vibrations(
    robot: RobotWord,
    pose: PoseWord = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many vibrations.")] = 8,
    payload: PayloadMass = None,
    elastic: ElasticOf = find_elastic,
    damping: Annotated[
        float | None,
        typer.Option(
            metavar="RATIO", help="Damping ratio of all vibrations, instead of data of the parts."
        ),
    ] = None,
    preload: Annotated[
        bool, typer.Option("--preload", help="Whether weight and payload change the stiffness.")
    ] = False,
    output: TablePath = None,
    response: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table of the frequency response to write, by a force on the platform.",
        ),
    ] = None,
    frequencies: Annotated[
        str | None,
        typer.Option(
            metavar="LO:HI[:N]", help="With --response: its frequencies [Hz].", show_default=False
        ),
    ] = None,
    motion: Annotated[
        str | None,
        typer.Option(
            metavar="MOTION",
            help="As for 'gough idm': how far the machine leaves this motion, and how it rings "
            "after it.",
            show_default=False,
        ),
    ] = None,
    shaper: Annotated[
        str | None,
        typer.Option(
            metavar="KIND[:HZ,...]",
            help="With --motion: zv, zvd or zvdd, for these frequencies; without them, for those "
            "that ring after the motion.",
            show_default=False,
        ),
    ] = None,
    amplitude: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="With --motion: amplitude that it must settle to, as 20um [m].",
            show_default=False,
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Picture: the lowest vibration, or the motion's ringing."
        ),
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Lowest vibrations of a machine at a pose: frequencies, damping, and the parts to blame.

    With --motion, also how it rings after a motion, and what an input shaper makes of that.
    """
    files = check_files(force=force, table=output, response=response, picture=draw)
    options = {**elastic(), "damping": damping}
    for given, name, needs, there in (
        (shaper, "--shaper", "--motion", motion),
        (amplitude, "--amplitude", "--motion", motion),
        (frequencies, "--frequencies", "--response", response),
    ):
        if given is not None and there is None:
            raise InputError(f"{name} needs {needs}", argument=name[2:])
    machine = find_robot(robot, remarks=True)
    loads = find_loads(machine, payload)
    place = find_pose(machine, pose)
    from gough.elastic.elasticity import elasticity

    with elastic_words():
        found = elasticity(machine, place, loads=loads, preload=preload, **options)
        lowest = found.vibrations(count)
        ringing = [] if motion is None else _ringing(machine, motion, shaper, loads, options)
        if response is not None:
            _write_response(found, response, frequencies, float(lowest.frequencies[-1]))
    size = None if amplitude is None else _amplitude(amplitude)
    if output is not None:
        from gough.base.tables import write_table

        write_table(output, lowest.columns(), words=True)
    if "picture" in files:
        save_picture(
            lambda: ringing[0].draw(*ringing[1:]) if ringing else lowest.draw(1), files["picture"]
        )
    if as_json:
        more = [{**each.to_dict(), **_settled(each, size)} for each in ringing]
        print_json(
            {**lowest.to_dict(), "notes": list(found.notes), "motions": more, "files": files}
        )
        return
    lines = [*lowest.lines()]
    print_facts([*lines[:1], *(("note", note) for note in found.notes), *lines[1:]])
    for each in ringing:
        say()
        print_facts([line for line in each.lines() if line[0] not in ("robot", "note")])
        if size is not None:
            seconds = each.settling(size)
            say(
                f"It stays within {1e6 * size:.4g} um "
                + (
                    f"from {seconds:.3g} s after the end on."
                    if seconds < float("inf")
                    else "never."
                )
            )
    print_places(files)


def _ringing(
    machine: Robot, words: str, shaper: str | None, loads: Any, options: dict[str, Any]
) -> list[ElasticMotion]:
    """The machine in motion as planned, and through a shaper if there is one."""
    from gough.cli.scenario import motion_from_words
    from gough.elastic.in_motion.elastic_motion import elastic_motion
    from gough.elastic.shaper import input_shaper

    path = motion_from_words(machine, words, {})
    with progress_bar("motion") as progress:
        found = [elastic_motion(machine, path, loads=loads, progress=progress, **options)]
    if shaper is None:
        return found
    kind, _, rest = shaper.partition(":")
    if rest:
        frequencies = [_number(word, "--shaper") for word in rest.split(",")]
        made = input_shaper(frequencies, 0.0, kind)
    else:
        made = found[0].suggested_shaper(kind)
    with progress_bar("shaped motion") as progress:
        found.append(
            elastic_motion(machine, path, shaper=made, loads=loads, progress=progress, **options)
        )
    return found


def _settled(each: ElasticMotion, size: float | None) -> dict[str, Any]:
    return {} if size is None else {"amplitude": size, "settles_after": each.settling(size)}


def _amplitude(words: str) -> float:
    from gough.cli.words import one_number

    found = one_number("--amplitude", words, "the amplitude", "m")
    if not found > 0.0:
        raise InputError(
            f"--amplitude is {shown(words)}, expected more than 0", argument="amplitude"
        )
    return found


def _number(word: str, option: str) -> float:
    from gough.cli.words import one_number

    return one_number(option, word, "the frequency", "")


def _write_response(found: Elasticity, path: Path, words: str | None, highest: float) -> None:
    import numpy as np

    from gough.base.tables import write_table

    parts = [] if words is None else [_number(word, "--frequencies") for word in words.split(":")]
    if words is not None and (
        len(parts) not in (2, 3) or not 0.0 <= parts[0] < parts[1] or not 2 <= (*parts, 2)[2] < 1e6
    ):
        raise InputError(
            f"--frequencies is {shown(words)}, expected LO:HI or LO:HI:N [Hz]",
            hint="--frequencies 5:200:400 are 400 frequencies from 5 to 200 Hz.",
            argument="frequencies",
        )
    low, high, number = (
        parts[0] if parts else highest / _POINTS,
        parts[1] if parts else highest,
        _POINTS,
    )
    if len(parts) == 3:
        number = int(parts[2])
    write_table(path, found.response(np.linspace(low, high, number)).columns())
