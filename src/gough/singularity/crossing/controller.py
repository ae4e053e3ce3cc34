"""A controller that stays bounded through Type 2 singularities.

Computed torque solves ``A tau = w``, with ``A = J_inv^T`` at the measured pose and ``w`` the wrench
of a corrected acceleration, and divides by singular values that vanish.  Here the efforts of the
plan ``tau_p``, which are bounded, come first, and only what is missing is asked of the Jacobian:

    tau = tau_p + A^# (w - A tau_p),    A^# = sum_i g(s_i) v_i u_i^T

over the singular values of ``A``, natural units, with ``g(s) = 1/s`` above a threshold and
``s / threshold^2`` below.  Away from singularities this is computed torque, exactly.  Near one it
is a multi-model law: the direction that efforts do not reach is left to the plan, which meets the
criterion, and all others stay under control.  The hand-over is continuous, so that nothing chatters
and no hysteresis is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.errors import InputError, SingularPose, shown
from gough.geometry.walk import difference
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion import Motion
from gough.motion.motion import of_robot
from gough.robot import Robot
from gough.simulation.control.arguments import check_options
from gough.simulation.control.calls import Calls, model_calls
from gough.simulation.control.loop import OPTIONS, Loop
from gough.simulation.control.reference import Reference, Wanted
from gough.simulation.drive import Measured
from gough.singularity.crossing.result import Crossing
from gough.singularity.crossing.verdict import crossing

_RATE = 1000.0
"""Samples a second of the plan's efforts, at least [Hz]; linear in between."""

_SAME = 1e-6
"""How far a plan may be from its motion on singular poses, natural units.

A plan of the same motion differs by rounding of its times; another motion by far more.
"""


def crossing_control(
    model: Robot,
    motion: Motion,
    *,
    bandwidth: float,
    threshold: float = 0.05,
    loads: Loads | None = None,
    plan: Crossing | None = None,
    **options: Any,
) -> Loop:
    """Computed torque on the platform that goes through Type 2 singularities.

    Pose and twist of the platform must be measured, by a camera for example: on the singularity
    they do not follow from the motors.

    Args:
        model: the machine as the controller knows it.
        motion: the motion to follow; it must be able to pass, as those of :func:`plan_crossing`.
        bandwidth: ``kp = bandwidth^2``, ``kd = 2 bandwidth`` of every freedom [rad/s].
        threshold: singular value of the motors' Jacobian, by its largest, below which a direction
            is handed over to the plan; less than 1.
        loads: what acts on the machine, as the controller knows it.  Where they have no
            ``smoothing``, Coulomb friction is smoothed as in the simulated machine.
        plan: the motion's own :func:`crossing` with these loads, if it is known already.
        **options: ``period``, ``delay``, ``saturation``; see :class:`gough.control.Loop`.

    Returns:
        A controller, which :func:`gough.simulate` takes as ``efforts``; give it ``stop_at`` without
        ``"type_2"``.

    Raises:
        SingularPose: the motion cannot pass; says what is missing.
        InputError: an argument makes no sense, or is unknown; names it.
    """
    known = tuple(name for name in OPTIONS if name not in ("quantisation", "noise", "seed"))
    check_options(crossing_control, options, known)
    assembly = assembled(model)
    motion = of_robot(motion, model)
    LoadArguments(assembly, loads)  # a plan is made for loads that do not change
    speed = number(bandwidth, "bandwidth", positive=True)
    share = number(threshold, "threshold", positive=True)
    if share >= 1.0:
        raise InputError(
            f"threshold is {shown(threshold)}, expected less than 1: it is a share of the largest "
            "singular value, and no direction would be under control",
            argument="threshold",
        )
    if plan is None:
        plan = crossing(model, motion, rate=_RATE, loads=loads)
    else:
        _check_plan(assembly, motion, plan)
    for instant in plan.instants:
        if not instant.can_pass:
            raise SingularPose(
                f"{model.name}: at {instant.time:.6g} s the motion cannot pass: {instant.sentence}",
                hint=f"What to do: {plan.advice}.",
                time=instant.time,
            )
    law = _Through(assembly, model_calls(assembly, loads), speed, share)
    return Loop(_Planned(model, motion, plan), law, **options)


