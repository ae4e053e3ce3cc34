"""Errata of [GA], the gearshift: what is printed is wrong by so much, what is corrected is right.

The formulas are written out as they stand in the paper, from poses and mass properties: nothing of
the method ``screws`` is in them but its algebra.  They are held against ``legs``, which knows no
screw.  [GA] has neither friction nor rotors.
"""

from typing import NamedTuple

import numpy as np
import pytest

import gough
from gough import screw
from numbers_robots import gearshift
from open_chains import measured, random_chain
from robots import relative, robot
from solids import BARE, SAME, State, check, in_motion, states

# conventions


@pytest.mark.parametrize("seed", range(5))
def test_conventions_on_a_chain_of_six_turns(seed):
    """Screw, accelerator and bracket as in the errata, section 4, against differences."""
    chain = random_chain("RRRRRR", seed)
    own = [s * rate for s, rate in zip(chain.screws, chain.rates, strict=True)]
    twist, accelerator = measured(chain)
    # 5e-10 is met; truncation of the differences
    np.testing.assert_allclose(sum(own), twist, atol=1e-8)
    linear = sum(s * rate for s, rate in zip(chain.screws, chain.accelerations, strict=True))
    lie = sum(screw.bracket(own[i], own[j]) for j in range(6) for i in range(j))
    np.testing.assert_allclose(linear + lie, accelerator, atol=1e-8)
    # the bracket with the other sign, and the derivative of v without its omega x v, are no option
    assert relative(linear - lie, accelerator) > 0.1
    assert relative(accelerator[3:] + np.cross(twist[:3], twist[3:]), (linear + lie)[3:]) > 0.1


def test_a_wrench_moves_as_a_twist_does():
    """``tau_P = tau_O + f x (P - O)``, the form of [GA] (5): force at A, moment about P."""
    f, A, P = np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.1, -0.2]), np.array([-0.5, 0.4, 0.7])
    at_O = np.concatenate([f, np.cross(A, f)])
    np.testing.assert_allclose(screw.moved(at_O, P)[3:], np.cross(A - P, f), atol=1e-14)


# the gearshift, [GA] section 5


class Gearshift(NamedTuple):
    """Axes of the gearshift, and its partial screws; duals at O are zero."""

    axes: dict[str, np.ndarray]
    G: dict[str, np.ndarray]
    partial: dict[str, np.ndarray]


def by_paper(q1: float, q2: float) -> Gearshift:
    """[GA] (38), (45) and (46), whose results are right: erratum GA-8."""
    s1, c1, s2, c2 = np.sin(q1), np.cos(q1), np.sin(q2), np.cos(q2)
    alpha = np.sqrt(1.0 - s1**2 * s2**2)
    axes = {
        "q1": np.array([1.0, 0.0, 0.0]),
        "b1": np.array([0.0, c1, s1]),
        "b3": np.array([c1 * s2, -s1 * c2, c1 * c2]) / alpha,
        "q2": np.array([0.0, 1.0, 0.0]),
        "b2": np.array([c2, 0.0, -s2]),
    }
    G = {
        "b1": np.array([-s1 * s2 * c2, c1]) / alpha**2,
        "b3": np.array([-c1 * s2, -s1 * c2]) / alpha,
    }
    first, second = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    partial = {"l11": np.outer(axes["q1"], first), "l12": np.outer(axes["q2"], second)}
    partial["l21"] = partial["l11"] + np.outer(axes["b1"], G["b1"])
    partial["knob"] = partial["l21"] + np.outer(axes["b3"], G["b3"])
    return Gearshift(axes, G, partial)


def gearshift_at(st: State) -> Gearshift:
    return by_paper(*gough.inverse_kinematics(st.robot, st.T))


def printed_55(st: State, third: str = "knob") -> np.ndarray:
    """[GA] (55): moments about O, forces at the mass centres; ``third`` is the body of M in F_3."""
    tau = np.zeros(2)
    for name, s in gearshift_at(st).partial.items():
        moved = np.cross(s.T, st.solids[name].C)  # [GA] (47)
        body, other = st.solids[name], st.solids[third if name == "knob" else name]
        M = other.moment_of_gravity(st.g) + other.moment_of_inertia()
        tau = tau - moved @ (body.m * st.g) - M @ s
    return tau


