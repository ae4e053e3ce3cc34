"""Machines with couplings: gears, racks, belts and differentials, within and between legs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

import gough
from gough import Body, Coupling, Frame, Home, Joint, Robot
from gough.base import spatial


def _inertia(size: float) -> list[list[float]]:
    return np.diag([size, 1.3 * size, 0.8 * size]).tolist()


def _wheel(name: str, mass: float, radius: float) -> Body:
    """A wheel out of balance, so that gravity acts on it."""
    return Body(name, mass, (0.3 * radius, 0.1 * radius, 0.05), _inertia(mass * radius**2))


def gear_pair() -> Robot:
    """A pinion drives a wheel, which is the platform; the ratio is no whole number."""
    return Robot(
        "gear_pair",
        bodies=(_wheel("pinion", 0.4, 0.05), _wheel("wheel", 1.2, 0.12)),
        joints=(
            Joint("a", "revolute", "base", "pinion"),
            Joint("b", "revolute", "base", "wheel", Frame((0.17, 0.0, 0.0))),
        ),
        platform="wheel",
        motors=("a",),
        couplings=(Coupling("mesh", {"a": 1.0, "b": 2.4}, offset=0.1),),
        gravity=(0.0, -9.81, 0.0),
    )


def rack() -> Robot:
    """A pinion drives a rack, which carries a pendulum of its own motor: the platform."""
    along_x = Frame(rotation=spatial.rotation_y(0.5 * np.pi).tolist())
    return Robot(
        "rack",
        bodies=(_wheel("pinion", 0.4, 0.05), _wheel("rack", 2.0, 0.2), _wheel("tool", 0.7, 0.1)),
        joints=(
            Joint("turn", "revolute", "base", "pinion", Frame((0.0, -0.05, 0.0))),
            Joint("slide", "prismatic", "base", "rack", along_x, along_x),
            Joint("swing", "revolute", "rack", "tool", Frame((0.1, 0.0, 0.02))),
        ),
        platform="tool",
        motors=("turn", "swing"),
        couplings=(Coupling("mesh", {"slide": 1.0, "turn": -0.05}),),
        gravity=(-1.0, -9.81, 0.3),
    )


def geared_five_bar() -> Robot:
    """The five-bar with both cranks on one motor: a coupling between two legs, one freedom."""
    r = gough.zoo.load("five_bar")
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, r.home_pose)
    first, second = r.motors
    belt = Coupling("belt", {first: 1.0, second: 1.6}, offset=float(q[0] + 1.6 * q[1]))
    return dataclasses.replace(r, name="geared_five_bar", motors=(first,), couplings=(belt,))


def differential_five_bar() -> Robot:
    """The five-bar with both cranks behind a differential: two wheels on the base are driven."""
    r = gough.zoo.load("five_bar")
    with gough.options(engine="numpy"):
        cranks = gough.inverse_kinematics(r, r.home_pose)
    ratios = np.array([[-1.28, 1.585], [1.67, -0.68]])  # of the wheels, for each crank
    wheels = np.linalg.solve(ratios, cranks)
    joints = [Joint(f"shaft{k}", "revolute", r.base, f"rotor{k}") for k in range(2)]
    couplings = [
        Coupling(f"mesh{k}", {crank: 1.0, "shaft0": -a, "shaft1": -b})
        for k, (crank, (a, b)) in enumerate(zip(r.motors, ratios.tolist(), strict=True))
    ]
    values = {f"shaft{k}": float(angle) for k, angle in enumerate(wheels)}
    return dataclasses.replace(
        r,
        name="differential_five_bar",
        bodies=(*r.bodies, *(_wheel(f"rotor{k}", 0.3, 0.02) for k in range(2))),
        joints=(*r.joints, *joints),
        motors=("shaft0", "shaft1"),
        home=Home(r.home.bodies, {**r.home.joints, **values}),
        couplings=tuple(couplings),
    )


def geared_delta() -> Robot:
    """The Delta with a wheel on the base in front of every arm: couplings within legs."""
    r = gough.zoo.load("delta")
    bodies, joints, couplings = list(r.bodies), list(r.joints), []
    for k, motor in enumerate(r.motors):
        arm = r.joint(motor)
        frame = Frame(
            np.add(arm.parent_frame.position, (0.0, 0.0, 0.06)), arm.parent_frame.rotation
        )
        bodies.append(_wheel(f"rotor{k}", 0.3, 0.02))
        joints.append(Joint(f"shaft{k}", "revolute", r.base, f"rotor{k}", frame))
        couplings.append(Coupling(f"belt{k}", {f"shaft{k}": 1.0, motor: -4.0}))
    return dataclasses.replace(
        r,
        name="geared_delta",
        bodies=tuple(bodies),
        joints=tuple(joints),
        motors=tuple(f"shaft{k}" for k in range(3)),
        couplings=tuple(couplings),
    )


def differential() -> Robot:
    """Two wheels on the base tilt a head on a universal joint by half their sum and difference."""
    turned = Frame((0.0, 0.0, 0.1), spatial.rotation_y(0.5 * np.pi).tolist())
    return Robot(
        "differential",
        bodies=(_wheel("left", 0.3, 0.04), _wheel("right", 0.35, 0.04), _wheel("head", 0.9, 0.1)),
        joints=(
            Joint("a", "revolute", "base", "left", Frame((-0.1, 0.0, 0.0), turned.rotation)),
            Joint("b", "revolute", "base", "right", Frame((0.1, 0.0, 0.0), turned.rotation)),
            Joint("neck", "universal", "base", "head", turned),
        ),
        platform="head",
        platform_frame=Frame((0.02, 0.0, 0.15)),
        motors=("a", "b"),
        home=Home(joints={"neck.first": 0.4, "neck.second": 0.3, "a": 0.7, "b": 0.1}),
        couplings=(
            Coupling("sum", {"neck.first": 1.0, "a": -0.5, "b": -0.5}),
            Coupling("difference", {"neck.second": 1.0, "a": -0.5, "b": 0.5}),
        ),
    )


def amplified_quattro(*, with_arm: bool = False) -> Robot:
    """The Quattro with a tool that a gear turns three times as far as its nacelle.

    ``with_arm`` adds the angle of the first arm: a coupling between the hub and a leg.
    """
    r = gough.zoo.load("quattro")
    (pivot, *_) = [j for j in r.joints if {j.parent, j.child} == {"half1", r.platform}]
    tool = _wheel("tool", 0.2, 0.03)
    spindle = Joint("spindle", "revolute", r.platform, "tool", Frame((0.01, 0.02, -0.03)))
    axes = {"spindle": 1.0, pivot.name: -3.0}
    if with_arm:
        axes[r.motors[0]] = 0.5
    return dataclasses.replace(
        r,
        name="amplified_quattro",
        bodies=(*r.bodies, tool),
        joints=(*r.joints, spindle),
        platform="tool",
        platform_frame=Frame((0.0, 0.0, -0.01)),
        couplings=(Coupling("gear", axes),),
    )


def arm_amplified_quattro() -> Robot:
    """The same with the angle of an arm in the relation."""
    return amplified_quattro(with_arm=True)


SMALL = (rack, geared_five_bar)
"""Those that all laws are tested on: a slide and a turn, and two legs."""
MACHINES = (*SMALL, differential, gear_pair, geared_delta, amplified_quattro, arm_amplified_quattro)


def recoupled(
    r: Robot,
    renamed: Callable[[str], str] = lambda axis: axis,
    times: Callable[[str], float] = lambda axis: 1.0,
) -> tuple[Coupling, ...]:
    """Couplings of a robot whose axes have other names, or coordinates ``times`` as large."""
    return tuple(
        dataclasses.replace(
            coupling, axes={renamed(n): c / times(n) for n, c in coupling.axes.items()}
        )
        for coupling in r.couplings
    )
