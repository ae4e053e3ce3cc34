"""Gravity from a handful of poses: efforts at rest, reached from both directions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.base.english import counted
from gough.base.result import Result
from gough.dynamics.shared.sharing import EffortSharing
from gough.dynamics.shared.standard import INERTIAS, OFFSET, chosen_parameters
from gough.errors import InputError, NotIdentifiable
from gough.identification.groupings import grouping
from gough.identification.independent import independent_columns
from gough.identification.postures import natural_units
from gough.identification.regressor import names_and_units, regressor
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.state import as_state

_AT_REST = ("bodies", "springs", "offsets")


@dataclass(frozen=True, eq=False)
class GravityAtRest(Result):
    """What efforts at rest tell.

    Attributes:
        robot: name of the machine.
        motors: names of the motors.
        leading: names of the parameters that lead the sums; their columns at rest are independent.
        units: of the sums.
        groupings: the sums: ``arm1.mx + 0.2 (bar1a.m + bar1b.m)``.
        values: of the sums ``(n,)``.
        std: their standard deviations ``(n,)``, from what is left of the efforts.
        described: their values in the description ``(n,)``.
        efforts: efforts of gravity and springs that follow ``(K, m)`` [N or N m].
        residuals: mean efforts of both directions less ``efforts`` ``(K, m)``.
        friction: half the difference of both directions, mean over the poses ``(m,)`` [N or N m].
    """

    robot: str
    motors: tuple[str, ...]
    leading: tuple[str, ...]
    units: tuple[str, ...]
    groupings: tuple[str, ...]
    values: np.ndarray
    std: np.ndarray
    described: np.ndarray
    efforts: np.ndarray
    residuals: np.ndarray
    friction: np.ndarray

    @property
    def rms(self) -> float:
        """Root mean square of the residuals [N or N m]."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot
        yield "poses", f"{len(self.residuals)}"
        yield "rms", f"{self.rms:.4g} N or N m"
        for motor, friction in zip(self.motors, self.friction, strict=True):
            yield f"friction of {motor}", f"{friction:.4g}, half the difference of both directions"
        rows = zip(self.groupings, self.values, self.std, self.units, self.described, strict=True)
        for text, value, std, unit, old in rows:
            yield f"{value:.6g} +- {std:.2g} {unit}", f"{text}, described {old:.6g}"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a sum of parameters."""
        words = {"parameter": self.leading, "unit": self.units, "grouping": self.groupings}
        texts = {name: np.array(each, dtype=object) for name, each in words.items()}
        return {**texts, "value": self.values, "std": self.std, "described": self.described}


def gravity_at_rest(
    robot: Robot, state: Any, forwards: Any, backwards: Any, *, share: EffortSharing | None = None
) -> GravityAtRest:
    """Masses and first moments from efforts at rest, in a handful of poses.

    Every pose is reached slowly from both directions of every motor.  Friction holds the machine
    with opposite signs then, and the mean of both efforts is that of gravity and springs.

    Args:
        robot: the machine.
        state: poses ``(K, 4, 4)``, or a :class:`gough.State` of as many, spread over the
            reach: sums that differ in few poses are known badly.
        forwards: efforts after all motors have moved forwards ``(K, m)`` [N or N m].
        backwards: the same backwards.
        share: how more motors than freedoms share the work, as in :func:`gough.regressor`.

    Returns:
        A :class:`gough.GravityAtRest`: the sums of parameters that these efforts show, with
        standard deviations, and friction at rest.

    Raises:
        NotIdentifiable: there are not more efforts than sums of parameters.
        InputError: arrays that do not fit.
    """
    assembly = assembled(robot)
    m = len(robot.motors)
    poses = as_state(state, robot).T_0p
    ups, downs = as_array(forwards, (m,), "forwards"), as_array(backwards, (m,), "backwards")
    for name, array in (("forwards", ups), ("backwards", downs)):
        check_finite(array, name)
        if poses.ndim != 3 or array.shape != (len(poses), m):
            raise InputError(
                f"{name} has shape {array.shape} for poses of shape {poses.shape}, expected "
                f"(K, {m}) and poses of (K, 4, 4)",
                argument=name if poses.ndim == 3 else "state",
            )
    every = [p for p in chosen_parameters(assembly.robot, _AT_REST) if p.figure not in INERTIAS]
    names, units = names_and_units(every)
    found = regressor(robot, poses, parameters=names, share=share)
    W = found.W.reshape(-1, len(names))
    last = [
        k for k, p in enumerate(every) if p.figure == OFFSET
    ]  # of the amplifier, if nothing else
    order = [k for k in range(len(names)) if k not in last] + last
    chosen = independent_columns(W, order, natural_units(assembly, [each.unit for each in every]))
    columns, tau = list(chosen.columns), ((ups + downs) / 2.0).ravel()
    free = len(W) - len(columns)
    if free <= 0:
        raise NotIdentifiable(
            f"{robot.name}: {counted(len(poses), 'pose')} of {counted(m, 'motor')} give "
            f"{len(W)} efforts for {len(columns)} sums of parameters or more",
            hint="Measure more poses: twice as many efforts as sums, spread over the reach.",
            parameters=tuple(names[k] for k in columns),
        )
    sizes = np.linalg.norm(W[:, columns], axis=0)
    Q, R = np.linalg.qr(W[:, columns] / sizes)
    inverse = np.linalg.inv(R) / sizes[:, None]
    values = inverse @ (Q.T @ tau)
    left = tau - W[:, columns] @ values
    std = np.sqrt(left @ left / free * np.sum(inverse**2, axis=1))
    return GravityAtRest(
        robot.name,
        robot.motors,
        tuple(names[k] for k in columns),
        tuple(units[k] for k in columns),
        tuple(grouping(k, row, names) for k, row in zip(columns, chosen.matrix, strict=True)),
        values,
        std,
        chosen.matrix @ found.chi,
        (tau - left).reshape(-1, m),
        left.reshape(-1, m),
        np.mean((ups - downs) / 2.0, axis=0),
    )
