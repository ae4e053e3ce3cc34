"""What a section shows: arrays over its grid, figures of its parts, tables."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.arguments import switch
from gough.errors import InputError, shown
from gough.geometry.newton import State
from gough.loops.closing import Closer, States
from gough.robot import Robot
from gough.robot.names import nearest
from gough.sections.curves import KINDS, check_extent, check_plane, curves_of
from gough.sections.figures import Figures
from gough.sections.section import Section
from gough.tracing.stepping import bounded_axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Capability:
    """What motors with limited efforts can do at rest, over K points; NaN out of reach.

    0 where the motors cannot even hold the machine.

    Attributes:
        what: ``"payload"`` or ``"acceleration"``.
        unit: of the figures.
        freedoms: whose accelerations count; the others' are kept zero.
        efforts: largest effort of each motor [N m or N].
        direction: that was asked for, over all freedoms; ``None`` if none was.
        worst: the payload that can be held; or the acceleration that is there in every direction.
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


@dataclass(frozen=True, eq=False)
class Workspace:
    """A section of what a robot can do: arrays over the grid of ``section``, of its shape.

    Attributes:
        robot: the machine.
        section: the grid.
        length: in whose units lengths count in ``type_1``, ``type_2`` and ``constraint`` [m].
        limits: whether limits count for ``component``.
        own_branch: whether the branch is home's.
    """

    robot: Robot
    section: Section
    _closer: Closer = field(repr=False)
    _start: States = field(repr=False)
    _states: States = field(repr=False)
    _figures: Figures = field(repr=False)
    _labels: np.ndarray = field(repr=False)
    length: float
    limits: bool
    own_branch: bool
    _capability: Capability | None = field(repr=False)

    def __repr__(self) -> str:
        return f"<Workspace of {self.robot.name!r}: {self.section}>"

    @cached_property
    def reach(self) -> np.ndarray:
        """Whether the loops close, on the branch asked for."""
        return self._shaped(self._states.good)

    @cached_property
    def within_limits(self) -> np.ndarray:
        """Whether a point is reached and all axes are within their limits, passive ones too."""
        return self._shaped(self._states.good & (self._figures.beyond < 0))

    @cached_property
    def limited_axes(self) -> tuple[str, ...]:
        """Axes with limits of position."""
        return tuple(bounded_axes(self._closer.assembly))

    @cached_property
    def violated(self) -> np.ndarray:
        """Index among ``limited_axes`` of the one farthest beyond its limits; -1 for none."""
        return self._shaped(self._figures.beyond)

    @cached_property
    def type_2(self) -> np.ndarray:
        """Distance to Type 2 singularities: the motors hold the platform the worse, the smaller.

        This and the other distances are those of ``gough.singularities``, lengths in units of
        ``length``, angles in radians.
        """
        return self._shaped(self._figures.type_2)

    @cached_property
    def sign(self) -> np.ndarray:
        """Sign of the motors' determinant; 0 out of reach, and with more motors than freedoms."""
        return self._shaped(self._figures.sign)

    @cached_property
    def type_1(self) -> np.ndarray:
        """Distance to Type 1 singularities: at 0 a leg is stretched or folded."""
        return self._shaped(self._figures.type_1)

    @cached_property
    def constraint(self) -> np.ndarray:
        """Distance to constraint singularities: at 0 the platform gains a freedom; 1 with six."""
        return self._shaped(self._figures.constraint)

    @cached_property
    def component(self) -> np.ndarray:
        """Parts that are connected without passing a singularity or a limit: 1, 2, ...; 0 outside.

        1 is the largest.
        """
        return self._shaped(self._labels)

    @property
    def home_component(self) -> int:
        """The part in which home lies, or the branch's own pose; 0 if in none.

        Where the section does not go through it, the part at the same place of the section.
        """
        here = self._start.y[0, self._closer.free]
        for k, i in enumerate(self.section.columns_varied):
            values, step = self.section.values[k], self.section.spacing[k]
            if not values[0] - step <= here[i] <= values[-1] + step:
                return 0
        return int(self._labels[self.section.nearest(here)])

    @cached_property
    def areas(self) -> np.ndarray:
        """Area (length, volume) of every part, from the largest on; in ``section.unit``."""
        return np.bincount(self._labels, minlength=1)[1:] * self.section.cell

    @property
    def area(self) -> float:
        """Area (length, volume) of all parts together."""
        return float(self.areas.sum())

    @cached_property
    def T_0p(self) -> np.ndarray:
        """Platform poses ``(..., 4, 4)``; NaN out of reach."""
        found = np.full((len(self._labels), 4, 4), np.nan)
        good = self._states.good
        found[good] = self._closer.poses(self._states.y[good])
        return found.reshape(*self.section.shape, 4, 4)

    @property
    def capability(self) -> Capability | None:
        """What the motors can do, if it was asked for, over all points in C order."""
        return self._capability

    @cached_property
    def maps(self) -> dict[str, np.ndarray]:
        """Everything that can be drawn, by name."""
        able = {} if self._capability is None else self._capability.maps
        return {
            "component": self.component,
            "reach": self.reach,
            "within_limits": self.within_limits,
            "violated": self.violated,
            "type_2": self.type_2,
            "type_1": self.type_1,
            "constraint": self.constraint,
            "sign": self.sign,
            **{name: self._shaped(values) for name, values in able.items()},
        }

    @cached_property
    def curves(self) -> dict[str, list[np.ndarray]]:
        """Curves of singularities over two freedoms; see :func:`gough.singularity_locus`."""
        check_plane(self.section)
        return curves_of(self._closer, self.section, self._states, self._figures, KINDS)

    def branch(self, *index: int) -> State:
        """The assembled state of a point of the grid, to begin other work from."""
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
        if not self._states.good[k]:
            raise InputError(f"the point {index} of the section is out of reach", argument="index")
        return self._closer.state(self._states, k)

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
            ("free", f"{self.area:.4g} {unit} in {len(self.areas)} parts without singularity"),
            (
                "home",
                f"in part {home}, {self.areas[home - 1]:.4g} {unit}" if home else "in no part",
            ),
        ]
        beyond = np.bincount(self.violated[self.violated >= 0], minlength=len(self.limited_axes))
        if beyond.any():
            worst = self.limited_axes[int(np.argmax(beyond))]
            found.append(("limits", f"{worst} is most often beyond its own"))
        if self._capability is not None:
            for name, values in self._capability.maps.items():
                inside = values[self._labels > 0]
                if len(inside):
                    span = f"{inside.min():.4g} to {inside.max():.4g} {self._capability.unit}"
                    found.append((name.replace("_", ", "), span))
        return found

    def as_dict(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON."""
        section = self.section
        able = {} if self._capability is None else self._capability.maps
        unit = "" if self._capability is None else self._capability.unit
        return {
            "robot": self.robot.name,
            "axes": {
                name: {"low": float(v[0]), "high": float(v[-1]), "points": len(v)}
                for name, v in zip(section.names, section.values, strict=True)
            },
            "held": section.held,
            "unit": section.unit,
            "reach": float(self.reach.sum()) * section.cell,
            "area": self.area,
            "areas": self.areas.tolist(),
            "home_component": self.home_component,
            "length": self.length,
            "limited_axes": list(self.limited_axes),
            "capability": {name: _span(v, self._labels > 0, unit) for name, v in able.items()},
        }

    def map_named(self, what: str) -> np.ndarray:
        """One of the maps, or a word about those there are."""
        if what not in self.maps:
            asked = "payload" in str(what) or "acceleration" in str(what)
            more = " gough.workspace(..., capability=...) adds what motors can do." if asked else ""
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
            axes: matplotlib axes to draw into; of a figure of its own if not given.
        """
        from gough.report.maps import draw_workspace  # noqa: PLC0415  looks down, when it is asked

        check_extent(self.section)
        return draw_workspace(self, what, loci=switch(loci, "loci"), axes=axes)

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values.reshape(self.section.shape)


def _span(values: np.ndarray, inside: np.ndarray, unit: str) -> dict[str, Any]:
    """Least and largest value of a map inside all parts."""
    some = values[inside]
    ends = (float(some.min()), float(some.max())) if len(some) else (None, None)
    return {"least": ends[0], "largest": ends[1], "unit": unit}
