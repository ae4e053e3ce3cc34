"""Machines for tests, drawn as they stand at home: joints by point and axis in the base.

Every body gets a frame of its own, turned and shifted at random, and joints are written now this
way round, now the other: nothing may depend on how a machine is written down.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import gough
from coupled import SMALL as COUPLED
from gough.base import spatial
from gough.dynamics.answers.frozen import frozen_freedoms
from gough.robot.frame import rotation_from_axes

BASE = "base"


class Drawing:
    """Collects bodies and joints of a machine that stands at home."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.poses: dict[str, np.ndarray] = {BASE: np.eye(4)}
        self.bodies: list[gough.Body] = []
        self.joints: list[gough.Joint] = []

    def body(self, name: str, at: Any = (0.0, 0.0, 0.0), mass: float = 1.0) -> str:
        """A body near a point, its frame turned at random."""
        R = spatial.rotation_exp(self.rng.normal(size=3))
        self.poses[name] = spatial.pose(R, np.asarray(at) + 0.05 * self.rng.normal(size=3))
        center = R.T @ (np.asarray(at) - self.poses[name][:3, 3]) + 0.01 * self.rng.normal(size=3)
        L = self.rng.normal(size=(3, 3)) * 0.02
        inertia = mass * (np.trace(L @ L.T) * np.eye(3) - L @ L.T)
        inertia = (inertia + inertia.T) / 2.0
        self.bodies.append(gough.Body(name, mass, center.tolist(), inertia.tolist()))
        return name

    def joint(
        self,
        name: str,
        kind: str,
        parent: str,
        child: str,
        point: Any,
        z: Any = (0.0, 0.0, 1.0),
        second: Any = None,
        **rest: Any,
    ) -> None:
        """A joint at a point, with its axis (of a universal joint: the first and the second)."""
        if kind not in ("universal", "planar_contact") and self.rng.random() < 0.5:
            parent, child = child, parent
        R_A = rotation_from_axes(z) @ spatial.rotation_z(self.rng.uniform(-3, 3))
        R_B = R_A if kind in ("prismatic", "fixed", "helical") else None
        if kind == "universal":
            R_B = rotation_from_axes(second) @ spatial.rotation_z(self.rng.uniform(-3, 3))
        elif R_B is None:
            R_B = R_A @ spatial.rotation_z(self.rng.uniform(-3, 3))
        frames = [
            gough.Frame.from_matrix(np.linalg.inv(self.poses[body]) @ spatial.pose(R, point))
            for body, R in ((parent, R_A), (child, R_B))
        ]
        self.joints.append(gough.Joint(name, kind, parent, child, *frames, **rest))

    def robot(self, name: str, platform: str, motors: Sequence[str], point: Any) -> gough.Robot:
        """The machine as a robot, its platform frame at a point, its home where it stands."""
        T = np.linalg.inv(self.poses[platform]) @ spatial.pose(np.eye(3), point)
        home = {n: gough.Frame.from_matrix(T) for n, T in self.poses.items() if n != BASE}
        return gough.Robot(
            name,
            tuple(self.bodies),
            tuple(self.joints),
            platform,
            gough.Frame.from_matrix(T),
            tuple(motors),
            gough.Home(home),
        )


def turned(r: gough.Robot) -> gough.Robot:
    """The robot with bodies of revolution where they spin idly: freezing the spin is exact."""
    changed = {}
    for freedom in frozen_freedoms(r.assembly):
        for name, (v, w) in freedom.bodies.items():
            body, x = r.body(name), w / np.linalg.norm(w)
            point = np.cross(w, v) / (w @ w)
            center = point + x * (x @ (np.array(body.center) - point))
            along = x @ np.array(body.inertia) @ x
            across = (np.trace(body.inertia) - along) / 2.0
            inertia = across * np.eye(3) + (along - across) * np.outer(x, x)
            changed[name] = dataclasses.replace(
                body, center=center.tolist(), inertia=((inertia + inertia.T) / 2.0).tolist()
            )
    bodies = tuple(changed.get(body.name, body) for body in r.bodies)
    return dataclasses.replace(r, bodies=bodies)


