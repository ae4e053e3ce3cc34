"""Draws the pictures of docs/assembly-modes.md: ``python docs/figures/modes.py``."""

from __future__ import annotations

from pathlib import Path

from make import computed, save

from gough.report.drawing import draw_modes

HERE = Path(__file__).parent
PAGE = HERE.parent / "assembly-modes.md"
NAMES = {"six": "modes_3rrr", "sixteen": "modes_3rps", "forty": "modes_dietmaier"}
"""What the page calls them, and their pictures."""


def main() -> None:
    """Draw what the page computes."""
    found = computed(PAGE)
    for name, picture in NAMES.items():
        save(draw_modes(found[name], title=""), HERE / f"{picture}.png", 110)


if __name__ == "__main__":
    main()
