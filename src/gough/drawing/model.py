"""What is painted in space: coloured faces, collected one solid after the other."""

from __future__ import annotations

import numpy as np

from gough.drawing.solids import Faces
from gough.drawing.style import faded, rgb


class Model:
    """Faces with their colours; ``share`` says how far they fade to white."""

    def __init__(self, share: float = 0.0) -> None:
        self.share = share
        self.faces: list[Faces] = []
        self.colours: list[np.ndarray] = []

    def add(self, faces: Faces, colour: str) -> None:
        """Add a solid of one colour."""
        self.faces.append(faces)
        self.colours.append(np.tile(faded(rgb(colour), self.share), (len(faces), 1)))

    def arrays(self) -> tuple[Faces, np.ndarray]:
        """All faces ``(n, 4, 3)`` and their colours ``(n, 3)``."""
        return np.concatenate(self.faces), np.concatenate(self.colours)
