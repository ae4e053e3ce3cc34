"""Equalities of MJCF: ``connect``, ``weld``, ``joint`` and ``tendon``, as loops and relations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base import spatial
from gough.base.arguments import nearest
from gough.robot.formats.mjcf.compiler import rotation_of
from gough.robot.formats.mjcf.defaults import Defaults
from gough.robot.formats.mjcf.tendons import Tendon, fixed_tendons
from gough.robot.formats.model import BASE, Model, Obstacle, Relation, Tie, place_of
from gough.robot.formats.points import Point, joined
from gough.robot.formats.xml import Node


def read_equalities(root: Node, model: Model, defaults: Defaults) -> None:
    """Add loops and relations to a model whose bodies are there."""
    poses, tendons = model.poses(), fixed_tendons(root)
    points: list[Point] = []
    for node in (child for block in root.all("equality") for child in block.children):
        full = defaults.apply(node, "")
        if full.get("active", "true") == "false":
            model.note("inactive", f"{node.label} in line {node.line} is not active: left out")
        elif node.tag == "connect":
            points.append(_connect(full, model, poses))
        elif node.tag == "weld":
            model.joints.append(_weld(full, model, poses))
        elif node.tag == "joint":
            _joint(full, model)
        elif node.tag == "tendon":
            _tendon(full, model, tendons)
        else:
            node.refuse(
                f"an equality of kind {node.tag!r} cannot be held",
                hint="Known: connect, weld, joint and tendon; active='false' leaves it out.",
            )
    model.joints += joined(points, {tie.name for tie in model.joints})


def _link(node: Node, name: str, model: Model) -> str:
    if name and name not in model.links:
        node.refuse(f"unknown body {name!r}", hint=nearest(name, model.links))
    return name or BASE


def _site(node: Node, key: str, model: Model) -> tuple[str, np.ndarray]:
    name = node.need(key)
    if name not in model.marks:
        node.refuse(f"unknown site {name!r}", hint=nearest(name, model.marks))
    return model.marks[name].link, model.marks[name].T


def _ends(
    node: Node, model: Model, poses: dict[str, np.ndarray]
) -> tuple[str, str, np.ndarray, np.ndarray, str]:
    """Both links, the poses of their common frame on each, and how it was read.

    In the form of bodies the frame on the second comes from the posture that the file draws.
    """
    if node.get("site1") or node.get("site2"):
        (one, T_1), (two, T_2) = _site(node, "site1", model), _site(node, "site2", model)
        return one, two, T_1, T_2, f"the sites {node.get('site1')!r} and {node.get('site2')!r}"
    one, two = _link(node, node.need("body1"), model), _link(node, node.get("body2"), model)
    T_1 = spatial.pose(np.eye(3), node.vector("anchor"))
    if one not in poses or two not in poses:
        node.refuse("its bodies are not joined to the world by the file's tree")
    T_2 = np.linalg.inv(poses[two]) @ poses[one] @ T_1
    return one, two, T_1, T_2, f"a point of {one!r} that {two!r} has as drawn"


def _connect(node: Node, model: Model, poses: dict[str, np.ndarray]) -> Point:
    one, two, T_1, T_2, how = _ends(node, model, poses)
    name = node.get("name") or _between(node, one, two)
    return Point(name, one, two, T_1, T_2, how, place_of(node))


def _between(node: Node, one: str, two: str) -> str:
    ends = (node.get("site1") or one, node.get("site2") or two)
    return "_".join(ends)


def _weld(node: Node, model: Model, poses: dict[str, np.ndarray]) -> Tie:
    one, two, T_1, T_2, how = _ends(node, model, poses)
    relative = node.numbers("relpose", None, (7,))
    if relative is not None and np.any(relative[3:]) and not node.get("site1"):
        # where the anchor of the second body is in the first, and how the second is turned
        T_1 = spatial.pose(rotation_of(relative[3:]), relative[:3])
        T_2 = spatial.pose(np.eye(3), node.vector("anchor"))
        how = f"the pose of {two!r} in {one!r} that it gives"
    name = node.get("name") or _between(node, one, two)
    loop = f"{name!r} welds {one!r} to {two!r}: {how}"
    return Tie(name, "fixed", one, two, T_1, T_2, loop=loop, place=place_of(node))


def _joint(node: Node, model: Model) -> None:
    """Add a relation between two joints, or a joint that is held."""
    names = [node.need("joint1"), *filter(None, [node.get("joint2")])]
    _related(node, model, {name: {name: 1.0} for name in names})


def _tendon(node: Node, model: Model, tendons: Mapping[str, Tendon]) -> None:
    """The same between sums of joint coordinates."""
    names = [node.need("tendon1"), *filter(None, [node.get("tendon2")])]
    for name in names:
        if name not in tendons:
            node.refuse(
                f"{name!r} is no fixed tendon, whose length is a sum of joint coordinates",
                hint=nearest(name, tendons),
            )
    _related(node, model, {name: tendons[name] for name in names})


def _related(node: Node, model: Model, lengths: Mapping[str, Tendon]) -> None:
    """Add a relation between two lengths, or one that is held: ``y - y0 = c0 + c1 (x - x0)``."""
    drawn: dict[str, float] = {}
    for joint in (joint for terms in lengths.values() for joint in terms):
        tie = model.joint(joint)
        if tie is None or tie.kind not in ("revolute", "prismatic"):
            known = [t.name for t in model.joints if t.kind in ("revolute", "prismatic")]
            node.refuse(f"unknown joint {joint!r}", hint=nearest(joint, known))
        drawn[joint] = float(tie.drawn[0])
    given = node.numbers("polycoef", (0.0, 1.0, 0.0, 0.0, 0.0))
    powers = [*([] if given is None else given.tolist()), *([0.0] * 5)][:5]
    names = list(lengths)
    if len(names) > 1 and any(powers[2:]):
        model.obstacles.append(
            Obstacle(
                frozenset(drawn),
                place_of(node),
                f"polycoef {powers} is not linear: {names[0]!r} does not follow {names[1]!r} as a "
                "gear",
                "A coupling is linear; make it so around the posture that is meant, or lock= all "
                f"of its joints at values that fit: lock={dict.fromkeys(drawn, 0.0)}.",
            )
        )
        return
    terms: dict[str, float] = {}
    for factor, own in zip((1.0, -powers[1]), lengths.values(), strict=False):
        for joint, c in own.items():
            terms[joint] = terms.get(joint, 0.0) + factor * c
    terms = {joint: c for joint, c in terms.items() if c}
    offset = powers[0] + sum(c * drawn[joint] for joint, c in terms.items())
    name = node.get("name") or (f"{names[0]}_held" if len(names) == 1 else "_follows_".join(names))
    model.relate(Relation(name, terms, offset, place_of(node)))
