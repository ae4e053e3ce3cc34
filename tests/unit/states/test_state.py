"""The value of a state: shapes, parts, frames, slices, comparisons, and what is refused."""

import copy
import pickle
import tracemalloc

import numpy as np
import pytest

import gough
from gough.errors import FrozenFreedom, InputError
from hybrids import hybrid
from robots import robot

T = np.eye(4)
T[:3, :3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
T[:3, 3] = 0.1, 0.2, 0.3
V, A = np.arange(6.0), np.arange(6.0)[::-1].copy()


def many(count=5, **more):
    """States that differ in all parts."""
    rng = np.random.default_rng(0)
    poses = np.repeat(T[None], count, axis=0)
    poses[:, :3, 3] += rng.normal(size=(count, 3))
    return gough.State(poses, *rng.normal(size=(2, count, 6)), **more)


def test_parts_are_what_was_given_and_missing_ones_are_zero():
    x = gough.State(T, V)
    assert x.shape == ()
    np.testing.assert_array_equal(x.T_0p, T)
    np.testing.assert_array_equal(x.V_0p, V)
    np.testing.assert_array_equal(x.Vdot_0p, np.zeros(6))
    assert x.Vddot_0p is None
    assert x.is_given("V_0p")
    assert not x.is_given("Vdot_0p")
    assert dict(x.internal) == {}
    assert x.frame == "base"


def test_arrays_are_views_that_cannot_be_written_into():
    x = gough.State(T, V, A)
    for part, array in zip(x.arrays, (T, V, A), strict=True):
        assert np.shares_memory(part, array)
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 0.0
    with pytest.raises(AttributeError):
        x.V_0p = V
    with pytest.raises(TypeError):
        many(internal={"table": 0.1}).internal["table"] = 1.0


def test_a_million_states_cost_what_their_arrays_cost():
    arrays = np.zeros((1_000_000, 4, 4)), np.zeros((1_000_000, 6)), np.zeros((1_000_000, 6))
    tracemalloc.start()
    x = gough.State(*arrays)
    part = x[10:20]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1e5  # bytes; the arrays have 224 MB
    assert np.shares_memory(part.T_0p, arrays[0])


def test_parts_broadcast():
    x = gough.State(T, many().V_0p, internal={"table": np.zeros((3, 1))})
    assert x.shape == (3, 5)
    assert x.T_0p.shape == (3, 5, 4, 4)
    assert x.Vdot_0p.shape == (3, 5, 6)
    assert x.internal["table"].shape == (3, 5)
    assert x[1, 2].shape == ()


@pytest.mark.parametrize(
    ("index", "shape"),
    [
        (0, (4,)),
        (-1, (4,)),
        (slice(1, 3), (2, 4)),
        ((slice(None), 2), (3,)),
        ((1, 2), ()),
        (..., (3, 4)),
        ((..., 1), (3,)),
        ((None, 0), (1, 4)),
        ([0, 2, 2], (3, 4)),
        (np.array([True, False, True]), (2, 4)),
        (np.arange(12).reshape(3, 4) > 8, (3,)),
        ((), (3, 4)),
    ],
)
def test_indices_are_those_of_leading_axes(index, shape):
    x = many(12, internal={"table": np.arange(12.0)}).reshape(3, 4)
    part = x[index]
    assert part.shape == shape
    plain = (slice(None), 1) if isinstance(index, tuple) and ... in index else index
    np.testing.assert_array_equal(part.T_0p, x.T_0p[plain])
    np.testing.assert_array_equal(part.internal["table"], x.internal["table"][index])


def test_states_are_counted_and_gone_through():
    x = many()
    assert len(x) == 5
    assert [one.shape for one in x] == [()] * 5
    assert [*x][3] == x[3]
    one = gough.State(T)
    assert bool(one) is bool(x[:0]) is True
    for wrong in (len, iter):
        with pytest.raises(TypeError, match="one state"):
            wrong(one)
    for index in (0, slice(1), np.array([0, 1]), [True]):
        with pytest.raises(InputError, match="no leading axes"):
            one[index]
    assert one[None].shape == one[None, ...].shape == (1,)
    with pytest.raises(IndexError, match=r"states \(5,\)"):
        x[0, 0]
    with pytest.raises(IndexError):
        x[5]


def test_states_are_stacked_and_concatenated():
    x = many(internal={"table": np.arange(5.0)}, internal_rate={"table": 1.0})
    assert gough.State.stack([*x]) == x
    assert gough.State.concatenate([x[:2], x[2:]]) == x
    assert gough.State.stack([x, x], axis=1).shape == (5, 2)
    assert gough.State.concatenate([x, x]).shape == (10,)
    still = gough.State.concatenate([gough.State(x.T_0p), gough.State(x.T_0p, x.V_0p)])
    np.testing.assert_array_equal(still.V_0p[:5], np.zeros((5, 6)))
    assert gough.State.stack([x, x], axis=-1) == gough.State.stack([x, x], axis=1)
    assert x.reshape((5, 1)) == x.reshape(5, 1)
    for join, axis in ((gough.State.stack, 2), (gough.State.concatenate, 1)):
        with pytest.raises(InputError, match=f"axis {axis} is none of"):
            join([x, x], axis=axis)
    with pytest.raises(InputError, match="single states"):
        gough.State.concatenate([x[0], x[1]])
    for wrong in ([], [x, 3], [x, many()], [many(), many(frame="platform")], [many(2), many(2)[0]]):
        with pytest.raises(InputError):
            gough.State.concatenate(wrong)


def test_rates_of_coordinates_at_home_are_joined_as_well():
    one = gough.State(T, internal={"a": 0.1}, internal_rate={"b": 2.0, "a": 1.0})
    other = gough.State(T, internal={"a": 0.2}, internal_acceleration={"b": 3.0})
    both = gough.State.stack([one, other])
    assert dict(both.internal_rate).keys() == {"a", "b"}
    np.testing.assert_array_equal(both.internal_rate["b"], [2.0, 0.0])
    np.testing.assert_array_equal(both.internal_acceleration["b"], [0.0, 3.0])
    assert both[0] == one
    with pytest.raises(InputError, match="derivatives"):
        gough.State.stack([gough.State(T, V, A), gough.State(T, V, A, A)])


def test_equality_is_of_numbers_frames_and_names():
    assert gough.State(T, V) == gough.State(T.copy(), V.copy(), np.zeros(6))
    assert gough.State(T, V) != gough.State(T, A)
    assert gough.State(T, V) != gough.State(T, V, frame="platform")
    assert gough.State(T) != gough.State(T[None])
    assert gough.State(T, internal={"a": 1.0}) != gough.State(T, internal={"b": 1.0})
    assert gough.State(T) != T.tolist()
    assert gough.State(T) != T
    near = gough.State(T, V + 1e-13)
    assert near != gough.State(T, V)
    assert near.allclose(gough.State(T, V))
    assert not near.allclose(gough.State(T, A))
    with pytest.raises(TypeError, match="unhashable"):
        hash(near)


def test_replaced_parts_leave_the_others():
    x = many(internal={"table": 0.1})
    other = x.replace(V_0p=None, internal={"table": 0.2})
    np.testing.assert_array_equal(other.Vdot_0p, x.Vdot_0p)
    np.testing.assert_array_equal(other.V_0p, np.zeros((5, 6)))
    np.testing.assert_array_equal(other.internal["table"], np.full(5, 0.2))
    with pytest.raises(InputError, match="no part"):
        x.replace(twist=V)


@pytest.mark.parametrize("x", [gough.State(T, V, A), many(internal={"table": 0.1})])
def test_states_are_pickled_and_copied(x):
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert other == x


def test_frames_go_both_ways():
    x = many()
    y = x.in_frame("platform")
    R = x.T_0p[:, :3, :3]
    np.testing.assert_allclose(y.V_0p[:, :3], np.einsum("kji,kj->ki", R, x.V_0p[:, :3]))
    assert y.frame == "platform"
    assert y.in_frame("base").allclose(x)
    assert x.in_frame("base") is x
    for part, same in zip(y.arrays, x.arrays, strict=True):  # what kernels take: base axes
        np.testing.assert_allclose(part, same, atol=1e-14)
    with pytest.raises(InputError, match="jerk"):
        gough.State(T, V, A, A).in_frame("platform")


def test_a_missing_rate_is_zero_in_the_state_s_own_axes():
    """Components that do not change in axes that turn: base axes see omega x v."""
    x = gough.State(T, V, frame="platform").in_frame("base")
    turning = np.cross(x.V_0p[3:], x.V_0p[:3])
    np.testing.assert_allclose(x.Vdot_0p, [*turning, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (([1.0, 2.0],), "T_0p"),
        ((T, [1.0, 2.0, 3.0]), "V_0p"),
        ((T, None, "fast"), "Vdot_0p"),
        ((T, V, A, [1.0]), "Vddot_0p"),
        ((T, V, None, A), "Vddot_0p"),
        ((np.ma.masked_array(T, T > 0.5),), "T_0p"),
        ((T + 1j,), "T_0p"),
        ((gough.State(T),), "T_0p"),
    ],
)
def test_what_is_no_state_is_refused_when_it_is_made(arguments, argument):
    with pytest.raises(InputError) as caught:
        gough.State(*arguments)
    assert caught.value.data["argument"] == argument


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"frame": "world"}, "'base' or 'platform'"),
        ({"internal": [0.1]}, "by the names of coordinates"),
        ({"internal_rate": {"table": "fast"}}, r"internal_rate\['table'\]"),
        ({"internal": {"table": np.zeros(3)}, "V_0p": np.zeros((2, 6))}, "do not fit together"),
    ],
)
def test_what_fits_no_state_is_refused_by_name(options, match):
    with pytest.raises(InputError, match=match):
        gough.State(T, **options)


