"""What the base exerts on the whole machine: Newton and Euler for all bodies together."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.shared.newton_euler import tree_efforts
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import BASE


def on_base(kin: Kinematics, loads: StateLoads) -> Array:
    """``[f; n]`` that the base exerts, at its origin, base axes [N, N m].

    What all bodies take in the motion, less the loads on them.  Efforts of motors, friction and
    reactions act between two bodies and drop out, so that it is unique for every machine.
    """
    at, robot = kin.solution.equations, kin.assembly.robot
    legs = zip(at.leg_poses, at.leg_placed, strict=True)
    poses = [(at.hub_poses, at.hub_placed, at.platform), *((*leg, BASE) for leg in legs)]
    found: Array = np.zeros(6)
    for (tree, links, root), (inner, placed, start) in zip(
        kin.felt(loads.ground).trees, poses, strict=True
    ):
        pushes = loads.on_links(tree, placed, start) if loads.pushes else {}
        masses = loads.link_masses(robot, tree)
        _, f, n = tree_efforts(tree, inner, links, root, masses, pushes)
        f, n = start.R @ f, start.R @ n
        found = found + np.concatenate([f, n + cross(start.p, f)])
    return found
