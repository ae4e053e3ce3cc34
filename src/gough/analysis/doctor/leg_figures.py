"""Like legs compared by their figures: masses, friction, rotors, gears, motors, springs, limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from gough.analysis.doctor.leg_points import places
from gough.analysis.doctor.likeness import Chain
from gough.analysis.doctor.symmetry import SAME, odd_value
from gough.base.english import counted, listed
from gough.robot import Robot
from gough.robot.finding import NOTE, WARNING, Finding

_WEAK = 3  # legs of which two are a weak majority
_DUST = 1e-9  # of a length [m], or of a moment of inertia as a share of the largest


class _Figure(NamedTuple):
    """A number of a leg: of which joint or body, what it is called, and its value.

    Of data that an axis may have or not, as those of a motor, the value is whether it has them.
    """

    kind: Literal["joint", "body"]
    owner: str
    words: str
    value: float | bool


def odd_figures(robot: Robot, group: list[Chain]) -> list[Finding]:
    """One finding for a leg that has figures of its own."""
    differing: dict[int, list[tuple[_Figure, float]]] = {}
    comparable = _comparable(group)
    tables = [_table(robot, chain, comparable) for chain in group]
    for place in tables[0]:
        if all(place in table for table in tables):
            odd = odd_value([table[place].value for table in tables])
            # data that one leg alone has are meant: nobody types them by mistake
            if odd is not None and tables[odd[0]][place].value is not True:
                differing.setdefault(odd[0], []).append((tables[odd[0]][place], odd[1]))
    return [_odd_leg(group, k, found) for k, found in differing.items()]


def _odd_leg(group: list[Chain], k: int, found: list[tuple[_Figure, float]]) -> Finding:
    figures = {one.words: (one.value, usual) for one, usual in found if one.value is not False}
    missing = [one.words for one, _ in found if one.value is False]
    parts = []
    if figures:
        parts.append(
            listed(f"{words} is {x:.6g}, not {y:.6g}" for words, (x, y) in figures.items())
        )
    if missing:
        verb, what = ("is", "it") if len(missing) == 1 else ("are", "them")
        parts.append(f"{listed(missing)} {verb} missing, the others have {what}")
    return Finding(
        "odd-figure",
        WARNING if len(group) > _WEAK else NOTE,
        f"leg {group[k].leg!r} differs from the {counted(len(group) - 1, 'leg')} like it: "
        f"{'; '.join(parts)}",
        "If it is not meant, mend it.",
        joints=tuple(dict.fromkeys(one.owner for one, _ in found if one.kind == "joint")),
        bodies=tuple(dict.fromkeys(one.owner for one, _ in found if one.kind == "body")),
        data={"figures": {words: [*pair] for words, pair in figures.items()}, "missing": missing},
    )


def _in_order(chain: Chain) -> tuple[str, ...]:
    """Bodies of a leg, in the order of its joints."""
    return tuple(dict.fromkeys(b for joint in chain.joints for b in (joint.parent, joint.child)))


def _comparable(group: list[Chain]) -> list[bool]:
    """Whether the frames of a body are alike: its joints have the same places, but for one leg."""
    every = places(group)
    found = []
    for bodies in zip(*(_in_order(chain) for chain in group), strict=True):
        ends = [np.abs(place.points) for place in every if place.bodies == bodies]
        usual = [np.median(points, axis=0) for points in ends]
        size = max((float(np.linalg.norm(point)) for point in usual), default=0.0)
        off = [
            np.abs(p - u).max(axis=1) > SAME * size + _DUST
            for p, u in zip(ends, usual, strict=True)
        ]
        found.append(bool(ends) and int(np.any(off, axis=0).sum()) <= 1)
    return found


def _table(robot: Robot, chain: Chain, comparable: list[bool]) -> dict[tuple[Any, ...], _Figure]:
    """Figures of a leg by place; of a body with frames of its own only what these do not change."""
    found: dict[tuple[Any, ...], _Figure] = {}
    bodies = _in_order(chain)
    for k, joint in enumerate(chain.joints):
        for i, axis in enumerate(joint.axes):
            for path, value in _numbers(axis):
                words = f"joints.{joint.axis_names[i]}.{path}"
                found["axis", k, i, path] = _Figure("joint", joint.name, words, value)
            for path, given in _given(axis):
                words = f"joints.{joint.axis_names[i]}.{path}"
                # an axis that is not driven has no motor: it is not compared with one that is
                place = "given", k, i, (k, i) in chain.driven, path
                found[place] = _Figure("joint", joint.name, words, given)
    own = _own(robot, chain)
    for k, name in enumerate(bodies):
        if name not in own:
            continue
        body = robot.body(name)
        values = {f"bodies.{name}.mass": body.mass}
        if comparable[k]:
            values |= {f"bodies.{name}.center[{i}]": abs(x) for i, x in enumerate(body.center)}
        moments = np.linalg.eigvalsh(np.asarray(body.inertia))
        moments[np.abs(moments) < _DUST * np.abs(moments).max()] = 0.0
        for i, moment in enumerate(moments.tolist()):
            values[f"principal moment {i + 1} of bodies.{name}.inertia"] = moment
        for i, (words, value) in enumerate(values.items()):
            found["body", k, i] = _Figure("body", name, words, value)
    return found


def _own(robot: Robot, chain: Chain) -> set[str]:
    """Bodies that belong to a leg alone: those that only its own joints hold."""
    names = {joint.name for joint in chain.joints}
    held: dict[str, set[str]] = {}
    for joint in robot.joints:
        for body in (joint.parent, joint.child):
            held.setdefault(body, set()).add(joint.name)
    return {body for body, joints in held.items() if joints <= names} - {robot.base}


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a frozen description, with its path."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            name = f"{path}.{each.name}" if path else each.name
            yield from _numbers(getattr(value, each.name), name)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for i, each in enumerate(value):
            yield from _numbers(each, f"{path}[{i}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)


def _given(value: Any, path: str = "") -> Iterator[tuple[str, bool]]:
    """Whether a frozen description has each of its parts; parts of a missing one are left out."""
    for each in fields(value):
        name = f"{path}.{each.name}" if path else each.name
        part = getattr(value, each.name)
        yield name, part is not None
        if is_dataclass(part):
            yield from _given(part, name)
