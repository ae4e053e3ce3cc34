"""Many states of a robot with their joints given, by kernels, or by NumPy where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from gough.kernels.evaluator import LARGE, Evaluator
from gough.mobility.assembly import Assembly
from gough.tracing.checked import Checked
from gough.tracing.variant import Variant
from gough.tracing.verdict import finite, is_regular
from gough.tracing.wholes import EVERY

Arrays = dict[str, np.ndarray]

PLAIN = Variant()
LOADED = Variant(payload=True)
"""Dynamics with the figures of a payload as inputs."""


class Looker:
    """Quantities of one robot that take its joints.

    Attributes:
        assembly: the robot.
        threads: most threads for a large batch; all cores if not given.
    """

    def __init__(self, assembly: Assembly, threads: int | None = None) -> None:
        self.assembly, self.threads = assembly, threads
        self.dependent = tuple(i for i in range(6) if i not in assembly.free)

    @cached_property
    def rate_scales(self) -> np.ndarray:
        """Natural size of every joint rate."""
        return self.assembly.scales.rates

    @cached_property
    def is_traced(self) -> bool:
        """Whether the robot has kernels; if not, NumPy takes their place state by state."""
        return Evaluator(self.assembly, "closing_step", PLAIN).kernel(LARGE) is not None

    def look(self, T_0p: np.ndarray, joints: np.ndarray, step: np.ndarray) -> Arrays:
        """What closing takes, with joints ``(K, m)`` moved by a step ``(K, rates)`` first."""
        return self._run("closing_step", [T_0p, joints, step])

    def move(self, T_0p: np.ndarray, joints: np.ndarray, V_r: np.ndarray) -> Arrays:
        """``Psi`` and its ``drift``, ``Psidot V_r``, with a ``doubt``, where they are compiled."""
        return self._run("freedom_motion", [T_0p, joints, V_r])

    def closed_form(self, T_0p: np.ndarray) -> np.ndarray:
        """Joints ``(K, m)`` by the closed form on home's branch; NaN out of reach."""
        return self._run("closed_form", [T_0p])["coordinates"]

    def judge(self, T_0p: np.ndarray, joints: np.ndarray) -> Arrays:
        """Jacobians, limited positions, all closure rows, and those with the freedoms held."""
        found = self._mended("judged", [T_0p, joints])
        rates = len(self.rate_scales)
        held = [*range(rates), *(rates + i for i in self.dependent)]
        return found | {"rows": found["closure_rows"][..., held]}

    def weigh(self, T_0p: np.ndarray, joints: np.ndarray, payload: Sequence[np.ndarray]) -> Arrays:
        """``M_rob`` and ``c_rob`` at rest, with a payload's mass, centre and inertia."""
        return self._mended("weighed", [T_0p, joints, *payload], LOADED)

    def _mended(
        self, quantity: str, arrays: Sequence[np.ndarray], variant: Variant = PLAIN
    ) -> Arrays:
        """Outputs of a kernel, those in doubt worked out again with pivots chosen for them.

        A singular state has no Jacobians, but it has closure rows: nothing is refused here.
        """
        found = self._run(quantity, arrays, variant)
        sure = np.all([finite(a) for a in found.values()], axis=0) & is_regular(found["doubt"])
        whole, machine = EVERY[quantity], Checked(self.assembly, variant)
        cores = whole.input_shapes(self.assembly, variant)
        for k in np.flatnonzero(~sure):
            state = {
                name: a[k] if a.ndim > len(core) else a
                for (name, core), a in zip(cores.items(), arrays, strict=True)
            }
            with np.errstate(all="ignore"):
                again = whole.function(machine, **state)
            for name, value in again.items():
                found[name][k] = value
        return found

    def _run(self, quantity: str, arrays: Sequence[np.ndarray], variant: Variant = PLAIN) -> Arrays:
        """Outputs as a kernel gives them, doubts beside them; NumPy's leave none."""
        evaluate = Evaluator(self.assembly, quantity, variant)
        kernel = evaluate.kernel(LARGE)
        if kernel is not None:
            with np.errstate(all="ignore"):
                return kernel.run(arrays, {}, self.threads)
        count = len(arrays[0])
        values = {name: np.full((count, *c), np.nan) for name, c in evaluate.outputs.items()}
        arguments = {
            name: (a, len(core))
            for (name, core), a in zip(evaluate.inputs.items(), arrays, strict=True)
        }
        evaluate.look(np.ndindex(count), arguments, list(values.values()))
        return values | {"doubt": np.zeros((count, 2))}
