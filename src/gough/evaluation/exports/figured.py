"""A robot whose alike legs have figures instead of numbers: what legs share is then one code.

The geometry of trees and closing joints, masses, axes, frozen freedoms, home and the steps of the
closed form are replaced; plans become the same for all legs of a kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

from gough.base.linalg import choose_plan
from gough.base.once import tell_fact
from gough.base.spatial import Array
from gough.dynamics.shared.masses import Mass, known_base_masses, link_masses, stand_in_masses
from gough.dynamics.shared.parameters import AxisParameters, Parameters, own_parameters
from gough.evaluation.exports.alike import leg_axes
from gough.evaluation.exports.figures import Figures
from gough.geometry.closed_form.alike import leg_loops
from gough.geometry.closed_form.features import Feature
from gough.geometry.closed_form.search import ClosedForm, form_as_described
from gough.geometry.closed_form.steps import Block
from gough.geometry.constant_entries import entries_as_described
from gough.geometry.turns import counted_axes, home_equations
from gough.kinematics.regularity import usual_rates
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import scaled_legs
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.closure.solution import Plans
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import choose_plans
from gough.mechanism.topology.topology import Leg
from gough.mechanism.topology.tree import Mount, Tree

Each = Callable[[Sequence[Any]], list[Array]]
"""From the same array of every leg to the same with figures."""


class Figured:
    """A robot with figures in its alike legs.

    Args:
        assembly: the robot.
        form: its closed form, the same steps for legs of a kind.
        kinds: legs that are alike, together.
    """

    def __init__(
        self, assembly: Assembly, form: ClosedForm | None, kinds: Sequence[Sequence[int]]
    ) -> None:
        self.assembly, self.form, self.kinds = assembly, form, kinds
        self.plans = _plans(assembly, kinds)
        self.figures = [Figures(len(legs)) for legs in kinds]
        self.with_figures([None] * len(kinds))  # notes them

    def with_figures(self, given: Sequence[Array | None]) -> tuple[Assembly, Parameters]:
        """The robot with symbols of its figures, and parameters of its axes."""
        assembly, form = self.assembly, self.form
        legs, locks = list(assembly.topology.legs), list(assembly.locks.legs)
        home, home_values = list(assembly.home.legs), dict(assembly.home_values)
        axes: dict[str, AxisParameters] = {}
        for kind, figures, symbols in zip(self.kinds, self.figures, given, strict=True):
            each = partial(figures.of, given=symbols)
            made = _legs(assembly, kind, each)
            moved_locks = _locks(assembly, kind, each)
            at = [each(list(values)) for values in zip(*(home[i] for i in kind), strict=True)]
            for row, i in enumerate(kind):
                legs[i], locks[i] = made[row], moved_locks[row]
                home[i] = [values[row] for values in at]
            _axes(assembly, kind, partial(figures.number, given=symbols), axes, home_values)
            form = None if form is None else _form(form, kind, each)
        topology = assembly.topology
        moved = replace(
            assembly,
            topology=replace(topology, legs=tuple(legs)),
            locks=replace(assembly.locks, legs=tuple(locks)),
            plans=self.plans,
            home=Configuration(assembly.home.hub, home),
            home_values=home_values,
        )
        _keep(assembly, moved, form)
        return moved, Parameters(axes=axes)


def _plans(assembly: Assembly, kinds: Sequence[Sequence[int]]) -> Plans:
    """Pivots that are the same for legs of a kind, good for all of them around home."""
    states = [assembly.equations(*sample) for sample in assembly.regular_samples]
    scaled = [scaled_legs(at, assembly.length) for at in states]
    plans = list(assembly.plans.legs)
    for legs in kinds:
        rates = assembly.topology.legs[legs[0]].tree.rates
        common = choose_plan([at[i] for at in scaled for i in legs], rates)
        for i in legs:
            plans[i] = common
    if tuple(plans) == assembly.plans.legs:
        return assembly.plans
    return choose_plans(states, assembly.length, assembly.free, plans)


def _keep(assembly: Assembly, moved: Assembly, form: ClosedForm | None) -> None:
    """What is known of a robot is known of it with figures, too, which cannot be asked."""
    own = {each.name for each in fields(assembly)}
    known: dict[str, Any] = {"constant_rows": assembly.constant_rows, "scales": assembly.scales}
    if len(assembly.robot.motors) >= assembly.mobility:  # only then is it asked for
        known["motor_plan"] = assembly.motor_plan
    vars(moved).update({k: v for k, v in vars(assembly).items() if k not in own}, **known)
    vars(moved).update(_shared={}, _facts=dict(vars(assembly).get("_facts", {})))
    tell_fact(moved, form_as_described, form, table="_shared")
    tell_fact(moved, entries_as_described, entries_as_described(assembly))
    tell_fact(moved, usual_rates, usual_rates(assembly))
    tell_fact(moved, counted_axes, counted_axes(assembly))
    # signs of determinants at home are numbers: they are asked where there is no closed form
    there = assembly if form is None else moved
    tell_fact(moved, home_equations, there.equations(there.T_home, there.home))


# parts of legs


def _legs(assembly: Assembly, kind: Sequence[int], each: Each) -> list[Leg]:
    legs = [assembly.topology.legs[i] for i in kind]
    links = [
        [replace(link, R=R, p=p) for link, R, p in zip(same, *_frames(same, each), strict=True)]
        for same in zip(*(leg.tree.links for leg in legs), strict=True)
    ]
    bodies = [
        _mounts(same, each)
        for same in zip(*(leg.tree.bodies.values() for leg in legs), strict=True)
    ]
    closings = [
        [replace(c, near=near, far=far) for c, near, far in zip(same, *ends, strict=True)]
        for same in zip(*(leg.closings for leg in legs), strict=True)
        for ends in [[_mounts([getattr(c, end) for c in same], each) for end in ("near", "far")]]
    ]
    masses = [
        _masses([find(assembly.robot, leg.tree) for leg in legs], each)
        for find in (link_masses, known_base_masses)
    ]
    found = []
    for row, leg in enumerate(legs):
        names = zip(leg.tree.bodies, (mounts[row] for mounts in bodies), strict=True)
        tree = Tree(tuple(same[row] for same in links), dict(names))
        stand_in_masses(tree, *(own[row] for own in masses))
        found.append(Leg(leg.name, tree, tuple(same[row] for same in closings)))
    return found


def _frames(parts: Sequence[Any], each: Each) -> tuple[list[Array], list[Array]]:
    """Rotations and origins of the same frame of every leg."""
    return each([part.R for part in parts]), each([part.p for part in parts])


def _mounts(mounts: Sequence[Mount], each: Each) -> list[Mount]:
    return [Mount(m.link, R, p) for m, R, p in zip(mounts, *_frames(mounts, each), strict=True)]


def _masses(masses: Sequence[dict[int, Mass]], each: Each) -> list[dict[int, Mass]]:
    found: list[dict[int, Mass]] = [{} for _ in masses]
    for link in masses[0]:
        parts = zip(*(each([own[link][k] for own in masses]) for k in range(3)), strict=True)
        for own, (m, s, I) in zip(found, parts, strict=True):  # noqa: E741
            own[link] = Mass(m[()], s, I)
    return found


def _locks(assembly: Assembly, kind: Sequence[int], each: Each) -> list[tuple[Any, ...]]:
    found = []
    for same in zip(*(assembly.locks.legs[i] for i in kind), strict=True):
        axes = [None] * len(kind) if same[0].axis is None else each([k.axis for k in same])
        found.append([replace(k, axis=axis) for k, axis in zip(same, axes, strict=True)])
    return [tuple(same[row] for same in found) for row in range(len(kind))]


def _axes(
    assembly: Assembly,
    kind: Sequence[int],
    number: Callable[[Sequence[float]], list[Array]],
    parameters: dict[str, AxisParameters],
    home_values: dict[str, Any],
) -> None:
    """Friction, rotors and springs of axes, and where they are at home."""
    for names in zip(*(leg_axes(assembly, i).values() for i in kind), strict=True):
        own = [own_parameters(assembly.robot.axis(name))[:-1] for name in names]
        columns = [number(values) for values in zip(*own, strict=True)]
        for row, name in enumerate(names):
            parameters[name] = AxisParameters(*(column[row] for column in columns))
        if names[0] in home_values:
            angles = number([assembly.home_values[name] for name in names])
            home_values |= dict(zip(names, angles, strict=True))


# steps of the closed form


def _form(form: ClosedForm, kind: Sequence[int], each: Each) -> ClosedForm:
    own = [leg_loops(form, i) for i in kind]
    loops = {}
    for same in zip(*own, strict=True):
        stages = [
            [replace(s, R=R, p=p) for s, R, p in zip(part, *_frames(part, each), strict=True)]
            for part in zip(*(loop.stages for loop in same), strict=True)
        ]
        ends = zip(*_frames([loop.end for loop in same], each), strict=True)
        for row, (loop, end) in enumerate(zip(same, ends, strict=True)):
            moved = tuple(part[row] for part in stages)
            loops[loop] = replace(loop, stages=moved, end=Pose(*end))
    steps = {}
    for same in zip(*([s for s in form.steps if s.loop in mine] for mine in own), strict=True):
        signs = each([[s.sign] for s in same])
        homes = [None] * len(kind) if same[0].home is None else each([s.home for s in same])
        A, B = (_blocks([getattr(s, name) for s in same], each) for name in ("A", "B"))
        for row, step in enumerate(same):
            steps[step] = replace(
                step, loop=loops[step.loop], A=A[row], B=B[row], sign=signs[row][0], home=homes[row]
            )
    still = dict(form.still)
    for number in sorted({key[2] for key in still if key[:2] == ("link", kind[0])}):
        keys = [("link", i, number) for i in kind]
        still |= dict(zip(keys, each([still[key] for key in keys]), strict=True))
    return replace(
        form,
        steps=tuple(steps.get(step, step) for step in form.steps),
        still=still,
        loops=tuple(loops.get(loop, loop) for loop in form.loops),
    )


def _blocks(blocks: Sequence[Block | None], each: Each) -> list[Block | None]:
    """The same block of every leg, with figures in its feature."""
    if blocks[0] is None:
        return list(blocks)
    ends = []
    for name in Feature._fields:
        parts = [getattr(block.feature, name) for block in blocks if block is not None]
        v, h = each([part.v for part in parts]), each([[part.h] for part in parts])
        ends.append([p._replace(v=a, h=b[0]) for p, a, b in zip(parts, v, h, strict=True)])
    features = [Feature(*pair) for pair in zip(*ends, strict=True)]
    return [replace(b, feature=f) for b, f in zip(blocks, features, strict=True) if b is not None]