def test_a_state_says_what_it_is():
    assert repr(gough.State(np.eye(4))) == "<State at (0, 0, 0) m, at rest>"
    text = repr(gough.State(T, V, A, internal={"table": 0.1}))
    assert "turned by (0, 0, 1.57) rad" in text
    assert "moving (0, 1, 2) m/s" in text
    assert "table 0.1" in text
    assert repr(many(internal={"table": 0.1})) == "<State (5,) of T_0p, V_0p, Vdot_0p, with table>"
    assert "nan" in repr(gough.State(np.full((4, 4), np.nan)))
    assert "b as at home" in repr(gough.State(T, internal_rate={"b": 1.0}))


def test_a_state_is_no_array():
    with pytest.raises(TypeError, match="T_0p, V_0p and Vdot_0p"):
        np.asarray(gough.State(T))
    r = robot("delta")
    for call in (
        lambda x: gough.forward_kinematics(r, x),
        lambda x: gough.state(r, x),
        lambda x: gough.forward_dynamics(r, x, x),
    ):
        with pytest.raises(InputError, match="is a State, expected an array"):
            call(gough.State(r.home_pose))


def test_names_that_the_robot_does_not_have_are_refused():
    r = robot("delta")
    x = gough.State(r.home_pose, internal={"table": 0.1})
    for function in (gough.inverse_dynamics, gough.jacobian, gough.energy, gough.posture):
        with pytest.raises(InputError, match="no internal coordinate 'table'"):
            function(r, x)


