"""``gough.track``: the mode followed along a motion of the motors, and where others came near."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError, check_finite, check_on_error
from gough.base.english import counted
from gough.base.options import chosen
from gough.base.result import Result, pose_columns
from gough.errors import GoughWarning
from gough.evaluation.evaluator import usual
from gough.kinematics.poses import PoseStatus
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.mobility.measures import holding
from gough.modes.driven import check_motors, check_near, like, motor_samples, starts
from gough.modes.merges import ModeMerge, dips, index, lost, sentence_of, stops
from gough.modes.walking import Path, along, follow_all
from gough.robot import Robot
from gough.states.state import State


class LegPassed(NamedTuple):
    """Where a leg is stretched out or folded (Type 1) and goes on on another branch.

    Attributes:
        sample: index of the sample before which it happens.
        leg: its name.
    """

    sample: tuple[int, ...]
    leg: str


@dataclass(frozen=True, eq=False, repr=False)
class Track(Result):
    """Poses along a motion of the motors; K samples, with axes of a batch in front.

    Attributes:
        q_a: motor positions ``(..., K, n)`` [rad or m].
        t: times ``(K,)`` [s], if they were given.
        T_0p: poses ``(..., K, 4, 4)``; NaN where the status is not ``CONVERGED``.
        status: a :class:`gough.PoseStatus` for each sample ``(..., K)``.
        smallest: distance to Type 2 of ``gough.singularities`` ``(..., K)``, natural units; at 0
            modes meet.
        on_home: whether legs are on home's branch ``(..., K)``; elsewhere ``robot.rehomed`` is at
            home.
        merges: where modes meet, in order of time.
        crossings: where legs change their branch, in order of time.
        ends: the last assembled state of each motion ``(...,)``: a branch, and a start to go on.
        V_0p, Vdot_0p: twists and twist rates ``(..., K, 6)``, if rates of the motors were given.
    """

    q_a: np.ndarray
    t: np.ndarray | None
    T_0p: np.ndarray
    status: np.ndarray
    smallest: np.ndarray
    on_home: np.ndarray
    merges: tuple[ModeMerge, ...]
    crossings: tuple[LegPassed, ...]
    ends: np.ndarray
    V_0p: np.ndarray | None = None
    Vdot_0p: np.ndarray | None = None

    @property
    def state(self) -> State:
        """Poses, and twists and twist rates if rates of the motors were given, ``(..., K)``."""
        return State(self.T_0p, self.V_0p, self.Vdot_0p)

    @property
    def converged(self) -> np.ndarray:
        """Which poses are known ``(..., K)``."""
        return np.asarray(self.status == PoseStatus.CONVERGED)

    @property
    def complete(self) -> bool:
        """Whether every pose is known."""
        return bool(self.converged.all())

    @property
    def branch(self) -> Any:
        """The last assembled state of one motion; of a batch, those of all ``(...,)``."""
        return self.ends if self.ends.ndim else self.ends[()]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a sample, motion after motion: motors, platform, what became of it."""
        figures = ("status", "smallest", "on_home")
        q = self.q_a.reshape(-1, self.q_a.shape[-1]).T
        found = {f"q_{i}": column for i, column in enumerate(q)} | pose_columns(self.T_0p)
        if self.t is not None:
            found = {"t": np.resize(self.t, self.status.size), **found}
        return found | {name: getattr(self, name).reshape(-1) for name in figures}

    def __repr__(self) -> str:
        good = int(self.converged.sum())
        poses, merges = counted(self.status.size, "pose"), counted(len(self.merges), "merge")
        return f"<Track: {good} of {poses}, {merges}>"

    def __str__(self) -> str:
        lines = [f"{repr(self)[1:-1]}, {counted(len(self.crossings), 'leg')} on another branch"]
        lines += [merge.sentence for merge in self.merges]
        lines += [
            f"sample {index(c.sample)}: leg {c.leg!r} is stretched or folded and goes on"
            " on another branch"
            for c in self.crossings
        ]
        return "\n".join(lines)


