"""A report in words: the summary, the tiles, the rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gough.analysis.sizing import MotorRating, Sizing
from gough.analysis.uses import ROUNDING
from gough.analysis.violations import overloads
from gough.base.english import counted, listed, small
from gough.dynamics.answers.frozen import frozen_notes
from gough.dynamics.answers.motor_limits import unjudged
from gough.report.course import Course
from gough.report.crossings import sentences
from gough.report.differences import differences
from gough.report.figures import length_text, number
from gough.report.gallery import Material
from gough.report.motors import RPM, geared
from gough.robot import Limits
from gough.robot.joint_kinds import PLANE, SLIDE

_UNIT = re.compile(r"(?<=\d) (?=(?:s|m|mm|µm|nm|W|J|N|rpm|rad|rad/s|m/s|m/s²|kg)\b|%)")


class Tile(NamedTuple):
    """A figure worth a large print."""

    name: str
    value: str
    unit: str


def unbroken(sentence: str) -> str:
    """A sentence in which figures and their units stay on one line."""
    sentence = sentence.replace(" N m", "\u00a0N\u00a0m")
    return _UNIT.sub("\u00a0", sentence)


def hardest(course: Course) -> list[Sizing]:
    """The motor that is used most, one for each unit: nearest its limits, or by its peak effort."""
    found: dict[str, Sizing] = {}
    for one in course.sizing:
        best = found.get(one.axis.effort_unit)
        if best is None or _demand(one) > _demand(best):
            found[one.axis.effort_unit] = one
    return list(found.values())


def _looked_at(m: Material) -> list[str]:
    """What a motion was compared with; limits and motors only if something is known of them."""
    axes = [m.robot.axis(name) for name in m.robot.axis_names]
    limited = any(axis.limits != Limits() for axis in axes)
    rated = any(one.uses for one in m.main.sizing)
    known = {"reach": True, "limits": limited, "motors": rated, "singularities": True}
    return [name for name, is_known in known.items() if is_known]


def _demand(one: Sizing) -> tuple[float, float]:
    """The largest share of limits that a motor uses, 0 if none is known, and its peak effort."""
    shares = [use.share for use in one.uses if use.kind in ("motor_peak", "motor_rms")]
    return max([*shares, one.effort_use or 0.0]), one.axis.peak


def path_length(course: Course) -> float:
    """Way of the platform's origin [m]."""
    p = course.state.T_0p[course.good, :3, 3]
    return float(np.linalg.norm(np.diff(p, axis=0), axis=1).sum())


def summary(m: Material) -> list[str]:
    """The report in a few sentences, for the top of the page."""
    course = m.main
    found = [
        _of_pace(course),
        *(_of_motor(course, one) for one in hardest(course)),
        _of_bus(course),
    ]
    if m.analysis is not None:
        found += [f"The motion was measured: {each}." for each in m.analysis.findings]
        count = len(m.analysis.violations)
        if not count:
            found.append(f"Nothing stands in its way: {listed(_looked_at(m))} are clear.")
            if not any(one.uses for one in course.sizing):
                found.append("No motor data are known, so no motor was judged.")
        else:
            first = m.analysis.violations[0].sentence
            rest = f" {count - 1} more below." if count > 1 else ""
            found.append(f"It cannot be recommended as it is. {first}{rest}")
    found += unjudged(m.robot)
    if m.crossing is not None:
        found += sentences(m.crossing, m.simulation)
    if m.simulation is not None:
        found += _of_machine(m)
        found.append(_of_simulation(m.simulation))
    return [unbroken(sentence) for sentence in found]


def _of_pace(course: Course) -> str:
    duration = course.t[-1] - course.t[0]
    speed = np.linalg.norm(course.state.V_0p[:, :3], axis=1).max()
    hard = np.linalg.norm(course.state.Vdot_0p[:, :3], axis=1).max()
    way = path_length(course)
    if way > 1e-6:
        return (
            f"In {number(duration)} s the platform covers {number(way)} m, at up to "
            f"{number(speed)} m/s and {number(hard)} m/s²."
        )
    turn = np.linalg.norm(course.state.V_0p[:, 3:], axis=1).max()
    if turn < 1e-9:
        return f"For {number(duration)} s the platform rests."
    return f"In {number(duration)} s the platform turns at up to {number(turn)} rad/s."


