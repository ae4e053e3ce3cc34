"""What a page that moves a machine asks for: a step to a goal, all joints carried, and the view.

A state is ``y``, six coordinates of the platform, and ``coordinates``, those of all links: it stays
on its own branch and in its own assembly mode, whatever they are.  A step brings the freedoms, or
the motors, to a goal and closes all loops, to first order; a caller takes as many as it needs, and
trusts them by the rule of :mod:`gough.mechanism.mobility.newton`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect
from gough.dynamics.answers.reactions import BodiesInBalance, transmitted
from gough.dynamics.quantities.axes import axis_or_tilt, shown_axes
from gough.dynamics.quantities.dynamic import require_motors
from gough.dynamics.quantities.figures import opposed, type_2
from gough.dynamics.quantities.joints import require_large_pivots
from gough.dynamics.quantities.motors import closing_rates, shortest
from gough.dynamics.quantities.row import Model, at_carried_joints, quantity
from gough.geometry.inverse import motor_positions
from gough.kinematics.from_freedoms import Along
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration, pack
from gough.mechanism.closure.dense import move, natural_gaps
from gough.mechanism.closure.solution import RightSide
from gough.mechanism.mobility.varying import row_pattern

_CARRIED = ("y", "coordinates")
_STEPPED = ("y", "coordinates", "size", "off", "type_2")
_page_quantity = partial(quantity, start=at_carried_joints, public=False)


@_page_quantity((*_CARRIED, "x"), _STEPPED)
def step_of_freedoms(kin: Kinematics, model: Model, y: Array, x: Array) -> dict[str, Array]:
    """One Newton step of platform and joints, freedoms brought to ``x`` [m, rad]."""
    assembly, solution = kin.assembly, kin.solution
    free, right = list(assembly.free), RightSide(*kin.at.residuals())
    along = Along(assembly, y, solution)
    error = collect([x[k] - y[i] for k, i in enumerate(free)])
    V_r = along.reduced(error, solution.complete(np.zeros(len(free)), right))
    found = _stepped(kin, along, V_r, right, error / assembly.scales.freedoms)
    # exactly, as the goal is given
    exact = {i: x[k] for k, i in enumerate(free)}
    return found | {"y": collect([exact.get(i, found["y"][i]) for i in range(6)])}


@_page_quantity((*_CARRIED, "q"), _STEPPED)
def step_of_motors(kin: Kinematics, model: Model, y: Array, q: Array) -> dict[str, Array]:
    """One Newton step of platform and joints, motors brought to ``q`` [m, rad]."""
    return step_of_leading_motors(kin, model, y, q, np.ones(len(kin.assembly.robot.motors)))


@_page_quantity((*_CARRIED, "q", "lead"), _STEPPED)
def step_of_leading_motors(
    kin: Kinematics, model: Model, y: Array, q: Array, lead: Array
) -> dict[str, Array]:
    """The same where ``lead`` is 1; motors where it is 0 follow, for there may be too many."""
    assembly, solution, scales = kin.assembly, kin.solution, kin.assembly.scales
    error = shortest(assembly, q - motor_positions(assembly, kin.at)) * lead
    wanted = (error - closing_rates(assembly, solution) * lead) / scales.motors
    felt = scales.jacobian(solution.J_inv) * lead[:, None]
    V_r = least_squares(felt, wanted) * scales.freedoms
    right = RightSide(*kin.at.residuals())
    along = Along(assembly, y, solution)
    return _stepped(kin, along, V_r, right, error / scales.motors)


def _stepped(
    kin: Kinematics, along: Along, V_r: Array, right: RightSide, error: Array
) -> dict[str, Array]:
    """The state after a step.

    Returns:
        ``y`` and ``coordinates``; ``size`` of the step, the largest entry in natural units; and of
        the state before it: ``off``, the sum of what freedoms or motors and loops are wrong by,
        natural units, and ``type_2``, a figure that changes its sign at a Type 2 singularity.
    """
    assembly, solution = kin.assembly, kin.solution
    V = solution.complete(V_r, right)
    rates = solution.rates(V, right)
    topology = assembly.topology
    configuration = _straight(move(topology, kin.at.configuration, rates))
    natural = [*(V / assembly.scales.twist), *(rates.together / assembly.scales.rates)]
    gaps = natural_gaps(kin.at, assembly.length)
    off = opposed(kin.at)
    for each in (*error, *gaps):
        off = off + np.abs(each)
    size: Array = 0.0
    for each in natural:
        size = np.maximum(size, np.abs(each))
    return {
        "y": along.y + along.back @ V,
        "coordinates": pack(configuration),
        "size": collect([size]),
        "off": collect([off]),
        "type_2": collect([type_2(assembly, solution)]),
    }


@_page_quantity(
    _CARRIED,
    ("T_0p", "bodies", "positions", "q", "J_inv", "Psi", "row_entries"),
    seated=False,
)
def view(kin: Kinematics, model: Model, y: Array) -> dict[str, Array]:
    """Everything that a page shows of a posture.

    Returns:
        ``T_0p``; ``bodies``, a row of rotation and position for every body; ``positions`` of
        :func:`shown_axes`; ``q``; ``J_inv``, ``Psi`` and ``row_entries``, what varies of the
        closure rows, from which distances to singularities follow.
    """
    assembly = kin.assembly
    require_large_pivots(kin)
    poses = [kin.at.body_poses[body.name] for body in assembly.robot.bodies]
    return {
        "T_0p": kin.T_0p,
        "bodies": collect([np.concatenate([pose.R.reshape(-1), pose.p]) for pose in poses]),
        "positions": collect([axis_or_tilt(assembly, kin.at, n) for n in shown_axes(assembly)]),
        "q": motor_positions(assembly, kin.at),
        "J_inv": kin.J_inv,
        "Psi": kin.solution.Psi,
        "row_entries": row_pattern(assembly).entries(kin.at, assembly.length),
    }


@_page_quantity((*_CARRIED, "V_0p", "Vdot_0p"), ("tau", "qd"), loaded=True)
def efforts_in_view(
    kin: Kinematics, model: Model, y: Array, V_0p: Array, Vdot_0p: Array
) -> dict[str, Array]:
    """Motor efforts and rates of a motion, with the joints carried."""
    kin = _moving(kin, V_0p, Vdot_0p)
    return {"tau": model.efforts(kin, model.loads), "qd": kin.motor_rates()}


@_page_quantity((*_CARRIED, "V_0p", "Vdot_0p"), ("wrench", "unique"), loaded=True)
def reactions_in_view(
    kin: Kinematics, model: Model, y: Array, V_0p: Array, Vdot_0p: Array
) -> dict[str, Array]:
    """What the parent exerts on the child in every joint, its axes, in the same motion."""
    kin = _moving(kin, V_0p, Vdot_0p)
    tau = model.efforts(kin, model.loads)
    found = transmitted(kin, tau, model.loads.during(kin.V, kin.assembly.length), "parent")
    kin.rules.require(BodiesInBalance(kin.assembly.robot, found))
    return {"wrench": found.wrench, "unique": found.unique}


def _moving(kin: Kinematics, V_0p: Array, Vdot_0p: Array) -> Kinematics:
    """A state in motion, whose joints are judged."""
    require_large_pivots(kin)
    require_motors(kin)
    return kin.with_motion(V_0p, Vdot_0p)


def _straight(configuration: Configuration) -> Configuration:
    """Pairs (cos, sin) and rotations that have drifted by rounding, corrected."""

    def one(value: Array) -> Array:
        if value.shape == (2,):
            return value * (1.5 - 0.5 * (value @ value))
        if value.shape == (3, 3):
            return value @ (np.eye(3) * 1.5 - (value.T @ value) * 0.5)
        return value

    return Configuration.of([one(v) for v in tree] for tree in configuration.trees)
