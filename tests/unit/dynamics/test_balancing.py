"""Springs that carry the weight."""

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError, InputError
from machines import BASE, Drawing
from robots import random_freedoms, relative, robot

M, C, L, H = 3.0, 0.4, 0.5, 0.6
REST = np.zeros(6)


@pytest.fixture(scope="module")
def arm():
    """An arm in the x z plane, and a massless strut from a point above its pivot."""
    across = (0.0, 1.0, 0.0)

    def hinge(x=0.0, z=0.0):
        return gough.Frame.from_axes(z=across, x=(1.0, 0.0, 0.0), position=(x, 0.0, z))

    along = gough.Frame.from_axes(z=(1.0, 0.0, 0.0), x=across)
    bodies = (
        gough.Body("arm", M, (C, 0.0, 0.0), np.diag([0.001, 0.05, 0.05]).tolist()),
        gough.Body("tube", massless=True),
        gough.Body("rod", massless=True),
    )
    joints = (
        gough.Joint("pivot", "revolute", "base", "arm", hinge(), hinge()),
        gough.Joint("top", "revolute", "base", "tube", hinge(z=H), hinge()),
        gough.Joint("coil", "prismatic", "tube", "rod", along, along),
        gough.Joint("end", "revolute", "rod", "arm", hinge(), hinge(L)),
    )
    home = gough.Home(joints={"coil": 0.8, "top": 0.9})
    return gough.Robot("balanced_arm", bodies, joints, "arm", motors=("pivot",), home=home)


@pytest.fixture(scope="module")
def poses(arm):
    T = gough.state(arm, np.linspace(-0.7, 0.9, 9)[:, None]).T_0p
    return T


def test_a_spring_of_no_free_length_carries_an_arm_everywhere(arm, poses):
    """The classic: k h l = m g c, at rest where it has no length."""
    found = gough.balance_gravity(arm, ["coil"], poses)
    spring = found.springs["coil"]
    assert spring.stiffness == pytest.approx(M * 9.81 * C / (H * L), rel=1e-12)
    assert spring.rest == pytest.approx(0.0, abs=1e-12)
    assert np.abs(found.before).max() > 9.0
    assert np.abs(found.after).max() < 1e-12
    # and in the dynamics of the robot that is returned, also where nobody looked
    T = gough.state(found.robot, [-1.1]).T_0p
    assert np.abs(gough.inverse_dynamics(found.robot, T)).max() < 1e-12
    U = gough.energy(found.robot, poses).potential
    assert np.ptp(U) < 1e-12 * abs(U).max()
    assert "39.24 N/m" in str(found)
    assert "after" in str(found)


def test_a_payload_is_carried_too(arm, poses):
    load = gough.Payload(2.0, (L, 0.0, 0.0))
    found = gough.balance_gravity(arm, ["coil"], poses, loads=gough.Loads(payload=load))
    assert found.springs["coil"].stiffness == pytest.approx((M * C + 2.0 * L) * 9.81 / (H * L))
    tau = gough.inverse_dynamics(found.robot, poses, loads=gough.Loads(payload=load))
    assert np.abs(tau).max() < 1e-12


def test_a_given_stiffness_leaves_the_rest_position():
    """Springs on the Delta's motors: no better rest position exists."""
    r = robot("delta")
    T = gough.state(r, random_freedoms("delta", 8, 0.1)[0]).T_0p
    stiffness = dict.fromkeys(r.motors, 3.0)
    found = gough.balance_gravity(r, r.motors, T, stiffness=stiffness)
    assert {s.stiffness for s in found.springs.values()} == {3.0}
    held = gough.inverse_dynamics(found.robot, T)
    assert relative(held, found.after) < 1e-11
    assert relative(gough.inverse_dynamics(r, T), found.before) < 1e-11
    assert (found.after**2).sum() < 0.2 * (found.before**2).sum()
    # the efforts that are left push no spring any further, on the mean
    assert np.abs(found.after.mean(axis=0)).max() < 1e-10 * np.abs(found.before).max()


def test_springs_that_are_there_already_are_replaced(arm, poses):
    once = gough.balance_gravity(arm, ["coil"], poses)
    again = gough.balance_gravity(once.robot, ["coil"], poses)
    assert relative(again.before, once.before) < 1e-12
    assert again.springs["coil"].stiffness == pytest.approx(once.springs["coil"].stiffness)


@pytest.mark.parametrize(
    ("axes", "options", "words"),
    [
        (["pivot"], {}, "a constant force"),
        (["coil", "pivot"], {"poses": 1}, "do not tell the springs apart"),
        (["spring"], {}, "no axis 'spring' for a spring"),
        ("coil", {}, "expected names of axes"),
        ([], {}, "expected names of axes"),
        (["coil"], {"stiffness": {"pivot": 3.0}}, "'pivot' is not among the axes"),
        (["coil"], {"poses": 0}, "no pose is given"),
        (None, {}, "expected names of axes"),
        ([["coil"]], {}, "expected names of axes"),
        (["coil"], {"stiffness": 3.0}, "expected {axis: stiffness}"),
    ],
)
def test_springs_that_do_not_help(arm, poses, axes, options, words):
    kept = poses[: options.pop("poses", len(poses))]
    with pytest.raises(InputError) as caught:
        gough.balance_gravity(arm, axes, kept, **options)
    assert words in str(caught.value)


def test_a_stiffness_is_positive(arm, poses):
    with pytest.raises(DescriptionError, match="stiffness"):
        gough.balance_gravity(arm, ["coil"], poses, stiffness={"coil": -1.0})


def test_wound_springs_carry_what_the_answer_says():
    """A screw jack: the pin at its screw turns many times, and its spring with it."""
    d = Drawing(3)
    d.body("table", (0.0, 0.3, 0.4))
    d.body("screw", (0.0, 0.0, 0.2))
    d.joint("pin", "revolute", BASE, "screw", (0.0, 0.0, 0.0), (0, 0, 1))
    d.joint("nut", "helical", "screw", "table", (0.0, 0.0, 0.3), (0, 0, 1), pitch=0.01)
    d.joint("guide", "prismatic", BASE, "table", (0.0, 0.4, 0.3), (0, 0, 1))
    r = d.robot("jack", "table", ["guide"], (0.0, 0.0, 0.4))
    z0 = r.assembly.chart.coordinates(r.home_pose)[2]
    T = gough.state(r, z0 + np.linspace(0.0, 0.12, 5)[:, None]).T_0p
    found = gough.balance_gravity(r, ["pin"], T, stiffness={"pin": 0.05})
    held = gough.inverse_dynamics(found.robot, T)
    assert relative(held, found.after) < 1e-9


def test_payloads_per_pose(arm, poses):
    load = gough.Payload(np.linspace(0.0, 1.0, len(poses)), (L, 0.0, 0.0))
    found = gough.balance_gravity(arm, ["coil"], poses, loads=gough.Loads(payload=load))
    held = gough.inverse_dynamics(found.robot, poses, loads=gough.Loads(payload=load))
    assert relative(held, found.after) < 1e-11
