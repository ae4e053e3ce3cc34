"""Couplings: linear relations between joint coordinates, as gears, belts and differentials make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gough.errors import DescriptionError
from gough.robot.names import check_label, check_name
from gough.robot.numbers import check_number
from gough.robot.parts import FrozenDict, check_part, settle


@dataclass(frozen=True)
class Coupling:
    """A linear relation between coordinates of joint axes: ``sum(coefficient * q) = offset``.

    A gear of ratio 3 between a crank and a wheel that turns three times as fast, the same way, is
    ``{"wheel": 1, "crank": -3}``; a differential has three axes, a rack and its pinion a slide and
    a turn.  The relation is exact, without friction or play of its own.

    Args:
        name: identifier, unique among couplings.
        axes: coefficient of every axis in the relation, by axis name; turns [rad] and slides [m].
        offset: what the sum is, in the unit of the sum.
        label: free text.
    """

    name: str
    axes: Mapping[str, float]
    offset: float = 0.0
    label: str = ""

    def __post_init__(self) -> None:
        path = f"couplings.{check_name(self.name, 'couplings')}"
        check_label(self.label, f"{path}.label")
        check_part(self.axes, Mapping, f"{path}.axes")  # type: ignore[type-abstract]
        axes = {n: check_number(c, f"{path}.axes.{n}") for n, c in self.axes.items()}
        zero = [name for name, coefficient in axes.items() if coefficient == 0.0]
        if zero:
            raise DescriptionError(
                "a coefficient is zero, so that the axis has no part in the relation",
                path=f"{path}.axes.{zero[0]}",
                hint="Leave the axis out.",
            )
        if len(axes) < 2:
            raise DescriptionError(
                f"relates {len(axes)} axes, expected two or more",
                path=f"{path}.axes",
                hint="A joint that is held is no coupling: say so with 'locked' or 'fixed'.",
            )
        offset = check_number(self.offset, f"{path}.offset")
        settle(self, axes=FrozenDict(axes), offset=offset)

    @property
    def relation(self) -> str:
        """The relation as an equation: ``wheel - 3 crank = 0.1``."""
        found = ""
        for name, coefficient in self.axes.items():
            size = "" if abs(coefficient) == 1.0 else f"{abs(coefficient):.6g} "
            sign = "-" if coefficient < 0.0 else "+"
            found += f" {sign} {size}{name}" if found else f"{'-' * (sign == '-')}{size}{name}"
        return f"{found} = {self.offset:.6g}"
