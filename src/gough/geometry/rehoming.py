"""The same machine with another home: on another working mode or assembly mode, or elsewhere.

Everything that is found around home (mobility, pivots, closed forms, kernels) is found again
around the new one, so that it is as fast and as reliable there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.batch import as_array, check_pose
from gough.errors import InconsistentPose, InputError, shown
from gough.geometry.branch import as_branch
from gough.geometry.motor_home import by_motors, led_to_motors
from gough.geometry.newton import AssembledState
from gough.geometry.state import reach
from gough.geometry.walk import configuration_at
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Frame, Home, Robot


def rehomed(robot: Robot, near: Any) -> Robot:
    """The robot with another home; see :meth:`gough.Robot.rehomed`."""
    assembly = assembled(robot)
    if isinstance(near, Home):
        home = near
    elif hasattr(near, "bodies") and hasattr(near, "joints"):
        home = _home_of_posture(near)
    elif by_motors(near):
        home = home_of(assembly, led_to_motors(assembly, near))
    else:
        home = home_of(assembly, _assembled_near(assembly, near))
    there = replace(robot, home=home)
    assembled(there)  # or the reason why it does not close
    return there


def home_of(assembly: Assembly, state: AssembledState) -> Home:
    """An assembled state as a home: poses of all bodies, coordinates of all turns and slides.

    The coordinates are those that the robot reports there: zeros of encoders stay, and whole turns
    are kept.
    """
    at = assembly.equations(*state)
    poses = {name: spatial.pose(pose.R, pose.p) for name, pose in at.body_poses.items()}
    joints = {name: float(assembly.axis_position(at, name)) for name in assembly.home_values}
    return Home({name: Frame.from_matrix(T) for name, T in poses.items()}, joints)


def kept_home(robot: Robot) -> Home:
    """The assembled home of a robot, written out for the same bodies with their joints elsewhere.

    Closed again, such a machine stays in its mode: joints sit elsewhere by little, while
    coordinates of zero, or a drawing that no longer fits, may be far from it.  What locked joints
    are held at is kept.
    """
    found = robot.assembly
    home = home_of(found, AssembledState(found.T_home, found.home))
    return Home(home.bodies, {**robot.home.joints, **home.joints})


def _home_of_posture(posture: Any) -> Home:
    """The home that a :class:`gough.Posture` of one state means."""
    poses = {name: np.asarray(T) for name, T in posture.bodies.items()}
    shape = next((T.shape for T in poses.values() if T.shape != (4, 4)), None)
    if shape is not None:
        raise InputError(
            f"near: a posture of several states, its bodies have poses {shape}",
            hint="Choose one: robot.rehomed(gough.posture(robot, state[0])).",
            argument="near",
        )
    joints = {name: float(q) for name, q in posture.joints.items() if np.ndim(q) == 0}
    return Home({name: Frame.from_matrix(T) for name, T in poses.items()}, joints)


def _assembled_near(assembly: Assembly, near: Any) -> AssembledState:
    """The assembled state of a mode, or at the end of a walk from home to a pose."""
    branch = getattr(near, "branch", near)
    if isinstance(branch, AssembledState):
        return as_branch(assembly, branch, "near") or branch
    if isinstance(branch, np.ndarray) and branch.dtype == object:
        raise InputError(
            f"near: a track of {branch.size} motions ends in as many states",
            hint="Choose one: robot.rehomed(track.ends[0]).",
            argument="near",
        )
    try:
        T_0p = as_array(near, (4, 4), "near")
    except InputError as err:
        raise InputError(
            "near: expected a mode, an assembled state, a posture, a pose or positions of the "
            f"motors, got {shown(near)}",
            hint="gough.forward_kinematics(robot, q_a)[0] is a mode; 'mid' is every motor at the "
            "middle of its stroke.",
            argument="near",
        ) from err
    if T_0p.shape != (4, 4):
        raise InputError(
            f"near has shape {T_0p.shape}, expected one pose (4, 4): a robot has one home",
            argument="near",
        )
    check_pose(T_0p, "near")
    try:
        return AssembledState(T_0p, configuration_at(assembly, T_0p))
    except InconsistentPose:  # its freedoms count, the rest follows from them
        chart = assembly.chart
        y, configuration = reach(assembly, chart.coordinates(T_0p)[list(assembly.free)])
        return AssembledState(chart.pose(y), configuration)
