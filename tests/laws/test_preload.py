"""Loads change stiffness: against the second derivatives of the energy of the whole machine.

The judge minimises the energy of motors' springs and weight over the robot's own freedoms, by
differences of energies alone, and takes its curvature at the bottom.  Bearings and bodies with
stiffness matrices are judged by :mod:`floating`.
"""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import floating
import gough
from elastic_machines import STEEL, cantilever, with_gears
from gough.base.spatial import skew
from robots import robot

ALONE = gough.Loads(rotors=False)


class Judge:
    """Energy of a machine with elastic drives over its freedoms, and what it says of vibrations."""

    def __init__(self, own, stiffness):
        self.own, self.k = own, stiffness
        assembly = own.assembly
        self.free = list(assembly.free)
        self.start = assembly.chart.coordinates(assembly.T_home)[self.free]
        self.unit = assembly.scales.freedoms
        self.q = gough.inverse_kinematics(own, own.home_pose)

    def energy(self, x):
        T = gough.state(self.own, x).T_0p
        stretched = gough.inverse_kinematics(self.own, T) - self.q
        weight = gough.energy(self.own, T).potential
        return 0.5 * self.k * float(stretched @ stretched) + float(weight)

    def curvature(self, x, h=2e-4):
        """Gradient and second derivatives, natural units."""
        steps = h * np.diag(self.unit)
        middle = self.energy(x)
        up, down = ([self.energy(x + s * e) for e in steps] for s in (1.0, -1.0))
        gradient = (np.array(up) - down) / (2.0 * h)
        H = np.diag((np.array(up) - 2.0 * middle + down) / h**2)
        for i, a in enumerate(steps):
            for j, b in enumerate(steps[:i]):
                corners = [self.energy(x + s * a + t * b) * s * t for s in (1, -1) for t in (1, -1)]
                H[i, j] = H[j, i] = sum(corners) / (4.0 * h**2)
        return gradient, H

    def frequencies(self):
        x = self.start.copy()
        for _ in range(3):
            gradient, H = self.curvature(x)
            x = x - self.unit * np.linalg.solve(H, gradient)
        _, H = self.curvature(x)
        T = gough.state(self.own, x).T_0p
        rates = [gough.state(self.own, x, e).V_0p[self.free] for e in np.diag(self.unit)]
        M = gough.inertia_matrix(self.own, T, loads=ALONE)
        M = np.array(rates) @ M @ np.array(rates).T
        return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, H)).real)) / (2.0 * np.pi)


@pytest.mark.parametrize(
    ("name", "stiffness"), [("five_bar", 3e4), ("hexapod_6rus", 1e5), ("orthoglide", 1e7)]
)
def test_loads_change_frequencies_as_the_energy_says(name, stiffness):
    """Ten times its weight; the change of 1e-4 to 1e-3 is right to 1 %, terms of second order."""
    heavy = replace(robot(name), gravity=tuple(10.0 * np.array(robot(name).gravity)))
    own = with_gears(heavy, stiffness)
    count = own.mobility
    before = gough.elasticity(own, loads=ALONE).vibrations(count).frequencies
    found = gough.elasticity(own, loads=ALONE, preload=True).vibrations(count).frequencies
    change = Judge(own, stiffness).frequencies() / before - 1.0
    assert np.abs(found / before - 1.0 - change).max() < 0.01 * np.abs(change).max()


LENGTH = 0.8
# so much area that a column does not become shorter before it bends
SECTION = gough.CrossSection(1.0, 3e-8, 3e-8, 6e-8)
EI = STEEL.E * SECTION.Iy
EULER = np.pi**2 * EI / (4.0 * LENGTH**2)


def column(elements, share, shear=False, preload=True):
    light = gough.Material("light", STEEL.E, STEEL.G, 1.0)
    beam = gough.Beam(SECTION, light, [[0.0, 0.0, 0.0], [0.0, 0.0, LENGTH]])
    robot = replace(cantilever(beam), gravity=(0.0, 0.0, 0.0))
    tip = gough.Force("bar", [0.0, 0.0, -share * EULER], point=(0.0, 0.0, LENGTH))
    return gough.elasticity(
        robot, loads=gough.Loads(forces=[tip]), preload=preload, shear=shear, elements=elements
    )


@pytest.mark.parametrize("share", [-0.5, 0.3, 0.7, 0.95])
@pytest.mark.parametrize(("elements", "bound"), [(8, 1e-4), (None, 2e-3)])
def test_a_column_under_load(share, elements, bound):
    """Tip displacement of a beam-column, (tan(b L) / b - L) / P with b^2 = P / EI.

    Near the critical load a small error of it is magnified: 0.95 by twenty.
    """
    P = share * EULER
    b = np.sqrt(abs(P) / EI)
    turn = np.tan(b * LENGTH) if P > 0.0 else np.tanh(b * LENGTH)
    expected = (turn / b - LENGTH) / P
    found = column(elements, share).compliance
    assert found[0, 0] == pytest.approx(expected, rel=bound / (1.0 - max(share, 0.0)))
    assert np.array_equal(found, found.T)


