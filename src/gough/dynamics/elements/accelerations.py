"""Accelerations of points along chains of elements, from state variables alone.  [OZ] (15), (33)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.elements.partials import Drawn
from gough.dynamics.elements.variables import STILL, Direction, Variables
from gough.mechanism.topology.edges import TreeEdge

if TYPE_CHECKING:
    from gough.dynamics.elements.kinematics import ElementState

Accelerated = tuple[np.ndarray, Array]
"""Where a point is on its body, body axes, and its acceleration."""


def turn_of(state: ElementState, motion: Variables, body: str) -> Direction:
    """How a body's element turns; at rest if it keeps the orientation of the base."""
    return motion.directions.get(state.parts.element_of[body], STILL)


def acceleration_of(
    state: ElementState, motion: Variables, body: str, r: np.ndarray, at: Accelerated
) -> Array:
    """Acceleration of a body's point at r, body axes, from that of another of its points."""
    origin, a = at
    return a + turned_by(state, motion, body, r - origin)


def turned_by(
    state: ElementState, motion: Variables, body: str, r: np.ndarray, drawn: Drawn = ()
) -> Array:
    """What a body's turning adds along r: ``rho xddot + omegadot x e + omega x (omega x e)``.

    Equations:
        [OZ] (15), (33).
    """
    name = state.parts.element_of[body]
    if name not in motion.directions:
        return np.zeros(3)
    turn = motion.directions[name]
    rho, e = state.arm(body, r, drawn)
    a = turn.xdd * rho  # [OZ] (15)
    return a if e is None else a + cross(turn.wd, e) + cross(turn.w, cross(turn.w, e))


def accelerations(
    state: ElementState,
    motion: Variables,
    start: Mapping[str, Accelerated],
    ways: Iterable[TreeEdge],
) -> dict[str, Accelerated]:
    """Each body's joint point along ways that lead on from some bodies.  [OZ] (33)."""
    found = dict(start)
    for way in ways:
        here, there = (state.frame_on(way.joint, body) for body in (way.before, way.body))
        a = acceleration_of(state, motion, way.before, here, found[way.before])
        parent = turn_of(state, motion, way.joint.parent)
        slides = state.slides(way.joint)
        for key, s in slides:
            length = motion.lengths[key]
            a = a + (s * length.acceleration + cross(parent.w, s) * (2.0 * length.rate)) * way.sign
        if slides:  # what is drawn out turns with the parent
            drawn = state.drawn(way.joint, way.sign)
            a = a + turned_by(state, motion, way.joint.parent, np.zeros(3), drawn)
        found[way.body] = (there, a)
    return found
