"""Derivatives by where joints sit: the robot's freedoms are held, and all else follows the loops.

A pose and its twists are given whole.  Of a robot with fewer than six freedoms some of their
components depend on the others, in another way for another geometry: a derivative that held them
all would be that of no machine.  So the components ``robot.freedoms`` are held, of displacements,
twists and twist rates; what depends on them changes as the loops demand.
"""

from __future__ import annotations

from collections.abc import Mapping

from gough.base.spatial import Array, collect, moved
from gough.base.stop_gradient import changes
from gough.geometry.joints_from_pose import closing, unsettled
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly

OPEN = "open"
"""What the loops of an over-constrained robot are open by, natural units; see :func:`opened`."""


def following(assembly: Assembly, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Inputs of a state with the same values, and with derivatives of what depends on freedoms."""
    found = dict(arrays)
    if assembly.mobility == 6 or "T_0p" not in found:
        return found
    T = found["T_0p"]
    found["T_0p"] = T = moved(T, changes(closing(unsettled(assembly, T))))
    if "V_0p" in found:
        solution = unsettled(assembly, T)
        V = found["V_0p"]
        found["V_0p"] = V = V + changes(solution.complete(_free(assembly, V)))
        if "Vdot_0p" in found:
            Vdot, kin = found["Vdot_0p"], Kinematics(assembly, solution, V)
            found["Vdot_0p"] = Vdot + changes(kin.twist_rate(_free(assembly, Vdot)))
    return found


def opened(assembly: Assembly, T_0p: Array) -> dict[str, Array]:
    """What loops are open by at a pose, of an over-constrained robot.

    It vanishes, but its derivatives do so only along changes that the loops admit: others have no
    machine.
    """
    if not assembly.over_constraint:
        return {}
    solution = unsettled(assembly, T_0p)
    hub, legs = solution.equations.residuals()
    of_hub, *of_legs = assembly.scales.rows
    rows = [off / float(unit) for off, unit in zip(hub, of_hub, strict=True)]
    for factor, own, units in zip(solution.factors, legs, of_legs, strict=True):
        rows += [own[i] / float(units[i]) for i in factor.left_over]  # the others are solved
    return {OPEN: collect(rows)}


def _free(assembly: Assembly, V: Array) -> Array:
    return collect([V[i] for i in assembly.free], empty=(0,))
