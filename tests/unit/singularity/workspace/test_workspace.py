"""Workspaces against geometry by hand: annuli, arms that reach, lengths of legs, branches."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError
from gough.evaluation import engine
from gough.evaluation.evaluator import Evaluator
from gough.evaluation.loops.closing import Closer
from gough.geometry.newton import AssembledState
from gough.singularity.workspace.locus import singularity_locus
from gough.singularity.workspace.section import WorkspaceSection
from gough.singularity.workspace.workspace import workspace
from robots import robot as robot_of

LEGS = gough.zoo.parameters("five_bar")["legs"]

BASES, PROXIMAL, DISTAL = np.array([[-0.16, 0.0], [0.16, 0.0]]), 0.3, 0.42


@cache
def five_bar_section():
    return workspace(robot_of("five_bar"), x=41, y=41)


def elbows(tips, modes):
    """Elbows (2, K, 2) of a five-bar from its tips; mode 1: the elbow lies on the right."""
    found = []
    for base, mode in zip(BASES, modes, strict=True):
        way = tips - base
        d = np.linalg.norm(way, axis=1)
        cosine = (PROXIMAL**2 + d**2 - DISTAL**2) / (2.0 * PROXIMAL * d)
        angle = np.arctan2(way[:, 1], way[:, 0]) - mode * np.arccos(np.clip(cosine, -1.0, 1.0))
        found.append(base + PROXIMAL * np.column_stack([np.cos(angle), np.sin(angle)]))
    return np.array(found)


def determinant_by_hand(tips, modes):
    """Distal links of a five-bar across each other: positive, negative or, in line, zero."""
    one, other = tips - elbows(tips, modes)
    return (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / DISTAL**2


def test_five_bar_reaches_where_two_annuli_meet():
    found = five_bar_section()
    d = np.linalg.norm(found.section.points[:, None] - BASES, axis=2)
    by_hand = ((d <= PROXIMAL + DISTAL) & (d >= DISTAL - PROXIMAL)).all(axis=1)
    assert 0.3 < by_hand.mean() < 0.9
    np.testing.assert_array_equal(found.reach.ravel(), by_hand)
    # the grid that was found holds all of it
    assert not found.reach[[0, -1]].any()
    assert not found.reach[:, [0, -1]].any()
    highest = np.sqrt((PROXIMAL + DISTAL) ** 2 - BASES[1, 0] ** 2)
    assert found.section.values[1][-1] > highest


def test_poses_and_signs_of_a_five_bar():
    found = five_bar_section()
    good = found.reach.ravel()
    tips = found.section.points[good]
    np.testing.assert_allclose(found.T_0p.reshape(-1, 4, 4)[good][:, :2, 3], tips, atol=1e-12)
    by_hand = np.sign(determinant_by_hand(tips, [leg["mode"] for leg in LEGS]))
    sign = found.sign.ravel()[good]
    assert set(by_hand) == {-1.0, 1.0}
    assert abs((by_hand * sign).sum()) == len(sign)  # the same but for one constant sign
    # the platform is the first distal link: it points from the elbow to the tip
    way = (tips - elbows(tips, [leg["mode"] for leg in LEGS])[0]) / DISTAL
    x_axis = found.T_0p.reshape(-1, 4, 4)[good][:, :2, 0]
    turn = np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(x_axis[:, 1], x_axis[:, 0])
    assert np.ptp(np.angle(np.exp(1j * (turn - turn[0])))) < 1e-9


def test_parts_have_one_sign_and_fill_the_reach():
    found = five_bar_section()
    assert found.home_component == 1
    assert ((found.component > 0) == found.reach).all()
    for k in range(1, len(found.areas) + 1):
        assert len(set(found.sign[found.component == k])) == 1
    assert found.area == pytest.approx(found.reach.sum() * found.section.cell)
    assert (np.diff(found.areas) <= 0.0).all()
    assert found.section.unit == "m²"
    # neighbours of one sign are in one part: the reach of a five-bar has no other walls
    one, other = found.component[:-1].ravel(), found.component[1:].ravel()
    same = (found.sign[:-1] * found.sign[1:] > 0.0).ravel()
    assert (one[same] == other[same]).mean() > 0.99


def test_delta_reaches_where_its_arms_do():
    robot, p = robot_of("delta"), gough.zoo.parameters("delta")
    found = workspace(robot, x=(-0.6, 0.6, 31), z=(-0.8, 0.8, 31), at={"y": 0.03})
    by_hand = np.ones(31 * 31, dtype=bool)
    for phi in (leg["phi"] for leg in p["legs"]):
        out, side = (
            np.array([np.cos(phi), np.sin(phi), 0]),
            np.array([-np.sin(phi), np.cos(phi), 0]),
        )
        hip = found.section.points - (p["Rb"] - p["rp"]) * out
        bar = np.sqrt(np.maximum(p["l"] ** 2 - (hip @ side) ** 2, 0.0))
        away = np.hypot(hip @ out, hip[:, 2])
        by_hand &= (np.abs(hip @ side) <= p["l"]) & (away <= p["L"] + bar)
        by_hand &= away >= np.abs(p["L"] - bar)
    assert 0.2 < by_hand.mean() < 0.8
    np.testing.assert_array_equal(found.reach.ravel(), by_hand)
    assert (found.type_1[found.reach] > 0.0).all()
    assert np.isnan(found.type_1[~found.reach]).all()


B = np.array(
    [
        [3 * np.cos(a), 3 * np.sin(a), 0.0]
        for a in np.radians([-2.5, 2.5, 117.5, 122.5, 237.5, 242.5])
    ]
)
P = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.radians([-50, 50, 70, 170, 190, 290])])


@cache
def hexapod():
    """GS-REF's geometry, with limits of legs and of a ball."""
    home = np.eye(4)
    home[2, 3] = 2.1
    robot = gough.build.hexapod(B, P, home=home)
    joints = []
    for joint in robot.joints:
        limits = {}
        if joint.name.startswith("p"):
            limits = {"position": (2.2, 3.6)}
        elif joint.kind == "spherical" and joint.name.endswith("1"):
            limits = {"position": (0.0, 0.61)}
        axes = [replace(axis, limits=gough.Limits(**limits)) for axis in joint.axes] or [
            gough.Axis(limits=gough.Limits(**limits)) for _ in joint.axis_names
        ]
        joints.append(replace(joint, axes=axes))
    return replace(robot, joints=joints)


