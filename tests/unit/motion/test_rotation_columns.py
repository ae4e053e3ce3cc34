"""Columns of rotations: read as they are meant, said so, and asked where it is not clear."""

import numpy as np
import pytest

import gough
from gough import motion
from gough.base import turns
from gough.errors import InputError
from gough.robot.frame import Frame
from robots import robot

T = np.linspace(0.0, 1.0, 60)
ANGLES = np.stack([0.2 * np.sin(6.0 * T), 0.3 * np.sin(5.0 * T), 0.25 * np.sin(4.0 * T)], axis=1)


def written(path, names, angles=ANGLES, **more):
    home = robot("gough_stewart").assembly.T_home[:3, 3]
    place = {name: np.full(len(T), home[i]) for i, name in enumerate("xyz")}
    columns = {"t": T, **place, **dict(zip(names, angles.T, strict=True)), **more}
    gough.base.tables.write_table(path, columns)
    return path


def rotations(found):
    return found(T).T_0p[:, :3, :3]


def test_roll_pitch_yaw_is_that_of_robot_files():
    for angles in ([0.3, -0.2, 0.5], [0.0, 1.2, 0.0]):
        expected = Frame.from_rpy((0.0, 0.0, 0.0), angles).matrix[:3, :3]
        np.testing.assert_allclose(turns.from_rpy(np.array([angles]))[0], expected, atol=1e-14)


def test_names_that_leave_no_doubt(tmp_path):
    r = robot("gough_stewart")
    found = motion.from_file(r, written(tmp_path / "a.csv", ("roll", "pitch", "yaw")), smoothing=0)
    np.testing.assert_allclose(rotations(found), turns.from_rpy(ANGLES), atol=1e-9)
    assert [one.kind for one in found.findings] == ["convention"]
    assert "R = Rz(yaw) Ry(pitch) Rx(roll)" in found.findings[0].sentence


def test_rx_ry_rz_are_asked_about_where_it_makes_a_difference(tmp_path):
    r, path = robot("gough_stewart"), written(tmp_path / "a.csv", ("rx", "ry", "rz"))
    apart = np.linalg.norm(
        turns.logs(turns.rotations(ANGLES) @ np.swapaxes(turns.from_rpy(ANGLES), 1, 2)), axis=1
    )
    with pytest.raises(InputError, match=f"a difference of {apart.max():.3g} rad at t = ") as asked:
        motion.from_file(r, path)
    assert "rotation='rotation_vector' or rotation='rpy'" in asked.value.hint
    for word, expected in (("rotation_vector", turns.rotations), ("rpy", turns.from_rpy)):
        found = motion.from_file(r, path, rotation=word, smoothing=0)
        np.testing.assert_allclose(rotations(found), expected(ANGLES), atol=1e-9)
        assert "rx ry rz were read as" in found.findings[0].sentence


def test_small_rotations_and_one_axis_are_the_same_either_way(tmp_path):
    r = robot("gough_stewart")
    small = written(tmp_path / "small.csv", ("rx", "ry", "rz"), 0.02 * ANGLES)
    assert "they would differ by" in motion.from_file(r, small).findings[0].sentence
    alone = ANGLES * [0.0, 0.0, 1.0]
    one = written(tmp_path / "one.csv", ("rx", "ry", "rz"), alone)
    np.testing.assert_allclose(
        rotations(motion.from_file(r, one, smoothing=0)), turns.rotations(alone), atol=1e-9
    )


def test_tables_of_gough_are_read_back_without_a_question(tmp_path):
    r = robot("gough_stewart")
    there = r.home_pose.copy()
    there[:3, :3] = turns.rotations(np.array([[0.2, 0.2, 0.1]]))[0] @ there[:3, :3]
    path = motion.point_to_point(r, None, there, duration=0.5)
    analysis = gough.analyse(r, path, rate=200.0, agreement=False)
    gough.base.tables.write_table(tmp_path / "own.csv", analysis.columns())
    found = motion.from_file(r, tmp_path / "own.csv")
    np.testing.assert_allclose(found(analysis.t).T_0p, analysis.T_0p, atol=1e-6)


