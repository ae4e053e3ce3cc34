"""Joints of like legs compared by where they sit: on base and platform, and on the legs' bodies.

Points on base and platform are compared by the symmetry of all legs, points on bodies of the legs
in the axes of these, or by their distances where each leg has frames of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from gough.analysis.doctor.likeness import Chain
from gough.analysis.doctor.symmetry import SAME, Odd, odd_point, odd_value
from gough.base.english import counted, figures, listed
from gough.robot import Frame, Joint
from gough.robot.finding import WARNING, Finding

_LIKE = 0.3  # share of a body's size by which a mistaken point is off; more is another design
_SMALL = 0.05  # the same as a share of the machine, for bodies whose joints coincide
_DUST = 1e-9  # of a length [m]
_FEW = 3  # legs of which two may agree by chance

End = Literal["parent", "child"]


class Place(NamedTuple):
    """A joint of every leg of a group, one of its ends, and how many joints from the base it is."""

    joints: tuple[Joint, ...]
    end: End
    depth: int

    @property
    def frames(self) -> list[Frame]:
        """Frames of the joints at this end."""
        return [j.parent_frame if self.end == "parent" else j.child_frame for j in self.joints]

    @property
    def points(self) -> np.ndarray:
        """Positions, axes of the bodies [m] ``(n, 3)``."""
        return np.array([frame.position for frame in self.frames])

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that they sit on."""
        return tuple(j.parent if self.end == "parent" else j.child for j in self.joints)


def places(group: list[Chain]) -> list[Place]:
    """Every end of every joint of like legs."""
    ends: tuple[End, End] = ("parent", "child")
    return [
        Place(tuple(chain.joints[k] for chain in group), end, group[0].depths[k])
        for k in range(len(group[0].joints))
        for end in ends
    ]


def points_on_hub(group: list[Chain], hub: set[str]) -> Iterator[Finding]:
    """Points on base and platform, which all legs share."""
    every = places(group)
    shared, like = [place for place in every if set(place.bodies) <= hub], _SMALL * _extent(every)
    left: list[Place] = []
    for place in shared:
        others = [p.points for p in shared if p is not place and p.bodies == place.bodies]
        odd = odd_point(place.points, others, like=like)
        if odd is not None:
            yield _odd_point(place, odd)
        else:
            left.append(place)
    # bars side by side: mirror images of each other, which only both together show
    for one, two in combinations(left, 2):
        if one.depth == two.depth and (one.end, one.bodies) == (two.end, two.bodies):
            both = Place(one.joints + two.joints, one.end, one.depth)
            odd = odd_point(both.points, like=like, mirrored=False)
            if odd is not None:
                yield _odd_point(both, odd, len(group) - 1)


def points_in_legs(group: list[Chain], hub: set[str]) -> list[Finding]:
    """Points on bodies of the legs; where frames differ from leg to leg, distances of points."""
    every = places(group)
    own = [place for place in every if not set(place.bodies) & hub]
    found: list[Finding] = []
    left: list[Place] = []
    named: list[Place] = []
    for place in own:
        same = np.concatenate([p.points for p in own if p.bodies == place.bodies])
        size = float(np.linalg.norm(same, axis=1).max())
        odd = _odd_in_body(place.points, max(_LIKE * size, _SMALL * _extent(every)))
        # bodies that are drawn in axes of the base
        odd = odd or odd_point(place.points, mirrored=False)
        if odd is not None:
            found.append(_odd_point(place, odd))
            named.append(place)
        elif np.ptp(np.abs(place.points), axis=0).max() > SAME * size:
            left.append(place)
    for bodies in dict.fromkeys(place.bodies for place in left):
        ends = [place for place in own if place.bodies == bodies]
        if not any(place in named for place in ends):
            found += _odd_lengths(ends)
    return found


def _extent(places: list[Place]) -> float:
    """Largest distance along an axis between points of one kind: the machine's size [m]."""
    return max(float(np.ptp(place.points, axis=0).max()) for place in places)


