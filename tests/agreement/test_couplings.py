"""Machines with couplings: four methods and kernels against maximal coordinates and an engine."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gough
from coupled import MACHINES, differential_five_bar, gear_pair, geared_five_bar
from engine_loops import Closed
from engines import ENGINES, need_engine
from gough.errors import DescriptionError, NotAssembled, UnreachablePose
from gough.mechanism.closure.dense import dense, move, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from maximal import Machine
from robots import relative

METHODS = ("legs", "elements", "screws", "tree")
NAMES = [make.__name__ for make in MACHINES]


@cache
def machine(name: str) -> gough.Robot:
    return next(make for make in MACHINES if make.__name__ == name)()


@cache
def state(name: str) -> tuple[np.ndarray, ...]:
    """A state around home in any motion."""
    a, rng = machine(name).assembly, np.random.default_rng(1)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.05 * a.scales.freedoms * rng.uniform(-1.0, 1.0, a.mobility)
    return gough.state(machine(name), x, *rng.normal(size=(2, a.mobility)) * a.scales.freedoms)


@cache
def witness(name: str) -> tuple[gough.Posture, Machine]:
    r = machine(name)
    p = gough.posture(r, state(name))
    return p, Machine(r, p.bodies, p.twists, r.length)


@pytest.mark.parametrize("name", NAMES)
def test_coordinates_rates_and_accelerations_obey_the_relations(name):
    p, _ = witness(name)
    for coupling in machine(name).couplings:
        for values, constant in (
            (p.joints, coupling.offset),
            (p.joint_rates, 0.0),
            (p.joint_accelerations, 0.0),
        ):
            terms = [c * float(values[axis]) for axis, c in coupling.axes.items()]
            # rounding of the largest term
            assert abs(sum(terms) - constant) < 1e-13 * max(1.0, *map(abs, terms))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_efforts_produce_the_motion_of_every_body(name, method):
    """In maximal coordinates, where every body has six and a coupling is one more row."""
    p, m = witness(name)
    r = machine(name)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, state(name), method=method)
    found = m.solve(tau).rates
    scale = max(np.abs(a).max() for a in p.twist_rates.values())
    for body, rate in p.twist_rates.items():
        # conditions of the quattro's nacelle cost three digits
        assert np.abs(found[body] - rate).max() < 1e-10 * max(1.0, scale)
    moving = state(name)
    with gough.options(engine="numpy"):
        again = gough.forward_dynamics(r, moving, tau, method=method).Vdot_0p
    assert relative(again, moving.Vdot_0p) < 1e-11


@pytest.mark.parametrize("name", NAMES)
def test_kernels_say_the_same(name):
    r, moving = machine(name), state(name)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, moving)
    kernel = gough.compile(r, "inverse_dynamics")(*moving.arrays)
    assert kernel["doubt"].sum() < 1.0
    assert relative(kernel["tau"], tau) < 1e-11
    found = gough.compile(r, "forward_dynamics")(moving.T_0p, moving.V_0p, tau)
    assert found["doubt"].sum() < 1.0
    assert relative(found["Vdot_0p"], moving.Vdot_0p) < 1e-10


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("name", NAMES)
def test_reactions_and_efforts_of_couplings(name, engine):
    """Wrenches in all joints, with what couplings transmit along their axes."""
    r, (_, m) = machine(name), witness(name)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, state(name))
    with gough.options(engine=engine):
        found = gough.reactions(r, state(name), frame="child")
    scale = np.array([1.0] * 3 + [r.length] * 3)
    off = (found.wrench - m.solve(tau).wrenches) / scale  # of both the smallest where they are free
    assert np.abs(off).max() < 1e-12 * np.abs(found.wrench / scale).max()
    assert found.couplings.shape == (len(r.couplings),)


# MuJoCo refuses bars without inertia about their axis, as Delta and Quattro have them
SLENDER = {"geared_delta", "amplified_quattro", "arm_amplified_quattro"}
BY_ENGINE = [(n, k) for k in ENGINES for n in NAMES if k == "pinocchio" or n not in SLENDER]


@pytest.mark.parametrize(("name", "kind"), BY_ENGINE)
def test_engines_with_the_relations_solved_exactly_agree(name, kind):
    """Their own inertia, bias and Jacobians; loops and couplings are rows solved by hand."""
    need_engine(ENGINES[kind].module)
    r, (p, _), moving = machine(name), witness(name), state(name)
    closed = Closed(ENGINES[kind](r), p.bodies, p.twists)
    tau, left = closed.inverse_dynamics(closed.accelerations(p.twist_rates))
    assert left < 1e-10  # loop forces leave nothing over, whatever the condition of the nacelle
    assert relative(gough.inverse_dynamics(r, moving), tau) < 1e-10
    other = tau + 0.1 * np.abs(tau).max()
    found = closed.twist_rate("/platform", closed.forward_dynamics(other))
    assert relative(gough.forward_dynamics(r, moving, other).Vdot_0p, found) < 1e-9


def test_the_effort_of_a_gear_by_hand():
    """The motor less what turns its own wheel goes through the mesh."""
    r, moving = machine("gear_pair"), state("gear_pair")
    p, _ = witness("gear_pair")
    tau = gough.inverse_dynamics(r, moving)[0]
    body, q = r.bodies[0], float(p.joints["a"])
    inertia = body.inertia[2][2] + body.mass * (body.center[0] ** 2 + body.center[1] ** 2)
    lever = np.cos(q) * body.center[0] - np.sin(q) * body.center[1]
    own = inertia * float(p.joint_accelerations["a"]) + 9.81 * body.mass * lever
    found = gough.reactions(r, moving)
    assert found.couplings[0] == pytest.approx(own - tau, rel=1e-12)


def test_a_gear_pair_by_hand():
    """One freedom: the wheel feels the pinion's inertia times the square of the ratio."""
    r = gear_pair()
    pinion, wheel = r.bodies
    ratio = -r.couplings[0].axes["b"]
    moving = gough.state(r, [0.4], [0.7], [1.3])
    q = gough.inverse_kinematics(r, moving)
    assert q[0] == pytest.approx(0.1 + ratio * 0.4, abs=1e-14)
    along = gough.inertia_matrix(r, moving)
    spin = [b.inertia[2][2] + b.mass * (b.center[0] ** 2 + b.center[1] ** 2) for b in r.bodies]
    assert along[0, 0] == pytest.approx(spin[1] + ratio**2 * spin[0], rel=1e-13)
    weight = 0.0
    for body, angle, speed in ((pinion, q[0], ratio), (wheel, 0.4, 1.0)):
        x = np.cos(angle) * body.center[0] - np.sin(angle) * body.center[1]
        weight += 9.81 * body.mass * x * speed
    tau = gough.inverse_dynamics(r, moving)
    assert tau[0] * ratio == pytest.approx(along[0, 0] * 1.3 + weight, rel=1e-12)


