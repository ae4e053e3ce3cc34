"""What a page that moves a machine asks for: a step to a goal, all joints carried, and the view.

A state is ``y``, six coordinates of the platform, and ``coordinates``, those of all links: it stays
on its own branch and in its own assembly mode, whatever they are.  A step brings the freedoms, or
the motors, to a goal and closes all loops, to first order; a caller takes as many as it needs, and
trusts them by the rule of :mod:`gough.mechanism.mobility.newton`.
"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import least_squares, watched
from gough.base.spatial import Array, collect
from gough.dynamics.answers.reactions import transmitted
from gough.geometry.inverse import motor_positions
from gough.kernels.tracing.charted import Along
from gough.kernels.tracing.from_joints import opposed
from gough.kernels.tracing.integration_quantities import axis_or_tilt, type_2
from gough.kernels.tracing.machine import Machine, State
from gough.kernels.tracing.tracking_quantities import closing_rates, shortest
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration, pack, unpack
from gough.mechanism.closure.dense import move, natural_gaps
from gough.mechanism.closure.solution import RightSide
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.varying import row_pattern
from gough.robot.joint import PLANE


def shown_axes(assembly: Assembly) -> list[str]:
    """Axes with a position to show: all but planes; of a ball it is the tilt."""
    return [name for name, place in assembly.axes.items() if place.what != PLANE]


def step_of_freedoms(machine: Machine, y: Array, coordinates: Array, x: Array) -> dict[str, Array]:
    """One Newton step of platform and joints, freedoms brought to ``x`` [m, rad]."""
    state = _carried(machine, y, coordinates)
    assembly, solution = machine.assembly, state.solution
    free, right = list(assembly.free), RightSide(*state.at.residuals())
    along = Along(assembly, y, solution)
    error = collect([x[k] - y[i] for k, i in enumerate(free)])
    V_r = along.reduced(error, solution.complete(np.zeros(len(free)), right))
    found = _stepped(state, along, V_r, right, error / assembly.scales.freedoms)
    # exactly, as the goal is given
    exact = {i: x[k] for k, i in enumerate(free)}
    return found | {"y": collect([exact.get(i, found["y"][i]) for i in range(6)])}


def step_of_motors(machine: Machine, y: Array, coordinates: Array, q: Array) -> dict[str, Array]:
    """One Newton step of platform and joints, motors brought to ``q`` [m, rad]."""
    lead = np.ones(len(machine.assembly.robot.motors))
    return step_of_leading_motors(machine, y, coordinates, q, lead)


def step_of_leading_motors(
    machine: Machine, y: Array, coordinates: Array, q: Array, lead: Array
) -> dict[str, Array]:
    """The same where ``lead`` is 1; motors where it is 0 follow, for there may be too many."""
    state = _carried(machine, y, coordinates)
    assembly, solution, scales = machine.assembly, state.solution, machine.assembly.scales
    error = shortest(assembly, q - motor_positions(assembly, state.at)) * lead
    wanted = (error - closing_rates(assembly, solution) * lead) / scales.motors
    felt = scales.jacobian(solution.J_inv) * lead[:, None]
    V_r = least_squares(felt, wanted) * scales.freedoms
    right = RightSide(*state.at.residuals())
    along = Along(assembly, y, solution)
    return _stepped(state, along, V_r, right, error / scales.motors)


def _stepped(
    state: State, along: Along, V_r: Array, right: RightSide, error: Array
) -> dict[str, Array]:
    """The state after a step.

    Returns:
        ``y`` and ``coordinates``; ``size`` of the step, the largest entry in natural units; and of
        the state before it: ``off``, the sum of what freedoms or motors and loops are wrong by,
        natural units, and ``type_2``, a figure that changes its sign at a Type 2 singularity.
    """
    assembly, solution = state.assembly, state.solution
    V = solution.complete(V_r, right)
    rates = solution.rates(V, right)
    topology = assembly.topology
    configuration = _straight(move(topology, state.at.configuration, rates))
    natural = [*(V / assembly.scales.twist), *(rates.together / assembly.scales.rates)]
    gaps = natural_gaps(state.at, assembly.length)
    off = opposed(state.at)
    for each in (*error, *gaps):
        off = off + np.abs(each)
    size: Array = 0.0
    for each in natural:
        size = np.maximum(size, np.abs(each))
    return state.answer(
        y=along.y + along.back @ V,
        coordinates=pack(configuration),
        size=collect([size]),
        off=collect([off]),
        type_2=collect([type_2(assembly, solution)]),
    )


def view_of(machine: Machine, y: Array, coordinates: Array) -> dict[str, Array]:
    """Everything that a page shows of a posture.

    Returns:
        ``T_0p``; ``bodies``, a row of rotation and position for every body; ``positions`` of
        :func:`shown_axes`; ``q``; ``J_inv``, ``Psi`` and ``row_entries``, what varies of the
        closure rows, from which distances to singularities follow.
    """
    assembly = machine.assembly
    with watched() as made:
        state = _carried(machine, y, coordinates)
        J_inv = state.solution.J_inv
    state.require_pivots(made)
    poses = [state.at.body_poses[body.name] for body in assembly.robot.bodies]
    return state.answer(
        T_0p=state.T_0p,
        bodies=collect([np.concatenate([pose.R.reshape(-1), pose.p]) for pose in poses]),
        positions=collect([axis_or_tilt(assembly, state.at, n) for n in shown_axes(assembly)]),
        q=motor_positions(assembly, state.at),
        J_inv=J_inv,
        Psi=state.solution.Psi,
        row_entries=row_pattern(assembly).entries(state.at, assembly.length),
    )


def efforts_in_view(
    machine: Machine, y: Array, coordinates: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts and rates of a motion, with the joints carried."""
    state, kin = _moving(machine, y, coordinates, V_0p, Vdot_0p)
    tau = state.efforts(kin, machine.loads(loads))
    return state.answer(tau=tau, qd=kin.motor_rates())


def reactions_in_view(
    machine: Machine, y: Array, coordinates: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    """What the parent exerts on the child in every joint, its axes, in the same motion."""
    state, kin = _moving(machine, y, coordinates, V_0p, Vdot_0p)
    acting = machine.loads(loads)
    tau = state.efforts(kin, acting)
    with watched() as made:
        found = transmitted(kin, tau, acting.during(kin.V, machine.assembly.length), "parent")
    state.require_pivots(made)
    state.require_balance(found)
    return state.answer(wrench=found.wrench, unique=found.unique)


def _moving(
    machine: Machine, y: Array, coordinates: Array, V_0p: Array, Vdot_0p: Array
) -> tuple[State, Kinematics]:
    """A state in motion."""
    assembly = machine.assembly
    with watched() as made:
        state = _carried(machine, y, coordinates)
        state.solution.J_inv  # noqa: B018  its pivots are looked at, too
    state.require_pivots(made)
    state.require_motors()
    return state, Kinematics(assembly, state.solution, V_0p, Vdot_0p)


def _carried(machine: Machine, y: Array, coordinates: Array) -> State:
    configuration = unpack(machine.assembly.topology, coordinates)
    return machine.assembled(machine.assembly.chart.pose(y), configuration)


def _straight(configuration: Configuration) -> Configuration:
    """Pairs (cos, sin) and rotations that have drifted by rounding, corrected."""

    def one(value: Array) -> Array:
        if value.shape == (2,):
            return value * (1.5 - 0.5 * (value @ value))
        if value.shape == (3, 3):
            return value @ (np.eye(3) * 1.5 - (value.T @ value) * 0.5)
        return value

    return Configuration.of([one(v) for v in tree] for tree in configuration.trees)
