"""A scenario and its run: inverse dynamics along the motion, then a simulated machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gough.cli.scenario.efforts import make_efforts
from gough.cli.scenario.loads import known_loads
from gough.cli.scenario.parts import call, make_plant
from gough.cli.scenario.places import at_key
from gough.cli.scenario.schema import InverseEntry, OutputEntry, ScenarioEntry, SimulationEntry
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.errors import InputError, shown
from gough.evaluation.loops.state import state
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.robot.file.document import Document
from gough.states.state import State

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run gave.

    Attributes:
        scenario: that was run.
        robot: the described machine.
        motion: a :class:`gough.motion.Motion`, or ``None``.
        analysis: a :class:`gough.analysis.Analysis` of the motion, or ``None``.
        simulation: a :class:`gough.simulation.Simulation`, or ``None``.
        seconds: that it took.
    """

    scenario: Scenario
    robot: Robot
    motion: Any
    analysis: Any
    simulation: Any
    seconds: float


@dataclass(frozen=True, eq=False)
class Scenario:
    """A robot, a motion, and what is asked of them.

    Attributes:
        path: of the file.
        text: of the file.
        document: its data and lines, for errors.
        entry: its entries, checked.
        robot: the described machine.
        motion: a :class:`gough.motion.Motion`, or ``None``.
        loads: what acts on the machine.
    """

    path: Path
    text: str
    document: Document
    entry: ScenarioEntry
    robot: Robot
    motion: Any
    loads: Loads | LoadSchedule

    @property
    def label(self) -> str:
        """Free text of the file, or the file's name."""
        return self.entry.label or self.path.stem

    @property
    def folder(self) -> Path:
        """Where paths of the file start."""
        return self.path.resolve().parent

    @property
    def output(self) -> OutputEntry:
        """What is written, and where."""
        return self.entry.output or OutputEntry()

    @property
    def without(self) -> tuple[str, ...]:
        """Parts that the report leaves out."""
        return tuple(self.output.without or ())

    @property
    def analyses(self) -> bool:
        """Whether inverse dynamics are asked for."""
        return self.motion is not None and self.entry.inverse_dynamics is not False

    @property
    def simulates(self) -> bool:
        """Whether a simulation is asked for."""
        return self.entry.simulation is not None

    def run(self, progress: Progress | None = None) -> Outcome:
        """Do what the file asks for.

        Args:
            progress: is called with the share done, 0 to 1, now and then.

        Raises:
            GoughError: a part of it cannot be; says file, line and key.
        """
        report_share = progress or (lambda _share: None)
        began = time.perf_counter()
        report_share(0.0)
        ready = self._ready() if self.simulates else None  # errors before long work
        analysis = self.analyse() if self.analyses else None
        done = 0.3 if self.analyses else 0.0
        report_share(done)
        simulation = None
        if ready is not None:
            simulation = self._simulated(
                ready, lambda share: report_share(done + (1.0 - done) * share)
            )
        report_share(1.0)
        seconds = time.perf_counter() - began
        return Outcome(self, self.robot, self.motion, analysis, simulation, seconds)

    def analyse(self) -> Any:
        """Inverse dynamics along the motion, a :class:`gough.analysis.Analysis`."""
        from gough.analysis import analyse

        if self.motion is None:
            raise self._refused("", "there is no motion to analyse")
        asked = self.entry.inverse_dynamics
        options = asked if isinstance(asked, InverseEntry) else InverseEntry()
        with at_key(self.document, "motion"):
            return analyse(self.robot, self.motion, loads=self.loads, **options.given())

    def simulate(self, progress: Progress | None = None) -> Any:
        """The simulated run, a :class:`gough.simulation.Simulation`."""
        if self.entry.simulation is None:
            raise self._refused("", "there is no simulation")
        return self._simulated(self._ready(), progress)

    def _ready(self) -> tuple[Robot, Any, Any, float, dict[str, Any]]:
        """Machine, state, drive, end and options of the simulation."""
        entry = self.entry.simulation or SimulationEntry()
        plant = make_plant(self.robot, self.entry, self.document)
        start = self._start(entry, plant)
        drive = self._drive(entry, plant, start.T_0p)
        t_end = entry.t_end if entry.t_end is not None else self.motion.duration
        chosen = entry.given("integrator", "step", "output_step", "rtol", "atol", "method")
        if entry.stop_at is not None:
            chosen["stop_at"] = tuple(entry.stop_at)
        return plant, start, drive, t_end, {**chosen, "loads": self.loads}

    def _simulated(self, ready: tuple[Any, ...], progress: Progress | None) -> Any:
        from gough.simulation.simulate import simulate

        *what, options = ready
        with at_key(self.document, "simulation"):
            return simulate(*what, **options, progress=progress)

    def _start(self, entry: SimulationEntry, plant: Robot) -> State:
        """State at the start."""
        given = entry.start
        if given is None:
            given = "motion" if self.motion is not None else "home"
        with at_key(self.document, "simulation.start"):
            if given == "motion" and self.motion is not None:
                start = self.motion(0.0)
            elif given == "home":
                start = State(assembled(plant).T_home)
            elif isinstance(given, str):
                message = (
                    "there is no motion" if given == "motion" else f"unknown word {shown(given)}"
                )
                raise InputError(message, hint="Known: motion, home, freedoms, or a matrix.")
            elif np.ndim(given) == 2:
                start = State(given)
            else:
                start = state(plant, given)
        if entry.velocity is not None:
            with at_key(self.document, "simulation.velocity"):
                x = assembled(plant).chart.coordinates(start.T_0p)[list(assembled(plant).free)]
                start = state(plant, x, entry.velocity)
        return State(start.T_0p, start.V_0p)

    def _drive(self, entry: SimulationEntry, plant: Robot, T_0p: np.ndarray) -> Any:
        """What moves the machine: a controller that knows what is described, or efforts."""
        if entry.controller is None:
            given = entry.efforts
            return make_efforts(plant, given, T_0p, self.loads, self.document, self.folder)
        from gough.simulation import control
        from gough.simulation.control.loop import OPTIONS

        options = entry.controller.given()
        kind, payload = options.pop("kind"), options.pop("payload", None)
        maker = getattr(control, kind)
        with at_key(self.document, "simulation.controller"):
            # it knows friction as it is described, its payload, nothing of forces and plant
            options["loads"] = known_loads(self.loads, payload, self.document)
            return call(maker, (self.robot, self.motion), options, kind, OPTIONS)

    def _refused(self, path: str, message: str) -> InputError:
        line = self.document.place(path).line
        return InputError(f"{self.path}, line {line}: {message}")

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order."""
        motion = self.motion
        simulation = self.entry.simulation
        asked = ["inverse dynamics"] if self.analyses else []
        if simulation is not None:
            under = simulation.controller.kind if simulation.controller else "given efforts"
            asked.append(f"simulation under {under}")
        found = [
            ("scenario", f"{self.path.name}: {self.label}"),
            ("robot", self.robot.name + (f": {self.robot.label}" if self.robot.label else "")),
            ("motion", "" if motion is None else f"{motion.label}, {motion.duration:.4g} s"),
            ("loads", "; ".join(" ".join(line) for line in self._timed_loads())),
            ("asks for", ", ".join(asked)),
            ("plant", ", ".join(f"{k} {v}" for k, v in (self.entry.plant or {}).items())),
        ]
        return [(heading, fact) for heading, fact in found if fact]

    def _timed_loads(self) -> list[tuple[str, str]]:
        """Headings and facts of loads that change in time."""
        return self.loads.lines() if isinstance(self.loads, LoadSchedule) else []

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "scenario": str(self.path),
            "label": self.label,
            "robot": self.robot.name,
            "motion": None if self.motion is None else self.motion.label,
            "duration": None if self.motion is None else self.motion.duration,
            "inverse_dynamics": self.analyses,
            "simulation": self.simulates,
        }
