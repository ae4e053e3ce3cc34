"""The answer of :func:`gough.motion.fastest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.base.english import percent, plain
from gough.base.result import Result
from gough.dynamics.answers.motor_limits import unjudged
from gough.errors import EffortsInfeasible
from gough.motion.motion import Motion
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_REACHED = 0.999  # use of a limit that is reached
_ROUNDING = 1e-9  # share by which a torque is above another by rounding


class GridPoints(NamedTuple):
    """The law at its grid points, from the start to the end; all ``(K,)`` but the shares.

    Attributes:
        t: times [s].
        s: way along the path [m or rad].
        rate: of the way [m/s or rad/s].
        acceleration: of the way [m/s^2 or rad/s^2]; where it jumps, the side that uses more.
        shares: how far each limit is used ``(K, L)``; 1 is at the limit, 0 where there is none.
        names: of the limits ``(L,)``: ``"arm1 torque"``, ``"platform speed"``.
    """

    t: np.ndarray
    s: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    shares: np.ndarray
    names: tuple[str, ...]

    @property
    def use(self) -> np.ndarray:
        """How far the limit that is used most is used ``(K,)``."""
        return np.asarray(self.shares.max(axis=1))

    @property
    def active(self) -> tuple[str, ...]:
        """The limit that is used most, by name ``(K,)``."""
        return tuple(self.names[k] for k in self.shares.argmax(axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class Fastest(Result):
    """The least time along a path; see :func:`gough.motion.fastest`.

    Attributes:
        robot: the machine.
        label: of the path.
        motion: the fastest motion, by peaks.
        cool_motion: the fastest one that motors bear for ever; ``None`` if no continuous torque is
            known, or if no pace is slow enough.
        loads: of the fastest motion, in its time; ``cool_loads``: of the other one.
        factor: by how much that is slower; ``None`` if no pace is slow enough.
        closed: whether the path ends where it begins, so that a run is a cycle.
        length: of the path [m or rad].
        unit: of the way along the path, ``"m"`` or ``"rad"``.
        jerk: largest jerk of the way that was asked for, or ``None``.
        grid: the fastest motion at its grid points, and what limits there.
        continuous: torques that motors can give for ever, on their shafts ``(m,)`` [N m or N];
            infinite if not known.
        rms: root mean squares of the shafts' torques in the fastest motion ``(m,)``.
        cool_rms: the same in the slower motion; where no pace is slow enough, at a crawl.
        held: largest torques on the shafts that hold the robot where the motion rests ``(m,)``; 0
            if it never does.
        held_on_way: the same at all places of the path, where it need not rest.
    """

    robot: Robot
    label: str
    motion: Motion
    cool_motion: Motion | None
    loads: Any
    cool_loads: Any
    factor: float | None
    closed: bool
    length: float
    unit: str
    jerk: float | None
    grid: GridPoints
    continuous: np.ndarray
    rms: np.ndarray
    cool_rms: np.ndarray
    held: np.ndarray
    held_on_way: np.ndarray

    def __repr__(self) -> str:
        return f"<Fastest of {self.robot.name!r}: {self.label}, {self.period:.6g} s>"

    @property
    def period(self) -> float:
        """Time of the fastest motion, rests included [s]."""
        return self.motion.duration

    @property
    def cool_period(self) -> float | None:
        """Time of the motion that motors bear for ever [s]; ``None`` if there is none."""
        return None if self.cool_motion is None else self.cool_motion.duration

    @property
    def cycles(self) -> float:
        """Runs a minute by peaks."""
        return 60.0 / self.period

    @property
    def cool_cycles(self) -> float | None:
        """Runs a minute by heating; ``None`` if there is no such motion."""
        return None if self.cool_period is None else 60.0 / self.cool_period

    @property
    def limiting(self) -> str:
        """What limits: by heating the hottest motor, by peaks what is reached for the longest."""
        if self.factor is None or self.factor > 1.0:
            return self.robot.motors[self.hottest]
        if self.jerk is not None and self.grid.use.max() < _REACHED:
            return "the jerk"
        held = self.times()
        return max(held, key=lambda name: held[name])

    @property
    def hottest(self) -> int:
        """The motor that heating limits, by its place in ``robot.motors``."""
        return int(np.argmax(self.cool_rms / self.continuous))

    def times(self) -> dict[str, float]:
        """How long each limit is the one that is used most [s], by name, the longest first."""
        t = self.grid.t
        half = np.diff(t) / 2.0
        weights = np.append(half, 0.0) + np.insert(half, 0, 0.0)
        found: dict[str, float] = {}
        for name, seconds in zip(self.grid.active, weights, strict=True):
            found[name] = found.get(name, 0.0) + float(seconds)
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    @property
    def sentence(self) -> str:
        """All of it in a line."""
        peak, cool = self._pace(self.period), self.cool_period
        what, unknown = self.limiting, cool is None and self.factor is not None
        if what.split()[-1] == "torque":
            what = what.rpartition(" ")[0]
        if self.factor is None:
            k = self.hottest
            text = (
                f"{peak} by peak, at no pace by heating: {what} takes {self.cool_rms[k]:.3g} "
                f"of {self.continuous[k]:.3g} {self._unit(k)} continuous even at a crawl"
            )
        elif cool is None:
            text = f"{peak} by peak; {what} limits"
        else:
            text = f"{peak} by peak, {self._pace(cool, short=True)} by heating; {what} limits"
        hanging, passed = self.hanging, self._above(self.held_on_way)
        if hanging:
            name, share = next(iter(hanging.items()))
            text += f"; {name} cannot hold the robot for ever where it rests: {percent(share)}"
        elif passed:
            name, share = next(iter(passed.items()))
            text += f"; {name} cannot hold it for ever on the way, if it stops: {percent(share)}"
        if self.slack:
            text += (
                f"; at some places no limit is used by more than {self.grid.use.min():.2%}, so "
                "that it may not be the least time"
            )
        return f"{text}. No continuous torque is known." if unknown else f"{text}."

    @property
    def hanging(self) -> dict[str, float]:
        """Motors that cannot hold the robot for ever where the motion rests, the worst first.

        By name the holding torque over the continuous one.
        """
        return self._above(self.held)

    @property
    def slack(self) -> bool:
        """Whether at some grid point no limit is reached, within a thousandth.

        With a jerk that is so where the jerk limits.
        """
        return self.jerk is None and bool(self.grid.use.min() < _REACHED)

    def _above(self, torque: np.ndarray) -> dict[str, float]:
        shares = dict(zip(self.robot.motors, (torque / self.continuous).tolist(), strict=True))
        over = {name: share for name, share in shares.items() if share > 1.0 + _ROUNDING}
        return dict(sorted(over.items(), key=lambda each: -each[1]))

    @property
    def remarks(self) -> list[str]:
        """Sentences on what does not limit: motors without data beside others with data."""
        return unjudged(self.robot)

    def cool(self) -> Motion:
        """The motion that motors bear for ever.

        Raises:
            EffortsInfeasible: there is none, or no continuous torque is known.
        """
        if self.cool_motion is None:
            raise EffortsInfeasible(
                f"{self.robot.name}: {self.sentence}", hint="Take a stronger motor, or carry less."
            )
        return self.cool_motion

    def draw(self) -> Figure:
        """A picture: the rate along the path, and how far each limit is used, over time."""
        from gough.report.fastest import draw_fastest  # noqa: PLC0415  looks down, when asked

        return draw_fastest(self)

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order."""
        found = [
            ("robot", self.robot.name),
            ("path", f"{self.label}, {self.length:.4g} {self.unit} long"),
            ("verdict", self.sentence),
            *(("remark", remark) for remark in self.remarks),
            ("by peak", f"{self.period:.6g} s, {self.cycles:.4g} a minute"),
        ]
        if self.cool_period is not None and self.factor is not None:
            slower = f"the same law {self.factor:.4g} times as slow"
            how = slower if self.factor > 1.0 else "the same motion, motors stay cool"
            pace = f"{self.cool_period:.6g} s, {self.cool_cycles:.4g} a minute; {how}"
            found.append(("by heating", pace))
        for where, torque, what in (
            ("rests", self.held, "it cannot rest there for ever"),
            ("on the way", self.held_on_way, "it may pass there, and not stay"),
        ):
            over = [f"{name} {percent(share)}" for name, share in self._above(torque).items()]
            if over:
                found.append((where, f"{', '.join(over)} of continuous torque to hold; {what}"))
        if self.jerk is not None:
            found.append(("jerk", f"at most {self.jerk:.4g} {self.unit}/s^3 along the path"))
        if self.jerk is None:
            use = f"{len(self.grid.t)} points; a limit is used by {self.grid.use.min():.2%} or more"
            found.append(("grid", use))
        if self.slack:
            found.append(("", "less than 99.9 %: it may not be the least time; try a larger grid"))
        moving = sum(self.times().values())
        found += [
            ("nearest limit" if k == 0 else "", f"{name}, {percent(seconds / moving)} of the time")
            for k, (name, seconds) in enumerate(self.times().items())
        ]
        return found

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and rows of the motors as text: largest uses of limits, and heating."""
        heads = ["motor", "torque", "effort", "speed", "acceleration"]
        heads += ["RMS", "RMS by heating", "continuous"]
        most = self.grid.shares.max(axis=0)
        rows = []
        for i, name in enumerate(self.robot.motors):
            uses = [most[self.grid.names.index(f"{name} {kind}")] for kind in heads[1:5]]
            shown = [percent(use) if use > 0.0 else "-" for use in uses]
            torques = (self.rms[i], self.cool_rms[i], self.continuous[i])
            figures = [f"{x:.4g} {self._unit(i)}" if np.isfinite(x) else "-" for x in torques]
            rows.append([name, *shown, *figures])
        return heads, rows

    def columns(self) -> dict[str, np.ndarray]:
        """The law at its grid points, and how far each limit is used, as columns ``(K,)``."""
        grid = self.grid
        known = grid.shares.max(axis=0) > 0.0
        uses = {
            f"use_{name.replace(' ', '_')}": grid.shares[:, k]
            for k, name in enumerate(grid.names)
            if known[k]
        }
        law = {"t": grid.t, "s": grid.s, "sd": grid.rate, "sdd": grid.acceleration}
        return {**law, "use": grid.use, **uses}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        motors = self.robot.motors
        data = {
            "robot": self.robot.name,
            "path": self.label,
            "sentence": self.sentence,
            "remarks": self.remarks,
            "period": self.period,
            "cycles_a_minute": self.cycles,
            "period_by_heating": self.cool_period,
            "cycles_a_minute_by_heating": self.cool_cycles,
            "factor": self.factor,
            "closed": self.closed,
            "unit": self.unit,
            "jerk": self.jerk,
            "limiting": self.limiting,
            "seconds_by_limit": self.times(),
            "rms": dict(zip(motors, self.rms, strict=True)),
            "rms_by_heating": dict(zip(motors, self.cool_rms, strict=True)),
            "continuous": dict(zip(motors, self.continuous, strict=True)),
            "held": dict(zip(motors, self.held, strict=True)),
            "held_on_way": dict(zip(motors, self.held_on_way, strict=True)),
            "least_use": float(self.grid.use.min()),
            "grid_points": len(self.grid.t),
        }
        return plain(data)  # type: ignore[no-any-return]

    def _pace(self, period: float, *, short: bool = False) -> str:
        """Cycles a minute, or seconds of a stroke that does not come back."""
        if not self.closed:
            return f"{period:.3g} s"
        return f"{60.0 / period:.0f}{'' if short else ' cycles a minute'}"

    def _unit(self, motor: int) -> str:
        """Of the torque on a shaft."""
        from gough.mechanism.closure.axes import is_turn  # noqa: PLC0415

        name = self.robot.motors[motor]
        turning = is_turn(self.robot.assembly.axes[name])
        return "N m" if turning or self.robot.axis(name).transmission is not None else "N"
