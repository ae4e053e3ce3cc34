"""Answers to batches, beside those to single states by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gough
from oracle import numbers
from robots import random_freedoms, robot

KINDS = (
    *("five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps", "orthoglide"),
    *("four_rrr", "screw_hexapod", "delta_with_balls", "c5", "rack"),
)
"""Planar, parallelograms, six freedoms, nacelle, a Psi that varies, redundant, screws, planes."""

COUNT = 9  # enough for a program
FAR, SHEARED = 2, 6  # out of reach, but for struts of any length; no rotation


def check_batch(
    ask: Callable[..., Any], name: str, *, frame: Any = "base", engine: Any = "auto"
) -> None:
    """A batch with two states that are refused, by a program, and each state by NumPy.

    Args:
        ask: function of robot and states that takes ``on_error``.
        name: of the robot.
        frame: axes of the states.
        engine: that answers the batch.
    """
    r = robot(name)
    poses = gough.state(r, *random_freedoms(name, COUNT, 0.03)).T_0p.copy()
    poses[FAR, :3, 3] += 10.0 * r.length
    poses[SHEARED, :3, :3] *= 1.1
    states = gough.State(poses, frame=frame)
    with gough.options(engine=engine):
        found = dict(numbers(ask(r, states, on_error="nan")))
        with pytest.raises(gough.GoughError, match="sample") as by_program:
            ask(r, states)
    with gough.options(engine="numpy"):
        with pytest.raises(gough.GoughError) as by_numpy:
            ask(r, states)
        expected = [dict(numbers(ask(r, states[k], on_error="nan"))) for k in range(COUNT)]
    assert type(by_program.value) is type(by_numpy.value)
    assert str(by_program.value) == str(by_numpy.value)
    assert found.keys() == expected[0].keys()
    size = max(np.nanmax(np.abs(x), initial=0.0) for x in expected[0].values())
    for key, array in found.items():
        assert array.shape == (COUNT, *expected[0][key].shape), key
        for k, one in enumerate(expected):
            # condition numbers are below some hundred here; 1e-12 is met
            np.testing.assert_allclose(array[k], one[key], atol=1e-10 * size, err_msg=key)
        assert np.isnan(array[SHEARED]).all(), key
