"""Four methods, one result: every robot of the zoo, in any motion, friction and rotors on."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from cases import loaded
from gough.dynamics.methods import METHODS
from masks import masked
from robots import ZOO_NAMES, random_freedoms, relative

STATES = 4
# rounding, times the condition that is allowed: 1e-16 * 1e3, and a digit or two for sums of many
SAME, CONDITION = 1e-11, 1e3


@cache
def audited(name: str) -> tuple[gough.State, gough.Certificate]:
    """Random states in a box of a third of the robot's size, within reach; their certificate."""
    box = random_freedoms(name, STATES + 2, 0.15, seed=9)
    motion, beyond = masked(gough.state(loaded(name), *box, on_error="nan"))
    motion = motion[~beyond][:STATES]
    assert len(motion) == STATES
    return motion, gough.audit(loaded(name), motion)


@pytest.mark.parametrize("name", ZOO_NAMES)
def test_inverse_dynamics_agree(name):
    _, certificate = audited(name)
    assert set(certificate.efforts) == {"legs", "elements", "screws", "tree"} == set(METHODS)
    assert certificate.condition.max() < CONDITION
    assert certificate.agreement.max() < SAME
    for method, tau in certificate.efforts.items():
        assert relative(tau, certificate.efforts["legs"]) < SAME, method
    assert certificate.passed, str(certificate)
    assert f"among {', '.join(METHODS)}" in str(certificate)


@pytest.mark.parametrize("name", ZOO_NAMES)
def test_forward_dynamics_agree(name):
    """Under other efforts than those of the motion, so that the platform is not led anywhere."""
    state, certificate = audited(name)
    tau = certificate.efforts["legs"]
    tau = tau + np.abs(tau).max() * np.random.default_rng(4).uniform(-1.0, 1.0, tau.shape)
    found = {m: gough.forward_dynamics(loaded(name), state, tau, method=m).Vdot_0p for m in METHODS}
    for method in METHODS:
        assert relative(found[method], found["legs"]) < SAME, method


@pytest.mark.parametrize(
    ("name", "freedom", "far"),
    [("five_bar", 1, -0.35), ("three_rrr", 2, 0.9), ("gough_stewart", 5, 1.7)],
)
def test_methods_agree_near_a_singularity(name, freedom, far):
    """On a way through a Type 2 singularity, where the condition is some hundred."""
    r, a = loaded(name), loaded(name).assembly
    x, xd, xdd = (v[0] for v in random_freedoms(name, 1, 0.05, seed=9))
    way = far * np.eye(a.mobility)[freedom]

    def jacobian(share: float) -> np.ndarray:
        """Motor rates by allowed twists, orthonormal in natural units."""
        T = gough.state(r, x + share * way).T_0p
        J_inv = gough.inverse_jacobian(r, T) / a.scales.motors[:, None] * a.scales.freedoms
        Psi = gough.freedom_map(r, T) / a.scales.twist[:, None] * a.scales.freedoms
        _, R = np.linalg.qr(Psi)
        return J_inv @ np.linalg.inv(R * np.sign(np.diag(R))[:, None])

    shares, side = [0.0, 1.0], np.sign(np.linalg.det(jacobian(0.0)))
    assert np.sign(np.linalg.det(jacobian(1.0))) == -side
    condition = 0.0
    while not CONDITION / 10.0 < condition < CONDITION:
        middle = sum(shares) / 2.0
        J_inv = jacobian(middle)
        shares[int(np.sign(np.linalg.det(J_inv)) != side)] = middle
        condition = np.linalg.cond(J_inv)
        assert shares[1] - shares[0] > 1e-6
    certificate = gough.audit(r, gough.state(r, x + middle * way, xd, xdd))
    assert certificate.condition == pytest.approx(condition, rel=1e-6)
    assert certificate.agreement < SAME


@pytest.mark.parametrize("method", METHODS)
def test_the_audit_asks_every_method(method, monkeypatch):
    """A method that is off by 1e-8 is noticed."""
    state, _ = audited("five_bar")
    right = METHODS[method]
    wrong = dataclasses.replace(
        right, inverse=lambda *given, **options: right.inverse(*given, **options) * (1.0 + 1e-8)
    )
    monkeypatch.setitem(METHODS, method, wrong)
    with gough.options(engine="numpy"):
        found = gough.audit(loaded("five_bar"), state)
    assert not found.passed
    assert found.agreement.max() == pytest.approx(1e-8, rel=0.01)


def test_a_compiled_audit_is_that_of_numpy():
    """Every figure of the certificate: errors are rounding in both, margins are the same."""
    state, _ = audited("five_bar")
    with gough.options(engine="compiled"):
        found = gough.audit(loaded("five_bar"), state)
    with gough.options(engine="numpy"):
        known = gough.audit(loaded("five_bar"), state)
    assert found.passed
    for name in ("condition", "type_1", "type_2", "constraint", "inertia"):
        assert getattr(found, name) == pytest.approx(getattr(known, name), rel=1e-10), name
    for name, efforts in known.efforts.items():
        assert found.efforts[name] == pytest.approx(efforts, rel=1e-9, abs=1e-10), name


@pytest.mark.parametrize("name", ["delta", "gough_stewart", "quattro", "tilt_3rps", "four_rrr"])
def test_audits_of_batches_are_those_of_single_states(name):
    """By a program and stacked decompositions, along two axes; loads may bring another one."""
    r = loaded(name)
    states = gough.state(r, *random_freedoms(name, 12, 0.05)).reshape(3, 4)
    loads = gough.Loads(payload=np.array([[0.5], [0.9], [0.2]]))
    found = gough.audit(r, states, loads=loads)
    assert found.passed
    with gough.options(engine="numpy"):
        one = gough.audit(r, states[1, 2], loads=gough.Loads(payload=0.9))
    for figure in ("condition", "type_1", "type_2", "constraint", "inertia"):
        assert getattr(found, figure).shape == (3, 4)
        assert getattr(found, figure)[1, 2] == pytest.approx(getattr(one, figure), rel=1e-9), figure
    for method, efforts in one.efforts.items():
        assert relative(found.efforts[method][1, 2], efforts) < SAME, method
    T = np.array(states.T_0p)
    T[2, 1, 0, 3] = np.nan
    with pytest.raises(gough.errors.InputError, match="sample \\(2, 1\\)"):
        gough.audit(r, gough.State(T, states.V_0p, states.Vdot_0p))
