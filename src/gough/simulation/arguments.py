"""Arguments of a simulation: checked, and brought to one row a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.batch import as_array, check_finite
from gough.dynamics.load_arguments import LoadArguments
from gough.errors import InputError, shown
from gough.mobility.assembly import Assembly
from gough.robot.names import nearest
from gough.tracing.parameters import FIGURES, own_values


def check_payload(loading: LoadArguments) -> None:
    """Refuse a payload that no body can have."""
    odd = loading.suspects()
    if odd is None or not odd.any():
        return
    where = tuple(int(i) for i in np.argwhere(odd)[0])
    loads = [
        np.broadcast_to(a, odd.shape + a.shape[a.ndim - core :])[where]
        for a, core in loading.arguments.values()
    ]
    loading.check(loads)  # raises what is wrong with it


def start_of(state: Any) -> tuple[np.ndarray, np.ndarray]:
    """Poses and twists at the start."""
    if isinstance(state, (tuple, list)) and 2 <= len(state) <= 3 and np.ndim(state[0]) >= 2:
        T_0p, V_0p = state[0], state[1]  # a state of a motion has its twist rate, too
    else:
        T_0p, V_0p = state, np.zeros(6)
    return as_array(T_0p, (4, 4), "state", keep_single=True), as_array(
        V_0p, (6,), "state[1]", keep_single=True
    )


def own_parameters(
    assembly: Assembly, given: Mapping[str, Any] | None
) -> dict[str, tuple[np.ndarray, int]]:
    """Figures that differ from the robot's own, checked."""
    found: dict[str, tuple[np.ndarray, int]] = {}
    own = own_values(assembly.robot)
    if given is not None and not isinstance(given, Mapping):
        raise InputError(
            f"parameters are {shown(given)}, expected figures by name", argument="parameters"
        )
    for name, value in (given or {}).items():
        if name not in FIGURES:
            raise InputError(
                f"parameters: no figure {shown(name)}",
                hint=nearest(name, FIGURES),
                argument="parameters",
            )
        array = as_array(value, own[name].shape, f"parameters[{name!r}]")
        check_finite(array, f"parameters[{name!r}]")
        if name == "masses" and (array < 0.0).any():
            raise InputError("parameters['masses'] has one below zero", argument="parameters")
        found[name] = (array, own[name].ndim)
    return found


def by_kernel_names(
    loading: LoadArguments,
    figures: Mapping[str, tuple[np.ndarray, int]],
    lead: tuple[int, ...],
    count: int,
) -> dict[str, np.ndarray]:
    """Loads and parameters by the kernel's names, one row a machine."""
    named = loading.inputs | dict(figures)
    found = {}
    for name, (array, core) in named.items():
        shape = array.shape[array.ndim - core :]
        full = np.broadcast_to(array, lead + shape).reshape(count, *shape)
        check_finite(full, name)
        found[name] = full.copy()
    return found
