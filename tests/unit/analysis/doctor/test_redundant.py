"""More motors than freedoms: a mistake unless it is declared, and what is told if it is."""

import dataclasses
import warnings

import numpy as np
import pytest
from scipy.optimize import linprog

import gough
from gough import zoo
from gough.analysis.doctor import doctor
from gough.robot.file.reading import loads
from machines import ucs_hexapod
from robots import REDUNDANT_NAMES, robot

PASSIVE = ("elbow1", "elbow2", "wrist2")


def with_motor(r, *names, redundant=True):
    return dataclasses.replace(r, motors=(*r.motors, *names), redundant=redundant)


def only(found, code):
    (finding,) = found.find(code)
    return finding


@pytest.mark.parametrize("name", REDUNDANT_NAMES)
def test_declared_redundance_is_a_note(name):
    r = robot(name)
    found = doctor(r)
    assert found.healthy, str(found)
    note = only(found, "redundant")
    assert note.severity == "note"
    assert "4 motors for 3 freedoms: 1 redundant, declared" in note.sentence
    assert "gough.EffortSharing" in note.sentence
    assert note.data == {"motors": 4, "mobility": 3, "spare": 1, "alone": []}
    a = r.assembly
    J = gough.inverse_jacobian(r, a.T_home) / a.scales.motors[:, None] * a.scales.freedoms
    # 1e-9: the same matrix, factored twice
    assert only(found, "motors").data["condition"] == pytest.approx(np.linalg.cond(J), rel=1e-9)


def test_its_file_is_loaded_without_a_warning(tmp_path):
    gough.save(robot("four_rrr"), tmp_path / "four.yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = gough.load(tmp_path / "four.yaml")
    assert loaded == robot("four_rrr")
    text = (tmp_path / "four.yaml").read_text()
    with pytest.warns(gough.errors.DescriptionWarning, match="not declared redundant"):
        loads(text.replace("redundant: true\n", ""))


def test_the_sheet_tells_it():
    declared, forgotten = robot("four_rrr"), dataclasses.replace(robot("four_rrr"), redundant=False)
    assert "1 redundant, declared; efforts are shared" in str(gough.sheet(declared))
    assert gough.sheet(declared).to_dict()["redundant"] is True
    page = gough.sheet(forgotten)
    assert "1 more than freedoms" in str(page)
    assert any("not declared redundant" in remark for remark in page.remarks)


@pytest.mark.parametrize("axis", PASSIVE)
def test_a_third_motor_on_the_five_bar(axis):
    found = doctor(with_motor(robot("five_bar"), axis))
    assert found.healthy, str(found)
    assert only(found, "redundant").data["spare"] == 1


# the second has seven motors, more than any platform has freedoms
@pytest.mark.parametrize(("name", "axis"), [("five_bar", "elbow1"), ("gough_stewart", "u1.first")])
def test_undeclared_redundance_is_a_warning_that_says_how_to_declare_it(name, axis):
    found = doctor(with_motor(robot(name), axis, redundant=False))
    finding = only(found, "too-many-motors")
    assert finding.severity == "warning"
    assert "redundant: true" in finding.advice
    assert not found.find("redundant")


def test_redundance_without_need_is_a_warning():
    found = doctor(dataclasses.replace(robot("five_bar"), redundant=True))
    finding = only(found, "not-redundant")
    assert finding.severity == "warning"
    assert finding.data["candidates"] == list(PASSIVE)
    assert "'elbow1', 'elbow2' or 'wrist2'" in finding.advice
    fewer = dataclasses.replace(robot("five_bar"), motors=("foot1",), redundant=True)
    assert {"too-few-motors", "not-redundant"} <= set(doctor(fewer).codes)


def test_redundant_motors_that_do_not_control_the_platform():
    """Four of them, for three freedoms, of rank two: no declaration helps."""
    r = with_motor(zoo.load("dymo", drive="first"), "wrist1.second")
    found = doctor(r)
    assert only(found, "uncontrolled").data["motor_rank"] == 2
    assert not found.find("redundant")
    assert not found.find("too-many-motors")


def test_a_motor_that_no_other_helps_is_named():
    """Only the fourth leg of the Delta turns the tool: its motor cannot be preloaded."""
    r = with_motor(robot("delta_4"), "u1a.first")
    note = only(doctor(r), "redundant")
    assert note.data["alone"] == ["spin"]
    assert "'spin' cannot be preloaded" in note.sentence
    cancel = np.linalg.svd(gough.inverse_jacobian(r, r.home_pose).T)[2][-1]
    used = dict(zip(r.motors, np.abs(cancel) > 1e-9, strict=True))
    assert [name for name, helps in used.items() if not helps] == ["spin"]


def test_a_redundant_motor_that_does_nothing_is_named():
    found = doctor(with_motor(ucs_hexapod(), "c6.angle"))
    idle = only(found, "idle-motor")
    assert idle.severity == "warning"
    assert idle.motors == ("c6.angle",)
    (refused,) = found.errors  # dynamics are refused: no model shows what it does
    assert (refused.code, refused.joints) == ("frozen-spin", ("c6", "s6"))


def test_redundant_motors_too_weak_to_hold_the_robot():
    """The least limit that does is a linear programme of its own: smallest largest effort."""
    r = robot("four_rrr")
    T = r.home_pose
    A, w = gough.inverse_jacobian(r, T).T, gough.bias_wrench(r, T)
    one = np.ones((4, 1))
    least = linprog(
        [0, 0, 0, 0, 1],
        A_ub=np.vstack([np.hstack([np.eye(4), -one]), np.hstack([-np.eye(4), -one])]),
        b_ub=np.zeros(8),
        A_eq=np.hstack([A, np.zeros((3, 1))]),
        b_eq=w,
        bounds=[(None, None)] * 5,
    ).x[-1]
    assert doctor(limited(r, 1.01 * least)).healthy
    finding = only(doctor(limited(r, 0.99 * least)), "weak-motor")
    assert finding.severity == "warning"
    # 1e-6: as far as the solvers of linear programmes go
    assert finding.data["excess"] == pytest.approx(0.01 * least, rel=1e-6)
    assert set(finding.motors) <= set(r.motors)


def limited(r, effort):
    """The robot with this limit on every motor."""
    axis = gough.Axis(limits=gough.Limits(effort=effort))
    joints = tuple(
        dataclasses.replace(j, axes=(axis,)) if j.name in r.motors else j for j in r.joints
    )
    return dataclasses.replace(r, joints=joints)


def test_springs_are_held_too():
    """A motor that holds the platform against its weight may be too weak for a spring."""
    r = robot("five_bar")
    tau = gough.inverse_dynamics(r, r.home_pose)
    strong = limited(r, 1.1 * np.abs(tau).max())
    assert doctor(strong).healthy
    spring = gough.Axis(spring=gough.Spring(50.0, rest=0.0))
    joints = tuple(
        dataclasses.replace(j, axes=(spring,)) if j.name == "elbow1" else j for j in strong.joints
    )
    finding = doctor(dataclasses.replace(strong, joints=joints)).find("weak-motor")[0]
    assert "against gravity and springs" in finding.sentence
