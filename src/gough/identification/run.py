"""A log as rows of a linear problem: states from positions, base columns, efforts; all filtered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import listed, percent
from gough.base.once import known_of
from gough.dynamics.shared.sharing import EffortSharing
from gough.dynamics.shared.standard import own_figures, standard_parameters
from gough.errors import GoughError, InputError, SingularPose, UnreachablePose
from gough.evaluation.call import answered
from gough.functions.kinematics import inverse_kinematics
from gough.identification.base_result import BaseParameters
from gough.identification.estimate import Rows
from gough.identification.filtering import (
    JITTER,
    Filters,
    LogRows,
    Moving,
    design,
    kept,
    moving,
    regular,
    standing,
    times_kept,
)
from gough.identification.log import Log
from gough.identification.regressor import regressor
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.mobility.leading import leading_motors
from gough.modes.follow import find_poses
from gough.modes.track import track
from gough.robot import Robot
from gough.states.state import State

STILL = 0.02
"""Rates below this share of a motor's root mean square count as standstill."""

_SLUGGISH = 5.0  # samples a second; of drives there are a hundred and more
_SLOW = 0.25  # share of standstill in what a filtered row is made of, from which it is left out
_DOUBTED = 3.0  # standard deviations of a rate: its sign is by chance below
_FROM_HOME = 50  # steps from home to the first sample, where a motion is followed plainly
_SIGN = 0.01  # share of samples of doubtful sign in a filtered row, from which it is left out


"""Poses ``(K, 4, 4)``, twists and twist rates ``(K, 6)``."""


class Run(NamedTuple):
    """A log, filtered and decimated; K samples are left.

    Attributes:
        t: times ``(K,)`` [s].
        W: base columns ``(K, n, p)``.
        W_iv: base columns for instrumental variables: of every other sample, or ``W``.
        Z: their instruments: columns of the samples between, or of commanded positions.
        measured: efforts ``(K, n)`` [N m or N], or currents [A].
        known: efforts of known loads, and of parameters that are not to be found ``(K, n)``.
        used: whether a row counts: a motor near standstill does not ``(K, n)``.
        rates: of the motors ``(K, n)`` [rad/s or m/s].
        filters: that were applied.
        findings: sentences about the log.
        poses: of all samples of the log, from which those nearby are found at once.
    """

    t: np.ndarray
    W: np.ndarray
    W_iv: np.ndarray
    Z: np.ndarray
    measured: np.ndarray
    known: np.ndarray
    used: np.ndarray
    rates: np.ndarray
    filters: Filters
    findings: tuple[str, ...]
    poses: np.ndarray

    @property
    def tau(self) -> np.ndarray:
        """Efforts that the parameters to be found take ``(K, n)`` [N m or N]."""
        return np.asarray(self.measured - self.known)

    def times(self, gains: np.ndarray) -> Run:
        """The run with efforts for its currents."""
        return self._replace(measured=self.measured * gains)


def run_of(
    base: BaseParameters,
    log: Log,
    *,
    cutoff: float | None = None,
    band: float | None = None,
    like: float | None = None,
    standstill: float | None = None,
    delay: float = 0.0,
    near: np.ndarray | None = None,
    name: str = "log",
) -> Run:
    """A log as rows.

    Of a robot with more motors than freedoms, efforts hold internal ones, which nothing shows: all
    rows are projected on the efforts that move it, the smallest ones of the same effect.

    Args:
        base: base parameters of the robot.
        log: a run.
        cutoff: of positions [Hz], see ``filtering.design``.
        band: of efforts and columns [Hz].
        like: band of other logs [Hz], where none is given.
        standstill: rate below which a motor counts as standing [rad/s or m/s]; 2 % of its root
            mean square if not given.
        delay: by which efforts are recorded later than positions [s].
        near: poses of all samples, about: of another delay.
        name: of the log, for findings and errors.
    """
    robot = base.robot
    reference = log.commanded(robot)
    measured = [log.positions(robot), log.efforts(robot)]
    with about_log(name):
        t, columns, off = regular(log.t, *measured, *([] if reference is None else [reference]))
        q, tau, *commanded = columns
        filters = design(t, q, cutoff, band, like=like, delay=delay)
        if commanded:
            _check_commanded(robot, q, commanded[0], filters.rate)
    findings = []
    if off > JITTER:
        findings.append(
            f"{name}: time stamps are irregular by {percent(off)} of a step; samples were "
            "interpolated to equal steps."
        )
    if filters.rate < _SLUGGISH:
        findings.append(
            f"{name}: samples are {1.0 / filters.rate:.3g} s apart; if times are in ms or us, they "
            "are to be divided."
        )
    # what efforts belong to; beyond the ends nothing was recorded, and rows are dropped
    then = np.clip(t - delay, t[0], t[-1])
    here = moving(t, q, filters, then)
    try:
        states = _states(robot, here, near)
    except (SingularPose, UnreachablePose) as err:
        raise _elsewhere(robot, q, name, err) from err
    W, tau_0, moves = _columns(base, log, states)

    def columns_of(other: Moving) -> np.ndarray:
        return _columns(base, log, _states(robot, other, states.T_0p))[0]

    # the noise of every other sample is independent of that of the others
    halves = [moving(t[first::2], q[first::2], filters, then) for first in (0, 1)]
    if commanded:
        W_iv, Z = W, columns_of(moving(t, commanded[0], filters, then))
    else:
        W_iv, Z = (columns_of(half) for half in halves)
    speed = np.abs(here.qd)
    usual = np.sqrt(np.mean(speed**2, axis=0))
    slow = speed < (STILL * usual if standstill is None else standstill)
    if standstill is None:
        slow |= standing(q, filters.rate)
    used = kept(slow.astype(float), filters) < _SLOW
    # where noise of the positions decides the sign of a rate, Coulomb's friction is not known
    noise = 0.5 * np.sqrt(np.mean((halves[0].qd - halves[1].qd) ** 2, axis=0))
    used &= kept((speed < _DOUBTED * noise).astype(float), filters) < _SIGN
    if moves is not None:
        tau = (moves @ tau[..., None])[..., 0]
        used = np.broadcast_to(used.all(axis=1, keepdims=True), used.shape)
    return Run(
        times_kept(t, filters),
        kept(W, filters),
        kept(W_iv, filters),
        kept(Z, filters),
        kept(tau, filters),
        kept(tau_0, filters),
        used,
        times_kept(here.qd, filters),
        filters,
        tuple(findings),
        states.T_0p,
    )


