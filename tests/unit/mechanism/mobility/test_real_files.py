"""Machines of real files, read off the structures in the reference: digits, ranks, open loops."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import gough
from conftest import REFERENCE, need_reference
from gough.base import spatial
from gough.mechanism.mobility.ideal import ideal

AXES = {"RX": (1.0, 0.0, 0.0), "RY": (0.0, 1.0, 0.0), "RZ": (0.0, 0.0, 1.0)}


def structure(name):
    need_reference()
    return json.loads((REFERENCE / "formats" / f"{name}.json").read_text())


def built(name, base="universe", platform=None, fixed=()):
    """The machine of a file: a body for each joint of its tree, loops as its closures have them."""
    data = structure(name)["structure"]
    bodies, joints = [], []
    for each in data["joints"]:
        if each["name"] == base:
            continue
        inertia = np.array(each["inertia_at_com"])
        bodies.append(gough.Body(each["name"], each["mass"], each["com"], inertia.tolist()))
        T = spatial.pose(np.array(each["placement_R"]), np.array(each["placement_pos"]))
        along = gough.Frame.from_axes(z=AXES[each["type"].removeprefix("JointModel")])
        kind = "fixed" if each["name"] in fixed else "revolute"
        frame = gough.Frame.from_matrix(T @ along.matrix)
        joints.append(gough.Joint(each["name"], kind, each["parent"], each["name"], frame, along))
    for each in data["closures"]:
        ends = [gough.Frame(each[f"pos_{s}"], each[f"R_{s}"]) for s in "ab"]
        kind = "spherical" if len(each["rows_of_frame_a"]) == 3 else "revolute"
        joints.append(gough.Joint(each["name"], kind, each["joint_a"], each["joint_b"], *ends))
    motors = tuple(n for n in data["motors"] if n not in {base, *fixed})
    platform = platform or bodies[-1].name
    zeros = {joint.name: 0.0 for joint in joints if joint.kind == "revolute"}
    robot = gough.Robot(name, tuple(bodies), tuple(joints), platform, motors=motors, base=base)
    return dataclasses.replace(robot, home=gough.Home(joints=zeros | {motors[0]: 1e-9}))


def test_a_hexapod_of_six_digits_is_closed():
    """Its loops are open by a millionth of a metre; they are not over-constrained."""
    given = structure("reachy_mini_urdf")
    assert 1e-7 < given["residual_at_neutral"] < 1e-5
    r = built("reachy_mini_urdf", "yaw_body", "passive_7_z", ("left_antenna", "right_antenna"))
    a = r.assembly
    # six freedoms of the head, and six rods that spin between their balls
    assert (a.mobility, len(a.idle), a.over_constraint) == (6, 6, 0)
    assert a.closure_error(a.equations(a.T_home, a.home)) < 1e-12
    coarse = dataclasses.replace(r, precision=1e-5)
    assert ideal(coarse).robot is coarse
    assert coarse.mobility == 6


@pytest.mark.parametrize(("name", "mobility"), [("grbda_four_bar", 1), ("grbda_six_bar", 3)])
def test_planar_loops_of_a_file_move_as_the_engine_says(name, mobility):
    """Exact figures: over-constrained by three, whatever the precision."""
    data = structure(name)["structure"]
    assert data["mobility"] == mobility
    state = structure(name)["states"][1]
    r = built(name)
    values = {
        j["name"]: float(q) for j, q in zip(data["joints"], _flat(state["qpos"]), strict=True)
    }
    r = dataclasses.replace(r, home=gough.Home(joints=values))
    moves = r.mobility + len(r.assembly.idle)  # what the last body feels, and what it does not
    assert (moves, r.assembly.over_constraint) == (mobility, 3)
    coarse = dataclasses.replace(r, precision=1e-5)
    assert (coarse.mobility, ideal(coarse).robot) == (r.mobility, coarse)


def _flat(qpos):
    return list(qpos.values()) if isinstance(qpos, dict) else list(np.ravel(qpos))
