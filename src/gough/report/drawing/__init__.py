"""Pictures of robots: a scene of plain geometric data, and two painters for it.

``places`` finds every body, ``sketch`` fixes shapes to bodies once at home, ``scene`` is the
result for a posture; ``space`` and ``flat`` paint it.  matplotlib is imported when it is needed.
"""

from gough.report.drawing.figure import draw, draw_row, scenes
from gough.report.drawing.modes import draw_modes

__all__ = ["draw", "draw_modes", "draw_row", "scenes"]
