"""The best time law through singularities, by IPOPT.

The clock of a path runs at the rate ``r``.  With ``z(s) = r^2`` a spline of the place ``s`` on the
path, its acceleration is ``z'/2``, and efforts are

    tau = A(s) z'/2 + B(s) z + F(s) sqrt(z) + C(s)

(inertia; centrifugal; viscous friction; gravity, loads and Coulomb friction).  The criterion is one
such line at every singular place; next to it the coefficients grow without bound and the efforts do
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.batch import as_array
from gough.errors import EffortsInfeasible, InputError, shown
from gough.motion import Motion, States, arguments
from gough.passage.clock import clock
from gough.passage.criterion import null
from gough.passage.efforts import efforts
from gough.passage.laws import retimed
from gough.passage.terms import Machine

_SPANS, _DEGREE = 24, 4
_GRID = 161
_BESIDE = (2e-3, 5e-3, 1e-2)  # places beside a singular one at which efforts are held, shares
_ROUNDS = 6  # of tightening limits exceeded between places, and of mending the duration
_ITERATIONS = 500
_SLACK = 1e-3  # share by which limits may be exceeded in the end
_PUNCTUAL = 1e-7  # share by which a given duration may be missed
_SMOOTH = 1e-6  # weight of the clock's own roughness
_SLOWEST, _FASTEST = 1e-3, 1e3  # z, by that of the steady clock that uses the limits up


class Wishes(NamedTuple):
    """What is to be best, and within which limits.

    Attributes:
        best: ``"time"`` or ``"effort"``.
        duration: of the motion [s], or ``None``.
        efforts, motor_speeds: largest ones of the motors; the robot's own if ``None``.
        origin_speed: largest speed of the platform's origin [m/s], or ``None``.
    """

    best: str
    duration: float | None
    efforts: Any
    motor_speeds: Any
    origin_speed: Any


class Lines(NamedTuple):
    """Efforts, or the criterion, at K places, by ``z'/2``, ``z``, ``sqrt(z)`` and 1."""

    gain: np.ndarray
    square: np.ndarray
    rate: np.ndarray
    rest: np.ndarray


def optimised(machine: Machine, places: Sequence[float], wishes: Wishes) -> Motion:
    """The best motion along the path of a machine's motion, through its singular places."""
    path, robot = machine.motion, machine.assembly.robot
    limits = _limits(machine, wishes)
    s = _grid(path.duration, places)
    states = path(s)
    lines = _lines(lambda each: efforts(machine, s, each), states)
    speed = _speeds(machine, s, states, limits)
    criteria = [_criterion(machine, place) for place in places]
    steady = _steady(lines, speed, limits.efforts, wishes, path.duration)
    tight, asked = np.ones(len(robot.motors)), wishes.duration or path.duration
    for _ in range(_ROUNDS):
        problem = _Problem(path.duration, s, lines, speed, limits.efforts * tight, steady)
        spline = problem.solve(places, criteria, wishes, robot.name)
        law, seconds = clock(spline, path.duration)
        label = f"{path.label}, least {wishes.best}"
        found = retimed(path, law, seconds, label)
        excess = _excess(machine, found, law, places, limits.efforts)
        late = 1.0 if wishes.best == "time" else seconds / asked
        if (excess <= 1.0 + _SLACK).all() and abs(late - 1.0) < _PUNCTUAL:
            return found
        wishes = wishes._replace(duration=(wishes.duration or asked) / late)
        tight = tight * np.where(excess > 1.0, (1.0 - 0.5 * _SLACK) / np.maximum(excess, 1.0), 1.0)
    raise EffortsInfeasible(
        f"{robot.name}: between the places that the optimiser looks at efforts reach "
        f"{100.0 * float(excess.max()):.4g} % of their limits, in {seconds:.6g} s",
        hint="Give a longer duration, or wider limits.",
        excess=excess,
    )


class _Limits(NamedTuple):
    efforts: np.ndarray
    motor_speeds: np.ndarray
    origin_speed: float


def _limits(machine: Machine, wishes: Wishes) -> _Limits:
    robot = machine.assembly.robot
    if machine.loading.smoothing:
        raise InputError("optimise takes Coulomb friction as it is: smoothing must be 0")
    own = [robot.axis(name).limits for name in robot.motors]
    efforts_ = _each("efforts", wishes.efforts, [limit.effort for limit in own])
    speeds = _each("motor_speeds", wishes.motor_speeds, [limit.velocity for limit in own])
    origin = np.inf
    if wishes.origin_speed is not None:
        origin = arguments.number(wishes.origin_speed, "origin_speed", positive=True)
    if wishes.best == "time" and not np.isfinite([*efforts_, *speeds, origin]).any():
        raise InputError(
            f"{robot.name} has no limits: the shortest motion takes no time at all",
            hint="Give efforts=, motor_speeds= or origin_speed=, or limits in the description.",
            argument="efforts",
        )
    if wishes.best == "effort" and wishes.duration is not None:
        arguments.duration(wishes.duration)
    return _Limits(efforts_, speeds, origin)


