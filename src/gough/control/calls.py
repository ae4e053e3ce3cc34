"""A controller's model: quantities asked again and again, with their arrays and loads at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.loads import Loads
from gough.dynamics.smoothing import STEP, coulomb_axes, one_an_axis, smoothing_speeds
from gough.kernels.evaluator import Evaluator
from gough.kernels.repeated import Repeated
from gough.mobility.assembly import Assembly
from gough.tracing.parameters import SMOOTHING
from gough.tracing.variant import Variant


def model_calls(assembly: Assembly, loads: Loads | None, weights: Any = None) -> Calls:
    """A controller's model under constant loads.

    Args:
        assembly: the robot as the controller knows it.
        loads: what acts on it; where no smoothing is given, Coulomb friction is smoothed as in the
            simulated machine.
        weights: of the motors, where there are more than freedoms.
    """
    given = LoadArguments(assembly, loads)
    given.only()
    follows = given.loads.friction and given.loads.smoothing is None
    rubs = coulomb_axes(assembly.robot) if follows else {}
    variant = Variant.of(given, weights=weights, parameters=(SMOOTHING,) if rubs else ())
    constants = {name: array for name, (array, _) in given.inputs.items()}
    if rubs:
        speeds = smoothing_speeds(assembly, rubs, STEP)
        constants[SMOOTHING] = one_an_axis(assembly.robot, speeds)
    return Calls(assembly, variant, constants)


class Calls:
    """Quantities of one model, made ready on first demand; for one thread at a time.

    Args:
        assembly: the robot.
        variant: which model.
        constants: loads and speeds by the names of kernels' inputs.
    """

    def __init__(
        self, assembly: Assembly, variant: Variant, constants: Mapping[str, np.ndarray]
    ) -> None:
        self.assembly, self.variant, self.constants = assembly, variant, constants
        self._ready: dict[tuple[str, int], Repeated] = {}

    def fresh(self) -> Calls:
        """The same model, with other arrays."""
        return Calls(self.assembly, self.variant, self.constants)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_ready": {}}  # arrays that kernels are bound to stay here

    def smoothed(self, speeds: Mapping[str, float]) -> Calls:
        """The same model with other speeds over which Coulomb friction is smoothed.

        As it was if they are none of the inputs: the model was told its own speed.
        """
        if SMOOTHING not in self.constants:
            return self
        own = dict(zip(self.assembly.robot.axis_names, self.constants[SMOOTHING], strict=True))
        wider = {SMOOTHING: one_an_axis(self.assembly.robot, {**own, **speeds})}
        return Calls(self.assembly, self.variant, {**self.constants, **wider})

    def __call__(self, quantity: str, **arrays: np.ndarray) -> list[np.ndarray]:
        """Answers for N machines; the error of a single machine, NaN for one of several."""
        key = (quantity, len(next(iter(arrays.values()))))
        if key not in self._ready:
            evaluator = Evaluator(self.assembly, quantity, self.variant)
            self._ready[key] = Repeated(evaluator, key[1], self.constants)
        return self._ready[key](**arrays)
