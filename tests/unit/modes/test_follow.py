"""Poses of motor positions near known ones: right where they are given, and told where not."""

import numpy as np
import pytest

import gough
from gough.base.spatial import rotation_exp
from gough.errors import InputError
from gough.geometry.newton import AssembledState
from gough.kinematics.poses import PoseStatus
from gough.modes import follow
from gough.modes.follow import pose_from_motors
from robots import random_freedoms, robot

# one of each kind: planar, spherical, six freedoms, redundant, a leg's tilt
NAMES = ["five_bar", "spherical_2dof", "gough_stewart", "four_rrr", "tilt_3rps"]


def poses(name, count, amplitude):
    """Poses around home."""
    return gough.state(robot(name), random_freedoms(name, count, amplitude)[0]).T_0p


@pytest.mark.parametrize("name", NAMES)
def test_poses_and_back(name):
    """Motor positions of poses lead back to them, from home, in few steps."""
    r, T = robot(name), poses(name, 40, 0.05)
    q = gough.inverse_kinematics(r, T)
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, r.home_pose)
    assert found.converged.all()
    assert found.iterations.max() <= 5  # squared errors: 0.05, 3e-3, 1e-5, 1e-10, 1e-20
    # rounding of the geometry, times the condition of the motors' Jacobian
    assert np.abs(found.T_0p - T).max() < 1e-13
    assert found.error.max() <= 1e-12
    with gough.options(engine="compiled"):
        one = pose_from_motors(r, q[3], r.home_pose)
    np.testing.assert_allclose(one.T_0p, found.T_0p[3], atol=1e-14)
    assert (one.status, one.iterations) == (found.status[3], found.iterations[3])


@pytest.mark.parametrize("name", ["five_bar", "delta"])
def test_numpy_agrees(name):
    r, T = robot(name), poses(name, 3, 0.05)
    q = gough.inverse_kinematics(r, T)
    with gough.options(engine="numpy"):
        found = pose_from_motors(r, q, r.home_pose)
    assert found.converged.all()
    assert (found.iterations == -1).all()
    assert np.abs(found.T_0p - T).max() < 1e-12


def test_a_guess_that_is_inexact_is_mended():
    """Off by what a camera leaves open, out of the plane as well; a distorted one is refused."""
    r = robot("five_bar")
    T = poses("five_bar", 1, 0.05)[0]
    guess, off = T.copy(), 1e-4 * np.random.default_rng(0).uniform(-1.0, 1.0, 6)
    guess[:3, 3] += off[:3]
    guess[:3, :3] = rotation_exp(off[3:]) @ T[:3, :3]
    found = pose_from_motors(r, gough.inverse_kinematics(r, T), guess)
    assert found.converged
    assert np.abs(found.T_0p - T).max() < 1e-13
    crooked = T.copy()
    crooked[0, 0] *= 1.2
    refused = pose_from_motors(r, gough.inverse_kinematics(r, T), crooked)
    assert refused.status == PoseStatus.BAD_INPUT


def test_whole_turns_do_not_matter():
    r, T = robot("five_bar"), poses("five_bar", 1, 0.05)[0]
    q = gough.inverse_kinematics(r, T)
    for turns in ([1, 0], [-3, 2]):
        found = pose_from_motors(r, q + 2.0 * np.pi * np.array(turns), r.home_pose)
        assert found.converged
        assert np.abs(found.T_0p - T).max() < 1e-12


def elbows(q):
    """Distance between the elbows of the five-bar of the zoo: its bars are 0.42 m long."""
    ends = [
        np.stack([foot + 0.3 * np.cos(a), 0.3 * np.sin(a)], axis=-1)
        for foot, a in ((-0.16, q[..., 0]), (0.16, q[..., 1]))
    ]
    return np.linalg.norm(ends[1] - ends[0], axis=-1)


def test_every_pose_that_is_given_is_right():
    """From guesses near and far: status tells, and what is given is the mode of the guess.

    The tip is where two circles meet, on the side of the elbows' line where it was.
    """
    r = robot("five_bar")
    rng = np.random.default_rng(1)
    q = np.array([2.31, 0.83]) + rng.uniform(-0.9, 0.9, (400, 2))
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, r.home_pose)
    good = found.converged
    assert 40 < good.sum() < 400
    assert not good[elbows(q) > 0.84].any()  # bars too short
    assert {int(s) for s in found.status[~good]} <= {1, 2, 3, 4}
    assert np.isnan(found.T_0p[~good]).all()
    left, right = (
        np.stack([foot + 0.3 * np.cos(a), 0.3 * np.sin(a)], axis=-1)
        for foot, a in ((-0.16, q[good, 0]), (0.16, q[good, 1]))
    )
    along = right - left
    d = np.linalg.norm(along, axis=-1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=-1) / d
    tip = (left + right) / 2.0 + across * np.sqrt(0.42**2 - (d / 2.0) ** 2)
    np.testing.assert_allclose(found.T_0p[good, :2, 3], tip, atol=1e-11)