def _each(name: str, given: Any, own: Sequence[float | None]) -> np.ndarray:
    """One positive limit for every motor; infinite where there is none."""
    if given is None:
        return np.array([np.inf if each is None else each for each in own])
    array = as_array(given, (), name)
    if array.shape not in ((), (len(own),)) or not (array > 0.0).all():
        raise InputError(
            f"{name} is {shown(given)}, expected one number above zero or {len(own)}", argument=name
        )
    return np.broadcast_to(array, (len(own),)).copy()


def _grid(duration: float, places: Sequence[float]) -> np.ndarray:
    """Places at which efforts are held: evenly, and close to the singular ones on both sides."""
    s = np.linspace(0.0, duration, _GRID)
    for place in places:
        s = s[np.abs(s - place) > _BESIDE[0] * duration]
    beside = [p + side * share * duration for p in places for share in _BESIDE for side in (-1, 1)]
    inside = [x for x in beside if 0.0 < x < duration]
    return np.unique(np.concatenate([s, inside]))


def _lines(evaluate: Any, states: States) -> Lines:
    """Coefficients from four evaluations: they are exact, the model being of this form."""
    T, V, Vdot = states
    one, two, three = (evaluate(States(T, V * r, Vdot * r**2)) for r in (1.0, 2.0, 3.0))
    gained = evaluate(States(T, V, Vdot + V))
    square = (three - 2.0 * two + one) / 2.0
    rate = two - one - 3.0 * square
    return Lines(gained - one, square, rate, one - square - rate)


def _criterion(machine: Machine, place: float) -> Lines:
    """The criterion at a singular place, each free twist one row."""
    free = null(machine, machine.jacobian(place)).twists

    def evaluate(states: States) -> np.ndarray:
        T, V, Vdot = (part[0] for part in states)
        return np.asarray(free.T @ machine.state(place, T, V, Vdot).w_r)[None]

    found = _lines(evaluate, machine.motion(np.array([place])))
    size = np.max([np.abs(part) for part in found], axis=0)
    return Lines(*(part / size for part in found))


def _speeds(machine: Machine, s: np.ndarray, states: States, limits: _Limits) -> np.ndarray:
    """Largest ``z`` that speeds allow at places ``(K,)``."""
    most = np.full(len(s), np.inf)
    with np.errstate(divide="ignore"):
        if np.isfinite(limits.origin_speed):
            most = (limits.origin_speed / np.linalg.norm(states.V_0p[:, :3], axis=1)) ** 2
        if np.isfinite(limits.motor_speeds).any():
            V_r = states.V_0p[:, list(machine.assembly.free)]
            rates = np.array([machine.jacobian(float(x)) @ v for x, v in zip(s, V_r, strict=True)])
            most = np.minimum(most, ((limits.motor_speeds / np.abs(rates)) ** 2).min(axis=1))
    return most


def _steady(
    lines: Lines, speed: np.ndarray, largest: np.ndarray, wishes: Wishes, duration: float
) -> float:
    """``z`` of a clock that runs evenly and uses the limits up, or keeps the duration."""
    if wishes.best == "effort":
        return float((duration / (wishes.duration or duration)) ** 2)
    # coefficients near singular places say nothing of an even clock: the usual ones are taken
    usual = np.median(np.abs(lines.square), axis=0)
    with np.errstate(divide="ignore"):
        by_effort = float((largest / np.maximum(usual, 1e-300)).min())
    found = min(by_effort, float(np.median(speed)))
    return found if np.isfinite(found) and found > 0.0 else 1.0


