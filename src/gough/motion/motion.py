"""A motion: pose, twist and twist rate of the platform at any time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import number
from gough.base.batch import as_array, check_finite
from gough.base.english import figures
from gough.base.result import Result, motion_columns
from gough.base.spatial import rotation_log
from gough.errors import InputError
from gough.geometry.walk import difference
from gough.motion import arguments
from gough.motion.findings import Finding
from gough.motion.jets import Curve
from gough.motion.space import Point, Space, space_of
from gough.robot import Robot
from gough.states.state import State

MOST_SAMPLES = 5_000_000
"""Samples of one motion: poses and twists of so many take 1.1 GB, and analyses several times that.

More would fill the memory before anything is computed of them.
"""

_SHOWN = 501  # times at which largest rates are looked for, to be shown
_LOOKED_AT = 17  # times at which a new motion is checked for reach
_MEET = 1e-9  # poses and twists that differ less, natural units, are the same: rounding of ends


class Samples(NamedTuple):
    """A motion at sampled times: ``t, state = motion.sample()``.

    Attributes:
        t: times, strictly increasing ``(K,)`` [s].
        state: pose, twist and twist rate at each, a :class:`gough.State` of shape ``(K,)``.
    """

    t: np.ndarray
    state: State

    @property
    def T_0p(self) -> np.ndarray:
        """Poses ``(K, 4, 4)``."""
        return self.state.T_0p

    @property
    def V_0p(self) -> np.ndarray:
        """Twists ``(K, 6)``."""
        return self.state.V_0p

    @property
    def Vdot_0p(self) -> np.ndarray:
        """Twist rates ``(K, 6)``."""
        return self.state.Vdot_0p

    def at(self, index: Any) -> Samples:
        """Some of the samples."""
        return Samples(self.t[index], self.state[index])


@dataclass(frozen=True, eq=False, repr=False)
class Motion(Result):
    """A motion of a robot's platform, with its exact first and second derivatives.

    Call it with times of any shape, ``state = motion(t)``.  Before 0 and after the end the platform
    rests in the first and in the last pose.

    Attributes:
        robot: the machine.
        duration: [s].
        label: what it is, in words.
        evaluate: states at times (K,) from 0 to the duration; of all motions made here a partial of
            a function of a module, which can be pickled.
        findings: findings about the data it was found from; see
            :class:`gough.motion.findings.Finding`.
        parameters: kind and arguments that it was made from, where it knows them.
    """

    robot: Robot
    duration: float
    label: str
    evaluate: Callable[[np.ndarray], State]
    findings: tuple[Finding, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Motion of {self.robot.name!r}: {self.label}, {self.duration:.6g} s>"

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts: from where to where, how fast, and what its data are like."""
        T, V, Vdot = self(np.linspace(0.0, self.duration, _SHOWN)).arrays
        rates = [
            f"at most {_largest(V[:, part]):.4g} {unit}/s and "
            f"{_largest(Vdot[:, part]):.4g} {unit}/s^2"
            for part, unit in ((slice(0, 3), "m"), (slice(3, 6), "rad"))
            if V[:, part].any()
        ]
        return [
            ("robot", self.robot.name),
            ("motion", f"{self.label}, {self.duration:.6g} s"),
            ("from", _place(T[0])),
            ("to", _place(T[-1])),
            *(("platform", rate) for rate in rates),
            *(("data", finding.sentence) for finding in self.findings),
        ]

    def columns(self) -> dict[str, np.ndarray]:
        """Poses, twists and twist rates at 500 Hz as columns of a table."""
        t, state = self.sample()
        return motion_columns(self.robot, t, state.arrays, {})

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON."""
        return {
            "robot": self.robot.name,
            "label": self.label,
            "duration": self.duration,
            "start": self.start.tolist(),
            "end": self.end.tolist(),
            "findings": [one.sentence for one in self.findings],
        }

    def __call__(self, t: Any) -> State:
        """State at times of any shape [s]."""
        times = as_array(t, (), "t")
        check_finite(times, "t")
        flat = np.asarray(times).reshape(-1)
        found = self.evaluate(np.clip(flat, 0.0, self.duration))
        at_rest = (flat < 0.0) | (flat > self.duration)
        V, Vdot = (np.where(at_rest[:, None], 0.0, part) for part in found.arrays[1:])
        return State(found.T_0p, V, Vdot).reshape(*np.shape(times))

    @property
    def start(self) -> np.ndarray:
        """The first pose, 4x4."""
        return self(0.0).T_0p

    @property
    def end(self) -> np.ndarray:
        """The last pose, 4x4."""
        return self(self.duration).T_0p

    def sample(self, rate: float = 500.0) -> Samples:
        """States at evenly spaced times, both ends included.

        Args:
            rate: samples in a second, at least [Hz].
        """
        count = self.duration * number(rate, "rate", positive=True)
        if count > MOST_SAMPLES:
            raise InputError(
                f"{self.duration:g} s at {rate:g} Hz are {count:.3g} samples, more than "
                f"{MOST_SAMPLES:g}",
                hint="Take a lower rate, or a part of the motion; likely: a duration in "
                "milliseconds (gough is SI only).",
                argument="rate",
            )
        # a whole number of periods may miss itself by rounding
        t = np.linspace(0.0, self.duration, max(int(np.ceil(count - 1e-9)), 1) + 1)
        return Samples(t, self(t))

    def then(self, *others: Motion) -> Motion:
        """This motion, and others after it."""
        return chain(self, *others)

    def slower(self, factor: float) -> Motion:
        """The same path in ``factor`` times the time."""
        factor = number(factor, "factor", positive=True)
        seconds = arguments.duration(self.duration * factor)
        label = f"{self.label}, {factor:.4g} times as long"
        found = tuple(one.moved(0.0, factor) for one in self.findings)
        return Motion(self.robot, seconds, label, partial(_slower, self, factor), found)


def _largest(vectors: np.ndarray) -> float:
    return float(np.linalg.norm(vectors, axis=1).max())


def _place(T: np.ndarray) -> str:
    """A pose in words: position and rotation vector."""
    turn = rotation_log(T[:3, :3])
    place = f"{figures(T[:3, 3])} m"
    return f"{place}, turned by {figures(turn)} rad" if np.abs(turn).max() > 1e-9 else place


def of_robot(motion: Any, robot: Robot) -> Motion:
    """A motion as one of this robot; it may have been made for one of other figures or home.

    Raises:
        InputError: it is none, or one in other freedoms.
    """
    if not isinstance(motion, Motion):
        raise InputError(
            f"motion is a {type(motion).__name__}, expected a gough Motion",
            hint="gough.motion makes them: point_to_point, circle, through, from_samples, ...",
            argument="motion",
        )
    if motion.robot.freedoms != robot.freedoms:
        raise InputError(
            f"the motion is of {motion.robot.name!r}, in {', '.join(motion.robot.freedoms)}; the "
            f"freedoms of {robot.name} are {', '.join(robot.freedoms)}",
            hint=f"Make the motion for {robot.name}.",
            argument="motion",
        )
    return motion if motion.robot is robot else replace(motion, robot=robot)


def _slower(motion: Motion, factor: float, t: np.ndarray) -> State:
    T, V, Vdot = motion.evaluate(np.minimum(t / factor, motion.duration)).arrays
    return State(T, V / factor, Vdot / factor**2)


def made(
    space: Space,
    duration: float,
    label: str,
    reference: Point,
    curve: Curve,
    *,
    look: float | None = None,
    findings: tuple[Finding, ...] = (),
) -> Motion:
    """The motion of a curve of displacements from a reference; poses along it must be in reach.

    Args:
        space: of the robot.
        duration: [s].
        label: in words.
        reference: the pose from which displacements count.
        curve: displacements at times from 0 to the duration.
        look: the time until which poses are checked [s]; after it they repeat themselves.
        findings: findings about the data.
    """
    evaluate = partial(_along, space, reference, curve)
    t = np.linspace(0.0, duration if look is None else look, _LOOKED_AT)
    space.check_reach(evaluate(t), t)
    return Motion(space.assembly.robot, duration, label, evaluate, findings)


def _along(space: Space, reference: Point, curve: Curve, t: np.ndarray) -> State:
    return space.states(reference, curve(t), t)


def hold(robot: Robot, pose: Any = None, duration: float = 1.0) -> Motion:
    """Rest in a pose.

    Args:
        robot: the machine.
        pose: home if not given; freedoms ``(n,)`` or a matrix ``(4, 4)``.
        duration: [s].
    """
    space = space_of(robot)
    evaluate = partial(_resting, space.point(pose, "pose").T_0p)
    asked = {"kind": "hold", "pose": pose, "duration": duration}
    return Motion(robot, arguments.duration(duration), "hold", evaluate, parameters=asked)


def _resting(T_0p: np.ndarray, t: np.ndarray) -> State:
    T = np.broadcast_to(T_0p, (len(t), 4, 4)).copy()
    return State(T, np.zeros((len(t), 6)), np.zeros((len(t), 6)))


def chain(*motions: Motion) -> Motion:
    """Motions one after the other; each must begin where the one before it ends, as fast.

    Args:
        *motions: of the same robot.

    Raises:
        InputError: poses or twists do not meet; accelerations may jump.
    """
    if not motions:
        raise InputError("there is no motion to chain", argument="motions")
    for k, motion in enumerate(motions):
        if not isinstance(motion, Motion):
            raise InputError(
                f"motion {k} of the chain is a {type(motion).__name__}, expected a gough Motion",
                argument="motions",
            )
    for k, (one, other) in enumerate(pairwise(motions)):
        if one.robot is not other.robot and one.robot != other.robot:
            raise InputError(
                f"motion {k} of the chain is of {one.robot.name!r}, the next of "
                f"{other.robot.name!r}",
                argument="motions",
            )
        _check_meeting(k, one, other)
    if len(motions) == 1:
        return motions[0]
    ends = np.cumsum([motion.duration for motion in motions])
    found = tuple(
        one.moved(float(start))
        for motion, start in zip(motions, [0.0, *ends[:-1]], strict=True)
        for one in motion.findings
    )
    evaluate = partial(_in_turn, motions, ends)
    parts = {f"{k + 1}. {each.label}": each.parameters for k, each in enumerate(motions)}
    return Motion(motions[0].robot, float(ends[-1]), _label(motions), evaluate, found, parts)


def _in_turn(motions: Sequence[Motion], ends: np.ndarray, t: np.ndarray) -> State:
    starts = np.concatenate([[0.0], ends[:-1]])
    found = tuple(np.empty((len(t), *core)) for core in ((4, 4), (6,), (6,)))
    turn = np.searchsorted(ends[:-1], t, side="right")
    for k in np.unique(turn):
        here, motion = turn == k, motions[k]
        local = np.clip(t[here] - starts[k], 0.0, motion.duration)
        for whole, part in zip(found, motion.evaluate(local).arrays, strict=True):
            whole[here] = part
    return State(*found)


def _label(motions: tuple[Motion, ...]) -> str:
    """Labels in a row, equal neighbours counted."""
    parts: list[list[Any]] = []
    for motion in motions:
        if parts and parts[-1][0] == motion.label:
            parts[-1][1] += 1
        else:
            parts.append([motion.label, 1])
    return ", then ".join(f"{n} x {label}" if n > 1 else label for label, n in parts)


def _check_meeting(k: int, one: Motion, other: Motion) -> None:
    end = one.evaluate(np.array([one.duration]))
    start = other.evaluate(np.array([0.0]))
    natural = one.robot.assembly.scales.twist
    gap = difference(end.T_0p[0], start.T_0p[0])
    if np.abs(gap / natural).max() > _MEET:
        raise InputError(
            f"motion {k + 1} of the chain begins {np.linalg.norm(gap[:3]):.3g} m and "
            f"{np.linalg.norm(gap[3:]):.3g} rad from where the one before it ends",
            hint="motion.point_to_point(robot, one.end, other.start, duration=...) leads there.",
            argument="motions",
            gap=gap,
        )
    jump = start.V_0p[0] - end.V_0p[0]
    speed = max(float(np.abs(V.V_0p / natural).max()) for V in (start, end))
    if np.abs(jump / natural).max() > _MEET * max(speed, 1.0):
        raise InputError(
            f"motion {k + 1} of the chain begins {np.linalg.norm(jump[:3]):.3g} m/s and "
            f"{np.linalg.norm(jump[3:]):.3g} rad/s faster or slower than the one before it ends",
            hint="A jump of speed takes infinite efforts: choose laws that begin and end at rest.",
            argument="motions",
            jump=jump,
        )
