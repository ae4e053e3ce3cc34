"""Singular poses told apart, and told right: against geometry, differences and counts by rank."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import gough
from gough.base import spatial
from gough.errors import InputError, UnreachablePose
from gough.geometry.newton import AssembledState
from gough.mechanism.mobility.rank import measure
from gough.singularity.singularities import singularities
from gough.singularity.state import StateSingularity, state_at
from machines import BASE, IN_LINE, Drawing, drawn_five_bar
from numbers_robots import gs_ref
from robots import ZOO_NAMES, robot

FICHTER = spatial.pose(spatial.rotation_z(np.pi / 2), np.array([0.0, 0.0, 2.0]))
METHODS = ("legs", "elements", "screws", "tree")


STRETCHED = [(-0.4, 0.0, 0.0), (-0.2, 0.2, 0.0), (0.0, 0.4, 0.0), (0.3, 0.2, 0.0), (0.4, 0.0, 0.0)]
FOLDED = [(-0.4, 0.0, 0.0), (-0.1, 0.3, 0.0), (-0.2, 0.2, 0.0), (0.1, 0.3, 0.0), (0.4, 0.0, 0.0)]


def delta_with_arm_1_stretched(angle):
    """Shoulder, elbow and wrist of the first leg in line, at an angle below the horizontal."""
    along = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    wrist = np.array([0.16, 0.0, 0.0]) + (0.2 + 0.48) * along
    return spatial.pose(np.eye(3), wrist - [0.05, 0.0, 0.0]), along


def test_fichter_s_pose_is_of_type_2_with_the_right_screw():
    r = gs_ref()
    found = singularities(r, FICHTER)
    assert found.kinds == ("Type 2",)
    (free,) = found.type_2.free
    # each leg keeps its length while the platform rises by h per radian: one h for all six
    ring = np.radians([-2.5, 2.5, 117.5, 122.5, 237.5, 242.5])
    top = np.radians([-50.0, 50.0, 70.0, 170.0, 190.0, 290.0]) + np.pi / 2
    p = np.stack([np.cos(top), np.sin(top)])
    u = p - 3.0 * np.stack([np.cos(ring), np.sin(ring)])
    h = -(p[0] * u[1] - p[1] * u[0]) / 2.0
    assert np.ptp(h) < 1e-14
    assert np.allclose(free.twist, [0.0, 0.0, h[0], 0.0, 0.0, 1.0], atol=1e-12)
    assert free.axis.pitch == pytest.approx(2.0 * np.pi * h[0], rel=1e-12)
    assert np.allclose(free.axis.point, [0.0, 0.0, 2.0], atol=1e-12)
    words = "with all motors locked the platform can still screw about the axis through (0, 0, 2) m"
    assert f"{words} along z, {h[0]:.3g} m forward per radian" in str(found)
    # and by differences of the inverse geometry: all lengths are stationary
    e = 1e-4
    lengths = [
        gough.inverse_kinematics(
            r,
            spatial.pose(
                spatial.rotation_exp(s * e * free.twist[3:]) @ FICHTER[:3, :3],
                FICHTER[:3, 3] + s * e * free.twist[:3],
            ),
        )
        for s in (1.0, -1.0)
    ]
    assert np.abs(lengths[0] - lengths[1]).max() / (2 * e) < 1e-7  # O(e^2)
    # efforts in this ratio are held by nothing: J^T tau = 0
    J = gough.inverse_jacobian(r, FICHTER)
    assert np.abs(J.T @ found.type_2.efforts).max() < 1e-12
    assert found.type_2.condition == np.inf
    assert json.loads(json.dumps(found.to_dict()))["type_2"]["condition"] is None


@pytest.mark.parametrize("angle", [1.9, 2.1])
def test_stretched_delta_arm_is_of_type_1_with_the_leg_named(angle):
    r = robot("delta")
    T, along = delta_with_arm_1_stretched(angle)
    found = singularities(r, T)
    assert found.kinds == ("Type 1",)
    (leg,) = found.type_1.loose
    assert (leg.leg, leg.motors) == ("arm1", ("arm1",))
    assert "leg 'arm1' is stretched out: with the platform held, 'arm1'" in leg.sentence
    assert np.abs(np.cross(leg.wrench[:3], along)).max() < 1e-6  # the joint is known to 3e-8
    assert not leg.wrench[3:].any()
    # the platform still moves across the arm only
    allowed = np.array([each.twist[:3] for each in found.constraint.allowed])
    assert len(allowed) == 2
    assert np.abs(allowed @ along).max() < 1e-6


@pytest.mark.parametrize(
    ("points", "shape", "along"), [(STRETCHED, "stretched out", 1.0), (FOLDED, "folded", 1.0)]
)
def test_five_bar_with_a_leg_in_line(points, shape, along):
    """A leg whose Psi depends on the pose: the lost direction is that of the bars."""
    r = drawn_five_bar(points, "d2")
    found = singularities(r, r.home_pose)
    assert found.kinds == ("Type 1",)
    (leg,) = found.type_1.loose
    assert leg.leg == "p1"
    assert f"is {shape}:" in leg.sentence
    assert np.allclose(np.abs(leg.wrench[:2]), np.sqrt(0.5), atol=1e-6)
    assert leg.sentence.endswith("the platform cannot move along (0.707, 0.707, 0)")
    # crank and bar turn so that the tip stays: their lengths tell the ratio
    crank, bar = (np.linalg.norm(np.subtract(points[k + 1], points[k])) for k in (0, 1))
    ratio = (bar + crank) / bar if shape == "stretched out" else (bar - crank) / bar
    rates = leg.rates
    assert rates["e1"][0] / rates["a1"][0] == pytest.approx(-ratio, rel=1e-6)


def test_five_bar_in_line_is_of_type_2_about_the_elbow():
    r = drawn_five_bar(IN_LINE, "d1")
    found = singularities(r, r.home_pose)
    assert found.kinds == ("Type 2",)
    (free,) = found.type_2.free
    assert np.allclose(free.axis.point, [-0.3, 0.2, 0.0], atol=1e-9)
    assert free.axis.pitch == 0.0
    assert "rotate about the axis through (-0.3, 0.2, 0) m along z" in found.sentences[0]


def test_parallel_links_leave_a_translation():
    """3-RRR with its three distal links parallel: the platform slides across them."""
    d = Drawing(4)
    d.body("platform", (0.0, 0.0, 0.0))
    for i, (x, y) in enumerate([(-0.3, 0.0), (0.2, 0.1), (0.35, -0.2)], start=1):
        elbow, foot = (x, y - 0.4, 0.0), (x - 0.2 * i, y - 0.5, 0.0)
        d.body(f"a{i}", foot)
        d.body(f"b{i}", elbow)
        d.joint(f"f{i}", "revolute", BASE, f"a{i}", foot)
        d.joint(f"e{i}", "revolute", f"a{i}", f"b{i}", elbow)
        d.joint(f"t{i}", "revolute", f"b{i}", "platform", (x, y, 0.0))
    r = d.robot("parallel", "platform", ["f1", "f2", "f3"], (0.0, 0.0, 0.0))
    found = singularities(r, r.home_pose)
    assert found.kinds == ("Type 2",)
    (free,) = found.type_2.free
    assert free.axis.point is None
    assert np.allclose(free.twist, [1.0, 0, 0, 0, 0, 0], atol=1e-9)
    assert found.type_2.sentence.endswith("the platform can still translate along x")


def test_dymo_straight_over_its_base_is_a_constraint_singularity():
    r = robot("dymo")
    T = spatial.pose(np.eye(3), np.array([0.0, 0.0, 0.5]))
    found = singularities(r, T)
    assert found.kinds == ("constraint",)
    a = r.assembly
    counted = measure(a.topology, *state_at(a, T), a.length).mobility
    assert (found.constraint.mobility, found.constraint.usual) == (counted, 3)
    assert counted == 5
    assert "translate along x, y and z, rotate about x and rotate about y" in str(found)
    assert "(5 independent motions)" in str(found)


@pytest.mark.parametrize("name", [*ZOO_NAMES, "four_rrr", "rccc", "screw_pendulum"])
def test_homes_are_regular_and_numbers_agree_with_the_jacobian(name):
    r = robot(name)
    a = r.assembly
    found = singularities(r, a.T_home)
    assert not found.is_singular, str(found)
    look = StateSingularity(a, AssembledState(a.T_home, a.home))
    J, Psi = gough.inverse_jacobian(r, a.T_home), gough.freedom_map(r, a.T_home)
    # the motors' rates of an orthonormal basis of twists, made of the public Jacobians
    Q, R = np.linalg.qr(Psi / look.scales.twist[:, None])
    scaled = J / look.scales.motors[:, None] @ np.linalg.inv(R)
    expected = np.linalg.svd(scaled, compute_uv=False)
    if len(r.motors) >= a.mobility:
        assert found.type_2.smallest == pytest.approx(expected[-1], rel=1e-9)
        assert found.type_2.condition == pytest.approx(expected[0] / expected[-1], rel=1e-9)
    if len(r.motors) == a.mobility:
        assert found.type_2.sign == np.sign(np.linalg.det(J))
    assert Q.shape[1] == found.constraint.mobility


def test_coordinates_do_not_decide():
    """Another choice of freedoms, another length: other numbers perhaps, the same zeros."""
    r = drawn_five_bar(IN_LINE, "d1")
    a = r.assembly
    for free in ((0, 1), (0, 5), (1, 5)):
        look = StateSingularity(replace(a, free=free), AssembledState(a.T_home, a.home))
        assert look.type_2 < 1e-12
    regular = robot("five_bar")
    b = regular.assembly
    values = [
        StateSingularity(replace(b, free=free), AssembledState(b.T_home, b.home)).type_2
        for free in ((0, 1), (1, 5))
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-12)
    short, long = (singularities(regular, b.T_home, length=x).type_2.smallest for x in (0.1, 10.0))
    assert short != pytest.approx(long)
    for length in (0.1, 10.0):
        assert singularities(gs_ref(), FICHTER, length=length).kinds == ("Type 2",)


def test_too_few_motors_are_said():
    r = replace(robot("gough_stewart"), motors=robot("gough_stewart").motors[:5])
    found = singularities(r, r.home_pose)
    assert not found.is_singular
    assert found.type_2.underactuated == 1
    assert len(found.type_2.free) == 1
    assert "5 motors for 6 freedoms: underactuated in every posture" in found.type_2.sentence


def poses_of_type_2():
    """Machines with six, two and three freedoms on Type 2 poses."""
    bar = drawn_five_bar(IN_LINE, "d1")
    yield gs_ref(), FICHTER
    yield bar, bar.home_pose
    # links that meet in a point, parallel bars: roots of the determinant
    for name, way, ends in (
        ("three_rrr", [0.0, 0.0, 1.0], (0.6, 0.8)),
        ("orthoglide", [-1.0, -1.0, -1.0], (0.09, 0.12)),
    ):
        r = robot(name)
        home = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]

        def at(s, r=r, x=home, way=way):
            return gough.state(r, x + s * np.array(way)).T_0p

        s = brentq(lambda s, r=r, at=at: np.linalg.det(gough.inverse_jacobian(r, at(s))), *ends)
        yield r, at(s)


def test_forward_dynamics_runs_on_poses_of_type_2():
    rng = np.random.default_rng(9)
    for r, T in poses_of_type_2():
        assert singularities(r, T).kinds == ("Type 2",)
        V = gough.freedom_map(r, T) @ (0.3 * rng.normal(size=r.mobility))
        tau = rng.normal(size=len(r.motors))
        with gough.options(engine="numpy"):
            found = np.array(
                [
                    gough.forward_dynamics(r, gough.State(T, V), tau, method=method).Vdot_0p
                    for method in METHODS
                ]
            )
        assert np.isfinite(found).all()
        assert np.abs(found - found[0]).max() < 1e-9 * np.abs(found[0]).max()


def test_arguments():
    r = robot("five_bar")
    T = r.home_pose
    for bad in (
        {"state": np.full((4, 4), np.nan)},
        {"state": np.eye(3)},
        {"state": T.astype(complex)},
        {"state": T[None], "distance": True},
        {"state": T, "length": 0.0},
        {"state": T, "length": np.nan},
        {"state": T, "tolerance": -1.0},
    ):
        with pytest.raises(InputError):
            singularities(r, **bad)
    delta = robot("delta")
    home = delta.home_pose
    with pytest.raises(UnreachablePose, match="delta"):
        singularities(delta, home + 9.0 * np.eye(4, k=3))
