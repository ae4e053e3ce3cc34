"""Screw kinematics of every robot: what the closed chains give is what the posture says.

The posture is found by closure rows joint by joint and by recursions in link axes; the screws know
of chains and loops only.
"""

import dataclasses
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from batches import KINDS, check_batch
from gough import screw
from gough.dynamics import legs, screws
from gough.dynamics.screws.chains import STILL
from gough.dynamics.screws.kinematics import ScrewState
from gough.dynamics.screws.reciprocal import (
    choose_reciprocal,
    joint_screws_at,
    reciprocal_on,
    ways_over,
)
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.solution import Solution
from robots import ALL_NAMES, random_freedoms, relative, robot

# the same through systems of other make, of condition up to some hundred: 1e-13 is met
RATES = 1e-11
ACCELERATIONS = 1e-11

# motors without a reciprocal screw, of robots whose platform turns in its nacelle: see below
MISSING = {"delta_4": 3, "quattro": 4, "h4": 4}
# motors that act through couplings are on no way to the platform
COUPLED = {"rack": 1}


class Case(NamedTuple):
    """A robot in a motion: by the posture, and by screws."""

    T: np.ndarray
    V: np.ndarray
    Vdot: np.ndarray
    posture: gough.Posture
    state: ScrewState
    rates: np.ndarray
    accelerations: np.ndarray


@cache
def case(name: str) -> Case:
    r = robot(name)
    moving = gough.state(r, *random_freedoms(name, 1, 0.15, seed=5))[0]
    T, V, Vdot = moving.arrays
    state = ScrewState(Kinematics(r.assembly, regular(r.assembly, T), V, Vdot))
    posture = gough.posture(r, moving)
    every = (state.over_slots(each) for each in (state.motion, state.accelerations))
    return Case(T, V, Vdot, posture, state, *every)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_twists_and_twist_rates_of_all_bodies(name):
    """[GA] (6), (12): the body at the end of a chain."""
    c, r = case(name), robot(name)
    moving, first = c.state.moving(c.state.accelerations), c.state.twists(c.state.motion)
    length = r.length
    scale = np.array([1.0 / length] * 3 + [1.0] * 3)
    for body in r.bodies:
        _, chains = c.state.part_of(body.name)
        p = c.posture.bodies[body.name][:3, 3] - chains.point
        twist, accelerator = moving[body.name]
        V = c.posture.twists[body.name]
        assert relative(screw.to_twist(twist, p) * scale, V * scale) < RATES
        np.testing.assert_allclose(twist, first[body.name], atol=1e-12)
        found = screw.to_twist_rate(accelerator, twist, p)
        expected = c.posture.twist_rates[body.name]
        assert relative(found * scale, expected * scale) < ACCELERATIONS
        back = screw.from_twist_rate(V, expected, p)
        assert relative(back, accelerator) < ACCELERATIONS
    np.testing.assert_allclose(screw.to_twist(moving[r.platform].V, np.zeros(3)), c.V, atol=RATES)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_rates_and_accelerations_of_all_joints(name):
    """[GA] (23)-(24), leg by leg: also loops within legs, and nacelles."""
    c, r = case(name), robot(name)
    for axis in r.axis_names:
        slots = list(c.state.graph.slots[axis])
        qd, qdd = c.rates[slots], c.accelerations[slots]
        if r.assembly.axes[axis].what == "ball":  # in base axes; those of a posture: child
            joint = next(j for j in r.joints if axis in j.axis_names)
            bodies = c.posture.bodies | {r.base: np.eye(4)}
            w = c.posture.twists.get(joint.parent, np.zeros(6))[3:]
            B = bodies[joint.child] @ joint.child_frame.matrix
            # components against the base change while the parent turns, with it they do not
            qd, qdd = B[:3, :3].T @ qd, B[:3, :3].T @ (qdd - np.cross(w, qd))
        for found, of_posture, tolerance in (
            (qd, c.posture.joint_rates, RATES),
            (qdd, c.posture.joint_accelerations, ACCELERATIONS),
        ):
            expected = np.reshape(of_posture[axis], -1)
            size = max(1.0, float(np.abs(expected).max()))
            np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance * size)
    motors = [c.state.graph.slots[m][0] for m in r.motors]
    expected = gough.motor_rates(r, gough.State(c.T, c.V))
    np.testing.assert_allclose(c.rates[motors], expected, rtol=RATES, atol=RATES)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_both_ways_to_a_body_agree(name):
    """[GA] (16), (59): a closed chain gives one twist and one accelerator to its bodies."""
    c, r = case(name), robot(name)
    graph = c.state.graph
    assert len(graph.closing) == len(r.joints) - len(r.bodies) + len(graph.hub.roots)
    moving = c.state.moving(c.state.accelerations)
    for leg, qd, qdd in zip(
        c.state.legs, c.state.motion.legs, c.state.accelerations.legs, strict=True
    ):
        for end in leg.ends:
            before = moving.get(end.near, STILL)
            V, A = leg.chains.behind(before, end.joint, end.sign, qd, qdd)
            expected = (screw.moved(x, leg.arm) for x in moving[end.far])
            for found, wanted in zip((V, A), expected, strict=True):
                np.testing.assert_allclose(found, wanted, atol=RATES * (1.0 + np.abs(A).max()))
        for joint in leg.inner:
            before = moving.get(joint.parent, STILL)
            found = leg.chains.behind(before, joint, 1.0, qd, qdd)
            for one, other in zip(found, moving.get(joint.child, STILL), strict=True):
                np.testing.assert_allclose(one, other, atol=RATES * (1.0 + np.abs(found.A).max()))


