"""Figures of the motors: efforts, speeds and powers over time, and torque against speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.analysis.sizing import Sizing
from gough.dynamics.answers.motor_limits import motor_limits
from gough.report.course import Course
from gough.report.drawing.style import INK
from gough.report.envelope import FAR as _FAR
from gough.report.envelope import draw_envelope
from gough.report.style import (
    MUTED,
    WARN,
    legend_above,
    mark_times,
    motor_look,
    panels,
    plot_curves,
    sheet,
    time_axis,
    zero_line,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RPM = 60.0 / (2.0 * np.pi)
_AT_AXES = "at the joints' axes"


class Panel(NamedTuple):
    """Curves of motors with the same unit.

    Attributes:
        title: on which side of the transmissions.
        label: of the vertical axis.
        motors: which motors.
        values: their curves ``(K, m)``, of all motors.
        limits: of all motors over time ``(K, m)``; not numbers where there is none.
        lasting: continuous torques of all motors ``(m,)``; likewise.
        word: what the limits are.
    """

    title: str
    label: str
    motors: list[int]
    values: np.ndarray
    limits: np.ndarray
    lasting: np.ndarray
    word: str


def geared(course: Course) -> bool:
    """Whether a motor has a transmission, so that figures at shaft and axis differ."""
    return any(course.robot.axis(name).transmission is not None for name in course.robot.motors)


def efforts(course: Course, wrong: Sequence[float] = ()) -> Figure:
    """Efforts over time against limits, at the axes and on the motors' shafts."""
    return _over_time(course, _panels(course, course.tau, course.motor.torque, "effort"), wrong)


def speeds(course: Course, wrong: Sequence[float] = ()) -> Figure:
    """Speeds over time against limits, at the axes and on the motors' shafts."""
    return _over_time(course, _panels(course, course.qd, course.motor.speed, "speed"), wrong)


def overview(course: Course, q: np.ndarray, wrong: Sequence[float] = ()) -> Figure:
    """Positions ``(K, m)``, speeds and efforts at the axes over time; a column for each unit."""
    units = ["m" if one.axis.speed_unit == "m/s" else "rad" for one in course.sizing]
    none = np.full(q.shape, np.nan)
    shown = []
    for unit in dict.fromkeys(units):
        own = [i for i, u in enumerate(units) if u == unit]
        shown.append(Panel(_AT_AXES, f"position [{unit}]", own, q, none, none[0], ""))
    columns = len(shown)
    shown += _panels(course, course.qd, course.motor.speed, "speed")
    shown += _panels(course, course.tau, course.motor.torque, "effort")
    at_axes = [panel._replace(title="") for panel in shown if panel.title == _AT_AXES]
    return _over_time(course, at_axes, wrong, columns=columns, height=1.8)


def _panels(course: Course, at_axis: Any, at_shaft: Any, what: str) -> list[Panel]:
    sides = [("axis", at_axis)] + ([("motor", at_shaft)] if geared(course) else [])
    found = []
    for side, values in sides:
        figures = [getattr(one, side) for one in course.sizing]
        units = [getattr(f, f"{what}_unit") for f in figures]
        own = side == "motor" or not geared(course)  # on the shaft, or beside it
        limits, word = _limits_over_time(course, side, what, own=own)
        lasting = np.full(len(units), np.nan)
        if own and what == "effort":
            lasting = _known(motor_limits(course.robot).continuous)
        for unit in dict.fromkeys(units):
            motors = [i for i, u in enumerate(units) if u == unit]
            title = _AT_AXES if side == "axis" else "on the motors' shafts"
            label = f"{what} [{unit}]"
            found.append(Panel(title, label, motors, np.asarray(values), limits, lasting, word))
    return found


def _limits_over_time(course: Course, side: str, what: str, *, own: bool) -> tuple[np.ndarray, str]:
    """Limits ``(K, m)`` on a side of the transmissions, and what they are.

    With ``own``, those of the motor's data; of the axis if it has none, or lower ones.
    """
    by_axis = [_limit(one, side, what) for one in course.sizing]
    found = np.tile([np.nan if x is None else x for x in by_axis], (len(course.t), 1))
    word = "limit"
    if own:
        data, speed = motor_limits(course.robot), np.abs(np.asarray(course.motor.speed))
        known = np.isfinite(data.peak if what == "effort" else data.top_speed)
        given = data.torque_at(np.minimum(speed, data.top_speed))
        given = given if what == "effort" else np.broadcast_to(data.top_speed, speed.shape)
        both = found if side == "axis" else np.where(known, np.nan, found)
        if known.all() and not (both < given).any():
            word = {"effort": "peak", "speed": "top speed"}[what]
        found = np.fmin(both, _known(given))
    return found, word


