"""Tables of measurements: every kind comes back, units and conventions are said or refused."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough import calibration
from gough.base.tables import FORMATS
from gough.calibration import measured as kinds
from gough.errors import FileError, InputError
from robots import robot

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SAME = 1e-15  # quaternions of length 1 to a rounding or two, and products of them


def read(name, tmp_path, text, **said):
    """What is read from a table of a robot."""
    path = tmp_path / "measured.csv"
    path.write_text(text)
    r = robot(name) if isinstance(name, str) else name
    return calibration.read_measurements(r, path, **said)


@cache
def limited():
    """A Delta whose motors have limits, -0.9 to 1.1 rad."""
    return gough.load(EXAMPLES / "robots" / "delta.yaml")


def one_of_each():
    """Measurements of every kind, of a hexapod without symmetry."""
    rng = np.random.default_rng(5)
    q = 0.7 + 0.05 * rng.normal(size=(4, 6))
    T = np.tile(np.eye(4), (4, 1, 1))
    T[:, :3, :3] = Rotation.random(4, random_state=6).as_matrix()
    T[3, :3, :3] = Rotation.from_rotvec((np.pi - 1e-9) * np.array([0.48, -0.6, 0.64])).as_matrix()
    T[:, :3, 3] = rng.normal(size=(4, 3))
    points = T[:, :3, 3].copy()
    points[1, 2] = np.nan
    sure = [1e-5, np.nan, 2e-5, 3e-5]
    return [
        calibration.Poses(q, T, (1e-5, 2e-4)),
        calibration.Poses(q[:1], T[:1], components=("x", "y", "rz")),
        calibration.Positions(q, points, sure),
        calibration.Orientations(q, T[:, :3, :3], 1e-3, components=("rx", "ry")),
        calibration.Heights(q, [0.1, -0.2, 0.3, 0.0]),
        calibration.Distances(q[:2], q[2:], [0.1 + 0.2, 0.4], 1e-4),
        calibration.Lengths(q[:2], [[0.1, 0.2, 0.3], [0.0, 0.0, 1.0]], [0.5, 0.6], 1e-4),
        calibration.Encoders(q, "u1.first", [0.1, 0.2, 0.3, 3.0], 1e-3),
        calibration.Encoders(q, "u2.second", [0.4, 0.3, 0.2, 0.1]),
    ]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_kind_comes_back(ending, tmp_path):
    path, given = tmp_path / f"all{ending}", one_of_each()
    calibration.write_measurements(path, robot("gough_stewart"), given)
    found = calibration.read_measurements(robot("gough_stewart"), path)
    assert [type(each).__name__ for each in found] == [
        *("Poses", "Positions", "Orientations", "Heights", "Distances", "Lengths"),
        *("Encoders", "Encoders"),
    ]
    poses, *rest = found
    for name in ("motors", "values", "std"):  # both tables of poses became one
        both = np.concatenate([getattr(given[0], name), getattr(given[1], name)])
        np.testing.assert_array_equal(getattr(poses, name), both)
    np.testing.assert_allclose(poses.T[:4], given[0].T, atol=SAME)
    for mine, theirs in zip(rest, given[2:], strict=True):
        for name in ("motors", "values", "std"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))
        assert (mine.axis, mine.number_units) == (theirs.axis, theirs.number_units)
    np.testing.assert_allclose(rest[1].R, given[3].R, atol=SAME)
    np.testing.assert_array_equal(rest[4].anchor, given[6].anchor)
    first = 2 if ending == ".csv" else 1  # the header has a line of its own
    assert poses.labels == tuple(f"all{ending} row {first + k}" for k in range(5))


def test_units_of_header_and_caller(tmp_path):
    header = "arm1_deg,ARM2 (deg),q_arm3 [°],X [mm],pos_y (mm),z_mm,std [um]\n"
    row = "10,20,30,100,-50,-400,20\n"
    (found,) = read("delta", tmp_path, header + row)
    np.testing.assert_allclose(found.motors[0, 0], np.radians([10.0, 20.0, 30.0]), rtol=1e-15)
    np.testing.assert_allclose(found.values, [[0.1, -0.05, -0.4]], rtol=1e-15)
    np.testing.assert_allclose(found.std, 2e-5, rtol=1e-15)
    units = {"length": "mm", "angle": "deg"}
    bare = read("delta", tmp_path, f"arm1,arm2,arm3,x,y,z,std\n{row}", units=units)
    np.testing.assert_array_equal(bare[0].values, found.values)
    np.testing.assert_allclose(bare[0].std, 2e-2)  # of the caller's unit, and that is remarked on
    said = [finding.sentence for finding in bare.findings]
    assert said[0] == "lengths in millimetres; angles in degrees"
    assert said[1].startswith("a standard deviation is 0.02 m")
    over = read("delta", tmp_path, header + row, units=units).findings[0].sentence
    assert "'std [um]' was read in millimetres, as the caller says" in over


def test_what_is_assumed_is_said(tmp_path):
    found = read("delta", tmp_path, "arm1,arm2,arm3,x,y,z,temp\n.1,.2,.3,.1,0,-.4,22\n")
    (finding,) = found.findings
    assert finding.kind == "convention"
    assert finding.sentence == (
        "lengths in metres and angles in radians, assumed because neither the header nor the "
        "caller says it; left alone: 'temp'"
    )
    assert repr(found) == "<MeasurementTable 'measured.csv': 1 position>"


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("delta", "arm1,arm2,arm3,height\n10,20,30,.1\n", r"up to 29\.6 rad.*in degrees\?"),
        ("orthoglide", "p1,p2,p3,height\n300,310,320,.1\n", r"m away from home.*in millimetres\?"),
        ("delta", "arm1,arm2,arm3,x\n.1,.2,.3,100\n.1,.2,.2,-90\n", "'x' reaches over"),
        ("delta", "arm1,arm2,arm3,length\n.1,.2,.3,400\n", "'length' reaches over 400 m"),
        ("gough_stewart", "p1,p2,p3,p4,p5,p6,u1.first\n.7,.7,.7,.7,.7,.7,30\n", "in degrees"),
        ("delta", "arm1,arm2,arm3,x [mm],y,z\n.1,.2,.3,1,2,3\n", "of 'x', and not of 'y' and 'z'"),
        ("delta", "arm1 [mm],arm2,arm3,height\n.1,.2,.3,1\n", "'mm' is no unit of angle"),
    ],
)
def test_units_that_do_not_fit_are_refused(name, text, match, tmp_path):
    with pytest.raises((InputError, FileError), match=match) as refused:
        read(name, tmp_path, text, anchor=(0.0, 0.0, 0.0))
    assert "measured.csv" in str(refused.value)
    assert "units=" in refused.value.hint


def test_units_that_were_said_are_taken_with_a_remark(tmp_path):
    degrees = "motor1 [rad],motor2 [rad],motor3 [rad],height [m]\n10,20,30,.1\n"
    said = [f for f in read(limited(), tmp_path, degrees).findings if f.kind == "unit"]
    assert "in radians a motor stands up to 29.9 rad away from the middle" in said[0].sentence
    text = "arm1 [deg],arm2 [deg],arm3 [deg],height [m]\n.1,.5,.3,.1\n.4,.2,.3,.1\n"
    said = [f for f in read("delta", tmp_path, text).findings if f.kind == "unit"]
    assert "in degrees motors move by 0.0052 rad only" in said[0].sentence
    points = "arm1,arm2,arm3,x [mm],y [mm],z [mm]\n.1,.5,.3,.1,0,-.4\n.9,.2,.3,-.1,.1,-.4\n"
    said = [f for f in read("delta", tmp_path, points).findings if f.kind == "unit"]
    assert "in metres it would be" in said[0].sentence


def test_motors_outside_their_limits_are_named(tmp_path):
    text = "motor1 [deg],motor2 [deg],motor3 [deg],height [mm]\n10,20,30,1\n10,70,80,1\n"
    (finding,) = [f for f in read(limited(), tmp_path, text).findings if f.kind == "limits"]
    expected = "motor motor3 stands at 1.396 rad in row 3, outside its limits -0.9 to 1.1 rad"
    assert finding.sentence == expected


def test_rotations_are_read_as_they_are_of_motions(tmp_path):
    header, row = "p1,p2,p3,p4,p5,p6,x,y,z,{}\n", ".7,.7,.7,.7,.7,.7,.1,.2,.7,10,20,30\n"
    units = {"angle": "deg"}
    for names, word, scipy in (
        ("roll,pitch,yaw", None, "xyz"),
        ("rx,ry,rz", "zyx fixed", "xyz"),
        ("angle1,angle2,angle3", "zxz intrinsic", "ZXZ"),
    ):
        text = header.format(names) + row
        (found,) = read("gough_stewart", tmp_path, text, rotation=word, units=units)
        order = [10, 20, 30] if word != "zyx fixed" else [30, 20, 10]
        axes = scipy if word != "zyx fixed" else "zyx"
        expected = Rotation.from_euler(axes, order, degrees=True).as_matrix()
        np.testing.assert_allclose(found.T[0, :3, :3], expected, atol=1e-15)
    with pytest.raises(InputError, match=r"rotation vector, or roll, pitch, yaw.*in row 2"):
        read("gough_stewart", tmp_path, header.format("rx,ry,rz") + row, units=units)
    with pytest.raises(InputError, match="are these degrees"):
        read("gough_stewart", tmp_path, header.format("roll,pitch,yaw") + row)


def test_an_angle_is_a_rotation_where_the_machine_turns_about_one_axis(tmp_path):
    text = "foot1,foot2,foot3,x,y,yaw\n.1,.2,.3,.1,.2,.3\n"
    (found,) = read("three_rrr", tmp_path, text)
    expected = Rotation.from_rotvec([0.0, 0.0, 0.3]).as_matrix()
    np.testing.assert_allclose(found.T[0, :3, :3], expected, atol=1e-15)
    seen = np.isfinite(found.values[0])
    assert [name for name, there in zip(found.names, seen, strict=True) if there] == [
        *("x", "y", "rz")
    ]
    # the platform of a five-bar is a bar: it rotates about z, as its two degrees of freedom tell
    (found,) = read("five_bar", tmp_path, "foot1,foot2,x,y,yaw\n2.1,1.1,.1,.4,.3\n")
    np.testing.assert_allclose(found.T[0, :3, :3], expected, atol=1e-15)
    assert np.isfinite(found.values[0]).tolist() == [True, True, False, False, False, True]
    with pytest.raises(FileError, match="there is no column"):
        read("delta", tmp_path, "arm1,arm2,arm3,x,y,z,yaw\n.1,.2,.3,.1,.2,.3,.1\n")


def test_a_plan_that_is_not_filled_in_says_so(tmp_path):
    text = "foot1,foot2,x,y,z,std\n2.1,1.1,,,,\n2.2,1.2,,,,\n"
    with pytest.raises(FileError, match="nothing was measured: columns x y z are empty"):
        read("five_bar", tmp_path, text)


MIXED = """\
# a bed, probed, and a part, measured with calipers
arm1_deg,arm2_deg,arm3_deg,height_mm,distance_mm,other_arm1_deg,other_arm2_deg,other_arm3_deg,note

