"""Pickles and copies: of everything that users hold, with the same answers afterwards."""

import copy
import dataclasses
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import gough
from crossings import five_bar, upwards
from gough import control, errors, motion
from gough.compiler.machine_code.kernel import Kernel
from gough.compiler.machine_code.native import Native
from gough.errors import TraceError
from gough.motion.motion import Motion
from gough.singularity.crossing import crossing, crossing_control
from pickled import called, efforts, refused, simulated
from robots import random_freedoms, robot

pytestmark = pytest.mark.usefixtures("strangers")

NAME = "five_bar"
ROBOT = gough.zoo.load(NAME)
HOME = np.array(ROBOT.home_pose[:2, 3])
AIM = HOME + np.array([0.02, -0.03])
TIMES = np.linspace(0.0, 0.05, 80)
MOVE = motion.point_to_point(ROBOT, HOME, AIM, duration=0.05)
STATES = MOVE(TIMES)  # so many samples compile a kernel: from here on all calls round alike
ONE = STATES[30]

WAYS = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def moves_alike(one: Motion, other: Motion, times: np.ndarray) -> bool:
    """Whether two motions are the same but for rounding.

    A kernel answers for one robot and NumPy for the other, where one has been asked before.
    """
    return one(times).allclose(other(times), rtol=1e-12, atol=1e-12)


