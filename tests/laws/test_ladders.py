"""Machines of many loops: right, and at a cost that grows with them, not with their subsets."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.geometry.closed_form import search
from ladders import rail_on_rungs, row_of_cranks, scissors
from maximal import Machine

BUILDERS = (row_of_cranks, scissors, rail_on_rungs)
# closing and solving about 50 bodies in a chain leaves some digits
SAME = 1e-9


def _moving(robot: gough.Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A state a little away from home, with speed and acceleration."""
    home = robot.home_pose[:3, 3][["x", "y", "z"].index(robot.freedoms[0])]
    return gough.state(robot, [home + 0.004], [0.3], [1.7])


@pytest.mark.parametrize("build", BUILDERS, ids=lambda f: f.__name__)
def test_efforts_of_a_ladder_of_eight_give_its_motion_in_maximal_coordinates(build):
    robot = replace(build(8), gravity=(1.0, -9.0, 0.5))
    assert robot.mobility == 1
    state = _moving(robot)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(robot, state)
    assert np.abs(tau).max() > 0.1
    with gough.options(engine="numpy"):
        assert tau == pytest.approx(gough.inverse_dynamics(robot, state, method="tree"), rel=1e-9)
    at = gough.posture(robot, state)
    machine = Machine(robot, at.bodies, at.twists, robot.length)
    answer = machine.solve(tau, near=at.joints)
    scale = max(np.abs(rate).max() for rate in at.twist_rates.values())
    for body, rate in answer.rates.items():
        assert np.abs(rate - at.twist_rates[body]).max() < SAME * scale


@pytest.mark.parametrize("build", BUILDERS, ids=lambda f: f.__name__)
def test_the_search_for_closed_forms_grows_with_the_machine(build, monkeypatch):
    """Groups of moves that are looked at, counted; twice the machine, about twice the looks.

    The looks at one loop are bounded, and the number of loops grows with the machine.
    """
    looked, kept = [], search.kept
    monkeypatch.setattr(search, "kept", lambda *a: looked.append(a) or kept(*a))
    for count in (4, 8):
        looked.clear()
        assembly = build(count).assembly
        search.find_closed_form(assembly)
        loops = len(search.find_loops(assembly))
        assert len(looked) <= search._MOST_UNKNOWN**2 * loops
    assert len(looked) < 500  # a cube of the longest loop would be thousands
