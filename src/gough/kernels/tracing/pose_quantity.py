"""One row of the table of quantities: what is asked of a state, and of which machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gough.base.spatial import Array
from gough.kernels.tracing.observed_quantity import OBSERVED, observed_shapes
from gough.kernels.tracing.parameters import NEAR, own_values
from gough.kernels.tracing.shapes import shapes_of
from gough.kernels.tracing.variant import Variant
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import core_of

Function = Callable[..., dict[str, Array]]

OF_MOTORS = ("q", "qd", "qdd", "tau", "efforts", "Vdot_s")
"""Outputs with an entry for every motor of the whole machine."""


OF_FREEDOMS = frozenset(
    "V_r Vdot_r step slope x xd xdd xddd y J_inv Psi drift M_rob c_rob g_rob w_r A b type_2".split()
)
"""Inputs and outputs whose entries, or their sign, belong to the robot's freedoms."""


@dataclass(frozen=True)
class PoseQuantity:
    """A quantity of a state.

    Attributes:
        inputs: those of the state, in order.
        outputs: what it answers, in order, the doubt apart.
        function: of a machine and the inputs by name.
        loaded: whether loads add inputs.
        method: the only theory that answers it; any, if empty.
        asks_motors: whether efforts are found from a motion, which takes enough motors.
        closes: whether it brings a pose to where the loops close by itself.
        seated: whether joints may sit elsewhere than described: ``SEATS`` as parameters.
        figured: whether figures of bodies and axes may be inputs; else gravity alone.
        columns: whether it has columns that can be chosen by name.
        resting: whether its base must rest, where it has loads.
        serial: whether it is of machines with serial parts, whose core alone is judged.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    function: Function
    loaded: bool = False
    method: str = ""
    asks_motors: bool = False
    closes: bool = False
    seated: bool = True
    figured: bool = True
    columns: bool = False
    resting: bool = False
    serial: bool = False

    @property
    def carried(self) -> bool:
        """Whether loads may say how the base moves."""
        return self.loaded and not self.resting

    @property
    def in_freedoms(self) -> bool:
        """Whether it is asked or answered in the robot's freedoms, or in those of its core."""
        return self.serial or not OF_FREEDOMS.isdisjoint((*self.inputs, *self.outputs))

    def judged(self, assembly: Assembly) -> Assembly:
        """The machine whose motors and idle freedoms decide: the core of one with serial parts."""
        return core_of(assembly) if self.serial else assembly

    def own_inputs(self, assembly: Assembly) -> tuple[str, ...]:
        """Inputs of the state in order; of observed legs those that a robot has."""
        if self.inputs != OBSERVED:
            return self.inputs
        return tuple(name for name, shape in observed_shapes(assembly).items() if all(shape))

    def input_shapes(self, assembly: Assembly, variant: Variant) -> dict[str, tuple[int, ...]]:
        """Shapes of all inputs in order: of the state, of loads, and figures of the robot."""
        known = shapes_of(assembly) | (observed_shapes(assembly) if self.inputs == OBSERVED else {})
        own = own_values(assembly.robot) if variant.parameters else {}
        return (
            {name: known[name] for name in self.own_inputs(assembly)}
            | (variant.inputs if self.loaded else {})
            | {name: own[name].shape for name in variant.parameters}
        )

    def output_shapes(self, assembly: Assembly, variant: Variant) -> dict[str, tuple[int, ...]]:
        """Shapes of all outputs in order, the doubt apart."""
        known = shapes_of(assembly)
        if self.serial:  # of the core, but for figures of all motors
            known = shapes_of(self.judged(assembly)) | {name: known[name] for name in OF_MOTORS}
        if NEAR in variant.parameters:
            known["wound"] = (len(variant.wound_axes(assembly)),)
        if self.columns:
            known["W"] = (len(assembly.robot.motors), len(variant.standard(assembly)))
        return {name: known[name] for name in self.outputs}
