"""What every mode keeps: motors where they were told, a branch that goes on, words for the rest."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough import zoo
from gough.errors import FrozenFreedom, InputError, SingularPose, WrongMotors
from robots import motors_from, random_freedoms, relative, robot

# of poses that are computed, from the same lengths in another way: rounding times a condition
SAME = 1e-9


@cache
def some_turns_away(name):
    """Motor positions of a pose beside home, motors that turn wound up, and the modes there."""
    r = robot(name)
    T = gough.state(r, random_freedoms(name, 1, 0.05)[0][0]).T_0p
    q = gough.inverse_kinematics(r, T)
    turning = np.array([unit == "rad" for _, unit, _ in gough.sheet(r).motors])
    q = q + 2.0 * np.pi * turning * (np.arange(len(q)) % 4 - 1)
    return T, q, gough.forward_kinematics(r, q, starts=96)


@pytest.mark.parametrize("name", zoo.names())
def test_every_mode_has_the_motors_where_they_were_told(name):
    r = robot(name)
    T, q, modes = some_turns_away(name)
    assert np.abs(modes.poses - T).max(axis=(1, 2)).min() < SAME
    assert modes.is_search == (modes.starts > 0) == ("search" in modes.method)
    for mode in modes:
        found = motors_from(r, mode.T_0p, mode.branch)
        np.testing.assert_allclose(found, q, atol=1e-11)
        assert mode.residual < 1e-12
    for mode in modes[:: len(modes) // 4 or 1]:  # assembling a machine takes long: four of them
        there = r.rehomed(mode)
        if there.assembly.idle_motors:  # a C5 with all faces along their slides: no pose tells them
            with pytest.raises(FrozenFreedom):
                gough.inverse_kinematics(there, mode.T_0p)
            continue
        np.testing.assert_allclose(gough.inverse_kinematics(there, mode.T_0p), q, atol=1e-11)
    # nobody else is within the tolerance that removes duplicates
    apart = np.abs(modes.poses[:, None] - modes.poses[None]).max(axis=(2, 3))
    assert (apart + np.eye(len(modes)) > 1e-5).all()


def test_a_search_says_that_it_is_one():
    """The DYMO's legs demand nothing that features of the pose could say."""
    _, q, modes = some_turns_away("dymo")
    assert modes.is_search
    assert 0 < modes.agreed <= modes.starts == 96
    assert sum(mode.found for mode in modes) <= modes.agreed
    assert all(mode.found > 0 for mode in modes)
    assert f"{modes.agreed} of {modes.starts} starts" in str(modes)
    again = gough.forward_kinematics(robot("dymo"), q, starts=96)
    np.testing.assert_array_equal(again, modes.poses)  # chance is seeded


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "delta", "tilt_3rps", "gough_stewart"])
def test_a_branch_goes_on_smoothly(name):
    """Motors a little further: each mode has a successor, whose motors are found on its branch."""
    r = robot(name)
    _, q, modes = some_turns_away(name)
    step = 1e-4 * r.assembly.scales.motors * np.linspace(1.0, -0.5, len(q))
    later = gough.forward_kinematics(r, q + step).poses
    assert len(later) == len(modes)
    for mode in modes:
        apart = np.abs(later - mode.T_0p).max(axis=(1, 2))
        assert apart.min() < 0.02  # the step times a condition of a hundred
        found = motors_from(r, later[apart.argmin()], mode.branch)
        np.testing.assert_allclose(found, q + step, atol=1e-11)


def test_modes_are_an_array_of_poses():
    r = robot("five_bar")
    modes = gough.forward_kinematics(r, [2.3, 0.8])
    assert np.asarray(modes).shape == (2, 4, 4)
    np.testing.assert_array_equal(np.asarray(modes), modes.poses)
    np.testing.assert_array_equal(np.asarray(modes, dtype=np.float32), np.float32(modes.poses))
    assert np.asarray(gough.forward_kinematics(r, [np.pi, 0.0])).shape == (0, 4, 4)


def test_one_set_of_motor_positions_at_a_time():
    with pytest.raises(InputError, match=r"shape \(1, 2, 2\), expected one set") as caught:
        gough.forward_kinematics(robot("five_bar"), [[[2.3, 0.8], [np.pi, 0.0]]])
    assert "gough.track" in caught.value.hint


