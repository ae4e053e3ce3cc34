"""Type 2 within the stroke of the motors: against dense grids, closed forms and known poses."""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import GoughWarning, InputError
from gough.geometry.newton import AssembledState
from gough.robot import Axis, Limits
from gough.singularity.nearest import nearest_type_2
from gough.singularity.singularities import singularities
from gough.singularity.stroke.places import Stroke
from gough.singularity.stroke.ways import followed
from numbers_robots import gs_ref
from robots import robot


def limited(r, limits):
    """The robot with position limits of some axes."""
    joints = []
    for joint in r.joints:
        axes = list(joint.axes) or [Axis() for _ in joint.axis_names]
        for i, name in enumerate(joint.axis_names):
            if name in limits:
                axes[i] = replace(axes[i], limits=Limits(position=limits[name]))
        joints.append(replace(joint, axes=tuple(axes)))
    return replace(r, joints=tuple(joints))


@cache
def stroked(name, half, *more):
    """A robot of the zoo whose motors go so far to both sides of home; further limits."""
    r = robot(name)
    home = r.assembly.home_values
    return limited(r, {m: (home[m] - half, home[m] + half) for m in r.motors} | dict(more))


def grid(r, count):
    """Motor positions on a grid of the stroke, in an order from neighbour to neighbour."""
    axes = [np.linspace(*r.axis(m).limits.position, count) for m in r.motors]
    rows = [[]]
    for axis in axes:
        turned = ((k % 2, row) for k, row in enumerate(rows))
        rows = [[*row, x] for back, row in turned for x in (axis[::-1] if back else axis)]
    return np.array(rows)


@pytest.mark.parametrize(("name", "half", "count"), [("five_bar", 0.3, 41), ("three_rrr", 0.1, 13)])
def test_the_smallest_measure_is_that_of_a_dense_grid(name, half, count):
    """The grid is followed by ``gough.track``, whose measures come another way."""
    r = stroked(name, half)
    measures = gough.track(r, grid(r, count)).smallest
    found = nearest_type_2(r, within_limits=True, starts=20)
    assert not found.found
    # both minima are at a corner, which is a point of the grid; a descent ends 1e-7 beside it
    assert found.measure == pytest.approx(measures.min(), abs=1e-6)
    assert found.ends == {"reached": 20 + len(found.corners)}
    low, high = np.array([r.axis(m).limits.position for m in r.motors]).T
    assert (low - 1e-9 <= found.q_a).all()
    assert (found.q_a <= high + 1e-9).all()
    # the pose belongs to these motors, and has this measure
    there = singularities(r.rehomed(found.branch), found.T_0p, length=found.length)
    assert there.type_2.smallest == pytest.approx(found.measure, abs=1e-9)
    for word in (
        "was found",
        f"{found.measure:.4g}",
        f"{len(found.corners)} corners and 20 starts",
    ):
        assert word in found.sentence
    assert "a search, not a proof" in found.sentence
    assert "free" not in found.sentence


def test_an_inner_minimum_is_found():
    """The Delta's is on an edge of the stroke, at no corner: 11 points a side are 1e-5 above it."""
    r = stroked("delta", 0.5)
    measures = gough.track(r, grid(r, 11)).smallest
    found = nearest_type_2(r, within_limits=True, starts=20)
    least = min(corner.smallest for corner in found.corners)
    assert measures.min() - 2e-5 < found.measure <= measures.min()
    assert found.measure < least - 0.02
    assert len(found.at_limits) == 2
    assert found.agreed[0] > 1


