"""Errata of [OZ] on elements that are no plain bars: what is silently assumed, and what holds.

Spindles whose axis is not across them, struts on universal joints, mass centres off the axis,
cylinder and rod, a platform shared out.
"""

import dataclasses
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gough
from gough.base.linalg import least_squares
from gough.base.spatial import skew
from gough.dynamics.elements.decomposition import element_parts
from gough.dynamics.elements.dynamics import axis_motion, implicit_model, inertia_matrix
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.variables import Variables, direction
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from numbers_robots import gs_ref, gs_ref_state, three_rrr_ref, three_rrr_ref_state
from robots import random_freedoms, relative, robot
from solids import BARE, SAME


def element_motion(
    r: gough.Robot, T: np.ndarray, V: np.ndarray, Vdot: np.ndarray
) -> tuple[ElementState, Variables]:
    """The elements of a robot in a motion."""
    state = ElementState(Kinematics(r.assembly, regular(r.assembly, T), V, Vdot))
    return state, state.motion


def efforts(state: ElementState, motion: Variables) -> np.ndarray:
    A, b = implicit_model(state, motion, LoadArguments(state.assembly, BARE).only())
    return np.asarray(least_squares(A, -b))


# OZ-3: a bar at an angle to its axis


def test_oz_3_rates_of_a_bar_that_is_not_across_its_axis():
    """[OZ] (17), (19), erratum OZ-3, on the cranks of the agile eye."""
    r = robot("agile_eye")
    moving = gough.state(r, *random_freedoms("agile_eye", 1, 0.2, seed=3))[0]
    state, motion = element_motion(r, *moving.arrays)
    posture = gough.posture(r, moving)
    for name in r.motors:
        joint = r.joint(name)
        z = state.at.frames(joint)[0].R[:, 2]
        qd, qdd = posture.joint_rates[name], posture.joint_accelerations[name]
        x, turn = state.x[joint.child], motion.directions[joint.child]
        assert abs(x @ z) > 0.1
        np.testing.assert_allclose(np.cross(x, turn.xd), qd * (z - x * (x @ z)), atol=1e-13)
        assert turn.spin == pytest.approx(qd * (x @ z), abs=1e-13)
        assert relative(np.cross(x, turn.xd), qd * z) > 0.1  # printed: (19)
        assert relative(np.cross(x, turn.xdd), qdd * z) > 0.1  # printed: (17)
        (rate,), (acceleration,), _ = axis_motion(state, motion, name)
        assert rate == pytest.approx(qd, rel=1e-12)
        assert acceleration == pytest.approx(qdd, rel=1e-12)


# OZ-4: the spin of a strut

# without spin, and without the joint cross: NUMBERS.md, printed with six decimals
SPIN_FREE = [1044.251756, 645.592753, 943.437501, 970.387152, 1235.529177, 876.452358]


def test_oz_4_a_universal_joint_makes_its_strut_spin():
    """[OZ] (12), erratum OZ-4: ``omega . x = q1dot (a1 . x)``; a1 is the world's z."""
    r = gs_ref()
    T, V, Vdot = gs_ref_state()
    state, motion = element_motion(r, T, V, Vdot)
    posture = gough.posture(r, gough.State(T, V))
    spins = []
    for i in range(1, 7):
        x = posture.bodies[f"rod{i}"][:3, 2]
        imposed = posture.joint_rates[f"a{i}"] * x[2]
        name = state.parts.element_of[f"rod{i}"]
        sign = state.x[name] @ x
        assert abs(sign) == pytest.approx(1.0, abs=1e-14)
        assert motion.directions[name].spin * sign == pytest.approx(imposed, abs=1e-14)
        M = state.motion_constraints["spin", name, 0]
        assert M @ V * sign == pytest.approx(imposed, abs=1e-14)
        spins.append(abs(imposed))
    assert min(spins) == pytest.approx(0.03, abs=0.005)
    assert max(spins) == pytest.approx(0.16, abs=0.005)


