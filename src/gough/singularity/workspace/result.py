"""Results of ``gough.workspace``: arrays over the grid, areas of its parts, tables."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import nearest, switch
from gough.base.english import counted
from gough.base.result import Result
from gough.dynamics.quantities.axes import bounded_axes
from gough.elastic.mapping import FIGURES
from gough.errors import InputError, shown
from gough.geometry.newton import AssembledState
from gough.robot import Robot
from gough.singularity.workspace.components import home_part
from gough.singularity.workspace.elastic_maps import ElasticMaps
from gough.singularity.workspace.locus import check_extent, check_plane, curves_of
from gough.singularity.workspace.section import WorkspaceSection
from gough.singularity.workspace.survey import Survey

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Capability:
    """Payload or acceleration that limited motor efforts allow at rest, over K points.

    NaN out of reach, 0 where the motors cannot even hold the machine.

    Attributes:
        what: ``"payload"`` or ``"acceleration"``.
        unit: of the figures.
        freedoms: whose accelerations count; the others' are kept zero.
        efforts: largest effort of each motor at its axis [N m or N]: for payloads the continuous
            torque, for accelerations the peak torque less what gears lose, or the axis's limit if
            that is lower; rotors' shares, which gears do not see, not counted.
        direction: that was asked for, over all freedoms; ``None`` if none was.
        worst: the payload that can be held; or the acceleration possible in every direction.
        best: the acceleration in the best direction.
        along: the acceleration in the direction asked for.
    """

    what: str
    unit: str
    freedoms: tuple[str, ...]
    efforts: np.ndarray
    direction: np.ndarray | None
    worst: np.ndarray
    best: np.ndarray
    along: np.ndarray

    @property
    def maps(self) -> dict[str, np.ndarray]:
        """Figures by name."""
        if self.what == "payload":
            return {"payload": self.worst}
        found = {"acceleration_worst": self.worst, "acceleration_best": self.best}
        if self.direction is not None:
            found["acceleration_along"] = self.along
        return found


MAPS = (
    *("component", "reach", "within_limits", "violated"),
    *("type_2", "type_1", "constraint", "sign"),
)
"""Arrays over the grid that every workspace has."""


@dataclass(frozen=True, eq=False, repr=False)
class Workspace(Result):
    """A section of what a robot can do: arrays over the grid of ``section``, of its shape.

    Distances to singularities are those of ``gough.singularities``, lengths in units of ``length``,
    angles in radians.

    Attributes:
        robot: the machine.
        section: the grid.
        length: in whose units lengths count in ``type_1``, ``type_2`` and ``constraint`` [m].
        limits: whether limits count for ``component``.
        capability: what the motors can do, if it was asked for, over all points in C order.
        elastic: how the machine gives way, if it was asked for, over all points in C order.
        component: parts that are connected without passing a singularity or a limit: 1, 2, ...,
            from the largest on; 0 outside.
        reach: whether the loops close, in home's working mode.
        within_limits: whether a point is reached and all axes are within their limits, passive ones
            too.
        violated: index among ``limited_axes`` of the one farthest beyond its limits; -1 for none.
        type_2: distance to Type 2 singularities: the motors hold the platform the worse, the
            smaller.
        type_1: distance to Type 1 singularities: at 0 a leg is stretched or folded.
        constraint: distance to constraint singularities: at 0 the platform gains a freedom; 1 with
            six.
        sign: sign of the motors' determinant; 0 out of reach, and with more motors than freedoms.
    """

    robot: Robot
    section: WorkspaceSection
    length: float
    limits: bool
    capability: Capability | None
    elastic: ElasticMaps | None
    _survey: Survey
    component: np.ndarray
    reach: np.ndarray
    within_limits: np.ndarray
    violated: np.ndarray
    type_2: np.ndarray
    type_1: np.ndarray
    constraint: np.ndarray
    sign: np.ndarray

    def __repr__(self) -> str:
        return f"<Workspace of {self.robot.name!r}: {self.section}>"

    @cached_property
    def limited_axes(self) -> tuple[str, ...]:
        """Axes with limits of position."""
        return tuple(bounded_axes(self._survey.closer.assembly))

    @property
    def home_component(self) -> int:
        """The part in which home lies; 0 if in none.

        Where the section does not go through it, the part at the same place of the section.
        """
        return home_part(self._survey, self.component.ravel())

    @cached_property
    def areas(self) -> np.ndarray:
        """Area (length, volume) of every part, from the largest on; in ``section.unit``."""
        return np.bincount(self.component.flat, minlength=1)[1:] * self.section.cell

    @property
    def area(self) -> float:
        """Area (length, volume) of all parts together."""
        return float(self.areas.sum())

    @cached_property
    def T_0p(self) -> np.ndarray:
        """Platform poses ``(..., 4, 4)``; NaN out of reach."""
        found = np.full((*self.section.shape, 4, 4), np.nan)
        found[self.reach] = self._survey.closer.poses(self._survey.states.at(self.reach.ravel()).y)
        return found

    @cached_property
    def maps(self) -> dict[str, np.ndarray]:
        """Everything that can be drawn, by name."""
        shaped = {
            name: values.reshape(self.section.shape) for name, (values, _) in self._figures.items()
        }
        return {name: getattr(self, name) for name in MAPS} | shaped

    @property
    def _figures(self) -> dict[str, tuple[np.ndarray, str]]:
        """What was asked for besides, over all points in C order, and its unit, by name."""
        found: dict[str, tuple[np.ndarray, str]] = {}
        if self.capability is not None:
            unit = self.capability.unit
            found |= {name: (values, unit) for name, values in self.capability.maps.items()}
        if self.elastic is not None:
            units = self.elastic.units
            found |= {name: (values, units[name]) for name, values in self.elastic.maps.items()}
        return found

    def unit(self, what: str) -> str:
        """Unit of one of the maps; empty if it has none."""
        return self._figures[what][1] if what in self._figures else ""

    @cached_property
    def curves(self) -> dict[str, list[np.ndarray]]:
        """Curves of singularities over two freedoms; see :func:`gough.singularity_locus`."""
        check_plane(self.section)
        return curves_of(self._survey)

    def branch(self, *index: int) -> AssembledState:
        """The assembled state of a point of the grid: ``robot.rehomed(...)`` is at home there."""
        shape = self.section.shape
        try:
            place = [operator.index(i) for i in index]
            k = int(
                np.ravel_multi_index(
                    [i + n * (i < 0) for i, n in zip(place, shape, strict=True)], shape
                )
            )
        except (TypeError, ValueError) as err:
            raise InputError(
                f"branch({', '.join(map(str, index))}): the section has no such point",
                hint=f"One whole number for each of {', '.join(self.section.names)}, "
                f"below {', '.join(map(str, shape))}.",
                argument="index",
            ) from err
        if not self.reach.flat[k]:
            raise InputError(f"the point {index} of the section is out of reach", argument="index")
        return self._survey.closer.state(self._survey.states, k)

    def columns(self) -> dict[str, np.ndarray]:
        """Every point as a row: freedoms, then all maps; truth as 0 and 1."""
        points = self.section.points
        found = {name: points[:, i] for i, name in enumerate(self.section.freedoms)}
        return found | {name: np.asarray(m, dtype=float).ravel() for name, m in self.maps.items()}

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order."""
        unit, home = self.section.unit, self.home_component
        reached = float(self.reach.sum()) * self.section.cell
        found = [
            ("robot", self.robot.name),
            ("section", str(self.section)),
            ("reach", f"{reached:.4g} {unit}"),
            (
                "free",
                f"{self.area:.4g} {unit} in {counted(len(self.areas), 'part')} without singularity",
            ),
            (
                "home",
                f"in part {home}, {self.areas[home - 1]:.4g} {unit}" if home else "in no part",
            ),
        ]
        beyond = np.bincount(self.violated[self.violated >= 0], minlength=len(self.limited_axes))
        if beyond.any():
            worst = self.limited_axes[int(np.argmax(beyond))]
            found.append(("limits", f"{worst} is most often beyond its own"))
        for name, ends in self._spans.items():
            if ends["least"] is not None:
                span = f"{ends['least']:.4g} to {ends['largest']:.4g} {ends['unit']}"
                found.append((name.replace("_", ", "), span))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON."""
        section = self.section
        return {
            "robot": self.robot.name,
            **section.to_dict(),
            "reach": float(self.reach.sum()) * section.cell,
            "area": self.area,
            "areas": self.areas.tolist(),
            "home_component": self.home_component,
            "length": self.length,
            "limited_axes": list(self.limited_axes),
            "capability": {n: s for n, s in self._spans.items() if n not in FIGURES},
            "elastic": {n: s for n, s in self._spans.items() if n in FIGURES},
        }

    def map_named(self, what: str) -> np.ndarray:
        """One of the maps; refuses an unknown name and lists the known ones."""
        if what not in self.maps:
            asked = "payload" in str(what) or "acceleration" in str(what)
            more = " gough.workspace(..., capability=...) adds what motors can do." if asked else ""
            if what in FIGURES:
                more = f" gough.workspace(..., elastic={what!r}) adds it."
            raise InputError(
                f"a workspace has no map {shown(what)}",
                hint=f"{nearest(what, self.maps)}{more}",
                argument="what",
            )
        return self.maps[what]

    def draw(self, what: str = "component", *, loci: bool = True, axes: Any = None) -> Figure:
        """A picture of one or two freedoms.

        Args:
            what: one of ``maps``.
            loci: whether curves of singularities are drawn on top.
            axes: matplotlib axes to draw into; a new figure if not given.
        """
        from gough.report.maps import draw_workspace  # noqa: PLC0415  looks down, when it is asked

        check_extent(self.section)
        return draw_workspace(self, what, loci=switch(loci, "loci"), axes=axes)

    @property
    def _spans(self) -> dict[str, dict[str, Any]]:
        """Least and largest of what was asked for inside all parts, by figure."""
        found: dict[str, dict[str, Any]] = {}
        for name, (values, unit) in self._figures.items():
            some = values[self.component.ravel() > 0]
            some = some[np.isfinite(some)]
            ends = (float(some.min()), float(some.max())) if len(some) else (None, None)
            found[name] = {"least": ends[0], "largest": ends[1], "unit": unit}
        return found
