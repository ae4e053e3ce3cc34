"""How the platform can move, and how that was found."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.mechanism.mobility.freedoms import FREEDOMS
from gough.robot.finding import NOTE, Finding

_SAME = 1e-6  # differences of unit twists between postures, which are assembled to 1e-11


def look_at_mobility(exam: Examination) -> Iterator[Finding]:
    """The mobility with the figures that prove it."""
    a, robot = exam.assembly, exam.robot
    ranks = exam.ranks[exam.generic[0]]
    loops = len(robot.joints) - len(robot.bodies)
    joints = sum(j.freedoms for j in robot.joints)
    count = joints - 6 * loops - len(robot.couplings)
    how = (
        f"found by rank: {ranks.columns} joint rates and 6 of the platform, {ranks.rows} closure "
        f"rows of rank {ranks.all} at {words.counted(len(exam.generic), 'posture')} around home; "
        f"Gruebler's count is {count}"
    )
    if count != a.mobility:
        held = len(a.topology.locked)
        how += f" = {a.mobility} of the platform" + (f" + {len(a.idle)} idle" if a.idle else "")
        how += f" + {held} held" if held else ""
        how += f" - {words.counted(a.over_constraint, 'over-constraint')}" * bool(a.over_constraint)
    yield Finding(
        "mobility",
        NOTE,
        f"{words.counted(a.mobility, 'degree')} of freedom: {freedom_in_words(exam)}; {how}",
        data={
            "mobility": a.mobility,
            "freedoms": list(a.freedoms),
            "constant_map": _is_constant(exam),
            "joint_rates": ranks.columns,
            "closure_rows": ranks.rows,
            "rank": ranks.all,
            "postures": len(exam.generic),
            "joint_freedoms": joints,
            "loops": loops,
            "couplings": len(robot.couplings),
            "gruebler": count,
        },
    )


def freedom_in_words(exam: Examination) -> str:
    """What the platform can do: ``it can translate along x, y and z``."""
    a = exam.assembly
    if a.mobility == 0:
        return "the platform cannot move"
    if a.mobility == 6:
        return "the platform moves freely in space"
    own = words.listed(a.freedoms)
    followers = [name for name in FREEDOMS if name not in a.freedoms]
    if a.mobility == 1:
        V = exam.twists(exam.usual)[:, 0]
        return f"the platform can {words.motion(V, exam.origin(exam.usual), exam.length)}" + (
            "" if _same_screw(exam) else " at home; elsewhere its motion is another"
        )
    kind = exam.kind
    if kind.name == "rotational" and kind.point is not None:
        return f"the platform turns about the fixed point {words.figures(kind.point)} m by {own}"
    if _is_constant(exam):
        twists = exam.twists(exam.usual)
        found = words.motions(twists, exam.origin(exam.usual), exam.length)
        return f"the platform can {words.listed(found)}, in the same way in every posture"
    if kind.name == "planar" and kind.axis is not None:
        where = f"in the plane normal to {words.direction(kind.axis)}"
        return f"the platform moves {where}: {own} may be chosen, the rest follows with the pose"
    follow = f"{words.listed(followers)} follow{'s' * (len(followers) == 1)}"
    return f"of the platform {own} may be chosen, {follow} with the pose"


def _is_constant(exam: Examination) -> bool:
    """Whether the platform has the same twists in every regular posture."""
    spaces = [exam.ranks[i].platform for i in (exam.usual, *exam.generic)]
    return all(np.abs(B @ B.T - spaces[0] @ spaces[0].T).max() < 1e-9 for B in spaces)


def _same_screw(exam: Examination) -> bool:
    """Whether a machine with one freedom moves about or along the same line in every posture."""
    found = []
    for sample in (exam.usual, *exam.generic):
        V = exam.twists(sample)[:, 0]
        at_base = np.concatenate([V[:3] - np.cross(V[3:], exam.origin(sample)), V[3:]])
        natural = at_base / exam.scales.twist
        found.append(natural / np.linalg.norm(natural))
    return all(1.0 - abs(float(found[0] @ other)) < _SAME**2 * 50.0 for other in found)
