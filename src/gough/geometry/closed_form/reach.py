"""What a closed form's answer is worth, and whether it proves that the robot cannot have a pose.

Where a root is not real, the leg it belongs to cannot be closed on home's branch; where all roots
are real and a loop stays open all the same, the pose is outside the mobility.  No walk leads there
either, for the equations that were solved hold all along it, with the same signs of their roots.

Coordinates are taken from points and lengths of the pose: at one that the robot does not have, they
can close every loop and be no rotations, that is (cos, sin) not of length 1, or balls that distort.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from gough.geometry.closed_form.search import closed_form
from gough.mechanism.closure.axes import HUB
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.rows import is_flipped, residual
from gough.mechanism.mobility.assembly import Assembly

DECIDED = 1e-4
"""Margins of this size tell the sign of a root's square for sure, and loops so far open do not fit.

A pose may be off by 1e-8 of the robot's length, which a root nearby (a margin of this size) makes
a hundred times as large, and a short strut once more.
"""


def out_of_reach(margins: np.ndarray, off: np.ndarray) -> np.ndarray:
    """States that the robot is proved not to have.

    Args:
        margins: of the steps that have branches ``(..., m)``.
        off: what the loops are open by ``(...)``, natural units.

    Steps build on each other: the first whose margin is not clearly positive decides.
    """
    if not margins.shape[-1]:
        return np.asarray(off > DECIDED)
    unclear = ~(margins >= DECIDED)
    first = np.argmax(unclear, axis=-1)
    decides = np.take_along_axis(margins, first[..., None], axis=-1)[..., 0]
    return np.where(unclear.any(axis=-1), decides <= -DECIDED, off > DECIDED)


def decides(assembly: Assembly) -> bool:
    """Whether a robot has a closed form that knows every pose of home's branch.

    It does if home's sign holds for each of its roots wherever the robot gets, that is, if the
    robot is singular where a root vanishes.  A coordinate that is part of other loops, too, may be
    led on by them to the other sign, and the form leaves them open: a flat nacelle held by its
    legs, a crank in line with one of two bars.  So may one that its loop finds later, from the one
    with the root.  Where the legs constrain the platform otherwise at every pose, that constraint
    may decide between two roots of one loop, so that a sign changes at a regular pose.  Leg
    coordinates of a robot whose platform always has the same freedoms are trusted: their loops are
    parallelograms, flat at the same place.
    """
    form = closed_form(assembly)
    if form is None:
        return False
    often = Counter(stage.key for loop in form.loops for stage in loop.stages)
    varies = assembly.mobility < 6 and assembly.constant_Psi is None
    roots = Counter(id(step.loop) for step in form.steps if step.branches)
    if varies and max(roots.values(), default=0) > 1:
        return False
    for k, step in enumerate(form.steps):
        if step.branches:
            after = [each.stage.key for each in form.steps[k:] if each.loop is step.loop]
            shared = [key for key in after if often[key] > 1]
            on_hub = any(key[:2] == ("link", HUB) for key in shared)
            if shared and (varies or on_hub or not step.loop.by_pose):
                return False
    return True


def is_out_of_reach(assembly: Assembly, T_0p: np.ndarray) -> bool:
    """Whether the robot's closed form proves that it cannot have a pose."""
    form = closed_form(assembly)
    if form is None or not decides(assembly):
        return False
    with np.errstate(all="ignore"):
        configuration, margins = form.evaluate(T_0p)
        off = open_by(assembly, assembly.equations(T_0p, configuration))
    off = off if open_loops_prove(assembly) else 0.0
    return bool(out_of_reach(np.array(margins, dtype=float), np.array(off)))


def open_loops_prove(assembly: Assembly) -> bool:
    """Whether a loop that stays open proves a pose to be outside the mobility.

    It does if the platform has the same freedoms everywhere, or if every loop gives a coordinate.
    Elsewhere a loop that is only checked may settle what the form takes from samples around home,
    as the spin of a forked strut.
    """
    form = closed_form(assembly)
    if form is None or assembly.mobility == 6 or assembly.constant_Psi is not None:
        return True
    return {id(loop) for loop in form.loops} <= {id(step.loop) for step in form.steps}


def open_by(assembly: Assembly, at: Equations) -> float:
    """Largest closure residual, natural units; infinite if a joint is on its wrong side.

    A pair (cos, sin) that is not of length 1, or a rotation that distorts, counts as well.
    """
    worst = _improper(at.configuration)
    for joint in at.all_loop_joints:
        if is_flipped(joint):
            return np.inf
        for is_length, off in zip(joint.kind.rows, residual(joint), strict=True):
            size = abs(off) / (assembly.length if is_length else 1.0)
            worst = np.inf if np.isnan(size) else max(worst, float(size))
    return worst


def _improper(configuration: Configuration) -> float:
    """How far the worst coordinate is from a rotation [rad]."""
    return float(max((_off(at) for tree in configuration.trees for at in tree), default=0.0))


def proper(configuration: Configuration) -> Configuration:
    """The nearest rotations."""
    hub, *legs = ([_nearest(at) for at in t] for t in configuration.trees)
    return Configuration(hub, legs, configuration.turns)


def _off(at: np.ndarray) -> float:
    if at.shape == (2,):
        return float(abs(at @ at - 1.0)) / 2.0
    return float(np.abs(at.T @ at - np.eye(3)).max()) / 2.0 if at.shape == (3, 3) else 0.0


def _nearest(at: np.ndarray) -> np.ndarray:
    if at.shape == (2,):
        return np.asarray(at / np.hypot(at[0], at[1]))
    if at.shape != (3, 3):
        return at
    U, _, Vt = np.linalg.svd(at)
    return np.asarray(U @ Vt)
