"""The choice of the independent coordinates V_r, and of the pivots of the closure equations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gough.base.linalg import Plan, choose_plan
from gough.base.spatial import twist_scales
from gough.mechanism.closure.axes import AxisPlace
from gough.mechanism.closure.coordinates import scale_of_rates
from gough.mechanism.closure.dense import demand_scales, platform_scales, scaled_legs
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Plans, Solution
from gough.mechanism.mobility.rank import Ranks

FREEDOMS = ("x", "y", "z", "rx", "ry", "rz")
"""Names of the components: position of the platform origin, and rotation vector, base axes."""

# Components are taken in the order x y z rx ry rz unless a later one is five times as large among
# the twists that are left: a factor of five costs less than one digit of the others.
_PREFERENCE = 0.2

# Taken one by one so, they may still fix the others poorly together: then the best set is taken.  A
# quarter of the best costs little more than half a digit, and keeps the names that users know: no
# robot of the zoo, of the examples or of the reference has other freedoms by it.
_AS_GOOD = 0.25
_ALIKE = 0.9  # sets that are as good but for symmetry: the first one in order


def choose_freedoms(ranks: Sequence[Ranks], mobility: int) -> tuple[int, ...]:
    """Components of the platform twist that may be chosen at will and fix the others.

    They are good at every posture given.  A machine with one freedom is described by its angle if
    it turns: a coordinate of a point on a circle would have turning points.
    """
    usual = _choose_in_order(ranks, mobility)
    if mobility in (0, 1, 6):
        return usual
    bases = [r.platform for r in ranks]
    best = best_freedoms(bases)
    as_good = determine_twists(bases, usual) >= _AS_GOOD * determine_twists(bases, best)
    return usual if as_good else best


def best_freedoms(bases: Sequence[np.ndarray]) -> tuple[int, ...]:
    """Components that fix the twists of every posture best.

    Args:
        bases: orthonormal twists that each posture allows, natural units, 6xn.
    """
    sets = list(combinations(range(6), bases[0].shape[1]))
    told = np.array([determine_twists(bases, each) for each in sets])
    return sets[int(np.argmax(told >= _ALIKE * told.max()))]


def determine_twists(bases: Sequence[np.ndarray], free: Sequence[int]) -> float:
    """Smallest singular value, over all postures, of the map from allowed twists to components.

    1 if these are all that moves, 0 where they do not tell the twist.
    """
    chosen = np.array([basis[list(free)] for basis in bases])
    return float(np.linalg.svd(chosen, compute_uv=False)[:, -1].min()) if chosen.size else 1.0


def _choose_in_order(ranks: Sequence[Ranks], mobility: int) -> tuple[int, ...]:
    """Components one by one, the first of those that are about as large."""
    if mobility == 1:
        size = np.min([_left_over(r.platform, ()) for r in ranks], axis=0)
        turns = size[3:].max() > 0.5 * size.max()
        return (3 + int(np.argmax(size[3:])) if turns else int(np.argmax(size[:3])),)
    chosen: list[int] = []
    for _ in range(mobility):
        left = np.min([_left_over(r.platform, chosen) for r in ranks], axis=0)
        chosen.append(int(np.argmax(left >= _PREFERENCE * left.max())))
    return tuple(sorted(chosen))


def _left_over(basis: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
    """Size of each component among the twists that are left when the chosen ones are zero."""
    if chosen:
        Q, _ = np.linalg.qr(basis[list(chosen)].T)
        basis = basis - basis @ Q @ Q.T
    left = np.linalg.norm(basis, axis=1)
    left[list(chosen)] = 0.0
    return np.asarray(left)


def choose_plans(
    states: Sequence[Equations],
    length: float,
    free: tuple[int, ...],
    known: Sequence[Plan] | None = None,
) -> Plans:
    """Pivots for all closure systems, good at every state given; those of legs may be known."""
    return solved(states, length, free, known=known)[0].plans


def solved(
    states: Sequence[Equations],
    length: float,
    free: tuple[int, ...],
    motors: Sequence[AxisPlace] = (),
    *,
    known: Sequence[Plan] | None = None,
) -> list[Solution]:
    """States factored by pivots that are good at every one of them; those of legs may be known."""
    topology = states[0].topology
    legs = tuple(_leg_plans(states, length) if known is None else known)
    none = Plan((), ())
    solutions = [Solution(at, Plans(legs, none, none), free, motors) for at in states]
    hub = none
    if topology.hub.rates:
        columns = scale_of_rates(topology.hub, length)
        samples = [
            s.constraints[1] * columns / demand_scales(s, length)[:, None] for s in solutions
        ]
        hub = choose_plan(samples, topology.hub.rates)
        solutions = [s.with_plans(Plans(legs, hub, none)) for s in solutions]
    dependent = [i for i in range(6) if i not in free]
    if not dependent:
        return solutions
    scale = twist_scales(length)
    samples = []
    for solution in solutions:
        B = solution.platform_rows()[0] * scale / platform_scales(solution, length)[:, None]
        samples.append(B[:, dependent])
    platform = choose_plan(samples, len(dependent))
    return [s.with_plans(Plans(legs, hub, platform)) for s in solutions]


def _leg_plans(states: Sequence[Equations], length: float) -> list[Plan]:
    scaled = [scaled_legs(at, length) for at in states]
    return [
        choose_plan([legs[i] for legs in scaled], leg.tree.rates)
        for i, leg in enumerate(states[0].topology.legs)
    ]
