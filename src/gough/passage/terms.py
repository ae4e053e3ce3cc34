"""The Cartesian model of a machine at instants of a motion: ``J_inv^T tau = M_rob Vdot_r + c_rob``.

Nothing here is inverted, so all of it holds on a Type-2 singularity as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.batch import check_pose
from gough.closure.solution import Solution
from gough.dynamics import legs
from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.loads import Loads
from gough.errors import GoughError, InputError
from gough.geometry.newton import State
from gough.geometry.walk import configuration_at
from gough.kinematics.consistency import check_twist
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_regular
from gough.mobility.assembly import Assembly
from gough.motion import Motion
from gough.motion.space import at_time


class Terms(NamedTuple):
    """The model at one instant.

    Attributes:
        T_0p: pose of the platform.
        V_r, Vdot_r: rates of the robot's freedoms and their derivative ``(n,)``.
        Psi: twist of the platform by ``V_r``, ``(6, n)``.
        J_inv: rates of the motors by ``V_r``, ``(m, n)``.
        w_r: total wrench ``M_rob Vdot_r + c_rob``: platform, legs, gravity, loads ``(n,)``.
    """

    T_0p: np.ndarray
    V_r: np.ndarray
    Vdot_r: np.ndarray
    Psi: np.ndarray
    J_inv: np.ndarray
    w_r: np.ndarray


class Machine:
    """A robot with its loads, on one branch, along a motion.

    Args:
        assembly: the robot.
        motion: what it does.
        loads: what acts on it, the same all the time.
        branch: the posture of the legs that is meant, near the motion's start; home's if ``None``.
    """

    def __init__(
        self,
        assembly: Assembly,
        motion: Motion,
        loads: Loads | None,
        branch: State | None = None,
    ) -> None:
        self.assembly, self.motion, self.branch = assembly, motion, branch
        self.loading = LoadArguments(assembly, loads)
        self.loads = self.loading.only()
        self._walked: dict[float, State] = {}

    def jacobians(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """``J_inv (m, n)`` and ``Psi (6, n)`` at the pose of an instant."""
        solution = self._solution(t, self._state(t)[0])
        return np.asarray(solution.J_inv), np.asarray(solution.Psi)

    def at(self, t: float) -> Terms:
        """The model at an instant of the motion [s]."""
        T, V, Vdot = self._state(t)
        return self.state(t, T, V, Vdot)

    def state(self, t: float, T: np.ndarray, V: np.ndarray, Vdot: np.ndarray) -> Terms:
        """The model at the pose of an instant, with rates that may be others than the motion's."""
        assembly, free = self.assembly, list(self.assembly.free)
        solution = self._solution(t, T)
        check_twist(assembly, solution, V)
        kin = Kinematics(assembly, solution, V, Vdot)
        check_twist(assembly, solution, Vdot, biases=kin.biases, twist=V, what="twist rate")
        loads = self.loads.during(V, assembly.length)
        return Terms(
            T,
            V[free],
            Vdot[free],
            np.asarray(solution.Psi),
            np.asarray(kin.J_inv),
            np.asarray(legs.cartesian_wrench(kin, loads)),
        )

    def drift(self, t: float) -> np.ndarray:
        """Twist rate of the platform at an instant if ``Vdot_r`` were zero ``(6,)``."""
        T, V, _ = self._state(t)
        return np.asarray(Kinematics(self.assembly, self._solution(t, T), V).Vdot)

    def inertia(self, t: float) -> np.ndarray:
        """``M_rob`` at the pose of an instant ``(n, n)``."""
        solution = self._solution(t, self._state(t)[0])
        return np.asarray(legs.inertia_matrix(Kinematics(self.assembly, solution), self.loads))

    def _state(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = self.motion(np.array([t]))
        return found.T_0p[0], found.V_0p[0], found.Vdot_0p[0]

    def _solution(self, t: float, T: np.ndarray) -> Solution:
        try:
            if self.branch is None:
                return regular(self.assembly, T)
            check_pose(T)
            found = configuration_at(self.assembly, T, self._nearest(t))
            self._walked[t] = State(T, found)
            solution = self.assembly.solution(self.assembly.equations(T, found))
            check_regular(self.assembly, solution)
            return solution
        except GoughError as err:
            raise at_time(err, t) from err

    def _nearest(self, t: float) -> State:
        """The assembled state that is nearest in time: from it one stays on the branch."""
        if not self._walked or self.branch is None:
            return self.branch  # type: ignore[return-value]
        return self._walked[min(self._walked, key=lambda known: abs(known - t))]


def checked_motion(assembly: Assembly, motion: Any) -> Motion:
    """A motion of this robot, or a word about what is none."""
    if not isinstance(motion, Motion):
        raise InputError(
            f"motion is a {type(motion).__name__}, expected a gough Motion",
            hint="gough.motion makes them: point_to_point, circle, through, from_samples, ...",
            argument="motion",
        )
    if motion.robot.freedoms != assembly.freedoms:
        raise InputError(
            f"the motion is one of {motion.robot.name!r}, in {', '.join(motion.robot.freedoms)}; "
            f"the freedoms of {assembly.robot.name} are {', '.join(assembly.freedoms)}",
            hint=f"Make the motion for {assembly.robot.name}.",
            argument="motion",
        )
    return motion
