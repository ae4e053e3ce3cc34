"""Draws the pictures of README, gallery and pages, and writes the gallery page docs/zoo.md.

Without words it makes everything; with names of robots, or ``motor_sizing``, their pictures only;
with ``--check`` nothing: it fails if the page is out of date or a picture is missing.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

import gough
import gough.zoo
from gough.report.drawing import draw

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "zoo.md"
PICTURES = HERE / "zoo"
SIZING = HERE / "motor_sizing.png"
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

In the pictures motors are orange, the platform is blue, the base is grey; a cylinder is a revolute
joint, a square sleeve a prismatic one, a cross a universal joint, a ball a spherical one. Bars run
from joint to joint: a description contains the places of the joints on a body, but not its shape.

```python
import gough

robot = gough.zoo.load("delta")
figure = gough.draw(robot)  # at home; gough.draw(robot, state) in a state, or in several
assert figure.axes  # figure.savefig("delta.png")
```

Every number of a robot is a parameter; `gough.zoo.parameters(name)` returns them all with their
values, and `help("gough.zoo.delta")` explains them. The values are in a file beside the code,
`delta.yaml`. For other lengths a new home is computed.

```python
figures = gough.zoo.parameters("delta")  # a copy: change what differs
figures["platform"]["mass"] = 1.2
larger = gough.zoo.load("delta", **figures | {"L": 0.25, "l": 0.6})
assert larger.freedoms == ("x", "y", "z")
```

Lengths of Delta-like robots have words as well, those of `gough.build.delta`: `arm` is `L`, `bar`
is `l`. A robot knows its parameters, and `gough.vary` makes one with others, by name or by path;
a [robot file](robot-files.md#like-another-robot) does the same with `like: delta`.

```python
longer = gough.vary(robot, {"platform.mass": 1.2, "legs[1].arm.mass": 1.0}, arm=0.25, bar=0.6)
assert longer.parameters["L"] == 0.25
assert longer.body("arm2").mass == 1.0
```

So a robot is a function of any numbers of it: `gough.vary(robot, dict(zip(names, x)))`. Robots
keep that knowledge in pickles; what `dataclasses.replace` makes of them has none.

Of a machine with several operation modes, motions with freedoms of different kinds that it passes
between in constraint singularities, `mode` chooses one; home is in that mode then, and all that
gough finds out is found out there.

```python
wrist = gough.zoo.load("dymo", mode="rotational")
assert wrist.freedoms == ("rx", "ry", "rz")
```

In the joint strings of legs a star marks a motor, brackets mark branches and a tilde marks a loop
joint of the leg. This page is written by `docs/figures/make.py`.
"""


def moved(robot: gough.Robot, by: tuple[float, ...]) -> np.ndarray:
    """Home and a pose beside it, ``(2, 4, 4)``."""
    a = robot.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    return np.stack([a.T_home, gough.state(robot, home + np.array(by)).T_0p])


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
    text = ", ".join(f"{n} × `{chain}`" if n > 1 else f"`{chain}`" for chain, n in chains.items())
    return text.replace("|", r"\|")  # the text goes into a table


def modes(name: str) -> str:
    """Operation modes in which a robot can be loaded, the usual one first; most have one only."""
    known = gough.zoo.parameters(name)
    return ", ".join(f"`{mode}`" for mode in known["home"]) if "mode" in known else ""


