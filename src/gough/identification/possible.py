"""Parameters of bodies that can exist, as near to the data as the best ones that cannot.

Least squares alone return bodies with negative mass or inertia.  Here every pseudo-inertia J stays
positive definite, friction, rotors and springs stay positive, and what data do not show stays near
the description, by the convex problem (J_0: as described; Lee, Wensing and Park 2020)::

    minimise  |R chi - z|^2 / 2 + w [ sum_bodies  tr(J_0^-1 J) - log det(J_0^-1 J) - 4
                                    + sum_positive  x/x_0 - log(x/x_0) - 1
                                    + sum_free  ((x - x_0)/u)^2 / 2 ]

It has one minimum, which Newton's method finds from the description on, w falling in steps.  With
``J = L L^T`` gradient and Hessian of the bracket are products of ``C dchi = L^-1 dJ L^-T`` and
``g = L^T J_0^-1 L - 1``: C^T g and C^T C.  So a step is linear least squares, exact and well
conditioned::

    minimise over dchi  |R dchi - (z - R chi)|^2 + w |C dchi + g|^2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gough.base.blas_threads import one_thread
from gough.dynamics.shared.standard import (
    OF_BODIES,
    OFFSET,
    PRELOAD,
    StandardParameter,
    named_parameters,
    own_figures,
)
from gough.errors import GoughError, InputError
from gough.identification.compressed import Compressed, triangle
from gough.identification.postures import natural_units
from gough.identification.pseudo_inertia import (
    UNITS,
    pseudo_inertia,
    solid_pseudo_inertia,
    standard_ten,
)
from gough.mechanism.mobility.assembly import Assembly

PRIOR = 1.0
"""Weight of the description, in variances of the residual.

One says that figures of bodies are right to about their own size, beside the noise of the rows.
What data show to 5 % moves by 0.25 % of the description's error.  Much smaller weights let noise
decide what data hardly show: masses were 4 to 25 times as wrong in trials with 0.01, and other
motions predicted worse.
"""

BORDER = 0.5
"""At the border is what data have pulled below this share of what was described, and would to zero.

