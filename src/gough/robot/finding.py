"""What is worth saying about a robot: one fact as data and as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOTE, WARNING, ERROR = "note", "warning", "error"
SEVERITIES = (ERROR, WARNING, NOTE)
"""From the worst: the robot cannot do its work; it can, but looks mistaken; good to know."""


@dataclass(frozen=True)
class Finding:
    """One fact about a robot.

    Args:
        code: short word for programs; it stays when the sentence is written better.
        severity: ``"note"``, ``"warning"`` or ``"error"``.
        sentence: what was found, with names and figures.
        advice: what would help; may be empty.
        joints, bodies, motors: names that the sentence is about.
        data: figures, plain numbers and texts.
    """

    code: str
    severity: str
    sentence: str
    advice: str = ""
    joints: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    motors: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.sentence}\n{self.advice}" if self.advice else self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        names = {key: list(getattr(self, key)) for key in ("joints", "bodies", "motors")}
        texts = {key: getattr(self, key) for key in ("code", "severity", "sentence", "advice")}
        return {**texts, **names, "data": dict(self.data)}
