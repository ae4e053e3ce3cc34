"""Joints of SDF as ties: where the links are drawn, every joint is at zero."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from gough.base.arguments import nearest
from gough.robot.formats.model import BASE, Link, Model, Tie, place_of
from gough.robot.formats.sdf.text import bound, number, pose_of, word
from gough.robot.formats.xml import Node
from gough.robot.frame import Frame
from gough.robot.joint import Axis, Limits, Spring

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "ball": "spherical",
    "fixed": "fixed",
    "universal": "universal",
    "revolute2": "universal",
    "screw": "helical",
}

Turn = Callable[[Node], np.ndarray]
"""Rotation of the axes that an ``<xyz>`` is written in, seen from the joint's frame."""

_SQUARE = 1e-9  # |cosine| between axes that are perpendicular


def closing_joint(node: Node, model: Model, poses: Mapping[str, np.ndarray]) -> Tie:
    """A joint of SDF within another file that closes a loop there."""
    found = ties_of(node, model, poses, pose_of(node.first("pose")), lambda _: np.eye(3))
    if len(found) != 1:
        node.refuse("axes that are not perpendicular cannot close a loop here")
    how = f"{found[0].name!r} is a {found[0].kind} joint between {found[0].parent!r} and "
    how += f"{found[0].child!r}: <gazebo><joint>"
    tie = found[0]
    return Tie(
        *(tie.name, tie.kind, tie.parent, tie.child, tie.T_A, tie.T_B, tie.axes, tie.drawn),
        loop=how,
        pitch=tie.pitch,
        place=tie.place,
    )


def end_of(node: Node, tag: str, known: Mapping[str, object]) -> str:
    """Name of a link, or of a frame on one, that a joint ends at."""
    child = node.first(tag)
    name = "" if child is None else (child.text.strip() or child.get("link"))
    if name == "world":
        return BASE
    if name not in known:
        node.refuse(f"<{tag}> names {name!r}, which is no link", hint=nearest(name, known))
    return name


def ties_of(
    node: Node,
    model: Model,
    poses: Mapping[str, np.ndarray],
    T_child: np.ndarray,
    turn: Turn,
) -> list[Tie]:
    """A joint, or two hinges with a link between them where its axes are not perpendicular.

    Args:
        node: the element.
        model: whose links it joins; a link between two hinges is added.
        poses: of links, as drawn.
        T_child: the joint's frame on its child.
        turn: see :data:`Turn`.
    """
    name, kind = node.need("name"), KINDS.get(node.need("type"), "")
    if not kind:
        geared = node.get("type") == "gearbox"
        node.refuse(
            f"a joint of type {node.get('type')!r} cannot be held",
            hint="Take it out, and put a <mimic> into the <axis> of the joint that follows."
            if geared
            else f"Known: {', '.join(KINDS)}.",
        )
    parent, child = end_of(node, "parent", model.links), end_of(node, "child", model.links)
    if parent == child:
        node.refuse(f"joins {parent!r} to itself")
    T_parent = np.linalg.inv(poses[parent]) @ poses[child] @ T_child
    place, drawn = place_of(node), (0.0,)
    if kind == "fixed":
        return [Tie(name, kind, parent, child, T_parent, T_child, place=place)]
    if kind == "spherical":
        return [
            Tie(
                *(name, kind, parent, child, T_parent, T_child, (Axis(),), (np.eye(3),)),
                place=place,
            )
        ]
    first = _direction(node, "axis", turn)
    if kind == "universal":
        return _crossed(node, model, (parent, child), (T_parent, T_child), turn)
    seat = Frame.from_axes(z=first.tolist()).matrix
    pitch = 0.0
    if kind == "helical":
        pitch = number(node, "screw_thread_pitch", math.nan) / (2.0 * math.pi)
        if math.isnan(pitch) or pitch == 0.0:
            node.refuse(
                "a screw needs <screw_thread_pitch> in metres per turn",
                hint="<thread_pitch> of older files has two meanings: write the new one.",
            )
    return [
        Tie(
            *(name, kind, parent, child, T_parent @ seat, T_child @ seat),
            *((_with_rotor(node, _axis(node.first("axis"))),), drawn),
            pitch=pitch,
            place=place,
        )
    ]


