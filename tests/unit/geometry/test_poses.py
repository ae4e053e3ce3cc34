"""Far poses, poses that cannot be had, and what the errors say."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import InconsistentPose, InputError, UnreachablePose
from gough.geometry import walk
from masks import masked
from numbers_robots import three_rrr_ref
from robots import random_freedoms, robot


def _moved(T, p=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0)):
    return spatial.pose(spatial.rotation_exp(np.array(w)) @ T[:3, :3], T[:3, 3] + np.array(p))


def test_far_poses_stay_on_homes_branch():
    """A full circle of a 3-RRR's platform and back, each pose found from home alone."""
    r = three_rrr_ref()
    link, base, top = 0.25, 0.4, 0.1
    for angle in np.linspace(0.0, 2.0 * np.pi, 15):
        x, y, turn = 0.09 * np.cos(angle), 0.09 * np.sin(angle), 0.5 * np.sin(3.0 * angle)
        T = spatial.pose(spatial.rotation_z(turn), np.array([x, y, 0.0]))
        expected = []
        for phi in np.radians([90.0, 210.0, 330.0]):
            B = base * np.array([np.cos(phi), np.sin(phi)])
            P = np.array([x, y]) + top * np.array([np.cos(phi + turn), np.sin(phi + turn)])
            d = P - B
            expected.append(np.arctan2(d[1], d[0]) + np.arccos(np.linalg.norm(d) / (2 * link)))
        q = gough.inverse_kinematics(r, T)
        assert np.abs((q - expected + np.pi) % (2.0 * np.pi) - np.pi).max() < 1e-12


def test_delta_near_the_border_of_reach():
    r = robot("delta")
    T = r.home_pose
    below = [_moved(T, (0.0, 0.0, -d)) for d in (0.0, 0.1, 0.2, 0.205)]
    q = gough.inverse_kinematics(r, below)
    assert np.all(np.diff(q, axis=0) > 0.0)  # arms swing down all the way


def test_unreachable_pose_names_leg_and_length():
    r = robot("delta")
    with pytest.raises(UnreachablePose, match="cannot reach the pose") as info:
        gough.inverse_kinematics(r, _moved(r.home_pose, (0.0, 0.0, -1.0)))
    error = info.value
    assert error.leg in {"arm1", "arm2", "arm3"}
    # arm and bar stretched out reach 0.68 m, 0.11 m beside the platform's joint
    depth = r.home_pose[2, 3] - 1.0
    assert error.missing == pytest.approx(np.hypot(0.11, depth) - 0.68, rel=1e-6)
    assert r.joint(error.joint).kind == "spherical"
    assert "mm" in str(error)


def test_pose_outside_the_mobility_is_told_from_one_out_of_reach():
    r = robot("delta")
    with pytest.raises(InconsistentPose, match="outside the mobility") as info:
        gough.inverse_kinematics(r, _moved(r.home_pose, w=(0.0, 0.2, 0.0)))
    assert info.value.component in ("rx", "ry", "rz")
    planar = robot("three_rrr")
    with pytest.raises(InconsistentPose) as info:
        gough.inverse_kinematics(planar, _moved(planar.home_pose, (0.0, 0.0, 0.01)))
    assert info.value.component == "z"
    assert info.value.off_by == pytest.approx(0.01, rel=1e-3)


def test_tolerance_of_poses():
    """A pose may be off by rounding of its source, not by more."""
    r = robot("delta")
    T = r.home_pose
    gough.inverse_kinematics(r, _moved(T, w=(0.0, 1e-10, 0.0)))
    with pytest.raises(InconsistentPose):
        gough.inverse_kinematics(r, _moved(T, w=(0.0, 1e-6, 0.0)))


@pytest.mark.parametrize(
    "name", ["gough_stewart", "delta", "quattro", "tilt_3rps", "spherical_2dof"]
)
def test_state_and_inverse_kinematics_agree_far_from_home(name):
    r = robot(name)
    T, V, _ = gough.state(r, *random_freedoms(name, 8, 0.25, seed=3)).arrays
    p = gough.posture(r, gough.State(T, V))
    assert p.closure.max() < 1e-12


