"""All poses that motor positions allow: as many as there are, each one right, none that is not."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

import gough
import modes_by_hand as hand
from gough import build, zoo
from gough.base.spatial import rotation_exp, rotation_z
from gough.errors import DescriptionWarning, SingularPose
from numbers_robots import gs_ref, gs_ref_state
from robots import robot

# of poses that are computed, from the same lengths in another way: rounding times a condition
SAME = 1e-9


def ring(radius, degrees):
    """Points on a circle around z."""
    a = np.radians(degrees)
    return radius * np.column_stack([np.cos(a), np.sin(a), 0.0 * a])


def planar(points):
    """Points of a plane in space."""
    return np.column_stack([points, np.zeros(len(points))])


def fixed(p):
    """Poses that are not turned."""
    return np.array([hand.pose(np.eye(3), one) for one in p]).reshape(-1, 4, 4)


# Dietmaier's platform (NUMBERS.md)
BASE = np.array(
    [
        [0.0, 0.0, 0.0],
        [1.107915, 0.0, 0.0],
        [0.549094, 0.756063, 0.0],
        [0.735077, -0.223935, 0.525991],
        [0.514188, -0.526063, -0.368418],
        [0.590473, 0.094733, -0.205018],
    ]
)
TOP = np.array(
    [
        [0.0, 0.0, 0.0],
        [0.542805, 0.0, 0.0],
        [0.956919, -0.528915, 0.0],
        [0.665885, -0.353482, 1.402538],
        [0.478359, 1.158742, 0.107672],
        [-0.137087, -0.235121, 0.353913],
    ]
)
LENGTHS = np.array([1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])


def lengths(base, top, T):
    """Distances of points of base and platform at poses ``(..., 4, 4)``."""
    tips = np.einsum("...ij,kj->...ki", T[..., :3, :3], top) + T[..., None, :3, 3]
    return np.linalg.norm(tips - base, axis=-1)


@cache
def dietmaier():
    return build.hexapod(BASE, TOP, name="dietmaier")


def test_dietmaier_has_forty():
    modes = gough.forward_kinematics(dietmaier(), LENGTHS)
    T = modes.poses
    assert T.shape == (40, 4, 4)
    assert not modes.is_search
    assert modes.lost == 0
    assert np.abs(lengths(BASE, TOP, T) - LENGTHS).max() < 1e-14  # asked for: 1e-12
    assert np.abs(T[:, :3, :3] @ T[:, :3, :3].transpose(0, 2, 1) - np.eye(3)).max() < 1e-14
    # the sign of det J from the points alone
    arms = np.einsum("nij,kj->nki", T[:, :3, :3], TOP)
    along = T[:, None, :3, 3] + arms - BASE
    unit = along / LENGTHS[:, None]
    det = np.linalg.det(np.concatenate([unit, np.cross(arms, unit)], axis=2))
    assert (det > 0.0).sum() == 20
    assert (np.sign(det) == [mode.sign for mode in modes]).all() or (
        np.sign(det) == [-mode.sign for mode in modes]
    ).all()
    entries = T[:, :3].reshape(40, -1)
    apart = np.linalg.norm(entries[:, None] - entries[None], axis=2) + 9.0 * np.eye(40)
    assert abs(apart.min() - 0.337) < 1e-3
    assert modes.residuals.max() < 1e-14
    assert modes.names[0] == "mode 1"
    assert "40 assembly modes" in str(modes)
    # the nearest to home comes first
    away = np.abs(T - dietmaier().assembly.T_home).max(axis=(1, 2))
    assert away[0] < 1.5 * away.min()


def general(rng):
    return rng.uniform(-1.0, 1.0, (6, 3)), 0.6 * rng.uniform(-1.0, 1.0, (6, 3))


HEXAPODS = {
    "general": general(np.random.default_rng(7)),
    "planar": (
        planar(np.random.default_rng(8).uniform(-1.0, 1.0, (6, 2))),
        planar(np.random.default_rng(9).uniform(-0.6, 0.6, (6, 2))),
    ),
    "octahedral": (
        ring(1.0, [0, 0, 120, 120, 240, 240]),
        ring(0.5, [-60, 60, 60, 180, 180, 300]),
    ),
    "6-3": (
        ring(1.0, [-12, 10, 110, 131, 230, 250]),
        ring(0.5, [-60, 60, 60, 180, 180, 300]) * [1.0, 1.2, 1.0],
    ),
}


@pytest.mark.parametrize("name", HEXAPODS)
def test_hexapods_recover_the_pose_they_were_built_from(name):
    base, top = HEXAPODS[name]
    r = build.hexapod(base, top)
    T = r.home_pose.copy()
    T[:3, 3] += (0.12, -0.07, 0.05)
    T[:3, :3] = rotation_exp(np.array([0.2, -0.3, 0.25])) @ T[:3, :3]
    L = lengths(base, top, T)
    modes = gough.forward_kinematics(r, L)
    assert np.abs(modes.poses - T).max(axis=(1, 2)).min() < SAME
    assert np.abs(lengths(base, top, modes.poses) - L).max() < 1e-12
    assert len(modes) % 2 == 0
    assert not modes.is_search
    if name in ("planar", "octahedral", "6-3"):  # a plane base mirrors platforms that are plane
        heights = np.sort(modes.poses[:, 2, 3])
        np.testing.assert_allclose(heights, -heights[::-1], atol=SAME)
    np.testing.assert_allclose(gough.forward_kinematics(r, L), modes.poses)


def test_gs_ref():
    r, (T, _, _) = gs_ref(), gs_ref_state()
    poses = gough.forward_kinematics(r, gough.inverse_kinematics(r, T)).poses
    assert np.abs(poses - T).max(axis=(1, 2)).min() < SAME
    assert len(poses) % 2 == 0


def test_lengths_that_admit_no_pose():
    none = gough.forward_kinematics(dietmaier(), [9.0, 0.01, 9.0, 0.01, 9.0, 0.01])
    assert none.poses.shape == (0, 4, 4)
    modes = gough.forward_kinematics(robot("five_bar"), [np.pi, 0.0])
    assert len(modes) == 0
    assert modes.poses.shape == (0, 4, 4)
    assert "no assembly mode" in str(modes)


def test_similar_hexagons_are_refused():
    angles = [0, 60, 110, 190, 250, 290]
    with pytest.warns(DescriptionWarning, match="similar"):
        r = build.hexapod(ring(1.0, angles), ring(0.5, angles))
    with pytest.raises(SingularPose, match="similar figures"):
        gough.forward_kinematics(r, np.full(6, 1.1))


def five_bar(q, legs):
    feet = np.array([leg["base_point"][:2] for leg in legs])
    prox, dist = (np.array([leg[key] for leg in legs]) for key in ("l_prox", "l_dist"))
    elbows = feet + prox[:, None] * np.column_stack([np.cos(q), np.sin(q)])
    found = []
    for tip in hand.circles(elbows[0], dist[0], elbows[1], dist[1]):
        x, y = (tip - elbows[0]) / dist[0]
        found.append(hand.pose(rotation_z(np.arctan2(y, x)), tip))
    return np.array(found).reshape(-1, 4, 4)


def changed(name, **entries):
    """A robot of the zoo whose legs have other figures, and those figures."""
    given = deepcopy(zoo.parameters(name))
    for i, leg in enumerate(given["legs"]):
        leg |= {key: values[i] for key, values in entries.items()}
    return zoo.load(name, **given), given["legs"]


def test_five_bar_against_two_circles():
    other, legs = changed(
        "five_bar",
        base_point=[[-0.2, 0.02, 0.0], [0.17, -0.05, 0.0]],
        l_prox=[0.28, 0.33],
        l_dist=[0.45, 0.37],
    )
    counts = set()
    for q in [(np.pi, 0.0), *np.random.default_rng(0).uniform(-np.pi, np.pi, (6, 2))]:
        for r, figures in (
            (robot("five_bar"), zoo.parameters("five_bar")["legs"]),
            (other, legs),
        ):
            expected = five_bar(q, figures)
            assert hand.unmatched(gough.forward_kinematics(r, q), expected) < SAME
            counts.add(len(expected))
    assert counts == {0, 2}


def three_rrr(q, legs):
    keys = ("base_point", "platform_point")
    feet, tips = (np.array([leg[key][:2] for leg in legs]) for key in keys)
    prox, dist = (np.array([leg[key] for leg in legs]) for key in ("l_prox", "l_dist"))
    elbows = feet + prox[:, None] * np.column_stack([np.cos(q), np.sin(q)])
    return hand.planar_platform(elbows, tips, dist)


SIX = np.array([0.29547035, 2.21152858, 1.43253103])


@cache
def wide_3rrr():
    """A platform nearly as large as the base, and long distal links: up to six modes."""
    return changed(
        "three_rrr",
        l_prox=[0.2518, 0.26, 0.24],
        l_dist=[0.8216, 0.81, 0.83],
        platform_point=ring(0.457, [210, 330, 90]).tolist(),
    )


def test_planar_3rrr_against_a_scan():
    r, legs = wide_3rrr()
    rng = np.random.default_rng(2)
    counts = []
    for q in [SIX, *rng.uniform(-np.pi, np.pi, (8, 3))]:
        modes = gough.forward_kinematics(r, q)
        assert hand.unmatched(modes.poses, three_rrr(q, legs)) < SAME
        counts.append(len(modes))
    assert counts[0] == 6
    assert {0, 2, 4, 6} >= set(counts) >= {2, 6}
    figures = zoo.parameters("three_rrr")["legs"]
    for q in ([0.67001234, 1.44196942, 0.27410391], [1.67080653, 2.6095574, -2.34109594]):
        poses = gough.forward_kinematics(robot("three_rrr"), q).poses
        assert len(poses) in (2, 4)
        assert hand.unmatched(poses, three_rrr(np.array(q), figures)) < SAME


def test_delta_against_three_spheres():
    larger = {"Rb": 0.2, "rp": 0.07, "L": 0.25, "l": 0.6}
    for r, figures in ((robot("delta"), {}), (zoo.load("delta", **larger), larger)):
        p = zoo.parameters("delta") | figures
        for q in ([0.4, 0.3, 0.6], [0.1, 2.0, -1.5]):
            centres = [
                rotation_z(leg["phi"])
                @ [p["Rb"] - p["rp"] + p["L"] * np.cos(a), 0.0, -p["L"] * np.sin(a)]
                for a, leg in zip(q, p["legs"], strict=True)
            ]
            expected = hand.spheres(np.array(centres), p["l"])
            assert hand.unmatched(gough.forward_kinematics(r, q), fixed(expected)) < SAME


def test_linear_delta_and_orthoglide_against_three_spheres():
    r, p = robot("linear_delta"), zoo.parameters("linear_delta")
    for q in ([0.5, 0.52, 0.45], [0.1, 0.9, 0.5]):
        centres = [
            rotation_z(leg["phi"])
            @ [
                leg["rail_radius"] - leg["platform_radius"] + a * np.sin(leg["tilt"]),
                0.0,
                a * np.cos(leg["tilt"]),
            ]
            for a, leg in zip(q, p["legs"], strict=True)
        ]
        expected = hand.spheres(np.array(centres), p["l"])
        assert hand.unmatched(gough.forward_kinematics(r, q), fixed(expected)) < SAME
    r, p = robot("orthoglide"), zoo.parameters("orthoglide")
    feet, tips = (
        np.array([leg[key] for leg in p["legs"]]) for key in ("base_point", "platform_point")
    )
    for q in ([-0.07, -0.05, -0.1], [0.02, -0.1, -0.04]):
        expected = hand.spheres(feet - tips + np.diag(q), p["l"])
        assert len(expected) == 2
        assert hand.unmatched(gough.forward_kinematics(r, q), fixed(expected)) < SAME


def test_gearshift_against_its_closed_form():
    """[GA]: the knob's x is the hinge of l12, its z across both hinges."""
    for q in ([0.4, -0.3], [1.2, 0.9], [-2.0, 0.5]):
        c, s = np.cos(q), np.sin(q)
        x = np.array([c[1], 0.0, -s[1]])
        z = np.cross(x, [0.0, c[0], s[0]])
        z /= np.linalg.norm(z)
        expected = [
            hand.pose(np.column_stack([x, np.cross(sign * z, x), sign * z]), np.zeros(3))
            for sign in (1.0, -1.0)
        ]
        found = gough.forward_kinematics(robot("spherical_2dof"), q).poses
        assert hand.unmatched(found, np.array(expected)) < SAME