def _odd_lengths(ends: list[Place]) -> list[Finding]:
    """A distance of joints on a body that one leg has otherwise.

    If several differ they must have a joint in common: otherwise it is a body of another shape.
    """
    odd: list[tuple[int, float, float, tuple[str, str]]] = []
    for one, two in combinations(ends, 2):
        lengths = np.linalg.norm(one.points - two.points, axis=1)
        differing = odd_value(lengths.tolist(), SAME)
        if differing is not None and abs(lengths[differing[0]] / differing[1] - 1.0) < _LIKE:
            k, usual = differing
            names = one.joints[k].name, two.joints[k].name
            odd.append((k, float(lengths[k]), usual, names))
    if not odd or len({k for k, *_ in odd}) > 1:
        return []
    common = set.intersection(*(set(names) for *_, names in odd))
    if not common:
        return []
    k, length, usual, names = max(odd, key=lambda each: abs(each[1] - each[2]))
    body = ends[0].bodies[k]
    text = (
        f"joints {names[0]!r} and {names[1]!r} are {length:.6g} m apart on {body!r}, in the "
        f"{counted(len(ends[0].joints) - 1, 'leg')} like it {usual:.6g} m: {length - usual:+.4g} m"
    )
    where = " or ".join(repr(name) for name in names if name in common)
    return [
        Finding(
            "odd-length",
            WARNING,
            text,
            f"If it is not meant, mend the position of {where}.",
            joints=names,
            bodies=(body,),
            data={"length": length, "expected": usual},
        )
    ]


def _odd_in_body(points: np.ndarray, like: float) -> Odd | None:
    """A point whose coordinates differ from those of all others, each on its own like body.

    Legs may be mirrored: signs do not count, but among three legs, where two mirrored points that
    are drawn in axes of the base would look like a majority.

    Args:
        points: one of each leg, axes of their bodies [m].
        like: distance up to which a point is a mistaken one [m].
    """
    size = np.abs(points) if len(points) > _FEW else points
    for k in range(len(points)):
        rest = np.delete(size, k, axis=0)
        off = float(np.abs(size[k] - rest[0]).max())
        near = SAME * float(np.linalg.norm(rest, axis=1).max()) + _DUST
        if np.ptp(rest, axis=0).max() <= near < off < like:
            expected = rest.mean(axis=0)
            if len(points) > _FEW:
                expected = np.where(points[k] < 0.0, -1.0, 1.0) * expected
            return Odd(k, expected, "the same on all of these bodies")
    return None


def _odd_point(place: Place, odd: Odd, legs: int | None = None) -> Finding:
    joint, body, here = place.joints[odd.which], place.bodies[odd.which], place.points[odd.which]
    apart = here - odd.expected
    large = np.abs(apart) > 0.01 * np.abs(apart).max()
    which = listed(
        [f"{name} by {apart[i]:+.4g} m" for i, name in enumerate("xyz") if large[i]], "and"
    )
    count = len(place.joints) - 1 if legs is None else legs
    off = float(np.linalg.norm(apart))
    text = (
        f"joint {joint.name!r} sits on {body!r} at {figures(here)} m, the {counted(count, 'leg')} "
        f"like its own suggest {figures(odd.expected)} m ({odd.words}): {which}, "
        f"{off:.4g} m in all"
    )
    joints, bodies = [joint.name], [body]
    if odd.partner is not None:
        other = place.joints[odd.partner]
        text += f"; or it is {other.name!r}, its mirror image, that is off"
        joints.append(other.name)
        bodies.append(place.bodies[odd.partner])
    return Finding(
        "odd-point",
        WARNING,
        text,
        f"If it is not meant, mend joints.{joint.name}.{place.end}_frame.position.",
        joints=tuple(joints),
        bodies=tuple(dict.fromkeys(bodies)),
        data={
            "end": place.end,
            "position": here.tolist(),
            "expected": odd.expected.tolist(),
            "difference": apart.tolist(),
            "distance": off,
            "symmetry": odd.words,
        },
    )
