"""Kernels that a controller calls again and again, with their arrays and loads at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Bound
from gough.mobility.assembly import Assembly
from gough.tracing.states import Variant


class Calls:
    """Bound kernels of one model, made on first demand; for one thread at a time.

    Args:
        assembly: the robot.
        variant: which kernels of the dynamics.
        loads: by the kernels' names; filled in once.
    """

    def __init__(
        self, assembly: Assembly, variant: Variant, loads: Mapping[str, np.ndarray]
    ) -> None:
        self.assembly, self.variant, self.loads = assembly, variant, loads
        self._bound: dict[tuple[str, int], Bound] = {}

    def fresh(self) -> Calls:
        """The same kernels, with other arrays."""
        return Calls(self.assembly, self.variant, self.loads)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_bound": {}}  # arrays that kernels are bound to stay here

    def __call__(
        self,
        quantity: str,
        arrays: Mapping[str, np.ndarray],
        *,
        variant: Variant | None = None,
        by: tuple[str, ...] = (),
    ) -> Bound:
        """A kernel on the states of N machines; of another variant or with derivatives, if told."""
        count = len(next(iter(arrays.values())))
        key = (quantity, count)
        if key not in self._bound:
            chosen = self.variant if variant is None else variant
            bound = self._bound[key] = find_kernel(self.assembly, quantity, chosen, by).bound(count)
            for name, load in self.loads.items():
                if name in bound.inputs:
                    bound.inputs[name][...] = load
        bound = self._bound[key]
        for name, array in arrays.items():
            bound.inputs[name][...] = array
        bound()
        return bound
