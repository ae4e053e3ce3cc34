"""States given in single precision: accepted within its rounding, and made exact first.

A state is as precise as its coarsest part: where one of pose, twist and its rates is float32, all
of them may be off by its rounding.  They are brought onto the mobility where they are near it, and
left to the usual checks where they are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gough.base.batch import leading_axes
from gough.errors import GoughError
from gough.geometry.inverse import posed
from gough.geometry.single import SINGLE, exact_pose, is_single
from gough.kinematics.consistency import NO_SIZES, Sizes
from gough.kinematics.jerk import Jerks
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import SerialMotion
from gough.kinematics.serial_axes import SERIAL
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import checked_parts

Arguments = dict[str, tuple[np.ndarray, int]]
_STATE = ("T_0p", "V_0p", "Vdot_0p", "Vddot_0p")


def settled(assembly: Assembly, arguments: Mapping[str, tuple[np.ndarray, int]]) -> Arguments:
    """Arguments of a batch in double precision, their states exact if they came in single."""
    double = {name: (np.asarray(a, dtype=float), core) for name, (a, core) in arguments.items()}
    state, serial = ([n for n in names if n in arguments] for names in (_STATE, SERIAL))
    if not any(is_single(arguments[name][0]) for name in (*state, *serial)):
        return double
    lead = leading_axes({name: double[name] for name in (*state, *serial)})
    arrays = {
        name: np.broadcast_to(a, lead + a.shape[a.ndim - core :]).copy()
        for name, (a, core) in double.items()
        if name in (*state, *serial)
    }
    for index in np.ndindex(*lead):
        given, axes = ([arrays[name][index] for name in names] for names in (state, serial))
        one = _exact_in_space(assembly, given, axes) if serial else exact_state(assembly, *given)
        for name, value in zip(state, one, strict=True):
            arrays[name][index] = value
    return double | {name: (arrays[name], double[name][1]) for name in state}


def _exact_in_space(
    assembly: Assembly, state: Sequence[np.ndarray], axes: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """A state of a machine with serial axes: what its core can have, in space."""
    parts = checked_parts(assembly)
    none = np.zeros(len(parts.axes))
    around = SerialMotion(parts, *(*axes, none, none, none)[:3])
    seen = around.to_core(*(*state, np.zeros(6), np.zeros(6))[:3])
    core = parts.core.assembly
    one = exact_state(core, *seen[: len(state)], taken_off=around.taken_off)
    return list(around.to_space(*(*one, np.zeros(6), np.zeros(6))[:3]))[: len(state)]


def exact_state(
    assembly: Assembly, T_0p: np.ndarray, *motion: np.ndarray, taken_off: Sizes = NO_SIZES
) -> list[np.ndarray]:
    """Pose, and twist and its derivatives if they are given, of a state in single precision."""
    T = exact_pose(assembly, T_0p)
    found = [T, *motion]
    if not motion or assembly.mobility == 6 or not all(np.isfinite(a).all() for a in motion):
        return found
    try:
        solution = assembly.solution(posed(assembly, T))
        found[1] = _nearest(
            assembly, solution, motion[0], np.zeros(6), float(np.sqrt(taken_off.speed))
        )
        kin = Kinematics(assembly, solution, found[1])
        speed = _size(assembly, found[1])
        if len(motion) > 1:
            rest, fast = np.asarray(kin.Vdot), speed**2 + float(np.sqrt(taken_off.growth))
            found[2] = _nearest(assembly, solution, motion[1], rest, fast)
        if len(motion) > 2:
            kin = kin.with_twist_rate(found[2])
            rest = Jerks(kin, np.zeros(6)).of_freedoms(np.zeros(6))
            fast = speed**3 + speed * _size(assembly, found[2])
            found[3] = _nearest(assembly, solution, motion[2], rest, fast)
    except (GoughError, np.linalg.LinAlgError):
        pass  # the state is refused where it is used, with its reason
    return found


def _nearest(
    assembly: Assembly, solution: Solution, V: np.ndarray, rest: np.ndarray, fast: float
) -> np.ndarray:
    """The nearest allowed vector ``Psi V_r + rest``; the same one if that is too far."""
    scale = assembly.scales.twist
    Psi = np.asarray(solution.Psi, dtype=float) / scale[:, None]
    V_r = np.linalg.lstsq(Psi, (V - rest) / scale, rcond=None)[0]
    allowed = Psi @ V_r * scale + rest
    size = _size(assembly, V) + _size(assembly, rest) + fast
    near = float(np.linalg.norm((allowed - V) / scale)) <= SINGLE * size
    return np.asarray(allowed) if near else V


def _size(assembly: Assembly, V: np.ndarray) -> float:
    return float(np.linalg.norm(V / assembly.scales.twist))