def _of_motor(course: Course, one: Sizing) -> str:
    a, b = one.axis, one.motor
    if a.peak < 1e-12:
        return "The motors give no effort."
    among = {"N m": "Of the turning motors ", "N": "Of the sliding motors "}[a.effort_unit]
    who = f"{among}{one.name}" if len(hardest(course)) > 1 else f"Motor {one.name}"
    known = one.uses or one.effort_use is not None
    verb = "is nearest its limits" if known else "needs the most"
    text = (
        f"{who} {verb}: {number(a.peak)} {a.effort_unit} at the peak and "
        f"{number(a.rms)} {a.effort_unit} RMS at its axis"
    )
    if geared(course) and one.ratio != 1.0:
        text += f", {number(b.peak)} and {number(b.rms)} {b.effort_unit} on its shaft"
    text += f", at up to {speed_text(b, rpm=one.ratio != 1.0)}"
    if one.effort_use is not None:
        text += f"; that is {number(100.0 * one.effort_use)} % of its effort limit"
    said = {
        "motor_peak": "of the torque it has at the speed of the instant",
        "motor_rms": "of its continuous torque by RMS",
    }
    parts = [
        f"{number(100.0 * use.share)} % {said[use.kind]}"
        for use in one.uses
        if use.kind in said and np.isfinite(use.share)
    ]
    if parts:
        text += f"; on its shaft it uses up to {listed(parts)}"
    return text + "."


def speed_text(f: MotorRating, *, rpm: bool) -> str:
    """A speed, of a turning shaft also in turns a minute."""
    if f.speed_unit != "rad/s" or not rpm:
        return f"{number(f.speed)} {f.speed_unit}"
    return f"{number(f.speed)} rad/s ({f.speed * RPM:.0f} rpm)"


def _of_bus(course: Course) -> str:
    total = np.asarray(course.motor.power).sum(axis=1)
    known = total[np.isfinite(total)]
    text = f"Together the motors take at most {number(max(known.max(), 0.0))} W"
    if known.min() < 0.0:
        text += f" and give back up to {number(-known.min())} W"
    return text + "."


def _of_machine(m: Material) -> list[str]:
    """Sentences about differences between the simulated machine and the model."""
    found = differences(m.robot, m.simulation.robot)
    return [f"The simulated machine is not the model: {', '.join(found)}."] if found else []


def _of_simulation(simulation: Any) -> str:
    end = f"{number(simulation.t[-1])} s"
    text = f"Simulated for {end}"
    if simulation.event is not None:
        text = f"The simulation stopped at {end}: {reason(simulation).rstrip('.')}"
    if simulation.tracking is not None:
        position = float(np.nanmax(np.abs(simulation.tracking[0])))
        text += f"; the platform stays within {length_text(position)} of the motion"
    return text + "."


def reason(simulation: Any) -> str:
    """Why a simulation stopped, without the name of the robot, which the page has already."""
    return str(simulation.event.reason).removeprefix(f"{simulation.robot.name}: ")


def tiles(m: Material) -> list[Tile]:
    """Figures for the top of the page."""
    course = m.main
    found = [Tile("duration", number(course.t[-1] - course.t[0]), "s")]
    for unit in dict.fromkeys(one.axis.effort_unit for one in course.sizing):
        alike = [one.axis for one in course.sizing if one.axis.effort_unit == unit]
        found.append(Tile("largest peak effort", number(max(a.peak for a in alike)), unit))
        found.append(Tile("largest RMS effort", number(max(a.rms for a in alike)), unit))
    total = np.asarray(course.motor.power).sum(axis=1)
    found.append(Tile("peak power", number(float(np.nanmax(total))), "W"))
    if m.analysis is not None:
        least = np.nanmin(m.analysis.conditioning.type_2)
        found.append(Tile("distance to Type 2", number(float(least)), ""))
    if m.simulation is not None and m.simulation.tracking is not None:
        text = length_text(float(np.nanmax(np.abs(m.simulation.tracking[0]))))
        value, _, unit = text.partition(" ")
        found.append(Tile("tracking error", value, unit))
    return found


