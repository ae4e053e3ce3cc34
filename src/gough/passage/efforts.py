"""Motor efforts at regular instants, on any branch."""

from __future__ import annotations

import numpy as np

from gough.errors import GoughError
from gough.kernels.functions import inverse_dynamics
from gough.kinematics.jacobians import invert_motors
from gough.motion import States
from gough.motion.space import at_time
from gough.passage.terms import Machine


def efforts(machine: Machine, t: np.ndarray, states: States) -> np.ndarray:
    """Efforts of states at the poses of instants ``(K,)``: ``(K, m)``.

    Kernels know home's branch only; on another one efforts are worked out state by state.

    Raises:
        GoughError: one of them cannot be, or is singular; names its time.
    """
    assembly = machine.assembly
    if machine.branch is not None:
        found = []
        for each, T, V, Vdot in zip(t, *states, strict=True):
            seen = machine.state(float(each), T, V, Vdot)
            found.append(invert_motors(assembly, seen.J_inv, seen.Psi).T @ seen.w_r)
        return np.array(found).reshape(len(t), len(assembly.robot.motors))
    try:
        return np.asarray(inverse_dynamics(assembly.robot, *states, loads=machine.loading.loads))
    except GoughError as err:
        k = err.data.get("sample")
        if k is None:
            raise
        raise at_time(err, float(t[k])) from err
