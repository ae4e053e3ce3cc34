"""The answer of :func:`gough.bearing_loads`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.analysis.integrals import largest, mean
from gough.base.arguments import check_known
from gough.base.english import plain
from gough.base.result import Result
from gough.robot import Robot
from gough.robot.joint_kinds import BALL, KINDS, SLIDE, TURN

FIGURES = ("force", "radial", "axial", "moment")
NOT_UNIQUE = "not unique: it depends on clearances and stiffness, the smallest is given"

_STILL = 1e-9  # share of the fastest joint's speed below which a joint does not move: rounding


class Bearing(NamedTuple):
    """What one joint carries over a motion; NaN for what its kind does not hold.

    Attributes:
        joint: its name.
        kind: its kind.
        force: largest force [N].
        time: when it occurs [s].
        radial: largest force across z [N].
        axial: largest magnitude of the force along z [N].
        moment: largest moment [N m].
        mean: equivalent mean of the force over time [N].
        mean_by_travel: the same over the travel of the joint [N]; NaN if it does not move.
        travel: what the joint turns or slides through in all, both ways [rad or m].
        travel_unit: ``"rad"`` or ``"m"``.
        not_unique: figures that rigid-body equations do not determine.
    """

    joint: str
    kind: str
    force: float
    time: float
    radial: float
    axial: float
    moment: float
    mean: float
    mean_by_travel: float
    travel: float
    travel_unit: str
    not_unique: tuple[str, ...]


def worn_axes(kind: str) -> list[int]:
    """Axes whose travel wears the bearings of a joint: turns, or slides where nothing turns.

    Of a plate on its face it is the way that it slides.
    """
    axes = [*KINDS[kind].axes.values()]
    turning = [k for k, what in enumerate(axes) if what in (TURN, BALL)]
    if not turning or (KINDS[kind].has_face and KINDS[kind].turns == 1):
        return [k for k, what in enumerate(axes) if what == SLIDE]
    return turning


@dataclass(frozen=True, eq=False, repr=False)
class BearingLoads(Result):
    """Forces and moments in the joints of a robot at K samples of a motion.

    Along its own axes a joint transmits what motor, friction, rotor and spring do; its bearings
    hold the rest, which is given here, in the joint's frame on its child:

    =====================  ====================  ==========  ===========  ==========================
    kind                   force                 radial      axial        moment
    =====================  ====================  ==========  ===========  ==========================
    revolute, helical      all of it             across z    along z      across z: tilting
    prismatic              across z              across z                 all of it
    cylindrical            across z              across z                 across z: tilting
    universal              all of it                                      across both axes
    spherical              all of it
    planar                 along z, unsigned                 along z      across z: tilting
    planar_contact         across the plane
    fixed                  all of it             across z    along z      all of it
    =====================  ====================  ==========  ===========  ==========================

    Attributes:
        robot: the machine.
        t: times ``(K,)`` [s].
        joints: names, in the order of ``robot.joints``; ``kinds``: theirs.
        force: magnitude of the force ``(K, joints)`` [N]; NaN in samples that are refused.
        radial: its part across the joint's z axis ``(K, joints)`` [N].
        axial: its part along z, with its sign: what the parent exerts on the child [N].
        moment: magnitude of the moment about the origin of the joint's frame on the child [N m].
        speed: of the joint ``(K, joints)``: relative angular speed of its bodies [rad/s], of a
            prismatic joint the sliding speed [m/s].
        unique: by figure, whether it is determined in every sample ``(joints,)``.
        exponent: of the equivalent means.
    """

    robot: Robot
    t: np.ndarray
    joints: tuple[str, ...]
    kinds: tuple[str, ...]
    force: np.ndarray
    radial: np.ndarray
    axial: np.ndarray
    moment: np.ndarray
    speed: np.ndarray
    unique: dict[str, np.ndarray]
    exponent: float = 3.0

    def __repr__(self) -> str:
        count = len(self.joints)
        return f"<BearingLoads of {self.robot.name!r}: {count} joints, {len(self.t)} samples>"

    def __getitem__(self, joint: str) -> Bearing:
        """The figures of one joint."""
        check_known(joint, self.joints, "no joint", "joint")
        return self.bearings[self.joints.index(joint)]

    @cached_property
    def bearings(self) -> tuple[Bearing, ...]:
        """The figures of every joint over the motion."""
        peaks = {name: largest(getattr(self, name)) for name in FIGURES}
        power = self.force**self.exponent
        over_time = mean(self.t, power) ** (1.0 / self.exponent)
        speed = mean(self.t, np.where(np.isfinite(power), self.speed, np.nan))
        moves = speed > _STILL * np.nanmax(speed, initial=0.0)
        weighted = np.divide(
            mean(self.t, power * self.speed),
            speed,
            out=np.full(len(self.joints), np.nan),
            where=moves,
        )
        over_travel = weighted ** (1.0 / self.exponent)
        travel = speed * (self.t[-1] - self.t[0])
        found = []
        for i, (joint, kind) in enumerate(zip(self.joints, self.kinds, strict=True)):
            force = self.force[:, i]
            known = np.isfinite(force).any()
            time = float(self.t[np.nanargmax(force)]) if known else np.nan
            axes = [*KINDS[kind].axes.values()]
            worn = {axes[k] for k in worn_axes(kind)}
            found.append(
                Bearing(
                    joint=joint,
                    kind=kind,
                    time=time,
                    **{name: float(peak[i]) for name, peak in peaks.items()},
                    mean=float(over_time[i]),
                    mean_by_travel=float(over_travel[i]),
                    travel=float(travel[i]),
                    travel_unit="m" if worn == {SLIDE} else "rad",
                    not_unique=tuple(name for name in FIGURES if not self.unique[name][i]),
                )
            )
        return tuple(found)

    @property
    def is_unique(self) -> bool:
        """Whether every figure is determined."""
        return all(bool(self.unique[name].all()) for name in FIGURES)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and rows as text, a row a joint; a star marks what is not unique."""
        heads = ["joint", "kind", "force [N]", "at [s]", "radial [N]", "axial [N]"]
        heads += ["moment [N m]", "mean [N]", "mean by travel [N]", "travel"]
        return heads, [self._row(one) for one in self.bearings]

    def _row(self, one: Bearing) -> list[str]:
        starred = {name: "*" * (name in one.not_unique) for name in FIGURES}

        def cell(value: float, figure: str = "force") -> str:
            return f"{value:.4g}{starred[figure]}" if np.isfinite(value) else "-"

        return [
            one.joint,
            one.kind,
            cell(one.force),
            f"{one.time:.4g}" if np.isfinite(one.time) else "-",
            *(cell(getattr(one, figure), figure) for figure in FIGURES[1:]),
            cell(one.mean),
            cell(one.mean_by_travel),
            f"{one.travel:.3g} {one.travel_unit}" if np.isfinite(one.mean_by_travel) else "-",
        ]

    def __str__(self) -> str:
        heads, rows = self.table()
        every = [heads, *rows]
        widths = [max(len(row[k]) for row in every) for k in range(len(heads))]
        lines = [
            "  ".join(
                cell.ljust(width) if k < 2 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in every
        ]
        return "\n".join(lines + ([] if self.is_unique else [f"* {NOT_UNIQUE}"]))

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order: a joint a line."""
        found = []
        for one in self.bearings:
            star = "*" * ("force" in one.not_unique)
            text = f"up to {one.force:.4g}{star} N at {one.time:.4g} s, mean {one.mean:.4g}{star} N"
            found.append((one.joint, text if np.isfinite(one.force) else "no sample can be"))
        return found + ([] if self.is_unique else [("*", NOT_UNIQUE)])

    def columns(self) -> dict[str, np.ndarray]:
        """One row a joint: the figures of :class:`Bearing`."""
        found = {}
        for name in Bearing._fields:
            values: list[Any] = [getattr(one, name) for one in self.bearings]
            if name == "not_unique":
                values = [", ".join(each) for each in values]
            kind = float if isinstance(values[0], float) else object
            found[name] = np.array(values, dtype=kind)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The figures of every joint as plain data, ready for JSON."""
        return {
            "robot": self.robot.name,
            "duration": float(self.t[-1] - self.t[0]),
            "samples": len(self.t),
            "exponent": self.exponent,
            "unique": self.is_unique,
            "bearings": [plain(one) for one in self.bearings],
        }
