"""Machines with freedoms that the platform does not see: some do nothing, some do."""

from __future__ import annotations

import numpy as np

from fuzz.legged import places
from fuzz.sketch import BASE, PLATFORM, Sketch, unit
from gough.base import spatial


def spinning_bars(sketch: Sketch) -> None:
    """Hexapod on bars between two balls, or rods in sleeves, all of revolution."""
    _on_bars(sketch, lambda: 0.0)


def heavy_sided_bars(sketch: Sketch) -> None:
    """The same with mass centres off the axes, by a little or by a lot."""
    by = 10.0 ** sketch.rng.uniform(-6.0, -0.5)
    _on_bars(sketch, lambda: by * sketch.rng.uniform(0.5, 1.0))


def _on_bars(sketch: Sketch, off) -> None:
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    kind, motors = str(sketch.rng.choice(["RSS", "PSS", "SPS", "UCS"])), []
    for a, b in zip(*places(sketch, 6), strict=True):
        x = unit(b - a)
        if kind in ("RSS", "PSS"):
            knee = sketch.near((a + b) / 2.0, 0.2)
            crank, bar = sketch.link((a + knee) / 2.0), sketch.bar(knee, b, off())
            motors.append(sketch.pair(kind[0], BASE, crank, a))
            balls = [sketch.pair("S", crank, bar, knee), sketch.pair("S", bar, PLATFORM, b)]
            sketch.bare |= set(balls)
            continue
        lower, upper = sketch.bar(a, b, off() if kind == "SPS" else 0.0), sketch.bar(a, b, off())
        if kind == "SPS":
            sketch.bare.add(sketch.pair("S", BASE, lower, a))
            motors.append(sketch.pair("P", lower, upper, (a + b) / 2.0, x))
        else:
            across = sketch.across(x)
            sketch.pair("U", BASE, lower, a, across, np.cross(x, across))
            sleeve = sketch.pair("C", lower, upper, (a + b) / 2.0, x)
            sketch.bare.add(sleeve)
            motors.append(f"{sleeve}.slide")
        sketch.bare.add(sketch.pair("S", upper, PLATFORM, b))
    sketch.motors = motors


def cart(sketch: Sketch) -> None:
    """A cart with a pendulum hanging from it, or several in a row: the platform is the cart."""
    sketch.link([0.0, 0.0, 0.0], PLATFORM)
    sketch.motors = [sketch.pair("P", BASE, PLATFORM, sketch.near([0.0, 0.0, 0.0]))]
    here = PLATFORM
    for k in range(int(sketch.rng.integers(1, 3))):
        there = sketch.link([0.0, 0.0, -0.5 * k - 0.3])
        sketch.pair("R", here, there, sketch.near([0.0, 0.0, -0.5 * k]))
        here = there


def long_arm(sketch: Sketch) -> None:
    """Planar arm of four or five turns: its platform has three freedoms."""
    R = spatial.rotation_exp(sketch.rng.normal(size=3))
    letters = "R" * int(sketch.rng.integers(4, 6))
    points = [R @ sketch.near([0.4 * k, 0.0, 0.0], 0.15) for k in range(len(letters))]
    sketch.link(points[-1] + R @ [0.3, 0.0, 0.0], PLATFORM)
    sketch.chain(letters, BASE, PLATFORM, points, [R[:, 2]] * len(letters))


def elastic_five_bar(sketch: Sketch) -> None:
    """Planar five-bar; between a motor's hub and its crank there is a spring."""
    rng, R = sketch.rng, spatial.rotation_exp(sketch.rng.normal(size=3))
    normal = R[:, 2]

    def at(x: float, y: float) -> np.ndarray:
        return np.asarray(R @ (np.array([x, y, 0.0]) + rng.uniform(-0.15, 0.15, 3)))

    feet, knees, tip = [at(-0.4, 0.0), at(0.4, 0.0)], [at(-0.7, 0.6), at(0.7, 0.6)], at(0.0, 1.1)
    sketch.link(tip, PLATFORM)
    other = sketch.link((tip + knees[1]) / 2.0)
    motors = []
    for k, (foot, knee, end) in enumerate(zip(feet, knees, (PLATFORM, other), strict=True)):
        crank, start = sketch.link((foot + knee) / 2.0), BASE
        if k == 0 or rng.random() < 0.5:
            start = sketch.link(foot)
            motors.append(sketch.pair("R", BASE, start, foot, normal))
            sketch.pair("R", start, crank, foot, normal)
        else:
            motors.append(sketch.pair("R", BASE, crank, foot, normal))
        sketch.pair("R", crank, end, knee, normal)
    sketch.pair("R", PLATFORM, other, tip, normal)
    sketch.motors = motors


def loose_legs(sketch: Sketch) -> None:
    """Hexapod with one turning joint too many in a leg, or a body that hangs from one."""
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    extra, hangs = int(sketch.rng.integers(6)), sketch.rng.random() < 0.5
    for k, (a, b) in enumerate(zip(*places(sketch, 6), strict=True)):
        letters = "URPS" if k == extra and not hangs else "UPS"
        sketch.leg(letters, BASE, PLATFORM, a, b)
        if k == extra and hangs:
            on, bob = sketch.bodies[-1].name, sketch.link((a + b) / 2.0)
            sketch.pair("R", on, bob, sketch.near((a + b) / 2.0))
