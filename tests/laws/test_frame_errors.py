"""Reactions are the derivatives of the platform's pose by errors of joint frames: virtual work.

With motors held, let frame A of a joint on its parent be displaced by a small twist ``e_A`` and
frame B on its child by ``e_B``, each about its origin and in its own axes.  The child then moves
against the parent by ``e_A - e_B``, besides what the joint leaves free.  Without weight, a wrench W
on the platform and the wrenches ``w`` of all joints, from parent on child, do no work together::

    W . dX = - sum(w_A . e_A) + sum(w_B . e_B)

where ``dX`` is the platform's displacement, ``w_A`` the reaction in frame A, ``w_B`` the same in B.
The left side is found by closing the loops of displaced machines in maximal coordinates.
"""

from functools import cache

import numpy as np
import pytest

import gough
from closing import closed_many, openings
from loops import Loops, vectors
from measuring import platform, reachable
from robots import robot

# machines with unique reactions, hexapod, Delta and 3-RPS, and over-constrained ones
NAMES = ["gough_stewart", "delta", "tilt_3rps", "five_bar", "three_rrr"]
OVER_CONSTRAINED = ["five_bar", "three_rrr", "quattro"]
STEP = 1e-5
"""Of differences, natural units: squares, 1e-10, and rounding over it, 1e-10, are alike."""


@cache
def state(name):
    """A machine in a state far from home and from symmetry: loops, motors, bodies, pose."""
    r, states = robot(name), reachable(name, 2)
    loops, bodies = Loops.of(r), states.bodies[1]
    return loops, states.motors[1], bodies, platform(r, bodies)


@cache
def by_virtual_work(name):
    """Pose by errors of frames ``(6, J, 2, 6)``, natural units, and which are determined."""
    loops, _, _, T = state(name)
    r, units = loops.robot, np.array([loops.length] * 3 + [1.0] * 3)
    # unit wrenches after none at all, which weight alone has
    wrenches = np.vstack([np.zeros(6), np.eye(6)]) / units
    push = gough.Force(r.platform, wrenches[:, :3], wrenches[:, 3:], r.platform_frame.position)
    at_rest = np.tile(T, (7, 1, 1)), np.zeros((7, 6)), np.zeros((7, 6))
    found, known = [], []
    for frame, sign in (("parent", -1.0), ("child", 1.0)):
        with gough.options(engine="numpy"):
            w = gough.reactions(r, gough.State(*at_rest), frame=frame, loads=gough.Loads([push]))
        found.append(sign * (w.wrench[1:] - w.wrench[0]) * units)
        known.append(w.unique[0])
    return np.stack(found, axis=2), np.stack(known, axis=1).astype(bool)


def displaced(name, places, step):
    """Machines with one component of one frame displaced each."""
    loops = state(name)[0]
    errors = np.zeros((len(places), len(loops.robot.joints), 2, 6))
    errors[np.arange(len(places)), *places.T] = step * np.where(places[:, 2] < 3, loops.length, 1.0)
    return loops.displaced(errors)


@pytest.mark.parametrize("name", NAMES)
def test_reactions_are_derivatives_of_the_pose(name):
    expected, known = by_virtual_work(name)
    loops, q, bodies, _ = state(name)
    places = np.argwhere(known)
    after, before = (
        platform(loops.robot, closed_many(displaced(name, places, h), q, bodies))
        for h in (STEP, -STEP)
    )
    moves = np.empty((len(places), 6))
    moves[:, :3] = (after - before)[:, :3, 3] / loops.length
    moves[:, 3:] = vectors(after[:, :3, :3] @ before[:, :3, :3].swapaxes(1, 2))
    moves /= 2.0 * STEP
    scale = np.abs(expected).max()
    # squares of steps times third derivatives: a hundred times the first ones where legs of the
    # planar machine are nearly stretched, one in the others
    assert np.abs(moves.T - expected[:, known]).max() < 1e-7 * scale
    assert scale > 0.5  # the platform follows
    assert known.all() == (name not in OVER_CONSTRAINED)


@pytest.mark.parametrize("name", OVER_CONSTRAINED)
def test_loops_do_not_admit_errors_whose_reactions_are_not_unique(name):
    """They open loops at first order, others at most at second, as in the Quattro's nacelle."""
    _, q, bodies, _ = state(name)
    _, known = by_virtual_work(name)
    admitted, refused = (
        openings(displaced(name, np.argwhere(which), STEP), q, bodies) / STEP
        for which in (known, ~known)
    )
    # the square of a step is 1e-5 of it; some errors of the nacelle are felt by lengths of 1e-3
    assert admitted.max() < 1e-6
    assert refused.min() > 1e-4
