"""Jacobians of the legs."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array
from gough.kinematics.motion import Kinematics
from gough.kinematics.path_motors import leg_paths
from gough.kinematics.paths import path_axes, path_jacobian
from gough.mechanism.closure.blocks import stacked
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import FREEDOMS


class LegJacobians(NamedTuple):
    """Jacobians of one leg; arrays have the leading axes of the states.

    Rows of J_i and J_vi are in axes of the leg's last link.  ``qd_i`` are the rates of the leg's
    joints without those at the platform; ``qd_ci`` are the rates of all joints along a serial path
    from the base through the leg to the platform.

    Attributes:
        leg: its name.
        J_i: ``V_i = J_i qd_i``, transmitted velocities per joint rate.  [BK] (4), [KI] (77).
        J_vi: ``V_i = J_vi V_0p``.  [BK] (5), [KI] (76).
        K_i: ``qd_i = K_i V_0p``, for a square regular J_i equal to ``J_i^-1 J_vi``.  [BK] (8).
        path: names of the axes along the path, in order.
        J_ci: ``V_0p = J_ci qd_ci``, ``(..., 6, k)``: one column for an axis of the path that turns
            or slides, two for a plane, three for a ball, whose angular velocity has child axes, as
            ``joint_rates`` of :class:`gough.Posture` have it.  [KI] (73).
        motors: names of the leg's motors.
        L_ci: ``qd_ai = L_ci V_r``, ``(..., motors, n)``: rows of ``J_inv``.  [KI] (74)-(75).
    """

    leg: str
    J_i: np.ndarray
    J_vi: np.ndarray
    K_i: np.ndarray
    path: tuple[str, ...]
    J_ci: np.ndarray
    motors: tuple[str, ...]
    L_ci: np.ndarray


def leg_matrices(kin: Kinematics) -> list[Array]:
    """``J_i, J_vi, K_i, J_ci`` of every leg, and what gives its motors' rates, one after the other.

    Joints of a nacelle follow from the freedoms, ``V_r``: what they do in a twist that the mobility
    does not allow would depend on the rows that are solved.

    Equations:
        [BK] (4)-(8), [KI] (73), (76)-(78).
    """
    assembly, solution = kin.assembly, kin.solution
    z: Array = np.eye(6)
    if assembly.topology.hub.rates:
        z = np.concatenate([z, solution.hub_rates(solution.Psi) @ z[list(assembly.free)]])
    seen = [block.times(z) for block in solution.blocks]
    rates = solution.leg_rates(seen)
    freedoms = [kin.moving_by(V_r) for V_r in np.eye(assembly.mobility)]
    found: list[Array] = []
    for leg, block, J_vi, K_i in zip(
        leg_paths(assembly), solution.blocks, seen, rates, strict=True
    ):
        found += [block.E, stacked(J_vi, 6), np.reshape(K_i, (-1, 6))]
        found += [path_jacobian(kin.at, leg.path), *leg.matrices(kin, freedoms)]
    return found


def leg_shapes(assembly: Assembly) -> list[tuple[int, int]]:
    """Shapes of these matrices."""
    found: list[tuple[int, int]] = []
    for k, leg in enumerate(leg_paths(assembly)):
        rows, rates = len(assembly.scales.rows[k + 1]), leg.tree.rates
        along = sum(FREEDOMS[assembly.axes[name].what] for name in path_axes(leg.path))
        found += [(rows, rates), (rows, 6), (rates, 6), (6, along)]
        found += [(leg.equations, len(leg.units)), (leg.equations, assembly.mobility)]
    return found


def named_jacobians(assembly: Assembly, numbers: np.ndarray) -> tuple[LegJacobians, ...]:
    """Jacobians of the legs at many states, from the numbers of their matrices in a row.

    Args:
        assembly: the robot.
        numbers: of all matrices of :func:`leg_matrices`, row by row ``(..., size)``.
    """
    shapes, lead = leg_shapes(assembly), numbers.shape[:-1]
    places = pairwise(np.cumsum([0, *map(prod, shapes)]).tolist())
    parts = [
        numbers[..., start:end].reshape(lead + shape)
        for (start, end), shape in zip(places, shapes, strict=True)
    ]
    good, found = np.isfinite(numbers).all(axis=-1), []
    for k, leg in enumerate(leg_paths(assembly)):
        J_i, J_vi, K_i, J_ci, J, V = parts[6 * k : 6 * k + 6]
        L_ci = np.full((*lead, len(leg.motors), assembly.mobility), np.nan)
        L_ci[good] = leg.motor_rates(J[good], V[good])
        name, path = assembly.topology.legs[k].name, path_axes(leg.path)
        found.append(LegJacobians(name, J_i, J_vi, K_i, path, J_ci, leg.motors, L_ci))
    return tuple(found)
