"""Machines simulated through places where the robot's freedoms are dependent.

There the components of the twist that are the robot's freedoms do not tell its motion, while the
machine is regular: a matter of coordinates.  Where that is follows from maximal coordinates; the
library only says which its freedoms are.
"""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

import gough
from fuzz.witness import Irregular, Stand, moving, walk
from gough.base import spatial
from gough.mechanism.mobility.freedoms import choose_freedoms

NAMES = ("x", "y", "z", "rx", "ry", "rz")
DIRECTIONS, STRIDE, STRIDES, TURNS = 4, 0.15, 7, 100
"""Ways that are tried, length of a stride in natural units, most strides of a way, and how many
places in space the machine is tried in."""
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
"""Relative error of accelerations, of machines that stay above 5e-3 in three places."""


class Way(NamedTuple):
    """Rates of all bodies at home, natural units, and how far along that way freedoms fail."""

    motion: np.ndarray
    length: float


def lead_through(
    robot: gough.Robot, home: Stand, rng: np.random.Generator
) -> tuple[gough.Robot, Stand, Way]:
    """The machine turned in space so that a way leads where its freedoms are dependent.

    Raises:
        Irregular: none is found, or not through regular states.
    """
    if not 0 < home.mobility < 6:
        raise Irregular("all freedoms are there")
    ways = [_bases(robot, home, rng) for _ in range(DIRECTIONS)]
    found = []
    for _ in range(TURNS):
        R = spatial.rotation_exp(rng.normal(size=3) * 2.0)
        X = np.kron(np.eye(2), R)
        first = [SimpleNamespace(platform=X @ ways[0][1][0])]
        free = list(choose_freedoms(first, home.mobility))  # type: ignore[arg-type]
        for motion, bases in ways:
            k = _failing(free, [X @ basis for basis in bases])
            if k:
                found.append((k, R, motion))
    if not found:
        raise Irregular("freedoms tell the motion everywhere around home")
    k, R, motion = min(found, key=lambda each: each[0])
    robot, home = _turned(robot, home, R)
    X = np.kron(np.eye(2), R)
    bases = next(bases for own, bases in ways if own is motion)
    # the library looks around home before it chooses: it may have chosen better
    free = [NAMES.index(name) for name in robot.freedoms]
    k = _failing(free, [X @ basis for basis in bases])
    if not k:
        raise Irregular("freedoms tell the motion on this way")
    return robot, home, Way(np.kron(np.eye(2 * len(robot.bodies)), R) @ motion, STRIDE * k)


def _bases(
    robot: gough.Robot, home: Stand, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """A way in some direction: rates of all bodies, and twists of the platform along it."""
    direction = rng.normal(size=home.Z.shape[1])
    direction /= np.linalg.norm(direction)
    bases, here, motion = [twists_of(home)], home, home.Z @ direction
    for _ in range(STRIDES):
        try:
            poses = walk(robot, here, STRIDE * here.Z.T @ motion, steps=1)
            here = Stand(robot, poses, home.length)
            here.check()
        except Irregular:
            break
        motion = here.Z @ (here.Z.T @ motion)
        bases.append(aligned(bases[-1], twists_of(here)))
    return home.Z @ direction, bases


def _failing(free: list[int], bases: list[np.ndarray]) -> int:
    """Strides after which freedoms have been dependent, and are not any more; 0 if never."""
    before = np.linalg.det(bases[0][free])
    for k, basis in enumerate(bases):
        clear = np.linalg.svd(basis[free], compute_uv=False)[-1] > CLEAR
        if clear and np.linalg.det(basis[free]) * before < 0.0:
            return k
    return 0


def _turned(robot: gough.Robot, home: Stand, R: np.ndarray) -> tuple[gough.Robot, Stand]:
    """The same machine turned in space, without weight: it goes on about where it is sent."""
    T = spatial.pose(R, np.zeros(3))

    def on_base(frame: gough.Frame, body: str) -> gough.Frame:
        return gough.Frame.from_matrix(T @ frame.matrix) if body == robot.base else frame

    joints = tuple(
        dataclasses.replace(
            j,
            parent_frame=on_base(j.parent_frame, j.parent),
            child_frame=on_base(j.child_frame, j.child),
        )
        for j in robot.joints
    )
    poses = {name: T @ pose for name, pose in home.poses.items()}
    at = gough.Home({name: gough.Frame.from_matrix(pose) for name, pose in poses.items()})
    found = dataclasses.replace(robot, joints=joints, home=at, gravity=(0.0, 0.0, 0.0))
    return found, Stand(found, poses, home.length)


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
        balance: error of its energy while it was regular, relative to the kinetic energy.
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
    start = moving(home, SPEED * home.Z.T @ way.motion)
    loads = gough.Loads(friction=False)
    end = LONGER * way.length / SPEED
    found = gough.simulate(
        *(robot, gough.State(start.T_0p, start.twist()), None, end),
        integrator=integrator,
        loads=loads,
        stop_at=("reach", "type_1"),
    )
    near = {a.name: a.motion.x for a in home.machine.axes if a.what == "turn"}
    free = [NAMES.index(name) for name in robot.freedoms]
    natural = np.array([home.length] * 3 + [1.0] * 3)
    basis, passed, worst, regular, last = twists_of(home), False, 0.0, True, 0
    sign = np.sign(np.linalg.det(basis[free]))
    for k in np.linspace(0, len(found.t) - 1, 25).astype(int):
        p = gough.posture(robot, gough.State(found.T_0p[k], found.V_0p[k]))
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
        worst, last = max(worst, float(off / max(np.abs(expected).max(), SPEED**2))), int(k)
    balance = float(np.abs(found.balance[: last + 1]).max() / found.kinetic.max())
    return Passage(balance, worst, passed, "" if found.event is None else found.event.kind, regular)
