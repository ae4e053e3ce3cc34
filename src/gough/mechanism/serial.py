"""Serial parts: motors below and above the loops of a machine, which the platform's pose hides.

A turntable that carries a hexapod, a gripper on its platform, the antennas of a head: with the
platform held in space they still move, so that a pose does not tell where they are.  Such a machine
is taken apart into its *core*, the parallel robot between two bodies, and trees of bodies: those
that lead from the base to the core, and those that hang on it.  The state of the machine is the
pose of its platform and the positions of the serial axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gough.base.once import find_fact
from gough.base.spatial import Array, collect, total
from gough.errors import InputError
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.seats import Seat
from gough.mechanism.topology.tree import HERE, ROOT, Mount, Tree, grow
from gough.robot import Frame, Home, Joint, Robot
from gough.robot.joint import LOCKED
from gough.robot.joint_kinds import SLIDE, TURN
from gough.robot.names import joint_of

if TYPE_CHECKING:
    from gough.mechanism.mobility.assembly import Assembly


class Follow(NamedTuple):
    """An axis as a linear function of serial axes: of one itself, or of those that couplings name.

    Attributes:
        terms: place of a serial axis, and how much of it.
        offset: where the axis is if these are at zero.
    """

    terms: tuple[tuple[int, float], ...]
    offset: float = 0.0

    def value(self, q: Array) -> Array:
        """Position of the axis."""
        found = self.rate(q)
        return found + self.offset if self.offset else found

    def rate(self, qd: Array) -> Array:
        """Rate of the axis, or its acceleration."""
        first, *rest = (qd[k] if ratio == 1.0 else qd[k] * ratio for k, ratio in self.terms)
        return total(rest, first)

    def cancelling(self, qd: Array) -> Array:
        """Sum of the squares of what the rate is a sum of; zero where nothing can cancel."""
        parts = [qd[k] * ratio for k, ratio in self.terms]
        return total(x * x for x in parts) if len(parts) > 1 else 0.0


@dataclass(frozen=True, eq=False)
class SerialParts:
    """A machine taken apart: its core, and the trees below and above it.

    Attributes:
        robot: the whole machine.
        axes: serial axes by name, in the order of the motors.
        every: all axes of the trees: those, and what couplings move with them.
        follow: how each of these follows the serial axes.
        core: the parallel robot; its base is the body that carries it, in that body's frame.
        carrier: that body; the base where nothing is below the core.
        below: tree on the base that leads to the carrier.
        above: trees on bodies of the core, by the name of that body.
    """

    robot: Robot
    axes: tuple[str, ...]
    every: tuple[str, ...]
    follow: tuple[Follow, ...]
    core: Robot
    carrier: str
    below: Tree
    above: Mapping[str, Tree]

    @cached_property
    def platform(self) -> Mount | None:
        """Where the platform's frame sits on the tree above the core's, if not on the core."""
        robot = self.robot
        if self.core.platform == robot.platform:
            return None
        tree = self.above[self.core.platform]
        return tree.mount(robot.platform, Seat.of(robot.platform_frame))

    @cached_property
    def turns(self) -> bool:
        """Whether what carries the core turns."""
        path = self.below.path(self.below.bodies[self.carrier].link)
        return any(self.below.links[k].turns for k in path)

    @cached_property
    def motors(self) -> tuple[tuple[bool, int], ...]:
        """For every motor of the machine whether it is serial, and its place among those."""
        core, axes = self.core.motors, self.axes
        return tuple(
            (name in axes, (axes if name in axes else core).index(name))
            for name in self.robot.motors
        )

    def together(self, core: Array, serial: Array) -> Array:
        """Figures of the core's motors and of serial axes in the order of all motors."""
        return collect([(serial if own else core)[k] for own, k in self.motors])

    def coordinates(self, tree: Tree, q: Array) -> list[Array]:
        """Coordinates of a tree's links at positions of the serial axes."""
        found = []
        for link, k in zip(tree.links, self.places(tree), strict=True):
            value = self.follow[k].value(q)
            turn = link.move == TURN
            found.append(collect([np.cos(value), np.sin(value)] if turn else [value]))
        return found

    def rates(self, tree: Tree, qd: Array) -> Array:
        """Rates of a tree's links, one each, from those of the serial axes."""
        return collect([self.follow[k].rate(qd) for k in self.places(tree)])

    def places(self, tree: Tree) -> list[int]:
        """Which of all axes of the serial parts each link of a tree is."""
        joints = {joint.name: joint for joint in self.robot.joints}
        return [self.every.index(joints[link.joint].axis_names[link.axis]) for link in tree.links]

    def to_axes(self, efforts: Sequence[Array]) -> Array:
        """Efforts of all axes of the serial parts as efforts of the serial axes."""
        found: list[Array] = [0.0] * len(self.axes)
        for each, effort in zip(self.follow, efforts, strict=True):
            for k, ratio in each.terms:
                found[k] = found[k] + effort * ratio
        return collect(found)

    def kind(self, name: str) -> str:
        """Whether a serial axis turns or slides."""
        joint = self.robot.joint(joint_of(name))
        return joint.axis_kinds[name]

    @cached_property
    def natural_inertias(self) -> np.ndarray:
        """Scales of inertias, of the core's freedoms and then of the serial axes [kg or kg m^2].

        Mass that a coordinate moves, for turns times the characteristic length squared.
        """
        robot, core = self.robot, self.core.assembly
        mass = {body.name: body.mass for body in robot.bodies}
        whole = sum(mass.values())
        found = dict.fromkeys(self.axes, 0.0)
        for tree in (self.below, *self.above.values()):
            own = [mass[name] for name, mount in tree.bodies.items() if mount.link != ROOT]
            moved = {k for place in self.places(tree) for k, _ in self.follow[place].terms}
            for k in moved:
                found[self.axes[k]] += whole if tree is self.below else sum(own)
        lengths = [core.length if self.kind(name) != SLIDE else 1.0 for name in self.axes]
        serial = np.array([*found.values()]) * np.square(lengths)
        return np.concatenate([whole * (core.length / core.scales.freedoms) ** 2, serial])

    def home(self, assembly: Assembly) -> np.ndarray:
        """Positions of the serial axes at home."""
        return np.array([assembly.home_values[name] for name in self.axes])


