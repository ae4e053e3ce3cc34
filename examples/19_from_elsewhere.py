"""A robot from elsewhere: the neck of Reachy Mini from its MJCF file to motor efforts and C.

    python 19_from_elsewhere.py path/to/reachy_mini.xml

The file is in the repository pollen-robotics/reachy_mini, and in the Python package reachy-mini,
both in the folder descriptions/reachy_mini/mjcf.  Without it, a small head of our own is taken.
"""

import ctypes
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import gough

HERE = Path(__file__).resolve().parent
BESIDE = HERE.parents[1] / "shared" / "reference" / "formats" / "reachy_mini" / "reachy_mini.xml"
OUR_OWN = HERE / "robots" / "tilting_head.xml"

file = Path(sys.argv[1]) if len(sys.argv) > 1 else BESIDE
if len(sys.argv) < 2 and not file.is_file():
    file = OUR_OWN
    print("Reachy Mini's file was not given: a small head of our own takes its place.")

# what files do not say: which body does the work (by a body, site, frame or link), and which joints
# are held: a yaw below the neck and two antennas above it have no part in its loops
held = [] if file.resolve() == OUR_OWN else ["yaw_body", "left_antenna", "right_antenna"]
# default classes of the exporter put damping and friction on balls, which is not meant
found = gough.convert(file, platform="head", lock=held, drop=["passive"])
print(found)  # loops and how each was read, home, motors, idle spins, what was left out
robot = found.robot
warnings.simplefilter("ignore", gough.GoughWarning)  # the findings have said it
assert len(robot.motors) == robot.mobility

still = gough.inverse_dynamics(robot, robot.home_pose)
print("torques at rest [N m]:", np.array2string(still, precision=4, suppress_small=True))

# the head nods by 0.2 rad in 0.4 s
T_end = robot.home_pose
T_end[:3, :3] = T_end[:3, :3] @ gough.Frame.from_rpy([0, 0, 0], [0, 0.2, 0]).matrix[:3, :3]
motion = gough.motion.point_to_point(robot, None, T_end, duration=0.4)
moving = motion(np.linspace(0.0, 0.4, 41))
tau = gough.inverse_dynamics(robot, moving)
largest = np.array2string(np.abs(tau).max(axis=0), precision=4, suppress_small=True)
print("largest torques of the nod [N m]:", largest)
assert np.isfinite(tau).all()

with tempfile.TemporaryDirectory() as folder:
    # one C function for the controller, and what it says along the nod
    code, header = gough.export_c(robot, "inverse_dynamics", folder)
    print(next(line for line in header.read_text().splitlines() if line.startswith("int ")))
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler:
        library = Path(folder) / "neck.so"
        options = ["-std=c99", "-O2", "-shared", "-fPIC"]
        subprocess.run([compiler, *options, str(code), "-o", str(library), "-lm"], check=True)
        function = getattr(ctypes.CDLL(str(library)), f"gough_{robot.name}_inverse_dynamics")
        in_c = np.zeros_like(tau)
        for state in zip(*moving.arrays, in_c, strict=True):
            rows = [np.ascontiguousarray(each) for each in state]  # the last one is written to
            assert function(*(each.ctypes.data_as(ctypes.c_void_p) for each in rows)) == 0
        worst = np.abs(in_c - tau).max() / np.abs(tau).max()
        print(f"the C function differs from Python by {worst:.0e} of the largest torque")
        assert worst < 1e-12
    # and to other programs: the same efforts come back
    for name in ("neck.xml", "neck.urdf", "neck.sdf", "neck.drake.sdf"):
        gough.save(robot, Path(folder) / name)
        back = gough.convert(Path(folder) / name).robot
        same = gough.inverse_dynamics(back, moving)
        # a graph does not say which joints are a tree, and those drag the idle spins of the rods
        bound = 1e-7 if name == "neck.sdf" else 1e-10
        np.testing.assert_allclose(same, tau, rtol=0.0, atol=bound)
        print(f"{name}: the same efforts")

# with all its motors: the head nods on its neck, the yaw turns below it, and an antenna swings
if held:
    whole = gough.convert(file, platform="head", drop=["passive"]).robot
    print(f"{len(whole.motors)} motors, of which the pose does not tell:", *whole.serial_axes)
    core, t = gough.serial_core(whole), np.linspace(0.0, 0.4, 41)
    T_nod = core.home_pose
    T_nod[:3, :3] = T_nod[:3, :3] @ gough.Frame.from_rpy([0, 0, 0], [0, 0.2, 0]).matrix[:3, :3]
    nod = gough.motion.point_to_point(core, None, T_nod, duration=0.4)(t).replace(
        internal={"yaw_body": 2.0 * t**2, "left_antenna": 0.5 * np.sin(8.0 * t)},
        internal_rate={"yaw_body": 4.0 * t, "left_antenna": 4.0 * np.cos(8.0 * t)},
        internal_acceleration={"yaw_body": 4.0, "left_antenna": -32.0 * np.sin(8.0 * t)},
    )
    in_space = gough.serial_state(whole, nod)
    all_tau = gough.inverse_dynamics(whole, in_space)
    print("largest torques of all motors [N m]:", np.abs(all_tau).max(axis=0).round(4))
    back = gough.forward_dynamics(whole, in_space, all_tau)  # and what they cause
    np.testing.assert_allclose(back.Vdot_0p, in_space.Vdot_0p, rtol=0.0, atol=1e-6)
