"""``gough.forward_kinematics``: every pose that motor positions allow."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gough.base.arguments import one_of, whole
from gough.base.batch import as_array, check_finite
from gough.base.english import counted
from gough.errors import GoughWarning, InputError, SingularPose, WrongMotors
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.modes.algebra import spatial_ties
from gough.modes.finding import Operation, find_modes
from gough.modes.hexagons import compared
from gough.modes.mode import Modes
from gough.modes.relations import demands
from gough.modes.ties import architecture_is_singular
from gough.robot import Robot
from gough.states.state import State

_LARGEST = 1e9
"""Largest motor position, natural units: of angles beyond, rounding leaves seven digits."""


def forward_kinematics(
    robot: Robot,
    q_a: Any,
    *,
    operation: Operation = "home",
    starts: int = 1152,
    seed: int = 0,
) -> Modes:
    """Every pose of the platform that motor positions allow: all assembly modes.

    Limits and home's working mode are ignored.  The equations of the platform pose that the legs
    impose, their motors locked, are solved completely where that is possible: spheres that meet
    (Deltas, Orthoglides), polynomials (planar robots), quadrics of the rotation (spherical robots,
    C5), continuation of as many paths as there can be poses (40 for hexapods, 16 for 3-RPS).  Any
    other machine is searched from random postures, and the answer says so.

    Args:
        robot: the machine, with motors that fix its platform.
        q_a: one set of motor positions ``(n,)`` [rad or m].
        operation: ``"home"``: the platform moves as it does around home; a Delta whose bars are
            twisted, so that its platform no longer only translates, is another machine.  ``"any"``:
            such poses too, by search.
        starts: most starts of a search.
        seed: of its random postures.

    Returns:
        The modes, nearest home first: poses, conditioning, branches, and how they were found.
        ``numpy.asarray(modes)`` and ``modes.poses`` are the poses ``(k, 4, 4)``, empty if there is
        none.

    Raises:
        SingularPose: the motors leave the platform a motion: in every pose (similar hexagons), or
            where they are now.
        WrongMotors: there are too few motors.

    Warns:
        GoughWarning: paths were lost, so that poses may be missing.
    """
    assembly = assembled(robot)
    if isinstance(q_a, State):
        raise InputError(
            "q_a is a State, expected an array of motor positions",
            hint="gough.inverse_kinematics(robot, state) has them.",
            argument="q_a",
        )
    q = as_array(q_a, (), "q_a")
    if q.shape != (len(robot.motors),):
        raise InputError(
            f"q_a has shape {q.shape}, expected one set of motor positions ({len(robot.motors)},)",
            hint="For many: one after the other; gough.track follows a mode along a motion."
            if q.ndim > 1
            else "One number a motor, in the order of robot.motors.",
            argument="q_a",
        )
    _check_options(operation, starts, seed)
    check_motors(assembly)
    check_finite(q, "q_a")
    _check_size(assembly, q)
    modes = find_modes(assembly, q, operation, int(starts), int(seed))
    if modes.lost:
        warnings.warn(
            f"{robot.name}: {modes.lost} of the paths to all poses were lost, as happens next "
            "to singularities; a search was added, but poses may be missing",
            GoughWarning,
            stacklevel=2,
        )
    return modes


def _check_size(assembly: Assembly, q_a: np.ndarray) -> None:
    """Refuse positions so large that rounding leaves too few digits of the angle."""
    too_large = np.abs(q_a) > _LARGEST * assembly.scales.motors
    if too_large.any():
        k = int(np.argmax(too_large))
        raise InputError(
            f"q_a[{k}] is {q_a[k]:g}, too large to compute with",
            hint="Motor positions are in rad or m.",
            argument="q_a",
        )


def _check_options(operation: Any, starts: Any, seed: Any) -> None:
    one_of(operation, "operation", ("home", "any"))
    whole(starts, "starts", least=1)
    whole(seed, "seed")


def check_motors(assembly: Assembly) -> None:
    """Refuse a machine whose motors leave its platform a motion in every pose."""
    if assembly.mobility == 0 or assembly.motors_control_platform:
        return
    robot = assembly.robot
    count = len(robot.motors)
    if count < assembly.mobility:
        raise WrongMotors(
            f"{robot.name}: {counted(count, 'motor')} cannot fix a platform with "
            f"{counted(assembly.mobility, 'freedom')}",
            hint="gough.doctor(robot) says which joints could be driven.",
        )
    home = np.array([assembly.home_values[name] for name in robot.motors])
    known = demands(assembly, home)
    ties = spatial_ties(known) if known is not None else None
    why = ""
    if ties is not None and architecture_is_singular(ties):
        figures = compared(ties.a * assembly.length, ties.b * assembly.length)
        why = f": {figures}" if figures.relation else ""
    raise SingularPose(
        f"{robot.name}: Type 2 singularity in every pose: with all motors locked the platform can "
        f"still move{why}",
        hint="Place the joints of base or platform differently.",
        kind="Type 2",
        condition=np.inf,
    )
