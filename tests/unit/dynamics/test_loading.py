"""Loads as users give them: every way to write them, per sample, and what is refused."""

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from gough.errors import InputError
from robots import random_freedoms, relative, robot

NAME = "delta"
RNG = np.random.default_rng(2)
POINT, F, N = 0.1 * RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=3)


@pytest.fixture(scope="module")
def motion():
    return gough.state(robot(NAME), *random_freedoms(NAME, 3, 0.05))


def test_ways_to_write_a_load(motion):
    r = robot(NAME)
    T, V, Vdot = (m[0] for m in motion)

    def efforts(load):
        return gough.inverse_dynamics(r, T, V, Vdot, external={r.platform: load}, engine="numpy")

    expected = efforts((POINT, F, N))
    assert (efforts([POINT, F, N]) == expected).all()
    assert (efforts(np.stack([POINT, F, N])) == expected).all()
    assert (efforts([(POINT, F, N)]) == expected).all()
    assert (efforts((POINT, F)) == efforts((POINT, F, np.zeros(3)))).all()
    apart = efforts([(POINT, F), (POINT, np.zeros(3), N)])
    assert relative(apart, expected) < 1e-13
    assert (efforts([]) == gough.inverse_dynamics(r, T, V, Vdot, engine="numpy")).all()


def test_ways_to_write_a_payload(motion):
    r = robot(NAME)
    T, V, Vdot = (m[0] for m in motion)
    box = gough.inertia.box(2.0, (0.1, 0.2, 0.3), center=(0.01, 0.02, -0.1))

    def efforts(payload):
        return gough.inverse_dynamics(
            r, T, V, Vdot, loads=gough.Loads(payload=payload), engine="numpy"
        )

    expected = efforts(gough.Payload(**box))
    assert (efforts((box["mass"], box["center"], box["inertia"])) == expected).all()
    assert (efforts(gough.Body("box", **box)) == expected).all()
    assert (efforts(2.0) == efforts(gough.Payload(2.0, (0, 0, 0)))).all()
    assert (efforts(0.0) == gough.inverse_dynamics(r, T, V, Vdot, engine="numpy")).all()


@pytest.mark.parametrize("method", METHODS)
def test_loads_per_sample(motion, method):
    """A batch of loads, some with batch axes and some without, equals single calls."""
    r = robot(NAME)
    T, V, Vdot = motion
    f, mass = RNG.normal(size=(3, 3)), np.array([0.0, 1.0, 2.5])
    arm = r.bodies[0].name
    external = {r.platform: (POINT, f, N), arm: [(POINT, F), (2 * POINT, f)]}
    payload = gough.Payload(mass, POINT)
    tau = gough.inverse_dynamics(r, *motion, external=external, payload=payload, method=method)
    rate = gough.direct_dynamics(r, T, V, tau, external=external, payload=payload, method=method)
    assert relative(rate, Vdot) < 1e-9
    for k in range(3):
        one = {r.platform: (POINT, f[k], N), arm: [(POINT, F), (2 * POINT, f[k])]}
        single = gough.inverse_dynamics(
            r, T[k], V[k], Vdot[k], external=one, payload=(mass[k], POINT), method=method
        )
        assert relative(single, tau[k]) < 1e-12


def test_many_loads_on_one_state(motion):
    """The state broadcasts over the loads."""
    r = robot(NAME)
    T, V, Vdot = (m[0] for m in motion)
    f = RNG.normal(size=(4, 5, 3))
    tau = gough.inverse_dynamics(
        r, T, V, Vdot, loads=gough.Loads(forces=[gough.Force(r.platform, f, point=POINT)])
    )
    assert tau.shape == (4, 5, 3)
    # efforts are affine in the load
    bare = gough.inverse_dynamics(r, T, V, Vdot)
    double = gough.inverse_dynamics(
        r, T, V, Vdot, loads=gough.Loads(forces=[gough.Force(r.platform, 2.0 * f, point=POINT)])
    )
    assert relative(double - bare, 2.0 * (tau - bare)) < 1e-11


