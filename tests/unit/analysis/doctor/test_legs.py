"""Legs compared: one point 10 mm off, or one figure of one leg, is named; nothing else is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.analysis.doctor.legs import compare_legs
from gough.analysis.doctor.symmetry import odd_point, odd_value
from gough.base import spatial
from gough.robot import Axis, Limits
from gough.robot.finding import NOTE, WARNING
from robots import ALL_NAMES, REFERENCE_NAMES, mechanism, robot

EXAMPLES = sorted((Path(__file__).parents[4] / "examples" / "robots").glob("*.yaml"))


def moved(r, joint, end, by):
    """The robot with one joint's frame moved."""
    joints = []
    for each in r.joints:
        if each.name == joint:
            frame = getattr(each, f"{end}_frame")
            position = tuple(np.add(frame.position, by).tolist())
            each = replace(each, **{f"{end}_frame": replace(frame, position=position)})
        joints.append(each)
    return replace(r, joints=tuple(joints))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_robots_as_they_are_are_not_suspected(name):
    """Many of them are asymmetric on purpose, by a few millimetres."""
    assert list(compare_legs(robot(name))) == []


@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_reference_robots_are_not_suspected(name):
    assert list(compare_legs(mechanism(name))) == []


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_robots_of_the_examples_lack_nothing(file):
    assert not any(finding.data.get("missing") for finding in compare_legs(gough.load(file)))


# On base and platform, and on bodies of legs; symmetric about z, about a diagonal of the base (c5,
# orthoglide), by mirrored bars (quattro).
MOVED = [
    ("hexapod_6rus", "r3", "parent", "base"),
    ("hexapod_6rus", "s5", "child", "platform"),
    ("hexapod_6rus", "u2", "parent", "arm2"),
    ("delta", "arm2", "parent", "base"),
    ("delta", "b1b", "child", "platform"),
    ("delta", "u3a", "parent", "arm3"),
    ("three_rrr", "foot1", "parent", "base"),
    ("three_rrr", "elbow3", "child", "dist3"),
    ("tilt_3rps", "s2", "child", "platform"),
    ("quattro", "b4a", "child", "half2"),
    ("quattro", "arm1", "parent", "base"),
    ("orthoglide", "p3", "parent", "base"),
    ("c5", "p4", "parent", "base"),
    ("gough_stewart", "p5", "parent", "cyl5"),
]


@pytest.mark.parametrize(("name", "joint", "end", "body"), MOVED)
def test_a_point_10_mm_off_is_named(name, joint, end, body):
    by = {"x": (0.01, 0, 0), "y": (0, -0.01, 0), "z": (0, 0, 0.01), "all": (0.006, 0.008, 0.0)}
    for axis, step in by.items():
        (finding,) = compare_legs(moved(robot(name), joint, end, step))
        assert finding.code == "odd-point"
        assert (finding.joints, finding.bodies) == ((joint,), (body,))
        # the points of these files agree with each other to rounding
        assert finding.data["difference"] == pytest.approx(step, abs=1e-6)
        assert finding.data["distance"] == pytest.approx(0.01, abs=1e-6)
        assert f"joint {joint!r} sits on {body!r}" in finding.sentence
        assert f"joints.{joint}.{end}_frame.position" in finding.advice
        if axis != "all":
            assert f"{axis} by {step['xyz'.index(axis)]:+.4g} m, 0.01 m in all" in finding.sentence


def ring(radius, degrees):
    a = np.radians(degrees)
    return np.stack([radius * np.cos(a), radius * np.sin(a), 0 * a], axis=1)


