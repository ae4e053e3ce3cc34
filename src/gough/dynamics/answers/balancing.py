"""Springs that carry the weight of a machine, so that its motors need not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.batch import map_states
from gough.base.result import Result
from gough.dynamics import legs
from gough.dynamics.shared.axes import spread
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing, Sharing, check_motors
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError, shown
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Axis, Robot, Spring
from gough.robot.joint_kinds import SLIDE, TURN
from gough.states.state import as_state


@dataclass(frozen=True, eq=False)
class Balance(Result):
    """Springs fitted to carry a machine's weight.

    Attributes:
        robot: the machine with the springs.
        springs: by axis.
        before: motor efforts at rest in each pose without them ``(poses, n)`` [N or N m].
        after: the same with them ``(poses, n)`` [N or N m].
    """

    robot: Robot
    springs: dict[str, Spring]
    before: np.ndarray
    after: np.ndarray

    def __str__(self) -> str:
        def size(efforts: np.ndarray) -> str:
            rms = float(np.sqrt(np.mean(efforts**2)))
            return f"rms {rms:.4g}, largest {float(np.abs(efforts).max()):.4g}"

        units = {True: ("N/m", "m"), False: ("N m/rad", "rad")}
        lines = []
        for name, spring in self.springs.items():
            k, q = units[self.robot.assembly.axes[name].what == SLIDE]
            lines.append(f"{name}: {spring.stiffness:.6g} {k}, at rest at {spring.rest:.6g} {q}")
        return "\n".join(
            [*lines, f"efforts at rest before: {size(self.before)}; after: {size(self.after)}"]
        )


def balance_gravity(
    robot: Robot,
    axes: Sequence[str],
    state: Any,
    *,
    stiffness: Mapping[str, float] | None = None,
    loads: Loads | None = None,
) -> Balance:
    """Fit springs on axes that minimise the motor efforts at rest over a set of poses.

    Efforts at rest are affine in stiffness and in stiffness times rest position, so the best
    springs are a least-squares problem.

    Args:
        robot: the machine.
        axes: names of the turning or sliding axes, actuated or not, that get a spring.
        state: poses over which the weight is to be carried ``(..., 4, 4)``, or a
            :class:`gough.State`.
        stiffness: of axes whose stiffness is given [N m/rad or N/m]; their rest position is
            fitted.
        loads: :class:`gough.Loads`: what is to be carried besides the machine itself.

    Returns:
        A :class:`Balance`; its ``robot`` carries the springs.
    """
    assembly = assembled(robot)
    names, given = _checked(assembly, axes, stiffness)
    # springs of unit stiffness mark the axes, whose turns are then counted
    marked = _with_springs(robot, dict.fromkeys(names, Spring(1.0))).assembly
    loading = LoadArguments(marked, loads)

    def one(T: np.ndarray, *rest: np.ndarray) -> tuple[np.ndarray, ...]:
        return _statics(marked, T, names, loading.at(rest))

    m, k = len(robot.motors), len(names)
    found = map_states(
        one,
        settled(assembly, as_state(state, robot).arguments("T_0p") | loading.arguments),
        ((m,), (m, k), (k,)),
    )
    before, unit, position = (
        part.reshape(-1, *shape) for part, shape in zip(found, ((m,), (m, k), (k,)), strict=True)
    )
    if not len(before):
        raise InputError("state: no pose is given", argument="state")
    springs = _fit(names, before, unit, position, given)
    force = np.array([springs[name].stiffness for name in names]) * (
        position - np.array([springs[name].rest for name in names])
    )
    after = before + np.einsum("pma,pa->pm", unit, force)
    return Balance(_with_springs(robot, springs), springs, before, after)


def _statics(
    marked: Assembly, T: np.ndarray, axes: Sequence[str], loads: StateLoads
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Efforts that hold a pose, efforts per unit effort taken by each axis, and axis positions."""
    solution = regular(marked, T)
    kin, J_inv = Kinematics(marked, solution), np.asarray(solution.J_inv)
    check_motors_hold(marked, solution.J_inv, solution.Psi)
    share = Sharing(marked)
    held = share.efforts(J_inv.T, legs.bias_wrench(kin, loads))
    columns = []
    for name in axes:
        taken = spread(kin, [(name, 1.0)])
        W = solution.on_platform(taken.z[:6], taken.z[6:], taken.legs)
        columns.append(share.efforts(J_inv.T, solution.Psi.T @ W))
    unit = np.stack(columns, axis=1)
    position = np.array([marked.axis_position(solution.equations, name) for name in axes])
    return np.asarray(held) - unit @ position, unit, position  # less what the marks take


