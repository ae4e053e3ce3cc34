"""Volumes and what fits in them, against closed forms that take nothing from the library."""

from functools import cache

import numpy as np
import pytest

import gough
from gough.build import drawn_chain, machine
from gough.errors import InputError
from gough.singularity.workspace.section import span_words
from robots import robot as robot_of

RB, RP, ARM, BAR = 0.16, 0.05, 0.2, 0.48  # of the zoo's Delta


def delta_can(points):
    """Whether a Delta reaches points (..., 3), its elbows out, before its bars lie in a plane."""
    x, y, z = np.moveaxis(points, -1, 0)
    reached, bars = np.ones(x.shape, dtype=bool), []
    for angle in 2.0 * np.pi * np.arange(3) / 3.0:
        c, s = np.cos(angle), np.sin(angle)
        out, side = c * x + s * y + RP - RB, c * y - s * x
        # (out - ARM cos q)^2 + side^2 + (z + ARM sin q)^2 = BAR^2
        k = (out**2 + side**2 + z**2 + ARM**2 - BAR**2) / (2.0 * ARM)
        far = np.hypot(out, z)
        reached &= np.abs(k) <= far
        q = np.arctan2(-z, out) - np.arccos(np.clip(k / far, -1.0, 1.0))
        bar = np.stack([out - ARM * np.cos(q), side, z + ARM * np.sin(q)], axis=-1)
        turned = [c * bar[..., 0] - s * bar[..., 1], s * bar[..., 0] + c * bar[..., 1], bar[..., 2]]
        bars.append(np.stack(turned, axis=-1))
    return reached & (np.linalg.det(np.stack(bars, axis=-2)) < 0.0)  # as at home


@cache
def delta():
    # below the arms there is one part only
    return gough.workspace_volume(
        robot_of("delta"), x=(-0.6, 0.6, 17), y=(-0.6, 0.6, 17), z=(-0.68, -0.25, 11)
    )


def test_the_volume_of_a_delta_is_that_of_its_closed_form():
    found = delta()
    spans = np.array([[-0.6, 0.6], [-0.6, 0.6], [-0.68, -0.25]])
    points = np.random.default_rng(0).uniform(*spans.T, size=(400_000, 3))
    share = delta_can(points).mean()
    volume = share * np.prod(np.ptp(spans, axis=1))
    spread = volume * np.sqrt((1.0 - share) / share / len(points))
    assert abs(found.volume - volume) < found.volume_error + 3.0 * spread
    assert found.volume_error < 0.05 * volume
    assert found.open_ends == ("z",)
    # extents: no point that is reached lies outside by more than a tip between lattice lines
    reached = points[delta_can(points)]
    assert np.abs(reached.min(axis=0) - found.extents[:, 0]).max() < 0.03
    assert np.abs(reached.max(axis=0) - found.extents[:, 1]).max() < 0.03


def test_points_of_the_border_are_on_it():
    found = delta()
    low, high = found.section.values[2][[0, -1]]
    inner = found.border[(found.border[:, 2] > low + 1e-9) & (found.border[:, 2] < high - 1e-9)]
    centre = np.array([0.0, 0.0, -0.4])
    assert delta_can(inner + 1e-6 * (centre - inner)).mean() > 0.999
    # half a cell further along the line at least one neighbour is outside
    steps = 0.05 * found.section.spacing
    beside = inner[:, None] + np.concatenate([np.diag(steps), -np.diag(steps)])
    assert (~delta_can(beside)).any(axis=1).mean() > 0.99


def test_cylinder_and_box_lie_inside_and_are_nearly_the_largest():
    found = delta()
    rng = np.random.default_rng(3)
    turn, wide, up = rng.uniform(size=(3, 20_000))
    one = found.cylinder
    assert one.axis == "z"
    wide = one.radius * np.sqrt(np.where(up < 0.5, wide, 1.0))
    height = rng.uniform(-0.5, 0.5, size=len(up)) if False else np.where(up < 0.5, -0.5, up - 0.5)
    around = np.stack([np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn)], axis=-1)
    surface = np.column_stack([wide[:, None] * around, one.height * height]) + one.center
    assert delta_can(surface).all()
    # upright around the middle, the best by brute force
    z = np.linspace(-0.6, -0.25, 71)
    r = np.linspace(0.0, 0.5, 251)
    ring = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, 48)])
    can = delta_can(r[:, None, None, None] * ring + z[:, None, None] * np.array([0, 0, 1.0]))
    widest = r[np.argmin(np.vstack([can.all(axis=2), np.zeros(len(z), dtype=bool)]), axis=0) - 1]
    best = max(
        np.pi * widest[i:j].min() ** 2 * (z[j - 1] - z[i])
        for i in range(len(z))
        for j in range(i + 2, len(z) + 1)
    )
    assert 0.95 * best < one.volume < 1.03 * best  # brute force is known to 1 % of a radius
    u = rng.uniform(size=(20_000, 3))
    u[np.arange(len(u)), rng.integers(0, 3, size=len(u))] = rng.integers(0, 2, size=len(u))
    box = found.box
    assert delta_can(box.low + u * box.sides).all()
    assert box.volume > 0.0475  # a random search with the closed form found 0.0534


