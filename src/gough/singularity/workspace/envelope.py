"""``gough.envelope``: how far each freedom goes from home, alone, in combination, and together."""

from __future__ import annotations

import numpy as np

from gough.base.arguments import number, switch, whole
from gough.base.options import chosen
from gough.base.progress import Progress, reporter
from gough.dynamics.answers.motor_limits import motor_limits
from gough.errors import FrozenFreedom, InputError, WrongMotors
from gough.evaluation.loops.closing import Closer
from gough.functions.dynamics import inverse_dynamics
from gough.functions.jacobians import freedom_map, inverse_jacobian
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.singularity.workspace.boxing import box_together
from gough.singularity.workspace.excursions import Envelope, Excursion, HomeRates
from gough.singularity.workspace.extremes import Extremes, find_extremes
from gough.singularity.workspace.section import unit_of
from gough.singularity.workspace.survey import farthest
from gough.singularity.workspace.walking import STEP, Walker
from gough.states.state import State

_RELATIVE = 1e-6  # to which ends are found, as a share of the excursion
_LEAST = 1e-11  # step in natural units that ends such a search at home: states are closed to this
_MOST_STARTS = 10_000  # that fit in memory
_BOUND = "no end within the search"


def envelope(
    robot: Robot,
    *,
    limits: bool = True,
    tolerance: float | None = None,
    starts: int = 8,
    progress: Progress | None = None,
) -> Envelope:
    """Excursions of every freedom from home, as data sheets of hexapods and simulators state them.

    *Alone*: the freedom moves and all others stay at home.  *Combined*: the largest excursion of
    the freedom while the others move as needed.  *Together*: the largest box in all freedoms at
    once, proportional to the excursions alone, all of which is free.  Rotations are about the
    platform's origin, by rotation vectors as in :func:`gough.state`.

    Free is what is connected with home: followed from there in steps of at most ``step``, on the
    same side of every Type 1, Type 2 and constraint singularity, and within all limits of motors
    and passive joints (of balls: their tilt).  A search goes to half a turn, and to four
    lengths of the robot or, if that is more, the sum of all limited strokes.

    How certain this is: ends of *alone* are found to 1e-6 of the excursion, or to ``tolerance``.
    *Combined* was reached from home, so it is a lower bound of the true extreme; how much the last
    three rounds of searches gained is in ``gained``.  The box of *together* was checked on
    ``together.rays`` straight ways from home to its surface, corners, a lattice and random ones, of
    which the last ``together.fresh`` found nothing shorter; a gap between them is not excluded.

    Args:
        robot: the machine, in home's working mode.
        limits: whether limits of joints count.
        tolerance: to which ends of straight ways are found [m and rad], the same for all; 1e-6 of
            each excursion if not given, however short strokes are.
        starts: searches for each side of each freedom, in combination.
        progress: called with the share done, 0 to 1.

    Returns:
        An :class:`Envelope`.

    Raises:
        InputError: home is beyond a limit, or the robot has no freedom.
        SingularPose: home is singular.
    """
    assembly = assembled_by_pose(robot)
    report_share = reporter(progress)
    limits = switch(limits, "limits")
    if tolerance is not None:
        tolerance = number(tolerance, "tolerance", positive=True)
    starts = whole(starts, "starts", least=1)
    if starts > _MOST_STARTS:
        raise InputError(f"starts is {starts}, expected at most {_MOST_STARTS}", argument="starts")
    threads = chosen().threads
    if not assembly.freedoms:
        raise InputError(f"{robot.name} has no freedom: there is no excursion", argument="robot")
    walker = Walker(Closer(assembly, threads), limits=limits)
    far = farthest(assembly)
    half = np.array([np.pi if unit_of(name) == "rad" else far for name in assembly.freedoms])
    alone = _alone(walker, half, tolerance)
    report_share(0.15)
    home = walker.closer.home.y[0, walker.closer.free]
    bounds = np.stack([home - half, home + half], axis=1)
    minus = np.array([one.minus for one in alone.values()])
    plus = np.array([one.plus for one in alone.values()])
    widest = np.maximum(plus, -minus)
    if tolerance is None:
        least = max(_RELATIVE * float((widest / assembly.scales.freedoms).min()), _LEAST)
        of_box = _RELATIVE
    else:
        least = tolerance / float(assembly.scales.freedoms.min())
        of_box = tolerance / max(float(widest.max()), tolerance)
    found = find_extremes(walker, bounds, starts, least, lambda s: report_share(0.15 + 0.65 * s))
    combined = _combined(walker, found, alone, half)
    together = box_together(walker, minus, plus, of_box)
    rates = _rates(robot)
    report_share(1.0)
    return Envelope(
        robot=assembly.robot,
        home=home,
        limits=limits,
        alone=alone,
        combined=combined,
        together=together,
        rates=rates,
        tolerance=tolerance,
        step=STEP,
        starts=starts,
        gained=found.gained.reshape(2, -1).T,
    )


