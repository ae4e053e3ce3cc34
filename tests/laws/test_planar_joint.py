"""Planar joints: a plate that slides on granite and turns, in everything that knows joints."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from gough.errors import DescriptionError, FileError
from robots import relative

TABLE = Path(__file__).parents[2] / "examples" / "robots" / "granite_table.yaml"
AXES = ("granite.x", "granite.y", "granite.angle")


@cache
def table() -> gough.Robot:
    return gough.load(TABLE)


def dressed(**changes: gough.Axis) -> gough.Robot:
    """The table with other axes of its planar joint, and no friction elsewhere."""
    r = table()
    joints = []
    for joint in r.joints:
        plain = {"viscous": 0.0, "coulomb": 0.0}
        axes = tuple(dataclasses.replace(axis, **plain) for axis in joint.axes)
        if joint.kind == "planar":
            names = [name.partition(".")[2] for name in joint.axis_names]
            axes = tuple(changes.get(n, a) for n, a in zip(names, axes, strict=True))
        joints.append(dataclasses.replace(joint, axes=axes))
    return dataclasses.replace(r, joints=tuple(joints))


def motion(r: gough.Robot) -> gough.State:
    rng = np.random.default_rng(3)
    x = rng.uniform(-0.03, 0.03, (5, 3)) * [1.0, 1.0, 5.0]
    return gough.state(r, x, *rng.normal(size=(2, 5, 3)))


def test_the_table_is_healthy_and_its_axes_have_names():
    r = table()
    assert not [f for f in gough.doctor(r).findings if f.severity != "note"]
    assert r.joint("granite").axis_names == AXES
    assert r.assembly.freedoms == ("x", "y", "rz")
    home = r.assembly.home_values
    np.testing.assert_allclose([home[name] for name in AXES], 0.0, atol=1e-12)
    x = np.array([0.02, -0.03, 0.2])
    seen = gough.posture(r, gough.state(r, x)).joints
    np.testing.assert_allclose([seen[name] for name in AXES], x, atol=1e-12)


def test_friction_on_granite_takes_the_power_that_it_should():
    """Drag along x, y and the angle, each by its own figure: P = sum(c qd^2 + f |qd|)."""
    film = {
        "x": gough.Axis(viscous=4.0, coulomb=2.0),
        "y": gough.Axis(viscous=7.0),
        "angle": gough.Axis(viscous=0.3, coulomb=0.1),
    }
    r, bare = dressed(**film), dressed(**dict.fromkeys(film, gough.Axis()))
    s = motion(r)
    rates = s.V_0p[:, [0, 1, 5]]
    lost = rates**2 @ [4.0, 7.0, 0.3] + np.abs(rates) @ [2.0, 0.0, 0.1]
    qd = gough.motor_rates(r, s)
    for method in METHODS:
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                drag = gough.inverse_dynamics(r, s, method=method)
                drag = drag - gough.inverse_dynamics(bare, s, method=method)
            np.testing.assert_allclose((drag * qd).sum(axis=1), lost, rtol=1e-10)


def test_springs_and_rotors_on_its_axes_are_felt():
    """The work of a spring and the inertia of a rotor, by finite differences of the energy."""
    spring = gough.Axis(spring=gough.Spring(800.0, 0.01), rotor_inertia=0.7)
    r, bare = dressed(x=spring), dressed(x=gough.Axis())
    s = motion(r)
    qd = gough.motor_rates(r, s)
    x, xd, xdd = s.T_0p[:, 0, 3], s.V_0p[:, 0], s.Vdot_0p[:, 0]
    power = 800.0 * (x - 0.01) * xd + 0.7 * xd * xdd
    for method in METHODS:
        more = gough.inverse_dynamics(r, s, method=method)
        more = more - gough.inverse_dynamics(bare, s, method=method)
        np.testing.assert_allclose((more * qd).sum(axis=1), power, rtol=1e-9, atol=1e-9)
    forward = gough.forward_dynamics(r, s, gough.inverse_dynamics(r, s))
    assert relative(forward.Vdot_0p, s.Vdot_0p) < 1e-10


def test_limits_are_watched():
    """The film of air ends at 0.1 m: a motion beyond is told by the name of the axis."""
    r = table()
    far = gough.motion.point_to_point(r, [0.0, 0.0, 0.0], [0.12, 0.0, 0.0], duration=1.0)
    told = str(gough.analyse(r, far))
    assert "granite.x" in told


def test_granite_bears_what_presses_on_it():
    """A plate alone on granite: the normal force is its weight, its moment that of the weight."""
    plate = gough.Body("plate", 3.0, (0.1, 0.0, 0.05), (0.02 * np.eye(3)).tolist())
    granite = gough.Joint("granite", "planar", "base", "plate")
    r = gough.Robot("puck", (plate,), (granite,), "plate", gravity=(0.0, 0.0, -9.81))
    found = gough.reactions(r, gough.State(r.home_pose), tau=[])["granite"]
    np.testing.assert_allclose(found, [0.0, 0.0, 3 * 9.81, 0.0, -0.3 * 9.81, 0.0], atol=1e-12)


@pytest.mark.parametrize("name", AXES)
def test_it_never_carries_a_motor(name):
    r = table()
    with pytest.raises(DescriptionError, match="cannot carry a motor") as info:
        dataclasses.replace(r, motors=(*r.motors[:2], name))
    assert info.value.path == "motors[2]"
    assert name not in r.drivable_axes
    gear = gough.Axis(transmission=gough.Transmission(2.0))
    with pytest.raises(DescriptionError, match="a planar joint carries no motor"):
        gough.Joint("g", "planar", "base", "plate", axes=(gear,))


def test_files_have_it_since_version_3():
    text = TABLE.read_text(encoding="utf-8")
    with pytest.raises(FileError, match="came with 'gough: 3'"):
        gough.robot.file.reading.loads(text.replace("gough: 3", "gough: 2"), "table.yaml")


@pytest.mark.parametrize("suffix", [".yaml", ".xml", ".urdf", ".sdf", ".drake.sdf"])
def test_files_of_other_programs_hold_it(tmp_path, suffix):
    """As it is in ours; as two slides and a hinge in a row in formats without a word for it."""
    path = tmp_path / f"table{suffix}"
    gough.save(table(), path, drop=() if suffix == ".yaml" else ("limits",))
    again = gough.load(path, **({} if suffix == ".yaml" else {"platform": "plate"}))
    assert ("planar" in {joint.kind for joint in again.joints}) == (suffix == ".yaml")
    x = np.array([0.02, -0.03, 0.2]), np.array([0.3, -0.2, 0.5]), np.array([1.0, 2.0, -3.0])
    one, other = (gough.inverse_dynamics(r, gough.state(r, *x)) for r in (table(), again))
    assert relative(other, one) < 1e-12


def test_urdf_has_a_word_for_it(tmp_path):
    path = tmp_path / "puck.urdf"
    path.write_text(
        '<robot name="puck"><link name="table"/><link name="plate"><inertial><mass value="2"/>'
        '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="film" type="planar"><parent link="table"/><child link="plate"/>'
        '<axis xyz="1 0 0"/><origin xyz="0.1 0 0.2"/></joint></robot>',
        encoding="utf-8",
    )
    with pytest.warns(gough.errors.DescriptionWarning):
        r = gough.load(path, platform="plate")
    assert [joint.kind for joint in r.joints] == ["planar"]
    assert r.assembly.freedoms == ("y", "z", "rx")  # axis: the normal of the plane


def test_a_planar_joint_of_a_urdf_may_be_driven_held_or_placed(tmp_path):
    path = tmp_path / "puck.urdf"
    path.write_text(
        '<robot name="puck"><link name="table"/><link name="plate"><inertial><mass value="2"/>'
        '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="film" type="planar"><parent link="table"/><child link="plate"/>'
        '<axis xyz="0 0 1"/></joint></robot>',
        encoding="utf-8",
    )
    moves = ["film_x", "film_y", "film_z"]
    r = gough.load(path, platform="plate", motors=moves, home={"film_x": 0.1})
    assert [joint.kind for joint in r.joints] == ["prismatic", "prismatic", "revolute"]
    assert r.motors == tuple(moves)
    np.testing.assert_allclose(
        gough.inverse_kinematics(r, r.home_pose), [0.1, 0.0, 0.0], atol=1e-12
    )
    tau = gough.inverse_dynamics(r, gough.State(r.home_pose, None, np.eye(6)[0]))
    np.testing.assert_allclose(tau, [2.0, 0.0, 0.0], atol=1e-12)
    with pytest.raises(gough.errors.InputError, match="several coordinates") as info:
        gough.load(path, platform="plate", lock=["film"])
    assert "film_x" in info.value.hint


@pytest.mark.parametrize("held", ["e1", "e2"])
def test_what_the_platform_does_not_feel_is_held_alike_by_all_methods(held):
    """Two plates on faces that cross: along the line of both a plate between may slide idly."""

    def body(name):
        return gough.Body(name, 1.2, (0.1, 0.02, 0.03), np.diag([0.02, 0.021, 0.025]).tolist())

    def seat(*at):
        return gough.Frame.from_axes(at, z=(1.0, 0.0, 0.0))

    idle = {name: "locked" if name == held else "" for name in ("e1", "e2")}
    joints = (
        gough.Joint("e1", "planar", "base", "mid", idle=idle["e1"]),
        gough.Joint("e2", "planar", "mid", "top", seat(0, 0, 0.1), seat(0, 0, 0), idle=idle["e2"]),
    )
    r = gough.Robot("crossed", (body("mid"), body("top")), joints, "top")
    s = gough.state(r, [0.0, 0.0, 0.1, 0.0, 0.0], 0.1 * np.ones(5), [1.0, 2.0, 3.0, 0.5, 0.4])
    expected = gough.cartesian_dynamics(r, s)
    for method in METHODS:
        assert relative(gough.cartesian_dynamics(r, s, method=method), expected) < 1e-12
    rates = gough.posture(r, s).joint_rates
    assert sum(abs(float(rates[f"{name}.y"])) < 1e-12 for name in ("e1", "e2")) == 1
    if held == "e1":
        assert abs(float(rates["e1.y"])) < 1e-12


def test_bearings_of_a_plate_are_worn_by_sliding():
    r = table()
    loads = gough.bearing_loads(
        r, gough.motion.point_to_point(r, [0.0, 0.0, 0.0], [0.02, 0.01, 0.1], duration=1.0)
    )
    (granite,) = [each for each in loads.bearings if each.joint == "granite"]
    assert granite.travel_unit == "m"
    np.testing.assert_allclose(granite.travel, np.hypot(0.02, 0.01), rtol=1e-3)


def test_chains_take_its_coordinates():
    seats = [(gough.Frame(), gough.Frame())] * 2
    values = [0.0, (0.1, 0.2, 0.3)]
    assert gough.build.chain("P* E", seats, leg=1, links={"a": None}, values=values)
    with pytest.raises(gough.errors.InputError, match="has three numbers"):
        gough.build.chain("P* E", seats, leg=1, links={"a": None}, values=[0.0, 0.1])


def test_pictures_show_a_puck_on_a_face():
    figure = gough.draw(table())
    assert figure.axes
    space = dataclasses.replace(table(), platform_frame=gough.Frame((0.0, 0.0, 0.05)))
    assert gough.draw(space, view=(30.0, 20.0)).axes