def runs_of(
    base: BaseParameters, logs: Sequence[Log], names: Sequence[str], **options: Any
) -> list[Run]:
    """Logs as rows, by the arguments of :func:`run_of`, in one band: that of the fastest motion.

    Positions are filtered as their own motion asks; errors and noise are to compare.
    """
    named = list(zip(logs, names, strict=True))
    runs = [run_of(base, log, name=name, **options) for log, name in named]
    like = max(run.filters.band for run in runs)
    return [
        run
        if run.filters.band == like
        else run_of(base, log, name=name, **options, like=like, near=run.poses)
        for run, (log, name) in zip(runs, named, strict=True)
    ]


def check_moving(runs: Sequence[Run], motors: Sequence[str], name: str) -> None:
    """Refuse runs in which a motor never moves: nothing shows what it takes.

    Raises:
        InputError: naming the motors.
    """
    moves = np.any([run.used.any(axis=0) for run in runs], axis=0)
    still = [motor for motor, own in zip(motors, moves, strict=True) if not own]
    if still:
        verb = "stands" if len(still) == 1 else "stand"
        raise InputError(
            f"{name}: {listed(still)} {verb} still in all samples",
            hint="Move every motor, in one log at least; if they did move, lower standstill, or "
            "look for a frozen encoder.",
            argument="log",
        )


def _elsewhere(robot: Robot, q: np.ndarray, name: str, err: GoughError) -> GoughError:
    """The error of positions that the machine cannot be at."""
    home = np.asarray(inverse_kinematics(robot, assembled(robot).T_home))
    rows = zip(robot.motors, q[0], home, strict=True)
    begins = listed(f"{motor} at {x:.4g} (home {x_home:.4g})" for motor, x, x_home in rows)
    return type(err)(
        f"{name}: the machine cannot be where the motors are: {err.message}; the log begins with "
        f"{begins}",
        hint="Likely: positions in degrees or mm, counted from another zero or in the other "
        "direction, or columns of other motors.",
        **err.data,
    )


def _check_commanded(robot: Robot, q: np.ndarray, commanded: np.ndarray, rate: float) -> None:
    """Refuse commanded positions that stand while their motors move: instruments of nothing."""
    wrong = standing(commanded, rate) & ~standing(q, rate)
    if wrong.any():
        raise InputError(
            f"reference of {listed(np.array(robot.motors)[wrong].tolist())} does not move, and the "
            "positions do",
            hint="Give the commanded positions of all samples, or no reference.",
            argument="reference",
        )


@contextmanager
def about_log(name: str) -> Iterator[None]:
    """Errors that say of which log they are."""
    try:
        yield
    except InputError as err:
        raise InputError(f"{name}: {err.message}", hint=err.hint, **err.data) from err


def rows_of(runs: Sequence[Run], freedoms: int) -> Rows:
    """Rows of several runs, those that count; of so many freedoms' efforts."""
    W, tau, W_iv, Z = (
        np.concatenate([array[run.used] for array, run in zip(arrays, runs, strict=True)])
        for arrays in zip(*((run.W, run.tau, run.W_iv, run.Z) for run in runs), strict=True)
    )
    motor = np.concatenate([np.nonzero(run.used)[1] for run in runs])
    independent = freedoms / runs[0].used.shape[1]
    logs = tuple(LogRows(run.used, run.filters) for run in runs)
    return Rows(W, tau, motor, W_iv, Z, logs, independent)


