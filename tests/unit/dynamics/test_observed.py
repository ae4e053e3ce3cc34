"""Efforts from observed legs: right, without trigonometry, and as wrong as noise makes them.

Legs are observed by ``gough.observe``, a perfect camera; the efforts it is held against know the
platform and no leg's direction.
"""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough.dynamics.elements.camera import shapes_of, spinning_elements
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import observed_motion
from gough.dynamics.elements.shown_pose import by_sums, pose_from_legs
from gough.evaluation.engine import _choices
from gough.functions import observed
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from masks import masked
from robots import SQUARE_NAMES, random_freedoms, relative, robot

# fitted poses stop at rounding of the directions, times a condition of some hundred: 1e-12 is met
SAME = 1e-10


@cache
def seen(name: str, count: int = 1) -> tuple[gough.State, gough.LegStates, np.ndarray]:
    """A motion, its legs, its efforts."""
    r = robot(name)
    motion = gough.state(r, *random_freedoms(name, count, 0.05, seed=7))
    return motion, gough.observe(r, motion), gough.inverse_dynamics(r, motion)


def given(legs: gough.LegStates, program: gough.trace.Program) -> dict[str, np.ndarray]:
    """What a program takes."""
    return {port.name: getattr(legs, port.name) for port in program.inputs}


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_observed_legs_give_the_efforts_of_the_pose(name):
    _, legs, expected = seen(name)
    assert relative(gough.inverse_dynamics_observed(robot(name), legs), expected) < SAME


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps"])
def test_batches_and_options(name):
    motion, legs, expected = seen(name, 3)
    r = robot(name)
    assert legs.x.shape == (3, len(legs.elements), 3)
    assert legs.ddd.shape == (3, len(legs.lengths))
    assert relative(gough.inverse_dynamics_observed(r, legs), expected) < SAME
    loads = gough.Loads(friction=False, rotors=False)
    bare = gough.inverse_dynamics_observed(r, legs, loads=loads)
    assert relative(bare, gough.inverse_dynamics(r, motion, loads=loads)) < SAME
    assert relative(bare, expected) > 1e-3


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart"])
def test_what_is_seen_are_directions_and_their_rates(name):
    """Unit vectors; rates by differences along the motion."""
    r, h = robot(name), 1e-4
    x, xd, xdd = (a[0] for a in random_freedoms(name, 1, 0.05, seed=7))
    t = np.array([-h, 0.0, h])[:, None]
    legs = gough.observe(r, gough.state(r, x + xd * t + xdd * t * t / 2, xd + xdd * t, xdd))
    np.testing.assert_allclose(np.linalg.norm(legs.x, axis=-1), 1.0, atol=1e-14)
    for rate, of in ((legs.xd, legs.x), (legs.xdd, legs.xd), (legs.dd, legs.d)):
        slope = (of[2] - of[0]) / (2.0 * h)
        assert relative(slope, rate[1]) < 1e-5 if rate.size else True  # h^2 third derivatives


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart"])
def test_no_trigonometric_function(name):
    """[OZ] Table 3, "vision-based": sums, products, a few roots; traced = NumPy."""
    _, legs, expected = seen(name, 3)
    program = gough.trace.program(robot(name), "inverse_dynamics_observed")
    assert gough.trace.count(program).functions == 0
    assert relative(gough.trace.run(program, given(legs, program))["tau"], expected) < 1e-11


def test_the_turn_of_a_leg_is_seen_where_nothing_else_shows_the_platform():
    """The tool of delta_4 is turned by a leg about its own direction; no other robot asks."""
    for name in SQUARE_NAMES:
        assert seen(name)[1].turns == (("tube",) if name == "delta_4" else ())
    _, legs, expected = seen("delta_4")
    other = dataclasses.replace(legs, theta=legs.theta + 0.2)
    assert relative(gough.inverse_dynamics_observed(robot("delta_4"), other), expected) > 1e-5
    blind = dataclasses.replace(
        legs, turns=(), theta=np.zeros(0), spin=np.zeros(0), spin_rate=np.zeros(0)
    )
    with pytest.raises(gough.errors.InputError, match="rz may change unseen") as info:
        gough.inverse_dynamics_observed(robot("delta_4"), blind)
    assert "encoders" in info.value.hint


