"""Kinetic and potential energy of the whole machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.batch import OnError, as_array, over
from gough.closure.recursion import Pose, frame_pose, root_poses
from gough.dynamics.friction import loaded_axes
from gough.dynamics.masses import Mass, link_masses
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.topology.tree import ROOT, Mount


class Energy(NamedTuple):
    """Energies [J]: kinetic, rotors included, and potential, zero at the base's origin."""

    kinetic: Any
    potential: Any


def energy(robot: Robot, T_0p: Any, V_0p: Any, *, on_error: OnError = "raise") -> Any:
    """Kinetic and potential energy of the machine, ``(...,)`` each.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.
    """
    assembly = assembled(robot)
    arguments = {
        "T_0p": (as_array(T_0p, (4, 4), "T_0p"), 2),
        "V_0p": (as_array(V_0p, (6,), "V_0p"), 1),
    }

    def one(T: np.ndarray, V: np.ndarray) -> tuple[float, float]:
        return of_motion(assembly, moving(assembly, T, V, None))

    found = over(one, arguments, ((), ()), on_error)
    return (Energy(*found[0]), found[1]) if on_error == "mask" else Energy(*found)


def of_motion(assembly: Assembly, kin: Kinematics) -> tuple[float, float]:
    """Energies of one state."""
    at, topology, robot = kin.solution.equations, assembly.topology, assembly.robot
    gravity = assembly.gravity
    base = Pose(np.eye(3), np.zeros(3))
    trees = [(topology.hub, at.hub_placed, at.platform, kin.moving.hub, kin.moving.root)]
    for leg, poses, links in zip(topology.legs, at.leg_poses, kin.moving.legs, strict=True):
        trees.append((leg.tree, root_poses(leg.tree, poses, base), base, links, kin.moving.ground))
    kinetic = potential = 0.0
    for tree, placed, root, links, root_motion in trees:
        for link, mass in link_masses(robot, tree).items():
            motion = root_motion if link == ROOT else links[link]
            kinetic += _kinetic(mass, motion.v, motion.w)
            at_link = frame_pose(placed, root, Mount(link, np.eye(3), np.zeros(3)))
            potential -= float(gravity @ (mass.m * at_link.p + at_link.R @ mass.s))
    for name in loaded_axes(robot):
        inertia = robot.axis(name).reflected_inertia
        if inertia:
            kinetic += 0.5 * inertia * float(kin.axis_rate(name)) ** 2
    return kinetic, potential


def _kinetic(mass: Mass, v: np.ndarray, w: np.ndarray) -> float:
    return float(0.5 * mass.m * (v @ v) + v @ np.cross(w, mass.s) + 0.5 * w @ (mass.I @ w))
