"""Accelerations of points along chains of elements, from state variables alone.  [OZ] (15), (33)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gough.base.spatial import Array, cross
from gough.dynamics.elements.variables import STILL, Direction, Variables
from gough.mechanism.topology.edges import TreeEdge

if TYPE_CHECKING:
    from gough.dynamics.elements.kinematics import ElementState

Accelerated = tuple[Array, Array]
"""A point of a body, and its acceleration."""


def turn_of(state: ElementState, motion: Variables, body: str) -> Direction:
    """How a body's element turns; at rest if it keeps the orientation of the base."""
    return motion.directions.get(state.parts.element_of[body], STILL)


def acceleration_of(
    state: ElementState, motion: Variables, body: str, p: Array, at: Accelerated
) -> Array:
    """Acceleration of a body's point at p: ``rho xddot + omegadot x e + omega x (omega x e)``.

    Equations:
        [OZ] (15), (33).
    """
    origin, a = at
    name = state.parts.element_of[body]
    if name not in motion.directions:
        return a
    turn = motion.directions[name]
    rho, e = state.split(body, p - origin)
    return a + turn.xdd * rho + cross(turn.wd, e) + cross(turn.w, cross(turn.w, e))  # [OZ] (15)


def accelerations(
    state: ElementState,
    motion: Variables,
    start: Mapping[str, Accelerated],
    ways: Iterable[TreeEdge],
) -> dict[str, Accelerated]:
    """Each body's joint point along ways that lead on from some bodies.  [OZ] (33)."""
    found = dict(start)
    for way in ways:
        A, B = state.at.frames(way.joint)
        here, there = (A, B) if way.sign > 0 else (B, A)
        a = acceleration_of(state, motion, way.before, here.p, found[way.before])
        parent = turn_of(state, motion, way.joint.parent)
        slides = state.slides(way.joint)
        for key, s in slides:
            length = motion.lengths[key]
            a = a + (s * length.acceleration + cross(parent.w, s) * (2.0 * length.rate)) * way.sign
        if slides:  # what is drawn out turns with the parent
            a = acceleration_of(state, motion, way.joint.parent, there.p, (here.p, a))
        found[way.body] = (there.p, a)
    return found
