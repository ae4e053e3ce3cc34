"""Every argument of every public function, spoilt: right or a named error, never a stray one."""

import inspect
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import gough
from gough.base.arguments import number, one_of, switch, whole, words
from gough.base.batch import map_states
from gough.errors import DescriptionError, InputError, SingularPose
from public_calls import calls, public_functions

BAD: dict[str, Any] = {
    "None": None,
    "text": "no",
    "list": [],
    "array": np.array([1, 2]),
    "truths": np.array([[True, False]]),
    "mapping": {},
    "infinite": 1e400,
    "nan": float("nan"),
    "object": object(),
    "negative": -1,
    "texts": ["no"],
    "complex": 1j,
    "null": "\x00",
    "huge": 10**400,
    "set": {1},
}
# Answers are not wanted here, and these take seconds where a value happens to be one.
SLOW = {
    "gough.nearest_type_2": ("radius",),
    "gough.analyse": ("rate",),
    "gough.plan_crossing": ("path",),
    "gough.excitation_motion": ("parameters", "seed"),  # those of base_parameters, which is tried
}
# These refuse what they are called with whatever else is given.
REFUSE = ("gough.internal_efforts", "gough.balance_gravity", "gough.load", "gough.save")
REFUSE += ("gough.export_bundle", "gough.export_c", "gough.motion.from_file")
REFUSE += ("gough.read_log", "gough.from_pinocchio")
REFUSE += ("gough.calibration.read_measurements", "gough.calibration.write_measurements")
NAMES = sorted(public_functions() - {"gough.zoo.names"} | set(calls()))


def _call(name: str, spoilt: str, value: Any) -> Any:
    function, valid = calls()[name]
    parameters = inspect.signature(function).parameters
    if parameters[spoilt].kind is inspect.Parameter.POSITIONAL_ONLY:
        before = list(parameters)[: list(parameters).index(spoilt)]
        return function(*(valid[each] for each in before), value)
    if parameters[spoilt].kind is inspect.Parameter.VAR_POSITIONAL:
        return function(value)
    return function(**{**valid, spoilt: value})


def _refusal(name: str, spoilt: str, value: Any) -> gough.GoughError | None:
    """What a call says against an argument; errors of another kind are not caught."""
    try:
        _call(name, spoilt, value)
    except gough.GoughError as error:
        return error
    return None


def _parameters(name: str) -> list[inspect.Parameter]:
    found = inspect.signature(calls()[name][0]).parameters.values()
    return [p for p in found if p.kind is not p.VAR_KEYWORD and p.name not in SLOW.get(name, ())]


def test_every_public_function_is_tried() -> None:
    assert public_functions() - {"gough.zoo.names"} <= set(calls())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_spoilt_argument_is_refused_by_name(name: str, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    for parameter in _parameters(name):
        for label, value in BAD.items():
            if value is parameter.default:
                continue
            error = _refusal(name, parameter.name, value)
            if error is None:
                assert not isinstance(parameter.default, bool), (parameter.name, label)
            elif isinstance(error, InputError) and not name.startswith("gough.build"):
                # builders name the body or the joint that the argument stands for
                names = f"{error} {getattr(error, 'argument', '')}"
                wanted = parameter.name.replace("model", "robot")
                assert name in REFUSE or wanted in names, (parameter.name, label, str(error))


NO_SWITCHES = ("no", 0, 1, 1.0, None, np.array([True]))
SWITCHES = sorted(
    (name, p.name) for name in NAMES for p in _parameters(name) if isinstance(p.default, bool)
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "parameter"), SWITCHES)
def test_a_switch_takes_truth_values_of_numpy_and_nothing_like_one(name, parameter) -> None:
    for value in NO_SWITCHES:
        with pytest.raises((InputError, DescriptionError), match=r"(?i)true or false"):
            _call(name, parameter, value)
    if name not in REFUSE:
        default = inspect.signature(calls()[name][0]).parameters[parameter].default
        _call(name, parameter, np.bool_(default))


