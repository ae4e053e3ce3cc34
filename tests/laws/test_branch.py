"""Poses stay on home's branch, turns are counted, and tool frames may be drawn at will."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.evaluation.loops.closing import Closer
from gough.geometry.branch import passed_legs
from gough.geometry.inverse import posed
from gough.singularity.workspace.walking import Walker
from machines import BASE, Drawing, contact_tripod
from numbers_robots import three_rrr_ref
from robots import relative, robot


def _arm(elbow: float) -> gough.Robot:
    """Planar arm of two unit links and a hand; its leg is folded where the wrist meets the foot."""
    d = Drawing(2)
    knee = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    wrist = knee + np.array([np.cos(0.3 + elbow), np.sin(0.3 + elbow), 0.0])
    for body in ("upper", "fore", "hand"):
        d.body(body)
    d.joint("q1", "revolute", BASE, "upper", (0.0, 0.0, 0.0))
    d.joint("q2", "revolute", "upper", "fore", knee)
    d.joint("q3", "revolute", "fore", "hand", wrist)
    return d.robot("arm", "hand", ["q1", "q2", "q3"], wrist)


def _bend(r: gough.Robot, T: np.ndarray) -> float:
    """Which side the elbow is on."""
    found = gough.posture(r, T).bodies
    foot, knee, wrist = (
        (found[body] @ frame.matrix)[:2, 3]
        for joint in ("q1", "q2", "q3")
        for body, frame in _child(r, joint)
    )
    return float(np.cross([*(knee - foot), 0.0], [*(wrist - knee), 0.0])[2])


def _child(r, name):
    joint = r.joint(name)
    moving = joint.child if joint.child != BASE else joint.parent
    frame = joint.child_frame if joint.child != BASE else joint.parent_frame
    return [(moving, frame)]


def test_the_elbow_never_flips():
    """Targets all around, many of them behind the folded posture."""
    r = _arm(1.2)
    home = _bend(r, r.home_pose)
    rng = np.random.default_rng(4)
    for _ in range(60):
        reach, angle = rng.uniform(0.25, 1.9), rng.uniform(-np.pi, np.pi)
        T = r.home_pose.copy()
        T[:2, 3] = reach * np.cos(angle), reach * np.sin(angle)
        assert _bend(r, T) * home > 0.0
    T[:2, 3] = -1.16207, -1.16084  # the straight way there passes close to the foot
    assert _bend(r, T) * home > 0.0


def test_home_may_be_stretched_out():
    """Home is singular: the branch is chosen beside it, poses are found, and it is told."""
    r = _arm(0.0)
    assert r.mobility == 3
    assert any("home is singular" in sentence for sentence in r.assembly.findings)
    T = r.home_pose.copy()
    T[:2, 3] *= 0.7
    assert np.isfinite(gough.inverse_kinematics(r, T)).all()


def test_whole_turns_are_counted():
    """A carriage on a lead screw: one lead further is one turn more."""
    d = Drawing(5)
    d.body("screw"), d.body("car", (0.2, 0.0, 0.0))
    lead = 0.05
    d.joint("r", "revolute", BASE, "screw", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    d.joint("h", "helical", "screw", "car", (0, 0, 0), (1, 0, 0), pitch=lead / (2.0 * np.pi))
    d.joint("p", "prismatic", BASE, "car", (0.0, 0.1, 0.0), (1.0, 0.0, 0.0))
    r = d.robot("axis", "car", ["r"], (0.2, 0.0, 0.0))
    home = r.home_pose
    rate = gough.motor_rates(r, gough.State(home, [1.0, 0, 0, 0, 0, 0]))[0]
    assert abs(rate) == pytest.approx(2.0 * np.pi / lead)
    for leads in (0.3, 1.0, -1.7, 3.25):
        T = home.copy()
        T[0, 3] += leads * lead
        change = (gough.inverse_kinematics(r, T) - gough.inverse_kinematics(r, home))[0]
        assert change == pytest.approx(rate * leads * lead, rel=1e-9)


@pytest.mark.parametrize("name", ["quattro", "tilt_3rps", "spherical_2dof", "three_rrr", "delta"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_tool_frames_may_be_turned_half_a_turn(name, axis):
    """A tool that points down describes the same motions: the state is as regular as before."""
    r = robot(name)
    half = np.eye(4)
    half[:3, :3] = -np.eye(3)
    half[axis, axis] = 1.0
    turned = dataclasses.replace(
        r, platform_frame=gough.Frame.from_matrix(r.platform_frame.matrix @ half)
    )
    a = turned.assembly
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    rng = np.random.default_rng(1)
    xd, xdd = rng.normal(size=(2, a.mobility))
    h = 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    T, V, Vdot = gough.state(
        turned, x + 0.05 + xd * t + xdd * t * t / 2, xd + xdd * t, xdd + 0 * t
    ).arrays
    assert np.abs(V[1]).max() < 5.0 * np.abs(xd).max()
    assert relative((T[2, :3, 3] - T[0, :3, 3]) / (2 * h), V[1, :3]) < 1e-5 or not V[1, :3].any()
    assert relative((V[2] - V[0]) / (2 * h), Vdot[1]) < 1e-5
    expected = gough.motor_rates(r, gough.State(T[1] @ half, V[1]))
    assert relative(gough.motor_rates(turned, gough.State(T[1], V[1])), expected) < 1e-10


def test_an_idle_motor_holds_its_joint():
    """A driven finger on the platform: the platform does not feel it, and it does not move."""
    r = robot("gough_stewart")
    at = gough.Frame((0.1, 0.0, 0.05))
    finger = gough.Joint("grip", "revolute", r.platform, "finger", at, at)
    home = {**r.home.bodies, "finger": r.home.bodies[r.platform]}
    gripping = dataclasses.replace(
        r,
        bodies=(*r.bodies, gough.Body("finger", 0.1)),
        joints=(*r.joints, finger),
        motors=(*r.motors, "grip"),
        home=gough.Home(home),
    )
    a = gripping.assembly
    assert a.mobility == 6
    assert [f.bodies for f in a.idle] == [("finger",)]
    V = np.array([0.1, 0.2, -0.1, 0.4, -0.3, 0.5])
    state = gough.State(a.T_home, V, internal_rate={"grip": 0.0})
    found = gough.motor_rates(gripping, state)
    assert found[-1] == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(
        found[:-1], gough.motor_rates(r, gough.State(a.T_home, V)), atol=1e-12
    )


def test_planes_are_read_in_the_order_of_their_axes():
    """Contacts of either direction give the contact point in the plane of their parent."""
    r = contact_tripod()
    T = r.home_pose.copy()
    T[:3, 3] += [0.02, 0.01, 0.005]
    found = gough.posture(r, T)
    bodies = {**found.bodies, BASE: np.eye(4)}
    for i in (1, 2, 3):
        joint = r.joint(f"foot{i}")
        T_A = bodies[joint.parent] @ joint.parent_frame.matrix
        T_B = bodies[joint.child] @ joint.child_frame.matrix
        seen = (np.linalg.inv(T_A) @ T_B)[:3, 3]
        np.testing.assert_allclose(found.joints[f"foot{i}.plane"], seen[:2], atol=1e-12)
        assert abs(seen[2]) < 1e-12


def test_a_pose_in_millimetres_is_answered_or_refused_soon():
    r = robot("gough_stewart")
    T = r.home_pose.copy()
    T[0, 3] = 300.0
    with gough.options(engine="numpy"):
        assert gough.inverse_kinematics(r, T).max() == pytest.approx(300.0, rel=0.01)
    T[0, 3] = 1e10
    with pytest.raises(gough.GoughError), gough.options(engine="numpy"):
        gough.inverse_kinematics(r, T)


def test_answers_are_finite_or_refused():
    r = robot("gough_stewart")
    V = np.array([1e300, 0.0, 0.0, 0.0, 0.0, 1e200])
    with pytest.raises(gough.errors.InputError, match="not finite"):
        gough.motor_accelerations(r, gough.State(r.home_pose, V))
    with pytest.raises(gough.errors.InputError, match="not an array of numbers"):
        gough.state(r, [10**400, 0, 0, 0, 0, 0])
    with pytest.raises(gough.errors.InputError, match=r"expected a gough.Robot, got str"):
        gough.inverse_kinematics("robot", r.home_pose)


def test_rotations_are_followed_all_the_way():
    """A rotation vector beyond a turn is led there, not read modulo a turn."""
    r = three_rrr_ref()  # its legs are too short for half a turn off the middle
    gough.state(r, [0.05, 0.0, 0.7])
    with pytest.raises(gough.errors.UnreachablePose, match="of the way"):
        gough.state(r, [0.05, 0.0, 2.0 * np.pi + 0.7])
    with pytest.raises(gough.errors.InputError, match="degrees"):
        gough.state(r, [0.05, 0.0, 45.0])


def test_platform_frames_near_half_a_turn_have_coordinates():
    for R in (np.diag([1.0, -1.0, -1.0]), spatial.rotation_exp(np.array([3.1, 0.1, 0.0]))):
        T = spatial.pose(R, np.zeros(3))
        r = robot("gough_stewart")
        turned = dataclasses.replace(
            r, platform_frame=gough.Frame.from_matrix(r.platform_frame.matrix @ T)
        )
        a = turned.assembly
        y = a.chart.coordinates(a.T_home)
        np.testing.assert_allclose(gough.state(turned, y).T_0p, a.T_home, atol=1e-12)


def test_a_leg_and_the_platform_that_pass_at_once_are_seen():
    """A wrist in its gimbal lock, where its freedoms fail too: the sign of the whole is kept."""
    r = robot("spherical_2dof")
    a, closer = r.assembly, Closer(r.assembly)
    before = closer.walked(closer.home, np.array([[0.0, 1.5]]), 0.05)
    assert before.good.all()
    behind = closer.walked(before, np.array([[0.0, 1.65]]), 0.2)
    rows = [closer.judged(each)["rows"][0] for each in (before, behind)]
    assert behind.good.all()
    assert np.linalg.det(rows[0].T @ rows[1]) > 0.0
    one, other = (a.equations(*closer.state(each, 0)) for each in (before, behind))
    assert passed_legs(a, one, other) == ["l11"]
    assert not closer.same_side(before, behind).any()
    ends = Walker(closer).walked(closer.home, np.array([[0.0, 2.4]]), 1e-4)
    assert ends.last.y[0, 4] == pytest.approx(np.pi / 2.0, abs=1e-3)


@pytest.mark.parametrize("ry", [1.65, 2.2])
def test_beyond_a_gimbal_lock_poses_have_the_working_mode_of_home(ry):
    """Joints are those of poses beside it, rates are their derivatives, loops are closed."""
    r = robot("spherical_2dof")

    def pose(t):
        """As its second leg guides it: a turn about y, then one about its own x."""
        turns = (np.array([0.0, ry + 0.7 * t, 0.0]), np.array([0.3 * t, 0.0, 0.0]))
        first, second = (spatial.rotation_exp(turn) for turn in turns)
        return spatial.pose(first @ second, np.zeros(3))

    T, h = pose(0.0), 1e-5
    q = gough.inverse_kinematics(r, T)
    assert r.assembly.closure_error(posed(r.assembly, T)) < 1e-12
    assert np.cos(gough.posture(r, T).joints["b1"]) > 0.0  # bent to home's side: 0 in the lock
    steps = np.diff([gough.inverse_kinematics(r, pose(t)) for t in (-h, h)], axis=0)[0]
    steps -= 2.0 * np.pi * np.round(steps / (2.0 * np.pi))  # half a turn is counted either way
    V = np.concatenate([np.zeros(3), 0.3 * T[:3, 0] + np.array([0.0, 0.7, 0.0])])
    rates = gough.motor_rates(r, gough.State(T, V))
    assert steps / (2.0 * h) == pytest.approx(rates, rel=1e-6)  # h squared, and rounding by h
    assert min(np.abs(each - T).max() for each in gough.forward_kinematics(r, q).poses) < 1e-9
