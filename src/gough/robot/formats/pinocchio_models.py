"""Models of Pinocchio with constraints as robots, and robots as such models."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.errors import InputError, shown
from gough.robot.formats.apart import taken_apart
from gough.robot.formats.building import build
from gough.robot.formats.choices import Choices
from gough.robot.formats.limits_of_formats import Limited
from gough.robot.formats.loops import with_loops
from gough.robot.formats.model import BASE, FREE, Link, Mark, Model, Place, Tie
from gough.robot.formats.points import Point, joined
from gough.robot.frame import Frame
from gough.robot.joint import Axis, Limits
from gough.robot.joint_kinds import BALL, SLIDE, TURN
from gough.robot.robot import Robot

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
_ENDLESS = 1e15


def from_pinocchio(
    model: Any,
    constraints: Sequence[Any] = (),
    *,
    platform: str | None = None,
    base: str | None = None,
    motors: Sequence[str] | str | None = None,
    lock: Sequence[str] | str | Mapping[str, float] = (),
    home: Mapping[str, Any] | str | None = None,
    loops: Any = None,
    drop: Sequence[str] | str = (),
    precision: float | None = None,
) -> Robot:
    """The robot of a model of Pinocchio whose loops are constraints.

    Args:
        model: a ``pinocchio.Model``.
        constraints: rigid or anchor constraints: of points, which are balls, two between the same
            bodies a hinge; of frames, which are welds.
        platform: a body, called like the joint that carries it, or a frame.
        base: as for :func:`gough.load`, and likewise the others.
        motors: driven joints, in the order of the efforts.
        lock: joints that are held.
        home: coordinates of joints near the posture that is meant.
        loops: more loops, pairs of frames.
        drop: what to leave out.
        precision: of the figures; exact if not given.

    Raises:
        InputError: a joint or a constraint of a kind that is not known.
    """
    found = _read(model, constraints)
    choices = Choices(platform, base, motors, lock, home, drop, precision)
    return build(with_loops(found, loops), choices).robot


def _read(model: Any, constraints: Sequence[Any]) -> Model:
    if not hasattr(model, "jointPlacements") or not hasattr(model, "inertias"):
        raise InputError(f"expected a pinocchio.Model, got {shown(model)}", argument="model")
    found = Model(str(model.name) or "robot", "a model of Pinocchio", "Pinocchio")
    found.links[BASE] = Link(BASE)
    names = [BASE, *(str(name) for name in list(model.names)[1:])]
    for k in range(1, model.njoints):
        inertia = model.inertias[k]
        place = Place(found.file, None, f"joint {names[k]!r}")
        solid = (float(inertia.mass), np.array(inertia.lever), np.array(inertia.inertia))
        found.add(Link(names[k], *solid, place))
        _joint(model, k, names, found, place)
    for frame in model.frames:
        joint = frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent
        name = str(frame.name)
        if name not in found.links:
            found.marks.setdefault(name, Mark(names[joint], frame.placement.homogeneous.copy()))
    gravity = model.gravity.linear
    found.gravity = (float(gravity[0]), float(gravity[1]), float(gravity[2]))
    points: list[Point] = []
    for k, constraint in enumerate(constraints):
        _constraint(constraint, k, names, found, points)
    found.joints += joined(points, {tie.name for tie in found.joints})
    return found


def _joint(model: Any, k: int, names: list[str], found: Model, place: Place) -> None:
    joint = model.joints[k]
    kind, own = str(joint.shortname()).removeprefix("JointModel"), joint.extract()
    T = model.jointPlacements[k].homogeneous.copy()
    parent, child = names[model.parents[k]], names[k]
    if kind == "FreeFlyer":
        free = Tie(child, FREE, parent, child, np.eye(4), np.eye(4), drawn=(T,), place=place)
        found.joints.append(free)
        return
    if kind == "Spherical":
        axes, drawn = (_ball(model, joint, place),), (np.eye(3),)
        tie = Tie(child, "spherical", parent, child, T, np.eye(4), axes, drawn, place=place)
        found.joints.append(tie)
        return
    ours = {"R": "revolute", "P": "prismatic", "H": "helical"}.get(kind[:1], "")
    letter = kind[-1:]
    axis = getattr(own, "axis", None)
    if not ours or (letter not in _AXES and axis is None):
        place.refuse(
            f"a joint of kind {kind!r} cannot be held",
            hint="Known: revolute, prismatic and helical ones, Spherical, FreeFlyer.",
        )
    z = np.array(_AXES[letter] if axis is None else axis, dtype=float)
    seat = Frame.from_axes(z=z.tolist()).matrix
    pitch = float(own.pitch) if ours == "helical" else 0.0
    limits = (model.lowerPositionLimit, model.upperPositionLimit)
    low, high = (float(np.asarray(each)[joint.idx_q]) for each in limits)
    bounded = joint.nq == 1 and abs(low) < _ENDLESS and abs(high) < _ENDLESS and low < high
    figures = Axis(
        viscous=_at(model.damping, joint),
        coulomb=_at(model.friction, joint),
        rotor_inertia=_at(model.armature, joint),
        limits=Limits((low, high) if bounded else None),
    )
    found.joints.append(
        Tie(
            *(child, ours, parent, child, T @ seat, seat, (figures,), (0.0,)),
            pitch=pitch,
            place=place,
        )
    )


def _ball(model: Any, joint: Any, place: Place) -> Axis:
    """What acts in a ball, the same about all directions."""

    def same(name: str) -> float:
        values = np.asarray(getattr(model, name), dtype=float)[joint.idx_v : joint.idx_v + 3]
        if np.ptp(values):
            place.refuse(
                f"{name} {values.tolist()} of a ball is not the same about all directions",
                hint="Give its three entries one value, or make it three hinges.",
            )
        return float(values[0])

    return Axis(viscous=same("damping"), coulomb=same("friction"), rotor_inertia=same("armature"))


def _at(values: Any, joint: Any) -> float:
    """A figure of a joint, one an effort."""
    return float(np.asarray(values, dtype=float)[joint.idx_v])


def _constraint(
    constraint: Any, k: int, names: list[str], found: Model, points: list[Point]
) -> None:
    own = constraint.extract() if hasattr(constraint, "extract") else constraint
    if not hasattr(own, "joint1_id"):
        raise InputError(
            f"constraint {k} is {type(own).__name__}, expected one between two joints",
            hint="Known: RigidConstraintModel, PointAnchorConstraintModel, FrameAnchor...",
            argument="constraints",
        )
    ends = (names[own.joint1_id], names[own.joint2_id])
    frames = [np.array(T.homogeneous) for T in (own.joint1_placement, own.joint2_placement)]
    kind = str(getattr(own, "type", type(own).__name__))
    name = str(getattr(own, "name", "")) or f"loop_{k + 1}"
    place = Place(found.file, None, f"constraint {k}")
    if "3D" in kind or "Point" in kind:
        how = f"a constraint of points, number {k}"
        points.append(Point(name, *ends, frames[0], frames[1], how, place))
        return
    how = f"{name!r} welds {ends[0]!r} to {ends[1]!r}"
    found.joints.append(Tie(name, "fixed", *ends, frames[0], frames[1], loop=how, place=place))


class PinocchioModel(NamedTuple):
    """A robot in Pinocchio.

    Attributes:
        model: a ``pinocchio.Model``, its tree.
        constraints: rigid constraints that close its loops, a list.
        motors: index of every motor among the rates of the model.
    """

    model: Any
    constraints: list[Any]
    motors: list[int]


def to_pinocchio(robot: Robot, *, drop: Sequence[str] | str = ()) -> PinocchioModel:
    """The robot as a model of Pinocchio with constraints; coordinates are those of its joints.

    Args:
        robot: the machine.
        drop: what may be left out, as for :func:`gough.save`.

    Raises:
        FileError: a model of Pinocchio cannot hold something; says what.
        InputError: Pinocchio is not installed.
    """
    try:
        pin: Any = importlib.import_module("pinocchio")
    except ImportError as err:
        hint = "pip install pin"
        raise InputError("Pinocchio is not installed", hint=hint) from err
    limited = Limited(robot, "a model of Pinocchio", "Pinocchio", drop)
    steps, cuts = taken_apart(robot, ("spherical", "fixed", "revolute"), limited.cut)
    model = pin.Model()
    model.name = robot.name
    model.gravity = pin.Motion(np.array(robot.gravity), np.zeros(3))
    kinds = {TURN: pin.JointModelRZ, SLIDE: pin.JointModelPZ, BALL: pin.JointModelSpherical}
    at: dict[str, tuple[int, np.ndarray]] = {robot.base: (0, np.eye(4))}
    columns: dict[str, int] = {}
    figures: list[tuple[int, Axis]] = []
    near_first = sorted(steps, key=lambda step: _path(step.far, {s.far: s.near for s in steps}))
    for step in near_first:
        joint, T = at[step.near]
        moves = step.moves
        if step.joint.kind == "helical":
            moves = moves[:1] if not step.reversed else moves[1:]
        for move in moves:
            T = T @ move.T
            screw = step.joint.kind == "helical"
            kind = pin.JointModelHZ(step.joint.pitch) if screw else kinds[move.what]()
            joint = model.addJoint(joint, kind, pin.SE3(T), move.name)
            limited.spring(move.axis, move.figures, held=False)
            columns[move.axis] = model.joints[joint].idx_v
            figures.append((joint, move.figures))
            T = np.eye(4)
        T = T @ step.T_last
        at[step.far] = joint, T
        body = robot.body(step.far)
        inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
        model.appendBodyToJoint(joint, inertia, pin.SE3(T))
        model.addFrame(pin.Frame(body.name, joint, 0, pin.SE3(T), pin.BODY))
    joint, T = at[robot.platform]
    place = pin.SE3(T @ robot.platform_frame.matrix)
    model.addFrame(pin.Frame("platform_frame", joint, 0, place, pin.OP_FRAME))
    for joint, axis in figures:
        own = model.joints[joint]
        for values, figure in (
            (model.armature, axis.reflected_inertia),
            (model.damping, axis.viscous),
            (model.friction, axis.coulomb),
        ):
            values[own.idx_v : own.idx_v + own.nv] = figure
    if robot.couplings:
        limited.refuse("couplings between joints", "couplings")
    constraints = [c for cut in cuts for c in _closing(pin, model, cut, at, robot.length)]
    return PinocchioModel(model, constraints, [columns[name] for name in robot.motors])


def _path(body: str, above: dict[str, str]) -> tuple[str, ...]:
    """Bodies from the base to one: branches sorted by it are in one piece."""
    found = [body]
    while found[-1] in above:
        found.append(above[found[-1]])
    return tuple(reversed(found))


def _closing(
    pin: Any, model: Any, joint: Any, at: dict[str, tuple[int, np.ndarray]], length: float
) -> list[Any]:
    """Constraints that stand for a joint: one of points, two for a hinge, or one of frames."""
    ends = ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame))
    (a, T_a), (b, T_b) = ((at[body][0], at[body][1] @ frame.matrix) for body, frame in ends)
    kind = pin.ContactType.CONTACT_6D if joint.kind == "fixed" else pin.ContactType.CONTACT_3D
    found = []
    for along in (0.0, length) if joint.kind == "revolute" else (0.0,):
        shift = spatial.pose(np.eye(3), np.array([0.0, 0.0, along]))
        made = pin.RigidConstraintModel(
            kind, model, a, pin.SE3(T_a @ shift), b, pin.SE3(T_b @ shift)
        )
        made.name = joint.name if not along else f"{joint.name}_2"
        found.append(made)
    return found
