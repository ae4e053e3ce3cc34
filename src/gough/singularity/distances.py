"""Distances of many states to singularities: arrays, and words about any of them on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import OnError, check_on_error
from gough.base.result import Result, pose_columns
from gough.errors import GoughError, InputError
from gough.evaluation.evaluator import usual
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import Measures, measures, part_names
from gough.mechanism.mobility.varying import row_pattern
from gough.robot import Robot
from gough.singularity.state import StateSingularity, state_at


@dataclass(frozen=True, eq=False)
class SingularityDistances(Result):
    """How far many states are from singularities of each kind.

    The numbers are those of :class:`gough.Singularities`; ``found[k]`` says in words what state
    ``k`` is.

    Attributes:
        robot: the machine.
        T_0p: the poses ``(..., 4, 4)``.
        length: characteristic length, the unit of lengths [m].
        tolerance: singular values below it count as zero.
        type_1, type_2, constraint: distances to each kind, smallest singular values ``(...,)``.
        condition: condition number of the motors' Jacobian ``(...,)``.
        sign: sign of the determinant of ``qd = J_inv V_r``; 0 where there is none ``(...,)``.
        legs: smallest singular value of every leg's own Jacobian, by name ``(...,)`` each.
    """

    robot: Robot
    T_0p: np.ndarray
    length: float
    tolerance: float
    type_1: np.ndarray
    type_2: np.ndarray
    constraint: np.ndarray
    condition: np.ndarray
    sign: np.ndarray
    legs: dict[str, np.ndarray]

    @property
    def smallest(self) -> np.ndarray:
        """Distance to the nearest kind ``(...,)``."""
        return np.asarray(np.fmin(np.fmin(self.type_1, self.type_2), self.constraint))

    @property
    def is_singular(self) -> np.ndarray:
        """States that are singular in any way ``(...,)``."""
        return np.asarray(self.smallest <= self.tolerance)

    def __len__(self) -> int:
        return len(self.type_1)

    def __getitem__(self, index: Any) -> Any:
        """One state in numbers and words, a :class:`gough.Singularities`."""
        from gough.singularity.singularities import singularities  # noqa: PLC0415  it calls us

        T = self.T_0p[index]
        if T.shape != (4, 4):
            raise InputError(
                f"index {index!r} is not one state: words are about one", argument="index"
            )
        return singularities(self.robot, T, length=self.length, tolerance=self.tolerance)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Headings and facts."""
        known = np.isfinite(self.smallest)
        count = int(known.sum())
        yield "robot", f"{self.robot.name}: {count} of {known.size} states"
        for name in ("type_1", "type_2", "constraint"):
            values = np.where(known, getattr(self, name), np.inf)
            if count:
                at = np.unravel_index(int(np.argmin(values)), values.shape)
                where = ", ".join(str(int(i)) for i in at)
                yield name.replace("_", " "), f"nearest {values[at]:.3g}, at state {where}"
        yield "singular", str(int(self.is_singular.sum()))

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: pose and distances."""
        names = ("type_1", "type_2", "constraint", "condition", "sign")
        return pose_columns(self.T_0p) | {name: np.ravel(getattr(self, name)) for name in names}


def distances_of_many(
    robot: Robot,
    assembly: Assembly,
    T_0p: np.ndarray,
    length: float,
    tolerance: float,
    on_error: OnError,
) -> SingularityDistances:
    """Distances of poses ``(..., 4, 4)``: by a program, and state by state on singularities."""
    check_on_error(on_error)
    lead, names = T_0p.shape[:-2], part_names(assembly)
    found = usual(assembly, "distances")({"T_0p": (T_0p, 2)}, on_error="nan")
    J_inv, Psi, entries = found.values
    good = ~found.failed
    arrays = {name: np.full(lead, np.nan) for name in _NAMES}
    legs = {name: np.full(lead, np.nan) for name in names}
    rows = row_pattern(assembly).rows(entries[good])
    judged = {"J_inv": J_inv[good], "Psi": Psi[good], "closure_rows": rows}
    seen = measures_of(assembly, judged, length)
    for name, array in arrays.items():
        array[good] = getattr(seen, name)
    for k, name in enumerate(names):
        legs[name][good] = seen.legs[..., k]
    # on a singularity there are no Jacobians: such a state is looked at for itself
    for index in zip(*np.nonzero(found.failed), strict=True):
        try:
            look = StateSingularity(assembly, state_at(assembly, T_0p[index]), length, tolerance)
        except GoughError as err:
            if on_error == "raise":
                raise err.at_sample(tuple(int(i) for i in index)) from err
            continue
        for name, array in arrays.items():
            array[index] = getattr(look, name)
        for part in look.loose:
            legs[part.name][index] = part.smallest
    return SingularityDistances(robot, T_0p, length, tolerance, **arrays, legs=legs)


_NAMES = ("type_1", "type_2", "constraint", "condition", "sign")


def measures_of(assembly: Assembly, judged: Mapping[str, np.ndarray], length: float) -> Measures:
    """Distances to singularities, in units of a length [m].

    Args:
        assembly: the robot.
        judged: ``J_inv``, ``Psi`` and ``closure_rows`` of states, in the robot's natural units.
        length: unit of lengths.
    """
    rows = judged["closure_rows"]
    own, scales = assembly.scales, assembly.scales_in(length)
    rates = len(own.rates)
    if scales is not own:
        columns = np.concatenate([scales.rates / own.rates, scales.twist / own.twist])
        rows = rows * columns / (np.concatenate(scales.rows) / np.concatenate(own.rows))[:, None]
    A, B = rows[..., :rates], -rows[..., rates:]
    return measures(assembly, scales, A, B, judged["J_inv"], judged["Psi"])
