"""Grave errata of [BK] and [KI]: what is printed is wrong by so much, what is corrected is right.

The formulas are written out as they stand in the papers, in base axes, from what the legs give:
J_i, J_vi, A_i (M_i in [BK]), h_i, H_i.  Rotors and friction of the leg's joints are in A_i, h_i and
H_i, as rotors are in [KI] (59), so that nothing of the robot is left out.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from gough.base.spatial import skew
from gough.dynamics.shared.masses import Mass, link_masses
from gough.dynamics.shared.newton_euler import tree_efforts, tree_inertia
from gough.geometry.inverse import posed
from gough.mechanism.closure.recursion import STILL, motions
from gough.mechanism.topology.tree import ROOT
from robots import cases, mechanism, relative

pytestmark = pytest.mark.usefixtures("reference_folder")

# the same formula rounded in another order: 8e-15 is met
SAME = 1e-12
# every state is off by more; the figures beside the formulas are the least and the most of ten
WRONG = 1e-3
STATES = range(10)


class Leg(NamedTuple):
    """A leg in a motion: ``v_i = J_i qd_i = J_vi V_p``, ``H_i = A_i qdd_i + h_i``."""

    J: np.ndarray
    J_v: np.ndarray
    A: np.ndarray
    h: np.ndarray
    H: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


class State(NamedTuple):
    """A reference robot in a motion."""

    robot: gough.Robot
    T: np.ndarray
    V: np.ndarray
    Vdot: np.ndarray
    posture: gough.Posture
    platform: Mass
    legs: list[Leg]
    J_inv: np.ndarray


@cache
def state(name: str, k: int) -> State:
    r, c = mechanism(name), cases(name)
    T, V, Vdot = c["T"][k], c["twist"][k], c["dtwist"][k]
    posture = gough.posture(r, gough.State(T, V, Vdot))
    at, topology = posed(r.assembly, T), r.assembly.topology
    m, s, inertia = link_masses(r, topology.hub)[ROOT]
    R = T[:3, :3]
    legs = []
    for i, jacobians in enumerate(gough.leg_jacobians(r, T)):
        tree, poses = topology.legs[i].tree, at.leg_poses[i]
        names = [r.joint(link.joint).axis_names[link.axis] for link in tree.links]
        qd = np.array([posture.joint_rates[n] for n in names])
        qdd = np.array([posture.joint_accelerations[n] for n in names])
        masses = link_masses(r, tree)
        ground = STILL._replace(a=-np.array(r.gravity))
        axes = [r.axis(n) for n in names]
        A = tree_inertia(tree, poses, masses) + np.diag([a.reflected_inertia for a in axes])
        none = np.zeros(tree.rates)
        h, _, _ = tree_efforts(tree, poses, motions(tree, poses, qd, none, ground), ground, masses)
        h = h + [a.viscous * x + a.coulomb * np.sign(x) for a, x in zip(axes, qd, strict=True)]
        # rows of a transmitted velocity that the leg cannot have are constraints, not its Jacobian
        rows = np.abs(jacobians.J_i).max(axis=1) > 1e-9
        J, J_v = jacobians.J_i[rows], jacobians.J_vi[rows]
        if J.shape == (3, 3):  # a ball's velocity: from axes of the rod to base axes
            R_0i = posture.bodies[f"rod{i + 1}"][:3, :3]
            J, J_v = R_0i @ J, R_0i @ J_v
        legs.append(Leg(J, J_v, A, h, A @ qdd + h, qd, qdd))
    platform = Mass(m, R @ s, R @ inertia @ R.T)
    return State(r, T, V, Vdot, posture, platform, legs, gough.inverse_jacobian(r, T))


def inv(matrix: np.ndarray) -> np.ndarray:
    return np.linalg.inv(matrix)


def spatial_inertia(p: Mass) -> np.ndarray:
    """``I_P``: [BK] (11), [KI] (14)."""
    return np.block([[p.m * np.eye(3), -skew(p.s)], [skew(p.s), p.I]])


def platform_bias(st: State) -> np.ndarray:
    """What rotation and gravity take of the platform: first terms of [KI] (30)."""
    p, w, g = st.platform, st.V[3:], np.array(st.robot.gravity)
    spin = np.concatenate([np.cross(w, np.cross(w, p.s)), np.cross(w, p.I @ w)])
    return spin - np.vstack([p.m * np.eye(3), skew(p.s)]) @ g


def deviations(pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Relative deviation of each state."""
    return np.array([relative(found, expected) for found, expected in pairs])


