"""Four theories are four witnesses: a mistake in one does not move the others.

Each formula of one theory is made wrong in turn, and whose efforts and accelerations move is
looked at.  ``legs`` and ``tree`` share their recursions, and say so (docs/methods.md); positions,
friction laws and the linear solver are shared by all.
"""

import numpy as np
import pytest

import gough
from gough import screw
from gough.dynamics.elements import accelerations, constraints, variables
from gough.dynamics.elements import dynamics as elements_dynamics
from gough.dynamics.elements import kinematics as elements_kinematics
from gough.dynamics.methods import METHODS
from gough.dynamics.screws import dynamics as screws_dynamics
from gough.dynamics.shared import newton_euler
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import posed
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.equations import Equations
from robots import random_freedoms, relative, robot

NAMES = ["five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps"]


def _wrong_wrench(right):
    def wrong(*arguments):
        f, n = right(*arguments)
        return f * 1.01, n

    return wrong


def _wrong_biases(right):
    def wrong(self, *arguments):
        hub, legs = right(self, *arguments)
        return [x * 1.1 for x in hub], [[x * 1.1 for x in leg] for leg in legs]

    return wrong


def _scaled(right):
    return lambda *arguments, **options: right(*arguments, **options) * 1.1


# what is made wrong: where, its name, how, and whom it may move
MISTAKES = {
    "forces on bodies": ([newton_euler], "body_wrench", _wrong_wrench, {"legs", "tree"}),
    "accelerations of loops": ([Equations], "biases", _wrong_biases, {"legs", "tree"}),
    "brackets of screws": ([screw], "bracket", _scaled, {"screws"}),
    "wrenches of screws": ([screws_dynamics], "body_wrench", _wrong_wrench, {"screws"}),
    "points of elements": (
        [accelerations, elements_dynamics, elements_kinematics],
        "acceleration_of",
        _scaled,
        {"elements"},
    ),
    "biases of elements": ([constraints], "_turn_bias", _scaled, {"elements"}),
    "spins of elements": (
        [variables, elements_kinematics],
        "direction",
        lambda right: lambda x, xd, xdd, *spin: right(x, xd * 1.01, xdd, *spin),
        {"elements"},
    ),
}


def _answers(r, state, tau):
    """Efforts and accelerations by each theory; nothing is kept, and nothing is checked before."""
    assembly, (T, V, Vdot) = r.assembly, state
    loads, found = StateLoads(assembly.gravity), {}
    for name, method in METHODS.items():
        solution = assembly.solution(posed(assembly, T))
        found[name] = (
            method.inverse(Kinematics(assembly, solution, V, Vdot), loads),
            method.direct(Kinematics(assembly, solution, V), tau, loads),
        )
    return found


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_in_one_theory_moves_no_other(name, mistake, monkeypatch):
    r = robot(name)
    state = [a[0] for a in gough.state(r, *random_freedoms(name, 1, 0.08, seed=11))]
    tau = gough.inverse_dynamics(r, *state, engine="numpy")
    before = _answers(r, state, tau)
    places, attribute, make, guilty = MISTAKES[mistake]
    for place in places:
        monkeypatch.setattr(place, attribute, make(getattr(place, attribute)))
    after = _answers(r, state, tau)
    for method in set(METHODS) - guilty:
        for one, other in zip(before[method], after[method], strict=True):
            np.testing.assert_array_equal(one, other, err_msg=method)
    if (mistake, name) not in UNFELT:
        moved = [relative(a, b) for m in guilty for a, b in zip(before[m], after[m], strict=True)]
        assert max(moved) > 1e-6  # the mistake is one


# the axes of joints change in all but planar robots; of these, only struts have inertia about them
UNFELT = {("biases of elements", name) for name in NAMES if name != "gough_stewart"}
