"""Motions that excite: Fourier series of the freedoms from which base parameters are best known.

D-optimal: the volume of the ellipsoid of what stays unknown is the smallest, whatever the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.analysis.analyse import analyse
from gough.base.arguments import number, whole
from gough.base.blas_threads import one_thread
from gough.base.progress import Progress, reporter
from gough.dynamics.shared.sharing import check_motors
from gough.errors import GoughError, InputError
from gough.geometry.inverse import posed
from gough.identification.base_parameters import base_parameters, check_effect
from gough.identification.base_result import BaseParameters
from gough.identification.demands import IMPOSSIBLE, Asked, Demands
from gough.identification.excitation import Excitation
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.mobility.measures import measures_at
from gough.motion import arguments
from gough.motion.fourier import fourier, series
from gough.motion.motion import Motion
from gough.motion.periodic import swelling
from gough.motion.space import Point, Space, space_of
from gough.robot import Robot
from gough.states.state import State

STARTS = 60
"""Random motions, of which the best is improved."""

_MARGIN = 0.97  # of what is allowed: between samples a motion may ask a little more
_A_PERIOD = 16  # samples in a period of the highest harmonic
_FEWEST = 80  # samples
_SHRINK = 0.95  # by which a motion gets smaller that an analysis at 500 Hz does not let pass
_HARMONICS, _PERIODS, _TRIALS = 50, 2000, 1_000_000  # more would fill memory, or take days
_TIMES = 4.0  # condition number that is allowed beside that of the centre


def excitation_motion(
    robot: Robot,
    *,
    duration: float,
    harmonics: int = 5,
    frequency: float | None = None,
    center: Any = None,
    parameters: Sequence[str] | None = None,
    share: str | None = None,
    condition: float | None = None,
    trials: int = 600,
    seed: int = 0,
    progress: Progress | None = None,
) -> Excitation:
    """A motion from which the base parameters of a robot can be told best.

    The freedoms run through Fourier series about a pose, which swell and die down: the motion
    begins and ends at rest.  It stays in reach, within the limits of motors and joints and the data
    of motors that the description has, and away from singularities.  Among such motions one is
    sought with a large determinant of ``W_b^T W_b`` (D-optimal): from the best of many random ones
    by small random steps.  The same seed gives the same motion.

    Args:
        robot: the machine.
        duration: of the motion [s].
        harmonics: how many multiples of the frequency each freedom has.
        frequency: the first one [Hz]; one period a duration if not given.  Fast motions excite
            more; the product with ``harmonics`` should be below the machine's first resonance.
        center: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        parameters: which parameters there are, as in :func:`gough.regressor`.
        share: ``"legs"`` for legs that are built alike, as in :func:`gough.base_parameters`.
        condition: largest condition number of the motors' Jacobian, natural units; four times that
            of the centre if not given.  To Type 1 and constraint singularities a quarter of the
            centre's distance is kept.
        trials: motions that are looked at after the random ones.
        seed: of the search.
        progress: called with the share done, 0 to 1.

    Returns:
        An :class:`gough.Excitation`: ``motion``, one like any other, and what it excites;
        ``gough excitation-motion ROBOT --motion FILE`` writes it as a table for a controller.

    Raises:
        InputError: no motion about the centre is allowed, or an argument is wrong.
    """
    report = reporter(progress)
    assembly = assembled(robot)
    check_motors(assembly)
    seconds = arguments.duration(duration)
    lowest = 1.0 / seconds if frequency is None else number(frequency, "frequency", positive=True)
    count = _at_most(whole(harmonics, "harmonics", least=1), _HARMONICS, "harmonics")
    tries = _at_most(whole(trials, "trials"), _TRIALS, "trials")
    periods = seconds * lowest * count
    if periods > _PERIODS:
        raise InputError(
            f"the highest harmonic has {periods:.4g} periods in the duration, more than {_PERIODS}",
            hint="Choose a shorter duration, a lower frequency or fewer harmonics.",
            argument="frequency",
        )
    base = base_parameters(robot, parameters=parameters, share=share, seed=whole(seed, "seed"))
    check_effect(base)
    space = space_of(robot)
    about = space.point(center, "center")
    search = _Search(
        space, about, base, _bounds(assembly, about, condition), seconds, lowest, count
    )
    rng = np.random.default_rng(seed)
    with one_thread():
        found, started = search.best(rng, tries, report)
        motion, asked, score = search.checked(robot, found)
    remarks: tuple[str, ...] = ()
    if not search.demands.bounds_motors:
        remarks = (
            "No motor has limits or data of speed or effort: the motion is bounded by reach and "
            "singularities alone, and may ask too much.",
        )
    along = base_parameters(robot, parameters=parameters, share=share, motion=motion, seed=seed)
    shares = {name: float(x) for name, x in asked._asdict().items()}
    return Excitation(motion, along, shares, score, started, STARTS + tries, remarks)


def _at_most(value: int, most: int, name: str) -> int:
    """A number of an argument that is not too large to be meant."""
    if value > most:
        raise InputError(f"{name}: more than {most} is too many", argument=name)
    return value


def _bounds(assembly: Assembly, about: Point, condition: float | None) -> tuple[float, float]:
    """Largest condition number of the motors' Jacobian, and smallest distance to singular legs."""
    own = measures_at(assembly, assembly.solution(posed(assembly, about.T_0p)))
    clear = float(min(own.legs.min(initial=1.0), own.constraint)) / _TIMES
    if condition is not None:
        return number(condition, "condition", positive=True), clear
    if not np.isfinite(own.condition):
        raise InputError(
            f"{assembly.robot.name}: the centre is singular: the motors do not hold the platform",
            hint="Name another center.",
            argument="center",
        )
    return _TIMES * max(1.0, float(own.condition)), clear


