"""What an integrator asks for: the slope of a state, and the state itself, a step from a pose.

A step is counted from the pose at its beginning: a translation, a Cayley vector that turns it, and
a change of ``V_r``.  So rotations stay rotations and no angle is ever singular.  Components that
depend on the others are brought to where the loops close, so that a simulated machine never opens.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gough.base.spatial import Array, cayley_rates, collect
from gough.dynamics.answers.energy import friction_power, of_motion, push_power, smoothed_power
from gough.dynamics.quantities.axes import axis_or_tilt, bounded_axes
from gough.dynamics.quantities.figures import open_by, type_2
from gough.dynamics.quantities.row import Model, at_step, at_straight_step, quantity
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import motor_positions
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import stretch


@quantity(
    ("T_0p", "V_r", "step", "tau"), ("slope",), at_step, loaded=True, closes=True, resting=True
)
def slope(kin: Kinematics, model: Model, step: Array, tau: Array) -> dict[str, Array]:
    """Slope of a simulated state, a step from a pose.

    Returns:
        Rates of translation, Cayley vector and ``V_r``; power of the motors, of friction (what it
        takes), of loads on bodies, and what friction would take more if it were not smoothed [W].
    """
    assembly, acting = kin.assembly, model.loads
    V, Vdot = kin.V, model.theory.twist_rate(kin, tau, acting)
    during = acting.during(V, assembly.length)
    powers = [
        kin.motor_rates() @ tau if assembly.robot.motors else 0.0,
        friction_power(kin, during) if acting.friction else 0.0,
        push_power(kin, acting),
        smoothed_power(kin, during) if acting.friction else 0.0,
    ]
    free = [Vdot[i] for i in assembly.free]
    rates = [V[:3], cayley_rates(step[3:6], V[3:]), collect(free)]
    return {"slope": np.concatenate([*rates, collect(powers)])}


@quantity(
    ("T_0p", "V_r", "step"),
    ("T_0p", "V_0p", "q", "qd", "bounded", "type_2", "closure", "energy", "wound", "stretch"),
    at_straight_step,
    loaded=True,
    closes=True,
    resting=True,
)
def motion(kin: Kinematics, model: Model, step: Array) -> dict[str, Array]:
    """The state a step from a pose, and figures that are monitored."""
    return {
        "T_0p": kin.T_0p,
        "V_0p": kin.V,
        **monitored(kin, model.loads, model.near or ()),
    }


def monitored(kin: Kinematics, loads: StateLoads, wound: Iterable[str] = ()) -> dict[str, Array]:
    """Figures of a simulated state that are monitored or recorded.

    Returns:
        Positions and rates of the motors; positions of bounded axes; a figure that changes its sign
        at a Type 2 singularity; how far the loops are open, natural units; kinetic and potential
        energy [J]; positions of axes whose springs feel whole turns; and how far freedoms are from
        telling the platform's motion, :func:`stretch`.
    """
    assembly, at = kin.assembly, kin.solution.equations
    return {
        "q": motor_positions(assembly, at),
        "qd": kin.motor_rates(),
        "bounded": collect([axis_or_tilt(assembly, at, name) for name in bounded_axes(assembly)]),
        "type_2": collect([type_2(assembly, kin.solution)]),
        "closure": collect([open_by(assembly, at)]),
        "energy": collect(of_motion(kin, loads)),
        "wound": collect([assembly.axis_position(at, name) for name in wound]),
        "stretch": collect([stretch(assembly, kin.solution)]),
    }
