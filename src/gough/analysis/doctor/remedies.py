"""What would help: motors on other axes, a joint with more freedom, one more leg."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.likeness import Chain, alike, odd_joints
from gough.base import spatial
from gough.errors import GoughError
from gough.mechanism.closure.dense import group_scales, scaled_legs
from gough.mechanism.mobility.home import rough_configuration
from gough.mechanism.mobility.rank import measure
from gough.mechanism.mobility.singular import null_space
from gough.mechanism.topology.topology import find_topology
from gough.robot import Joint, Robot
from gough.robot.frame import Frame
from gough.robot.home import Home

WIDER = {
    "universal": ("spherical",),
    "revolute": ("cylindrical", "spherical"),
    "prismatic": ("cylindrical",),
    "fixed": ("revolute", "prismatic", "spherical"),
}
"""Kinds that allow what a joint allows, and more, with the same frames."""

_LARGEST_SET = 8


def free_axes(exam: Examination) -> list[str]:
    """Axes without a motor whose rates follow from the platform's."""
    taken = set(exam.motors) | exam.idle_axes
    return [name for name in exam.axes if name not in taken]


def additions(exam: Examination) -> list[str]:
    """Axes on which one more motor would control one more freedom."""
    rank = exam.rank(exam.motors)
    return [name for name in free_axes(exam) if exam.rank((*exam.motors, name)) > rank]


def completions(exam: Examination, kept: tuple[str, ...], candidates: list[str]) -> list[str]:
    """Axes that complete some motors to a set that controls everything; empty if none do."""
    added: list[str] = []
    rank = exam.rank(kept)
    for name in candidates:
        if rank == exam.mobility:
            break
        larger = exam.rank((*kept, *added, name))
        if larger > rank:
            added.append(name)
            rank = larger
    return added if rank == exam.mobility else []


def moves(exam: Examination, motor: str) -> list[str]:
    """Axes to which one motor could move so that all freedoms are controlled."""
    others = tuple(name for name in exam.motors if name != motor)
    if exam.rank(others) < exam.mobility - 1:
        return []
    return [name for name in free_axes(exam) if exam.rank((*others, name)) == exam.mobility]


def moves_of_all(exam: Examination) -> list[tuple[str, ...]]:
    """Other axes for all motors at once, the same in every leg, that control everything."""
    found = []
    for group in alike(exam.chains):
        driven = {chain.driven for chain in group}
        if len(driven) != 1 or sum(len(c.motors) for c in group) != len(exam.motors):
            continue
        old = next(iter(driven))
        free = set(free_axes(exam))
        places = [p for name, p in group[0].places.items() if name in free]
        for chosen in combinations(places, len(old)):
            axes = tuple(chain.axis_at(place) for chain in group for place in chosen)
            if set(axes) <= free and exam.rank(axes) == exam.mobility:
                found.append(axes)
    return found


def dependent_motors(exam: Examination, motors: tuple[str, ...]) -> tuple[str, ...]:
    """The smallest set of motors whose rates depend on each other in every posture."""
    if len(motors) > _LARGEST_SET or exam.rank(motors) == len(motors):
        return ()
    for size in range(1, len(motors) + 1):
        for chosen in combinations(motors, size):
            if exam.rank(chosen) < size:
                return chosen
    return ()


def relaxations(exam: Examination, wanted: int) -> list[tuple[Joint, str]]:
    """Joints without motors which, as another kind, would give the platform a wanted mobility."""
    placed = exam.unlocked(exam.generic[0]).body_poses
    poses = {name: Frame.from_matrix(spatial.pose(*at)) for name, at in placed.items()}
    found = []
    for joint in exam.robot.joints:
        if set(joint.axis_names) & set(exam.motors):
            continue
        for kind in WIDER.get(joint.kind, ()):
            variant = with_kind(exam.robot, joint, kind, Home(poses))
            if _mobility_at_home(variant, exam.length) == wanted:
                found.append((joint, kind))
                break
    return found


def loose_joints(exam: Examination, wanted: int) -> list[tuple[Joint, str]]:
    """Joints that set a leg apart and, of the kind its likes have, would give a mobility."""
    odd = [(joint, kind) for _, joint, kind in odd_joints(exam.chains)]
    return [pair for pair in odd if confirmed(exam.robot, *pair, wanted)]


def with_kind(robot: Robot, joint: Joint, kind: str, home: Home | None = None) -> Robot:
    """The robot with one joint of another kind, plain in all else."""
    other = replace(joint, kind=kind, axes=(), pitch=0.0)
    joints = tuple(other if j is joint else j for j in robot.joints)
    if home is None:
        kept = {n: v for n, v in robot.home.joints.items() if n not in joint.axis_names}
        home = Home(robot.home.bodies, kept)
    # another kind has other axes: relations of the old ones go with it
    couplings = tuple(c for c in robot.couplings if not {*c.axes} & {*joint.axis_names})
    return replace(robot, joints=joints, home=home, couplings=couplings)


def confirmed(robot: Robot, joint: Joint, kind: str, wanted: int) -> bool:
    """Whether the changed robot, assembled, has the wanted mobility."""
    try:
        return with_kind(robot, joint, kind).mobility == wanted
    except (GoughError, np.linalg.LinAlgError):
        return False


def _mobility_at_home(robot: Robot, length: float) -> int:
    """Mobility in the posture that home gives exactly."""
    topology = find_topology(robot)
    poses = {robot.base: np.eye(4)}
    poses |= {name: frame.matrix for name, frame in robot.home.bodies.items()}
    T_0p = poses[robot.platform] @ robot.platform_frame.matrix
    at = rough_configuration(robot, topology, poses)
    return measure(topology, T_0p, at, length).mobility


def missing_leg(exam: Examination) -> Chain | None:
    """A leg whose twin would make as many motors as freedoms, all legs being alike and driven.

    What one more leg takes from the platform is known in two cases: nothing, if the legs there
    are forbid all the same; what each forbids by itself, if they forbid different things.
    """
    found = exam.chains
    if not found or len(alike(found)) != 1 or len({chain.driven for chain in found}) != 1:
        return None
    each, n = len(found[0].motors), exam.mobility
    if not each:
        return None
    taken = [_forbidden(exam, i) for i in range(len(found))]
    same = max(taken) == 6 - n
    apart = sum(taken) == 6 - n
    after = n if same else n - max(taken) if apart else -1
    return found[0] if after == len(exam.motors) + each else None


def _forbidden(exam: Examination, leg: int) -> int:
    """Freedoms that one leg alone takes from the platform (the hub being one body)."""
    at, length = exam.unlocked(exam.generic[0]), exam.length
    _, *rows = group_scales(at.topology, at.locks, length)
    E = scaled_legs(at, length)[leg]
    F = at.leg_blocks[leg].F / rows[leg][:, None]
    F[:, :6] *= exam.scales.twist
    return null_space(np.hstack([E, -F]))[0] - null_space(E)[0]
