"""The check that refuses a Type-2 singularity: motors that do not hold the platform."""

from __future__ import annotations

import numpy as np

from gough.errors import SingularPose
from gough.mobility.assembly import Assembly
from gough.mobility.singular import felt_by_motors, is_singular
from gough.spatial import Array


def check_motors_hold(assembly: Assembly, J_inv: Array, Psi: Array) -> None:
    """Refuse a Type-2 singularity: say which motion locked motors leave to the platform.

    Args:
        assembly: the robot.
        J_inv: ``qd_a = J_inv V_r``.
        Psi: ``V_0p = Psi V_r``.
    """
    if not assembly.mobility:
        return
    felt, rates = felt_by_motors(assembly.scales, J_inv, Psi)
    _, s, Vt = np.linalg.svd(felt, full_matrices=True)
    if not is_singular(s, assembly.mobility):
        return
    smallest = float(s[-1]) if len(s) == assembly.mobility else 0.0
    natural = rates @ Vt[-1]
    motion = natural / np.linalg.norm(natural) * assembly.scales.freedoms
    listed = ", ".join(
        f"{name} {value:.3g}" for name, value in zip(assembly.freedoms, motion, strict=True)
    )
    raise SingularPose(
        f"{assembly.robot.name}: Type 2 singularity: with all motors locked the platform can "
        f"still move along ({listed}); smallest singular value {smallest:.2g}",
        hint="Likely: the pose is singular, or there are too few motors for the mobility "
        f"({len(assembly.robot.motors)} for {assembly.mobility}).",
        kind="Type 2",
        condition=float(s[0]) / max(smallest, 1e-300) if len(s) else np.inf,
        smallest=smallest,
        motion=motion,
    )
