"""Violations of a motion: limits, reach and singularities, each with its first time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gough.analysis.conditioning import Conditioning
from gough.analysis.legs import Passive, Watched
from gough.analysis.sizing import Sizing, units
from gough.analysis.track import Motors
from gough.analysis.uses import ROUNDING, Use, first_time
from gough.errors import GoughError
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import NEAR
from gough.robot.joint_kinds import BALL


class Violation(NamedTuple):
    """A limit, border of reach or singularity that a motion violates.

    Attributes:
        time: when it first happens [s], between samples by a straight line; of ``"motor_rms"``, a
            figure of the whole motion, its start.
        kind: ``"reach"``, ``"position"``, ``"velocity"``, ``"effort"``, ``"type_1"``, ``"type_2"``,
            ``"constraint"`` or ``"motion"`` (a twist that the legs do not allow); of a motor on its
            shaft ``"motor_peak"``, ``"motor_speed"``, ``"motor_rms"`` or ``"motor_holding"``.
        name: of the axis or leg; empty for the whole machine.
        value: the worst figure of the motion; of ``"motor_peak"`` where its share of the curve at
            that speed is largest.
        limit: what it is compared with.
        sentence: all of it in words.
    """

    time: float
    kind: str
    name: str
    value: float
    limit: float
    sentence: str


def violations(
    assembly: Assembly,
    t: np.ndarray,
    motors: Motors,
    tau: np.ndarray,
    errors: dict[int, GoughError],
    conditioning: Conditioning,
    passive: Passive,
    sizing: tuple[Sizing, ...],
) -> tuple[Violation, ...]:
    """All violations of a motion, sorted by time.

    Args:
        assembly: the robot.
        t: times ``(K,)`` [s].
        motors: positions and rates.
        tau: efforts ``(K, m)``.
        errors: samples that cannot be, and why.
        conditioning: distances to singularities.
        passive: limited joints without motors.
        sizing: figures of the motors on their shafts.
    """
    found = [
        *_impossible(t, np.isnan(tau).any(axis=1), errors),
        *_beyond_limits(assembly, t, motors, tau, passive),
        *overloads(sizing, float(t[-1] - t[0])),
        *_near_type_1(t, conditioning),
        *_near_type_2(t, conditioning),
    ]
    return tuple(sorted(found, key=lambda violation: violation.time))


def _impossible(
    t: np.ndarray, failed: np.ndarray, errors: dict[int, GoughError]
) -> Iterator[Violation]:
    """The first sample of every stretch that cannot be, once for each kind."""
    seen = set()
    for k in sorted(errors):
        err = errors[k]
        kind, name, value = kind_of(err)
        if k and failed[k - 1]:
            continue  # the end of a stretch
        if (kind, name) not in seen:
            seen.add((kind, name))
            sentence = f"At {t[k]:.4g} s: {err.message.partition(': ')[2] or err.message}."
            yield Violation(float(t[k]), kind, name, value, 0.0, sentence)


def kind_of(err: GoughError) -> tuple[str, str, float]:
    """Kind, name and figure of a sample that cannot be."""
    leg = str(err.data.get("leg", ""))
    if "missing" in err.data:
        return "reach", leg, float(err.data["missing"])
    if "condition" in err.data:
        return str(err.data.get("kind", "Type 2")).lower().replace(" ", "_"), leg, 0.0
    if "excess" in err.data:
        return "effort", "", float(err.data["excess"])
    return "motion", "", float(err.data.get("off_by", np.nan))


def _beyond_limits(
    assembly: Assembly, t: np.ndarray, motors: Motors, tau: np.ndarray, passive: Passive
) -> Iterator[Violation]:
    """Limits of motors, at all samples, then of passive joints, at those that were computed."""
    robot, every = assembly.robot, np.arange(len(t))
    columns = enumerate(zip(motors.q.T, motors.qd.T, tau.T, strict=True))
    moving = {
        robot.motors[i]: (Watched(every, q), Watched(every, qd), f) for i, (q, qd, f) in columns
    }
    others = {name: (where, passive.rate[name], None) for name, where in passive.position.items()}
    for name, (position, rate, effort) in {**moving, **others}.items():
        limits, place = robot.axis(name).limits, assembly.axes[name]
        turn = is_turn(place) or place.what == BALL
        effort_unit, speed_unit = units(turn)
        who = f"Joint {name}" if effort is None else f"Motor {name}"
        if limits.position is not None:
            times, unit = t[position.samples], "rad" if turn else "m"
            yield from _outside(times, position.values, limits.position, name, unit, who)
        if limits.velocity is not None:
            runs, times = f"{who} runs at", t[rate.samples]
            yield from _above(
                times, rate.values, limits.velocity, "velocity", name, speed_unit, runs
            )
        if limits.effort is not None and effort is not None:
            needs = f"{who} needs"
            yield from _above(t, effort, limits.effort, "effort", name, effort_unit, needs)


def _outside(
    t: np.ndarray,
    values: np.ndarray,
    bounds: tuple[float, float],
    name: str,
    unit: str,
    who: str,
) -> Iterator[Violation]:
    low, high = bounds
    slack = ROUNDING * max(abs(low), abs(high))
    for limit, excess in ((high, values - high), (low, low - values)):
        time = first_time(t, excess - slack)
        if time is not None:
            worst = float(values[int(np.nanargmax(excess))])
            when = f"at {time:.4g} s" if time > t[0] else "from the start"
            sentence = (
                f"{who} is beyond its limit of {limit:.4g} {unit} {when}, "
                f"and goes to {worst:.4g} {unit}."
            )
            yield Violation(time, "position", name, worst, limit, sentence)


def _above(
    t: np.ndarray,
    values: np.ndarray,
    limit: float,
    kind: str,
    name: str,
    unit: str,
    text: str,
) -> Iterator[Violation]:
    size = np.abs(values)
    time = first_time(t, size - limit * (1.0 + ROUNDING))
    if time is None:
        return
    worst = float(np.nanmax(size))
    sentence = (
        f"{text} up to {worst:.4g} {unit}, "
        f"{100.0 * worst / limit:.0f} % of its limit of {limit:.4g} {unit}, which it first "
        f"exceeds at {time:.4g} s."
    )
    yield Violation(time, kind, name, worst, limit, sentence)


def overloads(sizing: tuple[Sizing, ...], duration: float) -> Iterator[Violation]:
    """Motors that give more on their shafts than their data say.

    Args:
        sizing: figures of the motors.
        duration: of the motion [s].
    """
    for one in sizing:
        for use in one.uses:
            if use.first is not None:
                sentence = _SAID[use.kind](one, use, duration)
                yield Violation(use.first, use.kind, one.name, use.value, use.limit, sentence)


def _too_much_torque(one: Sizing, use: Use, _: float) -> str:
    speed = f"{use.speed:.4g} {one.motor.speed_unit}"
    has = "where its curve leaves it none"
    if use.limit > 0.0:
        has = f"{_percent(use)} of the {use.limit:.4g} {use.unit} that it has at that speed"
    return (
        f"Motor {one.name} needs {use.value:.4g} {use.unit} on its shaft at {speed}, {has}; it "
        f"first exceeds its curve at {use.first:.4g} s."
    )


def _too_fast(one: Sizing, use: Use, _: float) -> str:
    return (
        f"The shaft of motor {one.name} runs at up to {use.value:.4g} {use.unit}, "
        f"{_percent(use)} of its top speed of {use.limit:.4g} {use.unit}, which it first exceeds "
        f"at {use.first:.4g} s."
    )


def _too_hot(one: Sizing, use: Use, duration: float) -> str:
    return (
        f"Motor {one.name} needs {use.value:.4g} {use.unit} RMS on its shaft over the whole motion "
        f"of {duration:.4g} s, {_of_continuous(use)}: repeated without a pause, the motion "
        "overheats it."
    )


def _held_too_long(one: Sizing, use: Use, _: float) -> str:
    return (
        f"Motor {one.name} needs {use.value:.4g} {use.unit} on its shaft to hold the robot at rest "
        f"where it is at {use.time:.4g} s, {_of_continuous(use)}: the robot may pass there, but "
        f"not stay; the first such place is at {use.first:.4g} s."
    )


def _of_continuous(use: Use) -> str:
    what = "torque" if use.unit == "N m" else "force"
    return f"{_percent(use)} of its continuous {what} of {use.limit:.4g} {use.unit}"


def _percent(use: Use) -> str:
    """A share above one, never printed as 100 %."""
    share = 100.0 * use.share
    return f"{share:.0f} %" if round(share) > 100 else f"{share:.6g} %"


_SAID = {
    "motor_peak": _too_much_torque,
    "motor_speed": _too_fast,
    "motor_rms": _too_hot,
    "motor_holding": _held_too_long,
}


def _near_type_1(t: np.ndarray, conditioning: Conditioning) -> Iterator[Violation]:
    looked = t[conditioning.samples]
    parts = [
        (name, f"Leg {name}", looked, conditioning.type_1[:, i])
        for i, name in enumerate(conditioning.legs)
    ]
    parts.append(("", "A leg that the platform is a part of", t, conditioning.freedoms))
    for name, who, times, smallest in parts:
        time = first_time(times, NEAR - smallest)
        if time is not None:
            worst = float(np.nanmin(smallest))
            sentence = (
                f"{who} comes near a Type 1 singularity at {time:.4g} s: it is almost "
                f"stretched or folded (smallest singular value {worst:.2g}, below {NEAR:g})."
            )
            yield Violation(time, "type_1", name, worst, NEAR, sentence)


def _near_type_2(t: np.ndarray, conditioning: Conditioning) -> Iterator[Violation]:
    signed = conditioning.sign * conditioning.type_2
    near = first_time(t, NEAR - conditioning.type_2)
    flips = np.flatnonzero(conditioning.sign[:-1] * conditioning.sign[1:] < 0.0)
    if len(flips):
        k = int(flips[0])
        time = float(np.interp(0.0, *_rising(signed[k : k + 2], t[k : k + 2])))
        first = time if near is None else min(near, time)
        sentence = (
            f"The motion passes a Type 2 singularity at {time:.4g} s: there the motors cannot "
            "hold the platform, and efforts grow without bound."
        )
        yield Violation(first, "type_2", "", 0.0, NEAR, sentence)
    elif near is not None:
        worst = float(np.nanmin(conditioning.type_2))
        sentence = (
            f"The motion comes near a Type 2 singularity at {near:.4g} s: motors hold the platform "
            f"poorly (smallest singular value {worst:.2g}, below {NEAR:g})."
        )
        yield Violation(near, "type_2", "", worst, NEAR, sentence)


def _rising(values: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(values)
    return values[order], t[order]
