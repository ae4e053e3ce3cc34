"""Inverse dynamics from observed legs, without the platform.  [OZ] (66)-(67)

    Gamma = IDM(sdd, sd, s) = - A^+(s) b(sdd, sd, s)

s are directions, lengths and spins of the legs' elements, what a camera sees.  What it does not see
(the platform) follows from what it does, linearly, by the motion constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gough.base.batch import OnError, as_array, check_finite, map_states
from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect, total
from gough.dynamics.elements.camera import (
    LegStates,
    pose_of_legs,
    seen_elements,
    seen_lengths,
    seen_shapes,
)
from gough.dynamics.elements.decomposition import SLIDES, Key, element_parts
from gough.dynamics.elements.dynamics import implicit_model, solved
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.variables import Length, Variables, direction
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InconsistentPose, InputError, WrongMotors
from gough.geometry.turns import springs_count
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot

LARGEST_ANGLE = 0.1
"""Directions further from the pose that all legs show together are refused [rad]."""


def inverse_dynamics_observed(
    robot: Robot,
    legs: LegStates,
    *,
    loads: Loads | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts from directions, lengths and spins of the legs and their rates.

    Args:
        robot: the machine, with as many motors as freedoms.
        legs: what is seen of them; :func:`gough.observe` makes it for a known motion.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.
    """
    assembly = assembled(robot)
    _check(assembly, legs)
    arguments = {
        name: (as_array(getattr(legs, name), shape, name), len(shape))
        for name, shape in seen_shapes(assembly).items()
    }
    loading = LoadArguments(assembly, loads)

    def one(*arrays: np.ndarray) -> np.ndarray:
        seen, rest = arrays[: len(arguments)], arrays[len(arguments) :]
        for name, array in zip(arguments, seen, strict=True):
            check_finite(array, name)
        return _efforts(assembly, LegStates(legs.elements, legs.lengths, *seen), loading.at(rest))

    return map_states(one, arguments | loading.arguments, ((len(robot.motors),),), on_error)[0]


def _check(assembly: Assembly, legs: LegStates) -> None:
    robot = assembly.robot
    if len(robot.motors) != assembly.mobility:
        raise WrongMotors(
            f"{robot.name}: {len(robot.motors)} motors for {assembly.mobility} freedoms",
            hint="Observed legs give efforts where there are as many motors as freedoms.",
        )
    if not isinstance(legs, LegStates):
        raise InputError(
            f"legs: expected gough.LegStates, got {type(legs).__name__}",
            hint="gough.observe(robot, T_0p, V_0p, Vdot_0p) makes one.",
        )
    wanted = (seen_elements(assembly), seen_lengths(assembly))
    if (legs.elements, legs.lengths) != wanted:
        raise InputError(
            f"legs: elements {legs.elements} and lengths {legs.lengths} are not those of "
            f"{robot.name}",
            hint=f"Expected elements {wanted[0]} and lengths {wanted[1]}.",
        )


def _efforts(assembly: Assembly, seen: LegStates, loads: StateLoads) -> np.ndarray:
    seen = replace(seen, x=_directions(seen))
    T_0p = pose_of_legs(assembly, seen.x, seen.theta, seen.d)
    solution = regular(assembly, T_0p, turns=springs_count(assembly))
    _check_directions(assembly, solution, seen)
    return np.asarray(efforts_of_legs(assembly, solution, seen, loads=loads))


def _directions(seen: LegStates) -> np.ndarray:
    """Unit vectors: of what is seen, only where it points counts."""
    sizes = np.linalg.norm(seen.x, axis=1, keepdims=True)
    if (sizes < 1e-12).any():
        name = seen.elements[int(np.argmin(sizes))]
        raise InputError(f"x: the direction of element {name!r} is zero", argument="x")
    return np.asarray(seen.x / sizes)


def _check_directions(assembly: Assembly, solution: Solution, seen: LegStates) -> None:
    """Directions that no pose of the robot shows are refused, noise is not."""
    parts = element_parts(assembly)
    poses = solution.equations.body_poses
    for name, x in zip(seen.elements, seen.x, strict=True):
        shown = poses[name].R @ parts.elements[name].x
        angle = float(np.arctan2(np.linalg.norm(np.cross(x, shown)), x @ shown))
        if angle > LARGEST_ANGLE:
            raise InconsistentPose(
                f"{assembly.robot.name}: element {name!r} is seen {angle:.3g} rad away from where "
                "it is in the pose that all legs show together",
                hint="Likely: a direction turned round or in other axes, or legs exchanged.",
                element=name,
                angle=angle,
            )


