"""A robot as SDF: links drawn at home, where all joints are at zero; loops are joints too."""

from __future__ import annotations

import math

import numpy as np

from gough.robot.body import Body
from gough.robot.formats.apart import Move, Step, at_home, moved, step_of, taken_apart
from gough.robot.formats.home_poses import home_poses
from gough.robot.formats.limits_of_formats import Limited
from gough.robot.formats.mjcf.writing import PLATFORM
from gough.robot.formats.sdf.drake import CUTS, TURNABLE, add_points
from gough.robot.formats.sdf.text import MOMENTS
from gough.robot.formats.text import Element, rpy_of
from gough.robot.formats.visuals import figured, held_shapes, rgba_of
from gough.robot.joint import Axis, Joint
from gough.robot.joint_kinds import BALL, SLIDE, TURN
from gough.robot.robot import Robot

VERSION, VERSION_OF_ROUND = "1.7", "1.8"  # capsules and ellipsoids came with 1.8
_KINDS = {BALL: "ball", SLIDE: "prismatic", TURN: "revolute"}
_MOTOR = {
    "filename": "gz-sim-apply-joint-force-system",
    "name": "gz::sim::systems::ApplyJointForce",
}


def sdf_of(robot: Robot, limited: Limited) -> Element:
    """The root of an SDF file; loops are joints of the graph."""
    return _Writing(robot, limited, drake=False).root


def drake_sdf_of(robot: Robot, limited: Limited) -> Element:
    """The root of an SDF file that Drake takes: a tree, loops as points that are held together."""
    return _Writing(robot, limited, drake=True).root


