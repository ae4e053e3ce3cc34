"""Names of bodies, joints and axes, and the nearest known one for a misspelt name."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Collection, Iterable

from gough.errors import DescriptionError, InputError, shown
from gough.synonyms import find_meant

PATTERN = r"[A-Za-z][A-Za-z0-9_]{0,63}"
LONGEST_LABEL = 2000
_LONGEST, _COMPARED = 256, 1000  # characters of a name, and names that it is compared with
_LIKE = 0.6  # share of letters that agree: 'rk5' is like 'rk4' (0.67), 'rnea' not like 'tree' (0.5)

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


def check_known(name: object, known: Collection[str], what: str, argument: str) -> None:
    """Refuse an argument that is none of the known names; ``what`` begins the message."""
    if not isinstance(name, str) or name not in known:
        raise InputError(f"{what} {shown(name)}", hint=nearest(name, known), argument=argument)


def nearest(name: object, known: Iterable[str]) -> str:
    """A hint that lists the known names, the nearest first."""
    options, word = list(known), str(name)[:_LONGEST]
    # what other libraries call a quantity: it may be like the name of another one
    close = [option for option in options[:_COMPARED] if find_meant(word) == f"gough.{option}"]
    if not close:
        # of names from files, which may be as many as they like; comparing takes its time
        close = difflib.get_close_matches(word, options[:_COMPARED], n=1, cutoff=_LIKE)
    listed = ", ".join(options[:20]) or "none"
    end = ", ..." if len(options) > 20 else "."
    return (f"Did you mean {close[0]!r}? " if close else "") + f"Known: {listed}{end}"
