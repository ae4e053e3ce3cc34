"""Picture of a fastest motion: the rate along the path, and how far limits are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gough.report.drawing.style import INK
from gough.report.style import DASHES, MOTORS, WARN, quiet_style, sheet
from gough.timing.result import Fastest

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_fastest(found: Fastest) -> Figure:
    """Rate and use of limits over time; see :meth:`gough.timing.Fastest.draw`."""
    grid = found.grid
    with quiet_style():
        figure, axes = sheet(4.4, 2, 1, sharex=True)
        rate, use = axes[:, 0]
        rate.plot(grid.t, grid.rate, color=INK)
        rate.set_ylabel(f"rate along the path [{found.unit}/s]")
        rate.set_title(found.sentence)
        known = [k for k in range(len(grid.names)) if grid.shares[:, k].max() > 0.0]
        for place, k in enumerate(known):
            colour = MOTORS[place % len(MOTORS)]
            dash = DASHES[place // len(MOTORS) % len(DASHES)]
            use.plot(grid.t, 100.0 * grid.shares[:, k], dash, color=colour, label=grid.names[k])
        use.axhline(100.0, color=WARN, lw=0.8)
        use.set_ylabel("use of limits [%]")
        use.set_xlabel("time [s]")
        use.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure
