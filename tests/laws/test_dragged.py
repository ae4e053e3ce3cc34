"""Idle spins that joints drag along: rods between two balls, in all theories and in kernels."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import gough
from dragging import CASES, dragged
from gough.robot.joint import DRAGS
from robots import relative
from round_trips import states

METHODS = ("legs", "elements", "screws", "tree")


@pytest.fixture(scope="module", params=CASES)
def machine(request):
    return dragged(request.param)


def motion(machine):
    return next(states(machine, 1))


def test_every_rod_has_one_idle_spin_that_is_dragged(machine):
    locks = [lock for own in machine.assembly.locks.legs for lock in own]
    assert len(machine.assembly.idle) == len(locks) == 6
    drags = {joint.name: joint for joint in machine.joints if joint.idle == DRAGS}
    for leg, (lock,) in zip(
        machine.assembly.topology.legs, machine.assembly.locks.legs, strict=True
    ):
        rod = leg.tree.body_on(lock.link)
        beside = [
            j.child if j.parent == rod else j.parent
            for j in drags.values()
            if rod in (j.parent, j.child)
        ]
        assert sorted(lock.beside) == sorted(beside)


def test_a_dragged_spin_is_the_mean_of_the_bodies_beside_it(machine):
    state = motion(machine)
    at = gough.posture(machine, state)
    for leg, (lock,) in zip(
        machine.assembly.topology.legs, machine.assembly.locks.legs, strict=True
    ):
        rod = leg.tree.body_on(lock.link)
        mount = leg.tree.bodies[rod]
        x = at.bodies[rod][:3, :3] @ mount.R.T @ lock.axis
        w, wd = at.twists[rod][3:], at.twist_rates[rod][3:]
        others = [(at.twists[b][3:], at.twist_rates[b][3:]) for b in lock.beside]
        spin = np.mean([x @ w_b for w_b, _ in others])
        np.testing.assert_allclose(x @ w, spin, atol=1e-11)
        # the derivative of x . (omega - omega_b), x turning with the rod
        rate = np.mean([x @ wd_b + np.cross(w, x) @ w_b for w_b, wd_b in others])
        np.testing.assert_allclose(x @ wd, rate, atol=1e-10 * np.abs(wd).max())


def test_all_theories_and_kernels_agree(machine):
    state = motion(machine)
    tau = gough.inverse_dynamics(machine, state)
    for method in METHODS:
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                efforts = gough.inverse_dynamics(machine, state, method=method)
                found = gough.forward_dynamics(machine, state, tau, method=method)
            assert relative(efforts, tau) < 1e-11
            assert relative(found.Vdot_0p, state.Vdot_0p) < 1e-9
    assert gough.audit(machine, state).passed


def test_rotors_of_balls_are_felt_in_efforts_energy_and_regressor():
    machine = dragged("mixed")
    state = motion(machine)
    bare = replace(machine, joints=tuple(replace(j, axes=()) for j in machine.joints))
    light = replace(
        machine,
        joints=tuple(
            replace(j, axes=(replace(j.axes[0], rotor_inertia=0.0),)) if j.idle else j
            for j in machine.joints
        ),
    )
    tau = gough.inverse_dynamics(machine, state)
    assert relative(gough.inverse_dynamics(light, state), tau) > 1e-4
    assert relative(gough.inverse_dynamics(bare, state), tau) > 1e-4
    found = gough.regressor(machine, state)
    balls = [j.name for j in machine.joints if j.kind == "spherical"]
    assert {f"{name}.rotor" for name in balls} <= set(found.names)
    assert relative(found.W @ found.chi, tau) < 1e-10


def test_the_drag_is_felt(machine):
    """Dragging makes light rods turn otherwise than in space: efforts are others, by little."""
    state = motion(machine)
    free = replace(machine, joints=tuple(replace(j, idle="") for j in machine.joints))
    with pytest.warns(gough.GoughWarning, match="frozen in all models"):
        other = gough.inverse_dynamics(free, state)
    change = relative(gough.inverse_dynamics(machine, state), other)
    assert 1e-9 < change < 1e-2


def test_reactions_balance_every_body(machine):
    """What drags a rod along is felt by the bodies beside it."""
    state = motion(machine)
    loads = gough.Loads(friction=False, rotors=False)
    found = gough.reactions(machine, state, loads=loads)
    tau = gough.inverse_dynamics(machine, state, loads=loads)
    along = [found[name][5] for name in machine.motors]
    np.testing.assert_allclose(along, tau, rtol=1e-9)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler")
@pytest.mark.parametrize("case", ["near", "both"])
def test_code_in_c_shares_legs_and_tests_itself(case, tmp_path):
    code, _ = gough.export_c(dragged(case), "inverse_dynamics", tmp_path, legs="shared")
    program = tmp_path / "program"
    command = ["gcc", "-O0", "-DGOUGH_SELF_TEST", str(code), "-o", str(program), "-lm"]
    subprocess.run(command, check=True, timeout=120)
    subprocess.run([program], check=True, timeout=60)


def test_a_file_keeps_what_drags(machine, tmp_path):
    gough.save(machine, tmp_path / "m.yaml")
    again = gough.load(tmp_path / "m.yaml")
    assert [j.idle for j in again.joints] == [j.idle for j in machine.joints]


def test_a_spin_stands_between_the_smallest_swings():
    """Twisted as far against the arm as against the platform, each as at home if it drags alone."""
    one, other, both = (dragged(case) for case in ("near", "far", "both"))
    T = motion(one).T_0p
    rods = [f.bodies[0] for f in one.assembly.idle]
    a, b, c = (gough.posture(m, T).bodies for m in (one, other, both))
    for rod in rods:
        R_a, R_b, R_c = (each[rod][:3, :3] for each in (a, b, c))
        assert np.abs(R_a - R_b).max() > 1e-4
        np.testing.assert_allclose(R_a.T @ R_c, R_c.T @ R_b, atol=1e-12)


def test_other_words_are_refused():
    machine = dragged("near")
    first = next(j for j in machine.joints if j.idle == DRAGS)
    with pytest.raises(gough.GoughError, match="expected 'locked' or 'drags'"):
        replace(first, idle="slips")
