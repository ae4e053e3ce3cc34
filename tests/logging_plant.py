"""A machine on the bench that the library does not compute: maximal coordinates, integrated.

The plant of :mod:`maximal` follows a motion under a controller, and is recorded as real ones are:
by encoders with steps, and efforts with noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import gough
from maximal import Machine, skew


class Recorded(NamedTuple):
    """What happened, exactly: times, positions of motors, their efforts."""

    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray

    def log(self, seed, *, step=1e-5, noise=0.02, **rest):
        """A log: positions in steps of encoders, efforts with noise beside their mean square."""
        rng = np.random.default_rng(seed)
        size = np.sqrt(np.mean(self.tau**2, axis=0))
        tau = self.tau + noise * size * rng.normal(size=self.tau.shape)
        # encoders of one machine do not begin at a multiple of their step
        shift = rng.uniform(0.0, step or 1.0, size=self.q.shape[1])
        q = np.round((self.q + shift) / step) * step - shift if step else self.q
        return gough.Log(self.t, q, tau, **rest)


def recorded(plant, model, motion, step, stiffness=60.0, damping=4.0, smoothing=1e-2):
    """A run of the plant along a motion, under feedforward of the model and PD control.

    Poses and twists of all bodies are integrated by steps of Adams, Bashforth and Moulton of fourth
    order; the controller is continuous.

    Args:
        plant: the machine that moves.
        model: the machine as its controller knows it.
        motion: of the platform.
        step: of integration and record [s].
        stiffness: of the controller [N m/rad].
        damping: of the controller [N m s/rad].
        smoothing: of Coulomb friction [rad/s].
    """
    count = round(motion.duration / step)
    fine = np.linspace(0.0, count * step, 2 * count + 1)
    T, V, Vdot = motion(fine)
    q_ref, qd_ref = gough.inverse_geometry(model, T), gough.inverse_velocity(model, T, V)
    ahead = gough.inverse_dynamics(model, T, V, Vdot)
    q_ref, qd_ref, ahead = (np.asarray(a) for a in (q_ref, qd_ref, ahead))
    loads = gough.Loads(smoothing=smoothing)
    start = gough.posture(plant, T[0], V[0])
    names = [b.name for b in plant.bodies]
    poses = np.array([start.bodies[n] for n in names])
    twists = np.array([start.twists[n] for n in names])

    def rates(poses, twists, k):
        machine = Machine(
            plant,
            dict(zip(names, poses, strict=True)),
            dict(zip(names, twists, strict=True)),
            plant.length,
        )
        own = {axis.name: axis.motion for axis in machine.axes}
        q = np.array([float(np.squeeze(own[n].x)) for n in plant.motors])
        qd = np.array([float(np.squeeze(own[n].rate)) for n in plant.motors])
        q = q + 2.0 * np.pi * np.round((q_ref[k] - q) / (2.0 * np.pi))
        tau = ahead[k] + stiffness * (q_ref[k] - q) + damping * (qd_ref[k] - qd)
        M, f, _ = machine.equations(tau, loads)
        a, *_ = machine._accelerations(M, f)
        moved = np.zeros_like(poses)
        for i, (T_0b, V_0b) in enumerate(zip(poses, twists, strict=True)):
            moved[i, :3, :3] = skew(V_0b[3:]) @ T_0b[:3, :3]
            moved[i, :3, 3] = V_0b[:3]
        return moved, a[:-6].reshape(-1, 6), q, tau

    x = np.concatenate([poses[:, :3].reshape(-1), twists.reshape(-1)])
    count_poses = 12 * len(names)

    def derivative(x, k):
        full = np.tile(np.eye(4), (len(names), 1, 1))
        full[:, :3] = x[:count_poses].reshape(-1, 3, 4)
        moved, a, q, tau = rates(full, x[count_poses:].reshape(-1, 6), k)
        return np.concatenate([moved[:, :3].reshape(-1), a.reshape(-1)]), q, tau

    before, q, tau = [], [], []
    h = step
    for k in range(count + 1):
        here, *now = derivative(x, 2 * k)
        q.append(now[0])
        tau.append(now[1])
        before = [here, *before][:4]
        if k == count:
            break
        if len(before) < 4:  # classical Runge-Kutta for the first steps
            two, *_ = derivative(x + h / 2 * here, 2 * k + 1)
            three, *_ = derivative(x + h / 2 * two, 2 * k + 1)
            four, *_ = derivative(x + h * three, 2 * k + 2)
            x = x + h / 6 * (here + 2 * two + 2 * three + four)
            continue
        f0, f1, f2, f3 = before
        guess, *_ = derivative(x + h / 24 * (55 * f0 - 59 * f1 + 37 * f2 - 9 * f3), 2 * k + 2)
        x = x + h / 24 * (9 * guess + 19 * f0 - 5 * f1 + f2)
    return Recorded(fine[::2], np.array(q), np.array(tau))
