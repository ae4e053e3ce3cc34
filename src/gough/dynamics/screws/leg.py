"""One leg solved by itself: rates from the platform, reciprocal screws, efforts.  [GA] section 6

    E_l qd_l = F_l z + g_l

Both ways to a body of the hub, up the leg or by the platform, give it the same twist, [GA] (59),
and the same accelerator, [GA] (69): six rows a joint between leg and hub.  Loops within the leg add
six rows each, [GA] (16); couplings and frozen idle freedoms a row each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough import screw
from gough.base.linalg import Factor
from gough.base.spatial import Array, collect, cross, total
from gough.dynamics.screws.chains import STILL, Chains, Held
from gough.dynamics.screws.graph import Part, ScrewGraph
from gough.mechanism.closure.blocks import stacked
from gough.mechanism.closure.equations import Equations
from gough.mechanism.topology.coupled import Coupled
from gough.robot import Joint


class End(NamedTuple):
    """A joint between leg and hub: the bodies on either side, and whether it is passed along."""

    joint: Joint
    near: str
    far: str
    sign: float


class LegScrews:
    """A leg at one state.

    Args:
        graph: the robot.
        part: the leg.
        at: the state.
        held: its frozen freedoms.
        coupled: its couplings.
        hub: screws of the hub, whose joints may be coupled with those of the leg.
        solve: factors its system.
    """

    def __init__(
        self,
        graph: ScrewGraph,
        part: Part,
        at: Equations,
        held: Sequence[Held],
        coupled: Sequence[Coupled],
        hub: Chains,
        solve: Callable[[Array], Factor],
    ) -> None:
        self.part, self.held, self._solve = part, held, solve
        self.chains = Chains(graph, part, at)
        self.coupled = coupled
        self._on_hub = [hub.coupled_places(each) for each in coupled]
        # from the platform's origin to the leg's point
        self.arm: Array = self.chains.point - at.platform.p
        self._hub_bodies = graph.on_hub
        self.roots = {graph.robot.base: STILL}
        outside = [joint for joint in part.closing if {joint.parent, joint.child} & graph.on_hub]
        self.inner = [joint for joint in part.closing if joint not in outside]
        self.ends = [
            End(j, j.parent, j.child, 1.0)
            if j.child in graph.on_hub
            else End(j, j.child, j.parent, -1.0)
            for j in outside
        ]

    # rows: of the ends, of loops within the leg, of couplings, of locks

    @cached_property
    def E(self) -> Array:
        """The leg's rows over its own rates."""
        chains, rows = self.chains, []
        for end in self.ends:
            found = chains.joined(chains.pairs(end.near) + chains.over(end.joint, end.sign))
            rows += list(found)  # J^(i), [GA] (59)
        rows += chains.loop_rows(self.inner)  # [GA] (16)
        rows += [chains.coupling_row(each) for each in self.coupled]
        rows += [chains.lock_row(*held) for held in self.held]
        return stacked(rows, chains.count)

    @property
    def is_length(self) -> list[bool]:
        """Whether a row is a velocity, and no angular velocity."""
        loops = [False] * 3 + [True] * 3
        loops = loops * (len(self.ends) + len(self.inner)) + [False] * len(self.coupled)
        return loops + [self.chains.is_slide(*held) for held in self.held]

    def seen(self, hub: Mapping[str, Array], rates: Array) -> list[Any]:
        """``F z``: twists (or accelerators) of the hub's bodies at the leg's point, row by row.

        ``rates`` are those (or accelerations) of the hub's own joints, for couplings with them.
        """
        rows = [x for end in self.ends for x in screw.moved(hub[end.far], self.arm)]
        rows += [0.0] * (6 * len(self.inner))
        rows += [-total(rates[i] * c for i, c in each.items()) for each in self._on_hub]
        return rows + [total(x @ hub[b][:3] for b, x in each.items()) for each in self._beside]

    @cached_property
    def _beside(self) -> list[dict[str, Array]]:
        """Of each lock the hub's bodies that drag along, and what they count in its row."""
        return [
            {
                pull.body: pull.y
                for pull in (self.chains.drag(tree, lock).pulls if lock.beside else ())
                if pull.body in self._hub_bodies
            }
            for tree, _, lock in self.held
        ]

    def lie_rows(self, rates: Array, hub: Mapping[str, Array]) -> list[Any]:
        """What rates of the leg contribute to the accelerations of its rows: Lie screws.

        ``hub`` are twists of the hub's bodies: the spin that they drag along is about an axis of
        the leg, which moves.
        """
        chains, rows = self.chains, []
        lie = chains.motions(self.roots, rates)
        for end in self.ends:
            found = chains.behind(lie[end.near], end.joint, end.sign, rates)
            rows += list(-found.A)  # - $_L, [GA] (69)-(70)
        rows += chains.loop_biases(self.inner, lie, rates)  # [GA] (16)
        rows += [0.0] * len(self.coupled)
        rows += [chains.lock_bias(*held, lie, rates, hub) for held in self.held]
        return rows

    # solved

    @cached_property
    def factor(self) -> Factor:
        """The leg's own small system."""
        return self._solve(self.E)

    def rates(self, rows: Sequence[Any]) -> Array:
        """Rates, or accelerations, from the right sides of the rows.  [GA] (23)-(24), (69)."""
        return collect(self.factor.solve(rows))

    def from_efforts(self, efforts: Sequence[Any]) -> Array:
        """The screw over the rows that does the work of efforts along the leg's rates.

        Of a unit effort it is the reciprocal screw of [GA] (60): its Klein form with the screw of
        that joint is one, with all others of the leg zero.
        """
        return collect(self.factor.solve_transposed(efforts))

    @cached_property
    def constraints(self) -> list[Array]:
        """Screws over the rows that no joint of the leg works on, one for each row left over."""
        unit = np.eye(self.E.shape[0])
        return [unit[i] - self.from_efforts(self.E[i]) for i in self.factor.left_over]

    def on_hub(self, over_rows: Array) -> dict[str, Array]:
        """A screw over the rows as wrenches ``[f; n]`` on bodies of the hub: ``F^T``."""
        found: dict[str, Array] = {}
        for k, end in enumerate(self.ends):
            n, f = over_rows[6 * k : 6 * k + 3], over_rows[6 * k + 3 : 6 * k + 6]
            W = np.concatenate([f, n + cross(self.arm, f)])
            found[end.far] = found[end.far] + W if end.far in found else W
        for effort, each in zip(
            over_rows[len(over_rows) - len(self.held) :], self._beside, strict=True
        ):
            for body, x in each.items():
                W = np.concatenate([np.zeros(3), x * effort])
                found[body] = found[body] + W if body in found else W
        return found

    def on_hub_rates(self, over_rows: Array) -> dict[int, Any]:
        """The same as efforts on the hub's own joints, which couplings take to them."""
        found: dict[int, Any] = {}
        start = 6 * (len(self.ends) + len(self.inner))
        for k, each in enumerate(self._on_hub, start=start):
            for place, coefficient in each.items():
                found[place] = found.get(place, 0.0) - over_rows[k] * coefficient
        return found