def same(one: object, other: object) -> bool:
    """Whether two answers are the same, number by number."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and one.dtype == object:
        return one.shape == other.shape and all(map(same, one.flat, other.flat))
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, float):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, (gough.Robot, str, int, bool, type(None))):
        return one == other
    if isinstance(one, Motion):
        return moves_alike(one, other, TIMES)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(v, other[k]) for k, v in one.items())
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if dataclasses.is_dataclass(one):
        names = [each.name for each in dataclasses.fields(one)]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    if hasattr(one, "__dict__"):
        return same(vars(one), vars(other))
    return one == other


# robots


@ways
@pytest.mark.parametrize("name", ["five_bar", "delta", "gough_stewart", "four_rrr"])
def test_robots_without_kernels(way, name):
    fresh = gough.zoo.load(name)
    again = way(fresh)
    assert again == fresh
    assert again.mobility == fresh.mobility


@ways
def test_robots_with_kernels(way):
    assert vars(ROBOT.assembly)["_facts"]
    again = way(ROBOT)
    assert again == ROBOT
    for name in ("numpy", "compiled"):
        with gough.options(engine=name):
            found = gough.inverse_dynamics(again, STATES)
            assert (found == gough.inverse_dynamics(ROBOT, STATES)).all()


def test_a_pickle_holds_the_description_alone():
    fresh = pickle.dumps(gough.zoo.load(NAME))
    gough.compile(ROBOT, "forward_dynamics")
    assert pickle.dumps(ROBOT) == fresh


def test_a_robot_that_comes_again_and_again_has_its_kernels():
    """As it does with every task of a pool of processes."""
    data = pickle.dumps(ROBOT)
    first = gough.compile(pickle.loads(data), "inverse_dynamics")
    assert gough.compile(pickle.loads(data), "inverse_dynamics") is first
    other = control.perturb(ROBOT, masses=1.5)
    again = pickle.loads(pickle.dumps(other))
    assert again == other
    assert gough.compile(again, "inverse_dynamics") is not first


def test_what_belongs_together_stays_together():
    r, move, kernel = pickle.loads(
        pickle.dumps((ROBOT, MOVE, gough.compile(ROBOT, "inverse_dynamics")))
    )
    assert move.robot is r
    assert gough.compile(r, "inverse_dynamics") is kernel


@ways
def test_assemblies(way):
    again = way(ROBOT.assembly)
    assert again.robot.assembly is again
    assert np.array_equal(again.T_home, ROBOT.home_pose)
    alone = dataclasses.replace(ROBOT.assembly, length=2.0)  # not the robot's own
    assert way(alone).length == 2.0


# kernels and programs


REQUESTS = [
    {},
    {"method": "tree", "loads": gough.Loads(friction=False, smoothing=0.01)},
    {"parameters": ["masses"], "derivatives": ["V_0p"]},
]


@ways
@pytest.mark.parametrize("request_", REQUESTS, ids=["plain", "tree", "parameters"])
def test_kernels(way, request_):
    kernel = gough.compile(ROBOT, "inverse_dynamics", **request_)
    again = way(kernel)
    assert again.program == kernel.program
    assert same(again(*STATES.arrays), kernel(*STATES.arrays))


@ways
def test_kernels_of_a_program_alone(way):
    program = gough.compile(ROBOT, "inverse_kinematics").program
    kernel = Kernel(program, 0.0, Native(program))
    assert same(way(kernel)(STATES.T_0p), kernel(STATES.T_0p))
    assert way(program) == program


# motions


MOTIONS = {
    "quintic": lambda: MOVE,
    "septic": lambda: motion.point_to_point(ROBOT, HOME, AIM, duration=0.05, law="septic"),
    "cruise": lambda: motion.point_to_point(ROBOT, HOME, AIM, duration=0.05, law="cruise"),
    "jerk_limited": lambda: motion.jerk_limited(
        ROBOT, HOME, AIM, velocity=1.0, acceleration=100.0, jerk=1e4
    ),
    "circle": lambda: motion.circle(ROBOT, radius=0.01, duration=0.05, law="constant"),
    "lissajous": lambda: motion.lissajous(ROBOT, amplitude=0.01, frequency=40.0, duration=0.05),
    "sweep": lambda: motion.sine_sweep(
        ROBOT, amplitude=0.001, frequencies=(20.0, 80.0), duration=0.05
    ),
    "even sweep": lambda: motion.sine_sweep(
        ROBOT, amplitude=0.001, frequencies=(20.0, 80.0), duration=0.05, spacing="linear"
    ),
    "pick_and_place": lambda: motion.pick_and_place(
        ROBOT, HOME, cycle=0.05, stroke=0.02, height=0.01, up=[0.0, 1.0, 0.0]
    ),
    "through": lambda: motion.through(ROBOT, [HOME, AIM, HOME], [0.0, 0.02, 0.05]),
    "from_samples": lambda: motion.from_samples(ROBOT, TIMES, STATES.T_0p),
    "hold": lambda: motion.hold(ROBOT),
    "chain": lambda: MOVE.then(motion.hold(ROBOT, AIM)),
    "slower": lambda: MOVE.slower(2.0),
    "turning": lambda: motion.circle(
        robot("gough_stewart"), radius=0.01, duration=0.05, plane=("rx", "ry")
    ),
    "straight": lambda: motion.circle(robot("delta"), radius=0.01, duration=0.05),
    "polynomial through a singularity": upwards,
    "re-timed": lambda: gough.plan_crossing(five_bar(), upwards(), duration=1.5),
}


@ways
@pytest.mark.parametrize("make", MOTIONS.values(), ids=MOTIONS)
def test_motions(way, make):
    made = make()
    again = way(made)
    assert repr(again) == repr(made)
    times = np.linspace(-0.1, 1.1, len(TIMES)) * made.duration
    assert moves_alike(again, made, times)


# controllers


CONTROLLERS = {
    "joint_pd": lambda: control.joint_pd(ROBOT, MOVE, bandwidth=60.0),
    "motors": lambda: control.computed_torque(
        ROBOT,
        MOVE,
        bandwidth=60.0,
        loads=gough.Loads(payload=0.1),
        period=1e-3,
        noise=1e-4,
        quantisation=1e-5,
    ),
    "platform": lambda: control.computed_torque(ROBOT, MOVE, bandwidth=60.0, space="platform"),
}


@ways
@pytest.mark.parametrize("make", CONTROLLERS.values(), ids=CONTROLLERS)
def test_controllers(way, make):
    controller = make()
    first = simulated(controller, MOVE)
    again = way(controller)
    again.reference(TIMES)  # compiles what is compiled for the other robot
    assert same(simulated(again, MOVE), first)
    used = make()
    used.start(1)
    seen = control.Measured(*(a[None] for a in (*MOVE(0.0).arrays[:2], first.q[0], first.qd[0])))
    used.efforts(0.0, seen)  # by hand: it has arrays of its own now
    assert same(simulated(way(used), MOVE), first)


@ways
def test_controllers_through_singularities(way):
    plan = crossing(five_bar(), upwards(), rate=60.0)
    assert same(way(plan), plan)
    controller = crossing_control(five_bar(), upwards(), bandwidth=40.0, plan=plan, period=1e-3)
    again = way(controller)
    for each in (again, controller):
        each.reference(TIMES)
    assert same(simulated(again, upwards()), simulated(controller, upwards()))


# answers


ANSWERS = {
    "analyse": lambda: gough.analyse(ROBOT, MOVE),
    "simulate": lambda: simulated(CONTROLLERS["joint_pd"](), MOVE),
    "workspace": lambda: gough.workspace(ROBOT, x=(-0.1, 0.1, 5), y=(0.1, 0.3, 5)),
    "singularity_locus": lambda: gough.singularity_locus(ROBOT, x=(-0.1, 0.1, 5), y=(0.1, 0.3, 5)),
    "forward_kinematics": lambda: gough.forward_kinematics(
        ROBOT, gough.inverse_kinematics(ROBOT, ONE.T_0p)
    ),
    "track": lambda: gough.track(ROBOT, gough.inverse_kinematics(ROBOT, STATES.T_0p)),
    "audit": lambda: gough.audit(ROBOT, ONE),
    "doctor": lambda: gough.doctor(ROBOT),
    "sheet": lambda: gough.sheet(ROBOT),
    "singularities": lambda: gough.singularities(ROBOT, ONE.T_0p),
    "singularities_along": lambda: gough.singularities_along(ROBOT, MOVE),
    "nearest_type_2": lambda: gough.nearest_type_2(ROBOT, ONE.T_0p),
    "observe": lambda: gough.observe(ROBOT, ONE),
    "posture": lambda: gough.posture(ROBOT, ONE.T_0p),
    "jerks": lambda: gough.posture(ROBOT, gough.State(ONE.T_0p, *np.zeros((3, 6)))),
    "influence_coefficients": lambda: gough.influence_coefficients(ROBOT, ONE.T_0p),
    "partial_screws": lambda: gough.partial_screws(ROBOT, ONE.T_0p),
    "kinematic_coordinates": lambda: gough.kinematic_coordinates(ROBOT, ONE.T_0p),
    "implicit_model": lambda: gough.implicit_model(ROBOT, ONE),
    "reactions": lambda: gough.reactions(ROBOT, ONE),
    "energy": lambda: gough.energy(ROBOT, ONE),
    "motor_side": lambda: gough.motor_side(ROBOT, np.ones(2), np.ones(2), np.ones(2)),
    "elements": lambda: gough.elements(ROBOT),
    "payload": lambda: gough.Payload(1.0, (0.1, 0.0, 0.0)),
    "share": gough.EffortSharing,
    "count": lambda: gough.compile(ROBOT, "inverse_dynamics").operations,
}


@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_answers(make):
    answer = make()
    for way in WAYS.values():
        assert same(way(answer), answer)


def test_an_answer_that_was_looked_at_already():
    found = ANSWERS["workspace"]()
    kinds, areas = found.curves, found.areas
    again = pickle.loads(pickle.dumps(found))
    assert same(again.curves, kinds)
    assert same(again.areas, areas)


# errors


def kinds(base: type) -> list[type]:
    """The class and all below it."""
    return [base, *(kind for each in base.__subclasses__() for kind in kinds(each))]


@ways
@pytest.mark.parametrize("kind", [*kinds(errors.GoughError), *kinds(errors.GoughWarning)])
def test_errors(way, kind):
    if not issubclass(kind, errors.GoughError):
        assert str(way(kind("what"))) == "what"
        return
    data = {"leg": "left", "missing": 0.1, "sample": 3, "at": np.arange(3.0)}
    if issubclass(kind, errors.DescriptionError):
        data["path"] = "bodies[3].mass"
    if issubclass(kind, errors.FileError):
        data |= {"file": "robot.yaml", "line": 7}
    error = kind("what is wrong", hint="What to do.", **data)
    again = way(error)
    assert type(again) is kind
    assert str(again) == str(error)
    assert (again.args, again.hint) == (error.args, error.hint)
    assert same(vars(again), vars(error))
    assert str(again.at_sample((4,))) == str(error.at_sample((4,)))


def test_errors_of_all_rooms_are_tried():
    assert TraceError in kinds(errors.GoughError)


# other processes


@pytest.fixture(scope="module")
def process():
    """One process that begins with nothing."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_a_process_answers_with_kernels_of_its_own(process):
    states = gough.state(robot(NAME), *random_freedoms(NAME, 20, 0.1)).arrays
    expected, _ = efforts(ROBOT, states)
    first = process.submit(efforts, ROBOT, states).result()
    second = process.submit(efforts, ROBOT, states).result()
    assert (first[0] == expected).all()
    assert (second[0] == expected).all()
    assert first[1] == second[1]  # compiled once
    kernel = gough.compile(ROBOT, "inverse_dynamics")
    assert (process.submit(called, kernel, states).result() == expected).all()


def test_a_process_simulates(process):
    controller = CONTROLLERS["motors"]()
    found = process.submit(simulated, controller, MOVE).result()
    expected = simulated(controller, MOVE)
    for name in ("t", "T_0p", "V_0p", "tau", "q"):
        one, other = getattr(found, name), getattr(expected, name)
        assert np.abs(one - other).max() <= 1e-9 * max(np.abs(other).max(), 1.0)


def test_a_process_tells_what_is_wrong(process):
    with pytest.raises(errors.InconsistentPose) as caught:
        refused(ROBOT)
    told = process.submit(refused, ROBOT).exception()
    assert type(told) is errors.InconsistentPose
    assert (told.message, told.hint) == (caught.value.message, caught.value.hint)
    assert same(told.data, caught.value.data)
