"""What an integrator asks for: the slope of a state, and the state itself, a step from a pose.

A step is counted from the pose at its beginning: a translation, a Cayley vector that turns it, and
a change of ``V_r``.  So rotations stay rotations and no angle is ever singular.  Components that
depend on the others are brought to where the loops close, so that a simulated machine never opens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gough.closure.axes import coordinate
from gough.closure.coordinates import Configuration
from gough.closure.equations import Equations
from gough.closure.rows import UNITS, residual
from gough.closure.solution import RightSide, Solution
from gough.dynamics.energy import of_motion
from gough.dynamics.methods import METHODS
from gough.dynamics.power import friction_power, push_power, smoothed_power
from gough.dynamics.state_loads import StateLoads
from gough.geometry.inverse import motor_positions
from gough.geometry.turns import springs_count
from gough.kinematics.motion import Kinematics
from gough.linalg import Factor, watched
from gough.mobility.assembly import Assembly
from gough.robot.joint import BALL, SKATE
from gough.spatial import Array, cayley, cayley_rates, collect, homogeneous
from gough.tracing.parameters import NEAR
from gough.tracing.quantities import posed_by_form
from gough.tracing.settled import reaches_all
from gough.tracing.states import Given, Variant, answer, distrust, given_state


def moved(T_0p: Array, u: Array) -> Array:
    """A pose moved by a translation and turned by a Cayley vector, base axes."""
    return homogeneous(cayley(u[3:6]) @ T_0p[:3, :3], T_0p[:3, 3] + u[:3])


def straightened(T_0p: Array) -> Array:
    """A pose whose rotation has drifted from being one: one step of Newton's towards it."""
    R = T_0p[:3, :3]
    return homogeneous(R @ (np.eye(3) * 1.5 - (R.T @ R) * 0.5), T_0p[:3, 3])


def normed(configuration: Configuration) -> Configuration:
    """Pairs (cos, sin) brought to length 1: what they missed shows as loops that are open."""

    def one(value: Array) -> Array:
        return value / np.sqrt(value @ value) if value.shape == (2,) else value

    hub, *legs = ([one(v) for v in tree] for tree in (configuration.hub, *configuration.legs))
    return Configuration(hub, legs)


def slope(
    assembly: Assembly,
    variant: Variant,
    T_0p: Array,
    V_r: Array,
    step: Array,
    tau: Array,
    **loads: Array,
) -> dict[str, Array]:
    """Slope of a simulated state, a step from a pose; see :func:`slope_of`."""
    T = closed(assembly, moved(T_0p, step))
    state = simulated_state(assembly, variant, T, loads)
    kin = Kinematics(assembly, state.solution, state.solution.Psi @ (V_r + step[6:]))
    acting = variant.loads(assembly, loads)
    with watched() as made:
        found = slope_of(kin, step, tau, acting, variant.method)
    distrust(state, variant, made, acting, kin.accelerated(found[6 : 6 + assembly.mobility]))
    return answer(state, slope=found)


def simulated_state(
    assembly: Assembly,
    variant: Variant,
    T_0p: Array,
    loads: Mapping[str, Array],
    twists: Sequence[Array] = (),
) -> Given:
    """A state whose springs are followed from the state before, if that is an input."""
    turns = sprung(assembly, variant)
    return given_state(assembly, variant, T_0p, twists, turns=turns, near=loads.get(NEAR))


def sprung(assembly: Assembly, variant: Variant) -> bool:
    """Whether a spring makes whole turns count; motors are followed step by step."""
    return springs_count(assembly) or "stiffness" in variant.parameters


def slope_of(kin: Kinematics, step: Array, tau: Array, loads: StateLoads, method: str) -> Array:
    """Rates of a step and of works, from a solved state and its twist.

    Returns:
        Rates of translation, Cayley vector and ``V_r``; power of the motors, of friction (what it
        takes), of loads on bodies, and what friction would take more if it were not smoothed [W].
    """
    assembly, V = kin.assembly, kin.V
    Vdot = METHODS[method].twist_rate(kin, tau, loads)
    during = loads.during(V, assembly.length)
    powers = [
        kin.motor_rates() @ tau if assembly.robot.motors else 0.0,
        friction_power(kin, during) if loads.friction else 0.0,
        push_power(kin, loads),
        smoothed_power(kin, during) if loads.friction else 0.0,
    ]
    free = [Vdot[i] for i in assembly.free]
    rates = [V[:3], cayley_rates(step[3:6], V[3:]), collect(free) if free else np.zeros(0)]
    return np.concatenate([*rates, collect([power * 1.0 for power in powers])])


