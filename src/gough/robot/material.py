"""Materials of beams: how stiff, how heavy, how much they damp; the usual ones by name."""

from __future__ import annotations

from dataclasses import dataclass

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.names import check_name
from gough.robot.numbers import check_number
from gough.robot.parts import settle


@dataclass(frozen=True)
class Material:
    """A material that bends and twists.

    Args:
        name: identifier; a robot has one material of a name.
        E: Young's modulus along the beam [Pa].
        G: shear modulus [Pa].
        density: [kg/m^3].
        damping: loss factor, the share of strain energy lost per radian; twice the damping ratio of
            a part that vibrates alone.
    """

    name: str
    E: float
    G: float
    density: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        path = f"materials.{check_name(self.name, 'materials')}"
        for key in ("E", "G", "density"):
            settle(self, **{key: check_number(getattr(self, key), f"{path}.{key}", positive=True)})
        settle(self, damping=check_loss(self.damping, f"{path}.damping"))
        for key, usual in (("E", 70e9), ("G", 26e9)):
            # softer than foam: gigapascals, or newtons per square millimetre
            if getattr(self, key) < 1e6:
                raise DescriptionError(
                    f"is {getattr(self, key):g} Pa, softer than any beam",
                    path=f"{path}.{key}",
                    hint=f"Likely: GPa or N/mm^2; gough is SI only: {usual / 1e9:g}e9 for "
                    "aluminium.",
                )

    @classmethod
    def named(cls, name: str) -> Material:
        """One of the usual materials; see :data:`MATERIALS`."""
        if name not in MATERIALS:
            raise DescriptionError(
                f"unknown material {shown(name)}", path="material", hint=nearest(name, MATERIALS)
            )
        return MATERIALS[name]


def check_loss(value: object, path: str) -> float:
    """A loss factor: 0 to 1."""
    found = check_number(value, path, nonnegative=True)
    if found > 1.0:
        raise DescriptionError(
            f"is {found:g}, more than 1", path=path, hint="A loss factor is a share: 0.01, not 1 %."
        )
    return found


_USUAL = (
    Material("steel", 210e9, 81e9, 7850.0, 0.001),
    Material("aluminium", 70e9, 26e9, 2700.0, 0.001),
    Material("titanium", 114e9, 43e9, 4430.0, 0.001),
    Material("cast_iron", 110e9, 44e9, 7200.0, 0.004),
    Material("magnesium", 45e9, 17e9, 1800.0, 0.002),
    # tubes wound mostly along their axis: stiff along it, soft in torsion and shear
    Material("cfrp", 120e9, 5e9, 1600.0, 0.005),
)

MATERIALS: dict[str, Material] = {each.name: each for each in _USUAL}
"""Usual materials by name: typical figures of handbooks, good to five or ten percent.

Those of ``cfrp`` depend on its layers most of all: take the supplier's.
"""
