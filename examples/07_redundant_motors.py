"""Four motors for three freedoms: the smallest efforts, bounds, and preload against backlash."""

import numpy as np

import gough

robot = gough.zoo.load("four_rrr", gravity=(0.0, 0.0, -9.81))  # a planar 4-RRR, flat on a table
assert robot.redundant
assert (len(robot.motors), robot.mobility) == (4, 3)

state = gough.state(robot, [0.03, -0.02, 0.15], [0.2, -0.1, 0.4], [4.0, 2.0, -3.0])
tau = gough.inverse_dynamics(robot, state)
print("smallest ", np.round(tau, 3))

# efforts that cancel: any multiple may be added, and the motion is the same
N = gough.internal_efforts(robot, state.T_0p)[:, 0]
print("internal ", np.round(N, 3))
moved = gough.forward_dynamics(robot, state, tau + 2.0 * N).Vdot_0p
np.testing.assert_allclose(moved, state.Vdot_0p, atol=1e-9)

# so motors can push against each other, in the pattern of signs of N, all along a motion
preload = {name: 0.5 * np.sign(n) for name, n in zip(robot.motors, N, strict=True)}
stiff = gough.inverse_dynamics(robot, state, share=gough.EffortSharing(preload=preload))
print("preloaded", np.round(stiff, 3))
assert (np.sign(stiff) == np.sign(N)).all()
assert np.abs(stiff).min() >= 0.5

# bounds: the smallest efforts within them, or an error with what is missing
largest = np.abs(tau).max()
bounds = (-0.95 * largest, 0.95 * largest)
bounded = gough.inverse_dynamics(robot, state, share=gough.EffortSharing(bounds=bounds))
print("bounded  ", np.round(bounded, 3))
assert np.abs(bounded).max() <= bounds[1]
try:
    gough.inverse_dynamics(robot, state, share=gough.EffortSharing(bounds=(-0.1, 0.1)))
except gough.errors.EffortsInfeasible as error:
    print(error)