def tilt_3rps(q, legs):
    outward = np.array([rotation_z(leg["phi"])[:, 0] for leg in legs])
    feet = outward * np.array([[leg["rb"]] for leg in legs])
    tips = np.array([leg["platform_point"] for leg in legs])
    return hand.three_hinged_struts(feet, outward, np.array(q), tips)


SIXTEEN = np.array([2.640138, 2.840399, 2.71749])


def test_3rps_against_a_scan():
    points = [[0.519329, 0.0, 0.0], [-0.221612, 0.383843, 0.0], [-0.244472, -0.423438, 0.0]]
    r, legs = changed("tilt_3rps", rb=[1.0, 1.0, 1.0], platform_point=points)
    modes = gough.forward_kinematics(r, SIXTEEN)
    assert len(modes) == 16
    for q in (SIXTEEN, SIXTEEN * [1.0, 0.9, 0.8]):
        found, expected = gough.forward_kinematics(r, q).poses, tilt_3rps(q, legs)
        assert hand.unmatched(found, expected) < SAME
    r, legs = robot("tilt_3rps"), zoo.parameters("tilt_3rps")["legs"]
    for q in ([0.36, 0.39, 0.33], [0.11, 0.39, 0.37]):
        expected = tilt_3rps(q, legs)
        assert len(expected) in (4, 8)
        assert hand.unmatched(gough.forward_kinematics(r, q), expected) < SAME


