"""A machine on the bench that the library does not compute: maximal coordinates, integrated.

The plant of :mod:`maximal` follows a motion under a controller that acts late, with friction that
no model of the library has where that is asked for.  It is recorded as real ones are: by encoders
with steps, and efforts with noise that come later than positions.

Integrating takes minutes, so runs are kept in ``tests/plants``; ``python tests/logging_plant.py
--write`` makes them anew, and a test integrates the beginning of each again.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gough
from maximal import Machine, skew
from robots import robot

FOLDER = Path(__file__).with_name("plants")
NAMES = ("five_bar", "delta", "gough_stewart")
STEP = 0.004
"""Of integration and record [s]."""

LATE = 1
"""Steps by which the controller acts late."""

CURVE = {"five_bar": 8.0, "delta": 2.0, "gough_stewart": 2.0}
"""Friction near standstill above Coulomb's, as a share of it; it falls off with the speed."""

SLOW = 0.3
"""Speed at which it falls off, beside the motor's root mean square in the motion."""

PAYLOADS = {
    "five_bar": gough.Payload(1.0, center=(0.42, 0.0, 0.0)),  # at the tip, where both legs carry it
    "delta": gough.Payload(1.0),
    "gough_stewart": gough.Payload(30.0),
}
AMPLITUDES = {"five_bar": 0.06, "delta": 0.08, "gough_stewart": 0.03}
SECONDS = {"fit": 6.0, "other": 3.0, "loaded": 4.0, "curved": 6.0, "curved_other": 3.0}
"""How long each run lasts: to fit, to validate, with a payload, and with another friction."""

HARMONICS = 3


class Recorded(NamedTuple):
    """What happened, exactly: times, positions of motors, their efforts; their usual size."""

    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    size: np.ndarray

    def log(self, seed, *, step=1e-5, noise=0.02, delay=0.0, **rest):
        """A log: positions in steps of encoders, efforts late and with noise.

        Args:
            seed: of the noise.
            step: of encoders [rad or m].
            noise: of efforts beside their usual size.
            delay: by which efforts come later than positions [s].
            rest: of the log.
        """
        rng = np.random.default_rng(seed)
        tau = self.tau
        if delay:
            late = self.t - delay
            tau = np.stack([np.interp(late, self.t, column) for column in tau.T], axis=1)
        tau = tau + noise * self.size * rng.normal(size=tau.shape)
        # encoders of one machine do not begin at a multiple of their step
        shift = rng.uniform(0.0, step or 1.0, size=self.q.shape[1])
        q = np.round((self.q + shift) / step) * step - shift if step else self.q
        if "currents" in rest:
            return gough.Log(self.t, q, **{**rest, "currents": tau / rest["currents"]})
        return gough.Log(self.t, q, tau, **rest)


@cache
def described(name):
    """The machine as its designer has it: a fifth too heavy, friction too small by a third."""
    r = robot(name)
    bodies = [
        replace(
            b, mass=1.2 * b.mass, inertia=tuple(tuple(1.1 * x for x in row) for row in b.inertia)
        )
        for b in r.bodies
    ]
    joints = [
        replace(
            j,
            axes=tuple(
                replace(a, viscous=0.7 * a.viscous, coulomb=0.7 * a.coulomb) for a in j.axes
            ),
        )
        for j in r.joints
    ]
    return replace(r, bodies=tuple(bodies), joints=tuple(joints))


def motion_of(name, which):
    """The motion of a run: three harmonics in every freedom."""
    r = robot(name)
    rng = np.random.default_rng(len(name) + 100 * ("other" in which))
    shape = (2, HARMONICS, r.mobility)
    size = AMPLITUDES[name] / np.arange(1, HARMONICS + 1)[:, None]
    sines, cosines = size * r.assembly.scales.freedoms * rng.normal(size=shape)
    seconds = SECONDS[which]
    return gough.motion.fourier(r, sines=sines, cosines=cosines, duration=seconds, frequency=1.0)


@cache
def recorded(name, which):
    """A run that was integrated before."""
    with np.load(FOLDER / f"{name}.npz") as kept:
        q, tau = kept[f"{which}_q"], kept[f"{which}_tau"].astype(float)
        size = np.sqrt(np.mean(kept["fit_tau"].astype(float) ** 2, axis=0))
    return Recorded(STEP * np.arange(len(q)), q, tau, size)


