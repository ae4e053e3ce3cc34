"""From the motors to the platform, near a pose that is known.

One solution, the one that continues the known pose; all assembly modes are another matter.
"""

from __future__ import annotations

import numpy as np

from gough.closure.axes import axis_over_all, axis_rows, value
from gough.closure.dense import column_scales, dense, scaled_legs
from gough.closure.equations import Equations
from gough.errors import UnreachablePose
from gough.geometry.branch import continues, same_side, screws_follow
from gough.geometry.inverse import motor_positions
from gough.geometry.newton import State, close_on_branch, led
from gough.mobility.assembly import Assembly
from gough.mobility.measures import holding
from gough.mobility.newton import NOTHING

_LARGEST_STEP = 0.5
_SMALLEST_STEP = 1e-4


def lead(
    assembly: Assembly,
    q: np.ndarray,
    here: State,
    *,
    first: np.ndarray | None = None,
    passed: list[str] | None = None,
) -> State:
    """Lead the motors from where they are to where they should be, in steps Newton can take.

    Args:
        assembly: the robot.
        q: where the motors should be.
        here: an assembled state.
        first: where they are; read off the state if not given.
        passed: legs that are stretched out or folded on the way (Type 1) and go on on another
            branch are added to it; without it no leg may.

    Raises:
        UnreachablePose: modes meet on the way; ``reached`` is the last state, ``share`` of the way.
    """
    if first is None:
        first = motor_positions(assembly, assembly.equations(*here))
    here = _unwound(here)
    way = q - first
    size = float(np.abs(way / assembly.scales.motors).max(initial=0.0))
    longest = _LARGEST_STEP / max(size, 1e-9)

    def attempt(share: float, here: State) -> State | None:
        there = _towards(assembly, first + share * way, here)
        follows = there is not None and _goes_on(assembly, here, there, passed)
        return there if follows else None

    here, done = led(here, attempt, longest, _SMALLEST_STEP)
    if done < 1.0:
        raise UnreachablePose(
            f"{assembly.robot.name}: the motors can be led {100 * done:.1f} % of the way to "
            "these positions; there a loop would open, or two assembly modes meet",
            hint="Likely: positions outside the workspace, a wrong guess, or degrees or mm.",
            share=done,
            reached=here,
        )
    return here


def near(assembly: Assembly, q: np.ndarray, here: State) -> tuple[State | None, bool]:
    """The state at motor positions by Newton's method from one nearby, without any leading.

    Returns:
        The state, ``None`` if steps cannot be trusted; and whether it is in the same mode and on
        the same branch, or, without a state, whether the one nearby is regular.
    """
    here = _unwound(here)
    there = _towards(assembly, q, here)
    if there is None:
        solution = assembly.solution(assembly.equations(*here))
        held = holding(assembly.scales, np.asarray(solution.J_inv), np.asarray(solution.Psi))
        return None, bool(np.isfinite(held.condition))
    return there, continues(assembly, here, there) and _same_mode(assembly, here, there)


def off_by(assembly: Assembly, q: np.ndarray, state: State) -> float:
    """How far motors are from their positions and loops from closed, natural units."""
    at = assembly.equations(*_unwound(state))
    _, off = _motors_at(assembly, at, q)
    return max(float(np.abs(off).max(initial=0.0)), assembly.closure_error(at))


def _unwound(state: State) -> State:
    """The state without whole turns: motors are read on the turn of where they should be."""
    return State(state.T_0p, state.configuration._replace(turns=None))


def _towards(assembly: Assembly, q: np.ndarray, here: State) -> State | None:
    """Newton's method on loops and motors together; ``None`` if a step cannot be trusted."""
    held = NOTHING._replace(conditions=lambda at: _motors_at(assembly, at, q))
    found = close_on_branch(assembly, held, *here)
    return None if found is None else State(found.y, found.configuration)


def _goes_on(assembly: Assembly, here: State, there: State, passed: list[str] | None) -> bool:
    """Whether a near state is in the same mode; legs may change their branch if that is told."""
    if passed is None:
        return continues(assembly, here, there) and _same_mode(assembly, here, there)
    before, after = assembly.equations(*here), assembly.equations(*there)
    with_motors = (np.vstack(_locked(assembly, at)) for at in (before, after))
    if not screws_follow(before, after) or not same_side(*with_motors):
        return False
    length = assembly.length
    legs = zip(scaled_legs(before, length), scaled_legs(after, length), strict=True)
    names = [leg.name for leg in assembly.topology.legs]
    passed += [name for name, pair in zip(names, legs, strict=True) if not same_side(*pair)]
    return True


def _locked(assembly: Assembly, at: Equations) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the loops and of locked motors over (u, V), natural units: regular but at Type 2.

    A leg that is stretched out does not make them singular: its motor still moves it.
    """
    system = dense(at, assembly.length)
    rows, _ = _motors_at(assembly, at, np.zeros(len(assembly.robot.motors)))
    return system.rows, rows


def _motors_at(
    assembly: Assembly, at: Equations, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the motors over (u, V), natural units, and how far they are from their target."""
    topology, places = assembly.topology, [assembly.axes[name] for name in assembly.robot.motors]
    units = column_scales(topology, assembly.length)
    rows = [axis_over_all(topology, place, axis_rows(at, place)) for place in places]
    q = [value(at, place, goal) for place, goal in zip(places, target, strict=True)]
    scales = assembly.scales.motors
    natural = np.concatenate([np.zeros((0, len(units))), *rows]) * (units / scales[:, None])
    return natural, (target - np.array(q, dtype=float)) / scales


def _same_mode(assembly: Assembly, a: State, b: State) -> bool:
    """Whether no Type-2 singularity lies between two near states: same sign of det J_inv."""
    if len(assembly.robot.motors) != assembly.mobility:
        return True
    solutions = (assembly.solution(assembly.equations(*state)) for state in (a, b))
    signs = [np.linalg.det(assembly.scales.jacobian(np.asarray(s.J_inv))) for s in solutions]
    return bool(signs[0] * signs[1] >= 0.0)
