"""Machines with serial axes, below and above their loops: one machine, whatever it is made of."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import gough
from engine_loops import Closed
from engines import ENGINES, Load, Wrench, need_engine
from gough.errors import FileError
from gough.mechanism.serial import serial_parts
from hybrids import CASES, hybrid, moving
from robots import relative

METHODS = ("legs", "elements", "screws", "tree")
pytestmark = pytest.mark.parametrize("case", CASES)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gough.GoughWarning)
        yield


def state(case):
    return next(moving(case, 1))


def test_the_serial_axes_are_found(case):
    _, below, above, wrist = CASES[case]
    wanted = {*below, *above, *([wrist] if wrist else [])}
    assert {*hybrid(case).serial_axes} == wanted
    assert hybrid(case).serial_axes == tuple(m for m in hybrid(case).motors if m in wanted)


@pytest.mark.parametrize("method", METHODS)
def test_methods_agree_and_kernels_with_them(case, method):
    machine, (T, V, Vdot, serial) = hybrid(case), state(case)
    tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial, engine="numpy")
    options = {"serial": serial, "method": method}
    # kernels of the other methods are made of the same lines: two machines show it
    compiled = method == "legs" or case in ("track_and_table", "wrist_above")
    for engine in ("numpy", "compiled") if compiled else ("numpy",):
        found = gough.inverse_dynamics(machine, T, V, Vdot, engine=engine, **options)
        assert relative(found, tau) < 1e-11  # sums over all bodies
        back = gough.direct_dynamics(machine, T, V, tau, engine=engine, **options)
        assert relative(back, np.concatenate([Vdot, serial.qdd])) < 1e-9  # inertia: condition 1e4


def test_joint_motion_is_that_of_the_posture(case):
    machine, (T, V, Vdot, serial) = hybrid(case), state(case)
    at = gough.posture(machine, T, V, Vdot, serial=serial)
    assert at.closure < 1e-12
    tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial)
    answers = (
        (at.joints, gough.inverse_geometry(machine, T, serial=serial)),
        (at.joint_rates, gough.inverse_velocity(machine, T, V, serial=serial)),
        (at.joint_accelerations, gough.inverse_acceleration(machine, T, V, Vdot, serial=serial)),
        (at.joint_accelerations, gough.joint_accelerations(machine, T, V, tau, serial=serial)),
    )
    for of_all, of_motors in answers:
        wanted = np.array([of_all[name] for name in machine.motors])
        np.testing.assert_allclose(of_motors, wanted, atol=1e-9 * max(1.0, np.abs(wanted).max()))
    p = machine.platform
    frame = machine.platform_frame.matrix
    np.testing.assert_allclose(at.bodies[p] @ frame, T, atol=1e-12)


@pytest.mark.parametrize("kind", ENGINES)
def test_engines_agree_under_loads(case, kind):
    """Forces on a serial body and on one of the core, a payload, friction, rotors and springs."""
    need_engine(ENGINES[kind].module)
    machine = replace(hybrid(case), gravity=(1.0, -2.0, -9.0))
    pushed = [machine.bodies[-1].name, machine.bodies[0].name, machine.platform]
    rng = np.random.default_rng(4)
    wrenches = [Wrench(name, *rng.normal(size=(3, 3))) for name in pushed]
    inertia = np.diag([2e-3, 3e-3, 4e-3])
    payload = Load(0.4, np.array([0.01, 0.02, -0.03]), inertia)
    loads = gough.Loads(
        forces=[gough.Force(w.body, w.f, w.n, w.point) for w in wrenches],
        payload=gough.Payload(payload.mass, payload.center, payload.inertia),
    )
    for T, V, Vdot, serial in moving(case):
        at = gough.posture(machine, T, V, Vdot, serial=serial)
        closed = Closed(ENGINES[kind](machine, None, payload), at.bodies, at.twists, wrenches)
        a = closed.accelerations(at.twist_rates)
        assert np.abs(closed.J_c @ a + closed.drift_c).max() < 1e-9  # of 1e2 m/s^2
        for name in at.bodies:
            np.testing.assert_allclose(closed.twist(name), at.twists[name], atol=1e-10)
            np.testing.assert_allclose(closed.twist_rate(name, a), at.twist_rates[name], atol=1e-9)
        tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial, loads=loads)
        found, left = closed.inverse_dynamics(a)
        assert left < 1e-9, "loop forces leave something over"
        assert relative(tau, found) < 1e-9  # as in test_engines
        back = closed.direct_dynamics(tau)
        np.testing.assert_allclose(back, a, atol=1e-7 * max(1.0, np.abs(a).max()))


def test_the_core_may_rest_on_what_moves(case):
    """What is left of a large motion in space is its rounding: no leg forbids that."""
    machine = hybrid(case)
    parts = serial_parts(machine.assembly)
    core, n = parts.core, len(parts.axes)
    q = parts.home(machine.assembly)
    serial = gough.SerialAxes(q, np.linspace(1.0, 2.0, n), np.linspace(-3.0, 1.0, n))
    T, V, Vdot = gough.serial_state(machine, core.home_pose, serial=serial)
    at = gough.posture(machine, T, V, Vdot, serial=serial)
    rates = [at.joint_rates[name] for name in core.motors]
    # rounding of the motion in space, through the Jacobian of the core
    assert np.abs(rates).max() < 1e-12 * max(1.0, np.abs(V).max()) / min(core.length, 1.0)
    for engine in ("numpy", "compiled"):
        tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial, engine=engine)
        assert np.isfinite(tau).all()


def test_a_posture_without_accelerations_is_that_of_the_bias_motion(case):
    machine, (T, V, _, serial) = hybrid(case), state(case)
    at = gough.posture(machine, T, V, serial=serial)
    Vdot = at.twist_rates[machine.platform]
    R = at.bodies[machine.platform][:3, :3]
    r = R @ np.array(machine.platform_frame.position)
    w, wd = V[3:], Vdot[3:]
    Vdot = np.concatenate([Vdot[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r)), wd])
    again = gough.posture(machine, T, V, Vdot, serial=serial)
    for name, value in at.joint_accelerations.items():
        assert np.abs(value - again.joint_accelerations[name]).max() < 1e-8  # speeds of about 10


def test_axes_at_rest_are_as_good_as_locked(case):
    """Held where they are, the machine is a plain parallel robot, which other tests know."""
    machine, (T, _, _, serial) = hybrid(case), state(case)
    at = gough.posture(machine, T, serial=gough.SerialAxes(serial.q))
    held = replace(
        machine,
        motors=tuple(m for m in machine.motors if m not in machine.serial_axes),
        locked=machine.serial_axes,
        home=gough.Home(
            {name: gough.Frame.from_matrix(pose) for name, pose in at.bodies.items()},
            dict(zip(machine.serial_axes, serial.q, strict=True)),
        ),
    )
    rest = np.zeros(6)
    tau = gough.inverse_dynamics(machine, T, rest, rest, serial=gough.SerialAxes(serial.q))
    plain = gough.inverse_dynamics(held, T, rest, rest)
    wanted = [t for name, t in zip(machine.motors, tau, strict=True) if name in held.motors]
    assert relative(plain, np.array(wanted)) < 1e-9


def test_files_keep_it(case, tmp_path):
    """Written and read again, and from all formats that can hold it, the same efforts."""
    machine, (T, V, Vdot, serial) = hybrid(case), state(case)
    tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial)
    held = 0
    for suffix in ("yaml", "xml", "urdf", "sdf"):
        path = tmp_path / f"hybrid.{suffix}"
        try:
            gough.save(machine, path)
        except FileError as err:
            assert "cannot hold" in err.message  # noqa: PT017
            continue
        held += 1
        back = gough.load(path)
        # of a screw the angle is driven; joints and bodies of SDF share no name
        ours = [n.removesuffix("_angle").removesuffix("_joint") for n in back.motors]
        assert sorted(ours) == sorted(machine.motors)
        names = dict(zip(ours, back.motors, strict=True))
        at = {name: k for k, name in enumerate(machine.serial_axes)}
        home, again = machine.assembly.home_values, back.assembly.home_values
        moved = [  # coordinates of some formats count from home
            {names[n]: x[k] for n, k in at.items()} for x in (serial.q, serial.qd, serial.qdd)
        ]
        moved[0] = {names[n]: moved[0][names[n]] + again[names[n]] - home[n] for n in at}
        on = gough.SerialAxes(*moved)
        found = gough.inverse_dynamics(back, T, V, Vdot, serial=on)
        found = dict(zip(ours, found, strict=True))
        assert relative(np.array([found[name] for name in machine.motors]), tau) < 1e-9
    assert held > 1


def test_the_certificate_has_all_motors(case):
    """Power balance, of all bodies and motors, is a law that no method took part in."""
    machine = hybrid(case)
    forces = [gough.Force(body.name, (1.0, -2.0, 3.0), (0.1, 0.2, -0.1)) for body in machine.bodies]
    moving_base = gough.BaseMotion((1.0, 2.0, 9.0), (0.3, -0.2, 0.5), (1.0, 0.0, -2.0))
    T, V, Vdot, serial = state(case)
    for loads in (None, gough.Loads(forces, payload=0.3), gough.Loads(base=moving_base)):
        found = gough.audit(machine, T, V, Vdot, serial=serial, loads=loads)
        assert found.passed, found
        tau = gough.inverse_dynamics(machine, T, V, Vdot, serial=serial, loads=loads)
        for efforts in found.efforts.values():
            assert relative(efforts, tau) < 1e-11
    wrong = gough.SerialAxes(serial.q, serial.qd, serial.qdd + 0.5)
    if machine.platform == "platform" and case == "table_below":
        other = gough.inverse_dynamics(machine, T, V, Vdot, serial=wrong)
        assert relative(other, tau) > 1e-3  # it is felt
