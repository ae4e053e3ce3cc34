"""The certificate of an answer: closure, power balance, agreement, conditioning."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from gough.base.batch import map_states, state_arguments
from gough.base.result import Result
from gough.dynamics import legs
from gough.dynamics.answers.energy import push_power
from gough.dynamics.answers.frozen import frozen_notes
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.axes import axis_efforts
from gough.dynamics.shared.definite import DEFINITE, smallest_inertia
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.newton_euler import body_wrench
from gough.dynamics.shared.sharing import Share, Sharing, check_motors
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.turns import springs_count
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold
from gough.kinematics.single import settled
from gough.mechanism.closure.dense import dense
from gough.mechanism.closure.recursion import Motion
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.mobility.measures import measures_at
from gough.mechanism.topology.tree import ROOT
from gough.robot import Robot

CLOSURE, POWER, AGREEMENT = 1e-10, 1e-9, 1e-9
"""Largest closure residual (natural units, or relative), power error and disagreement accepted.

Rounding leaves 1e-15 to 1e-12 of each; an error in an equation shows at 1e-3 and above.
"""


@dataclass(frozen=True, eq=False)
class Certificate(Result):
    """Errors and margins of an answer, at one state or at each of a batch ``(...,)``.

    Attributes:
        robot: name of the machine.
        efforts: motor efforts by method [N or N m], ``(..., n)``.
        closure: largest position residual, natural units.
        closure_rate: largest residual of the closure at velocity level, relative to the rates.
        closure_acceleration: the same at acceleration level.
        power: power of motors and loads less what bodies, rotors, friction and springs take,
            relative.
        agreement: largest difference between the methods, relative.
        condition: condition number of the motors' Jacobian, natural units.
        type_1, type_2, constraint: distances to singularities of each kind, natural units, the
            same as from ``gough.singularities``.
        inertia: smallest eigenvalue of the inertia matrix, its diagonal scaled to one; zero where
            the platform can move without inertia, so that direct dynamics has no answer.
        notes: sentences on freedoms that are frozen and matter.
    """

    robot: str
    efforts: dict[str, np.ndarray]
    closure: np.ndarray
    closure_rate: np.ndarray
    closure_acceleration: np.ndarray
    power: np.ndarray
    agreement: np.ndarray
    condition: np.ndarray
    type_1: np.ndarray
    type_2: np.ndarray
    constraint: np.ndarray
    inertia: np.ndarray
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether closure, power, agreement and inertia are within their bounds everywhere."""
        closed = (self.closure, self.closure_rate, self.closure_acceleration)
        return bool(
            all(np.max(c, initial=0.0) <= CLOSURE for c in closed)
            and np.max(self.power, initial=0.0) <= POWER
            and np.max(self.agreement, initial=0.0) <= AGREEMENT
            and np.min(self.inertia, initial=1.0) >= DEFINITE
        )

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, the worst of the batch."""

        def worst(values: np.ndarray) -> float:
            return float(np.max(values, initial=0.0))

        def least(values: np.ndarray) -> float:
            return float(np.min(values, initial=np.inf))

        states = int(np.size(self.closure))
        effort = max(float(np.abs(e).max(initial=0.0)) for e in self.efforts.values())
        return [
            ("robot", f"{self.robot}, {states} state{'s' if states != 1 else ''}"),
            ("verdict", "passed" if self.passed else "FAILED"),
            ("largest effort", f"{effort:.6g}"),
            (
                "closure",
                f"position {worst(self.closure):.1e}, velocity {worst(self.closure_rate):.1e}, "
                f"acceleration {worst(self.closure_acceleration):.1e}",
            ),
            ("power balance", f"{worst(self.power):.1e}"),
            ("agreement", f"{worst(self.agreement):.1e} among {', '.join(self.efforts)}"),
            ("condition", f"{worst(self.condition):.3g}"),
            (
                "singularities",
                f"Type 1 at {least(self.type_1):.3g}, Type 2 at {least(self.type_2):.3g}, "
                f"constraint at {least(self.constraint):.3g}",
            ),
            ("inertia", self._inertia()),
            *(("frozen", note) for note in self.notes),
        ]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a state: all figures."""
        return {name: np.reshape(getattr(self, name), -1) for name in FIGURES}

    def _inertia(self) -> str:
        smallest = float(np.min(self.inertia, initial=1.0))
        if smallest >= DEFINITE:
            return f"smallest eigenvalue {smallest:.2g}, scaled"
        return "singular: the platform can move without inertia, direct dynamics has no answer"


FIGURES = tuple(each.name for each in fields(Certificate)[2:-1])
"""Numbers of a certificate, one for each state."""


