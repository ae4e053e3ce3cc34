"""Public functions of forces: efforts, accelerations, energy and momentum of a state."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, as_array
from gough.dynamics.answers.energy import CentroidalMomentum, Energy
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.evaluation.call import evaluate
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.axes import rate_to_platform
from gough.states.state import State, as_state


def inverse_dynamics(
    robot: Robot,
    state: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts that produce a motion of the platform.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        method: ``"legs"`` [BK][KI], ``"elements"`` [OZ], ``"screws"`` [GA] or ``"tree"`` [KI]
            section 2.1; they agree to rounding.
        loads: :class:`gough.Loads`: forces on bodies, a payload, whether friction and rotors count.
        share: how more motors than freedoms share the work; the smallest efforts if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        WrongMotors: fewer motors than freedoms, or more without ``redundant`` or ``share``.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.
        EffortsInfeasible: no efforts within the bounds of ``share`` produce the motion.
    """
    return evaluate(
        robot, "inverse_dynamics", state, out, on_error, method=method, loads=loads, share=share
    )[0]


def forward_dynamics(
    robot: Robot,
    state: Any,
    tau: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> State:
    """Accelerations of the machine under motor efforts; holds on a Type 2 singularity.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose and twist of the platform; a bare pose rests.
        tau: motor efforts ``(..., n)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        out: array that ``Vdot_0p`` is written into, and internal accelerations behind it; the
            state that is returned reads it.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        The state with its accelerations: ``Vdot_0p (..., 6)`` [m/s^2, rad/s^2], all six components,
        ``Psi Vdot_r + Psidot V_r``, in the axes of the state, and ``internal_acceleration``.
        :func:`gough.motor_accelerations` and :func:`gough.posture` take it for those of joints.

    Equations:
        [BK] (17)-(18), [KI] (28).
    """
    motors = (len(assembled(robot).robot.motors),)
    efforts = as_array(tau, motors, "tau")
    x = state if type(state) is State else as_state(state, robot, with_internal=True)
    rates = evaluate(
        robot, "forward_dynamics", x, out, on_error, method=method, loads=loads, tau=efforts
    )[0]
    if x._plain is not None and rates.ndim == 1:
        return x.accelerated(rates)
    Vdot = rates[..., :6]
    if x.frame == "platform":
        given = x.arguments("T_0p", "V_0p")
        Vdot[...] = rate_to_platform(given["T_0p"][0], given["V_0p"][0], Vdot)
    axes = {
        name: rates[..., 6 + k]
        for k, name in enumerate(robot.serial_axes if x.has_internal else ())
    }
    return x.accelerated(Vdot, **axes)


def energy(
    robot: Robot,
    state: Any,
    *,
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Energy:
    """Kinetic and potential energy of the machine.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose and twist of the platform; a bare pose rests.
        loads: :class:`gough.Loads`, of which the payload and the rotors have energy.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        An :class:`Energy` [J], ``(...,)`` each; ``out`` takes the kinetic one.
    """
    out = out[..., None] if isinstance(out, np.ndarray) else out
    kinetic, potential = evaluate(robot, "energy", state, out, on_error, loads=loads)
    return Energy(kinetic[..., 0], potential[..., 0])


def centroidal_momentum(
    robot: Robot, state: Any, *, loads: Loads | None = None, on_error: OnError = "raise"
) -> CentroidalMomentum:
    """Linear and angular momentum of the machine about its centre of mass, and that centre.

    Its rate is what acts from outside: the wrench of the base on the machine, weight and loads.
    Rotors are left out.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose and twist of the platform; a bare pose rests.
        loads: :class:`gough.Loads`, of which the payload has momentum.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        A :class:`CentroidalMomentum`, in base axes whatever those of the state.

    Equations:
        Orin, Goswami, Lee: Centroidal dynamics of a humanoid robot, 2013.
    """
    return CentroidalMomentum(
        *evaluate(robot, "centroidal_momentum", state, None, on_error, loads=loads)
    )
