"""Printers of Klipper: what stands in the file is read, and the answer of the firmware follows."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import gough
from gough import build
from gough.calibration import read_klipper
from gough.errors import FileError, InputError
from trilateration import tool

SAMPLE = Path(__file__).resolve().parents[3] / "examples" / "printer.cfg"


@pytest.fixture(scope="module")
def printer():
    return read_klipper(SAMPLE)


@pytest.fixture(scope="module")
def reference(reference_folder):
    return json.loads((reference_folder / "delta_printer.json").read_text())


def changed(tmp_path, *changes):
    """The sample with some text replaced."""
    text = SAMPLE.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "printer.cfg"
    file.write_bytes(text.encode())
    return file


def closed_form(parameters, motors):
    """Positions of the tool by trilateration [m]."""
    radius = parameters["rail_radius"] - parameters["platform_radius"]
    figures = (parameters[name] for name in ("angles", "bar", "endstops"))
    return tool(radius, *figures, motors)


def test_measurements_are_those_of_the_owner(printer, reference):
    heights, distances = printer.measurements
    step = reference["step_mm"] / 1000.0
    assert printer.steps == pytest.approx([step] * 3, rel=1e-15)
    # numbers of the file in other units: rounding
    expected = [h["height_mm"] / 1000.0 for h in reference["heights"]]
    np.testing.assert_allclose(heights.values[:, 0], expected, rtol=1e-15)
    expected = [-step * np.array(h["steps"]) for h in reference["heights"]]
    np.testing.assert_allclose(heights.motors[:, 0], expected, rtol=1e-15)
    expected = [d["distance_mm"] / 1000.0 for d in reference["distances"]]
    np.testing.assert_allclose(distances.values[:, 0], expected, rtol=1e-15)
    for i, key in enumerate(("steps_1", "steps_2")):
        expected = [-step * np.array(d[key]) for d in reference["distances"]]
        np.testing.assert_allclose(distances.motors[:, i], expected, rtol=1e-15)
    assert heights.labels == tuple(f"height{i}" for i in range(7))
    assert distances.labels[3] == "distance3"
    assert printer.weights == {"height": 12 / 3.5, "distance": 1.0}
    nominal, own = reference["nominal"], printer.robot.parameters
    assert 1000.0 * own["rail_radius"] == pytest.approx(nominal["radius"])
    assert 1000.0 * np.array(own["bar"]) == pytest.approx(nominal["arms"])
    assert 1000.0 * np.array(own["endstops"]) == pytest.approx(nominal["endstops"])
    angles = [nominal["angle_a"], nominal["angle_b"], 90.0]
    assert np.degrees(own["angles"]) == pytest.approx(angles)


def test_the_firmwares_answer_follows_from_what_was_read(printer, reference):
    """Least squares over the free parameters, by trilateration alone; the optimum is Klipper's."""
    heights, distances = printer.measurements

    def parameters(x):
        return {
            "rail_radius": x[0],
            "platform_radius": 0.0,
            "angles": [x[1], x[2], np.pi / 2.0],
            "endstops": x[3:6],
            "bar": x[6:9],
        }

    def residuals(x):
        figures = parameters(x)
        z = closed_form(figures, heights.motors[:, 0])[:, 2]
        ends = closed_form(figures, distances.motors)
        apart = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        off = [z - heights.values[:, 0], apart - distances.values[:, 0]]
        weights = [printer.weights["height"] ** 0.5, printer.weights["distance"] ** 0.5]
        return 1000.0 * np.concatenate([w * r for w, r in zip(weights, off, strict=True)])

    nominal = printer.robot.parameters
    start = [nominal["rail_radius"], *nominal["angles"][:2], *nominal["endstops"], *nominal["bar"]]
    found = least_squares(residuals, start, x_scale="jac", xtol=1e-14, ftol=1e-14, gtol=1e-14)
    # seven digits of the cost are known
    assert (found.fun**2).sum() == pytest.approx(2.332037e-02, abs=1e-8)
    firmware = reference["firmware"]
    lengths = [firmware["radius"], *firmware["endstops"], *firmware["arms"]]
    # where the firmware's own descent stops; it writes 1e-6 mm and deg
    np.testing.assert_allclose(1000.0 * found.x[[0, 3, 4, 5, 6, 7, 8]], lengths, atol=2e-4)
    angles = [firmware["angle_a"], firmware["angle_b"]]
    np.testing.assert_allclose(np.degrees(found.x[1:3]), angles, atol=2e-4)
    assert printer.free == (
        *("rail_radius", "angles[0]", "angles[1]"),
        *(f"endstops[{i}]" for i in range(3)),
        *(f"bar[{i}]" for i in range(3)),
    )
    fitted = gough.vary(printer.robot, dict(zip(printer.free, found.x, strict=True)))
    for robot in (printer.robot, fitted):
        motors = np.concatenate([heights.motors.reshape(-1, 3), distances.motors.reshape(-1, 3)])
        expected = closed_form(robot.parameters, motors)
        with gough.options(engine="numpy"):
            poses = gough.pose_from_motors(robot, motors, robot.home_pose)
        # loops are closed by Newton to rounding
        np.testing.assert_allclose(poses.T_0p[:, :3, 3], expected, atol=1e-9)


