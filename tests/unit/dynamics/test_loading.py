"""Loads as users give them: what they mean, per sample, and what is refused."""

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from gough.errors import InputError
from masks import masked
from robots import random_freedoms, relative, robot

NAME = "delta"
RNG = np.random.default_rng(2)
POINT, F, N = 0.1 * RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=3)


@pytest.fixture(scope="module")
def motion():
    return gough.state(robot(NAME), *random_freedoms(NAME, 3, 0.05))


def test_forces_on_one_body_add_up(motion):
    r = robot(NAME)
    state = motion[0]

    def efforts(*forces):
        loads = gough.Loads(forces)
        with gough.options(engine="numpy"):
            return gough.inverse_dynamics(r, state, loads=loads)

    expected = efforts(gough.Force(r.platform, F, N, POINT))
    apart = efforts(gough.Force(r.platform, F, point=POINT), gough.Force(r.platform, n=N))
    assert relative(apart, expected) < 1e-13
    with gough.options(engine="numpy"):
        assert (efforts() == gough.inverse_dynamics(r, state)).all()


def test_a_mass_alone_is_a_payload_at_the_origin(motion):
    r = robot(NAME)
    state = motion[0]

    def efforts(payload):
        loads = gough.Loads(payload=payload)
        with gough.options(engine="numpy"):
            return gough.inverse_dynamics(r, state, loads=loads)

    assert (efforts(2.0) == efforts(gough.Payload(2.0, (0, 0, 0), np.zeros((3, 3))))).all()
    with gough.options(engine="numpy"):
        assert (efforts(0.0) == gough.inverse_dynamics(r, state)).all()
    several = efforts(np.array([0.0, 2.0]))
    assert (several == [efforts(0.0), efforts(2.0)]).all()


@pytest.mark.parametrize("method", METHODS)
def test_loads_per_sample(motion, method):
    """A batch of loads, some with batch axes and some without, equals single calls."""
    r = robot(NAME)
    T, V, Vdot = motion.arrays
    f, mass = RNG.normal(size=(3, 3)), np.array([0.0, 1.0, 2.5])
    arm = r.bodies[0].name
    forces = [
        gough.Force(r.platform, f, N, POINT),
        gough.Force(arm, F, point=POINT),
        gough.Force(arm, f, point=2 * POINT),
    ]
    loads = gough.Loads(forces, gough.Payload(mass, POINT))
    tau = gough.inverse_dynamics(r, motion, loads=loads, method=method)
    rate = gough.forward_dynamics(r, motion, tau, loads=loads, method=method).Vdot_0p
    assert relative(rate, Vdot) < 1e-9
    for k in range(3):
        forces = [
            gough.Force(r.platform, f[k], N, POINT),
            gough.Force(arm, F, point=POINT),
            gough.Force(arm, f[k], point=2 * POINT),
        ]
        one = gough.Loads(forces, gough.Payload(mass[k], POINT))
        single = gough.inverse_dynamics(
            r, gough.State(T[k], V[k], Vdot[k]), loads=one, method=method
        )
        assert relative(single, tau[k]) < 1e-12
        picked = gough.inverse_dynamics(
            r, gough.State(T[k], V[k], Vdot[k]), loads=loads.at(k), method=method
        )
        assert (picked == single).all()


def test_many_loads_on_one_state(motion):
    """The state broadcasts over the loads."""
    r = robot(NAME)
    state = motion[0]
    f = RNG.normal(size=(4, 5, 3))
    tau = gough.inverse_dynamics(
        r, state, loads=gough.Loads(forces=[gough.Force(r.platform, f, point=POINT)])
    )
    assert tau.shape == (4, 5, 3)
    # efforts are affine in the load
    bare = gough.inverse_dynamics(r, state)
    double = gough.inverse_dynamics(
        r, state, loads=gough.Loads(forces=[gough.Force(r.platform, 2.0 * f, point=POINT)])
    )
    assert relative(double - bare, 2.0 * (tau - bare)) < 1e-11


def test_the_terms_of_the_model_carry_the_payload(motion):
    """M Vdot_r + c of the loaded machine is what its motors give."""
    r = robot(NAME)
    state = motion[0]
    payload = gough.Payload(1.5, POINT, 0.01 * np.eye(3))
    loads = gough.Loads([gough.Force(r.platform, F, N, POINT)], payload)
    tau = gough.inverse_dynamics(r, state, loads=loads)
    M = gough.inertia_matrix(r, state, loads=loads)
    c = gough.bias_wrench(r, state, loads=loads)
    w = gough.inverse_jacobian(r, state).T @ tau
    assert relative(M @ state.Vdot_0p[list(r.assembly.free)] + c, w) < 1e-12
    still = gough.energy(r, state), gough.energy(r, state, loads=gough.Loads(payload=1.5))
    v = gough.posture(r, gough.State(state.T_0p, state.V_0p)).twists[r.platform][:3]
    assert still[1].kinetic - still[0].kinetic == pytest.approx(0.75 * v @ v)
    lifted = gough.posture(r, state.T_0p).bodies[r.platform][:3, 3] @ -np.array(r.gravity)
    assert still[1].potential - still[0].potential == pytest.approx(1.5 * lifted)


