"""The largest reactions along a motion: what bearings and links are chosen for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FIGURES = ("force", "axial", "radial", "moment", "tilting")
"""What is measured: of the force all of it, along z and across z; of the moment all, across z."""


@dataclass(frozen=True, eq=False)
class Worst:
    """Largest figures of every joint over all samples of a motion.

    Attributes:
        joints: their names.
        force: largest force [N].
        axial: largest force along z of the joint's frame [N].
        radial: largest force across z [N].
        moment: largest moment [N m].
        tilting: largest moment about axes across z [N m].
        samples: by figure, the sample where it occurs, ``(joints,)`` flat indices.  Without any
            sample that was answered it is -1, and figures are NaN.
        unique: whether all that was compared is determined, by joint.
    """

    joints: tuple[str, ...]
    force: np.ndarray
    axial: np.ndarray
    radial: np.ndarray
    moment: np.ndarray
    tilting: np.ndarray
    samples: dict[str, np.ndarray]
    unique: np.ndarray

    def __str__(self) -> str:
        head = ["joint", "force [N]", "axial", "radial", "moment [N m]", "tilting", "sample", ""]
        rows: list[list[Any]] = [head]
        for i, name in enumerate(self.joints):
            figures = [f"{getattr(self, figure)[i]:.4g}" for figure in FIGURES]
            sample = str(int(self.samples["force"][i]))
            rows.append([name, *figures, sample, "" if self.unique[i] else "not unique"])
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = (
            "  ".join(
                cell.ljust(width) if k in (0, 7) else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )
        return "\n".join(lines)


def worst_reactions(joints: Sequence[str], wrench: np.ndarray, unique: np.ndarray) -> Worst:
    """The largest figures of wrenches ``(..., joints, 6)``; samples that failed are left out."""
    flat = wrench.reshape(-1, len(joints), 6)
    f, n = flat[..., :3], flat[..., 3:]
    sizes = {
        "force": np.linalg.norm(f, axis=-1),
        "axial": np.abs(f[..., 2]),
        "radial": np.hypot(f[..., 0], f[..., 1]),
        "moment": np.linalg.norm(n, axis=-1),
        "tilting": np.hypot(n[..., 0], n[..., 1]),
    }
    known = np.isfinite(flat).all(axis=(1, 2))
    largest, samples = {}, {}
    for figure, size in sizes.items():
        if not known.any():
            largest[figure] = np.full(len(joints), np.nan)
            samples[figure] = np.full(len(joints), -1)
            continue
        kept = np.where(known[:, None], size, -np.inf)
        samples[figure] = np.argmax(kept, axis=0)
        largest[figure] = np.max(kept, axis=0)
    marked = unique.reshape(-1, len(joints), 6)[known].all(axis=(0, 2))
    return Worst(tuple(joints), **largest, samples=samples, unique=marked & known.any())
