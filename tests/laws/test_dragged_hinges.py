"""Idle spins that three hinges in the place of a ball drag along, as files of other programs say.

Rates of hinges are not those of a ball: which spin has the least of them depends on the posture.
The judge is Pinocchio's tree with its loops closed exactly, ``tests/hinged.py``.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from dragging import dragged
from foreign import FORMATS, need_reference, reference
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.closed_form.search import closed_form
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import assemble
from gough.robot.joint import DRAGS
from hinged import MOTORS, Held, urdf, with_gimbals
from robots import relative
from round_trips import states

THEORIES = ("legs", "elements", "screws", "tree")
LOCKED = ("yaw_body", "right_antenna", "left_antenna")
BARE = ("armature", "damping", "friction", "springs", "shapes")
ROWS = ("RRR", "UR", "RU")


@cache
def from_file(name):
    """A robot from a URDF, and the judge."""
    if name == "neck":
        need_reference()
        path = FORMATS / "reachy_mini" / "robot_no_collision.urdf"
        motors = [f"stewart_{k}" for k in range(1, 7)]
        found = gough.convert(path, platform="xl_330", motors=motors, lock=LOCKED, drop=BARE)
        return found, Held(path.read_text(), motors, LOCKED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hinged.urdf"
        path.write_text(urdf())
        found = gough.convert(path, platform="plate", motors=MOTORS)
    return found, Held(urdf(), MOTORS)


@cache
def gimbals(kind):
    """Six legs with rows of one kind at the arm, at the platform, or at both; or all mixed."""
    if kind != "mixed":
        return with_gimbals(dragged("both" if kind == "both" else "near"), lambda _: "RRR")
    machine = dragged("mixed")
    return with_gimbals(machine, lambda joint: ROWS[int(joint.name[-1]) % 3])


@pytest.mark.filterwarnings("ignore:hinged.*it is dragged along")  # rods that are crooked
@pytest.mark.parametrize("name", ["hinged", "neck"])
def test_spins_are_held_in_the_hinges_as_pinocchio_holds_them(name):
    found, held = from_file(name)
    robot = found.robot
    # in the other machine these links are as heavy as any, and nothing is to be said
    assert [f.code for f in found.findings].count("hinges") == (name == "neck")
    assert len(robot.assembly.idle) == 6
    for state in states(robot):
        at = gough.posture(robot, state)
        q = held.coordinates(at.joints)
        assert np.abs(held.loops(q, np.zeros(held.model.nv))[0]).max() < 1e-12
        of_motors = [[x[n] for n in robot.motors] for x in (at.joint_rates, at.joint_accelerations)]
        v, a = held.motion(q, *map(np.array, of_motors))
        for ours, theirs, bound in (
            (at.joint_rates, v, 1e-11),
            (at.joint_accelerations, a, 1e-9),  # of a derivative by differences
        ):
            difference = [ours[n] - x for n, x in zip(held.names, theirs, strict=True)]
            assert np.abs(difference).max() < bound * np.abs(theirs).max()
        tau = held.efforts(q, v, a)
        for method in THEORIES:
            with gough.options(engine="numpy"):
                ours = gough.inverse_dynamics(robot, state, method=method)
            assert relative(ours, tau) < 1e-10
            with gough.options(engine="numpy"):
                back = gough.forward_dynamics(robot, state, tau, method=method).Vdot_0p
            assert relative(back, state.Vdot_0p) < 1e-9


def test_the_reference_of_the_neck_does_not_hold_spins_in_time():
    """Its rates have no part along idle motions, and its accelerations have none at that instant.

    As these motions change with the posture, its accelerations are not the derivatives of its
    rates, and efforts are not those of a motion: with ``N^T a = 0`` the judge above says the same
    as the reference, in time it does not, by more than 1e-8.
    """
    data = reference("reachy_mini_urdf")
    motors = data["structure"]["motors"]
    held = Held((FORMATS / "reachy_mini" / "robot_no_collision.urdf").read_text(), motors)
    change = 0.0
    for state in data["states"]:
        said = state["idle_held"]
        rates, accelerations, tau = (
            np.array([x[name] for name in motors])
            for x in (state["qvel"], said["qacc"], said["motor_effort"])
        )
        q = held.coordinates(state["qpos"])
        at_once, in_time = (
            held.efforts(q, *held.motion(q, rates, accelerations, in_time=way))
            for way in (False, True)
        )
        assert relative(at_once, tau) < 1e-12
        change = max(change, relative(in_time, tau))
    assert 1e-8 < change < 1e-6


@pytest.mark.parametrize("name", ["hinged", "neck"])
def test_balls_on_demand_are_another_machine_by_as_much_as_the_links_weigh(name, tmp_path):
    found, _ = from_file(name)
    if name == "neck":
        path = FORMATS / "reachy_mini" / "robot_no_collision.urdf"
        motors, lock = found.robot.motors, LOCKED
    else:
        path, motors, lock = tmp_path / "hinged.urdf", MOTORS, ()
        path.write_text(urdf(link=1e-7))
    drop = (*BARE, "links")
    balls = gough.convert(path, platform=found.robot.platform, motors=motors, lock=lock, drop=drop)
    assert "balls" in [f.code for f in balls.findings]
    assert {j.kind for j in balls.robot.joints} <= {"revolute", "spherical", "fixed"}
    assert len([j for j in balls.robot.joints if j.kind == "spherical"]) == 12
    state = next(states(balls.robot, 1))
    if name == "neck":
        other = gough.inverse_dynamics(found.robot, state)
        assert 1e-8 < relative(gough.inverse_dynamics(balls.robot, state), other) < 1e-5


@pytest.mark.parametrize(("link", "code"), [(0.0, "balls"), (1e-16, "balls"), (1e-9, "hinges")])
def test_links_that_nobody_feels_make_a_ball(link, code, tmp_path):
    """Beside rods of 0.1 kg, in double precision."""
    path = tmp_path / "hinged.urdf"
    path.write_text(urdf(link=link))
    found = gough.convert(path, platform="plate", motors=MOTORS)
    (said,) = [f for f in found.findings if f.code in ("balls", "hinges")]
    assert (said.code, said.data["count"]) == (code, 7)


def test_hinges_on_both_sides_share_the_twist():
    """A rod stands half-way between the smallest swings against what is at its two ends."""
    robot = from_file("neck")[0].robot
    T = next(states(robot, 1)).T_0p
    home, here = (gough.posture(robot, x).bodies for x in (robot.home_pose, T))
    (freedom,) = [f for f in robot.assembly.idle if f.bodies == ("stewart_link_rod_6",)]
    rod = freedom.bodies[0]
    twists = []
    for other in ("dc15_a01_horn_dummy_6", "xl_330"):
        before, after = (x[other][:3, :3].T @ x[rod][:3, :3] for x in (home, here))
        a, b = before @ freedom.spin, after @ freedom.spin
        v, c = np.cross(a, b), a @ b
        K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
        swing = np.eye(3) + K + K @ K / (1.0 + c)
        rest = (swing @ before).T @ after  # a turn about the rod
        twists.append((rest[2, 1] - rest[1, 2]) / 2.0)
    assert abs(twists[0]) > 1e-4
    np.testing.assert_allclose(twists[0], -twists[1], atol=1e-12)


@pytest.mark.parametrize("name", ["hinged", "neck"])
def test_a_pose_tells_all_hinges(name):
    """The ball in the place of three hinges has the smallest swing from home, as a ball has."""
    robot = from_file(name)[0].robot
    assert closed_form(robot.assembly) is not None
    T = next(states(robot, 1)).T_0p
    home, here = (gough.posture(robot, x).bodies for x in (robot.home_pose, T))
    ends = {"neck": ("dc15_a01_horn_dummy", "stewart_link_rod"), "hinged": ("arm_1", "rod_1")}
    arm, rod = ends[name]
    before, after = (x[arm][:3, :3].T @ x[rod][:3, :3] for x in (home, here))
    (freedom,) = [f for f in robot.assembly.idle if f.bodies == (rod,)]
    turn = after @ before.T
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    assert np.linalg.norm(axis) > 1e-3
    assert abs(axis @ (before @ freedom.spin)) < 1e-12  # it does not turn about the rod


@pytest.mark.filterwarnings("ignore:dragged_mixed.*it is dragged along")
@pytest.mark.parametrize("kind", ["near", "both", "mixed"])
def test_all_theories_and_kernels_agree(kind):
    machine = gimbals(kind)
    locks = [lock for own in machine.assembly.locks.legs for lock in own]
    assert len(locks) == 6
    assert all(any(lock.through) for lock in locks)
    state = next(states(machine, 1))
    tau = gough.inverse_dynamics(machine, state)
    for method in THEORIES:
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                efforts = gough.inverse_dynamics(machine, state, method=method)
                found = gough.forward_dynamics(machine, state, tau, method=method)
            assert relative(efforts, tau) < 1e-10
            assert relative(found.Vdot_0p, state.Vdot_0p) < 1e-8
    assert gough.audit(machine, state).passed


@pytest.mark.filterwarnings("ignore:dragged_mixed.*it is dragged along")
@pytest.mark.parametrize("kind", ["near", "both", "mixed"])
def test_reactions_balance_every_body(kind):
    machine = gimbals(kind)
    state = next(states(machine, 1))
    loads = gough.Loads(friction=False, rotors=False)
    found = gough.reactions(machine, state, loads=loads)
    tau = gough.inverse_dynamics(machine, state, loads=loads)
    np.testing.assert_allclose([found[name][5] for name in machine.motors], tau, rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "more"),
    [("near", ("rod1", "u1_1", "u1_2", "arm1")), ("both", ("rod1", "s1_1", "s1_2"))],
)
def test_hinges_of_a_nacelle(kind, more):
    """The same machine with a leg counted to the hub; if cut in two, a row of hinges drags not."""
    found = assemble(gimbals(kind), more)
    (lock,) = found.locks.hub
    assert [len(row) for row in lock.through] == [3]
    rng = np.random.default_rng(1)
    V, Vdot = rng.normal(size=6), 5.0 * rng.normal(size=6)
    kin = Kinematics(found, found.sample_solutions()[-1], V, Vdot)
    tau, *others = (METHODS[name].inverse(kin, StateLoads(found.gravity)) for name in THEORIES)
    assert max(relative(other, tau) for other in others) < 1e-11
    (cut,) = assemble(gimbals("near"), ("rod1", "u1_1", "u1_2")).locks.hub
    assert not cut.beside


@pytest.mark.parametrize("far", [False, True])
def test_a_universal_joint_is_two_hinges_with_nothing_between(far):
    """In the tree, and where it closes a loop."""
    ball = dragged("far" if far else "near")
    one, other = (with_gimbals(ball, lambda _, kind=kind: kind) for kind in ("UR", "RRR0"))
    state = next(states(one, 1))
    tau = gough.inverse_dynamics(one, state)
    assert relative(gough.inverse_dynamics(other, state), tau) < 1e-11
    assert relative(gough.inverse_dynamics(ball, state), tau) > 1e-9


def test_rates_of_the_dragging_hinges_are_the_least():
    """Also where only one of three drags: it alone stands still along the spin."""
    machine = gimbals("near")
    joints = tuple(
        replace(j, idle="") if j.idle == DRAGS and j.name[-1] in "bc" else j for j in machine.joints
    )
    machine = replace(machine, joints=joints)
    state = next(states(machine, 1))
    at = gough.posture(machine, state)
    dragging = [j.name for j in joints if j.idle == DRAGS]
    assert len(dragging) == 6
    assert max(abs(at.joint_rates[name]) for name in dragging) < 1e-12
    assert max(abs(at.joint_accelerations[name]) for name in dragging) < 1e-11


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
@pytest.mark.parametrize("kind", ["near", "both"])
def test_code_in_c_shares_legs_and_tests_itself(kind, tmp_path):
    code, _ = gough.export_c(gimbals(kind), "inverse_dynamics", tmp_path, legs="shared")
    program = tmp_path / "program"
    command = ["gcc", "-O0", "-DGOUGH_SELF_TEST", str(code), "-o", str(program), "-lm"]
    subprocess.run(command, check=True, timeout=120)
    subprocess.run([program], check=True, timeout=60)
