"""What acts on a machine besides its motors, in words: payload, forces, what counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.shared.loads import Force, Loads, Payload
from gough.report.blocks import vector
from gough.report.figures import number

Lines = list[tuple[str, str]]

_MOST_SPANS = 6
"""Stretches of time that are written out."""


def load_lines(loads: Any, t: np.ndarray | None = None) -> Lines:
    """Headings and facts about loads, in reading order.

    Args:
        loads: :class:`gough.Loads`, or anything that says itself by ``lines()``.
        t: times of the samples, if loads have one entry for each ``(K,)`` [s].
    """
    own = getattr(loads, "lines", None)
    if callable(own):
        return [(str(heading), str(fact)) for heading, fact in own()]
    if not isinstance(loads, Loads):
        return []
    found: Lines = []
    found += [("payload", "none")] if loads.payload is None else _payload(loads.payload, t)
    for force in loads.forces:
        found.append((f"force on {force.body}", _force(force, t)))
    if not loads.friction:
        found.append(("friction", "left out"))
    if not loads.rotors:
        found.append(("rotors", "left out"))
    if loads.smoothing:
        found.append(("smoothing of friction", f"{number(loads.smoothing)} rad/s or m/s"))
    return found


def _payload(payload: Payload, t: np.ndarray | None) -> Lines:
    mass = np.asarray(payload.mass, dtype=float)
    found = [("payload", _in_time(mass, t))]
    if np.any(payload.center):
        center = np.asarray(payload.center)
        where = vector(center, "m") if center.ndim == 1 else "changes in time"
        found.append(("payload, centre", f"{where}, in the frame of the platform's body"))
    if np.any(payload.inertia):
        inertia = np.asarray(payload.inertia)
        text = vector(np.diag(inertia), "kg m²") if inertia.ndim == 2 else "changes in time"
        found.append(("payload, inertia (xx, yy, zz)", f"{text}, about its centre"))
    return found


def _in_time(mass: np.ndarray, t: np.ndarray | None) -> str:
    """A mass, or from when to when there is one."""
    if mass.size == 1 or np.ptp(mass) == 0.0:
        return f"{number(float(mass.flat[0]), digits=5)} kg"
    spread = f"{number(mass.min(), digits=5)} to {number(mass.max(), digits=5)} kg"
    if t is None or mass.shape != t.shape:
        return spread
    steps = np.flatnonzero(np.diff(mass)) + 1
    spans = np.split(np.arange(len(mass)), steps)
    if len(spans) > 2 * _MOST_SPANS:
        return f"{spread}, changing in time"
    texts = [
        f"{number(mass[k[0]], digits=5)} kg from {number(t[k[0]])} s to {number(t[k[-1]])} s"
        for k in spans
        if mass[k[0]]
    ]
    return ", ".join(texts)


def _force(force: Force, t: np.ndarray | None) -> str:
    """A force in words; of one that changes its largest size."""
    parts = []
    for name, value, unit in (("", force.f, "N"), ("moment ", force.n, "N m")):
        array = np.asarray(value, dtype=float)
        if not array.any():
            continue
        if array.ndim == 1:
            parts.append(f"{name}{vector(array, unit)}")
        else:
            size = float(np.linalg.norm(array, axis=-1).max())
            parts.append(f"{name}changing, up to {number(size)} {unit}")
    if np.any(force.point):
        point = np.asarray(force.point)
        where = vector(point, "m") if point.ndim == 1 else "a point that moves on it"
        parts.append(f"at {where}")
    return ", ".join(parts) or "none"
