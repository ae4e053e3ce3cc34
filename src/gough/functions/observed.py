"""Sensors on the legs: what they see of a motion, and inverse dynamics from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from gough.base.batch import OnError, as_array, check_finite, check_on_error, leading_axes
from gough.dynamics.elements.camera import (
    LegStates,
    seen_axes,
    seen_elements,
    spinning_elements,
    usual_sight,
)
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import check_directions, efforts_of_legs, unit_directions
from gough.dynamics.elements.shown_pose import pose_from_legs, pose_of_legs, shows_platform
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing, Sharing, check_motors
from gough.errors import InputError, shown
from gough.evaluation.call import answered, evaluate
from gough.evaluation.evaluator import Evaluator
from gough.evaluation.loops.shown_poses import find_shown_poses
from gough.geometry.near import near_pose
from gough.geometry.turns import springs_count
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.state import as_state

OBSERVED = "inverse_dynamics_observed"
"""The quantity that knows what is seen by default; of other sensors it is ``efforts_sensed``."""


def observe(
    robot: Robot,
    state: Any,
    *,
    elements: Sequence[str] | None = None,
    lengths: Sequence[str] | None = None,
    turns: Sequence[str] | None = None,
    encoders: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    on_error: OnError = "raise",
) -> LegStates:
    """What perfect sensors would see of the legs in a motion of the platform.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        elements: elements whose direction is seen; all of the legs if not given.
        lengths: slides inside legs that are measured; all if not given.
        turns: elements whose turn about their own direction is seen; if not given those without
            which the platform is not seen, usually none.
        encoders: motors whose encoders are read; none if not given.
        weights: of names, as in :class:`LegStates`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        What is seen, in base axes; elements in the words of :func:`gough.elements`.
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    usual, nothing = usual_sight(assembly), np.zeros(0)
    sight = LegStates(
        _names(elements, "elements", usual.elements),
        _names(lengths, "lengths", usual.lengths),
        nothing,
        nothing,
        nothing,
        turns=_names(turns, "turns", usual.turns),
        encoders=_names(encoders, "encoders", ()),
        weights=weights,
    )
    sight.check(assembly)
    directions, turned, axes = evaluate(robot, "seen_legs", x, None, on_error)

    def picked(array: np.ndarray, known: Sequence[str], names: Sequence[str]) -> list[np.ndarray]:
        """Positions, rates and accelerations of some of the names."""
        places = np.array([known.index(name) for name in names], dtype=int)
        orders = np.moveaxis(array, len(x.shape) + 1, 0)
        return [each.take(places, len(x.shape)) for each in orders]

    measured = seen_axes(assembly)
    motors = picked(axes, measured, sight.encoders)
    if sight.encoders:  # which count whole turns from home
        q = evaluate(robot, "inverse_kinematics", x, None, on_error)[0]
        own = q[..., [robot.motors.index(name) for name in sight.encoders]]
        motors[0] = np.where(np.isnan(motors[0]), np.nan, own)
    return sight.with_arrays(
        [
            *picked(directions, seen_elements(assembly), sight.elements),
            *picked(axes, measured, sight.lengths),
            *picked(turned, spinning_elements(assembly), sight.turns),
            *motors,
        ]
    )


def _names(given: Any, argument: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """Names that are given, or those of the default."""
    if given is None:
        return default
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError(
            f"{argument} is {shown(given)}, expected a list of names", argument=argument
        )
    return tuple(given)


def inverse_dynamics_observed(
    robot: Robot,
    legs: LegStates,
    *,
    near: Any = None,
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts from what sensors see of the legs: directions, lengths, encoders, and rates.

    Args:
        robot: the machine.
        legs: what is seen; :func:`gough.observe` makes it for a known motion.  Some directions and
            lengths, turns of elements and encoders in any mixture that shows the platform, each
            with a weight.
        near: a pose ``(4, 4)`` near which the platform is, for a mixture from which its pose
            cannot be summed up; home if not given.
        loads: :class:`gough.Loads`, as in :func:`gough.inverse_dynamics`.
        share: how more motors than freedoms share the work; the smallest efforts if not given.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        InputError: names that the robot does not have, or sensors that do not show its platform.
        InconsistentPose: directions that no pose of the robot shows.

    Equations:
        [OZ] (66)-(67).
    """
    assembly = assembled(robot)
    check_on_error(on_error)
    if not isinstance(legs, LegStates):
        raise InputError(
            f"legs: expected gough.LegStates, got {type(legs).__name__}",
            hint="gough.observe(robot, state) makes one.",
            argument="legs",
        )
    check_motors(assembly, share)
    legs.check(assembly)
    arguments = legs.arguments()
    by_sums = near is None and legs.sight == usual_sight(assembly)
    if by_sums and pose_from_legs(assembly, legs.sight) is not None:
        return answered(
            assembly,
            OBSERVED,
            {name: arguments[name] for name in PUBLIC[OBSERVED].own_inputs(assembly, Variant())},
            None,
            on_error,
            method="elements",
            loads=loads,
            share=share,
        )[0]
    start = None if near is None else as_array(near_pose(near), (4, 4), "near")
    if start is not None and start.ndim > 2:
        raise InputError(
            f"near has shape {start.shape}, expected one pose (4, 4) for all states",
            argument="near",
        )
    return _of_any_sight(assembly, legs, start, loads, share, on_error)


def _of_any_sight(
    assembly: Assembly,
    legs: LegStates,
    near: np.ndarray | None,
    loads: Loads | None,
    share: EffortSharing | None,
    on_error: OnError,
) -> np.ndarray:
    """Any mixture of sensors: the poses that they show first, of all states at once."""
    loading = LoadArguments(assembly, loads, carried=True)
    sharing = None if share is None else Sharing(assembly, share)
    sight, measured = legs.sight, legs.measured()

    def one(_: np.ndarray, *arrays: np.ndarray) -> list[np.ndarray]:
        given = dict(zip(measured, arrays, strict=False))
        for name, array in given.items():
            check_finite(array, name)
        seen = unit_directions(sight.legs(given))
        T_0p = pose_of_legs(assembly, seen, near)
        solution = regular(assembly, T_0p, turns=springs_count(assembly))
        check_motors_hold(assembly, solution.J_inv, solution.Psi)
        kin = Kinematics(assembly, solution)
        check_directions(ElementState(kin), seen)
        acting = loading.at(arrays[len(measured) :])
        return [np.asarray(efforts_of_legs(kin, seen, acting, sharing), dtype=float)]

    redundant = len(assembly.robot.motors) != assembly.mobility
    weights = sharing.weights if sharing is not None and redundant else None
    variant = Variant.of(loading, "elements", weights=weights, sight=sight)
    bounded = sharing is not None and sharing.bounded  # programs know no bounds of efforts
    traced = not bounded and shows_platform(assembly, sight)
    evaluator = Evaluator(assembly, "efforts_sensed", variant, one, by_kernel=traced)
    runner = evaluator.runner(prod(leading_axes(measured | loading.arguments)))
    T_0p = np.full((4, 4), np.nan)  # NumPy finds the pose itself
    if runner is not None:
        T_0p = find_shown_poses(assembly, legs, near)
    found = evaluator(
        {"T_0p": (T_0p, 2), **measured, **loading.arguments},
        engine="numpy" if runner is None else None,
        on_error=on_error,
        suspects=loading.impossible_payloads(),
        runner=runner,
    )
    return found.values[0]
