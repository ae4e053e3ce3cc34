"""An unsymmetric over-constrained machine by OpenSees, from its plain geometry.

Three legs of two links, all joints parallel: in space six of the rows that they hold are redundant.
Links are boxes and tubes, straight and bent, some out of the plane, with sections that stand
oblique; drives, some bearings and a rigid platform between them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gough
from opensees_frame import solved
from yielding import carried, element, section_axes

ELEMENTS = 3
COUNT = 8
ALUMINIUM = gough.Material("aluminium", 70e9, 26e9, 2700.0)
STEEL = gough.Material("steel", 210e9, 81e9, 7850.0)
CFRP = gough.Material("cfrp", 120e9, 5e9, 1600.0)

# per link: section, material, points at home in the base, direction of the section, lumps
LINKS = {
    "crank1": (gough.Box(0.03, 0.05, 0.003), ALUMINIUM,
               [[-0.5, -0.1, 0.0], [-0.42, 0.12, 0.04], [-0.28, 0.2, 0.0]], [0.2, 0.1, 1.0], []),
    "rod1": (gough.Tube(0.012, 0.010), CFRP,
             [[-0.28, 0.2, 0.0], [-0.09, 0.03, 0.02]], [0.0, 0.0, 1.0], [(0.4, 0.15)]),
    "crank2": (gough.Tube(0.02, 0.016), STEEL,
               [[0.45, -0.25, 0.03], [0.5, 0.05, 0.03]], [0.0, 0.0, 1.0], []),
    "rod2": (gough.Box(0.012, 0.02, 0.002), ALUMINIUM,
             [[0.5, 0.05, 0.03], [0.3, 0.0, 0.06], [0.1, 0.02, 0.0]], [0.3, 0.5, 1.0], []),
    "crank3": (gough.Box(0.02, 0.02, 0.002), STEEL,
               [[0.05, 0.6, -0.02], [-0.15, 0.45, -0.02]], [0.4, 0.2, 1.0], [(0.5, 0.3)]),
    "rod3": (gough.Tube(0.010, 0.007), ALUMINIUM,
             [[-0.15, 0.45, -0.02], [0.02, 0.11, 0.01]], [0.0, 0.0, 1.0], []),
}  # fmt: skip
GEARS = (8e3, 1.1e4, 1.5e4)
FOOT2 = {"radial": 3e7, "axial": 2e7, "tilt": 6e3}
WRISTS = (
    {"radial": 2e7, "axial": 1e7, "tilt": 4e3},
    {"radial": 3e7, "axial": 1.5e7, "tilt": 2e3},
    {"radial": 1e7, "axial": 3e7, "tilt": 5e3},
)
CENTER, ORIGIN, MASS, INERTIA = (0.015, 0.055, 0.02), (0.03, 0.04, -0.05), 1.7, 0.004
GRAVITY = (1.0, -3.0, -9.0)


def section_of(name: str, polar: bool) -> gough.CrossSection:
    """Figures of a link's section; with the polar moment as its torsion constant, if wanted."""
    found = LINKS[name][0].figures
    return replace(found, J=found.Iy + found.Iz) if polar else found


def link(name: str, polar: bool) -> gough.Body:
    """A body that is its beam and its lumps; figures from its own elements, as a rigid body."""
    _, material, points, up, lumps = LINKS[name]
    section = section_of(name, polar)
    whole = np.zeros((6, 6))
    for a, b in pairwise(np.array(points)):
        _, M = element(section, material, float(np.linalg.norm(b - a)), shear=True)
        turn = np.kron(np.eye(4), section_axes(b - a, up))
        both = np.concatenate([carried(a), carried(b)])
        whole += both.T @ turn @ M @ turn.T @ both
    a, b = np.array(points[0]), np.array(points[-1])
    for place, m in lumps:  # on straight links only
        ball = carried(a + place * (b - a))[:3]
        whole += m * ball.T @ ball
    m = whole[0, 0]
    c = np.array([whole[5, 1], whole[3, 2], whole[4, 0]]) / m
    own = carried(-c).T @ whole @ carried(-c)
    beam = gough.Beam(section, material, points, up=up, lumps=lumps)
    inertia = (own[3:, 3:] + own[3:, 3:].T) / 2.0
    return gough.Body(name, m, tuple(c), inertia.tolist(), beam=beam)


@cache
def machine(polar: bool) -> gough.Robot:
    """The machine, every body drawn where it stands at home."""
    joints = []
    for i, gear in enumerate(GEARS, start=1):
        crank, rod = LINKS[f"crank{i}"][2], LINKS[f"rod{i}"][2]
        foot, elbow, wrist = (gough.Frame(tuple(p)) for p in (crank[0], rod[0], rod[-1]))
        drive = gough.Axis(transmission=gough.Transmission(stiffness=gear))
        bearing = gough.Bearing(**FOOT2) if i == 2 else None
        joints += [
            gough.Joint(
                *(f"foot{i}", "revolute", "base", f"crank{i}", foot, foot),
                axes=(drive,),
                bearing=bearing,
            ),
            gough.Joint(f"elbow{i}", "revolute", f"crank{i}", f"rod{i}", elbow, elbow),
            gough.Joint(
                *(f"wrist{i}", "revolute", f"rod{i}", "plate", wrist, wrist),
                bearing=gough.Bearing(**WRISTS[i - 1]),
            ),
        ]
    plate = gough.Body("plate", MASS, CENTER, (INERTIA * np.eye(3)).tolist())
    return gough.Robot(
        "tripod",
        (plate, *(link(name, polar) for name in LINKS)),
        tuple(joints),
        "plate",
        gough.Frame(ORIGIN),
        ("foot1", "foot2", "foot3"),
        gravity=GRAVITY,
    )


