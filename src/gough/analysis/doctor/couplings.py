"""Couplings, each as the relation that it is, and what it does to the mobility."""

from __future__ import annotations

from collections.abc import Iterator

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.robot.finding import NOTE, Finding


def look_at_couplings(exam: Examination) -> Iterator[Finding]:
    """One finding for each coupling."""
    for coupling in exam.robot.couplings:
        driven = [name for name in coupling.axes if name in exam.robot.motors]
        motors = f", driven at {words.listed(driven)}"
        yield Finding(
            "coupling",
            NOTE,
            f"coupling {coupling.name!r}: {coupling.relation}{motors * bool(driven)}",
            data={
                "name": coupling.name,
                "axes": dict(coupling.axes),
                "offset": coupling.offset,
            },
        )
