"""The same machine in nanometres or in megametres: the same verdicts, and answers by dimension."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gough
from robots import ALL_NAMES, random_freedoms, relative, robot
from scaled import motor_efforts, motor_ways, moved, scaled, twist

# two ways of writing one machine down differ by roundings only
TOLERANCE = 1e-9
FAR = [(1e-9, 1e-12), (1e6, 1e6)]
NEAR = [(1e-6, 1.0), (1e-3, 1e-6), (1e3, 1.0)]
COUNTS = ("mobility", "freedoms", "over_constraint", "mobility_at_home", "modes", "findings")


def _units(length):
    return np.array([length] * 3 + [1.0] * 3)


@cache
def _plain(name):
    """Two states of a robot as it is, and what it says of them."""
    r, a = robot(name), robot(name).assembly
    states = gough.state(r, *random_freedoms(name, 2, 0.03))
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, states.T_0p)
    dynamic = len(r.motors) == r.mobility and a.motors_control_platform and not a.idle
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, states) if dynamic else None
    return states, q, [gough.singularities(r, T) for T in states.T_0p], tau


def _assert_alike(name, length, mass):
    r = robot(name)
    k = scaled(r, length, mass)
    a, b = r.assembly, k.assembly
    for count in (*COUNTS, "motor_rank", "motor_rank_at_home", "idle_motors", "Psi_is_constant"):
        assert getattr(b, count) == getattr(a, count), count
    assert [g.bodies for g in b.idle] == [g.bodies for g in a.idle]
    assert b.length == pytest.approx(length * a.length, rel=1e-9)
    x = random_freedoms(name, 2, 0.03)
    states, q, near, tau = _plain(name)
    T = moved(states.T_0p, length)
    V, Vdot = twist(states.V_0p, length), twist(states.Vdot_0p, length)
    ways = np.array([length if i < 3 else 1.0 for i in a.free])
    for found, expected in zip(
        gough.state(k, *(y * ways for y in x)).arrays, (T, V, Vdot), strict=True
    ):
        natural = found / (_units(length) if found.shape[-1] == 6 else np.array([1, 1, 1, length]))
        other = expected / (_units(length) if found.shape[-1] == 6 else np.array([1, 1, 1, length]))
        assert np.abs(natural - other).max() < TOLERANCE * max(1.0, np.abs(other).max())
    q = q * motor_ways(r, length)
    with gough.options(engine="numpy"):
        assert relative(gough.inverse_kinematics(k, T), q) < TOLERANCE
    for one, there in zip(near, T, strict=True):
        other = gough.singularities(k, there)
        assert other.kinds == one.kinds
        for kind in ("type_1", "type_2", "constraint"):
            before, after = getattr(one, kind).smallest, getattr(other, kind).smallest
            assert after == pytest.approx(before, rel=1e-6, abs=1e-9)
    if tau is None:
        return
    tau = tau * motor_efforts(r, length, mass)
    with gough.options(engine="numpy"):
        assert relative(gough.inverse_dynamics(k, gough.State(T, V, Vdot)), tau) < TOLERANCE
        found = gough.forward_dynamics(k, gough.State(T, V), tau).Vdot_0p / _units(length)
    assert relative(found, states.Vdot_0p) < 1e-7  # times the condition of the inertia matrix


# small and large by turns: each robot has one far scale and one near
@pytest.mark.parametrize(
    ("name", "length", "mass"),
    [
        (name, *scales[i % len(scales)])
        for scales in (FAR, NEAR)
        for i, name in enumerate(ALL_NAMES)
    ],
)
def test_scales(name, length, mass):
    _assert_alike(name, length, mass)


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps"])
def test_doubts_of_kernels(name):
    """What a kernel takes for regular it takes for regular in every unit."""
    r = robot(name)
    T, V, Vdot = gough.state(r, *random_freedoms(name, 3, 0.03)).arrays
    doubts = gough.compile(r, "inverse_dynamics")(T, V, Vdot)["doubt"]
    assert (doubts.sum(axis=1) < 1.0).all()
    for length, mass in FAR:
        kernel = gough.compile(scaled(r, length, mass), "inverse_dynamics")
        found = kernel(moved(T, length), twist(V, length), twist(Vdot, length))["doubt"]
        assert (found.sum(axis=1) < 1.0).all()
        assert np.allclose(found[:, 1], doubts[:, 1], rtol=1e-6)
