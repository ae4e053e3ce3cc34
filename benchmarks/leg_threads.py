"""Do legs on several threads pay for one state?  A leg's routine beside handing work to a thread.

    python benchmarks/leg_threads.py            # measures, and prints the table
    python benchmarks/leg_threads.py --write    # and writes it into docs/kernels.md

Needs gcc with threads, and two cores that are not busy otherwise.  Everything is the best of
several runs, for whatever else the machine does only adds to it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gough
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import whole_program
from gough.evaluation.exports.export import example_state

PAGE = Path(__file__).resolve().parents[1] / "docs" / "kernels.md"
BEGIN, END = "<!-- measured: benchmarks/leg_threads.py -->", "<!-- end of measured -->"
RUNS = 5  # the system puts threads on cores that are near each other, or not
JOBS = [
    ("gough_stewart", "inverse_dynamics"),
    ("gough_stewart", "forward_dynamics"),
    ("delta", "inverse_dynamics"),
    ("delta", "forward_dynamics"),
]

DRIVER = r"""
#include "NAME.c"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define LEGS COUNT
#define AGAIN 50 /* short runs: some of them have both cores to themselves */

static const double STATE;
double legs[LEGS][64]; /* not static: what nobody reads would not be worked out */
static double told[256] = {TOLD};
static atomic_int spin_asked, spin_done, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked_changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done_changed = PTHREAD_COND_INITIALIZER;
static int cond_asked, cond_done;
static int work;                       /* legs that the other thread is to do */
static volatile double sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void leg(int i) { ROUTINE(GIVEN); }

static void states(int count) {
    double out[64];
    int k;
    for (k = 0; k < count; k++) {
        NAME(INPUTS, out);
        sink = out[0];
    }
}

static void *spinning(void *unused) {
    int seen = 0, i;
    (void)unused;
    while (!atomic_load_explicit(&stop, memory_order_acquire)) {
        int asked = atomic_load_explicit(&spin_asked, memory_order_acquire);
        if (asked == seen) continue;
        seen = asked;
        for (i = LEGS - work; i < LEGS; i++) leg(i);
        atomic_store_explicit(&spin_done, seen, memory_order_release);
    }
    return 0;
}