@pytest.mark.parametrize(
    ("q", "options", "words"),
    [
        ([np.nan, 1.0], {}, "not a finite number"),
        ([np.inf, 1.0], {}, "not a finite number"),
        ([1.0], {}, "shape"),
        (1.0, {}, "shape"),
        ("here", {}, "not an array of numbers"),
        (None, {}, "not an array of numbers"),
        ([1j, 2.0], {}, "complex"),
        ([2.3, 0.8], {"operation": "other"}, "'home' or 'any'"),
        ([2.3, 0.8], {"operation": np.zeros(2)}, "'home' or 'any'"),
        ([2.3, 0.8], {"starts": 0}, "starts is 0"),
        ([2.3, 0.8], {"starts": 2.5}, "starts is 2.5"),
        ([2.3, 0.8], {"starts": True}, "starts is True"),
        ([2.3, 0.8], {"seed": -1}, "seed is -1"),
    ],
)
def test_what_is_refused(q, options, words):
    with pytest.raises(InputError, match=words):
        gough.forward_kinematics(robot("five_bar"), q, **options)


def test_too_few_motors_are_refused():
    r = robot("five_bar")
    one = replace(r, motors=r.motors[:1])
    with pytest.raises(WrongMotors, match="2 freedoms"):
        gough.forward_kinematics(one, [2.3])


def test_coincident_elbows_are_a_whole_motion():
    angle = np.arccos(0.16 / 0.3)
    with pytest.raises(SingularPose, match="whole motion") as caught:
        gough.forward_kinematics(robot("five_bar"), [angle, np.pi - angle])
    assert caught.value.hint


def test_where_modes_meet():
    """Distal links nearly in line (Type 2): two modes close together, and none beyond."""
    r = robot("five_bar")
    angle = np.arccos((0.42 - 0.16) / 0.3)  # elbows two distal links apart
    for inside in (1e-3, 1e-6):
        modes = gough.forward_kinematics(r, [np.pi - angle - inside, angle + inside])
        # half the distance of the tips: a leg of a triangle of hypotenuse 0.42
        half = np.sqrt(0.42**2 - (0.16 + 0.3 * np.cos(angle + inside)) ** 2)
        heights = np.sort(modes.poses[:, 1, 3]) - 0.3 * np.sin(angle + inside)
        np.testing.assert_allclose(heights, [-half, half], rtol=1e-6)
        assert modes[0].sign == -modes[1].sign
        assert modes.conditions.min() > 0.3 / half
    outside = [np.pi - angle + 1e-6, angle - 1e-6]
    assert gough.forward_kinematics(r, outside).poses.shape == (0, 4, 4)


def test_redundant_motors_that_contradict_each_other_allow_no_pose():
    r = robot("four_rrr")
    q = gough.inverse_kinematics(r, r.home_pose)
    assert len(gough.forward_kinematics(r, q)) > 0
    assert len(gough.forward_kinematics(r, np.add(q, (0.05, 0.0, 0.0, 0.0)))) == 0


def test_another_mode_of_operation():
    """A Delta's platform only translates around home; by search other ways may be found."""
    r = robot("delta")
    q = [0.4, 0.35, 0.5]
    home = gough.forward_kinematics(r, q)
    found = gough.forward_kinematics(r, q, operation="any", starts=96)
    assert found.is_search
    assert len(found) >= len(home) == 2
    for T in home.poses:
        assert np.abs(found.poses - T).max(axis=(1, 2)).min() < SAME


def test_what_near_may_be():
    """A pose, the answer of the cycle before, a mode; every function goes on from there."""
    r = robot("delta")
    q, rest = gough.inverse_kinematics(r, r.home_pose), np.zeros(3)
    before = gough.pose_from_motors(r, q)
    for near in (None, r.home_pose, before):
        assert np.abs(gough.state_from_motors(r, q, near=near).T_0p - r.home_pose).max() < 1e-9
        assert np.abs(gough.track(r, [q, q], near).T_0p - r.home_pose).max() < 1e-9
        assert gough.pose_from_motors(r, q, near).converged
    modes = gough.forward_kinematics(r, q)
    assert len(modes) > 1
    for mode in modes:
        state = gough.state_from_motors(r, q, near=mode)
        assert np.abs(state.T_0p - mode.T_0p).max() < 1e-9
        tau = gough.inverse_dynamics_from_motors(r, q, rest, rest, near=mode)
        there = gough.inverse_dynamics(r.rehomed(mode), state)
        np.testing.assert_allclose(tau, there, atol=1e-9)  # of the legs as they are bent there
    for call in (gough.state_from_motors, gough.pose_from_motors):
        with pytest.raises(InputError, match="all modes") as caught:
            call(r, q, near=modes)
        assert "modes[0]" in caught.value.hint
        with pytest.raises(InputError, match="near is 'home', expected a pose"):
            call(r, q, near="home")