def test_limits_of_a_hexapod_are_lengths_of_its_legs():
    robot = hexapod()
    at = {"z": 2.0, "rx": 0.1, "ry": -0.2, "rz": 0.15}
    found = workspace(robot, x=(-1.5, 1.5, 21), y=(-1.5, 1.5, 21), at=at)
    assert found.reach.all()
    poses = found.T_0p.reshape(-1, 4, 4)
    tips = P @ poses[:, :3, :3].swapaxes(1, 2) + poses[:, None, :3, 3]
    lengths = np.linalg.norm(tips - B, axis=2)
    good = ((lengths >= 2.2) & (lengths <= 3.6)).all(axis=1)
    names = found.limited_axes
    assert set(robot.motors) < set(names)
    assert len(names) == 7
    violated, within = found.violated.ravel(), found.within_limits.ravel()
    ball = violated == names.index("s1")
    assert not within[ball].any()
    assert (good & ball).any()
    np.testing.assert_array_equal(good[~ball], within[~ball])
    for k in np.flatnonzero(good)[::8]:
        tilt = np.arccos(gough.posture(robot, poses[k]).joints["s1"][2, 2])
        assert ball[k] == (tilt > 0.61)
    # the leg that is named is the one that is farthest off
    bad = np.flatnonzero(~good & ~ball)
    excess = np.maximum(lengths - 3.6, 2.2 - lengths)
    worst = [robot.motors[i] for i in np.argmax(excess[bad], axis=1)]
    assert [names[i] for i in violated[bad]] == worst
    free = workspace(robot, found.section, limits=False)
    assert free.area > found.area > 0.0
    assert free.component.all()


