"""Laws of elastic machines: symmetry, order, limits, and what does not depend on names and frames.

Machines of all kinds of joints, over-constrained and redundant ones among them, take part with
elastic transmissions; a few of them with beams and bearings, too.
"""

from dataclasses import replace

import numpy as np
import pytest

import gough
from coupled import (
    amplified_quattro,
    differential,
    gear_pair,
    geared_delta,
    geared_five_bar,
    rack,
)
from dressed import dressed
from elastic_machines import ELASTIC, STIFF, beams_and_bearings, geared, with_axes, with_gears
from machines import drawn_delta, sps_hexapod, ucs_hexapod
from robots import DRIVEN_NAMES, REDUNDANT_NAMES

LARGE = 64


# gears are as soft on slides of some machines: what is linear is compared, far or not
@pytest.mark.filterwarnings("ignore:.*linear in loads:gough.GoughWarning")
@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_gears_alone_are_jacobian_and_inertia(name):
    """Rigid links, elastic drives: everything follows from J and M, whatever the robot.

    1e-8: closed loops are exact to 1e-11, and singular values of 1e-3 divide by that.
    """
    own = geared(name)
    e = gough.elasticity(own, loads=gough.Loads(rotors=False))
    T = own.home_pose
    J_inv, Psi = gough.inverse_jacobian(own, T), gough.freedom_map(own, T)
    K = STIFF * J_inv.T @ J_inv
    expected = Psi @ np.linalg.solve(K, Psi.T)
    assert np.abs(e.compliance - expected).max() < 1e-8 * np.abs(expected).max()
    M = gough.inertia_matrix(own, T, loads=gough.Loads(rotors=False))
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
    found = e.vibrations(own.mobility).frequencies
    assert found == pytest.approx(np.sqrt(squares) / (2.0 * np.pi), rel=1e-7)
    w = gough.gravity_wrench(own, T)
    sag = -Psi @ np.linalg.solve(K, w)
    scale = max(np.abs(sag).max(), 1e-9)  # a nanometre: of planar machines it is zero
    assert np.abs(e.deflection().platform - sag).max() < 1e-7 * scale


def beside_the_axis(own):
    """A machine whose bars between two balls have their mass beside the axis of their spin."""
    turning = {name for freedom in own.assembly.idle for name in freedom.bodies}
    aside = np.array([0.004, 0.003, -0.002])
    bodies = tuple(
        replace(body, center=tuple(body.center + aside)) if body.name in turning else body
        for body in own.bodies
    )
    return replace(own, bodies=bodies)


LOCKED = [
    lambda: drawn_delta("spherical", "locked"),
    lambda: beside_the_axis(sps_hexapod()),
    lambda: beside_the_axis(ucs_hexapod()),
]


@pytest.mark.filterwarnings("ignore:.*holds its rate, not its angle")
@pytest.mark.parametrize("build", LOCKED, ids=["delta", "sps", "ucs"])
def test_spins_that_are_held(build):
    """What ``idle: locked`` holds does not sag and does not shake; M is that of rigid bodies."""
    own = with_gears(build(), STIFF)
    T, nothing = own.home_pose, gough.Loads(rotors=False)
    e = gough.elasticity(own, loads=nothing)
    J_inv, Psi = gough.inverse_jacobian(own, T), gough.freedom_map(own, T)
    K, M = STIFF * J_inv.T @ J_inv, gough.inertia_matrix(own, T, loads=nothing)
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
    v = e.vibrations(own.mobility)
    assert v.free == 0
    assert v.frequencies == pytest.approx(np.sqrt(squares) / (2.0 * np.pi), rel=1e-9)
    sag = -Psi @ np.linalg.solve(K, gough.gravity_wrench(own, T))
    assert np.abs(e.deflection().platform - sag).max() < 1e-9 * np.abs(sag).max()


def test_spins_that_nothing_holds_are_refused():
    """Bars whose mass is beside their axis turn down: the posture is none of rest."""
    with pytest.raises(gough.errors.FrozenFreedom, match="'bar1b' can move while the platform"):
        gough.elasticity(with_gears(drawn_delta("spherical"), STIFF))


