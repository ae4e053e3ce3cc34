"""Machines and motions that meet Type 2 singularities, made once."""

from __future__ import annotations

import sys
from functools import cache
from unittest.mock import patch

import numpy as np
from scipy.optimize import brentq

import gough
from gough.singularity.crossing import Crossing, SingularInstant, crossing, plan_crossing
from gough.singularity.crossing.terms import Machine
from gough.singularity.crossing.verdict import singular_instant
from numbers_robots import gs_ref

LINK = 0.23
SINGULAR = 0.2105795574
"""Height of the singular pose of NUMBERS.md's five-bar [m]."""


def _rod(mass: float, tip: float = 0.0) -> dict:
    """A uniform rod, x along it, with a point mass at its end."""
    total = mass + tip
    center = (mass * LINK / 2.0 + tip * LINK) / total
    about = mass * LINK**2 / 12.0 + mass * (LINK / 2.0 - center) ** 2 + tip * (LINK - center) ** 2
    inertia = np.diag([0.0, about, about]).tolist()
    return {"mass": total, "com": [center, 0.0, 0.0], "inertia_com": inertia}


ENDS = [0.0, 0.0, 0.0], [0.05, 0.03, 1.0]
"""A path of the planar 3-RRR that meets a singularity."""


@cache
def five_bar() -> gough.Robot:
    """The five-bar of NUMBERS.md, on a horizontal table."""
    legs = [
        {
            "base_point": [x, 0.0, 0.0],
            "l_prox": LINK,
            "l_dist": LINK,
            "mode": mode,
            "proximal": _rod(0.5),
            "distal": _rod(0.3, tip),
        }
        for x, mode, tip in ((-0.1375, -1, 0.2), (0.1375, 1, 0.0))
    ]
    return gough.zoo.load("five_bar", legs=legs, gravity=(0.0, 0.0, -9.81))


@cache
def upwards() -> gough.motion.Motion:
    """The motion of NUMBERS.md: degree eight, through the singular pose at 0.3 m/s."""
    ends = [0.0, SINGULAR - 0.08], [0.0, SINGULAR + 0.07]
    return plan_crossing(five_bar(), ends, duration=1.0, times=0.5, speeds=0.3)


@cache
def stroke(name: str) -> gough.motion.Motion:
    """A quintic stroke that meets a singularity and cannot pass."""
    robot, ends, seconds = _strokes(name)
    return gough.motion.point_to_point(robot, *ends, duration=seconds)


@cache
def planned(name: str) -> gough.motion.Motion:
    """The same path, re-timed."""
    robot, ends, seconds = _strokes(name)
    # where the straight path is singular is known from the stroke: looking again takes its time
    (meeting,) = looked(name, passes=False).instants
    share = float(meeting.T_0p[0, 3] - ends[0][0]) / (ends[1][0] - ends[0][0])
    with patch("gough.singularity.crossing.plan.singular_instants", return_value=[share]):
        return plan_crossing(robot, ends, duration=seconds)


@cache
def three_rrr() -> gough.Robot:
    """The planar 3-RRR of the zoo, with gravity, friction and rotors."""
    return gough.zoo.load("three_rrr")


@cache
def looked(name: str, *, passes: bool) -> Crossing:
    """The stroke, or its plan, looked at; few samples, so that the engine stays NumPy."""
    if not passes:
        return crossing(stroke(name).robot, stroke(name), rate=10.0)
    motion, place = planned(name), looked(name, passes=False).instants[0].T_0p[0, 3]
    at = brentq(lambda t: motion(t).T_0p[0, 3] - place, 0.1, 0.7, xtol=1e-16)
    with patch.object(
        sys.modules["gough.singularity.crossing.verdict"], "singular_instants", lambda _: [at]
    ):
        return crossing(motion.robot, motion, rate=10.0)


def _strokes(name: str) -> tuple:
    if name == "three_rrr":
        return three_rrr(), ENDS, 1.0
    # about the vertical axis through a quarter of a turn, where all legs lie in one complex
    return gs_ref(), ([0.0, 0.0, 2.1, 0.0, 0.0, 1.0], [0.05, 0.02, 2.1, 0.0, 0.0, 2.5]), 0.8


NAMES = ("three_rrr", "hexapod")


def when(motion: gough.motion.Motion, x: float) -> float:
    """The instant at which a motion is at a place in x."""
    return brentq(lambda t: motion(t).T_0p[0, 3] - x, 0.1, 0.95 * motion.duration, xtol=1e-16)


def looked_at(motion: gough.motion.Motion, times: list) -> list[SingularInstant]:
    """Meetings of a motion of the 3-RRR at instants that are known."""
    machine = Machine(three_rrr().assembly, motion, None)
    return [singular_instant(machine, t, 1e-6) for t in times]


def known_places(machine: Machine) -> list[float]:
    """Where paths between ``ENDS`` are singular, without looking for it, which takes its time."""
    meeting, motion = looked("three_rrr", passes=False).instants[0], machine.motion
    if motion.label == "straight path":
        return [float(meeting.T_0p[0, 3] / ENDS[1][0])]
    return [when(motion, meeting.T_0p[0, 3])]