def section(robot: gough.Robot) -> str:
    """One robot of the gallery."""
    name = robot.name
    found = gough.sheet(robot)
    facts = [
        ("legs", legs(found)),
        ("mobility", f"{found.mobility}: {' '.join(found.freedoms)}"),
        ("operation modes", modes(name)),
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


def computed(page: Path) -> dict[str, Any]:
    """What the Python blocks of a page leave behind, so that its picture shows the same numbers."""
    names: dict[str, Any] = {"__name__": page.stem}
    with redirect_stdout(StringIO()):
        for code in re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            exec(compile(code, str(page), "exec"), names)
    return names


def sizing() -> Figure:
    """The picture of docs/motor-sizing.md: torque over time, and against speed."""
    found = computed(HERE.parent / "motor-sizing.md")
    figure = Figure(figsize=(9.0, 3.7), layout="constrained")
    over_time, against_speed = figure.subplots(1, 2, sharey=True)
    _torque_over_time(over_time, found)
    _torque_against_speed(against_speed, found)
    for axes in (over_time, against_speed):
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
    over_time.set(ylabel="torque of the motor [N m]", ylim=(-2.3, 2.3))
    figure.legend(
        *over_time.get_legend_handles_labels(),
        loc="outside upper center",
        ncols=3,
        fontsize=8.5,
        frameon=False,
    )
    return figure


# the drawings' driven and platform colours and a third, apart from each other also in grey
_MOTORS = ("#d9731a", "#1f5fa8", "#5a9e6f")
_GREY = "#66727f"
_STYLES = {"peak": "--", "continuous": ":"}


def _torque_over_time(axes: Axes, found: dict[str, Any]) -> None:
    end = 1e3 * found["period"]
    axes.axvspan(0.0, end / 2, color="#eef1f4", zorder=0)
    for at, text in ((0.25, "with the load"), (0.75, "empty")):
        axes.text(at * end, -2.2, text, ha="center", fontsize=8.5, color=_GREY)
    for name, torque, colour in zip(
        found["robot"].motors, found["motor"].torque.T, _MOTORS, strict=True
    ):
        label = f"{name}: rms {found['rms'](torque):.2f} N m"
        axes.plot(1e3 * found["t"], torque, color=colour, lw=1.7, label=label)
    for limit, style in _STYLES.items():
        value = found[limit][0]
        axes.axhline(value, color=_GREY, ls=style, lw=1.0)
        axes.axhline(-value, color=_GREY, ls=style, lw=1.0)
        axes.text(0.985 * end, value + 0.06, limit, ha="right", fontsize=8.5, color=_GREY)
    axes.set(xlim=(0.0, end), xlabel="time [ms]")


def _torque_against_speed(axes: Axes, found: dict[str, Any]) -> None:
    corners = found["corners"]
    for limit, style in _STYLES.items():
        n = np.concatenate([corners, corners[::-1], -corners, -corners[::-1], corners[:1]])
        m = found[limit]
        m = np.concatenate([m, -m[::-1], -m, m[::-1], m[:1]])
        axes.plot(n, m, color=_GREY, ls=style, lw=1.0)
    axes.text(0.0, found["peak"][0] + 0.06, "peak", ha="center", fontsize=8.5, color=_GREY)
    axes.text(2950, 0.7, "continuous", ha="right", fontsize=8.5, color=_GREY)
    speed, torque = found["motor"].speed * found["RPM"], found["motor"].torque
    around = [*range(len(speed)), 0]
    for i, colour in enumerate(_MOTORS):
        axes.plot(speed[around, i], torque[around, i], color=colour, lw=1.2, marker=".", ms=3.2)
    axes.set(xlim=(-5500, 5500), xlabel="speed of the motor [rpm], a dot every 5 ms")


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
        wanted = [SIZING, *(PICTURES / f"{name}.png" for name in names)]
        missing = [picture.stem for picture in wanted if not picture.exists()]
        if stale or missing:
            sys.stderr.write(f"out of date: run {Path(__file__).name}; missing: {missing}\n")
        return int(stale or bool(missing))
    PICTURES.mkdir(exist_ok=True)
    if not words or SIZING.stem in words:
        save(sizing(), SIZING, 150)
    for name in [word for word in words if word != SIZING.stem] if words else names:
        figure = draw(gough.zoo.load(name), view=VIEWS.get(name))
        save(figure, PICTURES / f"{name}.png")
    if not words:
        save(row(), HERE / "robots.png", 150)
        PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
