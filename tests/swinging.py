"""Machines that swing: springs in place of controllers, and two whose motion is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import gough


def without_friction(robot: gough.Robot) -> gough.Robot:
    return gough.control.perturb(robot, friction=0.0)


def on_springs(robot: gough.Robot, stiffness: float) -> gough.Robot:
    """Without friction, and with a spring on every motor that is slack at home."""
    robot = without_friction(robot)
    rest = dict(zip(robot.motors, gough.inverse_kinematics(robot, robot.home_pose), strict=True))

    def held(name: str, axis: gough.Axis) -> gough.Axis:
        if name not in rest:
            return axis
        return replace(axis, spring=gough.Spring(stiffness, float(rest[name])))

    joints = [
        replace(joint, axes=tuple(map(held, joint.axis_names, joint.axes)))
        for joint in robot.joints
    ]
    return replace(robot, joints=tuple(joints))


def beside_home(robot: gough.Robot, amount: float) -> np.ndarray:
    """A pose some way from home, in natural units."""
    assembly = robot.assembly
    x = assembly.chart.coordinates(assembly.T_home)[list(assembly.free)]
    way = np.linspace(1.0, -0.5, len(x)) * assembly.scales.freedoms
    return gough.state(robot, x + amount * way).T_0p


def hinge(name: str, parent: str, child: str, at, on_child=(0.0, 0.0, 0.0)) -> gough.Joint:
    """A revolute joint about y."""
    axis = (0.0, 1.0, 0.0)
    return gough.Joint(
        name,
        "revolute",
        parent,
        child,
        parent_frame=gough.Frame.from_axes(at, z=axis),
        child_frame=gough.Frame.from_axes(on_child, z=axis),
    )


def simple_pendulum() -> gough.Robot:
    """A point mass of 1 kg on a massless bar of 1 m, hanging."""
    bob = gough.Body("bob", mass=1.0, center=(0.0, 0.0, -1.0), inertia=np.zeros((3, 3)).tolist())
    return gough.Robot("swing", (bob,), (hinge("pin", "base", "bob", (0.0, 0.0, 0.0)),), "bob")


def parallelogram(angle: float) -> gough.Robot:
    """Three uniform rods of 1 m and 1 kg; ``angle`` of the upright ones at home."""
    origin, top = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    rods = [(name, gough.inertia.rod(1.0, origin, top)) for name in ("left", "right")]
    rods.append(("coupler", gough.inertia.rod(1.0, origin, (1.0, 0.0, 0.0))))
    bodies = tuple(gough.Body(name, **rod) for name, rod in rods)
    s, c = np.sin(angle), np.cos(angle)
    joints = (
        hinge("a", "base", "left", origin),
        hinge("b", "base", "right", (1.0, 0.0, 0.0)),
        hinge("c", "left", "coupler", top),
        hinge("d", "right", "coupler", top, (1.0, 0.0, 0.0)),
    )
    home = gough.Home(
        {
            "left": gough.Frame.from_matrix(_turned_about_y(angle, origin)),
            "right": gough.Frame.from_matrix(_turned_about_y(angle, (1.0, 0.0, 0.0))),
            "coupler": gough.Frame.from_matrix(_turned_about_y(0.0, (s, 0.0, c))),
        }
    )
    return gough.Robot("parallelogram", bodies, joints, "coupler", home=home)


def _turned_about_y(angle: float, position) -> np.ndarray:
    T = np.eye(4)
    s, c = np.sin(angle), np.cos(angle)
    T[:3, :3] = [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
    T[:3, 3] = position
    return T
