"""``gough.simulate``: checks arguments, runs an integrator, adds energies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Literal, NamedTuple
from warnings import warn

import numpy as np

from gough.base.arguments import number, one_of
from gough.base.batch import leading_axes
from gough.base.english import listed, quoted
from gough.base.spatial import turn_angles
from gough.dynamics.answers.smoothing import largest_speeds, own_coulomb
from gough.dynamics.methods import find_method
from gough.dynamics.quantities.parameters import FIGURES, NEAR, SMOOTHING
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments, at_time
from gough.dynamics.shared.loads import NO_LOADS, Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.elastic.missing import elastic_data
from gough.errors import GoughError, GoughWarning, InputError
from gough.functions.kinematics import inverse_kinematics
from gough.geometry.turns import wound_axes
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import assembled
from gough.modes.stepper import whole_turns
from gough.robot import Robot
from gough.simulation.adaptive import Adaptive
from gough.simulation.arguments import (
    a_row_each,
    by_kernel_names,
    check_payload,
    check_start,
    own_parameters,
)
from gough.simulation.drive import Drive, as_drive
from gough.simulation.events import KINDS, Advice, Watch, check_kinds, doubt_energy
from gough.simulation.fixed import Fixed, fitting_step
from gough.simulation.friction import Friction, slow_friction, smoothed_friction
from gough.simulation.plant import Plant, State
from gough.simulation.record import Record
from gough.simulation.result import Simulation, Tracking
from gough.simulation.words import run_lines
from gough.states.state import as_state

_SMALLEST_RTOL = 1e-13  # below, the error of a step is rounding, and steps would collapse

Integrator = Literal["rk4", "dop853"]

_MOST_NUMBERS = 2_000_000
"""Machines times instants that are recorded unless more are asked for."""

_MOST_RECORDED, _MOST_STEPS, _MOST_WORK = 5e6, 1e7, 1e9
"""Most machines times instants recorded, steps of a run, and machines times steps.

