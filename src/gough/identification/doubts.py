"""Logs that look wrong: frozen sensors, outliers, limits, columns of another sign, unit or motor.

Nothing is corrected: least squares take every number as it is, and sentences tell which to look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.ndimage import median_filter

from gough.base.english import counted, listed, percent
from gough.dynamics.shared.standard import axis_kinds, effort_units
from gough.errors import InputError, SingularPose, UnreachablePose
from gough.identification.base_result import BaseParameters
from gough.identification.filtering import Filters, Moving, design, low_pass, moving, regular
from gough.identification.log import Log
from gough.identification.postures import natural_units, plausible_sizes
from gough.identification.run import STILL, Run, about_log, columns_at, follow_poses
from gough.mechanism.mobility.assembly import assembled
from gough.motion.faults import faults
from gough.robot import Robot
from gough.robot.joint_kinds import SLIDE

_AROUND = 5  # samples whose median a spike stands out of: two in a row do, a step does not
_SPIKE = 10.0  # times what one of a hundred samples is off that median
_LISTED = 5  # times that a sentence names
_LEVELS = 5  # fewer numbers are no measurement; a limit is met so many times as often as others
_OFTEN = 0.01  # of all samples at a limit
_ALIKE = 0.7  # correlation of efforts from which they are the same but for a factor
_OPPOSITE = -0.5  # correlation from which the sign is wrong
_FACTOR = 8.0  # by which no description is wrong
_FOLLOWED = 1000  # samples through which exchanged positions are followed from home
_TRIED = 200  # of these that are compared with exchanged columns
_SMEARED = 0.05  # of the step of Coulomb's friction, by which a filter changes it where it is used
_BELIEVED = 0.05  # of the efforts: parameters are held near the description for misfits below
_DEAD = 0.1  # of the described efforts' size, below which those measured are none
_POOR = 0.01  # of the efforts is left: below, columns are where they belong
_BETTER = 0.5  # of the misfit is left with exchanged columns; of right logs it is 0.85 and more
_EXPLAINED = 0.1  # of the efforts is left with exchanged columns, where the others fit no pose
_EQUAL = 1.2  # times the least misfit: symmetric machines cannot tell efforts from positions

Pair = tuple[int, ...]
"""Two motors, by number, whose columns are exchanged; none: no exchange."""


def doubts_of(robot: Robot, log: Log, name: str) -> list[str]:
    """Sentences about samples of a log that no machine explains."""
    found = []
    kinds = axis_kinds(robot)
    q, tau = log.positions(robot), log.efforts(robot)
    units = ["A"] * len(robot.motors) if log.in_amperes else effort_units(robot)
    for k, motor in enumerate(robot.motors):
        unit = "m" if kinds[motor] == SLIDE else "rad"
        for each in faults(log.t, [(q[:, [k]], unit)], left_out=False)[0]:
            found.append(f"{name}, position of {motor}: {each.sentence.partition('; ')[0]}.")
        samples, far = _spikes(tau[:, k])
        if len(samples):
            times = [f"{log.t[i]:.6g} s" for i in samples[:_LISTED]]
            more = [] if len(samples) <= _LISTED else [f"{len(samples) - _LISTED} more"]
            verb = "stands" if len(samples) == 1 else "stand"
            found.append(
                f"{name}, effort of {motor}: {counted(len(samples), 'sample')} {verb} out of those "
                f"around, by up to {far:.3g} {units[k]}, at t = {listed([*times, *more])}: mend or "
                "cut the log."
            )
        for limit, share in _saturated(tau[:, k]):
            found.append(
                f"{name}, effort of {motor}: it is {limit:.4g} {units[k]} and never beyond, in "
                f"{percent(share)} of the samples: the drive is at its limit there, and what is "
                "recorded is not what moves the machine. Record a slower motion."
            )
    return found


def _saturated(effort: np.ndarray) -> list[tuple[float, float]]:
    """Largest and smallest numbers that are repeated as none beside them, and their shares."""
    values, counts = np.unique(effort, return_counts=True)
    if len(values) < _LEVELS:
        return []
    ends = ((values[0], *counts[:2]), (values[-1], *counts[:-3:-1]))
    least = max(_LEVELS, _OFTEN * len(effort))
    return [
        (float(value), own / len(effort))
        for value, own, beside in ends
        if own > least and own > _LEVELS * beside
    ]


def _spikes(effort: np.ndarray) -> tuple[np.ndarray, float]:
    """Samples that stand out of their neighbours, and by how much at most."""
    off = np.abs(effort - median_filter(effort, _AROUND, mode="nearest"))
    low, high = np.quantile(effort, [0.16, 0.84])
    limit = max(_SPIKE * float(np.quantile(off, 0.99)), 0.5 * float(high - low))
    samples = np.flatnonzero(off > limit)
    return samples, float(off.max())


def doubtful_columns(base: BaseParameters, runs: Sequence[Run]) -> list[str]:
    """Sentences about efforts beside those of the description: of another sign, unit or motor."""
    measured = np.concatenate([run.measured for run in runs])
    described = np.concatenate([run.known + run.W @ base.values for run in runs])
    used = np.concatenate([run.used for run in runs]).all(axis=1)
    motors = base.robot.motors
    if used.sum() < 2 * len(motors):
        return []
    a, d = (each[used] - each[used].mean(axis=0) for each in (measured, described))
    sizes = [np.maximum(np.linalg.norm(each, axis=0), 1e-300) for each in (a, d)]
    own = np.sum((a / sizes[0]) * (d / sizes[1]), axis=0)
    found = []
    opposite = own < _OPPOSITE
    if opposite.any():
        found.append(
            f"{listed(np.array(motors)[opposite].tolist())}: measured efforts go against those of "
            "the description: a column of the opposite sign, of efforts or positions."
        )
    factor = sizes[0] / sizes[1]
    wrong = (own > _ALIKE) & ((factor > _FACTOR) | (factor < 1.0 / _FACTOR))
    if wrong.any():
        rows = zip(np.array(motors)[wrong].tolist(), factor[wrong], strict=True)
        found.append(
            f"Measured efforts beside those described: {listed(f'{m} {x:.3g}' for m, x in rows)} "
            "times: efforts in another unit (mN m, N mm), or of the motor before its gear."
        )
    return found


class _Exchange(NamedTuple):
    """Columns of a log exchanged.

    Attributes:
        misfit: share of the efforts that is left, with what parameters are off the description.
        positions: motors whose positions are exchanged.
        efforts: motors whose efforts are.
    """

    misfit: float
    positions: Pair
    efforts: Pair


def exchanged_columns(
    base: BaseParameters,
    log: Log,
    name: str,
    *,
    cutoff: float | None = None,
    band: float | None = None,
    delay: float = 0.0,
) -> list[str]:
    """A sentence about columns of two motors that are exchanged, of positions, efforts or both.

    Some samples are fitted as they are, and with every pair exchanged where that is poor.  All fits
    hold parameters near the description: it would be found wrong by as much as it takes to explain
    efforts of another motor.

    Args:
        base: the base parameters.
        log: a run.
        name: of the log.
        cutoff: of positions [Hz], as in :func:`gough.identification.run.run_of`.
        band: of efforts and columns [Hz].
        delay: by which efforts are recorded later than positions [s].

    Raises:
        InputError: the machine cannot be at these positions, but it can at exchanged ones, and they
            explain the efforts.
    """
    robot = base.robot
    with about_log(name):
        t, (q, tau), _ = regular(log.t, log.positions(robot), log.efforts(robot))
        filters = design(t, q, cutoff, band, delay=delay)
    here = moving(t, q, filters, np.clip(t - delay, t[0], t[-1]))
    steps = np.linspace(filters.ends, len(t) - 1 - filters.ends, _FOLLOWED).astype(int)
    few = steps[:: _FOLLOWED // _TRIED]
    usable, efforts = _unsmeared(here.qd, filters)[few], moving(t, tau, filters, t[few]).q
    pairs: list[Pair] = [(), *combinations(range(len(robot.motors)), 2)]
    tried: list[_Exchange] = []
    for pair in pairs:
        order = _order(pair, len(robot.motors))
        poses = follow_poses(robot, here.q[steps][:, order])
        if poses is None:
            continue
        ordered = Moving(*(each[few][:, order] for each in here))
        try:
            at = columns_at(base, log, ordered, poses[:: _FOLLOWED // _TRIED])
        except (SingularPose, UnreachablePose):
            continue
        rows = _Samples(*at, efforts, usable[:, order])
        tried += _misfits(base, rows, pair, pairs, in_amperes=log.in_amperes)
        if not pair and tried[0].misfit < _POOR:
            return []
    if not tried:
        return []
    as_is = next((each.misfit for each in tried if not each.positions + each.efforts), np.inf)
    least = min(tried).misfit
    if least > (_BETTER * as_is if np.isfinite(as_is) else _EXPLAINED):
        return []
    equal = [each for each in tried if each.misfit <= _EQUAL * least]
    fewest = min(len(each.positions + each.efforts) for each in equal)
    words = "; or ".join(
        _columns_of(robot, each) for each in equal if len(each.positions + each.efforts) == fewest
    )
    about = f"{name}: columns are exchanged, {words}"
    if not np.isfinite(as_is):
        raise InputError(
            f"{about}: as they are the machine cannot be there, exchanged {percent(least)} of the "
            "efforts is left",
            hint="Exchange the two columns, or name them by their motors.",
            argument="log",
        )
    return [f"{about}: as they are {percent(as_is)} of the efforts is left, then {percent(least)}."]


class _Samples(NamedTuple):
    """Some samples of a log, with positions exchanged already.

    Attributes:
        W: base columns ``(K, n, p)``.
        known: efforts of known loads ``(K, n)``.
        moves: projection of the efforts, of more motors than freedoms ``(K, n, n)``.
        efforts: as they are ``(K, n)`` [N m or N], or currents.
        usable: which rows count ``(K, n)``.
    """

    W: np.ndarray
    known: np.ndarray
    moves: np.ndarray | None
    efforts: np.ndarray
    usable: np.ndarray


def _misfits(
    base: BaseParameters,
    samples: _Samples,
    positions: Pair,
    pairs: Sequence[Pair],
    *,
    in_amperes: bool,
) -> Iterator[_Exchange]:
    """What is left of the efforts of samples, with each pair of them exchanged."""
    assembly, (W, known, moves, efforts, usable) = assembled(base.robot), samples
    sizes = plausible_sizes(assembly, base.values, natural_units(assembly, base.units))
    A = np.swapaxes(W * sizes, 0, 1) * usable.T[..., None]  # rows of each motor
    squares = np.swapaxes(A, 1, 2) @ A
    described = known + W @ base.values
    for pair in pairs:
        tau = efforts[:, _order(pair, len(squares))]
        if in_amperes:  # in units of efforts, as near as the description has them
            tau = tau * np.sum(described * tau, axis=0) / np.maximum(np.sum(tau**2, axis=0), 1e-300)
        tau = tau if moves is None else (moves @ tau[..., None])[..., 0]
        # a motor whose effort is not recorded has no size of its own
        spread = np.maximum(tau.std(axis=0), _DEAD * described.std(axis=0))
        weights = 1.0 / (_BELIEVED * np.maximum(spread, 1e-300))
        off = (tau - described).T * usable.T * weights[:, None]
        right = np.einsum("jkp,jk->p", A, off * weights[:, None])
        normal = np.einsum("j,jpr->pr", weights**2, squares) + np.eye(len(right))
        rest = float(np.sum(off**2)) - float(right @ cho_solve(cho_factor(normal), right))
        yield _Exchange(
            _BELIEVED * np.sqrt(max(rest, 0.0) / max(int(usable.sum()), 1)), positions, pair
        )


def _unsmeared(rates: np.ndarray, filters: Filters) -> np.ndarray:
    """Where filtered efforts still have Coulomb's friction as it is: far from turning points."""
    sign = np.sign(rates)
    slow = np.abs(rates) < STILL * np.sqrt(np.mean(rates**2, axis=0))
    smeared = np.abs(low_pass(sign, filters.cutoff, filters.rate) - sign) > _SMEARED
    return np.asarray(~(slow | smeared))


def _columns_of(robot: Robot, exchange: _Exchange) -> str:
    """``positions of arm1 and arm2``, or efforts, or both."""
    named = (("positions", exchange.positions), ("efforts", exchange.efforts))
    return listed(
        f"{kind} of {listed(robot.motors[k] for k in pair)}" for kind, pair in named if pair
    )


def _order(pair: Pair, count: int) -> list[int]:
    """Numbers of all motors, those of a pair exchanged."""
    order = [*range(count)]
    for k, other in zip(pair, pair[::-1], strict=True):
        order[k] = other
    return order
