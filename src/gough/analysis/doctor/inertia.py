"""Inertia against every motion; rotors and efforts in proportion to what they move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.dynamics import legs
from gough.dynamics.answers.motor_limits import motor_limits
from gough.dynamics.shared.definite import described, motion_without_inertia, without_inertia
from gough.dynamics.shared.sharing import EffortSharing, Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import EffortsInfeasible
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import is_turn
from gough.robot.finding import NOTE, WARNING, Finding
from gough.robot.names import joint_of

_HEAVY_ROTOR = 1e4
"""Inertia of a rotor over that of the bodies it drives, from which a unit is likely to be wrong.

Rotors of geared robots have up to a hundred times; kg mm^2 for kg m^2 is a factor of a million.
"""


def look_at_inertia(exam: Examination) -> Iterator[Finding]:
    """Motions without inertia, rotors out of proportion, motors too weak to hold the robot."""
    a, robot = exam.assembly, exam.robot
    if not a.mobility:
        return
    if all(body.massless for body in robot.bodies):
        yield Finding(
            "massless",
            NOTE,
            "no body has a mass: geometry and velocities only, forces of inertia and gravity are "
            "zero",
            bodies=tuple(body.name for body in robot.bodies),
        )
        return
    solution = exam.solution(exam.usual)
    still = Kinematics(a, solution)
    V_r = motion_without_inertia(a, solution, legs.inertia_matrix(still, StateLoads(a.gravity)))
    if V_r is not None:
        motion, without = described(a, solution, V_r)
        yield Finding(
            "no-inertia",
            WARNING,
            f"nothing has inertia when the platform is to {motion}: forward dynamics does not "
            "exist (the inertia matrix is singular)",
            advice=without_inertia(without),
            bodies=without,
            data={"motion": V_r.tolist()},
        )
        return
    bodies = np.asarray(legs.inertia_matrix(still, StateLoads(a.gravity, rotors=False)))
    if motion_without_inertia(a, solution, bodies) is None:
        J = a.scales.jacobian(np.asarray(solution.J_inv))
        yield from _rotors(exam, J, bodies * np.outer(a.scales.freedoms, a.scales.freedoms))
    yield from _holding(exam)


def _rotors(exam: Examination, J: np.ndarray, bodies: np.ndarray) -> Iterator[Finding]:
    """Rotors far heavier than all that they drive."""
    for name, row, unit in zip(exam.motors, J, exam.scales.motors, strict=True):
        reflected = exam.robot.axis(name).reflected_inertia * unit**2
        felt = float(row @ np.linalg.solve(bodies, row))
        if reflected * felt > _HEAVY_ROTOR:
            yield Finding(
                "heavy-rotor",
                WARNING,
                f"the rotor of {name!r} has {reflected * felt:.2g} times the inertia of the "
                "bodies that it drives",
                advice="A rotor's inertia on its own shaft is multiplied by the square of the "
                "ratio; is it given on the axis already, or in kg mm^2 or g cm^2?",
                joints=(joint_of(name),),
                motors=(name,),
                data={"times": reflected * felt},
            )


def _holding(exam: Examination) -> Iterator[Finding]:
    """Motors that cannot hold the robot at home against gravity and its springs."""
    a = exam.assembly
    if exam.usual != 0 or len(exam.motors) < a.mobility:
        return
    limits = motor_limits(a.robot)
    lasting = limits.ratio * limits.at_rest(continuous=True)  # at rest gears lose nothing
    if not np.isfinite(np.minimum(limits.effort, lasting)).any():
        return
    solution = exam.solution(0)
    J = np.asarray(solution.J_inv)
    if a.motor_rank_at_home < a.mobility:
        return
    weight = np.asarray(legs.bias_wrench(Kinematics(a, solution), StateLoads(a.gravity)))
    springs = any(axis.spring for joint in exam.robot.joints for axis in joint.axes)
    against = "gravity and springs" if springs else "gravity"
    if len(exam.motors) > a.mobility:
        within = np.minimum(limits.effort, lasting)
        yield from _holding_together(exam, J, weight, against, within)
        return
    tau = np.linalg.solve(J.T, weight)
    for i, (name, effort) in enumerate(zip(exam.motors, tau, strict=True)):
        unit = "N m" if is_turn(a.axes[name]) else "N"
        by_motor = f"its motor's continuous torque makes {lasting[i]:g} {unit} at the axis"
        for limit, has in (
            (float(limits.effort[i]), f"its limit is {limits.effort[i]:g} {unit}"),
            (float(lasting[i]), by_motor),
        ):
            if abs(effort) > limit:
                yield Finding(
                    "weak-motor",
                    WARNING,
                    f"motor {name!r} needs {abs(effort):.3g} {unit} to hold home against "
                    f"{against}, {has}",
                    joints=(joint_of(name),),
                    motors=(name,),
                    data={"effort": float(effort), "limit": limit},
                )


def _holding_together(
    exam: Examination, J: np.ndarray, weight: np.ndarray, against: str, within: np.ndarray
) -> Iterator[Finding]:
    """Redundant motors whose efforts, however they are shared, do not hold the robot at home."""
    try:
        Sharing(exam.assembly, EffortSharing(bounds=(-within, within))).efforts(J.T, weight)
    except EffortsInfeasible as err:
        motors, excess = tuple(err.data["motors"]), float(err.data["excess"])
        yield Finding(
            "weak-motor",
            WARNING,
            f"the motors cannot hold home against {against} within their limits, however they "
            f"share it: at best {words.quoted(motors)} pass{'es' * (len(motors) == 1)} the limit "
            f"by {excess:.3g}",
            joints=tuple(map(joint_of, motors)),
            motors=motors,
            data={"excess": excess},
        )
