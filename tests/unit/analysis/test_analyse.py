"""``gough.analyse``: kinematics, efforts, energies and distances along a motion."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough import motion
from gough.analysis import analyse
from gough.analysis.samples import sampled
from gough.analysis.track import follow
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError, UnreachablePose, WrongMotors
from gough.evaluation import evaluator
from gough.motion import Samples
from robots import robot

MASS, G, AMPLITUDE, OMEGA = 2.0, 9.81, 0.1, 4.0


@cache
def stroke(name="three_rrr", by=(0.1, 0.05, 0.3), duration=0.4):
    machine = robot(name)
    a = machine.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    return motion.point_to_point(machine, None, home + np.array(by), duration=duration)


@cache
def analysed():
    return analyse(robot("three_rrr"), stroke())


def test_everything_of_a_sample_is_there():
    found, m = analysed(), stroke()
    K = len(found.t)
    assert found.label == m.label
    assert found.duration == 0.4
    assert K == 201
    reference = m.sample(500.0)
    assert np.allclose(found.q, gough.inverse_kinematics(m.robot, reference.T_0p), atol=1e-12)
    efforts = gough.inverse_dynamics(m.robot, reference.state)
    assert np.allclose(found.tau, efforts, rtol=1e-11, atol=1e-11)
    rest = gough.inverse_dynamics(m.robot, reference.T_0p)
    assert np.allclose(found.holding, rest, rtol=1e-11, atol=1e-11)
    assert np.array_equal(found.power, found.tau * found.qd)
    assert not found.failed.any()


def test_rates_and_accelerations_are_derivatives():
    found = analysed()
    h = found.t[1] - found.t[0]
    for value, rate in ((found.q, found.qd), (found.qd, found.qdd)):
        middle = (value[2:] - value[:-2]) / (2.0 * h)
        # h^2/6 of the third derivative; the quintic's jerk leaps at the ends
        assert np.abs(middle - rate[1:-1])[2:-2].max() < 3e-3 * np.abs(rate).max()


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps"])
def test_kernels_and_numpy_give_the_same_motors(name, monkeypatch):
    """Where the freedoms' directions depend on the pose, too."""
    machine, m = robot(name), stroke(name, (0.05, 0.03, 0.1)[: robot(name).mobility], 0.4)
    samples = sampled(m, 20.0)
    compiled = follow(machine.assembly, samples)
    monkeypatch.setattr(evaluator.Evaluator, "runner", lambda *_: None)
    plain = follow(machine.assembly, samples)
    for a, b in zip(compiled[:4], plain[:4], strict=True):
        assert np.allclose(a, b, rtol=1e-10, atol=1e-10)
    assert not plain.failed.any()


def test_methods_agree_and_energy_is_accounted_for():
    found = analysed()
    assert found.agreement < 1e-12
    assert found.certificate.passed
    # friction of the motors is in it; the sums over time leave the rest
    assert found.balance.loss[-1] > 1e-3
    assert found.balance.relative < 1e-5


def test_loads_are_in_the_book(lift, swing):
    machine = lift(gough.Axis(viscous=3.0, coulomb=0.5))
    samples = swing(machine, periods=0.2, count=201)
    loads = gough.Loads([gough.Force("slide", (0, 0, -4.0))], payload=0.5)
    found = analyse(machine, samples, loads=loads, agreement=False)
    z, v = samples.T_0p[:, 2, 3], samples.V_0p[:, 2]
    mass = MASS + 0.5
    a = samples.Vdot_0p[:, 2]
    assert np.allclose(found.tau[:, 0], mass * (G + a) + 4.0 + 3.0 * v + 0.5, rtol=1e-12)
    assert np.allclose(found.balance.external_work, -4.0 * z, atol=1e-9)
    t = samples.t
    swept = AMPLITUDE**2 * OMEGA**2 * (t / 2.0 + np.sin(2.0 * OMEGA * t) / (4.0 * OMEGA))
    assert np.allclose(found.balance.loss, 3.0 * swept + 0.5 * z, atol=1e-7)
    assert np.allclose(found.energy.kinetic, 0.5 * mass * v**2)
    assert np.allclose(found.energy.potential, mass * G * z)
    assert found.balance.relative < 1e-8


def test_a_payload_that_is_dropped_takes_its_energy_along(lift, swing):
    machine = lift()
    samples = swing(machine, periods=0.2, count=201)
    mass = np.where(np.arange(201) < 120, 0.5, 0.0)
    found = analyse(
        machine, samples, loads=gough.Loads(payload=gough.Payload(mass)), agreement=False
    )
    z, v = samples.T_0p[120, 2, 3], samples.V_0p[120, 2]
    gone = -(0.5 * G * z + 0.25 * v**2)
    assert np.allclose(found.balance.handed_over[:120], 0.0)
    assert np.allclose(found.balance.handed_over[120:], gone, rtol=1e-12)
    # the force leaps within one step of 1.6 ms, which no sum over time can resolve
    assert np.abs(found.balance.residual).max() < 0.5 * G * 0.0016 * AMPLITUDE * OMEGA


def test_an_idle_first_sample_leaves_no_book(lift, swing):
    machine = lift()
    samples = swing(machine, count=21)
    twist = samples.V_0p.copy()
    twist[0, 3] = 1.0  # a slide does not turn
    samples = samples._replace(state=samples.state.replace(V_0p=twist))
    found = analyse(machine, samples, on_error="nan")
    assert found.failed.tolist() == [True] + [False] * 20
    assert [v.kind for v in found.violations] == ["motion"]
    assert np.isnan(found.balance.relative)
    with pytest.raises(gough.errors.InconsistentTwist, match="at 0 s"):
        analyse(machine, samples)


