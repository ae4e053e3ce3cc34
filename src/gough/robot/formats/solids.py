"""Bodies of links: what has no mass says so, what no body can have is mended or refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.english import quoted
from gough.errors import DescriptionError, FileError
from gough.robot.body import Body
from gough.robot.formats.model import Link, Model

_ROUNDING = 1e-9  # as Body has it
_TYPED = 1e-3  # of the largest moment: figures with few digits miss by less


class Mended(NamedTuple):
    """A body whose inertia was made possible; right if it turns about one axis only."""

    body: str
    axis: np.ndarray
    link: Link


def bodies_of(model: Model, names: dict[str, str]) -> tuple[tuple[Body, ...], list[Mended]]:
    """Bodies in the order of the links, and those whose inertia no body has as it is given."""
    found, mended, typed, bare = [], [], [], []
    for link in model.links.values():
        if link.name not in names:
            continue
        name = names[link.name]
        if link.unknown is not None:
            link.unknown.place.refuse(
                f"the mass of {link.name!r} comes from {link.unknown.why}",
                hint=f"{link.unknown.remedy} Or give the body an <inertial>.",
            )
        if link.mass == 0.0 and not np.any(link.inertia):
            bare.append(link.name)
            found.append(Body(name, massless=True, label=_label(link, name)))
            continue
        if link.mass <= 0.0:
            link.place.refuse(
                f"has the mass {link.mass:g} kg and an inertia",
                hint="Give it its mass; a rotor's inertia belongs to its joint: armature.",
            )
        inertia, missing, axis = possible(link)
        if missing > _TYPED:
            mended.append(Mended(name, axis, link))
        elif missing:
            typed.append(link.name)
        try:
            body = Body(
                name, link.mass, link.center.tolist(), inertia.tolist(), label=_label(link, name)
            )
        except DescriptionError as err:
            where = link.place
            raise FileError(
                f"{where.what}: {err.message}", file=where.file, line=where.line, hint=err.hint
            ) from err
        found.append(body)
    if bare:
        model.note("massless", f"without mass: {quoted(bare[:8])}{' ...' if len(bare) > 8 else ''}")
    if typed:
        model.note(
            "rounded-inertia",
            f"inertias of {quoted(typed[:8])} miss what a body can have by less than a thousandth, "
            "as figures with few digits do: smaller moments are raised",
        )
    return tuple(found), mended


def _label(link: Link, ours: str) -> str:
    return "" if link.name == ours else link.name


def possible(link: Link) -> tuple[np.ndarray, float, np.ndarray]:
    """An inertia that a body can have, how much was missing as a share, and the largest's axis.

    The largest moment stays; the others are raised until they add up to it.
    """
    inertia = (link.inertia + link.inertia.T) / 2.0
    moments, axes = np.linalg.eigh(inertia)
    if moments[0] < -_TYPED * max(moments[2], 0.0) or moments[2] < 0.0:
        link.place.refuse(
            f"its inertia has a negative principal moment, {moments[0]:.6g} kg m^2",
            hint="Check the signs of its products of inertia.",
        )
    short = moments[2] - max(moments[0], 0.0) - max(moments[1], 0.0)
    if moments[0] >= 0.0 and short <= _ROUNDING * moments[2]:
        return inertia, 0.0, axes[:, 2]
    raised = np.maximum(moments, 0.0) + np.array([0.5, 0.5, 0.0]) * max(short, 0.0)
    missing = max(short, -moments[0], 0.0) / moments[2]
    mended = axes @ np.diag(raised) @ axes.T
    return (mended + mended.T) / 2.0, float(missing), axes[:, 2]