def ring(radius: float, degrees: Sequence[float], height: float) -> list[np.ndarray]:
    """Points on a circle."""
    angles = np.radians(degrees)
    return [np.array([radius * np.cos(a), radius * np.sin(a), height]) for a in angles]


BASE_RING = ring(0.6, [-11, 9, 111, 128, 229, 252], 0.0)
TOP_RING = ring(0.3, [-48, 51, 70, 168, 188, 291], 0.8)
TOP = np.array([0.02, -0.01, 0.8])


def _hexapod(
    name: str, seed: int, leg: Callable[[Drawing, int, np.ndarray, np.ndarray], str]
) -> gough.Robot:
    d = Drawing(seed)
    d.body("platform", TOP, 4.0)
    motors = [leg(d, i + 1, b, p) for i, (b, p) in enumerate(zip(BASE_RING, TOP_RING, strict=True))]
    return d.robot(name, "platform", motors, TOP)


def _across(x: np.ndarray, towards: Any = (0.0, 0.0, 1.0)) -> np.ndarray:
    y = np.cross(towards, x)
    return y / np.linalg.norm(y)


def offset_hexapod() -> gough.Robot:
    """Hexapod whose universal joints do not cross: R, an offset of 60 mm, R, P, S."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        x = (p - b) / np.linalg.norm(p - b)
        y = _across(x)
        elbow = b + 0.06 * y + 0.03 * x
        d.body(f"cross{i}", b), d.body(f"cyl{i}", b + 0.3 * x), d.body(f"rod{i}", p - 0.3 * x)
        first = spatial.cross(x, y) + 0.1 * x
        d.joint(f"r{i}", "revolute", BASE, f"cross{i}", b, first)
        d.joint(f"s{i}", "revolute", f"cross{i}", f"cyl{i}", elbow, y)
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", elbow, x)
        d.joint(f"b{i}", "spherical", f"rod{i}", "platform", p)
        return f"p{i}"

    return _hexapod("offset_hexapod", 1, leg)


def six_rrrs() -> gough.Robot:
    """Six legs of three skew revolute joints and a ball, nobody has a closed form for."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        out = np.array([b[0], b[1], 0.0]) / 0.6
        knee = b + 0.35 * out + np.array([0.0, 0.0, 0.3])
        mid = (b + knee) / 2.0 + np.array([0.02, 0.01, 0.03])
        d.body(f"a{i}", b), d.body(f"b{i}", mid), d.body(f"c{i}", knee)
        side = _across(out)
        d.joint(f"j{i}", "revolute", BASE, f"a{i}", b, side + 0.1 * out)
        d.joint(f"k{i}", "revolute", f"a{i}", f"b{i}", mid, out + 0.2 * side + [0, 0, 0.5])
        d.joint(f"l{i}", "revolute", f"b{i}", f"c{i}", knee, side + np.array([0.1, 0.2, 0.3]))
        d.joint(f"s{i}", "spherical", f"c{i}", "platform", p)
        return f"j{i}"

    return _hexapod("six_rrrs", 2, leg)


def screw_hexapod() -> gough.Robot:
    """Hexapod of screw jacks: U at the base, a screw whose rod turns as it advances, S."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        x = (p - b) / np.linalg.norm(p - b)
        y = _across(x)
        d.body(f"cyl{i}", b + 0.3 * x), d.body(f"rod{i}", p - 0.3 * x)
        d.joint(f"u{i}", "universal", BASE, f"cyl{i}", b, spatial.cross(x, y), second=y)
        d.joint(f"h{i}", "helical", f"cyl{i}", f"rod{i}", b, x, pitch=0.05 if i % 2 else -0.04)
        d.joint(f"s{i}", "spherical", f"rod{i}", "platform", p)
        return f"h{i}"

    return _hexapod("screw_hexapod", 3, leg)


def spu_hexapod() -> gough.Robot:
    """6-SPU of [GA]: balls at the base, universal joints at the platform."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        x = (p - b) / np.linalg.norm(p - b)
        y = _across(x)
        d.body(f"cyl{i}", b + 0.3 * x), d.body(f"rod{i}", p - 0.3 * x)
        d.joint(f"s{i}", "spherical", BASE, f"cyl{i}", b)
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
        d.joint(f"u{i}", "universal", f"rod{i}", "platform", p, y, second=spatial.cross(x, y))
        return f"p{i}"

    return _hexapod("spu_hexapod", 4, leg)


