"""Splines through poses, and motions from measured poses."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from gough.base import turns
from gough.base.arguments import number, switch
from gough.base.batch import as_array, check_finite, check_poses
from gough.base.english import counted
from gough.errors import GoughError, GoughWarning, InconsistentPose, InputError, shown
from gough.evaluation.loops.state import state
from gough.geometry.walk import difference
from gough.mechanism.mobility.freedoms import FREEDOMS
from gough.motion import arguments
from gough.motion.continued import EXACT
from gough.motion.faults import CHOICES, faults, tell
from gough.motion.findings import Finding
from gough.motion.jets import Jet
from gough.motion.motion import Motion, made
from gough.motion.remembered import remembered
from gough.motion.smoothing import interpolated, smoothed_each
from gough.motion.space import Point, Space, at_time, axes_of, space_of
from gough.robot import Robot

FEWEST = 5
"""Samples that a motion can be found from."""

MEASURED = "velocities and accelerations of measured poses"
"""What needs them."""

_TOO_FEW = 12  # with fewer samples noise and motion cannot be separated
_GAP = 5.0  # times the usual distance of samples, from which a gap is reported
_FARTHEST = 4.0  # rotation from the mean orientation [rad]: vectors of a whole turn are singular
# How far poses may be outside the mobility, natural units: computed ones, as POSE_TOLERANCE, and
# measured ones, whose freedoms alone are used.
_EXACT, LOOSE = 1e-8, 2e-2
_LOOKED_AT = 9  # measured poses of a robot with fewer freedoms that are checked for that


@remembered
def through(robot: Robot, poses: Any, times: Any, *, rest: bool = True) -> Motion:
    """A smooth curve through poses at given times, continuous up to its fourth derivative.

    Positions are splines of degree 5; rotations are the same splines of rotation vectors about the
    mean orientation.  Two poses are joined by the quintic stroke.

    Args:
        robot: the machine.
        poses: two or more: each ``None`` (home), freedoms ``(n,)``, or a matrix ``(4, 4)``, which
            means the angle nearest the pose before it.
        times: when the platform is there [s], rising; the motion's clock starts at the first.
        rest: begin and end at rest, without acceleration; otherwise in the smoothest way.
    """
    rest = switch(rest, "rest")
    space = space_of(robot)
    t = check_times(times, 2, of="curves through poses")
    count = len(poses) if hasattr(poses, "__len__") else 0
    if count != len(t):
        raise InputError(f"there are {count} poses and {len(t)} times", argument="poses")
    points = space.points(poses, [f"poses[{k}]" for k in range(count)])
    reference, moved = _displacements(
        space, np.array([p.x for p in points]), np.array([p.T_0p[:3, :3] for p in points])
    )
    spline = interpolated(t - t[0], moved, rest=rest)
    label = f"spline through {count} poses"
    curve = partial(_on_splines, [(spline, ...)], moved.shape[1])
    return made(space, float(t[-1] - t[0]), label, reference, curve)


def from_samples(
    robot: Robot, t: Any, poses: Any, *, smoothing: Any = "auto", outliers: str = "warn"
) -> Motion:
    """The motion that was measured: a smoothing spline of degree 5 near the samples.

    Samples far from the curve of their neighbours, and spans in which the sensor was frozen while
    the machine moved, are detected; ``motion.findings`` names their times.

    Args:
        robot: the machine.
        t: times [s], rising, at least five; the motion's clock starts at the first.
        poses: freedoms ``(K, n)`` [m, rad], or matrices ``(K, 4, 4)``; angles are continued from
            sample to sample.
            Rotations among freedoms are a rotation vector, base axes, as ``robot.freedoms`` are.
        smoothing: ``"auto"``: the noise is estimated, separately for positions and rotations; its
            standard deviation, [m] and [rad] alike or a pair of both; 0: the curve goes through
            all samples, as it does with fewer than 12, which do not show what is noise.
        outliers: treatment of samples that look wrong: ``"warn"`` of them and take them as they
            are; ``"drop"``: warn, and find the motion without them; ``"keep"``: only note them;
            ``"refuse"``: raise.

    Returns:
        A :class:`Motion`; its label states noise and cut-off frequency of the smoothing.

    Raises:
        InputError: samples look wrong, and ``outliers`` is ``"refuse"``.

    Warns:
        GoughWarning: samples are missing somewhere: a gap of more than five usual steps; samples
            look wrong.
    """
    return measured(robot, t, poses, smoothing=smoothing, outliers=outliers)


def measured(
    robot: Robot,
    t: Any,
    poses: Any,
    *,
    smoothing: Any,
    outliers: str,
    known: tuple[Finding, ...] = (),
) -> Motion:
    """As :func:`from_samples`, with findings that are ``known`` already; warns at its caller."""
    space = space_of(robot)
    times = check_times(t, FEWEST, "t", of=MEASURED)
    sigmas = _sigmas(smoothing)
    arguments.choice(outliers, "outliers", CHOICES)
    _warn_of_gaps(times, 4)
    x, R = read_poses(space, times, poses, _EXACT if sigmas == (0.0, 0.0) else LOOSE)
    reference, moved = _displacements(space, x, R)
    kinds = [(~space.turns, "m", sigmas[0]), (space.turns, "rad", sigmas[1])]
    kinds = [kind for kind in kinds if kind[0].any()]
    groups = [(moved[:, which], unit) for which, unit, _ in kinds]
    found, sound = faults(times, groups, left_out=outliers == "drop")
    tell(found, outliers, 3)
    if outliers == "drop" and not sound.all():
        found = [one.moved(float(times[0] - times[sound][0])) for one in found]
        times, x, R = times[sound], x[sound], R[sound]
        reference, moved = _displacements(space, x, R)
    clock = times - times[0]
    splines, words = _splines(clock, moved, kinds)
    label = "; ".join([f"{len(times)} samples", *words])
    curve = partial(_on_splines, splines, moved.shape[1])
    said = (*found, *known)  # what is wrong comes first
    return made(space, float(clock[-1]), label, reference, curve, findings=said)


def _splines(
    clock: np.ndarray, moved: np.ndarray, kinds: Sequence[tuple[np.ndarray, str, float | None]]
) -> tuple[list[tuple[Any, Any]], list[str]]:
    """Splines, each for some of the columns, and what noise they found, in words.

    Args:
        clock: times (K,).
        moved: displacements (K, n).
        kinds: columns, their unit, and the standard deviation of their noise.
    """
    splines, rough = [], []
    for which, unit, sigma in kinds:
        if sigma == 0.0 or (sigma is None and len(clock) < _TOO_FEW):
            splines.append((interpolated(clock, moved[:, which], rest=False), which))
        else:
            rough.append((which, sigma, unit))
    found = smoothed_each(clock, [(moved[:, which], sigma) for which, sigma, _ in rough])
    splines += [(each.spline, which) for each, (which, *_) in zip(found, rough, strict=True)]
    words = [
        f"noise {each.noise:.2g} {unit}, cut-off {each.cut_off:.3g} Hz"
        for each, (*_, unit) in zip(found, rough, strict=True)
    ]
    return splines, words


def check_times(times: Any, fewest: int, name: str = "times", *, of: str) -> np.ndarray:
    """Finite, rising time stamps, at least so many; ``of`` says what needs them, in the plural."""
    array = as_array(times, (), name)
    if array.ndim != 1:
        raise InputError(f"{name} has shape {array.shape}, expected (K,)", argument=name)
    if len(array) < fewest:
        raise InputError(
            f"{name} has {counted(len(array), 'sample')}: {of} need {fewest} or more",
            argument=name,
            count=len(array),
            fewest=fewest,
        )
    check_finite(array, name)
    steps = np.diff(array)
    if (steps <= 0.0).any():
        k = int(np.argmax(steps <= 0.0))
        raise InputError(
            f"{name}: time stamps do not rise: {array[k]:.9g} s is followed by "
            f"{array[k + 1]:.9g} s, samples {k} and {k + 1}",
            hint="Sort the samples, and drop repeated ones.",
            argument=name,
            sample=k + 1,
        )
    return array


def _warn_of_gaps(t: np.ndarray, stacklevel: int) -> None:
    steps = np.diff(t)
    wide = np.flatnonzero(steps > _GAP * np.median(steps))
    if len(wide):
        worst = wide[np.argmax(steps[wide])]
        warnings.warn(
            GoughWarning(
                f"samples are missing in {len(wide)} places; the widest gap is {steps[worst]:.4g} "
                f"s, after t = {t[worst]:.6g} s, where samples are usually "
                f"{np.median(steps):.4g} s apart: the motion is a guess there"
            ),
            stacklevel=stacklevel,
        )


def _sigmas(smoothing: Any) -> tuple[float | None, float | None]:
    """Standard deviations of positions and rotations; ``None``: to be estimated."""
    if isinstance(smoothing, str):
        if smoothing != "auto":
            raise InputError(
                f"smoothing is {shown(smoothing)}, expected 'auto', a standard deviation, or 0",
                argument="smoothing",
            )
        return None, None
    both = tuple(smoothing) if axes_of(smoothing) == 1 else (smoothing, smoothing)
    if len(both) != 2:
        raise InputError(
            f"smoothing: expected a number or a pair [m, rad], got {shown(smoothing)}",
            argument="smoothing",
        )
    first, second = (number(s, "smoothing", nonnegative=True) for s in both)
    return first, second


def read_poses(
    space: Space, t: np.ndarray, poses: Any, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Freedoms (K, n) and orientations (K, 3, 3) of samples."""
    assembly, n = space.assembly, len(space.free)
    core = (4, 4) if axes_of(poses) == 3 else (n,)
    array = as_array(poses, core, "poses")
    if array.shape != (len(t), *core):
        raise InputError(
            f"poses has shape {array.shape}, expected ({len(t)}, {n}) or ({len(t)}, 4, 4): a pose "
            "for every time",
            argument="poses",
        )
    check_finite(array, "poses")
    if core == (n,):
        x = array.copy()
        if space.kind != "turning":
            # one angle may have been measured within a turn
            x[:, space.turns] = np.unwrap(x[:, space.turns], axis=0)
            return x, np.empty((len(t), 0, 0))
        return x, turns.rotations(x[:, space.turns]) @ assembly.chart.R_ref
    check_poses(array, "poses")
    w = turns.logs(array[:, :3, :3] @ assembly.chart.R_ref.T)
    x = np.hstack([array[:, :3, 3], w])[:, space.free]
    x = space.going_on(x, array, np.zeros(len(t), dtype=bool), max(tolerance, EXACT))
    if n < 6:
        _check_consistent(space, t, x, array, tolerance)
    return x, array[:, :3, :3]


