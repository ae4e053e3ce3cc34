"""The index of the zoo, from which ``gough list`` answers at once.

python tests/zoo_index.py --write     # assembles all robots and writes src/gough/zoo/index.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from gough.cli.commands.starting import listed
from gough.zoo import registry

PAGE = Path(__file__).resolve().parents[1] / "src" / "gough" / "zoo" / "index.json"


def text() -> str:
    """The index as it should be: one robot a line."""
    lines = [json.dumps(listed(name), ensure_ascii=False) for name in registry.names()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/zoo_index.py --write")
    PAGE.write_text(text(), encoding="utf-8")
