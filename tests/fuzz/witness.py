"""What a machine can do, by maximal coordinates alone: freedoms, states, motors, efforts.

Nothing here asks the library more than the description: the verdict on the library must not be its
own.  Everything is in natural units: lengths in units of the machine, angles in radians.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import gough
from gough.base import spatial
from maximal import Machine

ZERO = 1e-9
"""Singular values below are zeros: rounding leaves 1e-15, times what the walk leaves open."""
REGULAR = 1e-2
"""Singular values between ``ZERO`` and this are those of a machine near a singularity."""
SEEN = 3e-2
"""The same of the platform's motion: below, a leg is nearly stretched or folded (Type 1)."""
MOST_STEPS = 8


class Irregular(Exception):
    """The machine drawn is no regular one: it is drawn again."""


Poses = dict[str, np.ndarray]


def home_of(robot: gough.Robot) -> Poses:
    """Where the bodies stand at home; where none is given, as drawn in base coordinates."""
    at = robot.home.bodies
    return {b.name: at[b.name].matrix if at else np.eye(4) for b in robot.bodies}


def size_of(robot: gough.Robot) -> float:
    """Half the machine's extent: the unit of lengths [m]."""
    poses = home_of(robot) | {robot.base: np.eye(4)}
    points = [
        (poses[body] @ frame.matrix)[:3, 3]
        for j in robot.joints
        for body, frame in ((j.parent, j.parent_frame), (j.child, j.child_frame))
    ]
    points.append((poses[robot.platform] @ robot.platform_frame.matrix)[:3, 3])
    return float(np.linalg.norm(np.ptp(points, axis=0)) / 2.0)


