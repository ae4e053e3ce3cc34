"""Bodies of MJCF with their joints, sites and masses, as links and ties."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gough.base import spatial
from gough.robot.formats.mjcf.assets import Assets
from gough.robot.formats.mjcf.compiler import Compiler
from gough.robot.formats.mjcf.defaults import Defaults
from gough.robot.formats.mjcf.geoms import bounded, from_geoms, inertial
from gough.robot.formats.mjcf.looks import looks_of
from gough.robot.formats.model import (
    BASE,
    FREE,
    Link,
    Mark,
    Model,
    Obstacle,
    Tie,
    Unknown,
    place_of,
)
from gough.robot.formats.xml import Node
from gough.robot.frame import Frame
from gough.robot.inertia import MassProperties
from gough.robot.joint import Axis, Limits, Spring

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}
Placed = tuple[Node, np.ndarray]
"""A geom, and the frame that it stands in."""

_MADE = ("composite", "flexcomp", "attach")
_IGNORED = ("camera", "light", "plugin")


@dataclass
class Bodies:
    """What is read of ``<worldbody>``; fills a model.

    Attributes:
        model: to fill.
        compiler, defaults, assets: of the file.
        order: joints in the order of ``qpos``: name, and how many numbers each has.
        ignored: how many elements of each kind were not used.
        count: bodies so far.
        lighter: bodies whose weight MuJoCo compensates.
    """

    model: Model
    compiler: Compiler
    defaults: Defaults
    assets: Assets
    order: list[tuple[str, int]] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)
    count: int = 0
    lighter: list[Node] = field(default_factory=list)

    def world(self, node: Node) -> None:
        """The world, which is the base, and all bodies on it."""
        self.model.links.setdefault(BASE, Link(BASE, place=place_of(node)))
        geoms: list[Placed] = []
        self._inside(node, BASE, np.eye(4), node.get("childclass"), geoms)
        base = self.model.links[BASE]
        looks = (*base.looks, *looks_of(geoms, self.compiler, self.assets))
        self.model.links[BASE] = replace(base, looks=looks)

    def _inside(
        self, node: Node, link: str, T: np.ndarray, childclass: str, geoms: list[Placed]
    ) -> None:
        """What stands within a body, or within a frame on it."""
        for child in node.children:
            if child.tag == "body":
                self._body(child, link, T, childclass)
            elif child.tag == "frame":
                inner = T @ self.compiler.pose(child)
                self._inside(child, link, inner, child.get("childclass", childclass), geoms)
            elif child.tag == "geom":
                geoms.append((self.defaults.apply(child, childclass), T))
            elif child.tag == "site":
                full = self.defaults.apply(child, childclass)
                if full.get("name"):
                    self._mark(full, link, T @ _site(full, self.compiler))
            elif child.tag in _MADE:
                child.refuse(
                    f"<{child.tag}> makes bodies when MuJoCo compiles the file",
                    hint="Save the compiled file first: mujoco.mj_saveLastXML.",
                )
            elif child.tag in _IGNORED:
                self.ignored[child.tag] = self.ignored.get(child.tag, 0) + 1

    def _mark(self, node: Node, link: str, T: np.ndarray) -> None:
        name = node.get("name")
        if name in self.model.marks:
            node.refuse(f"the name {name!r} is given twice among sites", hint="Rename one.")
        self.model.marks[name] = Mark(link, T)

    def _body(self, node: Node, parent: str, T: np.ndarray, childclass: str) -> None:
        childclass = node.get("childclass", childclass)
        self.count += 1
        name = node.get("name") or f"body{self.count}"  # its number in MuJoCo
        while not node.get("name") and name in self.model.links:
            name += "_"
        place = place_of(node)
        if node.number("gravcomp"):
            self.lighter.append(node)
        T_body = T @ self.compiler.pose(node)
        joints = self._joints(node, np.eye(4), childclass)
        self._tied(node, name, parent, T_body, joints)
        geoms: list[Placed] = []
        self.model.add(Link(name, place=place))  # its place in the order, before its children
        self._inside(node, name, np.eye(4), childclass, geoms)
        looks = looks_of(geoms, self.compiler, self.assets)
        self.model.links[name] = replace(self._solid(node, name, geoms), looks=looks)

    def _joints(self, node: Node, T: np.ndarray, childclass: str) -> list[Node]:
        """Joints of a body, those of frames within it moved to the body's own axes."""
        found: list[Node] = []
        for child in node.children:
            if child.tag in ("joint", "freejoint"):
                full = self.defaults.apply(child, childclass)
                if node.tag == "frame" and child.tag == "joint":
                    axis = T[:3, :3] @ full.vector("axis", (0.0, 0.0, 1.0))
                    moved = {"pos": T[:3, :3] @ full.vector("pos") + T[:3, 3], "axis": axis}
                    texts = {key: " ".join(map(repr, x.tolist())) for key, x in moved.items()}
                    full = replace(full, attributes={**full.attributes, **texts})
                found.append(full)
            elif child.tag == "frame":
                inner = T @ self.compiler.pose(child)
                found += self._joints(child, inner, child.get("childclass", childclass))
        return found

    def _tied(
        self, node: Node, name: str, parent: str, T_body: np.ndarray, joints: list[Node]
    ) -> None:
        """Joints of a body in a row, with links without mass between them."""
        if any(j.tag == "freejoint" or j.get("type") == "free" for j in joints):
            if parent != BASE or len(joints) > 1:
                node.refuse("a free joint stands alone, on a body of the world")
            free = joints[0].get("name") or f"{name}_free"
            self.order.append((free, 7))
            self.model.joints.append(
                Tie(
                    *(free, FREE, parent, name, np.eye(4), np.eye(4)),
                    drawn=(T_body,),
                    place=place_of(joints[0]),
                )
            )
            return
        if not joints:
            fixed = Tie(f"{name}_weld", "fixed", parent, name, T_body, np.eye(4))
            self.model.joints.append(fixed)
            return
        near, T = parent, T_body
        for k, joint in enumerate(joints):
            far = name if k == len(joints) - 1 else f"{name}_{k + 1}_of_{len(joints)}"
            if far != name:
                self.model.add(Link(far, place=place_of(joint)))
            own = joint.get("name") or (f"{name}_joint" + (f"_{k + 1}" if len(joints) > 1 else ""))
            tie = self._joint(joint, own, near, far, T)
            self.order.append((own, 4 if tie.kind == "spherical" else 1))
            self.model.joints.append(tie)
            near, T = far, np.eye(4)

    def _joint(self, node: Node, name: str, near: str, far: str, T: np.ndarray) -> Tie:
        kind = KINDS.get(node.get("type", "hinge"), "")
        if not kind:
            node.refuse(f"unknown type {node.get('type')!r}", hint=f"Known: {', '.join(KINDS)}.")
        if self.model.joint(name) is not None:
            node.refuse(f"the name {name!r} is given twice", hint="Rename one of them.")
        axis = node.vector("axis", (0.0, 0.0, 1.0))
        if not np.linalg.norm(axis) > 0.0:
            node.refuse("its axis is zero")
        seat = Frame.from_axes(node.vector("pos").tolist(), z=axis.tolist()).matrix
        place = place_of(node)
        if kind == "spherical":
            viscous, coulomb = coefficient(node, "damping"), node.number("frictionloss")
            seat = spatial.pose(np.eye(3), node.vector("pos"))  # its quaternion is in body axes
            if coefficient(node, "stiffness"):
                self._obstacle(
                    *(node, name, ("springs",), "a ball has no spring here"),
                    "Use hinges with springs instead, or leave springs out: drop=['springs'].",
                )
            rotor = node.number("armature")
            axes = (Axis(viscous=viscous, coulomb=coulomb, rotor_inertia=rotor),)
            drawn = (np.eye(3),)
            return Tie(name, kind, near, far, T @ seat, seat, axes, drawn, place=place)
        turns = kind == "revolute"

        def angle(value: float) -> float:
            return self.compiler.angle(value) if turns else value

        given = node.numbers("springdamper", (0.0, 0.0), (2,))
        if given is not None and (given > 0.0).all():
            self._obstacle(
                *(node, name, ("springs", "damping")),
                "springdamper is made a spring and a damper when MuJoCo compiles the file",
                "Write stiffness= and damping= in its place: MuJoCo's model.jnt_stiffness and "
                "model.dof_damping have the values. Or drop=['springs', 'damping'].",
            )
        ref = angle(node.number("ref"))
        spring, bounds = None, None
        if coefficient(node, "stiffness"):
            spring = Spring(coefficient(node, "stiffness"), angle(node.number("springref")))
        if self.compiler.is_limited(node, "limited", "range"):
            given = node.numbers("range", (0.0, 0.0), (2,))
            low, high = (angle(float(x)) for x in given)  # type: ignore[union-attr]
            bounds = (low, high)
            if bounds[0] >= bounds[1]:
                node.refuse(f"its range [{bounds[0]:g}, {bounds[1]:g}] is empty")
        own = Axis(
            viscous=coefficient(node, "damping"),
            coulomb=node.number("frictionloss"),
            rotor_inertia=node.number("armature"),
            limits=Limits(position=bounds),
            spring=spring,
        )
        tie = Tie(name, kind, near, far, T @ seat, seat, (own,), (ref,), place=place)
        # coordinates count from 'ref', where the links stand as drawn: frame B is as far on
        return Tie(
            name, kind, near, far, T @ seat, seat @ tie.between(), (own,), (ref,), place=place
        )

    def _obstacle(
        self, node: Node, joint: str, words: tuple[str, ...], message: str, hint: str
    ) -> None:
        """Something on a joint that is refused if the machine has it."""
        words_of = frozenset(words)
        obstacle = Obstacle(frozenset([joint]), place_of(node), message, hint, words_of)
        self.model.obstacles.append(obstacle)

    def _solid(self, node: Node, name: str, geoms: list[Placed]) -> Link:
        given = node.first("inertial")
        compiler = self.compiler
        found: MassProperties | Unknown | None = None
        if given is not None and compiler.from_geom != "true":
            found = inertial(given, compiler)
        elif compiler.from_geom != "false":
            found = from_geoms(geoms, compiler, self.assets)
        if found is None and compiler.least_mass == compiler.least_inertia == 0.0:
            return Link(name, place=place_of(node))
        if isinstance(found, Unknown):  # which does not matter where the body stands still
            return Link(name, place=place_of(node), unknown=found)
        if found is None:  # MuJoCo puts the centre as far from the body as it is from its parent
            there = tuple(node.vector("pos").tolist())
            found = {"mass": 0.0, "center": there, "inertia": ((0.0,) * 3,) * 3}
        found = bounded(found, compiler)
        center, about = np.array(found["center"]), np.array(found["inertia"])
        return Link(name, found["mass"], center, about, place_of(node))


def coefficient(node: Node, name: str) -> float:
    """A coefficient; a polynomial in speed or angle is refused."""
    given = node.numbers(name, (0.0,))
    if given is None or not len(given):
        return 0.0
    if np.any(given[1:]):
        node.refuse(f"{name} is a polynomial", hint="Only its linear coefficient is supported.")
    return float(given[0])


def _site(node: Node, compiler: Compiler) -> np.ndarray:
    """Pose of a site on its body."""
    ends = node.numbers("fromto", None, (6,))
    if ends is None:
        return compiler.pose(node)
    along = Frame.from_axes(((ends[:3] + ends[3:]) / 2).tolist(), z=(ends[:3] - ends[3:]).tolist())
    return along.matrix
