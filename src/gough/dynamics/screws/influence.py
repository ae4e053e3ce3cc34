"""Influence coefficients and partial screws of any robot.  [GA] (17), (20)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gough import screw
from gough.base.arguments import one_of
from gough.base.batch import OnError, map_states
from gough.base.english import counted
from gough.base.result import Result
from gough.base.spatial import collect
from gough.dynamics.screws.kinematics import ScrewState
from gough.errors import InputError
from gough.kinematics.frames import freedoms_turn
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold
from gough.kinematics.single import settled
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.joint import BALL, KINDS, PLANE
from gough.states.axes import columns_in
from gough.states.state import State, as_state

By = Literal["motors", "freedoms"]
Of = Callable[[ScrewState, np.ndarray], list[np.ndarray]]


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


def influence_coefficients(
    robot: Robot, state: Any, *, by: By = "motors", on_error: OnError = "raise"
) -> InfluenceCoefficients:
    """First order influence coefficients G of all joints: ``qd = G qd_a``, or ``qd = G V_r``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        by: ``"motors"``: one motor moves at a time, which takes as many motors as freedoms and a
            pose that is not of Type 2; ``"freedoms"``: one of ``robot.freedoms`` does, which holds
            for any number of motors and on a Type 2 singularity.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        An :class:`gough.InfluenceCoefficients`, axis by axis.

    Raises:
        InputError: by motors, which are not as many as the freedoms.
        SingularPose: by motors, of Type 2; or of Type 1, where rates do not follow the platform.

    Equations:
        [GA] (17), (63).
    """
    assembly = assembled_by_pose(robot)
    rows = {"ball": (3,), "plane": (2,)}
    shapes = {name: rows.get(place.what, ()) for name, place in assembly.axes.items()}
    variables, found = _over_poses(
        assembly, as_state(state, robot), by, on_error, shapes, _of_joints
    )
    return InfluenceCoefficients(variables, found)


def partial_screws(
    robot: Robot, state: Any, *, by: By = "motors", on_error: OnError = "raise"
) -> PartialScrews:
    """Partial screws of all bodies: the twist of body n is ``$_n qd_a``, or ``$_n V_r``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        by: ``"motors"`` or ``"freedoms"``, as in :func:`gough.influence_coefficients`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`gough.PartialScrews`, body by body, at the origin of the base;
        :func:`gough.screw.moved` represents its columns at another point.

    Raises:
        InputError: by motors, which are not as many as the freedoms.
        SingularPose: by motors, of Type 2; or of Type 1, where rates do not follow the platform.

    Equations:
        [GA] (20), (62), (67), erratum GA-7.
    """
    assembly = assembled_by_pose(robot)
    shapes = {body.name: (6,) for body in robot.bodies}
    variables, found = _over_poses(
        assembly, as_state(state, robot), by, on_error, shapes, _of_bodies
    )
    return PartialScrews(variables, found)


def _over_poses(
    assembly: Assembly,
    state: State,
    by: By,
    on_error: OnError,
    shapes: Mapping[str, tuple[int, ...]],
    of: Of,
) -> tuple[tuple[str, ...], dict[str, np.ndarray]]:
    """Names of the variables, and what is asked for by name."""
    one_of(by, "by", ("motors", "freedoms"))
    robot, by_motors = assembly.robot, by == "motors"
    if by_motors and len(robot.motors) != assembly.mobility:
        raise InputError(
            f"{robot.name}: {counted(len(robot.motors), 'motor')} cannot move one at a time: the "
            f"platform has {counted(assembly.mobility, 'freedom')}",
            hint='by="freedoms" moves one freedom of the platform at a time.',
            argument="by",
        )
    variables = tuple(robot.motors) if by_motors else assembly.freedoms
    turned = freedoms_turn(robot, state)

    def one(T: np.ndarray) -> list[np.ndarray]:
        solution = regular(assembly, T, turns=False)
        if by_motors:
            check_motors_hold(assembly, solution.J_inv, solution.Psi)
        at = ScrewState(Kinematics(assembly, solution))
        if by_motors:
            return of(at, at.Z_a)
        return of(at, columns_in(T, np.asarray(at.Z_r)) if turned else at.Z_r)

    arguments = settled(assembly, state.arguments("T_0p"))
    outputs = tuple((*shape, len(variables)) for shape in shapes.values())
    found = map_states(one, arguments, outputs, on_error)
    return variables, dict(zip(shapes, found, strict=True))


def _of_joints(state: ScrewState, Z: np.ndarray) -> list[np.ndarray]:
    """Rows of G by axis; of a ball those of its angular velocity in child axes.  [GA] (17)"""
    G, found = state.influence(Z), []
    for joint in state.graph.robot.joints:
        R_0B = state.at.frames(joint)[1].R
        for name, what in zip(joint.axis_names, KINDS[joint.kind].values(), strict=True):
            own = G[list(state.graph.slots[name])]
            if what == BALL:  # whose rates are in base axes
                own = R_0B.T @ own
            found.append(own if what in (BALL, PLANE) else own[0])
    return found


def _of_bodies(state: ScrewState, Z: np.ndarray) -> list[np.ndarray]:
    """Partial screws of all bodies, moved to the origin of the base.  [GA] (20)"""
    twists = [state.twists(unit) for unit in state.unit_motions(Z)]
    found = []
    for body in state.graph.robot.bodies:
        point = state.part_of(body.name)[1].point
        columns = [screw.moved(each[body.name], -point) for each in twists]
        found.append(collect(columns, empty=(0, 6)).T)
    return found