def at_O(st: State, third: str = "knob") -> np.ndarray:
    """Erratum GA-1, at O: partial screws there have no dual part, forces no power."""
    tau = np.zeros(2)
    for name, s in gearshift_at(st).partial.items():
        body = st.solids[third if name == "knob" else name]
        tau = tau - (body.moment_of_gravity(st.g) + body.moment_of_inertia()) @ s
    return tau


def at_C(st: State) -> np.ndarray:
    """Erratum GA-1, at the mass centres."""
    tau = np.zeros(2)
    for name, s in gearshift_at(st).partial.items():
        F = st.solids[name].wrench(st.g)
        tau = tau - np.cross(s.T, st.solids[name].C) @ F[:3] - F[3:] @ s
    return tau


def resting(r: gough.Robot, q: tuple[float, float]) -> State:
    """The gearshift at rest, its knob along [GA] (38)."""
    z, x = by_paper(*q).axes["b3"], by_paper(*q).axes["b2"]
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return in_motion(r, T, np.zeros(6), np.zeros(6))


def test_ga_1_gravity_is_counted_once():
    """[GA] (54)-(55), erratum GA-1, with the numbers of the errata."""
    st = resting(gearshift(), (0.4, -0.3))
    np.testing.assert_allclose(gough.inverse_kinematics(st.robot, st.T), (0.4, -0.3), atol=1e-14)
    for found in (at_O(st), at_C(st), st.tau):
        np.testing.assert_allclose(found, [-0.475738, 0.323545], atol=1e-6)
    np.testing.assert_allclose(printed_55(st), [-0.951476, 0.647090], atol=1e-6)


def test_ga_1_in_motion():
    """[GA] (55), erratum GA-1, with the bodies of the zoo: the forces' share is too much."""
    printed, first, second = [], [], []
    for st in states("spherical_2dof"):
        printed.append(relative(printed_55(st), st.tau))  # off by 0.21 to 4.2
        first.append(relative(at_O(st), st.tau))
        second.append(relative(at_C(st), st.tau))
    check(printed, first)
    check(printed, second)


def test_ga_1_the_hand_is_counted_once():
    """[GA] (54)-(55), erratum GA-1: the hand's force too.  Here it is the weight of 0.3 kg at P."""
    r, q, P = robot("spherical_2dof"), (0.4, -0.3), 0.17
    st, z = resting(r, q), by_paper(*q).axes["b3"]
    knob = r.body("knob")
    held = gough.inertia.composite(
        [
            {"mass": knob.mass, "center": knob.center, "inertia": knob.inertia},
            gough.inertia.sphere(0.3, 0.0, center=(0.0, 0.0, P)),
        ]
    )
    bodies = [gough.Body("knob", **held) if b.name == "knob" else b for b in r.bodies]
    loaded = gough.Robot("loaded", bodies, r.joints, "knob", motors=r.motors, home=r.home)
    tau = gough.inverse_dynamics(loaded, gough.State(st.T, st.V, st.Vdot), loads=BARE)
    F_e, s, C = 0.3 * st.g, by_paper(*q).partial["knob"], st.solids["knob"].C
    of_force = np.cross(s.T, C) @ F_e
    about_O, about_C = np.cross(P * z, F_e), np.cross(P * z - C, F_e)
    assert relative(st.tau - about_O @ s, tau) < SAME
    assert relative(st.tau - of_force - about_C @ s, tau) < SAME
    assert relative(st.tau - of_force - about_O @ s, tau) > 0.3  # off by 0.39


def test_ga_2_the_knob_has_moments_of_its_own():
    """F_3(1) before [GA] (54), and (55), erratum GA-2: body 3's moments, printed body 2's."""
    printed = [relative(at_O(st, third="l21"), st.tau) for st in states("spherical_2dof")]
    corrected = [relative(at_O(st), st.tau) for st in states("spherical_2dof")]
    check(printed, corrected)  # off by 0.81 to 1.7


def test_ga_3_spares_the_gearshift():
    """[GA] (47), erratum GA-3: right, for there D = 0."""
    for st in states("spherical_2dof")[:3]:
        s = gearshift_at(st).partial["knob"]
        C = st.solids["knob"].C
        rates = gough.motor_rates(st.robot, gough.State(st.T, st.V))
        v_C = np.cross(st.V[3:], C)
        assert relative(np.cross(s.T, C).T @ rates, v_C) < SAME