10,20,30,0.5,,,,,probe
11,21,31,,,,,,nothing yet

12,22,32,,40,10,20,30,calipers
,,,,,,,,
13,23,33,0.6,50,10,20,30,both
"""


def test_a_table_may_hold_several_kinds(tmp_path):
    found = read("delta", tmp_path, MIXED, std={"length": 1e-5})
    heights, distances = found
    assert heights.labels == ("measured.csv row 4", "measured.csv row 9")
    assert distances.labels == ("measured.csv row 7", "measured.csv row 9")
    np.testing.assert_allclose(np.degrees(distances.motors[0]), [[12, 22, 32], [10, 20, 30]])
    np.testing.assert_allclose(heights.std, 1e-5)
    (left,) = [f for f in found.findings if f.kind == "left_out"]
    assert left.sentence == "1 row has nothing measured, left out: row 5"


@pytest.mark.parametrize(
    ("text", "line", "match"),
    [
        ("arm1,arm2,arm3,height\n.1,.2,.3,.1\n.1,,.3,.1\n", 3, "'arm2' is empty"),
        ("arm1,arm2,arm3,height\n.1,.2,.3,high\n.1,.2,.3,.1\n", 2, "'height': 'high' is not"),
        ("arm1,arm2,height\n.1,.2,.3\n", None, "no column 'arm3'"),
        ("arm1,arm2,arm3,heigth\n.1,.2,.3,.1\n", None, "nothing that was measured"),
        ("arm1,arm2,arm3,distance\n.1,.2,.3,.1\n", None, "no column 'other_arm1'"),
        ("arm1,arm2,arm3,distance\n.1,.2,.3,-.1\n", 2, "'distance' is -0.1"),
        ("arm1,arm2,arm3,length\n.1,.2,.3,.1\n", None, "no columns anchor_x"),
        ("arm1,arm2,arm3,height,std\n.1,.2,.3,.1,0\n", 2, "'std' is 0: a standard deviation"),
        ("arm1,arm2,arm3,roll,pitch,yaw\n.1,.2,.3,.1,,.1\n", 2, "'pitch' is empty"),
        ("arm1,arm2,arm3,qw,qx,qy,qz\n.1,.2,.3,1,1,0,0\n", 2, "quaternion has length 1.414"),
        ("arm1,arm2,arm3,qw,qx,qy,qz,skip_rx\n.1,.2,.3,1,0,0,0,2\n", 2, "'skip_rx' is 2"),
        ("arm1,q_arm1,arm2,arm3,height\n", None, "no numbers"),
        ("q_arm1,motor_arm1,arm2,arm3,height\n1,1,1,1,1\n", None, "may all be arm1"),
        ("arm1,arm2,arm3,height\n,,,\n", None, "empty rows only"),
    ],
)
def test_what_is_missing_is_refused_with_its_place(text, line, match, tmp_path):
    with pytest.raises(FileError, match=match) as refused:
        read("delta", tmp_path, text)
    assert refused.value.file.endswith("measured.csv")
    if line is not None:
        assert refused.value.line == line


def test_columns_and_arguments_by_name(tmp_path):
    text = "A,B,C,wire\n.1,.2,.3,.5\n"
    columns = {"arm1": "A", "arm2": "B", "arm3": "C", "length": "wire"}
    (found,) = read("delta", tmp_path, text, columns=columns, anchor=(0.1, 0.2, 0.3))
    np.testing.assert_array_equal(found.anchor, [[0.1, 0.2, 0.3]])
    for wrong, match in (
        ({"columns": {**columns, "arm4": "A"}}, "no quantity 'arm4'"),
        ({"units": {"time": "s"}}, "no kind 'time'"),
        ({"angles": "gon"}, "angles is 'gon'"),
        ({"std": {"length": -1.0}}, "must be positive"),
        ({"std": 1e-5}, "expected standard deviations by"),
        ({"anchor": [1.0, 2.0]}, "anchor"),
    ):
        with pytest.raises(InputError, match=match):
            read("delta", tmp_path, text, **{"columns": columns, **wrong})


def test_motors_called_as_components_of_a_quaternion_are_motors(tmp_path):
    text = "q1,q2,qw,qx,qy,qz\n.1,.2,1,0,0,0\n"
    (found,) = read("spherical_2dof", tmp_path, text)
    np.testing.assert_array_equal(found.motors[0, 0], [0.1, 0.2])
    (named,) = read("spherical_2dof", tmp_path, text, columns={"q1": "q2", "q2": "q1"})
    np.testing.assert_array_equal(named.motors[0, 0], [0.2, 0.1])


def test_what_cannot_be_written_is_refused(tmp_path):
    r, q = robot("gough_stewart"), np.full((1, 6), 0.7)
    uneven = calibration.Positions(q, [[0.0, 0.0, 0.7]], 1e-5)
    uneven.std[0, 2] = 2e-5
    for given, match in (
        (uneven, "position 1: its components have different standard deviations"),
        (calibration.Heights(q[:, :3], [0.1]), "has 3 motors"),
        (calibration.Encoders(q, "p1", [0.1]), "there is no encoder 'p1'"),
        (calibration.Encoders(q, "u1.first", [0.1], slides=True), "and the axis turns"),
        ([], "at least one"),
        ("no", "expected measurements"),
    ):
        with pytest.raises(InputError, match=match):
            calibration.write_measurements(tmp_path / "m.csv", r, given)
    assert not list(tmp_path.iterdir())


def test_the_example_is_of_a_machine_that_is_a_little_crooked():
    path = EXAMPLES / "measurements" / "delta_poses.csv"
    (poses,) = calibration.read_measurements(limited(), path)
    assert (len(poses), poses.labels[0]) == (30, "delta_poses.csv row 3")
    with gough.options(engine="numpy"):
        nominal = gough.pose_from_motors(limited(), poses.motors[:, 0]).T_0p
    off = poses.compared(kinds.View(nominal[:, None], {})).off
    # joints 0.3 mm off along each axis: millimetres and a degree or two, far above the noise
    assert 2e-4 < np.abs(off[:, :3]).max() < 1e-2
    assert 1e-3 < np.abs(off[:, 3:]).max() < 0.05
    np.testing.assert_allclose(poses.std[:, :3], 2e-5)
