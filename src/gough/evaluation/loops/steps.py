"""Many states of a robot with their joints given, by kernels, or by NumPy where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from gough.base.options import Engine
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.engine import BATCH, Runner, choice_of
from gough.evaluation.evaluator import Evaluator
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.varying import row_pattern

Arrays = dict[str, np.ndarray]

PLAIN = Variant()
LOADED = Variant(payload=True)
"""Dynamics with the figures of a payload as inputs."""


class ClosingSteps:
    """Quantities of one robot that take its joints.

    Attributes:
        assembly: the robot.
        threads: most threads for a large batch; all cores if not given.
    """

    def __init__(self, assembly: Assembly, threads: int | None = None) -> None:
        self.assembly, self.threads = assembly, threads
        self.dependent = tuple(i for i in range(6) if i not in assembly.free)

    @cached_property
    def is_traced(self) -> bool:
        """Whether the robot has kernels; if not, NumPy takes their place state by state."""
        return self._runner("closing_step", BATCH) is not None

    def look(self, T_0p: np.ndarray, joints: np.ndarray, step: np.ndarray) -> Arrays:
        """Outputs of ``closing_step``, joints ``(K, m)`` moved by a step ``(K, rates)`` first."""
        return self._seen("closing_step", T_0p, joints, step)

    def move(self, T_0p: np.ndarray, joints: np.ndarray, V_r: np.ndarray) -> Arrays:
        """``Psi`` and its ``drift``, ``Psidot V_r``, with a ``doubt``, where they are compiled."""
        return self._seen("freedom_motion", T_0p, joints, V_r)

    def closed_form(self, T_0p: np.ndarray) -> np.ndarray:
        """Joints ``(K, m)`` by the closed form on home's branch; NaN out of reach."""
        return self._seen("closed_form", T_0p)["coordinates"]

    def judge(self, T_0p: np.ndarray, joints: np.ndarray) -> Arrays:
        """Jacobians, limited positions, all closure rows, and those with the freedoms held."""
        found = self._sure("judged", T_0p, joints)
        rates = len(self.assembly.scales.rates)
        held = [*range(rates), *(rates + i for i in self.dependent)]
        rows = row_pattern(self.assembly).rows(found.pop("row_entries"))
        return found | {"closure_rows": rows, "rows": rows[..., held]}

    def step(
        self, T_0p: np.ndarray, joints: np.ndarray, step: np.ndarray, platform: np.ndarray
    ) -> Arrays:
        """Outputs of ``limited_step``: joints and platform moved, rows of loops and limits there.

        Args:
            T_0p: poses ``(K, 4, 4)``.
            joints: packed ``(K, m)``.
            step: of the joints ``(K, rates)`` [m or rad].
            platform: translations and Cayley vectors ``(K, 6)`` [m, rad].
        """
        return self._seen("limited_step", T_0p, joints, step, platform)

    def weigh(self, T_0p: np.ndarray, joints: np.ndarray, payload: Sequence[np.ndarray]) -> Arrays:
        """``M_rob`` and ``c_rob`` at rest, with a payload's mass, centre and inertia."""
        return self._sure("weighed", T_0p, joints, *payload, variant=LOADED)

    def place(self, T_0p: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """Rotation and position of every body ``(K, bodies, 3, 4)``."""
        return self._sure("bodies_assembled", T_0p, joints)["body_poses"]

    def _seen(self, quantity: str, *arrays: np.ndarray) -> Arrays:
        """Outputs as a kernel gives them, doubts beside them; NumPy's leave none."""
        program = self._runner(quantity, len(arrays[0]))
        if program is None:
            return self._sure(quantity, *arrays) | {"doubt": np.zeros((len(arrays[0]), 2))}
        with np.errstate(all="ignore"):
            return program.run(arrays, {}, self.threads)

    def _runner(self, quantity: str, count: int) -> Runner | None:
        """The program of a quantity from the first state on: loops ask for many, call by call."""
        return choice_of(self.assembly, quantity, PLAIN).runner(max(count, BATCH))

    def _sure(self, quantity: str, *arrays: np.ndarray, variant: Variant = PLAIN) -> Arrays:
        """Outputs, those in doubt worked out again with pivots chosen for them.

        A singular state has no Jacobians, but it has closure rows: nothing is refused here.
        """
        evaluate = Evaluator(self.assembly, quantity, variant)
        traced = choice_of(self.assembly, quantity, variant).runner(max(len(arrays[0]), BATCH))
        cores = evaluate.inputs.items()
        given = {name: (a, len(core)) for (name, core), a in zip(cores, arrays, strict=True)}
        engine: Engine | None = "numpy" if traced is None else None
        with np.errstate(all="ignore"):
            found = evaluate(given, engine=engine, on_error="nan", threads=self.threads)
        return dict(zip(evaluate.outputs, found.values, strict=True))
