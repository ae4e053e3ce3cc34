"""The doctor names the kind of motion of a platform, and the operation mode that home is in."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough import zoo
from gough.analysis.doctor import doctor
from gough.analysis.doctor.kinds import Posture, kind_of
from gough.base.spatial import moved, rotation_exp
from machines import pendulum, screw_pendulum
from robots import robot

KINDS = {
    "five_bar": ("planar", 2),
    "three_rrr": ("planar", 3),
    "four_rrr": ("planar", 3),
    "spherical_2dof": ("rotational", 2),
    "agile_eye": ("rotational", 3),
    "delta": ("translational", 3),
    "linear_delta": ("translational", 3),
    "delta_4": ("schoenflies", 4),
    "quattro": ("schoenflies", 4),
    "h4": ("schoenflies", 4),
    "orthoglide": ("translational", 3),
    "dymo": ("translational", 3),
    "tilt_3rps": ("other", 3),
    "space_3ups": ("spatial", 6),
    "c5": ("spatial", 6),
    "gough_stewart": ("spatial", 6),
    "gough_stewart_6spu": ("spatial", 6),
    "hexapod_6rus": ("spatial", 6),
    "hexapod_6pus": ("spatial", 6),
}
DYMO = {
    "translational": "translational",
    "translational_turned": "translational",
    "rotational": "rotational",
    "planar": "planar",
    "planar_overturned": "planar",
    "mixed": "other",
    "mixed_turned": "other",
}


@cache
def examined(name):
    return doctor(robot(name))


@cache
def dymo(mode):
    return doctor(zoo.load("dymo", mode=mode))


def data(found, code="motion"):
    (finding,) = found.find(code)
    json.dumps(finding.to_dict(), allow_nan=False)
    return finding.data


@pytest.mark.parametrize("name", zoo.names())
def test_every_robot_of_the_zoo_has_its_kind(name):
    found = data(examined(name))
    assert (found["kind"], found["freedoms"]) == KINDS[name]
    assert found["translations"] + found["turns"] == robot(name).mobility
    assert examined(name).healthy


@pytest.mark.parametrize("name", [name for name in zoo.names() if name != "dymo"])
def test_other_robots_have_one_operation_mode(name):
    assert not examined(name).find("operation-modes")


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "quattro", "h4", "delta_4"])
def test_the_axis_of_plane_and_turns(name):
    # of unit twists, assembled to 1e-11
    assert data(examined(name))["axis"] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)
    assert "z" in examined(name).find("motion")[0].sentence


@pytest.mark.parametrize("name", ["agile_eye", "spherical_2dof"])
def test_the_point_of_rotations(name):
    assert data(examined(name))["point"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


def test_freedoms_of_no_simple_kind_are_named():
    finding = examined("tilt_3rps").find("motion")[0]
    assert "translate along z, rotate about x and rotate about y" in finding.sentence
    assert np.linalg.matrix_rank(finding.data["free"]) == 3


def test_a_machine_moved_as_a_whole_has_its_kind_there():
    """Axes and points are found where the machine is, and not where the base's frame is."""
    T = moved(np.eye(4), np.array([3.0, -2.0, 1.0, 0.0, 0.0, 0.0]))
    T[:3, :3] = rotation_exp(np.array([0.4, -0.7, 0.2]))
    for name, expected in (("agile_eye", T[:3, 3]), ("three_rrr", T[:3, 2])):
        r = robot(name)
        joints = [
            replace(j, parent_frame=gough.Frame.from_matrix(T @ j.parent_frame.matrix))
            if j.parent == r.base
            else j
            for j in r.joints
        ]
        bodies = {n: gough.Frame.from_matrix(T @ f.matrix) for n, f in r.home.bodies.items()}
        home = gough.Home(bodies, dict(r.home.joints))
        found = data(doctor(replace(r, joints=tuple(joints), home=home)))
        assert found["kind"] == KINDS[name][0]
        key = "point" if name == "agile_eye" else "axis"
        at = np.array(found[key])
        assert min(np.abs(at - expected).max(), np.abs(at + expected).max()) < 1e-8


