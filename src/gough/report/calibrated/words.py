"""A calibration in sentences."""

from __future__ import annotations

import numpy as np

from gough.base.english import counted, listed
from gough.calibration.result import EXPLAINED, Calibration, outlier_words
from gough.report.figures import number
from gough.report.words import Tile, unbroken

NAMES = {"m": "lengths", "rad": "angles"}
"""What numbers of a unit are."""


def explained(calibration: Calibration) -> bool:
    """Whether nothing contradicts the calibrated machine."""
    left = [each for each in calibration.outliers if each.label not in calibration.dropped]
    if not calibration.noise_is_known:
        return not left and not any("is no noise" in each for each in calibration.findings)
    return not left and calibration.chi_square <= EXPLAINED


def verdict(calibration: Calibration) -> str:
    """The whole page in a few words."""
    left = [each for each in calibration.outliers if each.label not in calibration.dropped]
    if left:
        return counted(len(left), "outlier")
    return "measurements explained" if explained(calibration) else "more than noise is left"


def summary(calibration: Calibration) -> list[str]:
    """The page in a few sentences."""
    r, o, b = calibration.residuals, calibration.observability, calibration.behaviour
    found = [
        f"The machine as described misses the measurements by {_both(calibration, 'before')} (root "
        f"mean square); calibrated, by {_both(calibration, 'after')}."
    ]
    if any(np.isfinite(r.rms("left_out", unit)) for unit in r.units):
        found.append(
            "Each measurement predicted by all others is missed by "
            f"{_both(calibration, 'left_out')}."
        )
    if calibration.held_back is not None:
        held = calibration.held_back
        units = [unit for unit in held.units if held.rms("before", unit) > 0.0]
        sizes = listed(
            f"{size(held.rms('before', unit), unit)} to {size(held.rms('after', unit), unit)}"
            for unit in units
        )
        found.append(f"Measurements that were held back went from {sizes}.")
    found.append(
        f"The tool is known to {size(b.position, 'm')} and {size(b.angle, 'rad')} (one standard "
        f"deviation) where it was measured, and to {size(b.position_everywhere, 'm')} and "
        f"{size(b.angle_everywhere, 'rad')} all over the stroke of the motors."
    )
    found.append(
        f"Of {counted(o.parameters, 'free parameter')} the measurements show "
        f"{counted(o.identifiable, 'combination')}, {o.known} of them better than parts are made."
    )
    return [unbroken(sentence) for sentence in found]


def attention(calibration: Calibration) -> list[str]:
    """What a reader has to look at: outliers, and what was found."""
    found = [f"{outlier_words(each)}." for each in calibration.outliers]
    return [unbroken(sentence) for sentence in (*found, *calibration.findings)]


def tiles(calibration: Calibration) -> list[Tile]:
    """Figures for the top of the page."""
    r, held = calibration.residuals, calibration.held_back
    found = []
    for unit in r.units:
        for key, name in (
            ("before", "before"),
            ("after", "after"),
            ("left_out", "predicted by the others"),
        ):
            if np.isfinite(r.rms(key, unit)):
                found.append(_tile(f"{NAMES[unit]}, {name}", r.rms(key, unit), unit))
        if held is not None and unit in held.units:
            found.append(_tile(f"{NAMES[unit]}, held back", held.rms("after", unit), unit))
    if calibration.noise_is_known:  # found from the residuals it is 1 whatever the model is
        found.append(Tile("chi square (1 is expected)", number(calibration.chi_square), ""))
    known = calibration.behaviour
    found.append(_tile("tool's position known to", known.position, "m"))
    found.append(_tile("tool's direction known to", known.angle, "rad"))
    return found


def _tile(name: str, value: float, unit: str) -> Tile:
    text, _, word = size(value, unit).partition(" ")
    return Tile(name, text, word)


def size(value: float, unit: str) -> str:
    """A length or an angle as one would say it; nothing is known of what is infinite."""
    if not np.isfinite(value):
        return "unknown"
    factor, word = (1e6, "µ") if value < 1e-3 else (1e3, "m")
    return f"{number(value * factor)} {word}{unit}"


def _both(calibration: Calibration, what: str) -> str:
    r = calibration.residuals
    return listed(size(r.rms(what, unit), unit) for unit in r.units)