static void *sleeping(void *unused) {
    int seen = 0;
    (void)unused;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (cond_asked == seen) pthread_cond_wait(&asked_changed, &mutex);
        seen = cond_asked;
        if (seen < 0) break;
        cond_done = seen;
        pthread_cond_signal(&done_changed);
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *half(void *count) {
    states(*(int *)count);
    return 0;
}

static double best(double (*measure)(void), int times) {
    double least = 1e300;
    int k;
    for (k = 0; k < times; k++) {
        double t = measure();
        if (t < least) least = t;
    }
    return least;
}

static double time_state(void) {
    double t = now();
    states(5000);
    return (now() - t) / 5000;
}

static double time_leg(void) {
    double t = now();
    int k;
    for (k = 0; k < 12000; k++) leg(k % LEGS);
    return (now() - t) / 12000;
}

static int turn;

/* legs in two threads, one of them here; with no work there, what handing over takes */
static double together(void) {
    const int rounds = 300;
    double t = now();
    int k, i;
    for (k = 0; k < rounds; k++) {
        atomic_store_explicit(&spin_asked, ++turn, memory_order_release);
        if (work)
            for (i = 0; i < LEGS - work; i++) leg(i);
        while (atomic_load_explicit(&spin_done, memory_order_acquire) != turn) {}
    }
    return (now() - t) / rounds;
}

static double cond_hand_over(void) {
    const int rounds = 300;
    double t = now();
    int k;
    for (k = 0; k < rounds; k++) {
        pthread_mutex_lock(&mutex);
        ++cond_asked;
        pthread_cond_signal(&asked_changed);
        while (cond_done != cond_asked) pthread_cond_wait(&done_changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return (now() - t) / rounds;
}

static double time_batch(void) {
    int count = 10000;
    pthread_t other;
    double t = now();
    pthread_create(&other, 0, half, &count);
    states(count);
    pthread_join(other, 0);
    return (now() - t) / (2 * count);
}

int main(void) {
    pthread_t other;
    double state, one, spin, split, cond, batch;
    states(1000);
    state = best(time_state, AGAIN);
    one = best(time_leg, AGAIN);
    pthread_create(&other, 0, spinning, 0);
    work = 0;
    spin = best(together, 10 * AGAIN);
    work = LEGS / 2;
    split = best(together, 10 * AGAIN);
    atomic_store(&stop, 1);
    pthread_join(other, 0);
    pthread_create(&other, 0, sleeping, 0);
    cond = best(cond_hand_over, AGAIN);
    pthread_mutex_lock(&mutex);
    cond_asked = -1;
    pthread_cond_signal(&asked_changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(other, 0);
    batch = best(time_batch, AGAIN);
    printf("%.2f %.2f %.2f %.2f %.2f %.2f\n", state, one, spin, split, cond, batch);
    return 0;
}
"""


class Times(NamedTuple):
    """Measured [ns]: a state, a leg, handing over and back, legs on two threads, batches."""

    state: float
    leg: float
    spin: float
    split: float
    cond: float
    batch: float


class Measured(NamedTuple):
    """A robot and a quantity, how many legs share a routine, its operations, and times.

    The slowest run of legs on two threads is told, too: they differ by where the system puts them.
    """

    robot: str
    quantity: str
    legs: int
    operations: int
    times: Times
    slowest: float

    @property
    def row(self) -> list[str]:
        """The same as a row of the table; times are shares of each other."""
        t, others = self.times, self.legs - self.legs // 2
        saved = self.legs - others  # legs that are done elsewhere meanwhile
        return [
            f"`{self.robot}`",
            self.quantity.replace("_", " "),
            str(self.legs),
            str(self.operations),
            f"{self.legs * t.leg / t.state:.0%}",
            f"{t.spin / t.leg:.1f}",
            f"{t.cond / t.leg:.0f}",
            " to ".join(f"{x / (self.legs * t.leg):.2f}" for x in (t.split, self.slowest)),
            f"{t.spin / saved / t.leg * self.operations:,.0f}",
            f"{t.cond / saved / t.leg * self.operations:,.0f}",
            f"{t.batch / t.state:.2f}",
        ]


HEAD = [
    "robot",
    "what",
    "legs",
    "operations of a leg",
    "legs' share of a state",
    "hand-over, spinning / a leg",
    "hand-over, sleeping / a leg",
    "legs on two threads, spinning / in a row",
    "operations of a leg that pay for spinning",
    "that pay for sleeping",
    "states on two threads / on one",
]


def measured(name: str, quantity: str, folder: Path) -> Measured:
    """Export, compile with the driver, and run."""
    robot = gough.zoo.load(name)
    code, _ = gough.export_c(robot, quantity, folder, legs="shared")
    text = code.read_text()
    routine, takes, body = re.search(  # the first one: nearly all that legs do
        r"^static void (\w+)\(([^)]*)\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL
    ).groups()
    count = len(re.findall(rf"^    {routine}\(", text, re.MULTILINE))
    operations = len(re.findall(r" [-+*/] |sqrt\(", body))
    given = {"figures": f"{code.stem}_figures_a[i]", "leg": "legs[i]"}
    names = [re.search(r"(\w+)\[", each)[1] for each in takes.split(",")]
    program = whole_program(robot.assembly, quantity, Variant())
    state = example_state(robot.assembly, program)
    arrays = [
        f"{key}[{array.size}] = {{{', '.join(float(x).hex() for x in array.reshape(-1))}}}"
        for key, array in state.items()
    ]
    words = {
        "NAME": code.stem,
        "COUNT": str(count),
        "STATE": ", ".join(arrays),
        "TOLD": ", ".join(float(x).hex() for x in np.random.default_rng(0).uniform(0.1, 1.0, 256)),
        "ROUTINE": routine,
        "GIVEN": ", ".join(given.get(each, each) for each in names),
        "INPUTS": ", ".join(state),
    }
    driver = re.sub(rf"\b({'|'.join(words)})\b", lambda m: words[m[0]], DRIVER)
    (folder / "driver.c").write_text(driver)
    program_file = folder / "driver"
    command = ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", "-pthread"]
    subprocess.run([*command, "driver.c", "-o", str(program_file), "-lm"], cwd=folder, check=True)
    runs = []
    for _ in range(RUNS):
        done = subprocess.run([str(program_file)], capture_output=True, text=True, check=True)
        runs.append(list(map(float, done.stdout.split())))
    times = Times(*map(min, zip(*runs, strict=True)))
    slowest = max(Times(*run).split for run in runs)
    return Measured(name, quantity, count, operations, times, slowest)


def table(rows: list[Measured]) -> list[str]:
    """Markdown."""
    lines = [HEAD, ["---"] * 2 + ["---:"] * (len(HEAD) - 2), *(each.row for each in rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def main(words: list[str]) -> None:
    """Measure, print, and write if asked."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, quantity in JOBS:
            found.append(measured(name, quantity, Path(folder)))
            sys.stdout.write(f"{found[-1].robot} {quantity} [ns]: {found[-1].times}\n")
    # handing over is the same for all: the best of all runs
    spin, cond = (min(getattr(each.times, what) for each in found) for what in ("spin", "cond"))
    found = [each._replace(times=each.times._replace(spin=spin, cond=cond)) for each in found]
    lines = table(found)
    sys.stdout.write("\n".join([*lines, ""]))
    if words == ["--write"]:
        text = PAGE.read_text(encoding="utf-8")
        begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        PAGE.write_text(text[:begin] + "\n" + "\n".join(lines) + "\n" + text[end:], "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
