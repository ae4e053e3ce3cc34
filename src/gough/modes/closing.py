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

_MOST_STEPS, _MOST_POLISHING = 60, 40
_LONGEST_STEP = 0.7
_NEAR = 1e-6  # closed this far, steps need no damping any more
_NEARLY = 1e-3


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
    T, coordinates = start.T_0p.copy(), start.coordinates.copy()
    error = np.full(len(T), np.inf)
    if not len(T):
        return start, error
    active = np.arange(len(T))
    here, damping = Machines(T, coordinates), np.full(len(T), 1e-2)
    J, r = _system(system, here, goals, held)
    for _ in range(_MOST_STEPS):
        step = _damped(J, r, damping[active])
        there = system.moved(here, _whole(step, assembly, held))
        J_there, r_there = _system(system, there, goals[active], held)
        better = (r_there**2).sum(axis=1) < (r**2).sum(axis=1)
        damping[active] = np.where(better, damping[active] / 6.0, damping[active] * 6.0)
        J[better], r[better] = J_there[better], r_there[better]
        here.T_0p[better], here.coordinates[better] = (
            there.T_0p[better],
            there.coordinates[better],
        )
        T[active], coordinates[active] = here
        open_by = np.abs(r).max(axis=1, initial=0.0)
        error[active] = open_by
        going = (open_by > _NEAR) & (damping[active] < 1e8)
        if not going.any():
            break
        active, here, J, r = active[going], here.select(going), J[going], r[going]
    return _polished(system, Machines(T, coordinates), goals, error)


def _system(
    system: Loops, at: Machines, q_a: np.ndarray, held: bool
) -> tuple[np.ndarray, np.ndarray]:
    J, r = system.equations(at, q_a)
    return (J[:, :, :-6] if held else J), np.where(np.isfinite(r), r, 1e6)


def _whole(step: np.ndarray, assembly: Assembly, held: bool) -> np.ndarray:
    return np.concatenate([step, np.zeros((len(step), 6))], axis=1) if held else step


def _damped(J: np.ndarray, r: np.ndarray, damping: np.ndarray) -> np.ndarray:
    Jt = J.transpose(0, 2, 1)
    A = Jt @ J + damping[:, None, None] * np.eye(J.shape[2])
    step = np.linalg.solve(A, Jt @ r[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1, initial=1e-300)
    return np.asarray(step * np.minimum(1.0, _LONGEST_STEP / longest)[:, None])


def _polished(
    system: Loops, at: Machines, goals: np.ndarray, error: np.ndarray
) -> tuple[Machines, np.ndarray]:
    """The last digits, by plain steps, of those that are nearly closed."""
    near = np.flatnonzero(error < _NEARLY)
    here = at.select(near)
    J, r = _system(system, here, goals[near], held=False)
    for _ in range(_MOST_POLISHING):
        if not len(near):
            break
        step = (np.linalg.pinv(J, rcond=1e-11) @ r[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, initial=1e-300)
        there = system.moved(here, step * np.minimum(1.0, 0.1 / longest)[:, None])
        J_there, r_there = _system(system, there, goals[near], held=False)
        better = np.abs(r_there).max(axis=1) < np.abs(r).max(axis=1)
        for mine, new in ((here.T_0p, there.T_0p), (here.coordinates, there.coordinates)):
            mine[better] = new[better]
        J[better], r[better] = J_there[better], r_there[better]
        error[near] = np.abs(r).max(axis=1, initial=0.0)
        # where two modes meet, steps only halve what is missing
        if not (better & (error[near] > 1e-15)).any():
            break
    at.T_0p[near], at.coordinates[near] = here
    opposed = (run(system.rows, at.select(near)._asdict())["sides"] < 0.0).any(axis=1)
    error[near[opposed]] = np.inf
    return at, error