def integrated(name, which, steps=None):
    """A run of the plant, under feedforward of its description and delayed PD control.

    Poses and twists of all bodies are integrated by steps of Adams, Bashforth and Moulton of fourth
    order.

    Args:
        name: of the machine.
        which: run, one of ``SECONDS``.
        steps: how many, all if not given.
    """
    plant, model, motion = robot(name), described(name), motion_of(name, which)
    count = round(motion.duration / STEP) if steps is None else steps
    fine = STEP / 2.0 * np.arange(2 * count + 1)
    state = motion(fine)
    q_ref, qd_ref = gough.inverse_kinematics(model, state), gough.motor_rates(model, state)
    whole = motion(np.linspace(0.0, motion.duration, 200))
    usual = np.sqrt(np.mean(gough.motor_rates(model, whole) ** 2, axis=0))
    # as near to Coulomb's friction as steps of this length can follow
    payload = PAYLOADS[name] if which == "loaded" else None
    loads = gough.Loads(payload=payload, smoothing=0.02 * float(usual.min()))
    ahead = gough.inverse_dynamics(model, state, loads=replace(loads, friction=False))
    coulomb = np.array([plant.axis(motor).coulomb for motor in plant.motors])
    J_inv = gough.inverse_jacobian(model, model.home_pose)
    back = np.linalg.pinv(J_inv)
    inertia = back.T @ gough.inertia_matrix(model, model.home_pose) @ back
    pace = 2.0 * np.pi * 4.0  # of the controller [1/s]
    stiffness, damping = inertia * pace**2, 1.4 * inertia * pace
    start = gough.posture(plant, gough.State(state.T_0p[0], state.V_0p[0]))
    names = [b.name for b in plant.bodies]
    poses = np.array([start.bodies[n] for n in names])
    twists = np.array([start.twists[n] for n in names])
    commands = [np.asarray(ahead[0])] * (LATE + 1)

    def rates(poses, twists, k, command):
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
        wanted = ahead[k] + stiffness @ (q_ref[k] - q) + damping @ (qd_ref[k] - qd)
        felt = command.copy()
        if "curved" in which:
            fall = np.exp(-((qd / (SLOW * usual)) ** 2))
            felt -= CURVE[name] * coulomb * fall * qd / np.sqrt(qd**2 + loads.smoothing**2)
        M, f, _ = machine.equations(felt, loads)
        a, *_ = machine._accelerations(M, f)
        moved = np.zeros_like(poses)
        for i, (T_0b, V_0b) in enumerate(zip(poses, twists, strict=True)):
            moved[i, :3, :3] = skew(V_0b[3:]) @ T_0b[:3, :3]
            moved[i, :3, 3] = V_0b[:3]
        return moved, a[:-6].reshape(-1, 6), q, wanted

    x = np.concatenate([poses[:, :3].reshape(-1), twists.reshape(-1)])
    count_poses = 12 * len(names)

    def derivative(x, k, command):
        full = np.tile(np.eye(4), (len(names), 1, 1))
        full[:, :3] = x[:count_poses].reshape(-1, 3, 4)
        moved, a, q, wanted = rates(full, x[count_poses:].reshape(-1, 6), k, command)
        return np.concatenate([moved[:, :3].reshape(-1), a.reshape(-1)]), q, wanted

    before, q, tau = [], [], []
    h = STEP
    for k in range(count + 1):
        # between steps the drive goes straight from one command to the next
        now, soon = commands[-1 - LATE], commands[-LATE]
        here, position, wanted = derivative(x, 2 * k, now)
        commands.append(wanted)
        q.append(position)
        tau.append(now)
        before = [here, *before][:4]
        if k == count:
            break
        if len(before) < 4:  # classical Runge-Kutta for the first steps
            middle = (now + soon) / 2.0
            two, *_ = derivative(x + h / 2 * here, 2 * k + 1, middle)
            three, *_ = derivative(x + h / 2 * two, 2 * k + 1, middle)
            four, *_ = derivative(x + h * three, 2 * k + 2, soon)
            x = x + h / 6 * (here + 2 * two + 2 * three + four)
            continue
        f0, f1, f2, f3 = before
        ahead_of = x + h / 24 * (55 * f0 - 59 * f1 + 37 * f2 - 9 * f3)
        guess, *_ = derivative(ahead_of, 2 * k + 2, soon)
        x = x + h / 24 * (9 * guess + 19 * f0 - 5 * f1 + f2)
    return np.array(q), np.array(tau)


def write(names=NAMES):
    """Integrate all runs anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        arrays = {}
        for which in SECONDS:
            q, tau = integrated(name, which)
            arrays |= {f"{which}_q": q, f"{which}_tau": tau.astype(np.float32)}
            print(name, which, len(q), np.abs(q).max(), np.abs(tau).max(), flush=True)
        np.savez_compressed(FOLDER / f"{name}.npz", **arrays)


if __name__ == "__main__" and "--write" in sys.argv:
    write(sys.argv[2:] or NAMES)
