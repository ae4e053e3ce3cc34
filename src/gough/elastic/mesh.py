"""A beam cut into elements: nodes along its line, stiffness and mass in the body's axes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.base.turns import skew
from gough.elastic.elements import Element
from gough.robot.beam import Beam
from gough.robot.frame import rotation_from_axes

_SAME = 1e-6  # places nearer than this share of the beam's length are one node


@dataclass(frozen=True, eq=False)
class Mesh:
    """Elements of a beam.

    Attributes:
        beam: what is cut.
        nodes: their points in body axes ``(k, 3)`` [m].
        turned: axes of each element in columns, body axes ``(k - 1, 3, 3)``.
        shear: whether shear and rotary inertia count.
    """

    beam: Beam
    nodes: np.ndarray
    turned: np.ndarray
    shear: bool

    @cached_property
    def elements(self) -> list[Element]:
        """Elements from node to node."""
        lengths = np.linalg.norm(np.diff(self.nodes, axis=0), axis=1)
        section, material = self.beam.section.figures, self.beam.material
        return [Element(float(length), section, material, self.shear) for length in lengths]

    @cached_property
    def strains(self) -> np.ndarray:
        """Strains of all elements per displacement of the nodes, body axes ``(6(k - 1), 6k)``."""
        found = np.zeros((6 * len(self.elements), 6 * len(self.nodes)))
        for k, (element, R) in enumerate(zip(self.elements, self.turned, strict=True)):
            turn = repeated(R, 4)
            found[6 * k : 6 * k + 6, 6 * k : 6 * k + 12] = element.strains() @ turn.T
        return found

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Stiffness of all nodes, body axes ``(6k, 6k)``."""
        return np.asarray(self.strains.T @ self.strains)

    @cached_property
    def mass(self) -> np.ndarray:
        """Mass of the beam alone, body axes ``(6k, 6k)``."""
        return self.summed([element.mass() for element in self.elements])

    def summed(self, matrices: Sequence[np.ndarray]) -> np.ndarray:
        """Matrices of all elements, in their own axes, put together in body axes."""
        found = np.zeros((6 * len(self.nodes),) * 2)
        for k, (matrix, R) in enumerate(zip(matrices, self.turned, strict=True)):
            turn = repeated(R, 4)
            here = slice(6 * k, 6 * k + 12)
            found[here, here] += turn @ matrix @ turn.T
        return found

    def at(self, point: np.ndarray) -> np.ndarray:
        """Displacement ``[u; theta]`` of a point that sits on the beam, per node, ``(6, 6k)``.

        Body axes.  A point beside the line is held rigidly by the section nearest to it.
        """
        k, place = self._nearest(point)
        turn = repeated(self.turned[k], 4)
        own = repeated(self.turned[k], 2) @ self.elements[k].shape(place) @ turn.T
        on_line = self.nodes[k] + place * (self.nodes[k + 1] - self.nodes[k])
        found = np.zeros((6, 6 * len(self.nodes)))
        found[:, 6 * k : 6 * k + 12] = shift(point - on_line) @ own
        return found

    def arm(self, point: np.ndarray) -> np.ndarray:
        """From the nearest place of the beam to a point [m]."""
        k, place = self._nearest(point)
        return np.asarray(point - self.nodes[k] - place * (self.nodes[k + 1] - self.nodes[k]))

    def nearest_node(self, point: np.ndarray) -> int:
        """The node nearest to a point; the first of those that are equally near."""
        away = np.linalg.norm(self.nodes - point, axis=1)
        return int(np.flatnonzero(away <= away.min() * (1.0 + 1e-9))[0])

    def _nearest(self, point: np.ndarray) -> tuple[int, float]:
        """The element nearest to a point, and the place on it, 0 to 1."""
        ways = np.diff(self.nodes, axis=0)
        places = ((point - self.nodes[:-1]) * ways).sum(axis=1) / (ways**2).sum(axis=1)
        places = np.clip(places, 0.0, 1.0)
        away = np.linalg.norm(self.nodes[:-1] + places[:, None] * ways - point, axis=1)
        k = int(np.argmin(away))
        return k, float(places[k])


def repeated(R: np.ndarray, times: int) -> np.ndarray:
    """A rotation of several vectors at once: blocks R ``(..., 3, 3)`` on the diagonal."""
    found = np.zeros((*R.shape[:-2], 3 * times, 3 * times))
    for k in range(0, 3 * times, 3):
        found[..., k : k + 3, k : k + 3] = R
    return found


def shift(offset: np.ndarray) -> np.ndarray:
    """Displacement of a point per displacement of another one of the same rigid part.

    Args:
        offset: from the other one to the point ``(..., 3)`` [m].

    Returns:
        Matrices ``(..., 6, 6)``.
    """
    found = np.zeros((*offset.shape[:-1], 6, 6))
    found[..., range(6), range(6)] = 1.0
    found[..., :3, 3:] = -skew(offset)
    return found


def cut(beam: Beam, points: Sequence[np.ndarray], elements: int, *, shear: bool) -> Mesh:
    """A beam cut into elements, with nodes where something sits on it.

    Args:
        beam: the beam.
        points: where joints and masses sit, in body axes [m]; the nearest places of the line become
            nodes.
        elements: number of elements between neighbouring ones of these nodes and of corners.
        shear: whether shear and rotary inertia count.
    """
    corners = np.array(beam.points)
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    places = [*ends, *(_along(corners, ends, point) for point in points)]
    kept: list[float] = []
    for place in [*ends, *sorted(places)]:  # corners stay, what is very near to one joins it
        if all(abs(place - other) > _SAME * ends[-1] for other in kept):
            kept.append(float(place))
    kept.sort()
    fine = [
        low + (high - low) * i / elements
        for low, high in itertools.pairwise(kept)
        for i in range(elements)
    ]
    stations = np.array([*fine, kept[-1]])
    nodes = np.stack([np.interp(stations, ends, corners[:, i]) for i in range(3)], axis=1)
    middles = (stations[:-1] + stations[1:]) / 2.0
    pieces = np.searchsorted(ends, middles) - 1
    turned = np.array([_axes(corners[p + 1] - corners[p], beam.up) for p in pieces])
    return Mesh(beam, nodes, turned, shear)


def _along(corners: np.ndarray, ends: np.ndarray, point: np.ndarray) -> float:
    """Place along a line of points that is nearest to another point [m]."""
    ways = np.diff(corners, axis=0)
    places = ((point - corners[:-1]) * ways).sum(axis=1) / (ways**2).sum(axis=1)
    places = np.clip(places, 0.0, 1.0)
    k = int(np.argmin(np.linalg.norm(corners[:-1] + places[:, None] * ways - point, axis=1)))
    return float(ends[k] + places[k] * (ends[k + 1] - ends[k]))


def _axes(along: np.ndarray, up: tuple[float, float, float] | None) -> np.ndarray:
    """Axes x, y, z of a section in columns: x along the beam, z leaning towards ``up``."""
    if up is None:
        y, x = rotation_from_axes(along).T[1:]
        return np.stack([x, y, np.cross(x, y)], axis=1)
    z, _, x = rotation_from_axes(along, up).T
    return np.stack([x, np.cross(z, x), z], axis=1)
