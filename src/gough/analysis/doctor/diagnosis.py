"""The doctor's verdict: findings in order of weight, as data and as a readable page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from gough.base.result import Result
from gough.robot.finding import ERROR, NOTE, SEVERITIES, WARNING, Finding

_WIDTH = 96


@dataclass(frozen=True)
class Diagnosis(Result, Sequence[Finding]):
    """Findings about one robot, the worst first.

    Args:
        robot: name of the robot.
        findings: all findings.
    """

    robot: str
    findings: tuple[Finding, ...]

    def __post_init__(self) -> None:
        ordered = sorted(self.findings, key=lambda f: SEVERITIES.index(f.severity))
        object.__setattr__(self, "findings", tuple(ordered))

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...

    def __getitem__(self, index: int | slice) -> Finding | tuple[Finding, ...]:
        return self.findings[index]

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What keeps the robot from its work."""
        return self._of(ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What looks mistaken, or needs care."""
        return self._of(WARNING)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is good to know."""
        return self._of(NOTE)

    @property
    def healthy(self) -> bool:
        """No error and no warning."""
        return not self.errors and not self.warnings

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of all findings, in order."""
        return tuple(finding.code for finding in self)

    def find(self, code: str) -> tuple[Finding, ...]:
        """Findings of one code."""
        return tuple(finding for finding in self if finding.code == code)

    def _of(self, severity: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self if finding.severity == severity)

    def lines(self) -> list[tuple[str, str]]:
        """The verdict, then every finding with its advice."""
        found = [(f"{f.severity} {f.code}", " ".join([f.sentence, f.advice]).strip()) for f in self]
        return [(self.robot, self._verdict()), *found]

    def columns(self) -> dict[str, np.ndarray]:
        """Findings as columns of a table."""
        names = ("severity", "code", "sentence", "advice")
        return {name: np.array([getattr(f, name) for f in self], dtype=object) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "robot": self.robot,
            "healthy": self.healthy,
            "findings": [finding.to_dict() for finding in self],
        }

    def __str__(self) -> str:
        lines = [f"{self.robot}: {self._verdict()}"]
        for finding in self:
            lines += _wrapped(f"{finding.severity} {finding.code}: ", finding.sentence)
            if finding.advice:
                lines += _wrapped("  > ", finding.advice)
        return "\n".join(lines)

    def _verdict(self) -> str:
        if self.healthy:
            return "healthy"
        counts = {"error": len(self.errors), "warning": len(self.warnings)}
        return ", ".join(f"{k} {word}{'s' * (k > 1)}" for word, k in counts.items() if k)


def _wrapped(first: str, text: str) -> list[str]:
    return textwrap.wrap(
        first + text,
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
