"""Computed torque with errors that a camera sees in the legs.  [OZ] section 7

    min | S (M e - (x_seen - x_ref)) |,    Vdot_r = Vdot_ref - kd ed - kp e,    tau = IDM(Vdot_r)

The differences between directions seen and wanted give the errors e of the robot's freedoms by the
motion constraints M, [OZ] (55), weighted by the reciprocals S of what they may be off: across the
plane of a leg and the camera noise is much smaller than within it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.elements.observed import unseen
from gough.geometry.inverse import posed
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.robot.names import check_known
from gough.simulation.control.by_model import ByModel
from gough.simulation.control.leg_reference import LegReference, WantedLegs, between
from gough.simulation.control.loop import Loop
from gough.simulation.control.reference import Reference, Wanted
from gough.simulation.drive import Measured
from gough.simulation.vision.cylinders import radii, shown_at
from gough.simulation.vision.directions import Direction, directions
from gough.simulation.vision.image import take
from gough.simulation.vision.observer import Observer, turn_between, turned
from gough.simulation.vision.sight import Sight

_SEEN = 1e-6  # by the best seen motion of the platform: one that is seen less is not seen


class OnLegs(ByModel):
    """Efforts of a corrected acceleration, at the reference."""

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
        return self.call(
            "efforts_of_freedoms", T_0p=T, V_r=V_r, Vdot_r=wanted.Vdot_0p[free] + more
        )[0]


class LegLoop(Loop):
    """A controller that sees the legs of the machine it moves, and knows them by its model.

    An image is taken at every sample.  Efforts act from the camera's delay on, for a period; the
    middle of that time is what they are worked out for, by prediction.
    """

    def __init__(self, reference: Reference, law: OnLegs, sight: Sight, **options: Any) -> None:
        camera = sight.camera
        super().__init__(reference, law, period=1.0 / camera.rate, delay=camera.delay, **options)
        self.sight, self._law = sight, law
        assembly = assembled(reference.model)
        self._names = sight.names(assembly)
        self._legs = LegReference(assembly, self._names)
        self._lead = camera.delay + 0.5 / camera.rate
        self._machine = assembly
        self._eyes: list[_Eye] = []

    def start(self, count: int) -> None:
        """Forget what was seen; look at so many machines.  Simulations call ``begin`` instead."""
        super().start(count)
        self._eyes = [_Eye(self) for _ in range(count)]

    def meet(self, robot: Robot) -> None:
        """What the camera looks at: the machine that is simulated, with legs as in the model."""
        self._machine = assembled(robot)
        for name in self._names:
            check_known(
                name, [body.name for body in robot.bodies], "the machine has no leg", "efforts"
            )

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
        law = self.law if isinstance(self.law, OnLegs) else self._law
        first = law.corrected(self._reference.at(0.5 * self.delay), np.zeros((1, len(law.kp))))
        return np.asarray(first[0])

    def legs_at(self, t: float) -> WantedLegs:
        """The legs in the reference motion."""
        t = max(t, 0.0)
        return self._legs.at(t, self._reference.at(t))

    def efforts(self, t: float, measured: Measured) -> np.ndarray:
        """Efforts of the law for what is seen, limited by the saturation."""
        self._check_motors(measured)
        now, soon = self._reference.at(t), self._reference.at(t + self._lead)
        encoded = self._encoded(now, measured)
        legs = self.legs_at(t + self._lead)
        if not self._eyes:
            self.start(len(measured.q))
        law = self.law if isinstance(self.law, OnLegs) else self._law
        more = []
        for i, eye in enumerate(self._eyes):
            eye.look(t, measured.T_0p[i], self._rng)
            off = (encoded.q[i] - now.q, encoded.qd[i] - now.qd)
            e, ed = eye.errors(t, legs, off)
            added = law.acceleration(e, ed)
            eye.told(t + self.delay, np.cross(legs.x, legs.M @ added))
            more.append(added)
        tau = law.corrected(soon, np.array(more))
        return tau if self._largest is None else np.clip(tau, -self._largest, self._largest)


class _Eye:
    """One machine as the camera sees it: its legs in time, and what was asked of them."""

    def __init__(self, loop: LegLoop) -> None:
        self.loop, self.sight = loop, loop.sight
        self.observer = Observer(
            loop._names, loop.period or 0.0, self.sight.speed, patience=self.sight.patience
        )
        self.spread: dict[str, np.ndarray] = {}
        self._asked: list[tuple[float, np.ndarray]] = []

    def look(self, t: float, T_0p: np.ndarray, rng: np.random.Generator) -> None:
        """An image of the machine, and the observer brought up to it."""
        loop, sight, observer = self.loop, self.sight, self.observer
        period, legs = observer.period, loop.legs_at(t - 0.5 * observer.period)
        observer.predict(t, legs.wd + self._mean(t - period, t))
        machine = loop._machine
        there = shown_at(machine, posed(machine, T_0p), radii(machine, sight.radius))
        image = take(sight.camera, there, names=loop._names, time=t, rng=rng)
        rough = np.where(observer.known[:, None], observer.x, legs.x)
        near = dict(zip(loop._names, rough, strict=True))
        found = directions(sight.believed or sight.camera, image, near)
        rates = legs.w + 0.5 * period * legs.wd
        observer.correct({name: each.x for name, each in found.items()}, rates)
        self.spread |= {name: self._covariance(each) for name, each in found.items()}

    def _covariance(self, seen: Direction) -> np.ndarray:
        of_noise = seen.spread * self.sight.camera.noise**2
        return np.asarray(of_noise + self.sight.direction_error**2 * np.eye(3))

    def errors(
        self, t: float, legs: WantedLegs, motors: tuple[np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Errors of the robot's freedoms and their rates at the instant that efforts are for.

        Args:
            t: of the image [s].
            legs: as they are wanted, a lead after it.
            motors: errors of the motors and their rates at the image.
        """
        loop, lead, assembly = self.loop, self.loop._lead, self.loop._legs.assembly
        start = max(t - 0.5 * self.observer.period, 0.0)
        x_t, w_t = between(loop.legs_at(start), legs, t + lead - start, t - start)
        # what is off at the image goes on as seen and asked for, beside the reference
        seen = self.observer
        turn = np.array([turn_between(a, b) for a, b in zip(x_t, seen.x, strict=True)])
        late, more = seen.w - w_t, seen.wd + self._mean(t, t + lead)
        x = turned(legs.x, turn + lead * late + 0.5 * lead**2 * more)
        xd = np.cross(legs.w + late + lead * more, x)
        rows: list[np.ndarray] = [np.zeros((0, assembly.mobility))]
        off: list[np.ndarray] = [np.zeros((0, 2))]
        for i in np.flatnonzero(self.observer.known):
            S = _whitening(x[i], self.spread[loop._names[i]])
            rows.append(S @ legs.M[i])
            off.append(S @ np.stack([x[i] - legs.x[i], xd[i] - legs.xd[i]], axis=1))
        for name in self.sight.encoders:
            m = assembly.robot.motors.index(name)
            trust = 1.0 / self.sight.encoder_error
            rows.append(trust * legs.J_inv[m][None])
            off.append(trust * np.array([[motors[0][m] + lead * motors[1][m], motors[1][m]]]))
        e = _solved(assembly, np.vstack(rows), np.vstack(off))
        return e[:, 0], e[:, 1]

    def told(self, t: float, acceleration: np.ndarray) -> None:
        """Remember which accelerations of the legs were asked for, from an instant on."""
        self._asked = [*self._asked[-_remembered(self.loop) :], (t, acceleration)]

    def _mean(self, t0: float, t1: float) -> Any:
        """The mean of what was asked for between two instants."""
        total: Any = 0.0
        for k, (start, acceleration) in enumerate(self._asked):
            end = self._asked[k + 1][0] if k + 1 < len(self._asked) else np.inf
            total = total + acceleration * max(0.0, min(end, t1) - max(start, t0))
        return total / (t1 - t0)


def _remembered(loop: LegLoop) -> int:
    """How many samples act between an image and its efforts, and a few more."""
    return int(np.ceil(loop.delay / (loop.period or 1.0))) + 3


def _whitening(x: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """What makes noise of a direction one in all directions across it ``(2, 3)``."""
    across = np.linalg.svd(x[None])[2][1:]
    return np.asarray(np.linalg.solve(np.linalg.cholesky(across @ covariance @ across.T), across))


def _solved(assembly: Assembly, rows: np.ndarray, off: np.ndarray) -> np.ndarray:
    """Weighted least squares in natural units, or which freedoms nobody sees."""
    scale = assembly.scales.freedoms
    matrix = rows * scale
    size = float(np.linalg.norm(matrix, 2)) if matrix.size else 0.0
    matrix = matrix / (size or 1.0)
    if np.linalg.matrix_rank(matrix, tol=_SEEN) < assembly.mobility:
        raise unseen(assembly, matrix)
    found = np.linalg.lstsq(matrix, off / (size or 1.0), rcond=None)[0]
    return np.asarray(scale[:, None] * found)
