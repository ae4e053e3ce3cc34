"""Influence coefficients and partial screws of any robot.  [GA] (17), (20)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough import screw
from gough.base.result import Result
from gough.base.spatial import Array, collect
from gough.dynamics.screws.kinematics import ScrewState
from gough.robot.joint_kinds import BALL


@dataclass(frozen=True, eq=False)
class InfluenceCoefficients(Result):
    """Rates of all joints per unit rate of one variable while the others stand still.

    Attributes:
        variables: names of the n variables, in the order of the last axis: motors, whose rates are
            ``qd_a``, or freedoms, whose rates are ``V_r``.
        joints: for every axis by name, in the order of ``robot.axis_names``: turns and slides
            ``(..., n)``, planes ``(..., 2, n)``, balls ``(..., 3, n)``; of a ball they give the
            angular velocity in child axes.  ``joints[name] @ rates`` is ``joint_rates[name]`` of a
            :class:`gough.Posture`.
    """

    variables: tuple[str, ...]
    joints: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class PartialScrews(Result):
    """Twists of all bodies per unit rate of one variable while the others stand still.

    Attributes:
        variables: names of the n variables, in the order of the last axis: motors, whose rates are
            ``qd_a``, or freedoms, whose rates are ``V_r``.
        bodies: for every body by name, in the order of ``robot.bodies``, ``(..., 6, n)``: columns
            are screws ``[omega; v_O]`` at the origin O of the base, base axes, v_O the velocity of
            the body point at O.  ``bodies[name] @ rates`` is the body's twist as
            :func:`gough.screw.from_twist` has it.
    """

    variables: tuple[str, ...]
    bodies: dict[str, np.ndarray]


def joint_coefficients(state: ScrewState, Z: Array) -> Array:
    """Rates of all axes, one behind the other, per column of z; of a ball in child axes.

    Equations:
        [GA] (17).
    """
    G, rows = state.influence(Z), [np.zeros((0, Z.shape[1]))]
    for joint in state.graph.robot.joints:
        R_0B = state.at.frames(joint)[1].R
        for name, what in joint.axis_kinds.items():
            own = G[list(state.graph.slots[name])]
            rows.append(R_0B.T @ own if what == BALL else own)  # a ball's rates are in base axes
    return np.concatenate(rows)


def body_screws(state: ScrewState, Z: Array) -> Array:
    """Screws of all bodies at the origin of the base, six rows each, per column of z.

    Equations:
        [GA] (20).
    """
    points = {body.name: state.part_of(body.name)[1].point for body in state.graph.robot.bodies}
    columns = []
    for unit in state.unit_motions(Z):
        twists = state.twists(unit)
        found = [screw.moved(twists[name], -point) for name, point in points.items()]
        columns.append(np.concatenate([np.zeros(0), *found]))
    return collect(columns, empty=(0, 6 * len(points))).T