def test_oz_4_a_strut_is_no_telescope():
    """[OZ] (7), erratum OZ-4: with thetadot = 0, as a T-element has, the sixth digit is wrong."""
    r = gs_ref()
    bodies = [gough.Body(b.name, massless=True) if b.mass == 0.5 else b for b in r.bodies]
    uncrossed = dataclasses.replace(r, bodies=tuple(bodies))
    state, motion = element_motion(uncrossed, *gs_ref_state())
    uncrossed_efforts = gough.inverse_dynamics(uncrossed, gough.State(*gs_ref_state()))
    struts = [state.parts.element_of[f"rod{i}"] for i in range(1, 7)]
    assert relative(efforts(state, motion), uncrossed_efforts) < SAME
    for name in struts:
        turn = motion.directions[name]
        still = direction(state.x[name], turn.xd, turn.xdd, 0.0, 0.0)
        motion = motion._replace(directions={**motion.directions, name: still})
        state.motion_constraints["spin", name, 0] = np.zeros(6)
    printed = efforts(state, motion)
    np.testing.assert_allclose(printed, SPIN_FREE, atol=1e-6)
    true = gough.inverse_dynamics(r, gough.State(*gs_ref_state()), method="elements")
    assert np.abs(printed - true).max() == pytest.approx(5e-3, abs=1e-4)
    assert gough.elements(r).formula == "6SpS"  # the cross is an element of its own
    assert gough.elements(gs_ref("spherical")).formula == "6T"


def solid_angle(x: np.ndarray) -> float:
    """Signed, of a closed polygon on the sphere: a fan of triangles."""
    total = 0.0
    for b, c in pairwise(x[1:]):
        below = 1.0 + x[0] @ b + b @ c + c @ x[0]
        total += 2.0 * np.arctan2(x[0] @ np.cross(b, c), below)
    return total


def test_oz_4_the_turn_about_a_strut_is_no_coordinate():
    """[OZ] (3)-(4), erratum OZ-4: around a closed path the spins add up to a solid angle."""
    r, n = gs_ref(), 32
    t = 2.0 * np.pi * np.arange(n) / n
    none = 0.0 * t
    x = np.stack([0.5 * np.cos(t), 0.5 * np.sin(t), 2.0 + none, none, none, none], axis=1)
    xd = np.stack([-x[:, 1], x[:, 0], none, none, none, none], axis=1)
    struts = [element_parts(r.assembly).element_of[name] for name in ("rod1", "rod4")]
    seen = gough.observe(r, gough.state(r, x, xd, 0.0 * x), turns=struts)
    for i, name in enumerate(struts):
        k = seen.elements.index(name)
        turned = seen.spin[:, i].mean() * 2.0 * np.pi  # a periodic function: as good as exact
        assert abs(turned) > 0.05
        # the polygon cuts corners: 2 pi^2 / (3 n^2) of it
        assert turned == pytest.approx(-solid_angle(seen.x[:, k]), rel=8e-3)


# OZ-5: a mass centre off the axis


def test_oz_5_velocity_of_a_mass_centre():
    """[OZ] Table 1, erratum OZ-5: ``xs 1 - e^ x^`` and ``x x e``, printed ``xs 1``."""
    for name in ("three_rrr", "quattro", "six_rrrs"):
        r = robot(name)
        moving = gough.state(r, *random_freedoms(name, 1, 0.1, seed=3))[0]
        state, motion = element_motion(r, *moving.arrays)
        posture = gough.posture(r, moving)
        off = 0.0
        for body in [way.body for way in state.parts.branches[0].own]:
            of = state.parts.element_of[body]
            x, turn = state.x[of], motion.directions[of]
            S = state.poses[body].R @ np.array(r.body(body).center)
            rho, e = state.split(body, S)
            on_xd = rho * np.eye(3) - skew(e) @ skew(x)
            blocks = state.at_point(body, np.array(r.body(body).center))
            np.testing.assert_allclose(blocks["x", of, 0], on_xd, atol=1e-14)
            if state.spins(of) and np.abs(e).max() > 1e-12:
                np.testing.assert_allclose(blocks["spin", of, 0], np.cross(x, e), atol=1e-14)
            exact = np.cross(posture.twists[body][3:], S)
            assert relative(on_xd @ turn.xd + np.cross(x, e) * turn.spin, exact) < SAME
            off = max(off, relative(rho * turn.xd, exact))
        assert off > 1e-3, name


def test_oz_5_efforts():
    """[OZ] Table 1, erratum OZ-5: mass centres put on their axes miss the numbers of 3RRR-REF."""
    r = three_rrr_ref()
    legs = [b for b in r.bodies if b.name != r.platform]
    on_axis = [dataclasses.replace(b, center=(b.center[0], 0.0, 0.0)) for b in legs]
    printed = dataclasses.replace(r, bodies=(r.body(r.platform), *on_axis))
    tau = gough.inverse_dynamics(r, gough.State(*three_rrr_ref_state()), method="elements")
    expected = [2.53030822729785, 0.6083332899477722, -2.9928471359391224]
    assert relative(tau, expected) < SAME
    wrong = gough.inverse_dynamics(printed, gough.State(*three_rrr_ref_state()), method="elements")
    assert relative(wrong, expected) > 0.01


