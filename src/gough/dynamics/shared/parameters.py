"""Parameters of bodies and axes: the robot's own, or others in their place, numbers or symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gough.base.spatial import Array
from gough.dynamics.shared.masses import CentralMass
from gough.robot import Axis


class AxisParameters(NamedTuple):
    """Friction, reflected inertia and spring of an axis.

    ``smoothing`` is the speed over which its Coulomb friction is smoothed [rad/s or m/s]; without
    one, that of the loads holds.
    """

    viscous: Array
    coulomb: Array
    inertia: Array
    stiffness: Array
    rest: Array
    smoothing: Array | None = None

    @property
    def rubs(self) -> bool:
        """Whether there is friction."""
        return present(self.viscous) or present(self.coulomb)


def own_parameters(axis: Axis) -> AxisParameters:
    """Parameters of an axis as the description has them."""
    spring = axis.spring
    stiffness, rest = (spring.stiffness, spring.rest) if spring else (0.0, 0.0)
    return AxisParameters(axis.viscous, axis.coulomb, axis.reflected_inertia, stiffness, rest)


@dataclass(frozen=True, eq=False)
class Parameters:
    """Parameters that replace the robot's own, by name of body and axis."""

    bodies: Mapping[str, CentralMass] = field(default_factory=dict)
    axes: Mapping[str, AxisParameters] = field(default_factory=dict)


def present(figure: Array) -> bool:
    """Whether a figure counts: a number other than zero, or a symbol."""
    return bool(figure) if isinstance(figure, (int, float)) else True
