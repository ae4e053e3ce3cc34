"""One machine as a controller sees it: its legs in time, and what they say about the platform.

    min | S (M e - (x_seen - x_ref)) |

The differences between directions seen and wanted give the errors e of the robot's freedoms by the
motion constraints M, [OZ] (55), weighted by the reciprocals S of what they may be off: across the
plane of a leg and the camera noise is much smaller than within it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np

from gough.dynamics.elements.shown_pose import unseen
from gough.geometry.inverse import posed
from gough.mechanism.mobility.assembly import Assembly
from gough.simulation.control.leg_reference import WantedLegs, between
from gough.simulation.vision.cylinders import radii, shown_at
from gough.simulation.vision.directions import Direction, directions
from gough.simulation.vision.image import take
from gough.simulation.vision.observer import Observer, turn_between, turned
from gough.simulation.vision.sight import Sight

_SEEN = 1e-7  # by the best seen motion of the platform: one that is seen less is not seen


class Eye:
    """Images of one machine, taken in by an observer that knows the reference motion.

    Args:
        assembly: the machine as the controller knows it.
        names: legs that are looked at.
        sight: how.
        legs_at: the legs in the reference motion at an instant.
    """

    def __init__(
        self,
        assembly: Assembly,
        names: tuple[str, ...],
        sight: Sight,
        legs_at: Callable[[float], WantedLegs],
    ) -> None:
        self.assembly, self.names, self.sight, self.legs_at = assembly, names, sight, legs_at
        camera = sight.camera
        self.observer = Observer(names, 1.0 / camera.rate, sight.speed, patience=sight.patience)
        self.delay, self.lead = camera.delay, camera.delay + 0.5 / camera.rate
        self._remembered = ceil(camera.delay * camera.rate) + 3
        self._covariances: dict[str, np.ndarray] = {}
        self._asked: list[tuple[float, np.ndarray]] = []

    def look(self, t: float, machine: Assembly, T_0p: np.ndarray, rng: np.random.Generator) -> None:
        """Take an image of a machine, and bring the observer up to it."""
        observer, sight = self.observer, self.sight
        period = observer.period
        legs = self.legs_at(t - 0.5 * period)
        observer.predict(t, legs.wd + self._mean(t - period, t))
        there = shown_at(machine, posed(machine, T_0p), radii(machine, sight.radius))
        image = take(sight.camera, there, names=self.names, time=t, rng=rng)
        rough = np.where(observer.known[:, None], observer.x, legs.x)
        near = dict(zip(self.names, rough, strict=True))
        found = directions(sight.believed or sight.camera, image, near)
        rates = legs.w + 0.5 * period * legs.wd
        observer.correct({name: each.x for name, each in found.items()}, rates)
        self._covariances |= {name: self._covariance(each) for name, each in found.items()}

    def _covariance(self, seen: Direction) -> np.ndarray:
        of_noise = seen.spread * self.sight.camera.noise**2
        return np.asarray(of_noise + self.sight.direction_error**2 * np.eye(3))

    def errors(
        self, t: float, legs: WantedLegs, q_off: np.ndarray, qd_off: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Errors of the robot's freedoms and their rates at the instant that efforts are for.

        Args:
            t: of the image [s].
            legs: as they are wanted, a lead after it.
            q_off: errors of the motors at the image.
            qd_off: errors of their rates.
        """
        x, xd = self._ahead(t, legs)
        rows: list[np.ndarray] = [np.zeros((0, self.assembly.mobility))]
        off: list[np.ndarray] = [np.zeros((0, 2))]
        for i in np.flatnonzero(self.observer.known):
            S = _whitening(x[i], self._covariances[self.names[i]])
            rows.append(S @ legs.M[i])
            off.append(S @ np.stack([x[i] - legs.x[i], xd[i] - legs.xd[i]], axis=1))
        trust = 1.0 / self.sight.encoder_error
        for name in self.sight.encoders:
            m = self.assembly.robot.motors.index(name)
            rows.append(trust * legs.J_inv[m][None])
            off.append(trust * np.array([[q_off[m] + self.delay * qd_off[m], qd_off[m]]]))
        e = _solved(self.assembly, np.vstack(rows), np.vstack(off))
        return e[:, 0], e[:, 1]

    def _ahead(self, t: float, legs: WantedLegs) -> tuple[np.ndarray, np.ndarray]:
        """Directions and their rates as efforts should have them.

        What is off at the image goes on as seen and as asked for, up to when efforts begin to act:
        they themselves decide how it goes on from there.
        """
        start, seen, delay = max(t - 0.5 * self.observer.period, 0.0), self.observer, self.delay
        x_t, w_t = between(self.legs_at(start), legs, t + self.lead - start, t - start)
        turn = np.array([turn_between(a, b) for a, b in zip(x_t, seen.x, strict=True)])
        late, more = seen.w - w_t, seen.wd + self._mean(t, t + delay)
        x = turned(legs.x, turn + delay * late + 0.5 * delay**2 * more)
        return x, np.cross(legs.w + late + delay * more, x)

    def commanded(self, t: float, acceleration: np.ndarray) -> None:
        """Remember which accelerations of the legs were asked for, from an instant on."""
        self._asked = [*self._asked[-self._remembered :], (t, acceleration)]

    def _mean(self, t0: float, t1: float) -> Any:
        """The mean of what was asked for between two instants."""
        if t1 <= t0:
            return 0.0
        total: Any = 0.0
        for k, (start, acceleration) in enumerate(self._asked):
            end = self._asked[k + 1][0] if k + 1 < len(self._asked) else np.inf
            total = total + acceleration * max(0.0, min(end, t1) - max(start, t0))
        return total / (t1 - t0)


def _whitening(x: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """What makes noise of a direction one in all directions across it ``(2, 3)``."""
    across = np.linalg.svd(x[None])[2][1:]
    return np.asarray(np.linalg.solve(np.linalg.cholesky(across @ covariance @ across.T), across))


def _solved(assembly: Assembly, rows: np.ndarray, off: np.ndarray) -> np.ndarray:
    """Weighted least squares in natural units, or which freedoms no sensor sees."""
    scale = assembly.scales.freedoms
    matrix = rows * scale
    size = float(np.linalg.norm(matrix, 2)) if matrix.size else 1.0
    matrix = matrix / size
    if np.linalg.matrix_rank(matrix, tol=_SEEN) < assembly.mobility:
        raise unseen(assembly, matrix)
    found = np.linalg.lstsq(matrix, off / size, rcond=None)[0]
    return np.asarray(scale[:, None] * found)
