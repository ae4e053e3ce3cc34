"""States that a kernel is not sure of, decided by other kernels instead of the slow reference.

Two doubts are common in large batches and take the reference long: poses out of reach, which it
tries to walk to, and motors or springs far from home, whose turns it counts on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

import numpy as np

from gough.base.batch import all_finite
from gough.base.conditions import is_valid
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.axes import counted_names
from gough.dynamics.quantities.parameters import NEAR
from gough.dynamics.quantities.variant import Variant
from gough.geometry.closed_form.reach import decides, open_loops_prove, out_of_reach
from gough.geometry.single import is_single
from gough.kernels.kernel import Kernel
from gough.kernels.turns import counted
from gough.mechanism.mobility.assembly import Assembly

KernelOf = Callable[[str, Variant, int], Kernel | None]
"""The kernel of a quantity and variant, if it pays for so many states."""

OTHERS = ("reach", "turning")
"""Quantities that spare the reference, if time spent there makes their kernels pay."""

_AT_A_POSE = {"T_0p", "V_0p", "Vdot_0p", "tau"}


class Sparing(NamedTuple):
    """A quantity of a robot, and the kernels of other quantities that may decide its doubts.

    Attributes:
        assembly: the robot.
        quantity: what is asked.
        variant: which model.
        kernel_of: kernels of other quantities.
        threads: most threads.
    """

    assembly: Assembly
    quantity: str
    variant: Variant
    kernel_of: KernelOf
    threads: int | None

    def spared(
        self,
        doubtful: np.ndarray,
        arguments: Mapping[str, tuple[np.ndarray, int]],
        values: Sequence[np.ndarray],
        *,
        refuse: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Decide doubtful states and write answers into ``values``; NaN where they are refused.

        Args:
            doubtful: numbers of the states.
            arguments: of all states, with their core axes.
            values: of all states, one array an output.
            refuse: whether poses out of reach may be refused without a reason.

        Returns:
            Numbers of the states that are left to the reference, and of those that are refused.
        """
        nothing, whole = doubtful[:0], ROWS[self.quantity]
        at_poses = _AT_A_POSE.issuperset(whole.inputs)
        of_freedoms = whole.inputs[0] == "x" and whole.outputs[0] == "T_0p"
        if not (at_poses or of_freedoms) or self.variant.parameters:
            return doubtful, nothing
        if at_poses and is_single(arguments["T_0p"][0]):
            return doubtful, nothing
        lead = values[0].shape[: values[0].ndim - len(_cores(self)[0])]
        flat = [v.reshape(prod(lead), *c) for v, c in zip(values, _cores(self), strict=True)]
        arrays = {
            name: np.ascontiguousarray(_rows(a, core, lead)[doubtful], dtype=float)
            for name, (a, core) in arguments.items()
        }
        T_0p = flat[0][doubtful] if of_freedoms else arrays["T_0p"]  # a pose is what they lead to
        gone = self._out_of_reach(T_0p) if refuse else np.zeros(len(doubtful), dtype=bool)
        for value in flat:
            value[doubtful[gone]] = np.nan
        refused, left = doubtful[gone], doubtful[~gone]
        if of_freedoms:
            return left, refused
        found = self._recounted({name: a[~gone] for name, a in arrays.items()})
        if found is None:
            return left, refused
        answers, sure = found
        for value, answer in zip(flat, answers, strict=True):
            value[left[sure]] = answer[sure]
        return left[~sure], refused

    def _out_of_reach(self, T_0p: np.ndarray) -> np.ndarray:
        """Which poses ``(K, 4, 4)`` the closed form proves to be out of reach."""
        kernel = None
        if decides(self.assembly):
            kernel = self.kernel_of("reach", Variant(), len(T_0p))
        if kernel is None:
            return np.zeros(len(T_0p), dtype=bool)
        found = kernel.run([T_0p], {}, self.threads)
        off = found["off"][:, 0] if open_loops_prove(self.assembly) else np.zeros(len(T_0p))
        return out_of_reach(found["margins"], off)

    def _recounted(
        self, arrays: Mapping[str, np.ndarray]
    ) -> tuple[Sequence[np.ndarray], np.ndarray] | None:
        """Answers of K states whose turns a kernel can count, and which of them are valid.

        ``None`` where turns do not matter, or where a kernel does not pay.
        """
        assembly, variant, T_0p = self.assembly, self.variant, arrays["T_0p"]
        positions = self.quantity == "inverse_kinematics"
        if not (positions or variant.sprung(assembly)) or not counted_names(assembly):
            return None
        kernel = self.kernel_of("turning", Variant(), len(T_0p))
        if kernel is None:
            return None
        found = counted(assembly, kernel, T_0p, self.threads)
        if positions:
            return [found.q], found.sure
        wound = self.kernel_of(self.quantity, replace(variant, parameters=(NEAR,)), len(T_0p))
        if wound is None:
            return None
        results = wound.run([*arrays.values(), found.near], {}, self.threads)
        values = [results[name] for name in ROWS[self.quantity].outputs]
        good = np.all([all_finite(value) for value in values], axis=0)
        return values, found.sure & good & is_valid(results["doubt"])


def _cores(asked: Sparing) -> list[tuple[int, ...]]:
    return [*ROWS[asked.quantity].output_shapes(asked.assembly, asked.variant).values()]


def _rows(array: np.ndarray, core: int, lead: tuple[int, ...]) -> np.ndarray:
    """One row for every state."""
    own = array.shape[array.ndim - core :]
    # the count is given: reshape cannot find it from an array without entries
    return np.broadcast_to(array, lead + own).reshape(prod(lead), *own)
