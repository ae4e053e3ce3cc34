"""Closed home, mobility, idle freedoms, findings."""

import dataclasses

import numpy as np
import pytest

import gough
from fuzz import special
from fuzz.sketch import Sketch, misdrawn
from gough.base import spatial
from machines import BASE, IN_LINE, Drawing, drawn_five_bar
from numbers_robots import gs_ref
from robots import ALL_NAMES, mechanism, robot

EXPECTED = {
    # name: mobility, over-constraint, idle freedoms
    "offset_hexapod": (6, 0, 0),
    "six_rrrs": (6, 0, 0),
    "screw_hexapod": (6, 0, 0),
    "spu_hexapod": (6, 0, 0),
    "sps_hexapod": (6, 0, 6),
    "ucs_hexapod": (6, 0, 6),
    "drawn_delta": (3, 0, 0),
    "delta_with_balls": (3, 0, 6),
    "pendulum": (1, 0, 0),
    "screw_pendulum": (1, 0, 0),
    "rccc": (1, 0, 0),
    "planar_3rrp": (3, 6, 0),
    "split_hexapod": (6, 6, 0),
    "contact_tripod": (6, 0, 0),
    "grounded_parallelogram": (2, 6, 0),
    "stranger_in_the_hub": (2, 0, 0),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_mobility_over_constraint_and_idle_freedoms(name):
    a = robot(name).assembly
    assert (a.mobility, a.over_constraint, len(a.idle)) == EXPECTED[name]


@pytest.mark.parametrize("name", ALL_NAMES)
def test_grueblers_count(name):
    """Freedoms of the joints less six per loop and one per coupling, plus what is redundant."""
    r = robot(name)
    held = 6 * (len(r.joints) - len(r.bodies)) + len(r.couplings)
    count = sum(j.freedoms for j in r.joints) - held + r.assembly.over_constraint
    assert count == r.mobility + len(r.assembly.idle)


def test_psi_is_constant_or_depends_on_the_pose():
    constant = {
        n: robot(n).assembly.Psi_is_constant for n in ("delta", "quattro", "orthoglide", "c5")
    }
    assert all(constant.values())
    varying = {
        n: robot(n).assembly.Psi_is_constant for n in ("tilt_3rps", "five_bar", "spherical_2dof")
    }
    assert not any(varying.values())


def test_own_freedoms():
    assert robot("delta").freedoms == ("x", "y", "z")
    assert robot("tilt_3rps").freedoms == ("z", "rx", "ry")
    assert robot("three_rrr").freedoms == ("x", "y", "rz")
    assert robot("quattro").freedoms == ("x", "y", "z", "rz")
    assert robot("five_bar").freedoms == ("x", "y")
    assert robot("spherical_2dof").freedoms == ("rx", "ry")
    assert robot("gough_stewart").freedoms == ("x", "y", "z", "rx", "ry", "rz")


def test_idle_spins_are_named():
    found = robot("delta_with_balls").assembly.idle
    assert {f.bodies for f in found} == {(f"bar{i}{k}",) for i in "123" for k in "ab"}
    sentence = str(next(f for f in found if f.bodies == ("bar1a",)))
    assert sentence == "bar1a may spin about its own axis without the platform noticing"
    found = gs_ref("spherical").assembly.idle
    assert {f.bodies for f in found} == {(f"cyl{i}", f"rod{i}") for i in range(1, 7)}
    for freedom in found:  # the cylinder lies along -y of its frame
        np.testing.assert_allclose(np.abs(freedom.spin), [0.0, 1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("name", ["delta", "gough_stewart", "quattro", "orthoglide", "five_bar"])
def test_home_may_be_rough(name):
    """Figures off by a percent are closed to rounding, near where they were meant."""
    r = robot(name)
    rng = np.random.default_rng(2)
    rough = {}
    for body, frame in r.home.bodies.items():
        turn = spatial.rotation_exp(0.01 * rng.normal(size=3))
        p = np.array(frame.position) + 0.01 * r.length * rng.normal(size=3)
        rough[body] = gough.Frame(p.tolist(), (turn @ np.array(frame.rotation)).tolist())
    other = dataclasses.replace(r, home=gough.Home(rough))
    assert gough.posture(other, other.home_pose).closure < 1e-14
    assert np.abs(other.home_pose - r.home_pose).max() < 0.1
    assert other.mobility == r.mobility


def test_an_exact_home_is_kept():
    for name in ("delta", "quattro", "gough_stewart"):
        r = robot(name)
        frame = r.home.bodies[r.platform].matrix @ r.platform_frame.matrix
        np.testing.assert_allclose(r.home_pose, frame, atol=1e-14)


def test_home_by_joint_values():
    home = gs_ref().assembly
    assert home.home_values["a1"] == pytest.approx(gs_ref().home.joints["a1"], abs=1e-14)
    np.testing.assert_allclose(home.T_home[:3, 3], [0.0, 0.0, 2.0], atol=1e-14)


def test_angles_keep_the_turn_that_home_names():
    d = Drawing(0)
    d.body("bob")
    d.joint("hinge", "revolute", BASE, "bob", (0.0, 0.0, 0.0))
    drawn = d.robot("p", "bob", ["hinge"], (0.1, 0.0, 0.0))
    q = gough.inverse_kinematics(drawn, drawn.home_pose)[0]
    wound = dataclasses.replace(drawn, home=gough.Home(joints={"hinge": q + 4.0 * np.pi}))
    assert gough.inverse_kinematics(wound, wound.home_pose)[0] == pytest.approx(q + 4.0 * np.pi)


@pytest.mark.parametrize("by", [1e-4, 5e-3, 1e-2])
@pytest.mark.parametrize("name", ["gough_stewart", "hexapod_6rus", "hexapod_6pus"])
def test_a_drawing_with_joints_some_mm_off_closes_near_it(name, by):
    # from 5 mm on it was closed from coordinates of zero: 0.7 m away, in another assembly mode
    drawing = misdrawn(Sketch(np.random.default_rng(0)), robot(name), by)
    off = drawing.home_pose[:3, 3] - robot(name).home_pose[:3, 3]
    assert np.linalg.norm(off) < 3.0 * by
    assert not drawing.assembly.findings


def test_redundant_rows_do_not_lead_an_open_drawing_away():
    # axes that meet in a point, each drawn 0.02 rad off: of this one, Newton's steps that obey all
    # rows do not close from the drawing
    sketch = Sketch(np.random.default_rng(25))
    special.spherical(sketch)
    drawing = misdrawn(sketch, sketch.finished("wrist"), 0.02)
    bodies = gough.posture(drawing, drawing.home_pose).bodies
    moved = [np.abs(T - np.eye(4)).max() for T in bodies.values()]
    assert drawing.mobility == 2
    assert max(moved) < 0.1


def test_a_home_that_closes_far_from_its_description_is_told(tmp_path):
    sketch = Sketch(np.random.default_rng(0))
    drawing = misdrawn(sketch, robot("gough_stewart"), 0.15)  # too far off to be taken as drawn
    gough.save(drawing, tmp_path / "drawing.yaml")
    told = "home is far from where it is described: as drawn"
    with pytest.warns(gough.errors.DescriptionWarning, match=told):
        gough.load(tmp_path / "drawing.yaml")
    (found,) = gough.doctor(drawing).find("home-elsewhere")
    assert found.severity == "warning"
    assert found.data["moved"] > found.data["open_by"]


def test_home_that_does_not_close_names_joint_and_gap():
    r = mechanism("five_bar")
    joint = r.joint("e_2")
    longer = dataclasses.replace(joint, parent_frame=gough.Frame((30.0, 0.0, 0.0)))
    broken = dataclasses.replace(r, joints=tuple(longer if j is joint else j for j in r.joints))
    with pytest.raises(gough.errors.NotAssembled, match="home does not close") as info:
        _ = broken.assembly
    assert info.value.gap > 1.0
    assert info.value.joint in {j.name for j in r.joints}
    assert "mm" in info.value.hint


def test_home_that_closes_only_inside_out_is_refused():
    d = Drawing(4)
    d.body("bob")
    d.joint("hinge", "revolute", BASE, "bob", (0.0, 0.0, 0.0))
    r = d.robot("p", "bob", ["hinge"], (0.1, 0.0, 0.0))
    j = r.joints[0]
    turned = gough.Frame.from_matrix(j.child_frame.matrix @ np.diag([1.0, -1.0, -1.0, 1.0]))
    with pytest.raises(gough.errors.NotAssembled, match="axes opposed"):
        _ = dataclasses.replace(r, joints=(dataclasses.replace(j, child_frame=turned),)).assembly


def test_findings_about_motors_and_limits():
    r = mechanism("five_bar")
    assert r.assembly.findings == ()
    fewer = dataclasses.replace(r, motors=r.motors[:1])
    assert fewer.assembly.findings == ("1 motor for 2 freedoms: fewer than the mobility",)
    more = dataclasses.replace(r, motors=(*r.motors, "e_1"))
    (many,) = more.assembly.findings
    assert many == "3 motors for 2 freedoms: more than the mobility, and not declared redundant"
    assert dataclasses.replace(more, redundant=True).assembly.findings == ()
    (idle,) = dataclasses.replace(r, redundant=True).assembly.findings
    assert idle.startswith("redundant is declared, but 2 motors for 2 freedoms")
    assert len(dataclasses.replace(fewer, redundant=True).assembly.findings) == 2
    axis = gough.Axis(limits=gough.Limits(position=(0.0, 0.1)))
    joints = tuple(dataclasses.replace(j, axes=(axis,)) if j.name == "a_1" else j for j in r.joints)
    limited = dataclasses.replace(r, joints=joints)
    assert limited.assembly.findings == ("home has a_1 = 2.227, outside its limits [0, 0.1]",)


def test_singular_home_is_found():
    """A five-bar with its distal links in line: mobility is what it is elsewhere."""
    a = drawn_five_bar(IN_LINE, "d1").assembly
    assert a.mobility == 2
    assert a.motor_rank == 2
    assert a.motor_rank_at_home == 1
    assert "Type 2" in a.findings[0]


def test_a_structure_is_told():
    d = Drawing(6)
    d.body("shelf")
    d.joint("a", "revolute", BASE, "shelf", (0.0, 0.0, 0.0))
    d.joint("b", "revolute", BASE, "shelf", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    r = d.robot("shelf", "shelf", ["a"], (0.5, 0.0, 0.0))
    assert r.mobility == 0
    told = "1 motor for 0 freedoms: more than the mobility"  # and redundance is no excuse
    assert told in dataclasses.replace(r, redundant=True).assembly.findings
    assert r.freedoms == ()
    assert "the platform cannot move: its legs hold it" in r.assembly.findings
    state = gough.state(r, [])
    np.testing.assert_allclose(state.T_0p, r.home_pose, atol=1e-14)
    assert not state.V_0p.any()
    np.testing.assert_allclose(gough.motor_rates(r, state), [0.0])
    assert "cannot move" in str(gough.sheet(r))
