"""Finds the closed form of a robot's inverse kinematics from its structure.

One coordinate after the other, whichever loop yields it: unknown moves of a loop are cut into two
blocks, their kept features give an equation for the move between them (``steps.py``), and what is
found is known from then on, in every loop.  No leg is recognised by name or kind; a plan is kept
only if it gives back every sample.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array
from gough.geometry.closed_form.features import Feature, Sample, kept
from gough.geometry.closed_form.hinges import whole_rows, with_hinges_joined
from gough.geometry.closed_form.loops import (
    DIRECTION,
    PLANE,
    POINT,
    Carried,
    Key,
    Loop,
    find_loops,
)
from gough.geometry.closed_form.machine import Machine
from gough.geometry.closed_form.spins import (
    Spin,
    dragged_spins,
    row_spins,
    settled,
    settled_row,
)
from gough.geometry.closed_form.steps import Block, Solved, Step
from gough.mechanism.closure.axes import HUB
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import scaled_legs
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Topology
from gough.robot.joint_kinds import BALL, KINDS, SCREW, SLIDE, TURN

_AGREES = 1e-8  # how well a formula gives back samples: a wrong one is off by far more
FELT = 1e-8  # slopes (squares) below this belong to a formula that hardly feels its unknown
# A loop in space has six equations, and no robot known reads a move off more than seven unknown
# ones.  The ways to cut a loop in two grow with the cube of its unknown moves: a longer loop, of a
# ladder say, waits until shorter ones have made some of its moves known.
_MOST_UNKNOWN = 12


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """The inverse kinematics of a robot, one coordinate after the other.

    Attributes:
        steps: in the order in which they are carried out.
        links: number of links in the hub's tree and in each leg's.
        still: coordinates of idle moves, which stay where they are at home.
        loops: all loops of the machine.
        topology: hub and legs, for ``spins``.
        spins: idle spins that joints drag along.
        row_spins: the same of bodies behind three hinges, by the ball in the place of these.
    """

    steps: tuple[Step, ...]
    links: tuple[int, ...]
    still: Mapping[Key, np.ndarray]
    loops: tuple[Loop, ...]
    topology: Topology
    spins: tuple[Spin, ...] = ()
    row_spins: Mapping[Key, Spin] = field(default_factory=dict)

    def evaluate(
        self, T_0p: Array, given: Mapping[Key, Array] | None = None
    ) -> tuple[Configuration, list[Array]]:
        """Coordinates of every link at a pose, and the margin of every step that has branches.

        ``given`` are coordinates that are known beforehand, if the form was sought so.
        """
        values: dict[Key, Array] = {**self.still, **(given or {})}
        margins = []
        for step in self.steps:
            key, found = step.stage.key, step.solve(values, T_0p)
            values[key] = found.at
            if key in self.row_spins:
                values[key] = settled_row(self.topology, T_0p, values, key, self.row_spins[key])
            if step.branches:
                margins.append(found.margin)
        trees = [
            [values["link", tree, i] for i in range(count)]
            for tree, count in enumerate(self.links, start=HUB)
        ]
        found_at = Configuration(trees[0], trees[1:])
        if self.spins:
            found_at = settled(self.topology, T_0p, found_at, self.spins)
        return found_at, margins


def closed_form(assembly: Assembly) -> ClosedForm | None:
    """The closed form of a robot's inverse kinematics, or ``None`` if it has none of this kind.

    None is known of a robot whose joints sit elsewhere than described.
    """
    return None if assembly.moved else form_as_described(assembly)


@known_of(Assembly, shared=True)
def form_as_described(assembly: Assembly) -> ClosedForm | None:
    """The same where joints sit as described."""
    form = find_closed_form(assembly)
    if form is None:
        return None
    rows = [step.stage.key for step in form.steps if step.stage.key in whole_rows(form.loops)]
    found = row_spins(assembly, rows)
    return replace(form, spins=dragged_spins(assembly), row_spins=found)


def find_closed_form(assembly: Machine, given: Collection[Key] = ()) -> ClosedForm | None:
    """Search for a closed form; ``given`` are coordinates that will be known beforehand."""
    topology = assembly.topology
    closings = [c for leg in topology.legs for c in leg.closings] + [*topology.hub_closings]
    if any(topology.couplings) or any(KINDS[closing.joint.kind].is_screw for closing in closings):
        # no step knows couplings; and a pose does not say how often a screw between two bodies, or
        # the fast wheel of a gear, has turned
        return None
    wanted: set[Key] = {
        ("link", tree, i)
        for tree, each in enumerate(topology.trees, start=HUB)
        for i in range(len(each.links))
    }
    loops, still = find_loops(assembly), _idle_moves(assembly)
    found = _searched(assembly, loops, wanted, {*still, *given})
    if found is None:  # not all hinges follow from the pose, but a ball in the place of three may
        states = [at for _, at in links_of(assembly)]
        loops = with_hinges_joined(loops, states, assembly.length)
        found = _searched(assembly, loops, wanted, {*still, *given}) if loops else None
    if found is None:
        return None
    counts = tuple(len(tree.links) for tree in topology.trees)
    return ClosedForm(found, counts, still, loops, topology)


def _searched(
    assembly: Machine, loops: Sequence[Loop], wanted: set[Key], known: set[Key]
) -> tuple[Step, ...] | None:
    """Steps to all coordinates that are wanted, if there are."""
    samples = samples_of(assembly, loops)
    if len(samples) < 2:
        return None
    search = Search(loops, samples, assembly.length)
    search.known |= known
    first = wanted | whole_rows(loops)
    while wanted - search.known:
        step = search.next_step(first)
        if step is None:
            return None
        search.take(step)
    return search.steps_for(wanted)


def _idle_moves(assembly: Machine) -> dict[Key, np.ndarray]:
    """Turns and slides that stay where they are at home.

    They close no loop and open none, or the description holds them.
    """
    topology = assembly.topology
    states = [
        Equations(topology, described_locks(topology), *sample)
        for sample in assembly.regular_samples
    ]
    found: dict[Key, np.ndarray] = {
        ("link", index, i): at
        for index, (tree, home) in enumerate(
            zip(topology.trees, assembly.home.trees, strict=True), start=HUB
        )
        for i, (link, at) in enumerate(zip(tree.links, home, strict=True))
        if link.joint in topology.locked
    }
    for index, leg in enumerate(topology.legs):
        E = np.vstack([scaled_legs(at, assembly.length)[index] for at in states])
        felt = np.abs(E).max(axis=0, initial=0.0) > FELT
        for i, (link, columns) in enumerate(zip(leg.tree.links, leg.tree.columns, strict=True)):
            if link.move != BALL and not felt[columns].any():
                found["link", index, i] = assembly.home.legs[index][i]
    return found


def samples_of(assembly: Machine, loops: Sequence[Loop]) -> list[Sample]:
    """Poses and coordinates of every move of every loop, in regular postures, the start first."""
    regular = {id(configuration) for _, configuration in assembly.regular_samples}
    numbers = [i for i, (_, at) in enumerate(assembly.samples) if id(at) in regular]
    states = links_of(assembly)
    found: list[Sample] = []
    for number in sorted(numbers, key=lambda i: assembly.samples[i][1] is not assembly.start[1]):
        T_0p, values = states[number]
        for loop in loops:
            values |= loop.closed[number]
        found.append((T_0p, values))
    return found


def links_of(assembly: Machine) -> list[tuple[np.ndarray, dict[Key, np.ndarray]]]:
    """Poses and coordinates of every link in all samples."""
    return [
        (
            T_0p,
            {
                ("link", tree, i): at
                for tree, each in enumerate(configuration.trees, start=HUB)
                for i, at in enumerate(each)
            },
        )
        for T_0p, configuration in assembly.samples
    ]


class Search:
    """Steps found so far, and what is known by them."""

    def __init__(self, loops: Sequence[Loop], samples: Sequence[Sample], length: float) -> None:
        self.loops, self.samples, self.length = loops, samples, length
        self.steps: list[Step] = []
        self.known: set[Key] = set()
        self.features: dict[tuple[Loop, tuple[int, ...]], list[Feature]] = {}
        # loops that have nothing to give to a pass since one of their moves became known
        self.stale: tuple[set[int], ...] = (set(), set(), set())

    def take(self, step: Step) -> None:
        """Carry out a step."""
        self.steps.append(step)
        self.known.add(step.stage.key)
        changed = {
            i
            for i, loop in enumerate(self.loops)
            if step.stage.key in {stage.key for stage in loop.stages}
        }
        for stale in self.stale:
            stale -= changed

    def next_step(self, wanted: set[Key]) -> Step | None:
        """A step that can be taken now: of links first, of closing joints if nothing else goes.

        A step without branches is taken wherever a loop has one: a root that another loop does
        not need may change its sign where nothing is singular (a flat nacelle held by its legs).
        """
        passes = ((wanted, True), (wanted, False), (None, False))
        for (keys, pointing), stale in zip(passes, self.stale, strict=True):
            for number, loop in enumerate(self.loops):
                if number in stale:
                    continue
                candidates = self.candidates(loop, keys)
                tried = [self.tried(step) for step in candidates if step.points or not pointing]
                found = [(step, slope) for step, slope in tried if slope > FELT]
                if found:
                    return max(found, key=lambda pair: (pair[0].points, pair[1]))[0]
                stale.add(number)
        return None

    def steps_for(self, wanted: set[Key]) -> tuple[Step, ...]:
        """The steps without those that nothing rests on."""
        needed, found = set(wanted), []
        for step in reversed(self.steps):
            if step.stage.key in needed:
                found.append(step)
                needed |= {stage.key for stage in step.loop.stages}
        return tuple(found[::-1])

    def candidates(self, loop: Loop, keys: set[Key] | None) -> Iterator[Step]:
        """Every way to read an unknown move off a loop; slides do not hide what turns do."""
        unknown = [i for i, stage in enumerate(loop.stages) if stage.key not in self.known]
        if len(unknown) > _MOST_UNKNOWN:
            return
        yield from self._read_off(loop, unknown, keys, (POINT, DIRECTION, PLANE))
        turning = [i for i in unknown if loop.stages[i].move != SLIDE]
        if turning != unknown:
            yield from self._read_off(loop, turning, keys, (DIRECTION,))

    def _read_off(
        self, loop: Loop, unknown: list[int], keys: set[Key] | None, kinds: tuple[str, ...]
    ) -> Iterator[Step]:
        """Every way to read one of some moves off features of some kinds."""
        for place, k in enumerate(unknown):
            stage = loop.stages[k]
            if keys is not None and stage.key not in keys:
                continue
            others = unknown[place + 1 :] + unknown[:place]
            if stage.move == BALL and not self._ball_follows(loop, others):
                continue
            if stage.move == SCREW and POINT not in kinds:
                continue  # it is known by how far it goes
            for cut in range(len(others) + 1):
                A = self._blocks(loop, others[:cut], kinds)
                B = self._blocks(loop, others[cut:], kinds)
                yield from (Step(loop, k, a, b) for a in A for b in B if _fits(stage.move, a, b))

    def _ball_follows(self, loop: Loop, others: list[int]) -> bool:
        """A ball is read off when all else is known, or swings if the rest is one more ball."""
        return not others or (len(others) == 1 and loop.stages[others[0]].move == BALL)

    def _blocks(self, loop: Loop, moves: list[int], kinds: tuple[str, ...]) -> list[Block | None]:
        if not moves:
            return [None]
        key = (loop, tuple(moves))  # what lies between them is known, whenever they are neighbours
        features = self.features.get(key)
        if features is None:
            features = kept(loop, moves, self.samples, self.length)
            self.features[key] = features
        return [Block(moves[0], moves[-1], f) for f in features if f.before.kind in kinds]

    def tried(self, step: Step) -> tuple[Step, float]:
        """The step on its branch, and how strongly its equation feels its unknown; 0: it fails."""
        slopes = []
        with np.errstate(all="ignore"):
            step = self._on_branch(step)
            for T_0p, values in self.samples:
                found = self._of_sample(step, values, T_0p)
                a, b = step.sides(values, T_0p)
                screwed = step.stage.move == SCREW and not step.points
                if screwed and min(_off_axis(a.v), _off_axis(b.v)) > _AGREES * self.length:
                    return step, 0.0  # the screw turns what it should only push
                if found is None:
                    return step, 0.0
                slopes.append(float(found.slope) / _natural(step, a, b, self.length))
        return step, min(slopes)

    def _on_branch(self, step: Step) -> Step:
        """The step on the branch of the first sample, which is where poses are sought from."""
        T_0p, values = self.samples[0]
        at = values[step.stage.key]
        if step.stage.move == BALL:
            return replace(step, home=at.T if step.stage.backwards else at)
        if not step.branches or self._gives_back(step, step.solve(values, T_0p), values):
            return step
        return replace(step, sign=-step.sign)

    def _of_sample(self, step: Step, values: Mapping[Key, Array], T_0p: Array) -> Solved | None:
        """A sample's own coordinate by a step; it may lie on the other branch if home is near it.

        ``None`` if the step gives another one.
        """
        ways = (step, replace(step, sign=-step.sign)) if step.branches else (step,)
        found = (way.solve(values, T_0p) for way in ways)
        return next((solved for solved in found if self._gives_back(step, solved, values)), None)

    def _gives_back(self, step: Step, found: Solved, values: Mapping[Key, Array]) -> bool:
        if step.stage.move == BALL and not (step.A is None and step.B is None):
            return bool(np.isfinite(found.at).all())  # an idle spin is nobody's figure
        scale = self.length if step.stage.move == SLIDE else 1.0
        return bool(np.abs(found.at - values[step.stage.key]).max() < _AGREES * scale)


def _off_axis(v: np.ndarray) -> float:
    return float(np.hypot(v[0], v[1]))


def _natural(step: Step, a: Carried, b: Carried, length: float) -> float:
    """Natural size of the slope that a step returns."""
    points = (a.kind == POINT) + (b.kind == POINT)
    if step.stage.move == TURN:
        return length ** (points if step.points else 2 * points)
    if step.stage.move == BALL:
        return length**2 if step.home is not None and (step.A or step.B) else 1.0
    return length**2 if points == 2 and not step.points else 1.0


_PAIRS = {(POINT, POINT), (POINT, PLANE), (PLANE, POINT)}


def _fits(move: str, a: Block | None, b: Block | None) -> bool:
    """Whether features of these kinds say something about a move of this kind."""
    if a is None and b is None:
        return True
    if a is not None and b is not None:
        pair = (a.feature.before.kind, b.feature.before.kind)
        turns = move == TURN and pair == (DIRECTION, DIRECTION)
        return move != BALL and (pair in _PAIRS or turns)
    one = a or b
    useful = {TURN: (POINT, DIRECTION), BALL: (POINT,)}.get(move, (POINT, PLANE))
    return one is not None and one.feature.before.kind in useful