def check(printed: np.ndarray, corrected: np.ndarray, wrong: float = WRONG) -> None:
    """The corrected formula holds in every state, the printed one in none."""
    assert corrected.max() < SAME
    assert printed.min() > wrong


# [BK]


@pytest.mark.parametrize(
    ("name", "wrong"), [("tilt_3rps", 1e-4), ("five_bar", 5e-3), ("spherical_2dof", 1e-3)]
)
def test_bk_1_legs_carry_psi_on_both_sides(name, wrong):
    """[BK] (21), erratum BK-1, on machines with n < 6 and a Psi that depends on the pose."""
    printed, corrected = [], []
    for k in STATES:
        st = state(name, k)
        Psi = gough.freedom_map(st.robot, st.T)
        M_x = [inv(leg.J).T @ leg.A @ inv(leg.J) for leg in st.legs]
        of_platform = Psi.T @ spatial_inertia(st.platform) @ Psi
        of_legs = sum(leg.J_v.T @ M @ leg.J_v for leg, M in zip(st.legs, M_x, strict=True))
        with pytest.raises(ValueError, match="broadcast"):  # n x n and 6 x 6
            of_platform + of_legs
        # Without Psi the sizes can only meet by taking the entries of V_r.  Off by 1.2e-4 to 4.1e-4
        # (3-RPS: Psi is nearly of 0 and 1), 0.0084 to 0.069 (five-bar), 0.0017 to 0.06 (gearshift).
        r = list(st.robot.assembly.free)
        M_rob = gough.inertia_matrix(st.robot, st.T)
        printed.append((of_platform + of_legs[np.ix_(r, r)], M_rob))
        corrected.append((of_platform + Psi.T @ of_legs @ Psi, M_rob))
    check(deviations(printed), deviations(corrected), wrong)


# [KI], direct model in general


@pytest.mark.parametrize("name", ["space_3ups", "gough_stewart", "c5", "tilt_3rps"])
def test_ki_1_efforts_go_to_the_platform_by_the_inverse(name):
    """[KI] (28) and (63), erratum KI-1: ``J_r^-T Gamma``, printed ``J_r^T Gamma``."""
    printed, corrected = [], []
    for k in STATES:
        st = state(name, k)
        Gamma = gough.inverse_dynamics(st.robot, gough.State(st.T, st.V, st.Vdot))
        A, h = (
            gough.inertia_matrix(st.robot, st.T),
            gough.bias_wrench(st.robot, gough.State(st.T, st.V)),
        )
        J_r = inv(st.J_inv)
        Vdot = gough.forward_dynamics(st.robot, gough.State(st.T, st.V), Gamma).Vdot_0p
        assert relative(Vdot, st.Vdot) < 1e-9  # the motion the efforts were made for
        Vdot_r = Vdot[list(st.robot.assembly.free)]
        # off by 16 to 59 times the acceleration (Space), 9 to 28 (6-UPS), 130 to 640 (C5),
        # 28 to 190 (3-RPS)
        printed.append((inv(A) @ (J_r.T @ Gamma - h), Vdot_r))
        corrected.append((inv(A) @ (inv(J_r).T @ Gamma - h), Vdot_r))
    check(deviations(printed), deviations(corrected))


def universal_drift(st: State, i: int) -> np.ndarray:
    """``Jdot_i qd_i`` of a UPS leg, from [KI] (35): acceleration of its tip while qdd_i = 0."""
    a1, a2, a3 = (st.posture.bodies[f"{b}{i + 1}"][:3, 2] for b in ("cross", "cyl", "rod"))
    L = st.posture.joints[f"p_{i + 1}"]
    q1d, q2d, q3d = st.legs[i].qd
    w = q1d * a1 + q2d * a2
    turning = np.cross(w, np.cross(w, L * a3)) + q1d * q2d * np.cross(np.cross(a1, a2), L * a3)
    return turning + 2.0 * q3d * np.cross(w, a3)