def _check_consistent(
    space: Space, t: np.ndarray, x: np.ndarray, T: np.ndarray, tolerance: float
) -> None:
    """Refuse matrices that are far from the poses that follow from their freedoms."""
    natural = space.assembly.scales.twist
    for k in np.unique(np.linspace(0, len(t) - 1, _LOOKED_AT).astype(int)):
        try:
            off = difference(state(space.assembly.robot, x[k]).T_0p, T[k])
        except GoughError as err:
            raise at_time(err, float(t[k])) from err
        worst = int(np.argmax(np.abs(off / natural)))
        if abs(off[worst] / natural[worst]) > tolerance:
            name, unit = space.assembly.robot.name, "m" if worst < 3 else "rad"
            raise InconsistentPose(
                f"poses[{k}]: {name} cannot be so: its {FREEDOMS[worst]} is off by "
                f"{off[worst]:.3g} {unit}",
                hint=f"Its freedoms are {', '.join(space.assembly.freedoms)}; give these.",
                sample=int(k),
                component=FREEDOMS[worst],
            )


def _displacements(space: Space, x: np.ndarray, R: np.ndarray) -> tuple[Point, np.ndarray]:
    """A reference, and displacements (K, n) from it.

    Rotations count from their mean, which turns with the base and with the platform's frame: so
    does the curve.
    """
    if space.kind != "turning":
        return space.point(x[0], "poses[0]"), x - x[0]
    R_ref = turns.mean(R)
    w = turns.vectors(R, R_ref)
    farthest = float(np.linalg.norm(w, axis=1).max())
    if farthest > _FARTHEST:
        raise InputError(
            f"the poses turn {farthest:.3g} rad away from their mean orientation, more than "
            f"{_FARTHEST:g} rad",
            hint="Angles are radians here: are these degrees?  Otherwise make several motions and "
            "chain them.",
            argument="poses",
        )
    T_ref = space.assembly.T_home.copy()
    for k, i in enumerate(space.free):
        if i < 3:
            T_ref[i, 3] = x[0, k]
    T_ref[:3, :3] = R_ref
    moved = x - x[0]
    moved[:, space.turns] = w
    return Point(T_ref, x[0]), moved


def _on_splines(splines: Sequence[tuple[Any, Any]], columns: int, t: np.ndarray) -> Jet:
    """A curve on splines, each of some of the columns."""
    found = Jet(*(np.zeros((len(t), columns)) for _ in range(3)))
    for spline, which in splines:
        for order, whole in enumerate(found):
            whole[:, which] = spline(t, order)
    return found
