"""The public regressor: ``tau = W chi + tau_0`` with names and units of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.arguments import words
from gough.base.batch import OnError
from gough.base.english import counted
from gough.base.once import known_of
from gough.base.result import Result
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads, as_loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.dynamics.shared.standard import StandardParameter, chosen_parameters, own_figures
from gough.errors import InputError
from gough.evaluation.call import evaluate
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot


@dataclass(frozen=True, eq=False)
class Regressor(Result):
    """Efforts of motions as a linear function of parameters, ``tau = W chi + tau_0``.

    Attributes:
        robot: name of the machine.
        motors: names of the rows.
        names: names of the columns: ``arm1.Iyy``, ``a1.viscous``.
        units: units of the parameters, in the same order.
        W: efforts per unit of each parameter ``(..., motors, columns)``.
        chi: values of the parameters as the robot is described ``(columns,)``; offsets are zero.
        tau_0: efforts that forces and a payload take, whose figures are known ``(..., motors)``
            [N or N m].
    """

    robot: str
    motors: tuple[str, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    W: np.ndarray
    chi: np.ndarray
    tau_0: np.ndarray

    @property
    def tau(self) -> np.ndarray:
        """Efforts of the robot as described, ``W chi + tau_0`` ``(..., motors)`` [N or N m]."""
        return np.asarray(self.W @ self.chi + self.tau_0)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        states = int(np.prod(self.W.shape[:-2]))
        yield "robot", self.robot
        yield "motors", ", ".join(self.motors)
        yield "regressor", f"{counted(states, 'state')}, {counted(len(self.names), 'column')}"
        for name, unit, value in zip(self.names, self.units, self.chi, strict=True):
            yield name, f"{value:.6g} {unit}"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a parameter."""
        return {
            "parameter": np.array(self.names, dtype=object),
            "value": self.chi,
            "unit": np.array(self.units, dtype=object),
        }


def regressor(
    robot: Robot,
    state: Any,
    *,
    parameters: Sequence[str] | None = None,
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    on_error: OnError = "raise",
) -> Regressor:
    """Motor efforts of motions as a linear function of masses, friction and drives.

    Ten parameters of every body, in its own axes and about the origin of its frame: ``m`` [kg],
    ``mx my mz`` (mass times centre) [kg m], ``Ixx Ixy Ixz Iyy Iyz Izz`` (entries of the inertia
    matrix about that origin) [kg m^2].  Of a motor's axis ``rotor``, ``viscous``, ``coulomb``, and
    ``offset``, a constant by which its effort is read wrong; of an axis with a spring ``stiffness``
    and ``stiffness_rest``, their product.  Transmissions are not between: all is at the axes.

    Args:
        robot: the machine.  Masses, friction, rotors and springs of the description do not change
            ``W``; they are in ``chi``.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        parameters: which columns: groups among ``"bodies"`` (those with mass), ``"rotors"``,
            ``"friction"`` and ``"offsets"`` of motors, ``"passive_friction"`` (of all axes without
            motor), ``"springs"``; single names like ``"arm1.Iyy"``; or both.  If not given, all
            but the friction of axes without motor that have none in the description.
        loads: :class:`gough.Loads`: forces and a payload are known and make ``tau_0``; friction and
            rotors have no columns where they do not count.
        share: how more motors than freedoms share the work, by weights; the smallest efforts if not
            given.  Offsets are not shared: each is in the effort of its own motor.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        A :class:`gough.Regressor`: ``W``, names and units of its columns, the described ``chi`` and
        ``tau_0``.

    Raises:
        WrongMotors: fewer motors than freedoms, or more without ``redundant`` or ``share``.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.

    Equations:
        [BK] (12)-(15) for a unit of each parameter.
    """
    assembly = assembled(robot)
    chosen = () if parameters is None else asked_names(parameters)
    acting = as_loads(None) if loads is None else LoadArguments(assembly, loads).loads
    names, units, chi = _described(assembly, chosen, acting.friction, acting.rotors)
    more: dict[str, Any] = {"columns": chosen} if chosen else {}  # none: the short way
    W, tau_0 = evaluate(robot, "regressor", state, None, on_error, loads=loads, share=share, **more)
    return Regressor(robot.name, robot.motors, names, units, W, chi.copy(), tau_0)


@known_of(Assembly)
def _described(
    assembly: Assembly, chosen: tuple[str, ...], friction: bool, rotors: bool
) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray]:
    """Names, units and described values of the parameters that are asked for."""
    columns = chosen_parameters(assembly.robot, chosen, friction=friction, rotors=rotors)
    return *names_and_units(columns), own_figures(assembly.robot, columns)


def asked_names(parameters: Any) -> tuple[str, ...]:
    """Words of an argument ``parameters``: one, or many."""
    asked = (parameters,) if isinstance(parameters, str) else tuple(words(parameters, "parameters"))
    if not asked:
        raise InputError(
            "parameters: there are none", hint="None stands for all.", argument="parameters"
        )
    return asked


def names_and_units(
    columns: Sequence[StandardParameter],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and units of parameters."""
    return tuple(each.name for each in columns), tuple(each.unit for each in columns)
