"""Motions and simulations as a page plays them: states of the platform at even times."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly
from gough.motion.motion import Motion, of_robot
from gough.report.view.computing import packed
from gough.robot import Robot
from gough.simulation.result import Simulation

MOST = 400
"""Instants of a motion; the page fills in between."""


def played(assembly: Assembly, given: Any) -> dict[str, Any] | None:
    """A motion or a simulation, ready for JSON; ``None`` if there is none."""
    if given is None:
        return None
    if isinstance(given, Simulation):
        return _simulated(assembly, given)
    motion = of_robot(given, assembly.robot)
    t = np.linspace(0.0, motion.duration, _count(motion))
    return {"label": motion.label, "simulated": False} | _states(assembly, t, *motion(t))


def robot_of(given: Any) -> Robot | None:
    """The machine of a motion or of a simulation."""
    return given.robot if isinstance(given, (Motion, Simulation)) else None


def _count(motion: Motion) -> int:
    """Instants enough to draw curves of 200 points, and 25 in every second."""
    return int(np.clip(25.0 * motion.duration, 200, MOST)) + 1


def _simulated(assembly: Assembly, found: Simulation) -> dict[str, Any]:
    if found.kinetic.ndim != 1:
        raise InputError(
            "a page shows one machine, this is a batch of simulations", argument="motion"
        )
    if found.robot != assembly.robot:
        raise InputError(
            f"the simulation is of {shown(found.robot.name)}, not of {shown(assembly.robot.name)}",
            argument="motion",
        )
    good = np.flatnonzero(np.isfinite(found.T_0p).all(axis=(1, 2)))
    some = good[np.unique(np.linspace(0, len(good) - 1, MOST + 1).round().astype(int))]
    states = (found.T_0p[some], found.V_0p[some], found.Vdot_0p[some])
    event = "" if found.event is None else str(found.event)
    return {
        "label": "simulation" + (f", ends with {event}" if event else ""),
        "simulated": True,
        "tau": packed(found.tau[some]),
        **_states(assembly, found.t[some], *states),
    }


def _states(
    assembly: Assembly, t: np.ndarray, T: np.ndarray, V: np.ndarray, Vdot: np.ndarray
) -> dict[str, Any]:
    """Freedoms, twists and twist rates; rotation vectors followed from one to the next."""
    y = np.array([assembly.chart.coordinates(pose) for pose in T])
    for k in range(1, len(y)):
        y[k, 3:] = _nearest(y[k, 3:], y[k - 1, 3:])
    return {
        "count": len(t),
        "t": packed(t),
        "y": packed(y),
        "V": packed(V),
        "Vdot": packed(Vdot),
    }


def _nearest(turn: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The rotation vector of the same rotation that is nearest to another one."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-9:
        return turn
    axis = turn / angle
    whole = np.round((axis @ before - angle) / (2.0 * np.pi))
    return np.asarray(axis * (angle + 2.0 * np.pi * whole))