class _Problem:
    """The optimisation over the coefficients of ``z / steady``."""

    def __init__(
        self,
        duration: float,
        s: np.ndarray,
        lines: Lines,
        speed: np.ndarray,
        largest: np.ndarray,
        steady: float,
    ) -> None:
        inner = np.linspace(0.0, duration, _SPANS + 1)
        self.knots = np.concatenate([[0.0] * _DEGREE, inner, [duration] * _DEGREE])
        self.s, self.lines, self.speed, self.largest = s, lines, speed, largest
        self.steady, self.duration = steady, duration

    def _rows(self, s: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Values of the basis at places."""
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        count = len(self.knots) - _DEGREE - 1
        basis = BSpline(self.knots, np.eye(count), _DEGREE)
        return np.asarray(basis(s, nu=derivative) if derivative else basis(s))

    def solve(
        self, places: Sequence[float], criteria: Sequence[Lines], wishes: Wishes, name: str
    ) -> Any:
        """The spline ``z``."""
        import casadi as ca  # noqa: PLC0415  heavy: loaded on first use
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        x = ca.MX.sym("x", len(self.knots) - _DEGREE - 1)

        def at(s: np.ndarray) -> tuple[Any, Any, Any]:
            z = ca.DM(self._rows(s) * self.steady) @ x
            return z, ca.DM(self._rows(s, 1) * 0.5 * self.steady) @ x, ca.sqrt(z)

        def values(lines: Lines, s: np.ndarray) -> list[Any]:
            z, half, root = at(s)
            columns = zip(*(part.T for part in lines), strict=True)
            return [
                ca.DM(a) * half + ca.DM(b) * z + ca.DM(f) * root + ca.DM(c)
                for a, b, f, c in columns
            ]

        tau = values(self.lines, self.s)
        rows, low, high = [], [], []
        for one, most in zip(tau, self.largest, strict=True):
            if np.isfinite(most):
                rows.append(one / most)
                low += [-1.0] * len(self.s)
                high += [1.0] * len(self.s)
        slow = np.isfinite(self.speed)
        if slow.any():
            rows.append(at(self.s[slow])[0] / ca.DM(self.speed[slow]))
            low += [0.0] * int(slow.sum())
            high += [1.0] * int(slow.sum())
        for place, lines in zip(places, criteria, strict=True):
            for one in values(lines, np.array([place])):
                rows.append(one)
                low.append(0.0)
                high.append(0.0)
        edges, weights = _quadrature(self.duration)
        time = ca.sum1(ca.DM(weights) / at(edges)[2])
        rough = ca.sumsqr(ca.DM(self._rows(edges, 2) * self.duration**2) @ x) / len(edges)
        if wishes.best == "time":
            goal = time * np.sqrt(self.steady) / self.duration
        else:
            rows.append(time / (wishes.duration or self.duration))
            low.append(1.0)
            high.append(1.0)
            share = np.gradient(self.s)
            sizes = [most if np.isfinite(most) else 1.0 for most in self.largest]
            squares = sum(
                ca.sum1(ca.DM(share) * (one / most) ** 2 / at(self.s)[2])
                for one, most in zip(tau, sizes, strict=True)
            )
            goal = squares / ca.DM(float(self.duration / np.sqrt(self.steady)))
        problem = {"x": x, "f": goal + _SMOOTH * rough, "g": ca.vertcat(*rows)}
        quiet: dict[str, Any] = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
        options = quiet | {"ipopt.max_iter": _ITERATIONS, "ipopt.tol": 1e-9}
        solver = ca.nlpsol("law", "ipopt", problem, options)
        found = solver(x0=np.ones(x.shape[0]), lbx=_SLOWEST, ubx=_FASTEST, lbg=low, ubg=high)
        told = str(solver.stats()["return_status"])
        if told not in ("Solve_Succeeded", "Solved_To_Acceptable_Level"):
            raise EffortsInfeasible(
                f"{name}: no time law passes the singular poses of the path within the limits "
                f"(IPOPT: {told.replace('_', ' ').lower()})",
                hint="Give wider limits or a longer duration; gough.crossing says what the "
                "criterion asks for.",
                status=told,
            )
        return BSpline(self.knots, np.asarray(found["x"]).ravel() * self.steady, _DEGREE)


def _quadrature(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's places and weights, ten in each span."""
    nodes, weights = np.polynomial.legendre.leggauss(10)
    edges = np.linspace(0.0, duration, _SPANS + 1)
    half = duration / _SPANS / 2.0
    places = (edges[:-1, None] + half * (1.0 + nodes)).ravel()
    return places, np.tile(weights * half, _SPANS)


def _excess(
    machine: Machine, motion: Motion, law: Any, places: Sequence[float], largest: np.ndarray
) -> np.ndarray:
    """Largest efforts by their limits ``(m,)``, closer than the optimiser has looked."""
    t = np.linspace(0.0, motion.duration, 5 * _GRID)
    s = law(t).value
    for place in places:
        near = np.abs(s - place) > 1e-5 * machine.motion.duration
        t, s = t[near], s[near]
    tau = efforts(machine, s, motion(t))
    return np.asarray((np.abs(tau) / largest).max(axis=0))
