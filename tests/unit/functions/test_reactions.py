"""Reactions by kernels: those of NumPy, whatever acts, and NumPy's word where a kernel doubts."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.dynamics.answers.free_bodies import fixed_pivots
from loaded import case
from robots import random_freedoms, relative, robot

# redundant motors, loops within a nacelle and over-constraint, balls on a plane, frozen spins
LOADED = ("four_rrr", "quattro", "c5", "delta_with_balls")
# two ways through the same sums, each exact to 1e-15 times condition numbers of about 100
AGREE = 1e-12


@pytest.mark.parametrize("name", LOADED)
def test_of_a_robot_with_everything_on_it(name, asked):
    """Friction, rotors, springs, pushes, a payload: compiled is NumPy, and NumPy is not asked."""
    known = case(name)
    asked.clear()
    with gough.options(engine="compiled"):
        found = gough.reactions(known.robot, known.state, loads=known.loads)
    assert not asked
    assert relative(found.wrench, known.parent.wrench) < AGREE
    assert np.array_equal(found.unique, known.parent.unique)
    assert relative(found.ground, known.parent.ground) < AGREE
    assert np.abs(found.frozen - known.parent.frozen).max(initial=0.0) < 1e-9


def test_seen_from_the_child_under_given_efforts(asked):
    known = case("four_rrr")
    options = {"loads": known.loads, "frame": "child", "tau": known.tau}
    asked.clear()
    with gough.options(engine="compiled"):
        found = gough.reactions(known.robot, known.state, **options)
    assert not asked
    assert relative(found.wrench, known.child.wrench) < AGREE
    assert np.array_equal(found.unique, known.child.unique)


def test_unit_forces_of_many_states_are_inputs_of_one_kernel(asked):
    """At rest reactions are linear in the forces: what a batch of unit wrenches is for."""
    r = robot("delta")
    T = gough.state(r, random_freedoms("delta", 40, 0.1)[0]).T_0p
    none = gough.Loads(forces=[gough.Force(r.platform, np.zeros(3))])
    units = np.eye(3)[:, None]
    loads = gough.Loads(forces=[gough.Force(r.platform, units)])
    asked.clear()  # of the poses
    found = gough.reactions(r, T, loads=loads)
    assert not asked
    weight = gough.reactions(r, T, loads=none)
    by_unit = found.wrench - weight.wrench
    f = np.array([3.0, -20.0, 7.0])
    push = gough.Loads(forces=[gough.Force(r.platform, f)])
    with gough.options(engine="numpy"):
        other = gough.reactions(r, T[:2], loads=push)
    expected = np.tensordot(f, by_unit, axes=1)[:2] + weight.wrench[:2]
    assert relative(other.wrench, expected) < AGREE


def test_efforts_of_another_motion_are_refused_by_name():
    r = robot("delta")
    state = gough.state(r, *random_freedoms("delta", 3, 0.1))
    tau = gough.inverse_dynamics(r, state)
    tau[1, 2] *= 1.001
    with (
        pytest.raises(gough.errors.InputError, match=r"sample 1: .*efforts do not produce"),
        gough.options(engine="compiled"),
    ):
        gough.reactions(r, state, tau=tau)
    with gough.options(engine="compiled"):
        found = gough.reactions(r, state, tau=tau, on_error="nan")
    assert np.isnan(found.wrench).any(axis=(1, 2)).tolist() == [False, True, False]


def test_efforts_with_few_digits_are_left_to_numpy(asked):
    """Seven digits: bodies are out of balance by little, and NumPy balances them as evenly."""
    r = robot("four_rrr")
    state = gough.state(r, *random_freedoms("four_rrr", 2, 0.1))
    tau = gough.inverse_dynamics(r, state).astype(np.float32).astype(float)
    asked.clear()
    with gough.options(engine="compiled"):
        found = gough.reactions(r, state, tau=tau)
    assert len(asked) == 2
    with gough.options(engine="numpy"):
        known = gough.reactions(r, state, tau=tau)
    assert np.array_equal(found.wrench, known.wrench)


def test_wrenches_internal_to_a_part_are_found_there():
    """Each parallelogram of an orthoglide may be pinched in three ways, its platform in three."""
    pivots = fixed_pivots(robot("orthoglide").assembly)
    assert [len(columns) for _, columns in pivots.parts] == [3, 3, 3]
    assert len(pivots.spare) == 3


def test_a_long_run_of_numpy_reports_its_progress():
    r = robot("five_bar")
    state = gough.state(r, *random_freedoms("five_bar", 4, 0.1))
    shares: list[float] = []
    with gough.options(engine="numpy"):
        gough.reactions(r, state, progress=shares.append)
    assert shares == [0.0, 0.25, 0.5, 0.75, 1.0]
    with pytest.raises(gough.errors.InputError, match="progress is 3"):
        gough.reactions(r, state, progress=3)
