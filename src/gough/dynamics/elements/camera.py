"""What a camera on the legs sees: directions, lengths and spins, and their rates.  [OZ] section 7

Instead of the platform pose and its motion, the legs themselves are the input.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.batch import OnError, map_states, state_arguments
from gough.base.result import Result
from gough.dynamics.elements.decomposition import SLIDES, element_parts
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.tips import PoseFromLegs, find_pose_from_legs
from gough.geometry.closed_form.steps import swing
from gough.geometry.inverse import posed
from gough.geometry.state import state
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mechanism.closure.axes import value
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.robot.joint import SLIDE

_MOST_ITERATIONS = 50
_LARGEST_STEP = 0.3  # natural units


@dataclass(frozen=True, eq=False)
class LegStates(Result):
    """Elements of the legs in motion, at one state or at a batch of states (leading axes).

    Attributes:
        elements: names of the elements that are seen, k of them.
        lengths: names of the slides inside legs, m of them.
        x, xd, xdd: directions and their rates, base axes, ``(..., k, 3)``.
        theta: turn of each element about its direction, counted from the smallest swing that
            takes it there from home, ``(..., k)`` [rad]; only used where directions and lengths
            do not show the platform's pose (the tool that a spinning leg turns).
        spin, spin_rate: ``omega . x`` and its derivative, ``(..., k)`` [rad/s, rad/s^2].
        d, dd, ddd: positions of the slides and their rates, ``(..., m)`` [m, m/s, m/s^2].
    """

    elements: tuple[str, ...]
    lengths: tuple[str, ...]
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    theta: np.ndarray
    spin: np.ndarray
    spin_rate: np.ndarray
    d: np.ndarray
    dd: np.ndarray
    ddd: np.ndarray


def seen_elements(assembly: Assembly) -> tuple[str, ...]:
    """Elements of the legs that turn; the platform's too where it is a bar of a leg."""
    parts = element_parts(assembly)
    found: list[str] = []
    for branch in parts.branches:
        for way in (*branch.own, *(branch.hub if parts.is_bar(branch) else ())):
            name = parts.element_of[way.body]
            if name not in found and not parts.elements[name].fixed:
                found.append(name)
    return tuple(found)


def seen_lengths(assembly: Assembly) -> tuple[str, ...]:
    """Slides inside legs."""
    joints = [way.joint for branch in element_parts(assembly).branches for way in branch.own]
    return tuple(
        axis
        for joint in joints
        if joint.kind in SLIDES
        for axis in joint.axis_names
        if assembly.axes[axis].what == SLIDE
    )


