"""A Delta with six unequal rods: plan measurements, measure, calibrate, and what it is worth."""

from dataclasses import replace

import numpy as np

import gough

robot = gough.load("examples/robots/delta.yaml")
rng = np.random.default_rng(15)
NOISE = (2e-5, 5e-5)  # of measured positions [m] and angles [rad]
FREE = ["*.length", "device"]

# where to measure: each pose is the one that tells most after those before it
plan = gough.measurement_plan(robot, "poses", 12, free=FREE, noise=NOISE)
print(plan)

# the machine on the bench: rods up to a millimetre longer or shorter, which only its builder knows
rods = {body.name: 5e-4 * rng.normal() for body in robot.bodies if body.name.startswith("bar")}


def stretched(joint: gough.Joint) -> gough.Joint:
    """The lower joint of a rod, moved along it."""
    if joint.parent not in rods:
        return joint
    upper = next(each for each in robot.joints if each.child == joint.parent).child_frame
    lower = joint.parent_frame
    along = np.array(lower.position) - np.array(upper.position)
    moved = np.array(lower.position) + rods[joint.parent] * along / np.linalg.norm(along)
    return replace(joint, parent_frame=gough.Frame(moved.tolist(), lower.rotation))


real = replace(robot, joints=[stretched(joint) for joint in robot.joints])
T = gough.state_from_motors(real, plan.motors).T_0p.copy()  # a laser tracker would say
T[:, :3, 3] += NOISE[0] * rng.normal(size=(len(T), 3))
turned = [gough.Frame.from_rpy((0, 0, 0), NOISE[1] * rng.normal(size=3)).rotation for _ in T]
T[:, :3, :3] = np.array(turned) @ T[:, :3, :3]
poses = gough.calibration.Poses(plan.motors, T, NOISE)

found = gough.calibrate(robot, poses, free=FREE)
print(found)
print(found.table())
for rod, error in rods.items():
    rod_length = found[f"{rod}.length"]
    assert abs(rod_length.value - rod_length.nominal - error) < 4.0 * rod_length.std
assert 0.5 < found.chi_square < 2.0

# a Delta as drawn never rotates; this one does, and the calibrated robot says where and how much
home = gough.inverse_kinematics(robot, robot.home_pose)
tilted = gough.state_from_motors(found.robot, home).T_0p[2, :3]
print(f"at home the platform is tilted by {1e3 * np.arccos(tilted[2]):.2f} mrad")
print(f"over the stroke this changes by up to {1e3 * found.parasitic.tilt:.2f} mrad")
assert found.parasitic.tilt > 1e-3
for proposal in found.next(2):
    print("measure next at", proposal.motors.round(4), "rad")
