"""The platform pose that sensors on the legs show.  [OZ] section 6

By sums of ``d x`` where directions and lengths suffice and all count alike; else as the one that
fits best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from gough.base import turns
from gough.base.conditions import Condition, Tolerances
from gough.base.linalg import Symmetric, least_squares
from gough.base.once import known_of
from gough.base.spatial import Array, total
from gough.dynamics.elements.camera import LegStates, SensorSet, turn_about
from gough.dynamics.elements.decomposition import element_parts
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import seen_matrix, seen_values
from gough.dynamics.elements.tip_search import find_pose_from_legs
from gough.dynamics.elements.tips import PoseFromLegs
from gough.errors import InputError
from gough.geometry.inverse import posed
from gough.geometry.state import reach
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import value
from gough.mechanism.mobility.assembly import Assembly

_MOST_ITERATIONS = 50
_LARGEST_STEP = 0.3  # natural units: within it the linear fit points downhill
_SEEN = 1e-7  # natural units: a motion of the platform that is seen less is not seen


def pose_from_legs(assembly: Assembly, sight: SensorSet) -> PoseFromLegs | None:
    """How the pose follows from what is seen by sums and products, if it does; found once."""
    if sight.weighted or sight.encoders:
        return None
    return _by_sums(assembly, sight.elements, sight.lengths, sight.turns)


@known_of(Assembly)
def _by_sums(assembly: Assembly, *names: tuple[str, ...]) -> PoseFromLegs | None:
    return find_pose_from_legs(assembly, element_parts(assembly), *names)


def lead_to_pose(assembly: Assembly, sight: SensorSet) -> PoseFromLegs:
    """How the pose follows from what is seen; refused where it takes a fit."""
    lead = pose_from_legs(assembly, sight)
    if lead is None:
        raise InputError(
            f"{assembly.robot.name}: the legs do not lead to the platform by sums of d x",
            hint="gough.inverse_dynamics_observed fits the pose; a program cannot.",
        )
    return lead


def by_sums(lead: PoseFromLegs, seen: LegStates) -> Array:
    """The pose that directions and lengths show, by sums of ``d x``; numbers or symbols."""
    named = (
        (names, {name: values[i] for i, name in enumerate(names)})
        for names, values in (
            (seen.elements, seen.x),
            (seen.lengths, seen.d),
            (seen.turns, seen.theta),
        )
    )
    return lead.evaluate(*(values for _, values in named))


def pose_of_legs(assembly: Assembly, seen: LegStates, near: np.ndarray | None = None) -> np.ndarray:
    """The platform pose that sensors show; ``near`` is where one that is fitted starts."""
    lead = pose_from_legs(assembly, seen.sight)
    if lead is None:
        return _fitted(assembly, seen, assembly.start[0] if near is None else near)
    T = np.asarray(by_sums(lead, seen))
    if assembly.mobility == 6:
        return T
    # what is seen is never quite in the robot's mobility: keep its own freedoms
    y = assembly.chart.coordinates(T)
    return np.asarray(assembly.chart.pose(reach(assembly, y[list(assembly.free)])[0]))


def _fitted(assembly: Assembly, seen: LegStates, near: np.ndarray) -> np.ndarray:
    """The pose that fits best."""

    def see(T_0p: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        solution = assembly.solution(posed(assembly, T_0p[0]))
        here = ElementState(Kinematics(assembly, solution))
        return fit_step(here, seen)[None], np.asarray(here.Psi)[None]

    def place(x: np.ndarray) -> np.ndarray:
        return np.asarray(assembly.chart.pose(reach(assembly, x[0])[0]))[None]

    (found,) = fit_poses(assembly, np.array(near)[None], see, place)
    return np.asarray(found)


def fit_poses(
    assembly: Assembly,
    start: np.ndarray,
    see: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]],
    place: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Weighted least squares by Gauss and Newton, of one state or of many.

    Args:
        assembly: the robot.
        start: poses ``(K, 4, 4)``.
        see: the step :func:`fit_step` of freedoms ``(k, n)``, and ``Psi (k, 6, n)``, at some
            poses; it takes their numbers among all as well.
        place: poses with freedoms ``(k, n)``.

    Returns:
        Poses ``(K, 4, 4)``; NaN where something on the way was no number.
    """
    T, free, chart = start.copy(), list(assembly.free), assembly.chart
    previous, on = np.full(len(T), np.inf), np.arange(len(T))
    for _ in range(_MOST_ITERATIONS):
        step, Psi = see(T[on], on)
        longest = np.abs(step).max(axis=1, initial=1e-300)
        step = step * np.minimum(1.0, _LARGEST_STEP / longest)[:, None]
        size = np.abs(step).max(axis=1, initial=0.0)
        lost = ~np.isfinite(size)
        T[on[lost]] = np.nan
        # fitted to rounding, or as well as what is seen can be
        fitted = (size < 1e-15) | ((size < 1e-9) & (size > 0.5 * previous[on]))
        previous[on] = size
        going = ~(fitted | lost)
        on = on[going]
        if not len(on):
            break
        V = (Psi[going] @ (step[going] * assembly.scales.freedoms)[..., None])[..., 0]
        w = turns.logs(T[on, :3, :3] @ chart.R_ref.T)
        turning = (turns.vector_rates(w) @ V[:, 3:, None])[..., 0]
        T[on] = place(np.concatenate([T[on, :3, 3] + V[:, :3], w + turning], axis=1)[:, free])
    return T


