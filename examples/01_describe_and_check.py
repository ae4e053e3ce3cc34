"""Load a robot file, read its sheet, and see every joint and body move."""

from pathlib import Path

import numpy as np

import gough

robot = gough.load(Path(__file__).parent / "robots" / "delta.yaml")
print(gough.sheet(robot))

# a circle of 60 mm radius in 1 s, with its exact derivatives, in the Delta's own freedoms
t = np.linspace(0.0, 1.0, 50)[:, None] * 2.0 * np.pi
x = np.hstack([0.06 * np.cos(t), 0.06 * np.sin(t), np.full_like(t, -0.7)])
xd = 2.0 * np.pi * np.hstack([-0.06 * np.sin(t), 0.06 * np.cos(t), 0.0 * t])
xdd = (2.0 * np.pi) ** 2 * np.hstack([-0.06 * np.cos(t), -0.06 * np.sin(t), 0.0 * t])
state = gough.state(robot, x, xd, xdd)

p = gough.posture(robot, state)
print(
    f"\nmotor 1 turns from {p.joints['motor1'].min():+.3f} to {p.joints['motor1'].max():+.3f} rad,"
)
print(f"bar 1a turns at up to {np.linalg.norm(p.twists['bar1a'][:, 3:], axis=1).max():.2f} rad/s,")
print(f"all loops are closed to {p.closure.max():.1e}")

assert p.closure.max() < 1e-12
np.testing.assert_allclose(
    gough.motor_rates(robot, state)[:, 0], p.joint_rates["motor1"], atol=1e-12
)
