"""Closed forms: cantilevers, springs, bearings, bars that spin, telescopes."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from elastic_machines import STEEL, beam_body, cantilever

L = 0.8
TUBE = gough.Tube(0.02, 0.017)
BEAM = gough.Beam(TUBE, STEEL, [[0.0, 0.0, 0.0], [L, 0.0, 0.0]])
S = TUBE.figures
EI, EA, GJ = STEEL.E * S.Iy, STEEL.E * S.area, STEEL.G * S.J
GA = STEEL.G * S.area * S.shear_y


@pytest.mark.parametrize("elements", [None, 1, 3])
@pytest.mark.parametrize("shear", [False, True])
def test_the_tip_of_a_cantilever(elements, shear):
    """Static displacements are exact, whatever the mesh."""
    e = gough.elasticity(cantilever(BEAM), elements=elements, shear=shear)
    C = e.compliance
    bend = L**3 / (3.0 * EI) + (L / GA if shear else 0.0)
    expected = np.diag([L / EA, bend, bend, L / GJ, L / EI, L / EI])
    expected[1, 5] = expected[5, 1] = L**2 / (2.0 * EI)
    expected[2, 4] = expected[4, 2] = -(L**2) / (2.0 * EI)
    assert np.abs(C - expected).max() < 1e-11 * np.abs(expected).max()
    assert np.diag(C) == pytest.approx(np.diag(expected), rel=1e-9)


def test_the_tip_sags_under_its_own_weight():
    e = gough.elasticity(cantilever(BEAM), shear=False)
    q = STEEL.density * S.area * 9.81
    found = e.deflection().platform
    assert found[2] == pytest.approx(-q * L**4 / (8.0 * EI), rel=1e-9)
    assert found[4] == pytest.approx(q * L**3 / (6.0 * EI), rel=1e-9)


def test_frequencies_of_a_cantilever():
    """cos(b) cosh(b) = -1; a fine mesh, and two elements that are 0.05 % and 0.85 % off."""
    roots = np.array([1.8751040687, 4.6940911330, 7.8547574382])
    exact = roots**2 * np.sqrt(EI / (STEEL.density * S.area)) / L**2 / (2.0 * np.pi)
    fine = gough.elasticity(cantilever(BEAM), shear=False, elements=20).vibrations(6)
    twist = np.sqrt(STEEL.G / STEEL.density) / (4.0 * L)  # lies between the second and the third
    pairs = [*np.repeat(exact[:2], 2), twist, exact[2]]
    assert fine.frequencies == pytest.approx(pairs, rel=3e-4)
    coarse = gough.elasticity(cantilever(BEAM), shear=False, elements=2).vibrations(4)
    assert coarse.frequencies[[0, 2]] / exact[:2] == pytest.approx([1.00049, 1.0085], abs=2e-4)
    reduced = gough.elasticity(cantilever(BEAM), shear=False).vibrations(4)
    # two modes in each plane, of a bar held at both ends: right to 1e-4 and to 1e-3
    assert reduced.frequencies[0] == pytest.approx(exact[0], rel=1e-4)
    assert reduced.frequencies[2] == pytest.approx(exact[1], rel=2e-3)


def test_torsion_has_the_polar_moment():
    """Of a thin flat bar J is small and its mass turns with Iy + Iz."""
    box = gough.Box(0.04, 0.004)
    beam = gough.Beam(box, STEEL, [[0.0, 0.0, 0.0], [0.0, L, 0.0]], up=(0.0, 0.0, 1.0))
    s = box.figures
    body = gough.Body(
        "bar",
        **gough.inertia.composite(
            [
                gough.inertia.box(
                    STEEL.density * s.area * L, [0.04, L, 0.004], center=(0.0, L / 2.0, 0.0)
                )
            ]
        ),
        beam=beam,
    )
    robot = replace(cantilever(BEAM), bodies=(body,), platform_frame=gough.Frame((0.0, L, 0.0)))
    found = gough.elasticity(robot, elements=40).vibrations(8)
    speed = np.sqrt(STEEL.G * s.J / (STEEL.density * (s.Iy + s.Iz)))
    assert np.abs(found.frequencies / (speed / (4.0 * L)) - 1.0).min() < 1e-3


def test_a_payload_on_a_spring():
    """One slide on a gear: f = root(k / m) / 2 pi; damping ratio c / (2 root(k m))."""
    gear = gough.Axis(
        transmission=gough.Transmission(stiffness=4e5, damping=60.0), rotor_inertia=3.0
    )
    slide = gough.Joint("slide", "prismatic", "base", "cart", axes=(gear,))
    robot = gough.Robot("cart", (gough.Body("cart", 2.0),), (slide,), "cart", motors=("slide",))
    e = gough.elasticity(robot, loads=gough.Loads(payload=0.5))
    v = e.vibrations(3)
    assert v.frequencies[0] == pytest.approx(np.sqrt(4e5 / 2.5) / (2.0 * np.pi))
    assert np.isnan(v.frequencies[1:]).all()
    assert v.damping[0] == pytest.approx(60.0 / (2.0 * np.sqrt(4e5 * 2.5)))
    assert v.parts == ("gear of slide",)
    assert e.deflection().platform[2] == pytest.approx(-2.5 * 9.81 / 4e5)
    free = gough.elasticity(robot, drives="free").vibrations(2)
    assert free.frequencies[0] == pytest.approx(np.sqrt(4e5 * (1 / 2.0 + 1 / 3.0)) / (2 * np.pi))
    assert free.free == 1
    held = gough.elasticity(robot, drives={"kp": 4e5, "kd": 10.0}).vibrations(2)
    K, M = 4e5 * np.array([[1.0, -1.0], [-1.0, 2.0]]), np.diag([2.0, 3.0])
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
    assert held.frequencies == pytest.approx(np.sqrt(squares) / (2.0 * np.pi))
    peak = e.response([v.frequencies[0]]).magnitude[0, 2, 2]
    assert peak == pytest.approx(1.0 / (60.0 * 2.0 * np.pi * v.frequencies[0]))


def test_bearings_of_a_clamp():
    """Springs in a row: rigid body on a fixed joint with a bearing."""
    bearing = gough.Bearing(radial=1e6, axial=2e6, tilt=3e4, torsion=4e4)
    body = gough.Body("block", **gough.inertia.box(2.0, [0.1, 0.2, 0.3]))
    clamp = gough.Joint("clamp", "fixed", "base", "block", bearing=bearing)
    robot = gough.Robot("block", (body,), (clamp,), "block")
    C = gough.elasticity(robot).compliance
    assert np.diag(C) == pytest.approx([1e-6, 1e-6, 0.5e-6, 1 / 3e4, 1 / 3e4, 1 / 4e4])
    assert np.abs(C - np.diag(np.diag(C))).max() < 1e-18


def test_a_bar_on_two_balls_spins_freely():
    """Its spin has no stiffness: it is free, and no frequency is lost."""
    ends = [[0.0, 0.0, 0.0], [L, 0.0, 0.0]]
    bar = beam_body("bar", gough.Beam(TUBE, STEEL, ends))
    block = gough.Body("block", **gough.inertia.box(1.0, [0.1, 0.1, 0.1]))
    at = gough.Frame((L, 0.0, 0.0))
    gear = gough.Axis(transmission=gough.Transmission(stiffness=1e7))
    joints = (
        gough.Joint("a", "spherical", "base", "bar"),
        gough.Joint("b", "spherical", "bar", "block", at, gough.Frame((0.0, 0.0, 0.0))),
        gough.Joint(
            "slide",
            "prismatic",
            "base",
            "block",
            gough.Frame.from_axes((L, 0.0, 0.0), z=(1, 0, 0)),
            gough.Frame.from_axes(z=(1, 0, 0)),
            axes=(gear,),
        ),
    )
    robot = gough.Robot("spinner", (bar, block), joints, "block", redundant=True, motors=("slide",))
    e = gough.elasticity(robot, elements=8, shear=False)
    v = e.vibrations(2)
    assert v.free == 1
    exact = np.pi**2 * np.sqrt(EI / (STEEL.density * S.area)) / L**2 / (2.0 * np.pi)
    assert v.frequencies == pytest.approx([exact, exact], rel=1e-4)
    assert e.compliance[0, 0] == pytest.approx(1.0 / (1e7 + EA / L), rel=1e-9)


def telescope(guide):
    """A clamped tube with a rod in it, 0.5 m and 0.6 m long, drawn out by 0.35 m."""
    tube = gough.Beam(gough.Tube(0.02, 0.017), STEEL, [[0, 0, 0], [0, 0, 0.5]])
    rod = gough.Beam(gough.Tube(0.015), STEEL, [[0, 0, -0.6], [0, 0, 0]])
    joints = (
        gough.Joint("clamp", "fixed", "base", "tube"),
        gough.Joint("slide", "prismatic", "tube", "rod", guide=guide),
    )
    bodies = (beam_body("tube", tube), beam_body("rod", rod))
    home = gough.Home(joints={"slide": 0.85})
    return gough.Robot("telescope", bodies, joints, "rod", motors=("slide",), home=home)


def test_a_telescope_bends_by_its_free_lengths():
    """The guide at the end of the tube: 0.5 m of it, and 0.35 m of the rod, bend in a row."""
    robot = telescope(gough.Guide("tube", (0.0, 0.0, 0.5)))
    C = gough.elasticity(robot, shear=False).compliance
    tube, rod = (gough.Tube(0.02, 0.017).figures, gough.Tube(0.015).figures)
    a, b = 0.5, 0.35
    lower, upper = STEEL.E * tube.Iy, STEEL.E * rod.Iy
    expected = b**3 / (3 * upper) + (a**3 / 3 + a * a * b + a * b * b) / lower
    assert C[0, 0] == pytest.approx(expected, rel=1e-9)
    on_rod = telescope(gough.Guide("rod", (0.0, 0.0, -0.35)))
    assert gough.elasticity(on_rod, shear=False).compliance[0, 0] == pytest.approx(
        expected, rel=1e-9
    )
    # drawn out less, less of the rod is free
    T = np.array(robot.home_pose)
    T[2, 3] -= 0.1
    shorter = gough.elasticity(robot, np.stack([robot.home_pose, T]), shear=False).compliance
    assert shorter[0, 0, 0] == pytest.approx(expected, rel=1e-9)
    b = 0.25
    expected = b**3 / (3 * upper) + (a**3 / 3 + a * a * b + a * b * b) / lower
    assert shorter[1, 0, 0] == pytest.approx(expected, rel=1e-9)


def test_a_beam_that_slides_in_a_rigid_body_says_where():
    robot = telescope(None)
    stiff = replace(robot, bodies=(replace(robot.body("tube"), beam=None), robot.body("rod")))
    e = gough.elasticity(stiff)
    assert any("guided where its frame sits on 'rod'" in note for note in e.notes)
    assert "Transmissions of 'slide' are rigid" in str(e)


def test_a_telescope_without_its_guide_is_refused():
    with pytest.raises(gough.errors.NotElastic, match=r"joints\.slide slides between two beams"):
        gough.elasticity(telescope(None))


def test_a_stiffness_matrix_is_the_beam_it_was_made_of():
    """The matrix of one element between its ends, and its mass, instead of the beam."""
    from gough.elastic.elements import Element

    element = Element(L, S, STEEL, shear=True)
    frame = gough.Frame((L, 0.0, 0.0))
    given = gough.BodyStiffness(("clamp", "platform"), element.stiffness(), element.mass())
    body = replace(beam_body("bar", BEAM), beam=None, stiffness=given)
    robot = replace(cantilever(BEAM), bodies=(body,), platform_frame=frame)
    e, beam = gough.elasticity(robot), gough.elasticity(cantilever(BEAM), elements=1)
    assert np.abs(e.compliance - beam.compliance).max() < 1e-9 * np.abs(e.compliance).max()
    assert e.vibrations(6).frequencies == pytest.approx(beam.vibrations(6).frequencies, rel=1e-9)
    assert e.parts == ("body bar",)


def test_a_lump_at_the_tip():
    """A mass on a light cantilever: root(3 EI / (m L^3)), and the beam's own share of 33/140."""
    heavy = replace(BEAM, lumps=((1.0, 50.0),))
    e = gough.elasticity(cantilever(heavy), shear=False)
    own = STEEL.density * S.area * L
    expected = np.sqrt(3.0 * EI / ((50.0 + 33.0 / 140.0 * own) * L**3)) / (2.0 * np.pi)
    assert e.vibrations(1).frequencies[0] == pytest.approx(expected, rel=1e-4)


def test_the_rest_of_a_body_is_rigid():
    """A body with twice the mass: what is left over sits rigidly where its centre is."""
    own = beam_body("bar", BEAM)
    at = (L, 0.0, 0.0)
    body = gough.Body(
        "bar",
        **gough.inertia.composite(
            [
                {"mass": own.mass, "center": own.center, "inertia": own.inertia},
                gough.inertia.sphere(50.0, 0.0, center=at),
            ]
        ),
        beam=BEAM,
    )
    lumped = gough.elasticity(cantilever(replace(BEAM, lumps=((1.0, 50.0),))))
    found = gough.elasticity(replace(cantilever(BEAM), bodies=(body,)))
    expected = lumped.vibrations(4).frequencies
    assert found.vibrations(4).frequencies == pytest.approx(expected, rel=1e-7)