class _Writing:
    """The file as it grows."""

    def __init__(self, robot: Robot, limited: Limited, *, drake: bool) -> None:
        self.robot, self.limited, self.drake = robot, limited, drake
        self.shapes = held_shapes(robot, "SDF")
        kinds = {shape.kind for each in self.shapes.values() for shape in each}
        version = VERSION_OF_ROUND if kinds & {"capsule", "ellipsoid"} else VERSION
        self.root = Element("sdf", version=version, xmlns__drake="http://drake.mit.edu")
        world = self.root.add("world", name=f"world_of_{robot.name}")
        world.add("gravity", robot.gravity)
        self.model = world.add("model", name=robot.name)
        self.called: dict[str, str] = {}  # the joint that an axis has in the file
        self.poses = home_poses(robot)
        for body in robot.bodies:
            self._link(body, self.poses[body.name])
        cuts: list[Joint] = []
        # the world is nobody's child: joints at the base are seen from there
        at_base = {joint.name for joint in robot.joints if joint.child == robot.base}
        self.steps = [
            step_of(joint, joint.child if joint.name in at_base else joint.parent)
            for joint in robot.joints
        ]
        if drake:
            self.steps, cuts = taken_apart(robot, CUTS, limited.cut)
        if self.shapes[robot.base] or any(robot.base in (j.parent, j.child) for j in cuts):
            self._base()
        self.home = at_home(robot, self.steps)
        for step in self.steps:
            self._step(step)
        for joint in cuts:
            add_points(self.model, robot, joint)
        frame = self.model.add("frame", name=PLATFORM, attached_to=robot.platform)
        frame.children.append(_pose(robot.platform_frame.matrix))
        for name in robot.motors:
            self.model.add("plugin", **_MOTOR).add("joint_name", self.called[name])
        self._couplings()

    def _link(self, body: Body, T: np.ndarray) -> None:
        made = self.model.add("link", name=body.name)
        made.children.append(_pose(T))
        inertial = made.add("inertial")
        inertial.add("pose", (*body.center, 0.0, 0.0, 0.0))
        inertial.add("mass", body.mass)
        inertia = inertial.add("inertia")
        for key, (i, j) in MOMENTS.items():
            inertia.add(key, body.inertia[i][j])
        self._visuals(made, body.name)

    def _visuals(self, link: Element, body: str) -> None:
        for k, shape in enumerate(self.shapes.get(body, [])):
            visual = link.add("visual", name=f"{body}_{k + 1}")
            visual.children.append(_pose(shape.frame.matrix))
            made = visual.add("geometry").add(shape.kind)
            for key, value in figured(shape).items():
                made.add(key, value)
            if shape.colour:
                visual.add("material").add("diffuse", rgba_of(shape))

    def _base(self) -> None:
        """The base as a link that is fixed to the world: shapes and points need one."""
        base, taken = self.robot.base, {joint.name for joint in self.robot.joints}
        link = self.model.add("link", name=base)
        self._visuals(link, base)
        name = f"{base}_mount"
        while name in taken:
            name += "_"
        made = self.model.add("joint", name=name, type="fixed")
        made.add("parent", "world")
        made.add("child", base)

    def _step(self, step: Step) -> None:
        joint = step.joint
        driven = any(name in self.robot.motors for name in joint.axis_names)
        at_base = joint.child == self.robot.base and not self.drake
        if step.reversed and joint.kind not in TURNABLE and not at_base:
            self._moves(step)
        elif joint.kind in ("revolute", "prismatic", "spherical", "fixed", "helical"):
            self._whole(step)
        elif joint.kind == "universal" and not driven and not step.reversed:
            self._universal(joint, step)
        else:
            self._moves(step)

    def _joint(self, name: str, kind: str, parent: str, child: str, T_B: np.ndarray) -> Element:
        made = self.model.add("joint", name=self._named(name), type=kind)
        made.add("parent", "world" if parent == self.robot.base else parent)
        made.add("child", "world" if child == self.robot.base else child)
        made.children.append(_pose(T_B))
        return made

    def _named(self, joint: str) -> str:
        """Name of a joint: links and joints must not share one."""
        return f"{joint}_joint" if joint in self.poses or joint == PLATFORM else joint

    def _whole(self, step: Step) -> None:
        """A joint that the format knows."""
        joint = step.joint
        kind = {"spherical": "ball", "helical": "screw"}.get(joint.kind, joint.kind)
        parent, child, T, z = joint.parent, joint.child, joint.child_frame.matrix, 1.0
        if child == self.robot.base:
            parent, child, T, z = child, parent, joint.parent_frame.matrix, -1.0
        made = self._joint(joint.name, kind, parent, child, T)
        if joint.kind in ("spherical", "fixed"):
            if any(axis != Axis() for axis in joint.axes):
                self.limited.refuse(f"what acts in the ball {joint.name!r}", "")
            return
        if joint.kind == "helical":
            made.add("screw_thread_pitch", 2.0 * math.pi * joint.pitch)
        move = next(each for each in step.moves if each.axis)  # the advance of a screw has none
        self._axis(made, "axis", move, (0.0, 0.0, z))

    def _universal(self, joint: Joint, step: Step) -> None:
        """Two axes, in the joint's frame as home has them: the second is z of frame B."""
        made = self._joint(
            joint.name, "universal", joint.parent, joint.child, joint.child_frame.matrix
        )
        at = float(self.home[step.moves[1].name])
        first = moved("turn", -at)[:3, :3] @ np.array([0.0, 1.0, 0.0])  # z of frame A
        self._axis(made, "axis", step.moves[0], first)
        self._axis(made, "axis2", step.moves[1], (0.0, 0.0, 1.0))

    def _moves(self, step: Step) -> None:
        """A joint as a row of simple ones, with links without mass between them."""
        joint, near = step.joint, step.near
        T_0 = np.array(self.poses[near])
        for k, move in enumerate(step.moves):
            T_0 = T_0 @ move.T @ moved(move.what, self.home[move.name])
            last = k == len(step.moves) - 1
            far = step.far if last else f"{joint.name}_between_{k + 1}"
            T_B = np.linalg.inv(step.T_last) if last else np.eye(4)
            if not last:
                self._link(Body(far, massless=True), T_0)
                self.poses[far] = T_0
            kind = (
                "ball" if move.what == BALL else "prismatic" if move.what == SLIDE else "revolute"
            )
            made = self._joint(move.name, kind, near, far, T_B)
            if move.what != BALL:
                self._axis(made, "axis", move, (0.0, 0.0, 1.0))
            near = far

    def _axis(self, joint: Element, tag: str, move: Move, xyz: object) -> None:
        """Direction, limits, friction and spring of an axis; it counts from home."""
        axis, at = move.figures, float(self.home[move.name])
        self.called[move.axis] = str(joint.attributes["name"])
        made = joint.add(tag)
        made.add("xyz", xyz)
        limits, spring = axis.limits, axis.spring
        passive = self.drake and move.axis not in self.robot.motors
        if limits.position is not None or limits.effort or limits.velocity or passive:
            given = made.add("limit")
            if limits.position is not None:
                given.add("lower", limits.position[0] - at)
                given.add("upper", limits.position[1] - at)
            if passive:  # to Drake, whatever may have an effort is a motor
                given.add("effort", 0.0)
            elif limits.effort is not None:
                given.add("effort", limits.effort)
            if limits.velocity is not None:
                given.add("velocity", limits.velocity)
        if axis.viscous or axis.coulomb or spring is not None:
            given = made.add("dynamics")
            given.add("damping", axis.viscous)
            given.add("friction", axis.coulomb)
            if spring is not None:
                given.add("spring_stiffness", spring.stiffness)
                given.add("spring_reference", spring.rest - at)
        if axis.reflected_inertia:
            joint.add("drake:rotor_inertia", axis.reflected_inertia / axis.ratio**2)
        if axis.transmission is not None or axis.reflected_inertia:
            joint.add("drake:gear_ratio", axis.ratio)

    def _couplings(self) -> None:
        for coupling in self.robot.couplings:
            pair = self.limited.pair(coupling)
            if pair is None:
                continue
            (a, c_a), (b, c_b) = pair
            joint = next(
                e
                for e in self.model.children
                if e.tag == "joint" and e.attributes["name"] == self.called[a]
            )
            axis = next(e for e in joint.children if e.tag == "axis")
            made = axis.add("mimic", joint=self.called[b])
            made.add("multiplier", -c_b / c_a)
            made.add("offset", 0.0)
            made.add("reference", 0.0)


def _pose(T: np.ndarray) -> Element:
    return Element("pose", (*T[:3, 3], *rpy_of(T[:3, :3])))
