"""The algebra of screws: laws over random arguments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gough import screw
from gough.base import spatial
from gough.errors import InputError
from open_chains import measured, random_chain

COMPONENT = st.floats(-2.0, 2.0)
SCREW = arrays(float, 6, elements=COMPONENT)
POINT = arrays(float, 3, elements=COMPONENT)

# entries are sums of some dozen products of numbers up to 2, triple products up to 8
ROUNDING = 1e-13
# central differences, see open_chains.measured; 5e-10 is met, accelerations are up to 5
DIFFERENCES = 1e-8


def same(found, expected, atol=ROUNDING):
    np.testing.assert_allclose(found, expected, atol=atol, rtol=0.0)


# Lie algebra


@given(SCREW, SCREW, SCREW, COMPONENT)
def test_bracket_is_bilinear_and_antisymmetric(a, b, c, x):
    same(screw.bracket(a, b), -screw.bracket(b, a))
    same(screw.bracket(a, a), np.zeros(6))
    same(screw.bracket(a * x + b, c), screw.bracket(a, c) * x + screw.bracket(b, c))


@given(SCREW, SCREW, SCREW)
def test_jacobi_identity(a, b, c):
    total = (
        screw.bracket(a, screw.bracket(b, c))
        + screw.bracket(b, screw.bracket(c, a))
        + screw.bracket(c, screw.bracket(a, b))
    )
    same(total, np.zeros(6))


@given(SCREW, SCREW, POINT)
def test_bracket_knows_no_point(a, b, p):
    """Moved factors have the moved product."""
    moved = screw.bracket(screw.moved(a, p), screw.moved(b, p))
    same(moved, screw.moved(screw.bracket(a, b), p))


# Klein form


@given(SCREW, SCREW, SCREW, COMPONENT, POINT)
def test_klein_form_is_symmetric_bilinear_and_knows_no_point(a, b, c, x, p):
    assert screw.klein(a, b) == pytest.approx(screw.klein(b, a), abs=ROUNDING)
    both = screw.klein(a, c) * x + screw.klein(b, c)
    assert screw.klein(a * x + b, c) == pytest.approx(both, abs=ROUNDING)
    moved = screw.klein(screw.moved(a, p), screw.moved(b, p))
    assert moved == pytest.approx(screw.klein(a, b), abs=ROUNDING)


@given(SCREW, SCREW, SCREW)
def test_klein_form_is_invariant_under_motions(a, b, c):
    """``KL([c a], b) + KL(a, [c b]) = 0``: a motion c changes no power."""
    change = screw.klein(screw.bracket(c, a), b) + screw.klein(a, screw.bracket(c, b))
    assert change == pytest.approx(0.0, abs=ROUNDING)


def test_klein_form_is_not_degenerate():
    gram = [[screw.klein(a, b) for b in np.eye(6)] for a in np.eye(6)]
    assert abs(np.linalg.det(gram)) == pytest.approx(1.0)


# change of point


@given(SCREW, POINT, POINT)
def test_moved_is_an_action(a, p, q):
    same(screw.moved(screw.moved(a, p), q), screw.moved(a, p + q))
    same(screw.moved(a, np.zeros(3)), a)
    same(screw.primary(screw.moved(a, p)), screw.primary(a))


@given(SCREW, POINT)
def test_moved_dual_part_is_the_velocity_of_the_point(a, p):
    same(screw.dual(screw.moved(a, p)), a[3:] + np.cross(a[:3], p))


@given(POINT, POINT, COMPONENT)
def test_screws_of_joints_keep_their_axis(s, p, h):
    """A turn moves no point of its axis, a screw moves it along, a slide moves all alike."""
    same(screw.moved(screw.revolute(s, p), p), np.concatenate([s, np.zeros(3)]))
    same(screw.moved(screw.helical(s, p, h), p), np.concatenate([s, s * h]))
    same(screw.helical(s, p, 0.0), screw.revolute(s, p))
    same(screw.moved(screw.prismatic(s), p), np.concatenate([np.zeros(3), s]))


# at the door: [v; omega] of a moving point


@given(SCREW, POINT)
def test_twists_go_to_screws_and_back(V, p):
    same(screw.to_twist(screw.from_twist(V, p), p), V)
    same(screw.from_twist(screw.to_twist(V, p), p), V)


@given(SCREW, SCREW, POINT)
def test_twist_rates_go_to_accelerators_and_back(V, Vdot, p):
    twist, accelerator = screw.from_twist(V, p), screw.from_twist_rate(V, Vdot, p)
    same(screw.to_twist_rate(accelerator, twist, p), Vdot)


@given(SCREW, SCREW, POINT, POINT)
def test_twist_and_rate_of_one_point_give_those_of_another(V, Vdot, p, q):
    """[GA] (5), (10): the field of velocities and accelerations of a rigid body."""
    twist, accelerator = screw.from_twist(V, p), screw.from_twist_rate(V, Vdot, p)
    w, wd, r = V[3:], Vdot[3:], q - p
    v = V[:3] + np.cross(w, r)
    same(screw.to_twist(twist, q), np.concatenate([v, w]))
    a = Vdot[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r))
    same(screw.to_twist_rate(accelerator, twist, q), np.concatenate([a, wd]))


@given(SCREW, SCREW, POINT, POINT)
def test_power_of_a_wrench_is_the_same_at_every_point(W, V, p, q):
    """Force and moment about p, velocity of p: the Klein form at O is ``f . v + n . omega``."""
    F, twist = screw.from_wrench(W, p), screw.from_twist(V, p)
    power = W[:3] @ V[:3] + W[3:] @ V[3:]
    assert screw.klein(F, twist) == pytest.approx(power, abs=ROUNDING)
    at_q = screw.klein(screw.moved(F, q), screw.moved(twist, q))
    assert at_q == pytest.approx(power, abs=ROUNDING)
    same(screw.moved(F, p), W)


# chains


@pytest.mark.parametrize("kinds", ["R", "P", "H", "RPH", "HRPRHP", "PPRRHHR"])
@pytest.mark.parametrize("seed", range(3))
def test_chain_against_differences_of_positions(kinds, seed):
    """No formula for a velocity or an acceleration is in the differences."""
    chain = random_chain(kinds, seed)
    twist, accelerator = measured(chain)
    same(screw.chain_velocity(chain.screws, chain.rates), twist, DIFFERENCES)
    found = screw.chain_accelerator(chain.screws, chain.rates, chain.accelerations)
    same(found, accelerator, DIFFERENCES)


@pytest.mark.parametrize("kinds", ["R", "P", "H", "RPH", "HRPRHP", "PPRRHHR"])
@pytest.mark.parametrize("seed", range(3))
def test_jerk_of_a_chain_against_differences_of_its_accelerator(kinds, seed):
    """The screws of later moments are where the chain has carried them."""
    chain, h = random_chain(kinds, seed), 1e-3
    jerks = np.random.default_rng(seed).normal(size=len(kinds))

    def accelerator(t):
        E, screws = np.eye(4), []
        q = chain.rates * t + chain.accelerations * t**2 / 2 + jerks * t**3 / 6
        for pair, angle in zip(chain.pairs, q, strict=True):
            axis, point = E[:3, :3] @ pair.axis, E[:3, :3] @ pair.point + E[:3, 3]
            screws.append(pair._replace(axis=axis, point=point).screw)
            E = E @ pair.displacement(float(angle))
        rates = chain.rates + chain.accelerations * t + jerks * t**2 / 2
        return screw.chain_accelerator(screws, rates, chain.accelerations + jerks * t)

    A = [accelerator(k * h) for k in (-2, -1, 1, 2)]
    expected = (A[0] - 8 * A[1] + 8 * A[2] - A[3]) / (12 * h)
    found = screw.chain_jerk(chain.screws, chain.rates, chain.accelerations, jerks)
    same(found, expected, DIFFERENCES)


@given(st.lists(st.tuples(SCREW, COMPONENT), max_size=7))
def test_lie_screw_is_the_double_sum(joints):
    """[GA] (13): every joint with every later one."""
    own = [s * rate for s, rate in joints]
    expected = np.zeros(6)
    for j, later in enumerate(own):
        for earlier in own[:j]:
            expected = expected + screw.bracket(earlier, later)
    screws, rates = [s for s, _ in joints], [rate for _, rate in joints]
    same(screw.lie_screw(screws, rates), expected, 1e-11)  # terms up to 1e2, 21 of them


def test_chains_want_one_rate_a_screw():
    with pytest.raises(ValueError, match="argument 2"):
        screw.chain_velocity([np.ones(6)], [1.0, 2.0])


# reciprocal screws


@pytest.mark.parametrize("length", [1.0, 0.01, 30.0])
@pytest.mark.parametrize("rank", range(7))
def test_reciprocal_screws_of_a_system(rank, length):
    """Klein form zero with every one of them; as many as the rank leaves."""
    rng = np.random.default_rng([rank, 1])
    scale = np.array([1.0] * 3 + [length] * 3)
    given_ = rng.normal(size=(8, rank)) @ rng.normal(size=(rank, 6)) * scale
    found = screw.reciprocal(given_, length=length)
    assert found.shape == (6 - rank, 6)
    powers = [screw.klein(r, s) for r in found for s in given_]
    same(powers, np.zeros(len(powers)), 1e-12)  # entries to 10, thirty of them
    natural = found * np.array([length] * 3 + [1.0] * 3)
    same(natural @ natural.T, np.eye(6 - rank), 1e-14)  # rows of an orthogonal matrix


def test_all_screws_are_reciprocal_to_none():
    assert screw.reciprocal(np.zeros((0, 6))).shape == (6, 6)


@given(POINT, POINT, POINT, POINT)
def test_lines_that_meet_are_reciprocal(s, t, p, away):
    """A force does no work about an axis that it meets, or runs parallel to."""
    force, axis = screw.revolute(s, p), screw.revolute(t, p)
    assert screw.klein(force, axis) == pytest.approx(0.0, abs=ROUNDING)
    parallel = screw.revolute(s, p + away)
    assert screw.klein(force, parallel) == pytest.approx(0.0, abs=ROUNDING)
    # else the power is distance times sine of the angle
    skewed = screw.revolute(t, p + away)
    expected = np.dot(s, np.cross(away, t))
    assert screw.klein(force, skewed) == pytest.approx(expected, abs=ROUNDING)


def four_bar(q):
    """A planar four-bar in space: screws round the chain at a closed posture, and its angles."""
    # ground 1.0, crank 0.4, coupler 0.9, rocker 0.8, in a plane that is turned
    A, D = np.zeros(2), np.array([1.0, 0.0])
    B = A + 0.4 * np.array([np.cos(q), np.sin(q)])
    to = D - B
    r = np.linalg.norm(to)
    a = np.arctan2(to[1], to[0]) + np.arccos((r * r + 0.9**2 - 0.8**2) / (2 * r * 0.9))
    C = B + 0.9 * np.array([np.cos(a), np.sin(a)])
    phi = np.arctan2(C[1], C[0] - 1.0)
    R = spatial.rotation_exp(np.array([0.3, -0.5, 0.2]))
    z = R[:, 2]
    points = [R @ np.array([*p, 0.0]) + np.array([0.1, 0.2, 0.3]) for p in (A, B, C, D)]
    angles = np.array([q, a - q, phi - a, -phi])  # relative turns, which add up to zero
    return np.array([screw.revolute(z, p) for p in points]), angles


def test_a_closed_chain_by_influence_coefficients():
    """Rates and accelerations of a four-bar against differences of its angles."""
    h, qd, qdd = 1e-4, 1.3, -0.7
    times = np.array([-h, 0.0, h])
    moved = [four_bar(0.9 + qd * t + qdd * t * t / 2.0) for t in times]
    angles = np.array([m[1] for m in moved])
    screws = moved[1][0]
    G = screw.influence_coefficients(screws, [0])
    rates = G[:, 0] * qd
    np.testing.assert_allclose(rates, (angles[2] - angles[0]) / (2 * h), atol=1e-7)
    found = screw.closed_chain_accelerations(screws, rates, [0], [qdd])
    second = (angles[2] - 2 * angles[1] + angles[0]) / h**2
    np.testing.assert_allclose(found, second, atol=1e-6)  # differences of h = 1e-4
    # the last body of a closed chain is the first: its partial screw is zero
    partial = screw.partial_screws(screws, G)
    np.testing.assert_allclose(partial[-1], 0.0, atol=1e-14)
    np.testing.assert_allclose(partial[0, 0], screws[0], atol=0)


def test_closed_chains_that_do_not_close_are_refused():
    screws, _ = four_bar(0.9)
    with pytest.raises(InputError, match="left over"):
        screw.influence_coefficients(screws, [0, 1])
    with pytest.raises(InputError, match="undetermined"):
        screw.influence_coefficients(np.vstack([screws, screws[:1]]), [1])
