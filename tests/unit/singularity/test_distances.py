"""Distances of many states to singularities are those of single states."""

import numpy as np
import pytest

import gough
from robots import random_freedoms, robot


@pytest.mark.parametrize("name", ["five_bar", "delta", "gough_stewart", "tilt_3rps", "quattro"])
@pytest.mark.parametrize("length", [None, 0.3])
def test_batches_have_the_numbers_of_single_states(name, length):
    r = robot(name)
    states = gough.state(r, *random_freedoms(name, 12, 0.1))
    found = gough.singularities(r, states, length=length)
    assert found.type_1.shape == (12,)
    for k in (0, 5, 11):
        one = gough.singularities(r, states[k], length=length)
        for kind in ("type_1", "type_2", "constraint"):
            value = getattr(one, kind).smallest
            assert getattr(found, kind)[k] == pytest.approx(value, rel=1e-7, abs=1e-9)
        assert found.condition[k] == pytest.approx(one.type_2.condition, rel=1e-6)
        assert found.sign[k] == one.type_2.sign
        for leg, value in one.type_1.legs.items():
            assert found.legs[leg][k] == pytest.approx(value, rel=1e-7)
        words = found[k]
        assert words.kinds == one.kinds
        assert words.type_2.sentence == one.type_2.sentence
    assert len(found) == 12
    assert "Type 2" not in str(found)
    assert set(found.columns()) >= {"x", "type_1", "sign"}


def test_a_batch_may_lie_on_singularities_and_out_of_reach():
    """Where programs have no Jacobians a state is looked at for itself."""
    r = robot("five_bar")
    near = gough.nearest_type_2(r, r.home_pose)
    far = np.array(gough.state(r, r.home_pose[:2, 3]).T_0p)
    far[:2, 3] *= 10.0
    T = np.stack([*[r.home_pose] * 9, near.T_0p, far])
    home = gough.singularities(r.rehomed(near.branch), near.T_0p)
    assert "Type 2" in home.kinds
    with pytest.raises(gough.GoughError, match="sample 10"):
        gough.singularities(r, T)
    found = gough.singularities(r, T, on_error="nan")
    assert np.isnan(found.type_1[10])
    assert np.isfinite(found.type_1[:10]).all()
    assert not found.is_singular[:9].any()
    assert not found.is_singular[10]
    with pytest.raises(gough.errors.InputError, match="distance looks for"):
        gough.singularities(r, T, distance=True)
    with pytest.raises(gough.errors.InputError, match="not one state"):
        found[2:4]
