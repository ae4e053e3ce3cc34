"""The efforts of every robot are linear in its parameters: ``tau = W chi + tau_0``."""

import dataclasses

import numpy as np
import pytest

import gough
from cases import acting, efforts, loaded, motion
from robots import DRIVEN_NAMES, random_freedoms, relative, robot

# Found: 2e-15.  Both sides add up the same few hundred terms, in another order.
ROUNDING = 1e-13


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_the_regressor_times_the_parameters_are_the_efforts(name):
    """With friction, rotors and springs on every axis, forces and a payload."""
    r = loaded(name)
    with gough.options(engine="numpy"):
        found = gough.regressor(r, motion(name), loads=acting(r))
    assert relative(found.W @ found.chi + found.tau_0, efforts(name, "legs")) < ROUNDING
    assert np.abs(found.tau_0).max() > 0.0


@pytest.mark.parametrize("name", ["five_bar", "delta", "screw_pendulum", "four_rrr"])
def test_a_parameter_changes_efforts_by_its_column(name):
    """Of a machine whose bodies differ from the described ones."""
    r = loaded(name)
    with gough.options(engine="numpy"):
        before = gough.regressor(r, motion(name))
    inertia = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
    heavy = [
        dataclasses.replace(b, mass=b.mass + 0.3, center=(0.1, -0.2, 0.3), inertia=inertia.tolist())
        for b in r.bodies
        if not b.massless
    ]
    other = dataclasses.replace(r, bodies=tuple({b.name: b for b in (*r.bodies, *heavy)}.values()))
    with gough.options(engine="numpy"):
        chi = gough.regressor(other, motion(name)).chi
    tau = gough.inverse_dynamics(other, motion(name))
    assert relative(before.W @ chi, tau) < ROUNDING
    assert relative(before.W @ before.chi, tau) > 1e-3  # it does make a difference


@pytest.mark.parametrize("name", ["five_bar", "four_rrr", "tilt_3rps"])
def test_the_compiled_regressor_is_that_of_numpy(name):
    r = robot(name)
    state = gough.state(r, *random_freedoms(name, 5, 0.1, seed=4))
    with gough.options(engine="numpy"):
        by_numpy = gough.regressor(r, state)
    with gough.options(engine="compiled"):
        compiled = gough.regressor(r, state)
    # found: 1e-15; pivots differ, which J_inv of condition ten shows as one digit
    assert relative(compiled.W, by_numpy.W) < ROUNDING
    assert compiled.names == by_numpy.names


def test_redundant_motors_share_by_their_weights():
    r, share = robot("four_rrr"), gough.EffortSharing(weights=[1.0, 2.0, 0.5, 4.0])
    found = gough.regressor(r, motion("four_rrr"), share=share)
    tau = gough.inverse_dynamics(r, motion("four_rrr"), share=share)
    assert relative(found.tau, tau) < ROUNDING
    plain = gough.regressor(r, motion("four_rrr"))
    assert relative(plain.tau, tau) > 1e-2
    offsets = [k for k, name in enumerate(found.names) if name.endswith(".offset")]
    assert np.array_equal(found.W[0][:, offsets], np.eye(4))


def test_components_of_the_motion_may_be_in_platform_axes():
    r, state = robot("gough_stewart"), motion("gough_stewart")
    T, V, Vdot = state.arrays
    R = T[:, :3, :3].swapaxes(-1, -2)
    w = V[:, 3:]
    turned = [
        np.concatenate([(R @ x[:, :3, None]), (R @ x[:, 3:, None])], axis=1)[..., 0]
        for x in (V, Vdot - np.concatenate([np.cross(w, V[:, :3]), 0.0 * w], axis=1))
    ]
    there = gough.regressor(
        r, gough.State(T, *turned, frame="platform"), parameters=["rotors", "friction"]
    )
    here = gough.regressor(r, state, parameters=["rotors", "friction"])
    assert relative(there.W, here.W) < ROUNDING
