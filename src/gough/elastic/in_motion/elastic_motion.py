"""An elastic machine that follows a motion: linear vibrations about what rigid bodies do.

The machine of rigid bodies moves as planned.  What gives way leaves that motion by x, in
coordinates of the bodies' own axes, driven by the inertia of the rigid motion:
``M x'' + C x' + K x = -(M a + bias)`` within what the joints allow.  Posture after posture these
equations are frozen, and integrated exactly for forces that change evenly between samples.  Weight
is carried all the time and adds its sag, which :func:`gough.elasticity` tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from warnings import warn

import numpy as np

from gough.base.arguments import number, switch, whole
from gough.base.progress import Progress, reported, reporter
from gough.dynamics.shared.loads import Loads, as_loads
from gough.elastic.drives import drives_of
from gough.elastic.elasticity import elasticity
from gough.elastic.in_motion.oscillators import Oscillators, driven
from gough.elastic.in_motion.result import ElasticMotion
from gough.elastic.in_motion.ringing import Ringing, ringing
from gough.elastic.inertial import inertia_forces, rigid_motion
from gough.elastic.loading import check_resisted
from gough.elastic.preload import LINEAR, far_moved
from gough.elastic.result import Elasticity
from gough.elastic.shaper import InputShaper
from gough.elastic.system import System
from gough.errors import GoughWarning, InputError, shown
from gough.functions.dynamics import inverse_dynamics
from gough.geometry.inverse import posed
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import assembled
from gough.motion.motion import MOST_SAMPLES, Motion, Samples, of_robot
from gough.motion.shaped import shaped
from gough.robot import Robot

_POSTURES = 25
_MOST_POSTURES = 10_000
_MOST_STATES = 200_000  # samples of a motion: inertia takes some milliseconds at each
_COARSE = 0.2  # share of accelerations that samples may miss
_FEW = 8  # samples in a period below which vibrations are wrong by more than 5 %
_WITHIN = (0.25, 0.6)  # places in a step, none of which is a zero of usual laws
_AT_REST = 1e-6  # share of the largest speed that is rounding
_MOVES, _TURNS = slice(0, 3), slice(3, 6)
_PERIODS = 10.0  # of the lowest vibration that are told after the end


def elastic_motion(
    robot: Robot,
    motion: Motion,
    *,
    shaper: InputShaper | None = None,
    drives: Any = "locked",
    feedforward: bool = False,
    loads: Loads | None = None,
    damping: float | None = None,
    rate: float = 500.0,
    postures: int | None = None,
    after: float | None = None,
    shear: bool = True,
    elements: int | None = None,
    modes: int | None = None,
    estimate: bool = False,
    progress: Progress | None = None,
) -> ElasticMotion:
    """How far an elastic machine leaves a planned motion, and how it rings after the end.

    Args:
        robot: the machine.
        motion: what its motors are told, as if it were rigid; it begins and ends at rest.
        shaper: an input shaper of :func:`gough.input_shaper` that the motion goes through.
        drives: as in :func:`gough.elasticity`, but not ``"free"``.  ``"locked"`` motors follow the
            motion exactly; under a :class:`gough.Servo` they lag behind it.
        feedforward: whether controllers are told the efforts of the rigid motion as well.
        loads: a payload, which is carried along; forces are constant and do not count.
        damping: damping ratio of all vibrations, instead of data of the parts.
        rate: samples in a second [Hz].
        postures: number of postures at which the machine is linearised, evenly in time, the last
            at the end; 25 if not given, 1 where beams slide in guides.
        after: time that is told after the end [s]; ten periods of the lowest vibration there if not
            given.
        shear: as in :func:`gough.elasticity`.
        elements: as in :func:`gough.elasticity`.
        modes: as in :func:`gough.elasticity`.
        estimate: as in :func:`gough.elasticity`.
        progress: called with the share that is done, 0 to 1.

    Returns:
        An :class:`ElasticMotion`.

    Raises:
        InputError: motors are free, so that nothing holds the machine; the motion does not begin
            and end at rest; or samples are too far apart to follow it.
        NotElastic: no part of the machine has elastic data.
    """
    motion = of_robot(motion, assembled(robot).robot)
    if shaper is not None and not isinstance(shaper, InputShaper):
        raise InputError(
            f"shaper is {shown(shaper)}, expected a gough.InputShaper",
            hint="gough.input_shaper(frequency, damping, kind) makes one.",
            argument="shaper",
        )
    moved = motion if shaper is None else shaped(motion, shaper)
    report = reporter(progress)
    count = whole(_postures(robot) if postures is None else postures, "postures", least=1)
    if count > _MOST_POSTURES:
        raise InputError(
            f"postures is {shown(count)}, expected {_MOST_POSTURES} at most", argument="postures"
        )
    given = as_loads(loads)
    count_of_samples = moved.duration * number(rate, "rate", positive=True)
    if count_of_samples > _MOST_STATES:
        raise InputError(
            f"{moved.duration:g} s at {rate:g} Hz are {count_of_samples:.3g} samples, more than "
            f"{_MOST_STATES:g}",
            hint="Take a lower rate (twenty samples in a period of what rings), or a part of the "
            "motion.",
            argument="rate",
        )
    samples = moved.sample(rate)
    _check_rests(robot, samples)
    _check_fine(robot, moved, samples)
    told = switch(feedforward, "feedforward")
    _check_held(robot, drives)
    places = np.linspace(0.0, moved.duration, count) if count > 1 else np.array([moved.duration])
    found = elasticity(
        robot,
        moved(places).T_0p,
        drives=drives,
        loads=replace(given, forces=()),
        damping=damping,
        shear=shear,
        elements=elements,
        modes=modes,
        estimate=estimate,
        progress=lambda share: report(0.3 * share),
    )
    each = _oscillators(found)
    systems = [one.solved.system for one in each]
    forces = _forces(found, systems[-1], samples, lambda share: report(0.3 + 0.5 * share))
    if told:
        forces = forces + _told(found.robot, systems[-1], samples, given)
    for one in each[:: max(len(each) // 3, 1)]:
        _check_resisted(one, forces)
    middles = (samples.t[1:] + samples.t[:-1]) / 2.0
    turn = np.abs(middles[:, None] - places).argmin(axis=1)
    turn[-1] = len(places) - 1
    platform, z = driven(each, turn, forces, float(samples.t[1]))
    last = ringing(each[-1], z)
    lowest = 2.0 * np.pi / float(each[-1].omega[0])
    more = _PERIODS * lowest if after is None else number(after, "after", nonnegative=True)
    late = _times_after(more, float(samples.t[1]))
    report(1.0)
    return ElasticMotion(
        found.robot,
        moved,
        np.concatenate([samples.t, moved.duration + late]),
        np.concatenate([platform, last(late)]),
        last.rates.imag / (2.0 * np.pi),
        -last.rates.real / np.abs(last.rates),
        np.abs(last.amplitudes),
        shaper,
        (*found.notes, *_coarseness(last, float(samples.t[1])), *_beyond_linear(robot, platform)),
        last,
    )


def _check_rests(robot: Robot, samples: Samples) -> None:
    """Refuse a motion whose speed jumps at its ends: that takes infinite forces."""
    speeds = np.linalg.norm(samples.V_0p / assembled(robot).scales.twist, axis=1)
    for k, where in ((0, "begins"), (-1, "ends")):
        if speeds[k] > _AT_REST * speeds.max():
            v, w = (float(np.linalg.norm(samples.V_0p[k, part])) for part in (_MOVES, _TURNS))
            raise InputError(
                f"the motion {where} with {v:.3g} m/s and {w:.3g} rad/s, not at rest",
                hint="Choose a law that begins and ends at rest, or chain a stroke to it.",
                argument="motion",
            )


def _check_fine(robot: Robot, motion: Motion, samples: Samples) -> None:
    """Refuse samples between which accelerations do not change evenly: forces would be lost."""
    step, scale = float(samples.t[1]), assembled(robot).scales.twist
    ends = samples.Vdot_0p / scale
    off = size = 0.0
    for share in _WITHIN:
        there = motion(samples.t[:-1] + share * step).Vdot_0p / scale
        off += float(((there - (1.0 - share) * ends[:-1] - share * ends[1:]) ** 2).sum())
        size += float((there**2).sum())
    lost = float(np.sqrt(off / size)) if size else 0.0
    if lost > _COARSE:
        raise InputError(
            f"rate is {1.0 / step:g} Hz: between its {len(ends)} samples the motion has other "
            f"accelerations than on them, by {lost:.0%}",
            hint="Take a higher rate: twenty samples or more in every stroke.",
            argument="rate",
        )


def _coarseness(last: Ringing, step: float) -> list[str]:
    """A note where a period of what rings most has few samples: even change smooths its forces."""
    sizes = np.linalg.norm(last.amplitudes[:, _MOVES], axis=1)
    if not sizes.any():
        return []
    f = float(last.rates.imag[int(np.argmax(sizes))]) / (2.0 * np.pi)
    if f * step * _FEW < 1.0:
        return []
    lost = 1.0 - float(np.sinc(f * step)) ** 2
    return [
        f"A period of the {f:.4g} Hz that ring most has {1.0 / (f * step):.2g} samples: the "
        f"vibration is wrong by {lost:.0%} or more, rate={20.0 * f:.2g} follows it."
    ]


def _beyond_linear(robot: Robot, platform: np.ndarray) -> list[str]:
    """A note where displacements ``(K, 6)`` are too large to be linear in the forces; warned of."""
    length = assembled(robot).length
    if not far_moved(platform, length):
        return []
    moved, turned = (np.linalg.norm(platform[:, part], axis=1).max() for part in (_MOVES, _TURNS))
    told = (
        f"{robot.name}: the platform leaves the motion by {moved:.3g} m and {turned:.3g} rad; "
        f"displacements are linear in forces up to about {LINEAR:g} of the machine's "
        f"{length:.3g} m, or rad."
    )
    warn(told, GoughWarning, stacklevel=3)
    return [told]


def _times_after(seconds: float, step: float) -> np.ndarray:
    count = np.ceil(seconds / step - 1e-9)
    if count > MOST_SAMPLES:
        raise InputError(
            f"after is {seconds:g} s: {count:.3g} samples, more than {MOST_SAMPLES:g}",
            argument="after",
        )
    return np.arange(1, int(count) + 1) * step


def _postures(robot: Robot) -> int:
    """Where a guide wanders along a beam, the beam's coordinates change their meaning."""
    beams = {body.name for body in robot.bodies if body.beam is not None}
    joints = [joint.released for joint in robot.joints]
    slides = any(joint.guide and {joint.parent, joint.child} & beams for joint in joints)
    return 1 if slides else _POSTURES


