"""Describe a machine in Python, save it, load it again: a planar 3-RRR drawn as it stands."""

import tempfile
from pathlib import Path

import numpy as np

import gough

bodies = [gough.Body("platform", **gough.inertia.sphere(1.2, 0.08))]
joints = []
for i, angle in enumerate(np.radians([95.0, 210.0, 330.0]), start=1):
    out = np.array([np.cos(angle), np.sin(angle), 0.0])
    side = np.array([-out[1], out[0], 0.0])
    foot, knee, wrist = 0.4 * out, 0.27 * out + 0.2 * side, 0.1 * out
    bodies.append(gough.Body(f"prox{i}", **gough.inertia.rod(0.6, foot, knee)))
    bodies.append(gough.Body(f"dist{i}", **gough.inertia.rod(0.4, knee, wrist)))
    # all body frames coincide with the base at home, so both sides of a joint share its frame
    for name, parent, child, point in (
        (f"motor{i}", "base", f"prox{i}", foot),
        (f"elbow{i}", f"prox{i}", f"dist{i}", knee),
        (f"wrist{i}", f"dist{i}", "platform", wrist),
    ):
        at = gough.Frame(point)
        joints.append(gough.Joint(name, "revolute", parent, child, at, at))

robot = gough.Robot(
    "three_rrr", bodies, joints, platform="platform", motors=["motor1", "motor2", "motor3"]
)
print(gough.sheet(robot))
assert robot.mobility == 3
assert robot.freedoms == ("x", "y", "rz")

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "three_rrr.yaml"
    gough.save(robot, path)
    assert gough.load(path) == robot  # exact

state = gough.state(robot, [0.02, -0.01, 0.1], [0.1, 0.0, 1.0])
J_inv = gough.inverse_jacobian(robot, state)  # qd_a = J_inv V_r
print("\nmotor rates [rad/s]:", np.round(J_inv @ [0.1, 0.0, 1.0], 4))
np.testing.assert_allclose(J_inv @ [0.1, 0.0, 1.0], gough.motor_rates(robot, state))
