"""Pages of robots, made once, and what they know."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import Any

import gough
from gough.compiler.tracing.program import Program
from gough.dynamics.quantities.variant import Variant
from gough.mechanism.mobility.assembly import Assembly
from gough.report.view import computing
from robots import robot

_traced = lru_cache(maxsize=2)(computing.programs)


def programs(
    assembly: Assembly, loaded: Variant = computing.LOADED
) -> tuple[dict[str, Program], list[str]]:
    """What the page of a robot computes, traced once for the page and for whoever judges it."""
    found, missing = _traced(assembly, loaded)
    return {**found}, [*missing]


computing.programs = programs


@cache
def text(name: str) -> str:
    """The page of a robot."""
    return str(gough.view(robot(name), modes=False))


def content(page: str) -> Any:
    """What the page knows."""
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])
