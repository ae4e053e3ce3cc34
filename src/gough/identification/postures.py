"""Random motions all over the reach of a robot: where regressors show what efforts depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gough.base.blas_threads import one_thread
from gough.dynamics.legs.regressor import regressor
from gough.dynamics.shared.standard import StandardParameter
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
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
_TRIES = 20  # walks for one posture before it is given up


def random_regressors(
    assembly: Assembly, parameters: Sequence[StandardParameter], rows: int, seed: int
) -> np.ndarray:
    """Regressors of random motions, one below the other, ``(rows or more, columns)``.

    Rates are such that gravity, accelerations and velocities take efforts of one size.  The rows of
    a posture are divided by their size, so that none near a singularity counts for more.
    """
    rng = np.random.default_rng(seed)
    loads = StateLoads(assembly.gravity)
    pull = float(np.linalg.norm(assembly.gravity)) or 9.81
    pace = np.sqrt(pull / assembly.length)  # [1/s]
    count = max(1, len(assembly.robot.motors)) * MOTIONS
    found = []
    with one_thread():
        for solution in _postures(assembly, -(-rows // count), rng):
            own = []
            for _ in range(MOTIONS):
                V_r, Vdot_r = rng.normal(size=(2, assembly.mobility)) * assembly.scales.freedoms
                kin = Kinematics(assembly, solution, np.asarray(solution.complete(V_r * pace)))
                moving = kin.accelerated(Vdot_r * pace**2)
                acting = loads.during(moving.V, assembly.length)
                own.append(np.asarray(regressor(moving, acting, parameters), dtype=float))
            W = np.concatenate(own)
            found.append(W / (np.abs(W[:, ~_constant(parameters)]).max(initial=0.0) or 1.0))
    return np.concatenate(found)


def _constant(parameters: Sequence[StandardParameter]) -> np.ndarray:
    """Columns that do not depend on the motion: not what a posture's size is read from."""
    return np.array([each.figure == "offset" for each in parameters], dtype=bool)


def _postures(assembly: Assembly, count: int, rng: np.random.Generator) -> Iterator[Solution]:
    """Assembled, regular postures on random walks from home."""
    known = [assembly.start]
    tries = 0
    while len(known) <= count:
        start = known[int(rng.integers(len(known)))]
        there = wander(
            assembly.topology, *start, assembly.length, rng, _STRIDE, locks=assembly.locks
        )
        solution = None if there is None else _regular(assembly, *there)
        if there is not None and solution is not None:
            known.append(there)
            tries = 0
            yield solution
            continue
        tries += 1
        if tries > _TRIES * 10:
            raise InputError(
                f"{assembly.robot.name}: no regular postures were found around home",
                hint="gough.doctor(robot) tells whether the robot is singular everywhere.",
                argument="robot",
            )


def _regular(assembly: Assembly, T_0p: np.ndarray, configuration: Configuration) -> Solution | None:
    """The closure equations of a posture; none where it is near a singularity."""
    solution = assembly.solution(assembly.equations(T_0p, configuration))
    found = measures_at(assembly, solution)
    clear = min(float(found.type_1), float(found.constraint), float(found.type_2)) > _CLEAR
    return solution if clear and float(found.condition) < _CONDITION else None
