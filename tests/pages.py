"""Pages of robots, made once, and what they know."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import gough
from robots import robot


@cache
def text(name: str) -> str:
    """The page of a robot."""
    return str(gough.view(robot(name), modes=False))


def content(page: str) -> Any:
    """What the page knows."""
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])