def test_fichter_a_hexapod_turned_by_a_right_angle_is_singular_at_every_height():
    robot = hexapod()
    held = {"x": 0.0, "y": 0.0, "rx": 0.0, "ry": 0.0}
    found = singularity_locus(robot, z=(1.0, 2.5, 8), rz=(-2.0, 2.0, 12), at=held)
    assert found.curves["Type 1"] == []  # legs without limits reach everywhere
    curves = found.curves["Type 2"]
    assert len(curves) == 2
    assert all(len(curve) >= 8 for curve in curves)
    for curve in curves:
        np.testing.assert_allclose(np.abs(curve[:, 1]), np.pi / 2.0, atol=1e-9)
        assert curve[:, 0].min() == 1.0
        assert curve[:, 0].max() == 2.5


def test_another_branch_is_that_of_a_robot_assembled_so():
    modes = (-1, -1)
    legs = [leg | {"mode": mode} for leg, mode in zip(LEGS, modes, strict=True)]
    other = gough.zoo.load("five_bar", legs=legs)
    there = robot_of("five_bar").rehomed(AssembledState(*other.assembly.start))
    section = five_bar_section().section
    found = workspace(there, section)
    np.testing.assert_array_equal(found.reach, five_bar_section().reach)
    good = found.reach.ravel()
    by_hand = np.sign(determinant_by_hand(section.points[good], modes))
    assert abs((by_hand * found.sign.ravel()[good]).sum()) == good.sum()
    assert not np.array_equal(found.sign, five_bar_section().sign)
    again = workspace(robot_of("five_bar").rehomed(found.branch(20, 30)), section)
    np.testing.assert_array_equal(again.sign, found.sign)


def test_states_without_kernels_are_the_same(monkeypatch):
    robot = robot_of("five_bar")
    section = WorkspaceSection(("x", "y"), ("x", "y"), (np.linspace(-0.2, 0.2, 4),) * 2, {})
    section = replace(section, values=(section.values[0], section.values[1] + 0.3))
    fast = workspace(robot, section)
    alone = gough.zoo.load("five_bar", gravity=(0.0, -9.8, 0.0))
    monkeypatch.setattr(engine.Choice, "runner", lambda *_: None)
    slow = workspace(alone, section)
    np.testing.assert_array_equal(fast.component, slow.component)
    np.testing.assert_allclose(fast.type_2, slow.type_2, rtol=1e-9)
    np.testing.assert_allclose(fast.T_0p, slow.T_0p, atol=1e-12)


def test_pivots_in_doubt_are_chosen_anew(monkeypatch):
    closer = Closer(robot_of("delta").assembly)
    states = closer.home
    right = closer.judged(states)
    kernel = Evaluator(closer.assembly, "judged", Variant()).kernel()
    run, doubtful = kernel.run, []

    def doubted(arrays, direct, threads, judge):
        doubtful.append(len(arrays[0]))
        found = run(arrays, direct, threads, judge=judge)
        judge(0, np.full((len(arrays[0]), 2), 2.0))
        found["J_inv"][:] = np.nan
        return found

    monkeypatch.setattr(kernel, "run", doubted)
    again = closer.judged(states)
    assert doubtful == [1]
    for name in ("J_inv", "rows", "bounded"):
        np.testing.assert_allclose(again[name], right[name], atol=1e-12)


def test_one_and_three_freedoms_and_tables():
    robot = robot_of("five_bar")
    told = []
    line = workspace(robot, x=21, at={"y": 0.4}, progress=told.append)
    assert line.section.shape == (21,)
    assert line.section.unit == "m"
    assert told[-1] == 1.0
    assert told == sorted(told)
    d = np.linalg.norm(line.section.points[:, None] - BASES, axis=2)
    assert (line.reach == ((d <= 0.72) & (d >= 0.12)).all(axis=1)).all()
    box = workspace(robot_of("three_rrr"), x=(-0.3, 0.3, 7), y=(-0.3, 0.3, 7), rz=(-0.5, 0.5, 5))
    assert box.reach.shape == (7, 7, 5)
    assert box.section.unit == "m² rad"
    table = box.columns()
    assert set(table) >= {"x", "y", "rz", "reach", "component", "type_2", "violated"}
    assert {len(column) for column in table.values()} == {7 * 7 * 5}
    with pytest.raises(InputError, match="a picture shows two freedoms"):
        box.draw()