def test_one_fixed_axis():
    found = data(doctor(pendulum()))
    assert found["kind"] == "axial"
    axis = np.array([1.0, 0.2, 0.1])
    assert found["axis"] == pytest.approx(axis / np.linalg.norm(axis), abs=1e-9)
    assert data(doctor(screw_pendulum()))["kind"] == "axial"
    assert data(doctor(robot("rccc")))["kind"] == "other"


def test_a_point_that_moves_is_no_centre():
    """Twists of each posture pass through a point; what decides is whether it is the same."""
    turns = np.vstack([np.zeros((3, 3)), np.eye(3)])
    here, there = np.zeros(3), np.array([0.0, 0.0, 0.02])
    assert kind_of([Posture(turns, here)] * 2, 0.5).name == "rotational"
    assert kind_of([Posture(turns, here), Posture(turns, there)], 0.5).name == "other"


def test_a_normal_that_moves_is_no_plane():
    flat = np.eye(6)[:, [0, 1, 5]]
    tilted = np.eye(6)[:, [0, 2, 4]]
    at = np.zeros(3)
    assert kind_of([Posture(flat, at)] * 2, 0.5).name == "planar"
    assert kind_of([Posture(flat, at), Posture(tilted, at)], 0.5).name == "other"


def test_slides_along_the_axis_make_it_cylindrical_or_schoenflies():
    at = np.array([0.3, 0.0, 0.0])
    along_z = np.eye(6)[:, [2, 5]]
    assert kind_of([Posture(along_z, at)], 0.5).name == "axial"
    assert kind_of([Posture(along_z, at), Posture(along_z, 2.0 * at)], 0.5).name == "schoenflies"


@pytest.mark.parametrize("mode", DYMO)
def test_the_mode_of_the_dymo_is_told(mode):
    found = dymo(mode)
    assert found.healthy
    assert data(found)["kind"] == DYMO[mode]
    modes = data(found, "operation-modes")
    assert modes["home"]["kind"] == DYMO[mode]
    others = [each["kind"] for each in modes["others"]]
    assert others
    assert DYMO[mode] not in others
    assert set(others) <= {*DYMO.values(), "locked"}
    sentence = found.find("operation-modes")[0].sentence
    assert sentence.startswith("home is in the operation mode of ")


def test_all_kinds_are_found_from_some_home():
    """The search is random: it need not find all from one home; from seven it finds the lock."""
    found = {o["kind"] for m in DYMO for o in data(dymo(m), "operation-modes")["others"]}
    assert found == {*DYMO.values(), "locked"}


def test_the_lock_of_the_dymo_is_where_its_rays_lie_on_each_other():
    """P in O and rays on rays: legs may turn about them, and the platform cannot move."""
    others = [o for m in DYMO for o in data(dymo(m), "operation-modes")["others"]]
    locked = [o for o in others if o["kind"] == "locked"]
    assert locked
    for each in locked:
        T = np.array(each["bodies"]["platform"])
        assert np.abs(T[:3, 3]).max() < 1e-9  # closed to 1e-11 of 0.4 m, a singular posture
        assert np.abs(np.abs(np.diag(T)[:2]) - 1.0).max() < 1e-9
        assert each["freedoms"] == 0


@pytest.mark.parametrize("mode", ["translational", "mixed"])
def test_what_is_found_can_be_loaded(mode):
    """Poses of all bodies are in the data: a home in the other mode, of that kind."""
    for other in data(dymo(mode), "operation-modes")["others"]:
        poses = {n: gough.Frame.from_matrix(np.array(T)) for n, T in other["bodies"].items()}
        there = zoo.load("dymo", mode=mode).rehomed(gough.Home(poses))
        assert there.mobility == other["freedoms"]
        if other["kind"] != "locked":
            assert data(doctor(there))["kind"] == other["kind"]
