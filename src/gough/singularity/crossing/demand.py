"""Singular places of a path, and the acceleration of its clock that the criterion needs there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.batch import as_array
from gough.errors import InputError, SingularPose, shown
from gough.singularity.course import Course
from gough.singularity.crossing.criterion import clock_gain, crosses, null
from gough.singularity.crossing.laws import run_through
from gough.singularity.crossing.terms import Machine

_STAYS = 1e-6  # share of the duration: a singular stretch that is longer is a stay, not a crossing
_AT_END = 1e-6
"""Share of a path, or of a motion, within which a place is its start or end.

Times of singular poses are known better than that, to 1e-12 of a sample interval.
"""


def singular_instants(machine: Machine) -> list[float]:
    """Instants of a motion at which the motors' Jacobian is singular, in time [s].

    Raises:
        SingularPose: the motion stays singular; names from when.
    """
    whole = machine.motion.duration
    found = Course(machine.assembly, machine.motion).type_2_zeros()
    for zero in found:
        if zero.until - zero.time > _STAYS * whole:
            raise SingularPose(
                f"{machine.assembly.robot.name}: " + _staying(zero.time, zero.until, whole),
                hint="Efforts do not move the platform along its free twist there: leave the pose "
                "by another path, or look whether the machine is singular everywhere "
                "(gough.doctor).",
                time=zero.time,
            )
    return [zero.time for zero in found]


def _staying(since: float, until: float, whole: float) -> str:
    """Sentence about a motion that stays on a singularity."""
    starts, ends = at_an_end(since, whole) == "start", at_an_end(until, whole) == "end"
    if starts and not ends:
        return f"the motion starts on a Type 2 singularity, and has left it after {until:.6g} s"
    if ends and not starts:
        return f"the motion ends on a Type 2 singularity, and is there from {since:.6g} s on"
    return f"from {since:.6g} s to {until:.6g} s the motion stays on a Type 2 singularity"


def at_an_end(place: float, whole: float) -> str:
    """``"start"``, ``"end"`` or nothing."""
    if place <= _AT_END * whole:
        return "start"
    return "end" if place >= (1.0 - _AT_END) * whole else ""


def check_crossed(machine: Machine, places: Sequence[float]) -> None:
    """Refuse paths that a time law does not help.

    Raises:
        SingularPose: the path touches a singularity, starts or ends on it.
    """
    name, whole = machine.assembly.robot.name, machine.motion.duration
    for place in places:
        end = at_an_end(place, whole)
        if end:
            raise SingularPose(
                f"{name}: the path {end}s on a Type 2 singularity: efforts do not hold the platform"
                " there, and no time law helps",
                hint="Start and end beside it.",
                place=place,
            )
        if not crosses(machine, place):
            raise SingularPose(
                f"{name}: the path touches a Type 2 singularity after {place:.6g} of {whole:.6g} "
                "s, and does not cross it: no time law helps",
                hint="Choose a path that crosses it, or one that stays away.",
                place=place,
            )


class Demand:
    """The acceleration of a clock that meets the criterion at one singular place.

    Args:
        machine: robot and path, its clock running evenly.
        place: the singular place, by the path's own clock [s].
    """

    def __init__(self, machine: Machine, place: float) -> None:
        self.machine, self.place = machine, place
        self._known: dict[float, float] = {}
        self.at = machine.at(place)
        self.free = null(machine, self.at).twists

    def acceleration(self, rate: float) -> float:
        """Acceleration of the clock that meets the criterion at a rate of it.

        Raises:
            SingularPose: there is none; the path itself must be another.
        """
        if rate in self._known:
            return self._known[rate]
        machine, free = self.machine, self.free
        states = run_through(machine.motion(np.array([self.place])), rate)
        residual = free.T @ machine.at(self.place, states).w_r
        found = clock_gain(self.at.M_rob, self.at.V_r, free, residual)
        if found is not None:
            self._known[rate] = found
            return found
        raise SingularPose(
            f"{machine.assembly.robot.name}: no time law passes the singular pose "
            f"after {self.place:.6g} of {machine.motion.duration:.6g} s of the path at this speed: "
            f"{why_not(free)}, and "
            f"{float(np.abs(residual).max()):.3g} are missing",
            hint="The path itself must change: give it a component along the free twist there "
            "(gough.crossing names it), or try another crossing speed."
            if free.shape[1] == 1
            else "The path itself must change: choose one that meets the singularity elsewhere, "
            "where one twist is free.",
            place=self.place,
            free=free,
        )


def why_not(free: np.ndarray) -> str:
    """Why no time law meets the criterion, by the free twists ``(n, k)``."""
    if free.shape[1] == 1:
        return "the path's direction has no inertia along the free twist"
    return f"{free.shape[1]} twists are free at once: as many conditions for the one clock"


def wanted_rates(machine: Machine, places: Sequence[float], speeds: Any) -> list[float]:
    """Rates of the clock from speeds of the platform's origin, or of its turning."""
    found = np.asarray(as_array(speeds, (), "speeds"), dtype=float)
    if found.ndim > 1 or (found.ndim == 1 and len(found) != len(places)):
        raise InputError(
            f"speeds has shape {found.shape}, expected one number or {len(places)}: the path "
            "meets so many singular poses",
            argument="speeds",
        )
    if not np.isfinite(found).all() or (found <= 0.0).any():
        raise InputError(f"speeds is {shown(speeds)}, expected more than zero", argument="speeds")
    rates = []
    for place, speed in zip(places, np.broadcast_to(found, (len(places),)), strict=True):
        V = machine.motion(np.array([place])).V_0p[0]
        moving, turning = float(np.linalg.norm(V[:3])), float(np.linalg.norm(V[3:]))
        # slower than 1e-9 beside the rotation, the origin is at rest but for rounding
        own = moving if moving > 1e-9 * machine.assembly.length * turning else turning
        rates.append(float(speed) / own)
    return rates
