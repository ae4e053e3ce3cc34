"""Parameters from logs: exact without noise, as sure as they claim with it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.signal import lfilter

import gough
from gough.base.tables import write_table
from gough.errors import FileError, GoughError, InputError, NotIdentifiable, WrongMotors
from gough.identification.filtering import design, kept, low_pass, moving
from logging_plant import described
from robots import robot

SINES = [[0.04, 0.03], [-0.03, 0.04], [0.02, -0.03]]
COSINES = [[0.02, -0.03], [0.02, 0.02], [0.02, 0.01]]


def cad():
    """The five-bar as its designer has it: too heavy, with too little friction."""
    return described("five_bar")


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
    q = gough.inverse_kinematics(r, state.T_0p)
    return t, q, gough.inverse_dynamics(r, state), state


@cache
def truth():
    return gough.base_parameters(robot("five_bar")).values


def test_without_noise_parameters_come_back():
    t, q, tau, _ = exact()
    log = gough.Log(t, q, tau)
    found = gough.identify(cad(), log, cutoff=np.inf, band=np.inf)
    # splines of degree seven are exact to 1e-11; offsets count in N m, efforts are 10 N m
    assert found.values == pytest.approx(truth(), rel=1e-9, abs=1e-9)
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
    t, _, tau, state = exact()
    offsets, gains = np.array([0.3, -0.2]), np.array([2.5, -1.5])
    log = gough.Log(t, T_0p=state.T_0p, currents=(tau + offsets) / gains, gains=gains)
    found = gough.identify(robot("five_bar"), log, cutoff=np.inf, band=np.inf)
    assert list(found.offsets.values()) == pytest.approx(offsets, abs=1e-8)


def test_known_payloads_are_no_parameters():
    t, q, _, state = exact()
    loads = gough.Loads(payload=0.8)
    tau = gough.inverse_dynamics(robot("five_bar"), state, loads=loads)
    found = gough.identify(cad(), gough.Log(t, q, tau, loads=loads), cutoff=np.inf, band=np.inf)
    assert found.values == pytest.approx(truth(), rel=1e-9, abs=1e-9)


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


def test_groups_and_names_stand_together():
    """The named ones first; one that is also in a group counts once."""
    t, q, tau, _ = exact()
    r = _without_friction(robot("five_bar"))
    found = gough.identify(
        r,
        gough.Log(t, q, tau),
        parameters=["foot1.coulomb", "friction", "prox1.my"],
        cutoff=np.inf,
        band=np.inf,
    )
    friction = [f"{motor}.{figure}" for motor in r.motors for figure in ("viscous", "coulomb")]
    assert set(found.names) == {*friction, "prox1.my"}
    assert len(found.names) == len(friction) + 1
    wanted = {name: (0.06 if name.endswith("viscous") else 0.05) for name in friction}
    values = dict(zip(found.names, found.chi, strict=True))
    assert {name: values[name] for name in friction} == pytest.approx(wanted, rel=1e-7)
    with pytest.raises(InputError, match="unknown group of parameters 'frictions'"):
        gough.base_parameters(r, parameters=["prox1.my", "frictions"])


def test_instruments_do_not_mind_noise_of_positions():
    t, q, tau, _ = exact()
    rng = np.random.default_rng(5)
    noisy = q + 1e-5 * rng.normal(size=q.shape)
    raw = {"cutoff": np.inf, "band": np.inf}
    plain = gough.identify(cad(), gough.Log(t, noisy, tau), **raw)
    off = np.abs(plain.values - truth()) / plain.sigma
    assert off.max() > 5.0  # wrong, and sure of it
    assert any("disagree" in sentence for sentence in plain.findings)
    better = gough.identify(
        cad(), gough.Log(t, noisy, tau, reference=q), method="instrumental", **raw
    )
    assert (np.abs(better.values - truth()) / better.sigma).max() < 4.0


@cache
def swung():
    """Ten seconds of a motion at 250 samples a second: times, positions, efforts."""
    r = robot("five_bar")
    t = np.linspace(0.0, 10.0, 2501)
    state = swing(r, duration=10.0)(t)
    return t, gough.inverse_kinematics(r, state.T_0p), gough.inverse_dynamics(r, state)


def coloured(rng, shape, before=200):
    """Noise of deviation one whose samples have 0.9 of those before."""
    white = rng.normal(size=(shape[0] + before, shape[1]))
    return np.sqrt(1.0 - 0.9**2) * lfilter([1.0], [1.0, -0.9], white, axis=0)[before:]


def deviations(noise, runs=12, **options):
    """Errors of all parameters over drawn logs, in standard deviations; and all findings."""
    t, q, tau = swung()
    size = 0.02 * np.sqrt(np.mean(tau**2, axis=0))
    off, findings = [], []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        q_read, tau_read = q, tau
        if noise == "encoders":
            q_read = q + 1e-5 * rng.normal(size=q.shape)
        else:
            tau_read = tau + size * coloured(rng, tau.shape)
        found = gough.identify(cad(), gough.Log(t, q_read, tau_read), delay=0.0, **options)
        off.append((found.values - truth()) / found.sigma)
        findings += found.findings
    return np.array(off), findings


@pytest.mark.parametrize(("noise", "options"), [("efforts", {"band": np.inf}), ("encoders", {})])
def test_standard_deviations_hold_for_noise_that_is_correlated(noise, options):
    """As that of drives, 0.9 from sample to sample, or of positions, differentiated twice.

    If samples counted as independent, errors were 2.6 and 0.5 standard deviations.
    """
    off, findings = deviations(noise, **options)
    # 12 draws of 17 parameters, which depend on each other: 1 +- 0.15
    assert 0.75 < np.sqrt(np.mean(off**2)) < 1.35
    assert np.mean(np.abs(off) < 1.96) > 0.87
    told = [sentence for sentence in findings if "correlated in time" in sentence]
    assert len(told) == len(off)
    assert all("times those of independent noise" in sentence for sentence in told)


def test_several_logs_are_not_correlated_with_each_other():
    """Two halves of a log say as much as the whole, but for their ends."""
    t, q, tau = swung()
    rng = np.random.default_rng(4)
    tau = tau + 0.05 * coloured(rng, tau.shape)
    halves = [slice(0, 1250), slice(1250, 2501)]
    one = gough.identify(cad(), gough.Log(t, q, tau), delay=0.0, band=np.inf)
    two = [gough.Log(t[half], q[half], tau[half]) for half in halves]
    both = gough.identify(cad(), two, delay=0.0, band=np.inf)
    ratio = both.sigma / one.sigma
    assert 0.8 < np.median(ratio) < 1.4


def test_what_a_log_does_not_show_is_named():
    r = robot("five_bar")
    x = r.home_pose[:2, 3]
    motion = gough.motion.point_to_point(r, x, (x[0], x[1] + 0.03), duration=2.0)
    t = np.linspace(0.0, motion.duration, 801)
    state = motion(t)
    q, tau = gough.inverse_kinematics(r, state), gough.inverse_dynamics(r, state)
    one = gough.identify(cad(), gough.Log(t, q, tau), cutoff=np.inf, band=np.inf, standstill=1e-4)
    assert one.unexcited
    assert np.isinf(one.sigma).any()
    # what is not shown one by one still adds up to the efforts; splines at both ends of the stroke
    assert one.fit[0].relative.max() < 1e-4
    assert one.fit[0].before.min() > 0.1
    assert one.findings == ()
    assert "not shown" in str(one)


def test_a_fit_without_bodies_says_so(monkeypatch):
    """A log that shows little, and no bodies that explain it: base parameters are still told."""

    def refuse(*_):
        raise GoughError("there are none", hint="Look again.")

    monkeypatch.setattr("gough.identification.bodies.fit_possible", refuse)
    r = robot("five_bar")
    x = r.home_pose[:2, 3]
    motion = gough.motion.point_to_point(r, x, (x[0], x[1] + 0.03), duration=2.0)
    t = np.linspace(0.0, motion.duration, 801)
    state = motion(t)
    q, tau = gough.inverse_kinematics(r, state), gough.inverse_dynamics(r, state)
    found = gough.identify(cad(), gough.Log(t, q, tau), cutoff=np.inf, band=np.inf, standstill=1e-4)
    assert found.robot is None
    assert np.isinf(found.sigma).any()
    assert np.isfinite(found.fit[0].expected).all()
    assert "There is no new robot: there are none." in found.findings


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
    with pytest.raises(InputError, match="gains are given without currents"):
        gough.Log(t, q, tau, gains=2.0)
    with pytest.raises(NotIdentifiable, match="A weighed payload is needed"):
        gough.identify(r, gough.Log(t, q, currents=tau))
    with pytest.raises(InputError, match="others have efforts"):
        gough.identify(r, [gough.Log(t, q, currents=tau), gough.Log(t, q, tau)])
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
        gough.identify(replace(r, motors=("foot1",)), gough.Log(t, q[:, :1], tau[:, :1]))


def test_parameters_without_effect_are_refused():
    t, q, tau, _ = exact(501)
    r, log = robot("five_bar"), gough.Log(t, q, tau)
    for ask in (
        lambda: gough.identify(r, log, parameters=["prox1.Ixx"]),
        lambda: gough.excitation_motion(r, duration=2.0, parameters=["prox1.Ixx"], trials=1),
    ):
        with pytest.raises(NotIdentifiable, match=r"no effort depends on prox1\.Ixx"):
            ask()
    with pytest.raises(InputError, match="there are none"):
        gough.identify(r, log, parameters=[])
    stuck = replace(log, reference=0.0 * q + q[0])
    with pytest.raises(InputError, match="log: reference of foot1 and foot2 does not move"):
        gough.identify(r, stuck)


def test_bodies_without_noise_are_those_of_the_machine():
    t, q, tau, state = exact()
    found = gough.identify(cad(), gough.Log(t, q, tau), cutoff=np.inf, band=np.inf)
    masses = {body.name: body.mass for body in found.robot.bodies}
    assert all(mass > 0.0 for mass in masses.values())
    # possible bodies count data as no better than to 1e-7 of their size
    assert np.abs(gough.inverse_dynamics(found.robot, state) - tau).max() < 1e-5
    assert found.base.matrix @ found.chi == pytest.approx(found.values, rel=1e-4, abs=1e-5)
    assert found.chi_sigma.shape == found.chi.shape


def test_a_delay_is_found_and_corrected():
    t, q, tau, _ = exact()
    late = 0.0023
    shifted = np.stack([np.interp(t - late, t, column) for column in tau.T], axis=1)
    noise = 0.01 * tau.std(axis=0) * np.random.default_rng(3).normal(size=tau.shape)
    for given, sign in ((shifted, 1.0), (2.0 * tau - shifted, -1.0)):
        found = gough.identify(cad(), gough.Log(t, q, given + noise))
        assert found.delay == pytest.approx(sign * late, abs=4.0 * found.delay_sigma)
        assert abs(found.delay) > 4.0 * found.delay_sigma
        assert any("corrected" in sentence for sentence in found.findings)
    same = gough.identify(cad(), gough.Log(t, q, shifted + noise), delay=late)
    assert (same.delay, same.delay_sigma) == (late, 0.0)
    assert not any("corrected" in sentence for sentence in same.findings)
    without = gough.identify(cad(), gough.Log(t, q, shifted + noise), delay=0.0)
    assert (without.noise > 1.5 * same.noise).all()
    far = np.roll(tau, 400, axis=0)
    lost = gough.identify(cad(), gough.Log(t, q, far + noise))
    assert lost.delay == 0.0


def _run(samples, seed, late=0.0, **options):
    """A log with noise of another motion, samples a second, efforts late by seconds."""
    r = robot("five_bar")
    motion = swing(r, duration=8.0, **options)
    t = np.arange(0.0, motion.duration, 1.0 / samples)
    rng = np.random.default_rng(seed)
    tau = gough.inverse_dynamics(r, motion(np.maximum(t - late, 0.0)))
    noisy = tau + 0.01 * rng.normal(size=tau.shape)
    return gough.Log(t, gough.inverse_kinematics(r, motion(t).T_0p), noisy)


def test_every_log_is_filtered_as_its_motion_asks():
    """A slow run before a fast one, or beside one that is predicted, takes nothing from it."""
    slow, fast = (_run(500.0, k, 0.003, frequency=f) for k, f in enumerate((0.3, 2.0)))
    found = gough.identify(cad(), [slow, fast])
    assert found.delay == pytest.approx(0.003, abs=4.0 * found.delay_sigma)
    assert len({run.filters.band for run in found.fit}) == 1
    assert found.fit[0].filters.cutoff < found.fit[1].filters.cutoff
    beside = (found.values - truth()) / found.sigma
    assert np.sqrt(np.mean(beside**2)) < 1.6  # 17 numbers of deviation one
    other = gough.identify(cad(), slow, validation=fast, delay=0.003)
    assert not any("validation" in sentence for sentence in other.findings)


def _one_moves(motor):
    """A log in which the other motor is held, its encoder at one and the same step."""
    r = robot("five_bar")
    t = np.arange(0.0, 6.0, 0.002)
    q = np.tile(gough.inverse_kinematics(r, r.home_pose), (len(t), 1))
    qd, qdd = np.zeros_like(q), np.zeros_like(q)
    for size, f in ((0.15, 0.7), (0.08, 1.9)):
        w = 2.0 * np.pi * f
        q[:, motor] += size * np.sin(w * t)
        qd[:, motor] += size * w * np.cos(w * t)
        qdd[:, motor] -= size * w**2 * np.sin(w * t)
    found = gough.track(r, q, qd_a=qd, qdd_a=qdd)
    tau = gough.inverse_dynamics(r, gough.State(found.T_0p, found.V_0p, found.Vdot_0p))
    tau[:, 1 - motor] += 0.7 * np.sin(5.0 * t)  # stiction: what is held takes what it likes
    return gough.Log(t, q, tau + 0.01 * np.random.default_rng(motor).normal(size=tau.shape))


def test_motors_may_move_one_after_the_other():
    """What a motor that stands takes is friction, whatever it is, and does not count."""
    one, two = _one_moves(0), _one_moves(1)
    with pytest.raises(InputError, match="log: foot2 stands still in all samples"):
        gough.identify(cad(), one)
    with pytest.raises(InputError, match="foot1 and foot2 stand still"):
        gough.identify(cad(), [one, two], standstill=1e3)
    found = gough.identify(cad(), [one, two])
    assert not found.fit[0].used[:, 1].any()
    shown = np.isfinite(found.sigma)
    beside = ((found.values - truth()) / found.sigma)[shown]
    assert np.abs(beside).max() < 4.0
    assert gough.identify(cad(), _run(500.0, 1), standstill=0).fit[0].used.all()


def test_logs_of_different_rates():
    quick, few = _run(500.0, 1, frequency=0.3), _run(20.0, 2, frequency=0.3)
    found = gough.identify(cad(), quick, validation=few)
    # of 20 samples a second the band holds a large share of the noise, of 500 little of it
    assert (found.validation.expected > 2.0 * found.fit[0].expected).all()
    assert not any("validation" in sentence for sentence in found.findings)
    late = [_run(rate, k, 0.02, frequency=0.3) for k, rate in enumerate((500.0, 20.0))]
    assert gough.identify(cad(), late).delay == pytest.approx(0.02, abs=2e-3)
    slow = gough.identify(cad(), replace(quick, t=1e3 * quick.t), delay=0.0)
    assert any("if times are in ms" in sentence for sentence in slow.findings)


def test_a_delay_that_is_given_may_be_long():
    late = _run(500.0, 1, 0.4)
    found = gough.identify(cad(), late, delay=0.4, cutoff=np.inf)
    assert found.fit[0].relative.max() < 0.01
    with pytest.raises(InputError, match=r"log: the log is too short: .* and a delay of 5 s"):
        gough.identify(cad(), late, delay=5.0)


@pytest.mark.parametrize("name", ["four_rrr"])
def test_more_motors_than_freedoms(name):
    """Internal efforts, which no motion shows, do not disturb."""
    r = robot(name)
    n, motors = r.mobility, len(r.motors)
    rng = np.random.default_rng(2)
    size = 0.05 * r.assembly.scales.freedoms / np.arange(1, 4)[:, None]
    sines, cosines = size * rng.normal(size=(2, 3, n))
    series = {"sines": sines, "cosines": cosines, "frequency": 1.0, "ramp": 0.0}
    motion = gough.motion.fourier(r, duration=4.0, **series)
    t = np.linspace(0.0, motion.duration, 1001)
    state = motion(t)
    q, tau = gough.inverse_kinematics(r, state.T_0p), gough.inverse_dynamics(r, state)
    base = gough.base_parameters(r)
    internal = gough.internal_efforts(r, state.T_0p)[..., 0]
    tau = tau + 0.3 * np.abs(tau).max() * np.sin(9.0 * t)[:, None] * internal
    exact = gough.identify(r, gough.Log(t, q, tau), cutoff=np.inf, band=np.inf)
    shown = np.isfinite(exact.sigma)
    assert exact.values[shown] == pytest.approx(base.values[shown], rel=1e-6, abs=1e-6)
    off = []
    for seed in range(3):
        noise = np.random.default_rng(seed).normal(size=(len(t), motors))
        noisy = gough.Log(t, q, tau + 0.02 * tau.std(axis=0) * noise)
        found = gough.identify(r, noisy)
        off.append(((found.values - base.values) / found.sigma)[np.isfinite(found.sigma)])
        assert found.robot is not None
    # of noise of four motors three parts are left: sigmas that forget it are too small by 15 %;
    # of 30 draws the mean is 0.88 and single ones are 0.5 to 1.3: parameters hang together
    assert 0.6 < np.sqrt(np.mean(np.square(np.concatenate(off)))) < 1.25


def test_instruments_may_be_simulated():
    """[IDIM-IV]: positions simulated with the identified machine under its controller."""
    t, q, tau, _ = exact()
    rng = np.random.default_rng(7)
    noisy = q + 1e-5 * rng.normal(size=q.shape)
    raw = {"cutoff": np.inf, "band": np.inf}
    first = gough.identify(cad(), gough.Log(t, noisy, tau))
    motion = swing(robot("five_bar"), ramp=0.0)
    loop = gough.control.computed_torque(first.robot, motion, bandwidth=30.0)
    start = motion(t[0])
    run = gough.simulate(first.robot, start, loop, motion.duration, step=t[1] - t[0])
    log = gough.Log(t, noisy, tau, reference=run.q)
    found = gough.identify(cad(), log, method="instrumental", **raw)
    assert (np.abs(found.values - truth()) / found.sigma).max() < 4.0


def test_an_error_at_the_end_of_a_run_is_one_of_many():
    """Accelerations are wrong for a moment where a motion begins, just before what is kept."""
    t = np.arange(0.0, 3.0, 0.002)
    filters = design(t, np.stack([np.sin(2 * np.pi * 3.0 * t)] * 2, axis=1))
    columns = np.ones((len(t), 1))
    columns[filters.ends : filters.ends + 3] += 1.0
    # if columns went on turned about the first sample, 0.13 of its error would be left
    assert np.abs(kept(columns, filters) - 1.0).max() < 0.01


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
