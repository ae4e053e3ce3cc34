"""What a plain YAML scalar means: the core schema of YAML 1.2, and nothing else.

``1e3`` is a float and ``012`` is twelve; ``on``, ``yes`` and ``1_000`` are strings.
"""

from __future__ import annotations

import re

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INF = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = frozenset([".nan", ".NaN", ".NAN"])

# Longer runs of digits are floats: int() takes quadratic time over them, and no key needs them.
_LONGEST_INT = 15

Scalar = None | bool | int | float | str


def resolve(text: str) -> Scalar:
    """Value of a plain (unquoted) scalar."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _BASED.fullmatch(text):
        return int(text, 0) if len(text) <= _LONGEST_INT else float("inf")
    if _INT.fullmatch(text) and len(text) <= _LONGEST_INT:
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INF.fullmatch(text):
        return float(text.replace(".", "", 1))
    if text in _NAN:
        return float("nan")
    return text


def join_surrogates(text: str) -> str:
    r"""Text in which a pair of escapes, as JSON writes them (``\ud83d\ude00``), is one character.

    Half a pair is left as it is: the check of the key that holds it refuses it.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
