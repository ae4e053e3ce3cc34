"""One verdict from every door: what is singular, by one bound and one measure."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.compiler.tracing.interpreter import run
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities.variant import Variant
from gough.errors import GoughError, SingularPose
from gough.evaluation.compile import whole_program
from gough.mechanism.mobility.singular import SINGULAR
from machines import Drawing
from masks import masked
from robots import robot
from scaled import scaled

REST = np.zeros(6)


def slider_crank(angle: float) -> gough.Robot:
    """A crank of 0.1 m and a rod of 0.3 m, driven by the slider: dead centre at angle 0."""
    d = Drawing(3)
    elbow = 0.1 * np.array([np.cos(angle), np.sin(angle), 0.0])
    pin = np.array([elbow[0] + np.sqrt(0.09 - elbow[1] ** 2), 0.0, 0.0])
    for name, at in (("crank", elbow / 2), ("rod", (elbow + pin) / 2), ("slider", pin)):
        d.body(name, at)
    d.joint("turn", "revolute", "base", "crank", [0, 0, 0])
    d.joint("elbow", "revolute", "crank", "rod", elbow)
    d.joint("pin", "revolute", "rod", "slider", pin)
    d.joint("slide", "prismatic", "base", "slider", pin, [1, 0, 0])
    return d.robot("slider_crank", "crank", ["slide"], elbow)


def _refused(function, *given, **rest):
    """The kind of singularity for which a call is refused; none if it is answered."""
    try:
        function(*given, **rest)
    except SingularPose as err:
        return err.kind
    return None


def _type_2_doors(r, T):
    doors = {}
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            doors[f"inverse_dynamics {engine}"] = _refused(gough.inverse_dynamics, r, T)
    doors["audit"] = _refused(gough.audit, r, T)
    doors["jacobian"] = _refused(gough.jacobian, r, T)
    doors["reactions"] = _refused(gough.reactions, r, T)
    doors["singularities"] = "Type 2" if gough.singularities(r, T).type_2.singular else None
    return doors


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-6, 3e-6, 1e-3])
def test_one_freedom_at_dead_centre(off):
    """The condition of a 1x1 matrix is 1: only its size tells."""
    r = slider_crank(0.7)
    home = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    state = gough.state(r, home - 0.7 + off, np.ones(1), np.zeros(1))
    doors = _type_2_doors(r, state.T_0p)
    expected = "Type 2" if gough.singularities(r, state).type_2.smallest <= SINGULAR else None
    assert expected == ("Type 2" if off <= 1e-6 else None)  # 0.59 of it is the singular value
    assert set(doors.values()) == {expected}, doors
    for method in METHODS:  # direct dynamics runs on a Type 2 pose
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                found = gough.forward_dynamics(r, state, [1.0], method=method).Vdot_0p
            assert np.isfinite(found).all()


@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "four_rrr"])
def test_the_bound_of_type_2_is_one(name):
    """From a Type 2 pose towards home, every door says so equally long."""
    r = robot(name)
    a = r.assembly
    nearest = gough.singularities(r, a.T_home, distance=True).nearest
    ends = [a.chart.coordinates(T)[list(a.free)] for T in (nearest.T_0p, a.T_home)]
    verdicts = []
    for share in (0.0, 1e-8, 3e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-2):
        x = ends[0] + share * (ends[1] - ends[0])
        T = gough.state(r, x, np.zeros(r.mobility), np.zeros(r.mobility)).T_0p
        doors = _type_2_doors(r, T)
        assert len(set(doors.values())) == 1, (share, doors)
        verdicts.append(doors["audit"])
    assert verdicts[0] == "Type 2"
    assert verdicts[-1] is None


def _stretched_five_bar(off: float) -> np.ndarray:
    """Pose of the five-bar with crank and bar of its first leg in a line, but for an angle."""
    angle = np.arctan2(0.432, 0.16) + 0.02
    crank, bar = ([np.cos(a), np.sin(a), 0.0] for a in (angle - off, angle))
    tip = np.array([-0.16, 0.0, 0.0]) + 0.3 * np.array(crank) + 0.42 * np.array(bar)
    return spatial.pose(spatial.rotation_z(angle), tip)


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-7])
def test_a_stretched_leg_of_which_the_platform_is_a_part(off):
    """The tip of a five-bar cannot go on outwards: Type 1 in x and y, of that leg."""
    r, T = robot("five_bar"), _stretched_five_bar(off)
    along = T[:3, 3] - [-0.16, 0.0, 0.0]
    found = gough.singularities(r, T)
    assert found.kinds == ("Type 1",)
    (leg,) = found.type_1.loose
    assert leg.leg == "prox1"
    assert leg.motors == ("foot1",)
    assert np.linalg.norm(np.cross(leg.wrench[:3], along)) < 1e-6
    assert "stretched out" in leg.sentence
    for engine in ("numpy", "compiled"):
        for call in (
            lambda: gough.motor_rates(r, T),
            lambda: gough.inverse_dynamics(r, T),
            lambda: gough.forward_dynamics(r, T, [0.1, 0.1]),
        ):
            refused = pytest.raises(SingularPose, match="Type 1 singularity: with x, y held")
            with refused as info, gough.options(engine=engine):
                call()
            assert (info.value.kind, info.value.leg) == ("Type 1", "prox1")
            assert np.linalg.norm(np.cross(info.value.lost[:3], along)) < 1e-6
    with pytest.raises(SingularPose, match="leg 'prox1'"):
        gough.audit(r, T)


@pytest.mark.filterwarnings("ignore:five_bar. energy is off:gough.GoughWarning")
def test_a_simulation_that_stretches_a_leg_names_it():
    """The event has the word of the models."""
    r = robot("five_bar")
    x = [0.05, 0.64]
    T, V, _ = gough.state(r, x, [0.3, 0.9], np.zeros(2)).arrays
    ended = gough.simulate(r, gough.State(T, V), np.zeros(2), 0.5).event
    assert ended.kind == "type_1"
    assert "leg 'prox1'" in ended.reason


def test_a_simulation_goes_through_it_unless_that_is_to_stop_it():
    """The tip turns back, and the elbow goes on to the other side: bars turn as they did."""
    r = robot("five_bar")
    T, V, _ = gough.state(r, [0.05, 0.64], [0.3, 0.9], np.zeros(2)).arrays
    found = gough.simulate(r, gough.State(T, V), np.zeros(2), 0.2, stop_at=())
    assert found.event is None
    assert np.abs(found.balance).max() < 1e-6 * found.kinetic.max()
    elbow = found.q[:, 0] - np.arctan2(found.T_0p[:, 1, 0], found.T_0p[:, 0, 0])
    elbow = np.mod(elbow + np.pi, 2.0 * np.pi) - np.pi
    assert elbow[0] * elbow[-1] < 0.0


def test_regular_poses_beside_it_are_answered():
    r = robot("five_bar")
    T = _stretched_five_bar(1e-4)
    assert not gough.singularities(r, T).is_singular
    assert np.isfinite(gough.inverse_dynamics(r, T)).all()
    with pytest.raises(GoughError):
        gough.inverse_kinematics(r, T @ spatial.pose(np.eye(3), [1e-3, 0.0, 0.0]))


def _both_elbows() -> np.ndarray:
    """Poses of the five-bar with its first leg bent to either side, at several tips."""
    base, found = np.array([-0.16, 0.0]), []
    for tip in ([0.0, 0.432], [0.1, 0.2], [-0.1, 0.25], [0.05, 0.5], [0.2, 0.35]):
        way = np.array(tip) - base
        far, angle = np.linalg.norm(way), np.arctan2(way[1], way[0])
        bent = np.arccos((0.3**2 + far**2 - 0.42**2) / (2 * 0.3 * far))
        for crank in (angle + bent, angle - bent):
            bar = np.array(tip) - base - 0.3 * np.array([np.cos(crank), np.sin(crank)])
            turn = spatial.rotation_z(np.arctan2(bar[1], bar[0]))
            found.append(spatial.pose(turn, [*tip, 0.0]))
    return np.array(found)


def _answers(r, T, engine):
    """Answers and refusals of the models at poses, by one engine."""
    ones = np.ones((len(T), len(r.motors)))
    with gough.options(engine=engine):
        return {
            "inverse_kinematics": masked(gough.inverse_kinematics(r, T, on_error="nan")),
            "motor_rates": masked(gough.motor_rates(r, T, on_error="nan")),
            "inverse_dynamics": masked(gough.inverse_dynamics(r, T, on_error="nan")),
            "forward_dynamics": masked(gough.forward_dynamics(r, T, ones, on_error="nan").Vdot_0p),
        }


def _assert_engines_agree(r, T):
    reference, compiled = (_answers(r, T, engine) for engine in ("numpy", "compiled"))
    for name, (values, refused) in reference.items():
        others, too = compiled[name]
        assert np.array_equal(refused, too), name
        size = max(1.0, np.abs(values[~refused]).max(initial=0.0))
        assert np.abs(values - others)[~refused].max(initial=0.0) < 1e-9 * size, name
    return reference


def test_a_pose_on_another_working_mode_is_answered_by_every_door():
    """Its joints are known, whatever lies on the straight way from home."""
    r, T = robot("five_bar"), _both_elbows()
    for values, refused in _assert_engines_agree(r, T).values():
        assert not refused.any()
        assert np.isfinite(values).all()
    assert gough.audit(r, T).passed
    assert not any(gough.singularities(r, there).is_singular for there in T)


def test_an_answer_does_not_depend_on_what_was_asked_before():
    """Single, in a batch that is compiled, single again: one verdict, one value."""
    r = gough.zoo.load("five_bar")
    T = _both_elbows()[1]
    first = gough.inverse_dynamics(r, T)
    batch = np.broadcast_to(T, (64, 4, 4))
    many = gough.inverse_dynamics(r, gough.State(batch, np.zeros((64, 6)), np.zeros((64, 6))))
    again = gough.inverse_dynamics(r, T)
    for found in (many[17], again):
        assert np.abs(found - first).max() < 1e-10 * np.abs(first).max()


@pytest.mark.parametrize("name", ["tilt_3rps", "gough_stewart", "screw_pendulum"])
def test_engines_refuse_the_same_far_poses(name):
    """Random poses up to the border of reach and beyond, outside the mobility too."""
    r = robot(name)
    a, rng = r.assembly, np.random.default_rng(11)
    y = np.tile(a.chart.coordinates(a.T_home), (8, 1))
    far = np.repeat([0.2, 0.5, 1.0, 2.0], 2)[:, None]
    y[:, list(a.free)] += far * a.scales.freedoms * rng.uniform(-1.0, 1.0, (8, a.mobility))
    T = []
    for k, each in enumerate(y):
        try:
            T.append(gough.state(r, each[list(a.free)]).T_0p if k % 2 else a.chart.pose(each))
        except GoughError:
            T.append(a.chart.pose(each))
    _assert_engines_agree(r, np.array(T))


def _forbidden(r, share, order):
    """A twist, or its rate (order 2), along a component that depends on others, natural units."""
    a = r.assembly
    V = np.zeros(6)
    i = next(i for i in (5, 4, 3, 2, 1, 0) if i not in a.free)
    V[i] = share * a.scales.twist[i] * a.scales.frequency**order
    return V


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e3])
@pytest.mark.parametrize("name", ["delta", "tilt_3rps"])
def test_rounding_of_a_machine_at_rest_is_no_inconsistency(name, size, order):
    """Neither by NumPy nor by a kernel, of one state or of many; what is more is refused by both.

    A Delta's twists are the same everywhere; those of a tilting table depend on its pose.
    """
    r = scaled(robot(name), size)
    T, program = r.home_pose, whole_program(r.assembly, "inverse_dynamics", Variant())
    with gough.options(engine="numpy"):
        at_rest = gough.inverse_dynamics(r, T)

    def motion(share):
        off = _forbidden(r, share, order)
        return (off, REST) if order == 1 else (REST, off)

    for share in (1e-20, 1e-14):
        given = dict(zip(("T_0p", "V_0p", "Vdot_0p"), (T, *motion(share)), strict=True))
        assert (run(program, given)["doubt"] < 1.0).all()  # the kernel itself takes it
        for lead, engine in (((), "numpy"), ((3,), "numpy"), ((), "compiled"), ((70,), "compiled")):
            poses = np.broadcast_to(T, (*lead, 4, 4))
            with gough.options(engine=engine):
                tau = gough.inverse_dynamics(r, gough.State(poses, *motion(share)))
            # Coulomb friction has no sign at such rates; the rest is as large as the disturbance
            assert np.abs(tau - at_rest).max() < 1e-11 * np.abs(at_rest).max()
            with gough.options(engine=engine):
                gough.motor_accelerations(r, gough.State(poses, *motion(share)))
        assert gough.audit(r, gough.State(T, *motion(share))).passed
    for engine in ("numpy", "compiled"):
        for share in (1e-10, 1e-6):
            with pytest.raises(gough.errors.InconsistentTwist), gough.options(engine=engine):
                gough.inverse_dynamics(r, gough.State(T, *motion(share)))


def test_a_second_derivative_of_rounding_is_no_inconsistency():
    r = robot("delta")
    jerk = _forbidden(r, 1e-14, 3)
    gough.posture(r, gough.State(r.home_pose, REST, REST, jerk))
    with pytest.raises(gough.errors.InconsistentTwist):
        gough.posture(r, gough.State(r.home_pose, REST, REST, jerk * 1e8))
