"""Results of ``gough.workspace_volume``: a part of the workspace, and what fits in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.base.english import digits, listed, percent, plain
from gough.base.result import Result
from gough.robot import Robot
from gough.singularity.workspace.section import WorkspaceSection, span_words, unit_of
from gough.singularity.workspace.shell import Shell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SMALL = 1e-6  # share of an extent: the place of a shape is not known better
_POINTS = 41  # along a freedom that a better lattice has at least
_ROUGH = 0.2  # share of the volume: an error beyond it is of a lattice that is too coarse


class InscribedCylinder(NamedTuple):
    """A cylinder inside a part.

    Attributes:
        axis: the freedom along its axis.
        center: of it, in the order of ``section.names`` ``(3,)`` [m or rad].
        radius: across the axis.
        height: along the axis.
        volume: in ``section.unit``.
        samples: fresh points on its surface that were followed from inside and all hold.
    """

    axis: str
    center: np.ndarray
    radius: float
    height: float
    volume: float
    samples: int


class InscribedBox(NamedTuple):
    """A box inside a part, along the axes.

    Attributes:
        low, high: its corners, in the order of ``section.names`` ``(3,)`` [m or rad].
        volume: in ``section.unit``.
        samples: fresh points on its surface that were followed from inside and all hold.
    """

    low: np.ndarray
    high: np.ndarray
    volume: float
    samples: int

    @property
    def center(self) -> np.ndarray:
        """Its middle ``(3,)``."""
        return np.asarray(0.5 * (self.low + self.high))

    @property
    def sides(self) -> np.ndarray:
        """Its lengths ``(3,)``."""
        return np.asarray(self.high - self.low)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WorkspaceVolume(Result):
    """The part of a workspace that home lies in, over three freedoms.

    Attributes:
        robot: the machine.
        section: the lattice; the other freedoms are held.
        limits: whether limits of joints count.
        inside: lattice points of the part, of the section's shape.
        volume: in ``section.unit``.
        volume_error: largest difference to the volumes of the twelve lattices twice as coarse.
        extents: lowest and highest value of each freedom in the part ``(3, 2)`` [m or rad].
        open_ends: freedoms at whose ends the section cuts the part.
        cylinder: the largest one inside; ``None`` if there is none, if none has the height or the
            diameter that was given, or if the freedoms across its axis have different units.
        no_cylinder: why there is none, in words; empty if there is one.
        box: the largest one inside along the axes; ``None`` if there is none.
    """

    robot: Robot
    section: WorkspaceSection
    limits: bool
    inside: np.ndarray
    volume: float
    volume_error: float
    extents: np.ndarray
    open_ends: tuple[str, ...]
    cylinder: InscribedCylinder | None
    no_cylinder: str
    box: InscribedBox | None
    _shell: Shell

    def __repr__(self) -> str:
        unit = self.section.unit
        return f"<WorkspaceVolume of {self.robot.name!r}: {self.volume:.4g} {unit}>"

    @property
    def border(self) -> np.ndarray:
        """Places where lattice lines leave the part ``(k, 3)``, each to 1/128 of a cell."""
        return self._shell.places

    def surface(self) -> tuple[np.ndarray, np.ndarray]:
        """A closed surface: corners ``(v, 3)``, and quadrangles of them ``(q, 4)``, outward.

        Between lattice lines it is interpolated.
        """
        return self._shell.mesh()

    def columns(self) -> dict[str, np.ndarray]:
        """Every point of the border as a row."""
        return dict(zip(self.section.names, self.border.T, strict=True))

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        section, unit = self.section, self.section.unit
        yield "robot", self.robot.name
        yield "section", str(section)
        yield "volume", f"{self.volume:.4g} ± {self.volume_error:.2g} {unit}, connected with home"
        if self.volume_error > _ROUGH * self.volume:
            yield "too coarse", self._coarse_words()
        for name, (low, high) in zip(section.names, self.extents, strict=True):
            yield f"extent {name}", span_words(name, low, high)
        if self.open_ends:
            yield "cut", f"the section ends before the workspace along {listed(self.open_ends)}"
        one, box = self.cylinder, self.box
        yield "cylinder", self._cylinder_words(one) if one else self.no_cylinder
        yield "box", self._box_words(box) if box else "no box of a cell or more fits"
        for shape in (self.cylinder, self.box):
            if shape is not None:
                yield "checked", f"each on {shape.samples} fresh points of its surface, all inside"
                break

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON."""
        section = self.section
        return {
            "robot": self.robot.name,
            **section.to_dict(),
            "limits": self.limits,
            "volume": self.volume,
            "volume_error": self.volume_error,
            "extents": dict(zip(section.names, plain(self.extents), strict=True)),
            "open_ends": list(self.open_ends),
            "cylinder": plain(self.cylinder),
            "no_cylinder": self.no_cylinder,
            "box": plain(self.box),
        }

    def draw(self, *, shape: str | None = "cylinder", axes: Any = None) -> Figure:
        """A picture of the surface in three dimensions, with what fits in it.

        Args:
            shape: ``"cylinder"``, ``"box"`` or ``None`` for none of them.
            axes: matplotlib axes of three dimensions to draw into; a new figure if not given.
        """
        from gough.report.volumes import draw_volume  # noqa: PLC0415  looks down, when it is asked

        return draw_volume(self, shape=shape, axes=axes)

    def _coarse_words(self) -> str:
        """How far off the volume may be, and what to give instead."""
        points = {
            name: max(2 * len(v) - 1, _POINTS)
            for name, v in zip(self.section.names, self.section.values, strict=True)
        }
        words = ", ".join(f"{name}={n}" for name, n in points.items())
        options = " ".join(f"--{name} {n}" for name, n in points.items())
        return (
            f"the error is {percent(self.volume_error / self.volume)} of the volume. Give points "
            f"without spans, which are then found: {words} (in a command {options}); or spans "
            "around the extents with as many points"
        )

    def _cylinder_words(self, one: InscribedCylinder) -> str:
        across = next(name for name in self.section.names if name != one.axis)
        return (
            f"diameter {2.0 * one.radius:.4g} {unit_of(across)} x height {one.height:.4g} "
            f"{unit_of(one.axis)} along {one.axis}, {one.volume:.4g} {self.section.unit}, centre "
            f"{self._place(one.center)}"
        )

    def _box_words(self, one: InscribedBox) -> str:
        sides = [
            f"{side:.4g} {unit_of(name)}"
            for name, side in zip(self.section.names, one.sides, strict=True)
        ]
        return (
            f"{' x '.join(sides)}, {one.volume:.4g} {self.section.unit}, centre "
            f"{self._place(one.center)}"
        )

    def _place(self, at: np.ndarray) -> str:
        words = []
        for name, x, span in zip(self.section.names, at, np.ptp(self.extents, axis=1), strict=True):
            value = 0.0 if abs(x) < _SMALL * span else x
            words.append(f"{name} = {value:.{digits(value, span)}g}")
        return ", ".join(words)
