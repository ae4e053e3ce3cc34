"""Criterion, needed acceleration, limit and growth of efforts, against laws of mechanics."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from crossings import NAMES, SINGULAR, five_bar, looked, planned, stroke, three_rrr
from gough.errors import InputError, SingularPose, WrongMotors
from gough.singularity.crossing import Crossing, crossing
from gough.singularity.crossing.criterion import jump, null
from gough.singularity.crossing.terms import Machine
from gough.singularity.crossing.verdict import singular_instant
from numbers_robots import gs_ref


@pytest.fixture(params=NAMES)
def both(request):
    """A motion that cannot pass and one that can, both looked at."""
    name = request.param
    return (stroke(name), looked(name, passes=False)), (planned(name), looked(name, passes=True))


def test_under_any_efforts_the_machine_obeys_the_criterion(both):
    """On the singular pose nothing but the criterion holds whatever the motors do."""
    motion, found = both[0]
    (meeting,) = found.instants
    robot = motion.robot
    V = motion(meeting.time).V_0p
    M, c = (
        gough.inertia_matrix(robot, meeting.T_0p),
        gough.bias_wrench(robot, gough.State(meeting.T_0p, V)),
    )
    free, rng = list(robot.assembly.free), np.random.default_rng(2)
    assert np.abs(gough.inverse_jacobian(robot, meeting.T_0p) @ meeting.free).max() < 1e-8
    for tau in rng.normal(scale=np.abs(c).max(), size=(3, len(robot.motors))):
        Vdot_r = gough.forward_dynamics(robot, gough.State(meeting.T_0p, V), tau).Vdot_0p[free]
        terms = np.abs(meeting.free[:, 0]) @ (np.abs(M) @ np.abs(Vdot_r) + np.abs(c))
        # the pose is singular to 1e-9, efforts are as large as the wrench
        assert abs(meeting.free[:, 0] @ (M @ Vdot_r + c)) < 1e-8 * terms
    assert abs(meeting.residual[0] - meeting.free[:, 0] @ (M @ meeting.Vdot_r + c)) < 1e-9 * terms


def test_the_needed_acceleration_is_the_nearest_one_that_efforts_can_give(both):
    motion, found = both[0]
    (meeting,) = found.instants
    robot = motion.robot
    free = list(robot.assembly.free)
    V = motion(meeting.time).V_0p
    M = gough.inertia_matrix(robot, meeting.T_0p)
    at_rest = gough.forward_dynamics(
        robot, gough.State(meeting.T_0p, V), np.zeros(len(robot.motors))
    ).Vdot_0p[free]
    J = gough.inverse_jacobian(robot, meeting.T_0p)
    # accelerations under efforts: at_rest + M^-1 J^T tau; the one nearest to the motion's own
    root = np.linalg.cholesky(M).T
    reach = root @ np.linalg.solve(M, J.T)
    tau = np.linalg.lstsq(reach, root @ (meeting.Vdot_r - at_rest), rcond=1e-6)[0]
    nearest = at_rest + np.linalg.solve(M, J.T @ tau)
    np.testing.assert_allclose(meeting.needed, nearest, atol=1e-7 * np.abs(nearest).max())
    np.testing.assert_allclose(meeting.needed_0p[free], meeting.needed, atol=1e-9)
    assert meeting.along_path is not None
    change = meeting.along_path - meeting.Vdot_r
    np.testing.assert_allclose(change, meeting.tangential * meeting.V_r, atol=1e-12)


def test_efforts_that_miss_the_criterion_grow_as_one_over_the_distance(both):
    motion, found = both[0]
    (meeting,) = found.instants
    assert not found.bounded
    assert np.isnan(meeting.limit).all()
    assert np.isinf(found.peak).any()
    near = np.array([-1e-5, 1e-5])
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(motion.robot, motion(meeting.time + near))
    # what is left of both sides together is quadratic in the distance
    mean = (near[:, None] * tau).mean(axis=0)
    assert np.abs(mean - meeting.growth).max() < 1e-4 * np.abs(meeting.growth).max()
    further = np.array([1e-3, 1e-4, 1e-5])
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(motion.robot, motion(meeting.time + further))
    worst = int(np.argmax(np.abs(meeting.growth)))
    slopes = np.diff(np.log(np.abs(tau[:, worst]))) / np.diff(np.log(further))
    assert abs(slopes[-1] + 1.0) < 0.05


def test_the_limit_is_that_of_regular_neighbours_and_makes_the_motion(both):
    motion, found = both[1]
    (meeting,) = found.instants
    assert found.bounded
    assert found.at_limit.sum() == 1
    h = 1e-3 * motion.duration
    around = meeting.time + h * np.array([-2.0, -1.0, 1.0, 2.0])
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(motion.robot, motion(around))
    for side, (far, close) in zip((0, 1), ((tau[0], tau[1]), (tau[3], tau[2])), strict=True):
        extrapolated = 2.0 * close - far
        off = np.abs(extrapolated - meeting.limits[side]).max()
        assert off < 1e-3 * np.abs(meeting.limit).max()
    state = motion(meeting.time)
    given = gough.forward_dynamics(motion.robot, state, meeting.limit).Vdot_0p
    np.testing.assert_allclose(given, state.Vdot_0p, atol=1e-7 * np.abs(state.Vdot_0p).max())
    # efforts that cancel: the singular pose alone does not tell them, least squares leave them out
    u = np.linalg.svd(gough.inverse_jacobian(motion.robot, state.T_0p))[0][:, -1]
    assert abs(u @ meeting.limit) > 1e-3 * np.abs(meeting.limit).max()


def test_words_and_tables(both):
    for motion, found in both:
        told = str(found)
        assert motion.robot.name in told
        assert ("it can pass" in told) is found.bounded
        assert ("unbounded" in told) is not found.bounded
        assert repr(found).endswith("unbounded>" if not found.bounded else " bounded>")
        table = found.columns()
        assert table["t"].shape == table["at_limit"].shape
        plain = found.to_dict()
        assert plain["bounded"] is found.bounded


def test_loads_count():
    """Forces along the free twist enter the criterion with their own size."""
    motion, robot = planned("three_rrr"), three_rrr()
    before = looked("three_rrr", passes=True).instants[0]
    free = before.twist
    push, turn = np.array([3.0, -1.0, 0.0]), np.array([0.0, 0.0, 0.2])
    loads = gough.Loads([gough.Force(robot.platform, push, turn)], payload=0.5)
    (meeting,) = crossing(robot, motion, loads=loads, rate=10.0).instants
    assert not meeting.can_pass
    felt = motion(meeting.time).Vdot_0p[:3] - np.array(robot.gravity)
    expected = 0.5 * free[:3] @ felt - free[:3] @ push - free[3:] @ turn
    assert abs(meeting.residual[0] - expected) < 1e-9


def test_several_free_twists():
    """A hexapod flat in the plane of its base: three twists, each with its own condition."""
    robot = gs_ref()
    ends = [0.0, 0.0, 0.6, 0.0, 0.0, 0.3], [0.02, 0.01, -0.6, 0.0, 0.0, 0.3]
    motion = gough.motion.point_to_point(robot, *ends, duration=1.0)
    meeting = singular_instant(Machine(robot.assembly, motion, None), 0.5, 1e-6)
    assert meeting.free.shape == (6, 3)
    assert sorted(meeting.units) == ["N", "N m", "N m"]
    state = motion(0.5)
    M, c = gough.inertia_matrix(robot, state), gough.bias_wrench(robot, state)
    np.testing.assert_allclose(
        meeting.residual, meeting.free.T @ (M @ state.Vdot_0p + c), rtol=1e-9
    )
    # whatever the motors do, what the machine does along the free twists is what is needed there
    tau = np.random.default_rng(1).normal(scale=1e3, size=6)
    given = gough.forward_dynamics(robot, state, tau).Vdot_0p
    conditions = meeting.free.T @ M
    np.testing.assert_allclose(conditions @ given, conditions @ meeting.needed, atol=1e-5)
    assert meeting.along_path is None
    told = meeting.sentence
    assert all(way in told for way in ("translate along z", "m along x", "m along y"))
    assert all(f"{r:.4g} {u}" in told for r, u in zip(meeting.residual, meeting.units, strict=True))
    assert "3 twists are free at once: as many conditions for the one clock" in meeting.sentence
    assert "no inertia" not in meeting.sentence


def _reversing(coulomb):
    """A 3-RRR whose first elbow turns back just on the singular pose; and its rate by t_s there."""
    base = three_rrr()
    joints = {joint.name: joint for joint in base.joints}
    sticky = replace(joints["elbow1"].axes[0], coulomb=coulomb)
    robot = replace(
        base,
        joints=tuple(replace(j, axes=(sticky,)) if j.name == "elbow1" else j for j in base.joints),
    )
    meeting = looked("three_rrr", passes=False).instants[0]
    T = meeting.T_0p
    arm = T[:2, :2] @ joints["wrist1"].child_frame.position[:2]
    reach = T[:2, 3] + arm - joints["foot1"].parent_frame.position[:2]
    # the elbow turns as the distance from foot to wrist changes
    row = np.array([reach[0], reach[1], reach[1] * arm[0] - reach[0] * arm[1]])
    l_1 = joints["elbow1"].parent_frame.position[0]
    l_2 = joints["wrist1"].parent_frame.position[0]
    bend = np.arccos((reach @ reach - l_1**2 - l_2**2) / (2.0 * l_1 * l_2))
    rate = abs(row @ meeting.free[:, 0]) / (l_1 * l_2 * np.sin(bend))
    way = np.cross(row, [0.3, 0.1, 1.0])
    way /= 10.0 * np.abs(way).max()
    x = np.array([*T[:2, 3], np.arctan2(T[1, 0], T[0, 0])])
    return robot, gough.motion.point_to_point(robot, x - way, x + way, duration=1.0), rate


def test_friction_of_a_joint_that_turns_back_on_the_singular_pose():
    """Before and after it the criterion asks for different accelerations: no motion has both."""
    robot, motion, rate = _reversing(0.05)
    machine = Machine(robot.assembly, motion, None)
    at = machine.at(0.5)
    free = null(machine, at)
    assert free.smallest < 1e-9
    # sign(0) is 0, or rounding decides for one of both sides
    steps = jump(machine, 0.5, at.w_r, free)[0] / (0.05 * rate)
    assert min(abs(steps - 1.0), abs(steps - 2.0)) < 1e-3
    smooth = Machine(robot.assembly, motion, gough.Loads(friction=False))
    w_r = smooth.at(0.5).w_r
    assert jump(smooth, 0.5, w_r, free)[0] < 1e-6 * np.abs(w_r).max()


def test_another_home_on_the_same_branch_gives_the_same():
    motion, robot = planned("three_rrr"), three_rrr()
    there = robot.rehomed(motion(0.3).T_0p)
    one, other = (Machine(r.assembly, motion, None) for r in (robot, there))
    t = np.array([0.2, looked("three_rrr", passes=True).instants[0].time + 1e-3])
    np.testing.assert_allclose(other.at(0.6).w_r, one.at(0.6).w_r, rtol=1e-9)
    tau = [machine.efforts(t, motion(t)) for machine in (one, other)]
    np.testing.assert_allclose(tau[1], tau[0], rtol=1e-7)


def test_a_motion_without_singularities():
    found = crossing(three_rrr(), gough.motion.hold(three_rrr(), None, 0.5), rate=10.0)
    assert found.instants == ()
    assert found.bounded
    assert "meets no Type 2" in str(found)


def test_a_motion_that_stays_is_refused():
    pose = planned("three_rrr")(looked("three_rrr", passes=True).instants[0].time).T_0p
    rest = gough.motion.hold(three_rrr(), pose, 0.2)
    with pytest.raises(SingularPose, match="stays on a Type 2"):
        crossing(three_rrr(), rest, rate=10.0)


def test_motions_that_start_on_it_touch_it_and_turn_a_platform_without_a_freedom_for_it():
    low, high = [0.0, SINGULAR - 0.05], [0.0, SINGULAR]
    up = gough.motion.point_to_point(five_bar(), low, high, duration=1.0)
    with pytest.raises(SingularPose, match="ends on a Type 2 singularity"):
        crossing(five_bar(), up, rate=10.0)
    down = gough.motion.point_to_point(five_bar(), high, low, duration=1.0)
    machine = Machine(five_bar().assembly, up.then(down), None)
    touching = singular_instant(machine, 1.0, 1e-6)
    assert "rests on it, and does not cross" in touching.sentence
    # the last link of a five-bar turns; the robot's freedoms are x and y, and the criterion is in N
    assert "free to rotate about" in touching.sentence
    assert "in the robot's freedoms (y 1) m/s; criterion" in touching.sentence
    found = Crossing(five_bar(), "", (touching,), np.zeros(1), np.zeros((1, 2)), np.zeros(1, bool))
    assert "no time law helps" in str(found)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"tolerance": "small"}, "tolerance"),
        ({"rate": -1.0}, "rate"),
        ({"loads": gough.Loads(payload=float("nan"))}, "payload"),
        ({"loads": gough.Loads(payload=gough.Payload([0.1, 0.2]))}, "payload"),
        ({"loads": gough.Loads([gough.Force("nobody", (0, 0, 1))])}, "nobody"),
    ],
)
def test_arguments_that_make_no_sense(wrong, word):
    with pytest.raises(InputError, match=word):
        crossing(three_rrr(), planned("three_rrr"), **{"rate": 10.0, **wrong})


def test_motions_that_are_none_and_of_others():
    with pytest.raises(InputError, match="expected a gough Motion"):
        crossing(three_rrr(), planned("three_rrr").sample(10.0), rate=10.0)
    with pytest.raises(InputError, match="the freedoms of five_bar"):
        crossing(five_bar(), planned("three_rrr"), rate=10.0)


def test_too_few_motors():
    robot = replace(five_bar(), motors=five_bar().motors[:1])
    motion = gough.motion.hold(robot, None, 0.1)
    with pytest.raises(WrongMotors):
        crossing(robot, motion)
