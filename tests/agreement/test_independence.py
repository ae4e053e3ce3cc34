"""Four theories are four witnesses: a mistake in one does not move the others.

Each formula of one theory is made wrong in turn, and whose efforts and accelerations move is
looked at.  Description, positions, friction laws and the linear solver are shared by all.
"""

import pytest

import gough
from cases import loaded
from gough.dynamics.methods import METHODS
from gough.dynamics.shared import masses
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.inverse import posed
from gough.kinematics.motion import Kinematics
from mistakes import ALL, BEGIN, END, MISTAKES, PAGE, lines
from robots import random_freedoms, relative

NAMES = ["five_bar", "delta", "gough_stewart", "quattro", "tilt_3rps"]


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
    r = loaded(name)
    state = [a[0] for a in gough.state(r, *random_freedoms(name, 1, 0.08, seed=11))]
    tau = gough.inverse_dynamics(r, *state, engine="numpy")
    before = _answers(r, state, tau)
    places, attribute, make, guilty = MISTAKES[mistake]
    for place in places:
        monkeypatch.setattr(place, attribute, make(getattr(place, attribute)))
    for kept in ("_KNOWN", "_BASE"):  # masses of links, worked out before
        monkeypatch.setattr(masses, kept, type(getattr(masses, kept))())
    after = _answers(r, state, tau)
    moved = {
        m: max(relative(a, b) for a, b in zip(before[m], after[m], strict=True)) for m in METHODS
    }
    for method in ALL - guilty:
        assert moved[method] < 1e-12, method  # other pivots may be taken, which is rounding
    if (mistake, name) not in UNFELT:
        assert min(moved[method] for method in guilty) > 1e-6  # the mistake is one


# the axes of joints change in all but planar robots; of these, only struts have inertia about them
UNFELT = {("biases of elements", name) for name in NAMES if name != "gough_stewart"}


def test_the_page_lists_what_is_shared():
    """What moves one method, and what moves all of them: `python tests/mistakes.py --write`."""
    text = PAGE.read_text(encoding="utf-8")
    written = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    assert written.strip().splitlines() == lines()