@pytest.mark.parametrize("values", [[0.1], [-0.2, 0.1], [0.0, 2.0, 4.0], [0.0, 0.1, 0.2, 0.3]])
def test_values_are_values_however_many(values):
    """Only a tuple is a span: an array of three is no span with a number of points."""
    robot = robot_of("five_bar")
    for given in (np.array(values), values):
        found = workspace(robot, x=given, at={"y": 0.3})
        np.testing.assert_array_equal(found.section.values[0], values)
        d = np.linalg.norm(found.section.points[:, None] - BASES, axis=2)
        np.testing.assert_array_equal(found.reach, ((d <= 0.72) & (d >= 0.12)).all(axis=1))
    assert workspace(robot, x=(0.0, 2.0, 4), at={"y": 0.3}).section.shape == (4,)


def test_one_value_has_no_extent():
    found = workspace(robot_of("five_bar"), x=[0.1], y=5)
    assert found.section.shape == (1, 5)
    assert found.area == 0.0
    for ask in (found.draw, lambda: found.curves):
        with pytest.raises(InputError, match="one value of x"):
            ask()
    for index in ((0, 9), (0,), (0, 0.5), (0, -6)):
        with pytest.raises(InputError, match="no such point"):
            found.branch(*index)
    mode = SimpleNamespace(branch=found.branch(0, -3))
    again = workspace(robot_of("five_bar").rehomed(mode), found.section)
    np.testing.assert_array_equal(again.sign, found.sign)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"w": None}, "no freedom 'w'"),
        ({"x": (0.0, np.nan)}, "finite"),
        ({"x": (1.0, 0.0)}, "rise"),
        ({"x": (0.0, 1.0, 2.5)}, "points"),
        ({"x": 1}, "points"),
        ({"x": "wide"}, "x is not an array"),
        ({"x": (0.0, 1.0, 1e9)}, "more than"),
        ({"x": np.array([0.0, 0.1, 0.3, 0.4])}, "evenly"),
        ({"x": [0.1, 0.0]}, "evenly"),
        ({"x": []}, "expected"),
        ({"x": (0.0, 0.1, 0.2, 0.3)}, "a tuple of 4"),
        ({"x": None, "at": {"x": 0.1}}, "both varied and held"),
        ({"at": {"y": 1j}}, "y: expected a number"),
        ({"at": {"y": [0.1, 0.2]}}, "y: expected a number"),
        ({"at": {"y": np.inf}}, "finite"),
        ({"progress": 3}, "progress is 3"),
        ({"section": 3}, "expected a section"),
        ({"length": 0.0}, "length: must be positive"),
        ({"capability": "power"}, "capability is 'power'"),
        ({"capability": "payload"}, "no effort limit and no motor torque is known of"),
        ({"capability": "payload", "efforts": -1.0}, "efforts: must be positive"),
        ({"capability": "payload", "efforts": [1.0, 2.0, 3.0]}, "shape"),
        ({"capability": "payload", "efforts": {"m1": 2.0}}, "no motor 'm1'"),
        ({"capability": "acceleration", "efforts": 5.0, "direction": {"rz": 1.0}}, "no freedom"),
        ({"capability": "acceleration", "efforts": 5.0, "direction": [0.0, 0.0]}, "not all zero"),
        (
            {"capability": "payload", "efforts": 5.0, "loads": gough.Loads(payload=np.nan)},
            "payload",
        ),
        ({"loads": gough.Loads(payload=gough.Payload([1.0, 2.0]))}, "the same all the time"),
    ],
)
def test_wrong_arguments_are_refused(options, words):
    with pytest.raises(gough.GoughError, match=words):
        workspace(robot_of("five_bar"), **options)


def test_a_section_far_from_home_has_no_reach():
    found = workspace(robot_of("five_bar"), x=(5.0, 6.0, 5), y=(5.0, 6.0, 5))
    assert not found.reach.any()
    assert found.area == 0.0
    assert found.home_component == 0
    assert found.areas.shape == (0,)
