"""``gough.singularity_locus``: curves on which a robot is singular, in a plane of its freedoms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.arguments import one_of, words
from gough.kernels.kernel import check_threads
from gough.loops.closing import Closer
from gough.mobility.assembly import assembled
from gough.robot import Robot
from gough.sections.curves import KINDS, check_plane, curves_of
from gough.sections.section import Section
from gough.sections.survey import section_of, surveyed
from gough.singularity.telling import Progress, telling

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Locus:
    """Curves of singularities in a plane of two freedoms.

    Attributes:
        robot: the machine.
        section: the plane, and the grid on which the curves were found.
        curves: by kind, arrays ``(k, 2)`` of the two freedoms [m or rad].
    """

    robot: Robot
    section: Section
    curves: dict[str, list[np.ndarray]]

    def __repr__(self) -> str:
        told = ", ".join(f"{len(c)} of {kind}" for kind, c in self.curves.items())
        return f"<Locus of {self.robot.name!r}: curves {told}>"

    def columns(self) -> dict[str, np.ndarray]:
        """Every point of a curve as a row: kind (1, 2; 3 for constraint), curve, freedoms."""
        rows = [
            np.column_stack([np.full(len(c), KINDS.index(kind) + 1.0), np.full(len(c), i), c])
            for kind, curves in self.curves.items()
            for i, c in enumerate(curves)
        ]
        table = np.concatenate([np.zeros((0, 4)), *rows])
        names = ("kind", "curve", *self.section.names)
        return {name: table[:, i] for i, name in enumerate(names)}

    def draw(self, *, axes: Any = None) -> Figure:
        """A picture of the curves."""
        from gough.report.maps import draw_locus  # noqa: PLC0415  looks down, when it is asked

        return draw_locus(self, axes=axes)


def singularity_locus(
    robot: Robot,
    section: Section | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    kinds: Sequence[str] = KINDS,
    progress: Progress | None = None,
    threads: int | None = None,
    **axes: Any,
) -> Locus:
    """Curves on which a robot is singular, over two of its freedoms, on home's branch.

    ``"Type 1"`` is the border of reach, where a leg is stretched or folded and its working modes
    meet.  On ``"Type 2"`` the motors cannot hold the platform.  On ``"constraint"`` curves, inside
    the reach, the legs no longer decide what the freedoms leave open.

    Points lie on the curves to 1e-9 of the robot's size (to 1e-4 where two kinds meet); a curve may
    end a cell of the grid before it meets another.  A robot with more motors than freedoms has no
    curves of Type 2: its singularities are single points.

    Args:
        robot: the machine.
        section: the grid; of a workspace, or by keywords.
        at: freedoms that are held, by name [m or rad]; home's values if not given.
        kinds: which ones.
        progress: called with the share done, 0 to 1.
        threads: most threads; all cores if not given.
        **axes: two freedoms that vary, as in :func:`gough.workspace`.
    """
    assembly = assembled(robot)
    told = (kinds,) if isinstance(kinds, str) else words(kinds, "kinds")
    chosen = dict.fromkeys(one_of(kind, "kinds", KINDS) for kind in told)
    tell = telling(progress)
    check_threads(threads)
    closer = Closer(assembly, threads)
    grid = section_of(closer, section, axes, at, limits=False)
    check_plane(grid)
    tell(0.1)
    survey = surveyed(closer, grid, progress=lambda s: tell(0.1 + 0.6 * s))
    curves = curves_of(survey, chosen)
    tell(1.0)
    return Locus(robot, grid, curves)
