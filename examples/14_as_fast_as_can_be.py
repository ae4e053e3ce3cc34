"""The least time of a stroke, by what motors can give and by what they can bear."""

import numpy as np

import gough

robot = gough.load("examples/robots/geared_delta.yaml")
start, end = robot.home_pose.copy(), robot.home_pose.copy()
start[:2, 3], end[:2, 3] = (-0.1, 0.02), (0.1, -0.05)
loads = gough.Loads(payload=0.2)
found = gough.motion.fastest(robot, [start, end], loads=loads, dwell=0.02)
print(found)
assert found.cycles > found.cool_cycles

# at every grid point some limit is reached, and none is passed between them
assert found.grid.use.min() > 0.999
looked = gough.analyse(robot, found.motion, loads=loads, rate=2000.0, agreement=False)
assert {each.kind for each in looked.violations} == {"motor_rms"}  # it overheats the motors
curve = robot.axis("arm1").motor.torque_at(looked.motor.speed[:, 0])
use = np.abs(looked.motor.torque[:, 0]) / curve
print(f"arm1 uses up to {use.max():.1%} of its torque at its speed")
assert use.max() < 1.0 + 1e-6

# slower, all motors are within their continuous torques
cool = gough.analyse(robot, found.cool(), loads=loads, rate=2000.0, agreement=False)
assert cool.feasible
print("RMS on the shafts [N m]", [round(one.motor.rms, 3) for one in cool.sizing])
