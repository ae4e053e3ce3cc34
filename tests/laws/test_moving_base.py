"""A machine whose base moves: on a vehicle, a ship, a track, another machine."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import InputError
from gough.kinematics.serial import SerialMotion
from gough.mechanism.closure.recursion import turned
from gough.mechanism.serial import serial_parts
from hybrids import figures, hybrid, moving
from robots import SQUARE_NAMES, UNFROZEN_NAMES, relative, robot
from round_trips import states

METHODS = ("legs", "elements", "screws", "tree")
NAMES = [name for name in SQUARE_NAMES if name in UNFROZEN_NAMES]
# one of each make: planar, parallelograms, nacelle, six struts, over-constrained, contacts
FEW = ["five_bar", "delta", "quattro", "gough_stewart", "orthoglide", "c5"]


def some_motion():
    rng = np.random.default_rng(2)
    return gough.BaseMotion(*(rng.normal(size=3) * size for size in (6.0, 2.0, 4.0)))


def one_state(name):
    return next(states(robot(name), 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_base_at_rest_feels_gravity_alone(name):
    machine, state = robot(name), one_state(name)
    rest = gough.Loads(base=gough.BaseMotion(-np.array(machine.gravity)))
    tau = gough.inverse_dynamics(machine, state)
    # sums in another order
    assert relative(gough.inverse_dynamics(machine, state, loads=rest), tau) < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_a_base_that_accelerates_feels_another_gravity(name):
    """Einstein's lift."""
    machine, state = robot(name), one_state(name)
    felt = np.array([3.0, -2.0, 8.0])
    lifted = gough.Loads(base=gough.BaseMotion(felt))
    elsewhere = replace(machine, gravity=tuple(-felt))
    wanted = gough.inverse_dynamics(elsewhere, state)
    assert relative(gough.inverse_dynamics(machine, state, loads=lifted), wanted) < 1e-12


@pytest.mark.parametrize("name", FEW)
def test_methods_agree_and_kernels_with_them(name):
    machine, state = robot(name), one_state(name)
    loads = gough.Loads(base=some_motion())
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(machine, state, loads=loads)
    assert relative(gough.inverse_dynamics(machine, state), tau) > 1e-2  # it is felt
    for method in METHODS:
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                efforts = gough.inverse_dynamics(machine, state, method=method, loads=loads)
                found = gough.forward_dynamics(machine, state, tau, method=method, loads=loads)
            assert relative(efforts, tau) < 1e-11
            assert relative(found.Vdot_0p, state.Vdot_0p) < 1e-9
    found = gough.audit(machine, state, loads=loads)
    assert found.passed


@pytest.mark.parametrize("name", FEW)
def test_efforts_on_a_turntable_are_the_slope_of_the_centrifugal_potential(name):
    """At rest on a table that turns evenly: ``U = -1/2 integral |omega x r|^2 dm``, no gravity."""
    machine = robot(name)
    omega = np.array([0.7, -1.1, 1.6])
    loads = gough.Loads(base=gough.BaseMotion((0, 0, 0), omega), friction=False)
    springless = [replace(a, spring=None) for j in machine.joints for a in j.axes]
    assert springless == [a for j in machine.joints for a in j.axes]  # no other potential
    n, home = machine.mobility, machine.assembly.chart.coordinates(machine.home_pose)
    x = home[list(machine.assembly.free)] + 0.02 * machine.length * np.arange(1, n + 1) / n

    def potential(at):
        bodies = gough.posture(machine, gough.state(machine, at).T_0p).bodies
        found = 0.0
        for body in machine.bodies:
            T = bodies[body.name]
            R, c = T[:3, :3], T[:3, :3] @ np.array(body.center) + T[:3, 3]
            v = np.cross(omega, c)
            turning = omega @ R @ np.array(body.inertia) @ R.T @ omega
            found -= 0.5 * (body.mass * v @ v + turning)
        return found

    h = 1e-5 * np.array([machine.length if f in "xyz" else 1.0 for f in machine.freedoms])
    slope = [(potential(x + d) - potential(x - d)) for d in np.diag(h)] / (2 * h)
    T = gough.state(machine, x).T_0p
    tau = gough.inverse_dynamics(machine, T, loads=loads)
    # rates of the freedoms, not components of the twist: the chart is between them
    V = np.array([gough.state(machine, x, unit).V_0p for unit in np.eye(n)]).T
    rates = np.array([gough.motor_rates(machine, gough.State(T, column)) for column in V.T]).T
    np.testing.assert_allclose(rates.T @ tau, slope, atol=1e-7 * np.abs(slope).max())


