"""How a simulation went: what is printed of it, and its data for programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.english import clean, counted, small


def summary(found: Any) -> dict[str, Any]:
    """The figures of a single simulation as plain data."""
    moved = np.abs(found.kinetic).max() + np.abs(found.potential - found.potential[0]).max()
    tracking = found.tracking
    return {
        "t_end": float(found.t[-1]),
        "instants": len(found.t),
        "event": None if found.event is None else found.event._asdict(),
        "largest_effort": dict(
            zip(found.robot.motors, np.abs(found.tau).max(axis=0).tolist(), strict=True)
        ),
        "work": float(found.work[-1]),
        "loss": float(found.loss[-1]),
        "handed_over": float(found.handed_over[-1]),
        "missed_loss": float(found.missed_loss[-1]),
        "smoothing": found.smoothing,
        "findings": list(found.findings),
        "energy_error": float(abs(found.balance[-1])),
        "energy_moved": float(moved),
        "closure": float(np.max(found.closure)),
        "tracking": None
        if tracking is None
        else {
            "position_max": float(np.max(tracking.position)),
            "position_rms": float(np.sqrt(np.mean(np.square(tracking.position)))),
            "rotation_max": float(np.max(tracking.rotation)),
            "motors_max": float(np.abs(tracking.motors).max()),
        },
    }


def lines(found: Any) -> list[tuple[str, str]]:
    """Headings and facts of a single simulation."""
    facts = summary(found)
    event, tracking = facts["event"], facts["tracking"]
    efforts = ", ".join(f"{name} {value:.4g}" for name, value in facts["largest_effort"].items())
    came = facts["handed_over"]
    carried = f", {came:.4g} J came with payloads less what left with them" if came else ""
    pairs = [
        ("robot", found.robot.name),
        ("simulated", f"{facts['t_end']:.6g} s, {counted(facts['instants'], 'instant')}"),
        ("stopped", "" if event is None else event["reason"]),
        ("largest efforts", efforts),
        (
            "energy",
            f"the motors did {facts['work']:.4g} J, friction took {facts['loss']:.4g} J{carried}; "
            f"the balance is off by {facts['energy_error']:.2g} J",
        ),
        ("closure", small(facts["closure"])),
    ]
    if tracking is not None:
        error = (
            f"at most {1e3 * tracking['position_max']:.4g} mm "
            f"(RMS {1e3 * tracking['position_rms']:.4g} mm) and "
            f"{clean(1e3 * tracking['rotation_max']):.4g} mrad"
        )
        pairs.append(("tracking error", error))
    pairs += [("finding", sentence) for sentence in found.findings]
    return [(heading, fact) for heading, fact in pairs if fact]


def lines_of_many(found: Any) -> list[tuple[str, str]]:
    """Headings and facts of a batch."""
    stopped = [event for event in found.event if event is not None]
    pairs = [
        ("robot", found.robot.name),
        ("simulated", f"{counted(len(found.event), 'machine')}, {found.t[-1]:.6g} s"),
        ("stopped", f"{len(stopped)} of them; the first: {stopped[0]}" if stopped else ""),
        ("closure", small(float(np.nanmax(found.closure)))),
    ]
    return [(heading, fact) for heading, fact in pairs if fact]
