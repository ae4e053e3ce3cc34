"""What the axes of a state change: twists always, the robot's own freedoms if there are six."""

from __future__ import annotations

from typing import Any

from gough.errors import InputError
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.state import State


def freedoms_turn(robot: Robot, state: Any) -> bool:
    """Whether ``V_r`` changes with the frame: six freedoms are the twist, in the axes asked for.

    With fewer they are the robot's own coordinates, in base axes in any case.  A bare pose has
    base axes.
    """
    turned = isinstance(state, State) and state.frame == "platform"
    return turned and assembled(robot).mobility == 6


def check_freedoms_turn(robot: Robot, state: Any, what: str) -> bool:
    """The same for what lives in ``V_r`` alone, where the frame would change nothing otherwise."""
    if not isinstance(state, State) or state.frame == "base":
        return False
    assembly = assembled(robot)
    if assembly.mobility != 6:
        raise InputError(
            f"{assembly.robot.name}: {what} is in V_r, the robot's own freedoms "
            f"({', '.join(assembly.freedoms) or 'none'}), which have base axes in every frame",
            hint="Take a state in base axes; gough.freedom_map maps V_r to the twist in those "
            "of a state.",
            argument="frame",
        )
    return True
