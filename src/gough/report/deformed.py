"""Pictures of machines that give way: deflections, and shapes of vibrations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import number as checked_number
from gough.base.arguments import whole
from gough.elastic.deflection import Deflection
from gough.elastic.statics import Solved
from gough.elastic.vibrations import Vibrations
from gough.errors import InputError
from gough.report.drawing.bent import bent, displacement_of, largest
from gough.report.drawing.figure import assembled_scenes, check_view, picture
from gough.report.drawing.style import round_length

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SEEN = 0.08  # largest displacement that is drawn, as a share of the robot's size


def draw_vibration(
    found: Vibrations, number: int, *, axes: Any, view: tuple[float, float] | None
) -> Figure:
    """See :meth:`gough.Vibrations.draw`."""
    _check_single(found.frequencies.ndim == 1)
    count = int(np.isfinite(found.frequencies).sum())
    number = whole(number, "number", least=1)
    if number > count:
        raise InputError(f"number is {number}, and there are {count} vibrations", argument="number")
    solved, shapes = found._solved[0], found._shapes[0]
    title = f"vibration {number}: {found.frequencies[number - 1]:.4g} Hz, not to scale"
    return _picture(solved, shapes[:, number - 1], None, title, axes, view)


def draw_deflection(
    found: Deflection,
    *,
    magnified: float | None,
    axes: Any,
    view: tuple[float, float] | None,
) -> Figure:
    """See :meth:`gough.Deflection.draw`."""
    _check_single(found.platform.ndim == 1)
    solved, x = found._shapes[0]
    if magnified is not None:
        magnified = checked_number(magnified, "magnified", positive=True)
    return _picture(solved, x, magnified, "deflection, magnified {} times", axes, view)


def _check_single(single: bool) -> None:
    if not single:
        raise InputError(
            "there are several postures: one can be drawn",
            hint="Ask of one: gough.elasticity(robot, T_0p[k], ...).",
            argument="T_0p",
        )


def _picture(
    solved: Solved,
    x: np.ndarray,
    factor: float | None,
    title: str,
    axes: Any,
    view: tuple[float, float] | None,
) -> Figure:
    """The deformed machine over the undeformed one."""
    check_view(view)
    system = solved.system
    scene = assembled_scenes(system.assembly, [system.posture])[0]
    size = largest(scene, displacement_of(system, x))
    if factor is None:
        factor = round_length(_SEEN * scene.length / size) if size > 0.0 else 1.0
    after = bent(scene, system, displacement_of(system, factor * x))
    heading = f"{system.robot.name}, {title.format(f'{factor:g}')}"
    return picture(
        system.robot.name, [scene, after], axes=axes, view=view, title=heading, frames=False
    )
