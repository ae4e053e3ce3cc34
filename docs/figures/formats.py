"""The picture of docs/formats.md: a robot of an MJCF file, with its shapes and without them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gough
from gough.report.drawing.figure import new_figure

HERE = Path(__file__).resolve().parent
FILE = HERE.parents[1] / "examples" / "robots" / "tilting_head.xml"


def main() -> None:
    figure = new_figure(6.4, 3.6)
    for k, drop in enumerate(((), ("shapes",)), start=1):
        robot = gough.load(FILE, platform="head", drop=drop)
        T = robot.home_pose
        T[:3, :3] = T[:3, :3] @ gough.Frame.from_rpy([0, 0, 0], [-0.15, 0.25, 0]).matrix[:3, :3]
        axes = figure.add_subplot(1, 2, k, projection="3d")
        gough.draw(robot, np.array(T), axes=axes, frames=False, scale=False, view=(18, 35))
    figure.subplots_adjust(left=0.0, right=1.0, bottom=0.0, top=1.0, wspace=0.0)
    figure.savefig(HERE / "formats_shapes.png", dpi=110)


if __name__ == "__main__":
    main()
