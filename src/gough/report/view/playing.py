"""Motions and simulations as a page plays them: states of the platform at even times."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.analysis.changes import with_changes
from gough.dynamics.shared.schedule import LoadSchedule
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly
from gough.motion.motion import Motion, Samples, of_robot
from gough.report.view.computing import packed
from gough.report.view.loading import PageLoads
from gough.robot import Robot
from gough.simulation.result import Simulation
from gough.states.state import State

FEWEST, MOST = 200, 800
"""Instants of a motion; the page goes straight from one to the next."""

_SEEN = 5e-4  # of the robot's length, or radians: what straight lines may cut off, half a pixel


def played(assembly: Assembly, given: Any, loads: PageLoads) -> dict[str, Any] | None:
    """A motion or a simulation, ready for JSON; ``None`` if there is none."""
    if given is None:
        return None
    if isinstance(given, Simulation):
        return _simulated(assembly, given, loads)
    motion = of_robot(given, assembly.robot)
    track = _sampled(assembly, motion)
    when = track.t
    if isinstance(loads.given, LoadSchedule):
        track, when, _ = with_changes(motion, track, loads.given)
    return {
        "label": f"{motion.label}; {len(track.t)} instants",
        "simulated": False,
        "loads": loads.along(when),
        **_states(assembly, *track),
    }


def robot_of(given: Any) -> Robot | None:
    """The machine of a motion or of a simulation."""
    return given.robot if isinstance(given, (Motion, Simulation)) else None


def _sampled(assembly: Assembly, motion: Motion) -> Samples:
    """As many even instants as it takes that nobody sees corners."""
    count = FEWEST
    while True:
        t = np.linspace(0.0, motion.duration, 2 * count + 1)
        T = motion(t).T_0p
        y = _coordinates(assembly, T) / assembly.scales.twist
        cut = np.abs(y[1::2] - 0.5 * (y[:-1:2] + y[2::2])).max()
        if cut < _SEEN or 2 * count > MOST:
            return Samples(t[::2], motion(t[::2]))
        count *= 2


def _simulated(assembly: Assembly, found: Simulation, loads: PageLoads) -> dict[str, Any]:
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
    event = "" if found.event is None else str(found.event)
    return {
        "label": "simulation" + (f", {event}" if event else ""),
        "simulated": True,
        "tau": packed(found.tau[some]),
        "loads": loads.along(found.t[some]),
        **_states(assembly, found.t[some], found.state[some]),
    }


def _states(assembly: Assembly, t: np.ndarray, state: State) -> dict[str, Any]:
    """Coordinates, twists and twist rates."""
    return {
        "count": len(t),
        "t": packed(t),
        "y": packed(_coordinates(assembly, state.T_0p)),
        "V": packed(state.V_0p),
        "Vdot": packed(state.Vdot_0p),
    }


def _coordinates(assembly: Assembly, T: np.ndarray) -> np.ndarray:
    """Coordinates of the platform, rotation vectors followed from one to the next."""
    y = np.array([assembly.chart.coordinates(pose) for pose in T])
    for k in range(1, len(y)):
        y[k, 3:] = _nearest(y[k, 3:], y[k - 1, 3:])
    return y


def _nearest(turn: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The rotation vector of the same rotation that is nearest to another one."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-9:
        return turn
    axis = turn / angle
    whole = np.round((axis @ before - angle) / (2.0 * np.pi))
    return np.asarray(axis * (angle + 2.0 * np.pi * whole))
