"""The public function of certificates: efforts by four methods, checked against each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.answers.certificate import FIGURES, Certificate, Worked, figures
from gough.dynamics.answers.frozen import frozen_notes
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.evaluation.call import answered, with_internal
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import assembled
from gough.mechanism.serial import core_of
from gough.robot import Robot
from gough.states.state import as_state


def audit(
    robot: Robot,
    state: Any,
    *,
    loads: Loads | None = None,
    share: EffortSharing | None = None,
) -> Certificate:
    """Compute the efforts of a motion by all four methods, and check them against each other.

    Args:
        robot: the machine, with as many motors as freedoms or more.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        share: :class:`gough.EffortSharing`: how more motors than freedoms share the work.

    Returns:
        A :class:`Certificate`: efforts, residuals, power balance, distances to singularities.
    """
    assembly = assembled(robot)
    x = as_state(state, robot, with_internal=True)
    motion = x.arguments("T_0p", "V_0p", "Vdot_0p")
    options: Any = {"loads": loads, "share": share}
    quantity, given = with_internal(assembly, "audited", x, motion)
    exact = settled(assembly, given)
    found = answered(assembly, quantity, exact, None, "raise", **options)
    lead = found[0].shape[:-2]  # loads may bring batch axes of their own
    judged, twists = assembly, [exact[name][0] for name in ("V_0p", "Vdot_0p")]
    if x.has_internal:
        judged, twists, found = core_of(assembly), list(found[-2:]), found[:-2]
    V, Vdot = (np.broadcast_to(each, (*lead, 6)) for each in twists)
    values = figures(judged, V, Vdot, Worked(*found))
    efforts = {name: found[0][..., i, :] for i, name in enumerate(METHODS)}
    named = {name: values[..., i] for i, name in enumerate(FIGURES)}
    return Certificate(robot.name, efforts, **named, notes=frozen_notes(judged))
