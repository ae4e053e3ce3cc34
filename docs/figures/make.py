"""Draws the pictures of README and gallery, and writes the gallery page docs/zoo.md.

Without words it makes everything; with names of robots, their pictures only; with ``--check``
nothing: it fails if the page is out of date or a picture is missing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import gough
import gough.zoo
from gough.drawing import draw

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "zoo.md"
PICTURES = HERE / "zoo"
DPI = 110

# README: name, title, view, and how far the robot moves from home in its own freedoms [m, rad].
ROW = (
    ("five_bar", "five-bar", None, (0.13, -0.06)),
    ("delta", "Delta", (20, -66), (0.1, 0.04, 0.09)),
    ("gough_stewart", "Gough-Stewart", (18, -62), (0.12, -0.05, 0.1, 0.1, 0.2, 0.3)),
    ("quattro", "Quattro", (22, -30), (0.12, 0.1, 0.1, 0.5)),
    ("linear_delta", "linear Delta", (24, -64), (0.05, -0.05, 0.07)),
    ("agile_eye", "Agile Eye", None, (0.15, 0.2, -0.25)),
)

# Where another view than the one gough chooses shows more.
VIEWS = {"hexapod_6pus": (25.0, -25.0), "h4": (22.0, -15.0), "orthoglide": (25.0, 30.0)}

HEAD = """# The zoo

Known parallel robots, ready to load and to vary. `gough zoo` lists them; `gough zoo delta -o
mine.yaml` writes one as a robot file to be edited.

In the pictures orange is driven, blue is the platform, grey the base; a cylinder is a revolute
joint, a square sleeve a prismatic one, a cross a universal joint, a ball a spherical one. Bars run
from joint to joint: gough knows where joints sit on a body, and nothing else of its form.

```python
import gough

robot = gough.zoo.load("delta")
figure = gough.draw(robot)  # at home; gough.draw(robot, T_0p) at a pose, or at several
assert figure.axes  # figure.savefig("delta.png")
```

Every number of a robot is a parameter; `gough.zoo.parameters(name)` has them all with their values,
and `help("gough.zoo.delta")` what they mean. Home is found again for other lengths.

```python
figures = gough.zoo.parameters("delta")  # a copy: change what differs
figures["platform"]["mass"] = 1.2
larger = gough.zoo.load("delta", **figures | {"L": 0.25, "l": 0.6})
assert larger.freedoms == ("x", "y", "z")
```

In the joint strings of legs a star marks a motor, brackets a branching and a tilde a joint that
closes a loop of the leg. This page is written by `docs/figures/make.py`.
"""


def moved(robot: gough.Robot, by: tuple[float, ...]) -> np.ndarray:
    """Home and a pose beside it, ``(2, 4, 4)``."""
    a = robot.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    return np.stack([a.T_home, gough.state(robot, home + np.array(by))[0]])


def row() -> Figure:
    """The picture of the README."""
    width = 2.2
    figure = Figure(figsize=(width * len(ROW), 2.55))
    for k, (name, title, view, by) in enumerate(ROW):
        robot = gough.zoo.load(name)
        flat = name == "five_bar"
        box = ((k + 0.03) / len(ROW), 0.14, 0.94 / len(ROW), 0.84)
        axes = figure.add_axes(box, projection=None if flat else "3d")
        draw(robot, moved(robot, by), axes=axes, view=view, frames=False, scale=False)
        freedoms = f"{robot.mobility} freedoms"
        figure.text((k + 0.5) / len(ROW), 0.07, title, ha="center", fontsize=9)
        figure.text((k + 0.5) / len(ROW), 0.015, freedoms, ha="center", fontsize=7, color="#66727f")
    return figure


def legs(found: gough.Sheet) -> str:
    """Legs in letters, equal ones counted."""
    chains = Counter(chain for _, chain in found.legs)
    return ", ".join(f"{n} × `{chain}`" if n > 1 else f"`{chain}`" for chain, n in chains.items())


def section(robot: gough.Robot) -> str:
    """One robot of the gallery."""
    name = robot.name
    found = gough.sheet(robot)
    facts = [
        ("legs", legs(found)),
        ("mobility", f"{found.mobility}: {' '.join(found.freedoms)}"),
        ("motors", ", ".join(f"`{motor}`" for motor in robot.motors)),
        ("bodies, joints", f"{found.bodies}, {sum(found.joints.values())}"),
        ("size", f"{found.size:.2g} m, {found.mass:.3g} kg moving"),
        ("source", robot.source),
    ]
    table = "\n".join(f"| {what} | {fact} |" for what, fact in facts if fact)
    picture = f"```{{image}} figures/zoo/{name}.png\n:alt: {name}\n:width: 400px\n```"
    line = f"{robot.label}\n\n" if robot.label else ""
    return f"## {name}\n\n{line}{picture}\n\n| | |\n|---|---|\n{table}\n"


def page(load: Callable[[str], gough.Robot] = gough.zoo.load) -> str:
    """The text of the gallery."""
    return "\n".join([HEAD, *(section(load(name)) for name in gough.zoo.names())])


def save(figure: Figure, path: Path, dpi: int = DPI) -> None:
    """Save a figure with 256 colours, a third of the size."""
    buffer = BytesIO()
    figure.savefig(buffer, dpi=dpi)
    picture = Image.open(buffer).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main(words: list[str]) -> int:
    """Draw, write, or check."""
    names = gough.zoo.names()
    if words == ["--check"]:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page()
        missing = [name for name in names if not (PICTURES / f"{name}.png").exists()]
        if stale or missing:
            sys.stderr.write(f"out of date: run {Path(__file__).name}; missing: {missing}\n")
        return int(stale or bool(missing))
    PICTURES.mkdir(exist_ok=True)
    for name in words or names:
        figure = draw(gough.zoo.load(name), view=VIEWS.get(name))
        save(figure, PICTURES / f"{name}.png")
    if not words:
        save(row(), HERE / "robots.png", 150)
        PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
