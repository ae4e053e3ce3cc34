"""The certificate of an answer: closure, power balance, agreement, conditioning.

Efforts come from the four methods; what they are held against does not, see :mod:`.power_balance`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from gough.base.english import counted, listed, small
from gough.base.result import Result
from gough.base.spatial import Array, collect
from gough.dynamics.shared.definite import smallest_inertia
from gough.kinematics.consistency import natural_floor
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.dense import natural_gaps, natural_rows
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import measures
from gough.mechanism.mobility.scales import EARTH
from gough.mechanism.mobility.singular import DEFINITE

CLOSURE, POWER, AGREEMENT = 1e-10, 1e-9, 1e-9
"""Largest closure residual (natural units, or relative), power error and disagreement accepted.

Rounding leaves 1e-15 to 1e-12 of each; an error in an equation shows at 1e-3 and above.
"""


@dataclass(frozen=True, eq=False)
class Certificate(Result):
    """Errors and margins of an answer, at one state or at each of a batch ``(...,)``.

    Attributes:
        robot: name of the machine.
        efforts: motor efforts by method [N or N m], ``(..., n)``.
        closure: largest position residual, natural units.
        closure_rate: largest residual of the closure at velocity level, relative to the rates.
        closure_acceleration: the same at acceleration level.
        power: power of motors and loads less what bodies, rotors, friction and springs take,
            worked out from the description by no method's functions; relative.
        agreement: largest difference between the methods, relative.
        condition: condition number of the motors' Jacobian, natural units.
        type_1, type_2, constraint: distances to singularities of each kind, natural units, the
            same as from ``gough.singularities``.
        inertia: smallest eigenvalue of the inertia matrix, its diagonal scaled to one; zero where
            the platform can move without inertia, so that forward dynamics has no answer.
        notes: sentences on freedoms that are frozen and matter.
    """

    robot: str
    efforts: dict[str, np.ndarray]
    closure: np.ndarray
    closure_rate: np.ndarray
    closure_acceleration: np.ndarray
    power: np.ndarray
    agreement: np.ndarray
    condition: np.ndarray
    type_1: np.ndarray
    type_2: np.ndarray
    constraint: np.ndarray
    inertia: np.ndarray
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether closure, power, agreement and inertia are within their bounds everywhere."""
        closed = (self.closure, self.closure_rate, self.closure_acceleration)
        return bool(
            all(np.max(c, initial=0.0) <= CLOSURE for c in closed)
            and np.max(self.power, initial=0.0) <= POWER
            and np.max(self.agreement, initial=0.0) <= AGREEMENT
            and np.min(self.inertia, initial=1.0) >= DEFINITE
        )

    @property
    def dissenting(self) -> tuple[str, ...]:
        """Methods whose efforts differ from the median of all, where methods disagree."""
        disagree = self.agreement > AGREEMENT
        if not np.any(disagree):
            return ()
        efforts = np.array([each[disagree] for each in self.efforts.values()])
        first = np.abs(efforts - efforts[0]).max(axis=(0, -1))
        bound = AGREEMENT * first / self.agreement[disagree]  # the certificate's own scale
        off = np.abs(efforts - np.median(efforts, axis=0)).max(axis=-1) > bound
        return tuple(name for name, each in zip(self.efforts, off, strict=True) if each.any())

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, the worst of the batch."""

        def worst(values: np.ndarray) -> str:
            return small(float(np.max(values, initial=0.0)))

        def least(values: np.ndarray) -> float:
            return float(np.min(values, initial=np.inf))

        states = int(np.size(self.closure))
        effort = max(float(np.abs(e).max(initial=0.0)) for e in self.efforts.values())
        apart = f": {listed(self.dissenting)} apart from the rest" if self.dissenting else ""
        return [
            ("robot", f"{self.robot}, {counted(states, 'state')}"),
            ("verdict", "passed" if self.passed else "FAILED"),
            ("largest effort", f"{effort:.6g}"),
            (
                "closure",
                f"position {worst(self.closure)}, velocity {worst(self.closure_rate)}, "
                f"acceleration {worst(self.closure_acceleration)}",
            ),
            ("power balance", f"{worst(self.power)}"),
            ("agreement", f"{worst(self.agreement)} among {', '.join(self.efforts)}{apart}"),
            ("condition", f"{float(np.max(self.condition, initial=0.0)):.3g}"),
            (
                "singularities",
                f"Type 1 at {least(self.type_1):.3g}, Type 2 at {least(self.type_2):.3g}, "
                f"constraint at {least(self.constraint):.3g}",
            ),
            ("inertia", self._inertia()),
            *(("frozen", note) for note in self.notes),
        ]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: all figures."""
        return {name: np.reshape(getattr(self, name), -1) for name in FIGURES}

    def _inertia(self) -> str:
        smallest = float(np.min(self.inertia, initial=1.0))
        if smallest >= DEFINITE:
            return f"smallest eigenvalue {smallest:.2g}, scaled"
        return "singular: the platform can move without inertia, forward dynamics has no answer"


FIGURES = tuple(each.name for each in fields(Certificate)[2:-1])
"""Numbers of a certificate, one for each state."""


