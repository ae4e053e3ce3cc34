"""Loops closed at given motor positions, for many starts at once.

The closure equations are traced once as a program and evaluated for all starts together.  Steps are
damped here (Levenberg, Marquardt), so that they converge from far away, and every start may end in
another assembly mode; :mod:`gough.modes.nearby` keeps to the branch.

Whether a closed machine can still move with its motors locked, and not only for an instant, is
decided here as well.  Where two modes meet, the platform is free to first order and held to second;
where there is a whole motion, a small step along it can be closed again and is as free as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base.english import motion
from gough.base.once import known_of
from gough.base.spatial import Array, collect, moved
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.tracer import trace
from gough.errors import SingularPose
from gough.geometry.direct import motors_at
from gough.mechanism.closure.coordinates import Configuration, pack, packed_length, unpack
from gough.mechanism.closure.dense import column_scales, dense, move, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.closure.rows import sides
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import (
    CLOSED,
    FROM_FAR,
    LAST_DIGITS,
    Descent,
    States,
    descended,
)
from gough.modes.groups import apart

# All in natural units.
_NEARLY = 1e-3  # machines open by less converge by plain Newton steps, to the last digits
_FREE = 1e-10  # singular value of loops and motors together; where modes meet it is 1e-8
_STEP = 1e-3  # of the platform, along a motion that is free: its square, 1e-6, is well above CLOSED
_LARGEST = 0.3  # rates of joints in such a step: beyond, the tangent is no guide
_STILL = 1e-6  # a null vector whose platform moves less is an idle motion of the joints
_FAR_OFF = 1e6  # in place of a residual that is no number: any other step is better


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
        found = self.seen(at, q_a)
        return found["J"], found["r"]

    def seen(self, at: Machines, q_a: np.ndarray) -> dict[str, np.ndarray]:
        """Rows ``J`` and right sides ``r``; ``sides`` of joints, and the turns of ``screws``.

        Sides are negative where a joint closes with its axes opposed, see
        :func:`gough.mechanism.closure.rows.sides`.
        """
        return run(self.rows, {**at._asdict(), "q_a": q_a})

    def moved(self, at: Machines, step: np.ndarray) -> Machines:
        """States after a step ``(u, V)`` in natural units."""
        units = column_scales(self.assembly.topology, self.assembly.length)
        found = run(self.step, {**at._asdict(), "step": step * units})
        return Machines(found["T_0p"], found["coordinates"])


@known_of(Assembly)
def loops(assembly: Assembly) -> Loops:
    """The closure equations of a robot, spelled on first demand."""
    topology = assembly.topology
    n_u = len(assembly.scales.rates)

    def rows(T_0p: Array, coordinates: Array, q_a: Array) -> dict[str, Array]:
        at, J, r = rows_at(assembly, T_0p, coordinates, q_a)
        opposed = collect([side for m in at.all_loop_joints for side in sides(m)])
        screws = [m.p[2] / m.pitch for m in at.all_loop_joints if m.kind.is_screw]
        return {"J": J, "r": r, "sides": opposed, "screws": collect(screws)}

    def step(T_0p: Array, coordinates: Array, step: Array) -> dict[str, Array]:
        there = move(topology, _held(assembly, coordinates), split(topology, step[:n_u]))
        return {"T_0p": moved(T_0p, step[n_u:]), "coordinates": pack(there)}

    inputs = state_shapes(assembly)
    motors = {"q_a": (len(assembly.robot.motors),)}
    return Loops(
        assembly,
        trace("loops", rows, inputs | motors),
        trace("step", step, {**inputs, "step": (n_u + 6,)}),
    )


def state_shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shapes of what describes a state with its joints, loops open or not."""
    return {"T_0p": (4, 4), "coordinates": (packed_length(assembly.topology),)}


def rows_at(
    assembly: Assembly, T_0p: Array, coordinates: Array, q_a: Array
) -> tuple[Equations, Array, Array]:
    """Equations of a state, their rows over (u, V) and right sides, motors last; natural units."""
    topology = assembly.topology
    at = Equations(topology, described_locks(topology), T_0p, _held(assembly, coordinates))
    closure, (motors, off) = dense(at, assembly.length), motors_at(assembly, at, q_a)
    J, r = np.concatenate([closure.rows, motors]), np.concatenate([closure.r, off])
    return at, J, r