@pytest.mark.parametrize("case", ["table_below", "track_and_table", "nacelle_on_track"])
def test_a_robot_on_a_turntable_is_a_robot_whose_base_moves(case):
    """The serial axes, which engines have confirmed, as the motion of the base in space."""
    machine = hybrid(case)
    bare = replace(machine, motors=machine.motors)
    parts = serial_parts(bare.assembly)
    state = next(moving(case, 1))
    around = SerialMotion(parts, *figures(state))
    v, w, a, wd = turned(around.carrier.R, around.carried())
    T_0b = np.eye(4)
    T_0b[:3, :3], T_0b[:3, 3] = around.carrier
    base = gough.BaseMotion.of(T_0b, [*v, *w], [*a, *wd], machine.gravity)
    core = parts.core
    on_core = gough.State(*around.to_core(*state.arrays))
    found = gough.inverse_dynamics(core, on_core, loads=gough.Loads(base=base))
    if parts.above:  # what hangs on the core is not part of it
        return
    tau = gough.inverse_dynamics(machine, state)
    wanted = [tau[machine.motors.index(name)] for name in core.motors]
    assert relative(found, np.array(wanted)) < 1e-11


def test_motions_of_the_base_may_be_many():
    machine, state = robot("delta"), one_state("delta")
    rng = np.random.default_rng(6)
    many = gough.BaseMotion(*rng.normal(size=(3, 5, 3)))
    taus = gough.inverse_dynamics(machine, state, loads=gough.Loads(base=many))
    assert taus.shape == (5, 3)
    for k in range(5):
        loads = gough.Loads(base=many).at(k)
        assert relative(gough.inverse_dynamics(machine, state, loads=loads), taus[k]) < 1e-12


def test_reactions_and_the_wrench_of_the_base_are_in_balance():
    """The base exerts what all bodies take: their momentum in space, by hand."""
    machine, state = robot("gough_stewart"), one_state("gough_stewart")
    base = some_motion()
    at = gough.posture(machine, state)
    force = np.zeros(3)
    for body in machine.bodies:
        R = at.bodies[body.name][:3, :3]
        c = R @ np.array(body.center)
        (v, w), (a, wd) = np.split(at.twists[body.name], 2), np.split(at.twist_rates[body.name], 2)
        r, v = at.bodies[body.name][:3, 3] + c, v + np.cross(w, c)
        a = a + np.cross(wd, c) + np.cross(w, np.cross(w, c))
        W, Wd = base.omega, base.alpha
        a = a + base.felt + np.cross(Wd, r) + np.cross(W, np.cross(W, r)) + 2 * np.cross(W, v)
        force += body.mass * a
    found = gough.reactions(machine, state, loads=gough.Loads(base=base)).ground
    np.testing.assert_allclose(found[:3], force, atol=1e-9 * np.abs(force).max())


