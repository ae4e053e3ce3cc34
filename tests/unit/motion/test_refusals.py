"""Arguments that make no sense are refused, with what, where, how much and what to do."""

import numpy as np
import pytest

from gough import motion
from gough.base import spatial
from gough.errors import GoughError, InconsistentPose, InputError, UnreachablePose
from robots import robot


def delta():
    return robot("delta")


def there():
    return motion.point_to_point(delta(), None, [0.05, 0.0, -0.5], duration=0.3)


def turned_home():
    T = delta().assembly.T_home.copy()
    T[:3, :3] = spatial.rotation_x(0.1)
    return T


REFUSED = {
    "duration zero": (
        lambda: motion.hold(delta(), None, 0.0),
        InputError,
        "duration: must be positive, is 0",
    ),
    "duration of nothing": (
        lambda: motion.circle(delta(), radius=0.1, duration=1e-300),
        InputError,
        "duration is 1e-300 s, expected 1e-09 to 1e.09 s",
    ),
    "duration nan": (
        lambda: motion.point_to_point(delta(), None, [0, 0, -0.5], duration=np.nan),
        InputError,
        "duration: nan is not a finite number",
    ),
    "law": (
        lambda: motion.point_to_point(delta(), None, [0, 0, -0.5], duration=1.0, law="quintik"),
        InputError,
        "(?s)unknown time law 'quintik'.*Did you mean 'quintic'",
    ),
    "constant speed from rest": (
        lambda: motion.point_to_point(delta(), None, [0, 0, -0.5], duration=1.0, law="constant"),
        InputError,
        "unknown time law 'constant'",
    ),
    "shape of a pose": (
        lambda: motion.point_to_point(delta(), None, [0.0, -0.5], duration=1.0),
        InputError,
        r"end has shape \(2,\), expected \(\.\.\., 3\)",
    ),
    "shape of a matrix": (
        lambda: motion.point_to_point(delta(), np.eye(3), None, duration=1.0),
        InputError,
        r"start has shape \(3, 3\)",
    ),
    "several poses": (
        lambda: motion.hold(delta(), np.zeros((2, 4, 4)), 1.0),
        InputError,
        r"pose has shape \(2, 4, 4\)",
    ),
    "nan in a pose": (
        lambda: motion.point_to_point(delta(), [0, np.nan, -0.5], None, duration=1.0),
        InputError,
        r"start\[1\] is nan",
    ),
    "no rotation": (
        lambda: motion.hold(delta(), np.diag([1.0, 1.0, 2.0, 1.0]), 1.0),
        InputError,
        "pose: .* not a rotation",
    ),
    "unreachable": (
        lambda: motion.point_to_point(delta(), None, [0.0, 0.0, -2.0], duration=1.0),
        UnreachablePose,
        "end: delta: the freedoms cannot be reached",
    ),
    "unreachable on the way": (
        lambda: motion.circle(delta(), radius=0.6, duration=1.0),
        UnreachablePose,
        r"at t = 0 s: delta: ",
    ),
    "unreachable somewhere": (
        lambda: motion.lissajous(
            delta(), amplitude={"z": 0.5}, frequency=0.25, duration=1.0, ramp=0.1
        ),
        UnreachablePose,
        r"at t = 0\.\d+ s: delta: ",
    ),
    "unreachable, loops closed on the way": (
        lambda: motion.circle(robot("five_bar"), radius=0.5, duration=1.0),
        UnreachablePose,
        r"at t = 0 s: five_bar: ",
    ),
    "not of the mobility": (
        lambda: motion.point_to_point(delta(), None, turned_home(), duration=1.0),
        InconsistentPose,
        "end: delta: the pose is outside the mobility: its rx is off by 0.1 rad",
    ),
    "no robot": (
        lambda: motion.hold("delta", None, 1.0),
        InputError,
        "expected a gough.Robot, got str",
    ),
    "limit of zero": (
        lambda: motion.jerk_limited(
            delta(), None, [0, 0, -0.5], velocity=0.0, acceleration=1.0, jerk=1.0
        ),
        InputError,
        "velocity is 0.0, expected positive limits, at least 1e-09",
    ),
    "ragged": (
        lambda: motion.hold(delta(), [[1.0, 2.0], [3.0]], 1.0),
        InputError,
        "pose is not an array of numbers",
    ),
    "plane of a number": (
        lambda: motion.circle(delta(), radius=0.1, duration=1.0, plane=5),
        InputError,
        "plane is 5, expected two freedoms",
    ),
    "limit in words": (
        lambda: motion.jerk_limited(
            delta(), None, [0, 0, -0.5], velocity="fast", acceleration=1.0, jerk=1.0
        ),
        InputError,
        "velocity: expected a number, got 'fast'",
    ),
    "law that is no word": (
        lambda: motion.circle(delta(), radius=0.1, duration=1.0, law=np.eye(2)),
        InputError,
        "unknown time law",
    ),
    "file that is none": (
        lambda: motion.from_file(delta(), 3.0),
        InputError,
        "expected the path of a table, got 3.0",
    ),
    "limit of nobody": (
        lambda: motion.jerk_limited(
            delta(), None, [0, 0, -0.5], velocity={"rz": 1.0}, acceleration=1.0, jerk=1.0
        ),
        InputError,
        "(?s)velocity: 'rz' is no freedom of delta.*Known: x, y, z",
    ),
    "limits for nothing": (
        lambda: motion.jerk_limited(
            delta(), None, [0, 0, -0.5], velocity={"x": 1.0}, acceleration={"x": 1.0}, jerk=1.0
        ),
        InputError,
        "velocity limits no freedom that moves",
    ),
    "no way to go": (
        lambda: motion.jerk_limited(delta(), None, None, velocity=1.0, acceleration=1.0, jerk=1.0),
        InputError,
        "start and end are the same pose",
    ),
    "radius": (
        lambda: motion.circle(delta(), radius=-0.1, duration=1.0),
        InputError,
        "radius: must be positive, is -0.1",
    ),
    "plane of unlike freedoms": (
        lambda: motion.circle(robot("quattro"), radius=0.1, duration=1.0, plane=("x", "rz")),
        InputError,
        "(?s)a circle of x and rz is none.*two translations",
    ),
    "plane that is none": (
        lambda: motion.circle(delta(), radius=0.1, duration=1.0, plane=(0, 0, 0)),
        InputError,
        "plane is .*, expected two freedoms or a normal",
    ),
    "plane out of the plane": (
        lambda: motion.circle(robot("three_rrr"), radius=0.1, duration=1.0, plane=(1, 0, 0)),
        InputError,
        "plane: three_rrr cannot be moved along",
    ),
    "plane of a robot with one freedom of a kind": (
        lambda: motion.circle(robot("pendulum"), radius=0.1, duration=1.0),
        InputError,
        "has no two freedoms of a kind",
    ),
    "amplitudes": (
        lambda: motion.lissajous(delta(), amplitude=[0.1, 0.1], frequency=1.0, duration=1.0),
        InputError,
        r"amplitude has shape \(2,\)",
    ),
    "long ramps": (
        lambda: motion.lissajous(delta(), amplitude=0.01, frequency=1.0, duration=1.0, ramp=0.6),
        InputError,
        "ramp is 0.6 s, more than half of the 1 s",
    ),
    "frequencies": (
        lambda: motion.sine_sweep(delta(), amplitude=0.01, frequencies=(0.0, 9.0), duration=1.0),
        InputError,
        r"frequencies\[0\]: must be positive",
    ),
    "one frequency": (
        lambda: motion.sine_sweep(delta(), amplitude=0.01, frequencies=9.0, duration=1.0),
        InputError,
        "frequencies: expected two numbers",
    ),
    "spacing": (
        lambda: motion.sine_sweep(
            delta(), amplitude=0.01, frequencies=(1, 2), duration=1.0, spacing="linar"
        ),
        InputError,
        "(?s)unknown spacing 'linar'.*Did you mean 'linear'",
    ),
    "both cycle and acceleration": (
        lambda: motion.pick_and_place(delta(), cycle=1.0, acceleration=10.0),
        InputError,
        "give one of cycle",
    ),
    "nothing but dwell": (
        lambda: motion.pick_and_place(delta(), cycle=0.5, dwell=0.25),
        InputError,
        "two dwells of 0.25 s leave nothing of a cycle of 0.5 s",
    ),
    "blend": (
        lambda: motion.pick_and_place(delta(), cycle=0.5, blend=1.5),
        InputError,
        "blend is 1.5",
    ),
    "half a cycle": (
        lambda: motion.pick_and_place(delta(), cycle=0.5, cycles=1.5),
        InputError,
        "cycles is 1.5, expected a whole number",
    ),
    "turn of what cannot turn": (
        lambda: motion.pick_and_place(delta(), cycle=0.5, turn=1.0),
        InputError,
        "turn: 'rz' is no freedom of delta",
    ),
    "wrists pick nothing": (
        lambda: motion.pick_and_place(robot("agile_eye"), cycle=0.5),
        InputError,
        "agile_eye moves along neither",
    ),
    "stroke in millimetres": (
        lambda: motion.pick_and_place(delta(), cycle=0.5, stroke=305),
        UnreachablePose,
        "start: ",
    ),
    "times that fall": (
        lambda: motion.through(delta(), [None, [0, 0, -0.5], None], [0.0, 0.5, 0.4]),
        InputError,
        "times: time stamps do not rise: 0.5 s is followed by 0.4 s",
    ),
    "more times than poses": (
        lambda: motion.through(delta(), [None, [0, 0, -0.5]], [0.0, 0.5, 0.6]),
        InputError,
        "there are 2 poses and 3 times",
    ),
    "one pose": (
        lambda: motion.through(delta(), [None], [0.0]),
        InputError,
        "times has 1 sample: curves through poses need 2 or more",
    ),
    "chain of nothing": (motion.chain, InputError, "no motion to chain"),
    "chain of something else": (
        lambda: motion.chain(there(), 3.0),
        InputError,
        "motion 1 of the chain is a float",
    ),
    "chain with a gap": (
        lambda: there().then(there()),
        InputError,
        "(?s)motion 1 of the chain begins 0.0659 m and 0 rad.*point_to_point",
    ),
    "chain of two robots": (
        lambda: there().then(motion.hold(robot("quattro"), None, 1.0)),
        InputError,
        "is of 'delta', the next of 'quattro'",
    ),
    "chain with a jump of speed": (
        lambda: fast().then(motion.hold(delta(), fast().end, 1.0)),
        InputError,
        "(?s)begins 0.314 m/s and 0 rad/s faster or slower.*at rest",
    ),
    "slower by nothing": (
        lambda: there().slower(0.0),
        InputError,
        "factor: must be positive",
    ),
    "too many samples": (
        lambda: there().sample(1e12),
        InputError,
        "0.3 s at 1e.12 Hz are 3e.11 samples",
    ),
    "time that is none": (lambda: there()(np.nan), InputError, "t is nan"),
    "time in words": (lambda: there()("now"), InputError, "t is not an array of numbers"),
}


def fast():
    return motion.circle(delta(), radius=0.05, duration=1.0, law="constant")


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    make, kind, says = REFUSED[case]
    with pytest.raises(kind, match=says) as caught:
        make()
    assert isinstance(caught.value, GoughError)
    if case == "unreachable somewhere":
        assert 0.1 < caught.value.time < 0.9
        assert caught.value.leg
