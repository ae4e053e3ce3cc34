"""A robot from elsewhere: an MJCF file with loops, to motor efforts and a C function; and back."""

import tempfile
from pathlib import Path

import numpy as np

import gough

FILE = Path(__file__).parent / "robots" / "tilting_head.xml"

# what the file does not say: which body does the work, by the name of a body, site, frame or link
found = gough.convert(FILE, platform="head")
print(found)  # loops and how each was read, home, motors, idle spins, what was left out
robot = found.robot
assert (robot.freedoms, robot.motors) == (("rx", "ry"), ("left_servo", "right_servo"))
assert len(robot.assembly.idle) == 2  # the rods spin between their balls

# a nod to one side, and the torque of both servos along it
motion = gough.motion.point_to_point(robot, None, [0.15, 0.3], duration=0.4)
t = np.linspace(0.0, 0.4, 9)
T_0p, V_0p, Vdot_0p = motion(t)[:3]
tau = gough.inverse_dynamics(robot, T_0p, V_0p, Vdot_0p)
print(f"largest torque of a servo: {np.abs(tau).max():.3f} N m, of 2 N m")
assert np.abs(tau).max() < 2.0

with tempfile.TemporaryDirectory() as folder:
    # one C function for the controller
    code, header = gough.export_c(robot, "inverse_dynamics", folder)
    print(next(line for line in header.read_text().splitlines() if line.startswith("int ")))
    # and to other programs: the same efforts come back
    for name in ("head.xml", "head.urdf", "head.sdf"):
        gough.save(robot, Path(folder) / name)
        back = gough.convert(Path(folder) / name).robot
        same = gough.inverse_dynamics(back, T_0p, V_0p, Vdot_0p)
        np.testing.assert_allclose(same, tau, rtol=0.0, atol=1e-10)
        print(f"{name}: the same efforts")