def track(
    robot: Robot,
    q_a: Any,
    near: Any = None,
    *,
    t: Any = None,
    qd_a: Any = None,
    qdd_a: Any = None,
    on_error: OnError = "raise",
) -> Track:
    """Follow an assembly mode along a motion of the motors.

    Between two samples the motors are taken straight, in as many steps as it needs for the mode to
    be followed and not jumped.  Legs may be stretched or folded on the way (Type 1): the motors
    move them on, on another branch; ``crossings`` lists where.

    Args:
        robot: the machine, with as many motors as freedoms, or more.
        q_a: motor positions ``(..., K, n)`` [rad or m], angles going on over whole turns (encoders
            that begin again: ``numpy.unwrap``), up to 1e9; or a function of time that gives
            ``(n,)``; or something that has ``t`` and ``q``, a simulation.
        near: the mode: a pose ``(..., 4, 4)`` on home's branch, a mode of ``forward_kinematics``,
            an assembled state, another track; home if not given.  The motors are led from there to
            the first sample.
        t: times ``(K,)`` [s]; needed for a function.
        qd_a: rates of the motors ``(..., K, n)``, for ``V_0p``.
        qdd_a: accelerations, for ``Vdot_0p``; zero if only rates are given.
        on_error: where modes meet and no pose continues the motion: ``"raise"``, or ``"nan"``: NaN
            from there on, and ``status`` says why.

    Returns:
        Poses, status, singular values and merges.

    Raises:
        SingularPose: modes meet before a sample, and no pose continues the motion.
        UnreachablePose: no pose continues it, and no singularity is near: motors that do not fit
            together, say.
        InputError: arguments that do not fit, or a sample that is not finite.

    Warns:
        GoughWarning: where modes meet, or nearly do.
    """
    assembly = assembled(robot)
    check_motors(assembly)
    check_on_error(on_error)
    q, times = motor_samples(robot, q_a, t)
    *lead, K, n = q.shape
    rates = {name: like(q, a, name) for name, a in (("qd_a", qd_a), ("qdd_a", qdd_a))}
    if on_error == "raise":
        for name, array in {"q_a": q, **rates}.items():
            if array is not None:
                check_finite(array, name)
        check_near(q)
    flat = q.reshape(-1, K, n)
    paths = [
        Path(assembly, place, state, motion)
        for place, state, motion in zip(
            np.ndindex(*lead), starts(assembly, near, tuple(lead)), flat, strict=True
        )
    ]
    quantities = ("forward_kinematics_step", "motion_of_motors")
    steps, moved = (usual(assembly, name).runner(K * len(flat)) for name in quantities)
    kernels = steps is not None and moved is not None
    follow_all(paths, kernels=kernels, threads=chosen().threads)
    qd, qdd = (np.zeros(flat.shape) if a is None else a.reshape(flat.shape) for a in rates.values())
    moving = along(assembly, paths, qd, qdd, moved if kernels else None)
    values = holding(assembly.scales, moving.J_inv, moving.Psi).type_2
    stopped = stops(paths, times)
    if stopped and on_error == "raise":
        raise lost(assembly, min(stopped, key=lambda m: m.sample[-1]))
    passed = dips(paths, values, times)
    # where a motion ends it has come near before: that is one merge
    ends_at = {m.sample[:-1]: m.sample[-1] for m in stopped}
    passed = [m for m in passed if ends_at.get(m.sample[:-1]) != m.sample[-1] + 1]
    merges = sorted([*passed, *stopped], key=lambda m: m.sample[-1])
    if merges:
        warnings.warn(sentence_of(merges), GoughWarning, stacklevel=2)
    crossings = [LegPassed((*path.place, k), leg) for path in paths for k, leg in path.crossed]
    home = [[k not in path.apart for k in range(K)] for path in paths]
    ends = np.empty(len(paths), dtype=object)
    for b, path in enumerate(paths):
        ends[b] = path.whole
    whole = (*lead, K)
    return Track(
        q_a=q,
        t=times,
        T_0p=np.array([path.poses for path in paths]).reshape(*whole, 4, 4),
        status=np.array([path.status for path in paths], dtype=np.int8).reshape(whole),
        smallest=values.reshape(whole),
        on_home=np.array(home, dtype=bool).reshape(whole),
        merges=tuple(merges),
        crossings=tuple(sorted(crossings, key=lambda c: c.sample[-1])),
        ends=ends.reshape(tuple(lead)),
        V_0p=None if qd_a is None else moving.V_0p.reshape(*whole, 6),
        Vdot_0p=None if qd_a is None else moving.Vdot_0p.reshape(*whole, 6),
    )
