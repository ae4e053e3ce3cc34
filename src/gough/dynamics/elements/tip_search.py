"""Tips and vectors that show the platform's pose: found once, from the structure and in samples.

Which points of the platform legs lead to by sums of ``d x``, over the parts of a nacelle that never
turn, and which two vectors are known in the base and in the platform (`tips.py` evaluates them).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gough.dynamics.elements.decomposition import Decomposition
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.tips import Piece, PoseFromLegs, Tip, Vector
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge
from gough.robot import Joint
from gough.robot.joint_kinds import KINDS

# figures of samples closed to 1e-15, in shares of the robot's length
_SAME = 1e-9


def find_pose_from_legs(
    assembly: Assembly,
    parts: Decomposition,
    seen: tuple[str, ...],
    lengths: tuple[str, ...],
    turns: tuple[str, ...] = (),
) -> PoseFromLegs | None:
    """Tips and vectors that give the platform's pose; ``None`` if the legs do not lead to it so.

    Args:
        assembly: the robot.
        parts: its elements.
        seen: elements whose direction is known; those that point the same way are known with them.
        lengths: slides whose position is known.
        turns: elements whose turn about themselves is known.
    """
    states = [ElementState(Kinematics(assembly, each)) for each in assembly.regular_solutions]
    if len(states) < 2:
        return None  # what is constant cannot be told from what is not
    tips = [tip for tip in (_tip(parts, b, states, seen, lengths) for b in _chains(parts)) if tip]
    if not tips:
        return None
    vectors = _vectors(assembly, parts, states, tips, seen)
    vectors += _forks(parts, states, vectors, seen, turns)
    best, found = 1e-3, None
    for pair in combinations(vectors, 2):
        sines = []
        for state in states:
            R = state.at.platform.R
            a, b = (R @ v.on_platform for v in pair)
            size = float(np.linalg.norm(a) * np.linalg.norm(b))
            sines.append(float(np.linalg.norm(np.cross(a, b))) / size)
        # constants and directions are exact or seen; tips add up errors: prefer the former
        score = min(sines) * (1.0 if all(v.kind != "tips" for v in pair) else 0.9)
        if score > best:
            best, found = score, pair
    home = assembly.equations(*assembly.start).body_poses
    directions = {e.name: home[e.name].R @ e.x for e in parts.elements.values()}
    return None if found is None else PoseFromLegs(tuple(tips), found, directions)


Chain = tuple[tuple[TreeEdge, ...], Joint]
"""Ways from the base, and the joint that leads from the last body to the platform."""


def _chains(parts: Decomposition) -> list[Chain]:
    """Ways from the base to each joint at the platform's own body, over legs and nacelle."""
    platform, found = parts.robot.platform, []
    onwards = _over_nacelle(parts)
    for branch in parts.branches:
        by_body = {way.body: way for way in branch.own}
        for joint in (*parts.closing, *(w.joint for w in branch.own)):
            for near, far in ((joint.parent, joint.child), (joint.child, joint.parent)):
                if (far != platform and far not in onwards) or KINDS[joint.kind].travel:
                    continue
                ways: list[TreeEdge] = []
                body = near
                while body in by_body:
                    ways.insert(0, by_body[body])
                    body = by_body[body].before
                if body != parts.robot.base:
                    continue
                if far == platform:
                    found.append((tuple(ways), joint))
                    continue
                sign = 1.0 if joint.child == far else -1.0
                path, last = onwards[far]
                found.append(((*ways, TreeEdge(far, near, joint, sign), *path), last))
    return found


def _over_nacelle(parts: Decomposition) -> dict[str, Chain]:
    """From each part of the nacelle that never turns to the platform, over others like it."""
    reached: dict[str, Chain] = {}
    platform = parts.robot.platform
    fixed = {way.body for way in parts.hub if parts.elements[parts.element_of[way.body]].fixed}
    for way in parts.hub:  # nearest the platform first
        if way.body not in fixed or KINDS[way.joint.kind].travel:
            continue
        if way.before == platform:
            reached[way.body] = ((), way.joint)
        elif way.before in reached:
            path, last = reached[way.before]
            back = TreeEdge(way.before, way.body, way.joint, -way.sign)
            reached[way.body] = ((back, *path), last)
    return reached


def _tip(
    parts: Decomposition,
    chain: Chain,
    states: list[ElementState],
    seen: tuple[str, ...],
    lengths: tuple[str, ...],
) -> Tip | None:
    ways, last = chain
    platform = parts.robot.platform
    pieces: list[Piece] = []
    at = [np.zeros(3) for _ in states]
    body = parts.robot.base
    for way in (*ways, None):
        joint, sign = (last, 1.0 if last.child == platform else -1.0) if way is None else way[2:]
        ends = []
        for state in states:
            A, B = state.at.frames(joint)
            ends.append((A.p, B.p) if sign > 0 else (B.p, A.p))
        moved = [end[0] - p for end, p in zip(ends, at, strict=True)]
        piece = _piece(parts, body, moved, states, seen)
        if piece is None:
            return None
        pieces.append(piece)
        at = [e[0] for e in ends]
        if way is None:
            break
        if KINDS[joint.kind].travel:
            found = _slide_piece(parts, joint, sign, states, seen)
            if found is None or found.length not in lengths:
                return None
            pieces.append(found)
        at, body = [e[1] for e in ends], way.body
    T = states[0].at.platform
    on_platform = T.R.T @ (at[0] - T.p)
    return Tip(tuple(pieces), on_platform)


