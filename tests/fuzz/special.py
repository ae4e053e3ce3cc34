"""Families that owe their freedom to how they are made: planar, spherical, parallel axes."""

from __future__ import annotations

import numpy as np

from fuzz.sketch import BASE, PLATFORM, Sketch, unit
from fuzz.witness import Irregular
from gough.base import spatial

Edge = tuple[str, str, np.ndarray]


def _graph(sketch: Sketch, point) -> list[Edge]:
    """Two or three legs, some with a rung between them, or one loop with a platform in it."""
    rng = sketch.rng
    sketch.link(point(), PLATFORM)
    edges: list[Edge] = []
    inner: list[list[str]] = []
    for _ in range(int(rng.integers(2, 4))):
        here, bodies = BASE, []
        for _ in range(int(rng.integers(1, 3))):
            there = sketch.link(point())
            edges.append((here, there, point()))
            bodies.append(there)
            here = there
        edges.append((here, PLATFORM, point()))
        inner.append(bodies)
    if rng.random() < 0.3:  # a rung: legs that are tied to each other
        rung = sketch.link(point())
        edges += [
            (str(rng.choice(inner[0])), rung, point()),
            (rung, str(rng.choice(inner[1])), point()),
        ]
    return edges


def planar(sketch: Sketch, freedoms: int | None = None) -> None:
    """Turns about parallel axes and slides across them, the plane anywhere in space."""
    rng, R = sketch.rng, spatial.rotation_exp(sketch.rng.normal(size=3))
    normal = R[:, 2]

    def point() -> np.ndarray:
        return np.asarray(R @ (rng.uniform(-1, 1, 3) * [1.0, 1.0, 0.2]))

    def within(by: float) -> np.ndarray:
        angle = rng.uniform(0, 2 * np.pi)
        return np.asarray(spatial.pose(np.eye(3), by * R @ [np.cos(angle), np.sin(angle), 0.0]))

    sketch.slack = within
    edges = _graph(sketch, point)
    left = len(edges) - 3 * (len(edges) - len(sketch.bodies))
    if not 1 <= left <= 3 or (freedoms and left != freedoms):
        raise Irregular("freedoms")
    for a, b, at in edges:
        if rng.random() < 0.25:
            angle = rng.uniform(0, 2 * np.pi)
            sketch.pair("P", a, b, at, R @ [np.cos(angle), np.sin(angle), 0.0])
        else:
            sketch.pair("R", a, b, at, normal)


def spherical(sketch: Sketch, freedoms: int | None = None) -> None:
    """Axes that meet in one point; universal joints and a ball sit in it."""
    rng, center = sketch.rng, sketch.near([0.0, 0.0, 0.0])

    def point() -> np.ndarray:
        return sketch.near(center, 0.5)

    def about(by: float) -> np.ndarray:
        turn = spatial.rotation_exp(by * sketch.direction())
        return np.asarray(spatial.pose(turn, center - turn @ center))

    sketch.slack = about
    edges, counts = _graph(sketch, point), {"R": 1, "U": 2, "S": 3}
    loops = len(edges) - len(sketch.bodies)
    letters = [str(x) for x in rng.choice(list("RRRRRU"), len(edges))]
    if rng.random() < 0.3:
        edges.append((BASE, PLATFORM, center))
        letters.append("S")
        loops += 1
    left = sum(counts[x] for x in letters) - 3 * loops
    if not 1 <= left <= 3 or (freedoms and left != freedoms):
        raise Irregular("freedoms")
    for letter, (a, b, at) in zip(letters, edges, strict=True):
        axis = unit(at - center) if letter == "R" else None
        sketch.pair(letter, a, b, at if letter == "R" else center, axis)


def _around(sketch: Sketch, count: int, share: float = 0.3) -> list[np.ndarray]:
    """Directions around the vertical, tilted."""
    angles = 2 * np.pi * (np.arange(count) + sketch.rng.uniform(-share, share, count)) / count
    return [unit([np.cos(a), np.sin(a), sketch.rng.uniform(-0.3, 0.3)]) for a in angles]


def delta(sketch: Sketch) -> None:
    """Three arms with parallelograms of turning joints, or of bars with universal joints."""
    sketch.exact = True
    rng, top = sketch.rng, np.array([0.0, 0.0, -1.0])
    sketch.link(top, PLATFORM)
    bars_of = str(rng.choice(["R", "U"]))
    for side in _around(sketch, 3):
        out = np.cross(side, [0.0, 0.0, 1.0])
        foot = sketch.near(0.4 * out, 0.05)
        knee = foot + 0.6 * unit(out + 0.3 * rng.normal(size=3))
        hip = top + sketch.near(0.15 * out, 0.05)
        width, rod = 0.15 * side, hip - knee
        arm = sketch.link((foot + knee) / 2.0)
        sketch.pair("R", BASE, arm, foot, side)
        across = unit(np.cross(side, rod))
        if bars_of == "R":
            upper, lower = sketch.link(knee), sketch.link(hip)
            sketch.pair("R", arm, upper, knee, side)
            sketch.pair("R", lower, PLATFORM, hip, side)
            ends = ((upper, lower, "R", "R"),) * 2
        else:
            ends = ((arm, PLATFORM, "U", "U"),) * 2
        for sign, (a, b, first, last) in zip((1.0, -1.0), ends, strict=True):
            p, q = knee + sign * width, hip + sign * width
            bar = sketch.link((p + q) / 2.0)
            if first == "R":
                sketch.pair("R", a, bar, p, across), sketch.pair("R", bar, b, q, across)
            else:
                sketch.pair("U", a, bar, p, side, across)
                sketch.pair(last, bar, b, q, across, side)


