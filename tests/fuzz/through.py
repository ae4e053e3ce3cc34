"""Machines simulated through places where the robot's freedoms are dependent.

There the components of the twist that are the robot's freedoms do not tell its motion, while the
machine is regular: a matter of coordinates.  Where that is follows from maximal coordinates; of the
library only the names of the freedoms are asked.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

import gough
from fuzz.witness import Irregular, Stand, moving, walk

NAMES = ("x", "y", "z", "rx", "ry", "rz")
DIRECTIONS, STRIDE, STRIDES = 12, 0.1, 6
"""Ways that are tried, length of a stride in natural units, and most strides of a way."""
SPEED = 2.0
"""Of the machine along its way [1/s], natural units."""
LONGER = 1.5
"""Times the way to the place that the simulation goes."""
CLEAR = 0.1
"""Smallest singular value of the freedoms beyond that place: it has been passed, not touched."""
BALANCE = 1e-6
"""Share of the kinetic energy that steps of 1 ms may miss: order four, and rates of some 10 rad/s.

Freedoms that were kept while they are dependent miss a hundredth, or end the run.
"""
LAWS = 1e-6
"""Relative error of accelerations: machines stay above 5e-3 in three places, as everywhere here, and
energies are 1e-6 off."""


class Way(NamedTuple):
    """A way of the machine's freedoms at home, of unit size, and how far along it they fail."""

    direction: np.ndarray
    length: float


def find_way(robot: gough.Robot, home: Stand, rng: np.random.Generator) -> Way:
    """The shortest of some ways to a place where the robot's freedoms are dependent.

    Raises:
        Irregular: none of them leads there, or not through regular states.
    """
    free = [NAMES.index(name) for name in robot.freedoms]
    if not 0 < len(free) < 6:
        raise Irregular("all freedoms are there")
    found = [_along(robot, home, free, rng) for _ in range(DIRECTIONS)]
    ways = [way for way in found if way is not None]
    if not ways:
        raise Irregular("freedoms tell the motion everywhere around home")
    return min(ways, key=lambda way: way.length)


def _along(robot: gough.Robot, home: Stand, free: list[int], rng: np.random.Generator) -> Way | None:
    """A way in some direction, if it leads through such a place."""
    direction = rng.normal(size=home.Z.shape[1])
    direction /= np.linalg.norm(direction)
    basis = twists_of(home)
    before = np.linalg.det(basis[free])
    for k in range(1, STRIDES + 1):
        try:
            poses = walk(robot, home, STRIDE * k * direction, steps=k)
            there = Stand(robot, poses, home.length)
            there.check()
        except Irregular:
            return None
        basis = aligned(basis, twists_of(there))
        clear = np.linalg.svd(basis[free], compute_uv=False)[-1] > CLEAR
        if clear and np.linalg.det(basis[free]) * before < 0.0:
            return Way(direction, STRIDE * k)
    return None


def twists_of(stand: Stand) -> np.ndarray:
    """Twists that the machine allows its platform, orthonormal in natural units, 6xn."""
    return np.asarray(np.linalg.svd(stand.P)[0][:, : stand.mobility])


def aligned(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """A basis turned to be nearest to one a little before, so that determinants have a sign."""
    U, _, Vt = np.linalg.svd(after.T @ before)
    return np.asarray(after @ U @ Vt)


class Passage(NamedTuple):
    """What a simulation did.

    Attributes:
        balance: error of its energy, relative to the kinetic energy.
        accelerations: largest relative error of twist rates, by maximal coordinates.
        passed: whether the freedoms have been dependent on the way.
        ended: what ended it, if something did: kind of the event.
        regular: whether it was regular to its end, by maximal coordinates.
    """

    balance: float
    accelerations: float
    passed: bool
    ended: str
    regular: bool


def simulate_through(robot: gough.Robot, home: Stand, way: Way, integrator: str) -> Passage:
    """Simulate a machine along a way, without efforts, and judge it by maximal coordinates."""
    start = moving(home, SPEED * way.direction)
    loads = gough.Loads(friction=False)
    end = LONGER * way.length / SPEED
    found = gough.simulate(
        *(robot, (start.T_0p, start.twist()), None, end),
        integrator=integrator,
        loads=loads,
        stop_at=("reach", "type_1"),
    )
    near = {a.name: a.motion.x for a in home.machine.axes if a.what == "turn"}
    free = [NAMES.index(name) for name in robot.freedoms]
    natural = np.array([home.length] * 3 + [1.0] * 3)
    basis, passed, worst, regular = twists_of(home), False, 0.0, True
    sign = np.sign(np.linalg.det(basis[free]))
    for k in np.linspace(0, len(found.t) - 1, 25).astype(int):
        p = gough.posture(robot, found.T_0p[k], found.V_0p[k])
        at = Stand(robot, p.bodies, home.length, p.twists)
        try:
            at.check()
        except Irregular:
            regular = False
            break
        basis = aligned(basis, twists_of(at))
        passed |= bool(np.linalg.det(basis[free]) * sign < 0.0)
        expected = at.accelerations(found.tau[k], loads=loads, near=near) / natural
        off = np.abs(found.Vdot_0p[k] / natural - expected).max()
        worst = max(worst, float(off / max(np.abs(expected).max(), SPEED**2)))
    balance = float(np.abs(found.balance).max() / found.kinetic.max())
    return Passage(balance, worst, passed, "" if found.event is None else found.event.kind, regular)


def without_weight(robot: gough.Robot) -> gough.Robot:
    """The same machine without gravity: it goes on about where it is sent."""
    return dataclasses.replace(robot, gravity=(0.0, 0.0, 0.0))
