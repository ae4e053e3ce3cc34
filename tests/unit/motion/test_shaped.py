"""Motions through an input shaper."""

import numpy as np
import pytest

import gough
from gough import motion
from gough.errors import InputError
from robots import robot

STROKES = {
    "delta": [0.05, -0.03, 0.02],  # coordinates add
    "gough_stewart": [0.04, -0.02, 0.03, 0.3, 0.1, -0.2],  # rotations on SO(3)
    "tilt_3rps": [0.02, 0.1, -0.08],  # legs decide the rest
}


@pytest.mark.parametrize("name", STROKES)
def test_derivatives_and_ends(name):
    machine = robot(name)
    assembly = machine.assembly
    x = assembly.chart.coordinates(assembly.T_home)[list(assembly.free)]
    plain = motion.point_to_point(machine, x, x + np.array(STROKES[name]), duration=0.3)
    shaper = gough.input_shaper([9.0, 14.0], 0.03, "zvd")
    found = motion.shaped(plain, shaper)
    assert found.duration == pytest.approx(0.3 + shaper.duration)
    assert found.start == pytest.approx(plain.start, abs=1e-12)
    assert found.end == pytest.approx(plain.end, abs=1e-9)
    t, h = np.linspace(0.02, found.duration - 0.02, 7), 1e-5
    _, V, Vdot = found(t).arrays
    later, before = found(t + h), found(t - h)
    assert (later.T_0p[:, :3, 3] - before.T_0p[:, :3, 3]) / (2 * h) == pytest.approx(
        V[:, :3], abs=1e-6
    )
    # second order of the difference quotient
    assert (later.V_0p - before.V_0p) / (2 * h) == pytest.approx(Vdot, abs=1e-4)


def test_a_stroke_is_the_sum_of_its_copies():
    machine = robot("delta")
    plain = motion.point_to_point(machine, None, machine.home_pose[:3, 3] + 0.03, duration=0.2)
    shaper = gough.input_shaper(12.0)
    t = np.linspace(0.0, 0.3, 31)
    expected = sum(
        a * plain(t - late).T_0p[:, :3, 3]
        for a, late in zip(shaper.amplitudes, shaper.times, strict=True)
    )
    assert motion.shaped(plain, shaper)(t).T_0p[:, :3, 3] == pytest.approx(expected, abs=1e-12)


def test_refusals():
    machine = robot("delta")
    rest = motion.hold(machine)
    with pytest.raises(InputError, match="expected a InputShaper"):
        motion.shaped(rest, "zv")
    with pytest.raises(InputError, match="expected a Motion"):
        motion.shaped("rest", gough.input_shaper(9.0))
