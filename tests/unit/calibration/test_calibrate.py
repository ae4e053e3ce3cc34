"""Calibration through its public door: a printer on the bench, kinds, arguments, words."""

from __future__ import annotations

import json
import pickle
import warnings
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

import coupled
import gough
from fuzz.sketch import Sketch, misdrawn
from gough.calibration import Distances, Encoders, Heights, Positions
from gough.calibration.loops import SeatedLoops
from gough.errors import GoughWarning, InputError, UnreachablePose
from measuring import crooked, measured, observed, reachable
from robots import robot

FIGURES = ["rail_radius", "angles[0]", "angles[1]", "endstops", "bar"]
MM = 1e-3
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def printer(reference_folder):
    """The printer as described, its heights and distances, and its firmware's answer."""
    data = json.loads((reference_folder / "delta_printer.json").read_text(encoding="utf-8"))
    step, nominal = data["step_mm"] * MM, data["nominal"]

    def sliders(rows, key):
        return -step * np.array([row[key] for row in rows])

    heights, distances = data["heights"], data["distances"]
    described = gough.build.linear_delta(
        nominal["radius"] * MM,
        0.0,
        [arm * MM for arm in nominal["arms"]],
        0.03,
        endstops=[e * MM for e in nominal["endstops"]],
        angles=np.radians([nominal["angle_a"], nominal["angle_b"], 90.0]),
    )
    # weighed as the firmware does: a height 12/3.5 times a distance
    probed = Heights(
        sliders(heights, "steps"), [h["height_mm"] * MM for h in heights], MM * np.sqrt(3.5 / 12.0)
    )
    parts = (sliders(distances, "steps_1"), sliders(distances, "steps_2"))
    return described, probed, parts, [d["distance_mm"] for d in distances], data["firmware"]


def test_the_printer_gets_the_answer_of_its_firmware(printer):
    described, heights, parts, distances, firmware = printer
    measurements = [heights, Distances(*parts, np.array(distances) * MM, MM)]
    found = gough.calibrate(described, measurements, free=FIGURES, prior=None, noise="scaled")
    assert found.cost == pytest.approx(2.332037e-02, abs=5e-9)
    wanted = [firmware["radius"], *firmware["endstops"], *firmware["arms"]]
    names = ["rail_radius", *(f"{n}[{k}]" for n in ("endstops", "bar") for k in range(3))]
    # the firmware prints six digits and stops a little early
    np.testing.assert_allclose([found[n].value / MM for n in names], wanted, rtol=0.0, atol=2e-4)
    for k, key in enumerate(("angle_a", "angle_b")):
        assert np.degrees(found[f"angles[{k}]"].value) == pytest.approx(firmware[key], abs=1e-4)
    assert all(0.4 < found[f"bar[{k}]"].std / MM < 0.8 for k in range(3))
    assert gough.vary(found.robot).parameters["rail_radius"] == found["rail_radius"].value
    assert not found.outliers


def test_a_mistyped_distance_is_named(printer):
    described, heights, parts, distances, _ = printer
    typed = [*distances]
    typed[4] = 56.06  # was 65.06
    labels = [f"distance{k}" for k in range(len(typed))]
    given = [heights, Distances(*parts, np.array(typed) * MM, MM, labels=labels)]
    found = gough.calibrate(
        described, given, free=FIGURES, prior=None, noise="scaled", outliers="drop"
    )
    (outlier,) = found.outliers
    assert (outlier.label, found.dropped) == ("distance4", ("distance4",))
    assert outlier.hint == "two digits swapped, 65.06 mm?"
    arms = np.array([345.511546, 346.790457, 346.713602]) * MM
    assert max(abs(found[f"bar[{k}]"].value - arms[k]) for k in range(3)) < 0.5 * MM


