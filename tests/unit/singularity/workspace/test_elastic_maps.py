"""Maps of frequency, stiffness and sag over a section."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from elastic_machines import beams_and_bearings, geared, with_gears
from gough.errors import InputError, NotElastic

EVERYTHING = ("frequency", "stiffness", "sag")


@pytest.fixture(scope="module")
def delta():
    return beams_and_bearings("delta")


@pytest.fixture(scope="module")
def found(delta):
    shares = []
    z = float(delta.home_pose[2, 3])
    w = gough.workspace(
        delta,
        x=(-0.1, 0.9, 11),
        y=(-0.2, 0.1, 8),
        at={"z": z},
        limits=False,
        elastic=EVERYTHING,
        progress=shares.append,
    )
    return w, shares


def test_maps_are_single_calls(delta, found):
    w, _ = found
    reached = np.argwhere(w.reach)
    for i, j in reached[:: len(reached) // 5]:
        e = gough.elasticity(delta, w.T_0p[i, j])
        assert w.maps["frequency"][i, j] == pytest.approx(e.vibrations(1).frequencies[0], rel=1e-9)
        softest = np.linalg.eigvalsh(e.compliance[:3, :3])[-1]
        assert w.maps["stiffness"][i, j] == pytest.approx(1.0 / softest, rel=1e-9)
        sag = np.linalg.norm(e.deflection().platform[:3])
        assert w.maps["sag"][i, j] == pytest.approx(sag, rel=1e-9)


def test_nothing_out_of_reach(found):
    w, _ = found
    assert not w.reach.all()
    for name in EVERYTHING:
        assert np.isnan(w.maps[name][~w.reach]).all()
        assert np.isfinite(w.maps[name][w.reach]).all()


def test_progress_never_goes_back(found):
    shares = found[1]
    assert np.diff(shares).min() >= 0.0
    assert shares[-1] == 1.0
    assert len(shares) > 4


def test_maps_are_told_and_drawn(found):
    w, _ = found
    lines = dict(w.lines())
    assert lines["frequency"].endswith("Hz")
    assert lines["stiffness"].endswith("N/m")
    assert lines["sag"].endswith(" m")
    assert set(w.to_dict()["elastic"]) == set(EVERYTHING)
    assert w.to_dict()["capability"] == {}
    assert set(EVERYTHING) <= set(w.columns())
    assert w.unit("frequency") == "Hz"
    assert w.unit("reach") == ""
    labels = [axes.get_ylabel() for axes in w.draw("frequency", loci=False).axes]
    assert "lowest frequency [Hz]" in labels


def test_a_direction_payload_and_servo(delta):
    T, servo = delta.home_pose, gough.Servo(2e4)
    loads = gough.Loads(payload=1.5)
    spans = {name: (T[i, 3], T[i, 3] + 0.01, 2) for i, name in enumerate("xy")}
    with gough.options(threads=1):
        w = gough.workspace(
            delta,
            **spans,
            at={"z": T[2, 3]},
            elastic=EVERYTHING,
            drives=servo,
            loads=loads,
            direction={"x": 3.0, "z": 4.0},
        )
    e = gough.elasticity(delta, w.T_0p[0, 0], drives=servo, loads=loads)
    n = np.array([0.6, 0.0, 0.8])
    assert w.maps["stiffness"][0, 0] == pytest.approx(1.0 / (n @ e.compliance[:3, :3] @ n))
    assert w.maps["frequency"][0, 0] == pytest.approx(e.vibrations(1).frequencies[0])
    assert w.maps["sag"][0, 0] == pytest.approx(np.linalg.norm(e.deflection().platform[:3]))


def test_turns_have_a_stiffness_of_their_own():
    own = geared("agile_eye")
    w = gough.workspace(own, rx=(-0.1, 0.1, 3), ry=(-0.1, 0.1, 3), elastic="stiffness")
    assert w.unit("stiffness") == "N m/rad"
    C = gough.elasticity(own, w.T_0p[1, 1]).compliance
    assert w.maps["stiffness"][1, 1] == pytest.approx(1.0 / np.linalg.eigvalsh(C[3:, 3:])[-1])


def test_guides_go_one_by_one():
    """A guide moves along the legs: every posture has a system of its own."""
    own = with_gears(gough.zoo.load("gough_stewart"), 1e7)
    joints = tuple(
        replace(joint, guide=gough.Guide(joint.parent, (0.0, 0.0, 0.1)))
        if joint.kind == "prismatic"
        else joint
        for joint in own.joints
    )
    guided, (x, y) = replace(own, joints=joints), own.home_pose[:2, 3]
    w = gough.workspace(guided, x=(x, x + 0.01, 2), y=(y, y + 0.01, 2), elastic=EVERYTHING)
    e = gough.elasticity(guided, w.T_0p[1, 1])
    assert w.maps["frequency"][1, 1] == pytest.approx(e.vibrations(1).frequencies[0], rel=1e-9)
    sag = np.linalg.norm(e.deflection().platform[:3])
    assert w.maps["sag"][1, 1] == pytest.approx(sag, rel=1e-9)


def test_refusals(delta):
    spans = {"x": (-0.1, 0.1, 2), "y": (-0.1, 0.1, 2)}
    with pytest.raises(NotElastic, match="no elastic part"):
        gough.workspace(gough.zoo.load("delta"), **spans, elastic="sag")
    with pytest.raises(InputError, match="elastic"):
        gough.workspace(delta, **spans, elastic="wobble")
    with pytest.raises(InputError, match="names nothing"):
        gough.workspace(delta, **spans, elastic=())
    with pytest.raises(InputError, match="its motors are free"):
        gough.workspace(delta, **spans, elastic="stiffness", drives="free")
    force = gough.Loads([gough.Force(delta.platform, [0.0, 0.0, 1.0])])
    with pytest.raises(InputError, match="no forces on bodies"):
        gough.workspace(delta, **spans, elastic="sag", loads=force)
    with pytest.raises(InputError, match="has no map") as error:
        gough.workspace(delta, **spans).map_named("frequency")
    assert "elastic='frequency'" in error.value.hint