class Worked(NamedTuple):
    """What a certificate is made of, at one state: numbers or symbols.

    Attributes:
        efforts: by every method ``(methods, n)`` [N or N m].
        gaps: position residuals of the closure, natural units ``(r,)``.
        closure_rows: ``[A, -B]`` of ``A u = B V``, natural units ``(r, n_u + 6)``.
        biases: right sides of the same for accelerations, natural units ``(r,)``.
        link_rates: of all links, natural units ``(n_u,)``.
        accelerations: likewise.
        powers: of the motors and of all the rest, then the sums of their sizes ``(4,)`` [W]; see
            :func:`power_balance`.
        J_inv, Psi: Jacobians.
        M_rob: inertia matrix.
    """

    efforts: Array
    gaps: Array
    closure_rows: Array
    biases: Array
    link_rates: Array
    accelerations: Array
    powers: Array
    J_inv: Array
    Psi: Array
    M_rob: Array


def worked(kin: Kinematics, efforts: Sequence[Array], powers: Array, M_rob: Array) -> Worked:
    """Residuals of a motion, beside what was worked out of it already.

    Args:
        kin: the robot in motion.
        efforts: by every method.
        powers: see :func:`power_balance`.
        M_rob: inertia matrix.
    """
    assembly, solution = kin.assembly, kin.solution
    at, scales = solution.equations, assembly.scales
    hub, of_legs = kin.biases
    right = collect([*hub, *(x for leg in of_legs for x in leg)])
    return Worked(
        collect(efforts),
        natural_gaps(at, assembly.length),
        natural_rows(at, assembly.length),
        right / np.concatenate(scales.rows),
        kin.rates.together / scales.rates,
        kin.accelerations.together / scales.rates,
        powers,
        kin.J_inv,
        solution.Psi,
        M_rob,
    )


def figures(assembly: Assembly, V: np.ndarray, Vdot: np.ndarray, found: Worked) -> np.ndarray:
    """Numbers of a certificate, as ``FIGURES`` names them, ``(..., 10)``.

    Args:
        assembly: the robot; of a machine with serial axes its core.
        V: twist of its platform ``(..., 6)``.
        Vdot: twist rate ``(..., 6)``.
        found: what the certificate is made of, at one state or at many ``(...)``.
    """
    n_u, scales, efforts = found.link_rates.shape[-1], assembly.scales, found.efforts
    A, B = found.closure_rows[..., :n_u], -found.closure_rows[..., n_u:]
    distances = measures(assembly, scales, A, B, found.J_inv, found.Psi)
    scale = np.maximum(_largest(efforts[..., 0, :]), _usual_effort(assembly, V, Vdot))
    motors, rest, *sizes = np.moveaxis(found.powers, -1, 0)
    floors = [natural_floor(assembly, order) for order in (1, 2)]
    least = [floor / CLOSURE for floor in floors]
    # power of the weight at the slowest motion that is no rounding
    slow = sum(b.mass for b in assembly.robot.bodies) * EARTH * assembly.length * floors[0]
    return np.stack(
        [
            _largest(found.gaps),
            *_open_rates(V / scales.twist, Vdot / scales.twist, found, *least),
            np.abs(motors - rest) / np.maximum(np.maximum(*sizes), max(slow / POWER, 1e-300)),
            np.abs(efforts - efforts[..., :1, :]).max(axis=(-2, -1), initial=0.0) / scale,
            distances.condition,
            distances.type_1,
            distances.type_2,
            distances.constraint,
            smallest_inertia(assembly, found.Psi, found.M_rob),
        ],
        axis=-1,
    )


def _usual_effort(assembly: Assembly, V: np.ndarray, Vdot: np.ndarray) -> np.ndarray:
    """A thousandth of what all masses take in a motion [N, N m]: efforts below it may cancel."""
    length, motors = assembly.length, assembly.scales.motors
    fast, faster = (np.linalg.norm(x / assembly.scales.twist, axis=-1) for x in (V, Vdot))
    mass = sum(body.mass for body in assembly.robot.bodies)
    force = mass * (float(np.linalg.norm(assembly.gravity)) + length * (faster + fast**2))
    arms = length / motors if len(motors) else np.ones(1)
    return np.asarray(np.maximum(1e-3 * force * float(arms.min()), 1e-300))


def _open_rates(
    V: np.ndarray, Vdot: np.ndarray, found: Worked, *least: float
) -> tuple[np.ndarray, np.ndarray]:
    """Residuals of all closure rows at velocity and acceleration level, relative to the motion.

    ``least`` are rate and acceleration of which CLOSURE is rounding, natural units.
    """
    u, ud, bias = found.link_rates, found.accelerations, found.biases
    rate = found.closure_rows @ np.concatenate([u, V], axis=-1)[..., None]
    needed = found.closure_rows @ np.concatenate([ud, Vdot], axis=-1)[..., None]
    fast = np.maximum(_largest(u, V), least[0])
    faster = np.maximum(_largest(ud, Vdot, bias), least[1])
    return _largest(rate[..., 0]) / fast, _largest(needed[..., 0] - bias) / faster


def _largest(*vectors: np.ndarray) -> np.ndarray:
    """The largest magnitude among the entries of vectors ``(..., k)``."""
    return np.asarray(np.abs(np.concatenate(vectors, axis=-1)).max(axis=-1, initial=0.0))
