"""Bodies split into what joints see of them, and what moves inside: worked out once for a machine.

Joints see few combinations of a body's coordinates, the same ones in all postures: ``x = seen y +
inner eta``.  The seen ones are chosen so that they do not strain the inner ones, which have unit
stiffness among themselves: so stiffness is that of y alone beside ones, and the inner part of the
mass is constant.  What joints see no part of and nothing resists, as the spin of a bar between
balls, follows without a force of its own and is taken out of the mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.elastic.bodies import BodyModel
from gough.elastic.held import HeldSpin
from gough.elastic.joints import JointPlace
from gough.elastic.statics import NOTHING, with_mass
from gough.robot import Joint, Robot
from gough.robot.body_stiffness import PLATFORM
from gough.robot.joint_kinds import KINDS

_SEEN = 1e-9  # combinations that joints see by less, natural units, are rounding


def holds_constantly(joint: Joint) -> bool:
    """Whether a joint holds the same directions of either body, the other being the base."""
    kind = KINDS[joint.kind]
    return kind.turns != 2 and not kind.one_sided


class Inside(NamedTuple):
    """Mass of what moves inside bodies, each eta of unit stiffness.

    Attributes:
        across: mass between y and eta ``(y, e)``.
        own: mass of eta, which are not coupled to each other ``(e,)``.
    """

    across: np.ndarray
    own: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class CondensedBody(BodyModel):
    """A body by what joints see of it: coordinates y without unit.

    Attributes:
        whole: the body with all its coordinates.
        seen: coordinates of the whole per y ``(n, y)``, what is inside following statically.
        inside: mass of what moves inside.
        loose: coordinates of the whole that nothing resists or sees ``(n, f)``.
    """

    whole: BodyModel
    seen: np.ndarray
    inside: Inside
    loose: np.ndarray

    @property
    def moments(self) -> np.ndarray:
        """Force on every y per acceleration of free fall; see :class:`BodyModel`."""
        return np.asarray(self.seen.T @ self.whole.moments)

    def at(self, point: np.ndarray, frame: str = "") -> np.ndarray:
        """Displacement of a point that joints see, per y ``(6, y)``; see :class:`BodyModel`.

        Of a ball only the first three rows have a meaning: what turns in it is not seen.
        """
        key = point.tobytes() + frame.encode()
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = np.asarray(self.whole.at(point, frame) @ self.seen)
        return found


def condensed(
    model: BodyModel,
    views: Sequence[np.ndarray],
    length: float,
    fixed: Sequence[np.ndarray] = (),
) -> CondensedBody:
    """A body by what is seen of it.

    Args:
        model: the body.
        views: rows over its coordinates that joints, motors and loads take part in.
        length: natural unit of lengths [m].
        fixed: rows over its coordinates that vanish in all postures.
    """
    unit = np.where(model.turns, 1.0, length)
    _, moving = _split(np.eye(model.size), fixed, unit)
    outside, hidden = (unit[:, None] * each for each in _split(moving, views, unit))
    count = outside.shape[1]
    # what is hidden: of unit stiffness, or without any
    strains = model.strains @ hidden
    sizes = np.linalg.norm(strains, axis=0)
    scale = np.where(sizes > 0.0, sizes, 1.0)
    _, s, Vt = np.linalg.svd(strains / scale, full_matrices=True)
    stiff = int((s > NOTHING * s[0]).sum()) if len(s) else 0
    vectors = hidden @ (Vt.T / scale[:, None])
    inner, loose = vectors[:, :stiff] / s[:stiff], vectors[:, stiff:]
    seen = outside - inner @ ((model.strains @ inner).T @ (model.strains @ outside))
    heavy = with_mass(loose, model.mass)
    seen = seen - heavy @ (heavy.T @ model.mass @ seen)
    inner = inner - heavy @ (heavy.T @ model.mass @ inner)
    # coordinates inside without mass between each other: most of a matrix is then diagonal
    own = inner.T @ model.mass @ inner
    masses, vectors = np.linalg.eigh((own + own.T) / 2.0)
    across = seen.T @ model.mass @ inner @ vectors
    strains = model.strains @ seen
    if len(strains) > count:
        strains = np.linalg.qr(strains, mode="r")
    return CondensedBody(
        *(model.body, strains, seen.T @ model.mass @ seen),
        rigid=np.zeros((count, 6)),  # a body that is fixed to the base does not move as a whole
        turns=np.ones(count, dtype=bool),
        whole=model,
        seen=seen,
        inside=Inside(across, masses),
        loose=loose,
    )


def _split(
    basis: np.ndarray, rows: Sequence[np.ndarray], unit: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal columns, natural units, split into what rows see and what they do not."""
    lines = np.concatenate([np.zeros((0, len(unit))), *rows]) * unit
    sizes = np.linalg.norm(lines, axis=1)
    lines = (lines[sizes > 0.0] / sizes[sizes > 0.0, None]) @ basis
    if not len(lines):
        return basis[:, :0], basis
    _, s, Vt = np.linalg.svd(lines, full_matrices=True)
    count = int((s > _SEEN).sum())
    return basis @ Vt[:count].T, basis @ Vt[count:].T


def views_of(
    robot: Robot,
    places: Sequence[JointPlace],
    models: dict[str, BodyModel],
    spins: Sequence[HeldSpin] = (),
) -> dict[str, list[np.ndarray]]:
    """Rows over each body's coordinates that joints and the platform's frame take part in."""
    found: dict[str, list[np.ndarray]] = {name: [] for name in models}
    coupled = {name for coupling in robot.couplings for name in coupling.axes}
    for place in places:
        joint, turns = place.joint, _turns(place, robot, coupled)
        for body, point in ((joint.parent, place.on_parent), (joint.child, place.on_child)):
            if body in models:
                at = models[body].at(point, joint.name)
                slid = body == joint.parent and KINDS[joint.kind].travel
                found[body].append(at if turns or slid else at[:3])
    for spin in spins:
        found[spin.body].append(models[spin.body].at(spin.point, spin.joint)[3:])
    origin = np.array(robot.platform_frame.position)
    found[robot.platform].append(models[robot.platform].at(origin, PLATFORM))
    return found


def _turns(place: JointPlace, robot: Robot, coupled: set[str]) -> bool:
    """Whether anything asks how a joint's frames turn in each other."""
    if place.held or any(each.row[..., 3:].any() for each in place.directions()):
        return True
    for name in place.joint.axis_names:
        if name in coupled or name in robot.motors:
            return True
        axis = robot.axis(name)
        if axis.spring is not None or axis.reflected_inertia:
            return True
    return False
