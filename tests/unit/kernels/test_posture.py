"""Postures of batches, by programs, are those of single states by NumPy."""

import numpy as np
import pytest

import gough
from robots import random_freedoms, robot

GROUPS = ("joints", "joint_rates", "joint_accelerations", "bodies", "twists", "twist_rates")


@pytest.mark.parametrize("name", ["delta", "planar_3rrp", "c5", "tilt_3rps", "screw_hexapod"])
@pytest.mark.parametrize("accelerated", [True, False])
def test_batches_are_answered_as_single_states_are(name, accelerated):
    """Balls, planes, screws; without a twist rate the freedoms do not accelerate."""
    r = robot(name)
    states = gough.state(r, *random_freedoms(name, 9, 0.03))
    if not accelerated:
        states = gough.State(states.T_0p, states.V_0p)
    found = gough.posture(r, states)
    with gough.options(engine="numpy"):
        one = gough.posture(r, states[4])
    assert found.closure.max() < 1e-12
    for group in GROUPS:
        for key, value in getattr(one, group).items():
            several = getattr(found, group)[key]
            assert several.shape == (9, *np.shape(value))
            size = max(1.0, np.abs(value).max())
            np.testing.assert_allclose(several[4], value, atol=1e-10 * size)


def test_a_refused_state_is_nan_in_every_part():
    r = robot("delta")
    states = gough.state(r, *random_freedoms("delta", 9, 0.03))
    T = states.T_0p.copy()
    T[3, 2, 3] -= 10.0
    found = gough.posture(r, gough.State(T, states.V_0p, states.Vdot_0p), on_error="nan")
    for group in GROUPS:
        for value in getattr(found, group).values():
            assert np.isnan(value[3]).all()
            assert np.isfinite(np.delete(value, 3, axis=0)).all()
    with pytest.raises(gough.errors.UnreachablePose, match="sample 3"):
        gough.posture(r, gough.State(T, states.V_0p, states.Vdot_0p))
