"""Motors that lead where there are more of them than freedoms: the others follow the platform."""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

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
    columns = assembly.scales.jacobian(np.asarray(home.J_inv)).T
    chosen = []
    if first is not None:
        chosen = [first]
        way = columns[:, first] / max(float(np.linalg.norm(columns[:, first])), 1e-300)
        columns = columns - np.outer(way, way @ columns)
        columns[:, first] = 0.0
    order = qr(columns, mode="economic", pivoting=True)[2].tolist()
    more = [k for k in order if k != first]
    return sorted(chosen + more[: assembly.mobility - len(chosen)])