def serial_parts(assembly: Assembly) -> SerialParts | None:
    """The machine taken apart; ``None`` if its pose says it all, or if it cannot be taken apart."""
    return find_fact(assembly, serial_parts, _found)


def core_of(assembly: Assembly) -> Assembly:
    """The parallel robot of a machine with serial parts; any other machine itself."""
    parts = serial_parts(assembly)
    return assembly if parts is None else parts.core.assembly


def checked_parts(assembly: Assembly) -> SerialParts:
    """The serial parts of a machine; refused if it has none."""
    parts = serial_parts(assembly)
    if parts is None:
        raise InputError(
            f"{assembly.robot.name} has no serial axes: its pose tells where everything is, or it "
            "cannot be taken apart into one parallel robot and chains of motors",
            hint="robot.serial_axes names them.",
            argument="serial",
        )
    return parts


def is_bridge(robot: Robot, axis: str) -> bool:
    """Whether a joint belongs to no loop: without it, the machine falls apart."""
    cut = joint_of(axis)
    reached = _reached(robot.base, (j for j in robot.joints if j.name != cut))
    return len(reached) <= len(robot.bodies)


def _found(assembly: Assembly) -> SerialParts | None:
    robot = assembly.robot
    cut = {joint_of(name) for name in assembly.idle_motors if is_bridge(robot, name)}
    if not cut:
        return None
    cut = _with_followers(robot, cut)
    joined = [joint for joint in robot.joints if joint.name not in cut]
    names = [robot.base, *(body.name for body in robot.bodies)]
    groups = {frozenset(_reached(name, joined)) for name in names}
    looped = [each for each in groups if _inside(each, joined) >= len(each)]
    if len(looped) != 1:  # nothing but chains, or several parallel machines in a row
        return None
    core = looped[0]
    below = _reached(robot.base, _without(robot.joints, core))
    if robot.base in core:
        carrier, below = robot.base, {robot.base}
    else:
        carrier = next(b for j in robot.joints for a, b in _ends(j) if a in below and b in core)
        below = below | {carrier}
    above = {}
    for body in sorted(core - {carrier}, key=names.index):
        hanging = _reached(body, _without(robot.joints, (core - {body}) | (below - {carrier})))
        if len(hanging) > 1:
            above[body] = hanging
    on_carrier = _reached(carrier, _without(robot.joints, core - {carrier}))
    below = below | on_carrier  # what hangs on the carrier moves with the tree below
    if carrier != robot.base and _swings(robot, core, carrier):
        return None  # serial axes feel what no motor of the core does
    found = _taken_apart(assembly, core, carrier, below, above)
    return None if found is None or found.core.assembly.idle_motors else found


def _with_followers(robot: Robot, cut: set[str]) -> set[str]:
    """Joints of serial axes, and bridges that couplings move with them, as the other finger."""
    coupled = [{joint_of(name) for name in each.axes} for each in robot.couplings]
    more = {name for joints in coupled if joints & cut for name in joints - cut}
    more = {name for name in more if is_bridge(robot, name)}
    return _with_followers(robot, cut | more) if more else cut


def _swings(robot: Robot, core: Iterable[str], carrier: str) -> bool:
    """Whether something hangs on the carrier by a joint that nothing drives or holds."""
    moved = {*robot.motors, *(name for each in robot.couplings for name in each.axes)}
    return any(
        carrier in (j.parent, j.child)
        and {j.parent, j.child} <= {*core}
        and not {*j.axis_names} <= moved
        and j.idle != LOCKED
        and is_bridge(robot, j.name)
        for j in robot.joints
    )


