"""Whole states as functions of arrays: from the pose alone to an answer, and the doubt about it.

Joints are found inside, by the closed form or by a fixed number of Newton's steps from home; what
never changes is a constant.  Called with symbols, each function spells a program that needs
nothing but what a user has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gough.closure.equations import Equations
from gough.closure.solution import Rates, Solution
from gough.dynamics.masses import CentralMass
from gough.dynamics.state_loads import Push, StateLoads
from gough.geometry.closed_form.search import closed_form
from gough.geometry.turns import followed, wound_axes
from gough.kinematics.motion import Kinematics
from gough.linalg import Watched
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect, homogeneous, skew
from gough.tracing import doubt, doubt_regular
from gough.tracing.parameters import stand_in
from gough.tracing.quantities import newton_from_home, posed_by_form
from gough.tracing.settled import settle


@dataclass(frozen=True)
class Variant:
    """Which kernel of a quantity: what its equations contain.

    Attributes:
        method: theory of the dynamics.
        friction, rotors: whether they count.
        smoothing: speed that smooths Coulomb friction.
        pushed: bodies with a load each, in order; point, f and n become inputs.
        payload: whether mass, centre and inertia of a payload are inputs.
        weights: of the motors, where there are more than freedoms.
        single: whether numbers will have seven digits only, for which doubts are coarser.
        parameters: figures of the robot that are inputs instead of constants; see ``PARAMETERS``.
    """

    method: str = "legs"
    friction: bool = True
    rotors: bool = True
    smoothing: float = 0.0
    pushed: tuple[str, ...] = ()
    payload: bool = False
    weights: tuple[float, ...] | None = None
    single: bool = False
    parameters: tuple[str, ...] = ()

    @property
    def accept(self) -> doubt.Tolerances:
        """What is accepted without doubt."""
        return doubt.SINGLE if self.single else doubt.DOUBLE

    def wound(self, assembly: Assembly, near: Array) -> dict[str, Array]:
        """Angles of the axes whose springs feel whole turns, out of one number an axis."""
        names = wound_axes(assembly, every="stiffness" in self.parameters)
        place = {name: i for i, name in enumerate(assembly.robot.axis_names)}
        return {name: near[place[name]] for name in names}

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Inputs that loads add, in order, with their shapes."""
        found: dict[str, tuple[int, ...]] = {}
        for i, _ in enumerate(self.pushed):
            found |= {f"point_{i}": (3,), f"f_{i}": (3,), f"n_{i}": (3,)}
        if self.payload:
            found |= {"mass": (1,), "center": (3,), "inertia": (3, 3)}
        return found

    def loads(self, assembly: Assembly, given: Mapping[str, Array]) -> StateLoads:
        """The loads that inputs mean."""
        pushes = tuple(
            Push(body, given[f"point_{i}"], given[f"f_{i}"], given[f"n_{i}"])
            for i, body in enumerate(self.pushed)
        )
        platform = assembly.robot.platform
        payload = (
            CentralMass(platform, given["mass"][0], given["center"], given["inertia"])
            if self.payload
            else None
        )
        return StateLoads(
            given.get("gravity", assembly.gravity),
            pushes,
            payload,
            figures=stand_in(assembly.robot, self.parameters, given),
            friction=self.friction,
            rotors=self.rotors,
            smoothing=self.smoothing,
        )


@dataclass(eq=False)
class Given:
    """A state on its way to an answer."""

    assembly: Assembly
    T_0p: Array
    solution: Solution
    twists: list[Array]
    accept: doubt.Tolerances
    consistent: list[Array] = field(default_factory=list)
    regular: list[Array] = field(default_factory=list)

    @cached_property
    def kin(self) -> Kinematics:
        """The machine in motion: at rest without a twist, unaccelerated without a twist rate."""
        return Kinematics(self.assembly, self.solution, *self.twists)

    @property
    def at(self) -> Equations:
        """Its closure equations."""
        return self.solution.equations


Function = Callable[..., dict[str, Array]]


@dataclass(frozen=True)
class Whole:
    """A quantity of whole states.

    Attributes:
        inputs: those of the state, in order.
        function: of the assembly, the variant and the inputs by name.
        loaded: whether loads add inputs.
    """

    inputs: tuple[str, ...]
    function: Function
    loaded: bool = False


