"""From the motors to the platform, near a pose that is known.

Finds one solution, the one that continues the known pose; :mod:`gough.modes` finds all assembly
modes.
"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect
from gough.errors import UnreachablePose
from gough.geometry.branch import passed_legs, same_side, screws_follow
from gough.geometry.inverse import motor_positions
from gough.geometry.newton import AssembledState, close_on_branch, led
from gough.geometry.turns import counted_axes
from gough.mechanism.closure.axes import axis_over_all, axis_rows, value
from gough.mechanism.closure.dense import column_scales, dense
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import holding
from gough.mechanism.mobility.newton import NOTHING, Closed

_LARGEST_STEP = 0.5  # of a motor at a time, natural units: Newton's method converges from there
_SMALLEST_STEP = 1e-4  # share of the way; motors that cannot move by this are at a singularity


def lead(
    assembly: Assembly,
    q: np.ndarray,
    here: AssembledState,
    *,
    first: np.ndarray | None = None,
    passed: list[str] | None = None,
) -> AssembledState:
    """Move the motors straight to given positions, in steps that Newton's method can take.

    Args:
        assembly: the robot.
        q: motor positions to reach ``(m,)`` [rad or m].
        here: an assembled state.
        first: motor positions of ``here``; read off the state if not given.
        passed: names of legs that are stretched out or folded on the way (Type 1) and continue in
            another working mode are appended to it; if not given, no leg may do so.

    Raises:
        UnreachablePose: assembly modes meet on the way; ``reached`` is the last state, ``share``
            the part of the way done.
    """
    if first is None:
        first = motor_positions(assembly, assembly.equations(*here))
    here = _unwound(here)
    way = q - first
    size = float(np.abs(way / assembly.scales.motors).max(initial=0.0))
    longest = _LARGEST_STEP / max(size, 1e-9)

    def attempt(share: float, here: AssembledState) -> AssembledState | None:
        found = _towards(assembly, first + share * way, here)
        if found is None:
            return None
        there = AssembledState(found.y, found.configuration)
        legs = _passed(assembly, here, there)
        if legs is None or (legs and passed is None):
            return None
        if passed is not None:
            passed.extend(legs)
        return there

    here, done = led(here, attempt, longest, _SMALLEST_STEP)
    if done < 1.0:
        raise UnreachablePose(
            f"{assembly.robot.name}: the motors can be led {100 * done:.4g} % of the way to "
            "these positions; there a loop would open, or two assembly modes meet",
            hint="Likely: positions outside the workspace, a wrong guess, or degrees or mm.",
            share=done,
            reached=here,
        )
    return here


def near(
    assembly: Assembly, q: np.ndarray, here: AssembledState
) -> tuple[AssembledState | None, bool, float]:
    """The state at motor positions by Newton's method from one nearby, in one step.

    Returns:
        The state, ``None`` if steps cannot be trusted; whether it is in the same mode and on the
        same branch, or, without a state, whether the one nearby is regular; and how far motors are
        from their positions and loops from closed, natural units.
    """
    here = _unwound(here)
    found = _towards(assembly, q, here)
    if found is None:
        solution = assembly.solution(assembly.equations(*here))
        held = holding(assembly.scales, np.asarray(solution.J_inv), np.asarray(solution.Psi))
        return None, bool(np.isfinite(held.condition)), np.nan
    there = AssembledState(found.y, found.configuration)
    return there, _passed(assembly, here, there) == [], found.error


def off_by(assembly: Assembly, state: AssembledState, q: np.ndarray) -> float:
    """Sum of what motors are off by from positions ``q``, and loops from closed, natural units."""
    at = assembly.equations(*_unwound(state))
    motors = motors_at(assembly, at, q)[1]
    return float(np.abs(dense(at, assembly.length).r).sum() + np.abs(motors).sum())


def wound(assembly: Assembly, state: AssembledState, q: np.ndarray) -> AssembledState:
    """The state with its motors on the turns of given positions."""
    bare = _unwound(state)
    own = motor_positions(assembly, assembly.equations(*bare))
    whole = np.round((q - own) / (2.0 * np.pi)).tolist()
    counted = counted_axes(assembly)
    places = zip(assembly.motor_axes, whole, strict=True)
    turns = {place: count for place, count in places if place in counted}
    return AssembledState(bare.T_0p, bare.configuration._replace(turns=turns))


def _unwound(state: AssembledState) -> AssembledState:
    """The state without whole turns: motors are read on the turn of where they should be."""
    return AssembledState(state.T_0p, state.configuration._replace(turns=None))


def _towards(assembly: Assembly, q: np.ndarray, here: AssembledState) -> Closed | None:
    """Newton's method on loops and motors together; ``None`` if a step cannot be trusted."""
    held = NOTHING._replace(conditions=lambda at: motors_at(assembly, at, q))
    return close_on_branch(assembly, held, *here)


def _passed(assembly: Assembly, here: AssembledState, there: AssembledState) -> list[str] | None:
    """Legs that have changed their branch between two near states; ``None`` if modes meet there.

    Rows of the loops and of locked motors lose rank at Type 2 only: a leg that is stretched out
    does not make them singular, for its motor still moves it.
    """
    before, after = assembly.equations(*here), assembly.equations(*there)
    if not screws_follow(before, after):
        return None
    q = np.zeros(len(assembly.robot.motors))
    locked = (
        np.vstack([dense(at, assembly.length).rows, motors_at(assembly, at, q)[0]])
        for at in (before, after)
    )
    held = len(q) >= assembly.mobility
    return None if held and not same_side(*locked) else passed_legs(assembly, before, after)


def motors_at(assembly: Assembly, at: Equations, target: Array) -> tuple[Array, Array]:
    """Rows of the motors over (u, V) and their distances to the target, natural units.

    The distance of an angle is taken the shorter way round.  Numbers or symbols.
    """
    topology, places = assembly.topology, assembly.motor_axes
    units, scales = column_scales(topology, assembly.length), assembly.scales.motors
    if not places:
        return np.zeros((0, len(units))), np.zeros(0)
    rows = [axis_over_all(topology, place, axis_rows(at, place)) for place in places]
    off = [target[k] - value(at, place, target[k]) for k, place in enumerate(places)]
    return collect(rows) * (units / scales[:, None]), collect(off) / scales
