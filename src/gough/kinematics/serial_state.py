"""From the parallel robot within a machine to the whole machine: its states in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, check_finite, check_pose, map_states, state_arguments
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import CALLED, SerialAxes, serial_arguments
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.serial import checked_parts
from gough.robot import Robot


def serial_core(robot: Robot) -> Robot:
    """The parallel robot of a machine with serial axes, alone: on the body that carries it.

    Its base is that body, in the frame of that body; its platform is the machine's, or the body
    that carries the machine's.  Motions, workspaces, singularities and pages are made of it.

    Args:
        robot: a machine with ``serial_axes``.

    Raises:
        InputError: it has none.
    """
    return checked_parts(assembled(robot)).core


def serial_state(
    robot: Robot,
    T: Any,
    V: Any = None,
    Vdot: Any = None,
    *,
    serial: SerialAxes,
    on_error: OnError = "raise",
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose, twist and twist rate in space from those of the parallel robot on its carrier.

    Args:
        robot: a machine with ``serial_axes``.
        T: pose of the platform of :func:`serial_core`, seen from its base ``(..., 4, 4)``.
        V: its twist, axes of that base ``(..., 6)``; at rest there if not given.
        Vdot: the plain time derivative of these components ``(..., 6)``; zero if not given.
        serial: how the serial axes move.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        ``T_0p, V_0p, Vdot_0p`` of the machine's platform, base axes: what functions of states take
        together with ``serial``.
    """
    assembly = assembled(robot)
    parts = checked_parts(assembly)
    twists = [np.zeros(6) if a is None else a for a in (V, Vdot)]
    arguments = state_arguments(T_0p=T, V_0p=twists[0], Vdot_0p=twists[1])
    arguments |= serial_arguments(assembly, serial)

    def one(*arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        for name, array in zip(arguments, arrays, strict=True):
            check_finite(array, CALLED.get(name, name))
        pose, twist, rate, *axes = arrays
        check_pose(pose)
        return SerialMotion(parts, *axes).to_space(pose, twist, rate)

    found = map_states(one, arguments, ((4, 4), (6,), (6,)), on_error)
    return found[0], found[1], found[2]