@cache
def _workspace() -> gough.Workspace:
    return gough.workspace(gough.zoo.load("five_bar"), x=(0.0, 0.1, 3), y=(0.3, 0.4, 3))


@cache
def _elastic() -> gough.Elasticity:
    return gough.elasticity(gough.zoo.load("five_bar"), drives=gough.Servo(1e4))


@cache
def _in_motion() -> gough.ElasticMotion:
    function, valid = calls()["gough.elastic_motion"]
    return function(**valid)


OF_CLASSES: dict[str, Any] = {
    "ElasticMotion.settling turning": lambda value: _in_motion().settling(1e-6, turning=value),
    "Elasticity.compensation gravity": lambda value: _elastic().compensation(gravity=value),
    "Elasticity.deflection gravity": lambda value: _elastic().deflection(gravity=value),
    "Body.__init__ massless": lambda value: gough.Body("rod", massless=value),
    "LoadSchedule.__init__ friction": lambda value: gough.LoadSchedule([], friction=value),
    "LoadSchedule.__init__ rotors": lambda value: gough.LoadSchedule([], rotors=value),
    "Loads.__init__ friction": lambda value: gough.Loads(friction=value),
    "Loads.__init__ rotors": lambda value: gough.Loads(rotors=value),
    "Robot.__init__ redundant": lambda value: replace(gough.zoo.load("delta"), redundant=value),
    "Workspace.draw loci": lambda value: _workspace().draw(loci=value),
}


def test_switches_of_classes() -> None:
    """Those that a user sets: they have a default."""
    found = {
        f"{name}.{method} {p.name}"
        for room in (gough, gough.motion, gough.control)
        for name in room.__all__
        if inspect.isclass(of := getattr(room, name))
        for method, function in vars(of).items()
        if inspect.isfunction(function) and (method == "__init__" or not method.startswith("_"))
        for p in inspect.signature(function).parameters.values()
        if isinstance(p.default, bool)
    }
    assert found == set(OF_CLASSES)
    for call in OF_CLASSES.values():
        for value in NO_SWITCHES:
            with pytest.raises((InputError, DescriptionError), match=r"(?i)true or false"):
                call(value)


def test_scalars_of_numpy_count_as_numbers() -> None:
    robot = gough.zoo.load("five_bar")
    T = np.stack([robot.home_pose] * 3)
    with gough.options(engine="compiled", threads=2):
        plain = gough.inverse_dynamics(robot, T, loads=gough.Loads(smoothing=0.5))
    with gough.options(engine="compiled", threads=np.int64(2)):
        same = gough.inverse_dynamics(robot, T, loads=gough.Loads(smoothing=np.float32(0.5)))
    assert np.array_equal(plain, same)
    assert number(np.float32(2.0), "x") == number(np.array(2.0), "x") == 2.0
    assert whole(np.int64(3), "n") == 3
    assert switch(np.bool_(False), "s") is False


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_an_answer_is_not_written_into_what_may_only_be_read(engine) -> None:
    robot = gough.zoo.load("five_bar")
    T, out = np.stack([robot.home_pose] * 3), np.zeros((3, 2))
    out.flags.writeable = False
    with pytest.raises(InputError, match="out is read-only"), gough.options(engine=engine):
        gough.inverse_dynamics(robot, T, out=out)
    assert not out.any()


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (lambda v: number(v, "x", positive=True), 0.0, "x: must be positive, is 0"),
        (lambda v: number(v, "x", nonnegative=True), -1, "x: must not be negative, is -1"),
        (lambda v: number(v, "x"), True, "x: expected a number, got True"),
        (lambda v: number(v, "x"), np.array([1.0]), "x: expected a number, got array"),
        (lambda v: number(v, "x"), 1e101, "x: 1e.101 is beyond all measure"),
        (lambda v: whole(v, "n", least=1), 0, "n is 0, expected a whole number, 1 or more"),
        (lambda v: whole(v, "n"), 2.0, "n is 2.0, expected a whole number, zero or more"),
        (lambda v: whole(v, "n"), True, "n is True, expected a whole number"),
        (lambda v: one_of(v, "w", ("a", "b", "c")), ["a"], "expected 'a', 'b' or 'c'"),
        (lambda v: one_of(v, "w", ("a",)), "b", "w is 'b', expected 'a'"),
        (lambda v: words(v, "w"), "ab", "w is 'ab', expected a list of names"),
        (lambda v: words(v, "w"), [1], "expected a list of names"),
    ],
)
def test_refusals_say_what_was_expected(check, value, message) -> None:
    with pytest.raises(InputError, match=message):
        check(value)