def test_degrees_are_asked_about(tmp_path):
    r = robot("gough_stewart")
    path = written(tmp_path / "a.csv", ("roll", "pitch", "yaw"), np.degrees(ANGLES))
    with pytest.raises(InputError, match=r"the column \w+ reaches 17\.\d+: are these degrees\?"):
        motion.from_file(r, path)
    found = motion.from_file(r, path, angles="degrees", smoothing=0)
    np.testing.assert_allclose(rotations(found), turns.from_rpy(ANGLES), atol=1e-9)
    assert "in degrees" in found.findings[0].sentence


def test_what_contradicts_itself_is_refused(tmp_path):
    r = robot("gough_stewart")
    yaw = {"yaw": 0.0 * T}
    both = written(tmp_path / "a.csv", ("rx", "ry", "rz"), 0.01 * ANGLES, **yaw)
    with pytest.raises(InputError, match="columns rx ry rz and columns yaw"):
        motion.from_file(r, both)
    for word, value in (("rotation", "euler"), ("rotation", 3), ("angles", "gon")):
        with pytest.raises(InputError, match=f"{word} is .*, expected one of"):
            motion.from_file(r, both, **{word: value})


def test_a_machine_without_rotations_is_not_asked(tmp_path):
    r = robot("delta")
    home = r.home_pose[:3, 3]
    columns = {"t": T, **{n: home[i] + 0.01 * np.sin(T) for i, n in enumerate("xyz")}}
    gough.base.tables.write_table(tmp_path / "a.csv", {**columns, "yaw": 40.0 * T})
    (said,) = motion.from_file(r, tmp_path / "a.csv").findings
    assert said.sentence == "lengths are in metres, time in seconds"


def test_small_degrees_are_asked_about_too(tmp_path):
    """Two degrees are no half turn, but no platform turns two radians about several axes."""
    r = robot("gough_stewart")
    for names in (("roll", "pitch", "yaw"), ("rx", "ry", "rz")):
        path = written(tmp_path / "a.csv", names, ANGLES / 0.3 * 2.3)
        with pytest.raises(InputError, match=r"reaches \d\.\d+: are these degrees\?"):
            motion.from_file(r, path)
    pitch = written(tmp_path / "b.csv", ("roll", "pitch", "yaw"), ANGLES * [0.1, 8.0, 0.1])
    with pytest.raises(InputError, match=r"the column pitch reaches 2\.\d+: are these degrees"):
        motion.from_file(r, pitch)


def test_one_axis_may_turn_once_without_a_question(tmp_path):
    r = robot("three_rrr")
    still = {name: np.full(len(T), r.home_pose[i, 3]) for i, name in enumerate("xy")}
    swing = np.sin(6.0 * T)
    gough.base.tables.write_table(tmp_path / "a.csv", {"t": T, **still, "rz": 11.5 * swing})
    with pytest.raises(InputError, match=r"the column rz reaches 11\.\d+: are these degrees"):
        motion.from_file(r, tmp_path / "a.csv")
    found = motion.from_file(r, tmp_path / "a.csv", angles="degrees", smoothing=0)
    turned = turns.logs(rotations(found) @ r.assembly.chart.R_ref.T)[:, 2]
    np.testing.assert_allclose(turned, np.radians(11.5 * swing), atol=1e-9)
    assert found.findings[0].sentence == (
        "the column rz was read as the angle about base z, in degrees; lengths are in metres, "
        "time in seconds"
    )
    gough.base.tables.write_table(tmp_path / "a.csv", {"t": T, **still, "rz": 6.0 * T})
    assert "the column rz was read" in motion.from_file(r, tmp_path / "a.csv").findings[0].sentence
