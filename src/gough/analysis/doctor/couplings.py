"""Couplings, each as the relation that it is, and what it does to the mobility."""

from __future__ import annotations

from collections.abc import Iterator

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.robot import Coupling
from gough.robot.finding import NOTE, Finding


def look_at_couplings(exam: Examination) -> Iterator[Finding]:
    """One finding for each coupling."""
    for coupling in exam.robot.couplings:
        driven = [name for name in coupling.axes if name in exam.robot.motors]
        motors = f", driven at {words.listed(driven)}"
        yield Finding(
            "coupling",
            NOTE,
            f"coupling {coupling.name!r}: {relation(coupling)}{motors * bool(driven)}",
            data={
                "name": coupling.name,
                "axes": dict(coupling.axes),
                "offset": coupling.offset,
            },
        )


def relation(coupling: Coupling) -> str:
    """The relation as an equation: ``wheel - 3 crank = 0.1``."""
    found = ""
    for name, coefficient in coupling.axes.items():
        size = "" if abs(coefficient) == 1.0 else f"{abs(coefficient):.6g} "
        sign = "-" if coefficient < 0.0 else "+"
        found += f" {sign} {size}{name}" if found else f"{'-' * (sign == '-')}{size}{name}"
    return f"{found} = {coupling.offset:.6g}"
