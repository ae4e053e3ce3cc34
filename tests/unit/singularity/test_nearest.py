"""The nearest Type 2 pose against loci that are known in closed form."""

import json

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import InputError
from gough.singularity.nearest import nearest_type_2
from gough.singularity.singularities import singularities
from numbers_robots import gs_ref
from robots import robot


def turns(a, b):
    """Which way b turns from a, in the plane."""
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def five_bar_locus():
    """Tips of the zoo's five-bar with both bars in line, on home's side of both cranks."""
    crank, bar, foot = 0.3, 0.42, 0.16
    angle = np.linspace(0.0, 2.0 * np.pi, 200_001)
    one = np.stack([crank * np.cos(angle) - foot, crank * np.sin(angle)], axis=1)
    # the other elbow: at a distance of both bars from the first, and of a crank from its foot
    way = np.array([foot, 0.0]) - one
    d = np.linalg.norm(way, axis=1)
    along = (d**2 + (2 * bar) ** 2 - crank**2) / (2 * d)
    across = (2 * bar) ** 2 - along**2
    known = across > 0.0
    one, way, d, along = one[known], way[known], d[known], along[known]
    for side in (1.0, -1.0):
        e = way / d[:, None]
        normal = np.stack([-e[:, 1], e[:, 0]], axis=1)
        two = one + along[:, None] * e + side * np.sqrt(across[known])[:, None] * normal
        tip = 0.5 * (one + two)
        # home has its elbows outside
        left = turns(one - [-foot, 0.0], tip - one) < 0.0
        right = turns(two - [foot, 0.0], tip - two) > 0.0
        yield tip[left & right]


def to_the_locus(tip):
    """Distance of a tip from all that are singular."""
    return min(np.linalg.norm(tips - tip, axis=1).min() for tips in five_bar_locus() if len(tips))


def test_five_bar_against_its_locus():
    r = robot("five_bar")
    T = gough.state(r, [0.03, 0.22]).T_0p
    found = nearest_type_2(r, T, radius=0.1)
    expected = to_the_locus(T[:2, 3])
    assert found.found
    assert found.distance == pytest.approx(expected, abs=1e-7)
    assert singularities(r.rehomed(found.branch), found.T_0p).kinds == ("Type 2",)
    assert np.linalg.norm(found.displacement) == pytest.approx(found.distance, rel=1e-12)
    json.dumps(found.to_dict())


@pytest.mark.parametrize("at", [(0.25, 0.45), (-0.25, 0.45)])
def test_round_the_corner(at):
    """Straight ways end where a leg is stretched; the mirror image must have the same answer."""
    r = robot("five_bar")
    found = nearest_type_2(r, gough.state(r, at).T_0p)
    assert found.distance == pytest.approx(to_the_locus(at), abs=1e-6)
    assert found.places > 0


def test_hexapod_turns_to_fichter_s_pose():
    """Nothing is nearer than the rest of the quarter turn, if a radian is worth little."""
    T = spatial.pose(spatial.rotation_z(1.5), np.array([0.0, 0.0, 2.0]))
    found = nearest_type_2(gs_ref(), T, length=1.0, radius=0.1)
    left = 0.5 * np.pi - 1.5
    assert 0.0 < found.distance <= left + 1e-9
    assert singularities(gs_ref(), found.T_0p).kinds == ("Type 2",)
    assert found.distance == pytest.approx(left, rel=1e-6)
    assert "rz 0.0708" in found.sentence


def test_a_singular_pose_is_at_distance_zero():
    T = spatial.pose(spatial.rotation_z(0.5 * np.pi), np.array([0.0, 0.0, 2.0]))
    found = singularities(gs_ref(), T, distance=True)
    assert found.nearest.distance == 0.0
    assert "the pose itself is of Type 2" in str(found)


def test_none_within_the_radius_is_said():
    r = robot("five_bar")
    found = nearest_type_2(r, r.home_pose, radius=0.05)
    assert not found.found
    assert found.T_0p is None
    assert "no Type 2 pose was found within 0.05 m" in found.sentence
    for bad in ({"radius": 0.0}, {"length": np.inf}):
        with pytest.raises(InputError):
            nearest_type_2(r, r.home_pose, **bad)
    with pytest.raises(InputError):
        nearest_type_2(r, r.home_pose[None])
