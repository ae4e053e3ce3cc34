"""Which model of a quantity: what its equations contain, and which of its figures are inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gough.base.conditions import DOUBLE, SINGLE, Tolerances
from gough.base.spatial import Array
from gough.dynamics.answers.held_bodies import NOTHING, Parts
from gough.dynamics.answers.power_balance import Acting
from gough.dynamics.elements.camera import SensorSet
from gough.dynamics.quantities.parameters import stand_in
from gough.dynamics.shared.load_arguments import LoadArguments, input_shapes, state_loads
from gough.dynamics.shared.standard import StandardParameter, chosen_parameters
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.turns import springs_count, wound_axes
from gough.mechanism.mobility.assembly import Assembly


@dataclass(frozen=True)
class Variant:
    """Which model of a quantity: what its equations contain.

    Attributes:
        method: theory of the dynamics.
        friction, rotors: whether they count.
        smoothing: speed that smooths Coulomb friction.
        pushed: bodies with a force each, in order; point, f and n become inputs.
        payload: whether mass, centre and inertia of a payload are inputs.
        base: whether the motion of the base is an input.
        weights: of the motors, where there are more than freedoms.
        single: whether numbers will have seven digits only, for which doubts are coarser.
        parameters: figures of the robot that are inputs instead of constants; see ``PARAMETERS``.
        columns: of a regressor, by name; all of the robot's own if none are named.
        parts: what gives way, of a compliance.
        sight: sensors on the legs; those that are usual if not given.
    """

    method: str = "legs"
    friction: bool = True
    rotors: bool = True
    smoothing: float = 0.0
    pushed: tuple[str, ...] = ()
    payload: bool = False
    base: bool = False
    weights: tuple[float, ...] | None = None
    single: bool = False
    parameters: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    parts: Parts = NOTHING
    sight: SensorSet | None = None

    @classmethod
    def of(cls, given: LoadArguments, method: str = "legs", **rest: Any) -> Variant:
        """The model that loads of a call ask for; ``rest`` are further attributes."""
        loads = given.loads
        return cls(
            method,
            loads.friction,
            loads.rotors,
            **{
                "smoothing": given.smoothing,
                "pushed": given.bodies,
                "payload": given.has_payload,
                "base": loads.base is not None,
                **rest,
            },
        )

    @property
    def accept(self) -> Tolerances:
        """What is accepted without doubt."""
        return SINGLE if self.single else DOUBLE

    def standard(self, assembly: Assembly) -> tuple[StandardParameter, ...]:
        """Parameters of the columns of a regressor, in order."""
        return chosen_parameters(
            assembly.robot, self.columns, friction=self.friction, rotors=self.rotors
        )

    def wound_axes(self, assembly: Assembly) -> list[str]:
        """Turning axes whose spring effort depends on whole turns."""
        return wound_axes(assembly, every="stiffness" in self.parameters)

    def wound(self, assembly: Assembly, near: Array) -> dict[str, Array]:
        """Angles, out of one number an axis, of the axes whose springs depend on whole turns."""
        names = self.wound_axes(assembly)
        place = {name: i for i, name in enumerate(assembly.robot.axis_names)}
        return {name: near[place[name]] for name in names}

    def sprung(self, assembly: Assembly) -> bool:
        """Whether a spring makes whole turns count."""
        return springs_count(assembly) or "stiffness" in self.parameters

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Inputs that loads add, in order, with their shapes."""
        return input_shapes(self.pushed, payload=self.payload, base=self.base)

    def acting(self, given: Mapping[str, Array]) -> Acting:
        """The same loads as the certificate reads them: as they are given, for laws of its own."""
        forces = tuple(
            (body, given[f"point_{i}"], given[f"f_{i}"], given[f"n_{i}"])
            for i, body in enumerate(self.pushed)
        )
        payload = (given["mass"][0], given["center"], given["inertia"]) if self.payload else None
        moving = (
            (given["base_felt"], given["base_omega"], given["base_alpha"]) if self.base else None
        )
        return Acting(self.friction, self.rotors, self.smoothing, forces, payload, moving)

    def loads(self, assembly: Assembly, given: Mapping[str, Array]) -> StateLoads:
        """The loads that inputs mean."""
        return state_loads(
            assembly,
            self.pushed,
            given,
            payload=self.payload,
            base=self.base,
            figures=stand_in(assembly.robot, self.parameters, given),
            friction=self.friction,
            rotors=self.rotors,
            smoothing=self.smoothing,
        )
