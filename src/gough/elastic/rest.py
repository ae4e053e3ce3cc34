"""What is left of a body's mass when its beam is taken away: it must be a body, too.

Bodies are compared by mass, first moment and second moments ``integral(r r^T dm)``: what is left
over is a body if these are not negative in any direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.spatial import skew
from gough.elastic.mesh import Mesh
from gough.errors import DescriptionError
from gough.robot import Body

_ROUNDING = 1e-6  # figures of bodies are typed with seven digits


class Moments(NamedTuple):
    """Mass [kg], first moment [kg m] and second moments [kg m^2] about the body's origin."""

    m: float
    s: np.ndarray
    second: np.ndarray


def moments_of(body: Body) -> Moments:
    """Moments of a body as described."""
    c, I = np.array(body.center), np.array(body.inertia)  # noqa: E741
    about_center = np.eye(3) * (np.trace(I) / 2.0) - I
    return Moments(body.mass, body.mass * c, about_center + body.mass * np.outer(c, c))


def moments_of_matrix(mass: np.ndarray) -> Moments:
    """Moments of a rigid motion's mass matrix, 6x6 about the body's origin, linear first."""
    m = float(np.trace(mass[:3, :3]) / 3.0)
    turned = mass[3:, :3]  # m skew(c)
    s = np.array([turned[2, 1], turned[0, 2], turned[1, 0]])
    I = (mass[3:, 3:] + mass[3:, 3:].T) / 2.0  # noqa: E741
    return Moments(m, s, np.eye(3) * (np.trace(I) / 2.0) - I)


def rigid_mass(m: float, c: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Mass matrix ``[u; theta]`` about the origin, of moments about the centre c, 6x6."""
    found = np.zeros((6, 6))
    about = second + m * np.outer(c, c)
    found[:3, :3] = m * np.eye(3)
    found[3:, :3] = m * skew(c)
    found[:3, 3:] = found[3:, :3].T
    found[3:, 3:] = np.eye(3) * np.trace(about) - about
    return found


def slack_of(mesh: Mesh) -> float:
    """Second moments that the beam's thickness has, which slender bodies leave out [kg m^2]."""
    section = mesh.beam.section.figures
    return mesh.beam.material.density * mesh.beam.length * (section.Iy + section.Iz)


def left_over(body: Body, beam: Moments, slack: float, what: str) -> Moments | None:
    """What a body has besides its elastic part: moments about its own centre, centre in ``s``.

    Args:
        body: the body.
        beam: moments of the elastic part.
        slack: second moments that may be missing: a slender bar has none across [kg m^2].
        what: the elastic part, in words.

    Returns:
        Mass, *centre* and second moments about it; ``None`` if nothing is left.

    Raises:
        DescriptionError: what is left is no body.
    """
    whole = moments_of(body)
    m, s, second = whole.m - beam.m, whole.s - beam.s, whole.second - beam.second
    path = f"bodies.{body.name}"
    size = float(np.sqrt(np.trace(beam.second) / beam.m)) if beam.m else 0.0
    if m < -_ROUNDING * body.mass:
        raise DescriptionError(
            f"{what} weighs {beam.m:.6g} kg, more than the body's {body.mass:.6g} kg",
            path=path,
            hint="The body's mass includes the beam: give the mass of all, or check section, "
            "density and lumps.",
            beam=beam.m,
            mass=body.mass,
        )
    nothing = m <= _ROUNDING * body.mass
    if nothing and np.linalg.norm(s) > 10.0 * _ROUNDING * body.mass * max(size, 1e-12):
        raise DescriptionError(
            f"the body weighs as much as {what}, {body.mass:.6g} kg, but its centre is elsewhere: "
            f"{np.linalg.norm(s) / body.mass:.3g} m away",
            path=path,
            beam=beam.m,
            mass=body.mass,
        )
    c = np.zeros(3) if nothing else s / m
    second = second - (0.0 if nothing else m) * np.outer(c, c)
    values, axes = np.linalg.eigh((second + second.T) / 2.0)
    allowed = slack + _ROUNDING * float(np.trace(whole.second))
    # without a mass that could have it, nothing may be left either way
    worst = float(np.abs(values).max()) if nothing else -float(values[0])
    if worst > allowed:
        direction = axes[:, int(np.argmax(np.abs(values))) if nothing else 0]
        parts = [float(direction @ part.second @ direction) for part in (whole, beam)]
        raise DescriptionError(
            f"less {what}, the body is none: along {np.round(direction, 3).tolist()} its second "
            f"moment is {parts[0]:.4g} kg m^2 about its origin, that of {what} {parts[1]:.4g}",
            path=path,
            hint="The body's inertia includes the beam: likely its mass is spread less far than "
            "the beam is long, or centre and inertia are of something else.",
            beam=parts[1],
            body=parts[0],
        )
    if nothing:
        return None
    return Moments(m, c, axes @ np.diag(np.maximum(values, 0.0)) @ axes.T)
