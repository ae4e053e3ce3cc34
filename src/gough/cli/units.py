"""Units of printed tables: SI, or revolutions per minute and degrees where they are asked for.

Files and data (``--json``) are SI always.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import typer

_WORDS = ("si", "rpm", "deg")

UnitsWord = Annotated[
    str,
    typer.Option(
        "--units",
        metavar="si|rpm|deg",
        help="Units of turning axes in tables: rpm, deg, or both: rpm,deg.",
    ),
]


@dataclass(frozen=True)
class Units:
    """How tables show angles and speeds of turning axes.

    Attributes:
        rpm: speeds in revolutions per minute.
        deg: angles in degrees, and speeds in degrees per second unless they are in rpm.
    """

    rpm: bool = False
    deg: bool = False

    def of(self, unit: str) -> tuple[str, float]:
        """The unit that is shown in place of an SI unit, and the factor to it."""
        if unit == "rad/s" and self.rpm:
            return "rpm", 30.0 / math.pi
        if unit in ("rad", "rad/s") and self.deg:
            return unit.replace("rad", "deg"), 180.0 / math.pi
        return unit, 1.0


SI = Units()


def find_units(words: str) -> Units:
    """What ``--units`` means.

    Raises:
        InputError: a unit that is not known.
    """
    from gough.base.arguments import check_known

    asked = words.split(",")
    for word in asked:
        check_known(word, _WORDS, "--units has no", "units")
    return Units(rpm="rpm" in asked, deg="deg" in asked)
