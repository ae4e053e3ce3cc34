"""Cross-sections of beams: x runs along the beam, y and z are the axes of the section."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gough.errors import DescriptionError
from gough.robot.numbers import check_number
from gough.robot.parts import settle


@dataclass(frozen=True)
class CrossSection:
    """A cross-section by its figures.

    Args:
        area: [m^2].
        Iy: second moment about y, ``integral(z^2 dA)``, which resists bending in the plane xz
            [m^4].
        Iz: second moment about z, ``integral(y^2 dA)``, which resists bending in the plane xy
            [m^4].
        J: torsion constant [m^4]; ``Iy + Iz`` for round sections only.
        shear_y, shear_z: shares of the area that carry a shear force along y, along z; 1/2 for
            thin tubes, 5/6 for full rectangles.
    """

    area: float
    Iy: float
    Iz: float
    J: float
    shear_y: float = 5.0 / 6.0
    shear_z: float = 5.0 / 6.0

    def __post_init__(self) -> None:
        for key in ("area", "Iy", "Iz", "J", "shear_y", "shear_z"):
            number = check_number(getattr(self, key), f"section.{key}", positive=True)
            settle(self, **{key: number})
        for key in ("shear_y", "shear_z"):
            if getattr(self, key) > 1.0:
                raise DescriptionError(
                    f"is {getattr(self, key):g}, more than 1",
                    path=f"section.{key}",
                    hint="It is the share of the area that carries shear: 0.5 for thin tubes.",
                )
        # integral(y^2 + z^2) over the area is the polar moment, which no torsion constant exceeds
        if self.J > (self.Iy + self.Iz) * (1.0 + 1e-9):
            raise DescriptionError(
                f"is {self.J:g}, more than Iy + Iz = {self.Iy + self.Iz:g}",
                path="section.J",
                hint="No section is stiffer in torsion than its polar moment says.",
            )

    @property
    def figures(self) -> CrossSection:
        """The section by its figures: itself."""
        return self

    @property
    def is_round(self) -> bool:
        """Whether bending is the same in all planes, so that y and z may lie anywhere."""
        alike = math.isclose(self.Iy, self.Iz, rel_tol=1e-9)
        return alike and math.isclose(self.shear_y, self.shear_z, rel_tol=1e-9)


@dataclass(frozen=True)
class Tube:
    """A round tube, or a round bar.

    Args:
        radius: outer radius [m].
        inner_radius: of the hole [m]; 0 is a full bar.
    """

    radius: float
    inner_radius: float = 0.0

    def __post_init__(self) -> None:
        radius = check_number(self.radius, "tube.radius", positive=True)
        hole = check_number(self.inner_radius, "tube.inner_radius", nonnegative=True)
        if hole >= radius:
            raise DescriptionError(
                f"is {hole:g} m, not smaller than the radius of {radius:g} m",
                path="tube.inner_radius",
            )
        settle(self, radius=radius, inner_radius=hole)

    @property
    def figures(self) -> CrossSection:
        """The section by its figures."""
        r, hole = self.radius, self.inner_radius
        bending = math.pi / 4.0 * (r**4 - hole**4)
        m = hole / r
        # Cowper's coefficient for a Poisson ratio of zero: 6/7 of a full bar, 1/2 of a thin tube;
        # one of 0.3 changes it by 6 % at most, and laminates have no such ratio
        share = 6.0 * (1.0 + m * m) ** 2 / (7.0 * (1.0 + m * m) ** 2 + 20.0 * m * m)
        area = math.pi * (r * r - hole * hole)
        return CrossSection(area, bending, bending, 2.0 * bending, share, share)


@dataclass(frozen=True)
class Box:
    """A rectangular tube, or a rectangular bar.

    Args:
        width: along the section's y [m].
        height: along the section's z, which leans towards ``Beam.up`` [m].
        wall: thickness of the four walls [m]; not given, it is a full bar.
    """

    width: float
    height: float
    wall: float | None = None

    def __post_init__(self) -> None:
        for key in ("width", "height"):
            settle(self, **{key: check_number(getattr(self, key), f"box.{key}", positive=True)})
        if self.wall is None:
            return
        wall = check_number(self.wall, "box.wall", positive=True)
        if 2.0 * wall >= min(self.width, self.height):
            raise DescriptionError(
                f"is {wall:g} m, and two of them fill {min(self.width, self.height):g} m",
                path="box.wall",
                hint="A full bar has no wall: leave it out.",
            )
        settle(self, wall=wall)

    @property
    def figures(self) -> CrossSection:
        """The section by its figures."""
        b, h = self.width, self.height
        t = self.wall or 0.0
        b_in, h_in = (b - 2.0 * t, h - 2.0 * t) if self.wall else (0.0, 0.0)
        Iy, Iz = (b * h**3 - b_in * h_in**3) / 12.0, (h * b**3 - h_in * b_in**3) / 12.0
        return CrossSection(
            b * h - b_in * h_in,
            Iy,
            Iz,
            _bredt(b, h, t) if self.wall else _full(max(b, h), min(b, h)),
            _shear_share(b, h, b_in, h_in),
            _shear_share(h, b, h_in, b_in),
        )


def _bredt(b: float, h: float, t: float) -> float:
    """Torsion constant of a thin closed section: the shear flow around, and that in the walls."""
    b, h = b - t, h - t
    return 2.0 * t * (b * h) ** 2 / (b + h) + 2.0 / 3.0 * (b + h) * t**3


def _full(long: float, short: float) -> float:
    """Torsion constant of a full rectangle, right to half a percent (Roark)."""
    ratio = short / long
    return long * short**3 * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio**4 / 12.0))


def _shear_share(along: float, across: float, along_in: float, across_in: float) -> float:
    """Share of a hollow rectangle's area that carries shear, by the energy of shear stresses.

    Stress at a height z is ``V Q(z) / (I w(z))``, Q the first moment of what lies beyond it and w
    the width there; its energy is that of a shear force on ``share * area``.
    """
    I = (across * along**3 - across_in * along_in**3) / 12.0  # noqa: E741
    places, weights = np.polynomial.legendre.leggauss(5)  # exact for Q^2, of degree four
    energy = 0.0
    for low, high, width in (
        (0.0, along_in / 2.0, across - across_in),
        (along_in / 2.0, along / 2.0, across),
    ):
        z = (low + high) / 2.0 + (high - low) / 2.0 * places
        beyond = across / 2.0 * (along**2 / 4.0 - np.maximum(z, along_in / 2.0) ** 2)
        beyond = beyond + width / 2.0 * np.maximum(along_in**2 / 4.0 - z**2, 0.0)
        energy += float((weights * beyond**2 / width).sum()) * (high - low)
    return I**2 / ((along * across - along_in * across_in) * energy)
