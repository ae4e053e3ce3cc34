"""A quantity of a robot over many states: by its program, by NumPy for what that is not sure of.

A program, interpreted or compiled (:mod:`gough.evaluation.engine`), answers a whole batch and marks
states that it is not sure of.  Those are settled by other means
(:mod:`gough.evaluation.fallback`), in the end by the reference, NumPy with pivots chosen for each,
and only its result counts: the answer, or the named error.  Every function of a batch of states
comes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import isfinite, prod
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError, all_finite, leading_axes, one_state
from gough.base.conditions import is_one_valid, is_valid
from gough.base.once import known_of
from gough.base.options import Engine, chosen
from gough.base.progress import Progress, reported
from gough.compiler.machine_code.kernel import Kernel
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.variant import Variant
from gough.errors import GoughError, InputError, TraceError, reasons
from gough.evaluation.engine import Choice, Runner, choice_of
from gough.evaluation.fallback import Doubtful, settle_doubtful
from gough.evaluation.reference import Reference, of_one_state
from gough.kinematics.serial_axes import CALLED
from gough.mechanism.mobility.assembly import Assembly

Arguments = Mapping[str, tuple[np.ndarray, int]]


class Answer(NamedTuple):
    """Answers to all states of a batch.

    Attributes:
        values: one array an output, NaN in the states that failed.
        failed: which states are refused.
        errors: why, by the index of the state.
    """

    values: tuple[np.ndarray, ...]
    failed: np.ndarray
    errors: dict[tuple[int, ...], GoughError]


class Evaluator:
    """A quantity of a robot.

    Args:
        assembly: the robot.
        quantity: one of :data:`gough.dynamics.quantities.ROWS`.
        variant: which model.
        reference: function whose result counts; the quantity's own with numbers if not given.
        by_kernel: whether a kernel may answer at all.
    """

    def __init__(
        self,
        assembly: Assembly,
        quantity: str,
        variant: Variant,
        reference: Reference | None = None,
        *,
        by_kernel: bool = True,
    ) -> None:
        self.assembly, self.quantity, self.variant = assembly, quantity, variant
        self.reference = reference or of_one_state(assembly, quantity, variant)
        self.by_kernel = by_kernel

    @cached_property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all inputs in order: of the state, of loads, and figures of the robot."""
        return ROWS[self.quantity].input_shapes(self.assembly, self.variant)

    @cached_property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all outputs in order."""
        return ROWS[self.quantity].output_shapes(self.assembly, self.variant)

    def runner(self, states: int, engine: Engine | None = None) -> Runner | None:
        """What answers a batch of so many states; ``None`` is NumPy, state by state."""
        return self._choice.runner(states, engine) if self.by_kernel else None

    def kernel(self, engine: Engine | None = None) -> Kernel | None:
        """The kernel, compiled if it is not there; none where the robot cannot be traced."""
        if not self.by_kernel or (engine or chosen().engine) == "numpy":
            return None
        try:
            return self._choice.compiled()
        except TraceError:
            if (engine or chosen().engine) == "compiled":
                raise
            return None

    @cached_property
    def _choice(self) -> Choice:
        return choice_of(self.assembly, self.quantity, self.variant)

    def __call__(
        self,
        arguments: Arguments,
        *,
        engine: Engine | None = None,
        on_error: OnError = "raise",
        threads: int | None = None,
        out: np.ndarray | None = None,
        suspects: np.ndarray | None = None,
        along: bool = False,
        progress: Progress | None = None,
        runner: Runner | None = None,
    ) -> Answer:
        """Answers to a batch of states.

        Args:
            arguments: arrays and their core axes by name, those of the state first, then of loads.
            engine: that of :class:`gough.options` if not given.
            on_error: ``"raise"`` the first error, naming the state; otherwise all are kept, those
                of poses out of reach without looking for the reason.
            threads: that of :class:`gough.options` if not given.
            out: array for the first output.
            suspects: states that the reference shall see in any case.
            along: whether states follow each other along a motion.  To prove that a pose is out of
                reach takes long: a stretch of doubtful states that fails at both ends is then taken
                to fail in between.
            progress: called with the share done, 0 to 1, between states that the reference sees.
            runner: what answers, where it was decided before.
        """
        lead = leading_axes(arguments)
        if runner is None:
            runner = self.runner(prod(lead), engine)
        threads = chosen().threads if threads is None else threads
        refused = np.zeros(0, dtype=int)
        with reasons(along or on_error == "raise"):
            if runner is None:
                values = [np.full(lead + core, np.nan) for core in self.outputs.values()]
                if out is not None:
                    _check_out(out, values[0].shape)
                left = np.arange(prod(lead))
            else:
                values, left = self._by_program(runner, arguments, lead, threads, out, suspects)
                if len(left) and (suspects is None or not suspects.any()):
                    request = (self.assembly, self.quantity, self.variant, arguments, values)
                    refuse = on_error != "raise" and not along
                    asked = Doubtful(*request, refuse, threads, left, refused)
                    settle_doubtful(asked)
                    left, refused = asked.left, asked.refused
            errors = self._by_numpy(
                left, arguments, lead, values, on_error, along=along, progress=progress
            )
        return _answer(tuple(values), lead, errors, out, refused)

    def _by_numpy(
        self,
        bad: np.ndarray,
        arguments: Arguments,
        lead: tuple[int, ...],
        values: Sequence[np.ndarray],
        on_error: OnError,
        *,
        along: bool,
        progress: Progress | None,
    ) -> dict[tuple[int, ...], GoughError]:
        """Compute some states by the reference."""
        if not len(bad):
            return {}
        if along:
            return self._look_along(bad, arguments, values)
        places = list(zip(*np.unravel_index(bad, lead), strict=True)) if lead else [()]
        return self.look(reported(places, progress), arguments, values, on_error)

    def _by_program(
        self,
        runner: Runner,
        arguments: Arguments,
        lead: tuple[int, ...],
        threads: int | None,
        out: np.ndarray | None,
        suspects: np.ndarray | None,
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """Answers to all states, and the indices of those that the reference must check."""
        # float32 becomes float64: what that leaves open is referred to NumPy, which settles it
        arrays = [np.asarray(a, dtype=float) for a, _ in arguments.values()]
        names = ROWS[self.quantity].outputs
        doubtful: list[np.ndarray] = []
        if not lead and out is None:
            *values, doubt = runner.one(arrays)
            if not is_one_valid(doubt):
                doubtful.append(np.zeros(1, dtype=int))
        else:

            def judge(begin: int, doubts: np.ndarray) -> None:
                sure = is_valid(doubts)
                if not sure.all():
                    doubtful.append(begin + np.flatnonzero(~sure))

            direct = {names[0]: out} if out is not None and _fits(out, arrays) else {}
            results = runner.run(arrays, direct, threads, judge=judge)
            values = [results[name] for name in names]
        return values, _to_be_seen(values, lead, doubtful, suspects)

    def _look_along(
        self, bad: np.ndarray, arguments: Arguments, values: Sequence[np.ndarray]
    ) -> dict[tuple[int, ...], GoughError]:
        """Compute doubtful states of a motion, each stretch from both ends up to a failure."""
        errors: dict[tuple[int, ...], GoughError] = {}
        for stretch in np.split(bad, np.flatnonzero(np.diff(bad) > 1) + 1):
            for value in values:
                value[stretch] = np.nan
            seen: set[int] = set()
            for way in (stretch, stretch[::-1]):
                for k in way.tolist():
                    if k in seen:
                        break
                    seen.add(k)
                    found = self.look([(k,)], arguments, values)
                    errors |= found
                    if found:
                        break
        return errors

    def look(
        self,
        places: Iterable[tuple[int, ...]],
        arguments: Arguments,
        values: Sequence[np.ndarray],
        on_error: OnError = "nan",
    ) -> dict[tuple[int, ...], GoughError]:
        """Compute some states by the reference and write its answers; NaN where it refuses.

        Args:
            places: indices of the states.
            arguments: of all states.
            values: of all states, one array an output, to be written into.
            on_error: ``"raise"`` the first error, or keep all.

        Returns:
            Errors by index.
        """
        errors: dict[tuple[int, ...], GoughError] = {}
        spread: dict[str, np.ndarray] = {}
        for place in places:
            index = tuple(int(i) for i in place)
            if not spread:
                lead = leading_axes(arguments)
                spread = {
                    name: np.broadcast_to(a, lead + a.shape[a.ndim - core :])
                    for name, (a, core) in arguments.items()
                }
            try:
                one = {CALLED.get(name, name): a[index] for name, a in spread.items()}
                found = one_state(self.reference, one)
            except GoughError as err:
                if on_error == "raise":
                    if not index:
                        raise
                    raise err.at_sample(index) from err
                errors[index] = err
                for value in values:
                    value[index or ...] = np.nan
                continue
            for value, answer in zip(values, found, strict=True):
                value[index or ...] = answer
        return errors


@known_of(Assembly)
def usual(assembly: Assembly, quantity: str, method: str = "legs") -> Evaluator:
    """A quantity of a robot without loads, kept with it."""
    return Evaluator(assembly, quantity, Variant(method))


def _answer(
    values: tuple[np.ndarray, ...],
    lead: tuple[int, ...],
    errors: dict[tuple[int, ...], GoughError],
    out: np.ndarray | None,
    refused: np.ndarray,
) -> Answer:
    """Values where the caller wants them, and which states failed; ``refused`` without a reason."""
    failed = np.zeros(lead, dtype=bool)
    if errors:  # of a stretch only its ends have one
        failed = np.asarray(~all_finite(values[0], len(lead)))
    failed.flat[refused] = True
    for index in errors:
        failed[index] = True
    if out is not None and values[0] is not out:
        _check_out(out, values[0].shape)
        out[...] = values[0]
        values = (out, *values[1:])
    return Answer(values, failed, errors)


def _check_out(out: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64:
        got = getattr(out, "shape", type(out).__name__)
        raise InputError(f"out is {got}, expected a float64 array of shape {shape}", argument="out")
    if not out.flags.writeable:
        raise InputError("out is read-only: the answer cannot be written into it", argument="out")


def _to_be_seen(
    values: Sequence[np.ndarray],
    lead: tuple[int, ...],
    doubtful: Sequence[np.ndarray],
    suspects: np.ndarray | None,
) -> np.ndarray:
    """Indices of the states that the reference must check, in order."""
    found = [*doubtful]
    if suspects is not None and suspects.any():
        found.append(np.flatnonzero(np.broadcast_to(suspects, lead)))
    for value in values:
        with np.errstate(invalid="ignore"):  # infinities of both signs: their sum is NaN
            total = value.sum()
        if not isfinite(total):
            found.append(np.flatnonzero(~all_finite(value, len(lead))))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=int)


def _fits(out: Any, arrays: Sequence[np.ndarray]) -> bool:
    """Whether a kernel may write there directly: not into arrays that the reference will read."""
    if not isinstance(out, np.ndarray) or not out.flags.c_contiguous or out.dtype != np.float64:
        return False
    if not out.flags.writeable:
        return False  # refused with its reason when the answer is there
    return not any(np.may_share_memory(out, a) for a in arrays)