def _check_plan(assembly: Assembly, motion: Motion, plan: Any) -> None:
    """Refuse a plan of another motion: its efforts would not drive this one."""
    if not isinstance(plan, Crossing) or plan.robot.motors != assembly.robot.motors:
        raise InputError(
            f"plan is {shown(plan)}, expected gough.crossing(robot, motion) of this robot",
            argument="plan",
        )
    own, other = f"{motion.label}, {motion.duration:.9g} s", f"{plan.label}, {plan.t[-1]:.9g} s"
    if own != other:
        raise _another(f"{other}; this one is {own}")
    free, scales = list(assembly.free), assembly.scales.freedoms
    for instant in plan.instants:
        at = motion(instant.time)
        rates = (at.V_0p[free] - instant.V_r) / scales
        gains = (at.Vdot_0p[free] - instant.Vdot_r) / scales
        off = max(
            float(np.abs(difference(at.T_0p, instant.T_0p)[free] / scales).max()),
            float(np.abs(rates).max()) * motion.duration,
            float(np.abs(gains).max()) * motion.duration**2,
        )
        if not off < _SAME:
            raise _another(
                f"at {instant.time:.6g} s this one is elsewhere, or has other rates, by "
                f"{off:.3g} in natural units"
            )


def _another(difference: str) -> InputError:
    return InputError(
        f"plan is one of another motion: {difference}",
        hint="Give gough.crossing(robot, motion) of this motion, or leave plan out.",
        argument="plan",
    )


class _Planned(Reference):
    """A reference whose ``weight`` are the efforts of the plan: a singular pose has no others."""

    def __init__(self, model: Robot, motion: Motion, plan: Crossing) -> None:
        self._plan = plan
        super().__init__(model, motion)

    def _sampled(self, times: np.ndarray) -> Wanted:
        T, V, Vdot = self._states(times).arrays
        planned = np.stack(
            [np.interp(times, self._plan.t, tau) for tau in self._plan.tau.T], axis=1
        )
        return Wanted(T, V, Vdot, *self._motors(times, T, V, Vdot), planned, times)


class _Through:
    """The control law, on ``M_rob``, ``c_rob`` and ``J_inv`` of N machines."""

    def __init__(self, assembly: Assembly, call: Calls, bandwidth: float, threshold: float) -> None:
        self.assembly, self.call = assembly, call
        self.bandwidth, self.threshold = bandwidth, threshold
        self.label = f"planned efforts, errors fed back with a bandwidth of {bandwidth:.5g} rad/s"

    def smooth(self, speeds: Mapping[str, float]) -> None:
        """Smooth Coulomb friction over the given speeds, by axis [rad/s or m/s]."""
        self.call = self.call.smoothed(speeds)

    def fresh(self) -> _Through:
        """The same law, its model with other arrays."""
        return _Through(self.assembly, self.call.fresh(), self.bandwidth, self.threshold)

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Efforts of the plan, and what is missing as far as it can be reached."""
        assembly, planned = self.assembly, wanted.weight
        free = list(assembly.free)
        T, V = measured.T_0p, measured.V_0p
        off = np.array([difference(each, wanted.T_0p) for each in T])[:, free]
        late = (wanted.V_0p - V)[:, free]
        Vdot_r = wanted.Vdot_0p[free] + 2.0 * self.bandwidth * late + self.bandwidth**2 * off
        M, c, J = self.call("cartesian_model", T_0p=T, V_0p=V)
        w = (M @ Vdot_r[..., None])[..., 0] + c
        missing = w - (np.swapaxes(J, 1, 2) @ planned[:, None])[..., 0]
        left, s, right = np.linalg.svd(assembly.scales.jacobian(J), full_matrices=False)
        least = self.threshold * s[:, :1]
        gain = np.where(s > least, 1.0 / np.maximum(s, least), s / least**2)
        asked = (right @ (missing * assembly.scales.freedoms)[..., None])[..., 0]
        more = (left @ (gain * asked)[..., None])[..., 0] / assembly.scales.motors
        return np.asarray(planned + more)
