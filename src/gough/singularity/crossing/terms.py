"""The Cartesian model of a machine at instants of a motion: ``J_inv^T tau = M_rob Vdot_r + c_rob``.

Nothing here is inverted but for efforts, so that the rest holds on a Type 2 singularity as well.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gough.dynamics import legs
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import GoughError
from gough.functions.dynamics import inverse_dynamics
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.motion import Motion
from gough.motion.space import at_time
from gough.states.state import State


class Terms:
    """Terms of the Cartesian model at one instant, each computed on demand once.

    Args:
        kin: the machine in motion.
        T_0p: pose of the platform.
        loads: what acts on it.

    Attributes:
        T_0p: pose of the platform.
        V_r, Vdot_r: rates of the robot's freedoms and their derivative ``(n,)``.
        Psi: twist of the platform by ``V_r``, ``(6, n)``.
        J_inv: rates of the motors by ``V_r``, ``(m, n)``.
    """

    def __init__(self, kin: Kinematics, T_0p: np.ndarray, loads: StateLoads) -> None:
        free = list(kin.assembly.free)
        self.T_0p, self._kin, self._loads = T_0p, kin, loads
        self.V_r, self.Vdot_r = np.asarray(kin.V)[free], np.asarray(kin.Vdot)[free]
        self.Psi, self.J_inv = np.asarray(kin.solution.Psi), np.asarray(kin.J_inv)

    @cached_property
    def M_rob(self) -> np.ndarray:
        """Inertia of the machine in its freedoms ``(n, n)``."""
        return np.asarray(legs.inertia_matrix(self._kin, self._loads))

    @cached_property
    def w_r(self) -> np.ndarray:
        """Total wrench ``M_rob Vdot_r + c_rob``: platform, legs, gravity, loads ``(n,)``."""
        during = self._loads.during(self._kin.V, self._kin.assembly.length)
        return np.asarray(legs.cartesian_wrench(self._kin, during))

    def twist_rate(self, Vdot_r: np.ndarray) -> np.ndarray:
        """Twist rate of the platform with other accelerations of its freedoms ``(6,)``."""
        return np.asarray(self._kin.twist_rate(Vdot_r))


class Machine:
    """A robot with its loads, along a motion.

    Args:
        assembly: the robot.
        motion: what it does.
        loads: what acts on it, the same all the time.
    """

    def __init__(self, assembly: Assembly, motion: Motion, loads: Loads | None) -> None:
        self.assembly, self.motion = assembly, motion
        self.loading = LoadArguments(assembly, loads)
        self.loads = self.loading.only()

    def at(self, t: float, states: State | None = None) -> Terms:
        """The model at an instant of the motion [s].

        Args:
            t: the instant.
            states: pose and rates there, if they are others than the motion's; one state.
        """
        here = self.motion(np.array([t])) if states is None else states
        T, V, Vdot = here[0].arrays
        try:
            return Terms(moving(self.assembly, T, V, Vdot), T, self.loads)
        except GoughError as err:
            raise at_time(err, t) from err

    def efforts(self, t: np.ndarray, states: State) -> np.ndarray:
        """Efforts of states at the poses of regular instants ``(K,)``: ``(K, m)``.

        Raises:
            GoughError: one of them cannot be, or is singular; names its time.
        """
        try:
            return inverse_dynamics(self.assembly.robot, states, loads=self.loading.loads)
        except GoughError as err:
            k = err.data.get("sample")
            if k is None:
                raise
            raise at_time(err, float(t[k])) from err
