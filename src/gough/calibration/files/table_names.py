"""What the columns of a table of measurements may hold, and how they are called, for one robot.

Motors and encoders are called as the robot's axes are.  Where such a name is that of a measured
quantity, the quantity has it, and the axis is ``motor_x`` or ``encoder_x``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gough.errors import InputError
from gough.mechanism.mobility.assembly import assembled
from gough.motion.columns import (
    NUMBERED,
    POSES,
    POSITION,
    QUATERNION,
    RPY,
    VECTOR,
    Vocabulary,
    plain_name,
)
from gough.robot import Robot
from gough.robot.joint_kinds import SLIDE, TURN

ROTATION = (*VECTOR, *RPY, *NUMBERED, *QUATERNION)
ANCHOR = ("anchor_x", "anchor_y", "anchor_z")
SKIP = ("skip_rx", "skip_ry", "skip_rz")
"""Rotations about axes of the device that were not measured, though the rotation is there."""

SINGLE = ("height", "distance", "length")
STD, STD_ANGLE = "std", "std_angle"

UNNAMED = ("q0", "q1", "q2", "q3", "q4")
_LENGTHS = (*POSITION, *SINGLE, *ANCHOR, STD)
_ANGLES = (*VECTOR, *RPY, *NUMBERED, STD_ANGLE)
_OTHER_NAMES = {
    STD: ("std_position", "sigma", "sigma_position"),
    STD_ANGLE: ("std_rotation", "std_orientation", "sigma_angle"),
}


class Names(NamedTuple):
    """Quantities of a robot's measurements, and the columns that may hold them.

    Attributes:
        vocabulary: of all quantities.
        motors: quantities of the motors' positions by their names, in the order of the robot.
        others: quantities of their positions in a second state.
        encoders: quantities of encoders by the names of axes without motor.
        slides: axes with a coordinate that is a length.
    """

    vocabulary: Vocabulary
    motors: dict[str, str]
    others: dict[str, str]
    encoders: dict[str, str]
    slides: frozenset[str]

    def given(self, columns: Any) -> Any:
        """The columns that a caller named; motors and encoders also by the names of their axes."""
        if not isinstance(columns, Mapping):
            return columns
        known = self.vocabulary.kinds
        axes = {**self.encoders, **self.motors}
        return {
            axes.get(key, key) if isinstance(key, str) and key not in known else key: name
            for key, name in columns.items()
        }


def names_of(robot: Robot) -> Names:
    """What tables of measurements of a robot may hold.

    Raises:
        InputError: the robot has no motors.
    """
    robot = assembled(robot).robot
    if not robot.motors:
        raise InputError(
            f"{robot.name} has no motors: measurements are taken where motors stand",
            argument="robot",
        )
    does = {
        name: what
        for joint in robot.joints
        for name, what in joint.axis_kinds.items()
        if what in (TURN, SLIDE)
    }
    measured = dict.fromkeys(_LENGTHS, "length") | dict.fromkeys(_ANGLES, "angle")
    measured |= dict.fromkeys((*QUATERNION, *SKIP), "")
    taken = {*measured, *UNNAMED}
    motors = {name: _free(name, "motor", taken) for name in robot.motors}
    encoders = {name: _free(name, "encoder", taken) for name in does if name not in motors}
    taken = {*motors.values(), *encoders.values()}
    others = {name: _other(name, taken) for name in robot.motors}
    kinds: dict[str, str] = {}
    for group in (motors, others, encoders):
        kinds |= {key: "length" if does[name] == SLIDE else "angle" for name, key in group.items()}
    kinds |= measured
    words: dict[str, tuple[str, ...]] = {}
    for group, prefix in ((motors, "motor"), (encoders, "encoder")):
        for name, key in group.items():
            plain = plain_name(name)
            words[key] = (plain, f"q_{plain}", f"{prefix}_{plain}")
    if not {*UNNAMED} & {*does}:  # otherwise these are columns of axes
        kinds |= dict.fromkeys(UNNAMED, "")
    usual = {key: each for key, each in POSES.synonyms.items() if key in kinds}
    example = f'{{"{next(iter(motors.values()))}": "encoder 1", "x": "pos_x", "height": "probe"}}'
    hint = f"Say which is which: columns={example}."
    vocabulary = Vocabulary(kinds, {**words, **_OTHER_NAMES, **usual}, hint)
    slides = frozenset(name for name, what in does.items() if what == SLIDE)
    return Names(vocabulary, motors, others, encoders, slides)


def _free(name: str, prefix: str, taken: set[str]) -> str:
    return f"{prefix}_{name}" if plain_name(name) in taken else name


def _other(name: str, taken: set[str]) -> str:
    key = f"other_{name}"
    return f"other_motor_{name}" if key in taken else key