def test_state_out_of_reach_says_how_far_it_got():
    with pytest.raises(UnreachablePose, match=r"% of the way") as info:
        gough.state(robot("delta"), [0.0, 0.0, -3.0])
    assert info.value.leg in {"arm1", "arm2", "arm3"}


def test_state_without_rates_is_at_rest():
    r = robot("tilt_3rps")
    x, _, _ = random_freedoms("tilt_3rps", 1, 0.05)
    _, V, Vdot = gough.state(r, x[0]).arrays
    assert not V.any()
    assert np.abs(Vdot).max() < 1e-14


class TestArguments:
    def test_batches_broadcast(self):
        r = robot("five_bar")
        x = np.broadcast_to([0.0, 0.45], (3, 2, 2))
        state = gough.state(r, x, [0.1, 0.2])
        T, V, _ = state.arrays
        assert T.shape == (3, 2, 4, 4)
        assert gough.inverse_kinematics(r, T).shape == (3, 2, 2)
        assert gough.motor_rates(r, gough.State(T[0, 0], V)).shape == (3, 2, 2)
        assert gough.motor_accelerations(r, state).shape == (3, 2, 2)
        assert gough.inverse_kinematics(r, np.zeros((0, 4, 4))).shape == (0, 2)

    def test_lists_ints_and_float32_are_converted(self):
        r = robot("c5")
        T = np.round(r.home_pose.astype(np.float32), 2)
        expected = gough.inverse_kinematics(r, T.astype(float))
        np.testing.assert_array_equal(gough.inverse_kinematics(r, T), expected)
        np.testing.assert_array_equal(gough.inverse_kinematics(r, T.tolist()), expected)
        np.testing.assert_array_equal(gough.inverse_kinematics(r, T.astype(object)), expected)
        assert gough.motor_rates(r, gough.State(T, [1, 0, 0, 0, 0, 0])).dtype == np.float64

    @pytest.mark.parametrize(
        ("T", "message"),
        [
            (np.eye(3), r"shape \(3, 3\), expected \(..., 4, 4\)"),
            ("pose", "expected a gough.State or a pose"),
            ([[1, 2], [3]], "not an array of numbers"),
            (np.eye(4) * 1j, "not an array of numbers"),
            (np.full((4, 4), np.nan), r"T_0p\[0, 0\] is nan"),
            (np.ones((4, 4)), "last row"),
            (np.diag([1.0, 1.0, -1.0, 1.0]), "not a rotation"),
            (np.diag([2.0, 1.0, 1.0, 1.0]), "not a rotation"),
        ],
    )
    def test_wrong_poses(self, T, message):
        with pytest.raises(InputError, match=message):
            gough.inverse_kinematics(robot("c5"), T)

    def test_a_column_is_named_as_such(self):
        r = robot("c5")
        with pytest.raises(InputError, match=r"shape \(6, 1\)") as info:
            gough.motor_rates(r, gough.State(r.home_pose, np.zeros((6, 1))))
        assert "column" in info.value.hint

    def test_batch_axes_that_do_not_fit(self):
        r = robot("c5")
        with pytest.raises(InputError, match=r"T_0p \(2,\), V_0p \(3,\)"):
            gough.motor_rates(r, gough.State(np.stack([r.home_pose] * 2), np.zeros((3, 6))))

    def test_the_bad_sample_is_named_or_left_out(self):
        r = robot("delta")
        T = np.stack([r.home_pose] * 4)
        T[2, 0, 3] = np.nan
        with pytest.raises(InputError, match="sample 2: ") as info:
            gough.inverse_kinematics(r, T)
        assert info.value.sample == 2
        q = gough.inverse_kinematics(r, T, on_error="nan")
        assert np.isnan(q[2]).all()
        assert np.isfinite(q[[0, 1, 3]]).all()
        q, failed = masked(gough.inverse_kinematics(r, T, on_error="nan"))
        np.testing.assert_array_equal(failed, [False, False, True, False])
        with pytest.raises(InputError, match="on_error"):
            gough.inverse_kinematics(r, T, on_error="ignore")