Of a body it is its pseudo-inertia, in the direction in which it has shrunk most.  To zero or below,
that is, if this one figure had no barrier.
"""

_NOISELESS = 1e-7  # least standard deviation of rows, beside their size: data are never better
_AMPLIFIER = 0.005  # offsets of amplifiers beside the machine's whole weight, at its whole length
_SMALL = 1e-3  # what a description calls zero, in natural units and masses of the robot
_FALL = 0.1  # of the weight, from step to step
_DEEP = 0.02  # weight beside what the residual asks for: masses may be 10 times those described
_STEPS = 300  # of Newton in all; some 30 are needed
_LOSS = 0.9  # of a figure in one step: what is lost in one has to be won back by doubling
_CENTRED = 0.5  # Newton's decrement at which the weight may fall: full steps converge below 1
_ARRIVED = 1e-6  # Newton's decrement at the end: an error of 1e-6 in units of the prior
_ROUGH = 1e-2  # decrement below which rounding may be what is left
_OFF = np.sqrt(2.0)  # entries off the diagonal count twice in the norm of a symmetric matrix
_TRIANGLE = np.triu_indices(4)
_COUNT = np.where(_TRIANGLE[0] == _TRIANGLE[1], 1.0, _OFF)


@dataclass(frozen=True, eq=False)
class PossibleFit:
    """Possible parameters.

    Attributes:
        chi: values, in the order of the columns.
        cost: sum of squares that they leave.
        free_cost: sum of squares that the best ones leave, possible or not.
        rank: how many combinations of parameters data show.
        smallest: by body, the smallest eigenvalue of its pseudo-inertia beside the described one.
        at_border: names of bodies and of single parameters that data pull to the border.
        weight: of the description at the end, w.
        steps: of Newton's method.
        root: B with ``B B^T`` the covariance of the values, for rows of unit noise ``(n, n)``.
    """

    chi: np.ndarray
    cost: float
    free_cost: float
    rank: int
    smallest: dict[str, float]
    at_border: tuple[str, ...]
    weight: float
    steps: int
    root: np.ndarray


def fit_possible(
    assembly: Assembly,
    parameters: Sequence[StandardParameter],
    data: Compressed,
    prior: float = PRIOR,
) -> PossibleFit:
    """Possible parameters that explain compressed rows.

    Args:
        assembly: the machine.
        parameters: of the columns; of bodies some of whose parameters are no columns, the others
            are as described.
        data: rows, divided by the standard deviations of their noise.
        prior: weight of the description, in variances of the residual.

    Raises:
        InputError: a column belongs to a body without mass.
    """
    bracket = _Bracket(assembly, parameters)
    _, free_cost, rank = data.free()
    noiseless = _NOISELESS**2 * max(data.total, 1e-200) / max(1, data.rows)

    def last(cost: float) -> float:
        """The weight that a residual asks for: its variance, times the prior."""
        return prior * max(cost / max(1, data.rows - rank), noiseless)

    with one_thread():
        chi, weight, steps = _minimise(bracket, data, last, last(free_cost))
        smallest, border, root = _borders(bracket, data, weight, chi)
    names = (*bracket.bodies, *(parameters[k].name for k in bracket.positive))
    at_border = tuple(name for name, at in zip(names, border, strict=True) if at)
    beside = dict(zip(bracket.bodies, smallest.tolist(), strict=True))
    return PossibleFit(chi, data.cost(chi), free_cost, rank, beside, at_border, weight, steps, root)


class _Bracket:
    """The convex distance of parameters from the description."""

    def __init__(self, assembly: Assembly, parameters: Sequence[StandardParameter]) -> None:
        robot = assembly.robot
        self.bodies = tuple(dict.fromkeys(p.part for p in parameters if p.of_body))
        massless = [name for name in self.bodies if robot.body(name).massless]
        if massless:
            raise InputError(
                f"{massless[0]} is declared massless, yet has columns", argument="names"
            )
        solid = [solid_pseudo_inertia(robot.body(b), assembly.length) for b in self.bodies]
        J_0 = np.array(solid).reshape(-1, 4, 4)
        self.inverse = np.linalg.inv(J_0)
        self.of_body = np.array([k for k, p in enumerate(parameters) if p.of_body], dtype=int)
        own = [parameters[k] for k in self.of_body]
        self.body = np.array([self.bodies.index(p.part) for p in own], dtype=int)
        self.figure = np.array([OF_BODIES.index(p.figure) for p in own], dtype=int)
        signed = (OFFSET, PRELOAD)
        axes = [(k, p) for k, p in enumerate(parameters) if not p.of_body]
        self.positive = np.array([k for k, p in axes if p.figure not in signed], dtype=int)
        self.free = np.array([k for k, p in axes if p.figure in signed], dtype=int)
        self.described = own_figures(robot, parameters)
        mass = sum(body.mass for body in robot.bodies) or 1.0
        self.unit = natural_units(assembly, [each.unit for each in parameters]) * mass
        offsets = [k for k, p in axes if p.figure == OFFSET]
        self.unit[offsets] *= _AMPLIFIER
        where = self.positive
        self.described[where] = np.maximum(self.described[where], _SMALL * self.unit[where])
        # the start: thin bodies made as thick as the prior has them
        ten = np.array([standard_ten(J) for J in J_0]).reshape(-1, 10)
        every = named_parameters(robot, [f"{b}.{f}" for b in self.bodies for f in OF_BODIES])
        columns = np.zeros((len(self.bodies), 10), dtype=bool)
        columns[self.body, self.figure] = True
        self.fixed = pseudo_inertia(
            np.where(columns, 0.0, own_figures(robot, every).reshape(-1, 10))
        )
        self.described[self.of_body] = ten[self.body, self.figure]

    def pseudo_inertias(self, chi: np.ndarray) -> np.ndarray:
        """Of all bodies ``(bodies, 4, 4)``."""
        J = self.fixed.copy()
        np.add.at(J, self.body, chi[self.of_body, None, None] * UNITS[self.figure])
        return J

    def shares(self, chi: np.ndarray) -> np.ndarray:
        """Positive parameters beside those described."""
        return np.asarray(chi[self.positive] / self.described[self.positive])

    def factors(self, chi: np.ndarray) -> np.ndarray | None:
        """Cholesky factors of all pseudo-inertias; none where parameters are impossible."""
        if (chi[self.positive] <= 0.0).any():
            return None
        try:
            return np.linalg.cholesky(self.pseudo_inertias(chi))
        except np.linalg.LinAlgError:
            return None

    def checked_factors(self, chi: np.ndarray) -> np.ndarray:
        """The same of parameters that are possible."""
        found = self.factors(chi)
        if found is None:
            raise GoughError("parameters of bodies that cannot exist")
        return found

    def value(self, chi: np.ndarray, L: np.ndarray) -> float:
        """The distance, given the factors; for comparison, without its constants."""
        diagonal = np.diagonal(L, axis1=1, axis2=2)
        J = L @ np.swapaxes(L, 1, 2)
        x, off = self.shares(chi), (chi - self.described)[self.free] / self.unit[self.free]
        bodies = float((self.inverse * J).sum() - 2.0 * np.log(diagonal).sum())
        return bodies + float(np.sum(x - np.log(x)) + off @ off / 2.0)

    def rows(self, chi: np.ndarray, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """C and g: the gradient is ``C^T g``, the Hessian ``C^T C``."""
        bodies, singles = 10 * len(self.bodies), len(self.positive)
        C = np.zeros((bodies + singles + len(self.free), len(chi)))
        g = np.zeros(len(C))
        inner = np.linalg.inv(L)
        by = inner[self.body] @ UNITS[self.figure] @ np.swapaxes(inner[self.body], 1, 2)
        at = 10 * self.body[:, None] + np.arange(10)
        C[at, self.of_body[:, None]] = by[:, *_TRIANGLE] * _COUNT
        pull = np.swapaxes(L, 1, 2) @ self.inverse @ L - np.eye(4)
        g[:bodies] = (pull[:, *_TRIANGLE] * _COUNT).ravel()
        one = bodies + np.arange(singles)
        C[one, self.positive] = 1.0 / chi[self.positive]
        g[one] = self.shares(chi) - 1.0
        last = bodies + singles + np.arange(len(self.free))
        C[last, self.free] = 1.0 / self.unit[self.free]
        g[last] = (chi - self.described)[self.free] / self.unit[self.free]
        return C, g

    def reach(self, chi: np.ndarray, L: np.ndarray, dchi: np.ndarray) -> float:
        """Share of a step, at most one, in which no figure loses more than ``_LOSS`` of itself."""
        dJ = np.zeros_like(L)
        np.add.at(dJ, self.body, dchi[self.of_body, None, None] * UNITS[self.figure])
        inner = np.linalg.inv(L)
        change = np.linalg.eigvalsh(inner @ dJ @ np.swapaxes(inner, 1, 2))
        single = dchi[self.positive] / chi[self.positive]
        lost = max(-change.min(initial=0.0), -single.min(initial=0.0))
        return float(min(1.0, _LOSS / lost)) if lost > 0.0 else 1.0

    def thinnest(self, chi: np.ndarray, L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Smallest eigenvalue of every pseudo-inertia beside the described one, and its row.

        The row times C is the relative change of that eigenvalue by the parameters.
        """
        # v = L^T a / lambda for J a = lambda J_0 a: the direction in axes in which J is one
        values, vectors = np.linalg.eigh(np.swapaxes(L, 1, 2) @ self.inverse @ L)
        v = vectors[:, :, 0]
        rows = (v[:, :, None] * v[:, None, :])[:, *_TRIANGLE] * _COUNT
        return values[:, 0], rows


