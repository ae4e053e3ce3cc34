"""Calibration, judged by machines in maximal coordinates: what it removes, and what it says of it.

The machines that are measured, and all measurements, come from :mod:`measuring`, which takes
nothing from the library's kinematics.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gough
from differences import by_differences
from gough.calibration.bench import Bench
from gough.calibration.geometry import Layout, cayley_vectors
from gough.calibration.knowledge import observability
from gough.calibration.solving import solve
from measuring import crooked, measured, observed, reachable
from robots import robot

NOISE = (2e-5, 5e-5)
ERRORS = 5e-4  # of positions [m] and directions [rad]
PLANE = ("*.position.x", "*.position.y", "*.direction.z")
USED, ALL = 50, 70
MACHINES = ("gough_stewart", "delta", "five_bar")


@cache
def calibrated(name):
    """A calibration from 50 poses, what the tool really does in 70, and the motors there."""
    rng = np.random.default_rng(3)
    states = reachable(name, ALL, amplitude=0.25, seed=1)
    truth = crooked(robot(name), ERRORS, ERRORS, rng)
    seen = observed(truth, states)
    data = measured(seen, "pose", NOISE, rng, which=np.arange(USED))
    # gains of all motors and the frame of the device are wrong too
    free = ["*.position", "*.direction", "*.gain"]
    return gough.calibrate(robot(name), data, free=free, prior=(2e-3, 2e-3)), seen, states.motors


@pytest.mark.parametrize("name", MACHINES)
def test_pose_errors_are_removed_where_nothing_was_measured(name):
    found, seen, motors = calibrated(name)
    q, T = motors[USED:], seen.T_dt[USED:]
    described = gough.state_from_motors(robot(name), q).T_0p
    reached = gough.state_from_motors(found.robot, found.motors(q)).T_0p
    after = np.linalg.inv(found.T_0d) @ reached
    before = np.linalg.norm(described[:, :3, 3] - T[:, :3, 3], axis=1)
    left = np.linalg.norm(after[:, :3, 3] - T[:, :3, 3], axis=1)
    assert np.sqrt((left**2).mean()) < 0.05 * np.sqrt((before**2).mean())
    turned, still = (
        np.linalg.norm(R @ T[:, :3, :3].swapaxes(1, 2) - np.eye(3), axis=(1, 2))
        for R in (described[:, :3, :3], after[:, :3, :3])
    )
    assert np.sqrt((still**2).mean()) < 0.05 * np.sqrt((turned**2).mean())


@pytest.mark.parametrize("name", MACHINES)
def test_residuals_are_the_noise(name):
    found, _, _ = calibrated(name)
    # 300 numbers less some 50 parameters: five standard deviations of chi square are 0.45
    assert abs(found.chi_square - 1.0) < 0.45
    assert not found.outliers
    rows = found.residuals
    for unit, noise in zip(("m", "rad"), NOISE, strict=True):
        assert rows.rms("after", unit) < rows.rms("left_out", unit) < 1.6 * noise
        assert rows.rms("before", unit) > 2.0 * noise  # tool and device are placed first


@pytest.mark.parametrize("name", ["gough_stewart", "tilt_3rps", "delta"])
def test_derivatives_are_those_of_the_machine(name):
    states = reachable(name, 6, seed=2)
    truth = crooked(robot(name), ERRORS, ERRORS, np.random.default_rng(8))
    wanted = by_differences(truth, states)
    layout, g = Layout(robot(name)), _geometry(truth)
    bench = Bench.of(robot(name).assembly, states.motors)
    slopes = bench.slopes(g, bench.first(g)).tool
    rows = {part: slopes[:, :, getattr(layout, part)] for part in ("offsets", "gains")}
    for part, found in rows.items():
        np.testing.assert_allclose(found, wanted[part], atol=1e-6)  # differences of steps of 1e-5
    for end, k in (("parent", 0), ("child", 1)):
        R = np.array([getattr(j, f"{end}_frame").rotation for j in truth.robot.joints])
        points = slopes[:, :, layout.seats[f"{end}_points"]].reshape(*slopes.shape[:2], -1, 3)
        own = np.einsum("sijk,jkl->sijl", points, R)  # body axes, there the frame's own
        np.testing.assert_allclose(own, wanted["frames"][..., k, :3], atol=1e-6)


def _geometry(truth):
    """All numbers of a true machine's geometry, as the library orders them."""
    layout, ends = Layout(truth.nominal), ("parent", "child")
    g = layout.nominal.copy()
    for end in ends:
        new, old = (
            [getattr(j, f"{end}_frame") for j in each.joints]
            for each in (truth.robot, truth.nominal)
        )
        R = np.array([f.rotation for f in new]) @ np.array([f.rotation for f in old]).swapaxes(1, 2)
        g[layout.seats[f"{end}_points"]] = np.array([f.position for f in new]).ravel()
        g[layout.seats[f"{end}_turns"]] = cayley_vectors(R).ravel()
    g[layout.gains], g[layout.offsets] = truth.gains, truth.offsets
    for T, place in ((truth.device, layout.device), (truth.tool, layout.tool)):
        g[place] = np.concatenate([T[:3, 3], cayley_vectors(T[None, :3, :3])[0]])
    return g