class TestTwists:
    @pytest.mark.parametrize("name", ["delta", "tilt_3rps", "five_bar", "three_rrr", "quattro"])
    def test_a_twist_outside_the_mobility_is_refused(self, name):
        r = robot(name)
        T, V, Vdot = gough.state(r, *random_freedoms(name, 1, 0.05)).arrays
        T, V, Vdot = T[0], V[0], Vdot[0]
        Psi = gough.freedom_map(r, T)
        scale = np.array([r.length] * 3 + [1.0] * 3)
        Q, _ = np.linalg.qr(Psi / scale[:, None])
        forbidden = np.linalg.svd(Q.T)[2][-1] * np.linalg.norm(V / scale) * scale
        for size, ok in ((1e-10, True), (1e-6, False), (1.0, False)):
            if ok:
                gough.motor_rates(r, gough.State(T, V + size * forbidden))
                gough.motor_accelerations(r, gough.State(T, V, Vdot + size * forbidden))
                continue
            with pytest.raises(
                gough.errors.InconsistentTwist, match="twist is outside the mobility"
            ):
                gough.motor_rates(r, gough.State(T, V + size * forbidden))
            with pytest.raises(gough.errors.InconsistentTwist, match="twist rate is outside"):
                gough.motor_accelerations(r, gough.State(T, V, Vdot + size * forbidden * 10.0))

    def test_the_component_is_named(self):
        r = robot("delta")
        V = np.array([0.1, 0.2, 0.3, 0.0, 0.0, 0.5])
        with pytest.raises(gough.errors.InconsistentTwist, match="omega_z") as info:
            gough.motor_rates(r, gough.State(r.home_pose, V))
        assert info.value.component == "omega_z"
        assert info.value.off_by == pytest.approx(0.5)

    def test_rest_is_allowed(self):
        r = robot("tilt_3rps")
        np.testing.assert_array_equal(gough.motor_rates(r, r.home_pose), 0.0)


def test_reasons_are_found_on_request():
    """A batch refuses without them; the call for one pose finds the error that is raised."""
    r = robot("delta")
    T = np.stack([r.home_pose] * 3)
    T[1, 2, 3] -= 3.0
    T[2, :3, :3] = gough.base.spatial.rotation_x(0.2) @ T[2, :3, :3]
    q, failed = masked(gough.inverse_kinematics(r, T, on_error="nan"))
    assert failed.tolist() == [False, True, True]
    assert np.isnan(q[1:]).all()
    assert gough.explain(r, T[0]) is None
    for k, kind in ((1, gough.errors.UnreachablePose), (2, gough.errors.InconsistentPose)):
        found = gough.explain(r, T[k])
        with pytest.raises(kind) as caught:
            gough.inverse_kinematics(r, T[k])
        assert type(found) is kind
        assert str(found) == str(caught.value)
    assert gough.explain(r, T[1]).missing > 1.0
    with pytest.raises(gough.errors.InputError, match="one state or pose"):
        gough.explain(r, T)


@pytest.mark.usefixtures("strangers")
def test_a_pose_that_no_walk_reaches_is_found_by_the_way_of_the_freedoms(monkeypatch):
    """Where the straight way in space ends in a corner, that of the freedoms need not."""
    r = robot("six_rrrs")  # without a closed form
    T = gough.state(r, *random_freedoms("six_rrrs", 1, 0.05, seed=2)).T_0p[0]
    with gough.options(engine="numpy"):
        expected = gough.inverse_kinematics(r, T)

    def ends_in_a_corner(*_):
        raise UnreachablePose("a corner")

    monkeypatch.setattr(walk, "_straight", lambda *_, **__: None)
    monkeypatch.setattr(walk, "_walk", ends_in_a_corner)
    monkeypatch.setattr(walk, "best_fit", None)  # no other way is asked
    again = dataclasses.replace(r, name="six_rrrs_again")
    with gough.options(engine="numpy"):
        found = gough.inverse_kinematics(again, T)
    np.testing.assert_allclose(found, expected, atol=1e-9)