def tip(st: State, i: int) -> np.ndarray:
    """``k_i = P_1 P_i``; the platform's origin is P_1."""
    return st.posture.bodies[f"rod{i + 1}"][:3, 3] - st.T[:3, 3]


def test_space_robot_is_that_of_the_paper():
    """Origin at P_1, [KI] (35) and (38), erratum KI-4: ``P_1 P_i``, printed ``P_i P_i``."""
    for k in STATES:
        st = state("space_3ups", k)
        np.testing.assert_allclose(tip(st, 0), 0.0, atol=1e-12)
        for i, leg in enumerate(st.legs):
            a1, a2, a3 = (st.posture.bodies[f"{b}{i + 1}"][:3, 2] for b in ("cross", "cyl", "rod"))
            BP = st.posture.joints[f"p_{i + 1}"] * a3
            expected = np.stack([np.cross(a1, BP), np.cross(a2, BP), a3], axis=1)
            np.testing.assert_allclose(leg.J, expected, atol=1e-12)
            np.testing.assert_allclose(
                leg.J_v, np.hstack([np.eye(3), -skew(tip(st, i))]), atol=1e-12
            )


def test_ki_2_inertia_and_bias_of_a_leg_at_its_tip():
    """[KI] (29)-(30), erratum KI-2: ``J_i^-T A_i J_i^-1``, ``J_i^-T h_i``; printed ``J_i^T``."""

    def model(st: State, by_transpose: bool) -> tuple[np.ndarray, np.ndarray]:
        A, h = spatial_inertia(st.platform), platform_bias(st)
        for i, leg in enumerate(st.legs):
            left = leg.J.T if by_transpose else inv(leg.J).T
            A_x, h_x = left @ leg.A @ inv(leg.J), left @ leg.h
            drift = np.cross(st.V[3:], np.cross(st.V[3:], tip(st, i))) - universal_drift(st, i)
            A = A + leg.J_v.T @ A_x @ leg.J_v
            h = h + leg.J_v.T @ (A_x @ drift + h_x)
        return A, h

    A_pairs, h_pairs = {True: [], False: []}, {True: [], False: []}
    for k in STATES:
        st = state("space_3ups", k)
        for printed in (True, False):
            A, h = model(st, printed)
            A_pairs[printed].append((A, gough.inertia_matrix(st.robot, st.T)))
            h_pairs[printed].append((h, gough.bias_wrench(st.robot, gough.State(st.T, st.V))))
    check(deviations(A_pairs[True]), deviations(A_pairs[False]))  # off by 0.20 to 0.26
    check(deviations(h_pairs[True]), deviations(h_pairs[False]))  # off by 0.13 to 0.18


# [KI], the Space robot


def test_ki_5_inverse_model_of_the_space_robot():
    """[KI] (42), erratum KI-5: ``J_i^-T H_i``, printed ``J_i^-1 H_i``."""
    printed, corrected = [], []
    for k in STATES:
        st = state("space_3ups", k)
        F_p = spatial_inertia(st.platform) @ st.Vdot + platform_bias(st)  # [KI] (12)
        J_p = inv(st.J_inv)
        on_platform = [np.vstack([np.eye(3), skew(tip(st, i))]) for i in range(3)]
        legs = list(zip(on_platform, st.legs, strict=True))
        tau = gough.inverse_dynamics(st.robot, gough.State(st.T, st.V, st.Vdot))
        # off by 0.19 to 0.51
        printed.append((J_p.T @ (F_p + sum(k_i @ inv(x.J) @ x.H for k_i, x in legs)), tau))
        corrected.append((J_p.T @ (F_p + sum(k_i @ inv(x.J).T @ x.H for k_i, x in legs)), tau))
    check(deviations(printed), deviations(corrected))


