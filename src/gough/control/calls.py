"""Kernels that a controller calls again and again, with their arrays and loads at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.smoothing import STEP, coulomb_axes, one_an_axis, smoothing_speeds
from gough.kernels.compile import find_kernel
from gough.kernels.kernel import Bound
from gough.mobility.assembly import Assembly
from gough.tracing.parameters import SMOOTHING
from gough.tracing.states import Variant


def model_calls(
    assembly: Assembly, loading: LoadArguments, smoothing: float | None, weights: Any = None
) -> Calls:
    """Kernels of a controller's model under constant loads.

    Args:
        assembly: the robot as the controller knows it.
        loading: what acts on it.
        smoothing: speed that smooths Coulomb friction; ``None``: as the simulated machine has it.
        weights: of the motors, where there are more than freedoms.
    """
    rubs = coulomb_axes(assembly.robot) if loading.friction and smoothing is None else {}
    variant = Variant(
        "legs",
        loading.friction,
        True,
        loading.smoothing,
        (),
        loading.has_payload,
        weights,
        parameters=(SMOOTHING,) if rubs else (),
    )
    loads = {
        name: array if core else array[..., None]
        for name, (array, core) in zip(variant.inputs, loading.arguments.values(), strict=True)
    }
    if rubs:
        speeds = smoothing_speeds(assembly, rubs, STEP)
        loads[SMOOTHING] = one_an_axis(assembly.robot, speeds)
    return Calls(assembly, variant, loads)


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

    def smoothed(self, speeds: Mapping[str, float]) -> Calls:
        """The same kernels with other speeds over which Coulomb friction is smoothed.

        As it was if they are none of the inputs: the model was told its own speed.
        """
        if SMOOTHING not in self.loads:
            return self
        own = dict(zip(self.assembly.robot.axis_names, self.loads[SMOOTHING], strict=True))
        loads = {**self.loads, SMOOTHING: one_an_axis(self.assembly.robot, {**own, **speeds})}
        return Calls(self.assembly, self.variant, loads)

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
