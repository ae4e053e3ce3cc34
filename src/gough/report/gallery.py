"""Which figures a report has, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gough.analysis.bearings_result import BearingLoads
from gough.analysis.result import Analysis
from gough.errors import InputError, shown
from gough.mechanism.mobility.singular import NEAR
from gough.report import bearings, crossings, elastic, margins, motors, pictures, reach, tracking
from gough.report.course import Course, of_analysis, of_simulation
from gough.report.parts import check_without
from gough.robot import Robot
from gough.singularity.crossing.result import Crossing
from gough.singularity.workspace.result import Workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Shown(NamedTuple):
    """A figure of a report.

    Attributes:
        key: short name, of its file too.
        section: where it belongs: motion, motors, bearings, elastic, energy, singularities or
            simulation.
        caption: what is seen.
        make: draws it.
        raster: whether it has so many shapes that only a raster of pixels is small.
    """

    key: str
    section: str
    caption: str
    make: Callable[[], Figure]
    raster: bool = False


@dataclass(frozen=True, eq=False)
class Material:
    """What a report is made of.

    Attributes:
        robot: the machine.
        analysis: of a motion, if there is one.
        simulation: if there is one.
        plan: course of the analysis; ``run``: of the simulation.
        crossing: of the planned motion, if it passes Type 2 singularities.
        without: parts that are left out.
    """

    robot: Robot
    analysis: Analysis | None
    simulation: Any
    plan: Course | None
    run: Course | None
    crossing: Crossing | None = None
    without: tuple[str, ...] = ()

    @property
    def main(self) -> Course:
        """The course that is shown first."""
        found = self.plan if self.plan is not None else self.run
        if found is None:
            raise InputError(
                "a report needs an analysis, a simulation or both",
                hint="report.write_report(path, robot=robot, analysis=gough.analyse(...)).",
            )
        return found

    @cached_property
    def bearings(self) -> BearingLoads | str:
        """Forces in the joints, or a sentence why there are none; empty if they are left out."""
        if "bearings" in self.without:
            return ""
        return bearings.found_in(self.analysis, self.simulation, self.run)

    @cached_property
    def elastic(self) -> elastic.Elastic | str:
        """Stiffness and vibrations, or why not; empty where there are no elastic data."""
        if "elastic" in self.without:
            return ""
        return elastic.found_in(self.robot, self.analysis, self.simulation, self.main)

    @cached_property
    def workspace(self) -> Workspace | str:
        """A section around the path, or a sentence why there is none; empty if it is left out."""
        return "" if "workspace" in self.without else reach.section(self.main)


def material(
    robot: Robot,
    analysis: Analysis | None,
    simulation: Any,
    crossing: Crossing | None = None,
    without: Collection[str] = (),
) -> Material:
    """What a report is made of, checked."""
    if crossing is not None and not isinstance(crossing, Crossing):
        raise InputError(
            f"crossing is {shown(crossing)}, expected what gough.crossing(robot, motion) gives",
            argument="crossing",
        )
    plan = None if analysis is None else of_analysis(analysis)
    run = None if simulation is None else of_simulation(simulation)
    found = Material(robot, analysis, simulation, plan, run, crossing, check_without(without))
    for course in (plan, run, crossing):
        if course is not None and course.robot.motors != robot.motors:
            raise InputError(
                f"the results are of {course.robot.name}, with other motors than {robot.name}",
                argument="robot",
            )
    if not len(found.main.good):
        raise InputError(
            "no sample of the motion can be: there is nothing to show",
            hint=analysis.violations[0].sentence if analysis and analysis.violations else "",
        )
    return found


def gallery(m: Material) -> Iterator[Shown]:
    """The figures of a report, in reading order."""
    yield from _of_motion(m.main)
    section = m.workspace
    if not isinstance(section, str):
        caption = reach.caption(m.main, section)
        yield Shown("workspace", "workspace", caption, lambda: reach.figure(m.main, section))
    yield from _of_motors(m)
    carried = m.bearings
    if not isinstance(carried, str) and bearings.most_loaded(carried):
        caption = "Forces in the joints that carry the most."
        yield Shown("bearings", "bearings", caption, lambda: bearings.figure(carried))
    gives_way = m.elastic
    if not isinstance(gives_way, str):
        caption = elastic.caption(gives_way)
        yield Shown("elastic", "elastic", caption, lambda: elastic.figure(gives_way), raster=True)
    book = "Energy and work" + (" of the planned motion." if m.plan and m.run else ".")
    yield Shown(
        "energy",
        "energy",
        f"{book} Below: work less change of energy and losses, which should be zero but for "
        "errors of the sums over time.",
        lambda: margins.energy(m.main),
    )
    analysis, passed, run = m.analysis, m.crossing, m.simulation
    if analysis is not None:
        every = f"{len(analysis.conditioning.samples)} of {len(analysis.t)} samples"
        yield Shown(
            "singularities",
            "singularities",
            "Smallest singular values of Jacobians in natural units: lengths in units of the "
            f"robot's size. Zero is a singularity; the red strip, below {NEAR:g}, is too near. "
            f"Legs are looked at in {every}, closest around the worst.",
            lambda: margins.singularities(analysis),
        )
    if passed is not None:
        yield Shown(
            "crossing",
            "singularities",
            crossings.CAPTION + " In colour: the simulation." * (run is not None),
            lambda: crossings.figure(passed, run),
        )
    yield from _of_simulation(m)


def _of_motion(course: Course) -> Iterator[Shown]:
    yield Shown(
        "poses",
        "motion",
        "The robot in poses of the motion, earlier ones faded, and the path of the platform.",
        lambda: pictures.poses(course.robot, course.state.T_0p[course.good]),
        raster=True,
    )
    if pictures.draws_a_path(course):
        caption = "Path of the platform's origin; circle: start, square: end."
        yield Shown("path", "motion", caption, lambda: pictures.path(course))
    caption = "Speed and acceleration of the platform."
    yield Shown("pace", "motion", caption, lambda: pictures.pace(course))


def _of_motors(m: Material) -> Iterator[Shown]:
    course = m.main
    # a root mean square is no instant
    times = [v.time for v in m.analysis.violations if v.kind != "motor_rms"] if m.analysis else []
    wrong = times if m.analysis else _end(m.simulation)
    whose = "" if m.plan else " in the simulation"
    both = ", at the joints' axes and behind the transmissions" if motors.geared(course) else ""
    lines = (" Red lines: violations." if m.analysis else " Red: where it stopped.") * bool(wrong)
    rated = any(one.uses for one in course.sizing)
    limited = {
        "efforts": rated or any(one.effort_limit is not None for one in course.sizing),
        "speeds": rated or any(one.speed_limit is not None for one in course.sizing),
    }
    for key, draw in (("efforts", motors.efforts), ("speeds", motors.speeds)):
        dashed = "; dashed: limits" * limited[key]
        caption = f"{key.capitalize()} of the motors{whose}{both}{dashed}.{lines}"
        yield Shown(key, "motors", caption, partial(draw, course, wrong))
    yield Shown(
        "power",
        "motors",
        "Power on the motors' shafts. The supply sees the sum; what is below zero goes into "
        "the supply or into a brake resistor.",
        lambda: motors.power(course, wrong),
    )
    yield Shown(
        "torque_speed",
        "motors",
        "Effort against speed on the motors' shafts; diamond: RMS effort at mean speed."
        + " Dashed: what the motor can give at that speed, or limits of the axis, where they are "
        "near."
        * any(limited.values())
        + " Dotted: its continuous torque, which the diamond has to stay below." * rated,
        lambda: motors.plane(course),
    )


def _of_simulation(m: Material) -> Iterator[Shown]:
    plan, run, simulation = m.plan, m.run, m.simulation
    if run is None:
        return
    wrong = _end(simulation)
    if simulation.tracking is not None:
        caption = "Errors against the motion that was asked for."
        yield Shown("tracking", "simulation", caption, lambda: tracking.errors(simulation, wrong))
    if plan is not None:
        yield Shown(
            "simulated_efforts",
            "simulation",
            "Efforts in the simulation, and what inverse dynamics asks for, at the axes.",
            lambda: tracking.compared(plan, run, wrong),
        )
        yield Shown(
            "simulated_energy",
            "simulation",
            "Energy and work of the simulated motion; below, what they miss each other by.",
            lambda: margins.energy(run),
        )


def _end(simulation: Any) -> list[float]:
    """When an event ended the simulation."""
    return [] if simulation.event is None else [simulation.event.time]
