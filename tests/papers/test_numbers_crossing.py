"""Numbers of NUMBERS.md: a five-bar through a Type 2 singularity."""

import numpy as np
import pytest

import gough
from crossings import SINGULAR, five_bar, upwards
from gough.singularity.crossing import crossing


@pytest.fixture(scope="module")
def found():
    return crossing(five_bar(), upwards(), rate=60.0)


def test_the_singular_pose_and_its_criterion(found):
    (meeting,) = found.instants
    # printed with ten digits
    np.testing.assert_allclose(meeting.T_0p[:3, 3], [0.0, SINGULAR, 0.0], atol=1e-10)
    np.testing.assert_allclose(meeting.free[:, 0], [0.0, 1.0], atol=1e-9)
    M = gough.inertia_matrix(five_bar(), meeting.T_0p)
    np.testing.assert_allclose(meeting.free[:, 0] @ M, [0.0, 0.4], atol=1e-9)
    V = gough.state(five_bar(), [0.0, SINGULAR], [0.0, 0.3]).V_0p
    c = gough.bias_wrench(five_bar(), gough.State(meeting.T_0p, V))
    assert abs(meeting.free[:, 0] @ c - 0.0171885878) < 1e-9
    assert meeting.units == ("N",)


def test_the_acceleration_that_is_needed(found):
    (meeting,) = found.instants
    assert abs(meeting.needed[1] + 0.0429714696) < 1e-9
    assert abs(meeting.along_path[1] + 0.0429714696) < 1e-9
    # and the planned motion has it
    at = upwards()(0.5)
    np.testing.assert_allclose(at.V_0p[:2], [0.0, 0.3], atol=1e-12)
    assert abs(at.Vdot_0p[1] + 0.0429714696) < 1e-9


def test_the_degree_eight_law_and_its_efforts(found):
    assert found.bounded
    # four digits are printed; samples next to the largest torque
    peak = found.t[np.abs(found.tau[:, 0]).argmax()]
    near = upwards()(np.linspace(peak - 0.02, peak + 0.02, 21))
    tau = gough.inverse_dynamics(five_bar(), near)
    assert abs(np.abs(tau).max() - 0.2198) < 5e-5
    assert np.abs(found.tau).max() <= np.abs(tau).max() * (1.0 + 1e-12)
    t = np.linspace(0.0, 1.0, 9)
    y = upwards()(t).T_0p[:, 1, 3]
    law = np.polynomial.Polynomial.fit(t, y, 8)
    finer = np.linspace(0.0, 1.0, 41)
    np.testing.assert_allclose(upwards()(finer).T_0p[:, 1, 3], law(finer), atol=1e-13)
    for end in (0.0, 1.0):
        for part in upwards()(end).arrays[1:]:
            np.testing.assert_allclose(part, 0.0, atol=1e-12)


def test_any_other_motion_is_unbounded_as_one_over_the_distance():
    """Off by 1 % in the acceleration: slope -1, and the coefficient that is told."""
    ends = [0.0, SINGULAR - 0.08], [0.0, SINGULAR + 0.07]
    quintic = gough.motion.point_to_point(five_bar(), *ends, duration=1.0)
    found = crossing(five_bar(), quintic, rate=8.0)
    (meeting,) = found.instants
    assert not found.bounded
    assert np.isnan(found.tau[np.searchsorted(found.t, meeting.time)]).all()
    distance = np.array([1e-3, 1e-4, 1e-5])
    tau = gough.inverse_dynamics(five_bar(), quintic(meeting.time + distance))
    slopes = np.diff(np.log(np.abs(tau[:, 0]))) / np.diff(np.log(distance))
    np.testing.assert_allclose(slopes, -1.0, atol=0.05)
    # the next term of tau (t - t_s) is linear in the distance
    np.testing.assert_allclose(tau[2] * 1e-5, meeting.growth, rtol=2e-3)
