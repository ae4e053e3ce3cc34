"""Draws the picture of docs/vision.md and prints its tables: ``python docs/figures/vision.py``.

The figures are those of ``vision.csv``, which ``python benchmarks/vision.py`` writes.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from make import save
from matplotlib.axes import Axes
from matplotlib.figure import Figure

HERE = Path(__file__).resolve().parent
PICTURE, TABLE = HERE / "vision.png", HERE / "vision.csv"
ROBOTS = {"quattro": "Quattro", "gough_stewart": "hexapod"}
NUMBERS = ("error", "noise", "rate", "rms_mm", "max_mm", "rms_mrad", "max_mrad")
CURVES = (
    ("motors", 0.0, "motors", "#b8443c", "s-"),
    ("legs", 0.0, "legs, exact images", "#9db8d6", "o-"),
    ("legs", 0.1, "legs, 0.1 px", "#1f5fa8", "o-"),
    ("legs", 0.5, "legs, 0.5 px", "#10305a", "o-"),
    ("legs and encoders", 0.1, "legs and encoders, 0.1 px", "#d9731a", "^-"),
)

UNSTABLE = 10.0  # mm: no error of tracking, but a controller that swings up

OTHER = ("all", "rates", "draws")  # what is no kind of error of the geometry

Row = dict[str, str]


def rows() -> list[Row]:
    """All runs."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def mean(data: list[Row], column: str, **where: object) -> float:
    """Root mean square over the draws of a case, or the largest of the largest."""
    found = np.array(
        [
            float(row[column])
            for row in data
            if all(float(row[k]) == v if k in NUMBERS else row[k] == v for k, v in where.items())
        ]
    )
    if not len(found):
        raise SystemExit(f"no run with {where}")
    return float(found.max() if column.startswith("max") else np.sqrt((found**2).mean()))


def picture(data: list[Row]) -> Figure:
    """Errors against geometry errors for both robots, and what the rate of images does."""
    figure = Figure(figsize=(10.0, 6.4), layout="constrained")
    grid = figure.subplots(2, 3)
    for line, (robot, title) in zip(grid, ROBOTS.items(), strict=True):
        for axes, column, unit in zip(line, ("rms_mm", "rms_mrad"), ("mm", "mrad"), strict=False):
            _geometry(axes, data, robot, column)
            axes.set(xlabel="error of the geometry [mm, mrad]", ylabel=f"off, rms [{unit}]")
            axes.set_title(f"{title}: {'position' if unit == 'mm' else 'orientation'}")
        _rates(line[2], data, robot)
        line[2].set_title(f"{title}: exact geometry")
    grid[0][0].legend(fontsize=7, frameon=False)
    grid[0][2].legend(fontsize=7, frameon=False)
    for axes in grid.flat:
        low, high = axes.get_ylim()
        marks = [m * 10.0**k for k in range(-3, 3) for m in (1.0, 2.0, 5.0)]
        marks = [mark for mark in marks if low < mark < high]
        axes.set_yticks(marks, [f"{mark:g}" for mark in marks])
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)
        axes.xaxis.label.set_size(8.5)
        axes.yaxis.label.set_size(8.5)
        axes.title.set_size(9.5)
    return figure


def _geometry(axes: Axes, data: list[Row], robot: str, column: str) -> None:
    errors = (1e-4, 3e-4, 1e-3)
    for control, noise, label, colour, style in CURVES:
        where = {"robot": robot, "control": control, "noise": noise, "kind": "all"}
        found = [mean(data, column, error=error, **where) for error in errors]
        axes.loglog(1e3 * np.array(errors), found, style, color=colour, ms=4, lw=1.4, label=label)
    axes.set_xticks([0.1, 0.3, 1.0], ["0.1", "0.3", "1"])
    axes.minorticks_off()


