"""What a machine's controller has recorded: positions of the motors and their efforts in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.standard import axis_kinds
from gough.errors import InputError, shown
from gough.evaluation.loops.state import state
from gough.functions.kinematics import inverse_kinematics
from gough.motion.measured import LOOSE, check_times, read_poses
from gough.motion.space import space_of
from gough.robot import Robot
from gough.robot.joint_kinds import TURN
from gough.robot.parts import settle

FEWEST = 50
"""Samples of a log, at least: fewer show no derivatives."""


@dataclass(frozen=True, eq=False)
class Log:
    """One recorded run of a machine; K samples in time, the same clock for all columns.

    Positions are those of the motors or of the platform; efforts are given as such or as currents
    with the gains of the drives.

    Args:
        t: times ``(K,)`` [s], rising, 50 at least.
        q_a: positions of the motors at their axes ``(K, n)`` [rad or m], in the order of
            ``robot.motors``; angles go on over whole turns.
        tau: efforts of the motors at their axes ``(K, n)`` [N m or N]: what
            :func:`gough.inverse_dynamics` gives.
        T_0p: instead of ``q_a``, poses ``(K, 4, 4)``, or freedoms ``(K, freedoms)`` [m, rad].
        currents: instead of ``tau``, currents ``(K, n)`` [A].
        gains: effort at the axis per ampere, one for all motors or ``(n,)``, sign included
            [N m/A or N/A]; if they are not known, a log with a weighed payload shows them.
        reference: positions of the motors as commanded ``(K, n)`` [rad or m], if they are known:
            they have no noise, and serve as instruments.
        loads: forces and a payload of known figures that the machine carried in this run.
    """

    t: np.ndarray
    q_a: np.ndarray | None = None
    tau: np.ndarray | None = None
    T_0p: np.ndarray | None = None
    currents: np.ndarray | None = None
    gains: Any = None
    reference: np.ndarray | None = None
    loads: Loads | None = None

    def __post_init__(self) -> None:
        settle(self, t=check_times(self.t, FEWEST, "t", of="filters and derivatives of a log"))
        _one_of_two(self, "q_a", "T_0p", "positions of motors, or poses")
        _one_of_two(self, "tau", "currents", "efforts, or currents with gains")
        if self.currents is None and self.gains is not None:
            raise InputError(
                "gains are given without currents: efforts are gains times currents",
                argument="gains",
            )
        for name in ("q_a", "tau", "T_0p", "currents", "reference"):
            if getattr(self, name) is not None:
                settle(self, **{name: self._samples(name)})

    def _samples(self, name: str) -> np.ndarray:
        array = as_array(getattr(self, name), (), name)
        if array.ndim not in ((2, 3) if name == "T_0p" else (2,)) or len(array) != len(self.t):
            raise InputError(
                f"{name} has shape {array.shape}, expected a row for each of {len(self.t)} times",
                argument=name,
            )
        check_finite(array, name)
        return array

    @property
    def in_amperes(self) -> bool:
        """Whether it has currents whose gains are not known."""
        return self.currents is not None and self.gains is None

    def efforts(self, robot: Robot) -> np.ndarray:
        """Efforts of the motors at their axes ``(K, n)`` [N m or N], or currents without gains."""
        if self.tau is not None:
            return _of_motors(robot, self.tau, "tau")
        if self.gains is None:
            return _of_motors(robot, self.currents, "currents")
        n = len(robot.motors)
        gains = as_array(self.gains, (), "gains")
        if gains.shape not in ((), (n,)) or not (np.isfinite(gains) & (gains != 0.0)).all():
            raise InputError(
                f"gains is {shown(self.gains)}, expected a number other than zero for each of the "
                f"{n} motors, or one for all",
                argument="gains",
            )
        return np.asarray(_of_motors(robot, self.currents, "currents") * gains)

    def positions(self, robot: Robot) -> np.ndarray:
        """Positions of the motors ``(K, n)`` [rad or m]; of poses those that belong to them."""
        if self.q_a is not None:
            return _of_motors(robot, self.q_a, "q_a")
        # measured matrices are never exactly within the mobility: their freedoms are taken
        x, _ = read_poses(space_of(robot), self.t, self.T_0p, LOOSE)
        q = np.asarray(inverse_kinematics(robot, state(robot, x)))
        kinds = axis_kinds(robot)
        turning = [kinds[name] == TURN for name in robot.motors]
        q[:, turning] = np.unwrap(q[:, turning], axis=0)
        return q

    def commanded(self, robot: Robot) -> np.ndarray | None:
        """Commanded positions of the motors ``(K, n)`` [rad or m]; ``None`` if not known."""
        return None if self.reference is None else _of_motors(robot, self.reference, "reference")


def _one_of_two(log: Log, one: str, other: str, what: str) -> None:
    if (getattr(log, one) is None) == (getattr(log, other) is None):
        raise InputError(
            f"a log has either {one} or {other}: {what}",
            argument=one,
        )


def _of_motors(robot: Robot, array: Any, name: str) -> np.ndarray:
    n = len(robot.motors)
    if array.shape[1] != n:
        raise InputError(
            f"{name} has {array.shape[1]} columns, {robot.name} has {n} motors: "
            f"{', '.join(robot.motors)}",
            argument=name,
        )
    return np.asarray(array)