@pytest.mark.parametrize("name", [n for n in ALL_NAMES if n != "contact_tripod"])  # no motors
def test_motor_rates_from_the_screws_of_legs(name):
    """[GA] (60)-(61): one solve a motor with the transpose of its leg, and no other leg."""
    c, r = case(name), robot(name)
    motors = gough.motor_rates(r, gough.State(c.T, c.V))
    assert relative(c.state.motor_screws @ c.state.motion.z, motors) < RATES
    assert relative(c.state.J_inv, gough.inverse_jacobian(r, c.T)) < RATES


@pytest.mark.parametrize("name", ALL_NAMES)
def test_what_legs_demand_of_the_platform(name):
    """Screws that are reciprocal to a leg leave all motions that the robot has, and no others."""
    c, r = case(name), robot(name)
    for leg in c.state.legs:
        for u in leg.constraints:
            np.testing.assert_allclose(u @ leg.E, 0.0, atol=1e-12 * (1.0 + np.abs(leg.E).max()))
    largest = 1.0 + np.abs(c.state.C).max(initial=0.0)
    np.testing.assert_allclose(c.state.C @ c.state.Z_r, 0.0, atol=1e-11 * largest)
    assert relative(c.state.Z_r[:6], gough.freedom_map(r, c.T)) < RATES


@pytest.mark.parametrize("name", ["gough_stewart", "delta", "six_rrrs", "tilt_3rps"])
def test_every_leg_is_a_system_of_its_own(name):
    """No leg has more unknowns than its own joints: not one system of the whole graph."""
    c = case(name)
    sizes = [leg.factor.shape[1] for leg in c.state.legs]
    assert sum(sizes) == c.state.graph.rates
    assert max(sizes) < c.state.graph.rates / 2


@pytest.mark.parametrize("name", ["gough_stewart_6spu", "contact_tripod", "delta_with_balls"])
def test_a_component_of_a_ball_that_could_be_held(name):
    """``d/dt (row qd) = row qdd - bias``: the posture's acceleration about an axis of the child."""
    c, r = case(name), robot(name)
    index, tree, link, columns = next(
        (i, leg.tree, link, columns)
        for i, leg in enumerate(r.assembly.topology.legs)
        for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True)
        if link.move == "ball" and not link.transposed
    )
    leg, rates = c.state.legs[index], c.state.motion.legs[index]
    axis = r.joint(link.joint).axis_names[link.axis]
    lie = leg.chains.motions(leg.roots, rates)
    for k in range(3):
        held = tree, c.state.at.leg_placed[index], Lock(-1, None, columns.start + k)
        row, bias = leg.chains.lock_row(*held), leg.chains.lock_bias(*held, lie, rates)
        found = row @ c.state.accelerations.legs[index] - bias
        assert row @ rates == pytest.approx(c.posture.joint_rates[axis][k], abs=RATES)
        assert found == pytest.approx(c.posture.joint_accelerations[axis][k], abs=1e-10)