A state takes about half a kilobyte; a step takes some 30 us, and 1 us or more for each machine of a
batch: beyond, a run fills the memory or takes more than half an hour, and a mistake (a step in
nanoseconds) is more likely than an intention.
"""


def simulate(
    robot: Robot,
    state: Any,
    efforts: Any = None,
    t_end: float = 1.0,
    *,
    integrator: Integrator = "rk4",
    step: float = 1e-3,
    output_step: float | None = None,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    method: str = "legs",
    loads: Loads | LoadSchedule | None = None,
    parameters: Mapping[str, Any] | None = None,
    stop_at: Sequence[str] = KINDS,
    progress: Callable[[float], None] | None = None,
) -> Simulation:
    """Simulate a machine, or many of them side by side, under motor efforts.

    The state is the platform's: its pose and the rates of the robot's freedoms, rotations on
    SO(3).  All joints follow from it, so that no loop ever opens.

    Args:
        robot: the machine.
        state: where it starts, a :class:`gough.State`; a pose ``(..., 4, 4)`` rests.
        efforts: ``None`` (no efforts), an array ``(..., m)``, instants and efforts ``(t, tau)``
            (linear in between), a function ``f(t)`` or ``f(t, measured)``, or a controller; see
            :mod:`gough.simulation.control`.
        t_end: how long [s].
        integrator: ``"rk4"``, fixed steps, fast; ``"dop853"``, adaptive steps, accurate.
        step: longest step [s]; of ``"rk4"`` all are equal, and meet the instants of a controller.
            They are shorter where a controller's motion is so slow that friction asks for it.
        output_step: time between recorded instants [s]; every step if not given, less often
            for long runs of large batches.
        rtol: relative tolerance of ``"dop853"``.
        atol: its absolute tolerance, natural units: the robot's length, 1 rad.
        method: theory of the dynamics.
        loads: :class:`gough.Loads`, which act all the time, one for each machine of a batch or
            for all; or a :class:`gough.LoadSchedule` for all, and a step ends where it changes.
            Where they have no ``smoothing``, Coulomb friction is smoothed over the
            smallest speeds that ``step`` can follow, for each machine and axis.  With 0 friction
            jumps where a joint comes to rest, which no integrator follows well.
        parameters: figures that differ from the robot's own, ``{"masses": (..., bodies), ...}``,
            one for each machine of a batch or for all; see :func:`gough.compile`.
        stop_at: which of ``"reach"``, ``"type_1"``, ``"type_2"`` and ``"limits"`` stop the run; it
            ends in any case where a leg cannot follow, ``"reach"`` and ``"type_1"``; where the tip
            of a planar machine loses a direction only if ``"type_1"`` is among them.
        progress: called with the share that is done.

    Returns:
        A :class:`Simulation`; ``event`` says what stopped it, if something did.

    Raises:
        InputError: a step, a tolerance or an end that is no positive number, shapes that do not
            fit.
        UnreachablePose: and other errors of :func:`gough.forward_dynamics`, at the start.
    """
    assembly = assembled(robot)
    find_method(method)
    one_of(integrator, "integrator", ("rk4", "dop853"))
    times = {"t_end": t_end, "step": step, "rtol": rtol, "atol": atol}
    t_end, step, rtol, atol = (number(x, name, positive=True) for name, x in times.items())
    if output_step is not None:
        output_step = number(output_step, "output_step", positive=True)
    kinds = check_kinds(stop_at)
    if progress is not None and not callable(progress):
        raise InputError("progress is no function of the share done", argument="progress")
    if integrator == "dop853" and rtol < _SMALLEST_RTOL:
        raise InputError(
            f"rtol is {rtol:g}, expected {_SMALLEST_RTOL:g} or more: numbers have 16 digits",
            argument="rtol",
        )
    loading = LoadArguments(assembly, at_time(loads, 0.0))
    exact = settled(assembly, as_state(state, robot).arguments("T_0p", "V_0p"))
    T_0p, V_0p = exact["T_0p"][0], exact["V_0p"][0]
    figures = own_parameters(assembly, parameters)
    arguments = {"state": (T_0p, 2), "V_0p": (V_0p, 1)} | loading.arguments
    arguments |= {f"parameters[{k!r}]": (a, own) for k, (a, own) in figures.items()}
    lead = leading_axes(arguments)
    if not np.prod(lead):
        raise InputError("an empty batch: there is nothing to simulate", argument="state")
    T, V = a_row_each(T_0p, 2, lead), a_row_each(V_0p, 1, lead)
    coulomb = figures["coulomb"][0] if "coulomb" in figures else own_coulomb(robot)
    coulomb = a_row_each(coulomb, 1, lead)
    coulomb = coulomb if loading.loads.friction else np.zeros(coulomb.shape)
    wound = wound_axes(assembly, every="stiffness" in figures)
    variant = Variant.of(
        loading,
        method,
        smoothing=0.0,  # its speeds are inputs
        parameters=(
            *(name for name in FIGURES if name in figures),
            *((NEAR,) if wound else ()),
            *((SMOOTHING,) if coulomb.any() else ()),
        ),
    )
    given = by_kernel_names(loading, figures, lead)
    check_payload(loading)
    check_start(robot, T_0p, V_0p, given, loading.loads)
    drive = as_drive(robot, efforts, lead)
    smooth = smoothed_friction(robot, coulomb, loading.loads.smoothing, drive, step, t_end)
    if coulomb.any():
        given[SMOOTHING] = smooth.given

    schedule = loads if isinstance(loads, LoadSchedule) else None
    # a tip that loses a direction is Type 1: its freedoms are kept, if that is to end the run
    keeps = "type_1" in kinds and assembly.only_position
    plant, start = Plant(assembly, variant, given, schedule, keeps=keeps).start(T, V)
    task = _Task(
        plant,
        drive,
        Watch(assembly, kinds),
        start,
        t_end,
        step,
        output_step,
        progress,
        smooth,
    )
    with np.errstate(over="ignore", invalid="ignore"):  # events report numbers that are not finite
        if integrator == "rk4":
            record, steps = _fixed(task)
        else:
            record, steps = _adaptive(task, rtol, atol, lambda: as_drive(robot, efforts, lead))
    asked: dict[str, Any] = {"integrator": integrator, "step": step, "rtol": rtol, "atol": atol}
    asked |= {"t_end": t_end, "stop_at": kinds}
    controlled = drive.looks or drive.stateful
    longest = step / smooth.parts if integrator == "rk4" else step
    found = _finished(task, record, lead, steps, Advice(integrator, longest, rtol, controlled))
    said = tuple(run_lines(robot, efforts, asked))
    return replace(found, loads=NO_LOADS if loads is None else loads, inputs=said)


class _Task(NamedTuple):
    """N machines with their start, drive and options."""

    plant: Plant
    drive: Drive
    watch: Watch
    start: State
    t_end: float
    step: float
    output_step: float | None
    progress: Callable[[float], None] | None
    friction: Friction


def _check_size(machines: int, instants: float) -> None:
    if machines * instants > _MOST_RECORDED:
        many = f"{machines} machines at " if machines > 1 else ""
        raise InputError(
            f"{many}{instants:.3g} instants are too much to record",
            hint=f"Choose a longer output_step: at most {_MOST_RECORDED:.0e} states are recorded, "
            "machines times instants.",
            argument="output_step",
        )


def _check_steps(machines: int, steps: float, h: float, t_end: float) -> None:
    """Refuse a run that would take hours, before its first step: of fixed steps or of periods."""
    most = min(_MOST_STEPS, _MOST_WORK / machines)
    if steps > most:
        many = f" of {machines} machines" if machines > 1 else ""
        raise InputError(
            f"{t_end:g} s in steps of {h:.3g} s are {steps:.3g} steps{many}, more than {most:.3g}",
            hint="Choose a longer step (or output_step, or period of the controller), a shorter "
            "t_end, or several runs that start where the last one ended.",
            argument="step",
        )


def _fixed(task: _Task) -> tuple[Record, int]:
    """All machines side by side, in equal steps."""
    plant, drive, watch, start, t_end, step, output_step, progress, friction = task
    count = len(start.T_0p)
    if friction.parts > 1 and output_step is None:
        output_step = max(step, t_end * count / _MOST_NUMBERS)
    step = step / friction.parts
    if output_step is not None:
        _check_size(count, t_end / output_step + 1)
    shortest = min(step, output_step or step, drive.period or step)
    _check_steps(count, t_end / shortest, shortest, t_end)
    if output_step is not None and not drive.period:
        # outputs are met, too, where nothing else says what the step must be
        parts = max(1, ceil(output_step / step - 1e-9))
        step = output_step / parts if output_step < t_end else step
    h, steps = fitting_step(drive, step, t_end)
    _check_steps(count, steps, h, t_end)
    stride = max(1, -(-count * steps // _MOST_NUMBERS))
    if output_step is not None:
        stride = max(1, round(output_step / h))
    _check_size(count, -(-steps // stride) + 1)
    recorded = np.append(np.arange(0, steps, stride), steps)
    # a controller has one model for all machines
    drive.smooth(largest_speeds(plant.assembly.robot, friction.speeds))
    drive.prepare(steps * h, h)
    record = Record(plant.assembly, count, recorded * h, len(plant.wound))
    made = Fixed(plant, drive, watch, record, stride).run(start, h, steps, progress)
    return record, made


def _adaptive(
    task: _Task, rtol: float, atol: float, again: Callable[[], Drive]
) -> tuple[Record, int]:
    """One machine after the other, each in adaptive steps; ``again`` makes a fresh drive."""
    plant, drive, watch, start, t_end, step, output_step, progress, friction = task
    count = len(start.T_0p)
    between = output_step or max(step, t_end * count / _MOST_NUMBERS)
    instants = ceil(t_end / between - 1e-9)
    _check_size(count, instants + 1)
    if drive.stateful and drive.period:  # no step is longer than a period
        _check_steps(count, t_end / drive.period, drive.period, t_end)
    t = np.append(np.arange(instants) * between, t_end)
    record, made = Record(plant.assembly, count, t, len(plant.wound)), 0
    largest = max(t_end / 4.0, step)
    for i in range(count):
        only = np.array([i])
        if i:
            drive = again()
        drive.smooth(largest_speeds(plant.assembly.robot, friction.speeds[i]))
        if count > 1:
            drive.keep(only)

        def share(done: float, i: int = i) -> None:
            if progress is not None:
                progress((i + done) / count)

        runner = Adaptive(plant.select(only), drive, watch, record, i, rtol, atol, largest)
        made += runner.run(start.at(only), t_end, share)
    return record, made


def _finished(
    task: _Task, record: Record, lead: tuple[int, ...], steps: int, advice: Advice
) -> Simulation:
    """Energies and accelerations added, batch axes as they were given."""
    record.forget_unanswered()
    robot, reference, events = task.plant.assembly.robot, task.drive.reference, record.events
    given = record.t, record.T_0p, record.V_0p, record.wound, record.tau
    arrays: dict[str, Any] = {
        name: getattr(record, name) for name in ("T_0p", "V_0p", "tau", "q", "qd")
    }
    arrays |= {"Vdot_0p": task.plant.twist_rates(*given), "closure": record.closure[..., 0]}
    arrays["handed_over"] = record.handed[..., 0]
    arrays |= zip(("kinetic", "potential"), np.moveaxis(record.energy, -1, 0), strict=True)
    works = ("work", "loss", "external_work", "missed_loss")
    arrays |= zip(works, np.moveaxis(record.work, -1, 0), strict=True)
    tracking = _tracking(robot, reference, record)

    def full(array: np.ndarray) -> np.ndarray:
        return array.reshape(lead + array.shape[1:])

    arrays = {name: full(array) for name, array in arrays.items()}
    found = Simulation(
        robot=robot,
        t=record.t,
        **arrays,
        event=tuple(events) if lead else events[0],
        reference=reference,
        tracking=None if tracking is None else Tracking(*(full(part) for part in tracking)),
        steps=steps,
        smoothing_speeds=task.friction.speeds.reshape(*lead, -1),
    )
    step = task.step / task.friction.parts
    schedule = task.plant.schedule
    idle = [] if schedule is None else schedule.never(0.0, task.t_end)
    slow = slow_friction(found, task.watch.small, step, chosen=task.friction.chosen)
    findings = (*slow, *idle, *doubt_energy(found, task.watch.small, advice))
    for sentence in findings:
        warn(sentence, GoughWarning, stacklevel=3)
    return replace(found, findings=(*findings, *_rigid(robot)))


def _rigid(robot: Robot) -> list[str]:
    """A finding about a robot with elastic data, which a simulation does not take.

    No warning: the description is right, and a simulation of rigid bodies what most want first.
    """
    data = {kind: names for kind, names in elastic_data(robot).items() if kind != "springs"}
    given = [
        f"{kind} ({quoted(names[:3])}{', ...' * (len(names) > 3)})"
        for kind, names in data.items()
        if names
    ]
    if not given:
        return []
    return [
        f"{robot.name}: simulated as rigid bodies, without its elastic data of {listed(given)}; "
        "gough.elastic_motion tells how far it leaves a motion, gough.elasticity how it gives way"
    ]


def _tracking(robot: Robot, reference: Any, record: Record) -> Tracking | None:
    """Distances of the machines from their reference motion; ``None`` without one."""
    if reference is None:
        return None
    wanted = reference(record.t).T_0p
    off = wanted[None, :, :3, 3] - record.T_0p[:, :, :3, 3]
    turns = np.einsum("kij,nklj->nkil", wanted[:, :3, :3], record.T_0p[:, :, :3, :3])
    try:
        q = inverse_kinematics(robot, wanted, on_error="nan")
    except GoughError:
        q = np.full((len(record.t), len(robot.motors)), np.nan)
    motors = q[None] - record.q
    motors = motors - whole_turns(robot.assembly, motors)
    return Tracking(np.linalg.norm(off, axis=2), turn_angles(turns), motors)