def test_what_is_written_into_the_array_underneath_is_still_checked():
    r = robot("five_bar")
    V = np.zeros(6)
    x = gough.State(r.home_pose, V)
    with gough.options(engine="compiled"):
        gough.inverse_dynamics(r, x)
        V[0] = np.nan
        with pytest.raises(InputError, match=r"V_0p\[0\] is nan"):
            gough.inverse_dynamics(r, x)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_functions_take_poses_states_and_batches_alike(engine):
    r = robot("five_bar")
    home = r.home_pose
    with gough.options(engine=engine):
        one = gough.inverse_dynamics(r, home)
        np.testing.assert_array_equal(one, gough.inverse_dynamics(r, gough.State(home)))
        batch = gough.inverse_dynamics(r, gough.State(np.stack([home, home])))
    np.testing.assert_allclose(batch, [one, one], rtol=1e-13)


def test_functions_answer_in_the_axes_of_the_state():
    r = robot("gough_stewart")
    x = gough.state(r, [0.0, 0.02, r.home_pose[2, 3], 0.1, 0.2, 0.3], V / 10.0, A / 10.0)
    y = x.in_frame("platform")
    tau = gough.inverse_dynamics(r, x)
    np.testing.assert_allclose(gough.inverse_dynamics(r, y), tau)
    falling = gough.forward_dynamics(r, y, tau)
    assert falling.frame == "platform"
    assert falling.allclose(y, 1e-7, 1e-9)
    assert gough.forward_dynamics(r, x, tau).allclose(x, 1e-7, 1e-9)


