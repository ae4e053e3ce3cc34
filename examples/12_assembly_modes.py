"""Every posture that motor positions allow: two, six, forty, and one that is searched."""

import numpy as np

import gough

# a five-bar: two circles meet twice
robot = gough.zoo.load("five_bar")
q_a = gough.inverse_kinematics(robot, robot.home_pose)
modes = gough.forward_kinematics(robot, q_a)
print(modes)
assert len(modes) == 2

# a mode knows how its legs are bent: at home there, its pose leads back to the motors
for mode in modes:
    q = gough.inverse_kinematics(robot.rehomed(mode), mode.T_0p)
    assert np.abs(q - q_a).max() < 1e-11

# everything works there, kernels included
other = robot.rehomed(modes[1])
tau = gough.inverse_dynamics(other, modes[1].T_0p)
print("efforts at rest in mode 2:", tau)
assert np.abs(gough.inverse_kinematics(other, other.home_pose) - q_a).max() < 1e-11


# a planar 3-RRR: up to six, here all of them
def ring(radius, degrees):
    a = np.radians(degrees)
    return radius * np.column_stack([np.cos(a), np.sin(a)])


thirds = [210, 330, 90]
planar = gough.build.three_rrr(ring(0.5, thirds), ring(0.24, thirds), 0.39, 0.52)
six = gough.forward_kinematics(planar, [1.49, 2.89, -2.88])
print(six)
assert len(six) == 6

# Dietmaier's hexapod: all forty are real
base = [[0, 0, 0], [1.107915, 0, 0], [0.549094, 0.756063, 0]]
base += [[0.735077, -0.223935, 0.525991], [0.514188, -0.526063, -0.368418]]
base += [[0.590473, 0.094733, -0.205018]]
top = [[0, 0, 0], [0.542805, 0, 0], [0.956919, -0.528915, 0]]
top += [[0.665885, -0.353482, 1.402538], [0.478359, 1.158742, 0.107672]]
top += [[-0.137087, -0.235121, 0.353913]]
lengths = np.array([1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])
poses = gough.forward_kinematics(gough.build.hexapod(base, top), lengths).poses
tips = poses[:, None, :3, 3] + np.einsum("nij,kj->nki", poses[:, :3, :3], top)
off = np.abs(np.linalg.norm(tips - base, axis=2) - lengths).max()
print(f"Dietmaier's hexapod: {len(poses)} poses, legs off by at most {off:.1e} m")
assert len(poses) == 40
assert off < 1e-12

# legs that cannot reach: no pose, and no error
assert len(gough.forward_kinematics(robot, [np.pi, 0.0])) == 0

# what has no known number of modes is searched, and the answer says so
dymo = gough.zoo.load("dymo")
home = [dymo.assembly.home_values[name] for name in dymo.motors]
found = gough.forward_kinematics(dymo, home, starts=96)
print(str(found).splitlines()[1])
assert found.is_search
assert len(found) > 1
