"""Machines drawn at random as they stand at home: whatever is joined to whatever, it closes.

Bodies and joints are placed in the base first; frames on bodies follow from where they stand.
Everything is drawn about one metre and one kilogramme large; :func:`scaled` makes it any size.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

import gough
from gough.base import spatial
from gough.robot.frame import rotation_from_axes
from gough.robot.joint_kinds import KINDS
from machines import BASE, Drawing

OF_LETTER = {kind.letter: kind.name for kind in KINDS.values()}
FREEDOMS = {"R": 1, "P": 1, "H": 1, "U": 2, "C": 2, "S": 3, "E": 3, "K": 5, "F": 0}
PLATFORM = "platform"


def freedoms(string: str) -> int:
    """Freedoms of a chain of joints, ``"UPS"``."""
    return sum(FREEDOMS[letter] for letter in string)


def unit(v: Any) -> np.ndarray:
    """Direction of a vector."""
    return np.asarray(v) / np.linalg.norm(v)


class Sketch(Drawing):
    """A drawing that makes up whatever it is not told."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__()
        self.rng = rng
        self.bare: set[str] = set()  # joints that stay without friction, rotor and spring
        self.motors: list[str] | None = None  # those that are meant; any that control if None
        self.exact = False  # bodies must be as they are: the machine moves because of it
        # displacement 4x4 of a frame, base axes, by about so much [m]: freedoms are kept
        self.slack: Callable[[float], np.ndarray] = self.displacement

    def direction(self) -> np.ndarray:
        """A direction, all equally likely."""
        return unit(self.rng.normal(size=3))

    def displacement(self, by: float) -> np.ndarray:
        """A shift of so many metres and a turn of at most as many radians."""
        turn = by * self.rng.uniform() * self.direction()
        return np.asarray(spatial.pose(spatial.rotation_exp(turn), by * self.direction()))

    def near(self, at: Any, by: float = 0.2) -> np.ndarray:
        """A point near a point."""
        return np.asarray(at) + by * self.rng.normal(size=3)

    def across(self, x: np.ndarray) -> np.ndarray:
        """A direction perpendicular to a direction."""
        return unit(np.cross(x, self.direction()))

    def link(self, at: Any, name: str | None = None) -> str:
        """A body near a point: mass, mass centre and inertia without symmetry."""
        rng, name = self.rng, name or f"body{len(self.bodies)}"
        T = spatial.pose(spatial.rotation_exp(2.0 * rng.normal(size=3)), self.near(at))
        mass, L = rng.uniform(0.3, 3.0), 0.25 * rng.normal(size=(3, 3))
        inertia = mass * (np.trace(L @ L.T) * np.eye(3) - L @ L.T)
        inertia = (inertia + inertia.T) / 2.0
        self.poses[name] = T
        center = T[:3, :3].T @ (self.near(at, 0.15) - T[:3, 3])
        self.bodies.append(gough.Body(name, mass, center.tolist(), inertia.tolist()))
        return name

    def bar(self, a: np.ndarray, b: np.ndarray, off: float = 0.0) -> str:
        """A body of revolution between two points; ``off`` puts its mass centre off the axis."""
        name = self.link((a + b) / 2.0)
        x, T, mass = unit(b - a), self.poses[name], self.rng.uniform(0.3, 3.0)
        thick, long = self.rng.uniform(0.002, 0.05), self.rng.uniform(0.05, 0.2)
        inertia = T[:3, :3].T @ (long * np.eye(3) + (thick - long) * np.outer(x, x)) @ T[:3, :3]
        share = self.rng.uniform(0.2, 0.8)
        center = (1 - share) * a + share * b + off * self.across(x)
        self.bodies[-1] = gough.Body(
            name,
            mass,
            (T[:3, :3].T @ (center - T[:3, 3])).tolist(),
            (mass * (inertia + inertia.T) / 2.0).tolist(),
        )
        return name

    def pair(
        self,
        letter: str,
        parent: str,
        child: str,
        at: Any,
        z: Any = None,
        second: Any = None,
        pitch: float | None = None,
    ) -> str:
        """A joint at a point; axes and the home values of its coordinates are made up.

        Returns its name.
        """
        rng, kind, name = self.rng, OF_LETTER[letter], f"{letter}{len(self.joints)}"
        if kind not in ("universal", "planar_contact") and rng.random() < 0.5:
            parent, child = child, parent
        z = self.direction() if z is None else unit(z)
        R_A = rotation_from_axes(z) @ spatial.rotation_z(rng.uniform(-3, 3))
        turn, slide, origin = rng.uniform(-2.5, 2.5), rng.uniform(-0.3, 0.3), np.asarray(at)
        R_B, advance, rest = R_A @ spatial.rotation_z(turn), np.zeros(3), {}
        if kind == "universal":
            second = self.across(z) if second is None else unit(second)
            R_B = rotation_from_axes(second) @ spatial.rotation_z(turn)
        elif kind == "helical":
            pitch = rng.choice([-1, 1]) * rng.uniform(0.05, 0.3) if pitch is None else pitch
            advance, rest = pitch * turn * z, {"pitch": pitch}
        elif kind in ("prismatic", "cylindrical"):
            R_B, advance = (R_A if kind == "prismatic" else R_B), slide * z
        elif kind == "spherical":
            R_B = spatial.rotation_exp(rng.normal(size=3)) @ R_A
        elif kind == "planar":
            advance = slide * R_A[:, 0] - 0.5 * slide * R_A[:, 1]
        elif kind == "planar_contact":
            R_B = spatial.rotation_exp(rng.normal(size=3)) @ R_A
            advance = slide * R_A[:, 0]
        elif kind == "fixed":
            R_B = R_A
        places = ((parent, R_A, origin), (child, R_B, origin + advance))
        frames = [
            gough.Frame.from_matrix(np.linalg.inv(self.poses[body]) @ spatial.pose(R, p))
            for body, R, p in places
        ]
        self.joints.append(gough.Joint(name, kind, parent, child, *frames, **rest))
        return name

    def chain(self, letters: str, start: str, end: str, points: Any, axes: Any = None) -> list[str]:
        """Joints at points from a body to another, with a body between each two of them.

        Returns the joints' names.
        """
        axes, names = axes or [None] * len(letters), []
        for k, (letter, point) in enumerate(zip(letters, points, strict=True)):
            last = k == len(letters) - 1
            body = end if last else self.link((point + points[k + 1]) / 2.0)
            names.append(self.pair(letter, start, body, point, axes[k]))
            start = body
        return names

    def leg(self, letters: str, start: str, end: str, a: Any, b: Any) -> list[str]:
        """A chain between two places, its joints near the line, nothing aligned."""
        shares = np.linspace(0.0, 1.0, len(letters)) if len(letters) > 1 else [0.5]
        spread = [0.05 if share in (0.0, 1.0) else 0.25 for share in shares]
        a, b = np.asarray(a), np.asarray(b)
        points = [self.near(a + s * (b - a), by) for s, by in zip(shares, spread, strict=True)]
        return self.chain(letters, start, end, points)

    def finished(self, name: str) -> gough.Robot:
        """The robot, without motors and with nothing on its axes."""
        at = self.near(self.poses[PLATFORM][:3, 3])
        drawn = self.robot(name, PLATFORM, [], at)
        turned = np.array(drawn.platform_frame.matrix)
        turned[:3, :3] = turned[:3, :3] @ spatial.rotation_exp(0.3 * self.rng.normal(size=3))
        return dataclasses.replace(
            drawn,
            platform_frame=gough.Frame.from_matrix(turned),
            gravity=(9.81 * self.direction()).tolist(),
        )


