"""All assembly modes at one set of motor positions: candidates closed, or a search."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gough.closure.coordinates import pack
from gough.errors import SingularPose
from gough.geometry.closed_form.search import closed_form
from gough.mobility.assembly import Assembly
from gough.mobility.home import CLOSED
from gough.modes.algebra import Candidates, candidates
from gough.modes.closing import Machines, close_all
from gough.modes.described import described
from gough.modes.groups import Group, Space, find_group
from gough.modes.mode import Modes
from gough.modes.paraboloid import Continuum
from gough.modes.relations import Demands, demands
from gough.modes.search import ROUND, Hits, search, shaken
from gough.tracing.interpreter import run
from gough.tracing.quantities import trace

Operation = Literal["home", "any"]

# Where joints of a pose are sought from: the closed form, home, and so many random postures.
_BY_FORM, _FROM_HOME, _TRIES = -1, 0, (8, 32)
# More poses than that, each of them free to move with the motors locked, are a whole motion.
_MANY, _MOVES = 4, 1e-6
_OBEYS = 1e-5  # of demands, before the last digits are polished
_MOVED = 1e-4  # a candidate is a pose but for rounding, or none


def find_modes(
    assembly: Assembly, q_a: np.ndarray, operation: Operation, starts: int, seed: int
) -> Modes:
    """All assembly modes at one set of motor positions."""
    group: Group = find_group(assembly) if operation == "home" else Space()
    try:
        computed = _computed(demands(assembly, q_a))
    except Continuum:
        _refuse_motions(assembly, q_a, group, seed)
        computed = None  # what features of the pose can say was not all that legs demand
    hits, used, agreed = Hits.none(assembly), 0, 0
    if computed is not None:
        _close(assembly, q_a, computed.T_0p, hits, seed)
    if computed is None or computed.lost or operation == "any":
        found, used, agreed = search(assembly, q_a, group, starts, seed)
        hits.take(found)
    how = "search" if computed is None else computed.how
    if computed is not None and used:
        how += " and search"
    lost = 0 if computed is None else computed.lost
    modes = described(assembly, q_a, hits, group, bool(used))
    return Modes(assembly.robot, q_a.copy(), modes, how, bool(used), used, agreed, lost)


def _computed(known: Demands | None) -> Candidates | None:
    found = None if known is None else candidates(known)
    if known is None or found is None:
        return None
    # mixtures of demands have solutions that the demands themselves have not
    off = np.abs(known.group.features(found.T_0p) @ known.rows.T).max(axis=1, initial=0.0)
    size = 1.0 + (found.T_0p[:, :3, 3] ** 2).sum(axis=1)
    return found._replace(T_0p=found.T_0p[off < _OBEYS * size])


def _refuse_motions(assembly: Assembly, q_a: np.ndarray, group: Group, seed: int) -> None:
    """Refuse motor positions that leave the platform a whole motion, as a few starts can tell."""
    hits, _, _ = search(assembly, q_a, group, ROUND, seed)
    modes = described(assembly, q_a, hits, group, searched=True)
    if len(modes) > _MANY and all(mode.smallest < _MOVES for mode in modes):
        raise SingularPose(
            f"{assembly.robot.name}: with the motors locked at these positions the platform can "
            "still move: there are not single poses but a whole motion of them",
            hint="Likely: two joints coincide, or links are parallel and of equal length.",
            kind="Type 2",
            condition=np.inf,
        )


def _close(assembly: Assembly, q_a: np.ndarray, T_0p: np.ndarray, hits: Hits, seed: int) -> None:
    """Find the joints of candidates: those that the legs can close."""
    T = T_0p.copy()
    T[:, :3, 3] *= assembly.length
    home = pack(assembly.home)
    open_ = np.arange(len(T))
    rng = np.random.default_rng(seed)
    for tries in (_BY_FORM, _FROM_HOME, *_TRIES):
        if not len(open_):
            break
        repeat = np.repeat(open_, max(tries, 1))
        start = Machines(T[repeat], np.broadcast_to(home, (len(repeat), len(home))).copy())
        if tries == _BY_FORM:
            start = _by_form(assembly, start)
        elif tries != _FROM_HOME:
            start = shaken(assembly, start, rng)
        machines, error = close_all(assembly, start, q_a, held=True)
        apart = np.abs(machines.T_0p[:, :3] - T[repeat, :3])
        apart[:, :, 3] /= assembly.length
        good = (error < CLOSED) & (apart.max(axis=(1, 2)) < _MOVED)
        nearest = np.abs(machines.coordinates - home).max(axis=1, initial=0.0)
        done = []
        for k in open_:
            own = np.flatnonzero(good & (repeat == k))
            if len(own):
                best = own[[nearest[own].argmin()]]
                hits.add(machines.select(best), error[best])
                done.append(k)
        open_ = np.setdiff1d(open_, done)


def _by_form(assembly: Assembly, machines: Machines) -> Machines:
    """Joints of the closed form, where it can reach the pose."""
    if closed_form(assembly) is None:
        return machines
    found = run(trace(assembly.robot, "coordinates"), {"T_0p": machines.T_0p})["coordinates"]
    real = np.isfinite(found).all(axis=1)
    return Machines(machines.T_0p, np.where(real[:, None], found, machines.coordinates))