def _known(values: np.ndarray) -> np.ndarray:
    """Not numbers instead of what is infinite."""
    return np.where(np.isinf(values), np.nan, values)


def _limit(one: Sizing, side: str, what: str) -> float | None:
    """A limit of the axis on either side of the transmission, losses and rotor not counted."""
    limit = one.effort_limit if what == "effort" else one.speed_limit
    if limit is None or side == "axis":
        return limit
    ratio = abs(one.ratio)
    return limit / ratio if what == "effort" else limit * ratio


def _over_time(
    course: Course,
    shown: list[Panel],
    wrong: Sequence[float],
    *,
    columns: int = 2,
    height: float = 2.4,
) -> Figure:
    figure, cells = panels(len(shown), min(len(shown), columns), 0.5, height)
    for axes, panel in zip(cells, shown, strict=True):
        if not panel.label.startswith("position"):  # those may be far from zero
            zero_line(axes)
        curves = panel.values[:, panel.motors]
        plot_curves(axes, course.t, curves, course.robot.motors, panel.motors)
        _draw_limits(axes, course.t, panel)
        mark_times(axes, wrong)
        axes.set(ylabel=panel.label, title=panel.title if len(shown) > 1 else "")
        time_axis(axes, course.t)
        if panel.label.endswith("[rad/s]") and panel.title.startswith("on the"):
            _add_rpm(axes)
    legend_above(figure, *cells)
    return figure


def _add_rpm(axes: Axes) -> None:
    rpm = axes.secondary_yaxis("right", functions=(_to_rpm, _from_rpm))
    rpm.set_ylabel("[rpm]")
    rpm.spines["right"].set_visible(False)


def _to_rpm(speed: Any) -> Any:
    return speed * RPM


def _from_rpm(turns: Any) -> Any:
    return turns / RPM


def _draw_limits(axes: Axes, t: np.ndarray, panel: Panel) -> None:
    """Limits as dashed lines, continuous torques as dotted ones; those far away in words."""
    lasting = np.broadcast_to(panel.lasting, panel.limits.shape)
    far = [
        *_draw_levels(axes, t, panel, panel.limits, panel.word, (0, (5, 3))),
        *_draw_levels(axes, t, panel, lasting, "continuous", (0, (1, 2))),
    ]
    if far:
        unit = panel.label[panel.label.index("[") + 1 : -1]
        low, high = axes.get_ylim()
        axes.set_ylim(low, high + 0.12 * (high - low))  # above the curves
        axes.annotate(
            f"limits from {min(far):.4g} {unit} are beyond the scale",
            (1.0, 1.0),
            xycoords="axes fraction",
            xytext=(-2, -2),
            textcoords="offset points",
            ha="right",
            va="top",
            color=MUTED,
            fontsize=8,
        )


def _draw_levels(
    axes: Axes, t: np.ndarray, panel: Panel, levels: np.ndarray, word: str, dashes: Any
) -> list[float]:
    """Levels ``(K, m)`` on both sides of zero; those that are too far away are returned.

    One that all motors share is grey and has its word; where a motor's own is lower, it has the
    motor's colour.
    """
    values = panel.values[:, panel.motors]
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    given = [i for i in panel.motors if np.isfinite(levels[:, i]).any()]
    near = [i for i in given if np.nanmin(levels[:, i]) <= _FAR * largest]
    tops = {float(np.nanmax(levels[:, i])) for i in near}
    for top in tops:
        room = 1.2 * min(top, _FAR * largest)
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, -room), max(high, room))
    shared = len(tops) == 1 and len(near) == len(panel.motors)
    if shared:
        top = tops.pop()
        for sign in (1.0, -1.0):
            axes.axhline(sign * top, color=MUTED, ls=dashes, lw=1.1)
        _name_level(axes, top, word, outside=panel.label.startswith("effort"))
        # where it is the shared one, a motor's own needs no line
        levels = np.where(levels < top, levels, np.nan)
    for i in near:
        if np.isfinite(levels[:, i]).any():
            for sign in (1.0, -1.0):
                colour = motor_look(i)["color"]
                axes.plot(t, sign * levels[:, i], color=colour, ls=dashes, lw=1.1)
    return [float(np.nanmin(levels[:, i])) for i in given if i not in near]


