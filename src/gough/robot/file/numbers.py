"""Numbers of a file that are named once and used often.

``numbers: {arm: 0.3}`` names one, and ``$arm``, ``-$arm``, ``2*$arm``, ``$arm*2`` or ``$arm/2``
stands for it wherever a number is expected: a name, a sign, and one factor or divisor.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.file.paths import from_steps, join
from gough.robot.file.problems import Problem
from gough.robot.names import PATTERN

_FIGURE = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
REFERENCE = re.compile(rf"([-+]?) *(?:({_FIGURE}) *\* *)?\$({PATTERN})(?: *([*/]) *({_FIGURE}))?")
"""A reference: sign, factor, name, and what follows it."""

_FORMS = "Forms of a named number: $arm, -$arm, 2*$arm, $arm*2, $arm/2."


def resolved(data: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Data of a file with every reference replaced by its number, and what cannot be.

    A file without ``numbers`` is left as it is.
    """
    given = data.get("numbers")
    if not isinstance(given, dict):
        return data, []
    reader = _Reader(given)
    rest = {name: value for name, value in data.items() if name != "numbers"}
    return {"numbers": given, **reader.read(rest, "")}, reader.problems


@dataclass
class _Reader:
    """Replaces references to named numbers; ``problems`` are those that cannot be replaced."""

    named: Mapping[str, Any]
    problems: list[Problem] = field(default_factory=list)

    def read(self, value: Any, path: str) -> Any:
        """A value without references; the depth of data is bounded."""
        if isinstance(value, dict):
            return {
                key: part if _is_text(path, key) else self.read(part, join(path, key))
                for key, part in value.items()
            }
        if isinstance(value, list):
            steps = (from_steps([i]) for i in range(len(value)))
            return [self.read(v, join(path, at)) for v, at in zip(value, steps, strict=True)]
        if not isinstance(value, str) or "$" not in value:
            return value
        try:
            return self._number(value)
        except DescriptionError as err:
            self.problems.append(Problem(path, err.reason, err.hint))
            return 0.0

    def _number(self, text: str) -> float:
        """The number that a reference stands for."""
        match = REFERENCE.fullmatch(text)
        if match is None:
            raise DescriptionError(f"{shown(text)} is no reference to a number", hint=_FORMS)
        sign, factor, name, operator, other = match.groups()
        if name not in self.named:
            raise DescriptionError(
                f"there is no number {shown(name)}", hint=nearest(name, self.named)
            )
        if factor and other:
            raise DescriptionError(f"{shown(text)} has two factors", hint=_FORMS)
        if operator == "/" and float(other) == 0.0:
            raise DescriptionError(f"{shown(text)} divides by zero")
        value = self.named[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return 0.0  # the name has its own problem
        value = float(value) * float(factor or 1.0)
        if other:
            value = value / float(other) if operator == "/" else value * float(other)
        if not math.isfinite(value):
            raise DescriptionError(f"{shown(text)} is not a finite number")
        return -value if sign == "-" else value


def _is_text(path: str, key: str) -> bool:
    """Whether a key holds free text, in which a dollar means nothing."""
    inside = path.split(".")
    own = not path or (len(inside) == 2 and inside[0] in ("bodies", "joints"))
    return own and key in ("label", "source")
