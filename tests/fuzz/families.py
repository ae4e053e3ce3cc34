"""The families of random machines, and how one of them is drawn."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

import gough
from fuzz import legged, special, through, unseen
from fuzz.sketch import Sketch, dressed, misdrawn, scaled
from fuzz.witness import Irregular, Stand, choose_motors, closed, home_of, size_of, walk

Maker = Callable[[Sketch], None]
MOST_DRAWS = 1000
CONTRACTION = 0.1
"""What steps from a drawing to its nearest closure shrink by at least: no other one is near."""


@dataclasses.dataclass(frozen=True)
class Family:
    """Machines of a kind.

    Attributes:
        name: as in the table.
        makers: ways to draw one, taken in turn.
        unseen: ``"none"``; ``"exact"`` where freedoms that the platform does not see do nothing;
            ``"felt"`` where they do.
        sizes: decimal exponents of the length, least and largest.
        masses: the same of the mass, and how much single bodies differ.
        massless: all mass in one point of the platform.
        extra: more motors than freedoms.
        moved: drawn in base coordinates without a home, frames of joints off by this share of the
            machine: decimal exponents, least and largest.
        through: simulated through a place where the robot's freedoms are dependent.
    """

    name: str
    makers: tuple[Maker, ...]
    unseen: str = "none"
    sizes: tuple[float, float] = (0.0, 0.0)
    masses: tuple[float, float, float] = (0.0, 0.0, 0.0)
    massless: bool = False
    extra: int = 0
    moved: tuple[float, float] | None = None
    through: bool = False

    @property
    def regular(self) -> bool:
        """Whether every machine of the family should be answered."""
        return self.unseen != "felt"


LEGGED = (legged.hexapod, legged.lower)
ONE = (
    legged.loop,
    legged.loop,
    partial(special.planar, freedoms=1),
    partial(special.spherical, freedoms=1),
    special.screws,
)
OVER = (special.delta, special.translating, special.schoenflies, special.sarrus, special.bennett)
LOOPS = (*LEGGED, special.planar, special.spherical, legged.loop, special.delta)
ALL = (*LOOPS, legged.arm)
MOVED = (
    special.planar,
    legged.lower,
    special.delta,
    legged.hexapod,
    special.spherical,
    legged.loop,
    *OVER[1:],
    legged.nacelle,
    legged.arm,
)

FAMILIES = (
    Family("arms", (legged.arm,)),
    Family("branching legs", (legged.branching,)),
    Family("nacelles", (legged.nacelle,)),
    Family("planar", (special.planar,)),
    Family("spherical", (special.spherical,)),
    Family("over-constrained", OVER),
    Family("one freedom", ONE),
    Family("hexapods", (legged.hexapod,)),
    Family("lower mobility", (legged.lower,)),
    Family("bars of revolution", (unseen.spinning_bars,), unseen="exact"),
    Family(
        "unseen freedoms",
        (
            unseen.heavy_sided_bars,
            unseen.cart,
            unseen.long_arm,
            unseen.elastic_five_bar,
            unseen.loose_legs,
        ),
        unseen="felt",
    ),
    Family("tiny", ALL, sizes=(-6.0, -4.0), masses=(-9.0, -3.0, 0.0)),
    Family("huge", ALL, sizes=(3.0, 4.0), masses=(3.0, 5.0, 0.0)),
    Family("light and heavy", ALL, masses=(-5.0, 4.0, 1.0)),
    Family("point masses", (legged.hexapod, *ALL), massless=True),
    Family("redundant motors", LOOPS, extra=1),
    Family("moved frames", MOVED, moved=(-4.0, -1.5)),
    Family(
        "dependent freedoms",
        (legged.tripod, partial(special.spherical, freedoms=2)),
        through=True,
    ),
)


class Drawn(NamedTuple):
    """A machine, where it stands in a few states, and how often it was drawn until regular.

    Of machines that are simulated, the way that they are sent.
    """

    robot: gough.Robot
    home: Stand
    states: list[Stand]
    redrawn: int
    maker: str
    way: through.Way | None = None


def draw(family: Family, rng: np.random.Generator, number: int, states: int = 2) -> Drawn:
    """A machine of a family that is regular by maximal coordinates; makers take turns."""
    maker = family.makers[number % len(family.makers)]
    for redrawn in range(MOST_DRAWS):
        try:
            return _drawn(family, maker, rng, states)._replace(redrawn=redrawn)
        except Irregular:
            continue
    raise RuntimeError(f"{family.name}: no regular machine in {MOST_DRAWS} draws")


def _drawn(family: Family, maker: Maker, rng: np.random.Generator, states: int) -> Drawn:
    sketch = Sketch(rng)
    maker(sketch)
    word = getattr(maker, "func", maker).__name__
    robot = sketch.finished(word)
    length = size_of(robot)
    if family.moved is not None:
        robot = misdrawn(sketch, robot, length * 10.0 ** rng.uniform(*family.moved))
    home = Stand(robot, home_of(robot), length)
    if family.moved is not None:
        home = closed(home, CONTRACTION)
    home.check(motors=False)
    if not home.mobility or (home.unseen > 0) != (family.unseen != "none"):
        raise Irregular("freedoms")
    motors = sketch.motors or choose_motors(home, rng, family.extra)
    robot = dataclasses.replace(robot, motors=tuple(motors), redundant=family.extra > 0)
    home = Stand(robot, home.poses, home.length)
    if family.regular:  # a motor behind a spring does not control the platform
        home.check()
    way = None
    if family.through:
        robot, home, way = through.lead_through(robot, home, rng)
    ways = [_way(family, home, rng) for _ in range(states)]
    stands = [Stand(robot, poses, home.length) for poses in ways]
    still = {
        name
        for name in robot.axis_names
        if any(np.linalg.norm(s.axis_rows()[name]) < 1e-6 for s in (home, *stands))
    }
    robot = _massed(family, dressed(robot, rng, sketch.bare, still), rng)
    length = 10.0 ** rng.uniform(*family.sizes)
    mass = 10.0 ** (
        rng.uniform(*family.masses[:2]) + family.masses[2] * rng.uniform(-1, 1, len(robot.bodies))
    )
    if length != 1.0 or np.any(mass != 1.0):
        robot = scaled(robot, length, mass)

    def again(poses: dict[str, np.ndarray]) -> Stand:
        grown = {n: T.copy() for n, T in poses.items()}
        for T in grown.values():
            T[:3, 3] *= length
        return Stand(robot, grown, length * home.length)

    return Drawn(robot, again(home.poses), [again(w) for w in ways], 0, word, way)


def _way(family: Family, home: Stand, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Somewhere around home, as far as the machine stays regular."""
    way = rng.normal(size=home.Z.shape[1])
    way *= 0.3 * rng.uniform(0.3, 1.0) / np.linalg.norm(way)
    for _ in range(5):
        try:
            poses = walk(home.robot, home, way)
            there = Stand(home.robot, poses, home.length)
            there.check(motors=family.regular)
        except Irregular:
            way = way / 2.0
            continue
        return poses
    raise Irregular("nothing around home")


def _massed(family: Family, robot: gough.Robot, rng: np.random.Generator) -> gough.Robot:
    """All mass in one point of the platform, if the family says so."""
    if not family.massless:
        return robot
    bodies = tuple(
        gough.Body(b.name, rng.uniform(0.5, 5.0), b.center)
        if b.name == robot.platform
        else gough.Body(b.name, massless=True)
        for b in robot.bodies
    )
    joints = tuple(
        dataclasses.replace(
            j, axes=tuple(dataclasses.replace(a, rotor_inertia=0.0) for a in j.axes)
        )
        for j in robot.joints
    )
    return dataclasses.replace(robot, bodies=bodies, joints=joints)