@pytest.mark.parametrize(
    ("value", "match"),
    [
        (None, "state is None, expected a gough.State or a pose"),
        ({}, "expected a gough.State or a pose"),
        ((T, V), "state is a tuple"),
        ([gough.State(T)], "gough.State.stack"),
        ("home", "expected a gough.State or a pose"),
        ([0.1, 0.2, 0.3], r"state has shape \(3,\)"),
    ],
)
def test_what_is_no_state_is_refused_by_functions(value, match):
    with pytest.raises(InputError, match=match) as caught:
        gough.inverse_dynamics(robot("five_bar"), value)
    assert caught.value.data["argument"] == "state"


def test_answers_have_the_shape_of_the_state():
    """Whatever parts a function reads."""
    r = robot("gough_stewart")
    rates = np.random.default_rng(0).normal(size=(3, 6))
    moving, fast = gough.State(r.home_pose, rates), gough.State(r.home_pose, None, rates)
    assert gough.inverse_kinematics(r, moving).shape == (3, 6)
    assert gough.inertia_matrix(r, moving).shape == gough.jacobian(r, moving).shape == (3, 6, 6)
    assert gough.energy(r, fast).kinetic.shape == (3,)
    assert gough.forward_dynamics(r, fast, np.zeros(6)).shape == (3,)


def test_freedoms_turn_with_the_axes_of_the_state():
    r = robot("gough_stewart")
    x = gough.state(r, [0.0, 0.02, r.home_pose[2, 3], 0.1, 0.2, 0.3], V / 10.0, A / 10.0)
    y = x.in_frame("platform")
    X = np.kron(np.eye(2), x.T_0p[:3, :3])
    model = gough.implicit_model(r, y)
    np.testing.assert_allclose(model.A, gough.inverse_jacobian(r, y).T, atol=1e-12)
    np.testing.assert_allclose(model.b, -gough.cartesian_dynamics(r, y), rtol=1e-10)
    for answer in (gough.influence_coefficients, gough.partial_screws):
        base, turned = (tuple(vars(answer(r, s, by="freedoms")).values())[1] for s in (x, y))
        for name, part in base.items():
            np.testing.assert_allclose(part @ X, turned[name], atol=1e-12)
    M, M_p = (gough.kinematic_coordinates(r, s).M for s in (x, y))
    np.testing.assert_allclose(M @ X, M_p, atol=1e-12)


