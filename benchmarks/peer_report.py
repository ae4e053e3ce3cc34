"""Tables and plot of the comparison, and whether its targets are reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, PICTURE = DOCS / "benchmarks.md", DOCS / "figures" / "benchmarks.png"
BEGIN, END = "<!-- measured: benchmarks/peers.py -->", "<!-- end -->"

TARGETS = {
    "gough_stewart": {"inverse": 250, "forward": 110},
    "delta": {"inverse": 350, "forward": 180},
    "five_bar": {"inverse": 700, "forward": 130},
}
"""Times faster than Pinocchio from Python, batch of 1e5, one thread, AVX-512; half with AVX2."""
COMPILE, COMPILE_HEXAPOD = 3.0, 1.5
AT = "100000"
COLORS = {"gough": "#d1660f", "casadi": "#3f7d5a", "mujoco": "#8a8f98", "pinocchio": "#2b5d8c"}
NAMES = {"gough": "gough", "casadi": "CasADi", "mujoco": "MuJoCo", "pinocchio": "Pinocchio"}

Results = Mapping[str, Any]


def rows(head: Iterable[str], body: Iterable[Iterable[str]]) -> list[str]:
    """A Markdown table; figures to the right."""
    head = list(head)
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2), *map(list, body)]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""]


def figure(x: float) -> str:
    """Two digits, or all of an integer."""
    return f"{x:.0f}" if x >= 9.95 else f"{x:.2g}"


def target(results: Results, robot: str, job: str) -> float | None:
    """The target for this machine."""
    share = 1.0 if results["machine"]["vectors"] == "AVX-512" else 0.5
    known = TARGETS.get(robot, {}).get(job)
    return None if known is None else share * known


def reached(yes: bool) -> str:
    """In a word."""
    return "yes" if yes else "**no**"


def _machine(results: Results) -> list[str]:
    m = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in m["versions"].items())
    return [
        f"{m['date']}, {m['processor']}, {m['cores']} cores, {m['vectors']}, Python {m['python']}; "
        f"{versions}; load of the machine at the start {m['load']}.",
        "",
    ]


def _batch(results: Results) -> list[str]:
    head = ["robot", "dynamics", "gough", "kernel", "CasADi", "MuJoCo", "Pinocchio", "dgesv"]
    head += ["times", "to dgesv", "target", "reached"]
    body = []
    for name, found in results["robots"].items():
        for job in ("inverse", "forward"):
            t = found[job]["batch"][AT]
            lapack = t.get("pinocchio_lapack")
            ratio, wanted = t["pinocchio"] / t["gough"], target(results, name, job)
            body.append(
                [f"`{name}`", job, f"{t['gough']:.3f}", f"{t['kernel']:.3f}"]
                + [figure(t[peer]) for peer in ("casadi", "mujoco", "pinocchio")]
                + ["" if lapack is None else figure(lapack), figure(ratio)]
                + ["" if lapack is None else figure(lapack / t["gough"])]
                + (["", ""] if wanted is None else [figure(wanted), reached(ratio >= wanted)])
            )
    title = "Microseconds a state, batch of 100 000, one thread; times faster than Pinocchio:"
    return [title, "", *rows(head, body)]


def _one(results: Results) -> list[str]:
    head = ["robot", "dynamics", "gough", "kernel", "machine code", "CasADi", "MuJoCo"]
    head += ["Pinocchio", "dgesv", "below Pinocchio"]
    body = []
    for name, found in results["robots"].items():
        for job in ("inverse", "forward"):
            t = found[job]["one"]
            lapack = t.get("pinocchio_lapack")
            body.append(
                [f"`{name}`", job]
                + [figure(t[key]) for key in ("gough", "kernel", "machine code")]
                + [figure(t[key]) for key in ("casadi", "mujoco", "pinocchio")]
                + ["" if lapack is None else figure(lapack)]
                + [reached(t["gough"] < t["pinocchio"])]
            )
    return ["Microseconds for one state, one call from Python:", "", *rows(head, body)]


def _growth(results: Results) -> list[str]:
    names = list(results["robots"].items())
    sizes = list(names[0][1]["inverse"]["batch"])
    head = ["robot", "dynamics", "1", *(f"{int(n):.0e}".replace("e+0", "e") for n in sizes)]
    body = [
        [f"`{name}`", job, figure(found[job]["one"]["gough"])]
        + [f"{found[job]['batch'][n]['gough']:.3f}" for n in sizes]
        + [f"{found[job]['batch'][n][f'threads {k}']:.3f}" for n in sizes[-2:] for k in (1, 2)]
        for name, found in names
        for job in ("inverse", "forward")
    ]
    head += [f"{n}, {k}" for n in head[-2:] for k in ("1 thread", "2 threads")]
    title = (
        "gough, microseconds a state by the number of states, in processor time of one thread; "
        "the last columns by the clock on the wall:"
    )
    found = [title, "", *rows(head, body)]
    head = ["legs", "dynamics", "gough, 1e4 states", "gough, one state", "CasADi", "Pinocchio"]
    body = [
        [legs, job, f"{t[job]['gough']:.3f}"]
        + [figure(t[job][key]) for key in ("one", "casadi", "pinocchio")]
        + [f"{t[job]['compile']:.1f}"]
        for legs, t in results["legs"].items()
        for job in ("inverse", "forward")
    ]
    title = "A platform on more legs, six of them driven; microseconds a state:"
    return [*found, title, "", *rows([*head, "compile [s]"], body)]


def _compile(results: Results) -> list[str]:
    zoo = results.get("zoo", {})
    if not zoo:
        return []
    columns = list(next(iter(zoo.values())))
    body = [
        [f"`{name}`", f"{max(t.values()):.1f}", *(f"{t[column]:.2f}" for column in columns)]
        for name, t in zoo.items()
    ]
    every = [seconds for t in zoo.values() for seconds in t.values()]
    slow = sum(seconds >= COMPILE for seconds in every)
    hexapod = max(zoo["gough_stewart"][f"legs {job}"] for job in ("inverse", "forward"))
    said = (
        f"Seconds to trace and compile, friction and rotors included. {slow} of {len(every)} take "
        f"longer than the target of {COMPILE} s, {max(every):.1f} s at most; `legs` of "
        f"`gough_stewart` takes {hexapod:.2f} s, with a target of {COMPILE_HEXAPOD} s."
    )
    return [said, "", *rows(["robot", "most", *(f"{c}" for c in columns)], body)]


def table(results: Results) -> str:
    """All tables."""
    parts = [_machine, _batch, _one, _growth, _compile]
    return "\n".join(line for part in parts for line in part(results)).rstrip()


def write(results: Results) -> None:
    """Tables into the page, between its markers, and the picture."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}", encoding="utf-8")
    plot(results).savefig(PICTURE, dpi=110)
    print(f"wrote {PAGE.name} and {PICTURE.name}")