# OZ-7: cylinder and rod


@cache
def telescope() -> gough.Robot:
    """One strut in the plane x y: a hinge, a cylinder, a rod; both axes driven."""
    along = gough.Frame.from_axes(z=(1.0, 0.0, 0.0))
    bodies = (
        gough.Body("cylinder", **gough.inertia.rod(2.0, (0, 0, 0), (0.6, 0, 0))),
        gough.Body("rod", **gough.inertia.rod(1.0, (-0.4, 0, 0), (0, 0, 0))),
    )
    joints = (
        gough.Joint("hinge", "revolute", "base", "cylinder"),
        gough.Joint("slide", "prismatic", "cylinder", "rod", along, along),
    )
    home = gough.Home({}, {"hinge": 0.3, "slide": 0.8})
    return gough.Robot("telescope", bodies, joints, "rod", motors=("hinge", "slide"), home=home)


def test_oz_7_cylinder_and_rod_are_two_masses():
    """[OZ] (11), (14)-(15), erratum OZ-7: one mass whose place depends on d will not do."""
    r = telescope()
    assert gough.elements(r).formula == "T"
    for q, qd, qdd in np.random.default_rng(2).uniform(0.3, 1.0, (5, 3, 2)):
        tau = gough.inverse_dynamics(r, gough.state_from_motors(r, q, qd, qdd), method="elements")
        d, (wd_, dd), (wdd, ddd) = q[1], qd, qdd
        # two bodies on one direction, [OZ] (15); gravity is along z, across the plane
        xs, c = 0.3, 0.2
        acc_cyl = np.array([-xs * wd_**2, xs * wdd])
        acc_rod = np.array([ddd - (d - c) * wd_**2, (d - c) * wdd + 2.0 * dd * wd_])
        inertia = 2.0 * 0.6**2 / 12.0 + 1.0 * 0.4**2 / 12.0
        two = [
            2.0 * xs * acc_cyl[1] + 1.0 * (d - c) * acc_rod[1] + inertia * wdd,
            1.0 * acc_rod[0],
        ]
        assert relative(tau, two) < SAME
        # one body of both masses, its inertia what it is at this moment
        m, s = 3.0, (2.0 * xs + (d - c)) / 3.0
        ds = 1.0 / 3.0  # of the mass centre, per d
        central = inertia + 2.0 * (xs - s) ** 2 + (d - c - s) ** 2
        acc = np.array([ds * ddd - s * wd_**2, s * wdd + 2.0 * ds * dd * wd_])
        one = [m * s * acc[1] + central * wdd, ds * m * acc[0]]
        assert relative(one, two) > 0.05


# OZ-8: a platform shared out


def test_oz_8_shares_of_the_platform_turn_with_it():
    """Section 3.2, erratum OZ-8: as bars, shares lose inertia about their own directions."""
    r = gs_ref()
    inertia = np.array(r.body("platform").inertia)
    bodies = [
        gough.Body("platform", 300.0, inertia=inertia.tolist())
        if b.name == "platform"
        else gough.Body(b.name, massless=True)
        for b in r.bodies
    ]
    light = dataclasses.replace(r, bodies=tuple(bodies))
    T, V, Vdot = gs_ref_state()
    I = T[:3, :3] @ inertia @ T[:3, :3].T  # noqa: E741
    state, _ = element_motion(light, T, V, Vdot)
    M_rob = np.asarray(inertia_matrix(state, StateLoads(light.assembly.gravity, rotors=False)))
    assert [b.shares for b in state.parts.branches] == [{"platform": 1.0 / 6.0}] * 6
    assert relative(M_rob[3:, 3:], I) < SAME
    assert relative(M_rob, gough.inertia_matrix(light, T)) < SAME
    as_bars = np.zeros((3, 3))
    for i in range(1, 7):
        x = T[:3, :3] @ np.array(r.joint(f"s{i}").child_frame.position)
        across = np.eye(3) - np.outer(x, x) / (x @ x)  # x x xdot of the platform's omega
        as_bars += across.T @ I @ across / 6.0
    assert relative(as_bars, I) > 0.2
    assert V[3:] @ as_bars @ V[3:] < 0.9 * V[3:] @ I @ V[3:]