def test_samples_in_platform_axes_are_analysed_as_the_same_motion():
    r = robot("gough_stewart")
    move = gough.motion.point_to_point(r, None, [0.1, 0.0, 0.65, 0.0, 0.2, 0.0], duration=0.5)
    t, state = move.sample(20.0)
    turned = gough.motion.Samples(t, state.in_frame("platform"))
    expected = gough.analyse(r, move.sample(20.0)).tau
    np.testing.assert_allclose(gough.analyse(r, turned).tau, expected, rtol=1e-9)


def test_poses_are_states_with_a_status():
    r = robot("five_bar")
    q = gough.inverse_kinematics(r, np.stack([r.home_pose] * 3))
    q[1] += 10.0
    poses = gough.pose_from_motors(r, q)
    assert isinstance(poses, gough.State)
    assert poses.shape == (3,)
    assert poses[::2].complete
    np.testing.assert_array_equal(poses[0].status, poses.status[0])
    again = pickle.loads(pickle.dumps(poses))
    np.testing.assert_array_equal(again.status, poses.status)
    assert poses.reshape(3, 1).status.shape == (3, 1)
    with pytest.raises(AttributeError):
        poses.status = 3


def test_a_state_with_internal_coordinates_is_refused_where_they_do_not_count():
    machine = hybrid("table_below")
    state = gough.State(machine.home_pose, internal={"table": 0.3})
    with pytest.raises(InputError, match="internal coordinates, which this function"):
        gough.draw(machine, state)
    assert gough.explain(machine, state) is None
    lost = gough.State(machine.home_pose * np.nan, internal={"table": 0.3})
    for call in (gough.inverse_dynamics, gough.motor_rates, gough.posture, gough.explain):
        try:
            error = call(machine, lost)
        except InputError as err:
            error = err
        assert "T_0p[0, 0] is nan" in error.message
        assert (error.argument, error.sample) == ("T_0p", None)
    with pytest.raises(InputError, match=r"internal\['table'\] is nan"):
        gough.inverse_kinematics(machine, state.replace(internal={"table": np.nan}))


def test_other_axes_are_no_other_part():
    state = gough.State(T, V)
    with pytest.raises(InputError, match="another meaning") as info:
        state.replace(frame="platform")
    assert "in_frame" in info.value.hint
    assert state.allclose(state.in_frame("platform"))
    assert gough.State(T).allclose(T)
    with pytest.raises(InputError, match=r"states\[1\] is"):
        gough.State.stack([state, T])
    with pytest.raises(InputError, match="cannot be reshaped"):
        gough.State.stack([state, state]).reshape(3)


def test_motors_where_a_state_is_meant_are_told_apart_from_freedoms():
    with pytest.raises(InputError, match=r"shape \(6,\)") as info:
        gough.inverse_dynamics(robot("gough_stewart"), np.ones(6))
    assert "pose_from_motors" in info.value.hint
    kernel = gough.compile(robot("delta"), "inverse_dynamics")
    with pytest.raises(InputError, match="takes arrays, got a State") as info:
        kernel(gough.State(T, V))
    assert "state.arrays" in info.value.hint


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: x.accelerated(np.ones(6) * 1j), "Vdot_0p is not an array of numbers"),
        (lambda x: x.replace(pose=T), "a state has no part 'pose'"),
        (lambda x: gough.State.stack([x, x], axis="a"), "axis is 'a'"),
        (lambda x: x.allclose(x, rtol="a"), "rtol"),
        (lambda x: gough.pose_from_motors(robot("quattro"), T), "q_a is a pose"),
        (lambda x: gough.state(robot("quattro"), T), "x is a pose"),
    ],
)
def test_slips_are_refused_by_name(call, message):
    with pytest.raises(InputError) as info:
        call(gough.State(T, V))
    assert message in str(info.value)


def test_lists_of_numbers_do_for_accelerations():
    x = gough.State(T, V).accelerated([1, 2, 3, 4, 5, 6])
    np.testing.assert_array_equal(x.Vdot_0p, np.arange(1.0, 7.0))


