"""One call of a public function: checks arguments, prepares loads and calls the evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, check_on_error
from gough.base.options import chosen
from gough.base.progress import Progress, reporter
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.methods import find_method
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing, Sharing, check_motors
from gough.errors import InputError
from gough.kernels.evaluator import (
    Arguments,
    Evaluator,
    usual,
)
from gough.kernels.reference import of_one_state
from gough.mechanism.mobility.assembly import Assembly


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
    """The answer to a call."""
    report_share = reporter(progress)
    check_on_error(on_error)
    find_method(method)
    whole, arguments, suspects = ROWS[quantity], state, None
    loaded, judged = whole.loaded, whole.judged(assembly)
    if loads is None and share is None and not columns:
        if loaded:
            check_frozen(judged)
        evaluate = usual(assembly, quantity, method)
    else:
        acting = loads if loaded else None
        given = LoadArguments(assembly, acting, carried=whole.carried, judged=judged)
        arguments, suspects = {**state, **given.arguments}, given.impossible_payloads()
        evaluate = _evaluator(assembly, quantity, method, given, share, columns)
    if whole.serial and share is not None:
        raise InputError("share: serial axes share nothing", argument="share")
    if whole.asks_motors:
        check_motors(judged, share)
    found = evaluate(
        arguments,
        on_error=on_error,
        out=out,
        suspects=suspects,
        progress=report_share,
    )
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


def bare_model(method: Any, loads: Any, on_error: Any) -> tuple[str, bool, bool] | None:
    """The model of a call without forces, which an existing kernel may answer directly."""
    if not (type(method) is type(on_error) is str):
        return None
    if on_error != "raise" or chosen().engine == "numpy":
        return None
    if loads is None:
        return method, True, True
    if type(loads) is not Loads or loads.forces or loads.payload is not None or loads.smoothing:
        return None
    if loads.base is not None:
        return None
    return method, loads.friction, loads.rotors