def _piece(
    parts: Decomposition,
    body: str,
    moved: list[np.ndarray],
    states: list[ElementState],
    seen: tuple[str, ...],
) -> Piece | None:
    """A displacement as ``rho x + e`` with constant rho and e, if it is one in every sample."""
    name, size = parts.element_of[body], states[0].assembly.length
    if not name or parts.elements[name].fixed:
        return Piece(moved[0]) if _constant(moved, size) else None
    split = [state.split(body, m) for state, m in zip(states, moved, strict=True)]
    name = parts.elements[name].like
    if name not in seen or not _constant([e for _, e in split], size):
        return None
    e = np.where(np.abs(split[0][1]) < 1e-14 * size, 0.0, split[0][1])
    return Piece(e, name, float(split[0][0]))


def _constant(vectors: list[np.ndarray], size: float) -> bool:
    return max(float(np.abs(v - vectors[0]).max()) for v in vectors) < _SAME * size


def _slide_piece(
    parts: Decomposition,
    joint: Joint,
    sign: float,
    states: list[ElementState],
    seen: tuple[str, ...],
) -> Piece | None:
    """A length drawn out along its element's direction, or along one that does not turn."""
    if not KINDS[joint.kind].is_bushing:
        return None
    name = next(a for a in joint.axis_names if states[0].assembly.axes[a].what == "slide")
    directions = [state.slides(joint)[0][1] for state in states]
    if _constant(directions, 1.0):
        return Piece(np.zeros(3), length=name, sign=sign, fixed=directions[0])
    for body in (joint.parent, joint.child):
        name_of = parts.element_of[body]
        element = parts.elements[name_of].like if name_of else ""
        if element in seen:
            along = [s @ state.x[element] for s, state in zip(directions, states, strict=True)]
            if min(abs(a) for a in along) > 1.0 - 1e-12:
                back = sign * float(np.sign(along[0]))
                return Piece(np.zeros(3), element, length=name, sign=back)
    return None


def _vectors(
    assembly: Assembly,
    parts: Decomposition,
    states: list[ElementState],
    tips: list[Tip],
    seen: tuple[str, ...],
) -> list[Vector]:
    """Vectors known in the base and in the platform."""
    nothing = np.zeros(3)
    R = [state.at.platform.R for state in states]
    found = []
    turned = np.vstack([r - R[0] for r in R])
    _, s, Vt = np.linalg.svd(turned)
    for v in Vt[int((s > _SAME).sum()) :]:
        found.append(Vector("constant", 0, 0, "", R[0] @ v, v))
    name = parts.element_of[parts.robot.platform]
    if name in seen and not parts.elements[name].fixed:
        found.append(Vector("element", 0, 0, name, nothing, R[0].T @ states[0].x[name]))
    for i, j in combinations(range(len(tips)), 2):
        v = tips[j].on_platform - tips[i].on_platform
        if np.linalg.norm(v) > 1e-3 * assembly.length:
            found.append(Vector("tips", i, j, "", nothing, v))
    return found


def _forks(
    parts: Decomposition,
    states: list[ElementState],
    vectors: Sequence[Vector],
    seen: tuple[str, ...],
    turns: tuple[str, ...],
) -> list[Vector]:
    """Axes that a universal joint holds across one of a leg, and across a constant direction."""
    platform, found = parts.robot.platform, []
    constants = [v for v in vectors if v.kind == "constant"]
    for joint in parts.robot.joints:
        if joint.kind != "universal" or platform not in (joint.parent, joint.child):
            continue
        other = joint.child if joint.parent == platform else joint.parent
        name = parts.element_of[other]
        if name not in turns or name not in seen:
            continue
        for constant in constants:
            ends = [_fork_axes(state, joint, platform) for state in states]
            across = [np.cross(constant.in_base, leg) for _, leg in ends]
            sizes = [float(np.linalg.norm(v)) for v in across]
            if min(sizes) < 1e-3:  # the leg's axis must not be along the constant
                continue
            signs = [f @ v / s for (f, _), v, s in zip(ends, across, sizes, strict=True)]
            if min(signs) > 1.0 - _SAME or max(signs) < _SAME - 1.0:
                axis = parts.turned[other] @ _in_body(joint, other)
                home = states[0].assembly.equations(*states[0].assembly.start).body_poses[name].R
                R = states[0].at.platform.R
                sign = float(np.sign(signs[0]))
                found.append(
                    Vector(
                        "fork", 0, 0, name, constant.in_base * sign, R.T @ ends[0][0], home @ axis
                    )
                )
    return found


def _in_body(joint: Joint, body: str) -> np.ndarray:
    """The axis of a universal joint that a body carries, body axes."""
    frame = joint.parent_frame if body == joint.parent else joint.child_frame
    return np.array(frame.matrix[:3, 2])


def _fork_axes(state: ElementState, joint: Joint, platform: str) -> tuple[np.ndarray, np.ndarray]:
    """The axis of a universal joint on the platform, and the one on the other body, base axes."""
    A, B = (pose.R[:, 2] for pose in state.at.frames(joint))
    return (A, B) if joint.parent == platform else (B, A)
