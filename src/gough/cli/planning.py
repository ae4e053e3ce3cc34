"""``gough calibrate --plan``: what to measure before anything is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gough.cli.files import check_files
from gough.cli.measuring import KLIPPER, find_bench, find_noise, find_prior
from gough.cli.printing import print_result, say
from gough.cli.progress import progress_bar
from gough.cli.proposals import print_proposals
from gough.cli.units import Units
from gough.cli.wording import named_figures
from gough.cli.words import motor_units, numbers, one_number
from gough.errors import InputError, shown

_ON_THE_BED = ("heights", "distances")
"""Kinds that are measured on the bed of a printer."""

_UNITS = {
    "poses": "m rad",
    "orientations": "rad",
    **dict.fromkeys(("positions", "heights", "distances", "lengths"), "m"),
}
"""Units of measured numbers by kind; those of an encoder are those of its axis."""


def make_plan(
    robot: str,
    count: int,
    output: Path | None,
    wanted: dict[str, Any],
    sizes: tuple[str | None, str | None],
    about: dict[str, Any],
    units: Units,
    as_json: bool,
    force: bool,
) -> None:
    """Plan measurements, write and print them.

    Args:
        robot: a robot file, a name of the zoo, or Klipper's ``printer.cfg``.
        count: how many measurements.
        output: table to write.
        wanted: words of ``kind``, ``axis``, ``stroke`` and ``height``.
        sizes: words of ``--prior`` and ``--noise``.
        about: ``free``, ``anchor``, ``device`` and ``tool``.
        units: of turning motors.
        as_json: whether data is printed.
        force: whether a file may be replaced.
    """
    from gough.base.arguments import whole
    from gough.calibration.plan import measurement_plan

    klipper = Path(robot).suffix.lower() == KLIPPER
    whole(count, "--plan", least=1)
    kinds = _kinds(wanted["kind"] or ("heights" if klipper else "poses"))
    _check_together(kinds, axis=wanted["axis"], anchor=about["anchor"])
    prior = find_prior(sizes[0], None if klipper else "manufacturing")
    if sizes[1] == "scaled":
        raise InputError(
            "--noise scaled does not go with --plan: there are no residuals yet",
            hint="Say how well it will be measured: --noise 0.02mm,0.05mrad.",
            argument="noise",
        )
    noise = find_noise(sizes[1], (), planned=" ".join(_UNITS.get(kind, "") for kind in kinds))
    files = check_files(force=force, plan=output)
    height = wanted["height"]
    level = None if height is None else one_number("--height", height, "height", "m")
    bench = find_bench(robot, [], {}, needed=False)
    if bench.printer is not None:
        about["free"] = about["free"] or _free(bench.printer, kinds)
        about["radius"] = bench.printer.print_radius
        level = 0.0 if level is None and {*kinds} & {*_ON_THE_BED} else level
    with progress_bar("plan") as progress, named_figures(bench.robot):
        found = measurement_plan(
            bench.robot,
            kinds,
            count,
            prior=prior,
            noise=noise,
            axis=wanted["axis"],
            stroke=_strokes(bench.robot, wanted["stroke"]),
            height=level,
            progress=progress,
            **about,
        )
        if output is not None:
            found.write(output)

    def show() -> None:
        say()
        cells = [[f"{1e3 * size:.3g}"] for size in found.position[1:]]
        head = ["tool then known to [mm]"]
        print_proposals(bench.robot, found.steps, units, "measure", (head, cells))

    print_result(found, as_json=as_json, files=files, show=show)


def find_anchor(words: str | None) -> list[float] | None:
    """What ``--anchor`` means [m]."""
    if words is None:
        return None
    return [*numbers("--anchor", words, {"x": "m", "y": "m", "z": "m"}).tolist()]


def _kinds(words: str) -> list[str]:
    from gough.base.arguments import check_known
    from gough.calibration.plan import KINDS

    found = [word.strip() for word in words.split(",")]
    for name in found:
        check_known(name, KINDS, "--kind: there is no kind", "kind")
    return found


def _check_together(kinds: list[str], **given: Any) -> None:
    """Refuse encoders without an axis and lengths without an anchor, and the other way round."""
    needs = {
        "axis": ("encoders", "the joint axis that is read: --axis NAME"),
        "anchor": ("lengths", "the fixed point: --anchor X,Y,Z"),
    }
    for name, value in given.items():
        kind, hint = needs[name]
        if value is None and kind in kinds:
            raise InputError(f"--kind {kind} needs --{name}", hint=f"Give {hint}.", argument=name)
        if value is not None and kind not in kinds:
            raise InputError(f"--{name} needs --kind {kind}", argument=name)


def _free(printer: Any, kinds: list[str]) -> tuple[str, ...]:
    """What a firmware fits from such measurements: heights alone do not tell lengths of bars."""
    free = tuple(name for name in printer.free if not name.startswith("bar"))
    return free if kinds == ["heights"] else (*free, *(f"bar[{i}]" for i in range(3)))


def _strokes(robot: Any, words: list[str] | None) -> dict[str, tuple[float, float]] | None:
    """Lowest and highest positions by motor; without a name those of all."""
    from gough.base.arguments import check_known

    if not words:
        return None
    known, found = motor_units(robot), {}
    for word in words:
        name, _, span = word.rpartition("=")
        if name:
            check_known(name, known, "--stroke: there is no motor", "stroke")
        ends = span.split(":")
        if len(ends) != 2:
            raise InputError(
                f"--stroke {shown(word)}: expected LO:HI or MOTOR=LO:HI", argument="stroke"
            )
        for motor in [name] if name else known:
            low, high = (one_number("--stroke", end, motor, known[motor]) for end in ends)
            if not low < high:
                raise InputError(
                    f"--stroke {shown(word)}: the lowest position, {ends[0]}, is not below the "
                    f"highest, {ends[1]}",
                    hint="--stroke LO:HI or --stroke MOTOR=LO:HI",
                    argument="stroke",
                )
            found[motor] = (low, high)
    return found
