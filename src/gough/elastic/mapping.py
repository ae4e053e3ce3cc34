"""Elastic figures of many postures, on all cores: lowest frequency, stiffness, sag.

Compliance is asked of a kernel (``compliances.py``), the rest of a few postures at a time
(``many.py``); what these do not answer goes one by one through the system of one posture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gough.base.progress import Progress
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.compliances import compliances
from gough.elastic.deflection import displaced
from gough.elastic.drives import Drive
from gough.elastic.loading import check_resisted, forces
from gough.elastic.many import Many, condense, many
from gough.elastic.modelling import Options
from gough.elastic.one_posture import solved_at
from gough.elastic.pieces import in_pieces
from gough.elastic.postures import of_bodies
from gough.errors import GoughError
from gough.mechanism.mobility.assembly import Assembly

FREQUENCY, STIFFNESS, SAG = "frequency", "stiffness", "sag"

FIGURES = (FREQUENCY, STIFFNESS, SAG)
"""What can be mapped."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of every posture.

    Attributes:
        what: of :data:`FIGURES`.
        drives: how motors hold, by name.
        loads: a payload, and gravity.
        options: what counts.
        direction: of stiffness, a unit wrench ``(6,)``; the softest one of those below if None.
        along: components of the wrench among which the softest direction is sought.
    """

    what: tuple[str, ...]
    drives: Mapping[str, Drive]
    loads: StateLoads
    options: Options
    direction: np.ndarray | None
    along: tuple[int, ...]

    def stiffness(self, compliance: np.ndarray) -> np.ndarray:
        """Force per displacement along it ``(...,)``, from compliances ``(..., 6, 6)``.

        Infinite where the machine is rigid, NaN where it is not known.
        """
        if self.direction is None:
            block = compliance[..., list(self.along), :][..., list(self.along)]
            known = np.isfinite(block).all(axis=(-1, -2))
            safe = np.where(known[..., None, None], block, 0.0)
            soft = np.where(known, np.linalg.eigvalsh(safe)[..., -1], np.nan)
        else:
            soft = np.einsum("i,...ij,j->...", self.direction, compliance, self.direction)
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / np.maximum(soft, 0.0))


def mapped(
    assembly: Assembly,
    T_0p: np.ndarray,
    body_poses: np.ndarray,
    asked: Asked,
    progress: Progress = lambda _: None,
    threads: int | None = None,
) -> dict[str, np.ndarray]:
    """Elastic figures of K postures, by name, each ``(K,)``; NaN where one is refused.

    Args:
        assembly: the robot.
        T_0p: poses of the platform ``(K, 4, 4)``.
        body_poses: rotation and position of every body ``(K, bodies, 3, 4)``.
        asked: what is asked.
        progress: called with the share done, 0 to 1.
        threads: most threads; all cores if not given.
    """
    count, robot = len(T_0p), assembly.robot
    found = {name: np.full(count, np.nan) for name in asked.what}
    if STIFFNESS in asked.what and count:
        C = compliances(assembly, T_0p, asked.drives, asked.options, threads)
        found[STIFFNESS] = asked.stiffness(C)
    sprung = any(robot.axis(name).spring is not None for name in robot.axis_names)
    quick = not (SAG in asked.what and sprung)  # efforts of springs depend on whole turns
    if quick and count:
        payload = asked.loads.payload
        quick = condense(assembly, asked.drives, asked.options, payload) is not None

    def piece(here: slice) -> None:
        missing = [name for name in asked.what if np.isnan(found[name][here]).any()]
        if quick and missing:
            postures = of_bodies(assembly, body_poses[here])
            machine = many(assembly, postures, asked.drives, asked.options, asked.loads.payload)
            for name in missing:
                own = found[name][here]
                found[name][here] = np.where(np.isnan(own), _figure(machine, name, asked), own)
        for k in range(here.start, here.stop):
            if any(np.isnan(found[name][k]) for name in asked.what):
                for name, value in _one(assembly, T_0p[k], asked).items():
                    found[name][k] = value

    in_pieces(piece, count, progress, threads)
    return found


def _figure(machine: Many, name: str, asked: Asked) -> np.ndarray:
    if name == FREQUENCY:
        return machine.frequencies(1)[:, 0]
    if name == STIFFNESS:
        return asked.stiffness(machine.compliance)
    gravity = np.asarray(asked.loads.gravity, dtype=float)
    return np.asarray(np.linalg.norm(machine.sag(gravity, asked.loads.payload)[:, :3], axis=1))


def _one(assembly: Assembly, T_0p: np.ndarray, asked: Asked) -> dict[str, float]:
    """Figures of one posture; those that it is refused for are left out."""
    found: dict[str, float] = {}
    try:
        solved = solved_at(assembly, T_0p, asked.drives, asked.options, asked.loads)
        if FREQUENCY in asked.what:
            omega = solved.modes[0]
            found[FREQUENCY] = float(omega[0]) / (2.0 * np.pi) if len(omega) else np.nan
        if STIFFNESS in asked.what:
            check_resisted(solved, solved.system.platform.T)
            found[STIFFNESS] = float(asked.stiffness(solved.compliance))
        if SAG in asked.what:
            x = displaced(solved, forces(solved, asked.loads, gravity=True))
            found[SAG] = float(np.linalg.norm((solved.system.platform @ x)[:3]))
    except GoughError:
        return found
    return found
