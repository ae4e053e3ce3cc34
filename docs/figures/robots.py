"""Draws docs/figures/robots.png: the example robots at home and in motion.  Needs matplotlib."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import gough

HERE = Path(__file__).parent
ROBOTS = HERE.parents[1] / "examples" / "robots"
SHIFT = {
    "five_bar": [0.12, -0.1],
    "delta": [0.08, 0.1, -0.05],
    "hexapod": [0.06, -0.05, 0.08, 0.15, -0.1, 0.3],
}
TITLE = {"five_bar": "five-bar, 2 freedoms", "delta": "Delta, 3", "hexapod": "Gough-Stewart, 6"}


def segments(robot, T_0p):
    """For every body: the points of its joints (and of the platform frame) in the base."""
    found = gough.posture(robot, T_0p)
    for body in robot.bodies:
        points = []
        for joint in robot.joints:
            for name, frame in (
                (joint.parent, joint.parent_frame),
                (joint.child, joint.child_frame),
            ):
                if name == body.name:
                    points.append((found.bodies[name] @ frame.matrix)[:3, 3])
        yield body.name, np.array(points)
    for joint in robot.joints:  # a slide is drawn from one frame to the other
        if joint.kind == "prismatic":
            a = found.bodies[joint.parent] @ joint.parent_frame.matrix
            b = found.bodies[joint.child] @ joint.child_frame.matrix
            yield joint.name, np.array([a[:3, 3], b[:3, 3]])


figure = plt.figure(figsize=(10.5, 3.6), dpi=150)
for k, name in enumerate(TITLE, start=1):
    robot = gough.load(ROBOTS / f"{name}.yaml")
    home = robot.assembly.T_home
    x = np.array([home[i, 3] if i < 3 else 0.0 for i in robot.assembly.free])
    moved = gough.state(robot, x + SHIFT[name])[0]
    flat = name == "five_bar"
    axes = figure.add_subplot(1, 3, k, projection=None if flat else "3d")
    for T, alpha in ((home, 0.25), (moved, 1.0)):
        for body, points in segments(robot, T):
            ring = len(points) > 2
            color = "#c2410c" if body == robot.platform else "#334155"
            closed = np.vstack([points, points[:1]]) if ring else points
            xyz = closed[:, :2] if flat else closed
            width = 2.4 if body == robot.platform else 1.8
            axes.plot(*xyz.T, color=color, alpha=alpha, lw=width, solid_capstyle="round")
            axes.plot(
                *(points[:, :2] if flat else points).T, "o", color="#0f172a", ms=2.6, alpha=alpha
            )
    figure.text((k - 0.5) / 3.0, 0.03, TITLE[name], ha="center", fontsize=10)
    axes.set_aspect("equal")
    axes.axis("off")
    if not flat:
        axes.view_init(elev=14, azim=-62)
        axes.set_box_aspect(
            np.ptp([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()], axis=1), zoom=1.35
        )
figure.subplots_adjust(left=0.02, right=0.98, top=0.98, bottom=0.1, wspace=0.05)
figure.savefig(HERE / "robots.png")