def test_the_reason_of_a_refusal_is_that_of_the_whole_state():
    r = robot("delta")
    states = gough.State(r.home_pose, np.array([np.zeros(6), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]]))
    tau = gough.inverse_dynamics(r, states, on_error="nan")
    assert np.isnan(tau).any(axis=1).tolist() == [False, True]
    assert gough.explain(r, states[0]) is None
    assert isinstance(gough.explain(r, states[1]), gough.errors.InconsistentTwist)
    still = gough.State(r.home_pose, Vdot_0p=np.full(6, np.nan))
    assert "Vdot_0p" in gough.explain(r, still).message
    with pytest.raises(InputError, match="leading axes"):
        gough.explain(r, states)


@pytest.mark.parametrize(
    ("call", "message", "remedy"),
    [
        (lambda: gough.State(robot("delta"), [0.1]), "T_0p is a Robot", "gough.state(robot, x"),
        (lambda: gough.state(robot("delta"), T), "x is a pose (4, 4)", "gough.State(T)"),
        (lambda: gough.state(robot("quattro"), T[None]), "x is a pose (1, 4, 4)", "gough.State(T)"),
        (lambda: gough.State.concatenate([many(3), gough.State(T)]), "(3,), ()", "x[None]"),
        (lambda: gough.State.concatenate([gough.State(T), many(3)]), "axis 0", "x[None]"),
        (lambda: gough.State.stack([many(3), gough.State(T)]), "(3,), () cannot", "x[None]"),
        (lambda: gough.State.stack([many(3), many(2)]), "(3,), (2,) cannot", ""),
        (
            lambda: gough.State.stack(
                [many(internal={"a": 1.0, "c": 1.0}), many(internal={"b": 1.0, "c": 1.0})]
            ),
            "cannot be joined: 'a' and 'b' are not in all of them",
            "replace(internal=",
        ),
    ],
)
def test_what_fits_nowhere_is_refused_with_its_remedy(call, message, remedy):
    with pytest.raises(InputError) as info:
        call()
    assert message in info.value.message
    assert remedy in info.value.hint


def test_what_is_no_pose_is_said_what_it_is():
    delta = robot("delta")
    home = delta.home_pose
    mirrored, scaled = home.copy(), home.copy()
    mirrored[:3, 0] *= -1.0
    scaled[:3, :3] *= 1000.0
    for pose, remedy in ((home.T, "T.T"), (mirrored, "left-handed"), (scaled, "")):
        with pytest.raises(InputError, match="T_0p: ") as info:
            gough.inverse_kinematics(delta, pose)
        assert remedy in info.value.hint
        assert remedy or not info.value.hint


def test_new_axes_may_be_a_list_as_in_numpy():
    x = many(6)
    assert x.reshape([2, 3]) == x.reshape(2, 3)
    with pytest.raises(InputError, match=r"reshaped to \(2, 4\)"):
        x.reshape([2, 4])


@pytest.mark.parametrize(
    "call",
    [
        gough.jacobian,
        gough.inverse_jacobian,
        gough.freedom_map,
        gough.leg_jacobians,
        gough.internal_efforts,
        gough.influence_coefficients,
        gough.partial_screws,
        gough.reciprocal_screws,
        gough.kinematic_coordinates,
        gough.implicit_model,
        gough.observe,
        gough.singularities,
        gough.nearest_type_2,
        gough.energy,
        gough.reactions,
        gough.inertia_matrix,
    ],
)
def test_internal_coordinates_are_refused_where_they_are_not_taken(call):
    """And not asked for: what takes none refuses the machine when they are left out."""
    machine = hybrid("table_below")
    x = gough.State(machine.home_pose, internal={"table": 0.1})
    with pytest.raises(InputError, match="internal coordinates, which this function") as info:
        call(machine, x)
    assert "serial_core" in info.value.hint
    if call is not gough.freedom_map:  # which follows from the pose
        with pytest.raises(FrozenFreedom):
            call(machine, machine.home_pose)
