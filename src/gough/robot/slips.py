"""A likely slip of unit, as a finding."""

from __future__ import annotations

from typing import Any

from gough.robot.finding import WARNING, Finding


def slip(path: str, figure: float, text: str, guess: str, **names: Any) -> Finding:
    """A figure that is accepted, and what it may have been meant for."""
    return Finding(
        "implausible-figure",
        WARNING,
        f"{path}: {text}; {guess}?",
        advice="gough is SI only: metres, kilograms, seconds, radians.",
        data={"path": path, "figure": figure, "guess": guess},
        **names,
    )
