"""Motors that lead where there are more of them than freedoms: the others follow the platform."""

from __future__ import annotations

import numpy as np

from gough.mechanism.mobility.assembly import Assembly


def leading_motors(assembly: Assembly, first: int | None = None) -> list[int]:
    """Numbers of as many motors as freedoms: those that hold the platform best at home.

    Positions of more motors never fit together exactly.

    Args:
        assembly: the robot; one with fewer motors than freedoms has all of them.
        first: a motor that is to be among them; any, if not given.
    """
    if not assembly.mobility or not assembly.robot.motors:
        return []
    home = assembly.solution(assembly.equations(assembly.T_home, assembly.home))
    left = assembly.scales.jacobian(np.asarray(home.J_inv)).T
    chosen: list[int] = []
    while len(chosen) < min(left.shape):
        sizes = np.linalg.norm(left, axis=0)
        sizes[chosen] = -1.0
        k = int(sizes.argmax()) if chosen or first is None else first
        way = left[:, k] / max(float(sizes[k]), 1e-300)
        left = left - np.outer(way, way @ left)  # what those chosen hold already
        chosen.append(k)
    return sorted(chosen)