RUNS = 200


def test_true_values_are_within_two_standard_deviations():
    """Truth drawn from the prior and noise drawn anew: 95.4 % should be, parameter by parameter."""
    name = "five_bar"
    rng, states = np.random.default_rng(12), reachable(name, 6, seed=4)
    truth = crooked(robot(name), ERRORS, ERRORS, rng, parts=("frames", "tool"), count=RUNS)
    seen = observed(truth, states)
    start = measured(seen[0], "pose", NOISE, rng)
    first = gough.calibrate(robot(name), start, free=[*PLANE], prior=(ERRORS, ERRORS))
    free = first.design.problem.free
    own = np.array([each.owner != "device" for each in free.parameters])
    layout = free.layout
    places = [[entry.name for entry in layout.entries].index(each) for each in free.names]
    inside, squares = [], []
    for k in range(RUNS):
        data = measured(seen[k], "pose", NOISE, rng)
        problem = first.design.problem.with_sets([data])
        solved = solve(problem, progress=None)
        off = np.abs(solved.fitted.p - _geometry(truth[k])[places])
        inside.append(off[own] < 2.0 * solved.knowledge.std[own])
        squares.append(solved.chi_square)
    share = float(np.mean(inside))
    assert 0.92 < share < 0.98
    # each parameter by itself: 200 draws leave 1.5 % of scatter, of 30 parameters the least 4.5 %
    assert np.mean(inside, axis=0).min() > 0.9
    assert abs(np.mean(squares) - 1.0) < 0.05


@pytest.mark.parametrize(
    ("name", "gains", "count"),
    [
        ("five_bar", (), 13),
        ("five_bar", ("*.gain",), 15),
        ("three_rrr", (), 21),
        ("three_rrr", ("*.gain",), 24),
    ],
)
def test_identifiable_parameters_of_planar_machines(name, gains, count):
    """By hand: feet, offsets, lengths, and where the tool sits; and a gain of each motor."""
    states = reachable(name, 25, seed=6)
    data = measured(
        observed(crooked(robot(name), 0.0, 0.0, np.random.default_rng(0)), states),
        "pose",
        NOISE,
        np.random.default_rng(1),
    )
    found = gough.calibrate(robot(name), data, free=[*PLANE, *gains])
    assert found.observability.identifiable == count
    problem = found.design.problem
    again = observability(problem, solve(problem, progress=None).fitted)
    assert again.identifiable == count


def test_behaviour_is_known_where_coordinates_are_not():
    """A hexapod measured within 1 % of its stroke."""
    name = "gough_stewart"
    rng, states = np.random.default_rng(2), reachable(name, 40, amplitude=0.01, seed=3)
    seen = observed(crooked(robot(name), ERRORS, ERRORS, rng, parts=("frames",)), states)
    data = measured(seen, "pose", NOISE, rng)
    found = gough.calibrate(robot(name), data)
    assert found.behaviour.position < 2e-5
    assert found.behaviour.position_everywhere > 5.0 * found.behaviour.position
    assert any("Behaviour is known, coordinates are not" in each for each in found.findings)


def test_unequal_rods_tilt_the_platform_of_a_delta():
    """Firmwares have no parameter for it; six lengths of rods predict it."""
    name = "delta"
    rods = {"b*": ("x",)}
    rng, states = np.random.default_rng(5), reachable(name, 40, seed=5)
    truth = crooked(robot(name), 3e-4, 0.0, rng, parts=("frames",), only=rods)
    truth.errors[:, 1] = 0.0  # of the balls only the ends on rods, not those on the platform
    seen = observed(truth, states)
    data = measured(seen, "pose", NOISE, rng, which=np.arange(30))
    found = gough.calibrate(robot(name), data, free=["bar*.length"])
    reached = gough.state_from_motors(found.robot, states.motors[30:]).T_0p[:, :3, :3]
    wanted = seen.T_dt[30:, :3, :3]
    tilt = np.linalg.norm(wanted - np.eye(3), axis=(1, 2)).max()
    assert tilt > 2e-3
    assert np.linalg.norm(reached - wanted, axis=(1, 2)).max() < 0.02 * tilt
    assert not found.parasitic.rotates  # as described it never does
    assert any("tilts" in each for each in found.findings)
