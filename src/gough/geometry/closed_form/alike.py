"""Closed forms whose legs go the same way: one leg's steps, taken with the figures of another.

The search takes for each coordinate the step that feels it most.  Where two are equally good,
rounding decides, and legs that are alike are solved by different ones.  Code that legs are to share
needs one way for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from gough.geometry.closed_form.loops import Key, Loop
from gough.geometry.closed_form.search import FELT, ClosedForm, Search, samples_of
from gough.geometry.closed_form.steps import Block, Step
from gough.mechanism.closure.axes import HUB
from gough.mechanism.mobility.assembly import Assembly


def alike_form(assembly: Assembly, form: ClosedForm) -> ClosedForm:
    """The form with as many legs as possible solved by the same steps.

    With joints of a nacelle between them, legs rest on each other: theirs stay as they are.
    """
    if assembly.topology.hub.links:
        return form
    count = len(assembly.topology.legs)
    shapes = [tuple(_shape(loop, i, form) for loop in leg_loops(form, i)) for i in range(count)]
    left, steps = set(range(count)), dict[int, list[Step]]()
    while left:
        ways = [(i, _followers(assembly, form, i, left, shapes)) for i in sorted(left)]
        _, found = max(ways, key=lambda way: len(way[1]))
        steps |= found
        left -= found.keys()
    return replace(form, steps=tuple(step for i in range(count) for step in steps[i]))


def leg_loops(form: ClosedForm, index: int) -> list[Loop]:
    """Loops that go through one leg."""
    return [loop for loop in form.loops if owner(loop) == index]


def owner(loop: Loop) -> int:
    """The leg that a loop goes through; ``HUB`` of a loop within a nacelle."""
    return max((s.key[1] for s in loop.stages if s.key[0] != "closing"), default=HUB)


def steps_without_numbers(form: ClosedForm, index: int) -> Hashable:
    """Loops of a leg and the steps that find its joints: equal for legs that go the same way."""
    loops = leg_loops(form, index)
    return (
        tuple(_shape(loop, index, form) for loop in loops),
        tuple(_way(step, loops) for step in form.steps if step.loop in loops),
        tuple(sorted(key[2] for key in form.still if key[:2] == ("link", index))),
    )


def _followers(
    assembly: Assembly, form: ClosedForm, first: int, left: set[int], shapes: Sequence[Hashable]
) -> dict[int, list[Step]]:
    """Legs that can take the steps of one of them, and those steps with their own figures."""
    own = leg_loops(form, first)
    pattern = [step for step in form.steps if step.loop in own]
    found = {first: pattern}
    for i in left - {first}:
        if shapes[i] == shapes[first]:
            steps = _taken(assembly, form, [_way(step, own) for step in pattern], i)
            if steps is not None:
                found[i] = steps
    return found


def _taken(
    assembly: Assembly, form: ClosedForm, ways: Sequence[Hashable], index: int
) -> list[Step] | None:
    """Steps of a leg that go these ways; none if its samples do not confirm one."""
    loops = leg_loops(form, index)
    search = Search(form.loops, samples_of(assembly, form.loops), assembly.length)
    search.known |= {*form.still}
    for way in ways:
        tried = [
            search.tried(step)
            for loop in loops
            for step in search.candidates(loop, None)
            if _way(step, loops) == way
        ]
        if not tried or max(slope for _, slope in tried) <= FELT:
            return None
        search.take(max(tried, key=lambda pair: pair[1])[0])
    return search.steps


def _shape(loop: Loop, index: int, form: ClosedForm) -> Hashable:
    """A loop of a leg without its numbers."""
    numbers = {_number(each): k for k, each in enumerate(leg_loops(form, index))}
    stages = [(s.move, s.pitch, s.backwards, _key(s.key, index, numbers)) for s in loop.stages]
    return loop.by_pose, tuple(stages)


def _number(loop: Loop) -> int:
    """What keys of a loop's closing joint call the loop."""
    return next((s.key[1] for s in loop.stages if s.key[0] == "closing"), -1)


def _key(key: Key, index: int, numbers: dict[int, int]) -> Hashable:
    what, where, number = key
    if what != "closing":
        return what, where == index, number
    return what, numbers[where], number


def _way(step: Step, loops: Sequence[Loop]) -> Hashable:
    """Which coordinate a step finds, and from what."""
    blocks = tuple(None if b is None else _block(b) for b in (step.A, step.B))
    return loops.index(step.loop), step.move, blocks


def _block(block: Block) -> Hashable:
    before, behind = block.feature
    return block.first, block.last, before.kind, behind.kind
