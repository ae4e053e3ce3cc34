"""What an integrator asks for: the slope of a state, and the state itself, a step from a pose.

A step is counted from the pose at its beginning: a translation, a Cayley vector that turns it, and
a change of ``V_r``.  So rotations stay rotations and no angle is ever singular.  Components that
depend on the others are brought to where the loops close, so that a simulated machine never opens.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from gough.base.linalg import Factor
from gough.base.spatial import Array, cayley_rates, collect, moved, total
from gough.dynamics.answers.energy import friction_power, of_motion, push_power, smoothed_power
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import motor_positions
from gough.kernels.tracing.doubt_regular import stretch
from gough.kernels.tracing.machine import Machine
from gough.kernels.tracing.posing import straightened
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import coordinate
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import UNITS, residual
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint import BALL, PLANE

POWERS = 4
"""Number of works that are integrated with a state.

They are those of motors, friction and loads, and the work that smoothing leaves out of friction.
"""


def slope(
    machine: Machine, T_0p: Array, V_r: Array, step: Array, tau: Array, **loads: Array
) -> dict[str, Array]:
    """Slope of a simulated state, a step from a pose.

    Returns:
        Rates of translation, Cayley vector and ``V_r``; power of the motors, of friction (what it
        takes), of loads on bodies, and what friction would take more if it were not smoothed [W].
    """
    state = machine.simulated(machine.closed(moved(T_0p, step)), loads)
    assembly, acting = machine.assembly, machine.loads(loads)
    kin = state.moving(V_r + step[6:])
    V, Vdot = kin.V, state.twist_rate(kin, tau, acting)
    during = acting.during(V, assembly.length)
    powers = [
        kin.motor_rates() @ tau if assembly.robot.motors else 0.0,
        friction_power(kin, during) if acting.friction else 0.0,
        push_power(kin, acting),
        smoothed_power(kin, during) if acting.friction else 0.0,
    ]
    free = [Vdot[i] for i in assembly.free]
    rates = [V[:3], cayley_rates(step[3:6], V[3:]), collect(free)]
    found = np.concatenate([*rates, collect(powers)])
    return state.answer(slope=found)


def motion(
    machine: Machine, T_0p: Array, V_r: Array, step: Array, **loads: Array
) -> dict[str, Array]:
    """The state a step from a pose, and the figures that are monitored; see :func:`watched_of`."""
    T = machine.closed(straightened(moved(T_0p, step)))
    state = machine.simulated(T, loads)
    kin = state.moving(V_r + step[6:])
    seen = watched_of(kin, machine.loads(loads), machine.wound(loads))
    return state.answer(T_0p=state.T_0p, V_0p=kin.V, **seen)


def watched_of(kin: Kinematics, loads: StateLoads, wound: Sequence[str] = ()) -> dict[str, Array]:
    """Figures of a simulated state that are monitored or recorded.

    Returns:
        Positions and rates of the motors; positions of bounded axes; a figure that changes its sign
        at a Type 2 singularity; how far the loops are open, natural units; kinetic and potential
        energy [J]; positions of axes whose springs feel whole turns; and how far freedoms are from
        telling the platform's motion, :func:`stretch`.
    """
    assembly, at = kin.assembly, kin.solution.equations
    bounded = [axis_or_tilt(assembly, at, name) for name in bounded_axes(assembly)]
    return {
        "q": motor_positions(assembly, at),
        "qd": kin.motor_rates(),
        "bounded": collect(bounded),
        "type_2": collect([type_2(assembly, kin.solution)]),
        "closure": collect([open_by(assembly, at)]),
        "energy": collect(of_motion(kin, loads)),
        "wound": collect([assembly.axis_position(at, name) for name in wound]),
        "stretch": collect([stretch(assembly, kin.solution)]),
    }


def bounded_axes(assembly: Assembly) -> list[str]:
    """Axes whose positions have limits."""
    robot = assembly.robot
    return [
        name
        for name in robot.axis_names
        if robot.axis(name).limits.position is not None and assembly.axes[name].what != PLANE
    ]


def axis_or_tilt(assembly: Assembly, at: Equations, name: str) -> Array:
    """Coordinate of an axis; of a ball, the tilt between the z axes of its frames."""
    if assembly.axes[name].what != BALL:
        return assembly.axis_position(at, name)
    R = coordinate(at, assembly.axes[name])
    return np.arctan2(np.sqrt(R[0, 2] * R[0, 2] + R[1, 2] * R[1, 2]), R[2, 2])


def type_2(assembly: Assembly, solution: Solution) -> Array:
    """Determinant of the motors' Jacobian, natural units, but for a constant sign."""
    if not assembly.is_square or not assembly.mobility:
        return 1.0
    scaled = assembly.scales.jacobian(solution.J_inv)
    return prod(Factor(scaled.T, assembly.motor_plan).pivots)


def open_by(assembly: Assembly, at: Equations) -> Array:
    """Sum of the residuals of all loops and couplings, natural units."""
    scales = {"m": 1.0 / assembly.length, "r": 1.0}
    loops = total(
        np.abs(off) * scales[unit]
        for m in at.all_loop_joints
        for unit, off in zip(UNITS[m.kind], residual(m), strict=True)
    )
    return total(map(np.abs, coupling_gaps(at, assembly.length)), loops)
