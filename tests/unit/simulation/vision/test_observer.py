"""The observer on the sphere: what it follows exactly, and how far it lags."""

import numpy as np
import pytest

from gough.errors import InputError
from gough.simulation.vision.observer import Observer, turn_between, turned

T, BANDWIDTH = 2e-3, 150.0
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
START = np.array([1.0, 2.0, 0.0]) / np.sqrt(5.0)  # across the axis: a great circle


def on_circle(angle):
    """The start turned about the axis."""
    return turned(START[None], angle * AXIS[None])[0]


def run(angle, count, observer=None, seen=lambda t: True):
    """Feed an observer with a leg at ``angle(t)``; prediction errors before each image."""
    observer = observer or Observer(["leg"], T, BANDWIDTH)
    errors = []
    for k in range(count):
        observer.predict(k * T)
        x = on_circle(angle(k * T))
        errors.append(turn_between(observer.x[0], x) @ AXIS if k else 0.0)
        observer.correct({"leg": x} if seen(k * T) else {})
    return observer, np.array(errors)


def test_constant_acceleration_is_followed_without_error():
    observer, errors = run(lambda t: 0.3 + 1.5 * t - 4.0 * t**2, 400)
    # from the fourth image on, as three have fixed the parabola; rounding by 1 / T^2 = 2.5e5
    assert np.abs(errors[3:]).max() < 1e-12
    t = 399 * T
    np.testing.assert_allclose(observer.w[0], (1.5 - 8.0 * t) * AXIS, atol=1e-9)
    np.testing.assert_allclose(observer.wd[0], -8.0 * AXIS, atol=1e-6)


def test_under_a_constant_jerk_it_lags_as_theory_says():
    jerk = 300.0
    observer, errors = run(lambda t: jerk * t**3 / 6.0, 200)
    p = np.exp(-BANDWIDTH * T)
    lag = jerk * T**3 / (1.0 - p) ** 3
    # the slowest error goes with k^2 p^k: p^200 k^2 = 4e-22
    np.testing.assert_allclose(errors[-1], lag, rtol=1e-9)
    after = turn_between(observer.x[0], on_circle(jerk * (199 * T) ** 3 / 6.0)) @ AXIS
    np.testing.assert_allclose(after, p**3 * lag, rtol=1e-8)


def test_its_errors_fade_with_the_bandwidth():
    """A step of the direction: the error is a polynomial of degree two times p^k."""
    observer = Observer(["leg"], T, BANDWIDTH)
    _, _ = run(lambda t: 0.0, 50, observer)
    errors = []
    for k in range(50, 110):
        observer.predict(k * T)
        errors.append(turn_between(observer.x[0], on_circle(1e-6)) @ AXIS)
        observer.correct({"leg": on_circle(1e-6)})
    p = np.exp(-BANDWIDTH * T)
    k = np.arange(60.0)
    fitted = np.linalg.lstsq(np.stack([p**k, k * p**k, k**2 * p**k], axis=1), errors, rcond=None)[0]
    model = np.stack([p**k, k * p**k, k**2 * p**k], axis=1) @ fitted
    # small turns add up as numbers do, to the square of 1e-6; start-up gains end before 50
    np.testing.assert_allclose(errors, model, atol=1e-6 * 1e-5)


def test_it_predicts_what_is_hidden_and_then_gives_up():
    def angle(t):
        return 1.5 * t - 4.0 * t**2

    observer, errors = run(angle, 200, seen=lambda t: not 0.199 < t < 0.209)
    assert np.abs(errors[3:]).max() < 1e-10
    assert observer.known[0]
    observer.predict(199 * T + observer.patience)
    assert observer.known[0]
    observer.predict(199 * T + observer.patience + T)
    assert not observer.known[0]
    observer.correct({"leg": on_circle(2.0)})  # seen again, from the beginning
    assert observer.known[0]
    np.testing.assert_allclose(observer.x[0], on_circle(2.0), atol=1e-15)


def test_a_time_ahead_is_that_of_the_delay():
    observer, _ = run(lambda t: 0.1 + t + 2.0 * t**2, 100)
    x, xd = observer.ahead(4 * T)
    t = 103 * T
    np.testing.assert_allclose(x[0], on_circle(0.1 + t + 2.0 * t**2), atol=1e-11)
    np.testing.assert_allclose(xd[0], np.cross((1.0 + 4.0 * t) * AXIS, x[0]), atol=1e-9)


def test_a_known_acceleration_leaves_no_lag():
    """The third power of time: acceleration is linear, and its mean over a period is known."""
    jerk = 300.0
    observer, errors = Observer(["leg"], T, BANDWIDTH), []
    for k in range(200):
        observer.predict(k * T, jerk * (k - 0.5) * T * AXIS[None])
        x = on_circle(jerk * (k * T) ** 3 / 6.0)
        errors.append(turn_between(observer.x[0], x) @ AXIS if k else 0.0)
        observer.correct({"leg": x})
    # what is left, j T^3 / 12 a step, is a constant that the filter takes for a rate
    assert abs(errors[-1]) < 1e-6 * jerk * T**3 / (1.0 - np.exp(-BANDWIDTH * T)) ** 3


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ({"names": "leg"}, "names"),
        ({"period": 0.0}, "period"),
        ({"bandwidth": -1.0}, "bandwidth"),
        ({"patience": -1.0}, "patience"),
    ],
)
def test_arguments_are_checked(given, argument):
    with pytest.raises(InputError) as got:
        Observer(**({"names": ["leg"], "period": T, "bandwidth": BANDWIDTH} | given))
    assert got.value.argument == argument


def test_time_does_not_go_back():
    observer, _ = run(lambda t: t, 5)
    with pytest.raises(InputError, match="before the last instant"):
        observer.predict(0.0)
    with pytest.raises(InputError, match="says first when"):
        Observer(["leg"], T, BANDWIDTH).correct({"leg": START})
