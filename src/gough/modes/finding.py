"""All assembly modes at one set of motor positions: candidates closed, or a search."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gough.compiler.tracing.interpreter import run
from gough.evaluation.equations import program
from gough.geometry.closed_form.search import closed_form
from gough.geometry.direct import wound
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import measures_at
from gough.mechanism.mobility.newton import CLOSED
from gough.modes.algebra import Candidates, candidates
from gough.modes.closing import Machines, close_all, refuse_motions
from gough.modes.groups import Group, Space, apart, find_group, natural, plain, platform_twists
from gough.modes.mode import Mode, Modes
from gough.modes.paraboloid import Continuum
from gough.modes.relations import Demands, demands
from gough.modes.search import ClosedStates, Effort, Hit, at_home, search, shaken

Operation = Literal["home", "any"]

# Where joints of a pose are sought from: the closed form, home, and so many random postures.
_BY_FORM, _FROM_HOME, _TRIES = -1, 0, (8, 32)
_POSTURES = 8  # of the joints for each seed
# Natural units.  Where modes meet, candidates are known to the root of rounding, 1e-8, or the cube
# root, 6e-6: bounds lie above it, and far below the distance between modes.
_OBEYS = 1e-5  # residual of demands at a candidate, before it is closed to the last digits
_MOVED = 1e-4  # closing a candidate moves its platform less, or ends in another pose
_OPERATES = 1e-5  # part of an allowed twist that leaves the group


def find_modes(
    assembly: Assembly, q_a: np.ndarray, operation: Operation, starts: int, seed: int
) -> Modes:
    """All assembly modes at one set of motor positions."""
    group: Group = find_group(assembly) if operation == "home" else Space()
    try:
        # demands are those of chains whose passive joints are all free
        bound = assembly.topology.locked or assembly.robot.couplings
        known = None if bound else demands(assembly, q_a)
        computed = _computed(known)
    except Continuum:
        computed = None  # a whole motion, or legs demand more than features of the pose can say
    hits, effort, lost = ClosedStates(assembly), Effort(0, 0, True), 0
    if computed is not None:
        _close(assembly, q_a, computed.T_0p, hits, seed)
        if len(computed.rough):  # where paths were lost, a pose may be near
            start = _by_form(assembly, at_home(assembly, plain(assembly, computed.rough)))
            lost = len(computed.rough) - hits.close(start, q_a, Space())[0]
        effort = _close_seeds(assembly, q_a, computed.seeds, group, hits, seed)
        refuse_motions(assembly, hits.machines(), q_a)
    how = "search" if computed is None else computed.how
    if computed is None or lost or operation == "any":
        found, effort = search(assembly, q_a, group, starts, seed)
        hits.take(found)
        how += "" if computed is None else " and search"
    searched = effort.starts > 0
    modes = _described(assembly, q_a, hits, group, searched)
    return Modes(assembly.robot, q_a.copy(), modes, how, searched, *effort, lost)


def _computed(known: Demands | None) -> Candidates | None:
    found = None if known is None else candidates(known)
    if known is None or found is None:
        return None
    # mixtures of demands have solutions that the demands themselves have not
    off = np.abs(known.group.features(found.T_0p) @ known.rows.T).max(axis=1, initial=0.0)
    size = 1.0 + (found.T_0p[:, :3, 3] ** 2).sum(axis=1)
    return found._replace(T_0p=found.T_0p[off < _OBEYS * size])


def _close(
    assembly: Assembly, q_a: np.ndarray, T_0p: np.ndarray, hits: ClosedStates, seed: int
) -> None:
    """Find the joints of candidates: those that the legs can close."""
    T = plain(assembly, T_0p)
    home = pack(assembly.home)
    open_ = np.arange(len(T))
    rng = np.random.default_rng(seed)
    for tries in (_BY_FORM, _FROM_HOME, *_TRIES):
        if not len(open_):
            break
        repeat = np.repeat(open_, max(tries, 1))
        start = at_home(assembly, T[repeat])
        if tries == _BY_FORM:
            start = _by_form(assembly, start)
        elif tries != _FROM_HOME:
            start = shaken(assembly, start, rng)
        machines, error = close_all(assembly, start, q_a, held=True)
        good = (error < CLOSED) & (apart(machines.T_0p, T[repeat], assembly.length) < _MOVED)
        nearest = np.abs(machines.coordinates - home).max(axis=1, initial=0.0)
        done = []
        for k in open_:
            own = np.flatnonzero(good & (repeat == k))
            if len(own):
                best = own[[nearest[own].argmin()]]
                hits.add(machines.select(best), error[best])
                done.append(k)
        open_ = np.setdiff1d(open_, done)


def _close_seeds(
    assembly: Assembly, q_a: np.ndarray, T: np.ndarray, group: Group, hits: ClosedStates, seed: int
) -> Effort:
    """Close machines from seeds of a search, joints from the closed form and from anywhere."""
    if not len(T):
        return Effort(0, 0, True)
    T = np.repeat(T, _POSTURES, axis=0)
    start = _by_form(assembly, at_home(assembly, plain(assembly, T)))
    loose = shaken(assembly, start, np.random.default_rng(seed))
    first = np.arange(len(T)) % _POSTURES == 0
    joints = np.where(first[:, None], start.coordinates, loose.coordinates)
    good, _ = hits.close(Machines(start.T_0p, joints), q_a, group)
    return Effort(len(T), good, True)


def _by_form(assembly: Assembly, machines: Machines) -> Machines:
    """Joints of the closed form, where it can reach the pose."""
    if closed_form(assembly) is None:
        return machines
    found = run(program(assembly.robot, "closed_form"), {"T_0p": machines.T_0p})["coordinates"]
    real = np.isfinite(found).all(axis=1)
    return Machines(machines.T_0p, np.where(real[:, None], found, machines.coordinates))


def _described(
    assembly: Assembly, q_a: np.ndarray, hits: ClosedStates, group: Group, searched: bool
) -> tuple[Mode, ...]:
    """All modes among closed states, nearest home first."""
    home = natural(assembly, assembly.T_home)

    def from_home(hit: Hit) -> float:
        return float(((natural(assembly, hit.T_0p) - home)[:3] ** 2).sum())

    found: list[Mode] = []
    for hit in sorted(hits.found, key=from_home):
        joints = unpack(assembly.topology, hit.coordinates)
        branch = wound(assembly, AssembledState(hit.T_0p, joints), q_a)
        if not _operates(assembly, branch, group):
            continue
        with np.errstate(all="ignore"):  # also on singularities
            seen = measures_at(assembly, assembly.solution(assembly.equations(*branch)))
        found.append(
            Mode(
                f"mode {len(found) + 1}",
                hit.T_0p,
                branch,
                hit.error,
                float(seen.condition),
                float(seen.type_2),
                int(seen.sign),
                hit.count if searched else 0,
            )
        )
    return tuple(found)


def _operates(assembly: Assembly, branch: AssembledState, group: Group) -> bool:
    """Whether the platform moves as the group says, and not only happens to be in it."""
    if isinstance(group, Space):
        return True
    twists = platform_twists(assembly, *branch)
    if twists.shape[1] > assembly.mobility:
        return True  # singular: its additional twists say nothing about the group
    at = natural(assembly, branch.T_0p[None])
    return bool(np.abs(group.rows(at)[0] @ twists).max(initial=0.0) < _OPERATES)
