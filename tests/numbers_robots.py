"""The machines of NUMBERS.md, in the frames of [BK] Table 1."""

from __future__ import annotations

from functools import cache

import numpy as np

import gough
from gough.base import spatial
from gough.base.spatial import rotation_x, rotation_y, rotation_z

QUARTER = gough.Frame(rotation=[[1, 0, 0], [0, 0, -1], [0, 1, 0]])


def _ring(radius: float, degrees: list[float]) -> list[np.ndarray]:
    return [radius * np.array([np.cos(a), np.sin(a), 0.0]) for a in np.radians(degrees)]


@cache
def gs_ref(struts: str = "universal") -> gough.Robot:
    """GS-REF: 6-UPS with a cross, a cylinder and a rod in each leg; or its spin-free S-S struts."""
    base = _ring(3.0, [-2.5, 2.5, 117.5, 122.5, 237.5, 242.5])
    top = _ring(1.0, [-50.0, 50.0, 70.0, 170.0, 190.0, 290.0])
    inertia = [[80, 1.5, -2], [1.5, 75, 0.7], [-2, 0.7, 150]]
    bodies = [gough.Body("platform", 300.0, (0.02, -0.03, 0.05), inertia)]
    joints, home, values = [], {"platform": gough.Frame((0.0, 0.0, 2.0))}, {}
    for i, (b, p) in enumerate(zip(base, top, strict=True), start=1):
        cross, cyl, rod = f"cross{i}", f"cyl{i}", f"rod{i}"
        cyl_inertia, rod_inertia = np.diag([1.5, 0.02, 1.5]), np.diag([0.9, 0.9, 0.01])
        bodies += [
            gough.Body(cyl, 12.0, (0.0, -0.6, 0.0), cyl_inertia.tolist()),
            gough.Body(rod, 8.0, (0.0, 0.0, -0.5), rod_inertia.tolist()),
        ]
        foot = gough.Frame(b.tolist())
        if struts == "universal":
            bodies.append(gough.Body(cross, 0.5, inertia=np.diag([0.002] * 3).tolist()))
            joints += [
                gough.Joint(f"a{i}", "revolute", "base", cross, foot),
                gough.Joint(f"b{i}", "revolute", cross, cyl, QUARTER),
            ]
        else:
            joints.append(gough.Joint(f"a{i}", "spherical", "base", cyl, foot))
        joints += [
            gough.Joint(f"p{i}", "prismatic", cyl, rod, QUARTER),
            gough.Joint(f"s{i}", "spherical", rod, "platform", child_frame=gough.Frame(p.tolist())),
        ]
        u = p + np.array([0.0, 0.0, 2.0]) - b
        q3 = float(np.linalg.norm(u))
        q1, q2 = float(np.arctan2(u[1], u[0])), float(np.arccos(-u[2] / q3))
        R = rotation_z(q1) @ rotation_x(np.pi / 2) @ rotation_z(q2)
        home[cyl] = gough.Frame(b.tolist(), R.tolist())
        values |= (
            {f"p{i}": q3} if struts != "universal" else {f"a{i}": q1, f"b{i}": q2, f"p{i}": q3}
        )
    return gough.Robot(
        "gs_ref",
        tuple(bodies),
        tuple(joints),
        "platform",
        motors=tuple(f"p{i}" for i in range(1, 7)),
        home=gough.Home(home, values),
    )


def gs_ref_state() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose, twist and twist rate of GS-REF."""
    R = rotation_x(0.1) @ rotation_y(-0.15) @ rotation_z(0.2)
    T = spatial.pose(R, np.array([0.1, -0.2, 2.1]))
    V = np.array([0.3, -0.2, 0.4, 0.5, -0.3, 0.2])
    return T, V, np.array([1.0, -0.5, 0.8, -0.4, 0.6, 0.3])


@cache
def three_rrr_ref() -> gough.Robot:
    """3RRR-REF: planar 3-RRR, elbow '+'."""
    base, top = _ring(0.4, [90.0, 210.0, 330.0]), _ring(0.1, [90.0, 210.0, 330.0])
    flat = [[0.004, 0, 0], [0, 0.004, 0], [0, 0, 0.004]]
    bodies = [gough.Body("platform", 1.2, (0.005, 0.004, 0.0), (np.array(flat) * 1.5).tolist())]
    joints, values = [], {}
    elbow = gough.Frame((0.25, 0.0, 0.0))
    for i, (b, p) in enumerate(zip(base, top, strict=True), start=1):
        bodies += [
            gough.Body(f"prox{i}", 0.6, (0.12, 0.01, 0.0), flat),
            gough.Body(f"dist{i}", 0.4, (0.11, -0.02, 0.0), (np.array(flat) * 0.75).tolist()),
        ]
        joints += [
            gough.Joint(f"a{i}", "revolute", "base", f"prox{i}", gough.Frame(b.tolist())),
            gough.Joint(f"e{i}", "revolute", f"prox{i}", f"dist{i}", elbow),
            gough.Joint(
                f"w{i}", "revolute", f"dist{i}", "platform", elbow, gough.Frame(p.tolist())
            ),
        ]
        d = p - b
        q1 = np.arctan2(d[1], d[0]) + np.arccos(np.linalg.norm(d) / 0.5)
        # the printed angles run from -pi/2 to 3 pi/2
        values[f"a{i}"] = float((q1 + np.pi / 2) % (2 * np.pi) - np.pi / 2)
        values[f"e{i}"] = float(-2.0 * np.arccos(np.linalg.norm(d) / 0.5))
    return gough.Robot(
        "three_rrr_ref",
        tuple(bodies),
        tuple(joints),
        "platform",
        motors=("a1", "a2", "a3"),
        home=gough.Home({"platform": gough.Frame()}, values),
        gravity=(0.0, -9.81, 0.0),
    )


def three_rrr_ref_state() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose, twist and twist rate of 3RRR-REF."""
    T = spatial.pose(rotation_z(0.15), np.array([0.03, -0.02, 0.0]))
    V = np.array([0.4, -0.3, 0.0, 0.0, 0.0, 0.8])
    return T, V, np.array([2.0, -1.5, 0.0, 0.0, 0.0, 4.0])


@cache
def gearshift() -> gough.Robot:
    """The 2-dof spherical gearshift of [GA]: a knob on two chains, all axes through O."""
    mass = gough.inertia.sphere(0.7, 0.0, center=(0.0, 0.0, 0.2))
    bodies = (
        gough.Body("l11", massless=True),
        gough.Body("l21", massless=True),
        gough.Body("l12", massless=True),
        gough.Body("knob", **mass),
    )
    about = {axis: gough.Frame.from_axes(z=z) for axis, z in zip("xyz", np.eye(3), strict=True)}

    def hinge(name: str, parent: str, child: str, axis: str) -> gough.Joint:
        return gough.Joint(name, "revolute", parent, child, about[axis], about[axis])

    joints = (
        hinge("q1", "base", "l11", "x"),
        hinge("q2", "base", "l12", "y"),
        hinge("b1", "l11", "l21", "y"),
        hinge("b3", "l21", "knob", "z"),
        hinge("b2", "l12", "knob", "x"),
    )
    return gough.Robot("gearshift", bodies, joints, "knob", motors=("q1", "q2"))
