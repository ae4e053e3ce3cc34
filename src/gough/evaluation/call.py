"""One call of a public function: what it asks is checked once and held, then answered.

A call of one plain state, or of a small batch, whose kernel is there takes the short way: arrays
are copied into fixed places, the machine code runs, and its residual is looked at.  What has to be
known for that (the row, the method, motors, frozen freedoms, names of loads) is found by the first
call that takes the long way, and is kept with the robot.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

import numpy as np

from gough.base.batch import OnError, check_on_error
from gough.base.conditions import is_valid
from gough.base.options import chosen
from gough.base.progress import Progress, reporter
from gough.compiler.machine_code.kernel import Kernel
from gough.dynamics.answers.frozen import check_frozen, frozen_exactly, warn_of_turning_base
from gough.dynamics.methods import find_method
from gough.dynamics.quantities import ROWS, Quantity
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing, Sharing, check_motors
from gough.errors import InputError
from gough.evaluation.engine import choice_of
from gough.evaluation.evaluator import Arguments, Evaluator, usual
from gough.evaluation.reference import of_one_state
from gough.kinematics.serial_axes import serial_arguments
from gough.mechanism.by_pose import check_pose_tells_all
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.serial import checked_parts
from gough.robot import Robot
from gough.states.state import State, as_state

SMALL = 256
"""States up to which a batch is answered in fixed places; larger ones have arrays of their own."""

_KEPT = 64  # held calls of one robot
_BATCHES = 4  # sizes of batches that a held call has places for


class HeldCall:
    """A quantity of a robot under loads of one kind, and its kernel with places for its arrays.

    Args:
        kernel: that answers.
        evaluator: of larger batches; it settles what the kernel is not sure of.
        parts: how many of pose, twist and twist rate are its first inputs.
    """

    def __init__(self, kernel: Kernel, evaluator: Evaluator, parts: int) -> None:
        self.kernel, self.evaluator, self.parts = kernel, evaluator, parts
        self._own = threading.local()

    def one(self, arrays: Sequence[np.ndarray], loads: Loads | None) -> list[np.ndarray] | None:
        """Outputs at one state; ``None`` where the kernel is not sure."""
        try:
            own = self._own.one
        except AttributeError:
            own = self._own.one = _Places(self.kernel, self.parts)
        if loads is not own.loads:
            if not _fill_loads(own.inputs, loads):
                own.loads = None
                return None
            own.loads = loads
        # one place after the other, and as few names as can be: each costs some 30 ns
        for place, array in zip(own.states, arrays):  # noqa: B905  a state may have more parts
            place[...] = array
        call, argument, flat, outputs = own.ready
        call(argument)
        numbers = flat.tolist()
        # what is not finite leaves no finite sum; neither does NaN in the residual, the last two
        if not (numbers[-1] + numbers[-2] < 1.0 and isfinite(sum(numbers))):
            return None
        if len(outputs) == 1:  # most have one: a loop takes longer than the copy
            return [outputs[0].copy()]
        return [value.copy() for value in outputs]

    def many(
        self, state: State, row: Quantity, tau: np.ndarray | None, loads: Loads | None
    ) -> Sequence[np.ndarray] | None:
        """Outputs at a batch of states; ``None`` for the long way."""
        lead = state.shape
        if not lead or state.has_internal:
            return None
        if len(lead) > 1 or not 0 < lead[0] <= SMALL:
            if loads is not None:
                return None
            given: Arguments = state.arguments(*row.inputs[: row.state_parts])
            given = given if tau is None else {**given, "tau": (tau, 1)}
            return self.evaluator(given, runner=self.kernel).values
        try:
            kept = self._own.many
        except AttributeError:
            kept = self._own.many = {}
        bound = kept.get(lead[0])
        if bound is None:
            if len(kept) >= _BATCHES:
                kept.clear()
            bound = kept[lead[0]] = self.kernel.bound(*lead)
        places = [*bound.inputs.values()]
        if not _fill_loads(places, loads):
            return None
        arrays = [a for a, _ in state.arguments(*row.inputs[: row.state_parts]).values()]
        if tau is not None:
            if tau.shape[:-1] not in ((), lead):
                return None
            arrays.append(tau)
        for place, array in zip(places, arrays, strict=False):
            place[...] = array
        bound()
        *values, doubt = bound.outputs.values()
        if not is_valid(doubt).all() or not all(isfinite(value.sum()) for value in values):
            return None
        return [value.copy() for value in values]


class _Places:
    """Fixed arrays of one state and one thread, bound to a kernel; outputs side by side.

    Attributes:
        inputs, outputs: arrays in order, the residual apart.
        states: the first of the inputs, those of the state, and efforts where it takes any.
        flat: all outputs, the residual last.
        loads: those that stand in their places.
        ready: the machine code, its argument, and what it writes.
    """

    def __init__(self, kernel: Kernel, taken: int) -> None:
        sizes = [prod(shape) for shape in kernel.outputs.values()]
        self.flat = np.zeros(sum(sizes))
        parts = np.split(self.flat, np.cumsum(sizes)[:-1])
        named = zip(kernel.outputs.items(), parts, strict=True)
        outputs = {name: part.reshape(shape) for (name, shape), part in named}
        self._bound = kernel.bound().into(outputs)
        *self.outputs, _ = outputs.values()
        self.inputs = [*self._bound.inputs.values()]
        self.states = self.inputs[: taken + ("tau" in kernel.inputs)]
        self.loads: Loads | None = None
        self.ready = self._bound.call, self._bound.argument, self.flat, tuple(self.outputs)


def _fill_loads(places: Sequence[np.ndarray], loads: Loads | None) -> bool:
    """Write loads into their places, the last ones; not if they need a look at each state."""
    if loads is None:
        return True
    arrays = loads.arrays
    if loads.is_batch or loads.is_impossible:
        return False
    for place, array in zip(places[len(places) - len(arrays) :], arrays, strict=True):
        place[...] = array
    return True


_WITH_SERIAL = {name.removeprefix("serial_") for name, row in ROWS.items() if row.serial}
"""Quantities that machines with serial axes have, too."""


def evaluate(
    robot: Robot,
    quantity: str,
    state: Any,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
    *,
    method: str = "legs",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    tau: np.ndarray | None = None,
    **more: Any,
) -> Sequence[np.ndarray]:
    """The answer to a call of a quantity at states: all outputs of its row, in base axes.

    Args:
        robot: the machine.
        quantity: name of the row; that of machines with serial axes is found by the state.
        state: where the machine is: a State or a pose.
        out: array for the first output.
        on_error: what becomes of states that are refused.
        method: theory of the dynamics.
        loads: what acts besides motors and gravity.
        share: how redundant motors share efforts.
        tau: motor efforts ``(..., n)``, where the row takes them.
        **more: ``progress`` and ``columns``.
    """
    # asked here, as the call alone takes 3 % of the time; what is no robot is refused there
    assembly = robot.assembly if type(robot) is Robot else assembled(robot)
    if type(state) is not State or state._plain is None:
        state = as_state(state, robot, with_internal=quantity in _WITH_SERIAL)
    # the short way: everything but the numbers is as in a call before
    table: dict[Any, HeldCall] | None = vars(assembly).get("held_calls")
    usual_call = out is None and share is None and type(on_error) is str and on_error == "raise"
    if table is not None and usual_call and not more and chosen().engine != "numpy":
        try:
            held = table.get((quantity, method, loads and loads.kind))
        except (AttributeError, TypeError, ValueError):  # no Loads, or no name of a method
            held = None
        if held is not None:
            plain = state._plain
            if plain is None:
                found = held.many(state, ROWS[quantity], tau, loads)
            elif tau is None:
                found = held.one(plain, loads)
            else:
                found = None if tau.ndim > 1 else held.one((*plain[: held.parts], tau), loads)
            if found is not None:
                return found
    row = ROWS[quantity]
    given: Arguments = state.arguments(*row.inputs[: row.state_parts])
    if tau is not None:
        given = {**given, "tau": (tau, 1)}
    if quantity in _WITH_SERIAL:
        quantity, given = with_internal(assembly, quantity, state, given)
    return answered(
        assembly, quantity, given, out, on_error, method=method, loads=loads, share=share, **more
    )


def with_internal(
    assembly: Assembly, quantity: str, state: State, given: Arguments
) -> tuple[str, Arguments]:
    """A quantity and its arguments, those of serial axes included; refused if they are missing."""
    if not state.has_internal:
        check_pose_tells_all(assembly)
        return quantity, given
    name, known = f"serial_{quantity}", {**given, **serial_arguments(assembly, state)}
    parts = checked_parts(assembly)
    if ROWS[name].loaded and parts.turns:
        warn_of_turning_base(parts.core.assembly)
    return name, {key: known[key] for key in ROWS[name].inputs}


def _hold(
    assembly: Assembly,
    quantity: str,
    method: str,
    loads: Loads | None,
    evaluator: Evaluator,
) -> None:
    """Keep a call for the short way, if its kernel is there and calls always pass its checks."""
    table: dict[Any, HeldCall] = vars(assembly).setdefault("held_calls", {})
    key = (quantity, method, None if loads is None else loads.kind)
    kernel = choice_of(assembly, quantity, evaluator.variant).kernel
    if key in table or kernel is None or (loads is not None and loads.base is not None):
        return
    row = ROWS[quantity]
    if row.loaded and not frozen_exactly(row.judged(assembly)):  # every call shall warn
        return
    if row.serial or not 0 < row.state_parts < 4:  # a state with a jerk is never a plain one
        return
    if len(table) >= _KEPT:
        table.clear()  # in one go: threads may be reading
    table[key] = HeldCall(kernel, evaluator, row.state_parts)


def answered(
    assembly: Assembly,
    quantity: str,
    state: Arguments,
    out: np.ndarray | None,
    on_error: OnError,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    progress: Progress | None = None,
    columns: tuple[str, ...] = (),
) -> tuple[np.ndarray, ...]:
    """The answer to a call, the long way: arguments are checked, loads are prepared."""
    report_share = reporter(progress)
    check_on_error(on_error)
    find_method(method)
    whole, arguments, suspects = ROWS[quantity], state, None
    loaded, judged = whole.loaded, whole.judged(assembly)
    if loads is None and share is None and not columns:
        if loaded:
            check_frozen(judged)
        evaluator = usual(assembly, quantity, method)
    else:
        acting = loads if loaded else None
        given = LoadArguments(assembly, acting, carried=whole.carried, judged=judged)
        arguments, suspects = {**state, **given.arguments}, given.impossible_payloads()
        evaluator = _evaluator(assembly, quantity, method, given, share, columns)
    if whole.serial and share is not None:
        raise InputError("share: serial axes share nothing", argument="share")
    if whole.asks_motors:
        check_motors(judged, share)
    found = evaluator(
        arguments,
        on_error=on_error,
        out=out,
        suspects=suspects,
        progress=report_share,
    )
    if share is None and not columns:
        _hold(assembly, quantity, method, loads, evaluator)
    return found.values


def _evaluator(
    assembly: Assembly,
    quantity: str,
    method: str,
    given: LoadArguments,
    share: EffortSharing | None,
    columns: tuple[str, ...],
) -> Evaluator:
    """The quantity with loads, shared efforts or chosen columns."""
    sharing = None if share is None else Sharing(assembly, share)
    redundant = len(assembly.robot.motors) != assembly.mobility
    weights = sharing.weights if sharing is not None and redundant else None
    if ROWS[quantity].columns and sharing is not None and sharing.bounded:
        raise InputError(
            "share has bounds: efforts within bounds are not linear in the parameters",
            hint="Leave out bounds and preload; weights are linear.",
            argument="share",
        )
    variant = Variant.of(given, method, weights=weights, columns=columns)
    reference = of_one_state(assembly, quantity, variant, sharing, check=given.check)
    by_kernel = sharing is None or not sharing.bounded  # kernels know no bounds of efforts
    return Evaluator(assembly, quantity, variant, reference, by_kernel=by_kernel)
