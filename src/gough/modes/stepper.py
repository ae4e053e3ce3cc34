"""A fixed number of Newton steps by a kernel, for any number of states at once.

The pose that a step writes is the pose that the next one reads, in the same memory, so that nothing
is done between two steps but to check whether all have converged.  Figures of every step are kept:
from them it is decided afterwards which states have converged, and whether on the same branch.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from gough.base.conditions import is_valid
from gough.base.once import known_of
from gough.compiler.machine_code.kernel import Bound, Kernel
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import find_kernel
from gough.geometry.turns import counted_axes
from gough.kinematics.poses import Poses, PoseStatus
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CONTRACTION, FINE, shrinks

LARGEST = 0.5
"""Largest first step, natural units: Newton's method converges on the same branch from there."""
FARTHEST = 1e9
"""Largest motor position [rad, m]: beyond, the place within a turn is lost in rounding."""

# Step of the platform over error of the motors, natural units: at most the inverse of the smallest
# singular value.  Beyond 1 / SINGULAR the state is next to Type 2.
_STEEP = 1e6


class Stepper:
    """Arrays for so many states and so many steps, and the kernel bound to them.

    Args:
        assembly: the robot.
        count: states.
        steps: at most.
    """

    def __init__(self, assembly: Assembly, count: int, steps: int) -> None:
        self.count = count
        kernel = find_kernel(assembly, "forward_kinematics_step", Variant())
        self.poses = np.zeros((steps + 2, count, 4, 4))
        self.q = np.zeros((count, len(assembly.robot.motors)))
        self.figures = {
            port.name: np.zeros((steps + 1, count, *port.shape))
            for port in kernel.program.outputs
            if port.name != "T_0p"
        }
        self._calls = [self._bound(kernel, i) for i in range(steps + 1)]
        names = ("off", "size", "type_2", "doubt")
        self._views = [[self.figures[n][i, 0] for n in names] for i in range(steps + 1)]

    def _bound(self, kernel: Kernel, i: int) -> Bound:
        """The kernel from pose i to pose i + 1."""
        outputs = {
            port.name: self.poses[i + 1] if port.name == "T_0p" else self.figures[port.name][i]
            for port in kernel.program.outputs
        }
        bound = kernel.bound(self.count)
        bound.inputs = {"T_0p": self.poses[i], "q": self.q}
        return bound.into(outputs)

    def run(self, q: np.ndarray, guess: np.ndarray, tolerance: float) -> Poses:
        """Poses by steps from guesses ``(B, 4, 4)`` until all errors are below the tolerance."""
        self.q[...], self.poses[0] = q, guess
        figures = self.figures
        k = 0
        for k, call in enumerate(self._calls):
            call()
            # at least one step: it also corrects a guess that is inexact
            if k and figures["off"][k].max() <= tolerance:
                break
        return self._judged(k + 1, tolerance)

    def _judged(self, end: int, tolerance: float) -> Poses:
        """Which states have arrived, and how, after so many steps.

        Row i of all figures is about the pose before step i: the sum of the errors of motors and
        loops, the size of the step that follows, both in natural units, a figure that changes its
        sign at a Type 2 singularity, and whether the kernel's answer is valid.
        """
        error, squares, type_2 = (
            self.figures[name][:end, :, 0] for name in ("off", "size", "type_2")
        )
        size, sign, known = np.sqrt(squares), np.sign(type_2), is_valid(self.figures["doubt"][:end])
        each = np.arange(self.count)
        there = error <= tolerance
        there[0] = False  # at least one step has corrected a guess that is inexact
        arrived = there.any(axis=0)
        last = np.where(arrived, there.argmax(axis=0), end - 1)
        trusted = np.concatenate([size[:1] <= LARGEST, shrinks(size[1:], size[:-1])])
        short = (trusted | (np.arange(end)[:, None] >= last)).all(axis=0)
        same = (sign == sign[0]) & (sign != 0.0)
        sure = short & same[last, each] & known[last, each]
        steep = (size > _STEEP * np.maximum(error, tolerance)).any(axis=0)
        status = np.full(self.count, PoseStatus.NOT_CONVERGED, dtype=np.int8)
        status[~same.all(axis=0) | steep] = PoseStatus.SINGULAR
        status[~np.isfinite(error).all(axis=0)] = PoseStatus.OUT_OF_REACH
        status[arrived] = np.where(sure, PoseStatus.CONVERGED, PoseStatus.IN_DOUBT)[arrived]
        good = (status == PoseStatus.CONVERGED)[:, None, None]
        T = np.where(good, self.poses[last + 1, each], np.nan)
        return Poses(T, status, last.astype(np.int16), error[last, each])

    def at_once(self, q: np.ndarray, guess: np.ndarray, tolerance: float) -> Poses | None:
        """One state in plain numbers, which is fastest; ``None`` if it must be checked otherwise.

        Arrays of one entry would take longer than the steps themselves.
        """
        self.q[0], self.poses[0, 0] = q, guess
        side, most = 0.0, LARGEST**2
        for k, (call, view) in enumerate(zip(self._calls, self._views, strict=True)):
            call()
            off, square, type_2 = (each.item() for each in view[:3])
            side = side or type_2
            if k and off <= tolerance:
                if not (is_valid(view[3]) and side * type_2 > 0.0 and isfinite(square)):
                    return None
                status, steps = np.array(PoseStatus.CONVERGED, np.int8), np.array(k, np.int16)
                return Poses(self.poses[k + 1, 0].copy(), status, steps, np.array(off))
            if not square <= most:
                return None
            most = max(CONTRACTION**2 * square, FINE**2)
        return None


def within_half_a_turn(assembly: Assembly, q: np.ndarray) -> np.ndarray:
    """Motor positions less whole turns, which do not move the platform; NaN beyond ``FARTHEST``."""
    home, turn = home_and_turn(assembly)
    known = np.where(np.abs(q) <= FARTHEST, q, np.nan)
    return np.asarray(known - turn * np.round((known - home) / (2.0 * np.pi)))


def whole_turns(assembly: Assembly, way: np.ndarray) -> np.ndarray:
    """The part of ways of the motors that is whole turns, and so moves no platform [rad]."""
    return np.asarray(home_and_turn(assembly)[1] * np.round(way / (2.0 * np.pi)))


@known_of(Assembly)
def home_and_turn(assembly: Assembly) -> tuple[np.ndarray, np.ndarray]:
    """Motor positions at home, and their period [rad]; 0 for a motor without one."""
    counted, names = set(counted_axes(assembly)), assembly.robot.motors
    turn = [2.0 * np.pi * (assembly.axes[name] in counted) for name in names]
    return np.array([assembly.home_values[name] for name in names]), np.array(turn)
