"""Excursions against machines whose reach is known by hand, and against leg lengths."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough.base.english import listed
from gough.build import drawn_chain, machine
from gough.errors import InputError, SingularPose
from gough.evaluation.loops.closing import Closer
from gough.singularity.workspace.boxing import box_together
from gough.singularity.workspace.walking import STEP, Walker
from robots import robot as robot_of

FEET, LONG = (-0.16, 0.16), 0.72  # of the five-bar: both links of a leg in line
TOLERANCE = 1e-6  # what is promised, twice for the sum of two steps


@cache
def five_bar():
    return gough.envelope(robot_of("five_bar"), starts=2)


def test_each_freedom_alone_ends_where_a_leg_is_stretched():
    found, (x, y) = five_bar(), five_bar().home
    right = np.sqrt(LONG**2 - y**2) + FEET[0] - x
    assert found.alone["x"].plus == pytest.approx(right, abs=2 * TOLERANCE)
    assert found.alone["x"].minus == pytest.approx(-right, abs=2 * TOLERANCE)
    up = np.sqrt(LONG**2 - FEET[0] ** 2) - y
    assert found.alone["y"].plus == pytest.approx(up, abs=2 * TOLERANCE)
    assert found.alone["x"].ends == (
        "reach: leg prox2 is stretched or folded (Type 1)",
        "reach: leg prox1 is stretched or folded (Type 1)",
    )
    assert found.alone["y"].ends[0] == "Type 2 singularity"
    below = gough.state(robot_of("five_bar"), found.alone["y"].at[0]).T_0p
    # a tolerance from the singular pose the measure is of the order of the tolerance, or its root
    assert gough.singularities(robot_of("five_bar"), below).type_2.smallest < 1e-2


def test_in_combination_the_other_freedom_moves_as_needed():
    found = five_bar()
    # two discs around the feet overlap as far as x = 0.56, at y = 0; searches end within 1e-3
    assert found.combined["x"].plus == pytest.approx(LONG - FEET[1], rel=1e-3)
    assert found.combined["x"].at[1][1] == pytest.approx(0.0, abs=0.02)
    for name, one in found.alone.items():
        both = found.combined[name]
        assert both.minus <= one.minus
        assert both.plus >= one.plus


def test_the_box_of_all_freedoms_is_reached_and_touches_the_border():
    found, box = five_bar(), five_bar().together
    corners = [found.home + np.where(u, box.plus, box.minus) for u in product((0, 1), repeat=2)]
    away = np.linalg.norm(np.array(corners)[:, None] - np.array([[f, 0.0] for f in FEET]), axis=2)
    assert away.max() < LONG
    assert away.max() == pytest.approx(LONG, abs=1e-4)  # a corner between two random ways
    np.testing.assert_allclose(
        box.plus, box.share * np.array([e.plus for e in found.alone.values()])
    )


def gantry(low, high, speed=2.0, effort=100.0):
    """Three slides across each other, home at zero: all that limits allow is a box."""
    axes = [
        gough.Axis(limits=gough.Limits(position=(a, b), velocity=speed, effort=effort))
        for a, b in zip(low, high, strict=True)
    ]
    leg = drawn_chain(
        "P* P* P*",
        points=[(0.0, 0.0, 0.0)] * 3,
        directions=np.eye(3).tolist(),
        leg=1,
        links={"bridge": None, "cart": None},
        axes=axes,
        end_pose=gough.Frame((0.0, 0.0, 0.1)),
    )
    tool = gough.inertia.sphere(2.0, 0.05)
    return machine("gantry", [leg], platform=tool, home=gough.Frame((0.0, 0.0, 0.1)))


def test_slides_have_their_strokes_and_the_rates_of_a_mass():
    low, high = (-0.06, -0.04, -0.02), (0.1, 0.06, 0.05)
    found = gough.envelope(gantry(low, high), starts=1)
    for kind in (found.alone, found.combined):
        for i, one in enumerate(kind.values()):
            assert (one.minus, one.plus) == pytest.approx((low[i], high[i]), abs=2 * TOLERANCE)
    assert found.alone["x"].ends == ("lower limit of p1a (-0.06 m)", "upper limit of p1a (0.1 m)")
    assert found.together.share > 1.0 - 1e-4
    np.testing.assert_allclose(found.rates.velocity, 2.0)
    up = 100.0 / 2.0 - 9.81  # force over mass, against gravity
    np.testing.assert_allclose(found.rates.acceleration[2], [up + 2 * 9.81, up])
    np.testing.assert_allclose(found.rates.acceleration[:2], 50.0)
    table = found.columns()
    assert table["alone_plus"].tolist() == [one.plus for one in found.alone.values()]
    assert "together x" in str(found)


ANGLES = np.radians([[-10, 10, 110, 130, 230, 250], [-50, 50, 70, 170, 190, 290]])
BASE, PLATFORM = (
    np.column_stack([r * np.cos(a), r * np.sin(a), 0.0 * a])
    for r, a in zip((0.5, 0.3), ANGLES, strict=True)
)


@cache
def hexapod(stroke=(0.55, 0.85)):
    home = gough.Frame((0.0, 0.0, 0.6))
    axis = gough.Axis(limits=gough.Limits(position=stroke))
    legs = [gough.build.Leg(motor=axis)] * 6
    return gough.build.hexapod(BASE, PLATFORM, legs=legs, home=home)


def lengths(x):
    """Leg lengths at positions and rotation vectors (..., 6)."""
    R = Rotation.from_rotvec(x[..., 3:].reshape(-1, 3)).as_matrix().reshape(*x.shape[:-1], 3, 3)
    tips = x[..., None, :3] + np.einsum("...ij,kj->...ki", R, PLATFORM)
    return np.linalg.norm(tips - BASE, axis=-1)


def test_strokes_of_a_hexapod_end_its_excursions():
    walker = Walker(Closer(hexapod().assembly))
    home = np.array([0.0, 0.0, 0.6, 0.0, 0.0, 0.0])
    half = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    goal = home + np.concatenate([-np.diag(half), np.diag(half)])
    ends = walker.walked(walker.closer.home.repeated(12), goal, 1e-7)
    at = ends.last.y
    long = lengths(at)
    assert (long >= 0.55 - 1e-9).all()
    assert (long <= 0.85 + 1e-9).all()
    limited = [reason.split(" of ")[0] for reason in walker.reasons(ends)]
    for k, word in enumerate(limited):
        # legs change by at most a metre, or half a metre for a radian
        gap = {"lower limit": long[k].min() - 0.55, "upper limit": 0.85 - long[k].max()}
        assert gap[word] == pytest.approx(0.0, abs=1e-6)
        between = home + np.linspace(0.0, ends.share[k], 50)[:, None] * (goal[k] - home)
        assert (lengths(between) >= 0.55 - 1e-9).all()
        assert (lengths(between) <= 0.85 + 1e-9).all()
    minus = np.array([(at[i] - home)[i] for i in range(6)])
    plus = np.array([(at[6 + i] - home)[i] for i in range(6)])
    box = box_together(walker, minus, plus, 1e-6)
    u = np.random.default_rng(5).uniform(-1.0, 1.0, size=(4000, 6))
    inside = home + np.where(u < 0.0, -u * box.minus, u * box.plus)
    # ways between those that were followed may be a little shorter
    assert lengths(inside).min() > 0.55 - 1e-3
    assert lengths(inside).max() < 0.85 + 1e-3
    assert box.fresh == 800
    end = lengths(box.at)
    assert min(end.min() - 0.55, 0.85 - end.max()) == pytest.approx(0.0, abs=1e-5)
    assert (np.abs(box.at - home) <= np.maximum(box.plus, -box.minus) + 1e-9).all()


def test_short_strokes_are_found_to_a_share_of_them_and_limits_told_apart():
    """A piezo positioner: strokes of 20 um, ten thousand times shorter than the machine."""
    home = np.array([0.0, 0.0, 0.6, 0.0, 0.0, 0.0])
    length, stroke = lengths(home)[0], 20e-6
    limits = (length - 0.5 * stroke, length + 0.5 * stroke)
    found = gough.envelope(hexapod(limits), starts=1)
    # upright all legs change alike; they are found to 1e-6, limits are rounded by 1e-7 of strokes
    high = [np.sqrt(end**2 - length**2 + 0.6**2) - 0.6 for end in limits]
    for kind in (found.alone, found.combined):
        assert (kind["z"].minus, kind["z"].plus) == pytest.approx(high, rel=1e-5)
    for i, one in enumerate(found.alone.values()):
        for at in home + np.outer([one.minus, one.plus], np.eye(6)[i]):
            nearest = np.abs(lengths(at) - length).max()
            assert nearest == pytest.approx(0.5 * stroke, rel=1e-5)
    for name, one in found.combined.items():
        assert one.plus >= found.alone[name].plus
        for end, at in zip(one.ends, one.at, strict=True):
            off = (lengths(at) - length) / stroke
            low, high = np.flatnonzero(off < -0.49), np.flatnonzero(off > 0.49)
            assert len(low) + len(high) > 0
            words = [
                f"{side} limit{'s' if len(legs) > 1 else ''} of {listed(f'p{k + 1}' for k in legs)}"
                for side, legs in (("lower", low), ("upper", high))
                if len(legs)
            ]
            if "(" not in end:  # alone is as far, and says one limit with its value
                assert end == ", ".join(words)
    assert found.together.end.split("(")[1] in {f"{end:.8g} m)" for end in limits}
    assert "alone to 1e-06 of each" in str(found)


def test_what_is_refused():
    with pytest.raises(InputError, match="home is beyond the lower limit of") as refused:
        gough.envelope(hexapod((0.8, 0.9)))
    assert "limits=False (--no-limits in a command)" in str(refused.value)
    with pytest.raises(InputError, match="at most"):
        gough.envelope(robot_of("five_bar"), starts=10**6)
    assert STEP == five_bar().step


def test_a_singular_home_is_on_no_side(monkeypatch):
    walker = Walker(Closer(robot_of("five_bar").assembly))
    monkeypatch.setattr("gough.singularity.workspace.walking.SINGULAR", 10.0)
    with pytest.raises(SingularPose, match="home is on a Type 1 singularity"):
        Walker(walker.closer)