def sizing_rows(course: Course, side: str) -> list[dict[str, str]]:
    """Rows of the table of motors, on one side of the transmissions."""
    rows = []
    for one in course.sizing:
        f: MotorRating = getattr(one, side)
        rpm = f.speed_unit == "rad/s" and side == "motor"
        units = dict.fromkeys(("peak", "rms", "holding"), f.effort_unit)
        units |= dict.fromkeys(("speed", "mean_speed"), f.speed_unit)
        units |= dict.fromkeys(("power", "braking", "mean_power"), "W") | {"regenerated": "J"}
        cells = {name: _cell(getattr(f, name), unit) for name, unit in units.items()}
        rows.append({"motor": one.name, **cells, "rpm": f"{f.speed * RPM:.0f}" if rpm else ""})
    return rows


def _cell(value: float, unit: str) -> str:
    """A figure of a table."""
    return f"{number(value, full=True)} {unit}" if np.isfinite(value) else "–"


_SHAFT = {
    "motor_peak": "peak on the shaft",
    "motor_rms": "RMS on the shaft",
    "motor_holding": "holding on the shaft",
    "motor_speed": "speed of the shaft",
}
"""Names of the uses of a motor's data."""


class Use(NamedTuple):
    """How much of a limit a motor uses, and what it needs at worst."""

    motor: str
    what: str
    share: float
    worst: float
    limit: float
    unit: str


def uses(course: Course) -> Iterator[Use]:
    """Axes and shafts of the motors against their limits, where they have any."""
    for one in course.sizing:
        f = one.axis
        for what, share, worst, limit, unit in (
            ("effort", one.effort_use, f.peak, one.effort_limit, f.effort_unit),
            ("speed", one.speed_use, f.speed, one.speed_limit, f.speed_unit),
        ):
            if share is not None and limit is not None:
                yield Use(one.name, what, share, worst, limit, unit)
        for use in one.uses:
            yield Use(one.name, _SHAFT[use.kind], use.share, use.value, use.limit, use.unit)


def exceeded(course: Course) -> list[str]:
    """Limits that the motors of a simulation pass, in sentences."""
    verbs = {"effort": "needs", "speed": "runs at"}
    found = [
        f"In the simulation motor {use.motor} {verbs[use.what]} up to {number(use.worst)} "
        f"{use.unit}, {100.0 * use.share:.0f} % of its limit of {number(use.limit)} {use.unit}."
        for use in uses(course)
        if use.what in verbs and use.share > 1.0 + ROUNDING
    ]
    for one in overloads(course.sizing, float(course.t[-1] - course.t[0])):
        found.append(f"In the simulation {one.sentence[0].lower()}{one.sentence[1:]}")
    return found


def obstacles(m: Material) -> list[str]:
    """Violations of a motion, in sentences."""
    found = []
    if m.simulation is not None and m.simulation.event is not None:
        when = m.simulation.event.time
        found.append(f"The simulation stopped at {when:.4g} s: {reason(m.simulation)}")
    if m.analysis is not None:
        found += [violation.sentence for violation in m.analysis.violations]
    if m.run is not None:
        found += exceeded(m.run)
    return [unbroken(sentence) for sentence in found]


def verdict(m: Material) -> str:
    """Two or three words."""
    if m.analysis is not None and m.analysis.violations:
        return "not feasible"
    if m.simulation is not None and m.simulation.event is not None:
        return "stopped early"
    if m.run is not None and exceeded(m.run):
        return "beyond limits"
    return "feasible" if m.analysis is not None else "ran to the end"