def test_every_way_from_motors_to_the_platform_answers_in_one_way():
    r = robot("delta")
    q = gough.inverse_kinematics(r, r.home_pose) + np.linspace(0.0, 0.02, 3)[:, None]
    rates = np.full((3, 3), 0.1)
    at_once = gough.pose_from_motors(r, q)
    led = gough.state_from_motors(r, q, rates)
    along = gough.track(r, q, qd_a=rates)
    for found in (at_once, led, along):
        assert found.complete
        assert found.converged.tolist() == [True] * 3
        assert found.status.tolist() == [gough.PoseStatus.CONVERGED] * 3
        T = found.T_0p
        np.testing.assert_allclose(T, led.T_0p, atol=1e-12)
    assert led.error.max() < 1e-12
    np.testing.assert_allclose(along.V_0p, led.V_0p, atol=1e-10)
    np.testing.assert_allclose(along.Vdot_0p, led.Vdot_0p, atol=1e-9)


def test_a_state_that_motors_do_not_give_has_its_status():
    r = robot("delta")
    q = gough.inverse_kinematics(r, r.home_pose)
    bad = q + np.array([[0.0, 0.0, 0.0], [3.0, -3.0, 0.0], [np.nan, 0.0, 0.0]])
    found = gough.state_from_motors(r, bad, on_error="nan")
    assert found.status.tolist() == [
        gough.PoseStatus.CONVERGED,
        gough.PoseStatus.OUT_OF_REACH,
        gough.PoseStatus.BAD_INPUT,
    ]
    for values in (*found.arrays, found.error):
        assert np.isfinite(values[0]).all()
        assert np.isnan(values[1:]).all()


@pytest.mark.parametrize("name", ["five_bar", "delta", "quattro", "tilt_3rps", "gough_stewart"])
@pytest.mark.parametrize("mode", [False, True])
def test_states_of_batches_are_those_of_single_states(name, mode):
    """By programs, in parts where the way is long, from home or from another mode; faults, too."""
    r, rng = robot(name), np.random.default_rng(5)
    q = gough.inverse_kinematics(r, r.home_pose)
    near = gough.forward_kinematics(r, q)[-1] if mode else None
    share = np.linspace(0.0, 0.4, 12)[:, None]
    way = rng.uniform(-1.0, 1.0, len(q)) * r.assembly.scales.motors
    q = (q + share * way).reshape(3, 4, -1)
    q[1, 2, 0] = np.nan
    q[2, 3] += 20.0 * r.assembly.scales.motors * (-1.0) ** np.arange(q.shape[-1])
    rates = rng.normal(size=(2, *q.shape))
    found = gough.state_from_motors(r, q, *rates, near=near, on_error="nan")
    tau = gough.inverse_dynamics_from_motors(r, q, *rates, near=near, on_error="nan")
    with gough.options(engine="numpy"):
        known = gough.state_from_motors(r, q, *rates, near=near, on_error="nan")
        efforts = gough.inverse_dynamics_from_motors(r, q, *rates, near=near, on_error="nan")
    assert np.array_equal(found.status, known.status)
    assert found.status[1, 2] == gough.PoseStatus.BAD_INPUT
    good = known.converged
    assert good.sum() >= 8
    assert (found.iterations[good] >= 0).all()  # nothing was left to NumPy
    for several, each in zip(found.arrays, known.arrays, strict=True):
        assert np.isnan(several[~good]).all()
        assert relative(several[good], each[good]) < 1e-10
    assert relative(tau[good], efforts[good]) < 1e-9
    with pytest.raises(gough.GoughError, match=r"sample \(1, 2\)"):
        gough.state_from_motors(r, q, *rates, near=near)
