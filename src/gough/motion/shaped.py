"""Motions through an input shaper: sums of the same motion, begun one after the other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gough.base import turns
from gough.base.english import listed
from gough.elastic.shaper import InputShaper
from gough.errors import InputError, shown
from gough.motion import arguments
from gough.motion.jets import Jet
from gough.motion.motion import Motion, made
from gough.motion.space import Point, Space, space_of
from gough.states.state import State

_LOOKED = 501  # times at which rotations are looked at
_FAR = 3.0  # rad: rotation vectors are unique up to half a turn


def shaped(motion: Any, shaper: Any) -> Motion:
    """A motion through an input shaper, in the robot's freedoms; a straight way stays straight.

    Args:
        motion: that begins and ends at rest.
        shaper: of :func:`gough.input_shaper`.

    Returns:
        A motion that is longer by the shaper's duration, from the same start to the same end.

    Raises:
        InputError: the motion turns by more than 3 rad from its start.
    """
    for value, kind, name in ((motion, Motion, "motion"), (shaper, InputShaper, "shaper")):
        if not isinstance(value, kind):
            raise InputError(f"{name} is {shown(value)}, expected a {kind.__name__}", argument=name)
    space = space_of(motion.robot)
    reference = space.point(motion.start, "motion")
    t = np.linspace(0.0, motion.duration, _LOOKED)
    turned = turns.logs(motion(t).T_0p[:, :3, :3] @ reference.T_0p[:3, :3].T)
    if np.linalg.norm(turned, axis=1).max() > _FAR:
        raise InputError(
            f"the motion turns by {np.linalg.norm(turned, axis=1).max():.3g} rad from its start; "
            "a shaper adds rotation vectors, which are unique up to half a turn",
            hint="Shape its parts one by one, and chain them.",
            argument="motion",
        )
    duration = arguments.duration(motion.duration + shaper.duration)
    cancelled = listed([f"{f:.4g} Hz" for f in shaper.frequencies])
    label = f"{motion.label}, shaped by {shaper.kind} for {cancelled}"
    curve = partial(_summed, motion, shaper, space, reference)
    found = made(space, duration, label, reference, curve, findings=motion.findings)
    asked = {"kind": "shaped", "shaper": shaper.kind, "frequencies": shaper.frequencies}
    return replace(found, parameters={**asked, "of": dict(motion.parameters)})


def _summed(
    motion: Motion, shaper: InputShaper, space: Space, reference: Point, t: np.ndarray
) -> Jet:
    found: Jet | None = None
    for late, amplitude in zip(shaper.times, shaper.amplitudes, strict=True):
        part = _displaced(space, reference, motion(t - late)) * float(amplitude)
        found = part if found is None else found.plus(part)
    if found is None:
        raise LookupError("a shaper has impulses")
    return found


def _displaced(space: Space, reference: Point, states: State) -> Jet:
    """Displacements of the freedoms from a reference, with their derivatives, of states."""
    T, V, Vdot = states.arrays
    closing = space.kind == "closing"  # its freedoms count from the chart's own reference
    R_ref = space.assembly.chart.R_ref if closing else reference.T_0p[:3, :3]
    w = turns.logs(T[:, :3, :3] @ R_ref.T)
    inverse = turns.vector_rates(w)
    wd = np.einsum("kij,kj->ki", inverse, V[:, 3:])
    _, drift = turns.turning((w, wd, np.zeros_like(w)))
    wdd = np.einsum("kij,kj->ki", inverse, Vdot[:, 3:] - drift)
    free, start = space.free, np.zeros(6)
    start[free] = reference.x
    if not closing:
        start[3:] = 0.0
    value = np.hstack([T[:, :3, 3], w])[:, free] - start[free]
    rate = np.hstack([V[:, :3], wd])[:, free]
    return Jet(value, rate, np.hstack([Vdot[:, :3], wdd])[:, free])