def test_a_hexapod_from_a_drawing_with_a_mistyped_point():
    """Frames of base and platform are not in the middle, and figures have tenths of millimetres."""
    base = np.round(np.add(ring(0.6, [-12, 12, 108, 132, 228, 252]), [0.3, 0.1, 0.05]), 4)
    top = np.round(np.add(ring(0.3, [-50, 50, 70, 170, 190, 290]), [0.0, 0.02, 0.0]), 4)
    home = gough.Frame((0.3, 0.1, 0.7))
    assert list(compare_legs(gough.build.hexapod(base, top, home=home))) == []
    top[3, 1] += 0.01
    found = gough.doctor(gough.build.hexapod(base, top, home=home))
    (finding,) = found.find("odd-point")
    assert finding in found.warnings
    assert (finding.joints, finding.bodies) == (("s4",), ("platform",))
    assert finding.data["difference"] == pytest.approx((0.0, 0.01, 0.0), abs=2e-4)  # rounding
    assert "3-fold rotation about the axis" in finding.sentence
    assert not found.find("odd-figure")


def test_a_robot_that_does_not_assemble_is_compared_too():
    """A planar machine with a foot above the plane."""
    found = gough.doctor(moved(robot("three_rrr"), "foot1", "parent", (0.0, 0.0, 0.01)))
    assert found.find("not-assembled")
    (finding,) = found.find("odd-point")
    assert finding.joints == ("foot1",)


def test_figures_of_one_leg():
    r = robot("hexapod_6rus")
    axes = {j.name: j.axes for j in r.joints}
    joints = [
        replace(j, axes=(replace(axes["r2"][0], viscous=0.5),)) if j.name == "r2" else j
        for j in r.joints
    ]
    bodies = [replace(b, mass=2.0 * b.mass) if b.name == "rod4" else b for b in r.bodies]
    found = list(compare_legs(replace(r, joints=tuple(joints), bodies=tuple(bodies))))
    assert [finding.code for finding in found] == ["odd-figure", "odd-figure"]
    by_leg = {finding.joints + finding.bodies: finding for finding in found}
    assert by_leg["r2",].data["figures"]["joints.r2.viscous"][0] == 0.5
    assert list(by_leg["rod4",].data["figures"]) == ["bodies.rod4.mass"]
    assert "bodies.rod4.mass is" in by_leg["rod4",].sentence


GIVEN = {
    "motor": gough.Motor(peak=3.0, continuous=1.0),
    "transmission": gough.Transmission(ratio=10.0),
    "spring": gough.Spring(stiffness=5.0),
    "limits.position": (-1.0, 1.0),
    "limits.effort": 20.0,
    "limits.velocity": 30.0,
}


def without(r, odd, *parts):
    """The robot with all of GIVEN at its motors' axes, but for some parts of one of them."""

    def axis(name):
        kept = {key: x for key, x in GIVEN.items() if name != odd or key not in parts}
        limits = {k.removeprefix("limits."): x for k, x in kept.items() if k.startswith("limits.")}
        own = {key: x for key, x in kept.items() if not key.startswith("limits.")}
        friction = {} if name == odd and "viscous" in parts else {"viscous": 0.5}
        return Axis(limits=Limits(**limits), **own, **friction)

    joints = [replace(j, axes=(axis(j.name),)) if j.name in r.motors else j for j in r.joints]
    return replace(r, joints=tuple(joints))


@pytest.mark.parametrize("part", GIVEN)
def test_data_that_one_leg_alone_lacks(part):
    assert list(compare_legs(without(robot("delta"), "arm3"))) == []
    (finding,) = compare_legs(without(robot("delta"), "arm3", part))
    assert (finding.code, finding.severity, finding.joints) == ("odd-figure", NOTE, ("arm3",))
    assert finding.sentence == (
        "leg 'arm3' differs from the 2 legs like it: "
        f"joints.arm3.{part} is missing, the others have it"
    )
    # figures of a part that is not there are not listed one by one
    assert finding.data == {"figures": {}, "missing": [f"joints.arm3.{part}"]}


