"""Idle freedoms, and whether freezing them changes the dynamics.

A spin that nothing drives may be frozen if the spinning body is a body of revolution about the
axis with its mass centre on it; otherwise its spin would couple to the motion.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough import words
from gough.closure.dense import split
from gough.closure.recursion import look_back
from gough.diagnosis.examination import Examination
from gough.mobility.idle import IdleFreedom, null_basis
from gough.robot import KINDS, Body
from gough.robot.finding import NOTE, WARNING, Finding
from gough.robot.joint import SLIDE, TURN

_EXACT = 1e-6
"""Deviations from a body of revolution, against its own size, that count as none."""

_STIFFER = {"spherical": "universal", "cylindrical": "prismatic"}
"""Kinds that hold a spin about the line through the joint."""


def look_at_idle_freedoms(exam: Examination) -> Iterator[Finding]:
    """One finding for each way of being idle: equal legs share theirs."""
    exact: list[IdleFreedom] = []
    for freedom in exam.assembly.idle:
        worst = _worst_body(exam, freedom)
        if worst is None:
            exact.append(freedom)
        else:
            yield _frozen(exam, freedom, *worst)
    if exact:
        joints = tuple(dict.fromkeys(j for f in exact for j in idle_joints(exam, f)))
        bodies = tuple(dict.fromkeys(b for f in exact for b in f.bodies))
        yield Finding(
            "idle-freedom",
            NOTE,
            f"{words.counted(len(exact), 'idle freedom')}: "
            + "; ".join(f"{f} (joints {', '.join(idle_joints(exam, f))})" for f in exact)
            + "; frozen, which is exact for these bodies",
            joints=joints,
            bodies=bodies,
            data={"count": len(exact), "bodies": [list(f.bodies) for f in exact]},
        )


def idle_joints(exam: Examination, freedom: IdleFreedom) -> tuple[str, ...]:
    """Joints in which an idle motion happens: those between bodies that move and bodies at rest."""
    moving = set(freedom.bodies)
    return tuple(j.name for j in exam.robot.joints if (j.parent in moving) != (j.child in moving))


def _frozen(
    exam: Examination, freedom: IdleFreedom, body: str, figures: dict[str, float]
) -> Finding:
    joints = idle_joints(exam, freedom)
    hanging = len(joints) == 1
    stiffer = [
        f"{name!r} {_STIFFER[exam.robot.joint(name).kind]}"
        for name in joints
        if exam.robot.joint(name).kind in _STIFFER
    ]
    hold = f", or hold the spin: make {words.listed(stiffer, 'or')}" if stiffer else ""
    if "driven" in figures:
        why = f"the axis {_driven(exam, freedom)!r} has a rotor or a spring, which would turn it"
    elif "slides" in figures:
        why = f"{body!r} has mass and nothing holds it along its slide"
    else:
        why = (
            f"the mass centre of {body!r} is {figures['off_axis']:.3g} m off the axis and its "
            f"inertia about the axis is uneven by {figures['asymmetry']:.2g} of the largest moment"
        )
    return Finding(
        "frozen-spin",
        WARNING,
        f"{freedom} (joints {', '.join(joints)}); it is frozen, which is not exact: {why}",
        advice="Take rotor and spring off an axis that nothing drives."
        if "driven" in figures
        else f"{body!r} hangs on one joint only: make it fixed, or drive it."
        if hanging
        else f"Give the body a mass centre on the axis and equal moments across it{hold}.",
        joints=joints,
        bodies=freedom.bodies,
        data={"body": body, **figures},
    )


def _worst_body(exam: Examination, freedom: IdleFreedom) -> tuple[str, dict[str, float]] | None:
    """The body whose spin matters most; ``None`` if freezing is exact."""
    found = []
    for name, v, w in _motions(exam, freedom):
        body = exam.robot.body(name)
        if _driven(exam, freedom):
            return name, {"driven": 1.0}
        if body.massless:
            continue
        if np.linalg.norm(w) < 1e-9:
            return name, {"slides": 1.0}
        figures = _unevenness(body, v, w)
        if figures["size"] > _EXACT:
            found.append((figures.pop("size"), name, figures))
    if not found:
        return None
    _, name, figures = max(found, key=lambda item: item[0])
    return name, figures


def _driven(exam: Examination, freedom: IdleFreedom) -> str:
    """An axis of the idle motion that has a rotor or a spring, which freezing holds as well."""
    what = SLIDE if freedom.spin is None else TURN
    for name in idle_joints(exam, freedom):
        joint = exam.robot.joint(name)
        for axis, kind, own in zip(
            joint.axis_names, KINDS[joint.kind].values(), joint.axes, strict=True
        ):
            if kind == what and (own.reflected_inertia or own.spring):
                return axis
    return ""


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


def _motions(
    exam: Examination, freedom: IdleFreedom
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Velocity and angular velocity of each body in an idle freedom, body axes."""
    at, topology = exam.ungauged(exam.generic[0]), exam.assembly.topology
    among = [other for other in exam.assembly.idle if other.leg == freedom.leg]
    which = [other is freedom for other in among].index(True)
    for leg, poses, block in zip(topology.legs, at.leg_poses, at.leg_blocks, strict=True):
        if leg.name == freedom.leg:
            tree, placed, null = leg.tree, poses, null_basis(block.E, len(among))
            break
    else:
        tree, placed, null = topology.hub, at.hub_poses, _hub_null(exam, len(among))
    for body in freedom.bodies:
        view = look_back(tree, placed, tree.bodies[body])
        yield body, view.v @ null[:, which], view.w @ null[:, which]


def _hub_null(exam: Examination, count: int) -> np.ndarray:
    """Idle motions of the hub's own joints, found as the assembly finds them."""
    ranks, topology = exam.ranks[exam.generic[0]], exam.assembly.topology
    everything = np.linalg.svd(ranks.A, full_matrices=True)[2][ranks.joints - ranks.columns :]
    onto_hub = np.array([split(topology, u).hub for u in everything]).T
    U, _, _ = np.linalg.svd(onto_hub.reshape(topology.hub.rates, -1))
    return null_basis(U[:, count:].T, count)