def _borders(
    bracket: _Bracket, data: Compressed, weight: float, chi: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Smallest eigenvalues of bodies beside those described, and which figures are at the border.

    Last a root of the covariance.  Bodies come first, then single parameters.  What data would make
    of a figure without its own row of C follows from the leverage h of that row, as in leaving out
    one measurement: ``dx / x = g h / (1 - h)``.
    """
    L = bracket.checked_factors(chi)
    C, _ = bracket.rows(chi, L)
    smallest, rows = bracket.thinnest(chi, L)
    count, singles = len(bracket.bodies), len(bracket.positive)
    change = np.einsum("bi,bin->bn", rows, C[: 10 * count].reshape(count, 10, len(chi)))
    change = np.vstack([change, C[10 * count : 10 * count + singles]])
    A = np.vstack([data.R, np.sqrt(weight) * C])
    sizes = np.linalg.norm(A, axis=0)
    R = triangle(A / sizes)
    root = np.linalg.inv(R) / sizes[:, None]
    leverage = weight * np.sum((change @ root) ** 2, axis=1)
    beside = np.concatenate([smallest, bracket.shares(chi)])
    change_without = (beside - 1.0) * leverage / np.maximum(1.0 - leverage, 1e-12)
    return smallest, (beside < BORDER) & (change_without <= -1.0), root


def _minimise(
    bracket: _Bracket, data: Compressed, last: Callable[[float], float], lowest: float
) -> tuple[np.ndarray, float, int]:
    """Newton's method with a weight that falls, and at the end is what the residual asks for.

    A description that is far off leaves a large residual at first, which would ask for a large
    weight.  So it falls as low as the unconstrained fit asks for; if bodies that can exist leave
    more than that, the way is taken back to the weight that this asks for.

    Args:
        bracket: the distance from the description.
        data: the rows.
        last: weight that a sum of squares asks for.
        lowest: weight that the unconstrained fit asks for.

    Returns:
        The parameters, the last weight, and the number of steps.
    """
    chi = bracket.described.copy()
    L = bracket.checked_factors(chi)
    first = data.cost(chi)
    weight, falls, before = max(lowest, first / max(1, len(chi))), True, np.inf
    way = [(weight, chi)]
    for step in range(1, _STEPS + 1):
        dchi, decrement = _step(bracket, data, weight, chi, L)
        chi, L = _along(bracket, data, weight, chi, L, dchi, decrement)
        if falls and decrement < _CENTRED:
            wanted = last(data.cost(chi))
            way.append((weight, chi))
            falls = weight > max(lowest, _DEEP * wanted)
            if falls:
                weight = max(lowest, _FALL * weight)
            elif weight < wanted:
                # from the weight above: Newton's method shrinks figures fast, and grows them slowly
                chi = next((there for w, there in reversed(way) if w >= wanted), way[0][1])
                weight, L = wanted, bracket.checked_factors(chi)
        elif not falls:
            # Newton's steps shrink by their square: one that does not is rounding
            if decrement < _ARRIVED or _ROUGH > decrement > before / 2.0:
                return chi, weight, step
            before = decrement
    raise GoughError(
        f"possible parameters were not found in {_STEPS} steps of Newton's method",
        hint="Likely: efforts of the wrong sign or unit, or masses described far too small; "
        "or rows of very different size: divide each by the noise of its motor.",
    )


def _step(
    bracket: _Bracket, data: Compressed, weight: float, chi: np.ndarray, L: np.ndarray
) -> tuple[np.ndarray, float]:
    """Newton's step, and its decrement: the step's length in the metric of the Hessian / w."""
    C, g = bracket.rows(chi, L)
    root = np.sqrt(weight)
    A = np.vstack([data.R, root * C])
    b = np.concatenate([data.z - data.R @ chi, -root * g])
    sizes = np.linalg.norm(A, axis=0)
    Q, R = np.linalg.qr(A / sizes)
    y = Q.T @ b
    return np.linalg.solve(R, y) / sizes, float(np.linalg.norm(y)) / root


def _along(
    bracket: _Bracket,
    data: Compressed,
    weight: float,
    chi: np.ndarray,
    L: np.ndarray,
    dchi: np.ndarray,
    decrement: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Parameters along Newton's step: as far as they stay possible and the cost falls."""
    before = data.cost(chi) / 2.0 + weight * bracket.value(chi, L)
    share = bracket.reach(chi, L, dchi)
    # 1 / (1 + decrement) always stays possible and wins this much, for the bracket is
    # self-concordant; longer steps are taken if they win as much, or full ones circle for ever
    safe = 1.0 / (1.0 + decrement)
    won = weight * (decrement - np.log1p(decrement))
    while True:
        new = chi + share * dchi
        factors = bracket.factors(new)
        if factors is not None:
            after = data.cost(new) / 2.0 + weight * bracket.value(new, factors)
            if share <= safe or decrement < _CENTRED or after <= before - won:
                return new, factors
        elif share < 1e-3 * safe:
            return chi, L
        share *= 0.7