def misdrawn(sketch: Sketch, robot: gough.Robot, by: float) -> gough.Robot:
    """The machine drawn in base coordinates without a home, every frame of a joint off by so much.

    Bodies' frames are the base's: as drawn, all bodies stand at the identity, and joints are open.
    Of a machine whose bodies must be exact, whole bodies are off.
    """
    poses = {n: frame.matrix for n, frame in robot.home.bodies.items()} | {BASE: np.eye(4)}
    if sketch.exact:
        poses = {n: sketch.slack(by) @ T for n, T in poses.items()}

    def off(body: str, frame: gough.Frame) -> gough.Frame:
        own = np.eye(4) if sketch.exact else sketch.slack(by)
        return gough.Frame.from_matrix(own @ poses[body] @ frame.matrix)

    def drawn(body: gough.Body) -> gough.Body:
        T = poses[body.name]
        center, inertia = (T @ [*body.center, 1.0])[:3], T[:3, :3] @ body.inertia @ T[:3, :3].T
        inertia = (inertia + inertia.T) / 2.0
        return dataclasses.replace(body, center=center.tolist(), inertia=inertia.tolist())

    T_0p = poses[robot.platform] @ robot.platform_frame.matrix
    return dataclasses.replace(
        robot,
        bodies=tuple(drawn(body) for body in robot.bodies),
        joints=tuple(
            dataclasses.replace(
                j,
                parent_frame=off(j.parent, j.parent_frame),
                child_frame=off(j.child, j.child_frame),
            )
            for j in robot.joints
        ),
        platform_frame=gough.Frame.from_matrix(T_0p),
        home=gough.Home(),
    )


