"""Every answer shows itself in one way: text, plain data, a table, a cell of a notebook."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.base.result import Result

ROBOT = "five_bar"

# answers of which a picture says more than words
DRAWN = {
    *("Sheet", "Analysis", "SingularitiesAlong", "Simulation", "Modes", "Workspace", "Locus"),
    *("Crossing", "Motion"),
}


@pytest.fixture(scope="module")
def answers():
    robot = gough.zoo.load(ROBOT)
    T, still = robot.home_pose, np.zeros(6)
    x = [T[0, 3], T[1, 3]]
    motion = gough.motion.point_to_point(robot, x, [x[0] + 1e-3, x[1]], duration=0.05)
    q = gough.inverse_kinematics(robot, T)
    poses = np.stack([gough.state(robot, [x[0] + 0.01 * k, x[1]]).T_0p for k in range(4)])
    found = [
        gough.audit(robot, gough.State(poses, still, still)),
        gough.sheet(robot),
        gough.analyse(robot, motion),
        gough.singularities(robot, T),
        gough.nearest_type_2(robot, T),
        gough.singularities_along(robot, motion),
        gough.simulate(robot, motion(0.0), [0.0, 0.0], 0.01),
        gough.forward_kinematics(robot, q),
        gough.forward_kinematics(robot, q)[0],
        gough.state_from_motors(robot, np.stack([q, q])),
        gough.elements(robot),
        gough.observe(robot, gough.State(T, still, still)),
        gough.track(robot, np.stack([q, q + 1e-3, q + 2e-3])),
        gough.pose_from_motors(robot, q, T),
        gough.pose_from_motors(robot, np.stack([q, q]), T),
        gough.posture(robot, T),
        gough.posture(robot, poses),
        gough.reactions(robot, gough.State(poses, still, still)),
        gough.doctor(robot),
        gough.workspace(robot, x=(-0.01, 0.01, 3), y=(x[1], x[1] + 0.01, 3)),
        gough.singularity_locus(robot, x=(-0.5, 0.5, 9), y=(0.0, 0.6, 9)),
        gough.crossing(robot, motion),
        gough.balance_gravity(robot, ["foot1"], state=poses),
        motion,
    ]
    assert all(isinstance(each, Result) for each in found)
    return found


def test_text_data_table_and_notebook(answers):
    for each in answers:
        name = type(each).__name__
        assert len(str(each)) > 20, name
        assert " object at 0x" not in str(each), name
        data = each.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)), name
        frame = each.to_frame()
        assert frame.shape[0] > 0, name
        assert frame.shape[1] > 1, name
        assert list(frame.columns) == list(each.columns()), name
        page = each._repr_html_()
        assert page.startswith("<table><tr>"), name
        assert ('<img src="data:image/png' in page) == (name in DRAWN), name
        assert page.count("<table>") == 1 + hasattr(each, "table"), name


def test_a_motion_out_of_reach_is_shown_without_a_picture(answers):
    (sheet,) = (each for each in answers if type(each).__name__ == "Sheet")
    far = replace(gough.motion.hold(sheet.robot), evaluate=_far)
    assert "<img" not in far._repr_html_()


def _far(t):
    T = np.broadcast_to(np.eye(4), (len(t), 4, 4)).copy()
    T[:, 0, 3] = 9.0
    return gough.State(T, np.zeros((len(t), 6)), np.zeros((len(t), 6)))


def test_tables_hold_the_numbers(answers):
    by_kind = {type(each).__name__: each for each in answers}
    run = by_kind["Simulation"]
    np.testing.assert_array_equal(run.to_frame()["tau_foot1"], run.tau[:, 0])
    modes = by_kind["Modes"]
    np.testing.assert_array_equal(modes.to_frame()["y"], modes.poses[:, 1, 3])
    posture = by_kind["Posture"]
    np.testing.assert_array_equal(posture.to_frame()["q_elbow1"], posture.joints["elbow1"])
    wrenches = by_kind["Reactions"]
    rows = wrenches.to_frame()
    chosen = rows[rows["joint"] == "elbow2"]
    np.testing.assert_array_equal(chosen[["fx", "fy"]], wrenches["elbow2"][:, :2])
    assert len(rows) == 4 * 5


def test_text_of_a_description_stays_text():
    robot = gough.zoo.load(ROBOT)
    sheet = gough.sheet(robot)
    hostile = type(sheet)(**{**vars(sheet), "name": "<script>alert(1)</script>"})
    assert "<script>" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()


def test_without_pandas_it_is_said_what_to_install(answers, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gough.errors.InputError, match="needs pandas") as caught:
        answers[0].to_frame()
    assert "gough[frames]" in caught.value.hint