def test_redundant_motors_are_shared():
    machine = robot("four_rrr")
    m = motion.point_to_point(machine, None, [0.05, 0.02, 0.1], duration=0.3)
    found = analyse(machine, m, rate=30.0, agreement=False)
    assert found.tau.shape == (10, 4)
    assert found.balance.relative < 2e-2  # few samples
    assert (found.conditioning.type_2 > 0.1).all()
    assert not found.conditioning.sign.any()


def test_distances_are_those_of_the_certificate():
    found = analysed()
    where = found.conditioning.samples[::25]
    states = (found.T_0p[where], found.V_0p[where], found.Vdot_0p[where])
    reference = gough.audit(found.robot, gough.State(*states))
    assert np.allclose(found.conditioning.type_2[where], reference.type_2, rtol=1e-10)
    assert np.allclose(found.conditioning.condition[where], reference.condition, rtol=1e-10)
    least = found.conditioning.type_1[::25].min(axis=1)
    assert np.allclose(least, reference.type_1, rtol=1e-10)
    assert found.conditioning.legs == tuple(g.name for g in found.robot.assembly.topology.legs)


def test_columns_and_data_are_plain():
    found = analysed()
    columns = found.columns()
    assert {c.shape for c in columns.values()} == {found.t.shape}
    assert {"t", "x", "rz", "tau_foot1", "motor_power_foot3", "kinetic", "type_2"} <= set(columns)
    assert np.array_equal(columns["tau_foot2"], found.tau[:, 1])
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["feasible"] is True
    assert [one["name"] for one in data["sizing"]] == ["foot1", "foot2", "foot3"]
    heads, rows = found.table()
    assert {len(row) for row in rows} == {len(heads)}
    assert ("verdict", "feasible") in found.lines()


def test_stretches_in_doubt_are_looked_at_from_both_ends():
    seen = []

    def look(T):
        seen.append(int(T[0, 3]))
        if 2 <= seen[-1] <= 4:
            raise UnreachablePose("too far", leg="a", missing=0.1)
        return [np.ones(3)]

    poses = np.stack([np.eye(4)] * 9)
    poses[:, 0, 3] = np.arange(9)
    values, doubtful = np.zeros((9, 3)), np.array([1, 2, 3, 4, 5, 7])
    motors = evaluator.Evaluator(robot("three_rrr").assembly, "inverse_kinematics", Variant(), look)
    errors = motors._look_along(doubtful, {"T_0p": (poses, 2)}, [values])
    assert seen == [1, 2, 5, 4, 7]  # not 3, which is between two failures
    assert sorted(errors) == [(2,), (4,)]
    assert values[[0, 1, 5, 6, 7, 8], 0].tolist() == [0, 1, 1, 0, 1, 0]
    assert np.isnan(values[2:5]).all()


BAD = [
    ({"t": np.linspace(0.0, 1.0, 20)}, "states of shape .*, but 20 times"),
    ({"t": np.zeros(21)}, "does not increase"),
    ({"t": np.zeros((21, 1))}, "t has shape"),
    ({"state": gough.State(np.eye(4), np.full((21, 6), np.nan))}, "sample 0: V_0p is not finite"),
    ({"state": np.zeros((21, 3, 3))}, "state has shape"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_samples_are_checked(lift, swing, change, message):
    machine = lift()
    with pytest.raises(InputError, match=message):
        analyse(machine, swing(machine, count=21)._replace(**change))


def test_arguments_are_checked(lift, swing):
    machine = lift()
    one = Samples(*(x[:1] for x in swing(machine, count=3)))
    with pytest.raises(InputError, match="two samples or more"):
        analyse(machine, one)
    with pytest.raises(InputError, match="expected a motion"):
        analyse(machine, [1, 2, 3])
    with pytest.raises(InputError, match="on_error"):
        analyse(machine, swing(machine), on_error="ignore")
    for rate in (0.0, -1.0, np.nan, "fast"):
        with pytest.raises(InputError, match="rate"):
            analyse(robot("three_rrr"), stroke(), rate=rate)
    with pytest.raises(InputError, match=r"payload\.mass is given for \(7,\) samples"):
        analyse(machine, swing(machine), loads=gough.Loads(payload=gough.Payload(np.ones(7))))
    with pytest.raises(WrongMotors):
        analyse(replace(machine, motors=()), swing(machine))
    with pytest.raises(InputError, match=r"expected a gough\.Robot"):
        analyse("delta", swing(machine))


def test_an_analysis_draws_itself(lift, swing):
    """Positions, speeds and efforts along the motion, or a figure of its report."""
    found = analyse(robot("space_3ups"), _short_stroke("space_3ups"), rate=100.0, agreement=False)
    figure = found.draw()
    labels = [axes.get_ylabel() for axes in figure.axes]
    what = ("position", "speed", "effort")
    units = (("rad", "m"), ("rad/s", "m/s"), ("N m", "N"))
    assert labels == [f"{w} [{u}]" for w, both in zip(what, units, strict=True) for u in both]
    curves = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) == len(found.t)]
    drawn = np.array([line.get_ydata() for line in curves])
    turns = [found.robot.motors.index(line.get_label()) for line in curves]
    np.testing.assert_array_equal(drawn, found.q[:, turns].T)
    assert len(analyse(lift(), swing(lift()), agreement=False).draw().axes) == 3
    assert found.draw("energy").axes
    with pytest.raises(InputError, match="an analysis has no figure 'enrgy'"):
        found.draw("enrgy")


def _short_stroke(name):
    r = robot(name)
    end = np.array(r.home_pose)
    end[:3, 3] += [0.01, 0.02, -0.01]
    return gough.motion.point_to_point(r, None, end, duration=0.2)