@pytest.mark.parametrize(
    ("name", "count"), [("delta", 6), ("quattro", 8), ("h4", 8), ("linear_delta", 3)]
)
def test_a_parallelogram_is_seen_as_one_direction(name, count):
    """[OZ] 3.1.1: a bar; not twelve directions of a Quattro, but eight."""
    assert len(seen(name)[1].elements) == count


@pytest.mark.parametrize("name", ["quattro", "h4", "delta_4", "delta", "gough_stewart"])
def test_the_pose_is_a_sum_of_directions(name):
    """[OZ] (28), (35): products and sums, also over the halves of a nacelle; no fit."""
    state, legs, _ = seen(name)
    assembly = robot(name).assembly
    lead = pose_from_legs(assembly, legs.sight)
    assert lead is not None
    one = legs.with_arrays([getattr(legs, n)[0] for n in shapes_of(legs)])
    assert np.abs(by_sums(lead, one) - state.T_0p[0]).max() < 1e-12


# some directions, some encoders


def mixed(name: str, **sensors: object) -> tuple[gough.LegStates, np.ndarray]:
    motion, _, expected = seen(name)
    return gough.observe(robot(name), motion, **sensors), expected


MIXTURES = [
    (
        "gough_stewart",
        {"elements": ("cyl1", "cyl3"), "lengths": ("p1",), "encoders": ("p2", "p5")},
    ),
    ("delta", {"elements": ("bar1a",), "encoders": ("arm2",)}),
    ("quattro", {"elements": (), "encoders": ("arm1", "arm2", "arm3", "arm4")}),
    ("delta_4", {"turns": (), "encoders": ("spin",)}),
    ("five_bar", {"elements": ("dist1",), "encoders": ("foot2",)}),
    ("c5", {"lengths": ("p1", "p2", "p3"), "encoders": ("p4", "p5", "p6")}),
]


@pytest.mark.parametrize(("name", "sensors"), MIXTURES)
def test_some_directions_and_some_encoders(name, sensors):
    """[OZ] section 6: state variables from whatever sensors there are."""
    motion, _, expected = seen(name)
    legs = gough.observe(robot(name), motion, **sensors)
    assert relative(gough.inverse_dynamics_observed(robot(name), legs), expected) < SAME


@pytest.mark.parametrize(
    ("name", "sensors"),
    [
        *MIXTURES,
        ("gough_stewart", {"elements": ("cyl1", "cyl2", "cyl3", "cyl4")}),  # by sums
        ("spherical_2dof", {}),  # no sums lead to its platform
        ("four_rrr", {"encoders": ("foot1", "foot3")}),
        ("delta", {"encoders": ("arm1",), "weights": {"arm1": 3.0, "bar1a": 0.5}}),
    ],
)
def test_mixtures_are_answered_by_programs_as_by_numpy(name, sensors, monkeypatch):
    """Noise and faults among them; of a batch NumPy looks for no pose."""
    r, rng = robot(name), np.random.default_rng(4)
    motion = gough.state(r, *random_freedoms(name, 12, 0.05, seed=9))
    legs = gough.observe(r, motion, **sensors)
    x, q = legs.x + 1e-4 * rng.normal(size=legs.x.shape), legs.q.copy()
    bad = x if x.size else q
    bad[3] = np.nan
    legs = dataclasses.replace(legs, x=x, q=q)
    loads = gough.Loads(payload=0.6, friction=False)
    alone = []
    pose = observed.pose_of_legs
    monkeypatch.setattr(observed, "pose_of_legs", lambda *a: alone.append(a) or pose(*a))
    for more, near in ((None, None), (loads, motion.T_0p[0])):
        found = {}
        for engine in ("compiled", "auto", "numpy"):
            alone.clear()
            with gough.options(engine=engine):
                found[engine] = gough.inverse_dynamics_observed(
                    r, legs, near=near, loads=more, on_error="nan"
                )
            assert len(alone) == (11 if engine == "numpy" else 0)
        assert np.flatnonzero(np.isnan(found["numpy"]).any(axis=1)).tolist() == [3]
        good = np.arange(12) != 3
        for engine in ("compiled", "auto"):
            assert relative(found[engine][good], found["numpy"][good]) < 1e-11
            assert np.isnan(found[engine][3]).all()
    with (
        gough.options(engine="compiled"),
        pytest.raises(gough.errors.InputError, match=r"sample 3: .* is nan"),
    ):
        gough.inverse_dynamics_observed(r, legs)


