"""Machines that are slightly wrong, and what one would measure on them.

A calibration is judged by measurements that its own kinematics did not make: loops are closed in
maximal coordinates (:mod:`closing`).  Of the library are used the description of a robot, its home
as the place to start from, and the containers of measurements::

    r, rng = robot("gough_stewart"), np.random.default_rng(1)
    states = reachable("gough_stewart", 50)                # where the motors stand
    truth = crooked(r, 5e-4, 5e-4, rng)                    # joint frames, motors, tool and device
    seen = observed(truth, states)                         # where the tool then is
    data = measured(seen, "pose", (2e-5, 5e-5), rng)       # a gough.calibration.Poses
    gough.calibrate(r, data); truth.robot                  # ... and what should come out

Many machines at once: ``crooked(..., count=200)`` has a leading axis, and so has what is observed
of them; ``truth[k]`` and ``seen[k]`` are one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import gough
from closing import closed_many, inverted
from gough.calibration import kinds
from loops import Loops, displacements, rotations
from robots import robot as robot_named

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")
PLANAR = {"*": ("x", "y", "rz")}
"""Errors that keep a machine of revolute joints in its plane."""
ADMISSIBLE: dict[str, Mapping[str, Sequence[str]]] = {
    "five_bar": PLANAR,
    "three_rrr": PLANAR,
    "four_rrr": PLANAR,
    # two bars of a leg stay a parallelogram: what carries both may be shifted, and not tilted
    "quattro": {"arm*": ("x", "y", "z", "rz")},
}
"""Errors with which loops of over-constrained machines of the zoo still close."""
STEPS = 8
"""Of the way from home to a state, with a look at singularities after each."""
PARTS = ("frames", "offsets", "gains", "tool", "device")


class States(NamedTuple):
    """Where the motors stand, and the machine as described in these states.

    Attributes:
        motors: positions as the controller reads them ``(K, n)`` [rad or m].
        bodies: poses of the bodies of the machine as described, in the order of ``robot.bodies``,
            ``(K, bodies, 4, 4)``.
    """

    motors: np.ndarray
    bodies: np.ndarray


@dataclass(frozen=True, eq=False)
class Truth:
    """A machine as it really is, or many of them (leading axes).

    Attributes:
        nominal: the robot as described.
        errors: twists of the joint frames in their own axes ``(..., J, 2, 6)`` [m, rad], of the one
            on the parent and of the one on the child: ``T' = T [exp(rx ry rz), (x y z)]``.
        offsets: ``q = offsets + gains * motors`` is what the axes really have ``(..., n)``.
        gains: see there ``(..., n)``; 1 if the controller is right.
        tool: the tool's frame on the platform's frame, ``T_pt`` ``(..., 4, 4)``.
        device: the measuring device's frame in the base, ``T_0d`` ``(..., 4, 4)``.
    """

    nominal: gough.Robot
    errors: np.ndarray
    offsets: np.ndarray
    gains: np.ndarray
    tool: np.ndarray
    device: np.ndarray

    def __getitem__(self, k: int) -> Truth:
        """One of many machines."""
        parts = {f.name: getattr(self, f.name)[k] for f in fields(self) if f.name != "nominal"}
        return replace(self, **parts)

    @property
    def robot(self) -> gough.Robot:
        """The description of one machine as it is, motors, tool and device aside."""
        return bent(self.nominal, self.errors)


@dataclass(frozen=True, eq=False)
class Seen:
    """The states of a machine as it is, or of many (leading axes), without noise.

    Attributes:
        states: where the motors stood.
        loops: the machines.
        bodies: poses of their bodies ``(..., K, bodies, 4, 4)``.
        T_0p: pose of the platform's frame ``(..., K, 4, 4)``.
        T_dt: pose of the tool in the device's frame ``(..., K, 4, 4)``.
    """

    states: States
    loops: Loops
    bodies: np.ndarray
    T_0p: np.ndarray
    T_dt: np.ndarray

    def __getitem__(self, k: int) -> Seen:
        """The states of one of many machines."""
        loops = replace(self.loops, A=self.loops.A[k], B=self.loops.B[k])
        return replace(
            self, loops=loops, bodies=self.bodies[k], T_0p=self.T_0p[k], T_dt=self.T_dt[k]
        )

    def axis(self, name: str) -> np.ndarray:
        """Coordinate of a joint axis ``(..., K)`` [rad, within half a turn; or m]."""
        return self.loops.axis(self.loops.ends(self.bodies), name)


def bent(robot: gough.Robot, errors: np.ndarray) -> gough.Robot:
    """The description of a robot whose joint frames are displaced by twists ``(J, 2, 6)``.

    They are those of :class:`Truth`.  Home stays what it was: its figures are rough anyway.
    """
    joints = []
    for joint, D in zip(robot.joints, displacements(np.asarray(errors)), strict=True):
        A, B = (
            gough.Frame.from_matrix(frame.matrix @ twist)
            for frame, twist in zip((joint.parent_frame, joint.child_frame), D, strict=True)
        )
        joints.append(replace(joint, parent_frame=A, child_frame=B))
    return replace(robot, joints=tuple(joints))


def crooked(
    robot: gough.Robot,
    position: float,
    angle: float,
    rng: np.random.Generator,
    *,
    parts: Collection[str] = PARTS,
    only: Mapping[str, Sequence[str]] | None = None,
    planar: bool = False,
    gain: float | None = None,
    tool: Any = None,
    device: Any = None,
    count: int | None = None,
) -> Truth:
    """A machine with normally distributed errors; as drawn, gauge freedoms included.

    Args:
        robot: the machine as described.
        position: standard deviation of every component of a position, and of the offset of a motor
            that slides [m].
        angle: standard deviation of every small rotation, and of the offset of a motor that turns
            [rad].
        rng: where they are drawn from.
        parts: what is wrong: ``frames`` of joints, ``offsets`` and ``gains`` of motors, the frame
            of the ``tool`` and that of the measuring ``device``.
        only: components of frames that are wrong, by pattern of ``joint`` or ``joint.parent`` and
            ``joint.child``: ``{"arm*": ("x", "rz")}``, in the axes of the frame; others are right.
            By default those of :data:`ADMISSIBLE` for robots of the zoo with these names, else all.
        planar: of revolute joints only errors within their common plane.  Of machines that are kept
            in a plane tool and device are so too: it is taken as x y of their frames.
        gain: standard deviation of gains; that of angles if not given.
        tool: pose of the tool's frame on the platform's, from which it is displaced ``(4, 4)``.
        device: pose of the device's frame in the base, from which it is displaced ``(4, 4)``.
        count: draw so many machines, with a leading axis.

    Raises:
        ValueError: a part that is not known, or joints that are not revolute are to stay in a
            plane.
    """
    if not set(parts) <= set(PARTS):
        raise ValueError(f"parts are {PARTS}")
    if planar and {joint.kind for joint in robot.joints} != {"revolute"}:
        raise ValueError("only machines of revolute joints are kept in their plane")
    lead = () if count is None else (count,)
    loops, n = Loops.of(robot), len(robot.motors)
    std = np.array([position] * 3 + [angle] * 3)
    allowed = PLANAR if planar else ADMISSIBLE.get(robot.name) if only is None else only
    slides = np.array([loops.slides(name) for name in robot.motors], dtype=bool)
    kept = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 1.0]) if allowed is PLANAR else np.ones(6)
    # all are drawn, so that leaving out a part does not change the others
    drawn = {
        "frames": std * rng.normal(size=(*lead, len(robot.joints), 2, 6)) * wrong(robot, allowed),
        "offsets": np.where(slides, position, angle) * rng.normal(size=(*lead, n)),
        "gains": (angle if gain is None else gain) * rng.normal(size=(*lead, n)),
        "tool": std * rng.normal(size=(*lead, 6)) * kept,
        "device": std * rng.normal(size=(*lead, 6)) * kept,
    }
    drawn = {name: each if name in parts else 0.0 * each for name, each in drawn.items()}
    frames = [np.eye(4) if T is None else np.asarray(T, dtype=float) for T in (tool, device)]
    return Truth(
        robot,
        drawn["frames"],
        drawn["offsets"],
        1.0 + drawn["gains"],
        frames[0] @ displacements(drawn["tool"]),
        frames[1] @ displacements(drawn["device"]),
    )


def wrong(robot: gough.Robot, only: Mapping[str, Sequence[str]] | None) -> np.ndarray:
    """1 for components of joint frames that may be wrong ``(J, 2, 6)``; by pattern, or all."""
    if only is None:
        return np.ones((len(robot.joints), 2, 6))
    found = np.zeros((len(robot.joints), 2, 6))
    for j, joint in enumerate(robot.joints):
        for k, end in enumerate(("parent", "child")):
            for pattern, components in only.items():
                if any(fnmatchcase(n, pattern) for n in (joint.name, f"{joint.name}.{end}")):
                    found[j, k, [COMPONENTS.index(name) for name in components]] = 1.0
    return found


def at_home(robot: gough.Robot) -> np.ndarray:
    """Poses of the bodies at home ``(bodies, 4, 4)``."""
    posture = gough.posture(robot, robot.home_pose)
    return np.array([posture.bodies[body.name] for body in robot.bodies])


def states_at(robot: gough.Robot, motors: Any) -> States:
    """States of the machine as described at motor positions ``(K, n)``, moved to from home.

    Raises:
        NotClosed: loops do not close there, or on the straight way of the motors.
    """
    q, loops, bodies = np.asarray(motors, dtype=float), Loops.of(robot), at_home(robot)
    start = loops.motors(bodies)
    for share in np.arange(1, STEPS + 1) / STEPS:
        bodies = closed_many(loops, start + share * (q - start), bodies)
    return States(q, bodies)


@cache
def reachable(name: str, count: int, amplitude: float = 0.25, seed: int = 0) -> States:
    """Random states of a robot of the tests around home, on its branch and away from singularities.

    The platform is led off home along random twists as far as its mobility follows them; how far
    motors move for that is taken from the Jacobian at home, and where the platform then is from
    closed loops.  States are drawn again that are beyond limits of motors, or on whose way from
    home loops do not close, or come three times closer to a singularity than at home.

    Args:
        name: of :func:`robots.robot`.
        count: how many.
        amplitude: largest shift, in units of ``Loops.length``, and turn [rad] of the platform in
            each component.
        seed: of the draw.
    """
    robot = robot_named(name)
    loops, home = Loops.of(robot), at_home(robot)
    rng = np.random.default_rng([seed, count])
    units = np.array([loops.length if loops.slides(axis) else 1.0 for axis in robot.motors])
    inverse = inverted(loops.jacobian(loops.ends(home)))
    place = 6 * [body.name for body in robot.bodies].index(robot.platform)
    by_motors = inverse[place : place + 6, -len(units) :]
    limits = [robot.axis(axis).limits.position or (-np.inf, np.inf) for axis in robot.motors]
    (low, high), start = np.array(limits).T, loops.motors(home)
    kept: list[np.ndarray] = []
    found: list[np.ndarray] = []
    for _ in range(20):
        twists = amplitude * rng.uniform(-1.0, 1.0, (count, 6))
        way = units * (twists @ np.linalg.pinv(by_motors, rcond=1e-6).T)
        q, bodies = start + way, np.broadcast_to(home, (count, *home.shape))
        good = ((low <= q) & (q <= high)).all(axis=1)
        for share in np.arange(1, STEPS + 1) / STEPS:
            moved = closed_many(loops, start + share * way, bodies, strict=False, tries=(1,))
            good &= ~np.isnan(moved).any(axis=(1, 2, 3))
            bodies = np.where(good[:, None, None, None], moved, home)
            there = inverted(loops.jacobian(loops.ends(bodies)))
            good &= np.linalg.norm(there, axis=(1, 2)) < 3.0 * np.linalg.norm(inverse)
        kept, found = [*kept, *q[good]], [*found, *bodies[good]]
        if len(kept) >= count:
            return States(_frozen(kept[:count]), _frozen(found[:count]))
    raise RuntimeError(f"{name}: {len(kept)} of {count} states found; take a smaller amplitude")


def _frozen(rows: list[np.ndarray]) -> np.ndarray:
    array = np.array(rows)
    array.flags.writeable = False
    return array


def observed(truth: Truth, states: States) -> Seen:
    """Where bodies and tool really are, while the controller reads the motors of some states."""
    loops = Loops.of(truth.nominal).displaced(truth.errors[..., None, :, :, :])
    q = truth.offsets[..., None, :] + truth.gains[..., None, :] * states.motors
    bodies = closed_many(loops, q, states.bodies)
    T_0p = platform(truth.nominal, bodies)
    return Seen(states, loops, bodies, T_0p, through(truth, T_0p))


def platform(robot: gough.Robot, bodies: np.ndarray) -> np.ndarray:
    """Pose of the platform's frame, given poses of all bodies ``(..., bodies, 4, 4)``."""
    place = [body.name for body in robot.bodies].index(robot.platform)
    return np.asarray(bodies[..., place, :, :] @ robot.platform_frame.matrix)