def test_a_twist_of_freedoms_is_led_to_state() -> None:
    """Rates of the robot's freedoms in place of a twist: where to get one is said everywhere."""
    r = gough.zoo.load("delta")
    T, three, six = r.home_pose, np.zeros(r.mobility), np.zeros(6)
    for call in (
        lambda: gough.motor_rates(r, gough.State(T, three)),
        lambda: gough.inverse_dynamics(r, gough.State(T, six, three)),
        lambda: gough.forward_dynamics(r, gough.State(T, np.zeros((5, 3))), three).Vdot_0p,
        lambda: gough.energy(r, gough.State(T, three)),
        lambda: gough.audit(r, gough.State(T, three, six)),
        lambda: gough.simulate(r, gough.State(T, three), three, 0.1),
    ):
        with pytest.raises(InputError, match=r"expected \(\.\.\., 6\)") as info:
            call()
        assert "gough.state(robot, x, xd, xdd)" in info.value.hint
    with pytest.raises(InputError) as info:
        gough.motor_rates(r, gough.State(T, np.zeros(7)))
    assert not info.value.hint


def test_kernels_refuse_arrays_that_do_not_fit() -> None:
    robot = gough.zoo.load("five_bar")
    kernel = gough.compile(robot, "motor_rates")
    T, V = robot.home_pose, np.zeros(6)
    kernel(T, V)
    fixed = np.zeros(2)
    fixed.flags.writeable = False
    first = next(iter(kernel.outputs))
    for arrays, options in (
        ((T,), {}),
        ((T, V, V), {}),
        ((T[:3], V), {}),
        ((T, V[:, None]), {}),
        (("no", V), {}),
        ((T, None), {}),
        ((np.stack([T, T]), np.zeros((3, 6))), {}),
        ((T, V), {"out": {"nothing": np.zeros(2)}}),
        ((T, V), {"out": {first: fixed}}),
        ((T, V), {"out": {first: np.zeros(3)}}),
        ((T, V), {"out": np.zeros(2)}),
        ((T, V), {"out": "no"}),
        ((T, V), {"threads": 0}),
        ((T, V), {"threads": "all"}),
        ((T, V), {"speed": 1.0}),
    ):
        with pytest.raises(InputError):
            kernel(*arrays, **options)


def test_an_overflow_names_the_argument_that_is_too_large() -> None:
    robot = gough.zoo.load("five_bar")
    T, V, _ = gough.state(robot, robot.home_pose[:2, 3], [1.0, 2.0]).arrays
    with pytest.raises(InputError, match=r"reach 2.*e\+200, too large"):
        gough.inverse_dynamics(robot, gough.State(T, 1e200 * V))
    robot = gough.zoo.load("gough_stewart")
    twist = np.full(6, 1e200)
    with pytest.raises(InputError, match=r"V_0p reaches 1e\+200, which is too large"):
        gough.inverse_dynamics(robot, gough.State(robot.home_pose, twist))


def test_an_answer_that_is_not_finite_blames_no_argument_that_is_small() -> None:
    with pytest.raises(SingularPose, match="no argument is large"):
        map_states(lambda x: x / 0.0, {"x": (np.ones(2), 1)}, ((2,),))
