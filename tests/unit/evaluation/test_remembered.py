"""Poses that are asked for again are not sought again, and nobody can spoil what is kept."""

import dataclasses

import numpy as np

import gough
from cases import motion
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities import states
from gough.dynamics.quantities.placements import own_seats, with_seats
from gough.dynamics.quantities.states import Numbers
from robots import robot

NAME = "tilt_3rps"


def fresh():
    """The robot without anything that was remembered of it; its mass is nobody else's."""
    r = robot(NAME)
    first, *rest = r.bodies
    return dataclasses.replace(r, bodies=(dataclasses.replace(first, mass=0.123), *rest))


def test_methods_share_what_is_found_at_a_pose(monkeypatch, strangers):
    r, state = fresh(), motion(NAME, 2)
    sought = []
    posed = states.posed
    monkeypatch.setattr(
        states, "posed", lambda *args, **options: sought.append(0) or posed(*args, **options)
    )
    for method in METHODS:
        gough.inverse_dynamics(r, state, method=method)
        gough.motor_rates(r, state)
    assert len(sought) == len(state.T_0p)


def test_answers_are_the_same_to_the_last_bit(strangers):
    r, state = fresh(), motion(NAME, 3)
    first = gough.inverse_dynamics(r, state)
    for method in METHODS:
        gough.inverse_dynamics(r, state, method=method)
    np.testing.assert_array_equal(gough.inverse_dynamics(r, state), first)
    np.testing.assert_array_equal(gough.inverse_dynamics(fresh(), state), first)


def test_nobody_writes_into_what_is_remembered(strangers):
    r, state = fresh(), motion(NAME)
    own = state.T_0p[0].copy()
    first = gough.inverse_dynamics(r, gough.State(own, state.V_0p[0], state.Vdot_0p[0]))
    expected = first.copy()
    first[:] = np.nan
    own[2, 3] += 0.01  # its z is free
    np.testing.assert_array_equal(gough.inverse_dynamics(r, state[0]), expected)
    assert not np.array_equal(
        gough.inverse_kinematics(r, state.T_0p[0]), gough.inverse_kinematics(r, own)
    )


def test_few_poses_are_kept(strangers):
    r = fresh()
    T = motion(NAME, 40).T_0p
    with gough.options(engine="numpy"):
        gough.motor_rates(r, T)
    for late in (states._equations_of_late, states._solutions_of_late):
        assert 0 < len(late(r.assembly)) <= 16


def test_joints_that_sit_elsewhere_have_equations_of_their_own(strangers):
    r, T = fresh(), motion(NAME).T_0p
    described = r.assembly
    elsewhere = with_seats(described, own_seats(r))
    for assembly in (described, elsewhere, described, elsewhere):
        state = Numbers().at(assembly, T[0])
        assert state.at.topology is assembly.topology
        assert state.solution.equations is state.at