def test_what_a_program_cannot_see_is_named():
    """One turn of the platform changes nothing that is measured, at each of many states."""
    r = robot("gough_stewart")
    motion = gough.state(r, *random_freedoms("gough_stewart", 9, 0.05))
    legs = gough.observe(r, motion, elements=("cyl1",), lengths=("p1",), encoders=("p2", "p3"))
    for engine in ("compiled", "auto", "numpy"):
        with (
            gough.options(engine=engine),
            pytest.raises(gough.errors.InputError, match=r"sample 0: .* may change unseen"),
        ):
            gough.inverse_dynamics_observed(r, legs)


@pytest.mark.parametrize("engine", ["auto", "compiled"])
def test_mixtures_of_one_state_and_of_none(engine):
    r = robot("delta")
    motion = gough.state(r, *random_freedoms("delta", 20, 0.05, seed=9))
    legs = gough.observe(r, motion, elements=("bar1a",), encoders=("arm2",))
    expected = gough.inverse_dynamics(r, motion)
    with gough.options(engine=engine):
        for k in range(20):  # from the eighth on a program answers
            one = legs.with_arrays([a[k] for a, _ in legs.arguments().values()])
            assert relative(gough.inverse_dynamics_observed(r, one), expected[k]) < SAME
        none = legs.with_arrays([a[:0] for a, _ in legs.arguments().values()])
        assert gough.inverse_dynamics_observed(r, none).shape == (0, 3)


def test_other_weights_are_other_numbers_of_the_same_program():
    r = robot("delta")
    motion = gough.state(r, *random_freedoms("delta", 9, 0.05, seed=9))
    legs = gough.observe(r, motion, encoders=r.motors)
    legs = dataclasses.replace(legs, q=legs.q + 1e-3)
    found = []
    with gough.options(engine="compiled"):
        for weight in (0.5, 2.0):
            legs = dataclasses.replace(legs, weights={"arm1": weight})
            found.append(gough.inverse_dynamics_observed(r, legs))
            with gough.options(engine="numpy"):
                assert relative(gough.inverse_dynamics_observed(r, legs), found[-1]) < 1e-11
    assert relative(*found) > 1e-6
    asked = [key for key in _choices(r.assembly) if key[1].sight == legs.sight]
    assert sorted(quantity for quantity, _ in asked) == ["efforts_sensed", "sensed_fit_step"]


def test_no_sensors_show_nothing():
    r = robot("delta")
    motion = gough.state(r, *random_freedoms("delta", 9, 0.05))
    legs = gough.observe(r, motion, elements=(), lengths=())
    for engine in ("compiled", "numpy"):
        with gough.options(engine=engine), pytest.raises(gough.errors.InputError, match="unseen"):
            gough.inverse_dynamics_observed(r, legs)


def test_weights_say_whom_to_believe():
    """An encoder that is off counts as little as its weight; the rest has the say."""
    r = robot("delta")
    motion, _, expected = seen("delta")
    legs = gough.observe(r, motion, encoders=r.motors)
    wrong = dataclasses.replace(legs, q=legs.q + np.array([0.01, 0.0, 0.0]))

    def off(weight):
        weighted = dataclasses.replace(wrong, weights={r.motors[0]: weight})
        return relative(gough.inverse_dynamics_observed(r, weighted), expected)

    errors = [off(w) for w in (1.0, 0.1, 0.01, 0.001)]
    assert errors[0] > 1e-4
    # the share of one measurement among many goes with the square of its weight, if that is small
    np.testing.assert_allclose(np.divide(errors[1:-1], errors[2:]), 100.0, rtol=0.05)


