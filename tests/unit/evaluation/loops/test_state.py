"""``gough.state`` of many samples: those of single ones, with the same verdicts."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from robots import random_freedoms, relative, robot

# the pose itself, without turns, in a plane, with a nacelle; and legs that decide part of the pose
ROBOTS = ("gough_stewart", "delta", "three_rrr", "quattro", "tilt_3rps", "five_bar")

LARGE = 64


@pytest.mark.parametrize("name", ROBOTS)
def test_many_at_once_are_single_ones(name, asked):
    r, x = robot(name), random_freedoms(name, LARGE, 0.15)
    found = gough.state(r, *x)
    assert not asked
    few = [part[:3] for part in x]
    with gough.options(engine="numpy"):
        known = gough.state(r, *few)
    for one, other in zip(found.arrays, known.arrays, strict=True):
        assert relative(one[:3], other) < 1e-11  # of legs that are well away from singularities


def test_third_derivatives_too(asked):
    r, (x, xd, xdd) = robot("gough_stewart"), random_freedoms("gough_stewart", LARGE, 0.15)
    found = gough.state(r, x, xd, xdd, xdd - xd)
    assert not asked
    with gough.options(engine="numpy"):
        known = gough.state(r, x[0], xd[0], xdd[0], (xdd - xd)[0])
    assert found.Vddot_0p.shape == (LARGE, 6)
    assert relative(found.Vddot_0p[0], known.Vddot_0p) < 1e-12


@pytest.mark.parametrize(("name", "far"), [("delta", 3.0), ("five_bar", 2.0)])
def test_samples_out_of_reach_are_refused_by_name(name, far):
    r = robot(name)
    x, xd, _ = (
        part.reshape(2, LARGE // 2, -1).copy() for part in random_freedoms(name, LARGE, 0.1)
    )
    x[1, 3, 0] += far
    x[1, 5, 1] = np.nan
    pattern = r"sample \(1, 3\): .*cannot be reached"
    with pytest.raises(gough.errors.UnreachablePose, match=pattern) as caught:
        gough.state(r, x, xd)
    with pytest.raises(gough.errors.UnreachablePose) as alone, gough.options(engine="numpy"):
        gough.state(r, x[1, 3], xd[1, 3])
    assert caught.value.data["joint"] == alone.value.data["joint"]
    T, V, _ = gough.state(r, x, xd, on_error="nan").arrays
    failed = np.isnan(T).any(axis=(2, 3))
    assert np.argwhere(failed).tolist() == [[1, 3], [1, 5]]
    assert np.array_equal(np.isnan(V).any(axis=2), failed)


def test_turns_beyond_half_a_turn_are_followed_as_before():
    """A rotation vector is no angle: 3.5 rad has its own twist, and 20 rad are degrees."""
    r = robot("three_rrr")
    x = np.zeros((LARGE, 3))
    x[:, 2] = np.linspace(-3.5, 3.5, LARGE)
    found = gough.state(r, x, np.ones_like(x), on_error="nan")
    with gough.options(engine="numpy"):
        known = gough.state(r, x[::9], np.ones_like(x[::9]), on_error="nan")
    assert np.array_equal(np.isnan(found.T_0p[::9]), np.isnan(known.T_0p))
    good = np.isfinite(known.T_0p).all(axis=(1, 2))
    assert good.any()
    assert relative(found.T_0p[::9][good], known.T_0p[good]) < 1e-11
    x[4, 2] = 20.0
    x[:, 2] *= np.arange(LARGE) == 4
    with pytest.raises(gough.errors.InputError, match="sample 4: a rotation of 20 rad"):
        gough.state(r, x)


def test_what_was_asked_before_does_not_matter(asked):
    """Each sample is led from home: the order of a batch, and batches before, leave no mark."""
    r, x = robot("tilt_3rps"), random_freedoms("tilt_3rps", LARGE, 0.3)
    first = gough.state(r, *x)
    order = np.random.default_rng(0).permutation(LARGE)
    gough.state(r, *(part[order[:3]] for part in x))
    again = gough.state(r, *(part[order] for part in x))
    for one, other in zip(first.arrays, again.arrays, strict=True):
        assert np.array_equal(one[order], other)


def test_no_samples_and_one():
    r, x = robot("delta"), random_freedoms("delta", 1, 0.1)
    with gough.options(engine="compiled"):
        T, V, Vdot = gough.state(r, *(part[:0] for part in x)).arrays
    assert (T.shape, V.shape, Vdot.shape) == ((0, 4, 4), (0, 6), (0, 6))
    with gough.options(engine="compiled"):
        one = gough.state(r, *(part[0] for part in x))
    assert [part.shape for part in one.arrays] == [(4, 4), (6,), (6,)]
