"""What is listed of every robot of the zoo, worked out beforehand: assembling them takes seconds.

``python tests/zoo_index.py --write`` writes the file; a test compares it with the robots.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

FILE = "index.json"


def index() -> dict[str, dict[str, Any]]:
    """By name: legs in letters, mobility, freedoms, motors and label, as plain data."""
    text = resources.files("gough.zoo").joinpath(FILE).read_text("utf-8")
    return {entry["name"]: entry for entry in json.loads(text)}
