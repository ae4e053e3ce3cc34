"""Jacobians in both directions say the same, and constrain what they should."""

import dataclasses

import numpy as np
import pytest

import gough
from batches import KINDS, check_batch
from gough.base import spatial
from gough.geometry.inverse import posed
from numbers_robots import three_rrr_ref
from robots import ALL_NAMES, DRIVEN_NAMES, mechanism, random_freedoms, relative, robot

TOLERANCE = 1e-10


@pytest.mark.parametrize("name", ALL_NAMES)
def test_freedom_map_completes_the_twist(name):
    """[BK] (1): V_0p = Psi V_r."""
    r = robot(name)
    T, V, _ = gough.state(r, *random_freedoms(name, 4, 0.03)).arrays
    Psi = gough.freedom_map(r, T)
    V_r = V[:, list(r.assembly.free)]
    assert relative(np.einsum("bij,bj->bi", Psi, V_r), V) < TOLERANCE


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_inverse_and_direct_jacobian(name):
    """[KI] (79) and (8): qd_a = J_inv V_r and V_0p = J_p qd_a."""
    r = robot(name)
    state = gough.state(r, *random_freedoms(name, 4, 0.03))
    qd = gough.motor_rates(r, state)
    J_inv, J_p = gough.inverse_jacobian(r, state), gough.jacobian(r, state)
    assert (
        relative(np.einsum("bij,bj->bi", J_inv, state.V_0p[:, list(r.assembly.free)]), qd)
        < TOLERANCE
    )
    assert (
        relative(np.einsum("bij,bj->bi", J_p, qd), state.V_0p) < 1e-8
    )  # times the condition number


@pytest.mark.parametrize("name", ALL_NAMES)
def test_leg_jacobians_carry_the_same_velocity(name):
    """[BK] (4) and (5): J_i qd_i = J_vi V_0p for every twist of the mobility."""
    r = robot(name)
    T, V, _ = gough.state(r, *random_freedoms(name, 1, 0.03)).arrays
    for leg in gough.leg_jacobians(r, T[0]):
        left, right = leg.J_i @ (leg.K_i @ V[0]), leg.J_vi @ V[0]
        assert np.abs(left - right).max() < TOLERANCE * np.abs(V).max()


@pytest.mark.parametrize("name", ALL_NAMES)
def test_serial_paths_through_legs_carry_the_platform(name):
    """[KI] (73): V_0p = J_ci qd_ci, with the rates of a posture."""
    r = robot(name)
    T, V, _ = gough.state(r, *random_freedoms(name, 1, 0.03))[0].arrays
    p = gough.posture(r, gough.State(T, V))
    for leg in gough.leg_jacobians(r, T):
        qd_ci = np.concatenate([np.atleast_1d(p.joint_rates[axis]) for axis in leg.path])
        assert leg.J_ci.shape == (6, len(qd_ci)), leg.leg
        assert relative(leg.J_ci @ qd_ci, V) < TOLERANCE, leg.leg


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart", "delta", "c5", "quattro", "rccc"])
def test_serial_paths_by_differences_of_joint_positions(name):
    """[KI] (73) with rates of joints and platform from positions alone."""
    r, h = robot(name), 1e-5
    x, xd, _ = (a[0] for a in random_freedoms(name, 1, 0.03))
    T = gough.state(r, [x - h * xd, x, x + h * xd]).T_0p
    joints = gough.posture(r, T).joints

    def rate(before, after):
        if np.shape(after) == (3, 3):  # a ball: its angular velocity, child axes
            return spatial.rotation_log(before.T @ after) / (2 * h)
        return np.atleast_1d(after - before) / (2 * h)

    turn = spatial.rotation_log(T[2, :3, :3] @ T[0, :3, :3].T)
    V = np.concatenate([T[2, :3, 3] - T[0, :3, 3], turn]) / (2 * h)
    for leg in gough.leg_jacobians(r, T[1]):
        qd_ci = np.concatenate([rate(joints[axis][0], joints[axis][2]) for axis in leg.path])
        # h^2 times third derivatives, and 1e-16 / h
        assert relative(leg.J_ci @ qd_ci, V) < 1e-7, leg.leg


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_paths_of_all_legs_give_the_inverse_jacobian(name):
    """[KI] (74)-(75): rows L_ci of all legs together are J_inv."""
    r = robot(name)
    (T,) = gough.state(r, *random_freedoms(name, 1, 0.03)).T_0p
    legs = gough.leg_jacobians(r, T)
    rows = {motor: row for leg in legs for motor, row in zip(leg.motors, leg.L_ci, strict=True)}
    assert set(rows) == set(r.motors)
    J_inv = gough.inverse_jacobian(r, T)
    assert relative(np.array([rows[motor] for motor in r.motors]), J_inv) < TOLERANCE


def test_rows_of_a_hexapod_by_the_formulas_of_the_papers():
    """[BK] (32): a row is the strut's direction and its moment; [KI] (73) of U, P, S by hand."""
    r = robot("gough_stewart")
    (T,) = gough.state(r, *random_freedoms("gough_stewart", 1, 0.1)).T_0p
    bodies = gough.posture(r, T).bodies
    for leg in gough.leg_jacobians(r, T):
        (motor,) = leg.motors
        ball = r.joint(leg.path[-1].partition(".")[0])
        point = bodies[ball.parent] @ np.append(ball.parent_frame.position, 1.0)
        slide = r.joint(motor)
        a = bodies[slide.parent][:3, :3] @ slide.parent_frame.matrix[:3, 2]
        k = point[:3] - T[:3, 3]
        assert relative(leg.L_ci[0], np.concatenate([a, np.cross(k, a)])) < TOLERANCE
        assert relative(leg.J_ci[:, 2], np.concatenate([a, np.zeros(3)])) < TOLERANCE
        # balls last: they turn the platform about their centre
        assert (
            relative(leg.J_ci[:3, 3:] + np.cross(leg.J_ci[3:, 3:].T, k).T, 0.0 * T[:3, :3]) < 1e-12
        )


