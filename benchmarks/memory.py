"""Ten million states from a memory-mapped file: how much memory of its own does a call take?

    python benchmarks/memory.py                # ten million states of the hexapod
    python benchmarks/memory.py 1000000        # fewer

Linux only: anonymous memory is read from /proc.  The target is 1 GiB.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import gough

TARGET = 1 << 30


def anonymous() -> int:
    """Memory of this process that is no file's [bytes]."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return 1024 * int(line.split()[1])
    raise SystemExit("this system does not tell anonymous memory")


def states(robot: gough.Robot, count: int, folder: Path) -> list[np.ndarray]:
    """Files of poses, twists and twist rates around home, as memory maps."""
    rng = np.random.default_rng(1)
    home = robot.assembly.chart.coordinates(robot.home_pose)
    x = home + rng.uniform(-0.1, 0.1, (1000, 6)) * [0.5, 0.5, 0.5, 1.0, 1.0, 1.0]
    block = gough.state(robot, x, *rng.uniform(-1.0, 1.0, (2, 1000, 6)))
    maps = []
    for name, part in zip(("T_0p", "V_0p", "Vdot_0p"), block.arrays, strict=True):
        file = np.lib.format.open_memmap(
            folder / f"{name}.npy", mode="w+", dtype=float, shape=(count, *part.shape[1:])
        )
        for begin in range(0, count, 1000):
            file[begin : begin + 1000] = part[: count - begin]
        file.flush()
        maps.append(np.load(folder / f"{name}.npy", mmap_mode="r"))
    return maps


def main(count: int) -> None:
    """Measure one call."""
    robot = gough.zoo.load("gough_stewart")
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as name:
        folder = Path(name)
        T, V, Vdot = states(robot, count, folder)
        out = np.lib.format.open_memmap(
            folder / "tau.npy", mode="w+", dtype=float, shape=(count, 6)
        )
        with gough.options(engine="compiled"):
            gough.inverse_dynamics(robot, gough.State(T[:100], V[:100], Vdot[:100]))
        before, peak, done = anonymous(), 0, threading.Event()

        def watch() -> None:
            nonlocal peak
            while not done.wait(0.01):
                peak = max(peak, anonymous())

        watcher = threading.Thread(target=watch)
        watcher.start()
        start = time.perf_counter()
        gough.inverse_dynamics(robot, gough.State(T, V, Vdot), out=out)
        seconds = time.perf_counter() - start
        done.set()
        watcher.join()
        right = np.array_equal(
            out[-1000:],
            gough.inverse_dynamics(robot, gough.State(T[-1000:], V[-1000:], Vdot[-1000:])),
        )
        added = (peak - before) / 2**20
        verdict = "reached" if peak - before < TARGET and right else "NOT reached"
        print(f"{count} states in {seconds:.1f} s, {added:.0f} MiB added: target {verdict}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
