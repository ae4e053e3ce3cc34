"""The Delta: three arms with two parallel bars each; the platform only translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import checks
from gough.build.homes import choose, quality
from gough.build.legs_bars import delta_leg
from gough.build.parts import BARE, Leg, MachineOptions, at_home, each_leg, machine, start_pose
from gough.build.recording import recorded
from gough.errors import InputError
from gough.robot import Robot

THIRDS = (0.0, 2.0 * np.pi / 3.0, 4.0 * np.pi / 3.0)


@recorded(*MachineOptions.__annotations__)
def delta(
    base_radius: float,
    platform_radius: float,
    arm: float,
    bar: float,
    half_spacing: float,
    *,
    legs: Leg | Sequence[Leg] = BARE,
    angles: Any = THIRDS,
    bars: str = "US",
    home: Any = None,
    near: Any = None,
    name: str = "delta",
    **rest: Unpack[MachineOptions],
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
        legs: what the legs are made of, arm and bars, one for all or a list; frames as in
            :func:`gough.build.delta_leg`.
        angles: of the legs around base z [rad]; more than three are possible, their motors are
            redundant, and declared so.
        bars: ``"US"``, universal joints at the arm, or ``"SS"``, balls at both ends.
        home: pose of the platform at home, 4x4 or Frame; default on the axis, well conditioned.  Or
            by motors: ``"mid"``, all arms at the middle of their strokes, angles by name, as
            for :func:`gough.build.machine`.
        near: of a home by motors: pose from which the arms are led there; default as for ``home``.
        name: identifier; bodies are ``arm1 bar1a bar1b ... platform``, motors ``arm1 ...``.
        **rest: platform, platform_frame, redundant, gravity, label and source, as for
            :func:`gough.build.machine`.

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
    given = start_pose(home, near)
    T = _home(lengths, phi) if given is None else checks.pose(given, "home")
    shape: dict[str, Any] = {"arm": arm, "bar": bar, "half_spacing": half_spacing, "bars": bars}
    parts = []
    for i, (angle, made_of) in enumerate(zip(phi, each_leg(legs, count), strict=True)):
        foot, end = around(angle, lengths[0]), rotation_z(angle) @ [lengths[1], 0.0, 0.0]
        parts.append(delta_leg(i + 1, foot, end, T, made_of, side=foot[:3, 1], **shape))
    options: MachineOptions = {"redundant": count > len(THIRDS), **rest}
    return machine(name, parts, **at_home(home, T), **options)


def around(angle: float, radius: float) -> np.ndarray:
    """Pose of a leg's foot on a circle about base z, x outward."""
    R = rotation_z(angle)
    return pose(R, R @ np.array([radius, 0.0, 0.0]))


def _home(lengths: list[float], phi: list[float]) -> np.ndarray:
    """Home pose with the platform on the axis, where arms and bars are well conditioned."""
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
