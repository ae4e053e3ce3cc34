"""How strong the motors are at rest: limits of axes, data of motors, losses of gears.

A platform is held by the continuous torque of its motors, and at rest gears lose nothing.  It is
accelerated from rest by the peak torque at zero speed, while gears pass power to the load and the
rotors are accelerated on their own shafts:

    tau = efficiency (u - own) + own,    own = rotor qdd,    |u| <= ratio peak

so that ``J_inv^T tau = M a + c`` becomes ``J_inv^T (efficiency u) = M' a + c`` with
``M' = M - J_inv^T (1 - efficiency) rotor J_inv``, and ``u`` is bounded as efforts of axes are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known, number
from gough.base.batch import as_array
from gough.base.english import counted
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.answers.motor_limits import motor_limits
from gough.errors import InputError
from gough.mechanism.mobility.assembly import Assembly


class Strength(NamedTuple):
    """Bounds of efforts that act together.

    Attributes:
        efforts: largest efforts at the axes, without what the rotors' shares save in the gears
            ``(m,)`` [N m or N].
        saved: inertia of the rotors that gears do not see, to be taken off what the axes feel
            ``(m,)`` [kg m^2 or kg].
    """

    efforts: np.ndarray
    saved: np.ndarray


def strengths(assembly: Assembly, what: str, efforts: Any) -> list[Strength]:
    """Bounds of the motors' efforts at rest; all of them hold.

    There are two where some motor is bounded both on its shaft and at its axis, and its rotor makes
    a difference between them.

    Args:
        assembly: the robot.
        what: ``"payload"``, which is held, or ``"acceleration"``, from rest.
        efforts: at the axes, a number, an array or by name; of these motors nothing else counts.

    Raises:
        InputError: nothing is known of a motor, or the argument makes no sense.
    """
    robot, limits = assembly.robot, motor_limits(assembly.robot)
    given = _given(assembly, efforts)
    asked = np.isfinite(given)
    at_axis = np.where(asked, given, limits.effort)
    share = np.where(what == "payload", 1.0, limits.efficiency)
    shaft = share * limits.ratio * limits.at_rest(continuous=what == "payload")
    shaft[asked] = np.inf
    missing = ~np.isfinite(np.minimum(at_axis, shaft))
    if missing.any():
        names = [name for name, unknown in zip(robot.motors, missing, strict=True) if unknown]
        raise InputError(
            f"{robot.name}: no effort limit and no motor torque is known of {', '.join(names)}",
            hint="Give efforts=..., or limits.effort or a motor in the robot's file.",
            argument="efforts",
        )
    check_frozen(assembly)
    if len(given) < assembly.mobility:
        raise InputError(
            f"{robot.name} has {counted(len(given), 'motor')} for "
            f"{counted(assembly.mobility, 'freedom')}: they hold nothing",
            argument="capability",
        )
    saved = (1.0 - share) * limits.rotor
    apart = np.isfinite(at_axis) & np.isfinite(shaft) & (saved > 0.0)
    least, by_shaft = np.minimum(at_axis, shaft), np.isfinite(shaft)
    found = [Strength(np.where(apart, shaft, least), np.where(by_shaft, saved, 0.0))]
    if apart.any():
        found.append(
            Strength(np.where(apart, at_axis, least), np.where(apart, 0.0, found[0].saved))
        )
    return found


def _given(assembly: Assembly, efforts: Any) -> np.ndarray:
    """Efforts of a call ``(m,)``; infinite where none is given."""
    robot = assembly.robot
    found = np.full(len(robot.motors), np.inf)
    if isinstance(efforts, Mapping):
        for name, value in efforts.items():
            check_known(name, robot.motors, f"efforts: {robot.name} has no motor", "efforts")
            found[robot.motors.index(name)] = number(value, "efforts", positive=True)
    elif efforts is not None:
        array = as_array(efforts, (), "efforts")
        if array.ndim > 1 or (array.ndim == 1 and len(array) != len(found)):
            raise InputError(
                f"efforts has shape {array.shape}, expected a number or ({len(found)},)",
                argument="efforts",
            )
        found[:] = [number(v, "efforts", positive=True) for v in np.broadcast_to(array, len(found))]
    return found
