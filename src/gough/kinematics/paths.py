"""Serial paths from the base to the platform through a leg, all joints included.  [KI] (73)

    V_0p = J_ci qd_ci

A column is the twist that one axis gives to the platform's origin while the others stand still.
Nothing of the closure equations is used: only where the axes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gough.base.spatial import cross
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.topology import Leg
from gough.robot import Joint
from gough.robot.joint_kinds import KINDS


def path_through(assembly: Assembly, leg: Leg) -> tuple[TreeEdge, ...]:
    """Joints from the base to the platform through a leg, the shortest way, in order."""
    robot, hub = assembly.robot, assembly.topology.hub.bodies
    bodies = {*leg.tree.bodies, *hub}
    joints = [j for j in robot.joints if {j.parent, j.child} <= bodies]
    # into the hub by this leg alone: what hangs between base and hub without bodies is another leg
    own = {c.joint.name for c in leg.closings}
    entering = [j for j in joints if j.name in own or not _enters(j, leg, hub)]
    found = way_to(ways([robot.base], bodies, entering), robot.platform)
    if found:
        return found
    # it ends on a body of the hub that hangs on legs alone: on through those, not over the base
    inside = ways([robot.base], leg.tree.bodies, joints)
    rest = [j for j in robot.joints if robot.base not in (j.parent, j.child)]
    every = [body.name for body in robot.bodies]
    beyond = ways([way.body for way in inside], every, rest)
    return way_to((*inside, *beyond), robot.platform)


def _enters(joint: Joint, leg: Leg, hub: Iterable[str]) -> bool:
    """Whether a joint leads from the base or the leg into the hub."""
    ends = {joint.parent, joint.child}
    return bool(ends & set(hub)) and bool(ends & set(leg.tree.bodies))


def path_axes(path: Iterable[TreeEdge]) -> tuple[str, ...]:
    """Names of the axes along a path, in order."""
    return tuple(name for way in path for name in way.joint.axis_names)


def path_jacobian(at: Equations, path: Iterable[TreeEdge]) -> np.ndarray:
    """``J_ci`` with ``V_0p = J_ci qd_ci``, base axes ``(6, k)``.  [KI] (73)"""
    columns = [way.sign * joint_columns(at, way.joint) for way in path]
    return np.concatenate([np.zeros((6, 0)), *columns], axis=1)  # [KI] (73)


def joint_columns(at: Equations, joint: Joint) -> np.ndarray:
    """Twists of the child against the parent at the platform's origin, per unit rate of each axis.

    One column for a turn or slide, two for a plane, three for a ball (child axes).
    """
    A, B = at.frames(joint)
    p = at.platform.p

    found = []
    for v, w in KINDS[joint.kind].free_twists(A.R.T @ B.R, joint.pitch):
        axis = A.R @ w
        found.append(np.concatenate([A.R @ v + cross(axis, p - B.p), axis]))
    return np.stack(found, axis=1) if found else np.zeros((6, 0))


def way_to(tree: Sequence[TreeEdge], body: str) -> tuple[TreeEdge, ...]:
    """Edges of a spanning tree that lead from its root to a body."""
    by_body, found = {way.body: way for way in tree}, []
    while body in by_body:
        found.append(by_body[body])
        body = by_body[body].before
    return tuple(reversed(found))
