"""Laws of loads that change in time: closed forms on a slide, energy, motions that come back."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough import control
from gough import motion as motions
from gough.report.course import of_simulation
from robots import robot
from swinging import without_friction

G, M = 9.81, 2.0
PAYLOAD = gough.Payload(0.7, (0.02, -0.03, 0.05), np.diag([3e-3, 4e-3, 5e-3]))


@cache
def slide() -> gough.Robot:
    """A mass on a vertical slide with a motor."""
    up = gough.Frame()
    cart = gough.Body("cart", mass=M, center=(0, 0, 0), inertia=(0.01 * np.eye(3)).tolist())
    joint = gough.Joint("slide", "prismatic", "base", "cart", up, up)
    return gough.Robot("slide", (cart,), (joint,), "cart", motors=("slide",), gravity=(0, 0, -G))


def carried(mass: float, start: float, end: float) -> gough.TimedLoad:
    return gough.TimedLoad(gough.Payload(mass), start, end)


def by_hand(t, force, changes, z=0.0, v=0.0):
    """Height and speed of the slide under a constant force; changes are times and whole masses."""
    T = 0.0
    for k, (start, mass) in enumerate(changes):
        stop = min(t, changes[k + 1][0]) if k + 1 < len(changes) else t
        if stop <= start:
            break
        a, T = force / mass - G, stop - start
        z, v = z + v * T + a * T * T / 2.0, v + a * T
    return z, v


ENDS = [(0.1, 0.3), (0.1234567, 0.2987654), (0.1001, 0.1004), (0.0, 0.4)]
"""Times on the grid of steps, between two of them, both within one step, and the whole run."""


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.parametrize(("start", "end"), ENDS)
def test_a_slide_that_carries_a_payload_for_a_while(integrator, start, end):
    """Accelerations are constant between changes: steps are exact if one ends at each."""
    mass, force = 0.8, 30.0
    loads = gough.LoadSchedule([carried(mass, start, end)])
    run = gough.simulate(
        slide(), np.eye(4), [force], 0.4, loads=loads, step=0.004, integrator=integrator
    )
    changes = [(0.0, M), (start, M + mass), (end, M)] if start else [(0.0, M + mass), (end, M)]
    wanted = np.array([by_hand(t, force, changes) for t in run.t])
    found = np.stack([run.T_0p[:, 2, 3], run.V_0p[:, 2]], axis=1)
    assert np.abs(found - wanted).max() < 1e-12  # rounding of a hundred steps
    # what came and went is kinetic and potential energy of the payload, worked out by hand
    heights = [by_hand(t, force, changes) for t in (start, end)]
    brought, taken = (mass * (G * z + v * v / 2.0) for z, v in heights)
    brought = brought if start else 0.0  # there from the beginning
    after = run.t >= end - 1e-9
    during = (run.t >= start - 1e-9) & ~after
    assert run.handed_over[after] == pytest.approx(brought - taken, abs=1e-12)
    assert run.handed_over[during] == pytest.approx(brought, abs=1e-12)
    assert np.abs(run.balance).max() < 1e-12
    shown = of_simulation(run)
    assert np.abs(shown.residual).max() < 1e-12
    assert (shown.energies["came with the payload"] == run.handed_over).all()
    # accelerations at the changes themselves are those of the new loads
    heavy = during if start else ~after
    assert run.Vdot_0p[heavy, 2] == pytest.approx(force / (M + mass) - G)
    assert run.Vdot_0p[~heavy, 2] == pytest.approx(force / M - G)


def test_what_falls_freely_falls_the_same_with_a_payload():
    loads = gough.LoadSchedule([gough.TimedLoad(PAYLOAD, 0.033, 0.171), gough.Payload(0.3)])
    run = gough.simulate(slide(), np.eye(4), None, 0.2, loads=loads, step=0.005)
    assert np.abs(run.T_0p[:, 2, 3] + G * run.t**2 / 2.0).max() < 1e-14
    assert np.abs(run.balance).max() < 1e-13


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_forces_by_table_and_by_function(integrator):
    """A ramp by a table (its third integral is a cubic), and a sine by a function of time."""
    weight = gough.Force("cart", (0, 0, M * G))
    rows = np.array([[0, 0, 0], [0, 0, 4.0]])
    ramp = gough.TimedLoad(gough.Force("cart", rows), 0.0513, times=[0.0, 0.2])
    calls = []

    def push(t):
        calls.append(t)
        return gough.Force("cart", (0, 0, 3.0 * np.sin(20.0 * t)))

    pushed = gough.TimedLoad(push, end=0.1207)
    options = {"step": 0.002, "integrator": integrator, "loads": gough.LoadSchedule([ramp, weight])}
    run = gough.simulate(slide(), np.eye(4), None, 0.2, **options)
    t = np.maximum(run.t, 0.0513)
    exact = 20.0 / M * (t**3 / 6.0 - 0.0513**2 / 2.0 * t + 0.0513**3 / 3.0)
    assert np.abs(run.T_0p[:, 2, 3] - exact).max() < 1e-14  # exact for cubics, but for rounding
    assert np.abs(run.balance).max() < 1e-13
    options["loads"] = gough.LoadSchedule([weight, pushed])
    run = gough.simulate(slide(), np.eye(4), None, 0.2, **options)
    t, end = np.minimum(run.t, 0.1207), 0.1207
    speed = 3.0 / M / 20.0 * (1.0 - np.cos(20.0 * t))
    exact = 3.0 / M / 20.0 * (t - np.sin(20.0 * t) / 20.0) + speed * np.maximum(run.t - end, 0.0)
    # steps of 2 ms at 20 rad/s: Simpson's (0.04)^4 / 2880 of 2 cm
    assert np.abs(run.T_0p[:, 2, 3] - exact).max() < 5e-11
    assert max(calls) < end  # it is not asked for where it does not act
    broken = gough.TimedLoad(lambda t: gough.Force("cart", (0, 0, np.nan if t > 0.1 else 1.0)))
    options["loads"] = gough.LoadSchedule([broken])
    with pytest.raises(gough.errors.InputError, match=r"f of a force at 0\.10?\d* s"):
        gough.simulate(slide(), np.eye(4), None, 0.2, **options)


def test_efforts_of_a_slide_and_what_it_hands_over():
    path = motions.point_to_point(slide(), [0.0], [0.3], duration=0.4)
    loads = gough.LoadSchedule([carried(0.8, 0.1, 0.2501)])
    found = gough.analyse(slide(), path, loads=loads, rate=400)
    z, v, a = (
        x[..., i] for x, i in ((found.T_0p[:, :3, 3], 2), (found.V_0p, 2), (found.Vdot_0p, 2))
    )
    mass = M + 0.8 * ((found.t >= 0.1 - 1e-9) & (found.t < 0.2501 - 1e-9))
    assert found.tau[:, 0] == pytest.approx(mass * (a + G), rel=1e-12)
    # on either side of each change there is a sample
    jumps = np.flatnonzero(np.diff(mass))
    assert found.t[jumps + 1] == pytest.approx([0.1, 0.2501], abs=1e-15)
    assert np.diff(found.t)[jumps] == pytest.approx(2e-9)
    own = 0.8 * (G * z + v * v / 2.0)
    came, went = own[jumps]
    assert found.balance.handed_over[-1] == pytest.approx(came - went, rel=1e-6)
    assert found.balance.relative < 1e-7  # sums over time, with h^4: 8e-9 without a payload


def own_energy(r: gough.Robot, payload: gough.Payload, T, V) -> float:
    """Energy of a payload alone, from the pose and the twist of the body that carries it."""
    R_0b, p_0b = (at := gough.posture(r, gough.State(T, V)).bodies[r.platform])[:3, :3], at[:3, 3]
    arm = p_0b + R_0b @ payload.center - T[:3, 3]
    speed, turn = V[:3] + np.cross(V[3:], arm), R_0b.T @ V[3:]
    potential = -float(payload.mass) * np.dot(r.gravity, arm + T[:3, 3])
    return float(payload.mass * speed @ speed + turn @ payload.inertia @ turn) / 2.0 + potential


def test_the_energy_balance_closes_with_payloads_that_come_and_go():
    """The payload brings its own energy: of a body that turns, with its centre off the origin."""
    r = robot("gough_stewart")
    freedoms = np.array(r.assembly.scales.freedoms)
    x = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    path = motions.point_to_point(r, x, x + 0.1 * freedoms, duration=0.5)
    loads = gough.LoadSchedule([gough.TimedLoad(PAYLOAD, 0.2003, 0.3517), gough.Payload(0.2)])
    found = gough.analyse(r, path, loads=loads, rate=400, agreement=False)
    assert found.balance.relative < 1e-7  # without payloads 2e-8: sums over time, with h^4
    come, go = (own_energy(r, PAYLOAD, *path(t).arrays[:2]) for t in (0.2003, 0.3517))
    # energies are looked at 2 ns after the old payload's last sample
    assert found.balance.handed_over[-1] == pytest.approx(come - go, rel=1e-7)


@cache
def reproduced():
    """A five-bar that swings, its payload, and efforts of its motion as a function of time."""
    r = without_friction(robot("five_bar"))
    path = motions.point_to_point(r, [0.05, 0.45], [-0.02, 0.5], duration=0.12)
    loads = gough.LoadSchedule([gough.TimedLoad(PAYLOAD, 0.0303, 0.09)])

    @cache
    def efforts(t):
        with gough.options(engine="compiled"):
            return gough.inverse_dynamics(r, path(t), loads=loads.at(t))

    return r, path, loads, efforts


def test_efforts_of_a_motion_reproduce_it():
    """Steps have order four across changes, within a step and at its end, and adaptive ones theirs.

    Without a step that ends at the change 1e-2 m would be left, and 7e-5 m if the last stage before
    it took the efforts of after.
    """
    r, path, loads, efforts = reproduced()

    def error(**options):
        run = gough.simulate(r, path(0.0), efforts, 0.12, loads=loads, **options)
        assert np.abs(run.balance).max() < 1e-4 * run.kinetic.max()
        return np.abs(run.T_0p - path(run.t).T_0p).max()

    coarse, fine = error(step=0.006), error(step=0.003)
    assert fine < 1e-7
    assert 3.7 < np.log2(coarse / fine) < 4.3
    assert (
        error(integrator="dop853", rtol=1e-9, output_step=0.006) < 1e-8
    )  # ten times what is asked


def test_a_controller_that_does_not_know_the_payload_sags():
    """At rest M kp e is the weight of what it does not know; what it knows costs nothing."""
    r, mass, bandwidth = slide(), 0.5, 40.0
    hold = motions.hold(r, duration=1.0)
    loads = gough.LoadSchedule([carried(mass, 0.1, 0.6)])

    def error(**known):
        law = control.computed_torque(r, hold, bandwidth=bandwidth, **known)
        return gough.simulate(r, hold(0.0), law, 1.0, loads=loads, step=0.004)

    blind = error()
    off = np.interp([0.05, 0.599, 0.99], blind.t, -blind.T_0p[:, 2, 3])
    # after 0.5 s and 0.4 s what is left is (1 + w t) exp(-w t) of it, at the slower w with payload
    w = bandwidth * np.sqrt(M / (M + mass))
    steady = mass * G / (M * bandwidth**2)
    assert off == pytest.approx(
        [0.0, steady, 0.0], abs=3.0 * steady * (0.4 * w) * np.exp(-0.35 * w)
    )
    assert np.abs(error(loads=loads).T_0p[:, 2, 3]).max() < 1e-12


def test_machines_side_by_side_are_those_alone():
    """One of them stops before the payload comes."""
    r = slide()
    bounded = dataclasses.replace(
        r,
        joints=[
            dataclasses.replace(
                r.joints[0], axes=[gough.Axis(limits=gough.Limits(position=(-0.05, 1.0)))]
            )
        ],
    )
    loads = gough.LoadSchedule([carried(0.8, 0.1313, 0.17)])
    efforts, start = np.array([[M * G], [0.0], [30.0]]), np.stack([np.eye(4)] * 3)
    several = gough.simulate(bounded, start, efforts, 0.2, loads=loads, step=0.005)
    assert [event is not None for event in several.event] == [False, True, False]
    for i in range(3):
        alone = gough.simulate(bounded, np.eye(4), efforts[i], 0.2, loads=loads, step=0.005)
        count = len(several[i].t)  # the last state of one that stops is in its own run alone
        for name in ("T_0p", "handed_over", "work", "Vdot_0p"):
            assert getattr(several[i], name) == pytest.approx(
                getattr(alone, name)[:count], abs=1e-12
            )
    changes = [(0.0, M), (0.1313, M + 0.8), (0.17, M)]
    for i, force in ((0, M * G), (2, 30.0)):
        (z, v), (at, speed) = (by_hand(t, force, changes) for t in (0.1313, 0.17))
        brought = 0.8 * (G * (z - at) + (v * v - speed * speed) / 2.0)
        assert several.handed_over[i, -1] == pytest.approx(brought, rel=1e-11)