def _name_level(axes: Axes, level: float, word: str, *, outside: bool) -> None:
    """A word for a line across a panel: beside the panel, or above the line's end."""
    axes.annotate(
        word,
        (1.0, level),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0) if outside else (-2, 3),
        textcoords="offset points",
        ha="left" if outside else "right",
        va="center" if outside else "baseline",
        color=MUTED,
        fontsize=8,
    )


def power(course: Course, wrong: Sequence[float] = ()) -> Figure:
    """Power of each motor, and of all together: what supply and brake resistor see."""
    figure, ((each, bus),) = sheet(2.9, 1, 2, sharey=True)
    values = np.asarray(course.motor.power)
    plot_curves(each, course.t, values, course.robot.motors)
    total = values.sum(axis=1)
    bus.plot(course.t, total, color=INK)
    bus.fill_between(course.t, 0.0, total, where=total > 0.0, color=INK, alpha=0.10, lw=0.0)
    bus.fill_between(course.t, 0.0, total, where=total < 0.0, color=WARN, alpha=0.16, lw=0.0)
    for axes, title in ((each, "each motor"), (bus, "all together; below zero it comes back")):
        zero_line(axes)
        axes.set_title(title)
        mark_times(axes, wrong)
        time_axis(axes, course.t)
    each.set_ylabel("power [W]")
    legend_above(figure, each)
    return figure


def plane(course: Course) -> Figure:
    """Torque against speed of every motor on its shaft, within what its data allow."""
    count = len(course.sizing)
    columns = count if count <= 4 else min(-(-count // 2), 4)
    figure, cells = panels(count, columns, 0.6, 2.35)
    units = {(one.motor.effort_unit, one.motor.speed_unit) for one in course.sizing}
    for i, (axes, one) in enumerate(zip(cells, course.sizing, strict=True)):
        speed, torque = np.asarray(course.motor.speed)[:, i], np.asarray(course.motor.torque)[:, i]
        zero_line(axes)
        axes.axvline(0.0, color=MUTED, lw=0.8)
        axes.plot(speed, torque, lw=1.3, **motor_look(i))
        rms, mean = one.motor.continuous
        point = {"mfc": "white", "mec": INK, "mew": 1.3, "ms": 5.5, "zorder": 5}
        axes.plot([mean], [rms], "D", ls="", label="RMS at mean speed", **point)
        draw_envelope(axes, course.robot.axis(one.name).motor, speed, torque)
        _box(axes, one, speed, torque)
        axes.set_title(one.name)
        axes.locator_params(axis="x", nbins=5)
        axes.set_xlabel(f"speed [{one.motor.speed_unit}]")
        if i % columns == 0 or len(units) > 1:
            axes.set_ylabel(f"effort [{one.motor.effort_unit}]")
    if len(units) == 1:
        _share_scales(cells)
    named = [len(axes.get_legend_handles_labels()[1]) for axes in cells]
    legend_above(figure, cells[int(np.argmax(named))])
    return figure


def _box(axes: Axes, one: Sizing, speed: np.ndarray, torque: np.ndarray) -> None:
    """Limits of the axis that the motor's data do not replace; those far away are left out."""
    for kind, what, values, line in (
        ("motor_peak", "effort", torque, axes.axhline),
        ("motor_speed", "speed", speed, axes.axvline),
    ):
        limit = _limit(one, "motor", what)
        largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        if one.use(kind) is None and limit is not None and limit <= _FAR * largest:
            for sign in (1.0, -1.0):
                line(sign * limit, color=MUTED, ls=(0, (5, 3)), lw=1.1)


def _share_scales(cells: Sequence[Axes]) -> None:
    """The same scales in all cells, so that motors can be compared at a glance."""
    xs = np.array([axes.get_xlim() for axes in cells])
    ys = np.array([axes.get_ylim() for axes in cells])
    for axes in cells:
        axes.set_xlim(xs.min(), xs.max())
        axes.set_ylim(ys.min(), ys.max())
