"""Shaded faces for 3-D axes; imported only where matplotlib is."""

from __future__ import annotations

from typing import Any

import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from gough.report.drawing.camera import camera
from gough.report.drawing.solids import Faces, normals

# Light comes from the viewer's upper left.
_LIGHT = np.array([-0.45, 0.65, 0.61])
_AMBIENT, _DIFFUSE = 0.68, 0.38
_GHOST_AMBIENT, _GHOST_DIFFUSE = 0.93, 0.08

# Faces are outlined in their own colour, or the seams between them would show.
_SEAM = 0.5

# A face seen edge-on counts as seen: its outline closes the solid.
_GRAZING = -0.02


class ShadedFaces(Poly3DCollection):  # type: ignore[misc]
    """Faces of solids, of which those that look away from the viewer are left out."""

    def __init__(self, faces: Faces, colours: np.ndarray, *, ghost: bool, zorder: float) -> None:
        self._all_faces, self._all_colours = faces, colours
        self._normals, self._ghost = normals(faces), ghost
        super().__init__(faces, facecolors=colours, linewidths=_SEAM, zorder=zorder)

    def do_3d_projection(self) -> Any:
        """Choose and shade the faces for the view of the moment, then sort them."""
        frame = camera(self.axes.elev, self.axes.azim)
        seen = self._normals @ frame[2] > _GRAZING
        ambient, diffuse = (_GHOST_AMBIENT, _GHOST_DIFFUSE) if self._ghost else (_AMBIENT, _DIFFUSE)
        light = np.clip(self._normals[seen] @ (_LIGHT @ frame), 0.0, None)
        colours = np.clip(self._all_colours[seen] * (ambient + diffuse * light)[:, None], 0.0, 1.0)
        self.set_verts(self._all_faces[seen])
        self.set_facecolor(colours)
        self.set_edgecolor(colours)
        return super().do_3d_projection()