def seen_shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shapes of what is seen at one state, in order."""
    k, m = len(seen_elements(assembly)), len(seen_lengths(assembly))
    names = [each.name for each in fields(LegStates)[2:]]
    wide = dict.fromkeys(("x", "xd", "xdd"), (k, 3))
    return {name: wide.get(name, (m,) if name.startswith("d") else (k,)) for name in names}


def observe(
    robot: Robot, T_0p: Any, V_0p: Any, Vdot_0p: Any, *, on_error: OnError = "raise"
) -> LegStates:
    """What a perfect camera would see of the legs in a motion of the platform.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        on_error: ``"raise"`` or ``"nan"``.
    """
    assembly = assembled(robot)
    names, slides = seen_elements(assembly), seen_lengths(assembly)
    arguments = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    shapes = tuple(seen_shapes(assembly).values())

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray) -> tuple[np.ndarray, ...]:
        kin = moving(assembly, T, V, Vdot)
        at = kin.solution.equations
        here = ElementState(kin)
        found = here.motion
        turns = [found.directions[name] for name in names]
        places = [(assembly.axes[name], assembly.home_values[name]) for name in slides]
        rows: list[list[Any]] = [
            [here.x[name] for name in names],
            [turn.xd for turn in turns],
            [turn.xdd for turn in turns],
            [_turn(assembly, here, name) for name in names],
            [turn.spin for turn in turns],
            [turn.spin_rate for turn in turns],
            [value(at, *place) for place in places],
            [kin.axis_rate(name) for name in slides],
            [kin.axis_acceleration(name) for name in slides],
        ]
        return tuple(
            np.reshape(np.array(row, dtype=float), shape)
            for row, shape in zip(rows, shapes, strict=True)
        )

    return LegStates(
        names, slides, *map_states(one, settled(assembly, arguments), shapes, on_error)
    )


def pose_from_legs(assembly: Assembly) -> PoseFromLegs | None:
    """How the platform pose follows from the legs by sums and products, if it does; found once."""

    def make(assembly: Assembly) -> PoseFromLegs | None:
        return find_pose_from_legs(assembly, element_parts(assembly), seen_elements(assembly))

    return assembly.cached("pose from legs", make)


def _turn(assembly: Assembly, here: ElementState, name: str) -> float:
    """How far an element is turned about its direction, from the smallest swing from home."""
    home = assembly.equations(*assembly.start).body_poses[name].R
    x_home = home @ here.parts.elements[name].x
    swung = swing(x_home, here.x[name]) @ home
    left = here.poses[name].R @ swung.T
    return float(spatial.rotation_log(left) @ here.x[name])


def pose_of_legs(assembly: Assembly, x: np.ndarray, theta: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The platform pose that directions ``(k, 3)``, turns and lengths of the legs show.

    By sums of ``d x`` where legs lead to the platform so; else the pose that fits best.
    """
    names, slides = seen_elements(assembly), seen_lengths(assembly)
    lead = pose_from_legs(assembly)
    if lead is None:
        return _fitted(assembly, x, theta, d)
    T = lead.evaluate(dict(zip(names, x, strict=True)), dict(zip(slides, d, strict=True)))
    if assembly.mobility == 6:
        return np.asarray(T)
    # what is seen is never quite in the robot's mobility: keep its own freedoms
    y = assembly.chart.coordinates(np.asarray(T))
    return np.asarray(state(assembly.robot, y[list(assembly.free)])[0])


def _fitted(assembly: Assembly, x: np.ndarray, theta: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Least squares by Gauss and Newton; the motion constraints are the derivatives."""
    chart, free = assembly.chart, list(assembly.free)
    names, slides = seen_elements(assembly), seen_lengths(assembly)
    T, previous = assembly.start[0], np.inf
    for _ in range(_MOST_ITERATIONS):
        at = posed(assembly, T)
        found = ElementState(Kinematics(assembly, assembly.solution(at)))
        M = found.motion_constraints
        rows = [np.asarray(M["x", name, 0]) for name in names]
        right = [x[i] - found.x[name] for i, name in enumerate(names)]
        for i, name in enumerate(slides):
            row = np.asarray(M["d", name.split(".", maxsplit=1)[0], 0])
            rows.append(row[None] / assembly.length)
            off = d[i] - float(value(at, assembly.axes[name], d[i]))
            right.append(np.array([off / assembly.length]))
        matrix = np.vstack(rows) * assembly.scales.freedoms
        if np.linalg.matrix_rank(matrix, tol=1e-7) < assembly.mobility:
            rows += [np.asarray(M["spin", name, 0])[None] for name in names]
            turned = [theta[i] - _turn(assembly, found, name) for i, name in enumerate(names)]
            right.append(np.array(turned))
            matrix = np.vstack(rows) * assembly.scales.freedoms
        step = np.linalg.lstsq(matrix, np.concatenate(right), rcond=None)[0]
        step *= min(1.0, _LARGEST_STEP / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        size = float(np.abs(step).max(initial=0.0))
        if size < 1e-15 or (size < 1e-9 and size > 0.5 * previous):
            break  # met to rounding, or as well as what is seen can be
        previous = size
        y = chart.coordinates(T)
        rates = np.linalg.solve(chart.rates(y), found.Psi @ (step * assembly.scales.freedoms))
        T = np.asarray(state(assembly.robot, (y + rates)[free])[0])
    return T
