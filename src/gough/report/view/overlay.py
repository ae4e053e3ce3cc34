"""A slice of the workspace as a page shows it: borders and singular curves of the origin."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly
from gough.report.view.computing import packed
from gough.singularity.workspace.result import Workspace


def overlaid(assembly: Assembly, given: Any) -> list[dict[str, Any]]:
    """Curves of a slice, ready for JSON: their kind, and points of the platform's origin."""
    if given is None:
        return []
    if not isinstance(given, Workspace):
        raise InputError(
            f"workspace is {shown(given)}, expected what gough.workspace(...) gives",
            argument="workspace",
        )
    if given.robot != assembly.robot:
        raise InputError(
            f"the workspace is of {shown(given.robot.name)}, not of {shown(assembly.robot.name)}",
            argument="workspace",
        )
    names = given.section.names
    if len(names) != 2 or not set(names) <= set("xyz"):
        raise InputError(
            "a page shows a slice over two of x, y, z; this is one over " + ", ".join(names),
            argument="workspace",
        )
    start = assembly.chart.coordinates(np.asarray(assembly.start[0]))[:3]
    for name, value in given.section.held.items():
        if name in "xyz":
            start["xyz".index(name)] = value
    columns = ["xyz".index(name) for name in names]
    found = []
    for kind, curves in [("border", _border(given)), *given.curves.items()]:
        for curve in curves:
            points = np.tile(start, (len(curve), 1))
            points[:, columns] = curve
            found.append({"kind": kind, "points": packed(points)})
    return found


def _border(given: Workspace) -> list[np.ndarray]:
    """Edges of the cells around home's part, beyond which there is another one or nothing."""
    inside = np.pad(given.component == given.home_component, 1)
    found = []
    middles = [
        np.concatenate([v[:1] - d, v, v[-1:] + d])
        for v, d in zip(given.section.values, given.section.spacing, strict=True)
    ]
    halves = given.section.spacing / 2.0
    for axis in (0, 1):
        across = np.moveaxis(inside, axis, 0)
        for i, j in np.argwhere(across[1:] != across[:-1]):
            edge = np.empty((2, 2))
            edge[:, axis] = middles[axis][i] + halves[axis]
            edge[:, 1 - axis] = middles[1 - axis][j] + halves[1 - axis] * np.array([-1.0, 1.0])
            found.append(edge)
    return found