def test_a_column_buckles_at_the_load_of_euler():
    column(8, 0.9999)
    with pytest.raises(gough.errors.Unstable, match="unstable under its loads: mostly the beam"):
        column(8, 1.0001)


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0.05, ""),
        (0.5, "change the compliance of the platform by 88%"),
        (1.01, "unstable under its"),
    ],
)
def test_a_column_that_is_told_without_preload_says_what_it_leaves_out(share, told):
    """It is shorter by less than a micrometre, and yet half as stiff at half the load of Euler."""
    loaded = column(8, share, preload=False)
    with pytest.warns(gough.GoughWarning, match=told) if told else nullcontext():
        found = loaded.deflection()
    assert np.abs(found.platform).max() < 1e-6
    assert [told in sentence for sentence in found.findings] == [True] * bool(told)


def test_where_the_origin_of_a_body_sits_does_not_matter():
    """A pendulum on a gear, its body drawn about the axis and beside it."""
    gear = gough.Axis(transmission=gough.Transmission(stiffness=2e3))
    found = []
    for beside in (0.0, 0.2):
        joint = gough.Joint(
            *("turn", "revolute", "base", "arm"),
            gough.Frame.from_axes(z=(0, 1, 0), x=(0, 0, -1)),
            gough.Frame((beside, 0.1, 0.0)),
            axes=(gear,),
        )
        inertia = np.diag([0.01, 0.02, 0.02]).tolist()
        body = gough.Body("arm", 3.0, (beside + 0.5, 0.1, 0.05), inertia)
        frame = gough.Frame((beside + 0.5, 0.0, 0.0))
        home = gough.Home(joints={"turn": 1.2})
        robot = gough.Robot("swing", (body,), (joint,), "arm", frame, ("turn",), home=home)
        e = gough.elasticity(robot, preload=True)
        found.append((float(e.vibrations(1).frequencies[0]), e.compliance))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-12)
    # weight of 3 kg at 0.5 m, 1.2 rad from hanging: k + m g l cos(1.2), to first order
    gough_only = gough.elasticity(robot)
    ratio = (found[0][0] / float(gough_only.vibrations(1).frequencies[0])) ** 2
    assert ratio == pytest.approx(1.0 + 3.0 * 9.81 * 0.5 * np.cos(1.2) / 2e3, abs=1e-4)


def test_deflections_stay_linear():
    own = with_gears(robot("five_bar"), 3e4)
    plain, loaded = gough.elasticity(own), gough.elasticity(own, preload=True)
    assert np.array_equal(plain.deflection().platform, loaded.deflection().platform)
    assert np.array_equal(plain.compensation().offsets, loaded.compensation().offsets)
    assert not np.array_equal(plain.compliance, loaded.compliance)
    slow = loaded.response([0.0]).receptance[0]
    assert np.abs(slow - loaded.compliance).max() < 1e-9 * np.abs(loaded.compliance).max()


def test_what_is_left_out_is_of_second_order():
    """Of a Delta the first order almost cancels; what differs grows with the square of the load."""
    left = []
    for times in (10.0, 20.0):
        heavy = replace(robot("delta"), gravity=tuple(times * np.array(robot("delta").gravity)))
        own = with_gears(heavy, 3e3)
        before = gough.elasticity(own, loads=ALONE).vibrations(3).frequencies
        found = gough.elasticity(own, loads=ALONE, preload=True).vibrations(3).frequencies
        left.append((found - Judge(own, 3e3).frequencies()) / before)
    # terms of third order, and rounding of differences of energies
    assert left[1] == pytest.approx(4.0 * left[0], rel=0.15)


LOW = {"mass": 3.0, "center": (0.1, 0.02, 0.05), "inertia": np.diag([0.02, 0.05, 0.04]).tolist()}
TOP = {"mass": 5.0, "center": (0.3, -0.05, 0.1), "inertia": np.diag([0.06, 0.03, 0.05]).tolist()}
FEET = (
    gough.Frame.from_axes((0.0, 0.03, 0.0), z=(0.2, 0.1, 1.0), x=(1.0, 0.0, 0.0)),
    gough.Frame.from_axes((0.25, 0.0, 0.04), z=(1.0, 0.3, -0.2), x=(0.0, 1.0, 0.0)),
)
SOFT = (
    {"radial": 4e5, "axial": 9e5, "tilt": 3e4, "torsion": 2e4},
    {"radial": 3e5, "axial": 2e5, "tilt": 1e4, "torsion": 3e4},
)


