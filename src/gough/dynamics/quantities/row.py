"""One row, one quantity: a formula with what it takes and answers, from which all else follows.

A formula is a function of the machine in motion, of the loads and of the model.  With numbers it is
the NumPy reference, which refuses by name; with symbols the same lines spell the program that is
interpreted, compiled, printed as C and listed.  Public functions, kernels, derivatives, exports and
the checks of arguments read the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from gough.base.spatial import Array, moved
from gough.dynamics.answers.power_balance import Acting
from gough.dynamics.elements.camera import SensorSet, usual_sight
from gough.dynamics.methods import METHODS, Method
from gough.dynamics.quantities.parameters import NEAR, own_values
from gough.dynamics.quantities.ports import Shape, sensed_shapes, shapes_of
from gough.dynamics.quantities.states import Rules
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.parameters import Parameters
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.joints_from_pose import straightened
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import unpack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.serial import core_of

MOTION = ("T_0p", "V_0p", "Vdot_0p", "Vddot_0p")
"""Names of pose, twist, and its rates."""


@dataclass(frozen=True)
class Model:
    """What a formula is asked of: which machine, which model of it, under which loads.

    Attributes:
        assembly: the robot.
        variant: which model.
        given: loads of the state by the names of inputs.
        share: how redundant motors share efforts.
        figures: of bodies and axes in the places of the robot's own, where legs share them.
    """

    assembly: Assembly
    variant: Variant
    given: Mapping[str, Array] = field(default_factory=dict)
    share: Sharing | None = None
    figures: Parameters | None = None

    @property
    def theory(self) -> Method:
        """The method."""
        return METHODS[self.variant.method]

    def efforts(self, kin: Kinematics, loads: StateLoads) -> Array:
        """Motor efforts of a motion, by the method."""
        return self.theory.efforts(kin, loads, share=self.share)

    @cached_property
    def loads(self) -> StateLoads:
        """What acts in the state."""
        found = self.variant.loads(self.assembly, self.given)
        return found if self.figures is None else replace(found, figures=self.figures)

    @property
    def acting(self) -> Acting:
        """The same as a certificate reads it: as it is given, for laws of its own."""
        return self.variant.acting(self.given)

    @property
    def sight(self) -> SensorSet:
        """The sensors on the legs."""
        return self.variant.sight or usual_sight(self.assembly)

    @property
    def springs_count(self) -> bool:
        """Whether a spring makes whole turns matter."""
        return self.variant.sprung(self.assembly)

    @property
    def near(self) -> dict[str, Array] | None:
        """Angles at a state before, from which axes with springs are followed."""
        if NEAR not in self.given:
            return None
        return self.variant.wound(self.assembly, self.given[NEAR])


# Where the machine in motion comes from.  Each takes its inputs out of ``state``.

Start = Callable[[Rules, Model, dict[str, Array]], Any]


def at_pose(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """From pose, twist and twist rate, however often axes have gone round."""
    return rules.at(model.assembly, state.pop("T_0p"), *_twists(state))


def at_open_pose(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """The same; the formula takes the pose as well, to close what it leaves open."""
    return rules.at(model.assembly, state["T_0p"], *_twists(state))


def at_counted_pose(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """The same, whole turns of motors counted from home."""
    return rules.at(model.assembly, state.pop("T_0p"), *_twists(state), turns=True)


def at_loaded_pose(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """The same, whole turns counted or followed where springs feel them."""
    return rules.at(
        model.assembly,
        state.pop("T_0p"),
        *_twists(state),
        turns=model.springs_count,
        near=model.near,
    )


def at_closed_pose(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """From a pose near one of the robot's, as a controller knows it."""
    T_0p = rules.close(model.assembly, state.pop("T_0p"))
    return rules.at(model.assembly, T_0p, turns=model.springs_count)