def test_agile_eye_against_many_starts():
    legs = zoo.parameters("agile_eye")["legs"]
    u = np.array([leg["base_axis"] for leg in legs])
    v = np.array([leg["platform_axis"] for leg in legs])
    u, v = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (u, v))
    counts = []
    for q in ([0.1, -0.04, 0.09], [0.7, -0.5, 0.4]):
        rows, right = [], []
        for i, leg in enumerate(legs):
            z, ahead = u[i], u[(i + 1) % 3]
            x = ahead - z * (z @ ahead)
            x /= np.linalg.norm(x)
            side = np.cos(q[i]) * x + np.sin(q[i]) * np.cross(z, x)
            w = np.cos(leg["alpha"]) * z + np.sin(leg["alpha"]) * side
            rows.append(np.outer(w, v[i]).ravel())  # w . R v
            right.append(np.cos(leg["beta"]))
        R = hand.rotations(np.array(rows), np.array(right))
        expected = np.array([hand.pose(one, np.zeros(3)) for one in R])
        assert hand.unmatched(gough.forward_kinematics(robot("agile_eye"), q), expected) < SAME
        counts.append(len(R))
    assert counts[0] == 8


def test_c5_against_many_starts():
    legs = zoo.parameters("c5")["legs"]
    q = np.array([0.5, 0.58, 0.52, 0.46, 0.51, 0.57])
    normals = np.repeat(np.eye(3), 2, axis=0)
    tips = np.array([leg["base_point"] for leg in legs]) + q[:, None] * normals
    offset = np.array([leg["plane_offset"] for leg in legs])
    # two balls on one face: their difference is across its normal
    apart, right = tips[1::2] - tips[::2], offset[1::2] - offset[::2]
    rows = np.array([np.outer(d, n).ravel() for d, n in zip(apart, np.eye(3), strict=True)])
    expected = []
    for R in hand.rotations(rows, right):
        n = R.T  # normals of the faces, in the base
        p = np.linalg.solve(n, (tips[::2] * n).sum(axis=1) - offset[::2])
        expected.append(hand.pose(R, p))
    assert len(expected) == 8
    assert hand.unmatched(gough.forward_kinematics(robot("c5"), q), np.array(expected)) < SAME
