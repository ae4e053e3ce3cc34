"""Machines whose idle spins are dragged along by balls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gough
from gough.robot.joint import DRAGS
from robots import robot

# which balls of the rods drag: those at the arms, those at the platform, or one each and both
CASES = {"near": (True, False), "far": (False, True), "both": (True, True), "mixed": None}


def dragged(case):
    """A hexapod of arms and rods between balls; rods are crooked a little, and may spin."""
    made = robot("hexapod_6rus")
    platform, rods = made.platform, []
    joints = []
    for joint in made.joints:
        ends = {joint.parent, joint.child}
        if joint.kind in ("universal", "spherical"):
            joint = replace(joint, kind="spherical", axes=())
            far = platform in ends
            rods += [] if far else [joint.child]
            wanted = CASES[case]
            if wanted is None:  # every leg otherwise
                wanted = [(True, False), (False, True), (True, True)][int(joint.name[-1]) % 3]
            # a ball may have inertia of its own against turning, as default classes of files say
            axes = (gough.Axis(viscous=2e-3, rotor_inertia=3e-4),) if case == "mixed" else ()
            joint = replace(joint, idle=DRAGS if wanted[far] else "", axes=axes)
        joints.append(joint)
    bodies = []
    for body in made.bodies:
        if body.name in rods:
            size = body.mass * 0.01
            crooked = np.diag([2e-5, 1e-3, 1.02e-3]) * size
            crooked[0, 1] = crooked[1, 0] = 1e-6 * size
            body = replace(body, inertia=crooked.tolist())
        bodies.append(body)
    return replace(made, bodies=tuple(bodies), joints=tuple(joints), name=f"dragged_{case}")