def at_step(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """From a step of an integrator away from a pose, and the rates there."""
    return _stepped(rules, model, state, moved(state.pop("T_0p"), state["step"]))


def at_straight_step(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """The same, the rotation corrected by what it has drifted."""
    T_0p = straightened(moved(state.pop("T_0p"), state["step"]))
    return _stepped(rules, model, state, T_0p)


def at_joints(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """From all joints, whatever their branch; loops may be open."""
    configuration = unpack(model.assembly.topology, state.pop("coordinates"))
    kin = rules.with_joints(model.assembly, state.pop("T_0p"), configuration)
    twists = _twists(state)
    return kin.with_motion(*twists) if twists else kin


def at_carried_joints(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """The same, the platform by its six coordinates ``y``, which the formula takes as well."""
    configuration = unpack(model.assembly.topology, state.pop("coordinates"))
    return rules.with_joints(model.assembly, model.assembly.chart.pose(state["y"]), configuration)


def at_freedoms(rules: Rules, model: Model, state: dict[str, Array]) -> Kinematics:
    """From the robot's freedoms, their rates and accelerations."""
    freedoms = [state.pop(name) for name in ("x", "xd", "xdd")]
    motion = rules.place(model.assembly, *freedoms)
    return rules.at(model.assembly, *motion, turns=model.springs_count, near=model.near)


def by_formula(rules: Rules, model: Model, state: dict[str, Array]) -> Rules:
    """The formula finds its own way, and is given the rules instead of a machine in motion."""
    return rules


def _twists(state: dict[str, Array]) -> list[Array]:
    return [state.pop(name) for name in MOTION[1:3] if name in state]


def _stepped(rules: Rules, model: Model, state: dict[str, Array], T_0p: Array) -> Kinematics:
    assembly = model.assembly
    T_0p = rules.settle(assembly, rules.close(assembly, T_0p))
    kin = rules.at(assembly, T_0p, turns=model.springs_count, near=model.near)
    return kin.moving_by(state.pop("V_r") + state["step"][6:])


OF_MACHINE = (
    *("q", "qd", "qdd", "tau", "efforts", "Vdot_s"),
    *("axis_positions", "axis_rates", "axis_accelerations"),
    *("body_poses", "body_twists", "body_twist_rates"),
)
"""Outputs with an entry for every motor, axis or body of the whole machine."""


OF_FREEDOMS = frozenset(
    "V_r Vdot_r step slope x xd xdd xddd y J_inv Psi M_basis leg_matrices influence_of_freedoms "
    "screws_of_freedoms drift M_rob c_rob g_rob w_r A b type_2".split()
)
"""Inputs and outputs whose entries, or their sign, belong to the robot's freedoms."""

Formula = Callable[..., dict[str, Array]]


@dataclass(frozen=True)
class Quantity:
    """A quantity of a state.

    Attributes:
        formula: of the machine in motion, the model, and the inputs that ``start`` leaves, by name.
        inputs: those of the state, in order.
        outputs: what it answers, in order, the validity residual apart.
        start: how the machine in motion is found.
        loaded: whether loads add inputs.
        method: the only theory that answers it; any, if empty.
        asks_motors: whether efforts are found from a motion, which takes enough motors.
        closes: whether it brings a pose to where the loops close by itself.
        seated: whether joints may sit elsewhere than described: ``SEATS`` as parameters.
        figured: whether figures of bodies and axes may be inputs; else gravity alone.
        columns: whether it has columns that can be chosen by name.
        resting: whether its base must rest, where it has loads.
        serial: whether it is of machines with serial parts, whose core alone is judged.
        sensed: whether its inputs are what the sensors of the variant see.
        public: whether ``gough.compile`` knows it; else it is a step of an algorithm.
    """

    formula: Formula
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    start: Start
    loaded: bool = False
    method: str = ""
    asks_motors: bool = False
    closes: bool = False
    seated: bool = True
    figured: bool = True
    columns: bool = False
    resting: bool = False
    serial: bool = False
    sensed: bool = False
    public: bool = True

    def evaluate(
        self,
        rules: Rules,
        assembly: Assembly,
        variant: Variant,
        arrays: Mapping[str, Array],
        share: Sharing | None = None,
        figures: Parameters | None = None,
    ) -> dict[str, Array]:
        """Outputs at one state, by numbers or symbols, as ``rules`` have it.

        Args:
            rules: of numbers or of symbols.
            assembly: the robot.
            variant: which model.
            arrays: all inputs by name.
            share: how redundant motors share efforts; by the variant's weights if not given.
            figures: of bodies and axes in the places of the robot's own.
        """
        if share is None and variant.weights is not None:
            share = Sharing.weighted(assembly, variant.weights)
        state = {name: a for name, a in arrays.items() if name in self.inputs}
        given = {name: a for name, a in arrays.items() if name not in self.inputs}
        model = Model(assembly, variant, given, share, figures)
        machine = self.start(rules, model, state)
        return rules.outputs(**self.formula(machine, model, **state))

    @property
    def with_joints(self) -> Quantity:
        """The same quantity with the joints given, whatever their branch, if it finds them."""
        if self.start not in (at_pose, at_counted_pose, at_loaded_pose):
            return self
        pose, *rest = self.inputs
        return replace(self, inputs=(pose, "coordinates", *rest), start=at_joints)

    @property
    def carried(self) -> bool:
        """Whether loads may say how the base moves."""
        return self.loaded and not self.resting

    @property
    def in_freedoms(self) -> bool:
        """Whether it is asked or answered in the robot's freedoms, or in those of its core."""
        return self.serial or not OF_FREEDOMS.isdisjoint((*self.inputs, *self.outputs))

    @cached_property
    def state_parts(self) -> int:
        """How many of its inputs, the first ones, are pose, twist and its derivatives."""
        parts = 0
        while parts < 4 and self.inputs[parts : parts + 1] == MOTION[parts : parts + 1]:
            parts += 1
        return parts

    def judged(self, assembly: Assembly) -> Assembly:
        """The machine whose motors and idle freedoms decide: the core of one with serial parts."""
        return core_of(assembly) if self.serial else assembly

    def own_inputs(self, assembly: Assembly, variant: Variant) -> tuple[str, ...]:
        """Inputs of the state in order; of sensors those that there are."""
        if not self.sensed:
            return self.inputs
        shapes = sensed_shapes(assembly, variant.sight)
        return tuple(name for name in self.inputs if all(shapes.get(name, ())))

    def input_shapes(self, assembly: Assembly, variant: Variant) -> dict[str, Shape]:
        """Shapes of all inputs in order: of the state, of loads, and figures of the robot."""
        known = shapes_of(assembly)
        sensed = sensed_shapes(assembly, variant.sight) if self.sensed else {}
        own = own_values(assembly.robot) if variant.parameters else {}
        return (
            {
                name: sensed[name] if name in sensed else known[name]
                for name in self.own_inputs(assembly, variant)
            }
            | (variant.inputs if self.loaded else {})
            | {name: own[name].shape for name in variant.parameters}
        )

    def output_shapes(self, assembly: Assembly, variant: Variant) -> dict[str, Shape]:
        """Shapes of all outputs in order, the validity residual apart."""
        whole = shapes_of(assembly)
        # with serial axes, of the core, but for figures of the whole
        core = shapes_of(self.judged(assembly)) if self.serial else whole
        changed: dict[str, Shape] = {}
        if NEAR in variant.parameters:
            changed["wound"] = (len(variant.wound_axes(assembly)),)
        if self.columns:
            changed["W"] = (len(assembly.robot.motors), len(variant.standard(assembly)))
        for name in self.outputs:
            if name not in changed:
                changed[name] = (whole if name in OF_MACHINE else core)[name]
        return {name: changed[name] for name in self.outputs}


ROWS: dict[str, Quantity] = {}
"""All quantities by name, in the order in which their files are imported."""


def quantity(
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    start: Start = at_pose,
    *,
    name: str = "",
    **facts: Any,
) -> Callable[[Formula], Formula]:
    """Enter a formula into the table, under its own name if none is given."""

    def enter(formula: Formula) -> Formula:
        key = name or formula.__name__
        if key in ROWS:
            raise ValueError(f"the quantity {key!r} is there twice")
        ROWS[key] = Quantity(formula, inputs, outputs, start, **facts)
        return formula

    return enter
