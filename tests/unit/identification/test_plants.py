"""Identified on one run and validated on another; the machine is none of the library's making.

Plants in maximal coordinates under a late controller: encoder steps of 1e-5, efforts with 2 % of
noise that are recorded 1.7 ms later than positions, descriptions that are a fifth too heavy.
"""

from functools import cache

import numpy as np
import pytest

import gough
from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.standard import mass_entries
from gough.identification.pseudo_inertia import pseudo_inertia
from logging_plant import NAMES, PAYLOADS, described, integrated, recorded
from robots import robot

DELAY = 0.0017
GAINS = np.array([2.0, -1.5, 0.7, 1.1, -0.9, 3.0])
SEEDS = {"five_bar": 8, "delta": 4, "gough_stewart": 2}


@cache
def truth(name):
    return gough.base_parameters(robot(name)).values


@cache
def identified(name, seed=1, runs=("fit", "other")):
    logs = [recorded(name, run).log(seed + 50 * k, delay=DELAY) for k, run in enumerate(runs)]
    return gough.identify(described(name), logs[0], validation=logs[1])


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_those_of_the_plant(name):
    """The beginning of a run, integrated again."""
    q, tau = integrated(name, "fit", 12)
    kept = recorded(name, "fit")
    assert kept.q[:13] == pytest.approx(q, rel=0.0, abs=1e-10)
    assert kept.tau[:13] == pytest.approx(tau, rel=1e-6, abs=1e-6)  # kept in single precision


@pytest.mark.parametrize("name", NAMES)
def test_validation_is_at_the_noise_where_the_model_is_complete(name):
    found = identified(name)
    ratio = found.validation.error / found.validation.expected
    # some 40 samples a motor: 1 +- 0.11 by chance
    assert ((ratio > 0.6) & (ratio < 1.4)).all()
    assert (found.validation.relative < 0.02).all()  # most of the noise is filtered away
    assert (found.validation.before > 0.1).all()
    assert found.delay == pytest.approx(DELAY, abs=4.0 * found.delay_sigma)
    assert all("corrected" in sentence for sentence in found.findings)


@pytest.mark.parametrize("name", NAMES)
def test_validation_is_worse_where_friction_is_another(name):
    """Friction that rises towards standstill, as no model of the library has it."""
    found = identified(name, runs=("curved", "curved_other"))
    ratio = found.validation.error / found.validation.expected
    assert ratio.max() > 1.5
    assert found.validation.relative.max() > 1.5 * identified(name).validation.relative.max()
    assert any("the model misses something" in sentence for sentence in found.findings)


@pytest.mark.parametrize("name", NAMES)
def test_standard_deviations_hold(name):
    off = []
    for seed in range(SEEDS[name]):
        found = identified(name, seed)
        off.append(((found.values - truth(name)) / found.sigma)[np.isfinite(found.sigma)])
    off = np.concatenate(off)
    # parameters of one draw depend on each other: 1 +- 0.2; 95 % within 2
    assert 0.7 < np.sqrt(np.mean(off**2)) < 1.4
    assert np.mean(np.abs(off) < 2.0) > 0.85


@pytest.mark.parametrize("name", NAMES)
def test_bodies_can_exist_and_predict_other_motions(name):
    found = identified(name)
    for body in found.robot.bodies:
        c = np.array(body.center)
        about = np.array(body.inertia) + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        J = pseudo_inertia(mass_entries(Mass(body.mass, body.mass * c, about)))
        assert np.linalg.eigvalsh(J)[0] > 0.0, body.name
    for motor in found.robot.motors:
        axis = found.robot.axis(motor)
        assert min(axis.viscous, axis.coulomb, axis.reflected_inertia) >= 0.0
    # the machine itself in a motion that was not recorded: its efforts, not noise, are compared
    rng = np.random.default_rng(9)
    r = robot(name)
    home = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    x = home + 0.03 * r.assembly.scales.freedoms * rng.uniform(-1.0, 1.0, (50, r.mobility))
    xd, xdd = rng.normal(size=(2, 50, r.mobility)) * r.assembly.scales.freedoms
    state = gough.state(r, x, xd, 3.0 * xdd)
    own, other = (gough.inverse_dynamics(m, state) for m in (r, found.robot))
    other = other + list(found.offsets.values())
    cad = gough.inverse_dynamics(described(name), state)
    assert _rms(other - own) < 0.2 * _rms(cad - own)


def _rms(array):
    return float(np.sqrt(np.mean(array**2)))


@pytest.mark.parametrize("name", NAMES)
def test_gains_of_drives_are_found_to_a_percent(name):
    gains = GAINS[: len(robot(name).motors)]
    plain, loaded = recorded(name, "fit").log(1, currents=gains), recorded(name, "loaded")
    heavy = loaded.log(2, currents=gains, loads=gough.Loads(payload=PAYLOADS[name]))
    found = gough.identify(described(name), [plain, heavy])
    assert found.gains.gains == pytest.approx(gains, rel=0.01)
    assert (found.gains.std < 0.01 * np.abs(gains)).all()
    by_itself = gough.drive_gains(described(name), plain, heavy)
    assert by_itself.gains == pytest.approx(found.gains.gains, rel=1e-9)
    assert "gain" in str(found)
    # parameters are as heavy as the machine, not as its description
    total = sum(body.mass for body in found.robot.bodies)
    true, cad = (sum(b.mass for b in r.bodies) for r in (robot(name), described(name)))
    assert abs(total - true) < abs(cad - true)
