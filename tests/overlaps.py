"""Texts of a figure that lie on each other, or outside of it, as matplotlib would draw them."""

from unittest.mock import patch

from matplotlib.text import Text

SLACK = 2.0
"""Overlap of boxes [px at 100 dpi] that is no overlap: boxes have the height of a whole line, and
fonts differ from machine to machine."""


def drawn_texts(figure):
    """Every text that is drawn, and its box [px]; ticks beyond the axes are not."""
    found = []
    draw = Text.draw

    def recorded(self, renderer, *args, **kwargs):
        draw(self, renderer, *args, **kwargs)
        if self.get_visible() and self.get_text().strip():
            found.append((self.get_text(), self.get_window_extent(renderer)))

    with patch.object(Text, "draw", recorded):
        figure.draw_without_rendering()
    return found


def faults(figure):
    """Sentences about texts that lie on each other or are cut off at the edge."""
    texts = drawn_texts(figure)
    said = []
    edge = figure.bbox
    for k, (one, a) in enumerate(texts):
        if (
            a.x0 < edge.x0 - SLACK
            or a.x1 > edge.x1 + SLACK
            or a.y0 < edge.y0 - SLACK
            or a.y1 > edge.y1 + SLACK
        ):
            said.append(f"{one!r} is cut off")
        for other, b in texts[k + 1 :]:
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            high = min(a.y1, b.y1) - max(a.y0, b.y0)
            if wide > SLACK and high > SLACK:
                said.append(f"{one!r} lies on {other!r}")
    return said