def _check_held(robot: Robot, drives: Any) -> None:
    held = drives_of(assembled(robot).robot, drives)
    loose = [name for name, drive in held.items() if not drive.locked and not drive.kp]
    if loose:
        raise InputError(
            f"the motor {loose[0]!r} is free: nothing makes it follow the motion",
            hint="drives='locked', or gough.Servo(kp, kd).",
            argument="drives",
        )


def _oscillators(found: Elasticity) -> list[Oscillators]:
    each = [Oscillators(one, found._ratio) for one in found._solved if one is not None]
    sizes = {one.solved.system.size for one in each}
    if len(sizes) > 1:
        raise InputError(
            "a guide wanders over a joint of a beam, so that the beam's elements change",
            hint="postures=1 takes the machine as it stands at the end.",
            argument="postures",
        )
    return each


def _forces(found: Elasticity, system: System, samples: Samples, report: Progress) -> np.ndarray:
    """Inertia of the rigid motion at samples ``(K, n)``."""
    assembly = system.assembly
    states = []
    for T, V, Vdot in reported(list(zip(*samples.state.arrays, strict=True)), report):
        at = posed(assembly, T, turns=False)
        states.append(Kinematics(assembly, assembly.solution(at), V, Vdot))
    return inertia_forces(system, rigid_motion(system, states))


def _told(robot: Robot, system: System, samples: Samples, loads: Loads) -> np.ndarray:
    """Efforts of the rigid motion, less those at rest, on what motors push ``(K, n)``."""
    alone = replace(loads, forces=(), friction=False)
    moving = inverse_dynamics(robot, samples.state, loads=alone)
    efforts = moving - inverse_dynamics(robot, samples.T_0p, loads=alone)
    rows = np.vstack([system.pushed(name) for name in robot.motors])
    return np.asarray(efforts @ rows)


def _check_resisted(one: Oscillators, forces: np.ndarray) -> None:
    """Refuse inertia along a motion of the platform that nothing resists."""
    free = one.solved.free
    system = one.solved.system
    unit = free / np.linalg.norm(free / system.scale[:, None], axis=0)
    if free.shape[1] and np.abs(system.platform @ unit).max() > 1e-9 * system.assembly.length:
        worst = np.abs(forces * system.scale).max(axis=1).argmax()
        check_resisted(one.solved, forces[worst][:, None])