def audit(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    loads: Loads | None = None,
    share: Share | None = None,
) -> Certificate:
    """Compute the efforts of a motion by all four methods, and check them against each other.

    Args:
        robot: the machine, with as many motors as freedoms or more.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist, base axes ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        share: :class:`gough.Share`: how more motors than freedoms share the work.

    Returns:
        A :class:`Certificate`: efforts, residuals, power balance, distances to singularities.
    """
    assembly = assembled(robot)
    loading = LoadArguments(assembly, loads)
    check_motors(assembly, share)
    sharing = None if share is None else Sharing(assembly, share)
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    arguments = state | loading.arguments

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray, *rest: np.ndarray) -> tuple[Any, ...]:
        acting = loading.at(rest).during(V, assembly.length)
        kin = moving(assembly, T, V, Vdot, turns=springs_count(assembly))
        return _one(assembly, kin, acting, sharing)

    n = len(robot.motors)
    figures = ((),) * len(FIGURES)
    found = map_states(one, settled(assembly, arguments), figures + ((n,),) * len(METHODS))
    efforts = dict(zip(METHODS, found[len(FIGURES) :], strict=True))
    named = dict(zip(FIGURES, found, strict=False))
    return Certificate(robot.name, efforts, **named, notes=frozen_notes(assembly))


def _one(
    assembly: Assembly, kin: Kinematics, loads: StateLoads, share: Sharing | None
) -> tuple[Any, ...]:
    solution = kin.solution
    check_motors_hold(assembly, solution.J_inv, solution.Psi)
    distances = measures_at(assembly, solution)
    efforts = [np.asarray(method.efforts(kin, loads, share=share)) for method in METHODS.values()]
    scale = max(float(np.abs(efforts[0]).max(initial=0.0)), _usual_effort(assembly, kin))
    agreement = max(float(np.abs(e - efforts[0]).max(initial=0.0)) for e in efforts) / scale
    rate, acceleration = _open_rates(assembly, kin)
    return (
        assembly.closure_error(solution.equations),
        rate,
        acceleration,
        _power_error(assembly, kin, efforts[0], loads),
        agreement,
        distances.condition,
        distances.type_1,
        distances.type_2,
        distances.constraint,
        smallest_inertia(assembly, solution, legs.inertia_matrix(kin, loads)),
        *efforts,
    )


def _usual_effort(assembly: Assembly, kin: Kinematics) -> float:
    """A thousandth of what all masses take in a motion [N, N m]: efforts below it may cancel."""
    length, motors = assembly.length, assembly.scales.motors
    V, Vdot = (float(np.linalg.norm(x / assembly.scales.twist)) for x in (kin.V, kin.Vdot))
    mass = sum(body.mass for body in assembly.robot.bodies)
    force = mass * (float(np.linalg.norm(assembly.gravity)) + length * (Vdot + V**2))
    arms = length / motors if len(motors) else np.ones(1)
    return max(1e-3 * force * float(arms.min()), 1e-300)


def _open_rates(assembly: Assembly, kin: Kinematics) -> tuple[float, float]:
    """Residuals of all closure rows, left-over ones too, at velocity and acceleration level."""
    system = dense(kin.solution.equations, assembly.length)
    rows = system.A.shape[0]
    hub, legs = kin.biases
    raw = np.array([*hub, *(x for leg in legs for x in leg)], dtype=float)
    bias = raw / np.concatenate(assembly.scales.rows)
    V, Vdot = kin.V / system.V_scale, kin.Vdot / system.V_scale
    u, ud = (x.together / system.u_scale for x in (kin.rates, kin.accelerations))
    if not rows:
        return 0.0, 0.0
    rate = system.A @ u - system.B @ V
    acceleration = system.A @ ud - system.B @ Vdot - bias
    fast = max(float(np.abs(u).max(initial=0.0)), float(np.abs(V).max()), 1e-300)
    faster = max(
        float(np.abs(ud).max(initial=0.0)),
        float(np.abs(Vdot).max()),
        float(np.abs(bias).max(initial=0.0)),
        1e-300,
    )
    return float(np.abs(rate).max()) / fast, float(np.abs(acceleration).max()) / faster


def _power_error(assembly: Assembly, kin: Kinematics, tau: np.ndarray, loads: StateLoads) -> float:
    """Power of motors and loads less that of bodies, rotors, friction and springs, relative."""
    terms = []
    for tree, links, root in kin.with_gravity(loads.gravity).trees:
        for link, mass in loads.link_masses(assembly.robot, tree).items():
            motion: Motion = root if link == ROOT else links[link]
            f, n = body_wrench(mass, motion)
            terms.append(float(f @ motion.v + n @ motion.w))
    terms.append(-float(push_power(kin, loads)))
    for name, effort in axis_efforts(kin, loads, kin.axis_rate, kin.axis_acceleration):
        terms.append(float(np.sum(effort * kin.axis_rate(name))))
    motors = tau * np.asarray(kin.motor_rates())
    size = max(float(np.abs(terms).sum()), float(np.abs(motors).sum()), 1e-300)
    return abs(float(motors.sum()) - sum(terms)) / size
