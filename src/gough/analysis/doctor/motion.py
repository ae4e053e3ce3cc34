"""Which kind of motion the platform has, and in which operation mode of several home is.

Operation modes are motions of one machine with freedoms of different kinds; it passes from one to
another through constraint singularities only.  Others are looked for by assembling the machine from
postures that are disturbed at random, always the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.kinds import Kind, Posture, kind_of
from gough.base import english as words
from gough.base.spatial import moved, pose
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import dense, move, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.closure.rows import is_flipped
from gough.mechanism.mobility.home import close
from gough.mechanism.mobility.newton import CLOSED
from gough.mechanism.mobility.rank import generic_samples, measure
from gough.robot.finding import NOTE, Finding

_TRIES = 48
_DISTURBED = (0.6, 1.2)  # size of the disturbances, natural units: radians, lengths of the robot

State = tuple[np.ndarray, Configuration]


def look_at_motion(exam: Examination) -> Iterator[Finding]:
    """The kind of motion, and operation modes if there are several."""
    if not exam.mobility:
        return
    meeting = _meeting(exam)
    if len(meeting) > 1:
        texts = [str(kind) for kind in meeting]
        yield Finding(
            "operation-modes",
            NOTE,
            f"home is where operation modes meet: around it the platform has {'; or '.join(texts)}",
            advice="Choose a home in one of them, off this posture.",
            data={"home": None, "meeting": [kind.data for kind in meeting]},
        )
        return
    kind = exam.kind
    yield _motion(exam, kind)
    others = _others(exam, kind)
    if others:
        texts = [str(other) for other, _ in others]
        yield Finding(
            "operation-modes",
            NOTE,
            f"home is in the operation mode of {kind}; assembled otherwise, the same machine was "
            f"found with {'; or '.join(texts)}",
            advice="Modes meet in constraint singularities; robot.rehomed loads another one.",
            data={
                "home": kind.data,
                "others": [other.data | {"bodies": at} for other, at in others],
            },
        )


def _motion(exam: Examination, kind: Kind) -> Finding:
    text, data = f"the platform has {kind}", kind.data
    if kind.name == "other":
        at, twists = exam.origin(exam.usual), exam.twists(exam.usual)
        where = "at home" if exam.usual == 0 else "near home"
        text += f": {where} it can {words.listed(words.motions(twists, at, exam.length))}"
        data["free"] = words.simplest(twists, exam.length).T.tolist()
    return Finding("motion", NOTE, text, data=data)


def _posture(exam: Examination, state: State) -> Posture:
    ranks = measure(exam.assembly.topology, *state, exam.length)
    return Posture(ranks.platform, state[0][:3, 3])


def _meeting(exam: Examination) -> list[Kind]:
    """Kinds of single postures around a home that has more freedoms than they, or not as many."""
    a = exam.assembly
    if a.mobility_at_home == a.mobility and len(a.modes) == 1:
        return []
    around = [kind_of([_posture(exam, state)], exam.length) for state in a.samples[1:]]
    return list({kind.character: kind for kind in around}.values())


def _others(exam: Examination, kind: Kind) -> list[tuple[Kind, dict[str, list[list[float]]]]]:
    """Other operation modes, with poses of all bodies in one posture of each.

    Looked for in machines whose legs are chains.  A loop within a leg, such as a parallelogram,
    may be closed crosswise; that is another leg rather than another mode of the machine.  Where
    every loop has three redundant rows, all axes are parallel or meet in one point: a planar or
    spherical machine has no other kind of motion.
    """
    topology = exam.assembly.topology
    loops = len(exam.robot.joints) - len(exam.robot.bodies)
    if exam.assembly.over_constraint == 3 * loops:
        return []
    looped = any(len(leg.closings) > 1 for leg in topology.legs)
    if exam.mobility == 6 or looped or topology.hub.links:
        return []
    starts = list(exam.assembly.samples)
    known = {kind_of([_posture(exam, state)], exam.length).character for state in starts}
    known.add(kind.character)
    found = []
    for state in _elsewhere(exam, starts):
        alone = kind_of([_posture(exam, state)], exam.length)
        if alone.character in known:
            continue
        known.add(alone.character)
        around = generic_samples(topology, *state, exam.length)
        postures = [_posture(exam, each) for each in around]
        if any(p.twists.shape != postures[0].twists.shape for p in postures):
            continue  # a posture where modes meet
        there = kind_of(postures, exam.length)
        if there.character in known - {alone.character}:
            continue
        known.add(there.character)
        starts.append(state)
        at = exam.assembly.equations(*state).body_poses
        bodies = {name: pose(on.R, on.p).tolist() for name, on in at.items()}
        found.append((there, bodies))
    return sorted(found, key=lambda pair: -pair[0].freedoms)


def _elsewhere(exam: Examination, starts: Sequence[State]) -> Iterator[State]:
    """Assembled postures further away, found by disturbing some, which may become more."""
    topology, rng = exam.assembly.topology, np.random.default_rng(2002)
    for k in range(_TRIES):
        T_0p, configuration = starts[k % len(starts)]
        at = Equations(topology, described_locks(topology), T_0p, configuration)
        system = dense(at, exam.length)
        n_u = system.A.shape[1]
        step = _DISTURBED[k % len(_DISTURBED)] * rng.uniform(-1.0, 1.0, n_u + 6)
        rates = split(topology, step[:n_u] * system.u_scale)
        disturbed = move(topology, configuration, rates)
        T_0p = moved(T_0p, step[n_u:] * system.V_scale)
        T_0p, configuration, error = close(topology, T_0p, disturbed, exam.length)
        at = Equations(topology, described_locks(topology), T_0p, configuration)
        flipped = any(is_flipped(joint) for leg in at.closed for _, joint in leg)
        if error <= CLOSED and not flipped:  # axes that are opposed meet on paper only
            yield T_0p, configuration