def test_values_are_written_as_klipper_saves_them(printer, reference, tmp_path):
    firmware = reference["firmware"]
    values = {"rail_radius": firmware["radius"] / 1000.0}
    values |= {f"endstops[{i}]": each / 1000.0 for i, each in enumerate(firmware["endstops"])}
    values |= {f"bar[{i}]": each / 1000.0 for i, each in enumerate(firmware["arms"])}
    for i, key in enumerate(("angle_a", "angle_b")):
        values[f"angles[{i}]"] = np.radians(firmware[key])
    file = tmp_path / "printer.cfg"
    printer.write(file, values)
    text = file.read_text()
    assert "\n#delta_radius: 162       # nominal\n" in text
    assert "\n#*# [printer]\n#*# delta_radius = 162.769280\n" in text
    assert "#*# angle = 210.128266\n#*# arm_length = 345.511546\n" in text
    assert "#*# position_endstop = 417.979258\n" in text
    again = read_klipper(file)
    for name, value in values.items():  # to the digits of the file, 1e-6 mm and deg
        name, _, leg = name.partition("[")
        own = again.robot.parameters[name]
        assert (own[int(leg[0])] if leg else own) == pytest.approx(value, abs=1e-8)
    before, after = printer.measurements, again.measurements
    for old, new in zip(before, after, strict=True):
        assert (old.values == new.values).all()
        assert (old.motors == new.motors).all()
    # a robot says the same as its values, and saving again changes nothing
    again.write(file, again.robot)
    assert file.read_text() == text
    again.write(file, gough.vary(again.robot, rail_radius=0.163))
    assert file.read_text() == text.replace("162.769280", "163.000000")


def test_a_platform_of_some_size_has_the_same_radius_in_the_file(tmp_path, printer):
    """Only the difference of the radii is Klipper's."""
    wide = read_klipper(SAMPLE, platform_radius=0.04, half_spacing=0.03, name="kossel")
    assert wide.robot.name == "kossel"
    assert wide.robot.parameters["rail_radius"] == pytest.approx(0.202)
    for each, name in ((wide, "wide.cfg"), (printer, "point.cfg")):
        each.write(tmp_path / name, each.robot)
    assert (tmp_path / "wide.cfg").read_text() == (tmp_path / "point.cfg").read_text()


def test_a_file_that_says_little(tmp_path):
    """A Kossel: figures of the first tower, usual angles, gears, no distances, a manual height."""
    text = SAMPLE.read_text()
    above, below = text.split("#*# <")
    for angle in ("angle: 210\n", "angle: 330\n", "angle: 90\n"):
        above = above.replace(angle, "")
    above = above.replace("rotation_distance: 40\n", "STEP_DISTANCE = .0125\n")
    above = above.replace(
        "microsteps: 16\nhoming",
        "microsteps: 32\ngear_ratio: 80:20, 1:2\nfull_steps_per_rotation: 400\nhoming",
    )
    kept = [line for line in below.splitlines() if "distance" not in line]
    kept.append("#*# manual_height0 = 12.5\n#*# manual_height0_pos = 1000,2000.5,3e3\n")
    file = tmp_path / "kossel.cfg"
    file.write_text(f"{above}#*# <" + "\n".join(kept))
    kossel = read_klipper(file)
    assert np.degrees(kossel.robot.parameters["angles"]) == pytest.approx([210.0, 330.0, 90.0])
    assert kossel.robot.parameters["bar"] == [0.345] * 3
    # 40 mm over 400 full steps of 32 each, twice per turn of the pulley
    assert kossel.steps == pytest.approx([4e-2 / 25600, 1.25e-5, 1.25e-5], rel=1e-15)
    assert kossel.free == ("rail_radius", "angles[0]", "angles[1]", *kossel.free[3:])
    assert len(kossel.free) == 6
    assert kossel.weights == {"height": 1.0}
    (heights,) = kossel.measurements
    assert heights.labels[-1] == "manual_height0"
    assert heights.values[-1, 0] == 0.0125
    expected = -np.array(kossel.steps) * [1000.0, 2000.5, 3000.0]
    np.testing.assert_allclose(heights.motors[-1, 0], expected, rtol=1e-15)


BELOW = "#*# height0 = 16.0"