def test_stretched_forearms_of_a_five_bar():
    """On the way to corner +- both bars are in line where the elbows are two bars apart."""
    r = stroked("five_bar", 0.6)
    found = nearest_type_2(r, within_limits=True, starts=20)
    assert found.found
    home = np.array([r.assembly.home_values[m] for m in r.motors])
    way = np.array([0.6, -0.6])
    share = np.linspace(0.0, 1.0, 100_001)
    angles = home + share[:, None] * way
    foot = np.array([-0.16, 0.16])
    apart = np.hypot(
        np.diff(foot + 0.3 * np.cos(angles), axis=1), np.diff(0.3 * np.sin(angles), axis=1)
    )[:, 0]
    first = share[np.argmax(apart > 2 * 0.42)]
    (corner,) = [c for c in found.corners if c.corner == "+-"]
    assert corner.end == "Type 2"
    assert corner.share == pytest.approx(first, abs=2e-5)  # steps of the comparison
    # of all ways this is the shortest to a singularity: the machine and its stroke are symmetric
    assert found.on_the_way == "corner +-"
    assert found.q_a == pytest.approx(home + corner.share * way, abs=1e-9)
    assert singularities(r.rehomed(found.branch), found.T_0p).kinds == ("Type 2",)
    assert found.sentence.startswith("singular within the stroke: Type 2 at foot1 2.619")
    assert "rotate about the axis" in found.sentence


def test_a_hexapod_turned_by_a_quarter_turn():
    """Fichter's pose: legs 1, 3, 5 shorter and 2, 4, 6 longer turn the platform about its axis.

    At 90 degrees leg k has ``l^2 = z^2 + 9 + 1 - 6 cos(a)``, a = 42.5 or 137.5 degrees, and at home
    ``l^2 = 14 - 6 cos(47.5 deg)``; both legs change by the same length.
    """
    home = np.sqrt(14.0 - 6.0 * np.cos(np.radians(47.5)))
    change = 6.0 * (np.cos(np.radians(42.5)) - np.cos(np.radians(137.5))) / (4.0 * home)
    assert 0.0 < change < 0.8
    r = limited(gs_ref(), {f"p{k}": (home - 0.8, home + 0.8) for k in range(1, 7)})
    s = Stroke(r.assembly, r.length)
    start = s.start(AssembledState(*r.assembly.start))
    turned = home + 0.8 * np.array([[-1.0, 1.0] * 3, [1.0, -1.0] * 3])
    ways = followed(s, start, turned, lambda _: None)
    assert ways.reasons == ["Type 2", "Type 2"]
    assert ways.share == pytest.approx(change / 0.8, abs=1e-9)
    for T, yaw in zip(ways.ends.T_0p, (0.5 * np.pi, -0.5 * np.pi), strict=True):
        assert T[:3, :3] == pytest.approx(spatial.rotation_z(yaw), abs=1e-7)


def test_limits_of_passive_joints_count():
    """With the elbow kept from opening, the smallest measure is that of the grid's other points."""
    free = stroked("five_bar", 0.3)
    home = free.assembly.home_values["elbow1"]
    r = stroked("five_bar", 0.3, ("elbow1", (home - 0.25, home + 0.25)))
    found = nearest_type_2(r, within_limits=True, starts=20)
    q = grid(free, 41)
    track = gough.track(free, q)
    knee = np.stack([0.3 * np.cos(q[:, 0]) - 0.16, 0.3 * np.sin(q[:, 0])], axis=1)
    bar = track.T_0p[:, :2, 3] - knee
    elbow = np.arctan2(bar[:, 1], bar[:, 0]) - q[:, 0]
    inside = np.abs((elbow - home + np.pi) % (2.0 * np.pi) - np.pi) <= 0.25
    assert inside.any()
    assert not inside.all()
    assert found.measure > track.smallest.min() + 0.01
    # the minimum is on the limit between points of the grid, 0.015 rad apart
    assert found.measure <= track.smallest[inside].min() + 1e-6
    assert found.measure == pytest.approx(track.smallest[inside].min(), abs=0.02)
    assert found.at_limits["elbow1"]
    assert found.stopped_by["elbow1"] == found.ends["limit"]


def test_tilt_of_a_ball_counts():
    """The largest tilt, read off the bodies of the pose found, is the limit."""
    free = robot("tilt_3rps")
    home = free.assembly.home_values
    balls = [joint.name for joint in free.joints if joint.kind == "spherical"]

    def tilts(r, T):
        bodies = gough.posture(r, T).bodies
        for joint in (r.joint(name) for name in balls):
            A = bodies[joint.parent] @ joint.parent_frame.matrix
            B = bodies[joint.child] @ joint.child_frame.matrix
            yield float(np.arccos(A[:3, 2] @ B[:3, 2]))

    largest = max(tilts(free, free.home_pose)) + 0.1
    motors = {m: (home[m] - 0.2, home[m] + 0.2) for m in free.motors}
    r = limited(free, motors | dict.fromkeys(balls, (0.0, largest)))
    found = nearest_type_2(r, within_limits=True, starts=10)
    assert set(found.stopped_by) == set(balls)
    assert max(tilts(r, found.T_0p)) <= largest + 1e-9
    assert max(tilts(r, found.T_0p)) == pytest.approx(largest, abs=1e-3)