def _direction(node: Node, tag: str, turn: Turn) -> np.ndarray:
    """Unit vector of an axis in the joint's frame; z unless the file says otherwise."""
    axis = node.first(tag)
    xyz = None if axis is None else axis.first("xyz")
    if xyz is None or not xyz.text.strip():
        return np.array([0.0, 0.0, 1.0])
    found = turn(xyz) @ xyz.values((3,))
    if not np.linalg.norm(found) > 0.0:
        node.refuse(f"its <{tag}> is zero")
    return np.asarray(found / np.linalg.norm(found))


def _crossed(
    node: Node,
    model: Model,
    ends: tuple[str, str],
    frames: tuple[np.ndarray, np.ndarray],
    turn: Turn,
) -> list[Tie]:
    """Two axes that meet: a universal joint, or two hinges."""
    name, place = node.need("name"), place_of(node)
    a, b = _direction(node, "axis", turn), _direction(node, "axis2", turn)
    if node.first("axis2") is None:
        model.note("axis2", f"{name!r} has no <axis2>: z of its frame, as the format says")
    axes = (_axis(node.first("axis")), _axis(node.first("axis2")))
    if abs(a @ b) < _SQUARE:
        x = np.cross(a, b)
        T_A, T_B = np.eye(4), np.eye(4)
        T_A[:3, :3] = np.stack([x, -b, a], axis=1)  # R_AB = Rx(pi/2) at zero
        T_B[:3, :3] = np.stack([x, a, b], axis=1)
        return [
            Tie(
                *(name, "universal", *ends, frames[0] @ T_A, frames[1] @ T_B, axes, (0.0, 0.0)),
                place=place,
            )
        ]
    if float(np.linalg.norm(np.cross(a, b))) < _SQUARE:
        node.refuse("its two axes are parallel")
    cross = f"{name}_cross"
    model.add(Link(cross, place=place))
    seats = [Frame.from_axes(z=each.tolist()).matrix for each in (a, b)]
    return [
        Tie(
            *(f"{name}_1", "revolute", ends[0], cross, frames[0] @ seats[0], seats[0]),
            *((axes[0],), (0.0,)),
            place=place,
        ),
        Tie(
            *(f"{name}_2", "revolute", cross, ends[1], seats[1], frames[1] @ seats[1]),
            *((axes[1],), (0.0,)),
            place=place,
        ),
    ]


def _axis(node: Node | None) -> Axis:
    """Limits, friction and spring of an axis."""
    if node is None:
        return Axis()
    limit, dynamics = node.first("limit"), node.first("dynamics")
    low, high = bound(limit, "lower"), bound(limit, "upper")
    given = {key: bound(limit, key) for key in ("velocity", "effort")}
    figures = {key: value for key, value in given.items() if value is not None and value > 0.0}
    both = (low, high) if low is not None and high is not None and low < high else None
    stiffness = number(dynamics, "spring_stiffness")
    spring = Spring(stiffness, number(dynamics, "spring_reference")) if stiffness > 0.0 else None
    return Axis(
        viscous=max(number(dynamics, "damping"), 0.0),
        coulomb=max(number(dynamics, "friction"), 0.0),
        limits=Limits(both, **figures),
        spring=spring,
    )


def gear_of(node: Node) -> float:
    """Turns of the motor a turn of the joint, as Drake writes it."""
    return number(node, "gear_ratio", 1.0) or 1.0


def _with_rotor(node: Node, axis: Axis) -> Axis:
    rotor = number(node, "rotor_inertia") * gear_of(node) ** 2
    return replace(axis, rotor_inertia=rotor) if rotor > 0.0 else axis


def is_old(node: Node, version: tuple[int, int]) -> bool:
    """Whether an axis is in the model's frame: up to 1.4, or where it says so."""
    return version <= (1, 4) or word(node, "use_parent_model_frame", "false") in ("true", "1")