def _taken_apart(
    assembly: Assembly,
    core: Iterable[str],
    carrier: str,
    below: Iterable[str],
    above: Mapping[str, Iterable[str]],
) -> SerialParts | None:
    robot, bodies = assembly.robot, {*core}
    trees = {
        root: _tree(assembly, root, group) for root, group in ((robot.base, below), *above.items())
    }
    joints = {link.joint for tree in trees.values() for link in tree.links}
    moved = [name for name in robot.axis_names if joint_of(name) in joints]
    holder = next((root for root, group in above.items() if robot.platform in {*group}), "")
    platform = robot.platform if robot.platform in bodies else holder
    axes = tuple(name for name in robot.motors if name in moved)
    follow = _following(robot, moved, axes)
    if not platform or platform == carrier or follow is None:
        return None
    if any(
        what not in (TURN, SLIDE) for n in joints for what in robot.joint(n).axis_kinds.values()
    ):
        return None
    return SerialParts(
        robot,
        axes,
        tuple(moved),
        follow,
        _core(assembly, bodies, carrier, platform, moved),
        carrier,
        trees.pop(robot.base),
        trees,
    )


def _following(
    robot: Robot, moved: Sequence[str], axes: Sequence[str]
) -> tuple[Follow, ...] | None:
    """How axes follow the serial ones; ``None`` if couplings do not tell, or reach further."""
    own, rest = {*moved}, [name for name in moved if name not in axes]
    coupled = [each for each in robot.couplings if own & {*each.axes}]
    if any({*each.axes} - own for each in coupled) or len(coupled) != len(rest):
        return None

    def columns(names: Sequence[str]) -> np.ndarray:
        found = [[each.axes.get(name, 0.0) for name in names] for each in coupled]
        return np.array(found).reshape(len(coupled), len(names))

    A = columns(rest)
    if np.linalg.matrix_rank(A) < len(rest):
        return None
    ratios = np.linalg.solve(A, -columns(axes))
    offsets = np.linalg.solve(A, np.array([each.offset for each in coupled]))

    def of(name: str) -> Follow:
        if name in axes:
            return Follow(((axes.index(name), 1.0),))
        row = rest.index(name)
        terms = tuple((k, float(x)) for k, x in enumerate(ratios[row]) if x)
        return Follow(terms, float(offsets[row]))

    found = tuple(of(name) for name in moved)
    return found if all(each.terms for each in found) else None


def _core(
    assembly: Assembly, bodies: set[str], carrier: str, platform: str, serial: Iterable[str]
) -> Robot:
    """The parallel robot by itself, on the body that carries it, at the same home."""
    robot, at = assembly.robot, assembly.equations(assembly.T_home, assembly.home)
    poses = {robot.base: BASE, **at.body_poses}
    R, p = poses[carrier]
    kept = [joint for joint in robot.joints if {joint.parent, joint.child} <= bodies]
    axes = [name for joint in kept for name in joint.axis_names]

    def seen(pose: Pose) -> Frame:
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = R.T @ pose.R, R.T @ (pose.p - p)
        return Frame.from_matrix(T)

    def named(body: str) -> str:
        return robot.base if body == carrier else body

    moving = bodies - {carrier}
    return replace(
        robot,
        bodies=tuple(body for body in robot.bodies if body.name in moving),
        joints=tuple(replace(j, parent=named(j.parent), child=named(j.child)) for j in kept),
        platform=platform,
        platform_frame=robot.platform_frame if platform == robot.platform else Frame(),
        motors=tuple(name for name in robot.motors if name not in {*serial}),
        home=Home(
            {name: seen(poses[name]) for name in sorted(moving)},
            {name: value for name, value in assembly.home_values.items() if name in axes},
        ),
        gravity=tuple((R.T @ np.array(robot.gravity)).tolist()),
        locked=tuple(name for name in robot.locked if name in {j.name for j in kept}),
        couplings=tuple(c for c in robot.couplings if {*c.axes} <= {*axes}),
        base_shapes=(),
    )


def _tree(assembly: Assembly, root: str, bodies: Iterable[str]) -> Tree:
    robot, group = assembly.robot, {*bodies}
    inner = [joint for joint in robot.joints if {joint.parent, joint.child} <= group]
    others = [body.name for body in robot.bodies if body.name in group and body.name != root]
    return grow(root, HERE, others, inner, robot.motors, assembly.topology.seats)[0]


def _ends(joint: Joint) -> tuple[tuple[str, str], tuple[str, str]]:
    return (joint.parent, joint.child), (joint.child, joint.parent)


def _without(joints: Iterable[Joint], bodies: Iterable[str]) -> list[Joint]:
    """Joints that do not touch some bodies."""
    gone = {*bodies}
    return [joint for joint in joints if not {joint.parent, joint.child} & gone]


def _inside(bodies: Iterable[str], joints: Iterable[Joint]) -> int:
    """Number of joints within a group of bodies."""
    group = {*bodies}
    return sum({joint.parent, joint.child} <= group for joint in joints)


def _reached(start: str, joints: Iterable[Joint]) -> set[str]:
    """Bodies that joints lead to from one of them, itself included."""
    given, found, waiting = list(joints), {start}, [start]
    while waiting:
        here = waiting.pop()
        for joint in given:
            for a, b in _ends(joint):
                if a == here and b not in found:
                    found.add(b)
                    waiting.append(b)
    return found