def follow_poses(robot: Robot, q: np.ndarray) -> np.ndarray | None:
    """Poses along a motion of the motors from home ``(K, 4, 4)``; none where one is not found.

    Each by Newton's method from the one before, without a second look: as quick for motions that
    the machine cannot follow, where :func:`gough.track` looks for singularities and says why.

    Args:
        robot: the machine.
        q: positions of the motors ``(K, n)`` [rad or m].
    """
    leading, own = _followed(robot)
    T_0p = assembled(robot).T_home
    home = np.asarray(inverse_kinematics(robot, T_0p))
    towards = np.linspace(0.0, 1.0, _FROM_HOME)[:, None]
    poses = []
    for each in np.concatenate([home + towards * (q[0] - home), q[1:]])[:, own]:
        found = find_poses(leading, each, T_0p, doubts=False)
        if not found.converged:
            return None
        T_0p = found.T_0p
        poses.append(T_0p)
    return np.array(poses[_FROM_HOME - 1 :])


def columns_at(
    base: BaseParameters, log: Log, motors: Moving, T_0p: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Base columns, efforts of what is known, and their projection, at poses; not filtered.

    The projection is that of a robot with more motors than freedoms.

    Raises:
        SingularPose: rates of the motors do not decide those of the platform.
    """
    leading, own = _followed(base.robot)
    return _columns(base, log, _states_at(leading, T_0p, motors.qd[:, own], motors.qdd[:, own]))


def _followed(robot: Robot) -> tuple[Robot, Any]:
    """The robot whose motors decide its poses, and their numbers."""
    if len(robot.motors) == assembled(robot).mobility:
        return robot, slice(None)
    return _leading(assembled(robot))


def _states_at(robot: Robot, T_0p: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> State:
    given = {"T_0p": (T_0p, 2), "qd": (qd, 1), "qdd": (qdd, 1)}
    V_0p, Vdot_0p, *_ = answered(assembled(robot), "motion_of_motors", given, None, "raise")
    return State(T_0p, V_0p, Vdot_0p)


@known_of(Assembly)
def _leading(assembly: Assembly) -> tuple[Robot, list[int]]:
    """The robot with as many motors as freedoms, and their numbers."""
    robot, chosen = assembly.robot, leading_motors(assembly)
    return replace(robot, motors=tuple(robot.motors[k] for k in chosen)), chosen


def _states(robot: Robot, motors: Moving, near: np.ndarray | None) -> State:
    """Poses, twists and twist rates along a motion of the motors.

    Args:
        robot: the machine.
        motors: their motion.
        near: poses of another motion that is nearly the same; the motion is followed from home if
            there is none, or where the steps from these do not arrive.
    """
    leading, own = _followed(robot)
    q, qd, qdd = (np.ascontiguousarray(each[:, own]) for each in motors)
    if near is not None:
        found = find_poses(leading, q, near, doubts=False)
        if found.converged.all():
            return _states_at(leading, found.T_0p, qd, qdd)
    return track(leading, q, qd_a=qd, qdd_a=qdd).state


def _columns(
    base: BaseParameters, log: Log, motion: State
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Base columns, and efforts of what is known, along a motion.

    Known are loads, and parameters of the description that are not among those to be found.  Last
    the projection on efforts that move a robot with more motors than freedoms ``(K, n, n)``.
    """
    robot, assembly = base.robot, assembled(base.robot)
    redundant = len(robot.motors) > assembly.mobility
    share = EffortSharing() if redundant else None
    names, together = base.columns_needed
    answer = regressor(robot, motion, parameters=names, loads=log.loads, share=share)
    W = np.asarray(answer.W @ together) if base.legs else answer.W
    moves = None
    if redundant:
        _, J_inv, _ = answered(
            assembly,
            "inverse_jacobian",
            motion.arguments("T_0p"),
            None,
            "raise",
        )
        Q = np.linalg.qr(J_inv)[0]
        moves = Q @ np.swapaxes(Q, 1, 2)
        W = moves @ W  # offsets alone are changed: all others are the smallest ones already
    every = standard_parameters(robot)
    others = [
        (each.name, value)
        for each, value in zip(every, own_figures(robot, every), strict=True)
        if value and each.name not in base.names
    ]
    if not others:
        return W, answer.tau_0, moves
    rest, chi = zip(*others, strict=True)
    known = regressor(robot, motion, parameters=rest, loads=log.loads, share=share)
    return W, answer.tau_0 + known.W @ np.array(chi), moves
