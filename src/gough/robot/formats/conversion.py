"""What was made of a file, and what is to be said about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gough.robot.finding import Finding
from gough.robot.robot import Robot


@dataclass(frozen=True)
class Conversion:
    """A robot from elsewhere.

    Attributes:
        robot: the robot.
        findings: what was found, assumed, ignored and dropped, as data and in sentences.
        names: our names of bodies and joints whose names in the file were not fit.
        start: the posture that home was assembled from.
    """

    robot: Robot
    findings: tuple[Finding, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    start: str = ""

    def __str__(self) -> str:
        return "\n".join(f"- {each.sentence}. {each.advice}".rstrip() for each in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "robot": self.robot.name,
            "start": self.start,
            "names": dict(self.names),
            "findings": [finding.to_dict() for finding in self.findings],
        }
