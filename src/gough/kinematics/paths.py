"""Serial paths from the base to the platform through a leg, all joints included.  [KI] (73)-(75)

    V_0p = J_ci qd_ci,   qd_ai = L_ci V_r,   J_r^-1 = [L_c1; ...; L_cm]

A column is the twist that one axis gives to the platform's origin while the others stand still.
Nothing of the closure equations is used: only where the axes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gough.base.spatial import cross
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.topology import Leg
from gough.robot import Joint
from gough.robot.joint import FREEDOMS, KINDS, SLIDE

_NOTHING = 1e-9  # singular values of motions that nothing feels, natural units: rounding is 1e-15


def path_through(assembly: Assembly, leg: Leg) -> tuple[TreeEdge, ...]:
    """Joints from the base to the platform through a leg, the shortest way, in order."""
    robot, hub = assembly.robot, assembly.topology.hub.bodies
    bodies = {*leg.tree.bodies, *hub}
    joints = [j for j in robot.joints if {j.parent, j.child} <= bodies]
    # into the hub by this leg alone: what hangs between base and hub without bodies is another leg
    own = {c.joint.name for c in leg.closings}
    entering = [j for j in joints if j.name in own or not _enters(j, leg, hub)]
    found = _way(ways([robot.base], bodies, entering), robot.platform)
    if found:
        return found
    # it ends on a body of the hub that hangs on legs alone: on through those, not over the base
    inside = ways([robot.base], leg.tree.bodies, joints)
    rest = [j for j in robot.joints if robot.base not in (j.parent, j.child)]
    every = [body.name for body in robot.bodies]
    beyond = ways([way.body for way in inside], every, rest)
    return _way((*inside, *beyond), robot.platform)


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

    def turn(axis: np.ndarray, advance: float = 0.0) -> list[np.ndarray]:
        return [np.concatenate([cross(axis, p - B.p) + advance * axis, axis])]

    def slide(axis: np.ndarray) -> list[np.ndarray]:
        return [np.concatenate([axis, np.zeros(3)])]

    x, y, z = A.R.T
    ball = [column for axis in B.R.T for column in turn(axis)]
    found = {
        "revolute": turn(z),
        "helical": turn(z, joint.pitch),
        "prismatic": slide(z),
        "universal": turn(z) + turn(B.R[:, 2]),
        "cylindrical": turn(z) + slide(z),
        "spherical": ball,
        "planar_contact": slide(x) + slide(y) + ball,
        "fixed": [],
    }[joint.kind]
    return np.stack(found, axis=1) if found else np.zeros((6, 0))


def motor_rows(
    assembly: Assembly, solution: Solution, index: int
) -> tuple[tuple[str, ...], np.ndarray]:
    """Motors of a leg, and ``L_ci`` with ``qd_ai = L_ci V_r``.  [KI] (74)

    Every joint at which the leg meets the hub ends a path, whose twist is that of the hub's body;
    every loop of the leg's own ends where it began.  All of them together are solved for the leg's
    rates, of which those of motors are unique.
    """
    robot, leg, at = assembly.robot, assembly.topology.legs[index], solution.equations
    motors = tuple(name for name in robot.motors if assembly.axes[name].tree == index)
    if not motors:
        return motors, np.zeros((0, assembly.mobility))
    closing = {c.joint.name for c in leg.closings}
    inner = [j for j in robot.joints if {j.parent, j.child} <= set(leg.tree.bodies)]
    tree = ways([robot.base], leg.tree.bodies, inner)
    joints = [way.joint for way in tree]
    joints += [j for j in robot.joints if (j in inner or j.name in closing) and j not in joints]
    spans = _spans(joints)
    rows, right = [], []
    for joint in joints[len(tree) :]:
        row, known = np.zeros((6, spans[""].stop)), np.zeros((6, assembly.mobility))
        row[:, spans[joint.name]] = joint_columns(at, joint)
        for body, sign in ((joint.parent, 1.0), (joint.child, -1.0)):
            if body in leg.tree.bodies:
                for way in _way(tree, body):
                    row[:, spans[way.joint.name]] += sign * way.sign * joint_columns(at, way.joint)
            else:
                known -= sign * _hub_twists(assembly, solution, body)
        rows.append(row)
        right.append(known)
    names = [name for joint in joints for name in joint.axis_names]
    rates = _solved(assembly, np.concatenate(rows), np.concatenate(right), joints)  # [KI] (73)
    starts = _axis_starts(joints)
    return motors, rates[[starts[names.index(motor)] for motor in motors]]  # [KI] (74)


def _hub_twists(assembly: Assembly, solution: Solution, body: str) -> np.ndarray:
    """Twist of a hub's body at the platform's origin per unit of each freedom ``(6, n)``."""
    at, found = solution.equations, []
    if body == assembly.robot.platform:
        return np.asarray(solution.Psi)
    for column in solution.Psi.T:
        v, w, _, _ = Kinematics(assembly, solution, column).body_motion(body)
        found.append(np.concatenate([v + cross(w, at.platform.p - at.body_poses[body].p), w]))
    return np.reshape(found, (-1, 6)).T


def _solved(
    assembly: Assembly, J: np.ndarray, right: np.ndarray, joints: Sequence[Joint]
) -> np.ndarray:
    """Rates of a leg's axes; of motions that nothing feels there is none.  Natural units."""
    length = assembly.scales.length
    kinds = [what for joint in joints for what in KINDS[joint.kind].values()]
    units = np.concatenate(
        [[length if w in (SLIDE, "plane") else 1.0] * FREEDOMS[w] for w in kinds]
    )
    rows = np.tile(assembly.scales.twist, len(J) // 6)[:, None]
    found = np.linalg.lstsq(J / rows * units, right / rows, rcond=_NOTHING)[0]
    return np.asarray(found * units[:, None])


def _spans(joints: Sequence[Joint]) -> dict[str, slice]:
    """Columns of every joint by name; of all of them under the empty name."""
    found, start = {}, 0
    for joint in joints:
        stop = start + sum(FREEDOMS[what] for what in KINDS[joint.kind].values())
        found[joint.name] = slice(start, stop)
        start = stop
    return found | {"": slice(0, start)}


def _axis_starts(joints: Sequence[Joint]) -> list[int]:
    """First column of every axis."""
    widths = [FREEDOMS[what] for joint in joints for what in KINDS[joint.kind].values()]
    return [0, *np.cumsum(widths).tolist()]


def _way(tree: Sequence[TreeEdge], body: str) -> tuple[TreeEdge, ...]:
    """Edges of a spanning tree that lead from its root to a body."""
    by_body, found = {way.body: way for way in tree}, []
    while body in by_body:
        found.append(by_body[body])
        body = by_body[body].before
    return tuple(reversed(found))