def _rates(axes: Axes, data: list[Row], robot: str) -> None:
    rates = (100, 250, 500, 1000)
    for noise, colour in ((0.1, "#1f5fa8"), (0.5, "#10305a")):
        where = {"robot": robot, "control": "legs", "noise": noise, "kind": "rates"}
        found = [mean(data, "rms_mm", rate=rate, **where) for rate in rates]
        axes.loglog(rates, found, "o-", color=colour, ms=4, lw=1.4, label=f"legs, {noise:g} px")
    where = {"robot": robot, "control": "platform, exact pose", "kind": "rates"}
    found = [mean(data, "rms_mm", rate=rate, **where) for rate in rates]
    found = [each if each < UNSTABLE else np.nan for each in found]
    label = "platform, exact pose, no prediction"
    axes.loglog(rates, found, "D-", color="#66727f", ms=4, lw=1.4, label=label)
    axes.set_xticks(rates, [str(rate) for rate in rates])
    axes.minorticks_off()
    axes.set(xlabel="images a second, each a period late", ylabel="off, rms [mm]")


def tables(data: list[Row]) -> str:
    """The tables of the page, in Markdown."""
    lines = []
    for robot, title in ROBOTS.items():
        lines += ["", f"| {title}, 500 Hz | 0 | 0.1 | 0.3 | 1 |", "|---|---|---|---|---|"]
        cases = [(how, 0.0) for how in ("motors", "platform, by encoders", "platform, exact pose")]
        cases += [("legs", noise) for noise in (0.0, 0.1, 0.5)] + [("legs and encoders", 0.1)]
        for how, noise in cases:
            cells = []
            for error in (0.0, 1e-4, 3e-4, 1e-3):
                where = {"robot": robot, "control": how, "noise": noise, "kind": "all"}
                where["error"] = error
                mm, most, mrad, largest = (
                    mean(data, column, **where)
                    for column in ("rms_mm", "max_mm", "rms_mrad", "max_mrad")
                )
                cells.append(f"{mm:.2g} ({most:.2g}) mm, {mrad:.2g} ({largest:.2g}) mrad")
            name = f"{how}, {noise:g} px" if how.startswith("legs") else how
            lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "| 1 mm, 1 mrad in | motors | legs, 0.1 px |", "|---|---|---|"]
    for robot, title in ROBOTS.items():
        for kind in dict.fromkeys(
            row["kind"] for row in data if row["robot"] == robot and row["kind"] not in OTHER
        ):
            cells = [
                f"{mean(data, 'rms_mm', robot=robot, kind=kind, control=how):.2g} mm, "
                f"{mean(data, 'rms_mrad', robot=robot, kind=kind, control=how):.2g} mrad"
                for how in ("motors", "legs")
            ]
            lines.append(f"| {title}, {kind} | {' | '.join(cells)} |")
    for robot, title in ROBOTS.items():
        for how, noise in (("motors", 0.0), ("legs", 0.1), ("legs", 0.5)):
            where = {"robot": robot, "kind": "draws", "control": how, "noise": noise}
            cells = [f"{mean(data, column, **where):.2g}" for column in ("rms_mm", "rms_mrad")]
            each = [
                row["rms_mm"]
                for row in data
                if row["robot"] == robot
                and row["kind"] == "draws"
                and row["control"] == how
                and float(row["noise"]) == noise
            ]
            lines.append(f"six draws, {title}, {how}, {noise:g} px: {cells}, each {each}")
        where = {"robot": robot, "control": "legs, camera turned"}
        mm, mrad = mean(data, "rms_mm", **where), mean(data, "rms_mrad", **where)
        lines.append(f"camera turned by 1 mrad, {title}: {mm:.2g} mm, {mrad:.2g} mrad")
        for rate in (100, 250, 500, 1000):
            found = [
                mean(data, "rms_mm", robot=robot, kind="rates", rate=rate, control="legs", noise=n)
                for n in (0.1, 0.5)
            ]
            lines.append(f"{title} {rate} Hz: {found[0]:.2g} mm, {found[1]:.2g} mm")
    return "\n".join(lines)


if __name__ == "__main__":
    read = rows()
    save(picture(read), PICTURE)
    print(tables(read))
