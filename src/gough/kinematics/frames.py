"""What the axes of a state change: twists always, the robot's own freedoms if there are six."""

from __future__ import annotations

from gough.errors import InputError
from gough.mechanism.mobility.assembly import Assembly
from gough.states.state import State


def freedoms_turn(assembly: Assembly, state: State) -> bool:
    """Whether ``V_r`` changes with the frame: six freedoms are the twist, in the axes asked for.

    With fewer they are the robot's own coordinates, in base axes in any case.
    """
    return state.frame == "platform" and assembly.mobility == 6


def check_freedoms_turn(assembly: Assembly, state: State, what: str) -> bool:
    """The same for what lives in ``V_r`` alone, where the frame would change nothing otherwise."""
    if state.frame == "platform" and assembly.mobility != 6:
        raise InputError(
            f"{assembly.robot.name}: {what} is in V_r, the robot's own freedoms "
            f"({', '.join(assembly.freedoms) or 'none'}), which have base axes in every frame",
            hint="Take a state in base axes; gough.freedom_map maps V_r to the twist in those "
            "of a state.",
            argument="frame",
        )
    return freedoms_turn(assembly, state)
