"""What joints bear: against maximal coordinates, and Newton and Euler on every body."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from loaded import (
    COUNT,
    IDLE,
    NAMES,
    Case,
    case,
    loaded,
    loads_of,
    machines_of,
    placed,
    taken,
    with_axes,
)
from maximal import Machine
from robots import random_freedoms, robot

OVER_CONSTRAINED = {
    "five_bar": 3,
    "three_rrr": 6,
    "four_rrr": 9,
    "orthoglide": 12,
    "quattro": 4,
    "split_hexapod": 6,
    "planar_3rrp": 6,
}
SAME = 1e-9
# a null vector is either there or rounding: nothing in the machines tested lies between
NOTHING, SOMETHING = 1e-9, 1e-4


@pytest.fixture(scope="module", params=[*NAMES, *IDLE])
def c(request):
    """All laws of one robot in a row: it is set up once."""
    return case(request.param)


class TestMaximal:
    """The second opinion itself."""

    def test_bodies_are_where_the_joints_hold_them(self, c):
        for k, m in enumerate(c.machines):
            assert np.abs(m.constraints.x).max() < 1e-12
            assert np.abs(m.constraints.rate).max() < 1e-12
            a = np.concatenate([c.posture.twist_rates[b.name][k] for b in c.robot.bodies])
            left = m.constraints.J[:, :-6] @ a + m.constraints.bias
            assert np.abs(left).max() < 1e-10 * np.abs(a).max()

    @pytest.mark.parametrize("name", ["delta", "c5", "screw_hexapod", "rccc", "split_hexapod"])
    def test_derivatives_are_those_of_differences(self, name):
        """Rates and biases: bodies moved a little with twists that stay what they are."""
        c, h = case(name), 1e-5
        here = c.machines[0]

        def moved(t):
            poses = {}
            for body, i in here.index.items():
                T, V = here.poses[i], here.V[6 * i : 6 * i + 6]
                R = spatial.rotation_exp(t * V[3:]) @ T[:3, :3]
                poses[body] = spatial.pose(R, T[:3, 3] + t * V[:3])
            twists = {body: here.V[6 * i : 6 * i + 6] for body, i in here.index.items()}
            return Machine(c.robot, poses, twists, here.length)

        one, other = moved(-h), moved(h)
        triples = [(m.constraints for m in (one, here, other))]
        triples += [
            (a.motion for a in axes)
            for axes in zip(one.axes, here.axes, other.axes, strict=True)
            if axes[0].what in ("turn", "slide")
        ]
        for before, now, after in triples:
            # central differences: h^2 times third derivatives, and rounding over h
            assert np.abs((after.x - before.x) / (2 * h) - now.rate).max() < 1e-7
            assert np.abs((after.rate - before.rate) / (2 * h) - now.bias).max() < 1e-6

    def test_axes_are_read_alike(self, c):
        """Coordinates up to whole turns, rates and accelerations of turns and slides."""
        for k, m in enumerate(c.machines):
            a = np.concatenate([c.posture.twist_rates[b.name][k] for b in c.robot.bodies])
            for axis in m.axes:
                if axis.what in ("turn", "slide"):
                    gap = axis.motion.x - c.posture.joints[axis.name][k]
                    gap -= 2 * np.pi * np.round(gap / (2 * np.pi)) if axis.what == "turn" else 0.0
                    assert abs(gap) < 1e-12
                    assert abs(axis.motion.rate - c.posture.joint_rates[axis.name][k]) < 1e-12
                    qdd = axis.motion.J[:-6] @ a + axis.motion.bias
                    expected = c.posture.joint_accelerations[axis.name][k]
                    assert abs(qdd - expected) < SAME * max(1.0, np.abs(a).max())


def test_efforts_produce_the_motion_of_every_body(c):
    """The efforts of the inverse model, in maximal coordinates, give back the accelerations."""
    for k, answer in enumerate(c.answers):
        scale = max(np.abs(a[k]).max() for a in c.posture.twist_rates.values())
        for body, rate in answer.rates.items():
            assert np.abs(rate - c.posture.twist_rates[body][k]).max() < SAME * scale


@pytest.mark.parametrize(
    "left_out", [{"forces": ()}, {"payload": None}, {"friction": False}, {"rotors": False}]
)
def test_every_load_is_felt(left_out):
    """Maximal coordinates without one of the loads give another motion: the law above can fail."""
    c = case("gough_stewart")
    loads = dataclasses.replace(c.loads.at(0), **left_out)
    near = {n: q[0] for n, q in c.posture.joints.items()}
    rates = c.machines[0].solve(c.tau[0], loads, near).rates[c.robot.platform]
    expected = c.posture.twist_rates[c.robot.platform][0]
    assert np.abs(rates - expected).max() > 1e-3 * np.abs(expected).max()


def test_reactions_are_those_of_maximal_coordinates(c):
    """Where unique; the flags agree; where not, both are the shortest of all that would do.

    Shortest about the origin of the joint's frame on the child.
    """
    assert c.child.joints == tuple(j.name for j in c.robot.joints)
    for k, answer in enumerate(c.answers):
        found, expected = c.child.wrench[k] / c.units, answer.wrenches / c.units
        loose = np.linalg.norm(answer.loose, axis=2)
        assert ((loose < NOTHING) | (loose > SOMETHING)).all()
        assert answer.loose.shape[2] == OVER_CONSTRAINED.get(c.robot.name, 0)
        assert np.array_equal(c.child.unique[k], loose < NOTHING)
        scale = np.abs(expected).max()
        assert np.abs(found - expected)[c.child.unique[k]].max() < SAME * scale
        assert np.abs(found - expected).max() < SAME * scale
        assert np.linalg.norm(found) < np.linalg.norm(expected) * (1.0 + SAME)


def test_both_frames_show_the_same_wrench(c):
    for k, m in enumerate(c.machines):
        scale = np.abs(c.child.wrench[k] / c.units).max()
        for i, ends in enumerate(m.ends):
            moved = ends.B_to_A @ c.child.wrench[k, i]
            assert np.abs((c.parent.wrench[k, i] - moved) / c.units).max() < SAME * scale
            loose = ends.B_to_A @ (c.units[:, None] * c.answers[k].loose[i]) / c.units[:, None]
            assert np.array_equal(c.parent.unique[k, i], np.linalg.norm(loose, axis=1) < NOTHING)


def unbalanced(c: Case, k: int, frame: str) -> dict[str, np.ndarray]:
    """Wrench about the base's origin that joints leave missing on each body."""
    found, left = getattr(c, frame), taken(c, k) | {c.robot.base: np.zeros(6)}
    for j, w, (R, p) in zip(c.robot.joints, found.wrench[k], placed(c, k, frame), strict=True):
        f = R @ w[:3]
        W = np.concatenate([f, R @ w[3:] + np.cross(p, f)])
        left[j.child] = left[j.child] - W
        left[j.parent] = left[j.parent] + W
    return {body.name: left[body.name] for body in c.robot.bodies}


