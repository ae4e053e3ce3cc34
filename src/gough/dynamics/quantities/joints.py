"""Quantities of states whose joints are given, whatever their branch; loops may still be open.

Other quantities find the joints themselves, on home's branch.  Here they are inputs, so that a
state can be continued from its neighbour: a step of all joints, then everything that closing the
loops and judging the state takes.
"""

from __future__ import annotations

import numpy as np

from gough.base.conditions import LargePivots
from gough.base.spatial import Array, collect, moved
from gough.dynamics import legs
from gough.dynamics.quantities.axes import axis_or_tilt, bounded_axes, limited_axes, limited_scales
from gough.dynamics.quantities.figures import opposed
from gough.dynamics.quantities.kinematic import body_poses
from gough.dynamics.quantities.row import Model, at_joints, by_formula, quantity
from gough.dynamics.quantities.states import Rules
from gough.kinematics.conditions import HomeBranch
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import axis_over_all, axis_rows, coordinate
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.closure.dense import (
    column_scales,
    move,
    natural_gaps,
    natural_rows,
    split,
)
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import RightSide
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.varying import row_pattern
from gough.robot.joint_kinds import BALL

_UPRIGHT = 1e-12  # sine of a tilt beside which it has no direction

_JOINTS = ("T_0p", "coordinates")


def require_large_pivots(kin: Kinematics) -> None:
    """State that the fixed pivots of the closure equations are large: nobody has judged joints."""
    solution = kin.solution
    factors = [*solution.factors]
    if solution.plans.hub.columns:
        factors.append(solution.hub_factor)
    if solution.Psi_varies:
        factors.append(solution.platform_factor)
    for factor in factors:
        kin.rules.require(LargePivots(factor))


@quantity(
    (*_JOINTS, "joint_step"),
    ("coordinates", "Psi", "closing", "joint_rates", "rates_closing", "open"),
    by_formula,
    public=False,
)
def closing_step(
    rules: Rules, model: Model, T_0p: Array, coordinates: Array, joint_step: Array
) -> dict[str, Array]:
    """Rates of platform and joints by the freedoms, and the Newton step that closes the loops.

    Joints are moved by a step first.
    """
    assembly, topology = model.assembly, model.assembly.topology
    configuration = move(topology, unpack(topology, coordinates), split(topology, joint_step))
    kin = rules.with_joints(assembly, T_0p, configuration)
    at, solution = kin.at, kin.solution
    hub, of_legs = at.residuals()
    right = RightSide(hub, of_legs)
    closing = solution.complete(np.zeros(assembly.mobility), right)
    own = solution.rates(closing, right)
    each = [solution.rates(solution.Psi[:, i]) for i in range(assembly.mobility)]
    rows = [*hub, *(x for leg in of_legs for x in leg)]
    total: Array = opposed(at)
    for row, scale in zip(rows, np.concatenate(assembly.scales.rows), strict=True):
        total = total + np.abs(row) * (1.0 / scale)
    return {
        "coordinates": pack(configuration),
        "Psi": solution.Psi,
        "closing": closing,
        "joint_rates": collect([one.together for one in each]).T,
        "rates_closing": own.together,
        "open": collect([total]),
    }


@quantity((*_JOINTS, "V_r"), ("Psi", "drift"), at_joints, public=False)
def freedom_motion(kin: Kinematics, model: Model, V_r: Array) -> dict[str, Array]:
    """``Psi`` and the bias acceleration ``drift`` of ``Vdot = Psi Vdot_r + drift``."""
    require_large_pivots(kin)
    kin.rules.require(HomeBranch(kin.assembly, kin.solution))
    return {"Psi": kin.solution.Psi, "drift": kin.moving_by(V_r).Vdot}


@quantity(
    _JOINTS, ("J_inv", "Psi", "bounded", "row_entries"), at_joints, seated=False, public=False
)
def judged(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Jacobians, limited positions, and what varies of the closure rows, natural units."""
    assembly = kin.assembly
    require_large_pivots(kin)
    bounded = bounded_axes(assembly)
    return {
        "J_inv": kin.J_inv,
        "Psi": kin.solution.Psi,
        "bounded": collect([axis_or_tilt(assembly, kin.at, name) for name in bounded]),
        "row_entries": row_pattern(assembly).entries(kin.at, assembly.length),
    }


@quantity(_JOINTS, ("M_rob", "c_rob"), at_joints, loaded=True, public=False)
def weighed(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Inertia matrix and bias wrench at rest."""
    require_large_pivots(kin)
    loads = model.loads
    return {"M_rob": legs.inertia_matrix(kin, loads), "c_rob": legs.bias_wrench(kin, loads)}


@quantity(_JOINTS, ("body_poses",), at_joints, public=False)
def bodies_assembled(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rotation and position of every body in the base."""
    return {"body_poses": body_poses(kin)}


@quantity(
    (*_JOINTS, "joint_step", "platform_step"),
    ("T_0p", "coordinates", "closure_rows", "gaps", "limited", "limited_rows", "open"),
    by_formula,
    public=False,
)
def limited_step(
    rules: Rules,
    model: Model,
    T_0p: Array,
    coordinates: Array,
    joint_step: Array,
    platform_step: Array,
) -> dict[str, Array]:
    """Joints and platform after a step, and rows over all of u and V there.

    Nothing is eliminated here: the rows are those of the closure and of the limited axes, so they
    exist on every singularity too.

    Args:
        rules: of numbers or symbols.
        model: the robot.
        T_0p: platform pose.
        coordinates: of all joints, packed.
        joint_step: of all joints [m or rad].
        platform_step: translation and Cayley vector of the platform, base axes [m, rad].

    Returns:
        Pose and joints after the step; closure rows and how far they are open (gaps); positions
        [m or rad] of motors and limited axes, of a ball its tilt, and their rows; how far joints
        are closed the wrong way round.  Gaps and rows are in natural units.
    """
    assembly, topology = model.assembly, model.assembly.topology
    configuration = move(topology, unpack(topology, coordinates), split(topology, joint_step))
    T = moved(T_0p, platform_step)
    at = rules.with_joints(assembly, T, configuration).at
    units = column_scales(topology, assembly.length) / limited_scales(assembly)[:, None]
    names = limited_axes(assembly)
    return {
        "T_0p": T,
        "coordinates": pack(configuration),
        "closure_rows": natural_rows(at, assembly.length),
        "gaps": natural_gaps(at, assembly.length),
        "limited": collect([axis_or_tilt(assembly, at, name) for name in names]),
        "limited_rows": collect([_row(assembly, at, name) for name in names]) * units,
        "open": collect([opposed(at)]),
    }


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