def test_a_robust_loss_leaves_an_outlier_aside():
    _, seen, _, rng = bent("five_bar")
    data = measured(seen, "position", 2e-5, rng)
    data.values[7, 0] += 2e-3
    free = ["prox*.length", "dist*.length", "foot*.offset", "tool.position"]
    with pytest.warns(
        GoughWarning, match=r"position 8: x was measured as .* mm, the others predict"
    ):
        plain = gough.calibrate(robot("five_bar"), data, free=free)
    robust = gough.calibrate(robot("five_bar"), data, free=free, loss="cauchy", outliers="keep")
    assert [each.label for each in plain.outliers] == ["position 8"]
    others = [k for k, row in enumerate(plain.residuals.rows) if row.label != "position 8"]
    sizes = [np.abs(each.residuals.after[others]).max() for each in (plain, robust)]
    assert sizes[1] < 1e-4 < 0.5 * sizes[0]


def test_heights_alone_do_not_show_the_scale(printer):
    described, heights, _, _, _ = printer
    found = gough.calibrate(described, heights, free=FIGURES, noise="scaled")
    assert found.observability.identifiable < len(found.parameters)
    said = " ".join(each.words for each in found.combinations)
    assert "more heights will not separate them" in said
    assert "would" in said


def test_what_nothing_shows_is_unknown_without_a_prior():
    _, seen, _, rng = bent("five_bar")
    data = measured(seen, "position", 2e-5, rng)
    free = ["elbow1.prox1.position.x", "elbow1.dist1.direction.z"]
    found = gough.calibrate(robot("five_bar"), data, free=free, prior=None)
    passive = found["elbow1.dist1.direction.z"]  # about its own axis it does nothing
    assert not np.isfinite(passive.std)
    assert passive.value == 0.0
    assert np.isfinite(found["elbow1.prox1.position.x"].std)
    assert "unknown" in found.table()


@cache
def _bent(name, count):
    states = reachable(name, count, seed=1)
    truth = crooked(robot(name), 3e-4, 3e-4, np.random.default_rng(0), parts=("frames",))
    return truth, observed(truth, states), states


def bent(name, count=24):
    """A robot with errors, what is seen of it, and noise that no other test has drawn from."""
    return (*_bent(name, count), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("kind", "noise", "more"),
    [
        ("position", 2e-5, {}),
        ("orientation", 2e-5, {}),
        ("height", 2e-5, {}),
        ("length", 2e-5, {"anchor": (0.3, -0.2, 0.1)}),
        ("distance", 2e-5, {"pairs": [(k, (k + 5) % 24) for k in range(24)]}),
        ("encoder", 2e-5, {"axis": "r1"}),
    ],
)
def test_every_kind_is_explained(kind, noise, more):
    _, seen, _, rng = bent("tilt_3rps")
    found = gough.calibrate(robot("tilt_3rps"), measured(seen, kind, noise, rng, **more))
    unit = "rad" if kind in ("orientation", "encoder") else "m"
    rows = found.residuals
    assert rows.rms("after", unit) < min(1.5 * noise, rows.rms("before", unit))
    assert 0.4 < found.chi_square < 1.8


def test_kinds_together_know_more_than_each():
    _, seen, _, rng = bent("delta")
    heights, turns = (measured(seen, kind, 2e-5, rng) for kind in ("height", "orientation"))
    one, other, both = (
        gough.calibrate(robot("delta"), each, free=["arm*.base", "bar*.length"])
        for each in (heights, turns, [heights, turns])
    )
    assert both.behaviour.position < min(one.behaviour.position, other.behaviour.position)


def test_a_device_that_stands_anywhere_is_found():
    _, seen, states, _ = bent("delta")
    T_0d = np.eye(4)
    T_0d[:3, :3] = gough.Frame.from_rpy((0, 0, 0), (0.4, -0.7, 2.0)).matrix[:3, :3]
    T_0d[:3, 3] = (1.5, -0.8, 0.3)
    T = np.linalg.inv(T_0d) @ seen.T_dt
    data = gough.calibration.Poses(states.motors, T, (1e-6, 1e-6))
    found = gough.calibrate(robot("delta"), data, tool=np.eye(4))
    # what the base's own frame may be off by, and the device cannot tell from its own
    np.testing.assert_allclose(found.T_0d[:3, 3], T_0d[:3, 3], atol=2e-3)
    points = Positions(states.motors, T[:, :3, 3], 1e-6)
    np.testing.assert_allclose(
        gough.calibrate(robot("delta"), points, tool=np.eye(4)).T_0d[:3, 3], T_0d[:3, 3], atol=5e-3
    )
    assert found.residuals.rms("after", "m") < 1e-6


