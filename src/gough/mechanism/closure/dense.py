"""All closure equations in one pair of matrices, of numbers or symbols: ``A u = B V + r``.

``u`` holds the rates of the hub's links, then of each leg's.  Rows and columns are scaled to
natural units (1 rad, the robot's length), so that ranks and norms mean something.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gough.base.once import find_fact, known_of
from gough.base.spatial import Array, collect, twist_scales
from gough.mechanism.closure.coordinates import Configuration, advance, scale_of_rates
from gough.mechanism.closure.couplings import row_scale
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Lock, Locks
from gough.mechanism.closure.solution import Rates, Solution
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import Tree
from gough.robot.joint_kinds import BALL, KINDS, SLIDE, TURN


@dataclass(frozen=True)
class Dense:
    """Scaled closure equations, and the scales of u and V.

    Attributes:
        rows: over (u, V), ``[A, -B]``.
        r: their residuals.
        u_scale, V_scale: natural sizes of their columns.
    """

    rows: np.ndarray
    r: np.ndarray
    u_scale: np.ndarray
    V_scale: np.ndarray

    @property
    def A(self) -> np.ndarray:
        """Columns of the joints."""
        return self.rows[:, :-6]

    @property
    def B(self) -> np.ndarray:
        """Columns of the platform, on the other side of the equations."""
        return -self.rows[:, -6:]


def dense(at: Equations, length: float) -> Dense:
    """Closure equations in natural units."""
    scales = column_scales(at.topology, length)
    return Dense(natural_rows(at, length), natural_gaps(at, length), scales[:-6], scales[-6:])


def natural_gaps(at: Equations, length: float) -> Array:
    """Residuals of the closure equations at position level, natural units."""
    hub, legs = at.residuals()
    return collect([*hub, *(x for leg in legs for x in leg)]) / row_scales(at, length)


def natural_rows(at: Equations, length: float) -> Array:
    """Closure rows over all of u and V in natural units, of numbers or symbols: ``[A, -B]``.

    With the freedoms held they lose rank where something can still move: a leg is stretched or
    folded, a nacelle comes loose, or the legs no longer decide the platform.
    """
    hub = at.hub_block
    rows = _over_all(at.topology, [(hub.E, hub.F), *((b.E, b.F) for b in at.leg_blocks)])
    return rows * (column_scales(at.topology, length) / row_scales(at, length)[:, None])


def _over_all(topology: Topology, blocks: Iterable[tuple[Array, Array]]) -> Array:
    """Closure rows over all of u and V, of numbers or symbols: E and F of the hub, then of legs."""
    widths = [tree.rates for tree in topology.trees]
    found = []
    for k, (E, F) in enumerate(blocks):
        parts: list[Array] = [np.zeros((E.shape[0], width)) for width in widths]
        if k and widths[0]:
            parts[0] = -F[:, 6:]
        parts[k] = E
        found.append(np.concatenate([*parts, -F[:, :6]], axis=1))
    return np.concatenate(found)


@known_of(Topology)
def column_scales(topology: Topology, length: float) -> np.ndarray:
    """Size of each entry of u and V in natural units; the same for every state."""
    return np.concatenate([rate_scales(topology, length), twist_scales(length)])


def row_scales(at: Equations, length: float) -> np.ndarray:
    """Size of each row's residual in natural units; the same for every state."""

    def make(locks: Locks) -> np.ndarray:
        return np.concatenate(group_scales(at.topology, locks, length))

    return find_fact(at.locks, (row_scales, length), make)


def group_scales(topology: Topology, locks: Locks, length: float) -> tuple[np.ndarray, ...]:
    """Sizes of rows in natural units: of the hub's, then of each leg's; not to be written into."""

    def make(locks: Locks) -> tuple[np.ndarray, ...]:
        sizes = {True: length, False: 1.0}
        trees, closings, couplings = topology.trees, topology.closings, topology.couplings
        return tuple(
            np.array(
                [sizes[row] for c in closed for row in KINDS[c.joint.kind].rows]
                + [row_scale(each, length) for each in coupled]
                + [sizes[_is_length(tree, lock)] for lock in own]
            )
            for tree, closed, coupled, own in zip(
                trees, closings, couplings, locks.trees, strict=True
            )
        )

    return find_fact(locks, (group_scales, length), make)


def _is_length(tree: Tree, lock: Lock) -> bool:
    """Whether what a lock keeps at zero has metres in it: a slide's rate."""
    return lock.axis is None and tree.links[tree.link_of(lock.column)].move == SLIDE


def demand_scales(solution: Solution, length: float) -> np.ndarray:
    """Size of each row of ``solution.constraints`` in natural units."""
    at = solution.equations
    hub, *legs = group_scales(at.topology, at.locks, length)
    left = [rows[list(f.left_over)] for rows, f in zip(legs, solution.factors, strict=True)]
    return np.concatenate([hub, *left])


def platform_scales(solution: Solution, length: float) -> np.ndarray:
    """Size of each row of ``solution.platform_rows`` in natural units."""
    rows = demand_scales(solution, length)
    return rows[list(solution.hub_factor.left_over)] if solution.plans.hub.columns else rows


def rate_scales(topology: Topology, length: float) -> np.ndarray:
    """Size of each entry of u in natural units."""
    return np.concatenate([scale_of_rates(tree, length) for tree in topology.trees])


def turning(topology: Topology) -> np.ndarray:
    """Which entries of u turn a (cos, sin) pair or a ball."""
    links = [link for tree in topology.trees for link in tree.links]
    return np.array([k.move in (TURN, BALL) for k in links for _ in range(k.rates)], dtype=bool)


def scaled_legs(at: Equations, length: float) -> list[np.ndarray]:
    """``E_l`` of every leg in natural units."""
    _, *rows = group_scales(at.topology, at.locks, length)
    return [
        block.E * (scale_of_rates(leg.tree, length) / own[:, None])
        for leg, block, own in zip(at.topology.legs, at.leg_blocks, rows, strict=True)
    ]


def split(topology: Topology, u: np.ndarray) -> Rates:
    """The vector u taken apart into hub and legs."""
    ends = np.cumsum([0, *(tree.rates for tree in topology.trees)])
    hub, *legs = (u[a:b] for a, b in pairwise(ends))
    return Rates(hub, legs)


def move(topology: Topology, configuration: Configuration, rates: Rates) -> Configuration:
    """The configuration after a small step."""
    steps = zip(topology.trees, configuration.trees, rates.trees, strict=True)
    return Configuration.of(advance(tree, at, step) for tree, at, step in steps)
