"""A step of joints and platform together, and what their limits have to say about the next one.

Nothing is eliminated here: the rows are those of the closure and of the limited axes, so they exist
on every singularity too.
"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect, moved
from gough.kernels.tracing.from_joints import opposed
from gough.kernels.tracing.integration_quantities import axis_or_tilt, bounded_axes
from gough.kernels.tracing.machine import Machine
from gough.mechanism.closure.axes import axis_over_all, axis_rows, coordinate
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.closure.dense import column_scales, move, natural_gaps, natural_rows, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint import BALL, SLIDE

_UPRIGHT = 1e-12  # sine of a tilt beside which it has no direction


def limited_axes(assembly: Assembly) -> tuple[str, ...]:
    """The motors, then all other axes whose positions have limits."""
    motors = assembly.robot.motors
    return (*motors, *(name for name in bounded_axes(assembly) if name not in motors))


def limited_scales(assembly: Assembly) -> np.ndarray:
    """Unit of each of them, natural units: 1 rad, or the robot's length [m or rad]."""
    slides = [assembly.axes[name].what == SLIDE for name in limited_axes(assembly)]
    return np.where(slides, assembly.length, 1.0)


def limited_step(
    machine: Machine, T_0p: Array, coordinates: Array, joint_step: Array, platform_step: Array
) -> dict[str, Array]:
    """Joints and platform after a step, and rows over all of u and V there.

    Args:
        machine: the robot.
        T_0p: platform pose.
        coordinates: of all joints, packed.
        joint_step: of all joints [m or rad].
        platform_step: translation and Cayley vector of the platform, base axes [m, rad].

    Returns:
        Pose and joints after the step; closure rows and how far they are open (gaps); positions
        [m or rad] of motors and limited axes, of a ball its tilt, and their rows; how far joints
        are closed the wrong way round.  Gaps and rows are in natural units.
    """
    assembly, topology = machine.assembly, machine.assembly.topology
    configuration = move(topology, unpack(topology, coordinates), split(topology, joint_step))
    T = moved(T_0p, platform_step)
    state = machine.assembled(T, configuration)
    at = state.at
    units = column_scales(topology, assembly.length) / limited_scales(assembly)[:, None]
    return state.answer(
        T_0p=T,
        coordinates=pack(configuration),
        closure_rows=natural_rows(at, assembly.length),
        gaps=natural_gaps(at, assembly.length),
        limited=collect([axis_or_tilt(assembly, at, name) for name in limited_axes(assembly)]),
        limited_rows=collect([_row(assembly, at, name) for name in limited_axes(assembly)]) * units,
        open=collect([opposed(at)]),
    )


def _row(assembly: Assembly, at: Equations, name: str) -> Array:
    """Rate of an axis over all of u and V; of a ball, the rate of its tilt."""
    place = assembly.axes[name]
    rows = axis_rows(at, place)
    if place.what == BALL:
        # child axes: z of the child is e_3, z of the parent the last row of R
        R = coordinate(at, place)
        sine = np.sqrt(R[2, 0] * R[2, 0] + R[2, 1] * R[2, 1]) + _UPRIGHT
        about = (R[2, 1] / sine, -R[2, 0] / sine)
        rows = rows._replace(
            tree=[about[0] * rows.tree[0] + about[1] * rows.tree[1]],
            z=[about[0] * rows.z[0] + about[1] * rows.z[1]],
        )
    return axis_over_all(assembly.topology, place, rows)