def test_wheels_turn_as_often_as_they_like_where_ratios_are_whole():
    """Half a turn and more of the slow wheel, several of the fast one."""
    r = gear_pair()
    whole = gough.Coupling("mesh", {"a": 1.0, "b": 3.0})
    r = gough.Robot(**{**_fields(r), "couplings": (whole,)})
    x = np.linspace(0.0, 2.5, 26)[:, None]
    T = gough.state(r, x, 0.0 * x, 0.0 * x).T_0p
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, gough.State(T, np.zeros((26, 6)), np.zeros((26, 6))))
    expected = np.zeros(len(x))
    for body, speed in zip(r.bodies, (-3.0, 1.0), strict=True):
        angle = speed * x[:, 0]
        lever = np.cos(angle) * body.center[0] - np.sin(angle) * body.center[1]
        expected += 9.81 * body.mass * lever * speed
    np.testing.assert_allclose(tau[:, 0] * -3.0, expected, rtol=0, atol=1e-12)


def test_power_goes_into_energy_and_no_coupling_keeps_any():
    r, moving = machine("geared_five_bar"), state("geared_five_bar")
    loads = gough.Loads(friction=False)
    run = gough.simulate(r, moving, [0.3], t_end=0.05, integrator="rk4", step=1e-3, loads=loads)
    before, after = (sum(gough.energy(r, gough.State(run.T_0p[k], run.V_0p[k]))) for k in (0, -1))
    work = 0.3 * (run.q[-1, 0] - run.q[0, 0])
    assert after - before == pytest.approx(work, rel=1e-6)  # rk4 at 1 ms: 1e-10 of the energy


def _fields(r: gough.Robot) -> dict:
    return {name: getattr(r, name) for name in r.__dataclass_fields__}


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({"foot1": 1.0}, "relates 1 axes, expected two or more"),
        ({"foot1": 1.0, "foot2": 0.0}, "a coefficient is zero"),
        ({"foot1": 1.0, "fot2": 1.0}, "unknown axis 'fot2'"),
        ({"foot1": 1.0, "foot2": float("nan")}, "foot2"),
    ],
)
def test_what_is_no_relation_is_refused(axes, message):
    r = geared_five_bar()
    with pytest.raises(DescriptionError, match=message):
        gough.Robot(**{**_fields(r), "couplings": (gough.Coupling("belt", axes),)})


def test_the_doctor_tells_the_relation():
    found = gough.doctor(machine("geared_five_bar")).find("coupling")
    assert "foot1 + 1.6 foot2 = " in found[0].sentence
    assert "driven at foot1" in found[0].sentence
    assert gough.doctor(machine("geared_five_bar")).find("mobility")[0].data["gruebler"] == -2


def test_relations_that_contradict_each_other_are_named():
    r = geared_five_bar()
    belt = r.couplings[0]
    other = gough.Coupling("chain", belt.axes, belt.offset + 0.1)
    both = gough.Robot(**{**_fields(r), "couplings": (belt, other)})
    with pytest.raises(NotAssembled, match=r"coupling 'chain', foot1 \+ 1\.6 foot2 = .* fits no"):
        both.mobility  # noqa: B018
    again = gough.Robot(
        **{**_fields(r), "couplings": (belt, gough.Coupling("two", belt.axes, belt.offset))}
    )
    assert (again.mobility, again.assembly.over_constraint) == (1, 4)