def test_ki_6_acceleration_of_a_leg_tip():
    """[KI] (49), erratum KI-6: ``[1, -k^] Vdot_p``, printed ``[1, +k^]``.

    The tip's acceleration is that of the rod's frame, found through the leg, not the platform.
    """
    printed, corrected, motors = [], [], []
    for k in STATES:
        st = state("space_3ups", k)
        w, qdd = st.V[3:], []
        for i, leg in enumerate(st.legs):
            k_i, of_rod = tip(st, i), st.posture.twist_rates[f"rod{i + 1}"][:3]
            turning = np.cross(w, np.cross(w, k_i))
            right = np.hstack([np.eye(3), -skew(k_i)]) @ st.Vdot + turning
            corrected.append((right, of_rod))
            if i:  # at P_1 itself k_i = 0 and the sign does not matter; else off by 0.44 to 2.9
                wrong = np.hstack([np.eye(3), skew(k_i)]) @ st.Vdot + turning
                printed.append((wrong, of_rod))
            qdd.append(inv(leg.J) @ (right - universal_drift(st, i)))  # [KI] (27)
        active = np.array(qdd)[:, [0, 2]].ravel()  # [KI] (32)
        motors.append(
            (active, gough.motor_accelerations(st.robot, gough.State(st.T, st.V, st.Vdot)))
        )
    check(deviations(printed), deviations(corrected))
    assert deviations(motors).max() < SAME


def test_ki_8_bias_of_the_space_robot():
    """[KI] (51), erratum KI-8: ``A_xi`` takes all of the drift, and ``h_xi`` stands at the tip."""
    printed, corrected = [], []
    for k in STATES:
        st = state("space_3ups", k)
        wrong = right = platform_bias(st)
        w = st.V[3:]
        for i, leg in enumerate(st.legs):
            A_x, h_x = inv(leg.J).T @ leg.A @ inv(leg.J), inv(leg.J).T @ leg.h
            on_platform = np.vstack([np.eye(3), skew(tip(st, i))])
            turning, drift = np.cross(w, np.cross(w, tip(st, i))), universal_drift(st, i)
            with pytest.raises(ValueError, match="broadcast"):  # 6x1 and 3x1
                on_platform @ (A_x @ turning - drift) + h_x
            # h_xi put in its place, the other bracket as printed: off by 0.0015 to 0.018
            wrong = wrong + on_platform @ (A_x @ turning - drift + h_x)
            right = right + on_platform @ (A_x @ (turning - drift) + h_x)
        h_robot = gough.bias_wrench(st.robot, gough.State(st.T, st.V))
        printed.append((wrong, h_robot))
        corrected.append((right, h_robot))
    check(deviations(printed), deviations(corrected))


# [KI], the C5 robot


class Contact(NamedTuple):
    """A C5 joint in base axes: leg axis, normal of the face, origin to centre of the ball, rate."""

    a: np.ndarray
    r: np.ndarray
    PP: np.ndarray
    qd: float


