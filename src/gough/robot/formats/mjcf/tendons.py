"""Fixed tendons of MJCF: sums of joint coordinates, which equalities hold and actuators pull."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.robot.formats.mjcf.defaults import Defaults
from gough.robot.formats.model import Model, Obstacle, place_of
from gough.robot.formats.xml import Node

Tendon = Mapping[str, float]
"""How far a tendon moves with each of its joints."""

_FORCES = {
    "stiffness": "springs",
    "damping": "damping",
    "frictionloss": "friction",
    "armature": "armature",
}  # of tendons, and how they are dropped

_ALONE = 1e-9  # singular values of motions that relations forbid, of coefficients about one


def fixed_tendons(root: Node) -> dict[str, Tendon]:
    """Fixed tendons of a file by name."""
    found: dict[str, Tendon] = {}
    for tendon in (each for block in root.all("tendon") for each in block.all("fixed")):
        terms: dict[str, float] = {}
        for joint in tendon.all("joint"):
            name = joint.need("joint")
            terms[name] = terms.get(name, 0.0) + joint.number("coef", 1.0)
        if tendon.get("name") and terms:
            found[tendon.get("name")] = terms
    return found


def acting(tendon: Node, model: Model, defaults: Defaults) -> Obstacle | None:
    """What a tendon does to the machine that no robot here can have, if it does something."""
    full = defaults.apply(tendon, "")
    words = frozenset(w for key, w in _FORCES.items() if np.any(full.numbers(key, (0.0,))))
    if not words:
        return None
    names = {child.get("joint") for child in tendon.all("joint")}
    sites = {child.get("site") or child.get("sidesite") for child in tendon.all("site", "geom")}
    names |= {model.marks[site].link for site in sites if site in model.marks}
    return Obstacle(
        frozenset(names),
        place_of(tendon),
        "a tendon with stiffness, damping, friction or armature acts on the machine and cannot be "
        "held",
        "Take it out of the tendon, or put it on a joint: stiffness=, springref=, damping=, "
        f"frictionloss=, armature=. Or leave it out: drop={sorted(words)}.",
        words,
    )


def pulled(tendon: Tendon, model: Model) -> tuple[str, float]:
    """A joint that a tendon pulls, and how far it moves with it; no joint if it pulls several.

    Joints that couplings make one, as the fingers of a gripper, count as the first of them: a pull
    does the same work on it.
    """
    first = next(iter(tendon))
    names = sorted({*tendon, *(name for r in model.relations for name in r.terms)})
    place = {name: k for k, name in enumerate(names)}
    rows = np.zeros((len(model.relations), len(names)))
    for row, relation in zip(rows, model.relations, strict=True):
        for name, c in relation.terms.items():
            row[place[name]] = c
        row /= np.abs(row).max(initial=0.0) or 1.0
    _, sizes, Vt = np.linalg.svd(rows)
    free = Vt[np.count_nonzero(sizes > _ALONE) :].T
    moves = free[[place[name] for name in tendon]]
    if np.linalg.matrix_rank(moves, _ALONE) != 1 or not np.any(moves[0]):
        return "", 0.0
    along = moves @ moves[0] / (moves[0] @ moves[0])
    return first, float(np.array(list(tendon.values())) @ along)
