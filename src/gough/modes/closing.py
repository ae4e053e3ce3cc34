"""Loops closed with the motors where they are told, for many starts at once.

The closure equations are spelled once as a program and read for all starts together; steps are
damped (Levenberg, Marquardt), so that a machine that is badly open finds together from far away.
Nothing here follows a branch: every start may end in another assembly mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.closure.axes import AxisRows, axis_over_all, axis_rows, coordinate
from gough.closure.coordinates import Configuration, pack, packed_length, unpack
from gough.closure.dense import column_scales, group_scales, move, over_all, split
from gough.closure.equations import Equations, locks
from gough.closure.rows import sides
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect, moved
from gough.tracing.interpreter import run
from gough.tracing.program import Program
from gough.tracing.tracer import trace


class Machines(NamedTuple):
    """Many states of one machine: platform poses, and coordinates of all links, packed."""

    T_0p: np.ndarray
    coordinates: np.ndarray

    def select(self, chosen: np.ndarray) -> Machines:
        """Some of them."""
        return Machines(self.T_0p[chosen], self.coordinates[chosen])


@dataclass(frozen=True, eq=False)
class Loops:
    """All closure equations of a robot and the positions of its motors, for many states at once.

    Attributes:
        assembly: the robot.
        rows: program of the equations.
        step: program of a step along rates of all links and the twist of the platform.
    """

    assembly: Assembly
    rows: Program
    step: Program

    def equations(self, at: Machines, q_a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows over (u, V) and right sides, natural units: closure first, then motors.

        Returns:
            ``J (N, m, n)`` and ``r (N, m)``: a step ``J x = r`` closes loops and moves motors.
        """
        assembly, topology = self.assembly, self.assembly.topology
        found = run(self.rows, at._asdict())
        sizes = group_scales(topology, locks(topology), assembly.length)
        blocks = [(found[f"E_{k}"], found[f"F_{k}"]) for k in range(len(sizes))]
        rows, right = [over_all(topology, blocks)], [found[f"r_{k}"] for k in range(len(sizes))]
        for i, name in enumerate(assembly.robot.motors):
            along = AxisRows([found[f"motor_{i}"]], [found[f"along_{i}"]])
            rows.append(axis_over_all(topology, assembly.axes[name], along))
            at_q, goal = found[f"at_{i}"], q_a[..., i]
            if at_q.shape[1] == 2:  # a turn: the nearest way round
                c, s = np.cos(goal), np.sin(goal)
                off = np.arctan2(s * at_q[:, 0] - c * at_q[:, 1], c * at_q[:, 0] + s * at_q[:, 1])
            else:
                off = goal - at_q[:, 0]
            right.append(off[:, None])
        scales = np.concatenate([*sizes, assembly.scales.motors])
        units = column_scales(topology, assembly.length)
        J, r = np.concatenate(rows, axis=-2), np.concatenate(right, axis=-1)
        return J * (units / scales[:, None]), r / scales

    def moved(self, at: Machines, step: np.ndarray) -> Machines:
        """States after a step ``(u, V)`` in natural units."""
        units = column_scales(self.assembly.topology, self.assembly.length)
        found = run(self.step, {**at._asdict(), "step": step * units})
        return Machines(found["T_0p"], found["coordinates"])


def loops(assembly: Assembly) -> Loops:
    """The closure equations of a robot, spelled on first demand."""
    return assembly.once("loops of many states", _spell)


def _spell(assembly: Assembly) -> Loops:
    topology, robot = assembly.topology, assembly.robot
    length = packed_length(topology)
    n_u = topology.hub.rates + sum(leg.tree.rates for leg in topology.legs)

    def rows(T_0p: Array, coordinates: Array) -> dict[str, Array]:
        at = Equations(topology, locks(topology), T_0p, _held(assembly, coordinates))
        hub, legs = at.residuals()
        found: dict[str, Array] = {}
        blocks: list[Any] = [at.hub_block, *at.leg_blocks]
        for k, (block, open_by) in enumerate(zip(blocks, [hub, *legs], strict=True)):
            found |= {
                f"E_{k}": block.E * 1.0,
                f"F_{k}": block.F * 1.0,
                f"r_{k}": collect(open_by) if len(open_by) else np.zeros(0),
            }
        meetings = [m for group in (*at.meetings, at.hub_meetings) for m in group]
        aligned = [side for m in meetings for side in sides(m)]
        found["sides"] = collect(aligned) if aligned else np.zeros(0)
        for i, name in enumerate(robot.motors):
            place = assembly.axes[name]
            along = axis_rows(at, place)
            found |= {
                f"motor_{i}": along.tree[0] * 1.0,
                f"along_{i}": along.z[0] * 1.0,
                f"at_{i}": coordinate(at, place) * 1.0,
            }
        return found

    def step(T_0p: Array, coordinates: Array, step: Array) -> dict[str, Array]:
        V = step[n_u:]
        there = move(topology, _held(assembly, coordinates), split(topology, step[:n_u]))
        return {"T_0p": moved(T_0p, V), "coordinates": pack(there)}

    inputs: dict[str, tuple[int, ...]] = {"T_0p": (4, 4), "coordinates": (length,)}
    return Loops(
        assembly,
        trace("loops", rows, inputs),
        trace("step", step, {**inputs, "step": (n_u + 6,)}),
    )


