"""The kernel of the map of freedoms: against differences of gough.state, and off the mobility."""

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.evaluation.compile import compile
from robots import random_freedoms, robot

NAMES = ["five_bar", "spherical_2dof", "tilt_3rps"]


def fresh_state(name):
    r = robot(name)
    x, xd, xdd = (part[0] for part in random_freedoms(name, 1, 0.3))
    return r, gough.state(r, x, xd, xdd)


@pytest.mark.parametrize("name", NAMES)
def test_twist_and_twist_rate_follow_from_freedoms(name):
    r, state = fresh_state(name)
    T, V, Vdot = state.arrays
    free = list(r.assembly.free)
    found = compile(r, "freedom_map")(T, V[free])
    assert found["doubt"].sum() < 1.0
    np.testing.assert_allclose(found["Psi"] @ V[free], V, atol=1e-13)
    np.testing.assert_allclose(found["Psi"] @ Vdot[free] + found["drift"], Vdot, atol=1e-12)
    np.testing.assert_allclose(found["closing"], 0.0, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_closing_brings_a_displaced_platform_back(name):
    """What is left after one step is of second order; free components are held."""
    r, state = fresh_state(name)
    T, V, _ = state.arrays
    a = r.assembly
    free, size = list(a.free), 1e-4
    # components that the legs decide and that do move
    loose = [i for i in range(6) if i not in free and np.isnan(a.constant_rows[i]).any()]
    assert loose
    off = np.zeros(6)
    off[loose] = size * (a.length if loose[0] < 3 else 1.0)
    moved = spatial.pose(spatial.rotation_exp(off[3:]) @ T[:3, :3], T[:3, 3] + off[:3])
    found = compile(r, "freedom_map")(moved, V[free])
    assert found["doubt"][0] > 1.0  # such a pose is none of the robot's
    assert not found["closing"][free].any()
    np.testing.assert_allclose(found["closing"], -off, atol=20 * size**2)
