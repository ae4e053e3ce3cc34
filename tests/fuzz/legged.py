"""Families of machines on legs, nothing aligned unless it says so: they have what they count."""

from __future__ import annotations

import numpy as np

from fuzz.sketch import BASE, PLATFORM, Sketch, freedoms, unit
from fuzz.witness import Irregular

SIX = "UPS SPU RUS PUS RSU PSU URS CUU CSR RRRS PRRS RRPS HUS UUC CRS RRUU PRUU"
FIVE = "RPS PRS RRS UPU PUU RUU CUR RRRU HUU CRU UCR RPRU"
FOUR = "PRU CU UU RS PS RRRR PRRR CRR"


def draw(sketch: Sketch, strings: str) -> str:
    """One of several strings of joints."""
    return str(sketch.rng.choice(strings.split()))


def places(sketch: Sketch, count: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Feet around the base and hips around the platform, out of step."""
    rng, found = sketch.rng, []
    for radius, height, shift in ((1.0, 0.0, 0.0), (0.5, 1.0, 0.5)):
        angles = 2.0 * np.pi * (np.arange(count) + shift + rng.uniform(-0.2, 0.2, count)) / count
        radii = radius * rng.uniform(0.7, 1.3, count)
        heights = height + rng.uniform(-0.2, 0.2, count)
        found.append(
            [
                np.array([r * np.cos(a), r * np.sin(a), h])
                for r, a, h in zip(radii, angles, heights, strict=True)
            ]
        )
    return found[0], found[1]


def straight(sketch: Sketch, letters: str, start: str, end: str, a: np.ndarray, b: np.ndarray):
    """A leg whose joints sit on a line and whose slide goes along it, as struts are built."""
    points = [a + share * (b - a) for share in np.linspace(0.0, 1.0, len(letters))]
    axes = [unit(b - a) if letter in "PHC" else None for letter in letters]
    sketch.chain(letters, start, end, points, axes)


def any_leg(sketch: Sketch, letters: str, a: np.ndarray, b: np.ndarray) -> None:
    """A leg from the base to the platform, a strut if its string is one's, half of the time."""
    if len(letters) == 3 and letters[1] in "PH" and sketch.rng.random() < 0.5:
        straight(sketch, letters, BASE, PLATFORM, a, b)
    else:
        sketch.leg(letters, BASE, PLATFORM, a, b)


def hexapod(sketch: Sketch) -> None:
    """Six legs of six freedoms, each of its own kind or all alike."""
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    alike = draw(sketch, SIX) if sketch.rng.random() < 0.5 else None
    for a, b in zip(*places(sketch, 6), strict=True):
        any_leg(sketch, alike or draw(sketch, SIX), a, b)


def lower(sketch: Sketch) -> None:
    """Legs that take freedoms from the platform: 3-RPS, 3-PRS, 3-UPU and their mixtures."""
    rng = sketch.rng
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    count = int(rng.integers(2, 5))
    if rng.random() < 0.25:
        return translating_upu(sketch)
    alike = draw(sketch, FIVE)
    legs = (
        [alike] * count
        if rng.random() < 0.5
        else [draw(sketch, rng.choice([SIX, FIVE, FIVE, FOUR])) for _ in range(count)]
    )
    left = 6 - sum(6 - freedoms(leg) for leg in legs)
    if not 1 <= left <= 5:
        raise Irregular("freedoms")
    for leg, a, b in zip(legs, *places(sketch, count), strict=True):
        any_leg(sketch, leg, a, b)
    return None


def tripod(sketch: Sketch) -> None:
    """Three legs of five freedoms, balls at the platform: 3-RPS, 3-PRS, 3-RRS."""
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    letters = draw(sketch, "RPS PRS RRS")
    for a, b in zip(*places(sketch, 3), strict=True):
        any_leg(sketch, letters, a, b)


def translating_upu(sketch: Sketch) -> None:
    """3-UPU whose outer and inner axes are parallel in pairs: the platform does not turn."""
    for a, b in zip(*places(sketch, 3), strict=True):
        first, x = sketch.direction(), unit(b - a)
        second = sketch.across(first)
        lower, upper = sketch.link(a), sketch.link(b)
        sketch.pair("U", BASE, lower, a, first, second)
        sketch.pair("P", lower, upper, (a + b) / 2.0, x)
        sketch.pair("U", upper, PLATFORM, b, second, first)


def arm(sketch: Sketch) -> None:
    """A serial arm of one to six freedoms, bodies welded to it here and there."""
    rng = sketch.rng
    target, letters = int(rng.integers(1, 7)), ""
    while freedoms(letters) < target:
        letters += str(rng.choice(list("RRRRPPHUC")))
    if freedoms(letters) > 6:
        letters = letters[:-1] + "R"
    sketch.link([0.8, 0.3, 0.5], PLATFORM)
    sketch.leg(letters, BASE, PLATFORM, [0.0, 0.0, 0.0], [0.8, 0.3, 0.5])
    if rng.random() < 0.4:
        on = str(rng.choice([b.name for b in sketch.bodies]))
        sketch.pair(
            "F", on, sketch.link(sketch.near([0.3, 0.3, 0.3])), sketch.near([0.3, 0.2, 0.1])
        )


def _letters(sketch: Sketch, count: int, total: int, among: str) -> list[str]:
    """Strings of joints with so many freedoms together."""
    for _ in range(200):
        found = [str(x) for x in sketch.rng.choice(list(among), count)]
        if freedoms("".join(found)) == total:
            return found
    raise Irregular("freedoms")


def branching(sketch: Sketch) -> None:
    """Legs that part on their way: from a body near the base, two chains go to the platform."""
    rng = sketch.rng
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    count = int(rng.integers(2, 4))
    plain = int(rng.integers(0, 3))
    feet, hips = places(sketch, count + plain)
    edges = []  # parent, child, point
    for k in range(count):
        knee = sketch.near(0.7 * feet[k] + [0.0, 0.0, 0.3], 0.1)
        fork = sketch.link(knee)
        edges.append((BASE, fork, feet[k]))
        for _ in range(2):
            start, end = sketch.near(knee, 0.25), sketch.near(hips[k], 0.25)
            if rng.random() < 0.4:
                edges.append((fork, PLATFORM, (start + end) / 2.0))
            else:
                rod = sketch.link((start + end) / 2.0)
                edges += [(fork, rod, start), (rod, PLATFORM, end)]
    for k in range(count, count + plain):
        rod = sketch.link((feet[k] + hips[k]) / 2.0)
        edges += [(BASE, rod, feet[k]), (rod, PLATFORM, hips[k])]
    _joined(sketch, edges, "RRPHUCSS")


def nacelle(sketch: Sketch) -> None:
    """A platform of several bodies joined to each other, legs at each of them."""
    rng = sketch.rng
    sketch.link([0.0, 0.0, 1.0], PLATFORM)
    parts = [
        PLATFORM,
        *(sketch.link(sketch.near([0.0, 0.0, 1.0], 0.3)) for _ in range(rng.integers(1, 3))),
    ]
    edges = [
        (parts[k], part, sketch.near([0.0, 0.0, 1.0], 0.3)) for k, part in enumerate(parts[1:])
    ]
    count = int(rng.integers(len(parts) + 1, 6))
    feet, hips = places(sketch, count)
    for k in range(count):
        end = parts[k % len(parts)]
        if rng.random() < 0.25:
            edges.append((BASE, end, (feet[k] + hips[k]) / 2.0))
        else:
            rod = sketch.link((feet[k] + hips[k]) / 2.0)
            edges += [(BASE, rod, feet[k]), (rod, end, hips[k])]
    _joined(sketch, edges, "RRPHUCSSSEK")


def _joined(sketch: Sketch, edges: list[tuple[str, str, np.ndarray]], among: str) -> None:
    """Joints at all edges, of kinds that leave the machine one to six freedoms."""
    loops = len(edges) - len(sketch.bodies)
    total = 6 * loops + int(sketch.rng.integers(1, 7))
    for letter, (a, b, at) in zip(_letters(sketch, len(edges), total, among), edges, strict=True):
        sketch.pair(letter, a, b, at)


def loop(sketch: Sketch) -> None:
    """One loop of one freedom in space: RCCC, 7R and what else counts seven."""
    rng = sketch.rng
    letters = "RCCC" if rng.random() < 0.3 else ""
    while freedoms(letters) < 7:
        letters += str(rng.choice(list("RRRPHUCS")))
    if freedoms(letters) != 7 or len(letters) < 3:
        raise Irregular("freedoms")
    letters = "".join(rng.permutation(list(letters)))
    angles = 2.0 * np.pi * np.arange(len(letters)) / len(letters)
    points = [sketch.near([np.cos(a), np.sin(a), 0.0]) for a in angles]
    where = int(rng.integers(1, len(letters)))
    sketch.link(points[where], PLATFORM)
    sketch.chain(letters[:where], BASE, PLATFORM, points[:where])
    sketch.chain(letters[where:], PLATFORM, BASE, points[where:])
