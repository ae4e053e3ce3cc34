"""From the parallel robot within a machine to the whole machine: its states in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, check_finite, check_pose, map_states
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import CALLED, SERIAL, serial_arguments
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.serial import checked_parts
from gough.robot import Robot
from gough.states.state import INTERNAL, State, as_state


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


def serial_state(robot: Robot, state: State, *, on_error: OnError = "raise") -> State:
    """State of a machine in space, from that of the parallel robot on its carrier.

    Args:
        robot: a machine with ``serial_axes``.
        state: of the platform of :func:`serial_core`, seen from its base and in axes of that base;
            with the serial axes as internal coordinates.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        The same with pose, twist and twist rate of the machine's platform in its base.
    """
    assembly, x = assembled(robot), as_state(state, robot, with_internal=True)
    parts = checked_parts(assembly)
    arguments = x.arguments("T_0p", "V_0p", "Vdot_0p") | serial_arguments(assembly, x)

    def one(*arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        for name, array in zip(arguments, arrays, strict=True):
            check_finite(array, CALLED.get(name, name))
        pose, twist, rate, *axes = arrays
        check_pose(pose)
        return SerialMotion(parts, *axes).to_space(pose, twist, rate)

    T, V, Vdot = map_states(one, arguments, ((4, 4), (6,), (6,)), on_error)
    axes = zip(INTERNAL, SERIAL, strict=True)
    motion: dict[str, Any] = {
        part: dict(zip(parts.axes, np.moveaxis(arguments[key][0], -1, 0), strict=True))
        for part, key in axes
    }
    return State(T, V, Vdot, **motion).in_frame(x.frame)
