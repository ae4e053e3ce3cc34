"""When observing the legs wins: tracking errors by motors, platform and legs, with wrong geometry.

    python benchmarks/vision.py    # ten minutes; writes docs/figures/vision.csv, or goes on with it

Every row is one run: a robot whose joints are elsewhere than in the model of its controller, by
random draws, and the error of its true pose from 0.15 s on.  ``docs/figures/vision.py`` draws them
and prints the tables of docs/vision.md.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import gough
from gough import control, motion, vision

TABLE = Path(__file__).resolve().parents[1] / "docs" / "figures" / "vision.csv"
COLUMNS = (
    *("robot", "control", "kind", "error", "noise", "rate", "draw"),
    *("rms_mm", "max_mm", "rms_mrad", "max_mrad"),
)
CAMERAS = {
    "quattro": ((0.0, 0.0, 0.5), (0.001, 0.0, -0.6)),  # on the frame, looking down
    "gough_stewart": ((0.0, 0.0, -0.6), (0.0, 0.0, 0.4)),  # below the base, looking up
}
ERRORS, NOISES, RATES, DRAWS = (0.0, 1e-4, 3e-4, 1e-3), (0.0, 0.1, 0.5), (100, 250, 500, 1000), 2
KINDS = {
    "quattro": ("positions", "zeros"),  # with its axes turned it would not move at all
    "gough_stewart": ("positions", "axes", "zeros"),
}
MORE = 6  # draws of the largest error, to see how much a draw decides
BANDWIDTH, RADIUS, RATE, SINCE = 60.0, 0.015, 500, 0.15


class PoseByEncoders:
    """Computed torque on the platform, whose pose the model finds from the encoders."""

    def __init__(self, model: gough.Robot, task: Any) -> None:
        self.period, self.delay, self.reference, self.model = 1e-3, 0.0, task, model
        self.inner = control.computed_torque(
            model, task, space="platform", bandwidth=BANDWIDTH, period=self.period
        )
        self.near = task(0.0).T_0p

    def start(self, count: int) -> None:
        """Called before a simulation."""
        self.near = self.reference(0.0).T_0p
        self.inner.start(count)

    def efforts(self, t: float, measured: control.Measured) -> np.ndarray:
        """Efforts for the pose that the encoders show."""
        q, qd = measured.q[0], measured.qd[0]
        found = gough.state_from_motors(self.model, q, qd, near=self.near)
        self.near = found.T_0p
        seen = measured._replace(T_0p=found.T_0p[None], V_0p=found.V_0p[None])
        return self.inner.efforts(t, seen)


class Bench:
    """One robot with its task, its cameras and its misplaced twins."""

    def __init__(self, name: str) -> None:
        self.name, self.model = name, gough.zoo.load(name)
        end = np.array(self.model.home_pose)
        end[:3, 3] += [0.05, 0.03, -0.04]
        stroke = motion.point_to_point(self.model, None, end, duration=0.3)
        self.task = stroke.then(motion.hold(self.model, end, 0.1))
        self._laws: dict[tuple[Any, ...], Any] = {}
        self._plants: dict[tuple[Any, ...], tuple[gough.Robot, np.ndarray]] = {}

    def plant(self, kind: str, error: float, draw: int) -> tuple[gough.Robot, np.ndarray]:
        """A robot with its joints elsewhere, and where it starts."""
        key = (kind, error, draw)
        if key not in self._plants:
            kinds = (kind,) if kind in KINDS[self.name] else KINDS[self.name]
            amounts = dict.fromkeys(kinds, error) if error else {}
            robot = control.perturb(self.model, seed=draw, **amounts)
            p = self.task(0.0).T_0p[:3, 3]
            start = gough.state(robot, [*p, *[0.0] * (robot.mobility - 3)]).T_0p
            self._plants[key] = robot, start
        return self._plants[key]

    def law(self, how: str, error: float, noise: float, rate: int) -> Any:
        """A controller by its name; what looks at legs is told how far geometry may be off."""
        off = max(2.0 * error, 2e-4)
        key = (how, off if how.startswith("legs") else 0.0, noise, rate)
        if key not in self._laws:
            self._laws[key] = self._made(how, off, noise, rate)
        return self._laws[key]

    def _made(self, how: str, off: float, noise: float, rate: int) -> Any:
        options: dict[str, Any] = {"bandwidth": BANDWIDTH}
        if how == "motors":
            return control.computed_torque(self.model, self.task, period=2.5e-4, **options)
        if how == "platform, by encoders":
            return PoseByEncoders(self.model, self.task)
        if how == "platform, exact pose":
            options |= {"period": 1.0 / rate, "delay": 1.0 / rate}
            return control.computed_torque(self.model, self.task, space="platform", **options)
        position, target = CAMERAS[self.name]
        camera = vision.Camera(
            vision.looking(position, target), 600.0, rate=rate, delay=1.0 / rate, noise=noise
        )
        more: dict[str, Any] = {}
        if how == "legs and encoders":
            more = {"encoders": self.model.motors, "encoder_error": off}
        if how == "legs, camera turned":
            T = np.array(camera.T_0c)
            T[:3, :3] = T[:3, :3] @ np.array(gough.Frame.from_rpy((0, 0, 0), (1e-3, 0, 0)).rotation)
            more = {"believed": vision.Camera(T, 600.0)}
        sight = vision.Sight(camera, radius=RADIUS, direction_error=off, **more)
        return control.computed_torque(self.model, self.task, space="legs", camera=sight, **options)

    def run(self, how: str, kind: str, error: float, noise: float, rate: int, draw: int) -> Any:
        """One row of the table."""
        plant, start = self.plant(kind, error, draw)
        run = gough.simulate(
            plant, start, self.law(how, error, noise, rate), self.task.duration, stop_at=()
        )
        row = [self.name, how, kind, error, noise, rate, draw]
        late = run.t >= SINCE
        for off in (run.tracking.position, run.tracking.rotation):
            found = 1e3 * off[late]
            lost = run.event is not None
            rms = np.nan if lost else np.sqrt((found**2).mean())
            row += [f"{rms:.4g}", f"{np.nan if lost else found.max():.4g}"]
        return row


def cases(name: str) -> Iterator[tuple[Any, ...]]:
    """What is run: control, kind of error, how much, noise, rate, draw."""
    for error in ERRORS:
        for draw in range(DRAWS if error else 1):
            for how in ("motors", "platform, by encoders", "platform, exact pose"):
                yield how, "all", error, 0.0, RATE, draw
            for noise in NOISES:
                yield "legs", "all", error, noise, RATE, draw
            yield "legs and encoders", "all", error, 0.1, RATE, draw
    for kind in KINDS[name]:
        for draw in range(DRAWS):
            yield "motors", kind, ERRORS[-1], 0.0, RATE, draw
            yield "legs", kind, ERRORS[-1], 0.1, RATE, draw
    for rate in RATES:
        for error, noise in ((0.0, 0.1), (0.0, 0.5)):
            yield "legs", "rates", error, noise, rate, 0
        yield "platform, exact pose", "rates", 0.0, 0.0, rate, 0
    yield "legs, camera turned", "all", 0.0, 0.1, RATE, 0
    for draw in range(MORE):
        for how, noise in (("motors", 0.0), ("legs", 0.1), ("legs", 0.5)):
            yield how, "draws", ERRORS[-1], noise, RATE, draw


def main() -> None:
    """All rows that the table does not have yet."""
    known = set()
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            known = {tuple(row[:7]) for row in csv.reader(file)}
    with TABLE.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not known:
            writer.writerow(COLUMNS)
        for name in CAMERAS:
            bench = Bench(name)
            for case in cases(name):
                if tuple(map(str, (name, *case))) not in known:
                    writer.writerow(bench.run(*case))
                    file.flush()


if __name__ == "__main__":
    main()
