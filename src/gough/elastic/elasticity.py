"""The elastic machine about a posture: what gives way of a robot, and how its motors hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.arguments import number, switch, whole
from gough.base.batch import OnError, check_on_error, leading_axes
from gough.base.progress import Progress, reporter
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.elastic.batch import Asked, all_solved, lazily_solved
from gough.elastic.drives import drives_of
from gough.elastic.estimate import estimated
from gough.elastic.missing import assumptions, check_elastic_data
from gough.elastic.modelling import Options
from gough.elastic.one_posture import system_at_home
from gough.elastic.result import Elasticity
from gough.elastic.statics import Solved
from gough.errors import InputError
from gough.kinematics.single import settled
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.state import as_state

_MANY = 64  # postures from which on compliances are worked out by a program


def elasticity(
    robot: Robot,
    state: Any = None,
    *,
    drives: Any = "locked",
    loads: Loads | None = None,
    shear: bool = True,
    elements: int | None = None,
    modes: int | None = None,
    damping: float | None = None,
    preload: bool = False,
    estimate: bool = False,
    on_error: OnError = "raise",
    progress: Progress | None = None,
) -> Elasticity:
    """How a machine gives way about a posture: stiffness, sag, vibrations.

    Elastic are beams and stiffness matrices of bodies, bearings of joints, transmissions, springs,
    and controllers; everything else is rigid.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`; home if not
            given.
        drives: how motors hold.  ``"locked"``: rotors do not move, axes give way by the stiffness
            of their transmissions.  ``"free"``: rotors move as masses of their own.  A
            :class:`gough.Servo`, its gains ``{"kp": ..., "kd": ...}`` or a controller of
            :func:`gough.control.joint_pd`: rotors are held by a controller.  Or one of them by
            motor.
        loads: a payload, which shakes along; forces that :meth:`Elasticity.deflection` takes unless
            it is given others; ``rotors=False`` leaves out their inertia.
        shear: whether beams have shear and rotary inertia (Timoshenko), or not (Euler-Bernoulli).
        elements: number of elements of each straight piece of a beam between places where something
            sits on it; if not given, a fine mesh is reduced (Craig and Bampton).
        modes: modes of each beam that is reduced, besides what its ends do; four if not given, and
            more in machines of few beams, 24 in all.
        damping: damping ratio of all vibrations, instead of data of the parts.
        preload: whether ``loads``, weight and springs of axes change stiffness and vibrations:
            about the posture that they have moved, and by the forces in the machine (geometric
            stiffness).  To first order in the loads.
        estimate: whether links without elastic data are guessed to be aluminium tubes of their own
            mass: an order of magnitude, no more.  Transmissions and bearings are not guessed.
        on_error: ``"raise"``, or ``"nan"`` in the postures that are refused: out of reach, or, for
            compliance and loads, where nothing resists.
        progress: called with the share that is done, 0 to 1.

    Returns:
        An :class:`Elasticity`.

    Raises:
        NotElastic: no part of the machine has elastic data, or a telescopic leg of beams lacks its
            guide.
        DescriptionError: a body is lighter than its beam.
        UnreachablePose: a leg cannot reach the pose.
        Unstable: with ``preload``, the machine buckles under its loads.
    """
    assembly = assembled(robot)
    if switch(estimate, "estimate"):
        assembly = assembled(estimated(robot))
    options = Options(
        switch(shear, "shear"),
        None if elements is None else whole(elements, "elements", least=1),
        None if modes is None else whole(modes, "modes"),
    )
    check_on_error(on_error)
    stressed = switch(preload, "preload")
    ratio = None if damping is None else number(damping, "damping", nonnegative=True)
    if ratio is not None and ratio >= 1.0:
        raise InputError(
            f"damping is {ratio:g}, expected a ratio below 1",
            hint="A share of the critical damping: 0.02, not 2 %.",
            argument="damping",
        )
    held = drives_of(assembly.robot, drives)
    check_elastic_data(assembly.robot, held, guessed=estimate)
    given = LoadArguments(assembly, loads)
    options = options._replace(rotors=given.loads.rotors)
    posture = as_state(robot.home_pose if state is None else state, robot).arguments("T_0p")
    arguments = {**settled(assembly, posture), **given.arguments}
    poses, lead = arguments["T_0p"][0], leading_axes(arguments)
    spread = [
        np.broadcast_to(a, lead + a.shape[a.ndim - core :]).reshape(-1, *a.shape[a.ndim - core :])
        for a, core in arguments.values()
    ]
    found: Sequence[Solved | None]
    each = Asked(assembly, held, options, given, spread, lead)
    report_share = reporter(progress)
    if len(spread[0]) >= _MANY and not stressed and not each.guided:
        found, failed = lazily_solved(each, on_error)
        report_share(1.0)
    else:
        found, failed = all_solved(each, on_error, report_share, stressed=stressed)
    known = next((each.system for each in found if each is not None), None)
    if known is None:
        known = system_at_home(assembly, held, options)
    parts = tuple(part.name for part in known.parts)
    poses = np.broadcast_to(poses, (*lead, 4, 4))
    notes = assumptions(assembly.robot, guessed=estimate)
    lenient = on_error == "nan"
    return Elasticity(
        *(assembly.robot, poses, parts, given.loads, failed, notes, found, ratio), _lenient=lenient
    )
