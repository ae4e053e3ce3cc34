"""Names of bodies, joints and axes."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from gough.errors import DescriptionError, shown

PATTERN = r"[A-Za-z][A-Za-z0-9_]{0,63}"
LONGEST_LABEL = 2000

# A name may end up as an identifier in somebody's program.
_C_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while
"""
KEYWORDS = frozenset([*keyword.kwlist, *_C_WORDS.split()])


def check_name(name: object, path: str) -> str:
    """A name that may become an identifier, or an error that says why not."""
    if isinstance(name, str) and name in KEYWORDS:
        raise DescriptionError(
            f"{name!r} is a word of Python or C, not a name", path=path, hint=f"Call it {name}_1."
        )
    if not isinstance(name, str) or not re.fullmatch(PATTERN, name):
        raise DescriptionError(
            f"{shown(name)} is not a name",
            path=path,
            hint="A name is a letter, then letters, digits or _, up to 64; "
            "free text goes to 'label'.",
        )
    return name


def check_label(label: object, path: str) -> str:
    """Free text, bounded."""
    if not isinstance(label, str) or len(label) > LONGEST_LABEL:
        raise DescriptionError(f"a label is text of at most {LONGEST_LABEL} characters", path=path)
    if any("\ud800" <= character <= "\udfff" for character in label):
        raise DescriptionError("holds half of a surrogate pair, which no file can", path=path)
    return label


def joint_of(axis: str) -> str:
    """Name of the joint that an axis belongs to."""
    return axis.partition(".")[0]


def check_distinct(names: Iterable[str], path: str) -> None:
    """Refuse twins, also those that differ in case only."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.get(name.lower())
        if twin == name:
            raise DescriptionError(f"the name {name!r} is given twice", path=path)
        if twin is not None:
            raise DescriptionError(
                f"the names {twin!r} and {name!r} differ only in case",
                path=path,
                hint="Rename one: such twins get mixed up in files, tables and generated code.",
            )
        seen[name.lower()] = name
