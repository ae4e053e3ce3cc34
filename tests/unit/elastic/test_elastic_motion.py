"""Elastic machines in motion: closed forms, a direct integration, laws, refusals."""

from functools import cache, partial

import numpy as np
import pytest

import gough
from elastic_machines import beam_body, cases, machine
from gough.elastic.damping import damping_matrix
from gough.elastic.in_motion.elastic_motion import _forces, _told
from gough.errors import InputError, NotElastic
from gough.geometry.inverse import posed
from gough.kinematics.motion import Kinematics

MASS, STIFFNESS = 2.0, 8000.0
OMEGA = float(np.sqrt(STIFFNESS / MASS))  # 10.07 Hz
EXAMPLE = "examples/robots/elastic_delta.yaml"


@cache
def slide(damping: float = 0.0, rotor: float = 0.0) -> gough.Robot:
    """A mass on a slide, whose drive is a spring."""
    gear = gough.Transmission(stiffness=STIFFNESS, damping=damping)
    axis = gough.Axis(transmission=gear, rotor_inertia=rotor)
    joint = gough.Joint("x", "prismatic", "base", "car", axes=(axis,))
    car = gough.Body("car", mass=MASS, inertia=np.diag([0.01, 0.02, 0.03]))
    return gough.Robot("slide", (car,), (joint,), "car", motors=("x",))


def stroke(robot, duration=0.3, way=0.1, law="quintic"):
    return gough.motion.point_to_point(robot, [0.0], [way], duration=duration, law=law)


def oscillator(motion, omega, zeta, t):
    """``u`` with ``u'' + 2 zeta omega u' + omega^2 u = -a(t)``: Duhamel's integral."""
    fine = np.linspace(0.0, t[-1], 20 * (len(t) - 1) + 1)
    rate = omega * (-zeta + 1j * np.sqrt(1.0 - zeta**2))
    values = motion(fine).Vdot_0p[:, 2] * np.exp(-rate * fine)
    steps = (values[1:] + values[:-1]) / 2.0 * fine[1]
    whole = np.concatenate([[0.0], np.cumsum(steps)]) * np.exp(rate * fine)
    return -whole.imag[::20] / rate.imag


@pytest.mark.parametrize("zeta", [0.0, 0.05])
def test_one_mass_follows_the_closed_form(zeta):
    robot = slide(2.0 * zeta * OMEGA * MASS)
    motion = stroke(robot)
    found = gough.elastic_motion(robot, motion, rate=1000.0, after=0.1)
    expected = oscillator(motion, OMEGA, zeta, found.t)
    # forces are taken as even between samples: h^2/8 of their curvature
    assert found.platform[:, 2] == pytest.approx(expected, abs=1e-4 * np.abs(expected).max())
    assert np.abs(found.platform[:, [0, 1, 3, 4, 5]]).max() < 1e-15


def test_residual_of_a_stroke_is_its_spectrum():
    """An undamped mass rings with |integral a exp(-i omega t) dt| / omega after any stroke."""
    robot = slide()
    motion = stroke(robot, duration=0.13)
    t = np.linspace(0.0, motion.duration, 20001)
    spectrum = abs(np.trapezoid(motion(t).Vdot_0p[:, 2] * np.exp(-1j * OMEGA * t), t)) / OMEGA
    found = gough.elastic_motion(robot, motion, rate=4000.0)
    assert found.residual[0] == pytest.approx(spectrum, rel=0.01)  # peaks between looked-at times
    assert found.amplitudes[:, 2].max() == pytest.approx(spectrum, rel=1e-4)
    assert found.frequencies == pytest.approx([OMEGA / (2.0 * np.pi)])
    assert found.settling(1.1 * spectrum) == 0.0
    assert found.settling(0.5 * spectrum) == np.inf


@pytest.mark.parametrize("kind", ["zv", "zvd"])
@pytest.mark.parametrize("zeta", [0.0, 0.05])
def test_a_shaped_stroke_leaves_nothing(kind, zeta):
    robot = slide(2.0 * zeta * OMEGA * MASS)
    motion = stroke(robot, duration=0.13)
    shaper = gough.input_shaper(OMEGA / (2.0 * np.pi), zeta, kind)
    plain = gough.elastic_motion(robot, motion, rate=4000.0)
    found = gough.elastic_motion(robot, motion, rate=4000.0, shaper=shaper)
    assert found.motion.duration == pytest.approx(motion.duration + shaper.duration)
    suggested = plain.suggested_shaper(kind)
    assert suggested.times == pytest.approx(shaper.times)
    assert suggested.amplitudes == pytest.approx(shaper.amplitudes)
    assert found.residual[0] < 1e-4 * plain.residual[0]  # sampled forces


