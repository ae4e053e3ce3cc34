"""The platform and what hangs on it: all that legs see of it follows from z.

``z = [v; omega; rates; ...]``: the platform twist, linear first, the rates of the hub's own joints,
and the screw of every body of the hub that no joint of its own leads to.  All screws are at the
platform's origin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.spatial import Array, collect, cross
from gough.dynamics.screws.chains import Chains, Held, Moving
from gough.dynamics.screws.graph import ScrewGraph
from gough.mechanism.closure.equations import Equations
from gough.mechanism.topology.coupled import Coupled


class HubScrews:
    """The hub at one state.

    Args:
        graph: the robot.
        at: the state.
        held: its frozen freedoms.
        coupled: couplings among its own joints.
    """

    def __init__(
        self, graph: ScrewGraph, at: Equations, held: Sequence[Held], coupled: Sequence[Coupled]
    ) -> None:
        self.part, self.held, self.coupled = graph.hub, held, coupled
        self.platform, *self.strangers = graph.hub.roots
        self.chains = Chains(graph, graph.hub, at, at.platform.p)
        self.own = slice(6, 6 + self.chains.count)
        self.size = 6 + self.chains.count + 6 * len(self.strangers)

    def root_screws(self, z: Array) -> dict[str, Array]:
        """Screws of the roots in a z."""
        found = {self.platform: np.concatenate([z[3:6], z[:3]])}
        for k, body in enumerate(self.strangers):
            start = self.own.stop + 6 * k
            found[body] = z[start : start + 6]
        return found

    def twists(self, z: Array) -> dict[str, Array]:
        """Twists of all bodies in a z."""
        return self.chains.twists(self.root_screws(z), z[self.own])

    def columns(self, body: str) -> Array:
        """Twist of a body per entry of z, 6xn."""
        return collect([self.twists(unit)[body] for unit in np.eye(self.size)]).T

    def motions(self, z: Array, zdot: Array | None = None) -> dict[str, Moving]:
        """Twists and accelerators of all bodies; without ``zdot`` what z alone contributes.

        The derivative of the platform twist is a plain one: its accelerator is
        ``[omega_dot; v_dot - omega x v]``, [GA] (9).
        """
        given = self.root_screws(np.zeros(self.size) if zdot is None else zdot)
        roots = {body: Moving(V, given[body]) for body, V in self.root_screws(z).items()}
        V, A = roots[self.platform]
        carried = np.concatenate([A[:3], A[3:] - cross(V[:3], V[3:])])  # [GA] (9)
        roots[self.platform] = Moving(V, carried)
        accelerations = None if zdot is None else zdot[self.own]
        return self.chains.motions(roots, z[self.own], accelerations)

    def on_z(
        self, wrenches: Mapping[str, Array], efforts: Mapping[int, Any] | None = None
    ) -> Array:
        """Wrenches ``[f; n]`` at the platform's origin, and efforts by place, as efforts on z."""
        own, roots = self.chains.efforts(wrenches)
        for place, effort in (efforts or {}).items():
            own[place] = own[place] + effort
        still = np.zeros(6)
        strangers = [roots.get(body, still) for body in self.strangers]
        parts = [roots.get(self.platform, still)]
        parts += [collect(own)] if own else []
        return np.concatenate(parts + [x for W in strangers for x in (W[3:], W[:3])])

    # rows of its own: loops, then couplings, then locks

    def rows(self) -> list[Array]:
        """Rows over z that are zero in every motion."""
        if not self.size - 6:
            return []
        chains = self.chains
        found = [self._over_z({}, row) for row in chains.loop_rows(self.part.closing)]
        found += [self._over_z({}, chains.coupling_row(each)) for each in self.coupled]
        for tree, placed, lock in self.held:
            turned: dict[str, Array] = {}
            if lock.axis is not None:
                spinning, x, pulls = chains.spin(tree, placed, lock)
                counted = [(spinning, x)]
                counted += [(body, -y) for body, y in pulls if body in chains.bodies]
                for body, y in counted:
                    way = self.part.way(body)
                    root = way[0].before if way else body
                    turned[root] = turned.get(root, np.zeros(3)) + y
            found.append(self._over_z(turned, chains.lock_row(tree, placed, lock)))
        return found

    def _over_z(self, turned: Mapping[str, Array], own: Array) -> Array:
        """A row over z: of angular velocities of roots, and of its own rates."""
        still = np.zeros(3)
        parts = [still, turned.get(self.platform, still), own]
        parts += [x for body in self.strangers for x in (turned.get(body, still), still)]
        return np.concatenate(parts)

    def biases(self, z: Array) -> list[Any]:
        """Right sides of the rows for accelerations."""
        if not self.size - 6:
            return []
        chains, lie, rates = self.chains, self.motions(z), z[self.own]
        found = chains.loop_biases(self.part.closing, lie, rates)
        found += [0.0] * len(self.coupled)
        return found + [chains.lock_bias(*held, lie, rates) for held in self.held]

    @property
    def is_length(self) -> list[bool]:
        """Whether a row is a velocity, and no angular velocity."""
        loops = ([False] * 3 + [True] * 3) * len(self.part.closing)
        loops += [False] * len(self.coupled)
        return loops + [self.chains.is_slide(*held) for held in self.held]