def efforts_of_legs(
    assembly: Assembly,
    solution: Solution,
    seen: LegStates,
    *,
    loads: StateLoads | None = None,
) -> Array:
    """Motor efforts from what is seen of the legs at one state, at the pose that it shows.

    Numbers and symbols run through these lines.
    """
    state, names = ElementState(Kinematics(assembly, solution)), seen.elements
    keys = [_key(name) for name in seen.lengths]
    shown = {
        name: direction(seen.x[i], seen.xd[i], seen.xdd[i], seen.spin[i], seen.spin_rate[i])
        for i, name in enumerate(names)
    }
    motion = Variables(shown, {key: Length(seen.dd[i], seen.ddd[i]) for i, key in enumerate(keys)})
    if _something_is_hidden(state, names, keys):
        rest = _hidden(state, keys, seen)
        motion = Variables(
            {**rest.directions, **motion.directions}, {**rest.lengths, **motion.lengths}
        )
    acting = loads or StateLoads(assembly.gravity)
    acting = acting.at_speed(_speed(assembly, seen), assembly.length)
    return solved(*implicit_model(state, motion, acting))  # [OZ] (66)


def _speed(assembly: Assembly, seen: LegStates) -> Array:
    """Square of the speed at which directions and lengths change [rad^2/s^2]."""
    directions = [seen.xd[i] @ seen.xd[i] for i in range(len(seen.elements))]
    lengths = [seen.dd[i] * seen.dd[i] / assembly.length**2 for i in range(len(seen.lengths))]
    return total(directions + lengths)


def _key(axis: str) -> Key:
    return ("d", axis.split(".", maxsplit=1)[0], 0)


def _something_is_hidden(state: ElementState, names: Sequence[str], keys: Sequence[Key]) -> bool:
    """Whether the model needs elements or lengths that are not seen."""
    turning = {e.name for e in state.parts.elements.values() if not e.fixed}
    slides = {_key(j.name) for j in state.parts.robot.joints if j.kind in SLIDES}
    return bool(turning - set(names) or slides - set(keys))


def _hidden(state: ElementState, keys: Sequence[Key], seen: LegStates) -> Variables:
    """State variables of everything, from what is seen by the motion constraints.

    Equations:
        [OZ] (55): ``M V_r = u`` is solved for the robot's own freedoms, then for their
        accelerations; more is seen than needed, and its errors are shared out.
    """
    assembly, M, names = state.assembly, state.motion_constraints, seen.elements
    unit = 1.0 / assembly.length
    rows = [M["x", name, 0][i] for name in names for i in range(3)]
    rows += [M["spin", name, 0] for name in names]
    rows += [M[key] * unit for key in keys]
    matrix = collect(rows) * assembly.scales.freedoms

    def freedoms(first: list[Array], turns: list[Array], slides: list[Array]) -> Array:
        right = [*(v[i] for v in first for i in range(3)), *turns, *(d * unit for d in slides)]
        return least_squares(matrix, collect(right)) * assembly.scales.freedoms

    k, m = len(names), len(keys)
    V_r = freedoms(
        [seen.xd[i] for i in range(k)],
        [seen.spin[i] for i in range(k)],
        [seen.dd[i] for i in range(m)],
    )
    solution = state.kin.solution
    bias = Kinematics(assembly, solution, solution.Psi @ V_r)
    of_bias = ElementState(bias).motion
    turns = [of_bias.directions[name] for name in names]
    Vdot_r = freedoms(
        [seen.xdd[i] - turn.xdd for i, turn in enumerate(turns)],
        [seen.spin_rate[i] - turn.spin_rate for i, turn in enumerate(turns)],
        [seen.ddd[i] - of_bias.lengths[key].acceleration for i, key in enumerate(keys)],
    )
    return ElementState(bias.accelerated(Vdot_r)).motion