def _even(robot, t):
    """Even acceleration to the middle, then the same backwards: 1 m/s^2 for 0.1 s each."""
    T = np.tile(robot.home_pose, (len(t), 1, 1))
    first = t < 0.1
    T[:, 2, 3] += np.where(first, t**2 / 2.0, 0.01 - (0.2 - t) ** 2 / 2.0)
    V, Vdot = np.zeros((2, len(t), 6))
    V[:, 2] = np.where(first, t, 0.2 - t)
    Vdot[:, 2] = np.where(first, 1.0, -1.0)
    return gough.State(T, V, Vdot)


def test_a_jump_of_acceleration_finds_the_machine_at_rest():
    """A mass that is accelerated at once overshoots to twice its static displacement."""
    robot = slide()
    motion = gough.Motion(robot, 0.2, "bang-bang", partial(_even, robot))
    found = gough.elastic_motion(robot, motion, rate=5000.0)
    t = found.t[found.t < 0.099]
    expected = -(1.0 - np.cos(OMEGA * t)) / OMEGA**2
    assert found.platform[: len(t), 2] == pytest.approx(expected, abs=1e-3 / OMEGA**2)


def test_settling_is_that_of_the_decay():
    zeta = 0.04
    robot = slide(2.0 * zeta * OMEGA * MASS)
    found = gough.elastic_motion(robot, stroke(robot, duration=0.13), rate=2000.0)
    start = found.amplitudes[:, 2].max()
    size = start / 50.0
    expected = np.log(50.0) / (zeta * OMEGA)
    # the last peak above it may be half a period before the envelope is
    assert expected - np.pi / OMEGA < found.settling(size) <= expected * (1.0 + 1e-3)
    assert np.abs(found.after(np.linspace(found.settling(size), 10.0, 5000))).max() <= size * 1.01


