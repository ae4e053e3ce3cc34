"""Which figures a calibration has, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gough.calibration.design import Proposal
from gough.calibration.result import Calibration
from gough.report.calibrated import joints, maps, tilt
from gough.report.calibrated.coverage import coverage
from gough.report.calibrated.measured import Kind, by_kind
from gough.report.calibrated.spread import spread
from gough.report.gallery import Shown

NEXT = 5
"""Measurements that are proposed."""

_ROTATIONS = ("rx", "ry", "rz")


def gallery(calibration: Calibration, proposals: tuple[Proposal, ...]) -> Iterator[Shown]:
    """The figures, in reading order."""
    for one in by_kind(calibration):
        yield from _of_kind(one)
    caption = (
        "Left: residuals after calibration over their standard deviations, and the normal "
        "distribution they would have if model and noise were right; the outermost bars hold all "
        "beyond. Right: root mean square of each measurement's numbers."
    )
    if calibration.dropped:
        caption += " Measurements that were left out of the fit are not shown."
    yield Shown("spread", "residuals", caption, lambda: spread(calibration))
    found, unknown = joints.spreads(calibration)
    if found:
        caption = (
            "Where the origins of joints' frames may be: ellipsoids of two standard deviations at "
            "their joints, magnified. Directions in which the measurements say nothing have the "
            "length of the prior."
        )
        if unknown:
            caption += f" Not drawn, because nothing is known of them: {', '.join(unknown)}."
        yield Shown(
            "joints", "joints", caption, lambda: joints.ellipsoids(calibration), raster=True
        )
    turned = tilt.tilt(calibration) if calibration.parasitic.tilt > tilt.STILL else None
    if turned is not None:
        caption = (
            "Rotation of the platform from its mean orientation, predicted with the calibrated "
            "machine where the machine as described does not rotate at all. Arrows point to where "
            "the platform goes down, longer where it tilts more."
        )
        yield Shown("tilt", "tilt", caption, partial(tilt.figure, turned))
    if proposals:
        caption = (
            "Places of the tool, frame of the measuring device: measured, within reach of the "
            "motors, and those that would tell most."
        )
        yield Shown("next", "next", caption, lambda: coverage(calibration, proposals))


def _of_kind(one: Kind) -> Iterator[Shown]:
    """Maps of one kind of measurement."""
    frame = "Frame of the measuring device." + " Red rings: outliers." * bool(one.strange.any())
    if one.kind in ("pose", "position"):
        caption = (
            f"{one.kind.capitalize()}s: arrows from predicted to measured positions, magnified as "
            f"written above. {frame}"
        )
        yield Shown(f"{one.kind}s", "residuals", caption, partial(maps.displacements, one))
    turned = one.chosen(_ROTATIONS)
    if turned:
        names = f"rotation {one.names[turned[0]]}" if len(turned) == 1 else "size of the rotation"
        caption = (
            f"{one.kind.capitalize()}s: {names} from predicted to measured, at the tool's places. "
            f"{frame}"
        )
        key = f"{one.kind}s_turned"
        yield Shown(key, "residuals", caption, partial(maps.coloured, one, turned))
    elif one.kind not in ("pose", "position"):
        what = {
            "distance": "Distances: lines between the two places.",
            "length": "Lengths: lines from the fixed point to the tool.",
            "height": "Heights over the plane, seen from above.",
        }.get(one.kind, f"{one.kind.capitalize()}s at the tool's places.")
        what += " Colours: measured less predicted."
        key = f"{one.kind}s_{one.units[0]}" if one.kind == "encoder" else f"{one.kind}s"
        yield Shown(key, "residuals", f"{what} {frame}", partial(maps.coloured, one, [0]))
