"""The surface of Type 2 poses in a robot's freedoms, and its place nearest a pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.singularity.neighbourhood import Neighbourhood, Place

# Lengths are in natural units.
_SLIDES, _LONGEST = 30, 0.2  # steps of a slide, and the longest: the surface is smooth over it
_SETTLED = 1e-5  # of a way along the surface; the distance is then right to its square
ROUGH = 6
"""Steps of a slide after which its minimum can be compared with others."""
_AT_BARRIER = 0.3  # share of the start's distance from Type 1 singularities: one may be in the way
_SHORTER, _GAIN = 6, 1e-12  # tries of a step, each 0.3 of the one before; least gain of distance
_CORRECTIONS, _ON_SURFACE = 8, 1e-10  # back to the surface; a singular value that is zero there
_NO_SLOPE = 1e-9  # gradient of the surface's equation that is rounding of differences over 1e-6
_STUCK = 1e-6  # a way to the surface so short that shorter ones end within rounding


class Surface(NamedTuple):
    """The singular surface near a place.

    Attributes:
        left, right: singular vectors from the smallest singular value on.
        G: slopes of what must vanish, ``left . J right``; one row each, one column a freedom.
    """

    left: np.ndarray
    right: np.ndarray
    G: np.ndarray

    def conditions(self, here: Place) -> np.ndarray:
        """The equations of the surface, evaluated at a place nearby.

        As many motors as freedoms make one condition; more motors make more.
        """
        left, right = _last_vectors(here)
        left, right = left @ _turned(left, self.left), right @ _turned(right, self.right)
        return np.asarray((left.T @ here.motors @ right).reshape(-1))

    def back(self, here: Place) -> np.ndarray:
        """The shortest way to the surface."""
        return np.asarray(-np.linalg.pinv(self.G, rcond=_NO_SLOPE) @ self.conditions(here))


def surface_at(around: Neighbourhood, here: Place) -> Surface | None:
    """The surface that is nearest a place; ``None`` where it has no slopes."""
    left, right = _last_vectors(here)
    slopes = around.slopes(here)
    if slopes is None or not np.isfinite(slopes).all():
        return None
    G = np.array([(left.T @ slope @ right).reshape(-1) for slope in slopes]).T
    return Surface(left, right, G) if np.linalg.norm(G) > _NO_SLOPE else None


def _last_vectors(here: Place) -> tuple[np.ndarray, np.ndarray]:
    w = here.look.wanted
    U, _, Vt = np.linalg.svd(here.motors, full_matrices=True)
    return U[:, w - 1 :], Vt[w - 1 :].T


def _turned(basis: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The rotation of a basis that makes it most like another: signs come out the same."""
    U, _, Vt = np.linalg.svd(basis.T @ like)
    return np.asarray(U @ Vt)


def slide(around: Neighbourhood, here: Place, steps: int = _SLIDES) -> Place | None:
    """The place of the surface nearest the start, from a place on it or near it.

    Steps reduce the distance along the surface; their length follows from the last two (Barzilai,
    Borwein 1988).  Then the place is corrected back to the surface; no step is taken that does not
    come nearer.
    """
    found = _arrived(around, here)
    before: tuple[np.ndarray, np.ndarray] | None = None
    longest, hindered = _LONGEST, False
    for _ in range(steps):
        if found is None:
            break
        here = found
        surface = surface_at(around, here)
        if surface is None:
            break
        down = _down(here, surface.G)
        at_barrier = here.look.type_1 < _AT_BARRIER * around.start.look.type_1
        away = around.barrier(here) if hindered and at_barrier else None
        if away is not None and down @ away < 0.0:  # along the Type 1 singularity, not into it
            along = _down(here, np.vstack([surface.G, away]))
            down = along if np.linalg.norm(along) > 0.1 * np.linalg.norm(down) else down
        size = float(np.linalg.norm(down))
        if size < _SETTLED:
            break
        stride = 1.0
        if before is not None:
            s, y = here.x - before[0], before[1] - down
            stride = float(s @ s / max(abs(s @ y), 1e-300))
        before = here.x, down
        way = down * min(stride, longest / size)
        found = _nearer(around, here, surface, way)
        if found is None and at_barrier and not hindered:
            found, hindered, before = here, True, None
        elif found is not None:  # next to a Type 1 singularity steps stay short
            gone = float(np.linalg.norm(found.x - here.x))
            hindered = gone < 0.5 * float(np.linalg.norm(way))
            longest = min(_LONGEST, 3.0 * gone)
    here = found or here
    return here if here.look.type_2 <= here.look.tolerance else None


def _down(here: Place, rows: np.ndarray) -> np.ndarray:
    """Displacement to the start, projected on the directions that ``rows`` leave free."""
    return np.asarray(np.linalg.lstsq(rows, rows @ here.x, rcond=_NO_SLOPE)[0] - here.x)


def _arrived(around: Neighbourhood, here: Place) -> Place | None:
    """The place on the surface that is reached from one near it."""
    for _ in range(_SLIDES):
        if here.look.type_2 < _ON_SURFACE:
            return here
        surface = surface_at(around, here)
        if surface is None:
            return None
        way = surface.back(here)
        way *= min(1.0, _LONGEST / max(float(np.linalg.norm(way)), 1e-300))
        moved = around.step(here, here.x + way)
        while moved is None or moved.look.type_2 > here.look.type_2:
            way *= 0.3
            if np.linalg.norm(way) < _STUCK:
                return here if here.look.type_2 <= here.look.tolerance else None
            moved = around.step(here, here.x + way)
        here = moved
    return None


def _nearer(around: Neighbourhood, here: Place, surface: Surface, way: np.ndarray) -> Place | None:
    """A place on the surface that is nearer the start; ``None`` if rounding or reach forbid it."""
    for _ in range(_SHORTER):
        moved = around.step(here, here.x + way, near=True)
        found = None if moved is None else _restored(around, moved, surface)
        if found is not None and found.distance < here.distance * (1.0 - _GAIN):
            return found if around.connected(here, found) else None
        way = 0.3 * way
    return None


def _restored(around: Neighbourhood, here: Place, surface: Surface) -> Place | None:
    """Back on the surface by Newton steps with the slopes of a place nearby."""
    size = np.inf
    for _ in range(_CORRECTIONS):
        if here.look.type_2 < _ON_SURFACE:
            return here
        if here.look.type_2 > 0.7 * size:
            return None
        size = here.look.type_2
        moved = around.step(here, here.x + surface.back(here), near=True)
        if moved is None:
            return None
        here = moved
    return here if here.look.type_2 <= here.look.tolerance else None
