"""Loads of a call: checked against the robot, then handed out sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import check_known
from gough.base.batch import check_finite
from gough.base.spatial import Array
from gough.dynamics.answers.frozen import check_frozen, warn_of_turning_base
from gough.dynamics.shared.loads import Loads, as_loads, check_payload
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.schedule import LoadSchedule
from gough.dynamics.shared.state_loads import Push, StateLoads
from gough.errors import InputError
from gough.mechanism.closure.recursion import Motion
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot

Arguments = dict[str, tuple[np.ndarray, int]]

BASE = ("base_felt", "base_omega", "base_alpha")
"""Inputs of a kernel that say how the base moves."""


class LoadArguments:
    """Loads of a call on a robot.

    Args:
        assembly: the robot.
        loads: a :class:`gough.Loads`, or ``None``; loads that change in time are refused.
        carried: whether the base may move.
        judged: the machine whose idle freedoms count, if that is another: the core of one with
            serial axes.

    Attributes:
        loads: the same.
        arguments: arrays for :func:`gough.base.batch.map_states`, after those of the state.
        bodies: bodies that forces act on, once for each force.
    """

    def __init__(
        self,
        assembly: Assembly,
        loads: Any = None,
        *,
        carried: bool = False,
        judged: Assembly | None = None,
    ) -> None:
        if isinstance(loads, LoadSchedule):
            raise InputError(
                "loads is a gough.LoadSchedule, loads that change in time, where single states are "
                "computed",
                hint="Give the loads at the times of the states: loads=schedule.at(t).  "
                "gough.analyse, gough.simulate, gough.motion.fastest and controllers take it.",
                argument="loads",
            )
        self.assembly, self.loads = assembly, as_loads(loads)
        self.arguments: Arguments = {}
        for i, force in enumerate(self.loads.forces):
            check_body(assembly.robot, force.body, f"loads.forces[{i}].body")
            for part in ("point", "f", "n"):
                self.arguments[f"loads.forces[{i}].{part}"] = (getattr(force, part), 1)
        self.bodies = tuple(force.body for force in self.loads.forces)
        payload = self.loads.payload
        if payload is not None:
            self.arguments |= {
                "loads.payload.mass": (payload.mass[..., None], 1),  # a row of one, as kernels take
                "loads.payload.center": (payload.center, 1),
                "loads.payload.inertia": (payload.inertia, 2),
            }
        base = self.loads.base
        if base is not None and not carried:
            raise InputError(
                "loads.base: this is computed of machines whose base rests",
                hint="Functions of single states know a base that moves: gough.inverse_dynamics, "
                "forward_dynamics, reactions, audit, compile, ...",
                argument="loads",
            )
        if base is not None:
            if np.any(base.omega) or np.any(base.alpha):
                warn_of_turning_base(judged or assembly)
            for part in ("felt", "omega", "alpha"):
                self.arguments[f"loads.base.{part}"] = (getattr(base, part), 1)
        check_frozen(judged or assembly, friction=self.loads.friction)

    @property
    def has_payload(self) -> bool:
        """Whether there is a payload."""
        return self.loads.payload is not None

    @property
    def smoothing(self) -> float:
        """Speed that smooths Coulomb friction, where nothing else chooses it [rad/s or m/s]."""
        return self.loads.smoothing or 0.0

    @property
    def inputs(self) -> dict[str, tuple[np.ndarray, int]]:
        """The same arrays by the names that they have as inputs of a kernel."""
        return load_inputs(self.loads)

    def check(self, arrays: Sequence[np.ndarray]) -> None:
        """Refuse loads of one sample that are no numbers, or a payload that no body can have."""
        for name, array in zip(self.arguments, arrays, strict=True):
            check_finite(np.squeeze(array), name)  # a mass is a row of one
        if self.has_payload:
            first = 3 * len(self.bodies)
            check_payload(arrays[first][0], arrays[first + 2])

    def at(self, arrays: Sequence[np.ndarray]) -> StateLoads:
        """The loads of one sample, from its arrays in the order of ``arguments``."""
        self.check(arrays)
        named = dict(zip(self.inputs, arrays, strict=True))
        return state_loads(
            self.assembly,
            self.bodies,
            named,
            payload=self.has_payload,
            base=self.loads.base is not None,
            friction=self.loads.friction,
            rotors=self.loads.rotors,
            smoothing=self.smoothing,
        )

    def only(self) -> StateLoads:
        """The loads of all samples, one for all; refused if they differ from sample to sample."""
        for name, (array, core) in self.arguments.items():
            if array.ndim != core:
                raise InputError(
                    f"{name} has shape {array.shape}: one load a sample, where it must be the same "
                    "all the time",
                    argument="loads",
                )
        return self.at([array for array, _ in self.arguments.values()])

    def impossible_payloads(self) -> np.ndarray | None:
        """Samples whose payload no body can have; ``None`` if there is no payload to check."""
        return self.loads.impossible


def check_loads(assembly: Assembly, loads: Any) -> LoadArguments:
    """Loads that are the same for all states, or change in time; refused if no machine bears them.

    Args:
        assembly: the robot.
        loads: a :class:`gough.Loads`, a :class:`gough.LoadSchedule`, or ``None``.

    Returns:
        What acts at time zero; of a schedule every force is among it, if only as zero.
    """
    given = LoadArguments(assembly, at_time(loads, 0.0))
    given.only()
    return given


def at_time(loads: Any, t: Any) -> Any:
    """Loads at times [s]: those of a schedule, or the given ones, which are always the same."""
    return loads.at(t) if isinstance(loads, LoadSchedule) else loads


def load_inputs(loads: Loads) -> dict[str, tuple[np.ndarray, int]]:
    """Arrays of loads by the names of kernels' inputs, with the number of axes of one state."""
    found: dict[str, tuple[np.ndarray, int]] = {}
    for i, force in enumerate(loads.forces):
        found |= {f"point_{i}": (force.point, 1), f"f_{i}": (force.f, 1), f"n_{i}": (force.n, 1)}
    payload = loads.payload
    if payload is not None:
        found["mass"] = (payload.mass[..., None], 1)  # a row of one, as kernels take
        found |= {"center": (payload.center, 1), "inertia": (payload.inertia, 2)}
    base = loads.base
    if base is not None:
        found |= dict(zip(BASE, ((a, 1) for a in (base.felt, base.omega, base.alpha)), strict=True))
    return found


