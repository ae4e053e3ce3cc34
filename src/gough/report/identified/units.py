"""Units of parameters, as pages write them."""

from __future__ import annotations


def written(unit: str) -> str:
    """A unit with its power raised: ``kg m²``."""
    return unit.replace("^2", "²")
