"""What gives way under the loads of single joints: constants of the machine, for a kernel.

Displacements of the ends of a body, relative to one end that carries the others rigidly, are linear
in its strains; so its strains are linear in the wrenches on the other ends, in its own axes, and
the same in all postures.  Bearings and drives strain by what their joint bears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gough.dynamics.answers.held_bodies import Parts, Row
from gough.elastic.bodies import BodyModel
from gough.elastic.drives import Drive
from gough.elastic.joints import JointPlace, joint_places
from gough.elastic.mesh import repeated, shift
from gough.elastic.modelling import Options, body_models
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.body_stiffness import PLATFORM
from gough.robot.joint_kinds import KINDS, JointKind

_NONE = 1e-13  # share of the largest entry of a flexibility: what rounding leaves of a zero


class End(NamedTuple):
    """A joint at a body.

    Attributes:
        joint: its name.
        kind: of the joint.
        point: where it sits, body axes [m].
        first: number of its first load; see :class:`gough.dynamics.answers.held_bodies.HeldBodies`.
        turn: from the axes of the load to those of the body, with the sign of the load, 3x3.
    """

    joint: str
    kind: JointKind
    point: np.ndarray
    first: int
    turn: np.ndarray


def parts_of(assembly: Assembly, drives: Mapping[str, Drive], options: Options) -> Parts | None:
    """What gives way under the loads of joints; None where that does not tell all.

    That is so where joints are locked, have guides, or are screws with bearings, whose loads depend
    on more than the joint, and where motors are free.
    """
    robot = assembly.robot
    if assembly.topology.locked or any(
        joint.held is not None or joint.released.guide is not None for joint in robot.joints
    ):
        return None
    if any(KINDS[joint.kind].is_screw and joint.bearing is not None for joint in robot.joints):
        return None
    if any(not drive.locked and not drive.kp for drive in drives.values()):
        return None
    axes = {
        name for joint in robot.joints if KINDS[joint.kind].turns == 2 for name in joint.axis_names
    }
    sprung = [name for name in robot.axis_names if robot.axis(name).spring is not None]
    if axes & {*drives, *sprung, *(name for c in robot.couplings for name in c.axes)}:
        return None  # the moment of its bearing is then not all that it transmits
    places = joint_places(robot, assembly.regular_solutions[0].equations, frozenset())
    models = body_models(assembly, places, options)
    rows: list[Row] = []
    for name, model in models.items():
        if len(model.strains):
            rows += _body_rows(assembly, name, model, places)
    for k, place in enumerate(places):
        rows += _bearing_rows(place, k, len(places), assembly.length)
    holding: list[str] = []
    first = 12 * len(places)
    for motor, drive in drives.items():
        gear = robot.axis(motor).transmission
        soft = 0.0 if gear is None or gear.stiffness is None else 1.0 / gear.stiffness
        soft += 0.0 if drive.locked else 1.0 / drive.kp
        rows += _effort_row(assembly, motor, soft, first + len(holding))
        holding.append(motor)
    for name in sprung:
        spring = robot.axis(name).spring
        stiffness = 0.0 if spring is None else spring.stiffness
        if stiffness:
            rows += _effort_row(assembly, name, 1.0 / stiffness, first + len(holding))
            holding.append(name)
    return Parts(tuple(holding), tuple(rows))


def _effort_row(assembly: Assembly, axis: str, soft: float, load: int) -> list[Row]:
    """Strain of a drive or a spring per natural effort."""
    unit = assembly.length if is_turn(assembly.axes[axis]) else 1.0
    return [((load, float(np.sqrt(soft) * unit)),)] if soft else []


def _body_rows(
    assembly: Assembly, name: str, model: BodyModel, places: Sequence[JointPlace]
) -> list[Row]:
    """Strains of a body by the loads on its ends but one, which balances the others."""
    ends = []
    seats = assembly.topology.seats
    for k, place in enumerate(places):
        joint = place.joint
        if joint.child == name:
            seat = seats[joint.name].B
            ends.append(End(joint.name, KINDS[joint.kind], place.on_child, 6 * k, seat.R))
        if joint.parent == name:
            seat = seats[joint.name].A
            first = 6 * (len(places) + k)
            ends.append(End(joint.name, KINDS[joint.kind], place.on_parent, first, -seat.R))
    if name == assembly.robot.platform:
        support, held = np.array(assembly.robot.platform_frame.position), PLATFORM
    else:
        last = min(ends, key=lambda end: end.kind.freedoms)  # with it most components go
        ends.remove(last)
        support, held = last.point, last.joint
    inverse = np.linalg.pinv(model.strains, rcond=1e-12)
    units = np.repeat([1.0, assembly.length], 3)
    blocks: list[np.ndarray] = []
    loads: list[int] = []
    for end in ends:
        carried = shift(end.point - support) @ model.at(support, held)
        moved = model.at(end.point, end.joint) - carried
        seen = (moved @ inverse).T @ repeated(end.turn, 2) * units
        # a ball bears no moment; what slides below it does bear none about another point, either
        count = 3 if end.kind.turns == 3 and not end.kind.slides else 6
        blocks.append(seen[:, :count])
        loads += range(end.first, end.first + count)
    if not blocks:
        return []
    together = np.concatenate(blocks, axis=1)
    return [
        tuple((load, float(factor)) for load, factor in zip(loads, row, strict=True) if factor)
        for row in _root(together.T @ together)
    ]


def _root(squares: np.ndarray) -> list[np.ndarray]:
    """Rows whose squares are a semidefinite matrix, with as few entries as elimination leaves."""
    left = squares.copy()
    unit = np.sqrt(np.maximum(np.diag(squares), 1e-300))
    found = []
    for k in range(len(left)):
        if left[k, k] <= _NONE * squares[k, k] or squares[k, k] <= 0.0:
            continue
        row = left[k] / np.sqrt(left[k, k])
        row[np.abs(row) <= _NONE * unit] = 0.0
        row[:k] = 0.0
        left = left - np.outer(row, row)
        found.append(row)
    return found


def _bearing_rows(place: JointPlace, k: int, count: int, length: float) -> list[Row]:
    """Strains of a bearing by the load of its joint."""
    kind = KINDS[place.joint.kind]
    # what turns in two or three directions is held in those of the parent
    first = 6 * (count + k) if kind.turns > 1 else 6 * k
    found: list[Row] = []
    for each in place.directions():
        if each.stiffness is None:
            continue
        unit = 1.0 / float(np.sqrt(each.stiffness))
        if kind.turns == 2 and each.row[3:].any():
            # it bears a moment along one direction only: its square is that of three components
            found += [((first + i, length * unit),) for i in (3, 4, 5)]
            continue
        entries = [
            (first + i, float(each.row[i]) * unit * (length if i > 2 else 1.0))
            for i in range(6)
            if each.row[i]
        ]
        found.append(tuple(entries))
    return found
