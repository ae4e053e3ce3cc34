"""Elastic figures of many postures, on all cores: lowest frequency, stiffness, sag.

Postures are taken a few at a time (``many.py``); those that this does not answer, and machines that
it does not know, go one by one through the system of one posture.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gough.base.blas_threads import one_thread
from gough.base.progress import Progress
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.deflection import displaced
from gough.elastic.drives import Drive
from gough.elastic.loading import check_resisted, forces
from gough.elastic.many import Many, condense, many
from gough.elastic.modelling import Options
from gough.elastic.one_posture import solved_at
from gough.elastic.postures import Postures
from gough.errors import GoughError
from gough.kernels.kernel import cores
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly

FREQUENCY, STIFFNESS, SAG = "frequency", "stiffness", "sag"

FIGURES = (FREQUENCY, STIFFNESS, SAG)
"""What can be mapped."""

AT_ONCE = 64
"""Postures that are computed together: few enough for their matrices to stay in the cache."""


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

    @property
    def moves(self) -> bool:
        """Whether displacements under loads are asked for, not vibrations alone."""
        return STIFFNESS in self.what or SAG in self.what

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
    count = len(T_0p)
    found = {name: np.full(count, np.nan) for name in asked.what}
    robot = assembly.robot
    sprung = any(robot.axis(name).spring is not None for name in robot.axis_names)
    quick = not (SAG in asked.what and sprung)  # efforts of springs depend on whole turns
    if quick and count:
        payload = asked.loads.payload
        quick = condense(assembly, asked.drives, asked.options, payload) is not None

    def piece(begin: int) -> None:
        here = slice(begin, min(begin + AT_ONCE, count))
        answered = _at_once(assembly, body_poses[here], asked) if quick else {}
        for name, values in answered.items():
            found[name][here] = values
        for k in range(here.start, here.stop):
            if any(np.isnan(found[name][k]) for name in asked.what):
                for name, value in _one(assembly, T_0p[k], asked).items():
                    found[name][k] = value

    begins = range(0, count, AT_ONCE)
    workers = min(cores() if threads is None else threads, max(len(begins), 1))
    with one_thread(), ThreadPoolExecutor(workers) as pool:
        for k, _ in enumerate(pool.map(piece, begins), start=1):
            progress(k / len(begins))
    return found


def _at_once(assembly: Assembly, body_poses: np.ndarray, asked: Asked) -> dict[str, np.ndarray]:
    """Figures of a few postures; NaN where they are not answered."""
    names = [body.name for body in assembly.robot.bodies]
    poses = {
        name: Pose(body_poses[:, i, :, :3], body_poses[:, i, :, 3]) for i, name in enumerate(names)
    }
    postures = Postures(assembly.topology, poses)
    machine = many(assembly, postures, asked.drives, asked.options, asked.loads.payload)
    return {name: _figure(machine, name, asked) for name in asked.what}


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
