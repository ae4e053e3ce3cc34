"""A machine with gears and limits, its analysed motion, and a simulation of it."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import gough
from gough import motion
from gough.analysis import analyse

HOSTILE = "<script>alert('x')</script> $\\frac{ & \"quoted\" {{ 7 * 7 }}"


class Event(NamedTuple):
    time: float
    kind: str
    reason: str


class Simulated(NamedTuple):
    """What a report needs of a simulation."""

    robot: Any
    t: Any
    T_0p: Any
    V_0p: Any
    Vdot_0p: Any
    tau: Any
    q: Any
    qd: Any
    kinetic: Any
    potential: Any
    work: Any
    loss: Any
    external_work: Any
    closure: Any
    event: Any = None
    reference: Any = None
    tracking: Any = None
    smoothing: Any = None
    missed_loss: Any = None
    handed_over: Any = None
    findings: Any = ()
    loads: Any = gough.Loads()


@pytest.fixture(scope="session")
def geared():
    gear = gough.Transmission(ratio=20.0, motor_inertia=1e-5, efficiency=0.9)
    robot = gough.zoo.load("five_bar")
    joints = [
        replace(
            joint,
            axes=[
                replace(axis, transmission=gear, limits=gough.Limits(effort=5.0, velocity=4.0))
                if name in robot.motors
                else axis
                for name, axis in zip(joint.axis_names, joint.axes, strict=True)
            ],
        )
        for joint in robot.joints
    ]
    return replace(robot, joints=joints, label=HOSTILE)


@pytest.fixture(scope="session")
def analysis(geared):
    m = motion.point_to_point(geared, None, [0.1, 0.4], duration=0.3)
    return analyse(geared, m, rate=150.0)


@pytest.fixture(scope="session")
def simulation(geared, analysis):
    a = analysis
    error = 1e-4 * np.sin(10.0 * a.t)
    book = a.balance
    return Simulated(
        geared,
        *(a.t, a.T_0p, a.V_0p, a.Vdot_0p, 1.1 * a.tau, a.q, a.qd),
        *(a.energy.kinetic, a.energy.potential, book.work, book.loss, 0.0 * a.t),
        np.full(len(a.t), 1e-15),
        tracking=(np.abs(error), 0.0 * error, np.outer(error, [1.0, -1.0])),
        smoothing={name: 3e-4 * (1 + i) for i, name in enumerate(geared.motors)},
        missed_loss=0.001 * a.t,
        handed_over=0.0 * a.t,
        findings=("five_bar: friction took 40 % less",),
    )


@pytest.fixture
def stopped(simulation):
    """A simulation that an event ended half way, at a state whose energy means nothing."""
    half = len(simulation.t) // 2
    arrays = {
        name: value[:half]
        for name, value in simulation._asdict().items()
        if isinstance(value, np.ndarray)
    }
    kinetic = arrays["kinetic"].copy()
    kinetic[-1] = 1e15
    event = Event(float(simulation.t[half - 1]), "type_1", f"five_bar: <b>{HOSTILE}")
    arrays["kinetic"] = kinetic
    return simulation._replace(**arrays, event=event, tracking=None)


@pytest.fixture
def batch(simulation):
    return simulation._replace(kinetic=np.stack([simulation.kinetic] * 2))
