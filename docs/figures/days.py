"""Draws the picture of the page day-mechanism.md by the page's own code."""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "day-mechanism.md"


def main() -> None:
    """Run the Python of the page in an empty folder, and keep its figure."""
    blocks = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            names: dict[str, object] = {}
            for block in blocks:
                exec(block.replace("dpi=200", "dpi=100"), names)
            (HERE / "day_mechanism.png").write_bytes(Path("figure.png").read_bytes())
        finally:
            os.chdir(before)


if __name__ == "__main__":
    main()