def use_rows(course: Course) -> list[dict[str, Any]]:
    """How much of its limits every motor uses; none if no motor has any."""
    return [
        {
            "motor": use.motor,
            "what": use.what,
            "percent": f"{100.0 * use.share:.0f}" if np.isfinite(use.share) else "∞",
            "width": f"{min(100.0 * use.share, 100.0):.1f}",
            "over": use.share > 1.0,
            "limit": f"{number(use.limit)} {use.unit}",
        }
        for use in uses(course)
    ]


def simulated_rows(m: Material) -> list[dict[str, str]]:
    """Peak and RMS efforts of plan and simulation side by side."""
    if m.plan is None or m.run is None:
        return []
    return [
        {
            "motor": a.name,
            "peak": _cell(a.axis.peak, a.axis.effort_unit),
            "peak_simulated": _cell(b.axis.peak, a.axis.effort_unit),
            "rms": _cell(a.axis.rms, a.axis.effort_unit),
            "rms_simulated": _cell(b.axis.rms, a.axis.effort_unit),
        }
        for a, b in zip(m.plan.sizing, m.run.sizing, strict=True)
    ]


def worth(m: Material) -> list[str]:
    """Sentences on the accuracy of the figures."""
    found = [f"In this machine {note}." for note in frozen_notes(m.robot.assembly)]
    if m.analysis is not None:
        certificate = m.analysis.certificate
        if certificate is not None:
            names = ", ".join(certificate.efforts)
            count = int(np.size(certificate.closure))
            found.append(
                f"Four methods ({names}) give the same efforts to "
                f"{small(m.analysis.agreement or 0.0)} relative, at {counted(count, 'sample')}; "
                f"loops close to {small(float(np.max(certificate.closure)))} of the robot's size."
            )
        if np.isfinite(m.analysis.balance.relative):
            found.append(
                "Work of the motors and change of energy agree to "
                f"{small(m.analysis.balance.relative)} of the largest energy."
            )
        lost = int(m.analysis.failed.sum())
        if lost:
            share = 100.0 * lost / len(m.analysis.t)
            found.append(
                f"{lost} of {len(m.analysis.t)} samples ({share:.0f} %) cannot be: figures and "
                "means are those of the rest."
            )
    if m.simulation is not None:
        closure = float(np.nanmax(m.simulation.closure))
        found.append(f"In the simulation all loops stay closed to {small(closure)}.")
        if m.run is not None:
            gone = float(np.nanmax(np.abs(m.run.residual)))
            size = max(float(np.nanmax(np.abs(curve))) for curve in m.run.energies.values())
            found.append(
                "Its work and its change of energy agree to "
                f"{gone / max(size, 1e-300):.1e} of the largest energy."
            )
        found += _of_smoothing(m.simulation)
    return found


def _of_smoothing(simulation: Any) -> list[str]:
    """Sentences on the smoothing speeds of Coulomb friction, and the loss that it misses."""
    units = {
        name: "m/s" if simulation.robot.assembly.axes[name].what in (SLIDE, PLANE) else "rad/s"
        for name in simulation.smoothing
    }
    found = []
    for unit in sorted(set(units.values())):
        speeds = [speed for name, speed in simulation.smoothing.items() if units[name] == unit]
        least, most = (f"{f(speeds):.2g}" for f in (min, max))
        found.append(least if least == most else f"{least} to {most}")
        found[-1] += f" {unit}"
    if not found:
        return []
    missed, loss = (float(x[-1]) for x in (simulation.missed_loss, simulation.loss))
    sentence = (
        f"Its Coulomb friction is smoothed over {' and '.join(found)}, which leaves out "
        f"{number(missed)} J beside {number(loss)} J that friction takes."
    )
    name = f"{simulation.robot.name}: "
    return [sentence, *(f"{one.removeprefix(name)}." for one in simulation.findings)]
