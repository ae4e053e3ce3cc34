"""What went into a report: the machine, its loads and motion, its controller, the computation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough._version import __version__
from gough.dynamics.shared.sharing import EffortSharing
from gough.report import dimensions, machine_inputs
from gough.report.blocks import Block, facts, vector
from gough.report.figures import number
from gough.report.gallery import Material
from gough.report.load_words import load_lines

_SHORT = 12  # numbers of an array that are written out


def inputs(m: Material) -> list[Block]:
    """Tables of everything that the figures depend on, in reading order."""
    robot = m.robot
    found = [
        machine_inputs.machine(robot),
        dimensions.lengths(robot),
        dimensions.attachments(robot),
        machine_inputs.masses(robot),
        machine_inputs.drives(robot),
        machine_inputs.friction(robot),
        machine_inputs.limits(robot),
        _loads(m),
        _motion(m),
        _simulation(m),
        _computation(m),
    ]
    return [block for block in found if block.rows]


def _loads(m: Material) -> Block:
    lines: list[tuple[str, str]] = []
    if m.analysis is not None:
        lines = load_lines(m.analysis.loads, m.analysis.t)
    acting = getattr(m.simulation, "loads", None)
    if acting is not None:
        simulated = load_lines(acting, m.simulation.t)
        if not lines:
            lines = simulated
        elif simulated != lines:
            lines += [(f"{heading}, simulated", fact) for heading, fact in simulated]
    return facts("Loads", lines)


def _motion(m: Material) -> Block:
    analysis, simulation = m.analysis, m.simulation
    if analysis is None:
        reference = getattr(simulation, "reference", None)
        label = getattr(reference, "label", "")
        known = getattr(reference, "parameters", {})
    else:
        label, known = analysis.label, analysis.parameters
    course = m.main
    duration = float(course.t[-1] - course.t[0])
    pairs = [("motion", str(label)), ("duration", f"{number(duration, digits=6)} s")]
    said = parameter_lines(known)
    note = "Arguments of the motion in m, rad, s and Hz." if said else ""
    return facts("The motion", [*pairs, *said], note)


def parameter_lines(known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Arguments of a motion, those that are not given left out; parts of a chain one by one."""
    found = []
    for name, value in known.items():
        if isinstance(value, Mapping) and "kind" in value:
            inner = ", ".join(f"{key} {text}" for key, text in parameter_lines(value))
            found.append((name, inner))
        elif value is not None and name not in ("kind", "duration"):
            found.append((name, _value(value)))
    return found


def _value(value: Any) -> str:
    """An argument as text, long arrays by their shape."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(each)}" for key, each in value.items())
    if isinstance(value, bool) or isinstance(value, str):
        return str(value)
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return type(value).__name__
    if array.ndim == 0:
        return number(float(array), digits=6)
    if array.ndim == 1 and array.size <= _SHORT:
        return vector(array)
    return f"array of shape {array.shape}"


def _simulation(m: Material) -> Block:
    return facts("The simulation", getattr(m.simulation, "inputs", ()))


def _computation(m: Material) -> Block:
    pairs = [("library", f"gough {__version__}")]
    if m.analysis is not None:
        count, t = len(m.analysis.t), m.analysis.t
        rate = (count - 1) / (t[-1] - t[0])
        pairs += [
            ("inverse dynamics", f"method {m.analysis.method!r}"),
            ("samples", f"{count}, {number(rate, digits=4)} a second on average"),
            ("shared efforts", _share(m.analysis.share)),
        ]
    if m.simulation is not None:
        pairs.append(("simulated instants", str(len(m.simulation.t))))
    return facts("The computation", pairs)


def _share(share: EffortSharing | None) -> str:
    if share is None:
        return ""
    given = ("weights", "bounds", "preload")
    said = [f"{n} {_value(v)}" for n in given if (v := getattr(share, n)) is not None]
    return ", ".join(said) or "smallest sum of squares"
