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
from hybrids import CASES, along, figures, hybrid, moving
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
    machine, moved = hybrid(case), state(case)
    rates = np.concatenate([moved.Vdot_0p, figures(moved)[2]])
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(machine, moved)
    # kernels of the other methods are made of the same lines: two machines show it
    compiled = method == "legs" or case in ("track_and_table", "wrist_above")
    for engine in ("numpy", "compiled") if compiled else ("numpy",):
        with gough.options(engine=engine):
            found = gough.inverse_dynamics(machine, moved, method=method)
            back = gough.forward_dynamics(machine, moved, tau, method=method)
        assert relative(found, tau) < 1e-11  # sums over all bodies
        # inertia: condition 1e4
        assert relative(np.concatenate([back.Vdot_0p, figures(back)[2]]), rates) < 1e-9


def test_joint_motion_is_that_of_the_posture(case):
    machine, moved = hybrid(case), state(case)
    at = gough.posture(machine, moved)
    assert at.closure < 1e-12
    caused = gough.forward_dynamics(machine, moved, gough.inverse_dynamics(machine, moved))
    answers = (
        (at.joints, gough.inverse_kinematics(machine, moved)),
        (at.joint_rates, gough.motor_rates(machine, moved)),
        (at.joint_accelerations, gough.motor_accelerations(machine, moved)),
        (at.joint_accelerations, gough.motor_accelerations(machine, caused)),
    )
    for of_all, of_motors in answers:
        wanted = np.array([of_all[name] for name in machine.motors])
        np.testing.assert_allclose(of_motors, wanted, atol=1e-9 * max(1.0, np.abs(wanted).max()))
    p = machine.platform
    frame = machine.platform_frame.matrix
    np.testing.assert_allclose(at.bodies[p] @ frame, moved.T_0p, atol=1e-12)


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
    for moved in moving(case):
        at = gough.posture(machine, moved)
        closed = Closed(ENGINES[kind](machine, None, payload), at.bodies, at.twists, wrenches)
        a = closed.accelerations(at.twist_rates)
        assert np.abs(closed.J_c @ a + closed.drift_c).max() < 1e-9  # of 1e2 m/s^2
        for name in at.bodies:
            np.testing.assert_allclose(closed.twist(name), at.twists[name], atol=1e-10)
            np.testing.assert_allclose(closed.twist_rate(name, a), at.twist_rates[name], atol=1e-9)
        tau = gough.inverse_dynamics(machine, moved, loads=loads)
        found, left = closed.inverse_dynamics(a)
        assert left < 1e-9, "loop forces leave something over"
        assert relative(tau, found) < 1e-9  # as in test_engines
        back = closed.forward_dynamics(tau)
        np.testing.assert_allclose(back, a, atol=1e-7 * max(1.0, np.abs(a).max()))


def test_the_core_may_rest_on_what_moves(case):
    """What is left of a large motion in space is its rounding: no leg forbids that."""
    machine = hybrid(case)
    parts = serial_parts(machine.assembly)
    core, n = parts.core, len(parts.axes)
    q = parts.home(machine.assembly)
    axes = along(machine, q, np.linspace(1.0, 2.0, n), np.linspace(-3.0, 1.0, n))
    there = gough.serial_state(machine, gough.State(core.home_pose, **axes))
    at = gough.posture(machine, there)
    rates = [at.joint_rates[name] for name in core.motors]
    # rounding of the motion in space, through the Jacobian of the core
    assert np.abs(rates).max() < 1e-12 * max(1.0, np.abs(there.V_0p).max()) / min(core.length, 1.0)
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            tau = gough.inverse_dynamics(machine, there)
        assert np.isfinite(tau).all()


def test_a_posture_without_accelerations_is_that_of_the_bias_motion(case):
    machine, moved = hybrid(case), state(case)
    at = gough.posture(machine, moved.replace(Vdot_0p=None))
    Vdot = at.twist_rates[machine.platform]
    R = at.bodies[machine.platform][:3, :3]
    r = R @ np.array(machine.platform_frame.position)
    w, wd = moved.V_0p[3:], Vdot[3:]
    Vdot = np.concatenate([Vdot[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r)), wd])
    again = gough.posture(machine, moved.replace(Vdot_0p=Vdot))
    for name, value in at.joint_accelerations.items():
        assert np.abs(value - again.joint_accelerations[name]).max() < 1e-8  # speeds of about 10


def test_axes_at_rest_are_as_good_as_locked(case):
    """Held where they are, the machine is a plain parallel robot, which other tests know."""
    machine, moved = hybrid(case), state(case)
    resting = gough.State(moved.T_0p, internal=moved.internal)
    at = gough.posture(machine, resting)
    held = replace(
        machine,
        motors=tuple(m for m in machine.motors if m not in machine.serial_axes),
        locked=machine.serial_axes,
        home=gough.Home(
            {name: gough.Frame.from_matrix(pose) for name, pose in at.bodies.items()},
            dict(moved.internal),
        ),
    )
    tau = gough.inverse_dynamics(machine, resting)
    plain = gough.inverse_dynamics(held, resting.T_0p)
    wanted = [t for name, t in zip(machine.motors, tau, strict=True) if name in held.motors]
    assert relative(plain, np.array(wanted)) < 1e-9


def test_files_keep_it(case, tmp_path):
    """Written and read again, and from all formats that can hold it, the same efforts."""
    machine, moved = hybrid(case), state(case)
    tau = gough.inverse_dynamics(machine, moved)
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
        q, qd, qdd = figures(moved)
        there = moved.replace(  # coordinates of some formats count from home
            internal={names[n]: q[k] + again[names[n]] - home[n] for n, k in at.items()},
            internal_rate={names[n]: qd[k] for n, k in at.items()},
            internal_acceleration={names[n]: qdd[k] for n, k in at.items()},
        )
        found = gough.inverse_dynamics(back, there)
        found = dict(zip(ours, found, strict=True))
        assert relative(np.array([found[name] for name in machine.motors]), tau) < 1e-9
    assert held > 1


def test_the_certificate_has_all_motors(case):
    """Power balance, of all bodies and motors, is a law that no method took part in."""
    machine = hybrid(case)
    forces = [gough.Force(body.name, (1.0, -2.0, 3.0), (0.1, 0.2, -0.1)) for body in machine.bodies]
    moving_base = gough.BaseMotion((1.0, 2.0, 9.0), (0.3, -0.2, 0.5), (1.0, 0.0, -2.0))
    moved = state(case)
    for loads in (None, gough.Loads(forces, payload=0.3), gough.Loads(base=moving_base)):
        found = gough.audit(machine, moved, loads=loads)
        assert found.passed, found
        tau = gough.inverse_dynamics(machine, moved, loads=loads)
        for efforts in found.efforts.values():
            assert relative(efforts, tau) < 1e-11
    rates = {name: rate + 0.5 for name, rate in moved.internal_acceleration.items()}
    wrong = moved.replace(internal_acceleration=rates)
    if machine.platform == "platform" and case == "table_below":
        other = gough.inverse_dynamics(machine, wrong)
        assert relative(other, tau) > 1e-3  # it is felt
