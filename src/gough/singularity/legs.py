"""A leg that moves while the platform is held: its joints, and the motion the platform loses."""

from __future__ import annotations

import numpy as np

from gough.base.english import against, quoted
from gough.geometry.newton import AssembledState
from gough.kinematics.regularity import lost_wrench, moving_legs
from gough.mechanism.closure.dense import move, split
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.home import close
from gough.mechanism.mobility.newton import CLOSED
from gough.robot import Joint
from gough.singularity.found import LooseLeg
from gough.singularity.state import StateSingularity

_MOVES = 0.02  # share of the largest rate below which a joint is not named as moving
_ASIDE = 1e-4  # bend of a stretched leg, to find the usual twists [rad]: its square is 1e-8
_STRAIGHT = 1e-3  # sine of the angle between bars that form a line
_SMALL = 1e-6  # determinant, or share of the largest component, that counts as zero
_BEARS = 1e-3  # natural units: constraint of a leg on a usual twist; below _ASIDE it is none


def loose_leg(look: StateSingularity, name: str, u: np.ndarray) -> LooseLeg:
    """Describe a leg, or the nacelle, whose joints can move by u, natural units."""
    rates = _rates(look, u)
    moving = tuple(dict.fromkeys(axis.split(".", maxsplit=1)[0] for axis in rates))
    joints = [look.assembly.robot.joint(joint) for joint in moving]
    elbows = [_place(look, j).p for j in joints[1:] if _shares_body(j, joints[0])]
    shape = _shape(look, moving, elbows, _at_platform(look, name))
    return _described(look, name, moving, rates, _lost(look, name, u), shape, "the platform")


def loose_freedoms(look: StateSingularity) -> list[LooseLeg]:
    """Legs that move although all freedoms of the robot are held, the platform with them.

    The platform loses the direction of the freedoms along which it cannot move.
    """
    a, seen = look.assembly, look.seen
    solution = a.solution(look.at)
    wrench = lost_wrench(a, seen.lost * a.scales.freedoms / look.scales.freedoms)
    u = look.follow @ seen.hidden
    found = []
    for name, moving in moving_legs(a, solution, seen.hidden * look.scales.twist).items():
        rates = _rates(look, look.rates_of(name, u))
        # the last bar of such a leg is the platform itself, as far as to its origin
        shape = _shape(look, moving, _at_platform(look, name), [look.state.T_0p[:3, 3]])
        found.append(_described(look, name, moving, rates, wrench, shape, ", ".join(a.freedoms)))
    return found


def _described(
    look: StateSingularity,
    name: str,
    moving: tuple[str, ...],
    rates: dict[str, np.ndarray],
    wrench: np.ndarray,
    shape: str,
    held: str,
) -> LooseLeg:
    """A leg that moves although something is held, with its sentence."""
    motors = tuple(motor for motor in look.assembly.robot.motors if motor in rates)
    who = "the nacelle" if name == "nacelle" else f"leg {name!r}"
    text = f"{who} is {shape}: with {held} held, {quoted(moving)} can still move"
    if motors:
        text += f", {quoted(motors)} being {'a motor' if len(motors) == 1 else 'motors'}"
    if wrench.any():
        turns = any(i > 2 for i in look.assembly.free)
        lost = against(wrench, look.state.T_0p[:3, 3], look.length, turns=turns)
        text += f"; the platform cannot {lost}"
    return LooseLeg(name, moving, rates, motors, wrench, text)


def _rates(look: StateSingularity, u: np.ndarray) -> dict[str, np.ndarray]:
    """Rates of axes that move, the largest 1; not of those that close loops, which follow."""
    topology, robot = look.assembly.topology, look.assembly.robot
    found: dict[str, np.ndarray] = {}
    parts = split(topology, u * look.scales.rates)
    trees = [(topology.hub, parts.hub)]
    trees += [(leg.tree, own) for leg, own in zip(topology.legs, parts.legs, strict=True)]
    for tree, own in trees:
        for link, columns in zip(tree.links, tree.columns, strict=True):
            if link.joint:
                axis = robot.joint(link.joint).axis_names[link.axis]
                found[axis] = np.concatenate([found.get(axis, np.zeros(0)), own[columns]])
    largest = max((float(np.abs(r).max()) for r in found.values()), default=1.0)
    return {k: r / largest for k, r in found.items() if np.abs(r).max() > _MOVES * largest}