def test_slopes_are_those_of_differences():
    """At a posture without symmetry; forward differences over 1e-6 are right to 1e-6."""
    r = stroked("delta", 0.5)
    s = Stroke(r.assembly, 0.5)  # another length than the robot's own
    home = s.start(AssembledState(*r.assembly.start))
    place = followed(s, home, home.q + np.array([0.3, -0.2, 0.1]), lambda _: None).ends
    slopes = s.slopes(place, s.measured(place))[0]
    for j, slope in enumerate(slopes):
        ends = []
        for step in (1e-4, -1e-4):
            there = s.moved(place, step * place.basis[:, :, j])
            for _ in range(3):
                there = s.moved(there, there.closing)
            ends.append(s.measured(there).type_2[0])
        # central differences over 1e-4 leave 1e-8
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=5e-6)


def test_motors_drive_through_a_stretched_leg():
    """Far corners of a five-bar lie beyond Type 1; ``gough.track`` finds the same poses there."""
    r = stroked("five_bar", 1.5)
    s = Stroke(r.assembly, r.length)
    home = s.start(AssembledState(*r.assembly.start))
    goals = np.array(list(product(*(r.axis(m).limits.position for m in r.motors))))
    ways = followed(s, home, goals, lambda _: None)
    lines = np.linspace(home.q[0], goals, 9).swapaxes(0, 1)
    with pytest.warns(GoughWarning, match="two assembly modes meet"):
        tracked = gough.track(r, lines, on_error="nan")
    assert tracked.crossings
    arrived = np.array([reason == "reached" for reason in ways.reasons])
    assert arrived.any()
    assert not arrived.all()
    assert (tracked.converged[:, -1] == arrived).all()
    # states on the way are closed to 1e-10
    assert tracked.T_0p[arrived, -1] == pytest.approx(ways.ends.T_0p[arrived], abs=1e-8)


def test_redundant_motors_follow_those_that_lead():
    r = stroked("four_rrr", 0.3)
    found = nearest_type_2(r, within_limits=True, starts=10)
    assert {len(c.corner.replace(".", "")) for c in found.corners} == {3}
    assert found.stopped_by
    assert set(found.stopped_by) <= set(r.motors)
    assert 0.0 < found.measure < found.at_start


def test_it_is_reproducible_and_plain():
    r = stroked("five_bar", 0.3)
    one, two = (nearest_type_2(r, within_limits=True, starts=5, seed=3) for _ in range(2))
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())
    assert one.to_dict()["radius"] is None
    assert list(one.columns()["corner"]) == ["--", "-+", "+-", "++"]
    assert "corner +-" in str(one)
    shares = []
    nearest_type_2(r, within_limits=True, starts=5, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_cannot_be_searched_is_refused():
    bare = robot("five_bar")
    with pytest.raises(InputError, match="2 motors without position limits: 'foot1', 'foot2'"):
        nearest_type_2(bare, within_limits=True)
    r = stroked("five_bar", 0.3)
    outside = gough.state(r, [0.1, 0.2]).T_0p
    with pytest.raises(InputError, match="outside its limits"):
        nearest_type_2(r, outside, within_limits=True)
    with pytest.raises(InputError, match="radius"):
        nearest_type_2(r, within_limits=True, radius=0.1)
    with pytest.raises(InputError, match="starts"):
        nearest_type_2(r, starts=3)


def test_a_singular_start_is_said():
    r = stroked("five_bar", 0.6)
    there = nearest_type_2(r, within_limits=True, starts=0)
    found = nearest_type_2(r.rehomed(there.branch), within_limits=True)
    assert found.found
    assert "the start itself is of Type 2" in found.sentence