def frame(T_0p: np.ndarray, polar: bool, shear: bool) -> dict:
    """The machine as nodes, beams, springs and links, where its bodies stand at a pose."""
    at = gough.posture(machine(polar), T_0p).bodies
    nodes, beams, masses, ends = {}, [], {}, {}

    def node(point) -> int:
        nodes[str(len(nodes) + 1)] = np.asarray(point).tolist()
        return len(nodes)

    for name, (_, material, points, up, lumps) in LINKS.items():
        R, p, s = at[name][:3, :3], at[name][:3, 3], section_of(name, polar)
        corners = [p + R @ np.array(point) for point in points]
        stations = [corners[0]]
        for a, b in pairwise(corners):
            cuts = [0.0, *(place for place, _ in lumps), 1.0]
            for low, high in pairwise(cuts):
                stations += [a + (b - a) * (low + (high - low) * (k + 1) / ELEMENTS)
                             for k in range(ELEMENTS)]  # fmt: skip
        tags = [node(point) for point in stations]
        for pair in pairwise(tags):
            figures = {"A": s.area, "E": material.E, "G": material.G, "rho": material.density}
            figures |= {"J": s.J, "Iy": s.Iy, "Iz": s.Iz}
            figures |= {"share_y": s.shear_y, "share_z": s.shear_z}
            beams.append({"ends": pair, "up": (R @ np.array(up)).tolist(), **figures})
        for k, (_, m) in enumerate(lumps, start=1):
            masses[str(tags[k * ELEMENTS])] = [m, m, m, 0.0, 0.0, 0.0]
        ends[name] = tags[0], tags[-1]
    R, p = at["plate"][:3, :3], at["plate"][:3, 3]
    plate, out = node(p + R @ np.array(CENTER)), node(p + R @ np.array(ORIGIN))
    masses[str(plate)] = [MASS] * 3 + [INERTIA] * 3
    fixed, springs, equal, rigid = [], [], [], [(plate, out)]
    for i, gear in enumerate(GEARS, start=1):
        root, elbow = ends[f"crank{i}"]
        low, high = ends[f"rod{i}"]
        ground, wrist = node(nodes[str(root)]), node(nodes[str(high)])
        fixed.append(ground)
        held = _springs(FOOT2) if i == 2 else [0.0] * 5
        springs.append(((ground, root), [*held, gear]))
        if i != 2:
            equal.append((ground, root, [1, 2, 3, 4, 5]))
        equal.append((elbow, low, [1, 2, 3, 4, 5]))
        rigid.append((plate, wrist))
        springs.append(((high, wrist), [*_springs(WRISTS[i - 1]), 0.0]))
    return {
        **{"nodes": nodes, "beams": beams, "masses": masses, "fixed": fixed, "springs": springs},
        **{"equal": equal, "rigid": rigid, "out": out, "gravity": GRAVITY, "shear": shear},
        "count": COUNT,
    }


def _springs(figures: dict[str, float]) -> list[float]:
    radial, axial, tilt = (figures[key] for key in ("radial", "axial", "tilt"))
    return [radial, radial, axial, tilt, tilt]


@pytest.mark.parametrize("shear", [False, True])
@pytest.mark.parametrize(("polar", "moved"), [(True, False), (True, True), (False, True)])
def test_the_machine_by_opensees(polar, moved, shear):
    """Compliance, sag and frequencies at equal elements: both are rounding away from each other.

    OpenSees turns sections about the beam with the inertia of their torsion constant, which is that
    of their area for round ones only; boxes as they are have more, so that they shake slower.
    """
    own = machine(polar)
    T = own.home_pose
    if moved:
        home = own.assembly.chart.coordinates(T)[list(own.assembly.free)]
        T = gough.state(own, home + np.array([0.03, -0.02, 0.15])).T_0p
    found = solved(frame(T, polar, shear))
    e = gough.elasticity(own, T, shear=shear, elements=ELEMENTS)
    size = np.sqrt(np.diag(found["compliance"]))
    deviation = (e.compliance - found["compliance"]) / np.outer(size, size)
    assert np.abs(deviation).max() < 1e-9
    sag = e.deflection().platform
    assert np.abs(sag - found["sag"]).max() < 1e-9 * np.abs(sag).max()
    ratios = e.vibrations(COUNT).frequencies / found["frequencies"] - 1.0
    if polar:
        assert np.abs(ratios).max() < 1e-8
    else:
        assert (ratios < 0.0).all()
        assert np.abs(ratios).max() < 2e-4
