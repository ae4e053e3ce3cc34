"""Links that a file's fixed joints hold together, made one; their names stay as frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.base import spatial
from gough.base.english import quoted
from gough.robot.formats.looks import Look
from gough.robot.formats.model import BASE, FREE, Link, Mark, Model, Tie
from gough.robot.frame import Frame
from gough.robot.inertia import MassProperties, composite


def lumped(model: Model) -> Model:
    """The model without fixed joints of its tree."""
    model = _landed(model)
    fixed = [tie for tie in model.joints if tie.kind == "fixed" and not tie.loop]
    if not fixed:
        return model
    at = {name: Mark(name, np.eye(4)) for name in model.links}
    for tie in _outwards(fixed):
        root, T = at[tie.parent].link, at[tie.parent].T @ tie.across()
        moved = [name for name, mark in at.items() if mark.link == at[tie.child].link]
        T_child = at[tie.child].T
        for name in moved:  # a child that carries others brings them along
            at[name] = Mark(root, T @ np.linalg.inv(T_child) @ at[name].T)
    groups: dict[str, list[str]] = {}
    for name, mark in at.items():
        groups.setdefault(mark.link, []).append(name)
    groups = dict(_by_mass(model, root, names, at) for root, names in groups.items())
    found = replace(
        model,
        links={
            root: replace(_solid(model, root, names, at), looks=_looks(model, names, at))
            for root, names in groups.items()
        },
        joints=[_seated(tie, at) for tie in model.joints if tie not in fixed],
        marks={n: Mark(at[m.link].link, at[m.link].T @ m.T) for n, m in model.marks.items()},
    )
    for name, mark in at.items():
        if name != mark.link:
            found.marks.setdefault(name, mark)
    merged = {root: [n for n in names if n != root] for root, names in groups.items()}
    for root, names in merged.items():
        if names:
            what = "the base" if root == BASE else repr(root)
            found.note(
                "merged",
                f"{quoted(names[:8])}{' and others' if len(names) > 8 else ''} "
                f"{'is' if len(names) == 1 else 'are'} fixed to {what}: one body",
                bodies=list(names),
            )
    return found


def _landed(model: Model) -> Model:
    """The model with floating links fixed to the world where a weld holds them: that is no loop."""
    joints = list(model.joints)
    for weld in [tie for tie in joints if tie.kind == "fixed" and tie.loop]:
        near, far, T_A, T_B = weld.parent, weld.child, weld.T_A, weld.T_B
        if far == BASE:
            near, far, T_A, T_B = far, near, T_B, T_A
        free = next((tie for tie in joints if tie.kind == FREE and tie.child == far), None)
        if near != BASE or free is None:
            continue
        model.note("welded", weld.loop, joint=weld.name)
        fixed = Tie(weld.name, weld.kind, near, far, T_A, T_B, place=weld.place)
        joints[joints.index(weld)] = fixed
        joints.remove(free)
    return replace(model, joints=joints)


def _by_mass(
    model: Model, root: str, names: list[str], at: dict[str, Mark]
) -> tuple[str, list[str]]:
    """A group under the name of its first link that has a mass: others are frames on it."""
    heavy = [name for name in [root, *names] if model.links[name].mass > 0.0]
    if root == BASE or not heavy or heavy[0] == root:
        return root, names
    T = np.linalg.inv(at[heavy[0]].T)
    for name in names:
        at[name] = Mark(heavy[0], T @ at[name].T)
    return heavy[0], names


def _outwards(fixed: list[Tie]) -> list[Tie]:
    """Fixed ties with those nearer to the base first, so that roots are as near as can be."""
    children = {tie.child for tie in fixed}
    order = [tie for tie in fixed if tie.parent not in children]
    left = [tie for tie in fixed if tie.parent in children]
    done = {tie.child for tie in order}
    while left:
        ready = [tie for tie in left if tie.parent in done] or left
        order += ready
        left = [tie for tie in left if tie.parent not in done] if ready is not left else []
        done |= {tie.child for tie in ready}
    return order


def _solid(model: Model, root: str, names: list[str], at: dict[str, Mark]) -> Link:
    own = model.links[root]
    heavy = [model.links[name] for name in names if model.links[name].mass > 0.0]
    bare = [n for n in names if model.links[n].mass == 0.0 and np.any(model.links[n].inertia)]
    unknown = next((x for x in (model.links[n].unknown for n in names) if x is not None), None)
    if root == BASE:
        return own
    own = replace(own, unknown=unknown)
    if not heavy:
        return own
    if names == [root]:
        return own
    parts: list[tuple[MassProperties, Frame]] = [
        (
            {"mass": x.mass, "center": tuple(x.center), "inertia": x.inertia},  # type: ignore[typeddict-item]
            Frame.from_matrix(at[x.name].T),
        )
        for x in heavy
    ]
    sum_of = composite(parts)
    inertia = np.array(sum_of["inertia"])
    for name in bare:  # an inertia without a mass: a rotor, wherever it sits
        R = at[name].T[:3, :3]
        inertia = inertia + R @ model.links[name].inertia @ R.T
    return replace(own, mass=sum_of["mass"], center=np.array(sum_of["center"]), inertia=inertia)


def _looks(model: Model, names: list[str], at: dict[str, Mark]) -> tuple[Look, ...]:
    return tuple(look.moved(_clean(at[n].T)) for n in names for look in model.links[n].looks)


def _seated(tie: Tie, at: dict[str, Mark]) -> Tie:
    a, b = at[tie.parent], at[tie.child]
    if a.link == b.link and tie.kind != "free":
        tie.place.refuse(
            f"joins {tie.parent!r} and {tie.child!r}, which are fixed to each other",
            hint="Take the joint away, or the fixed joints between its links.",
        )
    return replace(
        tie, parent=a.link, child=b.link, T_A=_clean(a.T @ tie.T_A), T_B=_clean(b.T @ tie.T_B)
    )


def _clean(T: np.ndarray) -> np.ndarray:
    """A product of frames, orthogonal again."""
    U, _, Vt = np.linalg.svd(T[:3, :3])
    error = float(np.abs(T[:3, :3].T @ T[:3, :3] - np.eye(3)).max())
    return T if error < 1e-14 else spatial.pose(U @ Vt, T[:3, 3])
