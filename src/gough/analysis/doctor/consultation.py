"""The doctor: everything worth knowing about a robot before using it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from gough.analysis.doctor.couplings import look_at_couplings
from gough.analysis.doctor.diagnosis import Diagnosis
from gough.analysis.doctor.elasticity import look_at_elasticity
from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.home import explain_constraint, explain_type_1, explain_type_2
from gough.analysis.doctor.inertia import look_at_inertia
from gough.analysis.doctor.legs import compare_legs, look_at_legs
from gough.analysis.doctor.loops import look_at_loops
from gough.analysis.doctor.mobility import look_at_mobility
from gough.analysis.doctor.motion import look_at_motion
from gough.analysis.doctor.motors import (
    explain_few,
    explain_many,
    explain_not_redundant,
    explain_uncontrolled,
    look_at_motors,
)
from gough.analysis.doctor.spins import look_at_idle_freedoms
from gough.errors import GoughError, InputError
from gough.mechanism.mobility.findings import findings
from gough.robot import Robot
from gough.robot.finding import ERROR, WARNING, Finding
from gough.robot.remarks import unit_findings

Explain = Callable[[Examination, Finding], Finding | Iterator[Finding]]

EXPLAIN: dict[str, Explain] = {
    "too-few-motors": explain_few,
    "too-many-motors": explain_many,
    "not-redundant": explain_not_redundant,
    "uncontrolled": explain_uncontrolled,
    "singular-home-type-1": explain_type_1,
    "singular-home-type-2": explain_type_2,
    "singular-home-constraint": explain_constraint,
}
"""Causes and remedies for what ranks alone show."""

LOOKS: tuple[Callable[[Examination], Iterator[Finding]], ...] = (
    look_at_mobility,
    look_at_motion,
    look_at_loops,
    look_at_couplings,
    look_at_idle_freedoms,
    look_at_motors,
    look_at_inertia,
    look_at_legs,
    look_at_elasticity,
)


def doctor(robot: Robot) -> Diagnosis:
    """Examine a robot.

    Args:
        robot: the machine; it need not assemble.

    Returns:
        Findings as data and as sentences, the worst first.

    Raises:
        InputError: the argument is no robot.
    """
    if not isinstance(robot, Robot):
        raise InputError(
            f"expected a gough.Robot, got {type(robot).__name__}",
            hint="gough.load(path) makes one of a file.",
            argument="robot",
        )
    found = list(unit_findings(robot))
    with np.errstate(all="ignore"):
        try:
            exam = Examination(robot.assembly)
        except (GoughError, np.linalg.LinAlgError) as err:
            found += _careful("legs", lambda: compare_legs(robot))
            return Diagnosis(robot.name, (*found, _not_assembled(err)))
        found += _careful("ranks", lambda: _explained(exam))
        for look in LOOKS:
            name = look.__name__.removeprefix("look_at_").replace("_", " ")
            found += _careful(name, lambda look=look: look(exam))  # type: ignore[misc]
    return Diagnosis(robot.name, tuple(found))


def _explained(exam: Examination) -> Iterator[Finding]:
    for finding in findings(exam.assembly):
        explain = EXPLAIN.get(finding.code)
        result = explain(exam, finding) if explain else finding
        yield from [result] if isinstance(result, Finding) else result


def _careful(what: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Findings of one examination; if it fails on a broken machine, that is a finding as well."""
    try:
        return list(look())
    except (GoughError, np.linalg.LinAlgError, ArithmeticError) as err:
        text = f"{what} could not be examined: {str(err).splitlines()[0]}"
        return [Finding("not-examined", WARNING, text, data={"what": what})]


def _not_assembled(err: Exception) -> Finding:
    if not isinstance(err, GoughError):
        text = f"the robot could not be assembled: {err}"
        return Finding("not-assembled", ERROR, text)
    data = {k: v for k, v in err.data.items() if isinstance(v, (str, int, float))}
    joint = data.get("joint")
    joints = (joint,) if isinstance(joint, str) else ()
    return Finding("not-assembled", ERROR, err.message, err.hint, joints=joints, data=data)
