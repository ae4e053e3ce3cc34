"""Numbers written as small expressions: ``-pi/2``, ``0.3*cos(0.1)``; nothing else is understood."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from gough.robot.formats.model import Place

_WORDS = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\w+|\*\*|[-+*/()^])")
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    **{"sin": math.sin, "cos": math.cos, "tan": math.tan},
    **{"sqrt": math.sqrt, "asin": math.asin, "acos": math.acos, "atan": math.atan},
}
_DEEPEST = 50


def value_of(text: str, place: Place) -> float:
    """The number that an expression means."""
    try:
        found = _Reader(text).all()
    except (ValueError, ZeroDivisionError, OverflowError, KeyError) as err:
        place.refuse(
            f"{text!r} is not a number",
            hint="Symbols need values: write the number in their place."
            if isinstance(err, KeyError)
            else "Numbers, pi, + - * / and sin, cos, tan, sqrt are understood.",
        )
    if not math.isfinite(found):
        place.refuse(f"{text!r} is not a finite number")
    return found


class _Reader:
    """Sums of products of factors, read from left to right."""

    def __init__(self, text: str) -> None:
        self.words: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = _WORDS.match(text, at)
            if found is None:
                raise ValueError(text)
            self.words.append(found[1])
            at = found.end()
        self.depth = 0

    def all(self) -> float:
        found = self.sum()
        if self.words:
            raise ValueError(self.words[0])
        return found

    def sum(self) -> float:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        found = self.product()
        while self.words and self.words[0] in "+-":
            sign = 1.0 if self.words.pop(0) == "+" else -1.0
            found += sign * self.product()
        self.depth -= 1
        return found

    def product(self) -> float:
        found = self.factor()
        while self.words and self.words[0] in ("*", "/"):
            divide = self.words.pop(0) == "/"
            other = self.factor()
            found = found / other if divide else found * other
        return found

    def factor(self) -> float:
        if not self.words:
            raise ValueError("nothing")
        word = self.words.pop(0)
        if word in ("+", "-"):
            return self.factor() if word == "+" else -self.factor()
        if word == "(":
            found = self.sum()
            self._close()
        elif word.lower() == "pi":
            found = math.pi
        elif word[0].isdigit() or word[0] == ".":
            found = float(word)
        else:
            function = _FUNCTIONS[word]
            if not self.words or self.words.pop(0) != "(":
                raise ValueError(word)
            found = function(self.sum())
            self._close()
        if self.words and self.words[0] in ("**", "^"):
            self.words.pop(0)
            found = float(found ** self.factor())
        return found

    def _close(self) -> None:
        if not self.words or self.words.pop(0) != ")":
            raise ValueError(")")
