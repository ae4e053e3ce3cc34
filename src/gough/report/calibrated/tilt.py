"""Rotation of a platform that should not rotate: predicted all over a plane of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gough.base import turns
from gough.calibration.design import TRIED
from gough.calibration.places import places
from gough.calibration.result import Calibration
from gough.functions.kinematics import inverse_kinematics
from gough.report.drawing.style import INK
from gough.report.figures import number
from gough.report.style import MOTORS, WIDTH, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDE = 25
"""Points of the map a side."""

STILL = 1e-7
"""Rotation that is rounding [rad]."""

_MOST = 0.97  # share of the map that the colours cover
_ARROWS = 3  # points a side between arrows
_LENGTH = 0.8  # of an arrow, in units of the way to the next one, for the largest tilt


class Tilt(NamedTuple):
    """Rotation over a horizontal plane.

    Attributes:
        x, y: places of the platform as described, base axes ``(A,)``, ``(B,)`` [m].
        z: height of the plane [m].
        turned: rotation vector from the mean orientation ``(A, B, 3)`` [rad]; NaN: out of reach.
        measured: places of the platform that were measured ``(K, 3)`` [m].
    """

    x: np.ndarray
    y: np.ndarray
    z: float
    turned: np.ndarray
    measured: np.ndarray


def tilt(calibration: Calibration) -> Tilt | None:
    """Predicted rotation over what the motors reach; ``None`` for a machine that rotates anyway.

    The machine as described is led to each place; the calibrated one is rotated there, with its
    motors reading the same.
    """
    robot, parasitic = calibration.nominal, calibration.parasitic
    if parasitic.rotates or not {"x", "y"} <= set(robot.freedoms):
        return None
    problem = calibration.design.problem
    bench, free = problem.bench, problem.free
    g = free.geometry(calibration.design.fitted.p)
    measured = calibration.design.fitted.seen.machines.T_0p[:, :3, 3]
    reached = places(bench, g, TRIED)[1].machines.T_0p[:, :3, 3]
    covered = np.concatenate([measured, reached])
    x, y = (np.linspace(covered[:, i].min(), covered[:, i].max(), SIDE) for i in (0, 1))
    T = np.tile(robot.assembly.T_home, (SIDE * SIDE, 1, 1))
    T[:, 0, 3], T[:, 1, 3] = (each.ravel() for each in np.meshgrid(x, y, indexing="ij"))
    if "z" in robot.freedoms:
        T[:, 2, 3] = np.median(measured[:, 2])
    q = inverse_kinematics(robot, T, on_error="nan")
    good = np.isfinite(q).all(axis=1)
    if good.sum() < SIDE:
        return None
    there = bench.at(q[good])
    straight = there.first(bench.layout.nominal)
    seen = there.near(g, straight.machines)
    closed = straight.closed & seen.closed
    R = seen.machines.T_0p[closed, :3, :3]
    turned = np.full((SIDE * SIDE, 3), np.nan)
    turned[np.flatnonzero(good)[closed]] = turns.logs(R @ turns.mean(R).T)
    return Tilt(x, y, float(T[0, 2, 3]), turned.reshape(SIDE, SIDE, 3), measured)


def figure(found: Tilt) -> Figure:
    """A map of the angle in colours; arrows point to where the platform goes down."""
    drawn = blank(WIDTH, 3.9, "compressed")
    axes = drawn.subplots()
    x, y = 1e3 * found.x, 1e3 * found.y
    size = 1e3 * np.linalg.norm(found.turned, axis=2)
    mesh = axes.pcolormesh(
        x, y, np.ma.masked_invalid(size.T), cmap="YlGnBu", shading="nearest", rasterized=True
    )
    # at the edge of the workspace a few places turn much more than all others
    mesh.set_clim(0.0, float(np.nanquantile(size, _MOST)))
    bar = drawn.colorbar(mesh, ax=axes, pad=0.02, extend="max")
    bar.outline.set_visible(False)
    bar.set_label("rotation [mrad]")
    some = slice(_ARROWS // 2, None, _ARROWS)
    part = found.turned[some, some]
    # turned about x by a positive angle, a plate goes down towards negative y
    down = np.stack([part[..., 1], -part[..., 0]], axis=-1)
    most = float(np.nanquantile(np.linalg.norm(down, axis=-1), _MOST)) or 1.0
    step = _ARROWS * min(x[1] - x[0], y[1] - y[0]) * _LENGTH / most
    at = np.stack(np.meshgrid(x[some], y[some], indexing="ij"), axis=-1)
    keep = np.isfinite(down[..., 0])
    axes.quiver(
        *at[keep].T,
        *(step * down[keep]).T,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        color=INK,
        width=0.0035,
        minlength=0.0,
        pivot="middle",
    )
    axes.plot(*1e3 * found.measured[:, :2].T, ".", color=MOTORS[0], ms=3.5, label="measured")
    axes.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
    axes.set_title(f"z = {number(1e3 * found.z)} mm")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0)
    axes.grid(False)
    return drawn
