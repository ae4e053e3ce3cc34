"""Numbers written as small expressions: ``-pi/2``, ``0.3*cos(g12)``; nothing else is understood."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from gough.base.arguments import LARGEST
from gough.errors import shown
from gough.robot.formats.model import Place

_WORDS = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\w+|\*\*|[-+*/()^])")
_SYMBOL = re.compile(r"[A-Za-z_]\w*")
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    **{"sin": math.sin, "cos": math.cos, "tan": math.tan},
    **{"sqrt": math.sqrt, "asin": math.asin, "acos": math.acos, "atan": math.atan},
}
_LONGEST = 500  # characters: parameters of people's machines have a tenth
_DEEPEST = 50  # brackets and powers within each other


def value_of(text: str, place: Place, numbers: Mapping[str, float] | None = None) -> float:
    """The number that an expression means.

    Args:
        text: the expression.
        place: where it stands, for refusals.
        numbers: values of symbols.
    """
    hint = "Numbers, pi, + - * / ** and sin, cos, tan, sqrt are understood."
    if len(text) > _LONGEST:
        place.refuse(f"an expression has {len(text)} characters, at most {_LONGEST} are read")
    try:
        found = _Reader(text, numbers or {}).all()
    except KeyError as err:
        hint = f'Symbols need values: numbers={{"{err.args[0]}": ...}}, or --numbers FILE.'
        place.refuse(f"{shown(text)} is not a number: {shown(err.args[0])} has no value", hint=hint)
    except (ValueError, ZeroDivisionError, OverflowError):
        place.refuse(f"{shown(text)} is not a number", hint=hint)
    if not math.isfinite(found) or abs(found) > LARGEST:
        place.refuse(f"{shown(text)} is not a finite number")
    return found


def is_symbol(text: str) -> bool:
    """Whether a text is the name of a symbol, and no number that has a name."""
    return bool(_SYMBOL.fullmatch(text)) and text.lower() != "pi"


def symbols_of(text: str) -> list[str]:
    """Symbols of an expression, whatever it means."""
    words = _SYMBOL.findall(re.sub(r"\b\d[\d.]*(?:[eE][-+]?\d+)?", " ", text[:_LONGEST]))
    return [word for word in words if is_symbol(word) and word not in _FUNCTIONS]


class _Reader:
    """Sums of products of factors, read from left to right."""

    def __init__(self, text: str, numbers: Mapping[str, float]) -> None:
        self.words: list[str] = []
        self.numbers = numbers
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
        found = self.product()
        while self.words and self.words[0] in "+-":
            sign = 1.0 if self.words.pop(0) == "+" else -1.0
            found += sign * self.product()
        return found

    def product(self) -> float:
        found = self.factor()
        while self.words and self.words[0] in ("*", "/"):
            divide = self.words.pop(0) == "/"
            other = self.factor()
            found = found / other if divide else found * other
        return found

    def factor(self) -> float:
        """A signed power; brackets and exponents within each other are counted."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        sign = 1.0
        while self.words and self.words[0] in ("+", "-"):
            sign = -sign if self.words.pop(0) == "-" else sign
        found = self.atom()
        if self.words and self.words[0] in ("**", "^"):
            self.words.pop(0)
            power = found ** self.factor()
            if isinstance(power, complex):
                raise ValueError("a root of a negative number")
            found = float(power)
        self.depth -= 1
        return sign * found

    def atom(self) -> float:
        """A number, a symbol, a function of a sum, or a sum in brackets."""
        if not self.words:
            raise ValueError("nothing")
        word = self.words.pop(0)
        if word == "(":
            found = self.sum()
            self._close()
            return found
        if word.lower() == "pi":
            return math.pi
        if word[0].isdigit() or word[0] == ".":
            return float(word)
        if word not in _FUNCTIONS:
            if not is_symbol(word):
                raise ValueError(word)
            return float(self.numbers[word])
        if not self.words or self.words.pop(0) != "(":
            raise ValueError(word)
        found = _FUNCTIONS[word](self.sum())
        self._close()
        return found

    def _close(self) -> None:
        if not self.words or self.words.pop(0) != ")":
            raise ValueError(")")
