"""The regressor: efforts of a motion per unit of every standard parameter, ``tau = W chi``.

By virtual power a column is what the wrench of a body, or the effort of an axis, does along the
motion of the machine under a unit rate of each motor::

    W_j = J_b^T y,    J_b = twist of the body by rates of the motors

with y the wrench that one unit of the parameter takes in this motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, total
from gough.dynamics.legs.dynamics import motor_factor
from gough.dynamics.legs.split import motors_in_legs
from gough.dynamics.shared.axes import axis_effort, components
from gough.dynamics.shared.newton_euler import body_wrenches
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.standard import (
    OFFSET,
    PRELOAD,
    StandardParameter,
    unit_axis,
    unit_mass,
)
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import axis_rows
from gough.mechanism.closure.equations import Moving
from gough.mechanism.closure.recursion import (
    Twists,
    at_mount,
    mounted,
    twists,
)
from gough.mechanism.closure.solution import Rates


def regressor(
    kin: Kinematics,
    loads: StateLoads,
    parameters: Sequence[StandardParameter],
    share: Sharing | None = None,
) -> Array:
    """``W`` with ``tau = W chi``: one row a motor, one column a parameter.

    Args:
        kin: the machine in motion.
        loads: gravity, and which of friction, rotors and springs count.
        parameters: of the columns.
        share: how more motors than freedoms share efforts; the smallest ones if not given.

    Equations:
        [BK] (12)-(15) for a unit of each parameter.
    """
    return columns_along(kin, loads, parameters, moved_by_motors(kin, share))


def columns_along(
    kin: Kinematics, loads: StateLoads, parameters: Sequence[StandardParameter], moved: Moved
) -> Array:
    """The same from motions per unit rate of each motor, which depend on the posture alone."""
    felt = kin.felt(loads.ground)
    motors = len(kin.assembly.robot.motors)
    wanted: dict[str, list[str]] = {}
    for each in parameters:
        if each.of_body:
            wanted.setdefault(each.part, []).append(each.figure)
    figures = {part: _of_body(part, own, moved, felt) for part, own in wanted.items()}
    columns = [
        figures[each.part][each.figure] if each.of_body else _of_axis(kin, loads, moved, each)
        for each in parameters
    ]
    return collect(columns, empty=(0, motors)).T


class Moved(NamedTuple):
    """The machine under unit rates of its motors, one after the other: a column each.

    With more motors than freedoms, a column is what one newton of a motor does: the transposed way
    in which efforts are shared.

    Attributes:
        V: platform twists, base axes ``(6, motors)``.
        rates: of all links.
        links: twists of the links of every tree, the hub's first.
        roots: twists of the roots of these trees.
        square: whether there are as many motors as freedoms: then rates of motors are one or zero.
    """

    V: Array
    rates: Rates
    links: list[list[Twists]]
    roots: list[Twists]
    square: bool


def moved_by_motors(kin: Kinematics, share: Sharing | None) -> Moved:
    """Motions per unit rate of each motor: ``V = Psi J_r``, where ``tau = J_r^T w_r``.

    Equations:
        [BK] (13).
    """
    assembly, solution = kin.assembly, kin.solution
    n, motors = assembly.mobility, len(assembly.robot.motors)
    square = motors == n
    if square:
        J_rT = collect(motor_factor(kin).solve(np.eye(n)))
    else:
        sharing = share or Sharing(assembly)
        J_rT = collect([sharing.efforts(kin.J_inv.T, unit) for unit in np.eye(n)]).T
    V = solution.Psi @ J_rT.T
    rates = solution.rates(V)
    if square:
        rates = _with_own(kin, rates)
    at, topology = solution.equations, assembly.topology
    R, still = at.platform.R, np.zeros((3, motors))
    roots = [Twists(R.T @ V[:3], R.T @ V[3:]), *(Twists(still, still) for _ in topology.legs)]
    poses = [at.hub_poses, *at.leg_poses]
    links = [twists(*each) for each in zip(topology.trees, poses, rates.trees, roots, strict=True)]
    return Moved(V, rates, links, roots, square)


def _with_own(kin: Kinematics, rates: Rates) -> Rates:
    """Rates with those of motors that drive links of legs as they are: one, or zero.  [KI] (21)."""
    unit = np.eye(len(kin.assembly.robot.motors))
    legs = [[*qd] for qd in rates.legs]
    for own in motors_in_legs(kin.assembly):
        legs[own.leg][own.column] = unit[own.motor]
    return Rates(rates.hub, [collect(qd, empty=(0, len(unit))) for qd in legs])


def _of_body(body: str, figures: Sequence[str], moved: Moved, felt: Moving) -> dict[str, Array]:
    """Columns of a body: the power of its wrench along its twists, body axes."""
    k, (tree, links, root) = next(
        (k, each) for k, each in enumerate(felt.trees) if body in each[0].bodies
    )
    mount = tree.bodies[body]
    v, w = mounted(moved.links[k], moved.roots[k], mount)
    units = [unit_mass(figure) for figure in figures]
    f, n = body_wrenches(units, at_mount(links, root, mount))  # [BK] (10), [KI] (12)
    return dict(zip(figures, f.T @ v + n.T @ w, strict=True))


def _of_axis(kin: Kinematics, loads: StateLoads, moved: Moved, each: StandardParameter) -> Array:
    """The column of a parameter of an axis: the power of its effort along the axis' rates."""
    name, motors = each.part, kin.assembly.robot.motors
    if each.figure == OFFSET:  # of the effort that is read: no motion takes part
        return np.array([float(name == motor) for motor in motors])
    effort: Array | None = -1.0 if loads.springs else None
    if each.figure != PRELOAD:
        effort = axis_effort(
            kin, loads, name, unit_axis(each.figure), kin.axis_rate, kin.axis_acceleration
        )
    if effort is None:
        return np.zeros(len(motors))
    if name in motors and moved.square:
        return collect([effort if name == motor else 0.0 for motor in motors])
    place = kin.assembly.axes[name]
    rows = axis_rows(kin.solution.equations, place)
    z = np.concatenate([moved.V, moved.rates.hub]) if len(moved.rates.hub) else moved.V
    own = moved.rates.trees[place.tree + 1]
    terms = []
    for part, on_tree, on_z in zip(components(effort, len(rows.z)), *rows, strict=True):
        rate = on_z @ z + on_tree @ own if len(own) else on_z @ z
        terms.append(rate * part)
    return total(terms[1:], terms[0])
