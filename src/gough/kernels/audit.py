"""The public function of certificates: efforts by four methods, checked against each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import state_arguments
from gough.dynamics.answers.certificate import FIGURES, Certificate, Worked, figures
from gough.dynamics.answers.frozen import frozen_notes
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.definite import smallest_inertia
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import Share
from gough.kernels.answering import answered
from gough.kernels.evaluator import Engine
from gough.kernels.serial import with_serial
from gough.kinematics.serial_axes import SerialAxes
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.serial import core_of
from gough.robot import Robot


def audit(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    loads: Loads | None = None,
    share: Share | None = None,
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
) -> Certificate:
    """Compute the efforts of a motion by all four methods, and check them against each other.

    Args:
        robot: the machine, with as many motors as freedoms or more.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist, base axes ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        share: :class:`gough.Share`: how more motors than freedoms share the work.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some.  Closure, singularities and inertia are then those of the parallel
            robot between them, efforts and powers those of all motors.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.

    Returns:
        A :class:`Certificate`: efforts, residuals, power balance, distances to singularities.
    """
    assembly = assembled(robot)
    motion = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    options: Any = {"loads": loads, "share": share}
    quantity, given = with_serial(assembly, "audited", motion, serial)
    state = settled(assembly, given)
    found = answered(assembly, quantity, state, engine, None, None, "raise", **options)
    lead = found[0].shape[:-2]  # loads may bring batch axes of their own
    judged, twists = assembly, [state[name][0] for name in ("V_0p", "Vdot_0p")]
    if serial is not None:
        judged, twists, found = core_of(assembly), list(found[-2:]), found[:-2]
    V, Vdot = (np.broadcast_to(each, (*lead, 6)) for each in twists)
    values = np.zeros((*lead, len(FIGURES)))
    for index in np.ndindex(*lead):
        one = Worked(*(part[index] for part in found))
        inertia = smallest_inertia(judged, one.Psi, one.M_rob)
        values[index] = figures(judged, V[index], Vdot[index], one, inertia)
    efforts = {name: found[0][..., i, :] for i, name in enumerate(METHODS)}
    named = {name: values[..., i] for i, name in enumerate(FIGURES)}
    return Certificate(robot.name, efforts, **named, notes=frozen_notes(judged))
