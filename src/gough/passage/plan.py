"""``gough.plan_crossing``: a path re-timed so that it can be driven through its singularities."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

from gough.batch import as_array
from gough.dynamics.loading import Loading
from gough.dynamics.models import check_motors
from gough.errors import InputError, SingularPose, shown
from gough.geometry.newton import State
from gough.mobility.assembly import Assembly, assembled
from gough.motion import Motion, arguments, through
from gough.motion.jets import Jet
from gough.motion.laws import Law, time_law
from gough.motion.motion import made
from gough.motion.space import space_of
from gough.passage.criterion import clock_gain, crosses, null
from gough.passage.laws import Knot, one_polynomial, pieces, retimed, runs_on
from gough.passage.optimise import Wishes, optimised
from gough.passage.places import singular_instants
from gough.passage.terms import Machine, checked_motion
from gough.robot import Robot

_FACTORS = (1.0, 0.8, 1.25, 0.6, 1.6, 0.4, 2.0, 0.25, 3.0)
"""Crossing speeds that are tried, by that of the usual law; the first whose clock runs on is taken.
"""

_POWERS = (1.0, 0.8, 1.25, 0.6, 1.6, 0.4, 2.5)
"""By which the share of the time at which a singular pose is passed is raised, in this order."""

_DURATIONS = (1.0, 0.7, 1.4, 0.5, 2.0, 0.35, 0.25)
"""Durations that are tried for a motion, by its own."""

_BACK = 1e-5
"""Share of its fastest rate at which a polynomial may run back where it comes to rest."""


class Path(NamedTuple):
    """A geometric path with a clock of its own.

    Attributes:
        motion: the path, its clock running evenly.
        usual: the law by which it is run through when nothing stands in the way, 0 to the
            duration.
        rest: the rate of the clock at both ends: 0 where the law must bring the path to rest.
        duration: of the usual law [s].
        beyond: how far the path goes on beyond its ends.
    """

    motion: Motion
    usual: Law
    rest: float
    duration: float
    beyond: float = 0.0


def plan_crossing(
    robot: Robot,
    path: Any,
    *,
    duration: float | None = None,
    times: Any = None,
    speeds: Any = None,
    optimise: str | None = None,
    efforts: Any = None,
    motor_speeds: Any = None,
    origin_speed: float | None = None,
    payload: Any = None,
    external: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    branch: State | None = None,
) -> Motion:
    """A motion along a path that passes its Type-2 singularities with bounded efforts.

    The path stays as it is; its time law is chosen.  At every singular pose position, speed and the
    acceleration that the criterion needs are prescribed: with one of them a polynomial of degree
    eight.  With ``optimise`` the law is a spline that IPOPT finds.

    Args:
        robot: the machine, with as many motors as freedoms or more.
        path: a :class:`gough.motion.Motion`, whose clock is re-timed; or two poses or more, each
            ``None`` (home), freedoms ``(n,)`` or a matrix ``(4, 4)``: a straight stroke, or a
            spline through them, from rest to rest.
        duration: of the whole motion [s]; that of a given motion, or another one where that does
            not do, unless told otherwise.  The least time is found without it.
        times: when the singular poses are passed [s], in order; as the usual law has it if not
            given.
        speeds: how fast the platform's origin passes them [m/s], or where it only turns [rad/s];
            as the usual law has it if not given, or another one where that would run backwards.
        optimise: ``"time"``: the shortest motion; ``"effort"``: the least sum of squared efforts,
            by their limits, in the given duration.
        efforts: largest efforts [N or N m], a number or ``(m,)``; the robot's own limits if not
            given.  For ``optimise``.
        motor_speeds: largest rates of the motors, likewise.  For ``optimise``.
        origin_speed: largest speed of the platform's origin [m/s].  For ``optimise``.
        payload: a body fixed to the platform; loads as in :func:`gough.crossing`.
        external: loads that act on bodies.
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia.
        smoothing: speed that smooths Coulomb friction [rad/s or m/s]; not for ``optimise``.
        branch: which posture of the legs is meant; home's if ``None``.

    Returns:
        A motion, for :func:`gough.crossing`, :func:`gough.simulate` and everything else.

    Raises:
        SingularPose: no time law passes: the path only touches the singularity, or its direction
            has no inertia along the free twist.
        InputError: times or speeds make no sense; or no clock that runs forward meets them.
        EffortsInfeasible: the optimiser finds no law within the limits.
    """
    assembly = assembled(robot)
    check_motors(assembly)
    if optimise not in (None, "time", "effort"):
        raise InputError(
            f"optimise is {shown(optimise)}, expected 'time', 'effort' or None", argument="optimise"
        )
    laws = {"times": times, "speeds": speeds}
    limits = {"efforts": efforts, "motor_speeds": motor_speeds, "origin_speed": origin_speed}
    for name, value in (laws if optimise else limits).items():
        if value is not None:
            raise InputError(
                f"{name} does not go with optimise={shown(optimise)}",
                hint="times and speeds tell a polynomial what to do, limits are for the optimiser.",
                argument=name,
            )
    given = _path(assembly, path, duration, optimise)
    loading = Loading(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    machine = Machine(assembly, given.motion, loading, branch)
    places = singular_instants(machine)
    for place in places:
        if not crosses(machine, place):
            raise SingularPose(
                f"{robot.name}: the path touches a Type 2 singularity after {place:.6g} of "
                f"{given.motion.duration:.6g}, and does not cross it: no time law helps",
                hint="Choose a path that crosses it, or one that stays away.",
                place=place,
            )
    if optimise is not None:
        wishes = Wishes(optimise, duration, efforts, motor_speeds, origin_speed)
        return optimised(machine, places, wishes)
    paths = [given]
    if isinstance(path, Motion) and duration is None and times is None:
        paths = [_even(path, path.duration * factor) for factor in _DURATIONS]
    passing = [_Passing(machine, place) for place in places]
    for one in paths:
        found = _by_polynomial(machine, one, passing, times, speeds)
        if found is not None:
            return found
    tried = ", ".join(f"{one.duration:.4g}" for one in paths)
    raise InputError(
        f"{robot.name}: no clock that runs forward meets the criterion on this path in {tried} s",
        hint="gough.crossing tells the acceleration that is needed: give other times or speeds, a "
        "longer or shorter duration, or optimise='time'.",
        argument="duration",
    )


def _path(assembly: Assembly, path: Any, duration: float | None, optimise: str | None) -> Path:
    """What a path argument means."""
    seconds = None if duration is None else arguments.duration(duration)
    if isinstance(path, Motion):
        checked_motion(assembly, path)
        return _even(path, path.duration if seconds is None else seconds)
    if not isinstance(path, (list, tuple)) or len(path) < 2:
        raise InputError(
            f"path is {shown(path)}, expected a motion, or two poses or more", argument="path"
        )
    if seconds is None:
        if optimise != "time":
            raise InputError("a path of poses needs a duration [s]", argument="duration")
        seconds = 1.0
    space = space_of(assembly.robot)
    points = space.points(path, [f"path[{k}]" for k in range(len(path))])
    steps = [space.displacement(a, b) for a, b in pairwise(points)]
    lengths = [float(np.linalg.norm(step / assembly.freedom_scales)) for step in steps]
    if min(lengths) <= 0.0:
        raise InputError("two poses of the path that follow each other are equal", argument="path")
    if len(path) > 2 or optimise is not None:
        at = seconds * np.concatenate([[0.0], np.cumsum(lengths)]) / sum(lengths)
        return _path(assembly, through(assembly.robot, list(path), at), duration, optimise)

    def line(t: np.ndarray) -> Jet:
        return Jet(t, np.ones_like(t), np.zeros_like(t)).along(steps[0])

    straight = made(space, 1.0, "straight path", points[0], line)
    return Path(straight, time_law("quintic", seconds), 0.0, seconds, _BACK)


def _even(motion: Motion, duration: float) -> Path:
    """A motion whose clock runs evenly, in a time that may be another than its own."""
    rate = motion.duration / duration

    def even(t: np.ndarray) -> Jet:
        return Jet(t * rate, np.full_like(t, rate), np.zeros_like(t))

    return Path(motion, even, rate, duration)


def _by_polynomial(
    machine: Machine, path: Path, passing: Sequence[_Passing], times: Any, speeds: Any
) -> Motion | None:
    """The first law that runs forward; ``None`` if none of those that are tried does."""
    ends = [
        Knot(0.0, 0.0, path.rest, 0.0),
        Knot(path.duration, path.motion.duration, path.rest, 0.0),
    ]
    places = [one.place for one in passing]
    usual = _instants(path, places, times)
    rates = [float(path.usual(np.array([each])).rate[0]) for each in usual]
    factors: Sequence[float] = _FACTORS
    if speeds is not None:
        rates, factors = _wanted(machine, places, speeds), (1.0,)
    for power, factor in product(_POWERS if times is None else (1.0,), factors):
        t = path.duration * (usual / path.duration) ** power
        inner = [
            Knot(at, one.place, rate * factor, one.acceleration(rate * factor))
            for at, rate, one in zip(t, rates, passing, strict=True)
        ]
        for make in (one_polynomial, pieces):
            law = make([ends[0], *inner, ends[1]])
            if runs_on(law, 0.0, path.duration, _BACK if path.beyond else 1e-9):
                label = f"{path.motion.label}, re-timed to pass {poses(len(places))}"
                return retimed(path.motion, law, path.duration, label, path.beyond)
    return None


class _Passing:
    """What the criterion asks of the clock at a singular place of a path."""

    def __init__(self, machine: Machine, place: float) -> None:
        self.machine, self.place = machine, place
        self._known: dict[float, float] = {}
        self.state = machine.motion(np.array([place]))
        self.M = machine.inertia(place)
        self.free = null(machine, machine.jacobian(place)).twists

    def acceleration(self, rate: float) -> float:
        """Acceleration of the clock that meets the criterion at a rate of it.

        Raises:
            SingularPose: there is none; the path itself must be another.
        """
        if rate in self._known:
            return self._known[rate]
        machine, free = self.machine, self.free
        T, V, Vdot = (part[0] for part in self.state)
        at = machine.state(self.place, T, V * rate, Vdot * rate**2)
        residual = free.T @ at.w_r
        found = clock_gain(self.M, V[list(machine.assembly.free)], free, residual)
        if found is not None:
            self._known[rate] = found
            return found
        raise SingularPose(
            f"{machine.assembly.robot.name}: no time law passes the singular pose after "
            f"{self.place:.6g} of {machine.motion.duration:.6g} of the path: the path's direction "
            f"has no inertia along the free twist, and {float(np.abs(residual).max()):.3g} are "
            "missing",
            hint="The path itself must change: give it a component along the free twist there "
            "(gough.crossing names it), or try another crossing speed.",
            place=self.place,
        )


def _instants(path: Path, places: Sequence[float], times: Any) -> np.ndarray:
    """When singular places are passed: as told, or as the usual law has it."""
    if times is None:
        return np.array([_when(path, place) for place in places])
    found = np.atleast_1d(np.asarray(as_array(times, (), "times")))
    whole = np.concatenate([[0.0], found.ravel(), [path.duration]])
    if found.ndim != 1 or len(found) != len(places) or not (np.diff(whole) > 0.0).all():
        raise InputError(
            f"times is {shown(times)}, expected {len(places)} rising times within "
            f"{path.duration:g} s: the path meets so many singular poses",
            argument="times",
        )
    return found


def _when(path: Path, place: float) -> float:
    low, high = 0.0, path.duration
    for _ in range(80):
        middle = 0.5 * (low + high)
        if path.usual(np.array([middle])).value[0] < place:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _wanted(machine: Machine, places: Sequence[float], speeds: Any) -> list[float]:
    """Rates of the clock from speeds of the platform's origin, or of its turning."""
    found = np.asarray(as_array(speeds, (), "speeds"), dtype=float)
    if found.ndim > 1 or (found.ndim == 1 and len(found) != len(places)):
        raise InputError(
            f"speeds has shape {found.shape}, expected one number or {len(places)}: the path "
            "meets so many singular poses",
            argument="speeds",
        )
    if not np.isfinite(found).all() or (found <= 0.0).any():
        raise InputError(f"speeds is {shown(speeds)}, expected more than zero", argument="speeds")
    rates = []
    for place, speed in zip(places, np.broadcast_to(found, (len(places),)), strict=True):
        V = machine.motion(np.array([place])).V_0p[0]
        moving, turning = float(np.linalg.norm(V[:3])), float(np.linalg.norm(V[3:]))
        own = moving if moving > 1e-9 * machine.assembly.length * turning else turning
        rates.append(float(speed) / own)
    return rates


def poses(count: int) -> str:
    """How many singular poses, in words."""
    return "one singular pose" if count == 1 else f"{count} singular poses"
