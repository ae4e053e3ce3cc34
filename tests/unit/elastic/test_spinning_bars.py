"""Bars between two balls spin freely in an elastic machine, with or without an inertia of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gough
from robots import robot

STIFFNESS = 1e4


def machine(rotor):
    """A hexapod of rods between balls whose drives give way; balls may have rotors."""
    made, joints = robot("hexapod_6rus"), []
    for joint in made.joints:
        if joint.name in made.motors:
            gear = gough.Transmission(1.0, stiffness=STIFFNESS)
            joint = replace(joint, axes=(gough.Axis(transmission=gear),))
        elif joint.kind in ("universal", "spherical"):
            joint = replace(joint, kind="spherical", axes=(gough.Axis(rotor_inertia=rotor),))
        joints.append(joint)
    return replace(made, joints=tuple(joints))


@pytest.mark.filterwarnings("ignore:.*frozen in all models:gough.GoughWarning")
@pytest.mark.parametrize(("rotor", "bound"), [(0.0, 1e-9), (3e-4, 3e-3)])
def test_frequencies_are_those_of_rigid_links_on_springs(rotor, bound):
    """Slender rods: a spin without inertia changes nothing, rotors of balls couple it a little."""
    m = machine(rotor)
    found = gough.elasticity(m, m.home_pose, drives="locked").frequencies(6)
    a = m.assembly
    J = np.asarray(a.solution(a.equations(a.T_home, a.home)).J_inv)
    M = gough.inertia_matrix(m, m.home_pose)
    wanted = np.sort(np.linalg.eigvals(np.linalg.solve(M, STIFFNESS * J.T @ J)).real)
    np.testing.assert_allclose(found, np.sqrt(wanted) / (2.0 * np.pi), rtol=bound)
