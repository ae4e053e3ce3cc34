"""Compliance of many postures, by a kernel: leg by leg, where the loads of joints tell all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base.once import find_fact
from gough.dynamics.quantities.variant import Variant
from gough.elastic.drives import Drive
from gough.elastic.leg_wise import parts_of
from gough.elastic.modelling import Options
from gough.evaluation.evaluator import Evaluator
from gough.mechanism.mobility.assembly import Assembly


def compliances(
    assembly: Assembly,
    T_0p: np.ndarray,
    drives: Mapping[str, Drive],
    options: Options,
    threads: int | None = None,
) -> np.ndarray:
    """Platform's displacement per wrench at its origin ``(K, 6, 6)``; NaN if not answered.

    Args:
        assembly: the robot.
        T_0p: poses of the platform ``(K, 4, 4)``.
        drives: how motors hold, by name.
        options: what counts.
        threads: most threads; all cores if not given.
    """
    held = tuple((name, *drive) for name, drive in drives.items())
    key = (_evaluator, tuple(options), held)
    evaluate = find_fact(assembly, key, lambda a: _evaluator(a, drives, options))
    if evaluate is None:
        return np.full((len(T_0p), 6, 6), np.nan)
    return evaluate({"T_0p": (T_0p, 2)}, on_error="nan", threads=threads).values[0]


def _evaluator(
    assembly: Assembly, drives: Mapping[str, Drive], options: Options
) -> Evaluator | None:
    parts = parts_of(assembly, drives, options)
    if parts is None:
        return None
    return Evaluator(assembly, "compliance", Variant(parts=parts))