@pytest.mark.parametrize("of", ["moving_base", "serial_axes"])
def test_c_functions_say_the_same(of, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("needs a C compiler")
    machine = hybrid("track_and_table") if of == "serial_axes" else robot("delta")
    loads = None if of == "serial_axes" else gough.Loads(base=some_motion())
    quantity = "serial_inverse_dynamics" if of == "serial_axes" else "inverse_dynamics"
    code, header = gough.export_c(machine, quantity, tmp_path, loads=loads)
    inputs = ("q_s", "qd_s", "qdd_s") if of == "serial_axes" else ("base_felt", "base_omega")
    assert all(name in header.read_text() for name in inputs)
    program = tmp_path / "program"
    command = ["gcc", "-O0", "-DGOUGH_SELF_TEST", str(code), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    subprocess.run([str(program)], check=True)


def test_what_needs_a_base_at_rest_refuses_one_that_moves():
    machine, state = robot("delta"), one_state("delta")
    loads = gough.Loads(base=some_motion())
    for call in (
        lambda: gough.energy(machine, state, loads=loads),
        lambda: gough.gravity_wrench(machine, state, loads=loads),
        lambda: gough.simulate(machine, state, 0.1, loads=loads),
        lambda: gough.elasticity(machine, state, loads=loads, estimate=True),
        lambda: gough.compile(machine, "energy", loads=loads),
    ):
        with pytest.raises(InputError, match="whose base rests"):
            call()
    with pytest.raises(InputError, match=r"loads\.base is \(0, 0, 9\.81\), expected gough\.BaseMo"):
        gough.Loads(base=(0, 0, 9.81))
    with pytest.raises(InputError, match=r"BaseMotion\.felt has shape \(2,\)"):
        gough.BaseMotion([1.0, 2.0])
    with pytest.raises(InputError, match="T: the upper left 3x3 is not a rotation"):
        gough.BaseMotion.of(np.stack([np.eye(4), np.diag([2.0, 1.0, 1.0, 1.0])]))
    bad = gough.Loads(base=gough.BaseMotion((0, 0, 9.81), (0, np.nan, 0)))
    with pytest.raises(InputError, match=r"loads\.base\.omega"):
        gough.inverse_dynamics(machine, state, loads=bad)


def test_serial_axes_are_checked():
    machine, state = hybrid("track_and_table"), next(moving("track_and_table", 1))
    bare = gough.State(*state.arrays)
    with pytest.raises(InputError, match="no internal coordinate 'track'"):
        gough.inverse_dynamics(robot("delta"), one_state("delta").replace(internal=state.internal))
    with pytest.raises(InputError, match="internal is list"):
        bare.replace(internal=[0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="no internal coordinate 'tabel'"):
        gough.inverse_dynamics(machine, bare.replace(internal={"tabel": 0.1}))
    with pytest.raises(InputError, match="share"):
        gough.inverse_dynamics(machine, state, share=gough.EffortSharing())
    with pytest.raises(gough.errors.FrozenFreedom, match="does not tell how they do"):
        gough.forward_dynamics(machine, bare, np.zeros(len(machine.motors)))
    with pytest.raises(InputError, match=r"internal\['table'\] is nan"):
        gough.inverse_dynamics(machine, bare.replace(internal={"table": np.nan}))
    # by name, in any order
    turned = state.replace(internal=dict(reversed(state.internal.items())))
    tau = gough.inverse_dynamics(machine, state)
    np.testing.assert_array_equal(gough.inverse_dynamics(machine, turned), tau)


def test_a_frozen_spin_on_a_base_that_turns_is_said():
    """A rod that is free stays behind; with a base that does not turn nothing is to be said."""
    machine = robot("hexapod_6rus")
    balls = [replace(j, kind="spherical", axes=()) for j in machine.joints if j.kind == "universal"]
    names = {joint.name for joint in balls}
    joints = (*(j for j in machine.joints if j.name not in names), *balls)
    machine = replace(machine, name="spinning", joints=joints)  # rods of revolution: exact at rest
    state = next(states(machine, 1))
    lifted = gough.Loads(base=gough.BaseMotion((0.0, 0.0, 12.0)))
    gough.inverse_dynamics(machine, state, loads=lifted)  # warnings are errors
    turned = gough.Loads(base=gough.BaseMotion((0.0, 0.0, 9.81), (0.0, 0.0, 1.0)))
    with pytest.warns(gough.GoughWarning, match="frozen relative to it"):
        gough.inverse_dynamics(machine, state, loads=turned)
