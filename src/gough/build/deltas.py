"""The Delta: three arms with two parallel bars each; the platform only translates."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import checks
from gough.build.checks import Solid
from gough.build.homes import choose, quality
from gough.build.legs_bars import delta_leg
from gough.build.parts import machine
from gough.errors import InputError
from gough.robot import Frame, Robot

THIRDS = (0.0, 2.0 * np.pi / 3.0, 4.0 * np.pi / 3.0)


def delta(
    base_radius: float,
    platform_radius: float,
    arm: float,
    bar: float,
    half_spacing: float,
    *,
    angles: Any = THIRDS,
    bars: str = "US",
    home: Any = None,
    name: str = "delta",
    platform: Solid = None,
    arm_body: Any = None,
    bar_a: Any = None,
    bar_b: Any = None,
    motor: Any = None,
    platform_frame: Frame | None = None,
    gravity: Any = (0.0, 0.0, -9.81),
    label: str = "",
    source: str = "",
) -> Robot:
    """A Delta from five lengths; its platform hangs below the base.

    The motors' coordinates are the angles of the arms: zero horizontal and outward, positive down.
    Bodies without figures are massless, and declared so; there are no limits.

    Args:
        base_radius: distance of the motors from the middle [m].
        platform_radius: distance of the bars' ends from the platform's middle [m].
        arm: length of the arms [m].
        bar: length of the bars [m].
        half_spacing: half the distance of the two bars of a leg [m].
        angles: where the legs stand around base z [rad]; more than three will do, their motors are
            redundant, and declared so.
        bars: ``"US"``, universal joints at the arm, or ``"SS"``, balls at both ends.
        home: pose of the platform at home, 4x4 or Frame; default on the axis, well conditioned.
        name: identifier; bodies are ``arm1 bar1a bar1b ... platform``, motors ``arm1 ...``.
        platform: its Body or mass properties.
        arm_body: mass properties of the arms, one for all or a list; frames as in
            :func:`gough.build.delta_leg`.
        bar_a: of the bars at +s along the elbow axis; ``bar_b`` the same unless it is given.
        bar_b: of the bars at -s.
        motor: an Axis for all legs or a list of them: friction, rotor, transmission, limits.
        platform_frame: frame on the platform whose pose is ``T_0p``.
        gravity: acceleration of free fall in base axes [m/s^2].
        label: free text.
        source: where the figures come from.

    Raises:
        InputError: a length that is not positive, or lengths that reach nowhere.
    """
    lengths = [
        checks.length(base_radius, "base_radius", zero=True),
        checks.length(platform_radius, "platform_radius", zero=True),
        checks.length(arm, "arm"),
        checks.length(bar, "bar"),
    ]
    phi = [checks.angle(a, "angles") for a in checks.listed(angles, "angles")]
    count = len(phi)
    if count < len(THIRDS):
        raise InputError(f"angles: a Delta needs three legs, got {count}", argument="angles")
    T = _home(lengths, phi) if home is None else checks.pose(home, "home")
    if bar_b is None:
        bar_b = bar_a
    bodies = checks.each_leg(count, arm_body=arm_body, bar_a=bar_a, bar_b=bar_b, motor=motor)
    legs = [
        delta_leg(
            i + 1,
            around(phi[i], lengths[0]),
            rotation_z(phi[i]) @ [lengths[1], 0.0, 0.0],
            T,
            arm=arm,
            bar=bar,
            half_spacing=half_spacing,
            bars=bars,
            side=rotation_z(phi[i])[:, 1],
            **bodies[i],
        )
        for i in range(count)
    ]
    return machine(
        name,
        legs,
        platform=platform,
        platform_frame=platform_frame,
        home=T,
        gravity=gravity,
        redundant=count > len(THIRDS),
        label=label,
        source=source,
    )


def around(angle: float, radius: float) -> np.ndarray:
    """Pose of a leg's foot on a circle about base z, x outward."""
    R = rotation_z(angle)
    return pose(R, R @ np.array([radius, 0.0, 0.0]))


def _home(lengths: list[float], phi: list[float]) -> np.ndarray:
    """The platform on the axis, where arms and bars stand well."""
    base, top, arm, bar = lengths

    def leg(q: float) -> tuple[np.ndarray, float]:
        out = base + arm * np.cos(q) - top
        down = np.sqrt(bar * bar - out * out) if abs(out) < bar else np.nan
        return np.array([-out, 0.0, -down]), -arm * np.sin(q) - down

    def worth(q: float) -> float:
        along, _ = leg(q)
        if np.isnan(along).any():
            return float("nan")
        lines = np.stack([rotation_z(a) @ along / bar for a in phi])
        lever = (along / bar) @ [-np.sin(q), 0.0, -np.cos(q)]
        return quality(lines, np.zeros_like(lines), 1.0, np.array([lever]), range(3))

    angles = [0.4, 0.2, 0.6, 0.0, 0.8, -0.2, 1.0, -0.4, 1.2, -0.6, 1.4, -0.9, 1.8, -1.2]
    q, _ = choose(angles, worth, "delta")
    return pose(np.eye(3), np.array([0.0, 0.0, leg(q)[1]]))