def test_a_machine_that_couplings_hold_still_is_examined():
    r = geared_five_bar()
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(gough.zoo.load("five_bar"), r.home_pose)
    hold = gough.Coupling("hold", {"foot1": 1.0, "foot2": -1.0}, float(q[0] - q[1]))
    found = gough.doctor(gough.Robot(**{**_fields(r), "couplings": (*r.couplings, hold)}))
    assert found.find("immobile")
    assert not found.find("not-examined")
    assert "coupling" in str(gough.sheet(r))


def test_out_of_reach_is_refused_by_name():
    r = machine("geared_five_bar")
    T = np.array(r.home_pose)
    T[0, 3] += 5.0
    with pytest.raises((UnreachablePose, gough.GoughError)):
        gough.inverse_kinematics(r, T)


def test_a_drawing_shows_the_relation_as_a_line_over_its_joints():
    r = machine("geared_five_bar")
    figure = gough.draw(r)
    dashed = [line for line in figure.axes[0].lines if line.get_linestyle() == "--"]
    (belt,) = dashed
    feet = [r.joint(name).parent_frame.position[0] for name in r.couplings[0].axes]
    assert np.ptp(belt.get_xdata()) == pytest.approx(abs(feet[0] - feet[1]))


@pytest.mark.parametrize("name", ["geared_five_bar", "rack"])
def test_derivatives_of_kernels_by_the_pose(name):
    """Of the efforts that hold the machine, by central differences of the NumPy reference."""
    r, a = machine(name), machine(name).assembly
    still, none = np.zeros(6), np.zeros(a.mobility)
    found = gough.compile(r, "inverse_dynamics", derivatives=("pose",))(
        state(name).T_0p, still, still
    )
    x = a.chart.coordinates(state(name).T_0p)[list(a.free)]
    for i in range(a.mobility):
        step = 1e-6 * np.eye(a.mobility)[i]  # errors of second order are 1e-12, of rounding 1e-9
        ends = (gough.state(r, x + s * step, none, none).T_0p for s in (1.0, -1.0))
        with gough.options(engine="numpy"):
            up, down = (gough.inverse_dynamics(r, T) for T in ends)
        expected = (up - down) / 2e-6
        column = found["d_tau_d_pose"][:, i]
        np.testing.assert_allclose(column, expected, rtol=0, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_poses_off_the_straight_way_from_home_are_answered_by_every_engine(share):
    """The motors lead there from home, past no singularity; the straight way in space does not.

    Alone, in a batch that is compiled, and alone again: the motors are where they were.
    """
    r = differential_five_bar()
    home = np.array([r.assembly.home_values[name] for name in r.motors])
    q = home + share * np.array([0.68, -1.1])
    way = home + np.linspace(0.0, 1.0, 9)[:, None] * (q - home)
    with gough.options(engine="numpy"):
        T = gough.track(r, way).T_0p[-1]
        np.testing.assert_allclose(gough.inverse_kinematics(r, T), q, atol=1e-9)
    many = gough.inverse_kinematics(r, np.tile(T, (64, 1, 1)))
    np.testing.assert_allclose(many, np.tile(q, (64, 1)), atol=1e-9)
    np.testing.assert_allclose(gough.inverse_kinematics(r, T), q, atol=1e-9)


def test_a_screw_that_closes_a_loop_is_coupled_by_its_turn():
    """Rows are derivatives of what is open while the loop is, too: Newton's steps are trusted."""

    def body(name: str) -> gough.Body:
        return gough.Body(name, 1.0, (0.01, 0.02, 0.03), np.diag([0.1, 0.12, 0.08]).tolist())

    made = gough.Robot(
        "vise",
        bodies=(body("wheel"), body("jaw"), body("knob")),
        joints=(
            gough.Joint("turn", "revolute", "base", "wheel"),
            gough.Joint("screw", "helical", "wheel", "jaw", pitch=0.05),
            gough.Joint("guide", "prismatic", "base", "jaw"),
            gough.Joint("axle", "revolute", "base", "knob"),
        ),
        platform="jaw",
        motors=("axle",),
        couplings=(gough.Coupling("mesh", {"screw": 1.0, "axle": -2.0}),),
    )
    a = made.assembly
    assert [c.joint.name for leg in a.topology.legs for c in leg.closings] == ["screw", "guide"]
    free = described_locks(a.topology)
    at = dense(Equations(a.topology, free, a.T_home, a.home), a.length)
    u = 1e-5 * np.random.default_rng(3).normal(size=at.A.shape[1])
    moved = move(a.topology, a.home, split(a.topology, u * at.u_scale))
    there = dense(Equations(a.topology, free, a.T_home, moved), a.length)
    assert np.abs(at.A @ u).max() > 1e-6
    assert np.abs(there.r - at.r + at.A @ u).max() < 1e-9