def test_ga_8_influence_coefficients():
    """[GA] (45)-(46), erratum GA-8: closed forms are right, the determinants of (46) are not."""
    for st in states("spherical_2dof"):
        found = gearshift_at(st)
        s = found.axes
        below = np.linalg.det(np.stack([s["b1"], s["b3"], s["b2"]]))
        for k, sign, motor in ((0, -1.0, "q1"), (1, 1.0, "q2")):
            printed = np.linalg.det(np.stack([s["b2"], s[motor], s["b2"]]))
            assert abs(printed) < 1e-14  # two equal columns
            right = sign * np.linalg.det(np.stack([s["b1"], s[motor], s["b2"]])) / below
            np.testing.assert_allclose(right, found.G["b3"][k], atol=1e-14)
            of_b1 = sign * np.linalg.det(np.stack([s[motor], s["b3"], s["b2"]])) / below
            np.testing.assert_allclose(of_b1, found.G["b1"][k], atol=1e-14)  # [GA] (45)
        coefficients = gough.influence_coefficients(st.robot, st.T)
        for name in ("b1", "b3"):
            np.testing.assert_allclose(coefficients.joints[name], found.G[name], atol=1e-13)
        of_bodies = gough.partial_screws(st.robot, st.T)
        for name in ("l11", "l21", "l12", "knob"):
            partial = of_bodies.bodies[name]
            np.testing.assert_allclose(partial[:3], found.partial[name], atol=1e-13)
            np.testing.assert_allclose(partial[3:], 0.0, atol=1e-13)  # all axes meet in O


def test_ga_8_angles_from_the_knob():
    """[GA] (39), erratum GA-8: arctan only for a knob that points up, atan2 for all."""
    for q, k in (((0.4, -0.3), 0), ((0.4, -0.3), 1), ((2.2, -0.3), 0), ((0.4, -2.5), 1)):
        P = by_paper(*q).axes["b3"]
        y = (-P[1], P[0])[k]
        assert np.arctan2(y, P[2]) == pytest.approx(q[k], abs=1e-14)
        assert (np.arctan(y / P[2]) == pytest.approx(q[k], abs=1e-14)) == (P[2] > 0.0)


def test_ga_11_two_rates_from_three_equations():
    """[GA] (41) and (50), erratum GA-11: a zero column has no inverse; least squares has."""
    for st in states("spherical_2dof"):
        s, w, wd = gearshift_at(st).axes, st.V[3:], st.Vdot[3:]
        printed = np.stack([s["q2"], s["b2"], np.zeros(3)], axis=1)
        with pytest.raises(np.linalg.LinAlgError):
            np.linalg.inv(printed)
        (qd2, b2d), rest, *_ = np.linalg.lstsq(printed[:, :2], w, rcond=None)
        assert np.sqrt(rest[0]) < 1e-12 * np.linalg.norm(w)
        rates = gough.motor_rates(st.robot, gough.State(st.T, st.V))
        assert qd2 == pytest.approx(rates[1], rel=1e-11)
        # [GA] (49)-(50)
        lie = screw.bracket(
            np.concatenate([s["q2"] * qd2, np.zeros(3)]),
            np.concatenate([s["b2"] * b2d, np.zeros(3)]),
        )[:3]
        (qdd2, _), rest, *_ = np.linalg.lstsq(printed[:, :2], wd - lie, rcond=None)
        assert np.sqrt(rest[0]) < 1e-12 * np.linalg.norm(wd)
        expected = gough.motor_accelerations(st.robot, gough.State(st.T, st.V, st.Vdot))[1]
        assert qdd2 == pytest.approx(expected, rel=1e-10)


def test_ga_11_a_rate_outside_of_the_two_freedoms_is_refused():
    """[GA] (41), erratum GA-11: the residual tells, and so does the library."""
    st = states("spherical_2dof")[0]
    s = gearshift_at(st).axes
    normal = np.cross(s["q2"], s["b2"])
    w = st.V[3:] + 0.1 * normal / np.linalg.norm(normal)
    left = np.stack([s["q2"], s["b2"]], axis=1)
    rest = np.linalg.lstsq(left, w, rcond=None)[1]
    assert np.sqrt(rest[0]) == pytest.approx(0.1)
    with pytest.raises(gough.errors.InconsistentTwist):
        gough.motor_rates(st.robot, gough.State(st.T, np.concatenate([np.zeros(3), w])))