def translating(sketch: Sketch) -> None:
    """Three legs, each of a slide and three turns about parallel axes: PRRR and its orders."""
    sketch.exact = True
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    for side in _around(sketch, 3):
        _parallel_leg(sketch, side, "".join(sketch.rng.permutation(list("PRRR"))))


def schoenflies(sketch: Sketch) -> None:
    """Legs that all turn about one direction: three translations and one rotation."""
    sketch.exact = True
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    side = sketch.direction()
    for _ in range(int(sketch.rng.integers(2, 5))):
        _parallel_leg(sketch, side, str(sketch.rng.choice(["PRRR", "CRR", "RCR", "RRPR", "RRC"])))


def sarrus(sketch: Sketch) -> None:
    """Two or three legs of three turns about parallel axes: one translation is left."""
    sketch.exact = True
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    along = unit([0.1, 0.2, 1.0])
    for k in range(int(sketch.rng.integers(2, 4))):
        angle = 2.1 * k + sketch.rng.uniform(-0.3, 0.3)
        side = unit(np.cross(along, [np.cos(angle), np.sin(angle), 0.0]))
        _parallel_leg(sketch, side, "RRR")


def _parallel_leg(sketch: Sketch, side: np.ndarray, letters: str) -> None:
    a = sketch.near(np.cross(side, [0.0, 0.0, 1.0]), 0.1)
    b = sketch.near(0.3 * a + [0.0, 0.0, 1.0], 0.1)
    shares = np.linspace(0.0, 1.0, len(letters))
    points = [sketch.near(a + s * (b - a), 0.3) for s in shares]
    sketch.chain(letters, BASE, PLATFORM, points, [None if x == "P" else side for x in letters])


def bennett(sketch: Sketch) -> None:
    """Four turns in space that close because opposite links are alike and sines go as lengths."""
    sketch.exact = True
    rng = sketch.rng
    alpha, beta = rng.uniform(0.4, 1.2), rng.uniform(1.4, 2.6)
    a = rng.uniform(0.4, 0.8)
    b = a * np.sin(beta) / np.sin(alpha)
    first = rng.uniform(0.6, 2.4)
    ratio = np.sin((beta + alpha) / 2.0) / np.sin((beta - alpha) / 2.0)
    second = 2.0 * np.arctan(ratio / np.tan(first / 2.0))
    T, frames = spatial.pose(spatial.rotation_exp(rng.normal(size=3)), rng.normal(size=3)), []
    start = T
    for turn, long, twist in (
        (first, a, alpha),
        (second, b, beta),
        (-first, a, alpha),
        (-second, b, beta),
    ):
        frames.append(T)
        T = T @ spatial.pose(spatial.rotation_z(turn), np.zeros(3))
        T = T @ spatial.pose(spatial.rotation_x(twist), np.array([long, 0.0, 0.0]))
    if np.abs(T - start).max() > 1e-12:
        raise AssertionError("Bennett's loop does not close: the formulas above are wrong")
    at = [T[:3, 3] for T in frames]
    sketch.link((at[1] + at[2]) / 2.0, PLATFORM)
    bodies = [
        BASE,
        sketch.link((at[0] + at[1]) / 2.0),
        PLATFORM,
        sketch.link((at[2] + at[3]) / 2.0),
    ]
    for k, T in enumerate(frames):
        sketch.pair(
            "R",
            bodies[k],
            bodies[(k + 1) % 4],
            T[:3, 3] + rng.uniform(-0.3, 0.3) * T[:3, 2],
            T[:3, 2],
        )


def screws(sketch: Sketch) -> None:
    """Screws, turns and slides on one axis, in a ring: a differential screw."""
    rng, axis, at = sketch.rng, sketch.direction(), sketch.near([0.0, 0.0, 0.0])
    sketch.link(at, PLATFORM)
    nut = sketch.link(at)
    letters = [str(x) for x in rng.permutation(["H", "H", str(rng.choice(["P", "R", "H"]))])]
    pitches = rng.permutation([0.3, -0.2, 0.1])
    ends = ((BASE, nut), (nut, PLATFORM), (PLATFORM, BASE))
    for letter, (a, b), pitch in zip(letters, ends, pitches, strict=True):
        sketch.pair(letter, a, b, at + rng.uniform(-1, 1) * axis, axis, pitch=pitch)
