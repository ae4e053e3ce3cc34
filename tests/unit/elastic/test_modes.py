"""How many modes a beam keeps: the lowest vibrations are those of a fine mesh, without asking."""

import pytest

import gough
from elastic_machines import STEEL, beam_body

SECTION = gough.CrossSection(3.1e-4, 2.4e-8, 0.9e-8, 1.7e-8, 0.6, 0.5)


def arm(*lengths):
    """A serial arm of straight beams, each across the one before."""
    bodies, joints, end, before = [], [], [0.0, 0.0, 0.0], "base"
    for k, length in enumerate(lengths):
        start, end = end, list(end)
        end[k % 2] += length
        beam = gough.Beam(SECTION, STEEL, [start, end], up=[0.0, 0.0, 1.0])
        at, name = gough.Frame(start), f"link{k}"
        bodies.append(beam_body(name, beam))
        joints.append(
            gough.Joint(f"turn{k}", "revolute", before, name, parent_frame=at, child_frame=at)
        )
        before = name
    motors = tuple(joint.name for joint in joints)
    frame = gough.Frame(end)
    return gough.Robot(
        "arm", tuple(bodies), tuple(joints), before, platform_frame=frame, motors=motors
    )


@pytest.mark.parametrize("lengths", [(0.8,), (0.8, 0.5), (0.5, 0.4, 0.3)])
def test_eight_vibrations_of_few_beams_are_those_of_a_fine_mesh(lengths):
    robot = arm(*lengths)
    found = gough.elasticity(robot).frequencies(8)
    expected = gough.elasticity(robot, elements=30).frequencies(8)
    assert found == pytest.approx(expected, rel=1e-3)