def test_weights_are_those_of_least_squares():
    """Of two sensors of one thing, (w1^2 a + w2^2 b) / (w1^2 + w2^2): a pendulum's two."""
    r = robot("pendulum")
    T, V, Vdot = seen("pendulum")[0][0].arrays
    legs = gough.observe(r, gough.State(T, V, Vdot), encoders=r.motors)
    z = r.assembly.equations(*r.assembly.start).frames(r.joints[0])[0].R[:, 2]
    c = float(np.linalg.norm(np.cross(z, legs.x[0])))  # how much of the turn the direction sees
    far = gough.LegStates(**{**vars(legs), "qd": legs.qd * 1.5, "weights": {r.motors[0]: 2.0}})
    here = ElementState(Kinematics(r.assembly, regular(r.assembly, T)))
    found = observed_motion(here, far)
    share = 2.0**2 / (2.0**2 + c**2)
    assert found.V == pytest.approx(V * (1.0 + 0.5 * share), rel=1e-9)


def test_redundant_motors_share_the_work():
    r = robot("four_rrr")
    motion = gough.state(r, *random_freedoms("four_rrr", 3, 0.05, seed=7))
    legs, expected = gough.observe(r, motion), gough.inverse_dynamics(r, motion)
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            assert relative(gough.inverse_dynamics_observed(r, legs), expected) < SAME
    share = gough.EffortSharing(weights=(1.0, 2.0, 3.0, 4.0))
    other = gough.inverse_dynamics(r, motion, share=share)
    assert relative(gough.inverse_dynamics_observed(r, legs, share=share), other) < SAME
    assert relative(other, expected) > 1e-3


# compiled


@pytest.mark.parametrize("name", ["five_bar", "delta", "quattro", "gough_stewart", "tilt_3rps"])
def test_kernels_answer_as_numpy_does(name):
    r = robot(name)
    motion, legs, expected = seen(name, 3)
    loads = gough.Loads(payload=0.7, friction=False)
    for more in (None, loads):
        known = gough.inverse_dynamics(r, motion, loads=more)
        with gough.options(engine="compiled"):
            found = gough.inverse_dynamics_observed(r, legs, loads=more)
        assert relative(found, known) < SAME
    kernel = gough.compile(r, "inverse_dynamics_observed")
    out = kernel(**{n: getattr(legs, n) for n in kernel.inputs})
    assert relative(out["tau"], expected) < SAME
    assert (out["doubt"].sum(axis=1) < 1.0).all()
    x = legs.x.copy()
    x[1, 0] = np.cross(x[1, 0], [0.3, 0.2, 0.1]) + 0.5 * x[1, 0]  # no pose shows that
    wrong = {n: getattr(legs, n) for n in kernel.inputs} | {"x": x}
    doubt = kernel(**wrong)["doubt"].sum(axis=1)
    assert not doubt[1] < 1.0
    assert doubt[0] < 1.0


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart", "quattro"])
def test_a_noisy_camera_leaves_kernels_sure(name):
    """A milliradian: the pose is closed before anything is worked out from it."""
    r, rng = robot(name), np.random.default_rng(3)
    _, legs, expected = seen(name, 3)
    noisy = dataclasses.replace(legs, x=legs.x + 1e-4 * rng.normal(size=legs.x.shape))
    if name == "five_bar":
        noisy.x[..., 2] = 0.0
    with gough.options(engine="numpy"):
        plain = gough.inverse_dynamics_observed(r, noisy)
    kernel = gough.compile(r, "inverse_dynamics_observed")
    out = kernel(**{n: getattr(noisy, n) for n in kernel.inputs})
    assert (out["doubt"].sum(axis=1) < 1.0).all()
    assert relative(out["tau"], plain) < 1e-6  # numpy keeps the freedoms, kernels the nearest pose
    assert relative(plain, expected) < 0.1


