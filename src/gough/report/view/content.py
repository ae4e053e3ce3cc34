"""Everything that a page knows of a robot, as plain data."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gough.base.once import known_of
from gough.dynamics.answers.motor_limits import motor_limits
from gough.dynamics.quantities.axes import shown_axes
from gough.dynamics.quantities.variant import Variant
from gough.errors import GoughError, GoughWarning
from gough.evaluation.loops.closing import Closer
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.leading import leading_motors
from gough.modes.direct import forward_kinematics
from gough.report.drawing.places import Places, places
from gough.report.drawing.sketch import looks_of
from gough.report.view.computing import computing, packed, step_of_motors
from gough.report.view.loading import PageLoads
from gough.report.view.overlay import overlaid
from gough.report.view.playing import played
from gough.report.view.ranges import Ranges, find_ranges
from gough.report.view.shaking import shaking
from gough.report.view.solids import Shapes
from gough.robot.joint_kinds import BALL, SLIDE

STARTS = 64
"""Starts of a search for assembly modes: a few seconds at most; the page says that it searched."""


def content(
    assembly: Assembly, given: Any, workspace: Any = None, loads: Any = None, *, modes: bool
) -> dict[str, Any]:
    """What a page is made of, ready for JSON."""
    acting = PageLoads(assembly, given, loads)
    play = played(assembly, given, acting)
    states, about = _states(assembly, modes=modes)
    loaded = acting.variant
    return {
        **_machine(assembly, loaded),
        "states": states,
        "modes": about,
        "loads": acting.to_dict(),
        "play": play,
        "overlay": overlaid(assembly, workspace),
    }


@known_of(Assembly)
def _machine(assembly: Assembly, loaded: Variant) -> dict[str, Any]:
    """What every page of a robot under such loads has."""
    robot = assembly.robot
    kernels, notes = computing(assembly, loaded)
    ranges = find_ranges(assembly)
    where = _places(assembly, ranges)
    return {
        "robot": robot.name,
        "label": robot.label,
        "mobility": assembly.mobility,
        "kernels": kernels,
        "bodies": [robot.base, *(body.name for body in robot.bodies)],
        "platform": 1 + [body.name for body in robot.bodies].index(robot.platform),
        "platform_point": list(robot.platform_frame.position),
        "joints": [_joint(assembly, each) for each in robot.joints],
        "freedoms": _freedoms(assembly, ranges),
        "axes": [_axis(assembly, name) for name in shown_axes(assembly)],
        "motors": _motors(assembly, ranges),
        "gravity": list(robot.gravity),
        "shapes": Shapes(assembly, *where).to_dict(),
        "bare": Shapes(assembly, *where, bare=True).to_dict() if looks_of(robot) else None,
        "notes": notes,
        "vibrations": shaking(assembly),
    }


def _places(assembly: Assembly, ranges: Ranges) -> tuple[Places, list[Places]]:
    """Where everything is at home, and at the ends of the sliders."""
    home = places(assembly, assembly.equations(assembly.T_home, assembly.home))
    if ranges.ends is None:
        return home, []
    closer, found = Closer(assembly), []
    for k in range(len(ranges.ends.good)):
        state = closer.state(ranges.ends, k)
        found.append(places(assembly, assembly.equations(state.T_0p, state.configuration)))
    return home, found


def _joint(assembly: Assembly, joint: Any) -> dict[str, Any]:
    """A joint: its names, its axes that have positions, and frame A, in which reactions are."""
    known = shown_axes(assembly)
    bodies = [assembly.robot.base, *(body.name for body in assembly.robot.bodies)]
    return {
        "name": joint.name,
        "kind": joint.kind,
        "axes": [known.index(name) for name in joint.axis_names if name in known],
        "parent": bodies.index(joint.parent),
        "frame": np.asarray(joint.parent_frame.matrix)[:3].reshape(-1).tolist(),
    }


def _freedoms(assembly: Assembly, ranges: Ranges) -> list[dict[str, Any]]:
    return [
        {"name": name, "turn": place > 2, "low": float(low), "high": float(high)}
        for name, place, (low, high) in zip(
            assembly.freedoms, assembly.free, ranges.freedoms, strict=True
        )
    ]


def _axis(assembly: Assembly, name: str) -> dict[str, Any]:
    limits = assembly.robot.axis(name).limits.position
    what = assembly.axes[name].what
    return {
        "name": name,
        "turn": what != SLIDE,
        "ball": what == BALL,
        "motor": name in assembly.robot.motors,
        "limits": None if limits is None else [float(value) for value in limits],
    }


def _motors(assembly: Assembly, ranges: Ranges) -> list[dict[str, Any]]:
    robot = assembly.robot
    found = motor_limits(robot)
    at_rest = found.axis_efforts(np.zeros(len(robot.motors)))[1]
    efforts = np.fmin(found.effort, at_rest)
    return [
        {
            "name": name,
            "turn": assembly.axes[name].what != SLIDE,
            "counted": is_turn(assembly.axes[name]),
            "low": float(low),
            "high": float(high),
            "effort": float(effort) if np.isfinite(effort) else None,
            "lead": leading_motors(assembly, k),
        }
        for k, (name, (low, high), effort) in enumerate(
            zip(robot.motors, ranges.motors, efforts, strict=True)
        )
    ]


def _states(assembly: Assembly, *, modes: bool) -> tuple[list[dict[str, Any]], str]:
    """Home, and other assembly modes of the motors' positions at home; how these were found."""
    T_0p, configuration = assembly.start
    found = [_state(assembly, "home", np.asarray(T_0p), configuration)]
    if not modes or not step_of_motors(assembly):
        return found, ""
    q = [assembly.home_values[name] for name in assembly.robot.motors]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GoughWarning)
            all_modes = forward_kinematics(assembly.robot, q, starts=STARTS)
    except GoughError as err:
        return found, f"Assembly modes were not found: {err.message}."
    for mode in all_modes:
        known = [np.asarray(pack(mode.branch.configuration), dtype=float)]
        same = np.abs(known[0] - np.asarray(pack(configuration), dtype=float)).max(initial=0.0)
        if same > 1e-6 and mode.smallest > 0.0:
            found.append(_state(assembly, mode.name, mode.T_0p, mode.branch.configuration))
    return found, f"They were found by {all_modes.method}." if len(found) > 1 else ""


def _state(assembly: Assembly, name: str, T_0p: np.ndarray, joints: Any) -> dict[str, Any]:
    return {
        "name": name,
        "y": packed(assembly.chart.coordinates(T_0p)),
        "coordinates": packed(pack(joints)),
    }
