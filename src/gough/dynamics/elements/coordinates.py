"""Kinematic coordinates and motion constraints as arrays.  [OZ] Table 1, (47)-(50), (55)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.base.once import known_of
from gough.base.result import Result
from gough.base.spatial import Array
from gough.dynamics.elements.decomposition import Decomposition, Key
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.partials import Partial, width
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.joint_kinds import KINDS


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


def partial_velocities(at: ElementState) -> tuple[Array, Array]:
    """Motion constraints, and partial velocities of all bodies over the motion basis.

    Returns:
        ``M (m, n)``, and for every body the map of its mass centre's velocity and that of its
        angular velocity ``(bodies, 2, 3, m)``.

    Equations:
        [OZ] (47)-(50), Table 1, erratum OZ-5; (55).
    """
    assembly, parts = at.assembly, at.parts
    keys, n = motion_basis(assembly), assembly.mobility
    M = at.motion_constraints
    rows = [np.reshape(M[key], (width(key), n)) for key in keys]
    maps = []
    for body in assembly.robot.bodies:
        point = at.chains[_carrier(parts, body.name)][body.name]
        V = at.velocity(point, np.array(body.center))  # dS/du, [OZ] (49), Table 1
        W = at.omega(body.name)  # domega/du, [OZ] (50)
        maps += [_stacked(V, keys), _stacked(W, keys)]
    size = basis_size(assembly)
    found = np.concatenate([np.zeros((0, n)), *rows])  # [OZ] (55)
    return found, np.concatenate(maps).reshape(len(maps) // 2, 2, 3, size)


def basis_size(assembly: Assembly) -> int:
    """Numbers of the motion basis."""
    return sum(map(width, motion_basis(assembly)))


def basis_names(assembly: Assembly) -> tuple[str, ...]:
    """Names of these numbers."""
    return _names(motion_basis(assembly), assembly.robot)


@known_of(Assembly)
def motion_basis(assembly: Assembly) -> list[Key]:
    """Variables of the motion basis of a robot, found once."""
    return _basis(ElementState(Kinematics(assembly, assembly.regular_solutions[0])))


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
            two = len(KINDS[robot.joint(name).kind].travel) > 1
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