def test_all_that_one_leg_of_six_lacks_is_one_warning():
    (finding,) = compare_legs(without(robot("hexapod_6rus"), "r2", *GIVEN, "viscous"))
    assert (finding.severity, finding.joints) == (WARNING, ("r2",))
    assert set(finding.data["missing"]) == {f"joints.r2.{part}" for part in GIVEN}
    assert finding.data["figures"] == {"joints.r2.viscous": [0.0, 0.5]}
    assert "joints.r2.viscous is 0, not 0.5; joints.r2.transmission, " in finding.sentence
    assert finding.sentence.endswith("and joints.r2.motor are missing, the others have them")


def test_data_are_not_expected_where_others_lack_them_or_nothing_drives():
    r = without(robot("hexapod_6rus"), "r2", "motor")
    passive = replace(r, motors=tuple(name for name in r.motors if name != "r2"))
    assert list(compare_legs(passive)) == []
    joints = [replace(j, axes=(Axis(),)) if j.name in ("r1", "r4") else j for j in r.joints]
    missing = [f.data["missing"] for f in compare_legs(replace(r, joints=tuple(joints)))]
    assert missing == []


def test_limits_of_one_leg():
    limits = [(0.5, 1.0)] * 6
    limits[2] = (0.5, 1.1)
    legs = [gough.build.Leg(motor=Axis(limits=Limits(position=pair))) for pair in limits]
    base, top = ring(0.6, [-12, 12, 108, 132, 228, 252]), ring(0.3, [-50, 50, 70, 170, 190, 290])
    made = gough.build.hexapod(base, top, legs=legs, home=gough.Frame((0.0, 0.0, 0.6)))
    (finding,) = compare_legs(made)
    assert finding.joints == ("p3",)
    assert "joints.p3.limits.position[1] is 1.1, not 1" in finding.sentence


def test_lengths_are_compared_where_frames_differ():
    """Bodies whose frames are drawn anew in each leg have only their lengths in common."""
    r = moved(robot("drawn_delta"), "u1a", "parent", (0.01, 0.0, 0.0))
    (finding,) = compare_legs(r)
    assert finding.code == "odd-length"
    assert (finding.joints, finding.bodies) == (("u1a", "u1b"), ("arm1",))
    assert finding.data["expected"] == pytest.approx(0.06)


def test_no_majority_no_finding():
    rng = np.random.default_rng(5)
    for count in (3, 4, 6):
        assert odd_point(rng.normal(size=(count, 3))) is None
    # two odd points of six, two of four: neither is a majority
    hexagon = ring(0.5, [-10, 10, 110, 130, 230, 250])
    hexagon[0, 0] += 0.01
    hexagon[2, 1] += 0.01
    assert odd_point(hexagon) is None
    square = ring(0.5, [45, 135, 225, 315])
    square[:2, 0] += 0.01
    assert odd_point(square) is None
    assert odd_value([1.0, 1.0, 2.0, 2.0]) is None
    assert odd_value([1.0, 2.0]) is None


def test_symmetries_are_found_wherever_they_are():
    """Turned and shifted: axes follow from the points; a machine with one mirror names two."""
    R = spatial.rotation_exp(np.array([0.3, -0.5, 0.2]))
    hexagon = ring(0.5, [-10, 10, 110, 130, 230, 250]) @ R.T + [0.2, -0.1, 0.4]
    bent = hexagon.copy()
    bent[4] += [0.006, 0.0, 0.008]
    odd = odd_point(bent)
    assert odd.which == 4
    assert odd.expected == pytest.approx(hexagon[4], abs=1e-9)
    half = np.array([[0.5, 0.1, 0.0], [0.1, 0.6, 0.0], [-0.4, 0.3, 0.1]])
    mirrored = np.concatenate([half, half * [1.0, -1.0, 1.0]])
    mirrored[1, 0] += 0.01
    odd = odd_point(mirrored)
    assert {odd.which, odd.partner} == {1, 4}
    assert "reflection in the plane" in odd.words
