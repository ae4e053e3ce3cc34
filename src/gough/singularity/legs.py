"""A leg that moves while the platform is held: its joints, and what it makes the platform lose."""

from __future__ import annotations

import numpy as np

from gough.closure.dense import move, split
from gough.closure.equations import BASE
from gough.closure.recursion import Pose
from gough.geometry.newton import State
from gough.kinematics.regularity import lost_wrench, moving_legs
from gough.mobility.home import close
from gough.mobility.newton import CLOSED
from gough.robot import Joint
from gough.singularity.found import LooseLeg
from gough.singularity.look import Look
from gough.words import against, quoted

_MOVES = 0.02  # share of the largest rate below which a joint counts as still
_ASIDE = 1e-4  # how far a stretched leg is bent to see what it allowed before, rad
_STRAIGHT = 1e-3  # sine of the angle between bars that form a line
_SMALL = 1e-6
_BEARS = 1e-3  # natural units: what a leg demands of a motion that it does not allow


def loose_leg(look: Look, name: str, u: np.ndarray) -> LooseLeg:
    """What a motion u of the joints, natural units, means for a leg or for the nacelle."""
    rates = _rates(look, u)
    largest = max((float(np.abs(r).max()) for r in rates.values()), default=1.0)
    rates = {k: r / largest for k, r in rates.items() if np.abs(r).max() > _MOVES * largest}
    moving = tuple(dict.fromkeys(axis.split(".", maxsplit=1)[0] for axis in rates))
    motors = tuple(motor for motor in look.assembly.robot.motors if motor in rates)
    wrench = _lost(look, name, u)
    return LooseLeg(
        name, moving, rates, motors, wrench, _sentence(look, name, moving, motors, wrench)
    )


def _sentence(
    look: Look, name: str, moving: tuple[str, ...], motors: tuple[str, ...], wrench: np.ndarray
) -> str:
    who = "the nacelle" if name == "nacelle" else f"leg {name!r}"
    how = _shape(look, name, moving)
    text = f"{who} is {how}: with the platform held, {quoted(moving)} can still move"
    if motors:
        text += f", {quoted(motors)} being {'a motor' if len(motors) == 1 else 'motors'}"
    if not wrench.any():
        return text
    return f"{text}; the platform cannot {_against(look, wrench)}"


def loose_freedoms(look: Look) -> list[LooseLeg]:
    """Legs that move although all freedoms of the robot are held, the platform with them.

    What is lost is the direction in the freedoms that nothing moves along.
    """
    a, seen = look.assembly, look.seen
    solution = a.solution(look.at)
    wrench = lost_wrench(a, seen.lost * a.scales.freedoms / look.scales.freedoms)
    u = look.follow @ seen.hidden
    found = []
    for name, moving in moving_legs(a, solution, seen.hidden * look.scales.twist).items():
        rates = _rates(look, look.rates_of(name, u))
        largest = max(float(np.abs(r).max()) for r in rates.values())
        rates = {k: r / largest for k, r in rates.items() if np.abs(r).max() > _MOVES * largest}
        motors = tuple(motor for motor in a.robot.motors if motor in rates)
        text = (
            f"leg {name!r} is {_shape_to_origin(look, name, moving)}: with "
            f"{', '.join(a.freedoms)} held, {quoted(moving)} can still move"
        )
        if motors:
            text += f", {quoted(motors)} being {'a motor' if len(motors) == 1 else 'motors'}"
        text += f"; the platform cannot {_against(look, wrench)}"
        found.append(LooseLeg(name, moving, rates, motors, wrench, text))
    return found


def _against(look: Look, wrench: np.ndarray) -> str:
    """What a platform that cannot move against a wrench cannot do."""
    turns = any(i > 2 for i in look.assembly.free)
    return against(wrench, look.state.T_0p[:3, 3], look.length, turns=turns)


def _rates(look: Look, u: np.ndarray) -> dict[str, np.ndarray]:
    """Rates of all axes but those that close loops, which follow."""
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
    return found


# what the platform loses


def _lost(look: Look, name: str, u: np.ndarray) -> np.ndarray:
    """The wrench that the leg bears now, on the robot's own freedoms; zeros if there is none.

    Of all that the leg demands of the platform here, the part that works on what it can do nearby.
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


def _usual_twists(look: Look, u: np.ndarray) -> np.ndarray | None:
    """What the legs allow the platform beside the singularity, orthonormal, 6xn.

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
        T, configuration, error = close(a.topology, look.state.T_0p, bent, a.length, a.gauges)
        beside = Look(a, State(T, configuration), look.length, look.tolerance)
        if error > CLOSED or beside.twists.shape[1] != a.mobility:
            return None
        projector += 0.5 * beside.twists @ beside.twists.T
    return np.asarray(np.linalg.eigh(projector)[1][:, 6 - a.mobility :])


# how the leg stands


def _shape(look: Look, name: str, moving: tuple[str, ...]) -> str:
    """``stretched out``, ``folded``, or ``singular`` where neither is meant."""
    leg = next((leg for leg in look.assembly.topology.legs if leg.name == name), None)
    joints = [look.assembly.robot.joint(joint) for joint in moving]
    if leg is None or len(joints) < 2 or joints[0].kind != "revolute":
        return "singular"
    first = _place(look, joints[0])
    elbows = [_place(look, j).p for j in joints[1:] if _shares_body(j, joints[0])]
    ends = [_place(look, c.joint).p for c in leg.closings if c.far_on_hub]
    if not elbows or not ends:
        return "singular"
    across = np.eye(3) - np.outer(first.R[:, 2], first.R[:, 2])
    elbow = np.mean(elbows, axis=0)
    upper, lower = across @ (elbow - first.p), across @ (np.mean(ends, axis=0) - elbow)
    return _straightness(upper, lower)


def _shape_to_origin(look: Look, name: str, moving: tuple[str, ...]) -> str:
    """The same of a leg whose last bar is the platform itself, as far as to its origin."""
    leg = next(leg for leg in look.assembly.topology.legs if leg.name == name)
    elbows = [_place(look, c.joint).p for c in leg.closings if c.far_on_hub]
    first = look.assembly.robot.joint(moving[0])
    if not elbows or first.kind != "revolute":
        return "singular"
    at = _place(look, first)
    across = np.eye(3) - np.outer(at.R[:, 2], at.R[:, 2])
    elbow = np.mean(elbows, axis=0)
    return _straightness(across @ (elbow - at.p), across @ (look.state.T_0p[:3, 3] - elbow))


def _straightness(upper: np.ndarray, lower: np.ndarray) -> str:
    sizes = float(np.linalg.norm(upper)) * float(np.linalg.norm(lower))
    if sizes == 0.0 or np.linalg.norm(np.cross(upper, lower)) > _STRAIGHT * sizes:
        return "singular"
    return "stretched out" if upper @ lower > 0.0 else "folded"


def _place(look: Look, joint: Joint) -> Pose:
    """Frame of a joint on its parent, in the base."""
    body = BASE if joint.parent == look.assembly.robot.base else look.at.body_poses[joint.parent]
    frame = joint.parent_frame.matrix
    return Pose(body.R @ frame[:3, :3], body.p + body.R @ frame[:3, 3])


def _shares_body(joint: Joint, first: Joint) -> bool:
    return bool({joint.parent, joint.child} & {first.parent, first.child})
