"""The largest box around home, in all freedoms at once, in which a robot moves freely."""

from __future__ import annotations

from itertools import product

import numpy as np

from gough.singularity.workspace.excursions import Together
from gough.singularity.workspace.walking import Ends, Walker

_LEVELS = {1: 2, 2: 33, 3: 13, 4: 5, 5: 3, 6: 3}
"""Places along each freedom on the surface of the box, by the number of freedoms."""

_FRESH, _BESIDE = 600, 200  # random ways of a round: over the whole surface, and beside the worst
_ROUNDS = 40  # at most
_WIDTH = 0.15  # of the spread beside the worst way, in halves of the box


def box_together(
    walker: Walker, minus: np.ndarray, plus: np.ndarray, tolerance: float, seed: int = 0
) -> Together:
    """Scale the box of all excursions alone until every way from home to its surface is free.

    A box is full of straight ways from its home to its surface.  Those to its corners, and to a
    lattice on its faces, give a first size.  Then random ones are followed, round after round, over
    the whole surface and beside the one that ended first, until a round finds nothing shorter.

    Args:
        walker: of the robot.
        minus: excursions of each freedom alone, against it ``(n,)``.
        plus: the same along it.
        tolerance: to which ends are found, as a share of the box.
        seed: of the random ways.
    """
    n, home = len(plus), walker.closer.home
    start = home.y[0, walker.closer.free]
    rng = np.random.default_rng(seed)
    share, end, rays, worst = 1.0, "all of each alone is free", 0, np.ones(n)
    at = start + plus

    def follow(ways: np.ndarray) -> bool:
        """Follow ways to the surface of the box as it is; whether one ends before."""
        nonlocal share, end, at, rays, worst
        goal = start + share * np.where(ways < 0.0, -ways * minus, ways * plus)
        ends = walker.walked(home.repeated(len(ways)), goal, tolerance)
        rays += len(ways)
        k = int(np.argmin(ends.share))
        if ends.share[k] >= 1.0:
            return False
        share, worst, at = float(ends.share[k]) * share, ways[k], ends.last.y[k, walker.closer.free]
        (end,) = walker.reasons(Ends(ends.share[[k]], ends.last.at([k]), ends.refused.at([k])))
        return True

    levels = np.linspace(-1.0, 1.0, _LEVELS[n])
    surface = np.array([u for u in product(levels, repeat=n) if max(map(abs, u)) == 1.0])
    follow(np.array(list(product((-1.0, 1.0), repeat=n))))
    follow(surface)
    fresh = 0
    for _ in range(_ROUNDS):
        over = rng.uniform(-1.0, 1.0, size=(_FRESH, n))
        beside = worst + _WIDTH * rng.normal(size=(_BESIDE, n))
        ways = np.concatenate([over, np.clip(beside, -1.0, 1.0)])
        if not follow(ways / np.abs(ways).max(axis=1, keepdims=True)):
            fresh = len(ways)
            break
    return Together(share, share * minus, share * plus, end, at, rays, fresh)
