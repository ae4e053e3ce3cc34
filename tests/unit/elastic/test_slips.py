"""Slips in elastic data that would give an answer, and a wrong one."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from dressed import matrix_five_bar, telescopic_hexapod
from elastic_machines import with_gears
from gough.errors import DescriptionError, InputError, NotElastic
from robots import robot


def with_matrix(change, **figures):
    own = matrix_five_bar()
    bodies = tuple(
        replace(body, stiffness=change(body.stiffness), **figures) if body.stiffness else body
        for body in own.bodies
    )
    return replace(own, bodies=bodies)


def test_a_massless_body_has_no_mass_matrix():
    """Rigid-body dynamics would not know of it."""
    nothing = {"mass": 0.0, "inertia": np.zeros((3, 3)).tolist(), "massless": True}
    heavy = with_matrix(lambda given: given, **nothing)
    with pytest.raises(DescriptionError, match=r"the mass matrix weighs .* more than the body's 0"):
        gough.elasticity(heavy)
    assert gough.elasticity(with_matrix(lambda given: replace(given, mass=None), **nothing)).parts


def test_a_matrix_of_zeros_holds_nothing():
    with pytest.raises(DescriptionError, match="has 12 motions without a force"):
        with_matrix(lambda given: replace(given, matrix=np.zeros((12, 12))))


@pytest.mark.parametrize(
    "slip",
    [np.diag([1.0, 2.0, 3.0, 0.0, 0.0, 0.0] * 2), np.diag([0.0, 0.0, 0.0, 1.0, 1.0, 1.0] * 2)],
)
def test_a_mass_matrix_is_that_of_a_body(slip):
    order = np.r_[3:6, 0:3, 9:12, 6:9]
    bar = np.array(matrix_five_bar().body("prox1").stiffness.mass)
    wrong = slip if slip[0, 0] else bar[np.ix_(order, order)]  # turns before displacements
    with pytest.raises(DescriptionError, match=r"mass: is of no body: moved as a whole along"):
        with_matrix(lambda given: replace(given, mass=wrong))


def test_a_joint_called_platform():
    """The word stands for the platform's frame on the platform, and for nothing else."""
    own = matrix_five_bar()
    joints = tuple(
        replace(joint, name="platform") if joint.name == "elbow1" else joint for joint in own.joints
    )
    named = {"foot1": "foot1", "elbow1": "platform"}
    bodies = tuple(
        replace(
            body,
            stiffness=replace(
                body.stiffness, frames=tuple(named[name] for name in body.stiffness.frames)
            ),
        )
        if body.stiffness
        else body
        for body in own.bodies
    )
    joint_home = {("platform" if n == "elbow1" else n): q for n, q in own.home.joints.items()}
    home = replace(own.home, joints=joint_home)
    other = replace(own, joints=joints, bodies=bodies, home=home)
    C = gough.elasticity(own).compliance
    assert np.abs(gough.elasticity(other).compliance - C).max() < 1e-12 * np.abs(C).max()


def test_gigapascals_of_shear():
    with pytest.raises(DescriptionError, match=r"materials.x.G: is 81 Pa, softer than any beam"):
        gough.Material("x", 210e9, 81.0, 7850.0)


def test_percents_of_damping():
    with pytest.raises(InputError, match="damping is 2, expected a ratio below 1"):
        gough.elasticity(with_gears(robot("five_bar"), 3e4), damping=2)


def test_a_rod_that_has_left_its_guide():
    """What holds it there is unknown: a rigid arm from its end to the guide would be a guess."""
    own = telescopic_hexapod()
    assert gough.elasticity(own).parts
    away = own.home_pose.copy()
    away[2, 3] += 0.6
    with pytest.raises(NotElastic, match=r"the beam of 'rod\d' ends 0\.\d+ m before the guide"):
        gough.elasticity(own, away)


def test_a_joint_beside_its_beam_is_noted():
    own = with_gears(robot("five_bar"), 3e4)
    light = gough.Material("light", 70e9, 26e9, 1.0)
    beam = gough.Beam(gough.Tube(0.01, 0.009), light, [[0.0, 0.05, 0.0], [0.3, 0.05, 0.0]])
    bodies = tuple(
        replace(body, beam=beam) if body.name == "prox1" else body for body in own.bodies
    )
    notes = gough.elasticity(replace(own, bodies=bodies)).notes
    assert "'elbow1' sits 50 mm beside the beam of 'prox1': what is between is rigid." in notes
    assert "'foot1' sits 50 mm beside the beam of 'prox1': what is between is rigid." in notes
