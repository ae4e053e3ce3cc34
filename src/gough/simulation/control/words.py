"""A control loop in words: its law, gains, sampling, saturation and encoders."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.robot import Robot
from gough.simulation.words import Lines, by_motor, motor_units, sampling_lines


def loop_lines(robot: Robot, loop: Any) -> Lines:
    """A loop with its gains, sampling, saturation and encoders: headings and facts."""
    law, motors = loop.law, robot.motors
    found = [("controller", str(getattr(law, "label", "") or type(law).__name__))]
    for name in ("kp", "kd"):
        gains = getattr(law, name, None)
        if gains is None:
            continue
        per = "/s²" if name == "kp" else "/s"
        units = [f"1{per}"] * np.size(gains)
        if getattr(law, "gains_are_efforts", False):
            turn, slide = ("N m/rad", "N/m") if name == "kp" else ("N m s/rad", "N s/m")
            units = motor_units(robot, turn, slide)
        names = motors if np.size(gains) == len(motors) else robot.freedoms
        found.append((f"gain {name}", by_motor(names, np.asarray(gains), units)))
    found += sampling_lines(loop)
    bounds = loop.saturation
    if bounds.largest is not None:
        limit = by_motor(motors, bounds.largest, motor_units(robot, "N m", "N"))
        said = [limit] if np.isfinite(bounds.largest).any() or not bounds.by_motors else []
        said += ["what the motors can give at their speed"] * bounds.by_motors
        found.append(("saturation", ", and ".join(said)))
    if loop.step is not None:
        found.append(("encoder step", by_motor(motors, loop.step, motor_units(robot, "rad", "m"))))
    if loop.noise.any():
        noise = by_motor(motors, loop.noise, motor_units(robot, "rad", "m"))
        found.append(("encoder noise", f"{noise} (standard deviation), seed {loop.seed}"))
    return found
