"""The check that refuses velocities where a leg, the hub or the platform is singular."""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import scale_of_rates
from gough.closure.dense import scaled_legs
from gough.closure.solution import Solution
from gough.errors import SingularPose
from gough.mobility.assembly import Assembly
from gough.mobility.freedoms import FREEDOMS

SMALLEST = 1e-7
"""Smallest singular value, natural units, that still gives rates a meaning.

At the border of reach two solutions meet and joints are known to the root of the rounding, 3e-8.
"""


def check_regular(assembly: Assembly, solution: Solution, least: float = SMALLEST) -> None:
    """Refuse a state in which joint rates do not follow from the platform twist.

    Args:
        assembly: the robot.
        solution: the state.
        least: smallest singular value, natural units, that is accepted.
    """
    at, topology, length = solution.equations, assembly.topology, assembly.length
    for leg, scaled in zip(topology.legs, scaled_legs(at, length), strict=True):
        smallest, vector = _smallest(scaled)
        if smallest < least:
            moving = [
                link.joint
                for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True)
                if np.abs(vector[columns]).max() > 0.1
            ]
            raise SingularPose(
                f"{assembly.robot.name}: Type 1 singularity: with the platform held, leg "
                f"{leg.name!r} can still move in {', '.join(dict.fromkeys(moving))} "
                f"(smallest singular value {smallest:.1g})",
                hint="Likely: the leg is stretched out or folded, or its pose is at the border "
                "of reach.",
                leg=leg.name,
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
            )
    if topology.hub.rates:
        scaled = solution.constraints[1] * scale_of_rates(topology.hub, length)
        smallest, _ = _smallest(scaled)
        if smallest < least:
            raise SingularPose(
                f"{assembly.robot.name}: with the platform held, the nacelle can still move "
                f"(smallest singular value {smallest:.1g})",
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
            )
    if solution.dependent:
        scale = np.array([length] * 3 + [1.0] * 3)
        B, _ = solution.platform_rows()
        columns = list(solution.dependent)
        smallest, vector = _smallest((B * scale)[:, columns])
        if smallest < least:
            worst = FREEDOMS[columns[int(np.argmax(np.abs(vector)))]]
            raise SingularPose(
                f"{assembly.robot.name}: constraint singularity: the legs no longer fix {worst} "
                f"when {', '.join(assembly.freedoms)} are held (smallest singular value "
                f"{smallest:.1g})",
                hint="The platform gains a freedom here, or these freedoms do not describe it.",
                kind="constraint",
                condition=1.0 / max(smallest, 1e-300),
            )


def _smallest(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Smallest singular value and the motion that belongs to it; 1 if there is no unknown."""
    if matrix.shape[1] == 0:
        return 1.0, np.zeros(0)
    if matrix.shape[0] < matrix.shape[1]:
        return 0.0, np.linalg.svd(matrix)[2][-1] if matrix.shape[0] else np.eye(matrix.shape[1])[0]
    _, s, Vt = np.linalg.svd(matrix)
    return float(s[-1]), Vt[-1]
