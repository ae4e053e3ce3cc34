"""A body: mass, centre of mass and inertia, and what bends of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gough.errors import DescriptionError
from gough.robot.beam import Beam
from gough.robot.body_stiffness import BodyStiffness
from gough.robot.names import check_label, check_name
from gough.robot.numbers import (
    Matrix,
    Vector,
    check_matrix,
    check_number,
    check_switch,
    check_vector,
)
from gough.robot.parts import check_part, check_parts, settle
from gough.robot.shape import DRAWN, Shape

ZERO: Matrix = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

# Slender bars have a zero principal moment, and rounding of typed figures makes it slightly
# negative: by less than this share of the largest.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Body:
    """A body; rigid, unless it says what bends.

    Args:
        name: identifier, unique among bodies.
        mass: [kg]; positive, or 0 with ``massless=True``.
        center: centre of mass in body axes [m].
        inertia: 3x3 about the centre of mass, body axes [kg m^2]; off-diagonal entries are
            ``-integral(x y dm)``.
        massless: says that no mass is meant, not forgotten.
        label: free text.
        beam: what bends of it; rigid-body dynamics does not use it.
        stiffness: instead of a beam: a stiffness matrix between the frames of its joints.
        shapes: what it looks like, for pictures alone; if it has none, its joints say it.
    """

    name: str
    mass: float = 0.0
    center: Vector = (0.0, 0.0, 0.0)
    inertia: Matrix = ZERO
    massless: bool = False
    label: str = ""
    beam: Beam | None = None
    stiffness: BodyStiffness | None = None
    shapes: tuple[Shape, ...] = field(default=(), metadata=DRAWN)

    def __post_init__(self) -> None:
        path = f"bodies.{check_name(self.name, 'bodies')}"
        check_label(self.label, f"{path}.label")
        massless = check_switch(self.massless, f"{path}.massless")
        mass = check_number(self.mass, f"{path}.mass")
        center = check_vector(self.center, f"{path}.center")
        inertia = check_inertia(self.inertia, f"{path}.inertia")
        if massless and (mass != 0.0 or inertia != ZERO):
            raise DescriptionError("is massless, yet has a mass or an inertia", path=path)
        if not massless and mass <= 0.0:
            raise DescriptionError(
                f"must be positive, is {mass:g}",
                path=f"{path}.mass",
                hint="A body without mass must say so: massless: true.",
            )
        settle(self, mass=mass, center=center, inertia=inertia, massless=massless)
        settle(self, shapes=check_parts(self.shapes, Shape, f"{path}.shapes"))
        self._check_elastic(path)

    def _check_elastic(self, path: str) -> None:
        """Refuse parts that bend in two ways, and a beam without a mass."""
        if self.beam is not None:
            check_part(self.beam, Beam, f"{path}.beam")
        if self.stiffness is not None:
            check_part(self.stiffness, BodyStiffness, f"{path}.stiffness")
        if self.beam is not None and self.stiffness is not None:
            raise DescriptionError(
                "cannot stand beside 'beam'", path=f"{path}.stiffness", hint="Keep one of them."
            )
        if self.beam is not None and self.massless:
            raise DescriptionError(
                "is a beam of a body that is massless",
                path=f"{path}.beam",
                hint="Give the body the beam's mass at least, or leave the beam out.",
            )

    @property
    def is_elastic(self) -> bool:
        """Whether something of it bends."""
        return self.beam is not None or self.stiffness is not None


def check_inertia(value: object, path: str) -> Matrix:
    """A 3x3 inertia that some distribution of mass can have."""
    rows = check_matrix(value, path)
    inertia = np.array(rows)
    scale = float(np.abs(inertia).max())
    asymmetry = float(np.abs(inertia - inertia.T).max())
    if asymmetry > _ROUNDING * scale:
        raise DescriptionError(f"is not symmetric: entries differ by {asymmetry:.3g}", path=path)
    a, b, c = np.linalg.eigvalsh((inertia + inertia.T) / 2.0)
    if a < -_ROUNDING * c or c < 0.0:
        raise DescriptionError(f"has a negative principal moment, {a:.6g} kg m^2", path=path)
    if a + b - c < -_ROUNDING * c:
        raise DescriptionError(
            f"no body has the principal moments {a:.6g}, {b:.6g}, {c:.6g} kg m^2: "
            "the two smaller must add up to at least the largest",
            path=path,
            hint="Likely: inertia about another point than the centre of mass, or a slip.",
        )
    return rows
