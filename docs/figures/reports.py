"""Makes the pictures of docs/reports.md: ``python docs/figures/reports.py FOLDER``.

The report itself goes to FOLDER; ``report.png`` is the top of it as a browser 1000 pixels wide
shows it, ``report_workspace.png``, ``report_bearings.png`` and ``report_inputs.png`` are parts of
it, and ``report_torque_speed.png`` is one of its figures.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from make import save

import gough
from gough.report.gallery import gallery, material
from gough.report.style import quiet_style

HERE = Path(__file__).resolve().parent


def machine() -> gough.Robot:
    """The zoo's Delta with gears, limits and the motors of docs/motor-sizing.md."""
    robot = gough.zoo.load("delta")
    gear = gough.Transmission(ratio=25.0, efficiency=0.92)
    limits = gough.Limits(effort=40.0, velocity=14.0)
    curve = [(0.0, 1.9), (314.2, 1.9), (523.6, 0.8)]  # [rad/s, N m]
    motor = gough.Motor(curve=curve, continuous=0.64, rotor_inertia=6.0e-5)
    driven = gough.Axis(viscous=0.02, coulomb=0.15, transmission=gear, limits=limits, motor=motor)
    joints = [
        replace(joint, axes=[driven]) if joint.name in robot.motors else joint
        for joint in robot.joints
    ]
    return replace(robot, joints=joints)


def main(folder: Path) -> None:
    """Write the report and the figure."""
    robot = machine()
    motion = gough.motion.pick_and_place(
        robot, [-0.1525, 0.0, -0.5], cycle=0.6, dwell=0.05, along=(0.9, 0.3, 0.0)
    )
    found = gough.analyse(robot, motion, loads=gough.Loads(payload=0.4, smoothing=0.02))
    title = "Delta, pick and place"
    gough.report.write_report(folder / "report.html", robot=robot, analysis=found, title=title)
    (figure,) = [g for g in gallery(material(robot, found, None)) if g.key == "torque_speed"]
    with quiet_style():
        save(figure.make(), HERE / "report_torque_speed.png", 130)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
