"""Public functions of joint screws: what motors do to joints, bodies and the platform."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.batch import OnError, all_finite
from gough.base.english import counted
from gough.dynamics.quantities.ports import RATES
from gough.dynamics.screws.graph import graph_of
from gough.dynamics.screws.influence import InfluenceCoefficients, PartialScrews
from gough.dynamics.screws.reciprocal import choose_reciprocal
from gough.errors import InputError
from gough.evaluation.call import evaluate
from gough.kinematics.frames import freedoms_turn
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.states.axes import columns_in
from gough.states.state import State, as_state

By = Literal["motors", "freedoms"]


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
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    variables, rows = _over_states(assembly, "influence", x, by, on_error)
    joints, start = {}, 0
    for name, place in assembly.axes.items():
        end = start + RATES[place.what]
        single = place.what in ("turn", "slide")
        joints[name] = rows[..., start, :] if single else rows[..., start:end, :]
        start = end
    return InfluenceCoefficients(variables, joints)


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
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    variables, screws = _over_states(assembly, "screws", x, by, on_error)
    places = enumerate(robot.bodies)
    bodies = {body.name: screws[..., 6 * k : 6 * k + 6, :] for k, body in places}
    return PartialScrews(variables, bodies)


def _over_states(
    assembly: Assembly, what: str, x: State, by: By, on_error: OnError
) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the variables, and what is asked for per unit rate of each, the last axis."""
    robot = assembly.robot
    one_of(by, "by", ("motors", "freedoms"))
    if by == "motors" and len(robot.motors) != assembly.mobility:
        raise InputError(
            f"{robot.name}: {counted(len(robot.motors), 'motor')} cannot move one at a time: the "
            f"platform has {counted(assembly.mobility, 'freedom')}",
            hint='by="freedoms" moves one freedom of the platform at a time.',
            argument="by",
        )
    (found,) = evaluate(robot, f"{what}_of_{by}", x, None, on_error)
    if by == "motors":
        return tuple(robot.motors), found
    return assembly.freedoms, columns_in(x.T_0p, found) if freedoms_turn(robot, x) else found


def reciprocal_screws(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """Screws ``r_i`` whose Klein form with the platform's twist is a motor's rate.

    ``qd_i = KL(r_i, $)``, with ``$ = gough.screw.from_twist(V_0p, p)`` and p the platform's origin,
    ``T_0p[:3, 3]``.  Read as wrenches ``[f; n_O]``, moments about the origin of the base, they are
    what the motors do to the platform: efforts tau act on it as ``sum tau_i r_i``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        One row a motor, in the order of ``robot.motors``, ``(..., motors, 6)``: of a turning motor
        ``[1/m; 1]``, of a sliding one ``[1; m]``.  Rows are NaN where none exists: on every way
        over the motor to the platform its screw is a combination of those of the other joints, or
        the motor acts through a coupling and is on no way.

    Equations:
        [GA] (60)-(61), for any way from the base to the platform.
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    screws, p = evaluate(robot, "joint_screws", x, None, on_error)
    found = np.full((*p.shape[:-1], len(robot.motors), 6), np.nan)
    good = all_finite(p, p.ndim - 1)
    moved = choose_reciprocal(graph_of(assembly), screws[good], assembly.length)
    # from the platform's origin to that of the base
    moved[..., 3:] += np.cross(p[good][:, None], moved[..., :3])
    found[good] = moved
    return found