def test_a_hole_is_left_out_and_a_given_height_kept():
    """A turning arm of two links on a column: a ring, whose largest cylinder is as wide as it."""
    first, second, top = 0.5, 0.3, 0.3
    home = gough.Frame((first, second, 0.1))
    leg = drawn_chain(
        "P* R* R*",
        points=[(0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (first, 0.0, 0.0)],
        directions=[(0.0, 0.0, 1.0)] * 3,
        leg=1,
        links={"column": None, "arm": None},
        axes=[gough.Axis(limits=gough.Limits(position=(-0.1, top - 0.1))), None, None],
        end_pose=home,
    )
    robot = machine("ring", [leg], platform=gough.inertia.sphere(1.0, 0.05), home=home)
    found = gough.workspace_volume(
        robot, x=(-0.9, 0.9, 19), y=(-0.9, 0.9, 19), z=(-0.05, 0.35, 5), height=0.2
    )
    inner, outer = first - second, first + second
    volume = np.pi * (outer**2 - inner**2) * top
    assert abs(found.volume - volume) < found.volume_error
    assert found.cylinder.height == pytest.approx(0.2)
    # where shapes touch the border they are shrunk until fresh points hold: a few per cent
    assert found.cylinder.radius == pytest.approx(second, rel=0.05)
    assert found.cylinder.radius < second
    assert np.linalg.norm(found.cylinder.center[:2]) == pytest.approx(first, abs=0.03)
    corners = np.array(np.meshgrid(*np.stack([found.box.low, found.box.high]).T)).reshape(3, -1).T
    assert np.linalg.norm(corners[:, :2], axis=1).max() < outer
    low, high = found.box.low, found.box.high
    nearest = np.maximum(np.maximum(low[:2], -high[:2]), 0.0)
    assert np.linalg.norm(nearest) > inner
    np.testing.assert_allclose(found.extents[2], [0.0, top], atol=0.01)


def test_short_strokes_have_a_lattice_of_their_size():
    """Strokes of 2 mm in a machine of half a metre: its workspace is between pairs of spheres."""
    angles = np.radians([[-8, 8, 112, 128, 232, 248], [-52, 52, 68, 172, 188, 292]])
    base, platform = (
        np.column_stack([r * np.cos(a), r * np.sin(a), 0.0 * a])
        for r, a in zip((0.5, 0.3), angles, strict=True)
    )
    home = np.array([0.0, 0.0, 0.5])
    middle = np.linalg.norm(platform[0] + home - base[0])
    axis = gough.Axis(limits=gough.Limits(position=(middle - 1e-3, middle + 1e-3)))
    legs = [gough.build.Leg(motor=axis)] * 6
    robot = gough.build.hexapod(base, platform, legs=legs, home=gough.Frame(tuple(home)))
    found = gough.workspace(robot, x=13, y=13, z=13)
    points = home + np.random.default_rng(0).uniform(-2.2e-3, 2.2e-3, size=(100_000, 3))
    lengths = np.linalg.norm(points[:, None] + platform - base, axis=2)
    volume = (np.abs(lengths - middle) < 1e-3).all(axis=1).mean() * 4.4e-3**3
    # a count of cells across ten of them
    assert found.areas[0] == pytest.approx(volume, rel=0.15)
    assert (found.component > 0).mean() > 0.05
    assert (gough.workspace(robot, x=13, y=13).component > 0).mean() > 0.3


def test_slides_of_micrometres_have_their_strokes_as_volume_and_box():
    """A stage with strokes of 20, 30 and 40 um, 0.1 m above its base."""
    strokes = np.array([20e-6, 30e-6, 40e-6])
    home = gough.Frame((0.0, 0.0, 0.1))
    leg = drawn_chain(
        "P* P* P*",
        points=[(0.0, 0.0, 0.0)] * 3,
        directions=np.eye(3).tolist(),
        leg=1,
        links={"bridge": None, "cart": None},
        axes=[gough.Axis(limits=gough.Limits(position=(-0.4 * s, 0.6 * s))) for s in strokes],
        end_pose=home,
    )
    robot = machine("stage", [leg], platform=gough.inertia.sphere(1.0, 0.05), home=home)
    found = gough.workspace_volume(robot, x=9, y=9, z=9)
    low = np.array([0.0, 0.0, 0.1]) - 0.4 * strokes
    # borders are found to 1/128 of a cell, at nine points an eighth of the span; shapes to 1/32
    np.testing.assert_allclose(found.extents, np.stack([low, low + strokes], axis=1), atol=1e-7)
    assert abs(found.volume - strokes.prod()) < found.volume_error + 0.02 * strokes.prod()
    assert found.box.volume == pytest.approx(strokes.prod(), rel=0.03)
    assert found.box.volume < strokes.prod()
    assert found.cylinder.radius == pytest.approx(10e-6, rel=0.03)
    assert found.cylinder.height == pytest.approx(40e-6, rel=0.03)
    assert not found.open_ends
    assert span_words("z", *found.extents[2]) in str(found)
    assert span_words("z", 0.099984, 0.100024) == "0.099984 to 0.100024 m"


def test_what_does_not_fit_or_is_too_coarse_is_said():
    spans = {"x": (-0.6, 0.6, 5), "y": (-0.6, 0.6, 5), "z": (-0.68, -0.25, 4)}
    for given, told in (
        ({"height": 50.0}, "no cylinder of height 50 m fits along z"),
        ({"diameter": 50.0}, "no cylinder of diameter 50 m fits along z"),
    ):
        with np.errstate(all="raise"):
            found = gough.workspace_volume(robot_of("delta"), **spans, **given)
        assert found.cylinder is None
        assert found.no_cylinder == told
        assert told in str(found)
    assert found.volume_error > 0.2 * found.volume
    assert "the error is" in str(found)
    assert "--x 41 --y 41 --z 41" in str(found)
    assert "too coarse" not in str(delta())
    assert delta().no_cylinder == ""


def test_a_planar_machine_has_a_cylinder_along_its_turn():
    spans = {"x": (-0.03, 0.03, 3), "y": (-0.03, 0.03, 3), "rz": (-0.1, 0.1, 3)}
    found = gough.workspace_volume(robot_of("three_rrr"), **spans)
    assert found.section.unit == "m² rad"
    assert found.cylinder.axis == "rz"
    assert found.cylinder.height == pytest.approx(0.2)
    assert found.volume == pytest.approx(0.06 * 0.06 * 0.2)  # all of the section is free
    with pytest.raises(InputError, match="three dimensions"):
        found.draw(axes=object())


def test_what_is_said_and_drawn():
    found = delta()
    data = found.to_dict()
    assert data["cylinder"]["radius"] == found.cylinder.radius
    assert data["extents"]["x"] == found.extents[0].tolist()
    assert "the section ends before the workspace along z" in str(found)
    corners, faces = found.surface()
    a, b, c, d = np.moveaxis(corners[faces], 1, 0)
    by_surface = (np.cross(b - a, c - a) * a).sum() / 6.0 + (np.cross(c - a, d - a) * a).sum() / 6.0
    # closed and outward; between lattice lines it is interpolated, and edges are cut off
    assert by_surface == pytest.approx(found.volume, rel=0.05)
    for shape in ("cylinder", "box", None):
        figure = found.draw(shape=shape)
        (axes,) = figure.axes
        assert axes.get_xlabel() == "x [m]"
        assert len(axes.get_legend().get_texts()) == (1 if shape is None else 2)
    assert len(found.columns()["z"]) == len(found.border)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"x": 5, "y": 5}, "three freedoms, not 2"),
        ({"height": 0.1, "diameter": 0.2}, "both height and diameter"),
        ({"axis": "rz"}, "axis is 'rz'"),
        ({"height": -1.0}, "must be positive"),
    ],
)
def test_what_is_refused(options, told):
    spans = {"x": (-0.01, 0.01, 3), "y": (-0.01, 0.01, 3), "z": (-0.5, -0.4, 3)}
    given = options if "x" in options else spans | options
    with pytest.raises(InputError, match=told):
        gough.workspace_volume(robot_of("delta"), **given)
