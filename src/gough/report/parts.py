"""Parts that a report can leave out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gough.base.arguments import check_known
from gough.base.english import listed
from gough.errors import InputError, shown

PARTS = ("inputs", "bearings", "workspace", "elastic")


def check_without(without: Any) -> tuple[str, ...]:
    """Names of parts that a report leaves out.

    Raises:
        InputError: they are something else, or a report has no such part.
    """
    if isinstance(without, str) or not isinstance(without, Collection):
        raise InputError(
            f"without is {shown(without)}, expected names of parts in a list",
            hint=f'without=["workspace"]; known are {listed(PARTS)}.',
            argument="without",
        )
    for name in without:
        check_known(name, PARTS, "a report has no part", "without")
    return tuple(without)