def test_the_terms_of_the_model_carry_the_payload(motion):
    """M Vdot_r + c of the loaded machine is what its motors give."""
    r = robot(NAME)
    T, V, Vdot = (m[0] for m in motion)
    loads = {"payload": (1.5, POINT, 0.01 * np.eye(3)), "external": {r.platform: (POINT, F, N)}}
    tau = gough.inverse_dynamics(r, T, V, Vdot, **loads)
    M = gough.inertia_matrix(r, T, loads=gough.Loads(payload=loads["payload"]))
    c = gough.bias_wrench(r, T, V, **loads)
    w = gough.inverse_jacobian(r, T).T @ tau
    assert relative(M @ Vdot[list(r.assembly.free)] + c, w) < 1e-12
    still = gough.energy(r, T, V), gough.energy(r, T, V, loads=gough.Loads(payload=1.5))
    v = gough.posture(r, T, V).twists[r.platform][:3]
    assert still[1].kinetic - still[0].kinetic == pytest.approx(0.75 * v @ v)
    lifted = gough.posture(r, T).bodies[r.platform][:3, 3] @ -np.array(r.gravity)
    assert still[1].potential - still[0].potential == pytest.approx(1.5 * lifted)


def test_observed_legs_feel_loads_too(motion):
    r = robot(NAME)
    loads = {"payload": 1.5, "external": {r.platform: (POINT, F, N)}, "smoothing": 0.2}
    expected = gough.inverse_dynamics(r, *motion, **loads)
    seen = gough.observe(r, *motion)
    assert relative(gough.inverse_dynamics_observed(r, seen, **loads), expected) < 1e-11
    q, qd, qdd = (
        gough.inverse_geometry(r, motion[0]),
        gough.inverse_velocity(r, *motion[:2]),
        gough.inverse_acceleration(r, *motion),
    )
    found = gough.inverse_dynamics_from_motors(r, q, qd, qdd, guess=motion[0], **loads)
    assert relative(found, expected) < 1e-8


@pytest.mark.parametrize(
    ("loads", "words"),
    [
        ({"external": [("platform", F)]}, "external: expected {body: (point, f, n)}, got list"),
        ({"external": {"platfrom": (POINT, F)}}, "Did you mean 'platform'?"),
        ({"external": {"base": (POINT, F)}}, "is the base"),
        ({"external": {3: (POINT, F)}}, "no body 3"),
        ({"external": {"platform": F[0]}}, "external['platform']: expected (point, f, n)"),
        ({"external": {"platform": (POINT, F, N, N)}}, "expected (point, f, n)"),
        ({"external": {"platform": (POINT, F[:2])}}, "external['platform'].f has shape (2,)"),
        ({"external": {"platform": (POINT, F * np.nan)}}, "external['platform'].f[0] is nan"),
        ({"external": {"platform": [(POINT, F), (POINT, "x")]}}, "external['platform'][1].f"),
        ({"external": {"platform": (POINT, np.ones((5, 3)))}}, "batch axes do not fit together"),
        ({"external": {"platform": [[POINT, F], [POINT, F]]}}, "a list of such tuples"),
        ({"external": {"platform": [(POINT, F), [POINT, F]]}}, "a list of such tuples"),
        ({"external": {"platform": ((POINT, F), (POINT, F))}}, "a list of such tuples"),
        ({"payload": (1.0, 2.0, 3.0, 4.0)}, "got a tuple of 4"),
        ({"payload": -1.0}, "payload.mass is -1, less than zero"),
        ({"payload": np.inf}, "payload.mass is inf"),
        ({"payload": (1.0, (0, 0))}, "payload.center has shape (2,)"),
        ({"payload": (1.0, (0, 0, 0), np.diag([1, 1, -1.0]))}, "negative principal moment"),
        ({"payload": (1.0, (0, 0, 0), np.diag([1, 1, 5.0]))}, "no body has the principal moments"),
        ({"payload": "heavy"}, "payload.mass is not an array of numbers"),
        ({"smoothing": -1.0}, "smoothing: must not be negative"),
        ({"smoothing": np.nan}, "smoothing: nan is not a finite number"),
        ({"smoothing": [0.1, 0.2]}, "smoothing: expected a number"),
    ],
)
def test_loads_that_make_no_sense(motion, loads, words):
    r = robot(NAME)
    with pytest.raises(InputError) as caught:
        gough.inverse_dynamics(r, *motion, engine="numpy", **loads)
    assert words in str(caught.value)


def test_a_bad_load_in_one_sample(motion):
    r = robot(NAME)
    f = np.ones((3, 3))
    f[1, 2] = np.nan
    tau, failed = gough.inverse_dynamics(
        r,
        *motion,
        loads=gough.Loads(forces=[gough.Force(r.platform, f, point=POINT)]),
        on_error="mask",
    )
    assert failed.tolist() == [False, True, False]
    assert np.isfinite(tau[[0, 2]]).all()
    assert np.isnan(tau[1]).all()
