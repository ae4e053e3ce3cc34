"""How long short processes take: commands, and the first answers of a script, cold and warm.

    python benchmarks/starting.py [TREE ...]     # working trees; by default the one of this file

Processor time of the whole process, the shortest of all rounds, as a table.  Rounds go over all
trees in turn, so that other work on the machine meets them alike.  "First" has an empty folder for
compiled kernels (GOUGH_CACHE), "again" one that the same command has filled before.  Bytecode is
kept in both cases, as it is where gough is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
HERE = Path(__file__).resolve().parents[1]
_SCRIPT = (
    "import gough; r = gough.zoo.load('{robot}'); "
    "k = gough.compile(r, 'inverse_dynamics', derivatives=('V_0p',))"
)
JOBS = {
    "python -c pass": ("-c", "pass"),
    "import gough": ("-c", "import gough"),
    "gough --help": ("-m", "gough", "--help"),
    "gough list": ("-m", "gough", "list"),
    "gough idm delta pick_and_place:cycle=0.5": (
        *("-m", "gough", "idm", "delta", "pick_and_place:cycle=0.5"),
    ),
    "gough idm gough_stewart circle:radius=0.05,duration=2": (
        *("-m", "gough", "idm", "gough_stewart", "circle:radius=0.05,duration=2"),
    ),
    "compile, with derivatives: delta": ("-c", _SCRIPT.format(robot="delta")),
    "compile, with derivatives: quattro": ("-c", _SCRIPT.format(robot="quattro")),
}


def seconds(tree: Path, words: tuple[str, ...], cache: Path, bytecode: Path) -> float:
    """Processor time of one process [s].

    Args:
        tree: working tree whose sources run.
        words: arguments of Python.
        cache: folder of compiled kernels.
        bytecode: folder of compiled Python.
    """
    own = {"GOUGH_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(bytecode)}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    env = {**os.environ, **own, **threads, "PYTHONPATH": str(tree / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, *words], env=env, cwd=cache.parent, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{tree}: python {' '.join(words)} failed")
    return used.ru_utime + used.ru_stime


def measured(trees: list[Path], words: tuple[str, ...], work: Path) -> list[tuple[float, float]]:
    """First and again [s], for every tree."""
    best = [(float("inf"), float("inf"))] * len(trees)
    for round_ in range(ROUNDS + 1):
        for i, tree in enumerate(trees):
            folder = work / f"{i} {round_}"
            folder.mkdir(parents=True)
            first, again = (
                seconds(tree, words, folder / "kernels", work.parent / f"bytecode {i}")
                for _ in range(2)
            )
            if round_:  # the first round writes bytecode
                best[i] = (min(best[i][0], first), min(best[i][1], again))
    return best


def main() -> None:
    """Print the table."""
    trees = [Path(word).resolve() for word in sys.argv[1:]] or [HERE]
    heads = [f"{tree.name}: {when} [s]" for tree in trees for when in ("first", "again")]
    print(f"| what | {' | '.join(heads)} |")
    print(f"|---|{'---:|' * len(heads)}")
    with tempfile.TemporaryDirectory() as folder:
        for k, (name, words) in enumerate(JOBS.items()):
            pairs = measured(trees, words, Path(folder, str(k)))
            cells = [f"{value:.2f}" for pair in pairs for value in pair]
            print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
