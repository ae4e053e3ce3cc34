"""Over-constraint by loop: the shares add up, and no order matters."""

import dataclasses

import pytest

import gough
from gough.analysis.doctor import doctor
from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.loops import find_shares
from robots import ALL_NAMES, robot


def shares(r):
    return [dataclasses.asdict(share) for share in find_shares(Examination(r.assembly))]


@pytest.mark.parametrize("name", ALL_NAMES)
def test_shares_add_up_to_the_order(name):
    r = robot(name)
    assert sum(share["count"] for share in shares(r)) == r.assembly.over_constraint


def as_set(found):
    return {(s["part"], s["count"], frozenset(s["legs"])) for s in found}


@pytest.mark.parametrize("name", ["orthoglide", "quattro", "split_hexapod", "three_rrr"])
def test_shares_do_not_depend_on_the_order_of_the_description(name):
    r = robot(name)
    backwards = dataclasses.replace(r, joints=r.joints[::-1], bodies=r.bodies[::-1])
    assert as_set(shares(backwards)) == as_set(shares(r))


def test_parallelograms_of_the_orthoglide_hold_three_each_and_share_three():
    found = shares(robot("orthoglide"))
    assert as_set(found) == {
        *(("inner", 3, frozenset([f"slider{i}"])) for i in (1, 2, 3)),
        ("between", 3, frozenset(["slider1", "slider2", "slider3"])),
    }
    loops = {s["legs"][0]: set(s["joints"]) for s in found if s["part"] == "inner"}
    assert loops["slider2"] == {"pa2a", "pa2b", "pa2c", "pa2d"}
    finding = doctor(robot("orthoglide")).find("over-constrained")[0]
    assert finding.severity == "note"
    assert [share["count"] for share in finding.data["shares"]] == [3, 3, 3, 3]
    assert "3 in the inner loop of each leg 'slider1', 'slider2' and 'slider3'" in finding.sentence


def test_a_planar_loop_of_the_nacelle_and_a_weld_twice():
    by_part = {s["part"]: s for s in shares(robot("quattro"))}
    assert by_part["hub"]["count"] == 3  # four parallel revolutes
    assert set(by_part["hub"]["joints"]) == {"n31", "n32", "n41", "n42"}
    (weld,) = shares(robot("split_hexapod"))
    assert (weld["part"], weld["count"]) == ("hub", 6)


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "quattro"])
@pytest.mark.parametrize("where", [0, -1])
def test_a_joint_that_is_held_takes_nothing_from_the_shares(name, where):
    r = robot(name)
    joint = gough.Joint("hinge", "revolute", r.bodies[where].name, "bob", idle="locked")
    held = dataclasses.replace(
        r, bodies=(*r.bodies, gough.Body("bob", 0.1)), joints=(*r.joints, joint)
    )
    assert held.assembly.topology.locked == {"hinge"}
    assert shares(held) == shares(r)
