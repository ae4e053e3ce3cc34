"""Efforts, or the criterion, as lines in the clock of a path.

With ``z(s)`` the squared rate of the clock its acceleration is ``z'/2``, and efforts are

    tau = A(s) z'/2 + B(s) z + F(s) sqrt(z) + C(s)

(inertia; centrifugal; viscous friction; gravity, loads and Coulomb friction).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.motion import States
from gough.passage.terms import Machine


class Lines(NamedTuple):
    """Efforts, or the criterion, at K places, by ``z'/2``, ``z``, ``sqrt(z)`` and 1."""

    gain: np.ndarray
    square: np.ndarray
    rate: np.ndarray
    rest: np.ndarray

    def at(self, z: np.ndarray, half: np.ndarray) -> np.ndarray:
        """Values by ``z`` and ``z'/2`` at the places ``(K,)``."""
        z, half = z[:, None], half[:, None]
        return np.asarray(self.gain * half + self.square * z + self.rate * np.sqrt(z) + self.rest)


def lines_of(evaluate: Any, states: States) -> Lines:
    """Coefficients from four evaluations: they are exact, the model being of this form."""
    T, V, Vdot = states
    one, two, three = (evaluate(States(T, V * r, Vdot * r**2)) for r in (1.0, 2.0, 3.0))
    gained = evaluate(States(T, V, Vdot + V))
    square = (three - 2.0 * two + one) / 2.0
    rate = two - one - 3.0 * square
    return Lines(gained - one, square, rate, one - square - rate)


def criterion_lines(machine: Machine, place: float, free: np.ndarray, steady: float) -> Lines:
    """The criterion at a singular place, each free twist one row, of the size 1.

    Args:
        machine: robot and path.
        place: where.
        free: free twists ``(n, k)``.
        steady: usual ``z``, which tells how much its terms weigh.
    """

    def evaluate(states: States) -> np.ndarray:
        T, V, Vdot = (part[0] for part in states)
        return np.asarray(free.T @ machine.state(place, T, V, Vdot).w_r)[None]

    found = lines_of(evaluate, machine.motion(np.array([place])))
    weights = (steady / machine.motion.duration, steady, np.sqrt(steady), 1.0)
    terms = [np.abs(part) * weight for part, weight in zip(found, weights, strict=True)]
    size = np.maximum(np.max(terms, axis=0), 1e-300)
    return Lines(*(part / size for part in found))
