"""Scenes: what a picture shows, as data."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gough
from gough import zoo
from gough.base import spatial
from gough.report.drawing import joints3d, scenes
from gough.robot import KINDS
from machines import Drawing
from robots import MACHINE_NAMES, robot

PLANAR = {"five_bar", "three_rrr", "four_rrr", "planar_3rrp", "grounded_parallelogram", "pendulum"}
PLANAR |= {"geared_five_bar", "granite_sledge"}
SPHERICAL = {"spherical_2dof", "agile_eye"}
NAMES = [*zoo.names(), *MACHINE_NAMES]


@cache
def poses(name):
    """Home and a pose beside it."""
    a = robot(name).assembly
    shift = 0.03 * a.scales.freedoms * np.linspace(-1.0, 0.8, a.mobility)
    x = a.chart.coordinates(a.T_home)[list(a.free)] + shift
    return np.stack([a.T_home, gough.state(robot(name), x).T_0p])


@cache
def seen(name):
    """Scenes at these poses, and where bodies are there."""
    r, T = robot(name), poses(name)
    bodies = gough.posture(r, T).bodies | {r.base: np.tile(np.eye(4), (2, 1, 1))}
    return scenes(r, T), bodies


@pytest.mark.parametrize("name", NAMES)
def test_joints_are_where_they_are(name):
    r, (found, bodies) = robot(name), seen(name)
    for k, scene in enumerate(found):
        assert [mark.joint for mark in scene.marks] == [joint.name for joint in r.joints]
        for mark, joint in zip(scene.marks, r.joints, strict=True):
            A = bodies[joint.parent][k] @ joint.parent_frame.matrix
            B = bodies[joint.child][k] @ joint.child_frame.matrix
            assert mark.kind == joint.kind
            # the pose is found twice, by Newton's method
            assert np.allclose(mark.axis, A[:3, 2], atol=1e-9)
            assert np.allclose(mark.second, B[:3, 2], atol=1e-9)
            assert (mark.ground is not None) == (r.base in (joint.parent, joint.child))
            gap = mark.position - B[:3, 3]
            if KINDS[joint.kind].travel == (2,) or name in SPHERICAL:  # anywhere on the axis
                gap = np.cross(gap, mark.axis)
            assert np.abs(gap).max() < 1e-9 * scene.length


@pytest.mark.parametrize("name", NAMES)
def test_motors_are_marked(name):
    r, scene = robot(name), seen(name)[0][0]
    driven = {
        axis
        for mark, joint in zip(scene.marks, r.joints, strict=True)
        for axis, on in zip(joint.axis_names, mark.driven, strict=True)
        if on
    }
    assert driven == set(r.motors)
    assert {m.joint for m in scene.marks if m.motor} == {motor.split(".")[0] for motor in r.motors}


@pytest.mark.parametrize("name", NAMES)
def test_shapes_are_rigid_and_move_with_their_bodies(name):
    (home, scene), bodies = seen(name)
    assert np.isfinite(home.points).all()
    assert np.isfinite(scene.points).all()
    for kind in ("strokes", "plates"):
        for a, b in zip(getattr(home, kind), getattr(scene, kind), strict=True):
            assert (a.body, a.role, a.kind) == (b.body, b.role, b.kind)
            if a.kind in ("tube", "rod"):
                continue
            before, after = ((s.points if kind == "strokes" else s.outline) for s in (a, b))
            move = bodies[a.body][1] @ np.linalg.inv(bodies[a.body][0])
            expected = before @ move[:3, :3].T + move[:3, 3]
            assert np.allclose(after, expected, atol=1e-9 * scene.length)


@pytest.mark.parametrize("name", NAMES)
def test_every_joint_holds_on_to_its_bodies(name):
    """A shape of each of its bodies, if this has any extent, comes near the mark of a joint."""
    r, scene = robot(name), seen(name)[0][0]
    parts: dict[str, list[np.ndarray]] = {}
    for stroke in scene.strokes:
        parts.setdefault(stroke.body, []).append(stroke.points)
    for plate in scene.plates:
        loop = np.concatenate([plate.outline, plate.outline[:1], plate.outline.mean(axis=0)[None]])
        parts.setdefault(plate.body, []).append(loop)
    welded = {b for j in r.joints if j.kind == "fixed" for b in (j.parent, j.child)}
    for mark, joint in zip(scene.marks, r.joints, strict=True):
        for body in {joint.parent, joint.child} - welded - {r.base}:
            if body not in parts:
                continue
            gap = min(_distance(mark.position, line) for line in parts[body])
            # a plate lies on its joints, and a hull need not reach one in its middle
            assert gap < 0.2 * scene.length, f"{joint.name} floats beside {body}"


def _distance(point, line):
    """Distance of a point from a line of points."""
    best = np.inf
    for a, b in pairwise(line):
        d = b - a
        t = np.clip((point - a) @ d / (d @ d), 0.0, 1.0) if d @ d > 0 else 0.0
        best = min(best, float(np.linalg.norm(point - a - t * d)))
    return best if len(line) > 1 else float(np.linalg.norm(point - line[0]))


def test_a_telescope_has_a_tube_of_constant_length_and_a_rod_to_the_joint():
    tubes = []
    for scene in seen("gough_stewart")[0]:
        marks = {m.joint: m for m in scene.marks}
        balls = [m.position for m in scene.marks if m.kind == "spherical"]
        hooks = [m.position for m in scene.marks if m.kind == "universal"]
        pairs = [[s for s in scene.strokes if s.kind == kind] for kind in ("tube", "rod")]
        assert len(pairs[0]) == len(pairs[1]) == 6
        for tube, rod, hook, tip in zip(*pairs, hooks, balls, strict=True):
            assert np.allclose(tube.points[0], hook, atol=1e-9)
            assert np.allclose(rod.points[1], tip, atol=1e-9)
            assert np.array_equal(tube.points[1], rod.points[0])
        tubes.append([np.linalg.norm(np.diff(t.points, axis=0)) for t in pairs[0]])
        assert all(marks[name].motor for name in robot("gough_stewart").motors)
    assert np.allclose(tubes, tubes[0], rtol=1e-9)


def test_a_rail_is_long_enough_for_every_pose_drawn():
    r = robot("orthoglide")
    home = r.home_pose
    far = home.copy()
    far[:3, 3] += 0.08
    for scene in scenes(r, np.stack([home, far])):
        rails = [s for s in scene.strokes if s.kind == "rail"]
        assert len(rails) == 3
        for rail, mark in zip(rails, (m for m in scene.marks if m.motor), strict=True):
            assert rail.role == "base"
            assert _distance(mark.position, rail.points) < 1e-9


def test_roles():
    (scene,) = scenes(robot("quattro"))
    roles = {s.body: s.role for s in (*scene.strokes, *scene.plates)}
    assert roles["arm1"] == "link"
    assert {roles["half1"], roles["half2"]} == {"hub"}
    assert roles[robot("quattro").platform] == "platform"
    assert roles[robot("quattro").base] == "base"
    base = next(p for p in scene.plates if p.role == "base")
    assert len(base.outline) == 4


def test_the_platform_of_a_hexapod_is_the_hull_of_its_joints():
    (scene,) = scenes(robot("gough_stewart"))
    plate = next(p for p in scene.plates if p.role == "platform")
    balls = np.array([m.position for m in scene.marks if m.kind == "spherical"])
    # it lies on the balls, on the side away from the legs
    lift = scene.unit * plate.normal * np.sign(plate.normal[2])
    gaps = np.linalg.norm(plate.outline[:, None] - lift - balls[None], axis=2)
    assert sorted(np.argmin(gaps, axis=1)) == [0, 1, 2, 3, 4, 5]
    assert gaps.min(axis=1).max() < 1e-9


def test_joints_of_a_spherical_robot_are_moved_apart():
    (scene,) = scenes(robot("spherical_2dof"))
    points = np.array([m.position for m in scene.marks])
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)[np.triu_indices(5, 1)]
    assert gaps.min() > 0.5 * scene.length
    assert all(len(s.points) > 2 for s in scene.strokes)  # arcs


def test_faces_of_contacts_share_a_plate_where_they_share_a_plane():
    (scene,) = scenes(robot("c5"))
    faces = [p for p in scene.plates if p.kind == "face"]
    assert len(faces) == 3  # two contacts on each
    for face in faces:
        on = [m for m in scene.marks if m.kind == "planar_contact"]
        heights = [abs((m.position - face.outline[0]) @ face.normal) for m in on]
        assert sum(h < 1e-9 for h in heights) == 2


@pytest.mark.parametrize("name", NAMES)
def test_planar_robots_are_found(name):
    scene = seen(name)[0][0]
    assert (scene.plane is not None) == (name in PLANAR)


def tilted_five_bar(R, wrench_one_axis=0.0):
    """A five-bar in the plane of the first two columns of a rotation."""
    d = Drawing(20)
    places = {"a": (-0.2, 0), "b": (-0.4, 0.3), "p": (0, 0.6), "c": (0.45, 0.28), "e": (0.2, 0)}
    at = {k: R @ [*xy, 0.02 * i] for i, (k, xy) in enumerate(places.items())}
    n = R[:, 2]
    for name, point in (("crank1", "a"), ("bar1", "b"), ("bar2", "c"), ("crank2", "e")):
        d.body(name, at[point])
    d.joint("r1", "revolute", "base", "crank1", at["a"], n)
    d.joint("r2", "revolute", "crank1", "bar1", at["b"], n)
    d.joint("r3", "revolute", "bar1", "bar2", at["p"], n)
    d.joint("r4", "revolute", "bar2", "crank2", at["c"], n + wrench_one_axis * R[:, 0])
    d.joint("r5", "revolute", "base", "crank2", at["e"], n)
    return d.robot("tilted", "bar1", ["r1", "r5"], at["p"])


def test_a_tilted_plane_is_found_and_seen_undistorted():
    R = spatial.rotation_exp(np.array([0.7, -0.3, 0.4]))
    (scene,) = scenes(tilted_five_bar(R))
    plane = scene.plane
    assert plane is not None
    assert np.allclose(plane.axes @ plane.axes.T, np.eye(2))
    assert np.allclose(plane.axes @ R[:, 2], 0.0, atol=1e-12)
    assert plane.axes[1] @ [0.0, 0.0, 1.0] > 0.0  # up is up
    points = np.array([m.position for m in scene.marks])
    flat, true = plane.project(points), points @ R[:, :2]
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (flat, true)]
    assert np.allclose(*gaps)


def test_one_axis_aside_is_not_planar():
    (scene,) = scenes(tilted_five_bar(np.eye(3), 1e-3))
    assert scene.plane is None


def test_home_is_drawn_without_a_pose():
    r = robot("delta")
    (a,), (b,) = scenes(r), scenes(r, r.home_pose)
    assert np.allclose(a.points, b.points, atol=1e-9)


def test_a_machine_hangs_from_its_ceiling():
    for name, sign in (("delta", 1.0), ("gough_stewart", -1.0)):
        (scene,) = scenes(robot(name))
        for mark in scene.marks:
            assert mark.ground is None or mark.ground @ [0, 0, 1] == sign


def test_poses_that_cannot_be_are_refused_by_number():
    r = robot("delta")
    far = r.home_pose.copy()
    far[2, 3] -= 10.0
    with pytest.raises(gough.GoughError, match="sample 1"):
        scenes(r, np.stack([r.home_pose, far]))
    with pytest.raises(gough.errors.UnreachablePose):
        scenes(r, far)
    with pytest.raises(gough.errors.InputError, match="no pose"):
        scenes(r, np.zeros((0, 4, 4)))
    with pytest.raises(gough.errors.InputError, match="shape"):
        scenes(r, np.zeros(3))
    with pytest.raises(gough.errors.InputError, match=r"gough\.Robot"):
        scenes("delta")


def test_every_kind_of_joint_has_a_picture():
    assert set(joints3d._SOLIDS) == set(KINDS)
