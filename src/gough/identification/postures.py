"""Random motions all over the reach of a robot: where regressors show what efforts depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gough.dynamics.legs.regressor import columns_along, moved_by_motors
from gough.dynamics.shared.standard import StandardParameter
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
from gough.geometry.turns import wound_axes
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import measures_at
from gough.mechanism.mobility.rank import wander

MOTIONS = 4
"""Velocities and accelerations at one posture: cheaper than as many postures."""

_STRIDE = 0.4  # length of a walk from posture to posture, natural units
_CLEAR = 0.03  # distance to singularities, natural units: rounding grows by its inverse at most
_CONDITION = 100.0  # of the motors' Jacobian, natural units
_WOUND = 2.0  # turn of an axis with a spring [rad]: walks are too short to get past half a turn
_OF_MACHINE = 0.1  # least size of a parameter beside the natural one of the whole machine
_TRIES = 200  # walks for one posture before it is given up


def random_regressors(
    assembly: Assembly, parameters: Sequence[StandardParameter], seed: int
) -> Iterator[np.ndarray]:
    """Regressors of random motions without end, posture by posture, ``(rows, columns)`` each.

    Rates are such that gravity, accelerations and velocities take efforts of one size.  The rows of
    a posture are divided by their size, so that none near a singularity counts for more.
    """
    rng = np.random.default_rng(seed)
    loads = StateLoads(assembly.gravity)
    pace = _pace(assembly)
    for solution in _postures(assembly, rng):
        own = []
        moved = moved_by_motors(Kinematics(assembly, solution), None)
        for _ in range(MOTIONS):
            V_r, Vdot_r = rng.normal(size=(2, assembly.mobility)) * assembly.scales.freedoms
            kin = Kinematics(assembly, solution, np.asarray(solution.complete(V_r * pace)))
            moving = kin.accelerated(Vdot_r * pace**2)
            acting = loads.during(moving.V, assembly.length)
            own.append(np.asarray(columns_along(moving, acting, parameters, moved), dtype=float))
        W = np.concatenate(own)
        yield W / (np.abs(W[:, ~_constant(parameters)]).max(initial=0.0) or 1.0)


def natural_units(assembly: Assembly, units: Sequence[str]) -> np.ndarray:
    """Sizes of parameters that take efforts of one size, by their units: 1 kg, and what follows."""
    length, pace = assembly.length, _pace(assembly)
    sizes = {"kg": 1.0, "kg m": length, "kg m^2": length**2}
    sizes |= {"N s/m": pace, "N m s/rad": pace * length**2}
    sizes |= {"N/m": pace**2, "N m/rad": (pace * length) ** 2}
    sizes |= {"N": pace**2 * length, "N m": (pace * length) ** 2}
    return np.array([sizes[unit] for unit in units])


def plausible_sizes(assembly: Assembly, chi: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """How far parameters may be from the description ``chi``: by their own size.

    Or by a tenth of what is natural for the whole machine, where they are smaller: a description
    may leave out friction, or call an offset zero.
    """
    total = sum(body.mass for body in assembly.robot.bodies)
    return np.asarray(np.maximum(np.abs(chi), _OF_MACHINE * total * natural))


def _pace(assembly: Assembly) -> float:
    """Rate at which motions as large as the robot take efforts of gravity's size [1/s]."""
    pull = float(np.linalg.norm(assembly.gravity)) or 9.81
    return float(np.sqrt(pull / assembly.length))


def _constant(parameters: Sequence[StandardParameter]) -> np.ndarray:
    """Columns that do not depend on the motion: not what a posture's size is read from."""
    return np.array([each.figure == "offset" for each in parameters], dtype=bool)


def _postures(assembly: Assembly, rng: np.random.Generator) -> Iterator[Solution]:
    """Assembled, regular postures on random walks from home."""
    known, tries = [assembly.start], 0
    sprung = wound_axes(assembly)
    while tries < _TRIES:
        start = known[int(rng.integers(len(known)))]
        there = wander(
            assembly.topology, *start, assembly.length, rng, _STRIDE, locks=assembly.locks
        )
        solution = None if there is None else _regular(assembly, *there, sprung)
        if there is None or solution is None:
            tries += 1
            continue
        known.append(there)
        tries = 0
        yield solution
    raise InputError(
        f"{assembly.robot.name}: no regular postures were found around home",
        hint="gough.doctor(robot) tells whether the robot is singular everywhere.",
        argument="robot",
    )


def _regular(
    assembly: Assembly, T_0p: np.ndarray, configuration: Configuration, sprung: Sequence[str]
) -> Solution | None:
    """The closure equations of a posture; none where it is near a singularity."""
    at = assembly.equations(T_0p, configuration)
    if any(abs(assembly.axis_position(at, n) - assembly.home_values[n]) > _WOUND for n in sprung):
        return None
    solution = assembly.solution(at)
    found = measures_at(assembly, solution)
    clear = min(float(found.type_1), float(found.constraint), float(found.type_2)) > _CLEAR
    return solution if clear and float(found.condition) < _CONDITION else None
