"""Work for other processes, which find it by its name."""

from __future__ import annotations

import numpy as np

import gough


def efforts(robot: gough.Robot, states: tuple[np.ndarray, ...]) -> tuple[np.ndarray, int]:
    """Efforts by a kernel, and which object the kernel is in this process."""
    kernel = gough.compile(robot, "inverse_dynamics")
    return kernel(*states)["tau"], id(kernel)


def called(kernel: gough.Kernel, states: tuple[np.ndarray, ...]) -> np.ndarray:
    """What a kernel answers."""
    return kernel(*states)["tau"]


def simulated(controller: gough.control.Loop, motion: gough.motion.Motion) -> gough.Simulation:
    """A short run of the motion's robot."""
    return gough.simulate(motion.robot, motion(0.0), controller, 0.02)


def refused(robot: gough.Robot) -> None:
    """A pose that nothing reaches."""
    T = np.array(robot.home_pose)
    T[0, 3] += 100.0
    gough.inverse_kinematics(robot, T)
