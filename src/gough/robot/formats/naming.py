"""Names of files made names of ours: letters, digits and underscores, no two alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gough.robot.names import KEYWORDS

_LONGEST = 60  # of 64: room for a number that tells twins apart


def our_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Our name of each name, in order; those that are fit stay as they are."""
    found: dict[str, str] = {}
    used = {name.lower() for name in taken}
    for name in names:
        ours = _fit(name)
        plain, k = ours, 2
        while ours.lower() in used:
            ours, k = f"{plain}_{k}", k + 1
        used.add(ours.lower())
        found[name] = ours
    return found


def their_name(name: str, known: Iterable[str]) -> str:
    """The name of a file that a name means: itself, or the one that it is ours of."""
    names = list(known)
    fit = [each for each in names if _fit(each) == name]
    return name if name in names or len(fit) != 1 else fit[0]


def _fit(name: str) -> str:
    ours = re.sub(r"[^A-Za-z0-9_]+", "_", name.encode("ascii", "replace").decode())[:_LONGEST]
    if not ours or not ours[0].isalpha():
        ours = f"n{ours}" if ours.strip("_") else "unnamed"
    return f"{ours}_1" if ours in KEYWORDS else ours
