"""A straight beam element between two nodes: stiffness, mass, and displacements inside it.

Axes of the element: x along it, y and z those of the section.  Each node has six displacements
``[u; theta]``.  Bending follows Timoshenko, whose shear vanishes with ``phi``: then it is
Euler-Bernoulli.  Shape functions are those of the exact static solution, so that stiffness is exact
for any length; mass is consistent with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.robot.material import Material
from gough.robot.section import CrossSection

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(4)  # exact for products of cubics
_PLACES, _WEIGHTS = (_PLACES + 1.0) / 2.0, _WEIGHTS / 2.0

# displacements of both nodes that bend the element: in the plane xy [uy, rz], in xz [uz, -ry]
_IN_XY = [1, 5, 7, 11]
_IN_XZ = [2, 4, 8, 10]
_SIGNS = np.array([1.0, -1.0, 1.0, -1.0])


class Element(NamedTuple):
    """A beam element.

    Attributes:
        length: [m].
        section: its cross-section.
        material: what it is made of.
        shear: whether shear and rotary inertia count (Timoshenko), or not (Euler-Bernoulli).
    """

    length: float
    section: CrossSection
    material: Material
    shear: bool

    @property
    def phi(self) -> tuple[float, float]:
        """Bending stiffness by shear stiffness, in the planes xy and xz."""
        if not self.shear:
            return 0.0, 0.0
        s, E, G = self.section, self.material.E, self.material.G
        factor = 12.0 * E / (G * s.area * self.length**2)
        return factor * s.Iz / s.shear_y, factor * s.Iy / s.shear_z

    def strains(self) -> np.ndarray:
        """Stretch, twist and bending per displacement of the nodes, 6x12 [root of N/m, ...].

        Each is scaled so that half the sum of squares is the strain energy.
        """
        s, L = self.section, self.length
        E, G = self.material.E, self.material.G
        found = np.zeros((6, 12))
        found[0, [0, 6]] = np.sqrt(E * s.area / L) * np.array([-1.0, 1.0])
        found[1, [3, 9]] = np.sqrt(G * s.J / L) * np.array([-1.0, 1.0])
        phi_y, phi_z = self.phi
        found[2:4, _IN_XY] = _bending(E * s.Iz, L, phi_y)
        found[4:6, _IN_XZ] = _bending(E * s.Iy, L, phi_z) * _SIGNS
        return found

    def stiffness(self) -> np.ndarray:
        """12x12 [N/m, N, N m/rad]."""
        strains = self.strains()
        return np.asarray(strains.T @ strains)

    def mass(self) -> np.ndarray:
        """12x12, consistent with the displacements inside [kg, kg m, kg m^2]."""
        s, rho = self.section, self.material.density
        # turns about x count whatever the theory: rho (Iy + Iz), not rho J
        turning = [s.Iy + s.Iz, s.Iy, s.Iz] if self.shear else [s.Iy + s.Iz, 0.0, 0.0]
        density = rho * np.array([s.area] * 3 + turning)
        found = np.zeros((12, 12))
        for place, weight in zip(_PLACES, _WEIGHTS, strict=True):
            shape = self.shape(place)
            found += weight * self.length * (shape.T * density) @ shape
        return found

    def shape(self, place: float) -> np.ndarray:
        """Displacement ``[u; theta]`` at a place, 0 to 1, per displacement of the nodes, 6x12."""
        found = np.zeros((6, 12))
        for row in (0, 3):  # along and about x: linear
            found[row, row], found[row, row + 6] = 1.0 - place, place
        phi_y, phi_z = self.phi
        across, turns = _shapes(place, self.length, phi_y)
        found[1, _IN_XY], found[5, _IN_XY] = across, turns
        across, turns = _shapes(place, self.length, phi_z)
        found[2, _IN_XZ], found[4, _IN_XZ] = across * _SIGNS, -turns * _SIGNS
        return found

    def geometric(self, tension: float) -> np.ndarray:
        """12x12: what an axial force adds to the stiffness across; positive in tension [N]."""
        found = np.zeros((12, 12))
        for place, weight in zip(_PLACES, _WEIGHTS, strict=True):
            for plane, signs, phi in (
                (_IN_XY, np.ones(4), self.phi[0]),
                (_IN_XZ, _SIGNS, self.phi[1]),
            ):
                slope = _slopes(place, self.length, phi) * signs
                found[np.ix_(plane, plane)] += (
                    weight * self.length * tension * np.outer(slope, slope)
                )
        return found


def _bending(EI: float, L: float, phi: float) -> np.ndarray:
    """Strains of ``[v1, theta1, v2, theta2]`` in one plane: even bending, and bending to an S.

    Ends that turn against each other bend the element to an arc, ends that turn alike beyond its
    chord bend it to an S, in which shear has its part.
    """
    arc = np.sqrt(EI / L) * np.array([0.0, -1.0, 0.0, 1.0])
    chord = 2.0 / L
    bent = np.sqrt(3.0 * EI / (L * (1.0 + phi))) * np.array([chord, 1.0, -chord, 1.0])
    return np.stack([arc, bent])


def _shapes(x: float, L: float, phi: float) -> tuple[np.ndarray, np.ndarray]:
    """Deflection and turn of the section at a place, per ``[v1, theta1, v2, theta2]``."""
    half = phi / 2.0
    across = [
        1.0 - 3.0 * x**2 + 2.0 * x**3 + phi * (1.0 - x),
        L * (x - 2.0 * x**2 + x**3 + half * (x - x**2)),
        3.0 * x**2 - 2.0 * x**3 + phi * x,
        L * (x**3 - x**2 - half * (x - x**2)),
    ]
    turns = [
        6.0 / L * (x**2 - x),
        1.0 - 4.0 * x + 3.0 * x**2 + phi * (1.0 - x),
        6.0 / L * (x - x**2),
        3.0 * x**2 - 2.0 * x + phi * x,
    ]
    return np.array(across) / (1.0 + phi), np.array(turns) / (1.0 + phi)


def _slopes(x: float, L: float, phi: float) -> np.ndarray:
    """Slope of the axis at a place, per ``[v1, theta1, v2, theta2]``."""
    half = phi / 2.0
    slopes = [
        (6.0 * x**2 - 6.0 * x - phi) / L,
        1.0 - 4.0 * x + 3.0 * x**2 + half * (1.0 - 2.0 * x),
        (6.0 * x - 6.0 * x**2 + phi) / L,
        3.0 * x**2 - 2.0 * x - half * (1.0 - 2.0 * x),
    ]
    return np.array(slopes) / (1.0 + phi)
