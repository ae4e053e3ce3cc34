"""A Delta that is ten per cent heavier than its model: let go, and under two controllers."""

import numpy as np

import gough
from gough import control, motion

model = gough.zoo.load("delta")  # what the controllers know
heavy = control.perturb(model, masses=1.1)  # what is simulated

# without efforts it falls until an arm and its bars are in line: a named event, results kept
fall = gough.simulate(heavy, heavy.home_pose, None, 2.0, integrator="dop853")
print(fall.event)
assert fall.event.kind == "type_1"
assert fall.t[-1] == fall.event.time < 1.0
assert fall.closure.max() < 1e-12
# what it has lost in height is motion and heat: the energy book is even
assert np.abs(fall.balance).max() < 1e-4 * fall.kinetic.max()

# a stroke and a rest, under controllers that look once a millisecond
end = model.home_pose[:3, 3] + np.array([0.06, -0.03, 0.05])
task = motion.point_to_point(model, None, end, duration=0.25).then(motion.hold(model, end, 0.25))
bandwidth = 60.0  # [rad/s]
options = {"bandwidth": bandwidth, "period": 1e-3}
laws = {
    "PD, weight carried": control.joint_pd(model, task, **options),
    "computed torque": control.computed_torque(model, task, space="platform", **options),
}
runs = {name: gough.simulate(heavy, task(0.0), law, task.duration) for name, law in laws.items()}
for name, run in runs.items():
    error = 1e3 * run.tracking.position
    print(f"{name:20} off by at most {error.max():.2f} mm, at rest by {error[-1]:.3f} mm")
pd, computed = runs.values()
assert computed.tracking.position.max() < 0.2 * pd.tracking.position.max()

# at rest: M kp e = 0.1 c, the weight that the model does not know
M, c = gough.inertia_matrix(model, task.end), gough.gravity_wrench(model, task.end)
e = np.linalg.solve(bandwidth**2 * M, 0.1 * c)
print("theory for rest      off by", (1e3 * np.linalg.norm(e)).round(3), "mm")
found = task.end[:3, 3] - computed.T_0p[-1, :3, 3]
np.testing.assert_allclose(found, e, atol=2e-3 * np.abs(e).max())
