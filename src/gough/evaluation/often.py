"""Programs that are run over and over: with NumPy at first, compiled once that has paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.compiler.machine_code.kernel import Kernel
from gough.compiler.machine_code.native import Native
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program

PAYS = 60
"""Runs after which a program is compiled.

LLVM's plainest code takes as long as some sixty runs of a few dozen states, whatever the length of
the program, measured; a count and no time, so that the same calls take the same ways.
"""


class Often:
    """A program that is run with NumPy until it was run often, and then compiled.

    Both give the same bits, but for the last one of sines and their like.

    Args:
        program: what is computed.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._runs = 0
        self._kernel: Kernel | None = None

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Outputs by name; inputs may have leading batch axes.  Singular states give NaN."""
        if self._kernel is None:
            self._runs += 1
            if self._runs <= PAYS:
                return run(self.program, inputs)
            # no liberties of rounding, so that nobody notices; two threads may both compile
            self._kernel = Kernel(self.program, 0.0, Native(self.program, flags="", level=0))
        return self._kernel(**inputs)
