"""Gains of drives from a weighed payload."""

import numpy as np
import pytest

import gough
from cases import loaded, motion
from gough.errors import InputError, NotIdentifiable
from gough.identification.gains import inimitable
from robots import robot

COUNT = 300
MASSES = {"five_bar": 1.0, "delta": 1.0, "gough_stewart": 20.0}


def machine(name: str) -> gough.Robot:
    """The five-bar with friction, rotors and springs on every axis, passive ones too."""
    return loaded(name) if name == "five_bar" else robot(name)


def logs(name: str, kg: float, noise: float, seed: int = 3) -> tuple[tuple, tuple, np.ndarray]:
    """Two logs, without and with a payload, and the gains of the drives."""
    r, rng = machine(name), np.random.default_rng(seed)
    m = len(r.motors)
    gains = rng.uniform(0.5, 2.0, m) * rng.choice([-1.0, 1.0], m)
    found = []
    for motion_seed, mass in ((0, 0.0), (1, kg)):
        state = motion(name, COUNT, 0.1, motion_seed)
        tau = gough.inverse_dynamics(r, state, loads=gough.Loads(payload=mass))
        current = tau / gains
        current = current + noise * current.std(axis=0) * rng.normal(size=current.shape)
        found.append((state, current))
    return found[0], found[1], gains


@pytest.mark.parametrize("name", MASSES)
def test_gains_come_back_from_currents_without_noise(name):
    unloaded, weighed, gains = logs(name, MASSES[name], 0.0)
    found = gough.drive_gains(machine(name), unloaded, weighed, MASSES[name])
    assert np.allclose(found.gains, gains, rtol=1e-9)  # rounding, times the condition


@pytest.mark.parametrize("name", MASSES)
def test_gains_are_known_to_a_percent_with_noise_of_two(name):
    unloaded, weighed, gains = logs(name, MASSES[name], 0.02)
    found = gough.drive_gains(machine(name), unloaded, weighed, MASSES[name])
    assert np.allclose(found.gains, gains, rtol=0.01)
    assert (found.std < 0.005 * np.abs(gains)).all()
    level = [0.02 * log[1].std(axis=0) for log in (unloaded, weighed)]
    noise = np.sqrt(np.mean(np.square(level), axis=0))
    # 600 numbers know a deviation to 3 %; a few percent of the noise are fitted away
    assert np.allclose(found.rms, noise, rtol=0.15)


def test_standard_deviations_are_those_of_many_trials():
    errors, deviations = [], []
    for seed in range(30):
        unloaded, weighed, gains = logs("five_bar", 1.0, 0.02, seed)
        found = gough.drive_gains(machine("five_bar"), unloaded, weighed, 1.0)
        errors.append(found.gains / gains - 1.0)
        deviations.append(found.std / np.abs(gains))
    beside = np.array(errors) / np.array(deviations)
    # 60 numbers of deviation one: their rms is within 1/sqrt(120) = 9 %, thrice, of one
    assert np.sqrt(np.mean(beside**2)) == pytest.approx(1.0, abs=0.28)
    # no bias: the mean of 60 is within 1/sqrt(60) = 0.13, thrice
    assert abs(np.mean(beside)) < 0.39


def test_without_a_payload_gains_are_refused():
    unloaded, weighed, _ = logs("five_bar", 1.0, 0.02)
    with pytest.raises(NotIdentifiable, match="A weighed payload is needed") as error:
        gough.drive_gains(machine("five_bar"), unloaded, unloaded, 0.0)
    assert error.value.parameters == robot("five_bar").motors
    # always on the platform: the platform's own parameters imitate it
    W = gough.regressor(machine("five_bar"), weighed[0], loads=gough.Loads(payload=1.0))
    assert inimitable(W.W, W.tau_0) < 1e-12
    assert inimitable(np.concatenate([W.W, W.W]), np.concatenate([0.0 * W.tau_0, W.tau_0])) > 0.5


def test_a_payload_that_noise_hides_is_refused():
    unloaded, weighed, _ = logs("delta", 1e-3, 0.02)
    with pytest.raises(NotIdentifiable, match=r"too large: arm1 \(\d+%\)"):
        gough.drive_gains(machine("delta"), unloaded, weighed, 1e-3)


def test_logs_that_are_exchanged_are_refused():
    """They would make all gains and masses negative, and both be sure of it."""
    unloaded, weighed, _ = logs("delta", 1.0, 0.02)
    with pytest.raises(InputError, match="exchanged"):
        gough.drive_gains(machine("delta"), weighed, unloaded, 1.0)


def test_a_payload_that_is_another_shows_in_the_masses():
    unloaded, weighed, gains = logs("delta", 1.0, 0.02)
    assert gough.drive_gains(machine("delta"), unloaded, weighed, 1.0).masses == pytest.approx(
        1.0, rel=0.05
    )
    found = gough.drive_gains(machine("delta"), unloaded, weighed, 2.0)
    assert found.masses == pytest.approx(2.0, rel=0.05)
    assert found.gains == pytest.approx(2.0 * gains, rel=0.02)
    assert "times those described" in str(found)


def test_logs_with_efforts_have_no_gains():
    t, ones = np.linspace(0.0, 1.0, 100), np.ones((100, 3))
    currents, efforts = gough.Log(t, ones, currents=ones), gough.Log(t, ones, ones)
    with pytest.raises(InputError, match="unloaded has no currents without gains"):
        gough.drive_gains(machine("delta"), efforts, currents, 1.0)
    with pytest.raises(InputError, match="loaded has no currents without gains"):
        gough.drive_gains(
            machine("delta"), currents, gough.Log(t, ones, currents=ones, gains=2.0), 1.0
        )


def test_a_log_that_is_no_state_with_currents_is_refused():
    unloaded, weighed, _ = logs("five_bar", 1.0, 0.0)
    with pytest.raises(InputError, match="unloaded is"):
        gough.drive_gains(machine("five_bar"), unloaded[:1], weighed, 1.0)
    with pytest.raises(InputError, match=r"loaded: .* equally many"):
        gough.drive_gains(machine("five_bar"), unloaded, (weighed[0], weighed[1][1:]), 1.0)