def fit_step(here: ElementState, seen: LegStates) -> Array:
    """Step of the freedoms to where what is seen fits best, natural units; numbers or symbols."""
    assembly, matrix = here.assembly, seen_matrix(here, seen)
    here.kin.rules.require(ShownPlatform(assembly, matrix))
    axes = [*zip(seen.lengths, seen.d, strict=True), *zip(seen.encoders, seen.q, strict=True)]
    off = seen_values(
        here,
        seen,
        [seen.x[i] - here.x[name] for i, name in enumerate(seen.elements)],
        [seen.theta[i] - turn_about(here, name) for i, name in enumerate(seen.turns)],
        [measured - value(here.at, assembly.axes[name], measured) for name, measured in axes],
    )
    return least_squares(matrix, off)


@dataclass(frozen=True)
class ShownPlatform(Condition):
    """What is seen shows every motion of the platform.

    Attributes:
        matrix: of :func:`seen_matrix`.
    """

    assembly: Assembly
    matrix: Array
    regular = True

    def refuse(self) -> None:
        """Refuse it with the names of the freedoms that are not seen."""
        matrix = np.asarray(self.matrix, dtype=float)
        if np.linalg.matrix_rank(matrix, tol=_SEEN) < self.assembly.mobility:
            raise unseen(self.assembly, matrix)

    def share(self, accept: Tolerances) -> Array:
        """A bound of the smallest singular value, which is 1 at ten times where it is refused.

        The product of all is the root of the determinant, and all but the smallest are at most what
        they are if they share the sum of their squares equally.
        """
        n = self.assembly.mobility
        squares = self.matrix.T @ self.matrix
        others = total(squares[i][i] for i in range(n)) / max(n - 1, 1)
        largest, determinant = prod([others] * (n - 1)), prod(Symmetric(squares).pivots)
        return (10.0 * _SEEN) ** 2 * largest / determinant


@known_of(Assembly)
def shows_platform(assembly: Assembly, sight: SensorSet) -> bool:
    """Whether sensors show every motion of the platform somewhere; if not, there is no program."""
    legs = sight.legs({"weights": np.ones(len(sight.names))})
    states = (ElementState(Kinematics(assembly, each)) for each in assembly.regular_solutions)
    maps = (np.asarray(seen_matrix(here, legs), dtype=float) for here in states)
    return any(np.linalg.matrix_rank(matrix, tol=_SEEN) == assembly.mobility for matrix in maps)


def unseen(assembly: Assembly, matrix: np.ndarray) -> InputError:
    """Which freedoms no sensor sees, by the rows of all of them in natural units."""
    blind = np.linalg.svd(matrix, full_matrices=True)[2][np.linalg.matrix_rank(matrix, tol=_SEEN) :]
    names = [
        name
        for name, column in zip(assembly.freedoms, blind.T, strict=True)
        if np.abs(column).max() > 0.1
    ]
    return InputError(
        f"{assembly.robot.name}: what is seen does not show the platform: "
        f"{', '.join(names)} may change unseen",
        hint="Observe more directions or lengths, the turn of an element about itself (turns=...), "
        "or read encoders (encoders=...).",
        argument="legs",
    )
