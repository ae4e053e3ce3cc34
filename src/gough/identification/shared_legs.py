"""Legs that are built alike have the same parameters: ``chi = S chi_shared``.

Alike are legs whose links, joints and bodies correspond, with equal frames inside the leg; where it
stands on the base and meets the platform does not matter.  Bodies may be described in frames of
their own: shared are the parameters in the frame of the first leg's body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.masses import shifted
from gough.dynamics.shared.standard import (
    OF_BODIES,
    OFFSET,
    PRELOAD,
    StandardParameter,
    mass_entries,
    unit_mass,
)
from gough.errors import InputError
from gough.evaluation.exports.alike import kinds_of_legs, leg_axes
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Leg
from gough.mechanism.topology.tree import ROOT, Mount

_SAME = 1e-6  # frames that differ less, natural units, are the same: figures have as many digits


class SharedParameters(NamedTuple):
    """Parameters of which those of legs built alike are one.

    Attributes:
        parameters: of each shared one, that of the first leg.
        names: ``arm*.Iyy`` for a parameter of several legs.
        matrix: S of ``chi = S chi_shared``, ``(all, shared)``.
        legs: names of the legs that share, group by group.
    """

    parameters: tuple[StandardParameter, ...]
    names: tuple[str, ...]
    matrix: np.ndarray
    legs: tuple[tuple[str, ...], ...]


def shared_parameters(
    assembly: Assembly, parameters: Sequence[StandardParameter]
) -> SharedParameters:
    """Parameters with those of legs built alike merged; offsets of motors stay their own.

    Raises:
        InputError: no two legs are built alike.
    """
    groups = [group for group in legs_built_alike(assembly) if len(group) > 1]
    if not groups:
        raise InputError(
            f"{assembly.robot.name}: no two of its legs are built alike: joints or bodies sit "
            "differently in them",
            hint="Leave share out: every leg then has parameters of its own.",
            argument="share",
        )
    numbers = {(each.part, each.figure): k for k, each in enumerate(parameters)}
    bodies, axes = _partners(assembly, groups)
    follows = {part for parts in (*bodies, *axes) for part in parts[1:]}
    firsts = {parts[0]: parts for parts in (*bodies, *axes)}
    made, names, columns = [], [], []
    for each in parameters:
        if each.part in follows and _is_shared(assembly, each, axes):
            continue
        parts = firsts.get(each.part, (each.part,))
        if not _is_shared(assembly, each, axes):
            parts = (each.part,)
        column = np.zeros(len(parameters))
        for part in parts:
            for figure, value in _in_frame_of(assembly, parts[0], part, each.figure).items():
                if (part, figure) in numbers:
                    column[numbers[part, figure]] = value
        made.append(each)
        names.append(f"{common_name(parts)}.{each.figure}")
        columns.append(column)
    legs = tuple(tuple(assembly.topology.legs[i].name for i in group) for group in groups)
    return SharedParameters(tuple(made), _distinct(names, made), np.array(columns).T, legs)


def legs_built_alike(assembly: Assembly) -> list[list[int]]:
    """Legs by their numbers, those with the same frames inside together."""
    found: list[list[int]] = []
    for kind in kinds_of_legs(assembly, Variant(), None):
        own: list[list[int]] = []
        for leg in kind:
            group = next((g for g in own if _same_inside(assembly, g[0], leg)), None)
            own.append([leg]) if group is None else group.append(leg)
        found += own
    return found


def _same_inside(assembly: Assembly, one: int, other: int) -> bool:
    """Whether joints sit equally in the bodies of two legs."""
    a, b = assembly.topology.legs[one], assembly.topology.legs[other]
    frames = [
        ((x.R, x.p), (y.R, y.p))
        for x, y in zip(a.tree.links, b.tree.links, strict=True)
        if x.parent != ROOT
    ]
    frames += [
        ((x.R, x.p), (y.R, y.p)) for x, y in zip(_ends(a), _ends(b), strict=True) if x.link != ROOT
    ]
    return all(
        np.abs(R - R_other).max() < _SAME and np.abs(p - p_other).max() < _SAME * assembly.length
        for (R, p), (R_other, p_other) in frames
    )


def _ends(leg: Leg) -> list[Mount]:
    """Frames on the leg's links at which it is closed."""
    return [end for c in leg.closings for end in ((c.near,) if c.far_on_hub else (c.near, c.far))]


def _partners(
    assembly: Assembly, groups: Sequence[Sequence[int]]
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Bodies that correspond to each other, and axes that do."""
    bodies, axes = [], []
    for group in groups:
        own = [[*assembly.topology.legs[i].tree.bodies][1:] for i in group]  # the first is the base
        bodies += list(zip(*own, strict=True))
        axes += list(zip(*(leg_axes(assembly, i).values() for i in group), strict=True))
    return bodies, axes


def _is_shared(
    assembly: Assembly, each: StandardParameter, axes: Sequence[tuple[str, ...]]
) -> bool:
    """Whether legs built alike have the same; not so offsets, nor springs wound differently."""
    if each.figure == OFFSET:
        return False
    if each.figure != PRELOAD:
        return True
    parts = next((parts for parts in axes if each.part in parts), (each.part,))
    springs = [assembly.robot.axis(part).spring for part in parts]
    return len({None if spring is None else spring.rest for spring in springs}) == 1


def _in_frame_of(assembly: Assembly, first: str, part: str, figure: str) -> dict[str, float]:
    """Parameters of a body for a unit of one in the frame of the first leg's body."""
    if first == part or figure not in OF_BODIES:
        return {figure: 1.0}
    here, there = _mount(assembly, first), _mount(assembly, part)
    on_link = shifted(unit_mass(figure), here.R, here.p)
    own = shifted(on_link, there.R.T, -(there.R.T @ there.p))
    values = mass_entries(own)
    values[np.abs(values) < 1e-12] = 0.0  # rounding of turned axes
    return {name: float(x) for name, x in zip(OF_BODIES, values, strict=True) if x}


def _mount(assembly: Assembly, body: str) -> Mount:
    return next(leg.tree.bodies[body] for leg in assembly.topology.legs if body in leg.tree.bodies)


def common_name(parts: Sequence[str]) -> str:
    """``arm*`` of ``arm1``, ``arm2``, ``arm3``; the first name if they have nothing in common."""
    if len(parts) == 1:
        return parts[0]
    before = _beginning(parts)
    after = _beginning([part[len(before) :][::-1] for part in parts])[::-1]
    return f"{before}*{after}" if before or after else f"{parts[0]}*"


def _beginning(texts: Sequence[str]) -> str:
    """What all of some texts begin with."""
    alike = 0
    for letters in zip(*texts, strict=False):
        if len(set(letters)) > 1:
            break
        alike += 1
    return texts[0][:alike]


def _distinct(names: Sequence[str], made: Sequence[StandardParameter]) -> tuple[str, ...]:
    """Names that are given once each: those of the first leg where a pattern is not enough."""
    return tuple(
        f"{each.part}*.{each.figure}" if list(names).count(name) > 1 else name
        for name, each in zip(names, made, strict=True)
    )