# what the platform loses


def _lost(look: StateSingularity, name: str, u: np.ndarray) -> np.ndarray:
    """The wrench that the leg bears now, on the independent coordinates; zeros if there is none.

    It is the part of the leg's constraints here that does work in the usual twists nearby.
    """
    usual = _usual_twists(look, u)
    free = list(look.assembly.free)
    if usual is None or not free or abs(np.linalg.det(usual[free])) < _SMALL:
        return np.zeros(6)
    _, s, Vt = np.linalg.svd(look.demands(name) @ usual, full_matrices=True)
    if int((s > _BEARS).sum()) != 1:
        return np.zeros(6)
    # power on the freedoms: V = Psi V_r
    on_freedoms = np.linalg.inv(usual[free]).T @ Vt[0]
    on_freedoms[np.abs(on_freedoms) < _SMALL * np.abs(on_freedoms).max()] = 0.0
    wrench = np.zeros(6)
    wrench[free] = on_freedoms / look.scales.twist[free]
    return np.asarray(wrench / (np.linalg.norm(wrench[:3]) or np.linalg.norm(wrench[3:])))


def _usual_twists(look: StateSingularity, u: np.ndarray) -> np.ndarray | None:
    """Twists that the legs allow the platform beside the singularity, orthonormal, 6xn.

    Where it depends on the pose, the leg is bent a little to both sides: the mean of both is right
    to the square of that.
    """
    a = look.assembly
    if a.constant_Psi is not None:
        return np.asarray(np.linalg.qr(a.constant_Psi / look.scales.twist[:, None])[0])
    projector = np.zeros((6, 6))
    for side in (_ASIDE, -_ASIDE):
        rates = split(a.topology, side * u / np.abs(u).max() * look.scales.rates)
        bent = move(a.topology, look.state.configuration, rates)
        T, configuration, error = close(a.topology, look.state.T_0p, bent, a.length, a.locks)
        beside = StateSingularity(a, AssembledState(T, configuration), look.length, look.tolerance)
        if error > CLOSED or beside.twists.shape[1] != a.mobility:
            return None
        projector += 0.5 * beside.twists @ beside.twists.T
    return np.asarray(np.linalg.eigh(projector)[1][:, 6 - a.mobility :])


# the posture of the leg


def _at_platform(look: StateSingularity, name: str) -> list[np.ndarray]:
    """Points at which a leg is joined to the platform; none of the nacelle."""
    legs = [leg for leg in look.assembly.topology.legs if leg.name == name]
    return [_place(look, c.joint).p for leg in legs for c in leg.closings if c.far_on_hub]


def _shape(
    look: StateSingularity,
    moving: tuple[str, ...],
    elbows: list[np.ndarray],
    ends: list[np.ndarray],
) -> str:
    """``stretched out``, ``folded``, or ``singular`` where neither is meant.

    Args:
        look: the state.
        moving: joints of the leg that move, from its foot on.
        elbows: points whose mean ends the first bar, in the base [m].
        ends: the same of the second bar.
    """
    if not elbows or not ends or look.assembly.robot.joint(moving[0]).kind != "revolute":
        return "singular"
    first, elbow = _place(look, look.assembly.robot.joint(moving[0])), np.mean(elbows, axis=0)
    across = np.eye(3) - np.outer(first.R[:, 2], first.R[:, 2])
    upper, lower = across @ (elbow - first.p), across @ (np.mean(ends, axis=0) - elbow)
    sizes = float(np.linalg.norm(upper)) * float(np.linalg.norm(lower))
    if sizes == 0.0 or np.linalg.norm(np.cross(upper, lower)) > _STRAIGHT * sizes:
        return "singular"
    return "stretched out" if upper @ lower > 0.0 else "folded"


def _place(look: StateSingularity, joint: Joint) -> Pose:
    """Frame of a joint on its parent, in the base."""
    body = BASE if joint.parent == look.assembly.robot.base else look.at.body_poses[joint.parent]
    frame = joint.parent_frame.matrix
    return Pose(body.R @ frame[:3, :3], body.p + body.R @ frame[:3, 3])


def _shares_body(joint: Joint, first: Joint) -> bool:
    return bool({joint.parent, joint.child} & {first.parent, first.child})
