"""``gough.crossing``: whether a motion can be driven through the Type 2 singularities it meets."""

from __future__ import annotations

import numpy as np

from gough.base.arguments import number
from gough.base.english import listed as every
from gough.base.english import motion as as_verb
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import check_motors
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.closure.axes import is_turn
from gough.motion import Motion
from gough.motion.motion import of_robot
from gough.robot import Robot
from gough.singularity.crossing.criterion import Limit, Null, clock_gain, jump, limit, null, slope
from gough.singularity.crossing.demand import at_an_end, singular_instants, why_not
from gough.singularity.crossing.result import Crossing, SingularInstant
from gough.singularity.crossing.terms import Machine, Terms

_AT = 1e-6
"""Share of the duration within which a sample counts as singular: its efforts are the limit.

Farther away rounding leaves ten digits of the efforts, and the limit has as many.
"""


def crossing(
    robot: Robot,
    motion: Motion,
    *,
    loads: Loads | None = None,
    rate: float = 500.0,
    tolerance: float = 1e-6,
) -> Crossing:
    """Where a motion meets Type 2 singularities, whether it can pass, and the efforts through them.

    On a singular pose efforts do not reach the platform's free twist ``t_s``.  A motion can pass if
    the total wrench does not ask for it, ``t_s^T w_r = 0``; otherwise efforts grow as one over the
    distance.

    Args:
        robot: the machine, with as many motors as freedoms or more; in another working mode
            :meth:`gough.Robot.rehomed` there.
        motion: the motion to check.
        loads: :class:`gough.Loads`, the same all the time.
        rate: samples a second of the efforts, at least; singular instants are added [Hz].
        tolerance: residual of the criterion that counts as zero, as a share of its terms.

    Returns:
        A :class:`Crossing`.

    Raises:
        WrongMotors: fewer motors than freedoms.
        SingularPose: the motion stays on a singularity, or meets another one than of Type 2.
        UnreachablePose: a pose is out of reach.
    """
    assembly = assembled_by_pose(robot)
    motion = of_robot(motion, robot)
    check_motors(assembly)
    tolerance = number(tolerance, "tolerance", positive=True)
    machine, t = Machine(assembly, motion, loads), motion.sample(rate).t
    instants = tuple(singular_instant(machine, t, tolerance) for t in singular_instants(machine))
    singular = np.array([instant.time for instant in instants])
    near = np.abs(t[:, None] - singular) <= _AT * motion.duration
    t = np.concatenate([t[~near.any(axis=1)], singular])
    order = np.argsort(t)
    tau = np.full((len(t), len(robot.motors)), np.nan)
    regular = np.arange(len(t)) < len(t) - len(instants)
    tau[regular] = machine.efforts(t[regular], motion(t[regular]))
    for k, instant in enumerate(instants):
        tau[len(t) - len(instants) + k] = instant.limit
    at_limit = ~regular & np.isfinite(tau).all(axis=1)
    return Crossing(robot, motion.label, instants, t[order], tau[order], at_limit[order])


def singular_instant(machine: Machine, t: float, tolerance: float) -> SingularInstant:
    """Criterion, limit of the efforts and remedies at an instant with a singular Jacobian.

    Args:
        machine: robot, motion and loads.
        t: the instant [s].
        tolerance: residual of the criterion that counts as zero, as a share of its terms.
    """
    at = machine.at(t)
    M, free = at.M_rob, null(machine, at)
    before, after = (slope(machine, t, side) for side in (-1.0, 1.0))
    sides = [side for side in (before, after) if side is not None]
    residual = free.twists.T @ at.w_r
    off = np.abs(residual) + jump(machine, t, at.w_r, free)
    met = bool((off <= tolerance * _size(machine, at, free)).all())
    ends = [limit(machine, at, free, side) for side in sides]
    crossed = before is not None and after is not None and all(end is not None for end in ends)
    can_pass = met and crossed
    found = [end for end in ends if end is not None]
    missing = np.full(len(machine.assembly.robot.motors), np.nan)
    limits = np.array([end.tau for end in found]) if can_pass else np.stack([missing, missing])
    change = -free.twists @ np.linalg.solve(free.twists.T @ M @ free.twists, residual)
    tangential = clock_gain(M, at.V_r, free.twists, residual)
    needed = at.Vdot_r + change
    instant = SingularInstant(
        time=t,
        T_0p=at.T_0p,
        twist=at.Psi @ free.twists[:, 0],
        free=free.twists,
        residual=residual,
        units=tuple("N" if each else "N m" for each in free.translations),
        can_pass=can_pass,
        crossed=crossed,
        V_r=at.V_r,
        Vdot_r=at.Vdot_r,
        needed=needed,
        needed_0p=at.twist_rate(needed),
        along_path=None if tangential is None else at.Vdot_r + tangential * at.V_r,
        tangential=tangential,
        limit=limits.mean(axis=0),
        limits=limits,
        growth=_growth(found, missing, met),
        smallest=free.smallest,
        sentence="",
    )
    return instant._replace(sentence=_sentence(machine, instant, at.Psi))


