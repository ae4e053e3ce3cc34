"""The calibrated machine as a robot: frames moved, offsets of motors put into their joints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.base.spatial import cayley, rotation_z
from gough.calibration.geometry import Layout, displaced, move_of
from gough.errors import NotAssembled
from gough.geometry.rehoming import kept_home
from gough.robot import Frame, Home, Joint, Robot
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.robot import COARSEST

_FINEST = 1e-9
"""Precision of a description whose loops close: its figures have rounding in them."""


def moved_robot(
    layout: Layout, g: np.ndarray, robot: Robot, *, tool: bool, open_by: float | None
) -> Robot:
    """A robot with the geometry of a fit, its home on the branch of the robot's.

    Args:
        layout: numbers of the geometry.
        g: their values.
        robot: the machine whose other figures are kept.
        tool: whether the tool is the platform's own frame, which then moves with it.
        open_by: what loops are left open, natural units; of a machine that is over-constrained, so
            that they close only with the precision of its figures; else ``None``.
    """
    seats = layout.seats_of(g)
    joints = []
    for i, joint in enumerate(layout.robot.joints):
        frames: dict[str, Any] = {}
        for end in ("parent", "child"):
            own = getattr(joint, f"{end}_frame")
            turned = cayley(seats[f"{end}_turns"][i]) @ np.array(own.rotation)
            frames[f"{end}_frame"] = _frame(turned, seats[f"{end}_points"][i])
        joints.append(replace(robot.joint(joint.name), **frames))
    offsets = dict(zip(layout.robot.motors, g[layout.offsets].tolist(), strict=True))
    joints = [_zeroed(joint, offsets) for joint in joints]
    platform = robot.platform_frame
    if tool:
        T = platform.matrix @ displaced(np.eye(4), g[layout.tool])
        platform = _frame(T[:3, :3], T[:3, 3])
    # a relation between coordinates is one between readings now, which offsets are taken off
    couplings = tuple(
        replace(
            each,
            offset=each.offset - sum(c * offsets.get(axis, 0.0) for axis, c in each.axes.items()),
        )
        for each in robot.couplings
    )
    home = kept_home(robot)
    readings = {name: q - offsets.get(name, 0.0) for name, q in home.joints.items()}
    moved = replace(
        robot,
        joints=tuple(joints),
        platform_frame=platform,
        couplings=couplings,
        home=Home(home.bodies, readings),
    )
    if open_by is None:
        return moved
    first = float(10.0 ** np.ceil(np.log10(max(10.0 * open_by, _FINEST))))
    for precision in (first, 10.0 * first, 100.0 * first):
        found = replace(moved, precision=min(max(precision, robot.precision), COARSEST))
        try:
            found.assembly  # noqa: B018  closes its loops, or says that it cannot
        except NotAssembled:
            continue
        return found
    return moved


def _frame(R: np.ndarray, p: np.ndarray) -> Frame:
    U, _, Vt = np.linalg.svd(np.asarray(R, dtype=float))
    return Frame(np.asarray(p, dtype=float).tolist(), (U @ Vt).tolist())


def _zeroed(joint: Joint, offsets: dict[str, float]) -> Joint:
    """A joint whose motors read what their coordinates are: offsets are put into its frames."""
    for axis in joint.axis_names:
        offset = float(offsets.get(axis, 0.0))
        if offset == 0.0:
            continue
        A, B = joint.parent_frame.matrix, joint.child_frame.matrix
        kind, what = KINDS[joint.kind], move_of(joint, axis)
        back = np.eye(4)
        if what == SLIDE:
            back[2, 3] = -offset
        else:
            back[:3, :3] = rotation_z(-offset)
            back[2, 3] = -offset * joint.pitch  # zero but of a screw
        if kind.turns == 2 and axis == joint.axis_names[0]:
            T = A @ np.linalg.inv(back)
            joint = replace(joint, parent_frame=_frame(T[:3, :3], T[:3, 3]))
        else:
            T = B @ back
            joint = replace(joint, child_frame=_frame(T[:3, :3], T[:3, 3]))
    return joint
