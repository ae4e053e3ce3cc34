"""Over-constraint: how many closure rows say nothing new, and in which loops they are.

The share of a loop is the rank that its own rows lack; what the whole machine lacks beyond the
shares of its parts lies between the legs.  None of it depends on an order of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.mechanism.closure.dense import dense
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.singular import null_space
from gough.mechanism.topology.topology import Closing, Leg
from gough.mechanism.topology.tree import Tree
from gough.robot.finding import NOTE, Finding
from gough.robot.joint_kinds import KINDS


@dataclass(frozen=True)
class Share:
    """Redundant rows of one part of the machine.

    Attributes:
        part: ``inner`` (loops within a leg), ``leg`` (a leg that holds the hub several times),
            ``hub`` (loops of the hub), ``between`` (legs together).
        count: how many.
        legs: names of the legs concerned.
        joints: joints of the loops.
    """

    part: str
    count: int
    legs: tuple[str, ...]
    joints: tuple[str, ...]


def look_at_loops(exam: Examination) -> Iterator[Finding]:
    """The order of over-constraint and where it is."""
    order = exam.assembly.over_constraint
    if not order:
        return
    shares = find_shares(exam)
    joints = [joint for share in shares for joint in share.joints]
    yield Finding(
        "over-constrained",
        NOTE,
        f"{words.counted(order, 'closure row')} {'is' if order == 1 else 'are'} redundant: "
        f"{'; '.join(_sentences(shares))}",
        advice="The machine moves because its axes are exact. Motor efforts do not depend on it; "
        "forces in the bearings of these loops are not determined by rigid bodies."
        if exam.mobility
        else "",
        joints=tuple(dict.fromkeys(joints)),
        data={"order": order, "shares": words.plain(shares)},
    )


def find_shares(exam: Examination) -> list[Share]:
    """Redundant rows by loop, in a generic posture."""
    at, topology = exam.unlocked(exam.generic[0]), exam.assembly.topology
    matrix, rows = dense(at, exam.length).rows, _rows(at)

    def lacking(closings: Iterable[Closing]) -> int:
        """Rows of some closing joints, less their rank."""
        own = [row for c in closings for row in rows[c.joint.name]]
        return len(own) - null_space(matrix[own])[0]

    found: list[Share] = []
    own_hub = lacking(topology.hub_closings)
    if own_hub:
        joints = _loop_joints(topology.hub, topology.hub_closings)
        found.append(Share("hub", own_hub, (), joints))
    own: list[int] = []
    for leg in topology.legs:
        inner = tuple(c for c in leg.closings if not c.far_on_hub)
        in_loops, in_all = lacking(inner), lacking(leg.closings)
        own.append(in_all)
        if in_loops:
            found.append(Share("inner", in_loops, (leg.name,), _loop_joints(leg.tree, inner)))
        if in_all > in_loops:
            found.append(Share("leg", in_all - in_loops, (leg.name,), leg_joints(leg)))
    total = lacking(chain.from_iterable(topology.closings))
    left = total - own_hub - sum(own)
    if left:
        involved = [
            leg
            for leg, mine in zip(topology.legs, own, strict=True)
            if total - lacking(c for g in topology.closings if g is not leg.closings for c in g)
            > mine
        ]
        joints = tuple(c.joint.name for leg in involved for c in leg.closings if c.far_on_hub)
        found.append(Share("between", left, tuple(leg.name for leg in involved), joints))
    return found


def leg_joints(leg: Leg) -> tuple[str, ...]:
    """All joints of a leg, base first."""
    names = [link.joint for link in leg.tree.links] + [c.joint.name for c in leg.closings]
    return tuple(dict.fromkeys(name for name in names if name))


def _rows(at: Equations) -> dict[str, range]:
    """Rows of each loop joint; rows that hold a joint come after the others of its tree."""
    found, start = {}, 0
    for closings, held in zip(at.topology.closings, at.locks.trees, strict=True):
        for c in closings:
            found[c.joint.name] = range(start, start + len(KINDS[c.joint.kind].rows))
            start = found[c.joint.name].stop
        start += len(held)
    return found


def _loop_joints(tree: Tree, closings: tuple[Closing, ...]) -> tuple[str, ...]:
    """Joints of the loops that some joints close."""
    found: list[str] = []
    for c in closings:
        around = set(tree.path(c.near.link)) ^ set(tree.path(c.far.link))
        found += [tree.links[k].joint for k in sorted(around)]
        found.append(c.joint.name)
    return tuple(dict.fromkeys(name for name in found if name))


def _sentences(shares: list[Share]) -> list[str]:
    """Shares in words; legs with equal shares in one sentence."""
    found = []
    for part, what in (("inner", "in the inner loop"), ("leg", "in the hold on the hub")):
        alike: dict[int, list[Share]] = {}
        for share in shares:
            if share.part == part:
                alike.setdefault(share.count, []).append(share)
        for count, group in alike.items():
            names = [name for share in group for name in share.legs]
            whose = (
                f"of leg {names[0]!r}" if len(names) == 1 else f"of each leg {words.quoted(names)}"
            )
            around = f" ({'; '.join(', '.join(share.joints) for share in group)})"
            found.append(f"{count} {what} {whose}{around}")
    for share in shares:
        if share.part == "hub":
            found.append(f"{share.count} in the loops of the hub ({', '.join(share.joints)})")
        if share.part == "between":
            found.append(f"{share.count} between the legs {words.quoted(share.legs)}")
    return found
