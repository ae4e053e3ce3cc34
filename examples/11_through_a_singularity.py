"""A five-bar through a Type 2 singularity: criterion, plan, efforts, and a controlled machine."""

import numpy as np

import gough
from gough import control, motion

length, height = 0.23, 0.2105795574  # of the links; of the pose with both distal links in line [m]


def link(mass, tip=0.0):
    """A uniform rod with a point mass at its end, x along it."""
    center = (mass / 2 + tip) * length / (mass + tip)
    about = mass * length**2 / 12 + mass * (length / 2 - center) ** 2 + tip * (length - center) ** 2
    inertia = np.diag([0.0, about, about]).tolist()
    return {"mass": mass + tip, "com": [center, 0.0, 0.0], "inertia_com": inertia}


feet = ((-0.1375, -1, link(0.3, tip=0.2)), (0.1375, 1, link(0.3)))
legs = [
    {
        "base_point": [x, 0.0, 0.0],
        "l_prox": length,
        "l_dist": length,
        "mode": mode,
        "proximal": link(0.5),
        "distal": distal,
    }
    for x, mode, distal in feet
]
robot = gough.zoo.load("five_bar", legs=legs, gravity=(0.0, 0.0, -9.81))  # on a table

# straight up, through the pose in which the distal links are in line
ends = [0.0, height - 0.08], [0.0, height + 0.07]
quintic = motion.point_to_point(robot, *ends, duration=1.0)
usual = gough.crossing(robot, quintic)
print(usual)
assert not usual.bounded

# the same path with another time law, of degree eight: 0.3 m/s there, and the acceleration needed
planned = gough.plan_crossing(robot, ends, duration=1.0, times=0.5, speeds=0.3)
found = gough.crossing(robot, planned)
print(found)
(meeting,) = found.instants
assert abs(meeting.needed[1] + 0.0429714696) < 1e-9  # m/s^2
assert abs(found.peak.max() - 0.2198) < 1e-4  # N m

# efforts towards the singular pose: one over the distance, or bounded
distance = np.array([1e-2, 1e-3, 1e-4])
for path, at in ((quintic, usual.instants[0].time), (planned, meeting.time)):
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(robot, path(at + distance))
    print(f"{path.label}: {np.abs(tau).max(axis=1).round(3)} N m, 10, 1 and 0.1 ms after it")

# a machine that is not quite its model, under a controller that stays bounded
real = control.perturb(robot, masses={"prox1": 1.1, "dist1": 0.9, "prox2": 0.95, "dist2": 1.1})
law = gough.crossing_control(robot, planned, bandwidth=40.0, period=1e-3, plan=found)
run = gough.simulate(real, planned(0.0), law, 1.0, stop_at=("reach", "type_1", "limits"))
off = 1e3 * run.tracking.position.max()
print(f"simulated: {np.abs(run.tau).max():.3f} N m at most, {off:.3f} mm off at most")
assert run.event is None
assert np.abs(run.tau).max() < 1.2 * found.peak.max()
assert off < 0.2

# as fast as 0.5 N m allow
fast = gough.plan_crossing(robot, ends, optimise="time", efforts=0.5)
print(fast)
assert fast.duration < 0.6