def _fit(
    axes: Sequence[str],
    before: np.ndarray,
    unit: np.ndarray,
    position: np.ndarray,
    given: Mapping[str, float],
) -> dict[str, Spring]:
    """Stiffness k and preload k q_0 of every axis: smallest ``before + unit (k q - k q_0)``."""
    fitted = [i for i, name in enumerate(axes) if name not in given]
    known = np.array([given.get(name, 0.0) for name in axes])
    right = -(before + np.einsum("pma,pa->pm", unit, known * position)).reshape(-1)
    by_stiffness = (unit * position[:, None, :])[..., fitted].reshape(len(right), -1)
    A = np.hstack([by_stiffness, -unit.reshape(len(right), -1)])
    size = np.linalg.norm(A, axis=0)
    # columns have unit length, efforts twelve digits or more: below 1e-9 two springs do the same
    if (size == 0.0).any() or np.linalg.matrix_rank(A / size, tol=1e-9) < A.shape[1]:
        raise InputError(
            "these poses do not tell the springs apart",
            hint="Give more poses, fewer axes, or the stiffness of some axes.",
            argument="T_0p",
        )
    x = np.linalg.lstsq(A / size, right, rcond=None)[0] / size
    k = known.copy()
    k[fitted] = x[: len(fitted)]
    preload = x[len(fitted) :]
    for i in fitted:
        # over all poses its effort would change by less than rounding of its preload
        if k[i] * max(np.ptp(position[:, i]), 1e-300) <= 1e-9 * abs(preload[i]):
            raise InputError(
                f"the best stiffness at {axes[i]!r} is {k[i]:.4g}, not positive: a constant force, "
                "or none, would do better than a spring",
                hint="Give a stiffness: stiffness={axis: ...}; its rest position is fitted.",
                argument="axes",
            )
    rest = preload / k
    return {name: Spring(float(k[i]), float(rest[i])) for i, name in enumerate(axes)}


def _checked(
    assembly: Assembly, axes: Any, stiffness: Any
) -> tuple[tuple[str, ...], dict[str, float]]:
    """Names of axes, and stiffness by axis, checked."""
    check_motors(assembly, EffortSharing())
    known = [name for name, place in assembly.axes.items() if place.what in (TURN, SLIDE)]
    names = () if isinstance(axes, str) or not isinstance(axes, Iterable) else tuple(axes)
    if not names or not all(isinstance(n, str) for n in names) or len(set(names)) < len(names):
        raise InputError(
            f"axes: expected names of axes, each once, got {shown(axes)}", argument="axes"
        )
    if stiffness is not None and not isinstance(stiffness, Mapping):
        raise InputError(
            f"stiffness: expected {{axis: stiffness}}, got {shown(stiffness)}", argument="stiffness"
        )
    given = dict(stiffness or {})
    for name in (*names, *given):
        if name not in known:
            raise InputError(
                f"no axis {shown(name)} for a spring", hint=nearest(name, known), argument="axes"
            )
    for name, value in given.items():
        if name not in names:
            raise InputError(f"stiffness: {name!r} is not among the axes", argument="stiffness")
        Spring(value)
    return names, given


def _with_springs(robot: Robot, springs: Mapping[str, Spring | None]) -> Robot:
    """The robot with springs on axes; ``None`` takes one off."""

    def changed(name: str, axis: Axis) -> Axis:
        return replace(axis, spring=springs[name]) if name in springs else axis

    joints = [
        replace(
            joint,
            axes=tuple(changed(n, a) for n, a in zip(joint.axis_names, joint.axes, strict=True)),
        )
        for joint in robot.joints
    ]
    return replace(robot, joints=tuple(joints))