def through(truth: Truth, T_0p: np.ndarray) -> np.ndarray:
    """Pose of the tool in the device's frame ``(..., K, 4, 4)``."""
    T_d0 = np.linalg.inv(truth.device)[..., None, :, :]
    return np.asarray(T_d0 @ T_0p @ truth.tool[..., None, :, :])


def measured(
    seen: Seen,
    kind: str,
    noise: Any,
    rng: np.random.Generator,
    *,
    which: Any = None,
    components: Sequence[str] = COMPONENTS,
    pairs: Any = None,
    anchor: Any = (0.0, 0.0, 0.0),
    axis: str = "",
) -> kinds.Measurements:
    """What is measured of one machine, with normally distributed noise, whose size it tells.

    Args:
        seen: the states of one machine.
        kind: ``pose``, ``position``, ``orientation``, ``height``, ``distance``, ``length`` or
            ``encoder``.
        noise: standard deviation [m or rad], of poses of positions and of rotations ``(2,)``; 0 for
            none, and then its size is not told.
        rng: where noise is drawn from.
        which: places of the states that are measured; all if not given.
        components: of ``pose`` and ``orientation``: those that are measured.
        pairs: of ``distance``: places of two states each ``(M, 2)``; the first with the second, the
            third with the fourth and so on if not given.
        anchor: of ``length``: the fixed point in the device's frame ``(3,)`` [m].
        axis: of ``encoder``: the joint axis that is read.
    """
    places = np.arange(len(seen.states.motors)) if which is None else np.asarray(which)
    q, T = seen.states.motors[places], seen.T_dt[places]
    std = np.broadcast_to(np.asarray(noise, dtype=float), (2,))
    told = None if not std.any() else std if kind == "pose" else std[0]
    shaken = std[0] * rng.normal(size=(len(q), 3))
    p, scalar = T[:, :3, 3] + shaken, shaken[:, 0]
    if kind == "pose":
        T = T.copy()
        T[:, :3, 3] = p
        T[:, :3, :3] = rotations(std[1] * rng.normal(size=(len(q), 3))) @ T[:, :3, :3]
        return kinds.Poses(q, T, told, components=components)
    if kind == "position":
        return kinds.Positions(q, p, told)
    if kind == "orientation":
        turning = [name for name in components if name in COMPONENTS[3:]]
        R = rotations(shaken) @ T[:, :3, :3]
        return kinds.Orientations(q, R, told, components=turning)
    if kind == "height":
        return kinds.Heights(q, p[:, 2], told)
    if kind == "length":
        lengths = np.linalg.norm(T[:, :3, 3] - anchor, axis=1) + scalar
        return kinds.Lengths(q, anchor, lengths, told)
    if kind == "encoder":
        readings = seen.axis(axis)[places] + scalar
        return kinds.Encoders(q, axis, readings, told, slides=seen.loops.slides(axis))
    if kind == "distance":
        ends = places[: len(places) // 2 * 2].reshape(-1, 2) if pairs is None else np.array(pairs)
        one, other = (seen.T_dt[ends[:, k], :3, 3] for k in (0, 1))
        lengths = np.linalg.norm(other - one, axis=1) + std[0] * rng.normal(size=len(ends))
        first, second = (seen.states.motors[ends[:, k]] for k in (0, 1))
        return kinds.Distances(first, second, lengths, told)
    raise ValueError(f"no kind of measurement is called {kind!r}")
