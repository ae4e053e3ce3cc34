"""``gough.analyse``: everything that a motion asks of a machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.analysis.balance import Loaded, energy_balance
from gough.analysis.changes import with_changes
from gough.analysis.conditioning import conditioning
from gough.analysis.result import Analysis
from gough.analysis.samples import among_all, sampled
from gough.analysis.sizing import size
from gough.analysis.track import Motors, follow
from gough.analysis.violations import violations
from gough.base.arguments import switch
from gough.base.batch import OnError, check_on_error
from gough.base.options import options
from gough.dynamics.answers.certificate import Certificate
from gough.dynamics.answers.motor_side import motor_side
from gough.dynamics.methods import find_method
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.dynamics.shared.sharing import EffortSharing, check_motors
from gough.errors import GoughError, InputError
from gough.functions.audit import audit
from gough.functions.dynamics import inverse_dynamics
from gough.mechanism.mobility.assembly import assembled
from gough.motion.motion import Samples
from gough.robot import Robot

HANDFUL = 5
"""Samples at which the four methods are compared."""


def analyse(
    robot: Robot,
    motion: Any,
    *,
    method: str = "legs",
    loads: Loads | LoadSchedule | None = None,
    share: EffortSharing | None = None,
    rate: float = 500.0,
    agreement: bool = True,
    on_error: OnError = "raise",
) -> Analysis:
    """Compute what a motion needs: efforts, speeds, powers, margins, and what is violated.

    Limits that are exceeded, motors that are overloaded and singularities nearby are listed in
    ``violations``, never raised.

    Args:
        robot: the machine, with as many motors as freedoms or more.
        motion: a :class:`gough.motion.Motion`, or samples: anything with ``t``, ``T_0p``, ``V_0p``
            and ``Vdot_0p``.
        method: theory of the dynamics.
        loads: :class:`gough.Loads`, per sample if they have a leading axis, or a
            :class:`gough.LoadSchedule`.  Where that changes there are two samples, just before the
            change and at it.
        share: how more motors than freedoms share the work.
        rate: samples a second [Hz]; samples are taken as they are.
        agreement: whether to compare the four methods at a handful of samples.
        on_error: ``"raise"`` at the first sample that is refused, naming its time; ``"nan"``: NaN
            there, and a violation; ``failed`` says where.

    Returns:
        An :class:`Analysis`: arrays over the samples, ratings of the motors, violations.

    Raises:
        UnreachablePose, SingularPose, InconsistentTwist: a sample is refused.
    """
    check_on_error(on_error)
    agreement = switch(agreement, "agreement")
    assembly = assembled(robot)
    _check_robot(robot, motion)
    find_method(method)
    check_motors(assembly, share)
    track, breaks = sampled(motion, rate), np.zeros(0, dtype=int)
    notes: list[str] = []
    given = loads
    if isinstance(loads, LoadSchedule):
        notes = loads.never(float(track.t[0]), float(track.t[-1]))
        track, when, breaks = with_changes(motion, track, loads)
        loads = loads.at(when)
    loading = LoadArguments(assembly, loads)
    loaded = Loaded(robot, len(track.t), loading, share, method, breaks)
    motors = follow(assembly, track)
    errors = dict(motors.errors)
    tau, holding = _efforts(robot, track, motors, loaded, errors)
    failed = np.isnan(tau).any(axis=1)
    if on_error == "raise" and failed.any():
        raise _at_time(errors, track.t)
    good = np.flatnonzero(~failed)
    # figures of a sample are given together or not at all
    q, qd, qdd = (np.where(failed[:, None], np.nan, x) for x in motors[:3])
    energy, balance = energy_balance(track, tau, qd, loaded, good)
    distances, passive = conditioning(assembly, track, motors)
    sizing = size(robot, track.t, tau, qd, qdd, holding, rotors=loading.loads.rotors)
    return Analysis(
        robot=robot,
        label=str(getattr(motion, "label", "")),
        t=track.t,
        T_0p=track.T_0p,
        V_0p=track.V_0p,
        Vdot_0p=track.Vdot_0p,
        q=q,
        qd=qd,
        qdd=qdd,
        tau=tau,
        holding=holding,
        motor=motor_side(robot, tau, qd, qdd, rotors=loading.loads.rotors),
        power=tau * qd,
        energy=energy,
        balance=balance,
        conditioning=distances,
        certificate=_certificate(robot, track, loaded, good) if agreement else None,
        failed=failed,
        violations=violations(assembly, track.t, motors, tau, errors, distances, passive, sizing),
        sizing=sizing,
        findings=(*(one.sentence for one in getattr(motion, "findings", ())), *notes),
        method=method,
        loads=loading.loads if given is None else given,
        sample_loads=loading.loads,
        share=share,
        parameters=getattr(motion, "parameters", {}),
    )


def _check_robot(robot: Robot, motion: Any) -> None:
    """Refuse a motion made for a robot with other freedoms; samples name no robot."""
    other = getattr(motion, "robot", None)
    if isinstance(other, Robot) and other.freedoms != robot.freedoms:
        raise InputError(
            f"the motion is of {other.name} with the freedoms {', '.join(other.freedoms)}; those "
            f"of {robot.name} are {', '.join(robot.freedoms)}",
            hint=f"Make the motion for {robot.name}.",
            argument="motion",
        )


def _efforts(
    robot: Robot, track: Samples, motors: Motors, loaded: Loaded, errors: dict[int, GoughError]
) -> tuple[np.ndarray, np.ndarray]:
    """Efforts of the motion, and those that hold its poses; errors of new failures are added."""
    good = np.flatnonzero(~motors.failed)
    some, acting = track.at(good), loaded.options(good)
    tau = inverse_dynamics(robot, some.state, **acting, on_error="nan")
    lost = np.isnan(tau).any(axis=-1)
    holding = inverse_dynamics(robot, some.T_0p, **acting, on_error="nan")
    if lost.any():
        k = int(good[np.flatnonzero(lost)[0]])
        try:
            with options(engine="numpy"):
                inverse_dynamics(robot, track.state[k], **loaded.options(k))
        except GoughError as err:
            errors[k] = err
    count = len(track.t)
    return among_all(tau, good, count), among_all(holding, good, count)


def _at_time(errors: dict[int, GoughError], t: np.ndarray) -> GoughError:
    """The error of the first sample that is refused, with its time."""
    k = min(errors)  # wherever samples fail, the first and the last of a stretch have a reason
    err = errors[k]
    data = {**err.data, "sample": k, "time": float(t[k])}
    name, _, rest = err.message.partition(": ")
    message = f"{name}: at {t[k]:.4g} s: {rest}" if rest else f"at {t[k]:.4g} s: {err.message}"
    hint = err.hint or 'on_error="nan" analyses the rest of the motion.'
    return type(err)(message, hint=hint, **data)


def _certificate(
    robot: Robot, track: Samples, loaded: Loaded, good: np.ndarray
) -> Certificate | None:
    """The certificate of a handful of samples."""
    if not len(good):
        return None
    # not at the ends, where a motion is at rest
    places = (np.arange(HANDFUL) + 0.5) / HANDFUL * len(good)
    some = good[np.unique(places.astype(int))]
    return audit(robot, track.state[some], loads=loaded.loads(some), share=loaded.share)