def _held(assembly: Assembly, coordinates: Array) -> Configuration:
    """Coordinates of every link, those of locked joints at home wherever a search starts."""
    topology, at = assembly.topology, unpack(assembly.topology, coordinates)
    trees = (topology.hub, *(leg.tree for leg in topology.legs))
    homes = (assembly.home.hub, *assembly.home.legs)
    hub, *legs = (
        [
            own if link.joint in topology.locked else value
            for link, own, value in zip(tree.links, home, values, strict=True)
        ]
        for tree, home, values in zip(trees, homes, (at.hub, *at.legs), strict=True)
    )
    return Configuration(hub, legs)


def close_all(
    assembly: Assembly, start: Machines, q_a: np.ndarray, *, held: bool = False
) -> tuple[Machines, np.ndarray]:
    """Close every start as well as it can be, the motors where they are told.

    Args:
        assembly: the robot.
        start: states, however open.
        q_a: positions of the motors, of all starts or one row each.
        held: whether the platform stays where it is, but for the last digits.

    Returns:
        States, and the largest equation left open in each, natural units; infinite where a joint
        closes with its axes opposed.
    """
    system = loops(assembly)
    goals = np.broadcast_to(q_a, (len(start.T_0p), len(assembly.robot.motors)))
    found, error = _descended(system, start, goals, _FROM_FAR, held=held)
    near = np.flatnonzero(error < _NEARLY)
    closed, error[near] = _descended(system, found.select(near), goals[near], _LAST_DIGITS)
    found.T_0p[near], found.coordinates[near] = closed
    opposed = (run(system.rows, closed._asdict())["sides"] < 0.0).any(axis=1)
    error[near[opposed]] = np.inf
    return found, error


class _Rule(NamedTuple):
    """How steps are taken.

    Attributes:
        most: how many.
        longest: natural units.
        damping: at first (Levenberg, Marquardt); none: least squares, to the last digits.
        enough: what may be left open.
    """

    most: int
    longest: float
    damping: float
    enough: float


_FROM_FAR = _Rule(60, 0.7, 1e-2, 1e-6)
# where two modes meet, steps only halve what is missing
_LAST_DIGITS = _Rule(40, 0.1, 0.0, 1e-15)
_NEARLY = 1e-3


def _descended(
    system: Loops, start: Machines, goals: np.ndarray, rule: _Rule, *, held: bool = False
) -> tuple[Machines, np.ndarray]:
    """Machines after steps that each leave less open than before, and what they leave open."""
    found = Machines(start.T_0p.copy(), start.coordinates.copy())
    error, damping = np.full(len(goals), np.inf), np.full(len(goals), rule.damping)
    active, here = np.arange(len(goals)), found
    J, r = _system(system, here, goals, held)
    for _ in range(rule.most):
        if not len(active):
            break
        step = _step(J, r, damping[active])
        longest = np.abs(step).max(axis=1, initial=1e-300)
        step = step * np.minimum(1.0, rule.longest / longest)[:, None]
        there = system.moved(here, _whole(step, held))
        J_there, r_there = _system(system, there, goals[active], held)
        order = 2 if rule.damping else np.inf
        better = _norms(r_there, order) < _norms(r, order)
        damping[active] *= np.where(better, 1.0 / 6.0, 6.0)
        for mine, new in zip((J, r, *here), (J_there, r_there, *there), strict=True):
            mine[better] = new[better]
        found.T_0p[active], found.coordinates[active] = here
        error[active] = _norms(r, np.inf)
        goes_on = damping[active] < 1e8 if rule.damping else better
        going = goes_on & (error[active] > rule.enough)
        active, here, J, r = active[going], here.select(going), J[going], r[going]
    return found, error


def _system(
    system: Loops, at: Machines, q_a: np.ndarray, held: bool
) -> tuple[np.ndarray, np.ndarray]:
    J, r = system.equations(at, q_a)
    return (J[:, :, :-6] if held else J), np.where(np.isfinite(r), r, 1e6)


def _whole(step: np.ndarray, held: bool) -> np.ndarray:
    return np.concatenate([step, np.zeros((len(step), 6))], axis=1) if held else step


def _step(J: np.ndarray, r: np.ndarray, damping: np.ndarray) -> np.ndarray:
    if not damping.any():
        return np.asarray((np.linalg.pinv(J, rcond=1e-11) @ r[:, :, None])[:, :, 0])
    Jt = J.transpose(0, 2, 1)
    A = Jt @ J + damping[:, None, None] * np.eye(J.shape[2])
    return np.asarray(np.linalg.solve(A, Jt @ r[:, :, None])[:, :, 0])


def _norms(r: np.ndarray, order: float) -> np.ndarray:
    return np.asarray(np.linalg.norm(r, order, axis=1)) if r.shape[1] else np.zeros(len(r))
