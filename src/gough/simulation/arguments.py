"""Arguments of a simulation: checked, and brought to one row a machine; and where it starts."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.batch import as_array, check_finite
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.quantities.parameters import FIGURES, own_values, stand_in
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.errors import InputError, shown
from gough.functions.dynamics import forward_dynamics
from gough.functions.kinematics import motor_rates
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.states.state import State


def check_payload(loading: LoadArguments) -> None:
    """Refuse a payload that no body can have."""
    odd = loading.impossible_payloads()
    if odd is None or not odd.any():
        return
    where = tuple(int(i) for i in np.argwhere(odd)[0])
    loads = [
        np.broadcast_to(a, odd.shape + a.shape[a.ndim - core :])[where]
        for a, core in loading.arguments.values()
    ]
    loading.check(loads)  # raises what is wrong with it


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


def a_row_each(array: np.ndarray, core: int, lead: tuple[int, ...]) -> np.ndarray:
    """Broadcast an array with ``core`` last axes to machines ``lead``: one row a machine."""
    shape = array.shape[array.ndim - core :]
    return np.broadcast_to(array, lead + shape).reshape(prod(lead), *shape).copy()


def by_kernel_names(
    loading: LoadArguments,
    figures: Mapping[str, tuple[np.ndarray, int]],
    lead: tuple[int, ...],
) -> dict[str, np.ndarray]:
    """Loads and parameters by the kernel's names, one row a machine."""
    named = loading.inputs | dict(figures)
    found = {}
    for name, (array, core) in named.items():
        found[name] = a_row_each(array, core, lead)
        check_finite(found[name], name)
    return found


def check_start(
    robot: Robot, T_0p: np.ndarray, V_0p: np.ndarray, given: Mapping[str, np.ndarray], loads: Loads
) -> None:
    """Raise what is wrong with the start of a simulation.

    Figures in the place of the robot's own may change inertia and the effect of frozen freedoms:
    then the pose is checked by itself, and the frozen freedoms of every machine are measured.

    Args:
        robot: the machine.
        T_0p: poses.
        V_0p: twists.
        given: loads and figures by the kernel's names, one row a machine.
        loads: what acts on the machines.
    """
    names = [name for name in FIGURES if name in given]
    if not names:
        forward_dynamics(robot, State(T_0p, V_0p), np.zeros(len(robot.motors)), loads=loads)
        return
    motor_rates(robot, State(T_0p, V_0p))
    if not robot.assembly.idle:
        return
    rows = {
        tuple(given[name][i].tobytes() for name in names): i for i in range(len(given[names[0]]))
    }
    for i in rows.values():
        figures = stand_in(robot, names, {name: given[name][i] for name in names})
        check_frozen(robot.assembly, friction=loads.friction, figures=figures)
