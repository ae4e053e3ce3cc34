"""Equations of a quantity with the joints given: for reading, counting and other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gough.base.arguments import check_known
from gough.base.once import known_of
from gough.base.spatial import Array
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.tracer import trace
from gough.dynamics.methods import find_method
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.states import SilentSymbols
from gough.dynamics.quantities.variant import Variant
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot

LISTED = tuple(name for name, row in ROWS.items() if not row.serial)
"""Quantities that have such equations."""


def program(robot: Robot, quantity: str, *, method: str = "legs") -> Program:
    """The equations of a quantity of a robot as a program, the joints being given.

    Conditions are left out: the joints must be those of the pose, and the state must be regular.

    Args:
        robot: the machine; its parameters are baked in.
        quantity: as in :func:`gough.compile`; or ``"closed_form"``: all joints from the pose,
            ``"jacobians"``: ``J_inv`` and ``Psi``, ``"inverse_dynamics_from_motors"``: efforts from
            encoders alone.
        method: theory of the dynamics.

    Returns:
        A program.  A quantity of a pose takes the joints beside it: inputs are ``T_0p (4, 4)``,
        ``coordinates (m,)`` (see :func:`gough.trace.coordinates`), and twists as they are needed.
    """
    check_known(quantity, LISTED, "unknown quantity", "quantity")
    find_method(method)
    row = ROWS[quantity].with_joints
    return _program(assembled(robot), quantity, row.method or method)


@known_of(Assembly)
def _program(assembly: Assembly, quantity: str, method: str) -> Program:
    row, variant = ROWS[quantity].with_joints, Variant(method)

    def function(**arrays: Array) -> Mapping[str, Array]:
        return row.evaluate(SilentSymbols(), assembly, variant, arrays)

    found = trace(quantity, function, row.input_shapes(assembly, variant))
    return replace(found, robot=assembly.robot.name)