def test_a_servo_lags_and_feedforward_helps():
    """Rotor and mass in a row under PD: two oscillators, and none of it with exact efforts."""
    robot = slide(5.0, rotor=0.5)
    servo = gough.Servo(4000.0, 60.0)
    motion = stroke(robot)
    plain = gough.elastic_motion(robot, motion, drives=servo, rate=2000.0)
    helped = gough.elastic_motion(robot, motion, drives=servo, feedforward=True, rate=2000.0)
    assert helped.largest[0] < 0.5 * plain.largest[0]
    # direct integration of the two masses
    a = motion(plain.t).Vdot_0p[:, 2]
    M = np.diag([MASS, 0.5])
    K = np.array([[STIFFNESS, -STIFFNESS], [-STIFFNESS, STIFFNESS + 4000.0]])
    C = np.array([[5.0, -5.0], [-5.0, 65.0]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    z, h, found = np.zeros(4), plain.t[1] / 20, [0.0]
    for k in range(len(a) - 1):
        for i in range(20):
            for_now = a[k] + (a[k + 1] - a[k]) * (i + 0.5) / 20
            push = np.array([0.0, 0.0, -for_now, -for_now])
            middle = z + h / 2 * (A @ z + push)
            z = z + h * (A @ middle + push)
        found.append(z[0])
    assert plain.platform[:, 2] == pytest.approx(found, abs=1e-3 * np.abs(found).max())


@cache
def delta():
    return gough.load(EXAMPLE)


@pytest.mark.parametrize("name", ["P1-gough-drives", "P2-five_bar", "P3-delta"])
def test_inertia_balances_rigid_dynamics(name):
    """Along motions of the mechanism, inertia of all nodes and the motors' efforts cancel."""
    robot, T = machine(cases()[name])
    payload = gough.Payload(0.4, (0.01, -0.02, -0.05), np.diag([2e-4, 3e-4, 4e-4]))
    loads = gough.Loads(payload=payload, friction=False)
    assembly = robot.assembly
    solution = assembly.solution(posed(assembly, T))
    V_r = np.linspace(0.3, 1.0, assembly.mobility)
    kin = Kinematics(assembly, solution, solution.Psi @ V_r).accelerated(4.0 * V_r[::-1] - 2.0)
    state = gough.State(T[None], kin.V[None], np.asarray(kin.Vdot)[None])
    samples = gough.motion.Samples(np.zeros(1), state)
    found = gough.elasticity(robot, T, drives="free", loads=loads)
    solved = found._solved[0]
    inertia = solved.free.T @ _forces(found, solved.system, samples, lambda _: None)[0]
    efforts = solved.free.T @ _told(robot, solved.system, samples, loads)[0]
    assert solved.free.shape[1] == assembly.mobility
    assert efforts == pytest.approx(-inertia, abs=1e-11 * np.abs(inertia).max())


def test_a_spinning_beam_is_stretched_as_by_hand():
    """Centrifugal force of a beam that turns: its end moves by rho omega^2 L^3 / (3 E)."""
    section = gough.Tube(0.01, 0.008)
    beam = gough.Beam(section, gough.Material.named("steel"), ((0, 0, 0), (0.5, 0, 0)))
    motor = gough.Joint("turn", "revolute", "base", "bar")
    frame = gough.Frame(beam.points[-1])
    robot = gough.Robot("bar", (beam_body("bar", beam),), (motor,), "bar", frame, ("turn",))
    speed = 20.0
    T = robot.home_pose
    V = np.array([0.0, speed * 0.5, 0.0, 0.0, 0.0, speed])
    Vdot = np.array([-(speed**2) * 0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    found = gough.elasticity(robot)
    samples = gough.motion.Samples(np.zeros(1), gough.State(T[None], V[None], Vdot[None]))
    force = _forces(found, found._solved[0].system, samples, lambda _: None)[0]
    moved = found._solved[0].system.platform @ found._solved[0].flexibility(force)
    material = beam.material
    assert moved[0] == pytest.approx(material.density * speed**2 * 0.5**3 / (3.0 * material.E))
    assert np.abs(moved[1:]).max() < 1e-6 * moved[0]


def test_postures_converge_on_a_delta():
    robot = delta()
    x = np.zeros(3)
    way = np.array([0.1, 0.0, 0.0])
    motion = gough.motion.point_to_point(robot, x - way, x + way, duration=0.2)
    rough, fine = (gough.elastic_motion(robot, motion, postures=n, rate=300.0) for n in (13, 25))
    assert rough.residual[0] == pytest.approx(fine.residual[0], rel=0.03)
    assert rough.largest[0] == pytest.approx(fine.largest[0], rel=0.02)
    assert fine.residual[0] < fine.largest[0]
    assert "rings at" in str(fine)
    assert set(fine.to_dict()) >= {"residual", "settling", "frequencies"}
    assert len(fine.columns()["t"]) == len(fine.t)


def test_damping_is_the_one_of_vibrations():
    found = gough.elasticity(delta())
    solved, vibrations = found._solved[0], found.vibrations(5)
    omega, x = solved.modes
    D = damping_matrix(solved.system, omega[:5], x[:, :5], vibrations.shares.T, None)
    assert np.diag(D) / (2.0 * omega[:5]) == pytest.approx(vibrations.damping)
    assert np.diag(damping_matrix(solved.system, omega, x, vibrations.shares.T, 0.02)) == (
        pytest.approx(0.04 * omega)
    )


def test_a_picture_with_and_without_a_shaper():
    robot = slide()
    motion = stroke(robot, duration=0.13)
    shaper = gough.input_shaper(OMEGA / (2.0 * np.pi))
    one = gough.elastic_motion(robot, motion)
    figure = one.draw(gough.elastic_motion(robot, motion, shaper=shaper))
    labels = [line.get_label() for line in figure.axes[0].lines]
    assert "as planned" in labels
    assert any("zv, 10.1 Hz" in label for label in labels)


def test_refusals():
    robot = slide()
    motion = stroke(robot)
    with pytest.raises(InputError, match="is free"):
        gough.elastic_motion(robot, motion, drives="free")
    with pytest.raises(InputError, match=r"begins with .* m/s and .* rad/s, not at rest"):
        gough.elastic_motion(
            delta(), gough.motion.circle(delta(), radius=0.05, duration=0.5, law="constant")
        )
    with pytest.raises(InputError, match=r"expected a gough\.InputShaper"):
        gough.elastic_motion(robot, motion, shaper="zv")
    rigid = gough.zoo.load("delta")
    rest = gough.motion.hold(rigid)
    with pytest.raises(NotElastic, match="no elastic part"):
        gough.elastic_motion(rigid, rest)


@pytest.mark.parametrize("law", ["quintic", "septic"])
def test_rates_that_miss_the_motion_are_refused(law):
    """At 1 Hz a stroke has samples at its ends alone, without any acceleration: no vibration."""
    motion = stroke(slide(), law=law)
    for rate in (1.0, 6.0, 12.0):
        with pytest.raises(InputError, match=r"between its \d+ samples the motion has"):
            gough.elastic_motion(slide(), motion, rate=rate)
    found = gough.elastic_motion(slide(), motion, rate=40.0)
    assert any("samples: the vibration is wrong by" in note for note in found.notes)
    assert not gough.elastic_motion(slide(), motion, rate=200.0).notes


def test_times_after_the_end_are_numbers_after_the_end():
    found = gough.elastic_motion(slide(), stroke(slide()), rate=100.0)
    for wrong, words in (("x", "not an array of numbers"), ([0.0, -1.0], "zero or more")):
        with pytest.raises(InputError, match=words):
            found.after(wrong)
