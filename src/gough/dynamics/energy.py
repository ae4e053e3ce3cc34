"""Kinetic and potential energy of the whole machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.batch import OnError, over
from gough.closure.axes import is_scalar
from gough.closure.equations import BASE
from gough.dynamics.axes import rotor_axes
from gough.dynamics.figures import present
from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.masses import Mass
from gough.dynamics.models import state_arguments
from gough.dynamics.state_loads import StateLoads
from gough.geometry.turns import springs_count
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mobility.assembly import assembled
from gough.robot import Robot
from gough.spatial import Array, cross
from gough.topology.tree import ROOT


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
    loading = LoadArguments(assembly, payload=payload)
    arguments = state_arguments(T_0p, V_0p) | loading.arguments

    def one(T: np.ndarray, V: np.ndarray, *rest: np.ndarray) -> tuple[float, float]:
        kin = moving(assembly, T, V, None, turns=springs_count(assembly))
        return of_motion(kin, loading.at(rest))

    found = over(one, settled(assembly, arguments), ((), ()), on_error)
    return (Energy(*found[0]), found[1]) if on_error == "mask" else Energy(*found)


def of_motion(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """Energies of one state: of masses, and of rotors and springs as far as its loads count them.

    Numbers and symbols run through these lines.
    """
    assembly, at = kin.assembly, kin.solution.equations
    topology, robot = assembly.topology, assembly.robot
    trees = [(topology.hub, at.hub_placed, at.platform, kin.moving.hub, kin.moving.root)]
    for leg, placed, links in zip(topology.legs, at.leg_placed, kin.moving.legs, strict=True):
        trees.append((leg.tree, placed, BASE, links, kin.moving.ground))
    kinetic: Array = 0.0
    potential: Array = 0.0
    for tree, placed, root, links, root_motion in trees:
        for link, mass in loads.link_masses(robot, tree).items():
            motion = root_motion if link == ROOT else links[link]
            kinetic = kinetic + _kinetic(mass, motion.v, motion.w)
            R, p = root if link == ROOT else placed[link]
            potential = potential - loads.gravity @ (p * mass.m + R @ mass.s)
    for name, inertia in rotor_axes(robot, loads) if loads.rotors else ():
        rate = kin.axis_rate(name)
        kinetic = kinetic + rate * rate * inertia * 0.5
    for name in loads.loaded_axes(robot):
        axis = loads.axis(robot, name)
        if loads.springs and present(axis.stiffness) and is_scalar(assembly.axes[name]):
            stretch = assembly.axis_position(at, name) - axis.rest
            potential = potential + stretch * stretch * axis.stiffness * 0.5
    return kinetic, potential


def _kinetic(mass: Mass, v: Array, w: Array) -> Array:
    return (v @ v) * (0.5 * mass.m) + v @ cross(w, mass.s) + (w @ (mass.I @ w)) * 0.5
