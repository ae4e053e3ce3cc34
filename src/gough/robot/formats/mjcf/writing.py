"""A robot as MJCF: bodies at zero of their joints, home as a keyframe, loops as equalities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.robot.body import Body
from gough.robot.formats.apart import Move, Step, at_home, taken_apart
from gough.robot.formats.limits_of_formats import Limited
from gough.robot.formats.mjcf.looks import HALVED
from gough.robot.formats.text import Element, quaternion_of
from gough.robot.formats.visuals import held_shapes, rgba_of
from gough.robot.joint import Joint
from gough.robot.joint_kinds import BALL, SLIDE, TURN
from gough.robot.robot import Robot
from gough.robot.shape import MESH

_TYPES = {TURN: "hinge", SLIDE: "slide", BALL: "ball"}

# MuJoCo takes no moment of zero, as slender bars have: it gets one that is rounding beside the
# others, and above what MuJoCo calls zero, 1e-15.
_SLENDER, _LEAST = 1e-13, 2e-15

PLATFORM = "platform_frame"
"""Name of the site, frame or link that is the platform's frame, in every format."""


def mjcf_of(robot: Robot, limited: Limited) -> Element:
    """The root of an MJCF file."""
    return _Writing(robot, limited).root


class _Writing:
    """The file as it grows."""

    def __init__(self, robot: Robot, limited: Limited) -> None:
        self.robot, self.limited = robot, limited
        self.steps, self.cuts = taken_apart(robot, ("spherical", "fixed", "revolute"), limited.cut)
        self.root = Element("mujoco", model=robot.name)
        self.root.add("compiler", angle="radian", autolimits="true", inertiafromgeom="false")
        self.root.add("option", gravity=robot.gravity)
        self.shapes, self.assets = held_shapes(robot, "MJCF"), Element("asset")
        world = self.root.add("worldbody")
        self.at = {robot.base: world}
        self.order: list[tuple[np.ndarray, Move]] = []
        self._geoms(world, robot.base)
        self._bodies(robot.base)
        if self.assets.children:
            self.root.children.insert(2, self.assets)
        self._sites()
        self._actuators()
        self._equalities()
        self._home()

    def _bodies(self, near: str) -> None:
        """Bodies that hang on one, each with all that hangs on it: the order of ``qpos``."""
        for first in (step for step in self.steps if step.near == near):
            step = self._run(first)
            T = step.T
            made = self.at[near].add(
                "body", name=step.far, pos=T[:3, 3], quat=quaternion_of(T[:3, :3])
            )
            self.at[step.far] = made
            self._joints(made, step)
            _inertial(made, self.robot.body(step.far), self.limited)
            self._geoms(made, step.far)
            self._bodies(step.far)

    def _run(self, step: Step) -> Step:
        """A step and those after it, as long as bodies between them only pass motion on.

        A body of MuJoCo has a mass, and may have several joints.
        """
        ends = {end for joint in self.cuts for end in (joint.parent, joint.child)}
        while self.robot.body(step.far).massless and step.far not in {*ends, self.robot.platform}:
            after = [each for each in self.steps if each.near == step.far]
            if len(after) != 1:
                return step
            step = _joined(step, after[0])
        return step

    def _joints(self, body: Element, step: Step) -> None:
        left = np.array(step.T_last)  # from the frame after each move to the body
        seats: list[np.ndarray] = []
        for move in reversed(step.moves):
            seats.insert(0, np.linalg.inv(left))
            left = move.T @ left
        for move, seat in zip(step.moves, seats, strict=True):
            axis, name = move.figures, move.axis or move.name
            limits = self.limited.limits(name, axis, velocity=False)
            spring = axis.spring
            joint = body.add("joint", name=move.name, type=_TYPES[move.what], pos=seat[:3, 3])
            if move.what != BALL:
                joint.attributes["axis"] = seat[:3, 2]
            for key, value in (
                ("damping", axis.viscous),
                ("frictionloss", axis.coulomb),
                ("armature", axis.reflected_inertia),
            ):
                if value:
                    joint.attributes[key] = value
            if limits.position is not None:
                joint.attributes["range"] = limits.position
            if spring is not None:
                joint.attributes |= {"stiffness": spring.stiffness, "springref": spring.rest}
            self.order.append((seat, move))

    def _geoms(self, made: Element, body: str) -> None:
        """What a body looks like: it weighs and touches nothing."""
        for shape in self.shapes[body]:
            T, kind = shape.frame.matrix, shape.kind
            geom = made.add("geom", type=kind, pos=T[:3, 3], quat=quaternion_of(T[:3, :3]))
            if kind == MESH:
                name = f"mesh_{len(self.assets.children) + 1}"
                faces = " ".join(str(place) for each in shape.triangles for place in each)
                # of a shell: it need not hold a volume
                self.assets.add(
                    "mesh", name=name, vertex=np.array(shape.points), face=faces, inertia="shell"
                )
                geom.attributes["mesh"] = name
            else:
                factors = HALVED.get(kind, (1.0,) * len(shape.size))
                geom.attributes["size"] = np.array(shape.size) * factors
            geom.attributes |= {"rgba": rgba_of(shape), "group": 2, "mass": 0}
            geom.attributes |= {"contype": 0, "conaffinity": 0}

    def _sites(self) -> None:
        T = self.robot.platform_frame.matrix
        site = {"pos": T[:3, 3], "quat": quaternion_of(T[:3, :3])}
        self.at[self.robot.platform].add("site", name=PLATFORM, **site)
        for joint in self.cuts:
            ends = ((joint.parent, joint.parent_frame, "A"), (joint.child, joint.child_frame, "B"))
            for body, frame, letter in ends:
                for suffix, T in self._points(joint, frame.matrix):
                    quat = quaternion_of(T[:3, :3])
                    name = f"{joint.name}_{letter}{suffix}"
                    self.at[body].add("site", name=name, pos=T[:3, 3], quat=quat)

    def _points(self, joint: Joint, T: np.ndarray) -> list[tuple[str, np.ndarray]]:
        """Frames of a cut joint: of a hinge, a second point along its axis as well."""
        if joint.kind != "revolute":
            return [("", T)]
        far = np.array(T)
        far[:3, 3] += self.robot.length * T[:3, 2]
        return [("", T), ("2", far)]

    def _actuators(self) -> None:
        block = self.root.add("actuator") if self.robot.motors else None
        by_axis = {move.axis: move for _, move in self.order if move.axis}
        for name in self.robot.motors if block is not None else ():
            axis, move = self.robot.axis(name), by_axis[name]
            motor = block.add("motor", name=f"{move.name}_motor", joint=move.name)  # type: ignore[union-attr]
            if axis.transmission is not None:
                motor.attributes["gear"] = axis.ratio
            if axis.limits.effort is not None:
                most = axis.limits.effort / abs(axis.ratio)
                motor.attributes["forcerange"] = (-most, most)

    def _equalities(self) -> None:
        block = Element("equality")
        for joint in self.cuts:
            kind = "weld" if joint.kind == "fixed" else "connect"
            for suffix, _ in self._points(joint, np.eye(4)):
                ends = {"site1": f"{joint.name}_A{suffix}", "site2": f"{joint.name}_B{suffix}"}
                block.add(kind, name=f"{joint.name}{suffix}", **ends)
        for step in self.steps:
            if step.joint.kind == "helical":
                name, factors = step.joint.name, (0.0, step.joint.pitch, 0, 0, 0)
                block.add(
                    "joint", joint1=f"{name}_advance", joint2=f"{name}_angle", polycoef=factors
                )
        by_axis = {move.axis: move.name for _, move in self.order if move.axis}
        tendons = Element("tendon")
        for coupling in self.robot.couplings:
            if len(coupling.axes) != 2:  # a sum of coordinates is the length of a fixed tendon
                tendon = tendons.add("fixed", name=f"{coupling.name}_sum")
                for axis, c in coupling.axes.items():
                    tendon.add("joint", joint=by_axis[axis], coef=c)
                name, held = f"{coupling.name}_sum", (coupling.offset, 0, 0, 0, 0)
                block.add("tendon", name=coupling.name, tendon1=name, polycoef=held)
                continue
            (a, c_a), (b, c_b) = coupling.axes.items()
            factors = (coupling.offset / c_a, -c_b / c_a, 0, 0, 0)
            block.add(
                "joint",
                name=coupling.name,
                joint1=by_axis[a],
                joint2=by_axis[b],
                polycoef=factors,
            )
        self.root.children += [each for each in (tendons, block) if each.children]

    def _home(self) -> None:
        places = at_home(self.robot, self.steps)
        numbers: list[float] = []
        for seat, move in self.order:
            value = places[move.name]
            if move.what == BALL:
                R = seat[:3, :3]  # its quaternion is in body axes
                numbers += quaternion_of(R @ np.asarray(value) @ R.T).tolist()
            else:
                numbers.append(float(value))
        if numbers:
            self.root.add("keyframe").add("key", name="home", qpos=np.array(numbers))


def _joined(one: Step, two: Step) -> Step:
    """Two steps in a row as one; it goes by the name of the second."""
    if not two.moves:
        return replace(two, near=one.near, moves=one.moves, T_last=one.T_last @ two.T_last)
    first = two.moves[0]._replace(T=one.T_last @ two.moves[0].T)
    return replace(two, near=one.near, moves=(*one.moves, first, *two.moves[1:]))


def _inertial(made: Element, body: Body, limited: Limited) -> None:
    if body.massless:
        limited.refuse(f"the body {body.name!r}, which moves and has no mass", "")
        return
    inertia = np.array(body.inertia)
    turned: dict[str, Any] = {}
    moments = np.diagonal(inertia)
    if np.any(inertia - np.diag(moments)):
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        turned = {"quat": quaternion_of(axes)}
    moments = np.maximum(moments, max(_LEAST, _SLENDER * float(moments.max())))
    made.add("inertial", pos=body.center, mass=body.mass, diaginertia=moments, **turned)
