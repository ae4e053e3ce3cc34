"""What a joint bears does no work in what it allows, and its efforts work along its axes."""

import numpy as np
import pytest

from gough import screw
from gough.dynamics.answers.joint_wrenches import joints_at
from gough.dynamics.screws.kinematics import ScrewState
from gough.kinematics.motion import Kinematics
from robots import robot

# between them all kinds of joints
ROBOTS = ("c5", "screw_hexapod", "rccc", "delta", "stranger_in_the_hub")


@pytest.mark.parametrize("name", ROBOTS)
def test_wrenches_of_joints_meet_the_screws_of_their_axes(name):
    assembly = robot(name).assembly
    solution = assembly.regular_solutions[1]
    state, units = ScrewState(Kinematics(assembly, solution)), assembly.scales.wrench
    for each in joints_at(assembly, solution.equations):
        B = state.at.frames(each.joint)[1]
        axes = state.joint_axes(each.joint, B.p)
        twists = [screw.to_twist(s, np.zeros(3)) for axis in axes for s in axis.screws]

        def turned(wrench, R=B.R):
            W = wrench * units
            return np.concatenate([R @ W[:3], R @ W[3:]])

        bears = each.constraints()
        assert bears.shape == (6, 6 - len(twists))
        # closed loops leave 1e-11
        assert bears.T @ bears == pytest.approx(np.eye(bears.shape[1]), abs=1e-10)
        for W in bears.T:
            assert [V @ turned(W) for V in twists] == pytest.approx([0.0] * len(twists), abs=1e-9)
        efforts = {axis: 1.0 + i for i, axis in enumerate(each.joint.axis_names)}
        kinds = [len(axis.screws) for axis in axes]
        if max(kinds, default=1) == 1:
            power = [V @ turned(each.transmitted(efforts)) for V in twists]
            assert power == pytest.approx([*efforts.values()], abs=1e-9)