def _held(assembly: Assembly, coordinates: Array) -> Configuration:
    """Coordinates of every link, those of locked joints at home wherever a search starts."""
    topology, at = assembly.topology, unpack(assembly.topology, coordinates)
    hub, *legs = (
        [
            own if link.joint in topology.locked else value
            for link, own, value in zip(tree.links, home, values, strict=True)
        ]
        for tree, home, values in zip(topology.trees, assembly.home.trees, at.trees, strict=True)
    )
    return Configuration(hub, legs)


def close_all(
    assembly: Assembly, start: Machines, q_a: np.ndarray, *, held: bool = False
) -> tuple[Machines, np.ndarray]:
    """Close the loops of every start as far as possible, at given motor positions.

    Args:
        assembly: the robot.
        start: states, however open.
        q_a: positions of the motors [rad or m], of all starts or one row each.
        held: whether the platform stays where it is, but for the last digits.

    Returns:
        States, and the largest residual of each, natural units; infinite where a joint closes with
        its axes opposed.
    """
    system = loops(assembly)
    goals = np.broadcast_to(q_a, (len(start.T_0p), len(assembly.robot.motors)))
    found, error = _descended(system, start, goals, FROM_FAR, held=held)
    near = np.flatnonzero(error < _NEARLY)
    closed, error[near] = _descended(system, found.select(near), goals[near], LAST_DIGITS)
    found.T_0p[near], found.coordinates[near] = closed
    opposed = (system.seen(closed, goals[near])["sides"] < 0.0).any(axis=1)
    error[near[opposed]] = np.inf
    return found, error


def _descended(
    system: Loops, start: Machines, goals: np.ndarray, rule: Descent, *, held: bool = False
) -> tuple[Machines, np.ndarray]:
    """Machines after damped steps, and their largest residuals; see :func:`descended`."""

    def rows(at: States, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        J, r = system.equations(Machines(*at), goals[which])
        return (J[:, :, :-6] if held else J), np.where(np.isfinite(r), r, _FAR_OFF)

    def moved(at: States, step: np.ndarray) -> States:
        still = np.zeros((len(step), 6 if held else 0))
        return system.moved(Machines(*at), np.concatenate([step, still], axis=1))

    found, error = descended(rows, moved, start, rule)
    return Machines(*found), error


def refuse_motions(assembly: Assembly, machines: Machines, q_a: np.ndarray) -> None:
    """Refuse closed states if one of them can move finitely with all motors locked.

    Raises:
        SingularPose: names the axis, or the direction.
    """
    system = loops(assembly)
    for k, step in enumerate(_free_steps(system, machines, q_a)):
        if step is None:
            continue
        here = machines.select(np.array([k, k]))
        there = system.moved(here, np.stack([step, -step]))
        after, error = close_all(assembly, there, q_a)
        size = apart(after.T_0p, here.T_0p, assembly.length)
        # Closing moves the platform little if it is really free.  Where two modes only meet, it
        # goes back to where it was (less than 0.3 steps), or to another pose (more than 3).
        gone = (error < CLOSED) & (size > 0.3 * _STEP) & (size < 3.0 * _STEP)
        still_free = [free is not None for free in _free_steps(system, after, q_a)]
        if (gone & np.array(still_free)).any():
            V = step[-6:] * assembly.scales.twist
            verb = motion(V, machines.T_0p[k, :3, 3], assembly.length)
            raise SingularPose(
                f"{assembly.robot.name}: with the motors locked at these positions the platform "
                f"can still {verb}: there are not single poses but a whole motion of them",
                hint="Likely: two joints coincide, or links are parallel and of equal length.",
                kind="Type 2",
                condition=np.inf,
            )


def _free_steps(system: Loops, machines: Machines, q_a: np.ndarray) -> list[np.ndarray | None]:
    """Steps along which each machine is free to first order and its platform moves, or ``None``."""
    if not len(machines.T_0p):
        return []
    J, _ = system.equations(machines, q_a)
    found: list[np.ndarray | None] = []
    for rows in J:
        _, s, Vt = np.linalg.svd(rows)
        null = Vt[int((s > _FREE * s[0]).sum()) :].T
        _, size, ways = np.linalg.svd(null[-6:]) if null.shape[1] else (None, np.zeros(1), None)
        if size[0] < _STILL or ways is None:
            found.append(None)
            continue
        step = null @ ways[0]
        scale = min(_STEP / size[0], _LARGEST / np.abs(step).max())
        found.append(step * scale)
    return found
