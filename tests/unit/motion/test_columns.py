"""Columns of measured poses: names, units and conventions, against SciPy's rotations."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough import motion
from gough.base import turns
from gough.errors import FileError, InputError
from gough.motion.rotation_words import find_reading
from robots import robot

T = np.linspace(0.0, 1.0, 30)
ANGLES = np.stack([0.2 * np.sin(6.0 * T), 0.3 * np.sin(5.0 * T), 0.25 * np.sin(4.0 * T)], axis=1)
SEQUENCES = [
    "".join(s) for s in itertools.product("xyz", repeat=3) if s[0] != s[1] and s[1] != s[2]
]
EXACT = 1e-9  # splines through the samples, by a linear system of condition 1e4


def written(path, columns, place=1.0, names="xyz"):
    home = robot("gough_stewart").assembly.T_home[:3, 3]
    still = {name: np.full(len(T), place * home[i]) for i, name in enumerate(names)}
    gough.base.tables.write_table(path, {"t": T, **still, **columns})
    return path


def rotations(found):
    return found(T).T_0p[:, :3, :3]


def side_by_side(names, values):
    return dict(zip(names, values.T, strict=True))


@pytest.mark.parametrize("axes", SEQUENCES)
def test_sequences_are_those_of_scipy(axes):
    rng = np.random.default_rng(3)
    angles = rng.uniform(-3.0, 3.0, (20, 3))
    for word, fixed in (("fixed", True), ("intrinsic", False)):
        found = find_reading(f"euler {axes} {word}").rotations(angles, np.eye(3))
        expected = Rotation.from_euler(axes if fixed else axes.upper(), angles).as_matrix()
        np.testing.assert_allclose(found, expected, atol=1e-14)  # sums of products of cosines


@pytest.mark.parametrize("order", ["wxyz", "xyzw"])
def test_quaternions_in_either_order_are_those_of_scipy(order, tmp_path):
    expected = Rotation.from_euler("xyz", ANGLES)
    q = expected.as_quat()  # the scalar last
    q[1::3] *= -1.0  # the same rotations
    values = q if order == "xyzw" else np.roll(q, 1, axis=1)
    for names in (("q0", "q1", "q2", "q3"), ("q1", "q2", "q3", "q4")):
        path = written(tmp_path / "q.csv", side_by_side(names, values))
        with pytest.raises(InputError, match="its scalar first or last") as asked:
            motion.from_file(robot("gough_stewart"), path)
        assert "rotation='quaternion wxyz' or rotation='quaternion xyzw'" in asked.value.hint
        found = motion.from_file(
            robot("gough_stewart"), path, rotation=f"quaternion {order}", smoothing=0
        )
        np.testing.assert_allclose(rotations(found), expected.as_matrix(), atol=EXACT)
        scalar = names[order.index("w")]
        assert f"its scalar being {scalar}" in found.findings[0].sentence


def test_named_components_need_no_order_and_lengths_are_put_right_with_a_word(tmp_path):
    expected = Rotation.from_euler("xyz", ANGLES)
    q = 1.004 * expected.as_quat()
    names = [f"/rig/orientation.{axis}" for axis in "xyzw"]
    place = [f"/rig/position.{axis}" for axis in "xyz"]
    path = written(tmp_path / "q.csv", side_by_side(names, q), names=place)
    found = motion.from_file(robot("gough_stewart"), path, smoothing=0)
    np.testing.assert_allclose(rotations(found), expected.as_matrix(), atol=EXACT)
    assert "their lengths miss 1 by up to 0.004 and were put right" in found.findings[0].sentence
    with pytest.raises(FileError, match=r"row 0 has length 1\.1"):
        motion.from_file(
            robot("gough_stewart"),
            written(tmp_path / "q.csv", side_by_side(names, 1.1 * q / 1.004)),
        )


def test_units_in_headers_and_by_argument(tmp_path):
    r, home = robot("gough_stewart"), robot("gough_stewart").assembly.T_home[:3, 3]
    expected = Rotation.from_euler("xyz", ANGLES).as_matrix()
    degrees = np.degrees(ANGLES)
    tables = [
        (["X [mm]", "y_mm", "pos_z (Millimeters)"], ["roll_deg", "pitch [°]", "Yaw (degrees)"], {}),
        (["x", "y", "z"], ["roll", "pitch", "yaw"], {"units": {"length": "mm", "angle": "deg"}}),
        # what the caller says wins over the header
        (["x [m]", "y [m]", "z [m]"], ["roll", "pitch", "yaw"], {"units": {"length": "mm"}}),
    ]
    for place, names, more in tables:
        path = written(tmp_path / "a.csv", side_by_side(names, degrees), 1e3, place)
        if more and "angle" not in more["units"]:
            more["angles"] = "degrees"
        found = motion.from_file(r, path, smoothing=0, **more)
        np.testing.assert_allclose(rotations(found), expected, atol=EXACT)
        np.testing.assert_allclose(found(T).T_0p[:, :3, 3] - home, 0.0, atol=EXACT)
        said = found.findings[0].sentence
        assert "R = Rz(yaw) Ry(pitch) Rx(roll), in degrees; lengths are in millimetres" in said
        assert ("was read in millimetres, as the caller says" in said) == ("x [m]" in place)
    clock = {"stamp_ms": 1e3 * T, **side_by_side("xyz", np.tile(home, (len(T), 1)))}
    gough.base.tables.write_table(
        tmp_path / "b.csv", {**clock, **side_by_side(["rx", "ry", "rz"], 0.0 * ANGLES)}
    )
    found = motion.from_file(r, tmp_path / "b.csv", columns={"t": "stamp_ms"})
    assert found.duration == pytest.approx(1.0)
    assert found.findings[0].sentence.endswith("time in milliseconds; by the columns t 'stamp_ms'")


def test_columns_that_are_named_win(tmp_path):
    r = robot("gough_stewart")
    expected = Rotation.from_euler("xyz", ANGLES).as_matrix()
    path = written(tmp_path / "a.csv", side_by_side(["rx", "ry", "rz"], ANGLES))
    names = {"roll": "rx", "pitch": "ry", "yaw": "rz"}
    found = motion.from_file(r, path, columns=names, smoothing=0)
    np.testing.assert_allclose(rotations(found), expected, atol=EXACT)
    assert "by the columns roll 'rx', pitch 'ry', yaw 'rz'" in found.findings[0].sentence
    euler = motion.from_file(
        r,
        path,
        columns={"angle1": "rz", "angle2": "rx", "angle3": "ry"},
        rotation="zxz intrinsic",
        smoothing=0,
    )
    expected = Rotation.from_euler("ZXZ", ANGLES[:, [2, 0, 1]]).as_matrix()
    np.testing.assert_allclose(rotations(euler), expected, atol=EXACT)
    assert "R = Rz(angle1) Rx(angle2) Rz(angle3)" in euler.findings[0].sentence


def test_angles_that_begin_again_after_a_turn(tmp_path):
    swing = 40.0 * np.sin(5.0 * T) * [[0.1], [0.2], [1.0]]  # degrees
    path = written(tmp_path / "a.csv", side_by_side(["roll", "pitch", "yaw"], swing.T % 360.0))
    found = motion.from_file(robot("gough_stewart"), path, angles="degrees", smoothing=0)
    expected = Rotation.from_euler("xyz", swing.T, degrees=True).as_matrix()
    np.testing.assert_allclose(rotations(found), expected, atol=EXACT)
    planar = robot("three_rrr")
    still = {name: np.full(len(T), planar.home_pose[i, 3]) for i, name in enumerate("xy")}
    gough.base.tables.write_table(
        tmp_path / "b.csv", {"t": T, **still, "yaw_deg": 0.2 * swing[2] % 360.0}
    )
    found = motion.from_file(planar, tmp_path / "b.csv", smoothing=0)
    turned = turns.logs(rotations(found) @ planar.assembly.chart.R_ref.T)[:, 2]
    np.testing.assert_allclose(np.degrees(turned), 0.2 * swing[2], atol=1e-6)


def test_a_wrist_needs_no_position(tmp_path):
    wrist = robot("agile_eye")
    table = {"t": T, **side_by_side(["roll", "pitch", "yaw"], 0.3 * ANGLES)}
    gough.base.tables.write_table(tmp_path / "a.csv", table)
    found = motion.from_file(wrist, tmp_path / "a.csv", smoothing=0)
    expected = Rotation.from_euler("xyz", 0.3 * ANGLES).as_matrix()
    np.testing.assert_allclose(rotations(found), expected, atol=EXACT)
    assert found.findings[0].sentence.endswith("in radians; time is in seconds")


def test_a_slip_of_the_unit_is_named(tmp_path):
    r = robot("gough_stewart")
    turned = side_by_side(["roll", "pitch", "yaw"], ANGLES)
    for place, word in ((1e3, "millimetres"), (1e2, "centimetres")):
        path = written(tmp_path / "a.csv", turned, place)
        with pytest.raises(InputError, match=f"are the columns x y z in {word}") as refused:
            motion.from_file(r, path)
        assert 'units={"length": ' in refused.value.hint
    path = written(tmp_path / "c.csv", turned, names=["x [m]", "y", "z"])
    with pytest.raises(InputError, match="the header has the unit of 'x', and not of 'y' and 'z'"):
        motion.from_file(r, path)
    path = written(tmp_path / "b.csv", turned)
    found = motion.from_file(r, path, units={"length": "mm"}, outliers="keep")
    assert [one.kind for one in found.findings] == ["convention", "unit"]
    assert "; in metres it would be 0 m" in found.findings[1].sentence
    table = gough.base.tables.read_table(path)
    gough.base.tables.write_table(path, {**table, "t": 1e3 * T})
    found = motion.from_file(r, path, outliers="keep")
    assert "1000 s in all: are these milliseconds?" in found.findings[-1].sentence
    gough.base.tables.write_table(path, {**table, "t": 1e9 * T})
    with pytest.raises(InputError, match="1e\\+09 s in all: are these nanoseconds"):
        motion.from_file(r, path)


@pytest.mark.parametrize(
    ("names", "arguments", "says"),
    [
        (["roll", "pitch", "yaw"], {"rotation": "zyx"}, "about fixed axes, or about axes that"),
        (["roll", "pitch", "yaw"], {"rotation": "xxz fixed"}, "expected one of rotation_vector"),
        (["roll", "pitch", "yaw"], {"columns": {"tilt": "roll"}}, "no quantity 'tilt'"),
        (["roll", "pitch", "yaw"], {"columns": {"rx": "role"}}, "no column 'role', which should"),
        (["roll", "pitch", "yaw"], {"columns": ["x"]}, "expected names of columns by quantity"),
        (
            ["roll", "pitch", "yaw"],
            {"columns": {"rx": "roll", "ry": "roll"}},
            "'roll' is said to be rx and ry",
        ),
        (["roll", "pitch", "yaw"], {"units": {"length": "furlong"}}, "'furlong' is no unit of"),
        (["roll", "pitch", "yaw"], {"units": {"mass": "kg"}}, "there is no kind 'mass'"),
        (
            ["roll", "pitch", "yaw"],
            {"units": {"angle": "deg"}, "angles": "radians"},
            "angles says radians, units says degrees",
        ),
        (["roll [furlong]", "pitch", "yaw"], {}, "'furlong' is no unit of angle"),
        (["roll [deg]", "pitch", "yaw"], {}, "the header has the unit of 'roll', and not of"),
        (["angle1", "angle2", "angle3"], {}, "in an order that is not said"),
        (["roll_deg", "roll_rad", "pitch"], {"rotation": "rpy"}, "may all be roll"),
    ],
)
def test_what_is_not_clear_is_asked(names, arguments, says, tmp_path):
    path = written(tmp_path / "a.csv", side_by_side(names, ANGLES))
    with pytest.raises((FileError, InputError), match=says):
        motion.from_file(robot("gough_stewart"), path, **arguments)


def test_the_largest_unit_that_fits_is_suggested(tmp_path):
    """Home of a 3-RRR is the origin: every smaller unit would be nearer."""
    r, t = robot("three_rrr"), np.linspace(0.0, 1.0, 30)
    around = {"t": t, "x": 20.0 * np.sin(t), "y": 20.0 * np.cos(t), "rz": 0.0 * t}
    gough.base.tables.write_table(tmp_path / "a.csv", around)
    with pytest.raises(InputError, match=r"in millimetres\?"):
        motion.from_file(r, tmp_path / "a.csv")
    near = {"t": t, "x [mm]": 170.0 + 5.0 * t, "y [mm]": 0.0 * t, "rz": 0.0 * t}
    gough.base.tables.write_table(tmp_path / "b.csv", near)
    found = motion.from_file(r, tmp_path / "b.csv")
    assert [one.kind for one in found.findings] == ["convention"]


def test_two_kinds_of_rotations_are_asked_for(tmp_path):
    turned = dict.fromkeys(("qx", "qy", "qz", "roll", "pitch", "yaw"), 0.0 * T)
    written(tmp_path / "a.csv", turned | {"qw": 1.0 + 0.0 * T})
    with pytest.raises(InputError, match="columns qw qx qy qz and columns roll pitch yaw"):
        motion.from_file(robot("gough_stewart"), tmp_path / "a.csv")