def test_observed_legs_feel_loads_too(motion):
    r = robot(NAME)
    loads = gough.Loads([gough.Force(r.platform, F, N, POINT)], 1.5, smoothing=0.2)
    expected = gough.inverse_dynamics(r, motion, loads=loads)
    seen = gough.observe(r, motion)
    assert relative(gough.inverse_dynamics_observed(r, seen, loads=loads), expected) < 1e-11
    q, qd, qdd = (
        gough.inverse_kinematics(r, motion.T_0p),
        gough.motor_rates(r, motion),
        gough.motor_accelerations(r, motion),
    )
    found = gough.inverse_dynamics_from_motors(r, q, qd, qdd, near=motion.T_0p, loads=loads)
    assert relative(found, expected) < 1e-8


FORCE, PAYLOAD, LOADS = gough.Force, gough.Payload, gough.Loads
ZERO = (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FORCE(3, F), "Force: body is 3, expected the name of a body"),
        (lambda: FORCE("platform", F[:2]), "Force.f has shape (2,)"),
        (lambda: FORCE("platform", F, 1.0), "Force.n has shape ()"),
        (lambda: FORCE("platform", F, point="x"), "Force.point is not an array of numbers"),
        (lambda: PAYLOAD("heavy"), "Payload.mass is not an array of numbers"),
        (lambda: PAYLOAD(1.0, (0, 0)), "Payload.center has shape (2,)"),
        (lambda: PAYLOAD(1.0, ZERO, (1, 1, 1)), "Payload.inertia has shape (3,)"),
        (lambda: LOADS({"platform": (POINT, F)}), "expected a list of gough.Force"),
        (lambda: LOADS(FORCE("platform", F)), "expected a list of gough.Force"),
        (lambda: LOADS([("platform", F)]), "expected a list of gough.Force"),
        (lambda: LOADS(payload=(1.0, ZERO)), "expected gough.Payload(mass, center, inertia)"),
        (lambda: LOADS(payload=[1.0, 2.0]), "expected gough.Payload(mass, center, inertia)"),
        (lambda: LOADS(payload="heavy"), "loads.payload is 'heavy'"),
        (lambda: LOADS(payload=gough.Body("box", 1.0)), "Payload.mass is not an array"),
        (lambda: LOADS(friction="no"), "loads.friction is 'no', expected True or False"),
        (lambda: LOADS(friction=1), "loads.friction is 1, expected True or False"),
        (lambda: LOADS(rotors=None), "loads.rotors is None, expected True or False"),
        (lambda: LOADS(smoothing=-1.0), "loads.smoothing: must not be negative"),
        (lambda: LOADS(smoothing=np.nan), "loads.smoothing: nan is not a finite number"),
        (lambda: LOADS(smoothing=[0.1, 0.2]), "loads.smoothing: expected a number"),
    ],
)
def test_values_that_are_no_loads(make, words):
    with pytest.raises(InputError) as caught:
        make()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("loads", "words"),
    [
        (2.0, "loads is 2.0, expected gough.Loads(...)"),
        ({"payload": 2.0}, "expected gough.Loads(...)"),
        (PAYLOAD(2.0), "expected gough.Loads(...)"),
        (LOADS([FORCE("platfrom", F)]), "Did you mean 'platform'?"),
        (LOADS([FORCE("base", F)]), "is the base"),
        (LOADS([FORCE("platform"), FORCE("arm9")]), "loads.forces[1].body: no body 'arm9'"),
        (LOADS([FORCE("platform", F * np.nan)]), "loads.forces[0].f[0] is nan"),
        (LOADS([FORCE("platform", np.ones((5, 3)))]), "batch axes do not fit together"),
        (LOADS(payload=-1.0), "loads.payload.mass is -1, less than zero"),
        (LOADS(payload=np.inf), "loads.payload.mass is inf, not a finite number"),
        (LOADS(payload=PAYLOAD(1.0, ZERO, np.diag([1, 1, -1.0]))), "negative principal moment"),
        (LOADS(payload=PAYLOAD(1.0, ZERO, np.diag([1, 1, 5.0]))), "no body has the principal"),
    ],
)
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_loads_that_make_no_sense(motion, engine, loads, words):
    r = robot(NAME)
    with pytest.raises(InputError) as caught, gough.options(engine=engine):
        gough.inverse_dynamics(r, motion, loads=loads)
    assert words in str(caught.value)


def test_loads_that_change_where_they_must_not(motion):
    r, forces = robot(NAME), [FORCE("platform", np.ones((2, 3)))]
    with pytest.raises(InputError, match=r"loads\.forces\[0\]\.f has shape \(2, 3\)"):
        gough.compile(r, "inverse_dynamics", loads=LOADS(forces))


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_a_bad_load_in_one_sample(motion, engine):
    r = robot(NAME)
    f = np.ones((3, 3))
    f[1, 2] = np.nan
    with gough.options(engine=engine):
        tau, failed = masked(
            gough.inverse_dynamics(
                r,
                motion,
                loads=gough.Loads(forces=[gough.Force(r.platform, f, point=POINT)]),
                on_error="nan",
            )
        )
    assert failed.tolist() == [False, True, False]
    assert np.isfinite(tau[[0, 2]]).all()
    assert np.isnan(tau[1]).all()
    loads = LOADS(payload=PAYLOAD([1.0, 1.0, -1.0]))
    with gough.options(engine=engine):
        _, failed = masked(gough.inverse_dynamics(r, motion, loads=loads, on_error="nan"))
    assert failed.tolist() == [False, False, True]
