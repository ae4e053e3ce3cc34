"""Plans of measurements: within limits of all joints, off singularities, better than chance."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.calibration import read_klipper, read_measurements
from gough.calibration.design import greedy, updated
from gough.errors import InputError
from measuring import crooked, measured, observed, states_at
from robots import robot

SAMPLE = Path(__file__).resolve().parents[3] / "examples" / "printer.cfg"

NOISE = (2e-5, 5e-5)
CONE, SPAN, STROKE = 0.12, 0.15, 0.12  # [rad], [rad], [m]: of balls, universals and motors


def limited(r):
    """A hexapod with limits on every joint: cones of balls, swings of universals, strokes."""
    home = gough.posture(r, r.home_pose)

    def axis(joint, name):
        if joint.kind == "spherical":
            return gough.Axis(limits=gough.Limits(position=(0.0, CONE)))
        span, middle = STROKE if joint.kind == "prismatic" else SPAN, float(home.joints[name])
        return gough.Axis(limits=gough.Limits(position=(middle - span, middle + span)))

    joints = []
    for joint in r.joints:
        child = joint.child_frame
        if joint.kind == "spherical":  # cones open around home
            T_pc = np.linalg.inv(home.bodies[joint.child]) @ home.bodies[joint.parent]
            child = gough.Frame.from_matrix(T_pc @ joint.parent_frame.matrix)
        axes = [axis(joint, name) for name in joint.axis_names]
        joints.append(replace(joint, child_frame=child, axes=axes))
    return replace(r, joints=tuple(joints))


def test_all_limits_are_kept():
    bounded = limited(robot("gough_stewart"))
    found = gough.measurement_plan(bounded, count=12, noise=NOISE, free="u*.base.position")
    assert len(found) == 12
    # judged in maximal coordinates
    straight = crooked(bounded, 0.0, 0.0, np.random.default_rng(0))
    seen = observed(straight, states_at(bounded, found.motors))
    assert np.allclose(seen.T_dt, found.poses, atol=1e-9)  # both close loops to 1e-11
    places = {body.name: k for k, body in enumerate(bounded.bodies)}
    largest = 0.0
    for joint in bounded.joints:
        if joint.kind == "spherical":
            A = seen.bodies[:, places[joint.parent]] @ joint.parent_frame.matrix
            B = seen.bodies[:, places[joint.child]] @ joint.child_frame.matrix
            tilt = np.arccos(np.clip((A[:, :3, 2] * B[:, :3, 2]).sum(axis=1), -1.0, 1.0))
            assert tilt.max() < CONE
            largest = max(largest, tilt.max())
        for name in joint.axis_names if joint.kind != "spherical" else ():
            low, high = bounded.axis(name).limits.position
            assert low < seen.axis(name).min(), name
            assert seen.axis(name).max() < high, name
    assert largest > 0.7 * CONE  # and made use of


def test_each_step_is_the_most_telling_and_none_is_twice():
    rng = np.random.default_rng(3)
    B, C = rng.normal(size=(40, 3, 7)), np.diag(rng.uniform(0.5, 2.0, 7))
    chosen = [*greedy(C, B, 5)]
    assert len({each.which for each in chosen}) == 5
    left = set(range(40))
    for each in chosen:
        after = {k: np.linalg.slogdet(updated(C, B[k]))[1] for k in left}
        assert min(after, key=after.get) == each.which
        drop = np.linalg.slogdet(C)[1] - after[each.which]
        assert each.gain == pytest.approx(drop, abs=1e-9)  # condition of C is below 1e3
        assert np.allclose(C - each.change @ each.change.T, updated(C, B[each.which]), atol=1e-12)
        C = updated(C, B[each.which])
        left.remove(each.which)


def test_what_is_expected_comes_true():
    """Standard deviations of a plan are those of a calibration with measurements made by it."""
    r = robot("gough_stewart")
    free = ["u*.base.position", "s*.platform.position"]
    found = gough.measurement_plan(r, count=14, noise=NOISE, free=free)
    rng = np.random.default_rng(5)
    truth = crooked(r, 0.0, 0.0, rng)
    data = measured(observed(truth, states_at(r, found.motors)), "pose", NOISE, rng)
    fitted = gough.calibrate(r, data, free=free)
    expected = [fitted[each.name].std / each.std for each in found.parameters]
    # the machine is as described but for noise of 1e-4: derivatives differ as little
    assert np.allclose(expected, 1.0, atol=1e-3)
    assert found.position[-1] < found.position[5] < found.position[0]
    # as many poses nearer to the middle of the same stroke tell less
    near = found.motors.mean(axis=0) + 0.5 * (found.motors - found.motors.mean(axis=0))
    data = measured(observed(truth, states_at(r, near)), "pose", NOISE, rng)
    poor = gough.calibrate(r, data, free=free)
    assert np.linalg.slogdet(poor.covariance)[1] > np.linalg.slogdet(fitted.covariance)[1]


def test_probes_stay_on_their_plane():
    """A printer without limits, whose home is far above its bed."""
    printer = read_klipper(SAMPLE)
    free = ["rail_radius", "endstops"]
    on = {"height": 1e-3, "radius": 0.1}
    found = gough.measurement_plan(printer.robot, "heights", 6, free, None, NOISE, **on)
    z = gough.state_from_motors(printer.robot, found.motors).T_0p[:, 2, 3]
    assert np.allclose(z, 1e-3, atol=1e-6)  # of a machine of 0.35 m, as places are refined
    assert np.ptp(found.poses[:, :2, 3], axis=0).min() > 0.1
    assert np.linalg.norm(found.poses[:, :2, 3], axis=1).max() < 0.1  # the bed is round
    with pytest.raises(InputError, match=r"within 1e-06 m of .* motors within slider1 .* mm"):
        gough.measurement_plan(printer.robot, "heights", 2, free, None, NOISE, radius=1e-6)
    assert all(np.isfinite(each.std) for each in found.parameters)
    assert "have no limits" in str(found)


@pytest.mark.parametrize(
    ("kind", "more", "names"),
    [
        ("poses", {}, ("x", "y", "z", "roll", "pitch", "yaw")),
        ("lengths", {"anchor": (0.1, 0.2, 0.0)}, ("length",)),
        ("encoders", {"axis": "elbow1"}, ("elbow1",)),
        ("distances", {}, ("distance",)),
    ],
)
def test_a_plan_is_filled_in_and_read_back(tmp_path, kind, more, names):
    r = robot("five_bar")
    found = gough.measurement_plan(r, kind, 4, free="foot*.offset", noise=NOISE, **more)
    found.write(tmp_path / "plan.csv")
    head, *rows = [line.split(",") for line in (tmp_path / "plan.csv").read_text().splitlines()]
    places = [i for i, name in enumerate(head) if name.partition(" [")[0] in names]
    assert len(places) == len(names)
    for k, row in enumerate(rows):
        assert all(row[i] == "" for i in places)
        for i in places:
            row[i] = str(1.0 + k)
    (tmp_path / "done.csv").write_text("\n".join(map(",".join, [head, *rows])))
    (back,) = read_measurements(r, tmp_path / "done.csv")
    assert back.kind == found.steps[0].kind
    # angles are written with five digits in degrees
    for q, step in zip(back.motors, found.steps, strict=True):
        assert np.allclose(q, step.motors, atol=1e-7)
    columns = found.columns()
    assert columns["position_std"][-1] == found.position[-1]
    assert found.to_dict()["steps"][0]["kind"] == back.kind


def test_what_cannot_be_planned_is_refused():
    r = robot("five_bar")
    with pytest.raises(InputError, match="there is no kind"):
        gough.measurement_plan(r, "angles")
    with pytest.raises(InputError, match="axis is not given"):
        gough.measurement_plan(r, "encoders")
    with pytest.raises(InputError, match="no place to measure at was found with its tool"):
        gough.measurement_plan(r, "heights", 3, free="foot*.offset", height=0.5)


def test_legs_keep_their_bend_and_motors_hold_the_tip():
    """A five-bar whose cranks go far: elbows bend as at home, and bars are not in line."""
    r = robot("five_bar")
    home = np.array([r.assembly.home_values[name] for name in r.motors])
    stroke = np.stack([home - 1.6, home + 1.6], axis=1)
    found = gough.measurement_plan(r, "positions", 30, "foot*.offset", noise=NOISE, stroke=stroke)
    states = states_at(r, np.concatenate([found.motors, home[None]]))
    joints = {joint.name: joint for joint in r.joints}
    places = {body.name: k for k, body in enumerate(r.bodies)}

    def at(name):
        joint = joints[name]
        return (states.bodies[:, places[joint.child]] @ joint.child_frame.matrix)[:, :2, 3]

    def sine(a, b):
        size = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        return (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / size

    tip = at("wrist2")
    bends = [sine(at(f"elbow{k}") - at(f"foot{k}"), tip - at(f"elbow{k}")) for k in (1, 2)]
    bars = sine(tip - at("elbow1"), tip - at("elbow2"))
    for each in (*bends, bars):
        assert (np.sign(each) == np.sign(each[-1])).all()  # the last one is home
        assert np.abs(each).min() > 0.01  # half a degree; NEAR is 0.02 of a measure like it
    assert np.ptp(found.motors, axis=0).min() > 1.5  # though they go far


def test_next_is_not_where_it_was_measured_already():
    """A plan and proposals look at the same places; what a plan had is not proposed again."""
    home = robot("five_bar").assembly.home_values
    axes = {name: (value - 0.3, value + 0.3) for name, value in home.items()}
    joints = [
        replace(joint, axes=[replace(joint.axes[0], limits=gough.Limits(axes[joint.name]))])
        if joint.name in robot("five_bar").motors
        else joint
        for joint in robot("five_bar").joints
    ]
    r = replace(robot("five_bar"), joints=tuple(joints))
    free = ["foot*.base.position", "tool.position"]
    plan = gough.measurement_plan(r, "positions", 8, free, noise=NOISE)
    points = gough.calibration.Positions(plan.motors, plan.poses[:, :3, 3])
    found = gough.calibrate(r, points, free, noise=NOISE)
    places = found.design.places[0].readings
    assert np.abs(places[:, None] - plan.motors).max(axis=2).min() == 0.0  # the same places
    for each in found.next(8):
        assert np.abs(each.motors - plan.motors).max(axis=1).min() > 1e-3