def _alone(walker: Walker, half: np.ndarray, tolerance: float | None) -> dict[str, Excursion]:
    """Ways along each freedom, to both sides; to a share of each if there is no tolerance."""
    n, home, free = len(half), walker.closer.home, walker.closer.free
    start = home.y[0, free]
    goal = start + np.concatenate([-np.diag(half), np.diag(half)])
    least = _LEAST * walker.assembly.scales.freedoms if tolerance is None else tolerance
    relative = _RELATIVE if tolerance is None else 0.0
    shares = np.tile(least / half, 2)
    ends = walker.walked(home.repeated(2 * n), goal, shares, relative=relative)
    reasons = [reason or _BOUND for reason in walker.reasons(ends)]
    x = ends.last.y[:, free]
    return {
        name: Excursion(
            float(x[i, i] - start[i]),
            float(x[n + i, i] - start[i]),
            (reasons[i], reasons[n + i]),
            x[[i, n + i]],
        )
        for i, name in enumerate(walker.assembly.freedoms)
    }


def _combined(
    walker: Walker, found: Extremes, alone: dict[str, Excursion], half: np.ndarray
) -> dict[str, Excursion]:
    """Extremes of each freedom, in words too; never less than alone, which is in all of them."""
    n, free = len(half), walker.closer.free

    def side(i: int, k: int) -> tuple[float, str, np.ndarray]:
        one, j = list(alone.values())[i], k * n + i
        by_itself = (-one.minus, one.plus)[k]
        if found.reached[j] <= by_itself:
            return by_itself, one.ends[k], one.at[k]
        at = found.states.at([j])
        bound = found.reached[j] >= half[i] * (1.0 - 1e-9)
        return float(found.reached[j]), _BOUND if bound else walker.near(at), at.y[0, free]

    together = {}
    for i, name in enumerate(alone):
        (minus, first, low), (plus, second, high) = side(i, 0), side(i, 1)
        together[name] = Excursion(-minus, plus, (first, second), np.stack([low, high]))
    return together


def _rates(robot: Robot) -> HomeRates:
    """Velocities and accelerations that the motors allow at home."""
    T = robot.assembly.T_home
    bounds = motor_limits(robot)
    J_inv = np.asarray(inverse_jacobian(robot, T))
    n = J_inv.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = bounds.axis_speed[:, None] / np.abs(J_inv)
    velocity = np.where(np.isnan(each), np.inf, each).min(axis=0, initial=np.inf)
    most = np.minimum(bounds.effort, bounds.ratio * bounds.torque_at(np.zeros(len(bounds.peak))))
    acceleration = np.full((n, 2), np.inf)
    if np.isfinite(most).any():
        Psi = np.asarray(freedom_map(robot, T))
        # at rest efforts are linear in the acceleration
        try:
            tau = inverse_dynamics(robot, State(T, None, np.vstack([np.zeros(6), Psi.T])))
        except (FrozenFreedom, WrongMotors):
            return HomeRates(velocity, np.full((n, 2), np.nan))
        hold, more = tau[0], tau[1:] - tau[0]
        for k, sign in enumerate((-1.0, 1.0)):
            with np.errstate(divide="ignore", invalid="ignore"):
                room = (most - np.sign(sign * more) * hold) / np.abs(more)
            room = np.where(np.isnan(room), np.inf, room)
            acceleration[:, k] = np.maximum(room.min(axis=1), 0.0)
        if (np.abs(hold) > most).any():
            acceleration[:] = 0.0
    return HomeRates(velocity, acceleration)
