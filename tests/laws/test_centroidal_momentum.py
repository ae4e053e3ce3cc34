"""Momentum about the centre of mass: its rate is what acts from outside."""

import dataclasses
import subprocess

import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from robots import random_freedoms, robot

STEP = 1e-4
"""Of central differences [s]: h^2 times third derivatives is 1e-8 of them, rounding 1e-12."""

ROBOTS = ("five_bar", "delta", "gough_stewart", "split_hexapod", "screw_hexapod", "quattro")


@pytest.mark.parametrize("name", ROBOTS)
def test_its_rate_is_the_wrench_of_the_ground_and_the_weight(name):
    r = robot(name)
    payload = gough.Payload(0.7, (0.02, -0.03, 0.05), 0.004 * np.eye(3))
    loads = gough.Loads(payload=payload, friction=False, rotors=False)
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.03))
    times = np.array([-STEP, 0.0, STEP])[:, None]
    states = gough.state(
        r, x + times * xd + times**2 / 2.0 * xdd, xd + times * xdd, xdd + 0 * times
    )
    momentum, center = gough.centroidal_momentum(r, states, loads=loads)
    rate = (momentum[2] - momentum[0]) / (2.0 * STEP)
    ground = gough.reactions(r, states[1], loads=loads).ground
    mass = sum(body.mass for body in r.bodies) + payload.mass
    force, moment = ground[:3], ground[3:] - np.cross(center[1], ground[:3])
    acting = np.concatenate([force + mass * np.array(r.gravity), moment])
    size = np.abs(ground).max()
    np.testing.assert_allclose(rate, acting, atol=1e-6 * size)
    # and the centre moves with the linear momentum
    speed = (center[2] - center[0]) / (2.0 * STEP)
    np.testing.assert_allclose(mass * speed, momentum[1, :3], atol=1e-6 * max(1.0, mass))


@pytest.mark.parametrize("name", ROBOTS)
def test_kernel_and_numpy_say_the_same(name):
    r = robot(name)
    states = gough.state(r, *random_freedoms(name, 3, 0.03))
    with gough.options(engine="numpy"):
        momentum, center = gough.centroidal_momentum(r, states)
    found = gough.compile(r, "centroidal_momentum")(*states.arrays[:2])
    assert is_valid(found["doubt"]).all()
    size = np.abs(momentum).max()
    np.testing.assert_allclose(found["momentum"], momentum, atol=1e-13 * size, rtol=1e-11)
    np.testing.assert_allclose(found["center_of_mass"], center, atol=1e-13, rtol=1e-11)


@pytest.mark.parametrize("name", ["delta", "gough_stewart"])
def test_its_c_passes_its_own_test(name, tmp_path):
    gough.export_bundle(robot(name), ["centroidal_momentum"], tmp_path / "c")
    done = subprocess.run(
        ["make", "run"], check=False, cwd=tmp_path / "c", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_machine_without_mass_has_no_centre():
    r = robot("five_bar")
    bodies = tuple(gough.Body(b.name, massless=True) for b in r.bodies)
    empty = dataclasses.replace(r, bodies=bodies)
    with pytest.raises(gough.errors.SingularInertia, match="no body has mass"):
        gough.centroidal_momentum(empty, empty.home_pose)
