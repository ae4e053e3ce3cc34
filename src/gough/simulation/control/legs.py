"""Computed torque with errors that a camera sees in the legs.  [OZ] section 7

    Vdot_r = Vdot_ref - kd ed - kp e,    tau = IDM(Vdot_r)

with the errors e of the robot's freedoms that the differences of directions show, see ``eye.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.arguments import check_known
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.simulation.control.by_model import ByModel
from gough.simulation.control.eye import Eye
from gough.simulation.control.leg_reference import LegReference, WantedLegs
from gough.simulation.control.loop import Loop
from gough.simulation.control.reference import Reference, Wanted
from gough.simulation.drive import Measured
from gough.simulation.vision.sight import Sight


class OnLegs(ByModel):
    """Efforts of a corrected acceleration, at the reference."""

    label = "computed torque, directions of the legs seen by a camera"

    def efforts(self, wanted: Wanted, measured: Measured) -> np.ndarray:
        """Efforts of the reference alone, when nothing is seen."""
        return self.corrected(wanted, np.zeros((len(measured.q), len(self.kp))))

    def acceleration(self, e: np.ndarray, ed: np.ndarray) -> np.ndarray:
        """What is added to the acceleration of the reference, in the robot's freedoms."""
        return np.asarray(-self.kd * ed - self.kp * e)

    def corrected(self, wanted: Wanted, more: np.ndarray) -> np.ndarray:
        """Efforts ``(N, m)`` for accelerations ``(N, n)`` beside those of the reference."""
        free, count = list(self.call.assembly.free), len(more)
        T = np.broadcast_to(wanted.T_0p, (count, 4, 4))
        V_r = np.broadcast_to(wanted.V_0p[free], more.shape)
        Vdot_r = wanted.Vdot_0p[free] + more
        return self.call("efforts_of_freedoms", wanted.t, T_0p=T, V_r=V_r, Vdot_r=Vdot_r)[0]


class LegLoop(Loop):
    """A controller that sees the legs of the machine it moves, and knows them by its model.

    An image is taken at every sample.  Efforts act from the camera's delay on, for a period.
    Errors are predicted to its beginning, the reference is that of its middle.
    """

    law: OnLegs

    def __init__(self, reference: Reference, law: OnLegs, sight: Sight, **options: Any) -> None:
        camera = sight.camera
        super().__init__(reference, law, period=1.0 / camera.rate, delay=camera.delay, **options)
        self.sight = sight
        assembly = assembled(reference.model)
        self._names = sight.names(assembly)
        self._legs = LegReference(assembly, self._names)
        self._lead = camera.delay + 0.5 / camera.rate
        self._machine = assembly
        self._eyes: list[Eye] = []

    def start(self, count: int) -> None:
        """Forget what was seen; look at so many machines.  Simulations call ``begin`` instead."""
        super().start(count)
        assembly = self._legs.assembly
        self._eyes = [Eye(assembly, self._names, self.sight, self.legs_at) for _ in range(count)]

    def meet(self, robot: Robot) -> None:
        """What the camera looks at: the machine that is simulated, with legs as in the model."""
        self._machine = assembled(robot)
        bodies = [body.name for body in robot.bodies]
        for name in self._names:
            check_known(name, bodies, "the machine has no leg", "efforts")

    def prepare(self, times: np.ndarray) -> None:
        """Sample the motion ahead at the instants for which efforts are worked out."""
        instants = np.unique(np.round(np.concatenate([times, times + self._lead]), 12))
        self._reference.prepare(instants)

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines; the others have stopped."""
        super().keep(indices)
        self._eyes = [self._eyes[i] for i in indices]

    def before_first(self) -> np.ndarray:
        """Efforts until the first image is known: the reference, half of the delay on ``(m,)``."""
        soon = self._reference.at(0.5 * self.delay)
        return np.asarray(self.law.corrected(soon, np.zeros((1, len(self.law.kp))))[0])

    def legs_at(self, t: float) -> WantedLegs:
        """The legs in the reference motion."""
        t = max(t, 0.0)
        return self._legs.at(t, self._reference.at(t))

    def efforts(self, t: float, measured: Measured) -> np.ndarray:
        """Efforts of the law for what is seen, limited by the saturation."""
        self._check_motors(measured)
        now, soon = self._reference.at(t), self._reference.at(t + self._lead)
        encoded, legs = self._encoded(now, measured), self.legs_at(t + self._lead)
        if not self._eyes:
            self.start(len(measured.q))
        more = []
        for i, eye in enumerate(self._eyes):
            eye.look(t, self._machine, measured.T_0p[i], self._rng)
            e, ed = eye.errors(t, legs, encoded.q[i] - now.q, encoded.qd[i] - now.qd)
            added = self.law.acceleration(e, ed)
            eye.commanded(t + self.delay, np.cross(legs.x, legs.M @ added))
            more.append(added)
        tau = self.law.corrected(soon, np.array(more))
        return self._saturation.limited(tau, measured.qd)
