"""Elastic figures over a section: lowest frequency, stiffness and sag in what can be reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from warnings import warn

import numpy as np

from gough.base.arguments import one_of, words
from gough.base.progress import Progress
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.elastic.drives import Drive
from gough.elastic.mapping import FIGURES, FREQUENCY, SAG, STIFFNESS, Asked, mapped
from gough.elastic.missing import check_elastic_data
from gough.elastic.modelling import Options
from gough.elastic.preload import LINEAR
from gough.errors import GoughWarning, InputError
from gough.mechanism.mobility.assembly import Assembly
from gough.singularity.workspace.flood import chunks
from gough.singularity.workspace.survey import Survey


@dataclass(frozen=True, eq=False)
class ElasticMaps:
    """How a machine gives way over K points; NaN out of reach and where an answer is refused.

    Attributes:
        maps: ``frequency``: the lowest one [Hz]; ``stiffness``: force per displacement along it, in
            the direction asked for, or in the softest one, infinite where the machine is rigid;
            ``sag``: displacement of the platform's origin by weight [m].
        units: of each.
        direction: that stiffness was asked for, over all freedoms; ``None``: the softest one.
        findings: what a user should know of them: sag too large to be linear in the loads.
    """

    maps: dict[str, np.ndarray]
    units: dict[str, str]
    direction: np.ndarray | None
    findings: tuple[str, ...] = ()


def asked_of(
    assembly: Assembly,
    elastic: str | Sequence[str],
    drives: Mapping[str, Drive],
    loads: Loads | None,
    direction: np.ndarray | None,
) -> Asked:
    """What is asked of every posture, checked before any of them is computed.

    Args:
        assembly: the robot.
        elastic: one or several of ``frequency``, ``stiffness``, ``sag``.
        drives: how motors hold, by name.
        loads: a payload.
        direction: of stiffness, over all freedoms, of unit size.
    """
    what = (elastic,) if isinstance(elastic, str) else words(elastic, "elastic")
    if not what:
        raise InputError(
            "elastic names nothing", hint=f"One of {', '.join(FIGURES)}.", argument="elastic"
        )
    for name in what:
        one_of(name, "elastic", FIGURES)
    check_elastic_data(assembly.robot, drives)
    given = LoadArguments(assembly, loads)
    acting = given.only()
    if given.bodies:
        raise InputError(
            "loads.forces: elastic maps know a payload, and no forces on bodies", argument="loads"
        )
    if any(name != FREQUENCY for name in what) and any(
        not drive.locked and not drive.kp for drive in drives.values()
    ):
        raise InputError(
            f"{assembly.robot.name}: its motors are free, so that nothing holds the machine",
            hint="drives='locked', or gough.Servo(kp, kd); frequencies are mapped of free motors, "
            "too.",
            argument="drives",
        )
    moves = [i for i in assembly.free if i < 3]
    along = (0, 1, 2) if moves else (3, 4, 5)
    wrench = None
    if direction is not None:
        wrench = np.zeros(6)
        wrench[list(assembly.free)] = direction
        moved, turned = wrench[:3].any(), wrench[3:].any()
        if STIFFNESS in what and moved and turned:
            raise InputError(
                "direction mixes positions and rotations: a stiffness has one unit",
                argument="direction",
            )
    options = Options(rotors=given.loads.rotors)
    return Asked(what, drives, acting, options, wrench, along)


def elastic_maps(
    survey: Survey,
    asked: Asked,
    direction: np.ndarray | None,
    progress: Progress,
    threads: int | None,
) -> ElasticMaps:
    """Elastic figures of all points of a section."""
    closer, states = survey.closer, survey.states
    good = np.flatnonzero(states.good)
    whole = len(good)
    values = {name: np.full(len(states.good), np.nan) for name in asked.what}
    pieces = chunks(len(good))
    for piece in pieces:
        k = good[piece]
        T = closer.poses(states.y[k])
        bodies = closer.looker.place(T, states.joints[k])

        def report(share: float, begin: int = piece.start, count: int = len(k)) -> None:
            progress((begin + share * count) / whole)

        seen = mapped(closer.assembly, T, bodies, asked, report, threads)
        for name, found in seen.items():
            values[name][k] = found
    progress(1.0)
    straight = asked.direction is None and 0 in asked.along
    straight |= asked.direction is not None and bool(asked.direction[:3].any())
    known = {"frequency": "Hz", "stiffness": "N/m" if straight else "N m/rad", "sag": "m"}
    told = _beyond_linear(closer.assembly, values.get(SAG, np.zeros(0)))
    for sentence in told:
        warn(sentence, GoughWarning, stacklevel=4)
    return ElasticMaps(values, {name: known[name] for name in asked.what}, direction, told)


def _beyond_linear(assembly: Assembly, sag: np.ndarray) -> tuple[str, ...]:
    """A sentence where sags are too large to be linear in the loads."""
    far = sag > LINEAR * assembly.length
    if not far.any():
        return ()
    return (
        f"{assembly.robot.name}: it sags by up to {np.nanmax(sag):.3g} m, at {far.sum()} of "
        f"{np.isfinite(sag).sum()} points by more than {LINEAR:g} of its {assembly.length:.3g} m: "
        "displacements are no longer linear in the loads there",
    )