@pytest.mark.filterwarnings("ignore:.*holds its rate, not its angle")
def test_spins_that_are_held_in_many_postures():
    own = dressed(drawn_delta("spherical", "locked"), seed=4)
    T = np.repeat(own.home_pose[None], LARGE, axis=0)
    T[:, 0, 3] += np.linspace(-0.04, 0.04, LARGE)
    many = gough.elasticity(own, T)
    frequencies, compliance = many.frequencies(8), many.compliance
    for k in (0, LARGE // 2, LARGE - 1):
        one = gough.elasticity(own, T[k])
        assert frequencies[k] == pytest.approx(one.vibrations(8).frequencies, rel=1e-8)
        size = np.abs(one.compliance).max()
        assert np.abs(compliance[k] - one.compliance).max() < 1e-8 * size


COUPLED = [gear_pair, rack, geared_five_bar, geared_delta, differential, amplified_quattro]


@pytest.mark.parametrize("build", COUPLED, ids=lambda build: build.__name__)
def test_couplings_are_rows(build):
    own = with_gears(build(), STIFF)
    J_inv = gough.inverse_jacobian(own, own.home_pose)
    Psi = gough.freedom_map(own, own.home_pose)
    expected = Psi @ np.linalg.solve(STIFF * J_inv.T @ J_inv, Psi.T)
    found = gough.elasticity(own).compliance
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


def test_a_locked_joint_is_held():
    """The spin of a Delta with a fourth leg, held at home: all its directions are rows."""
    robot = gough.zoo.load("delta_4")
    motors = tuple(name for name in robot.motors if name != "spin")
    held = with_gears(replace(robot, motors=motors, locked=("spin",)), STIFF)
    J = gough.jacobian(held, held.home_pose)
    found = gough.elasticity(held).compliance
    assert np.abs(found - J @ J.T / STIFF).max() < 1e-10 * np.abs(found).max()


@pytest.mark.parametrize("name", ELASTIC)
def test_symmetric_and_not_negative(name):
    e = gough.elasticity(beams_and_bearings(name))
    C = e.compliance
    assert np.array_equal(C, C.T)
    assert np.linalg.eigvalsh(C)[0] > -1e-14 * np.linalg.eigvalsh(C)[-1]
    v = e.vibrations(10)
    assert (np.diff(v.frequencies) >= 0.0).all()
    assert v.shares.sum(axis=1) == pytest.approx(np.ones(10))
    assert (v.participation.sum(axis=0) < 1.0 + 1e-9).all()


@pytest.mark.parametrize("name", ELASTIC)
def test_stiffer_never_lowers_a_frequency(name):
    own = beams_and_bearings(name)
    before = gough.elasticity(own).vibrations(8).frequencies

    def stiffer(joint):
        bearing = joint.bearing
        figures = {k: getattr(bearing, k) for k in ("radial", "axial", "tilt", "torsion")}
        return replace(
            joint, bearing=gough.Bearing(**{k: v and 2.0 * v for k, v in figures.items()})
        )

    softer = with_axes(
        own,
        lambda _, axis: replace(axis, transmission=gough.Transmission(stiffness=STIFF / 2.0)),
        own.motors[:1],
    )
    changed = replace(own, joints=tuple(stiffer(joint) for joint in own.joints))
    assert (gough.elasticity(changed).vibrations(8).frequencies >= before * (1.0 - 1e-10)).all()
    assert (gough.elasticity(softer).vibrations(8).frequencies <= before * (1.0 + 1e-10)).all()


@pytest.mark.parametrize("name", ELASTIC)
def test_bearings_to_infinity_are_rows(name):
    """A bearing that is 1e7 times stiffer than the gears moves nothing by more than 1e-5."""
    own = geared(name)
    size = {"radial": 1e14, "axial": 1e14, "tilt": 1e12, "torsion": 1e12}
    joints = tuple(
        replace(j, bearing=gough.Bearing(**{k: size[k] for k in gough.robot.KINDS[j.kind].bearing}))
        for j in own.joints
    )
    rigid, nearly = gough.elasticity(own), gough.elasticity(replace(own, joints=joints))
    C = rigid.compliance
    assert np.abs(nearly.compliance - C).max() < 1e-5 * np.abs(C).max()
    count = own.mobility
    found = nearly.vibrations(count).frequencies
    assert found == pytest.approx(rigid.vibrations(count).frequencies, rel=1e-5)


@pytest.mark.parametrize("name", ELASTIC)
def test_stiff_beams_are_rigid(name):
    own = beams_and_bearings(name)

    def stiff(body):
        if body.beam is None:
            return body
        material = gough.Material("stiff", 70e16, 26e16, 1e-3)
        return replace(body, beam=replace(body.beam, material=material))

    hard = replace(own, bodies=tuple(stiff(body) for body in own.bodies))
    rigid = replace(own, bodies=tuple(replace(body, beam=None) for body in own.bodies))
    C = gough.elasticity(rigid).compliance
    assert np.abs(gough.elasticity(hard).compliance - C).max() < 1e-4 * np.abs(C).max()


@pytest.mark.parametrize("name", ["five_bar", "delta", "hexapod_6rus"])
def test_names_and_order_do_not_matter(name):
    own = beams_and_bearings(name)
    e = gough.elasticity(own)
    mixed = replace(own, bodies=own.bodies[::-1], joints=own.joints[::-1])
    other = gough.elasticity(mixed)
    C = e.compliance
    assert np.abs(other.compliance - C).max() < 1e-9 * np.abs(C).max()
    found = other.vibrations(8).frequencies
    assert found == pytest.approx(e.vibrations(8).frequencies, rel=1e-8)


@pytest.mark.parametrize("name", ["five_bar", "delta", "hexapod_6rus"])
def test_another_frame_of_the_platform_is_another_point(name):
    """Rigid platforms: the compliance there is carried over; frequencies stay."""
    own = beams_and_bearings(name)
    own = replace(
        own,
        bodies=tuple(
            replace(body, beam=None) if body.name == own.platform else body for body in own.bodies
        ),
    )
    p = np.array(own.platform_frame.position)
    there = replace(own, platform_frame=replace(own.platform_frame, position=tuple(p + 0.1)))
    e, other = gough.elasticity(own), gough.elasticity(there)
    offset = other.T_0p[:3, 3] - e.T_0p[:3, 3]
    carry = np.eye(6)
    x, y, z = offset
    carry[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    expected = carry @ e.compliance @ carry.T
    assert np.abs(other.compliance - expected).max() < 1e-8 * np.abs(expected).max()
    found = other.vibrations(6).frequencies
    assert found == pytest.approx(e.vibrations(6).frequencies, rel=1e-8)


@pytest.mark.parametrize("name", ["five_bar", "delta", "hexapod_6rus"])
def test_names_do_not_matter(name):
    own = beams_and_bearings(name)
    new = {body.name: f"part_{i}" for i, body in enumerate(own.bodies)}
    ends = {**new, own.base: "floor"}
    bodies = tuple(replace(body, name=new[body.name]) for body in own.bodies)
    joints = tuple(
        replace(joint, parent=ends[joint.parent], child=ends[joint.child]) for joint in own.joints
    )
    home = gough.Home({new[n]: f for n, f in own.home.bodies.items()}, own.home.joints)
    other = replace(
        own, bodies=bodies, joints=joints, platform=new[own.platform], base="floor", home=home
    )
    found = gough.elasticity(other)
    C = gough.elasticity(own).compliance
    assert np.abs(found.compliance - C).max() < 1e-10 * np.abs(C).max()


@pytest.mark.parametrize("name", ["five_bar", "delta", "hexapod_6rus"])
def test_compensation_brings_the_platform_back(name):
    own = beams_and_bearings(name)
    load = gough.Loads(forces=[gough.Force(own.platform, [3.0, -20.0, 7.0])], payload=0.7)
    e = gough.elasticity(own)
    found = e.compensation(load)
    free = list(own.assembly.free)
    size = np.abs(found.before).max()
    assert np.abs(found.platform[free]).max() < 1e-12 * size
    J_inv = gough.inverse_jacobian(own, own.home_pose)
    assert found.offsets == pytest.approx(-J_inv @ found.before[free])


@pytest.mark.parametrize("name", ["five_bar", "delta"])
def test_deflection_is_compliance_times_the_load(name):
    own = beams_and_bearings(name)
    e = gough.elasticity(own)
    W = np.array([3.0, -2.0, 5.0, 0.1, 0.2, -0.3])
    point = own.platform_frame.position
    load = gough.Loads(forces=[gough.Force(own.platform, W[:3], W[3:], point)])
    found = e.deflection(load, gravity=False)
    assert found.platform == pytest.approx(e.compliance @ W, rel=1e-9, abs=1e-15)
    assert found.energy.sum() == pytest.approx(W @ e.compliance @ W / 2.0)
    both = e.deflection(load).platform
    assert both == pytest.approx(found.platform + e.deflection().platform, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("name", ["five_bar", "delta", *REDUNDANT_NAMES])
def test_a_response_at_rest_is_the_compliance(name):
    own = beams_and_bearings(name)
    e = gough.elasticity(own)
    slow = e.response([0.0]).receptance[0]
    assert np.abs(slow - e.compliance).max() < 1e-9 * np.abs(e.compliance).max()
    lowest = float(e.vibrations(1).frequencies[0])
    near = e.response([lowest * 0.3, lowest * 0.9999]).magnitude
    assert near[1].max() > 100.0 * near[0].max()
