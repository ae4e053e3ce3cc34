"""Tables of a calibration: what went in, parameters, observability, what to measure next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base import turns
from gough.base.english import counted, listed, percent
from gough.calibration.design import Proposal
from gough.calibration.result import LARGE, Calibration, Estimate
from gough.report.blocks import Block, facts, vector
from gough.report.calibrated.joints import SIGMAS, Spread
from gough.report.calibrated.words import NAMES, size
from gough.report.figures import number

MANY = 40
"""Parameters from which their table is folded."""

_LARGE_ANGLE = 0.1  # [rad]; larger ones are read in degrees
_UNSEEN = 1e-6  # of a standard deviation: a change that is none


def went_in(calibration: Calibration) -> list[Block]:
    """Tables of what a calibration was computed from."""
    robot, held = calibration.nominal, calibration.held_back
    machine = [
        ("robot", robot.name + (f": {robot.label}" if robot.label else "")),
        ("motors", ", ".join(robot.motors)),
        ("free", _free(calibration.parameters)),
        ("prior", _prior(calibration.parameters)),
        ("steps of the fit", str(calibration.steps)),
    ]
    if calibration.scale != 1.0:
        machine.append(
            ("scale of the noise", f"{number(calibration.scale)} times as said, by the residuals")
        )
    if held is not None:
        machine.append(
            ("held back", counted(len({row.measurement for row in held.rows}), "measurement"))
        )
    if calibration.dropped:
        machine.append(("left out as outliers", listed(calibration.dropped)))
    heads = ("measured", "how many", "numbers", "standard deviation")
    return [facts("", machine), Block("", heads, _measured(calibration))]


def _measured(calibration: Calibration) -> list[tuple[str, ...]]:
    r = calibration.residuals
    groups: dict[tuple[str, str], list[int]] = {}
    for k, row in enumerate(r.rows):
        groups.setdefault((row.kind, row.unit), []).append(k)
    found: list[tuple[str, ...]] = []
    for (kind, unit), rows in groups.items():
        count = len({r.rows[k].measurement for k in rows})
        names = dict.fromkeys(r.rows[k].name for k in rows)
        low, high = (size(float(f(r.std[rows])), unit) for f in (np.min, np.max))
        noise = low if low == high else f"{low} to {high}"
        what = kind if [*names] == [kind] else f"{kind} ({' '.join(names)})"
        found.append((what, str(count), str(len(rows)), noise))
    return found


def _free(parameters: Sequence[Estimate]) -> str:
    counts: dict[str, int] = {}
    for each in parameters:
        counts[_what(each)] = counts.get(_what(each), 0) + 1
    said = ", ".join(f"{count} {what}" for what, count in counts.items())
    return f"{counted(len(parameters), 'parameter')}: {said}"


def _what(each: Estimate) -> str:
    if each.owner in ("device", "tool"):
        return f"of the {each.owner}"
    if each.owner == "maker":
        return "figures of the maker"
    parts = [part for part in each.name.split(".") if part not in "xyz"]
    return {"position": "positions", "direction": "directions", "length": "lengths"}.get(
        parts[-1], f"{parts[-1]}s"
    )


def _prior(parameters: Sequence[Estimate]) -> str:
    own = [each for each in parameters if each.owner != "device"]
    if not any(np.isfinite(each.prior) for each in own):
        return "none: plain least squares"
    found = []
    for unit in dict.fromkeys(each.unit for each in own):
        low, high = (f(each.prior for each in own if each.unit == unit) for f in (min, max))
        if unit:
            said = size(low, unit) if low == high else f"{size(low, unit)} to {size(high, unit)}"
            found.append(f"{NAMES[unit]} {said}")
        else:
            found.append(f"gains {number(low * 1e6)} ppm")
    return f"standard deviations: {', '.join(found)}"


class Group(NamedTuple):
    """Parameters of one owner.

    Attributes:
        owner: joint, motor, body, ``device``, ``tool`` or ``maker``.
        rows: name, nominal, value, change, standard deviation, and how much the data say [%].
    """

    owner: str
    rows: list[tuple[str, str, str, str, str, str]]


HEADS = ("parameter", "nominal", "value", "change", "standard deviation", "data say")


def parameters(calibration: Calibration) -> list[Group]:
    """Rows of all free parameters, owner by owner in the order of the robot."""
    groups: dict[str, list[tuple[str, str, str, str, str, str]]] = {}
    for each in calibration.parameters:
        groups.setdefault(each.owner, []).append(_row(each))
    return [Group(owner, rows) for owner, rows in groups.items()]


def _row(each: Estimate) -> tuple[str, str, str, str, str, str]:
    factor, unit = LARGE[each.unit]
    if each.unit == "rad" and abs(each.nominal) > _LARGE_ANGLE:
        factor, unit = 180.0 / np.pi, "deg"
    change = each.value - each.nominal
    if abs(change) < _UNSEEN * (each.std if np.isfinite(each.std) else abs(each.nominal)):
        change = 0.0
    if each.unit:
        nominal, value = (f"{v * factor:.4f} {unit}" for v in (each.nominal, each.value))
        fine = f"{change * factor:+.4f} {unit}"
        std = f"{number(each.std * factor)} {unit}"
    else:
        nominal, value = (f"{v:.6f}" for v in (each.nominal, each.value))
        fine = f"{change * 1e6:+.1f} ppm"
        std = f"{number(each.std * 1e6)} ppm"
    if not np.isfinite(each.std):
        std = "unknown"
    minus = [text.replace("-", "\N{MINUS SIGN}") for text in (nominal, value, fine)]
    return each.name, minus[0], minus[1], minus[2], std, percent(each.said)


def observability(calibration: Calibration) -> Block:
    """Figures that say how well the measured states show the parameters, each explained."""
    o = calibration.observability
    rows = [
        (
            "parameters",
            str(o.parameters),
            "numbers of the geometry that were free to differ from the description",
        ),
        (
            "combinations shown",
            str(o.identifiable),
            "independent combinations of them that change some measurement (the rank)",
        ),
        (
            "known better than tolerances",
            str(o.known),
            "combinations that the measurements fix closer than parts are made",
        ),
        (
            "O1",
            number(o.O1),
            "geometric mean of the singular values over the root of the count of numbers: overall "
            "information; larger is better",
        ),
        (
            "O3",
            number(o.O3),
            "smallest singular value, in standard deviations of the noise per tolerance: how well "
            "the least visible combination is seen",
        ),
        (
            "condition",
            number(o.condition),
            "largest over smallest singular value: how unevenly the combinations are seen; 1 would "
            "be best",
        ),
    ]
    if o.admissible < o.parameters:
        rows.insert(
            1,
            (
                "admitted by the loops",
                str(o.admissible),
                "combinations with which this over-constrained machine can be assembled",
            ),
        )
    return facts("", ((heading, f"{value}: {what}") for heading, value, what in rows))


def proposals(calibration: Calibration, found: Sequence[Proposal]) -> Block:
    """Motor positions of measurements to make next."""
    layout = calibration.design.problem.bench.layout
    units = [layout.motor_unit(name) for name in calibration.nominal.motors]
    rows = []
    for k, each in enumerate(found, start=1):
        bits = each.gain / (2.0 * np.log(2.0))
        for s, q in enumerate(each.motors):
            first = s == 0
            where = ", ".join(f"{1e3 * v:.1f}" for v in each.pose[s, :3, 3])
            cells = [
                f"{1e3 * v:.3f}" if unit == "m" else f"{np.degrees(v):.3f}"
                for v, unit in zip(q, units, strict=True)
            ]
            cells = [text.replace("-", "\N{MINUS SIGN}") for text in (*cells, where)]
            head = f"{k}. {each.kind}" if first else "and to"
            rows.append((head, *cells, number(bits) if first else ""))
    names = [
        f"{name} [{'mm' if unit == 'm' else 'deg'}]"
        for name, unit in zip(calibration.nominal.motors, units, strict=True)
    ]
    heads = ("measure", *names, "tool at [mm]", "gain [bit]")
    note = (
        "Motor positions as the controller reads them. Each is the measurement that tells most "
        "after those above it; one bit halves the volume of what is unknown."
    )
    return Block("", heads, rows, note)


def frames(found: Sequence[Spread]) -> Block:
    """Half axes of the ellipsoids of joints' frames."""
    rows = [
        (
            each.joint,
            each.body,
            *(number(1e3 * axis, full=True) for axis in each.half_axes),
            percent(max(each.said, 0.0)),
        )
        for each in found
    ]
    heads = ("joint", "on body", "longest [mm]", "middle [mm]", "shortest [mm]", "data say")
    note = f"Half axes of the ellipsoids of {SIGMAS:g} standard deviations."
    return Block("", heads, rows, note, left=2)


def placed(calibration: Calibration) -> Block:
    """Where device and tool were found to be, if that was free."""
    rows: list[tuple[str, ...]] = []
    names = {each.name: each for each in calibration.parameters}
    for owner, name, T in (
        ("device", "measuring device in the base", calibration.T_0d),
        ("tool", "tool on the platform", calibration.T_pt),
    ):
        moved = [names.get(f"{owner}.position.{axis}") for axis in "xyz"]
        if not any(moved):
            continue
        if owner == "tool" and np.array_equal(T, np.eye(4)):
            by = np.array([0.0 if each is None else each.value - each.nominal for each in moved])
            said = f"moved to the tool, by {vector(np.round(1e3 * by, 4), 'mm')}"
            rows.append(("platform's frame", said))
            continue
        turned = np.degrees(turns.to_rpy(T[None, :3, :3])[0])
        at = vector(np.round(1e3 * T[:3, 3], 4), "mm")
        rows.append((name, f"{at}, roll pitch yaw {vector(np.round(turned, 5), 'deg')}"))
    return Block("", (), rows)
