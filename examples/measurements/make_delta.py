"""Makes `delta_poses.csv` beside it: what a laser tracker would measure on a crooked Delta.

The machine is `../robots/delta.yaml` with every joint frame moved by 0.3 mm (standard deviation,
along each axis). It is measured at 30 places, in the frame of the base, with noise of 0.02 mm and
0.05 mrad.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

import gough
from gough.base import turns
from gough.base.tables import write_table

COUNT, SEED = 30, 23
CROOKED, NOISE, NOISE_ANGLE = 3e-4, 2e-5, 5e-5  # [m], [m], [rad]
HERE = Path(__file__).parent

rng = np.random.default_rng(SEED)
nominal = gough.load(HERE.parent / "robots" / "delta.yaml")


def moved(frame: gough.Frame) -> gough.Frame:
    shift = CROOKED * rng.normal(size=3)
    return gough.Frame((np.array(frame.position) + shift).tolist(), frame.rotation)


joints = [
    replace(joint, parent_frame=moved(joint.parent_frame), child_frame=moved(joint.child_frame))
    for joint in nominal.joints
]
crooked = replace(nominal, joints=joints)
motors = np.round(rng.uniform(-25.0, 35.0, (COUNT, len(nominal.motors))), 3)  # [deg]
T = gough.pose_from_motors(crooked, np.radians(motors)).T_0p
T[:, :3, 3] += NOISE * rng.normal(size=(COUNT, 3))
T[:, :3, :3] = turns.rotations(NOISE_ANGLE * rng.normal(size=(COUNT, 3))) @ T[:, :3, :3]

R = T[:, :3, :3]
roll = np.arctan2(R[:, 2, 1], R[:, 2, 2])
pitch = -np.arcsin(R[:, 2, 0])
yaw = np.arctan2(R[:, 1, 0], R[:, 0, 0])
table = {f"{name} [deg]": motors[:, i] for i, name in enumerate(nominal.motors)}
table |= {f"{name} [mm]": np.round(1e3 * T[:, i, 3], 4) for i, name in enumerate("xyz")}
angles = {"roll": roll, "pitch": pitch, "yaw": yaw}
table |= {f"{name} [deg]": np.round(np.degrees(values), 5) for name, values in angles.items()}
table |= {"std [mm]": np.full(COUNT, 1e3 * NOISE)}
table |= {"std_angle [deg]": np.full(COUNT, np.round(np.degrees(NOISE_ANGLE), 5))}
path = HERE / "delta_poses.csv"
write_table(path, table)
about = "# Simulated: a crooked ../robots/delta.yaml, its tool in the frame of the base; made by "
path.write_text(f"{about}make_delta.py\n" + path.read_text())