def test_the_calibrated_robot_moves_as_measured(tmp_path):
    _, seen, states, rng = bent("five_bar")
    data = measured(seen, "pose", (2e-5, 5e-5), rng)
    free = ["*.position.x", "*.position.y", "foot*.offset", "tool.direction.z"]
    found = gough.calibrate(robot("five_bar"), data, free=free)
    gough.save(found.robot, tmp_path / "calibrated.yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoughWarning)
        again = gough.load(tmp_path / "calibrated.yaml")
    T = np.linalg.inv(found.T_0d) @ gough.state_from_motors(again, states.motors).T_0p
    rows = found.residuals
    own = [k for k, row in enumerate(rows.rows) if row.name in "xy"]
    off = data.values[:, :2] - T[:, :2, 3]
    np.testing.assert_allclose(off.ravel(), rows.after[own], atol=2e-8)


@cache
def calibrated_drawing():
    """A 3-RRR drawn in base coordinates without a home, calibrated: its feet are 30 mm off."""
    rng = np.random.default_rng(4)
    drawn = misdrawn(Sketch(rng), robot("three_rrr"), 0.0)
    off = dict(zip(drawn.motors, 0.03 * np.eye(3)[[0, 1, 0]], strict=True))
    joints = []
    for each in drawn.joints:
        foot = each.parent_frame.matrix
        foot[:3, 3] += off.get(each.name, 0.0)
        joints.append(replace(each, parent_frame=gough.Frame.from_matrix(foot)))
    home = gough.Home({body.name: gough.Frame() for body in drawn.bodies})
    real = replace(drawn, joints=tuple(joints), home=home)
    q = rng.uniform(-0.15, 0.15, (8, 3)) + gough.inverse_kinematics(drawn, drawn.home_pose)
    T = gough.state_from_motors(real, q).T_0p
    data = gough.calibration.Poses(q, T, (1e-5, 1e-5), components=("x", "y", "rz"))
    free = [f"foot*.base.position.{axis}" for axis in "xy"]
    return gough.calibrate(drawn, data, free=free, prior=(0.03, 1e-3)), q, T


def test_the_calibrated_robot_stays_in_the_mode_of_a_drawing():
    # its home was assembled from coordinates of zero: no measured state could be reached
    found, q, T = calibrated_drawing()
    reached = gough.state_from_motors(found.robot, found.motors(q)).T_0p
    np.testing.assert_allclose(np.linalg.inv(found.T_0d) @ reached, T, atol=1e-6)
    assert not found.robot.findings


def test_a_calibrated_robot_that_cannot_be_compared_is_refused(monkeypatch):
    found, _, _ = calibrated_drawing()
    led = gough.state_from_motors

    def elsewhere(robot, q_a, *, lost, **given):
        there = led(robot, q_a, **given)
        T = there.T_0p.copy()
        T[:lost] = np.nan  # as from a home in another assembly mode
        return there.replace(T_0p=T)

    at = "gough.calibration.calibrate.state_from_motors"
    monkeypatch.setattr(at, partial(elsewhere, lost=2))
    with pytest.warns(GoughWarning, match="of 5 states that were measured, .* reaches 3"):
        found.made()
    monkeypatch.setattr(at, partial(elsewhere, lost=5))
    with pytest.raises(UnreachablePose, match="none of 5 states that were measured"):
        found.made()


def test_noise_that_is_not_given_is_found():
    _, seen, _, rng = bent("delta", count=40)
    given = measured(seen, "position", 3e-5, rng)
    bare = Positions(given.motors[:, 0], given.values)
    found = gough.calibrate(robot("delta"), bare, free=["bar*.length", "arm*.offset"], prior=10.0)
    assert found.residuals.std[0] == pytest.approx(found.residuals.rms("after", "m"), rel=0.15)
    doubled = Positions(given.motors[:, 0], given.values, 6e-5)
    scaled = gough.calibrate(
        robot("delta"), doubled, free=["bar*.length", "arm*.offset"], prior=10.0, noise="scaled"
    )
    assert scaled.scale * 6e-5 == pytest.approx(found.residuals.std[0], rel=0.01)


def test_measurements_that_are_held_back_are_predicted():
    _, seen, _, rng = bent("delta", count=40)
    found = gough.calibrate(
        robot("delta"), measured(seen, "pose", (2e-5, 5e-5), rng), held_back=0.2
    )
    assert len(found.residuals.rows) == 32 * 6
    assert len(found.held_back.rows) == 8 * 6
    assert found.held_back.rms("after", "m") < 4e-5 < found.held_back.rms("before", "m")


def test_the_next_measurement_tells_more_than_another():
    _, seen, _, rng = bent("delta")
    found = gough.calibrate(robot("delta"), measured(seen, "position", 2e-5, rng))
    proposals = found.next(3)
    assert [each.gain for each in proposals] == sorted((p.gain for p in proposals), reverse=True)
    rows, _ = found.design.rows(found.design.problem.data.sets[0])
    C = found.design.knowledge.natural
    gains = [np.linalg.slogdet(np.eye(3) + B @ C @ B.T)[1] for B in rows]
    assert proposals[0].gain == pytest.approx(max(gains))
    assert proposals[0].gain > 1.2 * np.median(gains)


def test_redundant_motors_are_measurements_too():
    """Four motors of three freedoms: a zero that is wrong shows without any device."""
    machine = robot("four_rrr")
    x = np.random.default_rng(0).uniform(-0.02, 0.02, (8, 3))
    x += machine.assembly.chart.coordinates(machine.home_pose)[list(machine.assembly.free)]
    T = gough.state(machine, x).T_0p
    q = gough.inverse_kinematics(machine, T)
    q[:, 3] -= 1e-3
    data = gough.calibration.Poses(q, T, (2e-5, 5e-5))
    found = gough.calibrate(machine, data, free=["*.offset"], prior=10.0)
    offsets = [found[f"{name}.offset"].value for name in machine.motors]
    np.testing.assert_allclose(offsets, [0.0, 0.0, 0.0, 1e-3], atol=1e-7)  # the play of loops


def test_errors_that_fit_only_to_first_order_are_said():
    rng, states = np.random.default_rng(0), reachable("quattro", 4, seed=1)
    seen = observed(crooked(robot("quattro"), 0.0, 0.0, rng), states)
    found = gough.calibrate(
        robot("quattro"), measured(seen, "pose", (2e-5, 5e-5), rng), free=["b*.position", "n*"]
    )
    assert found.observability.first_order > 0
    assert any("to first order only" in each for each in found.findings)


def test_refusals_name_what_is_wrong():
    machine = robot("five_bar")
    q = reachable("five_bar", 5).motors
    points = gough.state_from_motors(machine, q).T_0p[:, :3, 3]
    calls = [
        (lambda: Positions(q, points[:4]), "points"),
        (lambda: Positions(q, points, -1.0), "std"),
        (lambda: Positions(q[0], points), "motors"),
        (lambda: gough.calibrate(machine, Positions(q, points * 1e3)), "1e\\+03 times as large"),
        (lambda: gough.calibrate(machine, Positions(q[:, :1], points)), "2 motors"),
        (lambda: gough.calibrate(machine, Positions(q, points), free="foot3.base"), "foot3.base"),
        (
            lambda: gough.calibrate(machine, Positions(q, points), free="legs[0].proximal.mass"),
            "moves no joint",
        ),
        (lambda: gough.calibrate(machine, Positions(q, points), prior={"elbow9": 1.0}), "elbow9"),
        (lambda: gough.calibrate(machine, Encoders(q, "foot1", q[:, 0])), "is a motor"),
        (lambda: gough.calibrate(machine, Encoders(q, "knee", q[:, 0])), "knee"),
        (lambda: gough.calibrate(machine, [], None), "measurements"),
    ]
    for call, words in calls:
        with pytest.raises(InputError, match=words):
            call()
    with pytest.raises(UnreachablePose, match=r"position \d.*cannot be assembled"):
        gough.calibrate(machine, Positions(np.degrees(q), points))


def test_parameters_are_chosen_by_patterns():
    machine = robot("delta")
    q = reachable("delta", 12).motors
    data = Positions(q, gough.state_from_motors(machine, q).T_0p[:, :3, 3], 1e-5)
    found = gough.calibrate(machine, data, free=["arm*.base.position", "bar1?.length", "*.gain"])
    names = [each.name for each in found.parameters]
    assert names == [
        *(f"arm{k}.base.position.{a}" for k in (1, 2, 3) for a in "xyz"),
        *("bar1a.length", "bar1b.length"),
        *(f"arm{k}.gain" for k in (1, 2, 3)),
    ]
    wide = gough.calibrate(machine, data, free="bar1a.length", prior={"bar*": 1e-2})
    assert wide["bar1a.length"].prior == 1e-2
    tied = gough.calibrate(machine, data, free=["L", "l", "Rb"], prior=None)
    assert [each.name for each in tied.parameters] == ["L", "l", "Rb"]
    assert tied["L"].value == pytest.approx(tied["L"].nominal, abs=1e-9)


def test_a_device_that_faces_a_planar_machine_is_found():
    """Measured in the plane only, half a turn away: rotations of a cube are tried."""
    _, seen, states, _ = bent("five_bar")
    T_0d = np.diag([-1.0, -1.0, 1.0, 1.0])
    T_0d[:2, 3] = (1.2, -0.7)
    T = np.linalg.inv(T_0d) @ seen.T_dt
    data = gough.calibration.Poses(states.motors, T, (2e-5, 5e-5), components=("x", "y", "rz"))
    data.values[3, 0] = np.nan
    found = gough.calibrate(robot("five_bar"), data)
    assert found.chi_square < 1.5
    assert found.residuals.rms("before", "m") < 2e-3
    assert found.behaviour.position < 5e-5  # in the plane: nobody has measured across it


def test_an_offset_of_a_coupled_motor_is_in_the_calibrated_robot():
    machine = coupled.rack()
    q = np.random.default_rng(0).uniform(-0.05, 0.05, (8, 2)) + [
        machine.assembly.home_values[name] for name in machine.motors
    ]
    T = gough.state_from_motors(machine, q).T_0p
    data = gough.calibration.Poses(q - [0.2, -0.01], T, (1e-6, 1e-6))
    free = [f"{name}.offset" for name in machine.motors]
    found = gough.calibrate(machine, data, free=free, prior=None)
    np.testing.assert_allclose(found.offset, [0.2, -0.01], atol=1e-8)
    np.testing.assert_allclose(
        gough.state_from_motors(found.robot, q - [0.2, -0.01]).T_0p, T, atol=1e-8
    )


def test_a_figure_may_move_the_platforms_frame():
    machine = robot("five_bar")
    truth = gough.vary(machine, {"legs[0].l_dist": 0.4205})
    q = reachable("five_bar", 8).motors
    data = Positions(q, gough.state_from_motors(truth, q).T_0p[:, :3, 3], 1e-6)
    found = gough.calibrate(machine, data, free="legs[0].l_dist", prior=None)
    assert found["legs[0].l_dist"].value == pytest.approx(0.4205, abs=1e-8)
    assert found.residuals.rms("after", "m") < 1e-8


def test_dropped_outliers_leave_the_scale_of_the_others():
    _, seen, _, rng = bent("five_bar")
    data = measured(seen, "position", 2e-5, rng)
    data.std[:] = 4e-5
    clean = data.chosen(np.arange(len(data)) != 7)
    data.values[7, 0] += 2e-3
    free = ["prox*.length", "dist*.length", "foot*.offset", "tool.position"]
    dropped, without = (
        gough.calibrate(robot("five_bar"), each, free=free, noise="scaled", outliers="drop")
        for each in (data, clean)
    )
    assert dropped.dropped == ("position 8",)
    assert dropped.scale == pytest.approx(without.scale, rel=1e-6)
    assert dropped.cost == pytest.approx(without.cost, rel=1e-6)


def test_few_measurements_judge_nobody():
    """Seven heights and six figures: one degree of freedom is left, and no outlier."""
    printer = gough.calibration.read_klipper(EXAMPLES / "printer.cfg")
    heights = printer.measurements[0]
    free = [name for name in printer.free if not name.startswith("bar")]
    found = gough.calibrate(printer.robot, heights, free=free, prior=None, noise="scaled")
    assert not found.outliers
    assert not found.noise_is_known


def test_small_things_of_measurements():
    q = reachable("five_bar", 6).motors.copy()
    machine = robot("five_bar")
    T = gough.state_from_motors(machine, q).T_0p
    elbow = np.array([gough.posture(machine, each).joints["elbow1"] for each in T])
    data = Positions(q, T[:, :3, 3], 1e-5)
    held = Encoders(q, "elbow1", elbow, 1e-5)
    found = gough.calibrate(machine, data, free="prox*.length", held_back=held)
    assert found.held_back.rms("after", "rad") < 1e-6
    again = pickle.loads(pickle.dumps(found))
    assert again.cost == found.cost
    assert again.robot == found.robot
    q[0, 0] = 99.0
    assert data.motors[0, 0, 0] != 99.0
    elbow[4] += 0.02
    wrong = Encoders(data.motors[:, 0], "elbow1", elbow, 1e-5)
    with pytest.warns(GoughWarning, match=r"encoder elbow1 5: reading was measured as .* mrad"):
        gough.calibrate(machine, wrong, free="prox1.length")
    with pytest.raises(InputError, match="std"):
        gough.calibration.Poses(data.motors[:, 0], T, 1e-5)
    with pytest.raises(InputError, match="motors"):
        Heights("abc", [1.0])
    far = gough.calibration.Lengths(data.motors[:, 0], (0.0, 0.0, 0.5), np.full(6, 500.0))
    with pytest.raises(InputError, match="times as large"):
        gough.calibrate(machine, far)


@pytest.mark.parametrize("name", ["delta", "gough_stewart"])
def test_readings_of_two_motors_that_are_exchanged_are_named_before_any_fit(name, monkeypatch):
    """A fit would take hundreds of steps through machines that do not exist."""
    r = robot(name)
    rng = np.random.default_rng(3)
    home = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    x = home + 0.15 * r.assembly.scales.freedoms * rng.uniform(-1.0, 1.0, (40, r.mobility))
    T_0p = gough.state(r, x).T_0p
    q = gough.inverse_kinematics(r, T_0p)
    q[:, [0, 1]] = q[:, [1, 0]]

    def refuse(*_, **__):
        raise AssertionError("it was fitted")

    monkeypatch.setattr("gough.calibration.calibrate.solve", refuse)
    one, two = r.motors[:2]
    with pytest.raises(InputError, match=f"readings of {one} and {two} are exchanged"):
        gough.calibrate(r, gough.calibration.Poses(q, T_0p))


def test_states_that_cannot_be_had_are_told_before_all_are_tried(monkeypatch):
    """Of a long table in the wrong order, the first ones decide."""
    r = robot("five_bar")
    q = np.tile(gough.inverse_kinematics(r, r.home_pose)[::-1], (300, 1))
    tried = []
    led = SeatedLoops.led

    def counting(self, start, positions, seats, **rest):
        tried.append(len(positions))
        return led(self, start, positions, seats, **rest)

    monkeypatch.setattr(SeatedLoops, "led", counting)
    with pytest.raises(UnreachablePose, match="pose 1: five_bar cannot be assembled"):
        gough.calibrate(r, gough.calibration.Poses(q, np.tile(r.home_pose, (300, 1, 1))))
    assert max(tried) < 10
