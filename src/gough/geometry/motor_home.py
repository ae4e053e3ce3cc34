"""A home by positions of the motors: the middle of their strokes, or given ones."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from gough.base.arguments import check_known, number
from gough.base.batch import as_array, check_finite
from gough.base.english import listed, quoted
from gough.errors import InputError, UnreachablePose, shown
from gough.geometry.branch import passed_legs, same_side
from gough.geometry.direct import lead
from gough.geometry.inverse import motor_positions
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.dense import dense
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot

MID = "mid"
"""Every motor at the middle of its stroke."""

_STEP = 0.1  # of a motor between two looks, natural units
_FARTHEST = 100.0  # that a motor may be from home, natural units: no stroke is like that
_OPEN = (
    "there a loop would open, two assembly modes meet (Type 2), or a leg be stretched out or "
    "folded (Type 1) and change its working mode"
)
_FOLDED = "there a leg would be stretched out or folded (Type 1) and change its working mode"
_AS_A_POINT = (2, 3)  # so many numbers may as well be x, y and z


def by_motors(near: Any) -> bool:
    """Whether a home is given by motors: ``"mid"``, positions by name, or a list of them all."""
    if isinstance(near, (str, Mapping)):
        return True
    if isinstance(near, np.ndarray):
        return near.ndim == 1 and near.dtype.kind in "iuf"
    # no named tuple, which may be a state
    return type(near) in (list, tuple) and all(isinstance(q, Real) for q in near)


def led_to_motors(assembly: Assembly, near: Any) -> AssembledState:
    """The state at motor positions, to which the motors are moved straight from home.

    No leg may change its working mode on the way, and no assembly modes may meet.

    Raises:
        UnreachablePose: the way ends before; says how far it goes, and why.
    """
    robot = assembly.robot
    if len(robot.motors) < assembly.mobility:
        raise InputError(
            f"{robot.name} has {len(robot.motors)} motors for {assembly.mobility} freedoms: their "
            "positions are no home",
            argument="home",
        )
    here = AssembledState(*assembly.start)
    first = motor_positions(assembly, assembly.equations(*here))
    wanted = _wanted(robot, near, first)
    way = wanted - first
    size = float(np.abs(way / assembly.scales.motors).max(initial=0.0))
    if size > _FARTHEST:
        k = int(np.argmax(np.abs(way / assembly.scales.motors)))
        raise InputError(
            f"home: {robot.motors[k]} would have to move from {first[k]:.4g} to {wanted[k]:.4g}",
            hint="Degrees, or mm? Positions are radians and metres.",
            argument="home",
        )
    steps = int(np.ceil(size / _STEP)) or 1
    if len(robot.motors) > assembly.mobility:
        steps = 1  # half way their positions need not fit together
    for k in range(steps):
        try:
            there = lead(
                assembly, first + (k + 1) / steps * way, here, first=first + k / steps * way
            )
        except UnreachablePose as err:
            raise _refused(robot, wanted, (k + err.data["share"]) / steps, _OPEN) from err
        if not _same_mode(assembly, here, there):
            raise _refused(robot, wanted, k / steps, _FOLDED)
        here = there
    return here


def _same_mode(assembly: Assembly, here: AssembledState, there: AssembledState) -> bool:
    """Whether no leg is stretched out or folded between near states.

    There the loops lose rank with the freedoms held; elsewhere the determinant keeps its sign.  It
    also does where two pass at once: so every leg is looked at alone, too.
    """
    free, both = list(assembly.free), [assembly.equations(*each) for each in (here, there)]
    locked = []
    for at in both:
        rows = dense(at, assembly.length).rows
        locked.append(np.vstack([rows, np.eye(rows.shape[1])[rows.shape[1] - 6 :][free]]))
    return bool(same_side(*locked)) and not passed_legs(assembly, *both)


def _refused(robot: Robot, wanted: np.ndarray, share: float, why: str) -> UnreachablePose:
    positions = listed(f"{name} {q:.4g}" for name, q in zip(robot.motors, wanted, strict=True))
    more = "more motors than freedoms, whose positions must fit together; " * robot.redundant
    return UnreachablePose(
        f"{robot.name}: no home with the motors at {positions}: moved there from where they stand, "
        f"they come {100.0 * share:.0f} % of the way; {why}",
        hint=f"Likely: {more}limits or positions that do not belong to these lengths, or degrees "
        "or mm; otherwise begin nearer: near= of a builder, or robot.rehomed(T_0p) before.",
        share=share,
    )


def _wanted(robot: Robot, near: Any, first: np.ndarray) -> np.ndarray:
    """Positions of all motors; of those that are not named, where they stand."""
    if isinstance(near, Mapping):
        for name in near:
            check_known(name, robot.motors, f"home: {robot.name} has no motor", "home")
        named = {name: number(q, f"home.{name}") for name, q in near.items()}
        return np.array([named.get(name, q) for name, q in zip(robot.motors, first, strict=True)])
    if isinstance(near, str):
        if near != MID:
            raise InputError(
                f"home is {shown(near)}, expected {MID!r}, positions of the motors or a pose",
                argument="home",
            )
        return _middles(robot)
    wanted = as_array(near, (), "home")
    if len(wanted) in _AS_A_POINT:
        names = ", ".join(f"{name!r}: ..." for name in robot.motors)
        raise InputError(
            f"home is {shown(near)}: positions of motors, or a point?",
            hint=f"Say which: home={{{names}}}, or a pose: gough.Frame((x, y, z)).",
            argument="home",
        )
    if wanted.shape != (len(robot.motors),):
        raise InputError(
            f"home has {len(wanted)} positions, {robot.name} has {len(robot.motors)} motors: "
            f"{', '.join(robot.motors)}",
            argument="home",
        )
    check_finite(wanted, "home")
    return wanted


def _middles(robot: Robot) -> np.ndarray:
    strokes = {name: robot.axis(name).limits.position for name in robot.motors}
    endless = [name for name, stroke in strokes.items() if stroke is None]
    if endless:
        raise InputError(
            f"home is {MID!r}, and there is no stroke of {quoted(endless)}",
            hint="Give the axis its limits: gough.Axis(limits=gough.Limits(position=(0.6, 0.9))).",
            argument="home",
        )
    return np.array([0.5 * sum(stroke) for stroke in strokes.values() if stroke is not None])