def test_status_of_what_has_no_pose():
    r = robot("five_bar")
    home = r.home_pose
    q = gough.inverse_kinematics(r, home)
    apart = q + np.array([0.7, -0.7])
    assert elbows(apart) > 0.85
    nan = np.full(2, np.nan)
    mirror = home @ np.diag([1.0, 1.0, -1.0, 1.0])
    far = home.copy()
    far[1, 3] = 3.0
    for engine in ("compiled", "auto"):
        with gough.options(engine=engine):
            found = pose_from_motors(
                r,
                np.stack([q, apart, nan, q, q, q + np.inf]),
                np.stack([home, home, home, mirror, far, home]),
            )
        assert found.status[0] == PoseStatus.CONVERGED
        assert found.status[1] in (
            PoseStatus.NOT_CONVERGED,
            PoseStatus.SINGULAR,
            PoseStatus.OUT_OF_REACH,
        )
        bad, reach = PoseStatus.BAD_INPUT, PoseStatus.OUT_OF_REACH
        assert list(found.status[2:]) == [bad, bad, reach, bad]
        assert np.isnan(found.T_0p[1:]).all()


def test_batches_of_any_shape_and_threads():
    r, T = robot("five_bar"), poses("five_bar", 6, 0.05)
    q = gough.inverse_kinematics(r, T)
    with gough.options(engine="compiled"):
        many = pose_from_motors(r, q.reshape(2, 3, 2), r.home_pose)
    assert many.T_0p.shape == (2, 3, 4, 4)
    assert many.status.shape == many.error.shape == many.iterations.shape == (2, 3)
    assert repr(many) == "<Poses (2, 3): 6 CONVERGED>"
    wide = np.tile(q, (400, 1))  # more than one block
    with gough.options(engine="compiled", threads=2):
        spread = pose_from_motors(r, wide, r.home_pose)
    np.testing.assert_allclose(
        spread.T_0p.reshape(400, 6, 4, 4), T[None].repeat(400, 0), atol=1e-12
    )
    assert pose_from_motors(r, np.zeros((0, 2)), r.home_pose).T_0p.shape == (0, 4, 4)


def other_branch():
    """The five-bar with its left elbow on the other side, tip at home."""
    r = robot("five_bar")
    a = r.assembly
    left, tip = np.array([-0.16, 0.0]), a.T_home[:2, 3]
    d = np.linalg.norm(tip - left)
    bend = np.arccos((0.3**2 + d**2 - 0.42**2) / (2.0 * 0.3 * d))
    heading = np.arctan2(*(tip - left)[::-1])
    elbow = left + 0.3 * np.array([np.cos(heading - bend), np.sin(heading - bend)])
    bar = np.arctan2(*(tip - elbow)[::-1])
    T = np.eye(4)
    T[:2, :2] = [[np.cos(bar), -np.sin(bar)], [np.sin(bar), np.cos(bar)]]
    T[:2, 3] = tip
    q = np.array([heading - bend, gough.inverse_kinematics(r, a.T_home)[1]])
    legs = [list(leg) for leg in a.home.legs]
    i = next(k for k, leg in enumerate(a.topology.legs) if leg.name == a.topology.legs[0].name)
    legs[i] = [np.array([np.cos(q[0]), np.sin(q[0])])]
    return r, AssembledState(T, a.home._replace(legs=legs)), q


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
def test_another_branch_is_another_home(engine):
    r, state, q = other_branch()
    assert r.assembly.closure_error(r.assembly.equations(*state)) < 1e-12
    there = r.rehomed(state)
    with gough.options(engine=engine):
        found = pose_from_motors(there, q + np.array([0.01, -0.02]), state.T_0p)
    assert found.converged
    tip = found.T_0p[:2, 3]
    elbow = [-0.16 + 0.3 * np.cos(q[0] + 0.01), 0.3 * np.sin(q[0] + 0.01)]
    assert abs(np.linalg.norm(tip - elbow) - 0.42) < 1e-12
    assert np.linalg.norm(tip - state.T_0p[:2, 3]) < 0.02


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": True}, "iterations"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": np.nan}, "tolerance"),
    ],
)
def test_options_that_are_none(options, match):
    r = robot("five_bar")
    with pytest.raises(InputError, match=match):
        pose_from_motors(r, [2.3, 0.8], r.home_pose, **options)