def test_directions_are_normalised():
    """A direction is what its vector points to, of whatever length; its rates are not touched."""
    _, legs, expected = seen("gough_stewart")
    longer = dataclasses.replace(legs, x=legs.x * np.linspace(0.5, 3.0, 6)[:, None])
    assert (
        relative(gough.inverse_dynamics_observed(robot("gough_stewart"), longer), expected) < SAME
    )


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "delta", "quattro", "gough_stewart"])
def test_encoders(name):
    """[OZ] Table 3, "encoders-based": the platform found from the motors first."""
    r = robot(name)
    motion, _, expected = seen(name, 2)
    q = gough.inverse_kinematics(r, motion)
    rates = (
        gough.motor_rates(r, motion),
        gough.motor_accelerations(r, motion),
    )
    assert relative(gough.inverse_dynamics_from_motors(r, q, *rates), expected) < SAME
    loads = gough.Loads(friction=False)
    near = gough.inverse_dynamics_from_motors(r, q, *rates, near=motion.T_0p, loads=loads)
    assert relative(near, gough.inverse_dynamics(r, motion, loads=loads)) < SAME


def test_encoders_in_closed_form():
    """[OZ] Table 3: the five-bar takes one sine and one cosine a motor."""
    r = robot("five_bar")
    motion, _, expected = seen("five_bar", 3)
    program = gough.trace.program(r, "inverse_dynamics_from_motors")
    assert gough.trace.count(program).functions == 4
    q = {"q": gough.inverse_kinematics(r, motion), "qd": gough.motor_rates(r, motion)}
    found = gough.trace.run(program, q | {"qdd": gough.motor_accelerations(r, motion)})
    assert relative(found["tau"], expected) < 1e-11


# noise on directions


def across(x: np.ndarray) -> np.ndarray:
    """Two unit vectors across each direction, ``(2 k, k, 3)``: small turns of one at a time."""
    k = len(x)
    found = np.zeros((k, 2, k, 3))
    for i, v in enumerate(x):
        found[i, :, i] = np.linalg.svd(v[None])[2][1:]
    return found.reshape(2 * k, k, 3)


def in_the_plane(x: np.ndarray) -> np.ndarray:
    """The one across each direction that stays in the plane x y, ``(k, k, 3)``."""
    return np.einsum("ij,jc->ijc", np.eye(len(x)), np.cross([0.0, 0.0, 1.0], x))


def with_noise(name: str, delta: np.ndarray) -> np.ndarray:
    """Efforts with directions turned by ``delta``, small vectors across them ``(..., k, 3)``."""
    _, legs, _ = seen(name)
    one = {f.name: getattr(legs, f.name) for f in dataclasses.fields(legs)}
    first = {key: v[0] if isinstance(v, np.ndarray) else v for key, v in one.items()}
    turned = gough.LegStates(**(first | {"x": first["x"] + delta}))
    return gough.inverse_dynamics_observed(robot(name), turned)


