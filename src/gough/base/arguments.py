"""Arguments that are one thing: a number, a whole number, a switch, a word out of a list.

Each is taken from Python or NumPy alike, and anything else is refused by an error that names the
argument, what was given and what was expected.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError, shown
from gough.synonyms import find_meant

_LONGEST, _COMPARED = 256, 1000  # characters of a name, and names that it is compared with
_LIKE = 0.6  # share of letters that agree: 'rk5' is like 'rk4' (0.67), 'rnea' not like 'tree' (0.5)

LARGEST = 1e100
"""Largest magnitude of a number; beyond it squares and products would overflow unnoticed."""


class Read(NamedTuple):
    """What a value is as a number, or what is wrong with it."""

    number: float
    fault: str


def read_number(value: Any, *, positive: bool = False, nonnegative: bool = False) -> Read:
    """A finite number, with a sign if one is asked for; text and truth values are none."""
    single = not isinstance(value, np.ndarray) or value.ndim == 0
    if isinstance(value, (bool, np.bool_, str)) or not hasattr(value, "__float__") or not single:
        return Read(math.nan, f"expected a number, got {shown(value)}")
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return Read(math.nan, f"expected a number, got {shown(value)}")
    fault = ""
    if not math.isfinite(found):
        fault = f"{found} is not a finite number"
    elif abs(found) > LARGEST:
        fault = f"{found:g} is beyond all measure"
    elif positive and found <= 0.0:
        fault = f"must be positive, is {found:g}"
    elif nonnegative and found < 0.0:
        fault = f"must not be negative, is {found:g}"
    return Read(found, fault)


def number(value: Any, name: str, *, positive: bool = False, nonnegative: bool = False) -> float:
    """A finite number, with a sign if one is asked for.

    Raises:
        InputError: it is none; names the argument.
    """
    found, fault = read_number(value, positive=positive, nonnegative=nonnegative)
    if fault:
        raise InputError(f"{name}: {fault}", argument=name)
    return found


def whole(value: Any, name: str, *, least: int | None = 0) -> int:
    """A whole number, not below the least one.

    Raises:
        InputError: it is none; names the argument.
    """
    good = isinstance(value, (Integral, np.integer)) and not isinstance(value, (bool, np.bool_))
    if not good or (least is not None and value < least):
        wanted = {None: "a whole number", 0: "a whole number, zero or more"}
        raise _refused(value, name, wanted.get(least, f"a whole number, {least} or more"))
    return int(value)


def switch(value: Any, name: str) -> bool:
    """True or False, and nothing that merely counts as one of them.

    Raises:
        InputError: it is neither; names the argument.
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise _refused(value, name, "True or False")


def one_of(value: Any, name: str, known: Collection[str]) -> str:
    """One of some words.

    Raises:
        InputError: it is none of them; lists them.
    """
    if isinstance(value, str) and value in known:
        return str(value)
    listed = [repr(word) for word in known]
    wanted = " or ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
    raise _refused(value, name, wanted)


def words(value: Any, name: str) -> tuple[str, ...]:
    """A list of words; a single word is not one.

    Raises:
        InputError: it is none; names the argument.
    """
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        found = tuple(value)
        if all(isinstance(word, str) for word in found):
            return found
    raise _refused(value, name, "a list of names")


def _refused(value: Any, name: str, wanted: str) -> InputError:
    return InputError(f"{name} is {shown(value)}, expected {wanted}", argument=name)


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
