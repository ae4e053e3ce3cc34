"""No text over text: names that fit where they are written, and ticks that leave each other room.

Names of robots, joints and motors are as long as their makers like.  ``tidy`` looks at a figure as
it will be drawn: it shortens titles and names that are too long for their places, and takes ticks
away where their numbers run into each other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gough.errors import visible
from gough.report.style import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROUNDS = 4
_LEAST = 6  # letters that are left of a name
_LETTER = 0.065  # width of a narrow letter of a title [inch]


def tidy(figure: Figure) -> Figure:
    """The figure with titles that fit and ticks that do not touch; the same object."""
    from matplotlib.text import Text  # noqa: PLC0415  heavy: loaded on first use

    for text in figure.findobj(Text):
        if visible(words := text.get_text()) != words:  # labels may come from files of others
            text.set_text(visible(words))
    shown = [axes for axes in figure.axes if axes.get_visible()]
    for axes in shown:
        _cut_title(axes)
    figure.draw_without_rendering()
    for _ in range(_ROUNDS):
        thinned = [_thin_ticks(axes) for axes in shown]
        if not any(thinned):
            break
        figure.draw_without_rendering()
    for axes in shown:
        _fit_title(axes)
    return figure


def _title(axes: Any) -> Any:
    """The title of a panel, in the middle or on the left; none if it is empty."""
    return next((t for t in (axes.title, axes._left_title) if t.get_text()), None)


def _cut_title(axes: Any) -> None:
    """Cut a title that is longer than its column of panels: no layout would hold it."""
    title, place = _title(axes), axes.get_subplotspec()
    if title is None or place is None:
        return
    share = place.colspan.stop - place.colspan.start
    wide = axes.figure.get_figwidth() * share / place.get_gridspec().ncols
    title.set_text(shortened(title.get_text(), max(int(wide / _LETTER), _LEAST)))


def _fit_title(axes: Any) -> None:
    """Shorten a title that is wider than the room to the next panel."""
    title = _title(axes)
    # looking at the neighbours takes longer than looking at the panel itself
    if title is None or title.get_window_extent().width <= axes.get_window_extent().width:
        return
    words, free = title.get_text(), _room(axes)
    kept = len(words)
    while (wide := title.get_window_extent().width) > free and kept > _LEAST:
        kept = max(min(int(kept * free / wide), kept - 1), _LEAST)
        title.set_text(shortened(words, kept))


def _room(axes: Any) -> float:
    """Width from the left of a panel to the next one on its right, or the figure's edge [px]."""
    here = axes.get_window_extent()
    others = [
        other
        for other in axes.figure.axes
        if other.get_visible() and _beside(here, other.get_window_extent())
    ]
    if not others:
        return float(axes.figure.bbox.x1 - here.x0)
    nearest = min(others, key=lambda other: other.get_window_extent().x0)
    return float(nearest.get_tightbbox().x0 - here.x0)


def _beside(here: Any, other: Any) -> bool:
    """Whether another panel is to the right, at the same height."""
    return bool(other.x0 > here.x0 + 1.0 and other.y0 < here.y1 and other.y1 > here.y0)


def _thin_ticks(axes: Any) -> bool:
    """Fewer ticks where numbers along an axis touch each other; whether there were too many."""
    changed = False
    for name, side in (("x", "x0"), ("y", "y0")):
        if name not in _numbered(axes):
            continue
        axis = getattr(axes, f"{name}axis")
        low, high = sorted(axis.get_view_interval())
        seen = [t.label1 for t in axis.get_major_ticks() if low <= t.get_loc() <= high]
        boxes = [t.get_window_extent() for t in seen if t.get_text() and t.get_visible()]
        boxes.sort(key=lambda box: getattr(box, side))
        end, space = ("x1", 4.0) if name == "x" else ("y1", 1.0)
        close = [getattr(a, end) + space > getattr(b, side) for a, b in pairwise(boxes)]
        if any(close) and len(boxes) > 2:
            axes.locator_params(axis=name, nbins=max(len(boxes) // 2, 1))
            changed = True
    return changed


def _numbered(axes: Any) -> str:
    """The axes of a panel whose ticks can be chosen: linear ones."""
    scales = {"x": axes.get_xscale(), "y": axes.get_yscale()}
    return "".join(name for name, scale in scales.items() if scale == "linear")
