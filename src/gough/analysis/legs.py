"""Legs and joints without motors along a motion: Type 1, positions and speeds.

Positions of limited joints come from a kernel, at every sample.  The rest takes singular values: a
hundred samples are computed, then some more around the worst of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.analysis.samples import among_all
from gough.analysis.track import Motors, unwrapped
from gough.base.batch import state_arguments
from gough.dynamics.quantities.axes import bounded_axes, passive_axes
from gough.evaluation.evaluator import usual
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import of_closure, part_names
from gough.mechanism.mobility.singular import NEAR
from gough.motion.motion import Samples

COARSE = 101
"""Samples that are computed first where no kernel helps: Type 1, speeds of passive joints."""

_AGAIN, _ROUNDS = 30, 2  # samples that are added, twice, between those next to the worst


class Watched(NamedTuple):
    """A figure at some samples ``(k,)``, NaN where a sample cannot be."""

    samples: np.ndarray
    values: np.ndarray


class Passive(NamedTuple):
    """Limited joints without motors, by axis name.

    Attributes:
        position: coordinate [rad or m], of a ball its tilt [rad]; at every sample, unless the robot
            has no kernel.
        rate: speed [rad/s or m/s].
    """

    position: dict[str, Watched]
    rate: dict[str, Watched]


class LegSamples(NamedTuple):
    """Figures of legs and axes at some samples.

    Attributes:
        samples: which, rising ``(k,)``.
        type_1: smallest singular value of every leg, and of the nacelle ``(k, legs)``.
        constraint: smallest singular value of the legs' constraints on the platform ``(k,)``.
        position, rate: of the watched axes ``(k, axes)``.
    """

    samples: np.ndarray
    type_1: np.ndarray
    constraint: np.ndarray
    position: np.ndarray
    rate: np.ndarray


def sample_legs(
    assembly: Assembly, track: Samples, motors: Motors, type_2: np.ndarray
) -> tuple[LegSamples, Passive]:
    """Type 1 of every leg, and limited joints without motors."""
    robot, count = assembly.robot, len(track.t)
    names = passive_axes(assembly)
    fastest = [robot.axis(name).limits.velocity or np.inf for name in names]

    def look(samples: np.ndarray) -> LegSamples:
        return _look(assembly, track, samples, motors.failed)

    seen = look(np.unique(np.linspace(0, count - 1, min(count, COARSE)).round().astype(int)))
    # samples with the fastest motors and the smallest Type 2 distance are likely to be bad as well
    hints = [int(np.argmax(_known(x))) for x in (np.abs(motors.qd).max(axis=1, initial=0), -type_2)]
    for _ in range(_ROUNDS):
        danger = np.hstack([NEAR / np.maximum(seen.type_1, 1e-300), seen.rate / fastest])
        again = _around_the_worst(seen.samples, danger, hints)
        if len(again):
            seen = _merged(seen, look(again))
    positions = unwrapped(assembly, names, seen.position)
    position = {n: Watched(seen.samples, positions[:, i]) for i, n in enumerate(names)}
    everywhere = _everywhere(assembly, track, motors.failed, names)
    position |= {n: Watched(np.arange(count), values) for n, values in everywhere.items()}
    rate = {n: Watched(seen.samples, seen.rate[:, i]) for i, n in enumerate(names)}
    return seen, Passive(position, rate)


def _everywhere(
    assembly: Assembly, track: Samples, failed: np.ndarray, names: list[str]
) -> dict[str, np.ndarray]:
    """Positions of limited joints without motors at every sample, as simulations watch them."""
    bounded = bounded_axes(assembly)
    wanted = [name for name in names if name in bounded]
    if not wanted or len(track.t) <= COARSE:  # all samples have been computed already
        return {}
    motion, good = usual(assembly, "motion"), np.flatnonzero(~failed)
    if motion.runner(len(good)) is None:
        return {}  # state by state it would take too long
    arguments = {
        "T_0p": (track.T_0p[good], 2),
        "V_r": (track.V_0p[good][:, list(assembly.free)], 1),
        "step": (np.zeros(6 + assembly.mobility), 1),
    }
    values = dict(zip(motion.outputs, motion(arguments, on_error="nan").values, strict=True))
    columns = values["bounded"][:, [bounded.index(name) for name in wanted]]
    found = among_all(columns, good, len(track.t))
    return dict(zip(wanted, unwrapped(assembly, wanted, found).T, strict=True))


def _around_the_worst(samples: np.ndarray, danger: np.ndarray, hints: list[int]) -> np.ndarray:
    """Samples between those computed, where a figure is largest or first above 1.

    Args:
        samples: that were computed, rising ``(k,)``.
        danger: figures that should not be above 1 ``(k, figures)``.
        hints: samples around which to compute more besides.
    """
    if len(samples) == samples[-1] + 1:
        return np.array([], dtype=int)
    known = _known(danger)
    places = {*np.argmax(known, axis=0).tolist(), *np.searchsorted(samples, hints).tolist()}
    places |= set(np.argmax(known > 1.0, axis=0)[(known > 1.0).any(axis=0)].tolist())
    ends = [samples[[max(k - 1, 0), min(k + 1, len(samples) - 1)]] for k in places]
    new = np.unique(np.concatenate([np.arange(low, high + 1) for low, high in ends]))
    new = new[~np.isin(new, samples)]
    if len(new) <= _AGAIN:
        return new
    return np.asarray(new[np.linspace(0, len(new) - 1, _AGAIN).round().astype(int)])


def _known(values: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(values), -np.inf, values)


def _merged(one: LegSamples, other: LegSamples) -> LegSamples:
    order = np.argsort(np.concatenate([one.samples, other.samples]))
    both = (np.concatenate(pair)[order] for pair in zip(one, other, strict=True))
    return LegSamples(*both)


def _look(
    assembly: Assembly, track: Samples, samples: np.ndarray, failed: np.ndarray
) -> LegSamples:
    """Type 1 of every leg, constraint, positions and speeds of axes, at some samples."""
    some, good = track.at(samples), np.flatnonzero(~failed[samples])
    arguments = state_arguments(T_0p=some.T_0p[good], V_0p=some.V_0p[good])
    rows, *passive = usual(assembly, "legs_at")(arguments, on_error="nan").values
    known = np.isfinite(rows).all(axis=(1, 2))
    rates, parts = len(assembly.scales.rates), len(part_names(assembly))
    legs, constraint = np.full((len(good), parts), np.nan), np.full(len(good), np.nan)
    A, B = rows[known][..., :rates], -rows[known][..., rates:]
    legs[known], constraint[known] = of_closure(assembly, A, B)
    found = (legs, constraint, *passive)
    return LegSamples(samples, *(among_all(values, good, len(samples)) for values in found))
