"""Programs of a robot in the forms of other libraries: one door for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.base.arguments import check_known
from gough.compiler.targets.casadi_function import casadi_function
from gough.compiler.tracing.program import Program
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.errors import InputError
from gough.evaluation.compile import (
    checked_variant,
    whole_program,
    with_columns,
    with_parameters,
)
from gough.evaluation.equations import LISTED, program
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

TARGETS = ("casadi",)
"""What a program can be turned into here; :func:`gough.export_c` writes C."""


def export(
    robot: Robot,
    quantity: str = "inverse_dynamics",
    *,
    target: str = "casadi",
    method: str = "legs",
    loads: Loads | None = None,
    parameters: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Any:
    """A quantity of a robot as a function of another library.

    ``target="casadi"`` gives a ``casadi.Function`` with the inputs and outputs of the kernel that
    :func:`gough.compile` makes, by the same names: vectors are columns, ``T_0p`` is a 4x4 matrix.
    The last output is ``doubt``: an answer is valid where the sum of its two numbers is below 1.
    CasADi differentiates it, through Newton's steps too.  Derivatives by entries of ``T_0p`` mean
    something together only, along motions of the platform; ``"efforts_from_freedoms"`` and
    ``"accelerations_from_freedoms"`` have independent inputs.

    Args:
        robot: the machine; its parameters are baked in, but for those named in ``parameters``.
        quantity: as in :func:`gough.compile`; or, of those in ``gough.trace.program``, one whose
            name is not there: ``"inverse_dynamics_from_motors"``, ``"closed_form"``, ...: these
            have no ``doubt`` and none of the options below.
        target: the library, ``"casadi"``.
        method: theory of the dynamics.
        loads: what acts on the machine: forces and a payload become inputs, whatever their
            numbers are; friction, rotors and smoothing are written into the equations.  Without
            ``smoothing`` Coulomb friction is a jump, whose derivative CasADi takes for zero.
        parameters: figures that become inputs, as in :func:`gough.compile`.
        columns: of ``"regressor"``, as in :func:`gough.compile`.

    Returns:
        The function.  An input that is left out in a call by name counts as NaN.

    Raises:
        InputError: an argument makes no sense, or the library is not installed.
    """
    if isinstance(target, str) and target == "c":
        raise InputError(
            "target: C is written into files", hint="gough.export_c does it.", argument="target"
        )
    check_known(target, TARGETS, "unknown target", "target")
    return casadi_function(traced_quantity(robot, quantity, method, loads, parameters, columns))


def traced_quantity(
    robot: Robot,
    quantity: str,
    method: str = "legs",
    loads: Loads | None = None,
    parameters: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Program:
    """The program of a quantity of states; of one whose joints are given if it has no other."""
    assembly = assembled(robot)
    alone = [name for name in LISTED if name not in PUBLIC]
    check_known(quantity, [*PUBLIC, *alone], "unknown quantity", "quantity")
    if quantity not in alone:
        variant, _ = checked_variant(robot, quantity, method, loads)
        variant = with_parameters(robot, variant, quantity, parameters)
        variant = with_columns(robot, variant, quantity, columns)
        return whole_program(assembly, quantity, variant)
    variant = Variant.of(LoadArguments(assembly, loads), method)
    if variant != Variant() or tuple(parameters) or tuple(columns):
        raise InputError(
            f"{quantity} has no options: neither a method, nor loads, nor parameters",
            argument="quantity",
        )
    return program(robot, quantity)
