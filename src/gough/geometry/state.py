"""From the robot's own freedoms to the full, consistent state of its platform.

The freedoms are coordinates among ``x y z rx ry rz``: the position of the platform origin [m] and
the rotation vector of its orientation in the base [rad].  Those that the legs decide (the parasitic
motions of a 3-RPS, the angle of a five-bar's link) are found by closing the loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough import spatial
from gough.batch import OnError, as_array, check_finite, over
from gough.closure.dense import dense, move, split
from gough.closure.solution import RightSide, Solution
from gough.errors import UnreachablePose
from gough.geometry.failure import widest_gap
from gough.geometry.newton import State
from gough.mobility.assembly import Assembly
from gough.robot import Robot

_SMALLEST_STRIDE = 1e-4
_TRUSTED = 0.5


def state(
    robot: Robot, x: Any, xd: Any = None, xdd: Any = None, *, on_error: OnError = "raise"
) -> Any:
    """Pose, twist and twist rate of the platform from the robot's freedoms.

    Args:
        robot: the machine.
        x: freedoms ``(..., n)`` in the order of ``robot.freedoms`` [m, rad].
        xd: their time derivatives ``(..., n)``; zero if not given.
        xdd: their second time derivatives ``(..., n)``; zero if not given.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        ``T_0p (..., 4, 4), V_0p (..., 6), Vdot_0p (..., 6)``, consistent with every leg;
        ``Vdot_0p`` includes ``Psidot V_r``.

    Equations:
        [BK] (1), (18), [KI] (9), (13).
    """
    assembly = robot.assembly
    n = assembly.mobility
    arguments = {
        name: (np.zeros(n) if a is None else as_array(a, (n,), name), 1)
        for name, a in (("x", x), ("xd", xd), ("xdd", xdd))
    }

    def one(*freedoms: np.ndarray) -> tuple[np.ndarray, ...]:
        for name, a in zip(arguments, freedoms, strict=True):
            check_finite(a, name)
        return _one(assembly, *freedoms)

    return over(one, arguments, ((4, 4), (6,), (6,)), on_error)


def home_freedoms(assembly: Assembly) -> np.ndarray:
    """All six coordinates of the platform at home."""
    turn = spatial.rotation_log(assembly.T_home[:3, :3])
    return np.concatenate([assembly.T_home[:3, 3], turn])


def _one(
    assembly: Assembly, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y, found = _reach(assembly, x)
    solution = assembly.solution(assembly.equations(*found))
    J, free = _chart(y), list(assembly.free)
    yd = _complete(solution, J, free, xd, np.zeros(6), None)
    V = J @ yd
    rates = solution.rates(V)
    at = solution.equations
    biases = RightSide(*at.biases(V, rates.hub, rates.legs))
    carried = np.concatenate([np.zeros(3), spatial.exp_rates_dot(y[3:], yd[3:]) @ yd[3:]])
    ydd = _complete(solution, J, free, xdd, carried, biases)
    return found.T_0p, V, J @ ydd + carried


def _complete(
    solution: Solution,
    J: np.ndarray,
    free: list[int],
    given: np.ndarray,
    carried: np.ndarray,
    biases: RightSide | None,
) -> np.ndarray:
    """All six coordinate rates from the given ones: ``B (J yd + carried) = b``."""
    B, b = solution.platform_rows(biases)
    dependent = [i for i in range(6) if i not in free]
    full = np.zeros(6)
    full[free] = given
    if dependent:
        right = np.asarray(b, dtype=float) - B @ (J @ full + carried)
        full[dependent] = np.linalg.lstsq(B @ J[:, dependent], right, rcond=1e-12)[0]
    return full


def _chart(y: np.ndarray) -> np.ndarray:
    """``V_0p = J yd`` for coordinates y = (position, rotation vector)."""
    J = np.eye(6)
    J[3:, 3:] = spatial.exp_rates(y[3:])
    return J


def _reach(assembly: Assembly, x: np.ndarray) -> tuple[np.ndarray, State]:
    """Close the loops with the freedoms held, led from home in steps that Newton can take."""
    free = list(assembly.free)
    y, configuration = home_freedoms(assembly), assembly.home
    start, done, stride = y[free].copy(), 0.0, 1.0
    while done < 1.0:
        aim = min(1.0, done + stride)
        trial = _hold(assembly, start + aim * (x - start), y, configuration, last=aim == 1.0)
        if trial is not None:
            y, configuration = trial
            done, stride = aim, 2.0 * stride
            continue
        stride /= 2.0
        if stride < _SMALLEST_STRIDE:
            target = y.copy()
            target[free] = x
            T = spatial.pose(spatial.rotation_exp(target[3:]), target[:3])
            worst = widest_gap(assembly, T, configuration)
            raise UnreachablePose(
                f"{assembly.robot.name}: the freedoms cannot be reached: from home they get "
                f"{100 * done:.1f} % of the way, then leg {worst.leg!r} misses {worst}",
                hint="Likely: outside the workspace, or degrees or millimetres (gough is SI only).",
                leg=worst.leg,
                missing=worst.length,
            )
    return y, State(spatial.pose(spatial.rotation_exp(y[3:]), y[:3]), configuration)


def _hold(
    assembly: Assembly, x: np.ndarray, y: np.ndarray, configuration: Any, *, last: bool
) -> tuple[np.ndarray, Any] | None:
    """Newton's method on joints and dependent coordinates; ``None`` if it cannot be trusted."""
    free = list(assembly.free)
    dependent = [i for i in range(6) if i not in free]
    y = y.copy()
    y[free] = x
    previous = np.inf
    for _ in range(25):
        T = spatial.pose(spatial.rotation_exp(y[3:]), y[:3])
        system = dense(assembly.equations(T, configuration), assembly.length)
        columns = -(system.B / system.V_scale) @ _chart(y)[:, dependent]
        scale = system.V_scale[dependent]
        both = np.hstack([system.A, columns * scale])
        step = np.linalg.lstsq(both, system.r, rcond=1e-12)[0]
        size = float(np.abs(step).max(initial=0.0))
        if size > _TRUSTED or (size > 1e-7 and size > 0.5 * previous):
            return None
        settled = size < 1e-15 or (size < 1e-7 and size > 0.5 * previous)
        if settled or (not last and size < 1e-6):
            break
        previous = size
        n_u = system.A.shape[1]
        rates = split(assembly.topology, step[:n_u] * system.u_scale)
        configuration = move(assembly.topology, configuration, rates)
        y[dependent] += step[n_u:] * scale
    error = float(np.abs(system.r).max(initial=0.0))
    return (y, configuration) if error < (1e-10 if last else 1e-4) else None
