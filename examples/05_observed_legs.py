"""Efforts from what a camera sees of the legs: the platform is not looked at."""

import numpy as np

import gough

robot = gough.zoo.load("gough_stewart")
print(gough.elements(robot))  # 6S: six struts that extend and, on their universal joints, spin

x = [0.05, -0.02, 0.65, 0.1, -0.05, 0.2]
state = gough.state(robot, x, [0.3, -0.2, 0.1, 0.5, 0.4, -0.6], [1.0] * 6)

# what a perfect camera would see: directions, lengths, spins, and their rates
legs = gough.observe(robot, state)
tau = gough.inverse_dynamics_observed(robot, legs)
for method in ("legs", "elements", "screws", "tree"):
    by_pose = gough.inverse_dynamics(robot, state, method=method)
    print(f"{method:8}", np.round(by_pose, 3))
    np.testing.assert_allclose(by_pose, tau, rtol=1e-9)
print("observed", np.round(tau, 3))

# the same as a program: sums, products, quotients and roots
program = gough.trace.program(robot, "inverse_dynamics_observed")
print(gough.trace.count(program))
assert gough.trace.count(program).functions == 0