class _Shape(NamedTuple):
    """Coefficients of a series, in natural units, and how much they tell."""

    coefficients: np.ndarray
    information: float


class _Search:
    """Motions about a pose, judged."""

    def __init__(
        self,
        space: Space,
        about: Point,
        base: BaseParameters,
        bounds: tuple[float, float],
        seconds: float,
        frequency: float,
        harmonics: int,
    ) -> None:
        self.assembly = assembly = space.assembly
        self.space, self.about, self.base = space, about, base
        self.seconds, self.frequency, self.harmonics = seconds, frequency, harmonics
        self.columns, self.spread = base.columns_needed
        self.demands = Demands(assembly, self.columns, *bounds)
        periods = max(1.0, seconds * frequency * harmonics)
        rows = 2 * base.number // len(assembly.robot.motors) + 1
        self.t = np.linspace(0.0, seconds, max(_FEWEST, int(_A_PERIOD * periods), rows))
        still, _ = self.judged(np.zeros((2, harmonics, assembly.mobility)))
        if still.most > 1.0:
            worst = max(still._asdict().items(), key=lambda pair: pair[1])
            raise InputError(
                f"{assembly.robot.name}: at rest in the centre {worst[0]} is at "
                f"{100.0 * worst[1]:.0f} % of what is allowed"
                if worst[1] < IMPOSSIBLE
                else f"{assembly.robot.name}: the centre is out of reach or singular",
                hint="Name another center, or allow a larger condition.",
                argument="center",
            )

    def judged(self, coefficients: np.ndarray) -> tuple[Asked, State | None]:
        """What a motion of coefficients asks, and its states at the samples; none out of reach."""
        sines, cosines = coefficients * self._units
        swell = swelling(None, self.seconds)
        curve = series(sines, cosines, self.frequency, self.seconds, swell, self.t)
        try:
            states = self.space.states(self.about, curve, self.t, quick=True)
        except GoughError:
            return Asked(*[IMPOSSIBLE] * len(Asked._fields)), None
        return self.demands.asked(states), states

    @property
    def _units(self) -> np.ndarray:
        return self.assembly.scales.freedoms

    def information(self, states: State | None) -> float:
        """Logarithm of the determinant of the mean information of a sample."""
        W = None if states is None else self.demands.regressors(states)
        if W is None:
            return -np.inf
        W = W @ self.spread
        R = np.abs(np.diagonal(np.linalg.qr(W, mode="r")))
        return float(2.0 * np.log(np.maximum(R, 1e-300)).sum() - len(R) * np.log(len(self.t)))

    def best(
        self, rng: np.random.Generator, trials: int, report: Progress
    ) -> tuple[np.ndarray, float]:
        """Coefficients of the best motion found, and the information of the best random one."""
        shapes = []
        for k in range(STARTS):
            report(0.3 * k / STARTS)
            shapes.append(self._largest(self._random(rng)))
        here = max(shapes, key=lambda shape: shape.information)
        if not np.isfinite(here.information):
            raise InputError(
                f"{self.assembly.robot.name}: no motion about the centre is allowed by limits, "
                "motors and singularities",
                hint="Name another center, a longer duration or a larger condition.",
                argument="center",
            )
        started, step = here.information, 0.3
        for k in range(trials):
            report(0.3 + 0.7 * k / trials)
            size = np.sqrt((here.coefficients**2).mean())
            there = here.coefficients + step * size * rng.normal(size=here.coefficients.shape)
            shape = self._repaired(there)
            better = shape is not None and shape.information > here.information
            # a fifth of the steps shall be successes: then they have the right length
            step = min(1.0, step * 1.25) if better else max(1e-3, step * 0.96)
            if better and shape is not None:
                here = shape
        report(1.0)
        return here.coefficients, started

    def _random(self, rng: np.random.Generator) -> np.ndarray:
        """Coefficients of a random motion whose harmonics have velocities of one size."""
        found = rng.normal(size=(2, self.harmonics, self.assembly.mobility))
        return np.asarray(found / np.arange(1, self.harmonics + 1)[:, None])

    def _largest(self, shape: np.ndarray) -> _Shape:
        """The motion of a shape that is as large as it may be."""
        factor, step = 0.5, 0.5
        asked, kept = self.judged(factor * shape)
        while asked.most > _MARGIN:
            factor *= step
            if factor < 1e-4:
                return _Shape(shape, -np.inf)
            asked, kept = self.judged(factor * shape)
        for _ in range(3):
            step = float(np.sqrt(step))
            asked, states = self.judged(factor / step * shape)
            if asked.most <= _MARGIN:
                factor, kept = factor / step, states
        return _Shape(factor * shape, self.information(kept))

    def _repaired(self, coefficients: np.ndarray) -> _Shape | None:
        """A motion, made smaller where it asks too much; none where that does not help."""
        for _ in range(2):
            asked, states = self.judged(coefficients)
            if asked.most <= _MARGIN:
                return _Shape(coefficients, self.information(states))
            coefficients = coefficients * max(0.5, _MARGIN / asked.most)
        return None

    def _motion(self, robot: Robot, coefficients: np.ndarray) -> Motion | None:
        """The motion of coefficients; none where an analysis finds anything against it."""
        sines, cosines = coefficients * self._units
        series_of = {"sines": sines, "cosines": cosines, "frequency": self.frequency}
        try:
            motion = fourier(robot, self.about.T_0p, duration=self.seconds, **series_of)
            good = analyse(robot, motion, agreement=False, on_error="nan").feasible
        except GoughError:  # between samples it leaves the reach
            return None
        return motion if good else None

    def checked(self, robot: Robot, coefficients: np.ndarray) -> tuple[Motion, Asked, float]:
        """The motion, which an analysis at 500 Hz lets pass; smaller where it would not."""
        for _ in range(40):
            asked, states = self.judged(coefficients)
            motion = self._motion(robot, coefficients) if asked.most <= 1.0 else None
            if motion is not None:
                return motion, asked, self.information(states)
            coefficients = coefficients * _SHRINK
        raise InputError(
            f"{robot.name}: motions about the centre violate limits or are near singularities",
            hint="gough.analyse(robot, motion) of a small motion there says which.",
            argument="center",
        )
