"""What a controller asks for: where the motors put the platform, how it moves then, and efforts.

A step of the platform towards the motors stays on home's branch; a caller that takes many steps
checks the figures that come with them.  Efforts are of rates and accelerations that a controller
has chosen itself, in the robot's freedoms or in its motors: the rest of the motion follows, so that
a command is always one the machine can make.
"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect, moved, rotation_error, total
from gough.dynamics.elements.encoders import efforts_from_motors, from_motors
from gough.dynamics.quantities.dynamic import require_motors
from gough.dynamics.quantities.figures import open_by, type_2
from gough.dynamics.quantities.row import (
    Model,
    at_closed_pose,
    at_open_pose,
    by_formula,
    quantity,
)
from gough.dynamics.quantities.states import Rules
from gough.errors import InputError
from gough.geometry.closed_form.reach import decides
from gough.geometry.constant_entries import reaches_all, settle
from gough.geometry.inverse import motor_positions
from gough.geometry.joints_from_pose import normed, straightened, unsettled
from gough.geometry.turns import counted_axes
from gough.kinematics.from_motors import driven
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import rate
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly


@quantity(("T_0p", "q"), ("T_0p", "error", "off", "size", "type_2"), at_open_pose, closes=True)
def forward_kinematics_step(
    kin: Kinematics, model: Model, T_0p: Array, q: Array
) -> dict[str, Array]:
    """One Newton step of the platform towards motor positions.

    Returns:
        The pose after the step; ``size`` of the step, natural units squared; and of the pose before
        it: ``error`` of the motors, angles by the shorter way round if ``q`` is within a turn of
        home's; ``off``, the sum of what motors, loops and the pose are wrong by, natural units;
        ``type_2``, a figure that changes its sign at a Type 2 singularity.
    """
    # whole turns do not matter: the platform is where it is
    assembly = kin.assembly
    if assembly.mobility == 6 or reaches_all(assembly):
        start, at = kin.T_0p, assembly.equations(kin.T_0p, normed(kin.at.configuration))
        solution = assembly.traced(at)
    else:  # entries put in their places one by one would hide how far the pose is off
        start, solution = T_0p, unsettled(assembly, T_0p)
        at = solution.equations
    error = shortest(assembly, q - motor_positions(assembly, at))
    J_inv = solution.J_inv
    scales = assembly.scales
    exact = not solution.dependent or solution.constant_Psi is not None  # loops are closed
    gap = np.zeros(len(error)) if exact else closing_rates(assembly, solution)
    wanted = (error - gap) / scales.motors
    step = least_squares(scales.jacobian(J_inv), wanted) * scales.freedoms
    # components that depend on the others also close what the pose leaves open
    V = solution.complete(step, RightSide(*at.residuals()))
    natural = V / scales.twist
    return {
        "T_0p": straightened(moved(start, V)),
        "error": error,
        "off": collect([_off(assembly, T_0p, at, error)]),
        "size": collect([natural @ natural]),
        "type_2": collect([type_2(assembly, solution)]),
    }


def _off(assembly: Assembly, T_0p: Array, at: Equations, error: Array) -> Array:
    """How far motors, loops and the pose are from what they should be, natural units."""
    wrong = [*settle(assembly, T_0p).off, *rotation_error(at.platform.R)]
    off = total(map(np.abs, (*wrong, *(error / assembly.scales.motors))))
    # nothing is left to be open where a closed form reaches every pose that its constants allow
    exact = decides(assembly) and reaches_all(assembly)
    return off if exact else off + open_by(assembly, at)


def closing_rates(assembly: Assembly, solution: Solution) -> Array:
    """Change of the motor positions when the loops are closed with the freedoms held."""
    motors, at = assembly.robot.motors, solution.equations
    right = RightSide(*at.residuals())
    V = solution.complete(np.zeros(assembly.mobility), right)
    rates = solution.rates(V, right)
    still = [np.zeros(len(leg)) for leg in rates.legs]
    moving = at.motions(V, np.zeros(6), rates.hub, np.zeros(len(rates.hub)), rates.legs, still)
    return collect([rate(at, lambda: moving, rates, assembly.axes[name]) for name in motors])


def shortest(assembly: Assembly, error: Array) -> Array:
    """Differences of angles, less than two turns, by the shorter way round."""
    counted = set(counted_axes(assembly))
    found = []
    for k, name in enumerate(assembly.robot.motors):
        off = error[k]
        if assembly.axes[name] in counted:
            off = off - np.pi * (np.sign(off - np.pi) + np.sign(off + np.pi))
        found.append(off)
    return collect(found)


@quantity(("T_0p", "qd", "qdd"), ("V_0p", "Vdot_0p", "J_inv", "Psi"))
def motion_of_motors(kin: Kinematics, model: Model, qd: Array, qdd: Array) -> dict[str, Array]:
    """Twist and twist rate of the platform from those of the motors, ``J_inv`` and ``Psi``.

    Equations:
        [BK] (6)-(7), (18).
    """
    require_motors(kin)
    found = driven(kin, qd, qdd)
    return {
        "V_0p": found.V,
        "Vdot_0p": found.Vdot,
        "J_inv": found.J_inv,
        "Psi": kin.solution.Psi,
    }


@quantity(("T_0p", "V_r", "Vdot_r"), ("tau",), at_closed_pose, loaded=True, closes=True)
def efforts_of_freedoms(
    kin: Kinematics, model: Model, V_r: Array, Vdot_r: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the robot's freedoms."""
    require_motors(kin)
    return {"tau": model.efforts(kin.moving_by(V_r).accelerated(Vdot_r), model.loads)}


@quantity(("T_0p", "qd", "qdd"), ("tau",), at_closed_pose, loaded=True, closes=True)
def efforts_of_motors(kin: Kinematics, model: Model, qd: Array, qdd: Array) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the motors."""
    require_motors(kin)
    return {"tau": model.efforts(driven(kin, qd, qdd), model.loads)}


@quantity(("q", "qd", "qdd"), ("tau",), by_formula, seated=False, public=False)
def inverse_dynamics_from_motors(
    rules: Rules, model: Model, q: Array, qd: Array, qdd: Array
) -> dict[str, Array]:
    """Efforts from the encoders alone, where a closed form leads from motors to all joints.

    These are equations for people and for counts: no condition is stated.  [OZ] Table 3
    """
    found = from_motors(model.assembly)
    if found is None:
        raise InputError(
            f"{model.assembly.robot.name}: its loops have no closed form from the motors",
            hint="gough.inverse_dynamics_from_motors follows the motors; a program cannot.",
        )
    return {"tau": efforts_from_motors(model.assembly, found, q, qd, qdd)}
