"""The public functions of states, compiled by default; the NumPy reference behind the same face."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np

from gough.arguments import switch
from gough.batch import OnError, as_array
from gough.dynamics import energy as energies
from gough.dynamics import models
from gough.dynamics.energy import Energy
from gough.dynamics.frozen import check_frozen
from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.methods import find_method
from gough.dynamics.models import motion_arguments, pose_arguments, state_arguments
from gough.dynamics.sharing import Share, Sharing
from gough.geometry import inverse as geometry
from gough.kernels.engine import Engine, Options, answered, at_once
from gough.kinematics import inverse as velocities
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.tracing.states import Variant

F = TypeVar("F", bound=Callable[..., Any])
_PLAIN = Variant()

_ENGINE = """
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error:"""


def _compiled(function: F) -> F:
    """Finish a function: its docstring is the reference's, with the arguments of engines."""
    text = _REFERENCES[function.__name__].__doc__ or ""
    function.__doc__ = text.replace("\n        on_error:", _ENGINE, 1)
    return function


_REFERENCES: dict[str, Callable[..., Any]] = {
    "inverse_geometry": geometry.inverse_geometry,
    "inverse_velocity": velocities.inverse_velocity,
    "inverse_acceleration": velocities.inverse_acceleration,
    "inverse_dynamics": models.inverse_dynamics,
    "direct_dynamics": models.direct_dynamics,
    "inertia_matrix": models.inertia_matrix,
    "bias_wrench": models.bias_wrench,
    "energy": energies.energy,
}


def _variant(
    loading: LoadArguments, method: str = "legs", weights: tuple[float, ...] | None = None
) -> Variant:
    """The kernel that a call needs."""
    return Variant(
        method,
        loading.friction,
        loading.rotors,
        loading.smoothing,
        loading.bodies,
        loading.has_payload,
        weights,
    )


@cache
def _bare(method: str, friction: bool, rotors: bool) -> Variant:
    """The kernel of a call without loads."""
    return Variant(method, friction, rotors)


def _usual(method: Any, friction: Any, rotors: Any, engine: Any, on_error: Any) -> bool:
    """Whether a call may be answered without further ado; checked where it may not."""
    return (
        type(friction) is type(rotors) is bool
        and type(method) is type(engine) is type(on_error) is str
        and engine != "numpy"
        and on_error == "raise"
    )


def _is_zero(smoothing: Any) -> bool:
    """Whether there is no speed that smooths friction; anything odd is looked at later."""
    return type(smoothing) in (float, int) and smoothing == 0.0


def _weights(assembly: Assembly, share: Share | None) -> tuple[tuple[float, ...] | None, bool]:
    """Weights of redundant motors, and whether bounds ask for the reference."""
    if share is None:
        return None, False
    sharing = Sharing(assembly, share)
    square = len(assembly.robot.motors) == assembly.mobility
    return (None if square else sharing.weights), sharing.bounded


