"""Why a pose cannot be had: which leg, by how much, or which component the mobility forbids."""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import Configuration
from gough.closure.dense import dense, move, split
from gough.closure.equations import Equations
from gough.closure.rows import UNITS
from gough.errors import GoughError, InconsistentPose, UnreachablePose
from gough.mobility.assembly import Assembly
from gough.mobility.freedoms import FREEDOMS


def explain(
    assembly: Assembly,
    T_0p: np.ndarray,
    T_stuck: np.ndarray,
    configuration: Configuration,
    wish: np.ndarray,
    allowed: np.ndarray,
) -> GoughError:
    """The error for a pose that the machine could not be led to.

    Args:
        assembly: the robot.
        T_0p: the pose asked for.
        T_stuck: the nearest pose it got to.
        configuration: its joints there.
        wish: what is missing from there, natural units.
        allowed: the part of it that the mobility allows.
    """
    name = assembly.robot.name
    forbidden = wish - allowed
    if np.linalg.norm(allowed) < 1e-3 * np.linalg.norm(wish):
        worst = int(np.argmax(np.abs(forbidden)))
        unit = "m" if worst < 3 else "rad"
        figure = float(forbidden[worst] * (assembly.length if worst < 3 else 1.0))
        return InconsistentPose(
            f"{name}: the pose is outside the mobility: its {FREEDOMS[worst]} is off by "
            f"{figure:.3g} {unit}",
            hint=(
                f"The platform has {assembly.mobility} freedoms ({', '.join(assembly.freedoms)}); "
                "the rest follows from them: gough.state gives a consistent pose."
            ),
            component=FREEDOMS[worst],
            off_by=figure,
        )
    leg, gap, unit = worst_leg(assembly, T_0p, configuration)
    at_stuck = assembly.equations(T_stuck, configuration)
    singular = _conditions(assembly, at_stuck)
    if gap < 1e-6:
        leg = max(singular, key=lambda k: singular[k])
        return UnreachablePose(
            f"{name}: leg {leg!r} cannot follow to the pose on home's branch: it passes a "
            f"singularity (condition {singular[leg]:.2g})",
            hint="The pose can be assembled only after the leg is taken apart, or by another way.",
            leg=leg,
            missing=0.0,
            condition=singular[leg],
        )
    return UnreachablePose(
        f"{name}: leg {leg!r} cannot reach the pose: {gap:.4g} {unit} are missing",
        hint=(
            "Likely: the pose is outside the workspace, or a length was given in mm "
            "(gough is SI only)."
        ),
        leg=leg,
        missing=gap,
        condition=singular[leg],
    )


def worst_leg(
    assembly: Assembly, T_0p: np.ndarray, configuration: Configuration
) -> tuple[str, float, str]:
    """The leg that ends farthest from the platform when all do their best."""
    damping = 1e-2
    at = assembly.equations(T_0p, configuration)
    cost = np.inf
    for _ in range(60):
        system = dense(at, assembly.length)
        cost = float(system.r @ system.r)
        n = system.A.shape[1]
        stacked = np.vstack([system.A, np.sqrt(damping) * np.eye(n)])
        step = np.linalg.lstsq(stacked, np.concatenate([system.r, np.zeros(n)]), rcond=None)[0]
        step *= min(1.0, 0.5 / max(float(np.abs(step).max(initial=0.0)), 1e-30))
        steps = split(assembly.topology, step * system.u_scale)
        trial = assembly.equations(T_0p, move(assembly.topology, at.configuration, steps))
        better = dense(trial, assembly.length)
        if better.r @ better.r < cost:
            at, damping = trial, damping / 4.0
        else:
            damping *= 8.0
        if damping > 1e6:
            break
    _, legs = at.residuals()
    gaps = []
    for leg, residual in zip(assembly.topology.legs, legs, strict=True):
        units = "".join(UNITS[c.joint.kind] for c in leg.closings)
        values = np.array(residual[: len(units)], dtype=float)
        length = float(np.linalg.norm(values[[u == "m" for u in units]]))
        angle = float(np.linalg.norm(values[[u == "r" for u in units]]))
        gaps.append(
            (leg.name, length, "m")
            if length > assembly.length * angle * 1e-3
            else (leg.name, angle, "rad")
        )
    return max(gaps, key=lambda g: g[1] if g[2] == "rad" else g[1] / assembly.length)


def _conditions(assembly: Assembly, at: Equations) -> dict[str, float]:
    """Condition number of every leg's own Jacobian."""
    found = {}
    for leg, block in zip(assembly.topology.legs, at.leg_blocks, strict=True):
        s = np.linalg.svd(block.E, compute_uv=False) if block.E.size else np.ones(1)
        found[leg.name] = float(s[0] / max(s[-1], 1e-300))
    return found
