"""Platform poses that sensors on the legs show, of many states at once.

As :func:`gough.dynamics.elements.shown_pose.pose_of_legs` finds that of one state.
"""

from __future__ import annotations

from math import prod

import numpy as np

from gough.base import turns
from gough.base.batch import leading_axes
from gough.base.conditions import is_valid
from gough.base.options import chosen
from gough.dynamics.elements.camera import LegStates, SensorSet
from gough.dynamics.elements.shown_pose import fit_poses, pose_from_legs
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.engine import BATCH, choice_of
from gough.evaluation.loops.state import state
from gough.evaluation.loops.steps import Arrays
from gough.mechanism.mobility.assembly import Assembly


def find_shown_poses(assembly: Assembly, legs: LegStates, near: np.ndarray | None) -> np.ndarray:
    """Poses ``(..., 4, 4)`` that sensors show; NaN in the states that need a look of their own.

    Args:
        assembly: the robot.
        legs: what is seen.
        near: where a pose that is fitted starts; home if not given.
    """
    measured = legs.measured()
    lead, seen = leading_axes(measured), {}
    for name, (array, core) in measured.items():
        own = array.shape[array.ndim - core :]
        seen[name] = np.broadcast_to(array, lead + own).reshape(prod(lead), *own)
    with np.errstate(all="ignore"):
        if pose_from_legs(assembly, legs.sight) is None:
            start = np.array(assembly.start[0] if near is None else near)
            T = _fit(assembly, legs.sight, seen, np.repeat(start[None], prod(lead), axis=0))
        else:
            T = _run(assembly, "pose_by_sums", legs.sight, seen)["T_0p"]
            if assembly.mobility < 6:
                # what is seen is never quite in the robot's mobility: keep its own freedoms
                w = turns.logs(T[:, :3, :3] @ assembly.chart.R_ref.T)
                y = np.concatenate([T[:, :3, 3], w], axis=1)
                T = _place(assembly, y[:, list(assembly.free)])
    return T.reshape(*lead, 4, 4)


def _fit(assembly: Assembly, sight: SensorSet, seen: Arrays, start: np.ndarray) -> np.ndarray:
    def see(T_0p: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        some = {name: array[which] for name, array in seen.items()}
        found = _run(assembly, "sensed_fit_step", sight, {"T_0p": T_0p, **some})
        return found["fit_step"], found["Psi"]

    def place(x: np.ndarray) -> np.ndarray:
        return _place(assembly, x)

    return fit_poses(assembly, start, see, place)


def _place(assembly: Assembly, x: np.ndarray) -> np.ndarray:
    """Poses at freedoms, NaN where loops cannot be closed."""
    return state(assembly.robot, x, on_error="nan").T_0p


def _run(assembly: Assembly, quantity: str, sight: SensorSet, seen: Arrays) -> Arrays:
    """Outputs of a program, NaN where it is not sure, or where there is none."""
    row, variant, count = ROWS[quantity], Variant(sight=sight), len(next(iter(seen.values())))
    runner = choice_of(assembly, quantity, variant).runner(max(count, BATCH))
    if runner is None:
        cores = row.output_shapes(assembly, variant)
        return {name: np.full((count, *core), np.nan) for name, core in cores.items()}
    arrays = [seen[name] for name in row.own_inputs(assembly, variant)]
    found = runner.run(arrays, {}, chosen().threads)
    bad = ~is_valid(found.pop("doubt"))
    for array in found.values():
        array[bad] = np.nan
    return found