def input_shapes(bodies: Sequence[str], *, payload: bool, base: bool) -> dict[str, tuple[int, ...]]:
    """Inputs of a kernel that loads add, in order, with their shapes."""
    found: dict[str, tuple[int, ...]] = {}
    for i, _ in enumerate(bodies):
        found |= {f"point_{i}": (3,), f"f_{i}": (3,), f"n_{i}": (3,)}
    found |= {"mass": (1,), "center": (3,), "inertia": (3, 3)} if payload else {}
    return found | (dict.fromkeys(BASE, (3,)) if base else {})


def state_loads(
    assembly: Assembly,
    bodies: Sequence[str],
    given: Mapping[str, Array],
    *,
    payload: bool,
    base: bool,
    **rest: Any,
) -> StateLoads:
    """The loads of one state from arrays by the names of kernels' inputs, numbers or symbols."""
    pushes = tuple(
        Push(body, given[f"point_{i}"], given[f"f_{i}"], given[f"n_{i}"])
        for i, body in enumerate(bodies)
    )
    carried = (
        CentralMass(assembly.robot.platform, given["mass"][0], given["center"], given["inertia"])
        if payload
        else None
    )
    felt, omega, alpha = (given[name] if base else None for name in BASE)
    moving = Motion(np.zeros(3), omega, felt, alpha) if base else None
    gravity = given.get("gravity", assembly.gravity)
    return StateLoads(gravity, pushes, carried, base=moving, **rest)


def check_body(robot: Robot, name: str, argument: str) -> None:
    """Refuse a force on what is no body, or does not move."""
    bodies = [body.name for body in robot.bodies]
    if name == robot.base:
        raise InputError(
            f"{argument}: {name!r} is the base, which bears any force without effort",
            argument=argument,
        )
    check_known(name, bodies, f"{argument}: no body", argument)
