"""Parameters from logs: exact without noise, as sure as they claim with it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.base.tables import write_table
from gough.errors import FileError, InputError, WrongMotors
from gough.identification.filtering import design, low_pass, moving
from logging_plant import recorded
from robots import robot

SINES = [[0.04, 0.03], [-0.03, 0.04], [0.02, -0.03]]
COSINES = [[0.02, -0.03], [0.02, 0.02], [0.02, 0.01]]


@cache
def cad():
    """The five-bar as its designer has it: a fifth too heavy."""
    r = robot("five_bar")
    heavier = [
        replace(
            b,
            mass=1.2 * b.mass,
            inertia=tuple(tuple(1.1 * x for x in row) for row in b.inertia),
        )
        for b in r.bodies
    ]
    return replace(r, bodies=tuple(heavier))


def swing(r, **options):
    usual = {"sines": SINES, "cosines": COSINES, "duration": 2.0, "frequency": 1.0}
    return gough.motion.fourier(r, **{**usual, **options})


@cache
def exact(samples=2001):
    """Times, positions of motors and efforts of a smooth motion; poses, too."""
    r = robot("five_bar")
    motion = swing(r, ramp=0.0)
    t = np.linspace(0.0, motion.duration, samples)
    state = motion(t)
    q = gough.inverse_geometry(r, state[0])
    return t, q, gough.inverse_dynamics(r, *state), state


@cache
def truth():
    return gough.base_parameters(robot("five_bar")).values


@cache
def bench(which):
    """Runs of a plant in maximal coordinates: one to fit, one to validate."""
    options = {} if which == "fit" else {"duration": 1.2, "sines": COSINES, "cosines": SINES}
    return recorded(robot("five_bar"), cad(), swing(cad(), **options), 0.005)


def test_without_noise_parameters_come_back():
    t, q, tau, state = exact()
    log = gough.Log(t, q, tau)
    found = gough.identify(cad(), log, cutoff=np.inf, band=np.inf)
    # splines of degree seven are exact to 1e-11; offsets count in N m, efforts are 10 N m
    assert found.values == pytest.approx(truth(), rel=1e-9, abs=1e-9)
    assert np.abs(gough.inverse_dynamics(found.robot, *state) - tau).max() < 1e-8
    assert found.unexcited == ()
    assert found.findings == ()
    assert found.fit[0].before.max() > 0.1  # the description was wrong


def test_filters_change_little_of_a_motion_without_noise():
    t, q, tau, _ = exact()
    found = gough.identify(cad(), gough.Log(t, q, tau))
    assert found.fit[0].filters.keep > 10
    # positions lose 1e-5 at the frequencies of the motion, and Coulomb friction moves by a sample
    assert found.fit[0].relative.max() < 1e-4


def test_offsets_currents_and_poses():
    t, _, tau, (T_0p, *_) = exact()
    offsets, gains = np.array([0.3, -0.2]), np.array([2.5, -1.5])
    log = gough.Log(t, T_0p=T_0p, currents=(tau + offsets) / gains, gains=gains)
    found = gough.identify(robot("five_bar"), log, cutoff=np.inf, band=np.inf)
    assert list(found.offsets.values()) == pytest.approx(offsets, abs=1e-8)


def test_known_payloads_are_no_parameters():
    t, q, _, state = exact()
    loads = gough.Loads(payload=0.8)
    tau = gough.inverse_dynamics(robot("five_bar"), *state, loads=loads)
    found = gough.identify(cad(), gough.Log(t, q, tau, loads=loads), cutoff=np.inf, band=np.inf)
    assert found.values == pytest.approx(truth(), rel=1e-9, abs=1e-9)


def test_standard_deviations_hold():
    """Plant in maximal coordinates, encoder steps of 1e-5 rad, noise of efforts of 2 %."""
    off = []
    for seed in range(6):
        found = gough.identify(cad(), bench("fit").log(seed))
        off.append((found.values - truth()) / found.sigma)
        assert found.disagreement.max() < 1.0
    # 102 numbers, 6 draws of 17 that depend on each other: 1 +- 0.2; 95 % within 2
    assert 0.7 < np.sqrt(np.mean(np.square(off))) < 1.3
    assert np.mean(np.abs(off) < 2.0) > 0.85


def test_validation_is_at_the_noise_where_the_model_is_complete():
    log, other = bench("fit").log(1), bench("validation").log(2)
    found = gough.identify(cad(), log, validation=other)
    ratio = found.validation.error / found.validation.expected
    # 20 samples a motor: 1 +- 0.16 of noise, and noise is a share of another run's efforts
    assert (ratio < 1.5).all()
    assert (ratio > 0.6).all()
    assert not any("validation" in sentence for sentence in found.findings)
    assert (found.validation.relative < 0.02).all()  # 2 % of noise, most of it filtered away
    assert (found.validation.before > 0.1).all()
    assert found.robot is not None
    poor = gough.identify(_without_friction(cad()), log, validation=other, parameters=["bodies"])
    assert (poor.validation.error > found.validation.error).all()
    assert (poor.noise > 1.5 * found.noise).all()
    words = str(found)
    assert "validation foot1" in words
    assert "+-" in words
    assert len(found.to_frame()) == found.base.number
    assert "relative" in found.to_dict()


def _without_friction(r):
    joints = [
        replace(j, axes=tuple(replace(a, viscous=0.0, coulomb=0.0) for a in j.axes))
        for j in r.joints
    ]
    return replace(r, joints=tuple(joints))


def test_what_is_not_asked_for_is_taken_as_described():
    t, q, tau, _ = exact()
    found = gough.identify(
        _without_friction(robot("five_bar")),
        gough.Log(t, q, tau),
        parameters=["friction"],
        cutoff=np.inf,
        band=np.inf,
    )
    # viscous and Coulomb friction of both motors
    assert found.values == pytest.approx([0.06, 0.05, 0.06, 0.05], rel=1e-8)
    assert found.robot.bodies == robot("five_bar").bodies


def test_instruments_do_not_mind_noise_of_positions():
    t, q, tau, _ = exact()
    rng = np.random.default_rng(5)
    noisy = q + 1e-5 * rng.normal(size=q.shape)
    raw = {"cutoff": np.inf, "band": np.inf}
    plain = gough.identify(cad(), gough.Log(t, noisy, tau), **raw)
    off = np.abs(plain.values - truth()) / plain.sigma
    assert off.max() > 10.0  # wrong, and sure of it
    assert any("disagree" in sentence for sentence in plain.findings)
    better = gough.identify(
        cad(), gough.Log(t, noisy, tau, reference=q), method="instrumental", **raw
    )
    assert (np.abs(better.values - truth()) / better.sigma).max() < 4.0


def test_what_a_log_does_not_show_is_named():
    r = robot("five_bar")
    x = r.home_pose[:2, 3]
    motion = gough.motion.point_to_point(r, x, (x[0], x[1] + 0.03), duration=2.0)
    t = np.linspace(0.0, motion.duration, 801)
    T, V, Vdot = motion(t)
    q, tau = gough.inverse_geometry(r, T), gough.inverse_dynamics(r, T, V, Vdot)
    one = gough.identify(cad(), gough.Log(t, q, tau), cutoff=np.inf, band=np.inf, standstill=1e-4)
    assert one.unexcited
    assert np.isinf(one.sigma).any()
    # what is not shown one by one still adds up to the efforts; splines at both ends of the stroke
    assert one.fit[0].relative.max() < 1e-4
    assert one.fit[0].before.min() > 0.1
    assert one.findings == ()
    assert "not shown" in str(one)


def test_logs_from_tables(tmp_path):
    t, q, tau, _ = exact(501)
    r = robot("five_bar")
    file = tmp_path / "log.csv"
    columns = {"time [ms]": 1e3 * t}
    for k, name in enumerate(r.motors):
        columns[f"{name} [deg]"] = np.degrees(q[:, k])
        columns[f"torque_{name} [Nm]"] = tau[:, k]
    write_table(file, columns)
    log = gough.read_log(r, file)
    assert log.q_a == pytest.approx(q, abs=1e-12)
    assert log.t == pytest.approx(t, abs=1e-12)
    assert log.tau == pytest.approx(tau, abs=0.0)
    assert gough.identify(r, file).values.shape == truth().shape
    with pytest.raises(FileError, match="current_foot1"):
        gough.read_log(r, file, gains=1.0)
    write_table(file, {name.replace("[Nm]", "[mNm]"): a for name, a in columns.items()})
    with pytest.raises(FileError, match="mNm"):
        gough.read_log(r, file)


def test_logs_that_say_nothing_are_refused():
    t, q, tau, _ = exact(501)
    r = robot("five_bar")
    with pytest.raises(InputError, match="either q_a or T_0p"):
        gough.Log(t, tau=tau)
    with pytest.raises(InputError, match="belong together"):
        gough.Log(t, q, currents=tau)
    with pytest.raises(InputError, match="3 columns"):
        gough.identify(r, gough.Log(t, q, np.ones((501, 3))))
    gap = np.delete(np.arange(501), np.s_[200:203])
    with pytest.raises(InputError, match="samples are missing"):
        gough.identify(r, gough.Log(t[gap], q[gap], tau[gap]))
    with pytest.raises(InputError, match="do not move"):
        gough.identify(r, gough.Log(t, 0.0 * q + q[0], tau))
    with pytest.raises(InputError, match="cutoff"):
        gough.identify(r, gough.Log(t, q, tau), cutoff=200.0)
    with pytest.raises(InputError, match="log is"):
        gough.identify(r, 3)
    with pytest.raises(WrongMotors):
        gough.identify(robot("four_rrr"), gough.Log(t, q, tau))


def test_filters_shift_nothing():
    """A sine keeps its phase; its rates are those of calculus, less what the filter takes away."""
    t = np.linspace(0.0, 4.0, 2001)
    q = np.stack([np.sin(2 * np.pi * 3.0 * t), np.cos(2 * np.pi * 1.0 * t)], axis=1)
    filters = design(t, q)
    assert filters.cutoff == pytest.approx(15.0, rel=0.1)
    inner = t[filters.ends : -filters.ends]
    found = moving(t, q, filters, inner)
    w = 2 * np.pi * np.array([3.0, 1.0])
    expected = -w * np.stack([-np.cos(w[0] * inner), np.sin(w[1] * inner)], axis=1)
    # twice through fourth order: 1 / (1 + (3 / 15)^8) = 1 - 3e-6; swing of the ends 1e-4
    assert found.qd == pytest.approx(expected, abs=3e-4 * w[0])
    assert low_pass(q, np.inf, 500.0) is q