def plot(results: Results) -> Figure:
    """The picture: batches, ratios, legs."""
    figure = Figure(figsize=(12.5, 4.3), layout="constrained")
    batches, ratios, legs = figure.subplots(1, 3, width_ratios=(1.15, 1.0, 1.0))
    _plot_batches(batches, results)
    _plot_ratios(ratios, results)
    _plot_legs(legs, results)
    for axes in (batches, ratios, legs):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
        axes.title.set_fontsize(11)
    return figure


def _plot_batches(axes: Axes, results: Results) -> None:
    found = results["robots"]["gough_stewart"]["inverse"]
    for key in ("pinocchio", "mujoco", "casadi", "gough"):
        x = [1] + [int(n) for n, t in found["batch"].items() if key in t]
        y = [found["one"][key]] + [t[key] for t in found["batch"].values() if key in t]
        axes.plot(x, y, "o-", color=COLORS[key], label=NAMES[key], markersize=4)
    axes.set(xscale="log", yscale="log", xlabel="states in one call", ylabel="µs a state")
    axes.set_title("hexapod, inverse dynamics, one thread")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False)


def _plot_ratios(axes: Axes, results: Results) -> None:
    names = list(results["robots"])
    for shift, job, alpha in ((-0.19, "inverse", 1.0), (0.19, "forward", 0.5)):
        times = [results["robots"][name][job]["batch"][AT] for name in names]
        ratios = [t["pinocchio"] / t["gough"] for t in times]
        places = [k + shift for k in range(len(names))]
        axes.barh(places, ratios, 0.36, color=COLORS["gough"], alpha=alpha, label=job)
        for place, ratio in zip(places, ratios, strict=True):
            axes.text(ratio, place, f" {ratio:.0f}", va="center", fontsize=9)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.grid(axis="x", alpha=0.25)
    axes.set(xlabel="times faster, 100 000 states, one thread")
    axes.set_title("gough against Pinocchio from Python")
    axes.legend(frameon=False, loc="lower right")


def _plot_legs(axes: Axes, results: Results) -> None:
    x = [int(legs) for legs in results["legs"]]
    for key in ("pinocchio", "casadi", "gough"):
        for job, style in (("inverse", "o-"), ("forward", "o--")):
            y = [t[job][key] for t in results["legs"].values()]
            label = f"{NAMES[key]}, {job}" if key == "gough" else NAMES[key]
            label = label if key == "gough" or job == "inverse" else "_"
            axes.plot(x, y, style, color=COLORS[key], markersize=4, label=label)
    axes.set(yscale="log", xlabel="legs, six of them driven", ylabel="µs a state")
    axes.set_xticks(x)
    axes.set_title("a platform on more legs, 10 000 states")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="center right", fontsize=9)