def motion(
    assembly: Assembly, variant: Variant, T_0p: Array, V_r: Array, step: Array, **loads: Array
) -> dict[str, Array]:
    """The state a step from a pose, and what is watched of it; see :func:`watched_of`."""
    T = closed(assembly, straightened(moved(T_0p, step)))
    state = simulated_state(assembly, variant, T, loads)
    V = state.solution.Psi @ (V_r + step[6:])
    wound = list(variant.wound(assembly, loads[NEAR])) if NEAR in loads else []
    seen = watched_of(assembly, state.solution, V, variant.loads(assembly, loads), wound)
    return answer(state, T_0p=state.T_0p, V_0p=V * 1.0, **seen)


def watched_of(
    assembly: Assembly, solution: Solution, V: Array, loads: StateLoads, wound: Sequence[str] = ()
) -> dict[str, Array]:
    """What is watched of a simulated state.

    Returns:
        Positions and rates of the motors; positions of bounded axes; a figure that changes its sign
        at a Type-2 singularity; how far the loops are open, natural units; kinetic and potential
        energy [J]; positions of axes whose springs feel whole turns.
    """
    at = solution.equations
    kin = Kinematics(assembly, solution, V, np.zeros(6))
    bounded = [_position(assembly, at, name) for name in bounded_axes(assembly)]
    return {
        "q": motor_positions(assembly, at),
        "qd": kin.motor_rates(),
        "bounded": collect(bounded) if bounded else np.zeros(0),
        "type_2": collect([type_2(assembly, solution)]),
        "closure": collect([open_by(assembly, at)]),
        "energy": collect([part * 1.0 for part in of_motion(kin, loads)]),
        "wound": collect([assembly.axis_position(at, name) * 1.0 for name in wound])
        if wound
        else np.zeros(0),
    }


def bounded_axes(assembly: Assembly) -> list[str]:
    """Axes whose positions have limits."""
    robot = assembly.robot
    return [
        name
        for name in robot.axis_names
        if robot.axis(name).limits.position is not None and assembly.axes[name].what != SKATE
    ]


def _position(assembly: Assembly, at: Equations, name: str) -> Array:
    """Coordinate of an axis; of a ball, the tilt between the z axes of its frames."""
    if assembly.axes[name].what != BALL:
        return assembly.axis_position(at, name) * 1.0
    R = coordinate(at, assembly.axes[name])
    return np.arctan2(np.sqrt(R[0, 2] * R[0, 2] + R[1, 2] * R[1, 2]), R[2, 2])


def type_2(assembly: Assembly, solution: Solution) -> Array:
    """Determinant of the motors' Jacobian, natural units, but for a constant sign."""
    if not assembly.is_square or not assembly.mobility:
        return 1.0
    scaled = solution.J_inv / assembly.motor_scales[:, None] * assembly.freedom_scales
    product: Array = 1.0
    for pivot in Factor(scaled.T, assembly.motor_plan).pivots:
        product = product * pivot
    return product


def open_by(assembly: Assembly, at: Equations) -> Array:
    """Sum of what all loops are open by, natural units."""
    total: Array = 0.0
    for m in (m for group in (*at.meetings, at.hub_meetings) for m in group):
        for unit, off in zip(UNITS[m.kind], residual(m), strict=True):
            total = total + np.abs(off) * (1.0 / assembly.length if unit == "m" else 1.0)
    return total * 1.0


def closed(assembly: Assembly, T_0p: Array) -> Array:
    """A pose near one of the robot's, its dependent components brought there: one Newton step."""
    if assembly.mobility == 6 or reaches_all(assembly):
        return T_0p
    return moved(T_0p, closing(unsettled(assembly, T_0p)))


def unsettled(assembly: Assembly, T_0p: Array) -> Solution:
    """A pose as it is, solved: constants put in their places would hide how far it is off."""
    raw, _ = posed_by_form(assembly, T_0p)
    at = assembly.equations(T_0p, normed(raw.configuration))
    return assembly.traced(at, settled=False)


def closing(solution: Solution) -> Array:
    """Step of the components that depend on others to where the loops close, to first order."""
    right = RightSide(*solution.equations.residuals())
    return solution.complete(np.zeros(len(solution.free)), right)
