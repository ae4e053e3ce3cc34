"""Bearings and guides: what a joint holds elastically, and where a slide is guided."""

from __future__ import annotations

from dataclasses import dataclass

from gough.errors import DescriptionError, shown
from gough.robot.joint_kinds import KINDS
from gough.robot.material import check_loss
from gough.robot.numbers import Vector, check_stiffness, check_vector
from gough.robot.parts import settle


@dataclass(frozen=True)
class Bearing:
    """Stiffness of a joint in directions that it holds; what is not given is rigid.

    Axes are those of the joint's frame on its parent, z being the axis of the joint.

    Args:
        radial: across z [N/m].
        axial: along z [N/m]; of a helical joint along its thread.
        tilt: against turns across z [N m/rad]; of a universal joint across both axes.
        torsion: against turns about z, of a slide or a fixed joint [N m/rad].
        damping: loss factor, as of a :class:`gough.Material`.
    """

    radial: float | None = None
    axial: float | None = None
    tilt: float | None = None
    torsion: float | None = None
    damping: float = 0.0

    def __post_init__(self) -> None:
        given = [key for key in ("radial", "axial", "tilt", "torsion") if getattr(self, key)]
        for key in ("radial", "axial", "tilt", "torsion"):
            value = getattr(self, key)
            if value is not None:
                settle(self, **{key: check_stiffness(value, f"bearing.{key}")})
        settle(self, damping=check_loss(self.damping, "bearing.damping"))
        if not given:
            raise DescriptionError(
                "has no stiffness", path="bearing", hint="Give radial, axial or tilt."
            )

    def check_kind(self, kind: str, path: str) -> None:
        """Refuse stiffness of a direction that a kind of joint leaves free."""
        held = KINDS[kind].bearing
        for key in ("radial", "axial", "tilt", "torsion"):
            if getattr(self, key) is not None and key not in held:
                raise DescriptionError(
                    f"a {kind} joint is free there",
                    path=f"{path}.bearing.{key}",
                    hint=f"It holds: {', '.join(held)}.",
                )


@dataclass(frozen=True)
class Guide:
    """Where a telescopic leg is guided: the bushing that one body slides through.

    It is needed where two beams slide in each other.  Where one of them is rigid and there is no
    guide, the joint sits where its frame is on the beam.

    Args:
        on: the body that carries the guide, one of the joint's two.
        at: its middle, in that body's frame [m].
    """

    on: str
    at: Vector

    def __post_init__(self) -> None:
        if not isinstance(self.on, str):
            raise DescriptionError(
                f"expected the name of a body, got {shown(self.on)}", path="guide.on"
            )
        settle(self, at=check_vector(self.at, "guide.at"))

    def check_joint(self, kind: str, ends: tuple[str, str], path: str) -> None:
        """Refuse a guide of a joint that does not slide, or on a body that it does not join."""
        if not KINDS[kind].is_bushing:
            raise DescriptionError(
                f"a {kind} joint has no guide",
                path=f"{path}.guide",
                hint="Prismatic and cylindrical joints slide through one.",
            )
        if self.on not in ends:
            raise DescriptionError(
                f"{shown(self.on)} is not one of the joint's bodies",
                path=f"{path}.guide.on",
                hint=f"Known: {', '.join(ends)}.",
            )
