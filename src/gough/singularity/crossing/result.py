"""Results of ``gough.crossing``: singular instants of a motion, and efforts through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import counted
from gough.base.result import Result
from gough.robot import Robot


class SingularInstant(NamedTuple):
    """A Type 2 singularity that a motion meets.

    Attributes:
        time: when [s].
        T_0p: the singular pose.
        twist: free twist ``t_s`` of the platform ``(6,)``: it moves with all motors locked.  Of
            unit speed if it is a translation, otherwise of unit turning.  The first of several.
        free: the same as rates of the robot's freedoms, all of them ``(n, k)``.
        residual: the criterion ``t_s^T w_r``, which must vanish ``(k,)``.
        units: of the residual ``(k,)``: N where the freedoms only translate, at 1 m/s, otherwise
            N m (1 rad/s).
        can_pass: whether efforts stay bounded.
        crossed: whether the motion goes through; ``False``: it only touches, or rests there.
        V_r, Vdot_r: rates of the robot's freedoms there, and their derivative ``(n,)``.
        needed: ``Vdot_r`` that meets the criterion with the smallest change, measured by
            ``change^T M_rob change`` ``(n,)``: the change is along the free twists.
        needed_0p: the same as a twist rate of the platform ``(6,)``.
        along_path: ``Vdot_r`` that meets it with a change along the path alone, as another time law
            makes it ``(n,)``; ``None`` if no time law does at this speed.
        tangential: that change by ``V_r`` [1/s]: the clock of the motion gains so much; ``None``
            likewise.
        limit: efforts on the singular pose, the limit along the motion ``(m,)``; NaN if there is
            none.
        limits: the same from before and from after ``(2, m)``; they differ where the jerk or
            friction jumps.
        growth: efforts grow as ``growth / (t - time)`` ``(m,)`` [N m s or N s]; zero where the
            criterion holds.
        smallest: distance to Type 2 of ``gough.singularities``, natural units.
        sentence: all of it in words.
    """

    time: float
    T_0p: np.ndarray
    twist: np.ndarray
    free: np.ndarray
    residual: np.ndarray
    units: tuple[str, ...]
    can_pass: bool
    crossed: bool
    V_r: np.ndarray
    Vdot_r: np.ndarray
    needed: np.ndarray
    needed_0p: np.ndarray
    along_path: np.ndarray | None
    tangential: float | None
    limit: np.ndarray
    limits: np.ndarray
    growth: np.ndarray
    smallest: float
    sentence: str


@dataclass(frozen=True, eq=False)
class Crossing(Result):
    """A motion through Type 2 singularities; see :func:`gough.crossing`.

    Attributes:
        robot: the machine.
        label: of the motion.
        instants: singularities that the motion meets, in time.
        t: instants ``(K,)`` [s], those of the instants among them.
        tau: motor efforts ``(K, m)`` [N or N m]; NaN on a singular pose that cannot be passed.
        at_limit: samples whose efforts are limits, not solutions of the singular equations
            ``(K,)``.
    """

    robot: Robot
    label: str
    instants: tuple[SingularInstant, ...]
    t: np.ndarray
    tau: np.ndarray
    at_limit: np.ndarray

    @property
    def bounded(self) -> bool:
        """Whether efforts stay bounded along the whole motion."""
        return all(instant.can_pass for instant in self.instants)

    @property
    def peak(self) -> np.ndarray:
        """Largest efforts of the motors ``(m,)`` [N or N m]; infinite where unbounded."""
        if not self.bounded:
            grows = np.any([instant.growth != 0.0 for instant in self.instants], axis=0)
            return np.where(grows, np.inf, np.nanmax(np.abs(self.tau), axis=0))
        return np.asarray(np.abs(self.tau).max(axis=0))

    @property
    def advice(self) -> str:
        """What to do about a motion that cannot pass."""
        missed = [instant for instant in self.instants if not instant.can_pass]
        if all(instant.crossed and instant.along_path is not None for instant in missed):
            return "plan_crossing re-times it"
        return "no time law helps, choose a path that crosses singularities elsewhere or not at all"

    def lines(self) -> list[tuple[str, str]]:
        """Pairs of a heading and a fact, in reading order."""
        found = [("robot", self.robot.name), ("motion", self.label)]
        if not self.instants:
            found.append(("instants", "none: the motion meets no Type 2 singularity"))
        found += [(f"at {instant.time:.6g} s", instant.sentence) for instant in self.instants]
        if self.bounded:
            peaks = ", ".join(
                f"{name} {peak:.4g}"
                for name, peak in zip(self.robot.motors, self.peak, strict=True)
            )
            verdict = "bounded; largest " + peaks
            limits = int(self.at_limit.sum())
            if limits:
                verdict += f"; {limits} of {len(self.t)} samples are singular: the limit there"
        else:
            verdict = f"unbounded: this motion cannot be driven; {self.advice}"
        return [*found, ("efforts", verdict)]

    def __repr__(self) -> str:
        how = "bounded" if self.bounded else "unbounded"
        return f"<Crossing of {self.robot.name!r}: {counted(len(self.instants), 'instant')}, {how}>"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table, by name."""
        found = {"t": self.t}
        found |= {f"tau_{name}": self.tau[:, i] for i, name in enumerate(self.robot.motors)}
        return found | {"at_limit": self.at_limit.astype(float)}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "robot": self.robot.name,
            "motion": self.label,
            "bounded": self.bounded,
            "peak": dict(zip(self.robot.motors, self.peak.tolist(), strict=True)),
            "instants": [instant._asdict() for instant in self.instants],
        }