def stack(**more):
    """A body on the base and the platform on it, by fixed joints with bearings."""
    joints = [
        gough.Joint(name, "fixed", *ends, frame, frame, bearing=gough.Bearing(**soft))
        for name, ends, frame, soft in zip(
            ("foot", "neck"), (("base", "low"), ("low", "top")), FEET, SOFT, strict=True
        )
    ]
    bodies = (gough.Body("low", **{**LOW, **more}), gough.Body("top", **TOP))
    return gough.Robot("stack", bodies, tuple(joints), "top", gravity=(300.0, 250.0, -400.0))


def springs():
    """Stiffness of its bearings, base axes."""
    found = []
    for frame, soft in zip(FEET, SOFT, strict=True):
        R = np.kron(np.eye(2), np.array(frame.rotation))
        radial, axial, tilt, torsion = soft.values()
        found.append(R @ np.diag([radial, radial, axial, tilt, tilt, torsion]) @ R.T)
    return found


def changed(own, bodies, bonds, count):
    """By how much loads change frequencies, relative: by the library, and by the judge."""
    plain, loaded = (gough.elasticity(own, preload=p).vibrations(count) for p in (False, True))
    still = floating.frequencies(bodies, bonds, np.zeros(3))[:count]
    assert plain.frequencies == pytest.approx(still, rel=1e-9)
    judged = floating.frequencies(bodies, bonds, own.gravity)[:count]
    return loaded.frequencies / plain.frequencies - 1.0, judged / still - 1.0


def check_first_order(own, bodies, bonds, count):
    """Changes agree to first order: with a tenth of the load the tenth of the share is left out."""
    left = []
    for share in (0.1, 0.01):
        light = replace(own, gravity=tuple(share * np.array(own.gravity)))
        found, judged = changed(light, bodies, bonds, count)
        left.append(np.abs(found - judged).max() / np.abs(judged).max())
    assert left[1] < 0.01
    assert left[0] == pytest.approx(10.0 * left[1], rel=0.1)


def test_bearings_under_load():
    low, top = (
        floating.Floating(body["mass"], body["center"], body["inertia"], np.zeros(3))
        for body in (LOW, TOP)
    )
    (a, b), (foot, neck) = (np.array(frame.position) for frame in FEET), springs()
    bonds = [floating.Bond(-1, 0, a, a, foot), floating.Bond(0, 1, b, b, neck)]
    check_first_order(stack(), [low, top], bonds, 12)


def test_bodies_with_a_matrix_under_load():
    """Of a body without mass between two frames: its matrix is the spring between them."""
    a, b = (np.array(frame.position) for frame in FEET)
    root = np.eye(6) + 0.2 * np.random.default_rng(5).normal(size=(6, 6))
    root = root * np.sqrt([4e5, 3e5, 5e5, 2e4, 3e4, 4e4])
    between = root.T @ root  # of the second frame, the first held
    carried = np.eye(6)
    carried[:3, 3:] = -skew(b - a)
    G = np.hstack([-carried, np.eye(6)])
    matrix = G.T @ between @ G
    nothing = {"mass": 0.0, "inertia": np.zeros((3, 3)).tolist(), "massless": True}
    given = gough.BodyStiffness(("foot", "neck"), matrix)
    own = stack(**nothing, center=(0.0, 0.0, 0.0), stiffness=given)
    own = replace(own, joints=tuple(replace(joint, bearing=None) for joint in own.joints))
    top = floating.Floating(TOP["mass"], TOP["center"], TOP["inertia"], np.zeros(3))
    check_first_order(own, [top], [floating.Bond(-1, 0, a, b, between)], 6)


@pytest.mark.parametrize(("elements", "bound"), [(8, 1e-3), (None, 5e-3)])
def test_a_beam_that_is_bent_becomes_shorter(elements, bound):
    """The tip sinks by w = P L^3 / 3 EI and comes back by 3 w^2 / 5 L: more load, more of both."""
    P = 3.0
    light = gough.Material("light", STEEL.E, STEEL.G, 1.0)
    beam = gough.Beam(SECTION, light, [[0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0]])
    own = replace(cantilever(beam), gravity=(0.0, 0.0, 0.0))
    tip = gough.Force("bar", [0.0, 0.0, -P], point=(LENGTH, 0.0, 0.0))
    loads = gough.Loads(forces=[tip])
    e = gough.elasticity(own, loads=loads, preload=True, shear=False, elements=elements)
    softness = LENGTH**3 / (3.0 * EI)
    assert e.compliance[0, 2] == pytest.approx(1.2 * P * softness**2 / LENGTH, rel=bound)
