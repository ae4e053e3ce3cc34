"""Motions: strokes, figures, a pick and place cycle, and one that was measured with noise."""

import numpy as np

import gough
from gough import motion

robot = gough.zoo.load("delta")

# the cycle Deltas are measured by, 25-305-25 mm, as fast as 100 m/s^2 allow
cycle = motion.pick_and_place(robot, acceleration=100.0)
print(cycle, f"{60.0 / cycle.duration:.0f} cycles a minute")
t, state = cycle.sample(rate=1000.0)
tau = gough.inverse_dynamics(robot, state)
print("largest torques [N m]", np.abs(tau).max(axis=0).round(2))
assert abs(np.linalg.norm(state.Vdot_0p[:, :3], axis=1).max() - 100.0) < 0.1

# motions follow each other if they meet: to a circle, round it twice, and home again
circle = motion.circle(robot, radius=0.1, duration=1.5, turns=2.0, law="cruise")
limits = {"velocity": 1.0, "acceleration": 20.0, "jerk": 1000.0}
there = motion.jerk_limited(robot, None, circle.start, **limits)
back = motion.jerk_limited(robot, circle.end, None, **limits)
tour = there.then(circle, back)
print(tour)
np.testing.assert_allclose(tour.end, robot.home_pose, atol=1e-12)

# with six freedoms rotations run on SO(3): a stroke turns about one axis
hexapod = gough.zoo.load("gough_stewart")
home = hexapod.home_pose
pose = home.copy()
pose[:3, :3] = gough.Frame.from_rpy((0, 0, 0), (0.2, -0.1, 0.3)).matrix[:3, :3]
t, turn = motion.point_to_point(hexapod, home, pose, duration=0.5, law="septic").sample()
middle = turn.V_0p[len(turn) // 2, 3:]
axis = middle / np.linalg.norm(middle)
assert np.abs(np.cross(turn.V_0p[:, 3:], axis)).max() < 1e-13

# poses with 0.2 mm of noise: a smoothing spline finds accelerations, differences do not
rng = np.random.default_rng(0)
seen = tour(t := np.linspace(0.0, tour.duration, 800)).T_0p[:, :3, 3]
seen = seen + 2e-4 * rng.normal(size=seen.shape)
found = motion.from_samples(robot, t, seen)
print(found)
truth = tour(t).Vdot_0p[:, :3]
differences = np.gradient(np.gradient(seen, t, axis=0), t, axis=0)


def rms(error):
    return np.sqrt((error[10:-10] ** 2).mean())


print(
    f"acceleration {rms(truth):.2f} m/s^2; off by {rms(differences - truth):.1f} with differences, "
    f"by {rms(found(t).Vdot_0p[:, :3] - truth):.2f} with the spline"
)
assert rms(found(t).Vdot_0p[:, :3] - truth) < 0.1 * rms(differences - truth)
