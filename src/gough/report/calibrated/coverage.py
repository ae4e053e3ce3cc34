"""Where was measured, where the machine can be measured, and where it should be measured next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gough.calibration.design import Proposal
from gough.calibration.kinds import Positions
from gough.calibration.result import Calibration
from gough.report.calibrated.maps import views
from gough.report.drawing.style import INK
from gough.report.style import GRID, MOTORS, MUTED, WIDTH, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def coverage(calibration: Calibration, proposals: Sequence[Proposal]) -> Figure:
    """The tool's places, frame of the device: measured, within reach, and to be measured next."""
    can = 1e3 * calibration.design.imagined(Positions)[0].values
    done = 1e3 * calibration.design.fitted.seen.T_dt[:, :3, 3]
    then = 1e3 * np.concatenate([each.pose[:, :3, 3] for each in proposals])
    shown = views(np.concatenate([can, done, then]))
    figure = blank(WIDTH, 3.9, "constrained")
    for axes, view in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown, strict=True):
        which = [view.right, view.up]
        axes.plot(
            *can[:, which].T, ".", color=GRID, ms=5.0, mec=MUTED, mew=0.3, label="within reach"
        )
        axes.plot(*done[:, which].T, ".", color=MOTORS[1], ms=6.0, label="measured")
        for each in proposals:
            ends = 1e3 * each.pose[:, :3, 3][:, which]
            axes.plot(*ends.T, color=MOTORS[0], lw=0.9)
        axes.plot(
            *then[:, which].T, "D", color=MOTORS[0], mec=INK, mew=0.6, ms=6.0, label="measure next"
        )
        axes.set_aspect("equal", adjustable="datalim")
        axes.set(xlabel=f"{'xyz'[view.right]} [mm]", ylabel=f"{'xyz'[view.up]} [mm]")
        axes.set_title(view.name if len(shown) > 1 else "")
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=len(names))
    return figure
