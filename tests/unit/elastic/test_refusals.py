"""What elastic machines refuse, by name and with figures."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from elastic_machines import STEEL, beam_body, cantilever, with_gears
from gough.errors import DescriptionError, InputError, NotElastic

BEAM = gough.Beam(gough.Tube(0.02, 0.017), STEEL, [[0.0, 0.0, 0.0], [0.8, 0.0, 0.0]])


def test_a_rigid_robot_says_what_is_missing():
    with pytest.raises(NotElastic, match="no elastic part") as error:
        gough.elasticity(gough.zoo.load("delta"))
    assert "transmission.stiffness of 'arm1', 'arm2' and 'arm3'" in error.value.hint


def test_a_guess_only_if_it_is_asked_for():
    robot = gough.zoo.load("delta")
    with pytest.raises(NotElastic, match="no elastic part") as error:
        gough.elasticity(robot)
    assert "estimate=True" in error.value.hint
    e = gough.elasticity(robot, estimate=True)
    assert e.parts
    assert all(part.startswith("beam of") for part in e.parts)
    assert all(body.beam is None for body in robot.bodies)
    assert 5.0 < e.vibrations(1).frequencies[0] < 2000.0
    with pytest.raises(NotElastic):  # its legs slide, and nobody says where
        gough.elasticity(gough.zoo.load("gough_stewart"), estimate=True)


def test_a_body_lighter_than_its_beam():
    body = replace(beam_body("bar", BEAM), mass=0.5, inertia=np.zeros((3, 3)).tolist())
    robot = replace(cantilever(BEAM), bodies=(body,))
    with pytest.raises(DescriptionError, match=r"weighs 2\.18994 kg, more than the body's 0\.5 kg"):
        gough.elasticity(robot)
    assert robot.mobility == 0  # rigid-body dynamics does not mind


def test_a_body_whose_mass_is_nearer_than_its_beam():
    own = beam_body("bar", BEAM)
    body = replace(own, inertia=(np.array(own.inertia) / 4.0).tolist())
    with pytest.raises(DescriptionError, match="less its beam, the body is none"):
        gough.elasticity(replace(cantilever(BEAM), bodies=(body,)))


def test_a_slender_rod_has_no_thickness():
    """A body given as a rod has no moment about its axis; its beam may have one."""
    own = beam_body("bar", BEAM)
    rod = gough.Body("bar", **gough.inertia.rod(own.mass, *BEAM.points), beam=BEAM)
    found = gough.elasticity(replace(cantilever(BEAM), bodies=(rod,))).vibrations(3)
    expected = gough.elasticity(cantilever(BEAM)).vibrations(3)
    assert found.frequencies == pytest.approx(expected.frequencies, rel=1e-9)


def test_motors_that_are_free_hold_nothing():
    robot = with_gears(gough.zoo.load("delta"), 1e4)
    e = gough.elasticity(robot, drives="free")
    with pytest.raises(InputError, match="motors are free"):
        e.compliance  # noqa: B018
    with pytest.raises(InputError, match="motors are free"):
        e.deflection()
    assert e.vibrations(3).free == 3


@pytest.mark.parametrize(
    ("drives", "match"),
    [
        ("lock", "expected 'locked', 'free' or"),
        ({"arm9": "free"}, "there is no motor 'arm9'"),
        (gough.Servo([1.0, 2.0]), "kp has 2 gains, expected one number or 3"),
    ],
)
def test_drives_that_are_none(drives, match):
    with pytest.raises(InputError, match=match):
        gough.elasticity(gough.zoo.load("delta"), drives=drives)


def test_a_locked_motor_is_not_pushed():
    robot = with_gears(gough.zoo.load("delta"), 1e4)
    with pytest.raises(InputError, match="'arm1' is locked"):
        gough.elasticity(robot).response([1.0], by="motors")
    found = gough.elasticity(robot, drives="free").response([3.0, 1e3], by="motors")
    assert found.inputs == robot.motors
    # far below the gears' frequencies rotors and links are one body
    M = gough.inertia_matrix(robot, robot.home_pose)
    J_inv = gough.inverse_jacobian(robot, robot.home_pose)
    Psi = gough.freedom_map(robot, robot.home_pose)
    # friction turns the phase by a degree
    slow = -Psi @ np.linalg.solve(M, J_inv.T) / (2.0 * np.pi * 3.0) ** 2
    assert np.abs(found.receptance[0] - slow).max() < 0.03 * np.abs(slow).max()


@pytest.mark.parametrize("value", ["no", [[1.0]], [-1.0], [np.nan], None, object()])
def test_frequencies_that_are_none(value):
    e = gough.elasticity(cantilever(BEAM))
    with pytest.raises(InputError, match="frequencies"):
        e.response(value)


def test_a_controller_is_taken_as_it_is():
    robot = gough.zoo.load("five_bar")
    motion = gough.motion.hold(robot)
    pd = gough.control.joint_pd(robot, motion, kp=900.0, kd=7.0)
    found = gough.elasticity(robot, drives=pd).vibrations(2)
    expected = gough.elasticity(robot, drives=gough.Servo(900.0, 7.0)).vibrations(2)
    assert found.frequencies == pytest.approx(expected.frequencies)
    assert found.damping == pytest.approx(expected.damping)
    by_model = gough.control.computed_torque(robot, motion, bandwidth=30.0)
    with pytest.raises(InputError, match="no efforts"):
        gough.elasticity(robot, drives=by_model)


def test_a_batch_with_a_pose_out_of_reach():
    robot = with_gears(gough.zoo.load("delta"), 1e4)
    T = np.stack([robot.home_pose] * 3)
    T[1, 2, 3] -= 9.0
    with pytest.raises(gough.errors.UnreachablePose, match="sample 1"):
        gough.elasticity(robot, T)
    e = gough.elasticity(robot, T, on_error="nan")
    assert list(e.failed) == [(1,)]
    found = e.vibrations(2)
    assert np.isnan(found.frequencies[1]).all()
    assert np.isfinite(found.frequencies[[0, 2]]).all()
    assert np.isnan(e.compliance[1]).all()
    assert np.isnan(e.deflection().platform[1]).all()
    points, moves = found.shape(robot.platform)
    assert np.isnan(points[1]).all()
    assert np.isfinite(moves[[0, 2]]).all()


def test_results_show_themselves():
    robot = with_gears(gough.zoo.load("delta"), 1e4, damping=3.0)
    e = gough.elasticity(robot)
    v = e.vibrations(3)
    text = str(v)
    assert "Hz: the platform" in text
    assert "of the energy is in the gear of arm" in text
    assert len(v.sentences()) == 3
    assert "damping ratio" in text
    assert set(v.columns()) == {"vibration", "frequency", "damping", "part", "share"}
    for result in (e, v, e.deflection(), e.compensation(), e.response([1.0, 2.0])):
        assert str(result)
        assert result.to_dict()
        assert result.columns()
    points, moves = v.shape(robot.platform)
    assert moves.shape == (3, len(points), 3)


def test_more_elements_than_memory_are_refused():
    with pytest.raises(InputError, match=r"elements is 100000: the beam of 'bar' would have"):
        gough.elasticity(cantilever(BEAM), elements=100_000)


def test_gains_by_motor_and_what_only_looks_like_gains():
    robot = with_gears(gough.zoo.load("delta"), 1e4)
    by_motor = {name: {"kp": 2e4, "kd": 3.0} for name in robot.motors}
    found = gough.elasticity(robot, drives=by_motor).frequencies(2)
    expected = gough.elasticity(robot, drives=gough.Servo(2e4, 3.0)).frequencies(2)
    assert found == pytest.approx(expected, rel=1e-12)
    for wrong in ({"kp": 2e4, "ki": 1.0}, {"kd": 3.0}, {"arm1": {"kp": 1.0, "ki": 1.0}}):
        with pytest.raises(InputError, match="expected kp, and kd or not"):
            gough.elasticity(robot, drives=wrong)
    with pytest.raises(InputError, match=r"Servo\.kp is \[\], expected one number"):
        gough.Servo(kp=[])


def test_a_guess_that_finds_no_link_says_so():
    with pytest.raises(NotElastic, match="none of its links can be guessed") as error:
        gough.elasticity(gough.zoo.load("gough_stewart"), estimate=True)
    assert "estimate" not in error.value.hint
    with pytest.raises(NotElastic) as error:  # maps do not guess
        gough.workspace(gough.zoo.load("delta"), elastic="frequency")
    assert "estimate" not in error.value.hint


def test_loads_that_move_a_machine_far_have_no_first_order():
    robot = gough.load("examples/robots/elastic_delta.yaml")
    with pytest.raises(InputError, match="too far for stiffness under load"):
        gough.elasticity(robot, loads=gough.Loads(payload=1e4), preload=True)
