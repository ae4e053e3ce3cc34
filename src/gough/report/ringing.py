"""Picture of an elastic machine in motion: how far it leaves the plan, how it rings after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gough.base.english import listed
from gough.elastic.in_motion.result import ElasticMotion
from gough.report.style import MOTORS, MUTED, legend_above, quiet_style, sheet
from gough.report.tidy import tidy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FACTORS = ((slice(0, 3), "origin [um]"), (slice(3, 6), "turning [urad]"))
_PER_PERIOD = 24
_MOST = 20_000


def draw_ringing(found: Sequence[ElasticMotion]) -> Figure:
    """Size of the displacement over time; see :meth:`gough.ElasticMotion.draw`."""
    with quiet_style():
        figure, axes = sheet(4.6, 2, 1, sharex=True)
        for k, each in enumerate(found):
            colour, name = MOTORS[k % len(MOTORS)], _name(each)
            t, platform = _fine(each)
            for panel, (part, _) in zip(axes[:, 0], _FACTORS, strict=True):
                size = 1e6 * np.linalg.norm(platform[:, part], axis=1)
                panel.plot(t, size, color=colour, label=name)
                panel.axvline(each.motion.duration, color=colour, lw=0.8, ls=":")
        for panel, (_, unit) in zip(axes[:, 0], _FACTORS, strict=True):
            panel.set_ylabel(unit)
            panel.set_ylim(bottom=0.0)
        axes[0, 0].set_title(f"{found[0].robot.name}: displacement from the plan")
        axes[1, 0].set_xlabel("time [s]; dotted: the motion ends", color=MUTED)
        legend_above(figure, axes[0, 0])
        return tidy(figure)


def _name(each: ElasticMotion) -> str:
    if each.shaper is None:
        return "as planned"
    cancelled = listed([f"{f:.3g}" for f in each.shaper.frequencies])
    return f"{each.shaper.kind}, {cancelled} Hz"


def _fine(each: ElasticMotion) -> tuple[np.ndarray, np.ndarray]:
    """Times and displacements, after the end as fine as the oscillations there are."""
    sizes = np.linalg.norm(each.amplitudes[:, :3], axis=1)
    fastest = each.frequencies[sizes > 0.02 * sizes.max(initial=0.0)].max(initial=0.0)
    more = float(each.t[-1]) - each.motion.duration
    count = int(min(more * fastest * _PER_PERIOD, _MOST)) + 2
    late = np.linspace(0.0, more, count)
    before = each.during
    return (
        np.concatenate([each.t[before], each.motion.duration + late]),
        np.concatenate([each.platform[before], each.after(late)]),
    )
