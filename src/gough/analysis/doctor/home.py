"""A singular home: of which kind, which leg, which motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.mechanism.closure.dense import scaled_legs
from gough.mechanism.mobility.singular import null_space
from gough.robot.finding import Finding


def explain_type_1(exam: Examination, finding: Finding) -> Finding:
    """Which leg can move while the platform is held."""
    loose = _loose_legs(exam)
    if not loose:
        return finding
    texts = [f"leg {leg!r} in {', '.join(joints)}" for leg, joints in loose.items()]
    return replace(
        finding,
        sentence="home is singular (Type 1), a leg is stretched out, folded or free to move by "
        f"itself: with the platform held, {words.listed(texts)} can still move",
        advice="Choose a home in which no leg is stretched out or folded.",
        joints=tuple(joint for joints in loose.values() for joint in joints),
        data={**finding.data, "legs": list(loose)},
    )


def _loose_legs(exam: Examination) -> dict[str, list[str]]:
    """Legs that can move at home while the platform is held, and their joints that do."""
    legs = exam.assembly.topology.legs
    at = exam.assembly.equations(*exam.assembly.samples[0])
    found = {}
    for i, (leg, E) in enumerate(zip(legs, scaled_legs(at, exam.length), strict=True)):
        if exam.ranks[0].legs[i] == max(r.legs[i] for r in exam.ranks):
            continue
        null = null_space(E)[1]
        moving = [
            link.joint
            for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True)
            if np.abs(null[columns]).max(initial=0.0) > 0.1
        ]
        found[leg.name] = list(dict.fromkeys(name for name in moving if name))
    return found


def explain_type_2(exam: Examination, finding: Finding) -> Finding:
    """Which motion the locked motors leave free at home."""
    a = exam.assembly
    if a.mobility_at_home != exam.mobility:
        return finding
    free = exam.left_free(exam.motors, 0)
    found = words.motions(free, exam.origin(0), exam.length)
    elsewhere = a.motor_rank == exam.mobility
    kind = ", postures around it are not" if elsewhere else ", more than postures around it"
    return replace(
        finding,
        sentence=f"home is singular (Type 2){kind}: with the motors locked the platform can still "
        f"{words.listed(found)}",
        advice="Postures around home are controlled; choose another home." if elsewhere else "",
        motors=exam.motors,
    )


def explain_constraint(exam: Examination, finding: Finding) -> Finding:
    """Which motions home allows, where the postures around it allow others."""
    if exam.assembly.mobility_at_home < exam.mobility and _loose_legs(exam):
        stretched = explain_type_1(exam, finding)
        counts = finding.sentence.partition(": ")[2]
        text = f"{stretched.sentence}; {counts}"
        return replace(stretched, code="singular-home-type-1", sentence=text)
    found = words.motions(exam.twists(0), exam.origin(0), exam.length)
    return replace(
        finding,
        sentence=f"{finding.sentence} (constraint singularity); at home the legs let the platform "
        f"{words.listed(found) if found else 'stand still'}, to first order",
        advice="Choose a home off this posture; different motions branch off here.",
    )
