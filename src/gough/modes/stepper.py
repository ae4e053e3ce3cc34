"""Newton's steps of a kernel in a row: as many states as one likes, a fixed number of steps.

The pose that a step gives is the pose that the next one takes, in the same memory, so that nothing
is done between two steps but looking whether all are there.  Figures of every step are kept: from
them it is judged afterwards which states have arrived, and whether each has come the short way.
"""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

import numpy as np

from gough.geometry.turns import counted_axes
from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Bound, Kernel
from gough.mobility.assembly import Assembly
from gough.mobility.newton import CONTRACTION, FINE
from gough.tracing.states import Variant

LARGEST = 0.5
"""Most that a first step may be, natural units."""
FARTHEST = 1e9
"""Motor positions beyond it are none [rad, m]: the place within a turn is lost in rounding."""


class Steps(NamedTuple):
    """What happened to B states in k steps; row i is about the pose before step i.

    Attributes:
        T_0p: poses after the steps ``(k, B, 4, 4)``.
        error: sum of what motors and loops are off by, natural units ``(k, B)``.
        size: of the step that follows, natural units ``(k, B)``.
        type_2: figures that change their sign at a Type-2 singularity ``(k, B)``.
        doubt: of the kernel, below 1 where it is sure ``(k, B)``.
    """

    T_0p: np.ndarray
    error: np.ndarray
    size: np.ndarray
    type_2: np.ndarray
    doubt: np.ndarray


class Arrived(NamedTuple):
    """One state that has arrived: its pose, steps made, and error before the last of them."""

    T_0p: np.ndarray
    steps: int
    error: float


class Stepper:
    """Arrays for so many states and so many steps, and the kernel bound to them.

    Args:
        assembly: the robot.
        count: states.
        steps: at most.
    """

    def __init__(self, assembly: Assembly, count: int, steps: int) -> None:
        self.count = count
        kernel = find_kernel(assembly, "direct_geometry_step", Variant())
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

    def run(self, q: np.ndarray, guess: np.ndarray, tolerance: float) -> Steps:
        """Steps from guesses ``(B, 4, 4)`` until all errors are below the tolerance."""
        self.q[...], self.poses[0] = q, guess
        figures = self.figures
        k = 0
        for k, call in enumerate(self._calls):
            call()
            # one step at least: it also mends a guess that is inexact
            if k and figures["off"][k].max() <= tolerance:
                break
        end = k + 1
        doubt = figures["doubt"][:end]
        return Steps(
            self.poses[1 : end + 1],
            figures["off"][:end, :, 0],
            np.sqrt(figures["size"][:end, :, 0]),
            figures["type_2"][:end, :, 0],
            doubt[..., 0] + doubt[..., 1],
        )

    def at_once(self, q: np.ndarray, guess: np.ndarray, tolerance: float) -> Arrived | None:
        """One state by the shortest way, in plain numbers; ``None`` if it needs a second look.

        Arrays of one entry would take longer than the steps themselves.
        """
        self.q[0], self.poses[0, 0] = q, guess
        side, most = 0.0, LARGEST**2
        for k, (call, view) in enumerate(zip(self._calls, self._views, strict=True)):
            call()
            off, square, type_2 = (each.item() for each in view[:3])
            side = side or type_2
            if k and off <= tolerance:
                sure = sum(view[3].tolist()) < 1.0 and side * type_2 > 0.0 and isfinite(square)
                return Arrived(self.poses[k + 1, 0].copy(), k, off) if sure else None
            if not square <= most:
                return None
            most = max(CONTRACTION**2 * square, FINE**2)
        return None


def within_half_a_turn(assembly: Assembly, q: np.ndarray) -> np.ndarray:
    """Motor positions less the whole turns that do not move the platform."""
    return np.asarray(q - whole_turns(assembly, q - _home(assembly)))


def whole_turns(assembly: Assembly, way: np.ndarray) -> np.ndarray:
    """The part of ways of the motors that is whole turns, and so moves no platform [rad]."""

    def make(assembly: Assembly) -> np.ndarray:
        counted, names = set(counted_axes(assembly)), assembly.robot.motors
        return np.array([2.0 * np.pi * (assembly.axes[name] in counted) for name in names])

    turn = assembly.once("turns of motors", make)
    return np.asarray(turn * np.round(way / (2.0 * np.pi)))


def _home(assembly: Assembly) -> np.ndarray:
    def make(assembly: Assembly) -> np.ndarray:
        return np.array([assembly.home_values[name] for name in assembly.robot.motors])

    return assembly.once("motors at home", make)
