"""What can be traced of a robot: geometry and kinematics as functions of arrays.

Each quantity is one function of arrays by keyword.  Called with numbers it is the reference; called
with symbols it spells a program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gough.base.conditions import Silent
from gough.base.spatial import Array, collect
from gough.dynamics.elements.camera import shapes_of as legs_shapes
from gough.dynamics.elements.camera import usual_sight
from gough.dynamics.elements.encoders import efforts_from_motors, from_motors
from gough.dynamics.elements.observed import by_sums, efforts_of_legs, lead_of_usual
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.ports import OBSERVED, observed_shapes, shapes_of
from gough.dynamics.quantities.row import Model
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
from gough.geometry.closed_form.search import closed_form
from gough.geometry.inverse import motor_positions
from gough.geometry.joints_from_pose import newton_step, posed_by_form
from gough.kernels.tracing.program import Program
from gough.kernels.tracing.tracer import trace as trace_function
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.robot.names import check_known


@dataclass(frozen=True)
class Quantity:
    """A traceable quantity: its inputs and the function of one state."""

    inputs: tuple[str, ...]
    function: Callable[..., dict[str, Array]]


def program(robot: Robot, quantity: str) -> Program:
    """The program that computes a quantity of a robot.

    Args:
        robot: the machine; its parameters are baked in.
        quantity: one of ``gough.kernels.tracing.quantities.QUANTITIES``.

    Returns:
        A program whose inputs are among ``T_0p (4, 4)``, ``coordinates (m,)`` (see
        :func:`gough.trace.coordinates`), ``V_0p (6,)`` and ``Vdot_0p (6,)``.
    """
    traced = find_quantity(quantity)
    return assembled(robot).cached(f"program {quantity}", lambda a: _traced(a, quantity, traced))


def _traced(assembly: Assembly, name: str, quantity: Quantity) -> Program:
    shapes = input_shapes(assembly)

    def function(**arrays: Array) -> Mapping[str, Array]:
        return quantity.function(assembly, **arrays)

    found = trace_function(name, function, {key: shapes[key] for key in quantity.inputs})
    return replace(found, robot=assembly.robot.name)


def find_quantity(name: str) -> Quantity:
    """A quantity by name."""
    check_known(name, QUANTITIES, "unknown quantity", "quantity")
    return QUANTITIES[name]


def input_shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shape of every possible input."""
    return shapes_of(assembly) | observed_shapes(assembly)


def _at(assembly: Assembly, T_0p: Array, coordinates: Array) -> Equations:
    return assembly.equations(T_0p, unpack(assembly.topology, coordinates))


def _residual(at: Equations) -> Array:
    hub, legs = at.residuals()
    rows = [*hub, *(x for leg in legs for x in leg)]
    return collect(rows)


def _newton(assembly: Assembly, T_0p: Array, coordinates: Array) -> dict[str, Array]:
    at = _at(assembly, T_0p, coordinates)
    return {"coordinates": pack(newton_step(assembly, at)[0]), "residual": _residual(at)}


def _inverse_kinematics(assembly: Assembly, T_0p: Array) -> dict[str, Array]:
    at, margins = posed_by_form(assembly, T_0p)
    return {
        "q": motor_positions(assembly, at),
        "residual": _residual(at),
        "margins": collect(margins),
    }


def _coordinates(assembly: Assembly, T_0p: Array) -> dict[str, Array]:
    at, margins = posed_by_form(assembly, T_0p)
    return {
        "coordinates": pack(at.configuration),
        "margins": collect(margins),
    }


def _with_joints(name: str, output: str = "", method: str = "legs") -> Quantity:
    """A quantity of states, or one of its outputs, with the joints given and without a residual."""
    row = PUBLIC[name]
    outputs = (output,) if output else row.outputs

    def function(
        assembly: Assembly, T_0p: Array, coordinates: Array, **state: Array
    ) -> dict[str, Array]:
        twists = [state.pop(n) for n in ("V_0p", "Vdot_0p") if n in state]
        solution = assembly.traced(_at(assembly, T_0p, coordinates))
        kin = Kinematics(assembly, solution, *twists, rules=Silent())
        found = row.formula(kin, Model(assembly, Variant(method)), **state)
        return {key: found[key] for key in outputs}

    pose, *rest = row.inputs
    return Quantity((pose, "coordinates", *rest), function)


def _joint_motion(
    assembly: Assembly, T_0p: Array, coordinates: Array, V_0p: Array, Vdot_0p: Array
) -> dict[str, Array]:
    solution = assembly.traced(_at(assembly, T_0p, coordinates))
    k = Kinematics(assembly, solution, V_0p, Vdot_0p)
    return {
        "qd": k.rates.together,
        "qdd": k.accelerations.together,
    }


def _observed(assembly: Assembly, **given: Array) -> dict[str, Array]:
    usual, lead, form = usual_sight(assembly), lead_of_usual(assembly), closed_form(assembly)
    if lead is None or form is None:
        raise InputError(
            f"{assembly.robot.name}: the legs do not lead to the platform by sums of d x",
            hint="gough.inverse_dynamics_observed fits the pose; a program cannot.",
        )
    legs = usual.with_arrays([given.get(name, ()) for name in legs_shapes(usual)])
    T_0p = by_sums(lead, legs)
    solution = assembly.traced(assembly.equations(T_0p, form.evaluate(T_0p)[0]))
    kin = Kinematics(assembly, solution, rules=Silent())
    loads = StateLoads(assembly.gravity)
    return {"tau": efforts_of_legs(kin, legs, loads)}


def _from_motors(assembly: Assembly, q: Array, qd: Array, qdd: Array) -> dict[str, Array]:
    found = from_motors(assembly)
    if found is None:
        raise InputError(
            f"{assembly.robot.name}: its loops have no closed form from the motors",
            hint="gough.inverse_dynamics_from_motors follows the motors; a program cannot.",
        )
    return {"tau": efforts_from_motors(assembly, found, q, qd, qdd)}


def _suffix(name: str) -> str:
    return "" if name == "legs" else f"_{name}"


_POSE = ("T_0p", "coordinates")
QUANTITIES: dict[str, Quantity] = {
    "inverse_kinematics": Quantity(("T_0p",), _inverse_kinematics),
    "coordinates": Quantity(("T_0p",), _coordinates),
    "newton_step": Quantity(_POSE, _newton),
    "motor_rates": _with_joints("motor_rates"),
    "motor_accelerations": _with_joints("motor_accelerations"),
    "joint_motion": Quantity((*_POSE, "V_0p", "Vdot_0p"), _joint_motion),
    "inverse_jacobian": _with_joints("inverse_jacobian", "J_inv"),
    "freedom_map": _with_joints("inverse_jacobian", "Psi"),
    "inverse_dynamics_from_motors": Quantity(("q", "qd", "qdd"), _from_motors),
    "inverse_dynamics_observed": Quantity(OBSERVED, _observed),
} | {
    f"{name}{_suffix(method)}": _with_joints(name, method=method)
    for name in ("inverse_dynamics", "forward_dynamics")
    for method in METHODS
}
"""Traceable quantities by name."""