@pytest.mark.parametrize("frame", ["parent", "child"])
def test_newton_and_euler_hold_on_every_body(c, frame):
    """And the base exerts what its joints do, or what all bodies together need."""
    for k in range(COUNT):
        scale = np.abs(getattr(c, frame).wrench[k] / c.units).max()
        for W in unbalanced(c, k, frame).values():
            assert np.abs(W / c.units).max() < SAME * scale
        total = sum(taken(c, k).values()) - getattr(c, frame).ground[k]
        assert np.abs(total / c.units).max() < SAME * scale


def friction(axis: gough.Axis, rate: np.ndarray) -> np.ndarray:
    speed = np.linalg.norm(rate)
    return axis.viscous * rate + axis.coulomb * rate / (speed or 1.0)


def test_along_every_axis_acts_what_drives_and_holds_it(c):
    """Motor effort less friction, rotor and spring, and nothing but friction on balls and planes.

    The part of a wrench along a turn is its moment about the axis; of a screw, also its force.
    """
    for k in range(COUNT):
        motors = dict(zip(c.robot.motors, c.tau[k], strict=True))
        scale = np.abs(c.parent.wrench[k] / c.units).max()
        for i, j in enumerate(c.robot.joints):
            A, B = c.parent.wrench[k, i], c.child.wrench[k, i]
            parts = {
                "revolute": [A[5]],
                "prismatic": [A[2]],
                "helical": [A[5] + j.pitch * A[2]],
                "universal": [A[5], B[5]],
                "cylindrical": [A[5], A[2]],
                "spherical": [B[3:]],
                "planar": [A[0], A[1], A[5]],
                "planar_contact": [A[:2], B[3:]],
                "fixed": [],
            }[j.kind]
            for axis, part in zip(j.axis_names, parts, strict=True):
                given, p = c.robot.axis(axis), c.posture
                expected = motors.get(axis, 0.0) - friction(given, p.joint_rates[axis][k])
                if given.reflected_inertia:
                    expected -= given.reflected_inertia * p.joint_accelerations[axis][k]
                if given.spring:
                    stretch = p.joints[axis][k] - given.spring.rest
                    expected -= given.spring.stiffness * stretch
                assert np.abs(part - expected).max() < SAME * scale