def test_too_few_motors_leave_a_motion_free():
    r = robot("gough_stewart")
    lame = dataclasses.replace(r, motors=r.motors[:5])
    with pytest.raises(gough.errors.SingularPose, match="with all motors locked") as info:
        gough.jacobian(lame, r.home_pose)
    motion = info.value.motion
    J_inv = gough.inverse_jacobian(lame, r.home_pose)
    assert np.abs(J_inv @ motion).max() < 1e-12
    assert np.linalg.norm(motion) > 0.1


def test_more_motors_than_freedoms_are_inverted_in_the_least_squares_sense():
    r = mechanism("five_bar")
    eager = dataclasses.replace(r, motors=(*r.motors, "e_1"))
    state = gough.state(r, *random_freedoms("five_bar", 3, 0.03))
    qd = gough.motor_rates(eager, state)
    assert qd.shape == (3, 3)
    J_p = gough.jacobian(eager, state)
    assert relative(np.einsum("bij,bj->bi", J_p, qd), state.V_0p) < 1e-9


def test_similar_hexagons_are_singular_everywhere():
    from machines import BASE, Drawing, ring

    d = Drawing(3)
    angles = [0, 60, 120, 180, 240, 300]
    d.body("platform", [0, 0, 0.8])
    for i, (b, p) in enumerate(zip(ring(0.6, angles, 0.0), ring(0.3, angles, 0.8), strict=True)):
        x = (p - b) / np.linalg.norm(p - b)
        y = np.cross([0, 0, 1.0], x)
        d.body(f"cyl{i}", b), d.body(f"rod{i}", p)
        d.joint(f"u{i}", "universal", BASE, f"cyl{i}", b, spatial.cross(x, y), second=y)
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
        d.joint(f"s{i}", "spherical", f"rod{i}", "platform", p)
    r = d.robot("similar", "platform", [f"p{i}" for i in range(6)], [0, 0, 0.8])
    assert r.mobility == 6
    assert r.assembly.motor_rank < 6
    assert any("control only" in sentence for sentence in gough.sheet(r).remarks)


class TestSingularStates:
    """Position is fine at a singular pose; velocities are refused with the leg and the kind."""

    def test_stretched_leg(self):
        r = three_rrr_ref()
        T = r.home_pose.copy()
        # leg 1 straight: its foot at (0, 0.4), its wrist 0.1 above the platform's origin
        T[:3, 3] = [0.0, -0.2, 0.0]
        near = T.copy()
        near[1, 3] += 1e-7
        V = np.array([0.1, 0.0, 0.0, 0.0, 0.0, 0.0])
        assert np.isfinite(gough.motor_rates(r, gough.State(near, V))).all()
        assert np.isfinite(gough.inverse_kinematics(r, T)).all()
        with pytest.raises(gough.errors.SingularPose, match="Type 1") as info:
            gough.motor_rates(r, gough.State(T, V))
        assert info.value.leg == "prox1"
        with pytest.raises(gough.errors.SingularPose):
            gough.inverse_jacobian(r, T)


@pytest.mark.parametrize("name", ["delta", "gough_stewart", "tilt_3rps", "four_rrr", "quattro"])
def test_batches_are_answered_as_single_states_are(name):
    """Sixteen states by a program; single ones by NumPy, whatever was asked before."""
    r = robot(name)
    states = gough.state(r, *random_freedoms(name, 16, 0.03))
    for function in (gough.jacobian, gough.inverse_jacobian, gough.freedom_map):
        found = function(r, states)
        with gough.options(engine="numpy"):
            for k in (0, 7, 15):
                one = function(r, states[k])
                np.testing.assert_allclose(found[k], one, atol=1e-9 * np.abs(one).max())
    wrong = states.T_0p.copy()
    wrong[3, :3, :3] *= 1.1  # no rotation
    assert np.isnan(gough.jacobian(r, wrong, on_error="nan")[3]).all()
    with pytest.raises(gough.GoughError, match="sample 3"):
        gough.jacobian(r, wrong)


@pytest.mark.parametrize("frame", ["base", "platform"])
@pytest.mark.parametrize("name", [*KINDS, "stranger_in_the_hub", "geared_five_bar"])
def test_legs_of_batches_are_those_of_single_states(name, frame):
    check_batch(gough.leg_jacobians, name, frame=frame)


@pytest.mark.parametrize("name", ["quattro", "h4", "delta_4", "grounded_parallelogram"])
def test_joints_of_a_nacelle_follow_from_the_freedoms(name):
    """In twists that the mobility forbids they stand still: legs see a rigid platform."""
    r = robot(name)
    T = gough.state(r, random_freedoms(name, 1, 0.1)[0][0]).T_0p
    forbidden = [i for i in range(6) if i not in r.assembly.free]
    blocks = posed(r.assembly, T).leg_blocks
    for leg, block in zip(gough.leg_jacobians(r, T), blocks, strict=True):
        np.testing.assert_allclose(leg.J_vi[:, forbidden], block.F[:, forbidden], atol=1e-12)
