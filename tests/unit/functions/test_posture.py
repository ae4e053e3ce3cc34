"""Postures of batches, by programs, are those of single states by NumPy."""

import numpy as np
import pytest

import gough
from hybrids import hybrid, moving
from robots import random_freedoms, robot

GROUPS = ("joints", "joint_rates", "joint_accelerations", "bodies", "twists", "twist_rates")
JERKS = ("joint_jerks", "twist_jerks")


def check_same(several, k, one, groups=GROUPS):
    """State k of several is a single one."""
    for group in groups:
        for key, value in getattr(one, group).items():
            found = getattr(several, group)[key]
            assert found.shape == (*np.shape(several.closure), *np.shape(value))
            size = max(1.0, np.abs(value).max())
            np.testing.assert_allclose(found[k], value, atol=1e-10 * size)


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
    check_same(found, 4, one)


@pytest.mark.parametrize(
    "name",
    [
        *("five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps"),
        *("orthoglide", "four_rrr", "planar_3rrp", "screw_hexapod"),
    ],
)
def test_jerks_of_batches_are_those_of_single_states(name):
    """By a program of dual numbers of symbols; faulty jerks are refused by name."""
    r = robot(name)
    freedoms = random_freedoms(name, 12, 0.03)
    states = gough.state(r, *freedoms, 1.3 * freedoms[2]).reshape(3, 4)
    T, V, Vdot = states.arrays
    Vddot = states.Vddot_0p.copy()
    Vddot[0, 2, 1] = np.nan
    if r.mobility < 6:
        Vddot[2, 1] += np.arange(6.0)
    found = gough.posture(r, gough.State(T, V, Vdot, Vddot), on_error="nan")
    with gough.options(engine="numpy"):
        one = gough.posture(r, states[1, 3])
    check_same(found, (1, 3), one, (*GROUPS, *JERKS))
    bad = [(0, 2), (2, 1)] if r.mobility < 6 else [(0, 2)]
    assert [tuple(index) for index in np.argwhere(np.isnan(found.closure)).tolist()] == bad
    with pytest.raises(gough.errors.InputError, match=r"sample \(0, 2\): Vddot_0p\[1"):
        gough.posture(r, gough.State(T, V, Vdot, Vddot))
    if r.mobility < 6:
        with pytest.raises(gough.errors.InconsistentTwist, match=r"sample 1: .*d2/dt2"):
            gough.posture(r, gough.State(T, V, Vdot, Vddot)[2])


@pytest.mark.parametrize("case", ["track_and_table", "wrist_above", "nacelle_on_track"])
@pytest.mark.parametrize("accelerated", [True, False])
def test_batches_with_serial_axes(case, accelerated):
    r, states = hybrid(case), gough.State.stack([*moving(case, 9)])
    if not accelerated:
        states = states.replace(Vdot_0p=None)
    found = gough.posture(r, states)
    with gough.options(engine="numpy"):
        check_same(found, 4, gough.posture(r, states[4]))


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