def sps_hexapod() -> gough.Robot:
    """Hexapod on struts between two balls: six idle spins."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        x = (p - b) / np.linalg.norm(p - b)
        d.body(f"cyl{i}", b + 0.3 * x), d.body(f"rod{i}", p - 0.3 * x)
        d.joint(f"a{i}", "spherical", BASE, f"cyl{i}", b, idle="locked")
        d.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
        d.joint(f"s{i}", "spherical", f"rod{i}", "platform", p)
        return f"p{i}"

    return turned(_hexapod("sps_hexapod", 5, leg))


def ucs_hexapod() -> gough.Robot:
    """Hexapod whose rods may turn in their cylinders: six idle spins, motors on the slides."""

    def leg(d: Drawing, i: int, b: np.ndarray, p: np.ndarray) -> str:
        x = (p - b) / np.linalg.norm(p - b)
        y = _across(x)
        d.body(f"cyl{i}", b + 0.3 * x), d.body(f"rod{i}", p - 0.3 * x)
        d.joint(f"u{i}", "universal", BASE, f"cyl{i}", b, spatial.cross(x, y), second=y)
        d.joint(f"c{i}", "cylindrical", f"cyl{i}", f"rod{i}", b, x)
        d.joint(f"s{i}", "spherical", f"rod{i}", "platform", p, idle="locked")
        return f"c{i}.slide"

    return turned(_hexapod("ucs_hexapod", 6, leg))


def drawn_delta(bars: str = "universal", idle: str = "") -> gough.Robot:
    """Delta; with ``bars="spherical"`` each bar spins idly between two balls."""
    d = Drawing(7)
    top = np.array([0.0, 0.0, -0.45])
    d.body("platform", top, 0.5)
    motors = []
    for i, angle in enumerate(np.radians([3.0, 118.0, 243.0]), start=1):
        out, side = (
            np.array([np.cos(angle), np.sin(angle), 0.0]),
            np.array([-np.sin(angle), np.cos(angle), 0.0]),
        )
        foot = 0.15 * out
        knee = foot + 0.2 * (0.9 * out + np.sqrt(1 - 0.81) * np.array([0.0, 0.0, -1.0]))
        d.body(f"arm{i}", foot)
        d.joint(f"a{i}", "revolute", BASE, f"arm{i}", foot, side)
        for k, shift in (("a", 0.03), ("b", -0.03)):
            start, end = knee + shift * side, top + 0.05 * out + shift * side
            d.body(f"bar{i}{k}", (start + end) / 2.0, 0.1)
            x = end - start
            d.joint(
                f"u{i}{k}",
                bars,
                f"arm{i}",
                f"bar{i}{k}",
                start,
                side,
                second=spatial.cross(side, x),
            )
            d.joint(f"s{i}{k}", "spherical", f"bar{i}{k}", "platform", end, idle=idle)
        motors.append(f"a{i}")
    return d.robot(f"drawn_delta_{bars}", "platform", motors, top)


def delta_with_balls() -> gough.Robot:
    """Delta with bars of revolution between two balls; friction in them does not spin the bars."""
    return turned(drawn_delta("spherical", "locked"))


IN_LINE = [(-0.4, 0.0, 0.0), (-0.3, 0.2, 0.0), (0.0, 0.2, 0.0), (0.3, 0.2, 0.0), (0.4, 0.0, 0.0)]
"""Points of a five-bar whose distal links are in line at home, Type 2."""


def drawn_five_bar(points: Sequence[Sequence[float]], platform: str) -> gough.Robot:
    """A planar five-bar through foot, elbow, tip, elbow and foot; motors ``a1``, ``a2`` at feet.

    Bodies are ``p1``, ``d1``, ``p2``, ``d2``, the joints between ``e1``, ``tip``, ``e2``.
    """
    d = Drawing(2)
    for name, at in zip(("p1", "d1", "p2", "d2"), points, strict=False):
        d.body(name, at)
    ends = (("a1", BASE, "p1"), ("e1", "p1", "d1"), ("tip", "d1", "d2"), ("e2", "d2", "p2"))
    for (name, a, b), at in zip((*ends, ("a2", "p2", BASE)), points, strict=True):
        d.joint(name, "revolute", a, b, at)
    return d.robot("drawn_five_bar", platform, ["a1", "a2"], points[2])


def pendulum() -> gough.Robot:
    """One body on one hinge."""
    d = Drawing(8)
    d.body("bob", (0.0, 0.3, -0.4))
    d.joint("hinge", "revolute", BASE, "bob", (0.0, 0.1, 0.0), (1.0, 0.2, 0.1))
    return d.robot("pendulum", "bob", ["hinge"], (0.0, 0.3, -0.5))


WRIST = np.array([0.7, 0.1, 0.6])
"""Where the three last axes of :func:`wrist_arm` meet [m]."""
WRIST_AXIS = np.array([0.0, 1.0, 0.0])
"""The middle one of them at home."""
WRIST_BEND = 0.5
"""Angle between the other two at home [rad]."""


def wrist_arm() -> gough.Robot:
    """Serial arm of six turns with a spherical wrist, bent at home."""
    d, forearm = Drawing(12), np.array([0.6, 0.0, -0.8])
    tool = spatial.rotation_exp(WRIST_BEND * WRIST_AXIS) @ forearm
    axes = [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        ((0.1, 0.0, 0.4), (0.0, 1.0, 0.0)),
        ((0.4, 0.0, 1.0), (0.0, 1.0, 0.0)),
        (WRIST, forearm),
        (WRIST, WRIST_AXIS),
        (WRIST, tool),
    ]
    names = [BASE, *(d.body(f"link{k}", point) for k, (point, _) in enumerate(axes, 1))]
    for k, (point, axis) in enumerate(axes):
        d.joint(f"turn{k + 1}", "revolute", names[k], names[k + 1], point, axis)
    motors = [f"turn{k + 1}" for k in range(len(axes))]
    return d.robot("wrist_arm", names[-1], motors, WRIST + 0.1 * tool)


def screw_pendulum() -> gough.Robot:
    """One body on one screw: a helical joint that closes a leg without bodies."""
    d = Drawing(9)
    d.body("nut", (0.0, 0.3, -0.4))
    d.joint("screw", "helical", BASE, "nut", (0.0, 0.1, 0.0), (0.3, 0.2, 1.0), pitch=0.07)
    return d.robot("screw_pendulum", "nut", ["screw"], (0.1, 0.3, -0.5))


def rccc() -> gough.Robot:
    """Spatial four-bar RCCC: cylindrical joints in the tree and at the platform."""
    d = Drawing(10)
    (
        d.body("crank", (0.1, 0.0, 0.1)),
        d.body("coupler", (0.3, 0.1, 0.3)),
        d.body("rocker", (0.5, 0.1, 0.2)),
    )
    d.joint("r", "revolute", BASE, "crank", (0.0, 0.0, 0.0), (0.1, 0.2, 1.0))
    d.joint("c1", "cylindrical", "crank", "coupler", (0.2, 0.05, 0.1), (0.4, -0.3, 0.9))
    d.joint("c2", "cylindrical", "coupler", "rocker", (0.4, 0.3, 0.2), (-0.2, 0.6, 0.8))
    d.joint("c3", "cylindrical", BASE, "rocker", (0.6, 0.0, 0.0), (0.5, 0.1, 0.9))
    return d.robot("rccc", "coupler", ["r"], (0.3, 0.2, 0.3))


def planar_3rrp() -> gough.Robot:
    """Planar 3-RRP: prismatic joints at the platform."""
    d = Drawing(11)
    d.body("platform", (0.0, 0.0, 0.0), 2.0)
    motors = []
    for i, angle in enumerate(np.radians([80.0, 205.0, 335.0]), start=1):
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        foot, knee = (
            0.5 * out,
            0.5 * out + 0.3 * np.array([np.cos(angle + 2.2), np.sin(angle + 2.2), 0.0]),
        )
        rail = np.array([np.cos(angle + 1.9), np.sin(angle + 1.9), 0.0])
        d.body(f"crank{i}", foot), d.body(f"block{i}", knee)
        d.joint(f"r{i}", "revolute", BASE, f"crank{i}", foot)
        d.joint(f"k{i}", "revolute", f"crank{i}", f"block{i}", knee)
        d.joint(f"p{i}", "prismatic", f"block{i}", "platform", knee, rail)
        motors.append(f"r{i}")
    return d.robot("planar_3rrp", "platform", motors, (0.01, 0.02, 0.0))


def split_hexapod() -> gough.Robot:
    """Hexapod whose platform is two halves welded together twice."""
    whole = Drawing(12)
    whole.body("platform", TOP, 2.0), whole.body("half", TOP + np.array([0.0, 0.1, 0.0]), 2.0)
    whole.joint("weld", "fixed", "platform", "half", TOP, (0.1, 0.3, 1.0))
    whole.joint("weld2", "fixed", "platform", "half", TOP + 0.1, (1.0, 0.3, 1.0))
    motors = []
    for i, (b, p) in enumerate(zip(BASE_RING, TOP_RING, strict=True), start=1):
        x = (p - b) / np.linalg.norm(p - b)
        y = _across(x)
        whole.body(f"cyl{i}", b + 0.3 * x), whole.body(f"rod{i}", p - 0.3 * x)
        whole.joint(f"u{i}", "universal", BASE, f"cyl{i}", b, spatial.cross(x, y), second=y)
        whole.joint(f"p{i}", "prismatic", f"cyl{i}", f"rod{i}", b, x)
        whole.joint(f"s{i}", "spherical", f"rod{i}", "half" if i % 2 else "platform", p)
        motors.append(f"p{i}")
    return whole.robot("split_hexapod", "platform", motors, TOP)


def contact_tripod() -> gough.Robot:
    """Three feet that slide on inclined base planes, hinged to the platform."""
    d = Drawing(13)
    top = np.array([0.0, 0.0, 0.5])
    d.body("platform", top, 2.0)
    for i, angle in enumerate(np.radians([0.0, 125.0, 240.0]), start=1):
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        d.body(f"leg{i}", 0.3 * out + [0.0, 0.0, 0.2])
        a, b = (BASE, f"leg{i}") if i < 3 else (f"leg{i}", BASE)
        d.joint(f"foot{i}", "planar_contact", a, b, 0.5 * out, [0.05 * i, 0.1, 1.0])
        d.joint(f"hip{i}", "revolute", f"leg{i}", "platform", top + 0.15 * out, _across(out))
    return d.robot("contact_tripod", "platform", [], top)


def grounded_parallelogram(shift: float = 0.0) -> gough.Robot:
    """Planar five-bar one of whose cranks is a parallelogram pivoted twice on the base.

    With the second pivot shifted [m] it is a four-bar of another kind, which turns its table.
    """
    d = Drawing(14)
    tip = np.array([0.05, 0.5, 0.0])
    lift, width = np.array([0.1, 0.28, 0.0]), np.array([0.12, 0.0, 0.0])
    a, c = np.array([-0.3, 0.0, 0.0]), np.array([0.3, 0.0, 0.0])
    for name, at in (
        ("crank", a),
        ("twin", a + width),
        ("table", a + lift),
        ("bar", a + lift),
        ("prox", c),
        ("dist", tip),
    ):
        d.body(name, at)
    d.joint("r1", "revolute", BASE, "crank", a)
    d.joint("r2", "revolute", BASE, "twin", a + width + [shift, 0.0, 0.0])
    d.joint("r3", "revolute", "crank", "table", a + lift)
    d.joint("r4", "revolute", "twin", "table", a + lift + width)
    d.joint("r5", "revolute", "table", "bar", a + lift + width / 2.0)
    d.joint("r6", "revolute", BASE, "prox", c)
    d.joint("r7", "revolute", "prox", "dist", c + np.array([0.15, 0.25, 0.0]))
    d.joint("r8", "revolute", "dist", "bar", tip)
    return d.robot("grounded_parallelogram", "bar", ["r1", "r6"], tip)


def stranger_in_the_hub() -> gough.Robot:
    """Three arms carry a body that reaches the platform through the arms alone.

    It is the smallest set that separates the base joints, so it counts with the hub, and hangs
    there on no joint of the hub's own.
    """
    d = Drawing(15)
    top = np.array([0.0, 0.1, 0.8])
    d.body("platform", top), d.body("stranger", (0.0, 0.0, 0.5))
    feet = ring(0.5, [10.0, 130.0, 250.0], 0.0)
    for i, foot in enumerate(feet, start=1):
        d.body(f"arm{i}", foot)
        axis = _across(foot) + np.array([0.1, 0.2 * i, 0.3])
        d.joint(f"c{i}", "cylindrical", BASE, f"arm{i}", foot, axis)
        d.joint(f"s{i}", "spherical", f"arm{i}", "stranger", 0.4 * foot + [0.0, 0.02 * i, 0.5])
    d.joint("t1", "spherical", "arm1", "platform", 0.7 * feet[0] + [0, 0, 0.7])
    hook = 0.5 * feet[1] + [0, 0, 0.75]
    d.joint("t2", "universal", "arm2", "platform", hook, (1.0, 0, 0), second=(0, 0.6, 0.8))
    return d.robot("stranger_in_the_hub", "platform", ["c1.angle", "c1.slide"], top)


def granite_sledge() -> gough.Robot:
    """A sledge that slides on granite, pushed by three motors in its plane."""
    d = Drawing(16)
    top = np.array([0.0, 0.0, 0.3])
    d.body("sledge", (0.0, 0.0, 0.05), 4.0)
    d.joint("granite", "planar", "sledge", BASE, np.zeros(3))
    # three points that are not alike, so that the motors control the turning, too
    for i, degrees in enumerate((-95.0, 20.0, 155.0), start=1):
        (pin,), (foot,) = ring(0.15, [degrees], 0.1), ring(0.5, [degrees + 8.0], 0.1)
        out = foot / np.linalg.norm(foot[:2]) * [1.0, 1.0, 0.0]
        d.body(f"slider{i}", foot), d.body(f"cross{i}", (foot + pin) / 2.0)
        d.joint(f"rail{i}", "prismatic", BASE, f"slider{i}", foot, _across(out))
        d.joint(f"way{i}", "prismatic", f"slider{i}", f"cross{i}", (foot + pin) / 2.0, out)
        d.joint(f"pin{i}", "revolute", f"cross{i}", "sledge", pin)
    return d.robot("granite_sledge", "sledge", ["rail1", "rail2", "rail3"], top)


MACHINES = [
    offset_hexapod,
    six_rrrs,
    screw_hexapod,
    spu_hexapod,
    sps_hexapod,
    ucs_hexapod,
    drawn_delta,
    delta_with_balls,
    pendulum,
    screw_pendulum,
    rccc,
    planar_3rrp,
    split_hexapod,
    contact_tripod,
    grounded_parallelogram,
    stranger_in_the_hub,
    granite_sledge,
    *COUPLED,
]
"""Builders of every machine above."""