@cache
def sensitivity(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Small turns of directions, and efforts per radian of each, ``(n, m)``."""
    x = seen(name)[1].x[0]
    turns = in_the_plane(x) if name in ("five_bar", "three_rrr") else across(x)
    h = 1e-5  # truncation 1e-10, rounding 1e-11 of the efforts per radian
    tau = with_noise(name, np.concatenate([turns, -turns]) * h)
    return turns, ((tau[: len(turns)] - tau[len(turns) :]) / (2.0 * h)).T


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "delta", "gough_stewart"])
def test_noise_makes_the_error_that_first_order_predicts(name):
    """What is left of ``tau - tau_0 - J delta`` shrinks with the square of the angles."""
    turns, J = sensitivity(name)
    angles = np.random.default_rng(5).normal(size=len(turns))
    amplitudes = np.array([1e-2, 1e-3, 1e-4])
    delta = np.einsum("a,i,ikc->akc", amplitudes, angles, turns)
    errors = with_noise(name, delta) - seen(name)[2][0]
    predicted = amplitudes[:, None] * (J @ angles)
    left = np.abs(errors - predicted).max(axis=1)
    size = np.abs(predicted).max(axis=1)
    assert size[0] > 1e-3 * np.abs(seen(name)[2]).max()  # there is something to predict
    assert left[2] < 5e-3 * size[2]
    # a decade less noise leaves two decades less; third order is of a tenth at the largest angles
    np.testing.assert_allclose(left[:-1] / left[1:], 100.0, rtol=0.3)


def test_noise_of_an_ensemble():
    """Standard deviations of the efforts are ``sqrt(diag(J C J^T))``."""
    name, count = "gough_stewart", 4000
    turns, J = sensitivity(name)
    rng = np.random.default_rng(6)
    sigma = rng.uniform(0.5e-4, 2e-4, len(turns))  # a camera of a tenth of a milliradian
    angles = rng.normal(size=(count, len(turns))) * sigma
    _, legs, expected = seen(name)
    x = legs.x[0] + np.einsum("ai,ikc->akc", angles, turns)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    program = gough.trace.program(robot(name), "inverse_dynamics_observed")
    still = {key: value[0] for key, value in given(legs, program).items()}
    tau = gough.trace.run(program, still | {"x": x})["tau"]
    some = with_noise(name, np.einsum("ai,ikc->akc", angles[:3], turns))
    assert relative(tau[:3], some) < 1e-10
    predicted = np.sqrt(np.diag(J @ np.diag(sigma**2) @ J.T))
    # of 4000 samples a deviation is known to 1 / sqrt(8000) = 1.1 %: five times that
    np.testing.assert_allclose(tau.std(axis=0), predicted, rtol=0.056)
    assert (np.abs(tau.mean(axis=0) - expected[0]) < 5.0 * predicted / np.sqrt(count)).all()


# refusals


def test_wrong_kinds_are_refused():
    _, legs, _ = seen("five_bar")
    r = robot("five_bar")
    with pytest.raises(
        gough.errors.InputError, match=r"expected gough.LegStates, got dict"
    ) as info:
        gough.inverse_dynamics_observed(r, {"x": legs.x})
    assert "gough.observe" in info.value.hint
    with pytest.raises(gough.errors.InputError, match="elements has an unknown name") as info:
        gough.inverse_dynamics_observed(r, seen("delta")[1])
    assert "prox1" in info.value.hint
    twice = dataclasses.replace(legs, elements=legs.elements[:1] * 4)
    with pytest.raises(gough.errors.InputError, match="a name twice"):
        gough.inverse_dynamics_observed(r, twice)
    for weights, fault in (({"prox1": -1.0}, "positive"), ({"prox9": 1.0}, "unknown name")):
        with pytest.raises(gough.errors.InputError, match=fault):
            gough.inverse_dynamics_observed(r, dataclasses.replace(legs, weights=weights))
    with pytest.raises(gough.errors.InputError, match=r"xd has shape \(1, 2, 3\)"):
        gough.inverse_dynamics_observed(r, dataclasses.replace(legs, xd=legs.xd[:, :2]))
    with pytest.raises(gough.errors.InputError, match="expected one pose"):
        gough.inverse_dynamics_observed(r, legs, near=np.repeat(r.home_pose[None], 9, axis=0))
    with pytest.raises(gough.errors.WrongMotors, match="0 motors for 6 freedoms"):
        gough.inverse_dynamics_observed(robot("contact_tripod"), legs)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("field", ["x", "xd", "xdd"])
def test_what_is_not_finite_is_refused_where_it_is(field, engine):
    _, legs, expected = seen("five_bar", 3)
    bad = np.array(getattr(legs, field))
    bad[1, 2] = np.nan
    legs = dataclasses.replace(legs, **{field: bad})
    with (
        pytest.raises(gough.errors.InputError, match=rf"sample 1: {field}\[2.* is nan"),
        gough.options(engine=engine),
    ):
        gough.inverse_dynamics_observed(robot("five_bar"), legs)
    with gough.options(engine=engine):
        answer = gough.inverse_dynamics_observed(robot("five_bar"), legs, on_error="nan")
    tau, failed = masked(answer)
    assert failed.tolist() == [False, True, False]
    assert np.isnan(tau[1]).all()
    assert relative(tau[[0, 2]], expected[[0, 2]]) < SAME


def test_a_direction_of_no_length_is_refused():
    for name in ("five_bar", "gough_stewart", "quattro"):
        _, legs, _ = seen(name)
        x = legs.x.copy()
        x[0, 0] = 0.0
        with pytest.raises(gough.GoughError):
            gough.inverse_dynamics_observed(robot(name), dataclasses.replace(legs, x=x))


def test_legs_out_of_reach_are_refused():
    _, legs, _ = seen("five_bar")
    with pytest.raises(gough.errors.UnreachablePose):
        gough.inverse_dynamics_observed(robot("five_bar"), dataclasses.replace(legs, x=-legs.x))


def test_observe_knows_bad_samples():
    motion, _, _ = seen("five_bar", 3)
    T = motion.T_0p.copy()
    T[1, 0, 3] += 100.0
    far = motion.replace(T_0p=T)
    with pytest.raises(gough.errors.InconsistentPose, match="sample 1"):
        gough.observe(robot("five_bar"), far)
    legs = gough.observe(robot("five_bar"), far, on_error="nan")
    assert np.isnan(legs.x[1]).all()
    assert np.isfinite(legs.x[[0, 2]]).all()


@pytest.mark.parametrize(
    "name", ["five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps", "orthoglide", "four_rrr"]
)
def test_batches_are_observed_as_single_states_are(name):
    """By a program, faulty states among them; every name that can be asked for."""
    r = robot(name)
    motion = gough.state(r, *random_freedoms(name, 12, 0.05)).reshape(3, 4)
    T, V = motion.T_0p.copy(), motion.V_0p.copy()
    T[0, 1, 0, 3] = np.nan
    V[2, 3] = np.inf
    faulty = gough.State(T, V, motion.Vdot_0p)
    asked = {"turns": spinning_elements(r.assembly), "encoders": r.motors}
    legs = gough.observe(r, faulty, **asked, on_error="nan")
    with gough.options(engine="numpy"):
        one = gough.observe(r, motion[1, 2], **asked)
    assert legs.elements
    for array in shapes_of(legs):
        several, single = getattr(legs, array), getattr(one, array)
        assert several.shape == (3, 4, *single.shape)
        assert relative(several[1, 2], single) < SAME
        bad = ~np.isfinite(several).reshape(12, -1).all(axis=1)
        assert np.flatnonzero(bad).tolist() == ([1, 11] if single.size else [])
    with pytest.raises(gough.errors.InputError, match=r"sample \(0, 1\)"):
        gough.observe(r, faulty)


def test_programs_only_where_legs_lead_to_the_platform():
    with pytest.raises(gough.errors.InputError, match="do not lead to the platform") as info:
        gough.trace.program(robot("spherical_2dof"), "inverse_dynamics_observed")
    assert "inverse_dynamics_observed" in info.value.hint


@pytest.mark.parametrize("change", ["turned round", "legs exchanged"])
@pytest.mark.parametrize("name", ["gough_stewart", "delta"])
def test_directions_that_no_pose_shows_are_refused(name, change):
    """Not noise: a sign, or the wrong leg."""
    _, legs, _ = seen(name)
    x = legs.x.copy()
    if change == "turned round":
        x[0, 0] *= -1.0
    else:
        x[0] = np.roll(x[0], 3, axis=0)
    with pytest.raises(gough.GoughError):
        gough.inverse_dynamics_observed(robot(name), dataclasses.replace(legs, x=x))


def test_a_zero_direction_is_named():
    _, legs, _ = seen("five_bar")
    x = legs.x.copy()
    x[0, 1] = 0.0
    with pytest.raises(gough.errors.InputError, match=legs.elements[1]):
        gough.inverse_dynamics_observed(robot("five_bar"), dataclasses.replace(legs, x=x))


def test_encoders_out_of_reach_are_nan_on_request():
    r = robot("five_bar")
    q = np.array([gough.inverse_kinematics(r, r.home_pose), [0.0, 2.9]])
    tau = gough.inverse_dynamics_from_motors(r, q, 0.0 * q, 0.0 * q, on_error="nan")
    assert np.isfinite(tau[0]).all()
    assert np.isnan(tau[1]).all()