@pytest.mark.parametrize("name", ["gough_stewart", "delta_4", "tilt_3rps", "ucs_hexapod", "c5"])
def test_nothing_is_taken_from_the_motion_of_legs(name, monkeypatch):
    """Screws are a witness: rows, biases and recursions of the other theories may all be lost."""
    r, c = robot(name), case(name)
    loads = StateLoads(r.assembly.gravity).during(c.V, r.length)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, gough.State(c.T, c.V, c.Vdot), method="legs")

    def lost(*_args, **_options):
        raise AssertionError("not by screws")

    kin = Kinematics(r.assembly, regular(r.assembly, c.T), c.V, c.Vdot)
    for of in ("biases", "motions", "_leg_block", "_hub_end"):
        monkeypatch.setattr(Equations, of, lost)
    for of in ("rates", "constraints", "Psi", "J_inv", "complete", "platform_rows"):
        monkeypatch.setattr(Solution, of, lost)
    assert relative(screws.inverse(kin, loads), tau) < RATES
    with pytest.raises(AssertionError, match="not by screws"):
        legs.inverse(kin, loads)


# reciprocal screws


@pytest.mark.parametrize("name", ALL_NAMES)
def test_motor_rates_by_reciprocal_screws(name):
    """[GA] (60): ``qd_i = KL(r_i, V)``, wherever there is an r_i."""
    c, r = case(name), robot(name)
    found = gough.reciprocal_screws(r, c.T)
    assert found.shape == (len(r.motors), 6)
    exist = np.isfinite(found).all(axis=1)
    assert (np.isnan(found).all(axis=1) == ~exist).all()
    twist = screw.from_twist(c.V, c.T[:3, 3])
    rates = np.array([screw.klein(row, twist) for row in found])
    expected = gough.motor_rates(r, gough.State(c.T, c.V))
    np.testing.assert_allclose(rates[exist], expected[exist], rtol=RATES, atol=RATES)
    assert (~exist).sum() == (MISSING | COUPLED).get(name, 0)


@pytest.mark.parametrize("name", [n for n in ALL_NAMES if n not in MISSING | COUPLED])
def test_reciprocal_screws_are_what_the_motors_do_to_the_platform(name):
    """As wrenches: ``J_inv^T tau`` is ``sum tau_i r_i`` in the robot's freedoms."""
    c, r = case(name), robot(name)
    tau = np.random.default_rng(1).normal(size=len(r.motors))
    W = screw.moved(tau @ gough.reciprocal_screws(r, c.T), c.T[:3, 3])
    found = gough.freedom_map(r, c.T).T @ W
    expected = gough.inverse_jacobian(r, c.T).T @ tau
    assert relative(found, expected) < RATES


@pytest.mark.parametrize("name", MISSING)
def test_articulated_nacelles_leave_none(name):
    """Seven screws on the way, at least: motor 1, bar 2 + 3, joint of the nacelle 1.

    The six without the motor's span all motions, and nothing is reciprocal to all motions.  It
    takes both bars of an arm to keep a part of the nacelle upright; no single way knows of that.
    """
    c, r = case(name), robot(name)
    missing = np.isnan(gough.reciprocal_screws(r, c.T)).all(axis=1)
    graph, screws = c.state.graph, joint_screws_at(c.state)
    for motor in np.array(r.motors)[missing]:
        own = graph.slots[motor][0]
        for way in ways_over(graph, motor):
            axes = [axis for joint, _ in way for axis in joint.axis_names]
            others = [slot for axis in axes for slot in graph.slots[axis] if slot != own]
            assert len(others) >= 6
            # singular values are from 0.005 to 3, with lengths in metres
            assert np.linalg.matrix_rank(screws[others], tol=1e-3) == 6
            assert np.isnan(reciprocal_on(graph, motor, way, screws[None], r.length)).all()


