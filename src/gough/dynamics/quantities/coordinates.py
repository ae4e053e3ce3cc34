"""Dynamics in the robot's own coordinates: a state is freedoms and their rates, and nothing else.

That is the form of optimal control and of most textbooks: ``xdd = f(x, xd, tau)``, or
``tau = g(x, xd, xdd)``.  Positions and rates of the motors come with it, for their limits.
"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect
from gough.dynamics.quantities.dynamic import require_motors
from gough.dynamics.quantities.row import MOTION, Model, at_freedoms, by_formula, quantity
from gough.dynamics.quantities.states import Rules
from gough.geometry.inverse import motor_positions
from gough.kinematics.motion import Kinematics

_FREEDOMS = ("x", "xd", "xdd", "xddd")


@quantity(_FREEDOMS[:3], MOTION[:3], by_formula, public=False)
def state(rules: Rules, model: Model, **freedoms: Array) -> dict[str, Array]:
    """Pose, twist and twist rate from the robot's freedoms, by their derivatives in order."""
    motion = rules.place(model.assembly, *(freedoms[n] for n in _FREEDOMS if n in freedoms))
    rules.check_placed(model.assembly, *motion[:3])
    return dict(zip(MOTION, motion, strict=False))


quantity(_FREEDOMS, MOTION, by_formula, name="state_with_jerk", public=False)(state)


@quantity(
    _FREEDOMS[:3], ("tau", "q", "qd"), at_freedoms, loaded=True, asks_motors=True, seated=False
)
def efforts_from_freedoms(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Motor efforts of a motion of the freedoms; ``tau`` beside ``q`` and ``qd``."""
    require_motors(kin)
    return {"tau": model.efforts(kin, model.loads), **_motors(kin)}


@quantity(("x", "xd", "tau"), ("xdd", "q", "qd"), by_formula, loaded=True, seated=False)
def accelerations_from_freedoms(
    rules: Rules, model: Model, x: Array, xd: Array, tau: Array
) -> dict[str, Array]:
    """Accelerations of the freedoms under motor efforts; ``xdd`` beside ``q`` and ``qd``."""
    assembly = model.assembly
    free, still = list(assembly.free), np.zeros(assembly.mobility)
    T, V, unaccelerated = rules.place(assembly, x, xd, still)
    kin = rules.at(assembly, T, V, turns=model.springs_count, near=model.near)
    Vdot = model.theory.twist_rate(kin, tau, model.loads)
    # the same pose in other motions, of which nothing is left to be judged
    columns = [rules.unwatched.place(assembly, x, unit, still)[1] for unit in np.eye(len(free))]
    change = (Vdot - unaccelerated)[free]  # what xdd adds to the twist rate, as xd to the twist
    xdd = least_squares(collect([V[free] for V in columns]).T, change)
    return {"xdd": xdd, **_motors(kin)}


def _motors(kin: Kinematics) -> dict[str, Array]:
    """Positions nearest home's, and rates."""
    return {"q": motor_positions(kin.assembly, kin.at), "qd": kin.motor_rates()}