def test_shapes_that_do_not_fit():
    r = robot("five_bar")
    with pytest.raises(InputError, match="q_a has shape"):
        pose_from_motors(r, [1.0, 2.0, 3.0], r.home_pose)
    with pytest.raises(InputError, match="near has shape"):
        pose_from_motors(r, [1.0, 2.0], np.zeros(3))
    with pytest.raises(InputError, match="batch axes"):
        pose_from_motors(r, np.zeros((3, 2)), np.tile(np.eye(4), (2, 1, 1)))


def test_every_engine_has_the_same_status_alone_and_in_a_batch():
    """What a kernel is not sure of NumPy decides, whatever the engine."""
    r = robot("quattro")
    q = gough.inverse_kinematics(r, poses("quattro", 20, 0.2))
    doubtful = np.flatnonzero(~follow.find_poses(r, q, None, doubts=False).converged)
    assert len(doubtful) >= 3
    found = {}
    for engine in ("auto", "compiled"):
        with gough.options(engine=engine):
            found[engine] = pose_from_motors(r, q)
    assert (found["auto"].status == found["compiled"].status).all()
    np.testing.assert_array_equal(found["auto"].T_0p, found["compiled"].T_0p)
    for i in doubtful[:3]:
        for engine in ("auto", "compiled", "numpy"):
            with gough.options(engine=engine):
                assert pose_from_motors(r, q[i]).status == found["auto"].status[i]


@pytest.mark.parametrize(
    "name", ["five_bar", "three_rrr", "delta", "quattro", "hexapod_6rus", "sps_hexapod", "rccc"]
)
def test_many_doubts_are_settled_together(name, monkeypatch):
    """Inside the workspace, at its border and outside; some are looked at alone to compare.

    Joints that spin idly, and screws, are among the machines.
    """
    r, rng = robot(name), np.random.default_rng(2)
    home, scales = gough.inverse_kinematics(r, r.home_pose), r.assembly.scales.motors
    q = home + rng.choice([0.2, 0.5, 1.0], (90, 1)) * scales * rng.uniform(
        -1.0, 1.0, (90, len(home))
    )
    near = np.repeat(r.home_pose[None], 90, axis=0)
    known = pose_from_motors(r, home + 0.1 * (q[::3] - home))
    near[::3] = np.where(known.converged[:, None, None], known.T_0p, near[::3])
    alone = []
    one_by_one = follow._by_numpy
    monkeypatch.setattr(
        follow, "_by_numpy", lambda *given: alone.append(given) or one_by_one(*given)
    )
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, near)
    doubtful = np.flatnonzero(found.iterations < 0)
    assert len(doubtful) >= 20
    assert not alone
    for i in doubtful[::3]:
        one = one_by_one(r.assembly, q[i], near[i], 1e-12)
        assert one.status == found.status[i]
        np.testing.assert_allclose(found.T_0p[i], one.T_0p, atol=1e-12)
        assert np.isnan(one.error) == np.isnan(found.error[i])
    assert {PoseStatus.CONVERGED, PoseStatus.NOT_CONVERGED} <= set(found.status[doubtful])


def test_a_start_out_of_reach_is_looked_at_alone(monkeypatch):
    """The others of its batch are not."""
    r = robot("delta")
    rng = np.random.default_rng(3)
    q = gough.inverse_kinematics(r, r.home_pose) + rng.uniform(-1.0, 1.0, (40, 3))
    near = np.repeat(r.home_pose[None], 40, axis=0)
    near[7, 2, 3] += 9.0
    alone = []
    one_by_one = follow._by_numpy
    monkeypatch.setattr(
        follow, "_by_numpy", lambda *given: alone.append(given) or one_by_one(*given)
    )
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, near)
    assert found.status[7] == PoseStatus.OUT_OF_REACH
    assert len(alone) == 1
    np.testing.assert_array_equal(alone[0][2], near[7])


def test_many_doubts_are_not_walked_to_one_by_one(monkeypatch):
    """Joints at starts that have no closed form are found by kernels, all at once."""
    r = robot("rack")
    a = r.assembly
    home = np.array([a.home_values[motor] for motor in r.motors])
    q = home + np.linspace(1.1, 1.4, 70)[:, None] * a.scales.motors
    near = gough.state_from_motors(r, q).T_0p
    q = q + 0.01
    doubtful = ~follow.find_poses(r, q, near, doubts=False).converged
    assert doubtful.sum() >= 64
    few = np.flatnonzero(doubtful)[::30]
    with gough.options(engine="numpy"):
        alone = pose_from_motors(r, q[few], near[few])
    walked = []
    monkeypatch.setattr(follow, "configuration_at", lambda *given, **_: walked.append(given))
    with gough.options(engine="compiled"):
        found = pose_from_motors(r, q, near)
    assert found.converged.all()
    assert not walked
    np.testing.assert_allclose(found.T_0p[few], alone.T_0p, atol=1e-9)
