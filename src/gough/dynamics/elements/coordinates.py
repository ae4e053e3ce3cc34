"""Kinematic coordinates and motion constraints as arrays.  [OZ] Table 1, (47)-(50), (55)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import OnError, map_states
from gough.base.result import Result
from gough.dynamics.elements.decomposition import Decomposition, Key, element_parts
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.partials import Partial, width
from gough.kinematics.frames import freedoms_turn
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.states.axes import columns_in
from gough.states.state import as_state


@dataclass(frozen=True, eq=False)
class KinematicCoordinates(Result):
    """Velocities of all bodies per unit rate of each variable of the motion basis u.

    The basis has more variables than the robot has freedoms, and ``u = M V_r`` binds them.  The
    chain of an element leads from the base along its leg; that of the platform, and of bodies of a
    nacelle, along the first leg that carries a share of them.

    Attributes:
        variables: names of the m entries of u: rates of an element's direction ``bar.xd_x``,
            ``bar.xd_y``, ``bar.xd_z`` [1/s], base axes; its spin ``bar.spin`` [rad/s]; the rate of
            a length ``joint.dd`` [m/s].  An element has the name of its first body.
        freedoms: names of the n entries of ``V_r``, ``robot.freedoms``.
        M: motion constraints ``(..., m, n)``: ``u = M V_r``.
        velocities: for every body by name ``dS/du (..., 3, m)``: ``velocities[body] @ u`` is the
            velocity of its mass centre S, base axes [m/s].
        angular: for every body by name ``domega/du (..., 3, m)``: ``angular[body] @ u`` is its
            angular velocity, base axes [rad/s].
    """

    variables: tuple[str, ...]
    freedoms: tuple[str, ...]
    M: np.ndarray
    velocities: dict[str, np.ndarray]
    angular: dict[str, np.ndarray]


def kinematic_coordinates(
    robot: Robot, state: Any, *, on_error: OnError = "raise"
) -> KinematicCoordinates:
    """Partial velocities of all bodies over the motion basis, and the motion constraints.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`gough.KinematicCoordinates`.

    Raises:
        SingularPose: of Type 1, where rates do not follow the platform.

    Equations:
        [OZ] (47)-(50), Table 1, erratum OZ-5; (55).
    """
    assembly, x = assembled_by_pose(robot), as_state(state, robot)
    parts = element_parts(assembly)
    bodies = [body.name for body in robot.bodies]
    keys = motion_basis(assembly)
    m, n = sum(map(width, keys)), assembly.mobility

    def one(T: np.ndarray) -> list[np.ndarray]:
        at = ElementState(Kinematics(assembly, regular(assembly, T, turns=False)))
        M = at.motion_constraints
        rows = [np.reshape(M[key], (width(key), n)) for key in keys]
        found = [np.concatenate([np.zeros((0, n)), *rows])]  # [OZ] (55)
        for body in robot.bodies:
            point = at.chains[_carrier(parts, body.name)][body.name]
            V = at.velocity(point, np.array(body.center))  # dS/du, [OZ] (49), Table 1
            W = at.omega(body.name)  # domega/du, [OZ] (50)
            found += [_stacked(V, keys), _stacked(W, keys)]
        return found

    arguments = settled(assembly, x.arguments("T_0p"))
    shapes = ((m, n), *[(3, m)] * (2 * len(bodies)))
    M, *maps = map_states(one, arguments, shapes, on_error)
    if freedoms_turn(assembly, x):
        M = columns_in(x.T_0p, M)
    velocities = dict(zip(bodies, maps[::2], strict=True))
    angular = dict(zip(bodies, maps[1::2], strict=True))
    return KinematicCoordinates(_names(keys, robot), assembly.freedoms, M, velocities, angular)


def motion_basis(assembly: Assembly) -> list[Key]:
    """Variables of the motion basis of a robot, found once."""

    def found(a: Assembly) -> list[Key]:
        return _basis(ElementState(Kinematics(a, a.regular_solutions[0])))

    return assembly.cached("motion basis", found)


def _basis(state: ElementState) -> list[Key]:
    """Directions and spins element by element, then lengths joint by joint."""
    known, elements = state.motion_constraints, state.parts.elements
    turns: list[Key] = [(kind, name, 0) for name in elements for kind in ("x", "spin")]
    joints = [joint.name for joint in state.parts.robot.joints]
    lengths = sorted((k for k in known if k[0] == "d"), key=lambda k: (joints.index(k[1]), k[2]))
    return [key for key in turns if key in known] + lengths


def _names(keys: Sequence[Key], robot: Robot) -> tuple[str, ...]:
    """Names of the numbers in u; a joint with two lengths counts them."""
    found: list[str] = []
    for kind, name, k in keys:
        if kind == "x":
            found += [f"{name}.xd_{axis}" for axis in "xyz"]
        elif kind == "spin":
            found.append(f"{name}.spin")
        else:
            two = robot.joint(name).kind == "planar_contact"
            found.append(f"{name}.dd_{'xy'[k]}" if two else f"{name}.dd")
    return tuple(found)


def _carrier(parts: Decomposition, body: str) -> int:
    """The first leg whose chain leads to a body."""
    chains = [{way.body for way in (*b.own, *b.hub)} for b in parts.branches]
    return next(i for i, chain in enumerate(chains) if body in chain)


def _stacked(each: Partial, keys: Sequence[Key]) -> np.ndarray:
    """A velocity over all variables of the basis, zero over those that it does not depend on."""
    blocks = [each.get(key, np.zeros((3, width(key)))) for key in keys]
    return np.concatenate(
        [np.zeros((3, 0)), *(np.reshape(block, (3, -1)) for block in blocks)], axis=1
    )
