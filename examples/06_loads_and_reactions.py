"""A hexapod that mills: a cutting force, a spindle as payload, and what every joint has to bear."""

import numpy as np

import gough

robot = gough.zoo.load("gough_stewart")
x = [0.05, -0.02, 0.65, 0.1, -0.05, 0.2]
state = gough.state(robot, x, [0.3, -0.2, 0.1, 0.5, 0.4, -0.6], [1.0] * 6)

# force at the tool's tip: how much, in base axes [N]; where, in the body's own frame [m]
cutting = gough.Force("platform", [120.0, -40.0, 60.0], point=[0.0, 0.0, 0.15])
spindle = gough.Payload(3.5, center=(0.0, 0.0, 0.08), inertia=np.diag([0.02, 0.02, 0.005]))
loads = gough.Loads([cutting], spindle)
free = gough.inverse_dynamics(robot, state)
tau = gough.inverse_dynamics(robot, state, loads=loads)
print("forces without loads [N]", np.round(free, 1))
print("forces with them     [N]", np.round(tau, 1))

certificate = gough.audit(robot, state, loads=loads)  # the power of every load is in the balance
assert certificate.passed
np.testing.assert_allclose(
    gough.forward_dynamics(robot, state, tau, loads=loads).Vdot_0p, state.Vdot_0p
)

# the wrench in every joint, what the parent exerts on the child, in the joint's frame
found = gough.reactions(robot, state, loads=loads)
assert found.unique.all()  # a 6-UPS is not over-constrained
balls = [np.linalg.norm(found[f"s{i}"][:3]) for i in range(1, 7)]
print("in the balls above   [N]", np.round(balls, 1))

# at rest the ground carries the weight, less what the tool pushes up
rest = gough.reactions(robot, state.T_0p, loads=loads)
mass = sum(body.mass for body in robot.bodies) + 3.5
np.testing.assert_allclose(rest.ground[:3], [-120.0, 40.0, 9.81 * mass - 60.0], rtol=1e-9)
