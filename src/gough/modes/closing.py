"""Loops closed with the motors where they are told, for many starts at once.

The closure equations are spelled once as a program and read for all starts together; steps are
damped (Levenberg, Marquardt), so that a machine that is badly open finds together from far away.
Nothing here follows a branch: every start may end in another assembly mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.closure.coordinates import Configuration, pack, packed_length, unpack
from gough.closure.dense import column_scales, dense, move, split
from gough.closure.equations import Equations, locks
from gough.closure.rows import sides
from gough.geometry.direct import motors_at
from gough.mobility.assembly import Assembly
from gough.mobility.newton import FROM_FAR, LAST_DIGITS, Descent, States, descended
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
        found = run(self.rows, {**at._asdict(), "q_a": q_a})
        return found["J"], found["r"]

    def moved(self, at: Machines, step: np.ndarray) -> Machines:
        """States after a step ``(u, V)`` in natural units."""
        units = column_scales(self.assembly.topology, self.assembly.length)
        found = run(self.step, {**at._asdict(), "step": step * units})
        return Machines(found["T_0p"], found["coordinates"])


def loops(assembly: Assembly) -> Loops:
    """The closure equations of a robot, spelled on first demand."""
    return assembly.once("loops of many states", _spell)


def _spell(assembly: Assembly) -> Loops:
    topology = assembly.topology
    n_u = len(assembly.scales.rates)

    def rows(T_0p: Array, coordinates: Array, q_a: Array) -> dict[str, Array]:
        at = Equations(topology, locks(topology), T_0p, _held(assembly, coordinates))
        closure, (motors, off) = dense(at, assembly.length), motors_at(assembly, at, q_a)
        meetings = [m for group in (*at.meetings, at.hub_meetings) for m in group]
        return {
            "J": np.concatenate([closure.rows, motors]),
            "r": np.concatenate([closure.r, off]),
            "sides": collect([side for m in meetings for side in sides(m)]),
        }

    def step(T_0p: Array, coordinates: Array, step: Array) -> dict[str, Array]:
        there = move(topology, _held(assembly, coordinates), split(topology, step[:n_u]))
        return {"T_0p": moved(T_0p, step[n_u:]), "coordinates": pack(there)}

    inputs: dict[str, tuple[int, ...]] = {
        "T_0p": (4, 4),
        "coordinates": (packed_length(topology),),
    }
    return Loops(
        assembly,
        trace("loops", rows, {**inputs, "q_a": (len(assembly.robot.motors),)}),
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
    found, error = _descended(system, start, goals, FROM_FAR, held=held)
    near = np.flatnonzero(error < _NEARLY)
    closed, error[near] = _descended(system, found.select(near), goals[near], LAST_DIGITS)
    found.T_0p[near], found.coordinates[near] = closed
    opposed = (run(system.rows, {**closed._asdict(), "q_a": goals[near]})["sides"] < 0.0).any(
        axis=1
    )
    error[near[opposed]] = np.inf
    return found, error


_NEARLY = 1e-3


def _descended(
    system: Loops, start: Machines, goals: np.ndarray, rule: Descent, *, held: bool = False
) -> tuple[Machines, np.ndarray]:
    """Machines after steps that each leave less open than before, and what they leave open."""

    def rows(at: States, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        J, r = system.equations(Machines(*at), goals[which])
        return (J[:, :, :-6] if held else J), np.where(np.isfinite(r), r, 1e6)

    def moved(at: States, step: np.ndarray) -> States:
        still = np.zeros((len(step), 6 if held else 0))
        return system.moved(Machines(*at), np.concatenate([step, still], axis=1))

    found, error = descended(rows, moved, start, rule)
    return Machines(*found), error
