"""Which components of the twist are the robot's freedoms decides no verdict and no motion."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import SingularPose
from gough.geometry.inverse import posed
from gough.mechanism.mobility import assembly as assembling
from gough.mechanism.mobility.freedoms import determine_twists
from gough.mechanism.mobility.measures import allowed_twists
from machines import BASE, Drawing
from robots import ALL_NAMES, robot

WAY = np.random.default_rng(3).normal(size=6)
OLD = (0, 2, 3)
"""x, z, rx: the freedoms that the 3-PRS of seed 7 had when they were taken one by one."""


def prs(seed: int) -> gough.Robot:
    """A 3-PRS anywhere in space, its platform tilted at home: rails, hinges across, balls."""
    rng, d = np.random.default_rng(seed), Drawing(seed)
    R = spatial.rotation_exp(rng.normal(size=3))
    tilted = spatial.rotation_exp(np.array([0.3 * rng.normal(), 0.3 * rng.normal(), 0.0]))
    top = np.array([0.0, 0.0, 1.0])
    d.body("platform", R @ top, 2.0)
    for i in range(3):
        angle = 2.0 * np.pi * i / 3.0 + 0.15 * rng.normal()
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        across = np.array([-np.sin(angle), np.cos(angle), 0.0])
        ball = top + tilted @ (0.35 * out)
        ball = ball - (ball @ across) * across
        foot = 0.6 * out + [0.0, 0.0, 0.3 + 0.1 * rng.normal()]
        d.body(f"slider{i}", R @ foot)
        d.body(f"bar{i}", R @ ((foot + ball) / 2.0))
        d.joint(f"rail{i}", "prismatic", BASE, f"slider{i}", R @ foot, R @ top)
        d.joint(f"hinge{i}", "revolute", f"slider{i}", f"bar{i}", R @ foot, R @ across)
        d.joint(f"ball{i}", "spherical", f"bar{i}", "platform", R @ ball)
    return d.robot(f"prs{seed}", "platform", ["rail0", "rail1", "rail2"], R @ top)


def with_freedoms(robot: gough.Robot, free: tuple[int, ...] | None, monkeypatch) -> gough.Robot:
    """The same machine, these components of the twist being its freedoms."""
    # kernels are kept by what a robot is like, which says what its freedoms are: another name
    robot = replace(robot, name=f"{robot.name}_{'_'.join(map(str, free or ()))}")
    if free is not None:
        monkeypatch.setattr(assembling, "choose_freedoms", lambda ranks, mobility: free)
    vars(robot)["assembly"] = assembling.assemble(robot)  # not that of a twin
    monkeypatch.undo()
    return robot


def start_of(robot: gough.Robot) -> tuple[np.ndarray, np.ndarray]:
    """Home, and a twist there that does not depend on the freedoms."""
    a = robot.assembly
    basis = allowed_twists(a, posed(a, a.T_home))
    return a.T_home, basis @ (basis.T @ WAY) * a.scales.twist


def test_freedoms_tell_the_motion_around_home():
    """Taken one by one they were (x, z, rx), of 0.02 around home; these have 0.9."""
    a = prs(7).assembly
    assert a.freedoms == ("z", "rx", "ry")
    bases = [allowed_twists(a, each.equations) for each in a.regular_solutions]
    best = max(determine_twists(bases, each) for each in combinations(range(6), 3))
    assert determine_twists(bases, a.free) > 0.9 * best > 0.8
    assert determine_twists(bases, (0, 2, 3)) < 0.1


@pytest.mark.parametrize("name", ALL_NAMES)
def test_known_robots_keep_their_freedoms(name):
    """The first in order that are about as good, as before: no public freedoms have changed."""
    a = robot(name).assembly
    if not 1 < a.mobility < 6:
        return
    bases = [allowed_twists(a, each.equations) for each in a.regular_solutions]
    best = max(determine_twists(bases, each) for each in combinations(range(6), a.mobility))
    assert determine_twists(bases, a.free) > 0.25 * best


def through(machine: gough.Robot, integrator: str = "rk4") -> gough.simulation.Simulation:
    """The 3-PRS of seed 7 sent where x, z and rx are dependent, at 0.285 s."""
    T, V = start_of(machine)
    weight = gough.inverse_dynamics(machine, T)
    options = {"integrator": integrator, "stop_at": ("reach", "type_1")}
    return gough.simulate(machine, gough.State(T, -V), 0.9 * weight, 0.4, **options)


def told(machine: gough.Robot, T: np.ndarray, free: tuple[int, ...]) -> float:
    """How well components tell the motion, with a sign that changes where they do not."""
    a = machine.assembly
    twists = allowed_twists(a, posed(a, T, turns=False))
    return float(np.linalg.det(twists[list(free)]) / np.linalg.det(twists[[2, 3, 4]]))


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_simulation_goes_on_where_its_freedoms_are_dependent(integrator, monkeypatch):
    """With them it was stopped by a Type 1 singularity at 0.28 s, where the machine is regular."""
    good, poor = (
        through(with_freedoms(prs(7), free, monkeypatch), integrator) for free in (None, OLD)
    )
    assert (good.robot.freedoms, poor.robot.freedoms) == (("z", "rx", "ry"), ("x", "z", "rx"))
    ways = [told(poor.robot, T, OLD) for T in poor.T_0p[::10]]
    assert min(ways) < 0.0 < max(ways)  # they have been dependent on the way
    for found in (good, poor):
        assert (found.event, found.findings) == (None, ())
        assert np.abs(found.balance).max() < 1e-8 * found.kinetic.max()
    # two programs for one motion: rounding, and the tolerance of adaptive steps
    assert np.abs(good.T_0p - poor.T_0p).max() < 1e-8
    assert np.abs(good.Vdot_0p - poor.Vdot_0p).max() < 1e-6


def test_machines_of_a_batch_have_freedoms_of_their_own(monkeypatch):
    machine = with_freedoms(prs(7), OLD, monkeypatch)
    T, V = start_of(machine)
    twists = np.stack([V, -V, 0.1 * V])
    many = gough.simulate(machine, gough.State(T, twists), None, 0.3, stop_at=())
    assert many.event == (None,) * 3
    for i, twist in enumerate(twists):
        alone = gough.simulate(machine, gough.State(T, twist), None, 0.3, stop_at=())
        assert np.abs(many[i].T_0p - alone.T_0p).max() < 1e-10


def test_verdicts_do_not_depend_on_freedoms(monkeypatch):
    """Exactly where (x, z, rx) are dependent: regular, and answered as with other freedoms."""
    good, poor = (with_freedoms(prs(7), free, monkeypatch) for free in (None, OLD))
    T, V = _dependent(good)
    still, tau = np.zeros(6), np.array([1.0, -2.0, 3.0])
    here, there = gough.singularities(good, T), gough.singularities(poor, T)
    assert here.kinds == there.kinds == ()
    assert here.type_1.smallest == pytest.approx(there.type_1.smallest, rel=1e-9)
    assert here.type_2.smallest == pytest.approx(there.type_2.smallest, rel=1e-9)
    Vdot = gough.forward_dynamics(good, gough.State(T, V), tau).Vdot_0p
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            found = gough.forward_dynamics(poor, gough.State(T, V), tau).Vdot_0p
        assert np.abs(found - Vdot).max() < 1e-7 * np.abs(Vdot).max()
        with gough.options(engine=engine):
            found = gough.inverse_dynamics(poor, gough.State(T, V, Vdot))
        assert np.abs(found - tau).max() < 1e-7
        with gough.options(engine=engine):
            qd = gough.motor_rates(poor, gough.State(T, V))
        assert np.abs(qd - gough.motor_rates(good, gough.State(T, V))).max() < 1e-9
    # matrices over the freedoms have no meaning there, and that is said: not a singularity
    for ask in (gough.inverse_jacobian, gough.freedom_map, gough.inertia_matrix):
        with pytest.raises(SingularPose, match=r"x, z, rx do not tell .* is regular") as info:
            ask(poor, T)
        assert info.value.kind == "freedoms"
        assert "z, rx, ry would tell it" in info.value.hint
        assert np.isfinite(ask(good, T)).all()
    for ask in (gough.kinematic_coordinates, _by_freedoms):
        with pytest.raises(SingularPose, match=r"x, z, rx do not tell"):
            ask(poor, T)
    assert np.isfinite(gough.inverse_dynamics(poor, gough.State(T, still, still))).all()
    # what is by motors alone is answered
    r, r_good = (gough.reciprocal_screws(machine, T) for machine in (poor, good))
    np.testing.assert_allclose(r, r_good, atol=1e-9)
    G, G_good = (gough.influence_coefficients(machine, T).joints for machine in (poor, good))
    for axis, rows in G.items():
        np.testing.assert_allclose(rows, G_good[axis], atol=1e-7)


def _by_freedoms(machine: gough.Robot, T: np.ndarray) -> gough.PartialScrews:
    return gough.partial_screws(machine, T, by="freedoms")


def _dependent(machine: gough.Robot) -> tuple[np.ndarray, np.ndarray]:
    """A state on the way at which x, z and rx are dependent, by bisection, and a twist."""
    a, run = machine.assembly, through(machine)
    signs = np.sign([told(machine, T, OLD) for T in run.T_0p])
    k = int(np.flatnonzero(signs[:-1] != signs[1:])[0])
    low, high = (a.chart.coordinates(T)[list(a.free)] for T in run.T_0p[k : k + 2])
    for _ in range(60):
        middle = (low + high) / 2.0
        T, V, _ = gough.state(machine, middle, [0.2, -0.3, 0.4], np.zeros(3)).arrays
        low, high = (middle, high) if np.sign(told(machine, T, OLD)) == signs[k] else (low, middle)
    return T, V
