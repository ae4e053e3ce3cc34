"""Elastic machines against a second derivation, in maximal coordinates (:mod:`yielding`)."""

from functools import cache

import numpy as np
import pytest

import gough
from coupled import amplified_quattro, differential, geared_delta, geared_five_bar, rack
from dressed import dressed, matrix_five_bar, telescopic_hexapod
from robots import robot
from yielding import Yielding

NAMES = [
    *("five_bar", "delta", "orthoglide", "quattro", "agile_eye", "four_rrr", "tilt_3rps", "c5"),
    *("gough_stewart", "screw_hexapod", "rccc", "dymo", "stranger_in_the_hub"),
]
OTHERS = [
    *(amplified_quattro, differential, geared_delta, geared_five_bar, rack),
    *(matrix_five_bar, telescopic_hexapod),
]
LONG = ["five_bar", "delta", "telescopic_hexapod"]
SAME = 1e-8  # loops close to 1e-11, and soft directions divide by what is small


@cache
def machine(name):
    """A robot dressed with elastic parts, and a pose beside home."""
    own = next((build() for build in OTHERS if build.__name__ == name), None) or robot(name)
    own = dressed(own, seed=len(name))
    a, rng = own.assembly, np.random.default_rng(3)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.05 * a.scales.freedoms * rng.uniform(-1.0, 1.0, a.mobility)
    return own, gough.state(own, x).T_0p


def drives(own, how):
    """How each motor holds, for the library and for the second derivation."""
    rng = np.random.default_rng(7)
    kinds = {
        "locked": lambda: "locked",
        "servo": lambda: float(rng.uniform(5e3, 3e4)),
        "free": lambda: "free",
        "mixed": lambda: ("locked", "free", 2e4)[rng.integers(3)],
    }
    found = {motor: kinds[how]() for motor in own.motors}
    return {m: v if isinstance(v, str) else gough.Servo(v) for m, v in found.items()}, found


ALL = [*NAMES, *(build.__name__ for build in OTHERS)]


@pytest.mark.parametrize("how", ["locked", "servo", "free", "mixed"])
@pytest.mark.parametrize("name", ALL)
def test_vibrations(name, how):
    own, T = machine(name)
    given, found = drives(own, how)
    # without shear short pieces are so stiff that the squares of strains there lose digits
    shear = how != "servo" or name not in LONG
    v = gough.elasticity(own, T, drives=given, elements=2, shear=shear).vibrations(8)
    frequencies, free = Yielding(own, T, found, elements=2, shear=shear).frequencies(8)
    assert v.free == free
    known = v.frequencies[np.isfinite(v.frequencies)]
    assert len(known) == len(frequencies)
    # squares: what is slower than the shift of 3 Hz there is a difference of larger numbers
    rounding = 1e-11 * float((frequencies**2).max())
    assert known**2 == pytest.approx(frequencies**2, rel=2.0 * SAME, abs=max(rounding, 1e-6))


@pytest.mark.filterwarnings("ignore:.*linear")  # soft machines: both sides are linear
@pytest.mark.parametrize("how", ["locked", "servo"])
@pytest.mark.parametrize("name", ALL)
def test_compliance_and_deflection(name, how):
    """Under weight, a payload, springs, a wrench on the platform and a force on another body."""
    own, T = machine(name)
    given, found = drives(own, how)
    other = own.bodies[0].name
    inertia = np.diag([0.01, 0.012, 0.008])
    loads = gough.Loads(
        forces=[
            gough.Force(
                own.platform, [9.0, -20.0, 5.0], [1.0, 2.0, -3.0], place(own, own.platform)
            ),
            gough.Force(other, [-4.0, 7.0, 11.0], point=place(own, other)),
        ],
        payload=gough.Payload(1.3, place(own, own.platform), inertia),
    )
    e = gough.elasticity(own, T, drives=given, elements=2, loads=loads)
    judge = Yielding(own, T, found, elements=2, loads=loads)
    C = judge.compliance()
    size = np.sqrt(np.diag(C))
    size = np.maximum(size, 1e-6 * size.max())  # of planar machines some are zero
    assert np.abs((e.compliance - C) / np.outer(size, size)).max() < SAME
    x, d = judge.static(judge.force()), e.deflection()
    scale = SAME * np.abs(x).max()
    assert np.abs(d.platform - judge.platform @ x).max() < scale
    for axis, rows in judge.axes.items():  # of balls the axes are others, the turn is the same
        assert abs(np.linalg.norm(d.axes[axis]) - np.linalg.norm(rows @ x)) < scale
    for joint, _, _, _, p_B in judge.places:
        there = judge.displacement(joint.child, p_B) @ x
        assert np.abs(d.joints[joint.name] - there).max() < scale
    energies = judge.energies(x)
    assert set(energies) == set(d.parts)
    assert d.energy == pytest.approx(
        [energies[part] for part in d.parts], abs=SAME * sum(energies.values())
    )
    assert e.vibrations(4).frequencies[: own.mobility] == pytest.approx(
        judge.frequencies(min(4, own.mobility))[0], rel=SAME
    )


def place(own, body):
    """A point of a body where a node is in both: of the platform its origin, else a joint."""
    if body == own.platform:
        return own.platform_frame.position
    for joint in own.joints:
        if joint.released.kind not in ("prismatic", "cylindrical"):
            if joint.parent == body:
                return joint.released.parent_frame.position
            if joint.child == body:
                return joint.released.child_frame.position
    return own.body(body).center