class Stand:
    """A robot in one posture, its bodies at rest or moving.

    Attributes:
        Z: all motions that the joints allow, orthonormal, ``(6 bodies, freedoms)``.
        P: twist of the platform frame from all of those.
        smallest: least singular value of the constraints that is not zero.
        machine: the robot in maximal coordinates.
    """

    def __init__(
        self, robot: gough.Robot, poses: Poses, length: float, twists: Poses | None = None
    ) -> None:
        self.robot, self.poses, self.length = robot, poses, length
        self.units = np.tile([length] * 3 + [1.0] * 3, len(robot.bodies))
        rest = {b.name: np.zeros(6) for b in robot.bodies}
        self.machine = Machine(robot, poses, twists or rest, length)
        held = self.machine.constraints
        J = held.J[:, :-6] * self.units
        sizes = np.linalg.norm(J, axis=1)
        self.J, self.gaps, self.bias = J / sizes[:, None], held.x / sizes, held.bias / sizes
        U, s, Vt = np.linalg.svd(self.J)
        rank = int((s > ZERO).sum())
        self.smallest = float(s[rank - 1]) if rank else 1.0
        self.Z = Vt[rank:].T
        self._inverse = Vt[:rank].T @ (U[:, :rank] / s[:rank]).T
        k = [b.name for b in robot.bodies].index(robot.platform)
        self.place = slice(6 * k, 6 * k + 6)
        self._arm = poses[robot.platform][:3, :3] @ np.array(robot.platform_frame.position)
        self.P = self.shift @ self.Z[self.place]

    @property
    def shift(self) -> np.ndarray:
        """Twist of the platform frame from that of the body, natural units."""
        X = np.eye(6)
        X[:3, 3:] = -spatial.skew(self._arm) / self.length
        return X

    @property
    def T_0p(self) -> np.ndarray:
        """Pose of the platform frame."""
        return self.poses[self.robot.platform] @ self.robot.platform_frame.matrix

    @property
    def mobility(self) -> int:
        """Freedoms of the platform."""
        s = np.linalg.svd(self.P, compute_uv=False)
        between = s[(s > ZERO) & (s < SEEN)]
        if len(between):
            raise Irregular(f"platform {between[0]:.1e}")
        return int((s > ZERO).sum())

    @property
    def unseen(self) -> int:
        """Freedoms of the machine that the platform does not see."""
        return self.Z.shape[1] - self.mobility

    def correction(self) -> np.ndarray:
        """Displacement of all bodies that closes the gaps, to first order."""
        return np.asarray(-self._inverse @ self.gaps)

    def held(self) -> np.ndarray:
        """Least accelerations that the constraints ask for, natural units."""
        return np.asarray(-self._inverse @ self.bias)

    def on_platform(self, motion: np.ndarray) -> np.ndarray:
        """Twist or twist rate of the platform frame, SI units; less what its rotation adds."""
        found = self.shift @ motion[self.place]
        return np.asarray(found * ([self.length] * 3 + [1.0] * 3))

    def twist(self) -> np.ndarray:
        """Twist of the platform frame, SI units."""
        return self.on_platform(self.machine.V[:-6] / self.units)

    def twist_rate(self, accelerations: np.ndarray) -> np.ndarray:
        """Plain derivative of the platform's twist, SI units, from natural accelerations."""
        w = self.machine.V[self.place][3:]
        centripetal = np.cross(w, np.cross(w, self._arm))
        return self.on_platform(accelerations) + np.concatenate([centripetal, np.zeros(3)])

    def axis_rows(self) -> dict[str, np.ndarray]:
        """Rate of every axis from the machine's freedoms, natural units, rows ``(k, freedoms)``."""
        found = {}
        for axis in self.machine.axes:
            scale = self.length if axis.what in ("slide", "plane") else 1.0
            found[axis.name] = np.atleast_2d(axis.motion.J)[:, :-6] * self.units @ self.Z / scale
        return found

    def motor_units(self) -> np.ndarray:
        """What a motor's rate is divided by: the machine's length or 1."""
        what = {axis.name: axis.what for axis in self.machine.axes}
        return np.array([self.length if what[m] == "slide" else 1.0 for m in self.robot.motors])

    def check(self, *, motors: bool = True) -> None:
        """Whether this is far from every singularity.

        Constraints keep their rank; the platform, and the motors if they are asked, feel every
        freedom that is not unseen.
        """
        if self.smallest < REGULAR / 2.0:
            raise Irregular(f"constraints {self.smallest:.1e}")
        m = self.mobility
        if not motors:
            return
        A = np.vstack([self.axis_rows()[name] for name in self.robot.motors])
        # motors against the freedoms that the platform sees; what is unseen is left free
        seen = np.linalg.svd(self.P)[2][:m].T
        if m and np.linalg.svd(A @ seen, compute_uv=False)[m - 1] < REGULAR:
            raise Irregular("motors")

    def efforts(self, Vdot_0p: np.ndarray, weights: Any = None, **given: Any) -> np.ndarray:
        """Motor efforts of a motion, unseen freedoms left free; the smallest of several."""
        M, f, B = self._reduced(**given)
        held, m = self.held(), self.mobility
        natural = (Vdot_0p - self.twist_rate(held)) / ([self.length] * 3 + [1.0] * 3)
        U, s, Vt = np.linalg.svd(self.P)
        y = Vt[:m].T @ ((U[:, :m].T @ natural) / s[:m])
        free = Vt[m:].T  # M (held + Z (y + free u)) = f + B tau, in the directions of Z
        w = self.Z.T @ (M @ (held + self.Z @ y) - f)
        root = np.ones(B.shape[1]) if weights is None else np.sqrt(weights)
        A = np.hstack([self.Z.T @ B / root, -(self.Z.T @ M @ self.Z @ free)])
        # forces are of the size of the largest inertia: unknowns are made alike
        sizes = np.linalg.norm(A, axis=0)
        sizes[: B.shape[1]] = sizes[: B.shape[1]].max(initial=0.0) or 1.0
        sizes[sizes == 0.0] = 1.0
        tau = np.linalg.lstsq(A / sizes, w, rcond=1e-13)[0] / sizes
        return np.asarray(tau[: B.shape[1]] / root)

    def accelerations(self, tau: np.ndarray, **given: Any) -> np.ndarray:
        """Twist rate of the platform under efforts, unseen freedoms free."""
        rates = self.machine.solve(tau, **given).rates
        a = np.concatenate([rates[b.name] for b in self.robot.bodies]) / self.units
        return self.twist_rate(a)

    def inertia(self) -> np.ndarray:
        """Eigenvalues of the inertia in the machine's freedoms, natural units, smallest first."""
        M, _, _ = self._reduced()
        return np.asarray(np.linalg.eigvalsh(self.Z.T @ M @ self.Z))

    def forces(self, **given: Any) -> float:
        """Largest wrench that acts on a body, natural units: what efforts are measured by."""
        return float(np.abs(self._reduced(**given)[1]).max(initial=0.0)) / self.length

    def _reduced(self, **given: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n = len(self.robot.motors)
        M, f, _ = self.machine.equations(np.zeros(n), **given)
        rows = {a.name: a.motion.J for a in self.machine.axes}
        B = np.array([rows[m] for m in self.robot.motors]).reshape(n, -1).T
        units = self.units
        return M[:-6, :-6] * np.outer(units, units), f[:-6] * units, B[:-6] * units[:, None]


def displaced(poses: Poses, motion: np.ndarray, names: list[str]) -> Poses:
    """Bodies moved by small twists."""
    found = {}
    for k, name in enumerate(names):
        v, w = motion[6 * k : 6 * k + 3], motion[6 * k + 3 : 6 * k + 6]
        T = poses[name]
        found[name] = spatial.pose(spatial.rotation_exp(w) @ T[:3, :3], T[:3, 3] + v)
    return found


def walk(robot: gough.Robot, start: Stand, way: np.ndarray, steps: int = 3) -> Poses:
    """Bodies moved along freedoms of the start, the joints kept closed on the way."""
    names, here = [b.name for b in robot.bodies], start
    direction = start.Z @ way / steps
    for _ in range(steps):
        direction, before = here.Z @ (here.Z.T @ direction), here
        there = displaced(here.poses, direction * here.units, names)
        here = closed(Stand(robot, there, here.length))
        if turned_back(before, here):
            raise Irregular("another branch")
    return here.poses


def closed(start: Stand, contraction: float = np.inf) -> Stand:
    """The posture in which all joints fit, by steps of Newton's method that are as short as can be.

    With steps that must shrink by a ``contraction`` it is the one connected with the start, and the
    nearest (Kantorovich).
    """
    names, here, before = [b.name for b in start.robot.bodies], start, np.inf
    for _ in range(MOST_STEPS):
        gap, step = np.abs(here.gaps).max(initial=0.0), here.correction()
        size = np.abs(step).max(initial=0.0)
        if size > max(contraction * before, 1e-8):
            raise Irregular("does not close near the start")
        motion = step * here.units
        here = Stand(here.robot, displaced(here.poses, motion, names), here.length)
        before = size
        if gap < 1e-8:  # Newton's step has squared it
            break
    if np.abs(here.gaps).max(initial=0.0) > 1e-12:
        raise Irregular("does not close")
    return here


def way_left(start: Stand, goal: Poses) -> float:
    """What is missing after going from a posture straight to another one, natural units.

    Joints are kept closed on the way: nothing is missing of a goal in the same mode, while one in
    another mode is not reached.
    """
    names, here, left = [b.name for b in start.robot.bodies], start, np.zeros(0)
    for _ in range(MOST_STEPS):
        both = [(here.poses[n], goal[n]) for n in names]
        turns = [spatial.rotation_log(G[:3, :3] @ T[:3, :3].T) for T, G in both]
        shifts = [G[:3, 3] - T[:3, 3] for T, G in both]
        left = np.hstack([shifts, turns]).ravel() / here.units
        step = here.Z @ (here.Z.T @ left) * here.units
        here = closed(Stand(here.robot, displaced(here.poses, step, names), here.length))
    return float(np.abs(left).max())


def turned_back(before: Stand, after: Stand) -> bool:
    """Whether a leg was folded through between two postures, so that it is on another branch.

    The platform then turns back on a way that the joints go on.
    """
    if before.Z.shape != after.Z.shape or before.mobility != after.mobility:
        raise Irregular("freedoms differ away from home")
    if before.unseen:
        return False
    ways = before.P.T @ after.P @ (after.Z.T @ before.Z)
    return bool(np.linalg.eigvalsh(ways + ways.T)[0] <= 0.0)


def choose_motors(at: Stand, rng: np.random.Generator, extra: int = 0) -> list[str]:
    """As many motors as freedoms of the platform that control them well, drawn at random."""
    count = at.mobility
    seen = np.linalg.svd(at.P)[2][:count].T
    drivable = at.machine.robot.drivable_axes
    rows = {n: r[0] @ seen for n, r in at.axis_rows().items() if n in drivable}
    chosen: list[str] = []
    left = {n: r * rng.uniform(0.3, 1.0) for n, r in rows.items()}
    for _ in range(count):
        best = max(left, key=lambda n: float(np.linalg.norm(left[n])), default=None)
        if best is None or np.linalg.norm(left[best]) < REGULAR:
            raise Irregular("no motors")
        u = left.pop(best)
        u = u / np.linalg.norm(u)
        chosen.append(best)
        left = {n: r - (r @ u) * u for n, r in left.items()}
    for _ in range(extra):
        others = [n for n in rows if n not in chosen and np.linalg.norm(rows[n]) > 0.1]
        if not others:
            raise Irregular("no motors")
        chosen.append(str(rng.choice(others)))
    return [str(n) for n in rng.permutation(chosen)]


def moving(stand: Stand, rate: np.ndarray) -> Stand:
    """The same posture, in motion along the machine's freedoms."""
    V = stand.Z @ rate * stand.units
    names = [b.name for b in stand.robot.bodies]
    twists = {n: V[6 * k : 6 * k + 6] for k, n in enumerate(names)}
    return Stand(stand.robot, stand.poses, stand.length, twists)
