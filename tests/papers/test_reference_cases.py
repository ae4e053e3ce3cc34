"""The reference robots: mobility, and motor positions, rates and accelerations of every case."""

import numpy as np
import pytest

import gough
from robots import REFERENCE_NAMES, cases, mechanism, relative, robot

MOBILITY = {
    "five_bar": 2,
    "three_rrr": 3,
    "gough_stewart": 6,
    "space_3ups": 6,
    "c5": 6,
    "spherical_2dof": 2,
    "delta": 3,
    "quattro": 4,
    "orthoglide": 3,
    "hexapod_6rus": 6,
    "tilt_3rps": 3,
}

# the reference program works to 1e-15; 1e-12 leaves room for ill-conditioned states
TOLERANCE = 1e-12

# the zoo's robot, and the reference's own description of it
BOTH = pytest.mark.parametrize("source", [robot, mechanism], ids=["zoo", "mechanism"])


def test_every_reference_robot_is_covered(reference_folder):
    assert reference_folder.is_dir()
    assert set(REFERENCE_NAMES) == set(MOBILITY)


@BOTH
@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_mobility_is_the_published_one(name, source):
    a = source(name).assembly
    assert a.mobility == a.mobility_at_home == MOBILITY[name]
    assert a.motors_control_platform
    assert a.motor_rank_at_home == a.mobility


@BOTH
@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_over_constraint_agrees_with_the_reference_program(name, source):
    redundant = cases(name)["redundant"]
    assert (redundant == source(name).assembly.over_constraint).all()


@BOTH
@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_motor_positions_rates_and_accelerations(name, source):
    r, c = source(name), cases(name)
    assert relative(gough.inverse_kinematics(r, c["T"]), c["q"]) < TOLERANCE
    assert relative(gough.motor_rates(r, gough.State(c["T"], c["twist"])), c["qd"]) < TOLERANCE
    qdd = gough.motor_accelerations(r, gough.State(c["T"], c["twist"], c["dtwist"]))
    assert relative(qdd, c["qdd"]) < TOLERANCE


@BOTH
@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_closure_residual(name, source):
    assert gough.posture(source(name), cases(name)["T"]).closure.max() < 1e-12


@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_state_completes_the_dependent_components(name):
    """The six components of the cases follow from the robot's own freedoms alone."""
    r, c = robot(name), cases(name)
    chart, free = r.assembly.chart, list(r.assembly.free)
    for T, V, Vdot in zip(c["T"], c["twist"], c["dtwist"], strict=True):
        y = chart.coordinates(T)
        J = chart.rates(y)
        yd = np.linalg.solve(J, V)
        ydd = np.linalg.solve(J, Vdot - chart.bias(y, yd))
        found = gough.state(r, y[free], yd[free], ydd[free])
        for value, expected in zip(found.arrays, (T, V, Vdot), strict=True):
            assert relative(value, expected) < 1e-11  # the chart adds a few roundings