@pytest.mark.parametrize(
    ("changes", "words", "line", "path"),
    [
        ([("[printer]", "[printers]")], "no section [printer]", None, "printer.kinematics"),
        ([("kinematics: delta", "")], "[printer] has no kinematics", 5, "printer.kinematics"),
        ([("kinematics: delta", "kinematics: corexy")], "expected delta, got 'corexy'", 6, None),
        ([("max_velocity: 400", "max_velocity")], "neither [section] nor key", 7, ""),
        ([("delta_radius: 162 ", "#")], "has no delta_radius", 5, "printer.delta_radius"),
        ([("delta_radius: 162 ", "delta_radius: 162,5")], "expected a number", 11, None),
        ([("delta_radius: 162 ", "delta_radius: nan")], "expected a number, got 'nan'", 11, None),
        ([("delta_radius: 162 ", "delta_radius: 1e400")], "inf is not a finite number", 11, None),
        ([("delta_radius: 162 ", "delta_radius: -162")], "must be above 0, is -162", 11, None),
        ([("arm_length: 345", "arm_length: 160")], "not longer than delta_radius", 19, None),
        ([("arm_length: 345", "arms: 345")], "has no arm_length", 14, "stepper_a.arm_length"),
        ([("angle: 330", "angle: 690")], "more than a turn", 25, "stepper_b.angle"),
        ([("microsteps: 16", "microsteps: 1.5")], "expected a whole number", 16, None),
        ([("microsteps: 16", "")], "has no microsteps", 14, "stepper_a.microsteps"),
        ([("angle: 210", "full_steps_per_rotation: 201")], "multiple of 4, is 201", 20, None),
        ([("angle: 90", "gear_ratio: 80")], "expected 2 numbers", 30, "stepper_c.gear_ratio"),
        ([("angle: 90", "gear_ratio: 80:0")], "teeth must be positive", 30, None),
        ([(BELOW, "#*# height00")], "neither [section] nor key", 45, ""),
        ([(BELOW + "\n", "")], "no height0 before it", 46, "delta_calibrate.height1"),
        ([("#*# height6 = 16.0\n", "")], "no height6 that it belongs to", 57, None),
        ([("height2_pos", "height2_place")], "has no height2_pos", 36, None),
        ([("31704.000,", "")], "height2_pos of [delta_calibrate]: expected 3 numbers", 50, None),
        ([("distance0 = 64.97", "distance0 = 0")], "must be above 0", 59, None),
        ([("DO NOT EDIT", "EDIT")], "does not begin there", 41, ""),
        ([(BELOW, "height0 = 16.0")], "does not begin with '#*# '", 45, ""),
        ([(BELOW, "#*#height0 = 16.0")], "does not begin with '#*# '", 45, ""),
        ([("[printer]", "[printer")], "no [section] stands above", 5, ""),
    ],
)
def test_faults_are_named_with_file_line_and_key(tmp_path, changes, words, line, path):
    file = changed(tmp_path, *changes)
    with pytest.raises(FileError) as caught:
        read_klipper(file)
    assert words in str(caught.value)
    assert caught.value.file == str(file)
    assert caught.value.line == line
    assert path is None or caught.value.path == path


def test_nothing_measured_says_what_to_do(tmp_path):
    file = tmp_path / "printer.cfg"
    file.write_text(SAMPLE.read_text().partition("#*#")[0])
    with pytest.raises(FileError, match="has no height0") as caught:
        read_klipper(file)
    assert "DELTA_CALIBRATE" in caught.value.hint
    planned = read_klipper(file, measured=False)  # the robot alone is enough for a plan
    assert planned.measurements == ()
    assert planned.robot.parameters["rail_radius"] == pytest.approx(0.162)


def test_the_bed_is_as_large_as_the_file_says(tmp_path, printer):
    assert printer.print_radius == pytest.approx(0.150)
    without = ("print_radius: 150\n", "")
    assert read_klipper(changed(tmp_path, without)).print_radius == pytest.approx(0.140)
    nothing = ("\nradius: 140", "")  # then as Klipper has it, delta_radius
    assert read_klipper(changed(tmp_path, without, nothing)).print_radius == pytest.approx(0.162)


def test_robots_that_klipper_has_no_keys_for(printer, tmp_path):
    file = tmp_path / "printer.cfg"
    four = build.linear_delta(0.2, 0.04, 0.345, 0.025, angles=[0.1, 1.6, 3.2, 4.7])
    inward = build.linear_delta(0.04, 0.2, 0.345, 0.025)
    for values, words in (
        (build.delta(0.16, 0.05, 0.2, 0.48, 0.035), "no keys for this robot"),
        (four, "three towers"),
        (inward, "-160 mm"),
        ({"rail": 0.2}, "no parameter 'rail'"),
        (0.2, "expected new values by name"),
    ):
        with pytest.raises(InputError, match=words):
            printer.write(file, values)
    assert not file.exists()
