"""Legs that are alike; a joint or motor in which one of them differs is a likely mistake."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gough.mechanism.topology.topology import Leg, Topology
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import KINDS

Place = tuple[int, int]
"""A joint of a leg by its number from the base, and an axis of that joint."""


@dataclass(frozen=True)
class Chain:
    """A leg as the joints met from the base outwards.

    Attributes:
        leg: its name.
        joints: in order of their distance from the base.
        depths: number of joints between each and the base.
        motors: actuated axes of the leg.
    """

    leg: str
    joints: tuple[Joint, ...]
    depths: tuple[int, ...]
    motors: tuple[str, ...]

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """What makes legs alike: kinds of joints by distance from the base."""
        return tuple(zip(self.depths, (j.kind for j in self.joints), strict=True))

    @cached_property
    def places(self) -> dict[str, Place]:
        """Place of every axis."""
        return {
            name: (i, k) for i, j in enumerate(self.joints) for k, name in enumerate(j.axis_names)
        }

    @property
    def driven(self) -> tuple[Place, ...]:
        """Places of the motors."""
        return tuple(sorted(self.places[name] for name in self.motors))

    def axis_at(self, place: Place) -> str:
        """Name of the axis at a place."""
        return self.joints[place[0]].axis_names[place[1]]

    def letters(self) -> str:
        """``U P* S``, joints of equal distance side by side."""
        driven = {i for i, _ in self.driven}
        return " ".join(
            KINDS[j.kind].letter + "*" * (i in driven) for i, j in enumerate(self.joints)
        )


def chains(robot: Robot, topology: Topology) -> list[Chain]:
    """Every leg of a robot as a chain."""
    return [_chain(robot, topology, leg) for leg in topology.legs]


def _chain(robot: Robot, topology: Topology, leg: Leg) -> Chain:
    own = set(leg.tree.bodies) - {robot.base}
    names = {c.joint.name for c in leg.closings} | {link.joint for link in leg.tree.links}
    pending = [j for j in robot.joints if j.name in names or {j.parent, j.child} & own]
    reached = {robot.base}
    ordered: list[Joint] = []
    depths: list[int] = []
    depth = 0
    while pending:
        step = [j for j in pending if {j.parent, j.child} & reached]
        if not step:
            break
        ordered += step
        depths += [depth] * len(step)
        reached |= {end for j in step for end in (j.parent, j.child)} - set(topology.hub.bodies)
        pending = [j for j in pending if j not in step]
        depth += 1
    axes = {name for j in ordered for name in j.axis_names}
    motors = tuple(name for name in robot.motors if name in axes)
    return Chain(leg.name, tuple(ordered), tuple(depths), motors)


def alike(found: list[Chain]) -> list[list[Chain]]:
    """Groups of legs with the same joints, the largest first."""
    groups: dict[tuple[tuple[int, str], ...], list[Chain]] = {}
    for chain in found:
        groups.setdefault(chain.kinds, []).append(chain)
    return sorted(groups.values(), key=lambda group: -len(group))


def odd_joints(found: list[Chain]) -> list[tuple[Chain, Joint, str]]:
    """Joints that set one leg apart from a larger group: leg, joint, kind the others have."""
    groups = alike(found)
    result = []
    for chain in (chain for group in groups if len(group) < len(groups[0]) for chain in group):
        other = groups[0][0]
        differing = [
            (mine, theirs.kind)
            for mine, theirs in zip(chain.joints, other.joints, strict=False)
            if mine.kind != theirs.kind
        ]
        if chain.depths == other.depths and len(differing) == 1:
            result.append((chain, *differing[0]))
    return result


def odd_motors(found: list[Chain]) -> list[tuple[Chain, tuple[str, ...]]]:
    """Legs driven elsewhere than all their likes: leg, axes that the likes would drive."""
    result = []
    for group in alike(found):
        places = [chain.driven for chain in group]
        usual = max(places, key=places.count)
        strangers = [chain for chain in group if chain.driven != usual]
        if len(group) >= 3 and len(strangers) == 1 and usual:
            chain = strangers[0]
            result.append((chain, tuple(chain.axis_at(place) for place in usual)))
    return result


def stray_motor(found: list[Chain]) -> tuple[Chain, str, Chain, str] | None:
    """A motor that sits in another leg: the leg that lacks it, its axis there, and where it is."""
    for group in alike(found):
        places = [set(chain.driven) for chain in group]
        for usual in places:
            short = [c for c, driven in zip(group, places, strict=True) if driven < usual]
            long = [c for c, driven in zip(group, places, strict=True) if driven > usual]
            if len(short) != 1 or len(long) != 1 or places.count(usual) != len(group) - 2:
                continue
            lacking, extra = usual - set(short[0].driven), set(long[0].driven) - usual
            if len(lacking) == len(extra) == 1:
                axes = (short[0].axis_at(*lacking), long[0].axis_at(*extra))
                return short[0], axes[0], long[0], axes[1]
    return None