def _size(machine: Machine, at: Terms, free: Null) -> np.ndarray:
    """Sum of the absolute terms of the criterion: the scale of its residual ``(k,)``."""
    M, twists = at.M_rob, np.abs(free.twists.T)
    inertia = np.abs(M) @ np.abs(at.Vdot_r)
    bias = np.abs(at.w_r - M @ at.Vdot_r)
    # Where a machine hardly moves in a horizontal plane all terms are rounding.  A thousandth of
    # the inertia of one length (or radian) per duration squared keeps the scale above that.
    slow = np.abs(M) @ (machine.assembly.scales.freedoms / machine.motion.duration**2)
    return np.asarray(twists @ (inertia + bias + 1e-3 * slow))


def _growth(ends: list[Limit], missing: np.ndarray, met: bool) -> np.ndarray:
    if met:
        return np.zeros_like(missing)
    return np.mean([end.growth for end in ends], axis=0) if ends else missing


def _sentence(machine: Machine, m: SingularInstant, Psi: np.ndarray) -> str:
    assembly, names = machine.assembly, machine.assembly.freedoms
    ways = [_way(machine, m, j, Psi) for j in range(m.free.shape[1])]
    sentence = f"Type 2: free to {every(ways)}"
    figures = [f"{value:.4g} {unit}" for value, unit in zip(m.residual, m.units, strict=True)]
    sentence += f"; criterion {every(figures)}"
    if m.can_pass:
        units = ["N m" if is_turn(assembly.axes[name]) else "N" for name in assembly.robot.motors]
        efforts = ", ".join(
            f"{name} {value:.4g} {unit}"
            for name, value, unit in zip(assembly.robot.motors, m.limit, units, strict=True)
        )
        return f"{sentence}: it can pass; efforts there, the limit along the motion: {efforts}"
    if not m.crossed:
        end = at_an_end(m.time, machine.motion.duration)
        if end:
            return f"{sentence}; the motion {end}s on it, where efforts do not hold the platform"
        moving = bool(np.abs(m.V_r / assembly.scales.freedoms).max() > 1e-9)
        return (
            f"{sentence}; the motion {'touches' if moving else 'rests on'} it, and does not cross"
        )
    sentence += ", not zero: it cannot pass, efforts grow without bound"
    sentence += f"; it could with the acceleration {listed(names, m.needed)}"
    if m.along_path is None:
        return f"{sentence}; no time law on this path gives it at this speed: {why_not(m.free)}"
    return f"{sentence}, or along the path {listed(names, m.along_path)}"


def _way(machine: Machine, m: SingularInstant, j: int, Psi: np.ndarray) -> str:
    """One free twist in words: of the platform, and of the freedoms where they differ in kind."""
    twist, length = Psi @ m.free[:, j], machine.assembly.length
    sentence = as_verb(twist, m.T_0p[:3, 3], length)
    turns = np.linalg.norm(twist[3:]) * length > 1e-6 * np.linalg.norm(twist[:3])
    if m.units[j] == "N" and turns:
        # a platform that turns along with a freedom that does not: the criterion counts freedoms
        sentence += (
            f", in the robot's freedoms {listed(machine.assembly.freedoms, m.free[:, j])} m/s"
        )
    return sentence


def listed(names: tuple[str, ...], values: np.ndarray) -> str:
    """Values by the names of the freedoms, without those that are rounding."""
    largest = float(np.abs(values).max(initial=0.0))
    kept = [
        f"{name} {value:.6g}"
        for name, value in zip(names, values, strict=True)
        if abs(value) > 1e-9 * largest
    ]
    return f"({', '.join(kept)})" if kept else "(0)"