@_compiled
def inverse_geometry(
    robot: Robot,
    T_0p: Any,
    *,
    branch: Any = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    arguments = pose_arguments(T_0p)

    def reference(T: np.ndarray, *, on_error: OnError) -> Any:
        return geometry.inverse_geometry(robot, T, branch=branch, on_error=on_error)

    # kernels know home's branch only
    options = Options("numpy" if branch is not None else engine, on_error, threads, out)
    return answered(assembly, "inverse_geometry", _PLAIN, arguments, reference, options)


@_compiled
def inverse_velocity(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    arguments = state_arguments(T_0p, V_0p)

    def reference(T: np.ndarray, V: np.ndarray, *, on_error: OnError) -> Any:
        return velocities.inverse_velocity(robot, T, V, on_error=on_error)

    options = Options(engine, on_error, threads, out)
    return answered(assembly, "inverse_velocity", _PLAIN, arguments, reference, options)


@_compiled
def inverse_acceleration(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    arguments = motion_arguments(T_0p, V_0p, Vdot_0p)

    def reference(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray, *, on_error: OnError) -> Any:
        return velocities.inverse_acceleration(robot, T, V, Vdot, on_error=on_error)

    options = Options(engine, on_error, threads, out)
    return answered(assembly, "inverse_acceleration", _PLAIN, arguments, reference, options)


@_compiled
def inverse_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    share: Share | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    plain = external is None and payload is None and share is None and _is_zero(smoothing)
    if plain and out is None and _usual(method, friction, rotors, engine, on_error):
        key = ("inverse_dynamics", method, friction, rotors)
        found = at_once(assembly, key, ((T_0p, (4, 4)), (V_0p, (6,)), (Vdot_0p, (6,))))
        if found is not None:
            return found
    find_method(method)
    check_frozen(assembly, friction=friction)
    models.check_motors(assembly, share)
    options = Options(engine, on_error, threads, out)
    if plain:
        friction, rotors = switch(friction, "friction"), switch(rotors, "rotors")
        return answered(
            assembly,
            "inverse_dynamics",
            _bare(method, friction, rotors),
            motion_arguments(T_0p, V_0p, Vdot_0p),
            partial(
                models.inverse_dynamics, robot, method=method, friction=friction, rotors=rotors
            ),
            options,
        )
    loading = LoadArguments(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    weights, bounded = _weights(assembly, share)
    arguments = motion_arguments(T_0p, V_0p, Vdot_0p) | loading.arguments
    variant = None if bounded else _variant(loading, method, weights)

    def reference(
        T: np.ndarray, V: np.ndarray, Vdot: np.ndarray, *loads: np.ndarray, on_error: OnError
    ) -> Any:
        return models.inverse_dynamics(
            robot, T, V, Vdot, method=method, share=share, on_error=on_error, **loading.again(loads)
        )

    return answered(
        assembly, "inverse_dynamics", variant, arguments, reference, options, loading.suspects()
    )


@_compiled
def direct_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    plain = external is None and payload is None and _is_zero(smoothing)
    if plain and out is None and _usual(method, friction, rotors, engine, on_error):
        key = ("direct_dynamics", method, friction, rotors)
        motors = (len(robot.motors),)
        found = at_once(assembly, key, ((T_0p, (4, 4)), (V_0p, (6,)), (tau, motors)))
        if found is not None:
            return found
    find_method(method)
    check_frozen(assembly, friction=friction)
    options = Options(engine, on_error, threads, out)
    given = {"tau": (as_array(tau, (len(robot.motors),), "tau"), 1)}
    if plain:
        friction, rotors = switch(friction, "friction"), switch(rotors, "rotors")
        return answered(
            assembly,
            "direct_dynamics",
            _bare(method, friction, rotors),
            state_arguments(T_0p, V_0p) | given,
            partial(models.direct_dynamics, robot, method=method, friction=friction, rotors=rotors),
            options,
        )
    loading = LoadArguments(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    arguments = state_arguments(T_0p, V_0p) | given | loading.arguments

    def reference(
        T: np.ndarray, V: np.ndarray, tau: np.ndarray, *loads: np.ndarray, on_error: OnError
    ) -> Any:
        return models.direct_dynamics(
            robot, T, V, tau, method=method, on_error=on_error, **loading.again(loads)
        )

    variant = _variant(loading, method)
    return answered(
        assembly, "direct_dynamics", variant, arguments, reference, options, loading.suspects()
    )


@_compiled
def inertia_matrix(
    robot: Robot,
    T_0p: Any,
    *,
    payload: Any = None,
    rotors: bool = True,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    loading = LoadArguments(assembly, payload=payload, rotors=rotors)

    def reference(T: np.ndarray, *loads: np.ndarray, on_error: OnError) -> Any:
        given = loading.again(loads)
        return models.inertia_matrix(
            robot, T, payload=given["payload"], rotors=rotors, on_error=on_error
        )

    arguments = pose_arguments(T_0p) | loading.arguments
    options = Options(engine, on_error, threads, out)
    return answered(
        assembly,
        "inertia_matrix",
        _variant(loading),
        arguments,
        reference,
        options,
        loading.suspects(),
    )


@_compiled
def bias_wrench(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    loading = LoadArguments(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )

    def reference(T: np.ndarray, V: np.ndarray, *loads: np.ndarray, on_error: OnError) -> Any:
        return models.bias_wrench(robot, T, V, on_error=on_error, **loading.again(loads))

    arguments = state_arguments(T_0p, V_0p) | loading.arguments
    options = Options(engine, on_error, threads, out)
    variant = _variant(loading)
    return answered(
        assembly, "bias_wrench", variant, arguments, reference, options, loading.suspects()
    )


@_compiled
def energy(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    payload: Any = None,
    engine: Engine = "auto",
    threads: int | None = None,
    on_error: OnError = "raise",
) -> Any:
    """See :func:`_compiled`: the docstring is the reference's."""
    assembly = assembled(robot)
    loading = LoadArguments(assembly, payload=payload)

    def reference(T: np.ndarray, V: np.ndarray, *loads: np.ndarray, on_error: OnError) -> Any:
        given = loading.again(loads)
        return energies.energy(robot, T, V, payload=given["payload"], on_error=on_error)

    arguments = state_arguments(T_0p, V_0p) | loading.arguments
    options = Options(engine, on_error, threads)
    variant = _variant(loading)
    found = answered(assembly, "energy", variant, arguments, reference, options, loading.suspects())
    return (Energy(*found[0]), found[1]) if on_error == "mask" else Energy(*found)
