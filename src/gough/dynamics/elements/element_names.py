"""The elements of a robot in the words of [OZ]: ``2BB`` for the five-bar.

B is a bar, Sp a spindle (it turns about itself), T a telescope (it is drawn out), S a screw (both).
A strut on a universal joint is a screw, for the joint makes it spin, erratum OZ-4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from gough.base.result import Result
from gough.dynamics.elements.decomposition import Branch, Decomposition, element_parts
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.robot.joint_kinds import KINDS

KIND_NAMES = {"B": "bar", "Sp": "spindle", "T": "telescope", "S": "screw"}
_AS_ONE = {"Sp": "B", "S": "T"}  # of a parallelogram, whose bars may spin


@dataclass(frozen=True)
class ElementWords:
    """One element: its letter, its bodies, and whether they are bars of a parallelogram."""

    kind: str
    bodies: tuple[str, ...]
    parallelogram: bool = False

    def __str__(self) -> str:
        if self.parallelogram:
            return f"parallelogram {' | '.join(self.bodies)}"
        return f"{KIND_NAMES[self.kind]} {' + '.join(self.bodies)}"


@dataclass(frozen=True)
class Elements(Result):
    """A robot taken apart into kinematic elements.

    Attributes:
        robot: name of the machine.
        formula: legs in letters, ``3BB``; branches in brackets.
        legs: name, formula and elements of each leg.
        hub: bodies of the platform or nacelle, shared out among the legs.
    """

    robot: str
    formula: str
    legs: tuple[tuple[str, str, tuple[ElementWords, ...]], ...]
    hub: tuple[str, ...]

    def lines(self) -> list[tuple[str, str]]:
        """The formula, each leg with its elements, and what legs share."""
        found = [(self.robot, self.formula)]
        for name, formula, elements in self.legs:
            words = ", ".join(map(str, elements))
            found.append((f"leg {name}", f"{formula}: {words or 'no element of its own'}"))
        if self.hub:
            found.append(("shared out among the legs", ", ".join(self.hub)))
        return found

    def __str__(self) -> str:
        return "\n  ".join(f"{heading}: {fact}" for heading, fact in self.lines())


def elements(robot: Robot) -> Elements:
    """The kinematic elements of a robot, named as [OZ] names them."""
    assembly = assembled(robot)
    parts = element_parts(assembly)
    kinds = _kinds(parts)
    whole = any(parts.is_bar(branch) for branch in parts.branches)
    legs = []
    for branch in parts.branches:
        legs.append((branch.name, *_formula(parts, branch, kinds)))
    # a leg that is one joint has no element: it counts where it is listed
    found = sorted(leg[1] for leg in legs if leg[1])
    grouped = [(f, len(list(g))) for f, g in groupby(found)]
    total = "-".join(f"{count if count > 1 else ''}{f}" for f, count in grouped)
    hub = () if whole else (robot.platform, *(way.body for way in parts.hub))
    return Elements(robot.name, total, tuple(legs), hub)


def _kinds(parts: Decomposition) -> dict[str, str]:
    """Letter of every element: whether it is drawn out, and whether it spins."""
    found = {}
    for name, element in parts.elements.items():
        drawn = any(
            KINDS[j.kind].travel == (2,)  # what slides sideways is not drawn out
            and (j.child in element.bodies or j.parent in element.bodies)
            and (KINDS[j.kind].turns or _within(j.parent, j.child, parts) == name)
            for j in parts.robot.joints
        )
        found[name] = {(0, 0): "B", (0, 1): "Sp", (1, 0): "T", (1, 1): "S"}[drawn, element.spins]
    return found


def _within(parent: str, child: str, parts: Decomposition) -> str:
    """The element inside which a slide lies."""
    names = {parts.element_of[parent], parts.element_of[child]} - {""}
    return names.pop() if len(names) == 1 else ""


def _formula(
    parts: Decomposition, branch: Branch, kinds: dict[str, str]
) -> tuple[str, tuple[ElementWords, ...]]:
    """Letters of a leg, branches in brackets, and its elements in order.

    Bars side by side that always point the same way are a parallelogram, which is one bar, [OZ]
    3.1.1: what each does about its own direction is no mobility of the parallelogram.
    """
    ways = (*branch.own, *(branch.hub if parts.is_bar(branch) else ()))
    here = {way.body for way in ways}
    together: dict[str, list[str]] = {"": [""]}  # elements by the first of those side by side
    first: dict[str, str] = {"": ""}
    children: dict[str, list[str]] = {}
    for way in ways:
        name, before = parts.element_of[way.body], first[parts.element_of[way.before]]
        if name in first:
            continue
        siblings = children.setdefault(before, [])
        like = parts.elements[name].like
        first[name] = next((k for k in siblings if parts.elements[k].like == like), name)
        together.setdefault(first[name], []).append(name)
        if first[name] == name:
            siblings.append(name)

    def kind(name: str) -> str:
        return _AS_ONE.get(kinds[name], kinds[name]) if len(together[name]) > 1 else kinds[name]

    def letters(name: str) -> str:
        behind = [letters(child) for child in children.get(name, [])]
        rest = behind[0] if len(behind) == 1 else f"[{'|'.join(behind)}]" if behind else ""
        return (kind(name) if name else "") + rest

    words = tuple(
        ElementWords(
            kind(name),
            tuple(b for k in group for b in parts.elements[k].bodies if b in here),
            parallelogram=len(group) > 1,
        )
        for name, group in together.items()
        if name
    )
    return letters(""), words
