"""The choice of the independent coordinates V_r, and of the pivots of the closure equations."""

from __future__ import annotations

from collections.abc import Sequence

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


def choose_freedoms(ranks: Sequence[Ranks], mobility: int) -> tuple[int, ...]:
    """Components of the platform twist that may be chosen at will and fix the others.

    A machine with one freedom is described by its angle if it turns: a coordinate of a point on a
    circle would have turning points.
    """
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