def test_reciprocal_screws_of_batches():
    r = robot("three_rrr")
    state = gough.state(r, *random_freedoms("three_rrr", 6, 0.1))
    T, V, _ = state.arrays
    found = gough.reciprocal_screws(r, T.reshape(2, 3, 4, 4))
    assert found.shape == (2, 3, 3, 6)
    for k in range(6):
        one = gough.reciprocal_screws(r, T[k])
        np.testing.assert_allclose(found.reshape(6, 3, 6)[k], one, rtol=1e-12, atol=1e-13)
    # all at once, as the docs have it
    twists = np.array([screw.from_twist(V[k], T[k, :3, 3]) for k in range(6)])
    found = found.reshape(6, 3, 6)
    rates = np.einsum("kmi,ki->km", found, np.roll(twists, 3, axis=-1))
    np.testing.assert_allclose(rates, gough.motor_rates(r, state), atol=1e-12)


@pytest.mark.parametrize("name", KINDS)
def test_batches_are_answered_as_single_states_are(name):
    check_batch(gough.reciprocal_screws, name)


def test_each_state_of_a_batch_has_its_own_way():
    """In the second state a joint of the first bar is in line with the motor: by the other bar."""
    r, state = robot("delta"), case("delta").state
    motor, screws = r.motors[0], np.stack([joint_screws_at(state)] * 2)
    first, second, *_ = ways_over(state.graph, motor)
    own = state.graph.slots[motor][0]
    bar = next(joint for joint, _ in first if joint not in [j for j, _ in second])
    screws[1, state.graph.slots[bar.axis_names[0]][0]] = screws[1, own]
    one, other = (reciprocal_on(state.graph, motor, w, screws, r.length) for w in (first, second))
    assert np.isnan(one[1]).all()
    assert not np.allclose(one[0], other[0])
    found = choose_reciprocal(state.graph, screws, r.length)[:, 0]
    np.testing.assert_array_equal(found, [one[0], other[1]])


def test_reciprocal_screws_far_from_the_base():
    """A hexapod a kilometre away from O: moments are large, motor rates the same."""
    r, c = robot("gough_stewart_6spu"), case("gough_stewart_6spu")
    away = np.array([600.0, -640.0, 480.0])

    def shifted(frame: gough.Frame) -> gough.Frame:
        return gough.Frame((away + frame.position).tolist(), frame.rotation)

    joints = [
        dataclasses.replace(j, parent_frame=shifted(j.parent_frame)) if j.parent == r.base else j
        for j in r.joints
    ]
    bodies = {name: shifted(frame) for name, frame in r.home.bodies.items()}
    home = dataclasses.replace(r.home, bodies=bodies)
    far = dataclasses.replace(r, joints=tuple(joints), home=home)
    T = c.T.copy()
    T[:3, 3] += away
    found = gough.reciprocal_screws(far, T)
    rates = np.array([screw.klein(row, screw.from_twist(c.V, T[:3, 3])) for row in found])
    # positions have three digits less
    assert relative(rates, gough.motor_rates(r, gough.State(c.T, c.V))) < 1e-10


def test_bad_poses_are_told_apart_from_missing_screws():
    r = robot("delta_4")
    T = case("delta_4").T
    both = np.stack([T, T])
    both[1, 0, 3] += 100.0
    with pytest.raises(gough.GoughError, match=r"sample 1|\[1\]|\(1,\)"):
        gough.reciprocal_screws(r, both)
    found = gough.reciprocal_screws(r, both, on_error="nan")
    assert np.isnan(found[1]).all()
    assert np.isfinite(found[0, 3]).all()
    with pytest.raises(gough.errors.InputError, match="shape"):
        gough.reciprocal_screws(r, T[:3])


def test_no_motors_no_screws():
    r = robot("contact_tripod")
    assert gough.reciprocal_screws(r, r.home_pose).shape == (0, 6)
