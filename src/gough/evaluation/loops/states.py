"""Many states of a robot whose legs decide part of its pose: all samples led from home at once.

:mod:`gough.geometry.state` leads one sample after the other; here all go the same straight way in
the independent coordinates together, see :mod:`gough.evaluation.loops.closing`.  Samples that do
not settle, or that a kernel is in doubt of, are left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gough.base import turns
from gough.base.batch import all_finite
from gough.base.conditions import is_valid
from gough.compiler.machine_code.kernel import BLOCK
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.engine import choice_of
from gough.evaluation.loops.closing import Closer, States, coordinate_rates, times
from gough.mechanism.mobility.assembly import Assembly

STRIDE = 0.5
"""Longest stride of the freedoms, natural units: Newton's method follows it on one branch."""

Reference = Callable[[int], Sequence[np.ndarray]]
"""State of the sample with a number, one by one, or its named error."""

Freedoms = Sequence[np.ndarray]
"""Freedoms ``(K, n)``, their rates, and their accelerations."""


def closed_states(
    assembly: Assembly,
    x: Freedoms,
    reference: Reference,
    *,
    threads: int | None = None,
    compiled: bool = False,
) -> Closed:
    """States of freedoms (K, n) and their rates, those that do not settle by the reference.

    Kernels are built where that pays; a robot that cannot be traced goes without.

    Args:
        assembly: the robot.
        x: freedoms and their rates.
        reference: answers for single samples.
        threads: most threads; all cores if not given.
        compiled: whether kernels are wanted, whatever they cost.
    """
    count, closer = len(x[0]), Closer(assembly, threads)
    pays = compiled or choice_of(assembly, "closing_step", Variant()).runner(count) is not None
    states = [np.full((count, *core), np.nan) for core in ((4, 4), (6,), (6,))]
    found = Closed(*(*states, np.zeros(count, dtype=bool)))
    if pays and closer.looker.is_traced:
        for block in (slice(begin, begin + BLOCK) for begin in range(0, count, BLOCK)):
            led = led_from_home(closer, [part[block] for part in x])
            for whole, part in zip(found, led, strict=True):
                whole[block] = part
    for k in np.flatnonzero(~found.settled):
        for whole, one in zip(found[:3], reference(int(k)), strict=True):
            whole[k] = one
    return found


class Closed(NamedTuple):
    """States of many samples.

    Attributes:
        T_0p, V_0p, Vdot_0p: pose, twist and twist rate of the platform.
        settled: which of them a kernel found without doubt, (K,).
    """

    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    settled: np.ndarray


def led_from_home(closer: Closer, x: Freedoms) -> Closed:
    """States of freedoms (K, n) and their rates."""
    with np.errstate(all="ignore"):  # what is no number is not settled
        home = closer.home.repeated(len(x[0]))
        return _moving(closer, closer.walked(home, x[0], STRIDE), x)


def _moving(closer: Closer, states: States, x: Freedoms) -> Closed:
    """Twists and twist rates of assembled states."""
    _, V_r, accelerations = x
    T, y = closer.poses(states.y), states.y
    if max(closer.free) > 2:
        Psi = closer.looker.move(T, states.joints, V_r)["Psi"]
        V_r, _ = closer.rates_of(coordinate_rates(y, Psi), V_r)
    seen = closer.looker.move(T, states.joints, V_r)
    Psi, yd_Vr = seen["Psi"], coordinate_rates(y, seen["Psi"])
    w, wd = y[:, 3:], times(yd_Vr, V_r)[:, 3:]
    carried = np.zeros_like(y)
    carried[:, 3:] = turns.turning((w, wd, np.zeros_like(w)))[1]
    drift = coordinate_rates(y, (seen["drift"] - carried)[..., None])[:, closer.free, 0]
    Vdot_r, regular = closer.rates_of(yd_Vr, accelerations - drift)
    V, Vdot = times(Psi, V_r), times(Psi, Vdot_r) + seen["drift"]
    good = states.good & regular & is_valid(seen["doubt"]) & all_finite(V) & all_finite(Vdot)
    return Closed(T, V, Vdot, good)
