"""How far a section must go to hold the whole reach: a box that grows from home."""

from __future__ import annotations

import numpy as np

from gough.loops.closing import Closer, States
from gough.sections.figures import figures
from gough.sections.flood import flooded
from gough.sections.section import Section, Wish

_COARSE = {1: 161, 2: 33, 3: 15}
"""Points along each freedom while the box is sought."""

_FIRST, _MOST = 0.75, 4.0
"""Half the first box and half the largest one, natural units; a turn goes to half a turn."""

_MARGIN = 1.5  # coarse cells around what is reached


def found_spans(
    closer: Closer, wish: Wish, start: States, *, home: bool, limits: bool
) -> dict[str, tuple[float, float]]:
    """Lowest and highest value of every freedom that varies; given ones stay.

    The box grows on every side where something at its border is reached, up to four lengths of
    the robot (legs without limits reach any distance) or half a turn.
    """
    assembly = closer.assembly
    here = dict(zip(assembly.freedoms, start.y[0, closer.free], strict=True))
    scale = dict(zip(assembly.freedoms, assembly.scales.freedoms, strict=True))
    spans = {
        name: given or _around(name, here[name], _FIRST * scale[name], scale[name])
        for name, given in wish.spans.items()
    }
    open_ones = [name for name, given in wish.spans.items() if given is None]
    if not open_ones:
        return spans
    for _ in range(12):
        section = wish.coarse(assembly, spans, _COARSE[len(spans)])
        inside = _inside(closer, section, start, home=home, limits=limits)
        grown = False
        for k, name in enumerate(section.names):
            if name not in open_ones or not inside.any():
                continue
            ends = np.moveaxis(inside.reshape(section.shape), k, 0)[[0, -1]].reshape(2, -1)
            low, high = spans[name]
            width = high - low
            wider = _around(name, here[name], _MOST * scale[name], scale[name])
            if ends[0].any() and low > wider[0]:
                low, grown = max(low - 0.5 * width, wider[0]), True
            if ends[1].any() and high < wider[1]:
                high, grown = min(high + 0.5 * width, wider[1]), True
            spans[name] = (low, high)
        if not grown:
            break
    return _tight(section, inside, spans, open_ones)


def _around(name: str, middle: float, half: float, scale: float) -> tuple[float, float]:
    if name.startswith("r"):
        return max(middle - half, -np.pi), min(middle + half, np.pi)
    return middle - half, middle + half


def _inside(
    closer: Closer, section: Section, start: States, *, home: bool, limits: bool
) -> np.ndarray:
    states = flooded(closer, section, start, home=home, progress=lambda _: None)
    if not limits:
        return states.good
    return states.good & (figures(closer, states, closer.assembly.length).beyond < 0)


def _tight(
    section: Section,
    inside: np.ndarray,
    spans: dict[str, tuple[float, float]],
    open_ones: list[str],
) -> dict[str, tuple[float, float]]:
    """The box drawn in to what is reached."""
    if not inside.any():
        return spans
    where = np.unravel_index(np.flatnonzero(inside), section.shape)
    found = dict(spans)
    for k, name in enumerate(section.names):
        if name in open_ones:
            values, step = section.values[k], _MARGIN * section.spacing[k]
            low, high = values[where[k].min()] - step, values[where[k].max()] + step
            turn = name.startswith("r")
            found[name] = (max(low, -np.pi), min(high, np.pi)) if turn else (low, high)
    return found
