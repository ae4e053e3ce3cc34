"""Which link is the base, and which part of the file is the machine on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import quoted
from gough.errors import FileError, InputError, shown
from gough.robot.formats.model import BASE, FREE, Link, Mark, Model, Tie
from gough.robot.formats.naming import their_name

OUTSIDE = "the world outside"
"""The world, where another link is the base."""

_HEAVIER = 10.0  # a link that outweighs every other candidate by this is taken for the base


def resolve(model: Model, name: str, argument: str) -> Mark:
    """The link that a name means, and the frame on it: a body, a site, a frame or a merged link."""
    name = their_name(name, [*model.links, *model.marks])
    if name in model.links:
        return Mark(name, np.eye(4))
    if name in model.marks:
        return model.marks[name]
    known = [*(n for n in model.links if n != BASE), *model.marks]
    raise InputError(
        f"{argument}={shown(name)} is no body, site, frame or link of {model.file}",
        hint=nearest(name, known),
        argument=argument,
    )


def rooted(model: Model, base: str | None) -> Model:
    """The model with its base called :data:`BASE`, in the place where the file draws it."""
    name = _found_base(model) if base is None else resolve(model, base, "base").link
    if name == BASE:
        return model
    T_0 = model.poses()[name] if name in model.poses() else np.eye(4)
    if base is not None:
        model.note("base", f"{name!r} is the base, held where the file draws it")
    # whatever hangs on the base by joints of the tree does not float any longer
    hanging = _hanging(model, name)
    floating = [t for t in model.joints if t.kind == FREE and t.child not in hanging]
    joints = [tie for tie in model.joints if tie.kind != FREE]
    joints = [_renamed(tie, BASE, OUTSIDE) for tie in joints]
    ties = floating
    for tie in joints:
        found = _renamed(tie, name, BASE)
        if tie.parent == name:
            found = replace(found, T_A=T_0 @ tie.T_A)
        if tie.child == name:
            found = replace(found, T_B=T_0 @ tie.T_B)
        ties.append(found)
    links = {n: link for n, link in model.links.items() if n not in (name, BASE)}
    if any(OUTSIDE in (tie.parent, tie.child) for tie in ties):
        links[OUTSIDE] = Link(OUTSIDE)
    own = model.links[BASE].looks if BASE in model.links and OUTSIDE not in links else ()
    held = model.links[name].looks
    links[BASE] = Link(BASE, looks=(*own, *(look.moved(T_0) for look in held)))
    marks = {}
    for each, mark in model.marks.items():
        if mark.link == name:
            marks[each] = Mark(BASE, T_0 @ mark.T)
        elif mark.link != BASE:
            marks[each] = mark
    marks.setdefault(name, Mark(BASE, T_0))
    return replace(model, links=links, joints=ties, marks=marks)


def _hanging(model: Model, name: str) -> set[str]:
    """Links that joints of the file's tree join to a link, itself included; not by the world."""
    reached, waiting = {name}, [name]
    held = [tie for tie in model.joints if tie.kind != FREE and not tie.loop]
    while waiting:
        here = waiting.pop()
        for tie in held:
            for a, b in ((tie.parent, tie.child), (tie.child, tie.parent)):
                if a == here and b not in reached and b != BASE:
                    reached.add(b)
                    waiting.append(b)
    return reached


def _renamed(tie: Tie, old: str, new: str) -> Tie:
    """A tie whose link has another name."""
    parent = new if tie.parent == old else tie.parent
    return replace(tie, parent=parent, child=new if tie.child == old else tie.child)


def _found_base(model: Model) -> str:
    """The base of a file that nobody has named."""
    joints = [tie for tie in model.joints if tie.kind != FREE]
    if any(BASE in (tie.parent, tie.child) for tie in joints):
        return BASE
    if model.root and joints:  # a root without mass may be a frame on what is fixed to it
        return resolve(model, model.root, "base").link
    if not joints:
        raise FileError("holds no joints", file=model.file, hint="Is this the right file?")
    children = {tie.child for tie in joints if not tie.loop}
    roots = [n for n in model.links if n != BASE and n not in children and _joined(n, joints)]
    roots = roots or [n for n in model.links if n != BASE]
    heavy = sorted(roots, key=lambda n: -model.links[n].mass)
    first = heavy[0]
    if len(heavy) > 1 and model.links[first].mass < _HEAVIER * model.links[heavy[1]].mass:
        raise FileError(
            f"nothing is fixed to the world, and {quoted(roots[:6], 'or')} may be the base",
            file=model.file,
            hint=f"Say which link stands still: base={roots[0]!r}.",
        )
    why = "it carries the others" if len(heavy) == 1 else "the heaviest link that hangs on none"
    model.warn(
        "base",
        f"nothing is fixed to the world: {first!r} is taken for the base, {why}",
        f"If another link stands still, say base=; base={first!r} says that it is meant.",
    )
    return first


def _joined(name: str, joints: Iterable[Tie]) -> bool:
    return any(name in (tie.parent, tie.child) for tie in joints)


def component(model: Model, platform: str) -> Model:
    """The part of the machine that moves the platform: what hangs on the base elsewhere goes.

    What a coupling moves with it is part of it, as the other finger of a gripper.
    """
    held = [tie for tie in model.joints if tie.kind != FREE]
    pairs = [(tie.parent, tie.child) for tie in held]
    for relation in model.relations:
        ends = [{t.parent, t.child} - {BASE} for t in held if t.name in relation.terms]
        pairs += [(a, b) for one, two in pairwise(ends) for a in one for b in two]
    reached, waiting = {platform}, [platform]
    while waiting:
        here = waiting.pop()
        for pair in pairs:
            for a, b in (pair, pair[::-1]):
                if a == here and b not in reached and b != BASE:
                    reached.add(b)
                    waiting.append(b)
    if OUTSIDE in reached:
        raise FileError(
            "the base that is named leaves the world itself hanging on the platform's side",
            file=model.file,
            hint="Choose a base between the world and the loops, or leave base= out.",
        )
    ties = [t for t in model.joints if {t.parent, t.child} & reached]
    if not any(BASE in (tie.parent, tie.child) for tie in ties if tie.kind != FREE):
        if all(tie.kind == FREE for tie in ties):
            raise FileError(
                f"the platform {platform!r} floats: no joint and no loop of the file holds it",
                file=model.file,
                hint="Exporters lose loops: has the file any, as <equality>? A URDF takes them as "
                "loops=[...]. Or name another platform.",
            )
        raise FileError(
            f"no chain of joints leads from the base to the platform {platform!r}",
            file=model.file,
            hint="Say which link stands still: base=...",
        )
    left = [name for name in model.links if name not in reached and name != BASE]
    if left:
        shown_names = quoted(left[:8]) + (" and others" if len(left) > 8 else "")
        model.note("apart", f"not part of the machine between base and platform: {shown_names}")
    names = {tie.name for tie in ties}
    marks = {n: m for n, m in model.marks.items() if m.link in reached or m.link == BASE}
    relations = [r for r in model.relations if set(r.terms) & names]
    for relation in relations:
        if not set(relation.terms) <= names:
            relation.place.refuse("couples a joint of the machine to one that is not part of it")
    return replace(
        model,
        links={n: link for n, link in model.links.items() if n in reached or n == BASE},
        joints=ties,
        marks=marks,
        relations=relations,
        drives=[drive for drive in model.drives if drive.joint in names],
    )
