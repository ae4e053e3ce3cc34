"""What motors and platform do at places of a path, by the rate of its clock.

With ``x`` the squared rate of the path parameter and ``u`` its acceleration,

    tau = gain u + square x + rate sqrt(x) + rest,    qd = q1 sqrt(x),    qdd = q1 u + q2 x

(inertia; centrifugal; viscous friction; gravity, loads, springs and Coulomb friction, whose sign
is that of the path).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.sharing import EffortSharing, Sharing, check_motors
from gough.errors import GoughError, InputError
from gough.functions.dynamics import inverse_dynamics
from gough.functions.kinematics import motor_accelerations, motor_rates
from gough.mechanism.mobility.assembly import Assembly
from gough.motion.space import located
from gough.singularity.crossing.laws import run_through
from gough.singularity.crossing.problem import lines_of
from gough.states.state import State
from gough.timing.path import Stretch

_HALVINGS = 45  # of a cell in which efforts may jump, until rounding
_SOUGHT = 2000  # parts of a path, or some more, in each of which a jump is sought
_MANY = 4  # jumps in such a part, one after the other
_APART = 1e-8  # share of a path: jumps that are closer count as one
_JUMP = 2e-5  # share of the largest effort: what jumps less is not worth a cell


@dataclass(frozen=True, eq=False)
class Rows:
    """Coefficients at places of a path; the last axis is that of motors, or of the twist.

    Attributes:
        gain, square, rate, rest: of the efforts ``(..., m)``.
        q1, q2: derivatives of the motors' positions by length ``(..., m)``.
        p1, p2: twist and twist rate of the platform at a rate of 1, ``(..., 6)``.
        way: directions of the motors ``(..., m)``: 1, -1, or 0 of one that rests.
    """

    gain: np.ndarray
    square: np.ndarray
    rate: np.ndarray
    rest: np.ndarray
    q1: np.ndarray
    q2: np.ndarray
    p1: np.ndarray
    p2: np.ndarray
    way: np.ndarray

    def at(self, index: Any) -> Rows:
        """Some of the places."""
        return Rows(*(getattr(self, field.name)[index] for field in fields(self)))

    def tau(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Efforts of the motors' axes ``(..., m)``; ``x`` and ``u`` have the places' shape."""
        return np.asarray(self.gain * u[..., None] + self.off(x))

    def off(self, x: np.ndarray) -> np.ndarray:
        """Efforts without acceleration of the clock."""
        x = x[..., None]
        return np.asarray(self.square * x + self.rate * np.sqrt(x) + self.rest)

    def qd(self, x: np.ndarray) -> np.ndarray:
        """Rates of the motors' axes."""
        return np.asarray(self.q1 * np.sqrt(x)[..., None])

    def qdd(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Accelerations of the motors' axes."""
        return np.asarray(self.q1 * u[..., None] + self.q2 * x[..., None])


class Loaded:
    """A robot with its loads: efforts along paths.

    Args:
        assembly: the robot.
        loads: what acts on it, the same all the time, without smoothing.
        share: how more motors than freedoms share the work; without bounds.
    """

    def __init__(self, assembly: Assembly, loads: Any, share: EffortSharing | None) -> None:
        check_motors(assembly, share)
        loading = LoadArguments(assembly, loads)
        loading.only()
        if loading.smoothing:
            raise InputError(
                f"loads.smoothing is {loading.smoothing:g}: the least time is found with Coulomb "
                "friction that has the sign of the rate",
                hint="Leave smoothing out.",
                argument="loads",
            )
        if Sharing(assembly, share).bounded:
            raise InputError(
                "share has bounds or a preload: efforts are then no polynomial of the speed",
                hint="Give weights alone; the limits of the motors are kept anyway.",
                argument="share",
            )
        self.assembly, self.loads, self.share = assembly, loading.loads, share

    @property
    def rubs_inside(self) -> bool:
        """Whether joints without motors have Coulomb friction, which jumps with their direction."""
        robot = self.assembly.robot
        others = [name for name in robot.axis_names if name not in robot.motors]
        return self.loads.friction and any(robot.axis(name).coulomb for name in others)

    def efforts(self, states: State) -> np.ndarray:
        """Efforts of the motors' axes ``(K, m)``."""
        robot, more = self.assembly.robot, {"loads": self.loads, "share": self.share}
        return np.asarray(inverse_dynamics(robot, states, **more))  # type: ignore[arg-type]

    def rows(self, stretch: Stretch, s: np.ndarray) -> Rows:
        """Coefficients at lengths of a path, of any shape.

        Raises:
            GoughError: a pose cannot be reached or is singular; names its time in the motion.
        """
        flat = np.ravel(s)
        states = stretch(flat)
        try:
            lines = lines_of(self.efforts, states)
            q1 = motor_rates(self.assembly.robot, states)
            q2 = motor_accelerations(self.assembly.robot, states)
        except GoughError as err:
            k = err.data.get("sample")
            if k is None:
                raise
            place = float(flat[k])
            raise located(err, f"on the path, {place:.6g} from its start", place=place) from err
        parts = (*lines, np.asarray(q1), np.asarray(q2), *states.arrays[1:], np.sign(q1))
        return Rows(*(part.reshape(*np.shape(s), part.shape[-1]) for part in parts))

    def holding(self, stretch: Stretch, s: np.ndarray) -> np.ndarray:
        """Efforts that hold the robot at rest at places ``(K, m)``."""
        return self.efforts(State(stretch(s).T_0p))

    def at_rest(self, stretch: Stretch, s: np.ndarray) -> Rows:
        """Coefficients at places where the path begins or ends at rest: no friction, no losses."""
        rows = self.rows(stretch, s)
        held = self.holding(stretch, s)
        return replace(rows, rate=0.0 * held, rest=held, way=0.0 * held)

    def jumps(self, stretch: Stretch, s: np.ndarray) -> np.ndarray:
        """Places at which efforts jump, as they do where a joint with friction turns back.

        Those of motors are known by the signs of their rates.
        """
        if not self.rubs_inside:
            return np.array([])

        def efforts(at: np.ndarray) -> np.ndarray:
            return self.efforts(run_through(stretch(at), 1.0))

        # several joints may turn back in a cell: beside each jump that is found others are sought
        parts = -(-_SOUGHT // (len(s) - 1))
        share = np.arange(parts) / parts
        fine = np.append((s[:-1, None] + np.diff(s)[:, None] * share).ravel(), s[-1])
        size = 2.0 * float(np.abs(efforts(fine)).max())
        low, high, found = fine[:-1], fine[1:], np.array([])
        aside = _APART * float(s[-1] - s[0])
        for _ in range(_MANY):
            cell, at = _jumps_between(efforts, low, high, size)
            found = np.concatenate([found, at])
            low, high = (
                np.concatenate([low[cell], at + aside]),
                np.concatenate([at - aside, high[cell]]),
            )
            low, high = low[high > low], high[high > low]
            if not len(low):
                break
        return found


def _jumps_between(
    efforts: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """The largest jump between each pair of places: in which pairs there is one, and where."""
    pair = np.arange(len(low))
    at_low, at_high = efforts(low), efforts(high)
    for k in range(_HALVINGS):
        middle = 0.5 * (low + high)
        here = efforts(middle)
        left = np.abs(here - at_low).max(axis=1) > np.abs(at_high - here).max(axis=1)
        low, high = np.where(left, low, middle), np.where(left, middle, high)
        at_low = np.where(left[:, None], at_low, here)
        at_high = np.where(left[:, None], here, at_high)
        if k >= 12:  # what is smooth has shrunk by now, to a hundred thousandth
            kept = np.abs(at_high - at_low).max(axis=1) > _JUMP * size
            parts = (pair, low, high, at_low, at_high)
            pair, low, high, at_low, at_high = (x[kept] for x in parts)
            if not len(low):
                break
    return pair, 0.5 * (low + high)