def contacts(st: State) -> list[Contact]:
    found = []
    for i in range(6):
        a, r = np.eye(3)[i // 2], st.T[:3, i // 2]
        ball = st.posture.bodies[f"leg{i + 1}"][:3, 3]
        found.append(Contact(a, r, ball - st.T[:3, 3], float(st.legs[i].qd[0])))
    return found


def transmitted_bias(st: State, c: Contact, which: str) -> float:
    """``Jdot_vi V_p - Jdot_i qd_i`` of the C5 robot, three ways."""
    v, w = st.V[:3], st.V[3:]
    if which == "(64), (65)":  # with Jdot_i = (w x r).a, the derivative of [KI] (54)
        return -c.r @ np.cross(w, v) - np.cross(w, c.r) @ c.a * c.qd
    if which == "(67)":
        return -c.r @ np.cross(w, v + c.a * c.qd)
    twice = 2.0 * np.cross(w, v - c.a * c.qd)  # [KI] (67), erratum KI-9
    return -c.r @ (twice + np.cross(w, np.cross(w, c.PP)))


def c5_accelerations(st: State, which: str) -> np.ndarray:
    """[KI] (27) with (54), (56)."""
    vd, wd = st.Vdot[:3], st.Vdot[3:]
    return np.array(
        [
            (c.r @ (vd + np.cross(wd, c.PP)) + transmitted_bias(st, c, which)) / (c.r @ c.a)
            for c in contacts(st)
        ]
    )


PRINTED = ["(64), (65)", "(67)"]


@pytest.mark.parametrize("which", PRINTED)
def test_ki_9_motor_accelerations_of_the_c5_robot(which):
    """[KI] (64), (65), (67), erratum KI-9: the ball slides on the face, it is not fixed to it."""
    printed, corrected = [], []
    for k in STATES:
        st = state("c5", k)
        qdd = gough.motor_accelerations(st.robot, gough.State(st.T, st.V, st.Vdot))
        # (64), (65): off by 0.019 to 0.14; (67): 0.027 to 0.14
        printed.append((c5_accelerations(st, which), qdd))
        corrected.append((c5_accelerations(st, "corrected"), qdd))
    check(deviations(printed), deviations(corrected))


def moved(st: State, t: float) -> np.ndarray:
    """Pose after a time; to second order the motion with twist V and twist rate Vdot."""
    x = st.V * t + st.Vdot * (t * t / 2.0)
    angle = np.linalg.norm(x[3:])
    u = skew(x[3:] / angle) if angle else np.zeros((3, 3))
    T = st.T.copy()
    T[:3, :3] = (np.eye(3) + np.sin(angle) * u + (1.0 - np.cos(angle)) * u @ u) @ T[:3, :3]
    T[:3, 3] += x[:3]
    return T


def test_ki_9_against_second_differences_of_positions():
    """[KI] (67), erratum KI-9: no formula for velocities or accelerations is in the differences."""
    step = 2e-3  # fourth order, about 3e-10 of truncation and 3e-10 of rounding; 5e-10 is met
    weights = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / (12.0 * step**2)
    for k in STATES:
        st = state("c5", k)
        poses = np.array([moved(st, j * step) for j in (-2, -1, 0, 1, 2)])
        differences = weights @ gough.inverse_kinematics(st.robot, poses)
        assert relative(c5_accelerations(st, "corrected"), differences) < 1e-8
        for which in PRINTED:
            assert relative(c5_accelerations(st, which), differences) > WRONG  # 0.019 to 0.14


@pytest.mark.parametrize("which", PRINTED)
def test_ki_9_bias_of_the_c5_robot(which):
    """[KI] (67), erratum KI-9, in the direct model; A_xi, h_xi by (68)-(69)."""

    def h_robot(st: State, which: str) -> np.ndarray:
        h = platform_bias(st)
        for leg, c in zip(st.legs, contacts(st), strict=True):
            J = c.r @ c.a
            A_x, h_x = leg.A[0, 0] / J**2, leg.h[0] / J
            column = np.concatenate([c.r, np.cross(c.PP, c.r)])
            h = h + column * (A_x * transmitted_bias(st, c, which) + h_x)
        return h

    printed, corrected = [], []
    for k in STATES:
        st = state("c5", k)
        expected = gough.bias_wrench(st.robot, gough.State(st.T, st.V))
        # (64), (65): off by 0.0043 to 0.024; (67): 0.0047 to 0.027
        printed.append((h_robot(st, which), expected))
        corrected.append((h_robot(st, "corrected"), expected))
    check(deviations(printed), deviations(corrected))


@pytest.mark.parametrize("which", PRINTED)
def test_ki_9_efforts_of_the_c5_robot(which):
    """[KI] (62) holds in form, but H_i needs the right acceleration, erratum KI-9."""
    printed, corrected = [], []
    for k in STATES:
        st = state("c5", k)
        F_p = spatial_inertia(st.platform) @ st.Vdot + platform_bias(st)
        A = np.array([leg.A[0, 0] for leg in st.legs])
        h = np.array([leg.h[0] for leg in st.legs])
        tau = gough.inverse_dynamics(st.robot, gough.State(st.T, st.V, st.Vdot))
        of_platform = inv(st.J_inv).T @ F_p
        # (64), (65): off by 0.0032 to 0.033; (67): 0.0045 to 0.032
        printed.append((A * c5_accelerations(st, which) + h + of_platform, tau))
        corrected.append((A * c5_accelerations(st, "corrected") + h + of_platform, tau))
    check(deviations(printed), deviations(corrected))