def dressed(
    robot: gough.Robot, rng: np.random.Generator, bare: set[str], still: set[str]
) -> gough.Robot:
    """Friction, rotors and springs on axes, but not on bare joints.

    Axes that stand ``still`` have no Coulomb friction: the sign of a rounded zero is chance.
    """
    joints = []
    for j in robot.joints:
        axes = []
        for name, what in zip(j.axis_names, KINDS[j.kind].axes.values(), strict=True):
            if j.name in bare or rng.random() < 0.3:
                axes.append(gough.Axis())
                continue
            coulomb = 0.0 if name in still else rng.uniform(0.0, 0.5)
            figures: dict[str, Any] = {"viscous": rng.uniform(0.0, 0.5), "coulomb": coulomb}
            if what in ("turn", "slide"):
                figures["rotor_inertia"] = rng.uniform(0.0, 0.2)
                if rng.random() < 0.3:
                    figures["spring"] = gough.Spring(rng.uniform(1, 20), rest=rng.uniform(-1, 1))
            axes.append(gough.Axis(**figures))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(robot, joints=tuple(joints))


def scaled(robot: gough.Robot, length: float, mass: Any) -> gough.Robot:
    """The machine with lengths and masses in other units; seconds stay.

    Args:
        robot: the machine.
        length: factor of all lengths, gravity included.
        mass: factor of all masses, or one a body; what is on axes goes with the first.
    """
    masses = np.broadcast_to(mass, len(robot.bodies))

    def moved(frame: gough.Frame) -> gough.Frame:
        return gough.Frame((length * np.array(frame.position)).tolist(), frame.rotation)

    def axis(given: gough.Axis, what: str) -> gough.Axis:
        about = {"turn": length**2, "ball": length**2, "slide": 1.0, "plane": 1.0}[what] * masses[0]
        dry = about * (length if what in ("slide", "plane") else 1.0)
        turn = what in ("turn", "ball")
        spring = given.spring and gough.Spring(
            about * given.spring.stiffness, given.spring.rest * (1.0 if turn else length)
        )
        return gough.Axis(
            about * given.viscous, dry * given.coulomb, about * given.rotor_inertia, spring=spring
        )

    bodies = tuple(
        dataclasses.replace(
            b,
            mass=m * b.mass,
            center=(length * np.array(b.center)).tolist(),
            inertia=(m * length**2 * np.array(b.inertia)).tolist(),
        )
        for b, m in zip(robot.bodies, masses, strict=True)
    )
    joints = tuple(
        dataclasses.replace(
            j,
            parent_frame=moved(j.parent_frame),
            child_frame=moved(j.child_frame),
            pitch=length * j.pitch,
            axes=tuple(
                axis(a, what) for a, what in zip(j.axes, KINDS[j.kind].axes.values(), strict=True)
            ),
        )
        for j in robot.joints
    )
    return dataclasses.replace(
        robot,
        bodies=bodies,
        joints=joints,
        platform_frame=moved(robot.platform_frame),
        home=gough.Home({n: moved(frame) for n, frame in robot.home.bodies.items()}),
        gravity=(length * np.array(robot.gravity)).tolist(),
    )


__all__ = ["BASE", "PLATFORM", "Sketch", "dressed", "freedoms", "misdrawn", "scaled", "unit"]