def given_state(
    assembly: Assembly,
    variant: Variant,
    T_0p: Array,
    twists: Sequence[Array] = (),
    *,
    turns: bool = True,
    near: Array | None = None,
) -> Given:
    """A state with its joints found, and first doubts about it.

    Args:
        assembly: the robot.
        variant: which kernel.
        T_0p: platform pose.
        twists: twist, and twist rate.
        turns: whether it matters how often an axis has gone round.
        near: angles of all axes at a state before, from which those with springs are followed.
    """
    known = settle(assembly, T_0p, *twists)
    steps: list[Rates] = []
    if closed_form(assembly) is None:
        at, steps = newton_from_home(assembly, known.T_0p)
    else:
        at, _ = posed_by_form(assembly, known.T_0p)
    if near is not None:
        at = followed(assembly, at, variant.wound(assembly, near))
    accept = variant.accept
    state = Given(assembly, known.T_0p, assembly.traced(at), known.twists, accept)
    state.consistent += [
        doubt.of_steps(assembly, steps),
        doubt.of_pose(T_0p, known.T_0p, known.off, accept),
        doubt.of_closure(assembly, at, accept),
        doubt.of_turns(assembly, at) if turns and near is None else 0.0,
        doubt.of_following(assembly, at),
    ]
    state.consistent += _of_twists(state, twists)
    state.regular += [
        doubt_regular.of_legs(assembly, state.solution, accept),
        doubt_regular.of_freedoms(assembly, state.solution, accept),
    ]
    return state


def _of_twists(state: Given, given: Sequence[Array]) -> list[Array]:
    """Doubts about twist and twist rate."""
    assembly, solution, accept, settled = state.assembly, state.solution, state.accept, state.twists
    if assembly.mobility == 6 or not given:
        return []
    square = doubt.natural_square(settled[0], assembly.length)
    sizes = [0.0, square * square]  # accelerations may cancel what velocities make of them
    found = [
        doubt.of_settled(assembly, raw, known, accept, size)
        for raw, known, size in zip(given, settled, sizes, strict=False)
    ]
    if assembly.constant_Psi is not None:
        return found
    kin, V, rates = state.kin, settled[0], state.kin.rates
    z = np.concatenate([V, rates.hub]) if len(rates.hub) else V
    demanded = [block.image(z) for block in solution.blocks]
    found.append(doubt.of_twist(assembly, solution, V, rates, demanded, accept))
    if len(given) > 1:
        found.append(
            doubt.of_twist(
                assembly,
                solution,
                settled[1],
                kin.accelerations,
                solution.demands(V, settled[1], rates, kin.accelerations.hub),
                accept,
                kin.biases if len(rates.hub) else None,
                sizes[1],
            )
        )
    return found


def distrust(
    state: Given, variant: Variant, made: Watched, loads: StateLoads, kin: Kinematics
) -> None:
    """Doubts about dynamics: eliminations of the method, motions without inertia, odd loads.

    The pivots of methods with large eliminations of their own are looked at one by one.
    """
    if variant.method != "legs":
        state.regular.append(doubt_regular.of_pivots(made.factors, state.accept))
    for factor in made.definite:
        state.regular.append(doubt_regular.of_inertia(state.assembly, factor, state.accept))
    if state.assembly.idle:
        state.consistent.append(doubt_regular.of_frozen(kin, loads, state.accept))


def displaced(assembly: Assembly, T_0p: Array, step: Array) -> Array:
    """A pose moved along the robot's freedoms, to first order."""
    known = settle(assembly, T_0p)
    at, _ = posed_by_form(assembly, known.T_0p)
    V = assembly.traced(at).Psi @ step
    R = T_0p[:3, :3]
    return homogeneous(R + skew(V[3:]) @ R, T_0p[:3, 3] + V[:3])


def answer(state: Given, **outputs: Array) -> dict[str, Array]:
    """Outputs, and the doubts: whether the state is consistent, and whether it is regular."""
    doubts = []
    for kind in (state.consistent, state.regular):
        total: Array = 0.0
        for one in kind:
            total = total + one
        doubts.append(total * 1.0)
    return outputs | {"doubt": collect(doubts)}
