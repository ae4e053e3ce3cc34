"""Figures as bytes of a file, or as text of a self-contained page."""

from __future__ import annotations

import base64
import re
from io import BytesIO
from typing import TYPE_CHECKING

from gough.report.drawing.style import INK
from gough.report.style import GRID, MOTORS, MUTED, WARN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 160

_ID = re.compile(r'\bid="([^"]*)"')

# Colours that the page defines, so that figures follow it to a dark background.
_VARIABLES = {
    INK: "--ink",
    "#ffffff": "--card",
    MUTED: "--muted",
    GRID: "--line",
    WARN: "--warn",
    **{colour: f"--m{i}" for i, colour in enumerate(MOTORS)},
}

_FONT = re.compile(r"font: ((?:\w+ )*[\d.]+px) [^;\"]*")


def as_bytes(figure: Figure, kind: str) -> bytes:
    """A figure as a file: ``"png"`` or ``"svg"``, without date and version."""
    stream = BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(stream, format=kind, dpi=DPI, metadata=metadata)
    return stream.getvalue()


def as_picture(figure: Figure) -> str:
    """A figure as a data URI of pixels."""
    return "data:image/png;base64," + base64.b64encode(as_bytes(figure, "png")).decode()


def as_drawing(figure: Figure, key: str) -> str:
    """A figure as an SVG element of a page: its colours and letters are those of the page.

    Args:
        figure: drawn in the style of reports.
        key: goes before every name in it, since a page has several drawings.
    """
    figure.set_facecolor("none")
    stream = BytesIO()
    metadata = {"Date": None, "Creator": None, "Type": None, "Format": None}
    figure.savefig(stream, format="svg", metadata=metadata, facecolor="none")
    text = stream.getvalue().decode("utf-8")
    text = text[text.index("<svg") :]
    # what is said of files, not of pages; the style would hold for the whole page
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r' xmlns(?::xlink)?="[^"]*"', "", text).replace("xlink:href", "href")
    text = _named_once(re.sub(r'\bid="', f'id="{key}-', text))
    text = text.replace("url(#", f"url(#{key}-").replace('href="#', f'href="#{key}-')
    text = _FONT.sub(r"font: \1 var(--font)", text)
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    # the page decides how large it is
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r"<svg \1", text, count=1)


def _named_once(text: str) -> str:
    """Names of elements made different; pictures of equal content, as of colour bars, share one."""
    seen: dict[str, int] = {}

    def name(found: re.Match[str]) -> str:
        count = seen[found[1]] = seen.get(found[1], 0) + 1
        return found[0] if count == 1 else f'id="{found[1]}-{count}"'

    return _ID.sub(name, text)
