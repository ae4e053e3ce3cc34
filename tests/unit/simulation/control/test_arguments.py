"""Arguments of controllers that make no sense are refused by name, before any work is done."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import control, motion
from gough.errors import InputError
from gough.simulation.control import reference as module
from gough.simulation.control.reference import Reference
from swinging import simple_pendulum

ROBOT = gough.zoo.load("five_bar")
MOVE = motion.hold(ROBOT, None, 0.1)


def pd(**options):
    return control.joint_pd(ROBOT, MOVE, **({"kp": 1.0, "kd": 0.1, "period": 1e-3} | options))


def torque(**options):
    return control.computed_torque(ROBOT, MOVE, **({"bandwidth": 9.0, "period": 1e-3} | options))


@pytest.mark.parametrize("make", [pd, torque])
@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("noise", [1.0, 2.0, 3.0]),
        ("noise", "x"),
        ("noise", [[1.0], [2.0, 3.0]]),
        ("quantisation", {"foot1": 1.0}),
        ("saturation", [1.0, 2.0, 3.0]),
        ("saturation", [np.nan, 1.0]),
        ("seed", -1),
        ("seed", "a"),
        ("seed", 0.5),
        ("kp", "x"),
        ("kp", [1.0, 2.0, 3.0]),
        ("bandwidth", "x"),
        ("bandwidth", [1.0, 2.0]),
    ],
)
def test_a_wrong_argument_is_named(make, argument, value):
    gains = {}
    if argument == "kp":
        gains = {"kd": 1.0, "bandwidth": None}
    elif argument == "bandwidth":
        gains = {"kp": None, "kd": None}
    with pytest.raises(InputError, match=argument) as error:
        make(**gains, **{argument: value})
    assert error.value.argument == argument


@pytest.mark.parametrize(("word", "meant"), [("sede", "seed"), ("bandwith", "bandwidth")])
def test_an_unknown_option_tells_the_nearest(word, meant):
    for make in (pd, torque):
        with pytest.raises(InputError, match=f"no argument '{word}'") as error:
            make(**{word: 1.0})
        assert f"Did you mean '{meant}'?" in error.value.hint


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (lambda t: t, "a ndarray"),
        (lambda t: (t, t, t), "expected a gough.State"),
        (lambda t: MOVE(0.0), "for 1 instants"),
        (lambda t: MOVE(t).replace(Vdot_0p=np.full((1, 6), np.nan)), "not a finite number"),
    ],
)
def test_a_motion_that_answers_no_states(answer, word):
    with pytest.raises(InputError, match=word):
        control.joint_pd(ROBOT, answer, kp=1.0, kd=1.0)


def test_on_the_platform_no_encoders_are_read():
    for name in ("noise", "quantisation"):
        with pytest.raises(InputError, match="encoders") as error:
            torque(space="platform", **{name: 1e-3})
        assert error.value.argument == name
        assert "space='motors'" in error.value.hint
    assert not torque(space="platform", noise=0.0).coarse


def test_a_controller_for_another_robot():
    delta = gough.zoo.load("delta")
    with pytest.raises(InputError, match="made for five_bar, with 2 motors; the machine has 3"):
        gough.simulate(delta, delta.home_pose, pd(), 0.01)


def test_model_and_machine_smooth_friction_alike():
    of_model = inspect.signature(control.computed_torque).parameters["loads"].default
    of_machine = inspect.signature(gough.simulate).parameters["loads"].default
    assert of_model == of_machine


def test_turns_are_counted_along_a_motion_that_goes_round(monkeypatch):
    """A pendulum that turns as ``phi = 30 t^2``; samples so far apart that it gains half a turn."""
    robot = replace(simple_pendulum(), motors=("pin",))
    axis = np.array([0.0, 1.0, 0.0])

    def spin(t):
        T = np.zeros((len(t), 4, 4)) + np.eye(4)
        angle = 30.0 * t**2
        T[:, 0, 0] = T[:, 2, 2] = np.cos(angle)
        T[:, 0, 2], T[:, 2, 0] = np.sin(angle), -np.sin(angle)
        still = np.zeros((len(t), 3))
        V = np.concatenate([still, 60.0 * t[:, None] * axis], axis=1)
        rate = np.concatenate([still, np.full((len(t), 1), 60.0) * axis], axis=1)
        return gough.State(T, V, rate)

    reference = Reference(robot, spin)
    walked = []
    geometry = module.inverse_kinematics

    def counted(robot, T, **options):
        walked.append(np.shape(T)[:-2])
        return geometry(robot, T, **options)

    monkeypatch.setattr(module, "inverse_kinematics", counted)
    times = np.arange(0.0, 1.0, 0.09)
    reference.prepare(times)
    assert np.diff(30.0 * times**2).max() > np.pi
    found = np.array([reference.at(t).q[0] for t in times])
    assert found == pytest.approx(30.0 * times**2, abs=1e-12)
    assert walked == [()]  # the first sample alone, the others follow
    # an instant between goes on from the last one that was looked at
    late = times[-1] + 0.005
    assert reference.at(late).q[0] == pytest.approx(30.0 * late**2, abs=1e-12)
    assert walked == [()]
    far = np.array([0.3, 0.31])  # 2.7 rad from home: one walk, then along
    again = Reference(robot, spin)
    again.prepare(far)
    assert again.at(0.31).q[0] == pytest.approx(30.0 * 0.31**2, abs=1e-12)
    assert walked == [(), ()]
