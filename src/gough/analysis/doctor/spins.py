"""Idle freedoms, and whether freezing them changes the dynamics.

A spin that nothing drives may be frozen if the spinning body is a body of revolution about the
axis with its mass centre on it; otherwise its spin would couple to the motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.base import english as words
from gough.dynamics.answers.frozen import EXACT, Frozen, frozen_freedoms
from gough.mechanism.serial import core_of
from gough.robot import Body
from gough.robot.finding import ERROR, NOTE, WARNING, Finding
from gough.robot.joint import LOCKED

_STIFFER = {"spherical": "universal", "cylindrical": "prismatic"}
"""Kinds that hold a spin about the line through the joint."""


def look_at_idle_freedoms(exam: Examination) -> Iterator[Finding]:
    """One finding for each freedom whose freezing matters; one for all others, one for locks."""
    freedoms = frozen_freedoms(core_of(exam.assembly))
    exact = [each for each in freedoms if not each.held and each.cost() <= EXACT]
    yield from (_frozen(exam, each) for each in freedoms if each.cost() > EXACT)
    if exact:
        names = "; ".join(f"{each.who}" for each in exact)
        yield Finding(
            "idle-freedom",
            NOTE,
            f"{words.counted(len(exact), 'idle freedom')}: {names}; frozen, which is exact for "
            "these bodies",
            joints=_joints(exact),
            bodies=tuple(dict.fromkeys(b for each in exact for b in each.bodies)),
            data={"count": len(exact), "bodies": [list(each.bodies) for each in exact]},
        )
    yield from _locks(exam, freedoms)


def _joints(freedoms: Iterable[Frozen]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(joint for each in freedoms for joint in each.joints))


def _locks(exam: Examination, freedoms: Iterable[Frozen]) -> Iterator[Finding]:
    """Joints that the description holds, and those where there is nothing to hold."""
    said = [joint.name for joint in exam.robot.joints if joint.idle == LOCKED]
    spinning = _joints(each for each in freedoms if each.held)
    held = tuple(n for n in said if n in exam.assembly.topology.locked or n in spinning)
    if held:
        text = (
            f"held by the description, so that the platform's motion decides all: {', '.join(held)}"
        )
        yield Finding("held-joint", NOTE, text, joints=held)
    idle = tuple(name for name in said if name not in held)
    if idle:
        yield Finding(
            "nothing-to-hold",
            WARNING,
            f"'idle: locked' has no effect on {words.quoted(idle)}: it has no motion that the "
            "platform does not feel",
            advice="Make the joint fixed if it shall not move at all.",
            joints=idle,
        )


def _frozen(exam: Examination, freedom: Frozen) -> Finding:
    stiffer = [
        f"{name!r} {_STIFFER[exam.robot.joint(name).kind]}"
        for name in freedom.joints
        if exam.robot.joint(name).kind in _STIFFER
    ]
    hold = f", or hold the spin: make {words.listed(stiffer, 'or')}" if stiffer else ""
    worst = _worst_body(exam, freedom)
    driven = bool(freedom.motors or freedom.springs)
    because = "" if driven or worst is None else f"; {worst[1]}"
    body = next(iter(freedom.bodies)) if worst is None else worst[0]
    advice = f"Give the body a mass centre on the axis and equal moments across it{hold}."
    if driven:
        advice = "Take motor or spring off an axis that the platform does not feel."
    elif len(freedom.joints) == 1:
        advice = f"{body!r} hangs on one joint only: make it fixed, or say 'idle: locked' there."
    refused = freedom.refused(freedom.cost())
    return Finding(
        "frozen-spin",
        ERROR if refused else WARNING,
        f"{freedom.who}; {freedom.why}{because}{'; dynamics are refused' if refused else ''}",
        advice=advice,
        joints=freedom.joints,
        bodies=tuple(freedom.bodies),
        data={
            "body": body,
            "effect": min(freedom.cost(), 1e300),
            **({} if worst is None else worst[2]),
        },
    )


def _worst_body(exam: Examination, freedom: Frozen) -> tuple[str, str, dict[str, float]] | None:
    """The body whose motion matters most, why, and figures; ``None`` if there is none."""
    found = []
    for name, (v, w) in freedom.bodies.items():
        body = exam.robot.body(name)
        if body.massless:
            continue
        if np.linalg.norm(w) < 1e-9:
            return name, f"{name!r} has mass and nothing holds it along its slide", {}
        figures = _unevenness(body, v, w)
        found.append((figures.pop("size"), name, figures))
    if not found:
        return None
    _, name, figures = max(found, key=lambda item: item[0])
    why = (
        f"the mass centre of {name!r} is {figures['off_axis']:.3g} m off the axis and its "
        f"inertia about the axis is uneven by {figures['asymmetry']:.2g} of the largest moment"
    )
    return name, why, figures


def _unevenness(body: Body, v: np.ndarray, w: np.ndarray) -> dict[str, float]:
    """How far a body is from one of revolution about its spin axis."""
    axis = w / np.linalg.norm(w)
    point = np.cross(w, v) / float(w @ w)
    off_axis = float(np.linalg.norm(np.cross(np.array(body.center) - point, axis)))
    inertia = np.array(body.inertia)
    largest = float(np.linalg.eigvalsh(inertia)[-1])
    tilted = float(np.linalg.norm(np.cross(axis, inertia @ axis)))
    across = np.linalg.svd(np.eye(3) - np.outer(axis, axis))[0][:, :2]
    low, high = np.linalg.eigvalsh(across.T @ inertia @ across)
    moment = max(largest, 1e-300)
    asymmetry = max(tilted, float(high - low)) / moment if largest > 0.0 else 0.0
    gyration = np.sqrt(largest / body.mass) if largest > 0.0 else 1e-3
    return {
        "off_axis": off_axis,
        "asymmetry": asymmetry,
        "size": max(off_axis / float(gyration), asymmetry),
    }
