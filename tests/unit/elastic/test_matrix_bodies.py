"""Bodies with a stiffness matrix whose frames share a point: hinges, flexures, couplings."""

import numpy as np
import pytest

import gough
from elastic_machines import STEEL, beam_body

TURNS = np.array([50.0, 500.0, 5e3])
HINGE = np.diag([1e7, 2e7, 3e7, *TURNS])
ARM = np.array([0.5, 0.0, 0.0])


def flexure(point, *, arm=ARM, hinge=HINGE):
    """A mass that a motor holds through a hinge, both of whose frames are at one point."""
    between = gough.BodyStiffness(("motor", "clamp"), np.kron([[1.0, -1.0], [-1.0, 1.0]], hinge))
    at = gough.Frame(point)
    hook = gough.Body("hook", mass=0.0, massless=True, stiffness=between)
    plate = gough.Body("plate", mass=0.5, center=tuple(point + arm), inertia=np.eye(3) * 1e-3)
    joints = (
        gough.Joint("motor", "revolute", "base", "hook", parent_frame=at, child_frame=at),
        gough.Joint("clamp", "fixed", "hook", "plate", parent_frame=at, child_frame=at),
    )
    return gough.Robot(
        "flexure", (hook, plate), joints, "plate", platform_frame=at, motors=("motor",)
    )


def assert_alike(found, expected, rel):
    """Compare compliances, entries by the diagonal: metres and radians mix."""
    size = np.sqrt(np.diag(expected))
    assert np.abs((found - expected) / np.outer(size, size)).max() < rel


@pytest.mark.parametrize("point", [(0.0, 0.0, 0.0), (0.2, 0.2, 0.2), (0.2, 0.0, -0.1)])
def test_each_joint_sits_on_its_own_frame(point):
    robot = flexure(np.array(point))
    one = gough.elasticity(robot)
    many = gough.elasticity(robot, np.tile(robot.home_pose, (64, 1, 1)))
    assert_alike(one.compliance, np.linalg.inv(HINGE), 1e-9)
    assert_alike(many.compliance[7], one.compliance, 1e-9)
    assert many.frequencies(6)[7] == pytest.approx(one.frequencies(6), rel=1e-9)
    sag = one.deflection()
    turn = 0.5 * 9.81 * 0.5 / TURNS[1]  # weight at the end of the arm turns the hinge about y
    assert sag.platform[4] == pytest.approx(turn, rel=1e-9)
    assert sag.joints["clamp"] == pytest.approx(sag.platform, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_weight_on_a_hinge_is_a_pendulum(side):
    stiff = np.diag([1e9, 1e9, 1e9, 1e6, 12.0, 1e6])
    robot = flexure(np.zeros(3), arm=np.array([0.0, 0.0, 0.5 * side]), hinge=stiff)
    found = gough.elasticity(robot, preload=True).frequencies(1)[0]
    held = 12.0 - side * 0.5 * 9.81 * 0.5
    expected = np.sqrt(held / (0.5 * 0.25 + 1e-3)) / (2.0 * np.pi)
    assert found == pytest.approx(expected, rel=1e-6)


def test_soft_turns_of_a_stiff_hinge_are_no_mechanism():
    soft = np.diag([1e9, 1e9, 1e9, 0.02, 0.02, 0.02])
    e = gough.elasticity(flexure(np.zeros(3), hinge=soft))
    assert_alike(e.compliance, np.linalg.inv(soft), 1e-6)


def test_what_is_left_of_a_body_does_not_depend_on_the_theory():
    """Thickness that Euler-Bernoulli leaves out of the beam is no moment of inertia beside it."""
    beam = gough.Beam(gough.Tube(0.03, 0.02), STEEL, [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0]])
    bar = beam_body("bar", beam)
    ball = gough.inertia.sphere(1e-3, 0.0, center=(0.4, 0.0, 0.0))
    figures = {"mass": bar.mass, "center": bar.center, "inertia": bar.inertia}
    heavier = gough.Body("bar", **gough.inertia.composite([figures, ball]), beam=beam)
    found = []
    for body in (bar, heavier):
        joint = gough.Joint("hub", "revolute", "base", "bar")
        robot = gough.Robot("bar", (body,), (joint,), "bar", motors=("hub",))
        found.append(gough.elasticity(robot, shear=False).frequencies(4))
    assert found[1] == pytest.approx(found[0], rel=2e-3)
