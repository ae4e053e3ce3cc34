"""Kinetic and potential energy of the whole machine, and power of what acts on it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.shared.axes import friction_effort, rotor_axes
from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.parameters import present
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import is_scalar
from gough.mechanism.closure.equations import BASE
from gough.mechanism.topology.tree import ROOT
from gough.robot.joint_kinds import BALL, PLANE


class Energy(NamedTuple):
    """Energies [J]: kinetic, rotors included, and potential, of gravity and springs.

    The potential of gravity is zero at the base's origin, that of a spring at rest.
    """

    kinetic: Any
    potential: Any


class CentroidalMomentum(NamedTuple):
    """Momentum of a machine about its centre of mass, base axes.

    Attributes:
        momentum: ``[linear; angular]`` [kg m/s, N m s], ``(..., 6)``.
        center_of_mass: where it is in the base [m], ``(..., 3)``.
    """

    momentum: Any
    center_of_mass: Any


def of_motion(kin: Kinematics, loads: StateLoads) -> tuple[Array, Array]:
    """Energies of one state: of masses, and of rotors and springs as far as its loads count them.

    Numbers and symbols run through these lines.
    """
    assembly, at = kin.assembly, kin.solution.equations
    robot = assembly.robot
    poses = [(at.hub_placed, at.platform), *((placed, BASE) for placed in at.leg_placed)]
    kinetic: Array = 0.0
    potential: Array = 0.0
    for (tree, links, root), (placed, base) in zip(kin.moving.trees, poses, strict=True):
        for link, mass in loads.link_masses(robot, tree).items():
            motion = root if link == ROOT else links[link]
            kinetic = kinetic + _kinetic(mass, motion.v, motion.w)
            R, p = base if link == ROOT else placed[link]
            potential = potential - loads.gravity @ (p * mass.m + R @ mass.s)
    for name, inertia in rotor_axes(robot, loads) if loads.rotors else ():
        rate = kin.axis_rate(name)
        square = rate @ rate if assembly.axes[name].what == BALL else rate * rate
        kinetic = kinetic + square * inertia * 0.5
    for name in loads.loaded_axes(robot):
        axis = loads.axis(robot, name)
        if loads.springs and present(axis.stiffness) and is_scalar(assembly.axes[name]):
            stretch = assembly.axis_position(at, name) - axis.rest
            potential = potential + stretch * stretch * axis.stiffness * 0.5
    return kinetic, potential


def _kinetic(mass: Mass, v: Array, w: Array) -> Array:
    return (v @ v) * (0.5 * mass.m) + v @ cross(w, mass.s) + (w @ (mass.I @ w)) * 0.5


def push_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that loads on bodies put into the machine [W]."""
    total: Array = 0.0
    for push in loads.pushes:
        body = kin.body_motion(push.body)
        point = kin.solution.equations.body_poses[push.body].R @ push.point
        total = total + push.f @ (body.v + cross(body.w, point)) + push.n @ body.w
    return total


def smoothed_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that unsmoothed Coulomb friction would take beyond the smoothed one [W]."""
    assembly, total = kin.assembly, 0.0
    for name in loads.loaded_axes(assembly.robot):
        axis = loads.axis(assembly.robot, name)
        if present(axis.coulomb) and axis.smoothing is not None:
            rate = kin.axis_rate(name)
            square = rate @ rate if assembly.axes[name].what in (BALL, PLANE) else rate * rate
            full = np.sqrt(square + axis.smoothing * axis.smoothing)
            total = total + axis.coulomb * (np.sqrt(square) - square / (full + 1e-300))
    return total


def friction_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that friction takes from the machine [W]."""
    assembly, total = kin.assembly, 0.0
    for name in loads.loaded_axes(assembly.robot):
        axis = loads.axis(assembly.robot, name)
        if axis.rubs:
            what, rate = assembly.axes[name].what, kin.axis_rate(name)
            effort = friction_effort(axis, what, rate, loads)
            total = total + (effort @ rate if what in (BALL, PLANE) else effort * rate)
    return total
