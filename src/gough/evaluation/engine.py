"""Which engine answers: NumPy, the interpreted program or a kernel.  One decision, in one place.

A program is traced in the time that NumPy takes for some four to twelve states, and interpreted it
answers one state five to eight times as fast as NumPy, and a thousand in the time of two.
Compiling takes as long as sixty interpreted calls of any small batch, or as some sixty thousand
states at once, and longer for programs with many outputs; a kernel that another process has kept on
disk is there in 3 ms.  All of these grow with the length of the program (measured), so that counts
decide and no clock: the same calls take the same ways on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.batch import leading_axes
from gough.base.once import known_of
from gough.base.options import Engine, chosen
from gough.compiler.machine_code.kernel import Judge, Kernel
from gough.compiler.machine_code.native import Native
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.dynamics.quantities.variant import Variant
from gough.errors import TraceError
from gough.evaluation.compile import find_kernel, stored_kernel, whole_program
from gough.mechanism.mobility.assembly import Assembly

BATCH = 8
"""States of one call from which on a quantity is traced; fewer are answered by NumPy."""

ASKED = 8
"""States of a quantity of one robot, call by call, from which on it is traced as well."""

UNITS = 64
"""Interpreted work after which a program is compiled: 1 a call, and 1 for every thousand states."""

STORING = 33.0
"""How much longer an output takes to compile than an instruction: LLVM looks at pairs of stores."""

_BLOCK = 4096  # states that are interpreted at a time: few enough for their arrays to stay small
_KEPT = 256  # records of one robot


class Interpreted:
    """A program that NumPy runs over many states, with the calls of a kernel.

    Args:
        program: what is computed.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.inputs = {port.name: port.shape for port in program.inputs}
        self.outputs = {port.name: port.shape for port in program.outputs}

    def run(
        self,
        arrays: Sequence[np.ndarray],
        out: Mapping[str, np.ndarray],
        threads: int | None = None,
        *,
        judge: Judge | None = None,
    ) -> dict[str, np.ndarray]:
        """Outputs by name, as :meth:`gough.Kernel.run` has them."""
        given = dict(zip(self.inputs, arrays, strict=True))
        cores = {name: len(shape) for name, shape in self.inputs.items()}
        lead = leading_axes({name: (a, cores[name]) for name, a in given.items()})
        count = int(np.prod(lead))
        flat = {name: _rows(a, cores[name], lead, count) for name, a in given.items()}
        found = {name: np.empty((count, *shape)) for name, shape in self.outputs.items()}
        for begin in range(0, count, _BLOCK):
            part = slice(begin, begin + _BLOCK)
            block = {n: a[part] if a.ndim > cores[n] else a for n, a in flat.items()}
            for name, values in run(self.program, block).items():
                found[name][part] = values
        if judge is not None:
            judge(0, found.pop("doubt"))
        found = {name: a.reshape(lead + self.outputs[name]) for name, a in found.items()}
        for name, place in out.items():
            place[...] = found[name]
            found[name] = place
        return found

    def one(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Outputs in order, of one state."""
        return [*run(self.program, dict(zip(self.inputs, arrays, strict=True))).values()]


def _rows(array: np.ndarray, core: int, lead: tuple[int, ...], count: int) -> np.ndarray:
    """States in one row; what all share stays one, which is run as plain numbers."""
    own = array.shape[array.ndim - core :]
    if array.size == int(np.prod(own)):
        return array.reshape(own)
    return np.broadcast_to(array, lead + own).reshape(count, *own)


Runner = Kernel | Interpreted


class LazyKernel:
    """A program of one's own that is run with NumPy until that was often, and then compiled.

    Both give the same bits, but for the last one of sines and their like.

    Args:
        program: what is computed.

    Attributes:
        enough: runs from which on it is compiled.
    """

    enough: float = UNITS

    def __init__(self, program: Program) -> None:
        self.program = program
        self._units = 0
        self._kernel: Kernel | None = None

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Outputs by name; inputs may have leading batch axes.  Singular states give NaN."""
        if self._kernel is None:
            self._units += 1
            if self._units <= self.enough:
                return run(self.program, inputs)
            # no liberties of rounding, so that nobody notices; two threads may both compile
            self._kernel = Kernel(self.program, 0.0, Native(self.program, flags="", level=0))
        return self._kernel(**inputs)


class Choice:
    """The engines of one quantity of a robot; kept with it.

    Args:
        assembly: the robot.
        quantity: of :data:`gough.dynamics.quantities.ROWS`.
        variant: which model.

    Attributes:
        kernel: machine code, if it is there.
    """

    def __init__(self, assembly: Assembly, quantity: str, variant: Variant) -> None:
        self._request = (assembly, quantity, variant)
        self.kernel: Kernel | None = None
        self._program: Program | None = None
        self._states, self._units, self._enough = 0, 0.0, float(UNITS)
        self._untraceable = False

    def runner(self, count: int, engine: Engine | None = None) -> Runner | None:
        """What answers a batch of ``count`` states; ``None`` is NumPy, state by state.

        Raises:
            TraceError: with the engine ``"compiled"``, the robot cannot be traced.
        """
        engine = engine or chosen().engine
        if engine == "numpy":
            return None
        if self.kernel is not None:
            return self.kernel
        if engine == "compiled":
            return self.compiled()
        if self._untraceable:
            return None
        self._states += count
        if count < BATCH and self._states < ASKED:
            return None
        if self._program is None:
            self.kernel = stored_kernel(*self._request)
            if self.kernel is not None:
                return self.kernel
            try:
                self._program = whole_program(*self._request)
                self._enough = UNITS * compiling_cost(self._program)
            except TraceError:
                self._untraceable = True  # NumPy knows why
                return None
        self._units += 1.0 + count / 1000.0
        return Interpreted(self._program) if self._units < self._enough else self.compiled()

    def compiled(self) -> Kernel:
        """The kernel, made if it is not there.

        Raises:
            TraceError: the robot cannot be traced.
        """
        if self.kernel is None:
            self.kernel = find_kernel(*self._request, program=self._program)
            self._program = None  # the kernel has it
        return self.kernel


def compiling_cost(program: Program) -> float:
    """How long a program takes to compile beside what it takes to run; 1 with few outputs."""
    results = (value for row in program.results for value in row)
    varying = sum(program.instructions[value].op != "const" for value in results)
    return 1.0 + STORING * varying / max(len(program), 1)


@known_of(Assembly)
def _choices(assembly: Assembly) -> dict[Any, Choice]:
    """Records of the quantities of a robot."""
    return {}


def choice_of(assembly: Assembly, quantity: str, variant: Variant) -> Choice:
    """The record of a quantity of a robot."""
    kept = _choices(assembly)
    key = (quantity, variant)
    found = kept.get(key)
    if found is None:
        if len(kept) >= _KEPT:
            kept.clear()  # in one go: threads may be reading
        found = kept[key] = Choice(assembly, quantity, variant)
    return found
