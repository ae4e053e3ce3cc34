"""A quantity that is computed again and again for the same machines, as controllers do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base.conditions import is_valid
from gough.evaluation.evaluator import Evaluator


class Repeated:
    """A quantity of N machines, computed again and again in fixed arrays; one thread at a time.

    Args:
        evaluator: the quantity.
        count: N.
        constants: inputs that stay the same, by name.
    """

    def __init__(
        self, evaluator: Evaluator, count: int, constants: Mapping[str, np.ndarray]
    ) -> None:
        self.evaluator, self.count = evaluator, count
        kernel = evaluator.kernel()
        self._bound = None if kernel is None else kernel.bound(count)
        own = evaluator.inputs
        self.inputs = (
            {name: np.zeros((count, *shape)) for name, shape in own.items()}
            if self._bound is None
            else self._bound.inputs
        )
        for name, value in constants.items():
            if name in self.inputs:
                self.inputs[name][...] = value

    def __call__(self, **arrays: np.ndarray) -> list[np.ndarray]:
        """Answers of all machines; where the reference refuses one of several, it is NaN."""
        for name, array in arrays.items():
            self.inputs[name][...] = array
        outputs = self.evaluator.outputs
        if self._bound is None:
            values = [np.full((self.count, *shape), np.nan) for shape in outputs.values()]
            bad = np.arange(self.count)
        else:
            self._bound()
            values = [self._bound.outputs[name].copy() for name in outputs]
            sure = is_valid(self._bound.outputs["doubt"])
            if sure.all():
                return values
            bad = np.flatnonzero(~sure)
        given = {name: (a, a.ndim - 1) for name, a in self.inputs.items()}
        if self.count == 1:  # no other machine has an answer to keep
            one = {name: (a[0], core) for name, (a, core) in given.items()}
            self.evaluator.look([()], one, [value[0] for value in values], "raise")
        else:
            self.evaluator.look([(int(i),) for i in bad], given, values)
        return values
