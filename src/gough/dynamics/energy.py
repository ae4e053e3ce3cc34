"""Kinetic and potential energy of the whole machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.batch import OnError, over
from gough.closure.equations import BASE
from gough.closure.recursion import frame_pose
from gough.dynamics.axes import loaded_axes
from gough.dynamics.loading import Loading
from gough.dynamics.loads import Loads
from gough.dynamics.masses import Mass
from gough.dynamics.models import state_arguments
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.topology.tree import ROOT, Mount


class Energy(NamedTuple):
    """Energies [J]: kinetic, rotors included, and potential, of gravity and springs.

    The potential of gravity is zero at the base's origin, that of a spring at rest.
    """

    kinetic: Any
    potential: Any


def energy(
    robot: Robot, T_0p: Any, V_0p: Any, *, payload: Any = None, on_error: OnError = "raise"
) -> Any:
    """Kinetic and potential energy of the machine, ``(...,)`` each.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        payload: a body fixed to the platform; see :func:`gough.inverse_dynamics`.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.
    """
    assembly = assembled(robot)
    loading = Loading(assembly, payload=payload)
    arguments = state_arguments(T_0p, V_0p) | loading.arguments

    def one(T: np.ndarray, V: np.ndarray, *rest: np.ndarray) -> tuple[float, float]:
        return of_motion(assembly, moving(assembly, T, V, None), loading.at(rest))

    found = over(one, arguments, ((), ()), on_error)
    return (Energy(*found[0]), found[1]) if on_error == "mask" else Energy(*found)


def of_motion(assembly: Assembly, kin: Kinematics, loads: Loads) -> tuple[float, float]:
    """Energies of one state."""
    at, topology, robot = kin.solution.equations, assembly.topology, assembly.robot
    trees = [(topology.hub, at.hub_placed, at.platform, kin.moving.hub, kin.moving.root)]
    for leg, placed, links in zip(topology.legs, at.leg_placed, kin.moving.legs, strict=True):
        trees.append((leg.tree, placed, BASE, links, kin.moving.ground))
    kinetic = potential = 0.0
    for tree, placed, root, links, root_motion in trees:
        for link, mass in loads.link_masses(robot, tree).items():
            motion = root_motion if link == ROOT else links[link]
            kinetic += _kinetic(mass, motion.v, motion.w)
            at_link = frame_pose(placed, root, Mount(link, np.eye(3), np.zeros(3)))
            potential -= float(loads.gravity @ (mass.m * at_link.p + at_link.R @ mass.s))
    for name in loaded_axes(robot):
        axis = robot.axis(name)
        if axis.reflected_inertia:
            kinetic += 0.5 * axis.reflected_inertia * float(kin.axis_rate(name)) ** 2
        if axis.spring is not None:
            stretch = float(assembly.axis_position(at, name)) - axis.spring.rest
            potential += 0.5 * axis.spring.stiffness * stretch**2
    return kinetic, potential


def _kinetic(mass: Mass, v: np.ndarray, w: np.ndarray) -> float:
    return float(0.5 * mass.m * (v @ v) + v @ np.cross(w, mass.s) + 0.5 * w @ (mass.I @ w))
