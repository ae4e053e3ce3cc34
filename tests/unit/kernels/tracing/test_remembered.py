"""Poses that are asked for again are not sought again, and nobody can spoil what is kept."""

import dataclasses

import numpy as np

import gough
from cases import motion
from gough.dynamics.methods import METHODS
from gough.kernels.tracing import checked
from gough.kernels.tracing.seating import own_seats, with_seats
from gough.kernels.tracing.variant import Variant
from robots import robot

NAME = "tilt_3rps"


def fresh():
    """The robot without anything that was remembered of it; its mass is nobody else's."""
    r = robot(NAME)
    first, *rest = r.bodies
    return dataclasses.replace(r, bodies=(dataclasses.replace(first, mass=0.123), *rest))


def test_methods_share_what_is_found_at_a_pose(monkeypatch, strangers):
    r, (T, V, Vdot) = fresh(), motion(NAME, 2)
    sought = []
    posed = checked.posed
    monkeypatch.setattr(
        checked, "posed", lambda *args, **options: sought.append(0) or posed(*args, **options)
    )
    for method in METHODS:
        gough.inverse_dynamics(r, T, V, Vdot, method=method)
        gough.inverse_velocity(r, T, V)
    assert len(sought) == len(T)


def test_answers_are_the_same_to_the_last_bit(strangers):
    r, (T, V, Vdot) = fresh(), motion(NAME, 3)
    first = gough.inverse_dynamics(r, T, V, Vdot)
    for method in METHODS:
        gough.inverse_dynamics(r, T, V, Vdot, method=method)
    np.testing.assert_array_equal(gough.inverse_dynamics(r, T, V, Vdot), first)
    np.testing.assert_array_equal(gough.inverse_dynamics(fresh(), T, V, Vdot), first)


def test_nobody_writes_into_what_is_remembered(strangers):
    r, (T, V, Vdot) = fresh(), motion(NAME)
    own = T[0].copy()
    first = gough.inverse_dynamics(r, own, V[0], Vdot[0])
    expected = first.copy()
    first[:] = np.nan
    own[2, 3] += 0.01  # its z is free
    np.testing.assert_array_equal(gough.inverse_dynamics(r, T[0], V[0], Vdot[0]), expected)
    assert not np.array_equal(gough.inverse_geometry(r, T[0]), gough.inverse_geometry(r, own))


def test_few_poses_are_kept(strangers):
    r = fresh()
    T, *_ = motion(NAME, 40)
    gough.inverse_velocity(r, T, np.zeros(6))
    for name in ("equations of late", "solutions of late"):
        assert 0 < len(r.assembly.cached(name, lambda _: {})) <= 16


def test_joints_that_sit_elsewhere_have_equations_of_their_own(strangers):
    r, (T, *_) = fresh(), motion(NAME)
    described = r.assembly
    elsewhere = with_seats(described, own_seats(r))
    for assembly in (described, elsewhere, described, elsewhere):
        state = checked.Checked(assembly, Variant("legs")).state(T[0])
        assert state.at.topology is assembly.topology
        assert state.solution.equations is state.at
