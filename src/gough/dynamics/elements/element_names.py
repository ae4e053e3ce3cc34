"""The elements of a robot in the words of [OZ]: ``2BB`` for the five-bar.

B is a bar, Sp a spindle (it turns about itself), T a telescope (it is drawn out), S a screw (both).
A strut on a universal joint is a screw, for the joint makes it spin, erratum OZ-4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from gough.base.result import Result
from gough.dynamics.elements.decomposition import SLIDES, Branch, Decomposition, element_parts
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

KIND_NAMES = {"B": "bar", "Sp": "spindle", "T": "telescope", "S": "screw"}


@dataclass(frozen=True)
class ElementWords:
    """One element: its letter and its bodies."""

    kind: str
    bodies: tuple[str, ...]


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
            words = ", ".join(f"{KIND_NAMES[e.kind]} {' + '.join(e.bodies)}" for e in elements)
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
        formula, members = _formula(parts, branch, kinds)
        here = {way.body for way in (*branch.own, *branch.hub)}
        words = tuple(
            ElementWords(kinds[e], tuple(b for b in parts.elements[e].bodies if b in here))
            for e in members
        )
        legs.append((branch.name, formula, words))
    grouped = [(f, len(list(g))) for f, g in groupby(sorted(leg[1] for leg in legs))]
    total = "-".join(f"{count if count > 1 else ''}{f}" for f, count in grouped)
    hub = () if whole else (robot.platform, *(way.body for way in parts.hub))
    return Elements(robot.name, total, tuple(legs), hub)


def _kinds(parts: Decomposition) -> dict[str, str]:
    """Letter of every element: whether it is drawn out, and whether it spins."""
    found = {}
    for name, element in parts.elements.items():
        drawn = any(
            j.kind in SLIDES
            and (j.child in element.bodies or j.parent in element.bodies)
            and (j.kind != "prismatic" or _within(j.parent, j.child, parts) == name)
            and j.kind != "planar_contact"
            for j in parts.robot.joints
        )
        found[name] = {(0, 0): "B", (0, 1): "Sp", (1, 0): "T", (1, 1): "S"}[drawn, element.spins]
    return found


def _within(parent: str, child: str, parts: Decomposition) -> str:
    """The element inside which a slide lies."""
    names = {parts.element_of[parent], parts.element_of[child]} - {""}
    return names.pop() if len(names) == 1 else ""


def _formula(parts: Decomposition, branch: Branch, kinds: dict[str, str]) -> tuple[str, list[str]]:
    """Letters of a leg, branches in brackets, and its elements in order."""
    ways = (*branch.own, *(branch.hub if parts.is_bar(branch) else ()))
    children: dict[str, list[str]] = {}
    order: list[str] = []
    for way in ways:
        name, before = parts.element_of[way.body], parts.element_of[way.before]
        if name != before and name not in order:
            order.append(name)
            children.setdefault(before, []).append(name)

    def letters(name: str) -> str:
        own = kinds.get(name, "")
        behind = [letters(child) for child in children.get(name, [])]
        return own + (behind[0] if len(behind) == 1 else f"[{'|'.join(behind)}]" if behind else "")

    return letters(""), order