@pytest.mark.parametrize("name", ["gough_stewart", "three_rrr", "contact_tripod"])
@pytest.mark.parametrize("options", [{"friction": False}, {"rotors": False}, {"smoothing": 0.4}])
def test_options_reach_the_joints(name, options):
    """Also without a motor: what falls pulls at its joints.  Left out, the motion is refused."""
    r, loads = loaded(name), gough.Loads(**options)
    T, V, Vdot = gough.state(r, *random_freedoms(name, COUNT, 0.1, seed=6)).arrays
    tau = np.zeros((COUNT, 0))
    if r.motors:
        tau = gough.inverse_dynamics(r, gough.State(T, V, Vdot), loads=loads)
    else:
        Vdot = gough.forward_dynamics(r, gough.State(T, V), tau, loads=loads).Vdot_0p
    found = gough.reactions(r, gough.State(T, V, Vdot), tau=tau, frame="child", loads=loads)
    p = gough.posture(r, gough.State(T, V, Vdot))
    units = np.array([1.0] * 3 + [r.length] * 3)
    for k, m in enumerate(machines_of(r, p)):
        near = {n: q[k] for n, q in p.joints.items()}
        expected = m.solve(tau[k], loads, near).wrenches / units
        assert np.abs(found.wrench[k] / units - expected).max() < SAME * np.abs(expected).max()
    with pytest.raises(gough.errors.InputError, match=r"sample 0: .* do not produce this motion"):
        gough.reactions(r, gough.State(T, V, Vdot), tau=tau)


def test_what_holds_an_idle_spin_is_told():
    """Bars of no revolution with friction in their balls would spin: a moment along each bar.

    It is all that Newton and Euler miss, and it is in ``frozen``.
    """
    r = with_axes(robot("delta_with_balls"))
    state = gough.state(r, *random_freedoms("delta_with_balls", COUNT, 0.1, seed=6))
    loads = loads_of(r, np.random.default_rng(5), None)
    tau, p = gough.inverse_dynamics(r, state, loads=loads), gough.posture(r, state)
    found = gough.reactions(r, state, loads=loads)
    c = Case(r, state, loads, p, tau, found, found, [], [])
    for k in range(COUNT):
        left, scale = unbalanced(c, k, "parent"), np.abs(found.wrench[k] / c.units).max()
        moments = []
        for body, W in left.items():
            ends = [
                (p.bodies[body][k] @ frame.matrix)[:3, 3]
                for j in r.joints
                for name, frame in ((j.parent, j.parent_frame), (j.child, j.child_frame))
                if name == body and body.startswith("bar")
            ]
            if ends:
                x = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
                moments.append(W[3:] @ x)
                W = W - np.concatenate([np.zeros(3), moments[-1] * x])
            assert np.abs(W / c.units).max() < SAME * scale
        assert len(moments) == found.frozen.shape[1] == 6
        assert np.abs(moments).min() > 1e-4
        assert np.sort(np.abs(moments)) == pytest.approx(np.sort(np.abs(found.frozen[k])), rel=1e-7)
