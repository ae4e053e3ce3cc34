"""Columns of regressors: their names, units, choice, and the ways in which they are exported."""

import subprocess

import numpy as np
import pytest

import gough
from cases import loaded, motion
from gough.errors import InputError, WrongMotors
from robots import relative, robot


def test_columns_have_names_and_units():
    found = gough.regressor(robot("five_bar"), motion("five_bar"))
    units = dict(zip(found.names, found.units, strict=True))
    assert found.names[:4] == ("prox1.m", "prox1.mx", "prox1.my", "prox1.mz")
    assert (units["dist1.m"], units["dist1.mx"], units["dist1.Ixy"]) == ("kg", "kg m", "kg m^2")
    assert units["foot1.rotor"] == "kg m^2"
    assert units["foot1.viscous"] == "N m s/rad"
    assert (units["foot1.coulomb"], units["foot1.offset"]) == ("N m", "N m")
    assert found.W.shape == (1, 2, len(found.names))
    with gough.options(engine="numpy"):
        sliding = gough.regressor(robot("gough_stewart"), motion("gough_stewart"))
    units = dict(zip(sliding.names, sliding.units, strict=True))
    assert (units["p1.rotor"], units["p1.viscous"], units["p1.coulomb"]) == ("kg", "N s/m", "N")


def test_parameters_are_those_about_the_origin_of_the_body():
    r = robot("five_bar")
    found = gough.regressor(r, motion("five_bar"))
    chi, body = dict(zip(found.names, found.chi, strict=True)), r.body("dist1")
    x, y, _ = body.center
    assert chi["dist1.mx"] == pytest.approx(body.mass * x)
    assert chi["dist1.Izz"] == pytest.approx(body.inertia[2][2] + body.mass * (x * x + y * y))
    assert chi["dist1.Ixy"] == pytest.approx(body.inertia[0][1] - body.mass * x * y)
    assert chi["foot1.offset"] == 0.0


def test_springs_have_two_columns():
    r = loaded("five_bar")
    found = gough.regressor(r, motion("five_bar"), parameters=["springs"])
    named = dict(zip(found.names, found.chi, strict=True))
    assert named["foot1.stiffness"] == 0.8
    assert named["foot1.stiffness_rest"] == pytest.approx(0.8 * 0.3)
    q = gough.inverse_kinematics(r, motion("five_bar").T_0p)
    k = found.names.index("foot1.stiffness")
    assert found.W[0, 0, k] == pytest.approx(q[0, 0], abs=1e-12)
    assert np.array_equal(found.W[0, :, found.names.index("foot1.stiffness_rest")], [-1.0, 0.0])


def test_groups_and_names_choose_columns():
    r, state = robot("five_bar"), motion("five_bar")
    every = gough.regressor(r, state)
    assert {
        name.split(".")[1] for name in gough.regressor(r, state, parameters="rotors").names
    } == {"rotor"}
    names = ("foot2.coulomb", "dist1.Izz", "prox2.my")
    some = gough.regressor(r, state, parameters=names)
    assert some.names == names
    places = [every.names.index(name) for name in names]
    assert relative(some.W, every.W[..., places]) < 1e-14
    passive = gough.regressor(r, state, parameters=["passive_friction"]).names
    assert not set(passive) & set(every.names)  # the description gives these axes no friction
    assert len(passive) == 2 * (len(r.axis_names) - 2)


def test_what_does_not_count_has_no_column():
    still = gough.Loads(friction=False, rotors=False)
    found = gough.regressor(robot("five_bar"), motion("five_bar"), loads=still)
    figures = {name.split(".")[1] for name in found.names}
    assert not figures & {"rotor", "viscous", "coulomb"}
    tau = gough.inverse_dynamics(robot("five_bar"), motion("five_bar"), loads=still)
    assert relative(found.tau, tau) < 1e-13


def test_wrong_arguments_are_refused_by_name():
    r, state = robot("five_bar"), motion("five_bar")
    with pytest.raises(InputError, match=r"has no parameter 'prox1\.mass'"):
        gough.regressor(r, state, parameters=["prox1.mass"])
    with pytest.raises(InputError, match="unknown group of parameters 'masses'"):
        gough.regressor(r, state, parameters=["masses"])
    with pytest.raises(InputError, match="named twice"):
        gough.regressor(r, state, parameters=["prox1.m", "prox1.m"])
    with pytest.raises(InputError, match="not linear"):
        gough.regressor(r, state, share=gough.EffortSharing(bounds=(-1.0, 1.0)))
    with pytest.raises(InputError, match="no columns to choose"):
        gough.compile(r, "inverse_dynamics", columns=["prox1.m"])
    with pytest.raises(InputError, match="has no parameter 'masses'"):
        gough.compile(r, "regressor", parameters=["masses"])
    tripod = robot("contact_tripod")
    with pytest.raises(WrongMotors):
        gough.regressor(tripod, motion("contact_tripod"))


def test_a_chosen_regressor_is_written_as_c(tmp_path):
    columns = ["dist1.m", "foot1.viscous"]
    code, header = gough.export_c(robot("five_bar"), "regressor", tmp_path, columns=columns)
    assert "columns of W: dist1.m, foot1.viscous" in header.read_text()
    other, _ = gough.export_c(robot("five_bar"), "regressor", tmp_path, columns=columns[:1])
    assert other.name != code.name
    program = tmp_path / "test"
    build = ["cc", "-std=c99", "-O0", "-DGOUGH_SELF_TEST", str(code), "-lm", "-o", str(program)]
    subprocess.run(build, check=True)
    assert subprocess.run([program], check=False).returncode == 0


def test_a_listing_has_only_what_its_columns_need():
    r = robot("five_bar")
    short = gough.listing(r, "regressor", columns=["foot1.viscous"])
    longer = gough.listing(r, "regressor", columns=["foot1.viscous", "dist1.Izz"])
    assert len(short) < len(longer)


def test_a_regressor_shows_its_parameters():
    found = gough.regressor(robot("five_bar"), motion("five_bar"), parameters=["friction"])
    assert "foot1.viscous  0.06 N m s/rad" in str(found)
    assert found.to_dict()["names"][0] == "foot1.viscous"
    assert list(found.columns()) == ["parameter", "value", "unit"]
