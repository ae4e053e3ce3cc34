"""A robot as URDF: drawn at home, where all joints are at zero; loops as ``<loop>``."""

from __future__ import annotations

import numpy as np

from gough.robot.body import Body
from gough.robot.formats.apart import Move, Step, at_home, moved, taken_apart
from gough.robot.formats.limits_of_formats import Limited
from gough.robot.formats.mjcf.writing import PLATFORM
from gough.robot.formats.sdf.text import MOMENTS
from gough.robot.formats.text import Element, rpy_of
from gough.robot.formats.visuals import figured, held_shapes, rgba_of
from gough.robot.joint import Axis, Joint
from gough.robot.joint_kinds import BALL, SLIDE
from gough.robot.names import joint_of
from gough.robot.robot import Robot

GRAVITY = (0.0, 0.0, -9.81)
_CUTS = ("spherical", "fixed", "revolute", "universal", "cylindrical", "prismatic")
_LETTERS = "xyz"
_HINGES = (np.eye(3)[0], np.eye(3)[1], np.eye(3)[2])  # a ball is turns about x, y and z in turn


def urdf_of(robot: Robot, limited: Limited) -> Element:
    """The root of a URDF file."""
    return _Writing(robot, limited).root


class _Writing:
    """The file as it grows."""

    def __init__(self, robot: Robot, limited: Limited) -> None:
        limited.gravity(GRAVITY)
        self.robot, self.limited = robot, limited
        self.steps, cuts = taken_apart(robot, _CUTS, limited.cut)
        self.home = at_home(robot, self.steps)
        drake = "http://drake.mit.edu"
        self.root = Element("robot", name=robot.name, xmlns__drake=drake)
        self.shapes = held_shapes(robot, "URDF")
        self._visuals(self.root.add("link", name=robot.base), robot.base)
        self.frames = 0
        for step in self.steps:
            self._step(step)
        T = robot.platform_frame.matrix
        self.root.add("link", name=PLATFORM)
        self._joint(f"{PLATFORM}_mount", "fixed", robot.platform, PLATFORM, T)
        for joint in cuts:
            self._loop(joint)
        for name in robot.motors:
            self._motor(name)
        self._couplings()

    def _step(self, step: Step) -> None:
        """A joint of the tree: a joint of the file for every move, and a link after each."""
        near, T = step.near, np.eye(4)
        for move in step.moves:
            T = T @ move.T
            if move.what == BALL:
                near = self._ball(near, move, T @ moved(BALL, self.home[move.name]))
                T = np.eye(4)
                continue
            far = self._frame()
            at = float(self.home[move.name])
            made = self._joint(move.name, self._kind(move), near, far, T @ moved(move.what, at))
            made.add("axis", xyz=(0.0, 0.0, 1.0))
            self._axis(made, move, at)
            near, T = far, np.eye(4)
        body = self.robot.body(step.far)
        self._visuals(_link(self.root, body), body.name)
        self._joint(f"{step.joint.name}_mount", "fixed", near, body.name, T @ step.T_last)

    def _visuals(self, link: Element, body: str) -> None:
        for k, shape in enumerate(self.shapes[body]):
            T, rgba = shape.frame.matrix, rgba_of(shape)
            visual = link.add("visual")
            visual.add("origin", xyz=T[:3, 3], rpy=rpy_of(T[:3, :3]))
            visual.add("geometry").add(shape.kind, **figured(shape))
            if rgba is not None:
                visual.add("material", name=f"{body}_{k + 1}").add("color", rgba=rgba)

    def _frame(self) -> str:
        """A link without mass between two joints."""
        self.frames += 1
        name = f"between_{self.frames}"
        self.root.add("link", name=name)
        return name

    def _ball(self, near: str, move: Move, T: np.ndarray) -> str:
        """A ball as three hinges."""
        if move.figures != Axis():
            self.limited.refuse(f"the friction of the ball {move.name!r}", "")
        for letter, axis in zip(_LETTERS, _HINGES, strict=True):
            far = self._frame()
            made = self._joint(f"{move.name}_{letter}", "continuous", near, far, T)
            made.add("axis", xyz=axis)
            near, T = far, np.eye(4)
        return near

    def _joint(self, name: str, kind: str, parent: str, child: str, T: np.ndarray) -> Element:
        made = self.root.add("joint", name=name, type=kind)
        made.add("parent", link=parent)
        made.add("child", link=child)
        made.add("origin", xyz=T[:3, 3], rpy=rpy_of(T[:3, :3]))
        return made

    def _kind(self, move: Move) -> str:
        if move.what == SLIDE:
            return "prismatic"
        return "continuous" if move.figures.limits.position is None else "revolute"

    def _axis(self, made: Element, move: Move, at: float) -> None:
        """Friction and limits; these count from home here."""
        axis, name = move.figures, move.axis or move.name
        self.limited.spring(name, axis, held=False)
        if axis.reflected_inertia and move.axis not in self.robot.motors:
            self.limited.refuse(f"the rotor of {name!r}, which has no motor", "rotors")
        bounds, limits = axis.limits.position, axis.limits
        if bounds is not None or limits.effort is not None or limits.velocity is not None:
            given = made.add("limit", effort=limits.effort or 0.0, velocity=limits.velocity or 0.0)
            if bounds is not None:
                given.attributes |= {"lower": bounds[0] - at, "upper": bounds[1] - at}
        elif move.what == SLIDE:
            made.add("limit", effort=0.0, velocity=0.0)  # which the format asks for
        if axis.viscous or axis.coulomb:
            made.add("dynamics", damping=axis.viscous, friction=axis.coulomb)

    def _loop(self, joint: Joint) -> None:
        made = self.root.add("loop", name=joint.name, type=joint.kind)
        ends = (
            ("predecessor", joint.parent, joint.parent_frame),
            ("successor", joint.child, joint.child_frame),
        )
        for tag, body, frame in ends:
            T = frame.matrix
            made.add(tag, link=body).add("origin", xyz=T[:3, 3], rpy=rpy_of(T[:3, :3]))
        made.add("axis", xyz=(0.0, 0.0, 1.0))

    def _motor(self, name: str) -> None:
        move = self._move(name)
        axis, ratio = move.figures, move.figures.ratio
        made = self.root.add("transmission", name=f"{move.name}_drive")
        made.add("type", "transmission_interface/SimpleTransmission")
        made.add("joint", name=move.name).add("hardwareInterface", "EffortJointInterface")
        motor = made.add("actuator", name=f"{move.name}_motor")
        motor.add("mechanicalReduction", ratio)
        if axis.reflected_inertia:
            motor.add("drake:rotor_inertia", value=axis.reflected_inertia / ratio**2)
            motor.add("drake:gear_ratio", value=ratio)

    def _move(self, axis: str) -> Move:
        return next(move for step in self.steps for move in step.moves if move.axis == axis)

    def _couplings(self) -> None:
        """Relations of two axes as mimic joints; their offsets vanish at home."""
        made = {each.attributes["name"]: each for each in self.root.children if each.tag == "joint"}
        for step in self.steps:
            if step.joint.kind == "helical":
                name = step.joint.name
                follower = made[f"{name}_advance"]
                follower.add(
                    "mimic", joint=f"{name}_angle", multiplier=step.joint.pitch, offset=0.0
                )
        for coupling in self.robot.couplings:
            pair = self.limited.pair(coupling)
            if pair is None:
                continue
            (a, c_a), (b, c_b) = pair
            if joint_of(a) in {joint_of(name) for name in self.robot.motors}:
                a, c_a, b, c_b = b, c_b, a, c_a  # a motor leads, the other follows
            names = (self._move(a).name, self._move(b).name)
            made[names[0]].add("mimic", joint=names[1], multiplier=-c_b / c_a, offset=0.0)


def _link(root: Element, body: Body) -> Element:
    made = root.add("link", name=body.name)
    if body.massless:
        return made
    inertial = made.add("inertial")
    inertial.add("origin", xyz=body.center, rpy=(0.0, 0.0, 0.0))
    inertial.add("mass", value=body.mass)
    inertial.add("inertia", **{key: body.inertia[i][j] for key, (i, j) in MOMENTS.items()})
    return made
