"""Freedoms that the platform does not feel: exact, warned of, refused, or held."""

import dataclasses
import warnings
from functools import partial

import numpy as np
import pytest

import gough
from gough.dynamics.answers.frozen import EXACT, SMALL, frozen_freedoms
from gough.dynamics.quantities.parameters import own_values
from gough.errors import DescriptionError, FrozenFreedom, GoughWarning
from gough.robot.file.reading import loads
from gough.robot.file.writing import dumps
from machines import BASE, Drawing, drawn_delta, turned, ucs_hexapod
from maximal import Machine
from robots import robot

METHODS = ("legs", "elements", "screws", "tree")


def arm(locked=(), motors=("j1", "j2", "j3"), **axes):
    """A planar arm of four links: with its last link held, the others can still move."""
    d = Drawing(3)
    points = [np.array([0.0, 0.0, 0.0])]
    for angle, length in ((0.3, 0.4), (1.1, 0.35), (0.6, 0.3), (1.0, 0.2)):
        step = length * np.array([np.cos(angle), 0.0, np.sin(angle)])
        points.append(points[-1] + step)
    for k in range(4):
        d.body(f"l{k + 1}", (points[k] + points[k + 1]) / 2.0, 1.0 + 0.3 * k)
        name = f"j{k + 1}"
        parent = BASE if k == 0 else f"l{k}"
        idle = "locked" if name in locked else ""
        own = {"axes": (axes[name],)} if name in axes else {}
        d.joint(name, "revolute", parent, f"l{k + 1}", points[k], (0.0, 1.0, 0.0), idle=idle, **own)
    return d.robot("arm", "l4", motors, points[-1])


def cart(length=0.3):
    """A cart on a rail with a pendulum that hangs on it; the platform is the cart."""
    d = Drawing(1)
    d.body("cart", (0.0, 0.0, 0.0), 2.0)
    d.body("bob", (0.0, 0.0, -length), 0.7)
    d.joint("rail", "prismatic", BASE, "cart", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    d.joint("hinge", "revolute", "cart", "bob", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    return d.robot("cart", "cart", ["rail"], (0.0, 0.0, 0.0))


def coupled_five_bar():
    """A five-bar with an elastic coupling between a motor's rotor and its arm."""
    r = robot("five_bar")
    first = next(j for j in r.joints if j.name == r.motors[0])
    rotor = gough.Body("rotor", 0.2, (0.0, 0.0, 0.0), np.diag([1e-4] * 3).tolist())
    shaft = gough.Joint("shaft", "revolute", first.parent, "rotor", first.parent_frame)
    coupling = dataclasses.replace(
        first, name="coupling", parent="rotor", parent_frame=gough.Frame(), axes=()
    )
    coupling = dataclasses.replace(coupling, axes=(gough.Axis(spring=gough.Spring(50.0)),))
    joints = (*(j for j in r.joints if j is not first), shaft, coupling)
    at = {**r.home.joints, "shaft": 0.0, "coupling": r.home.joints.get(first.name, 0.0)}
    at.pop(first.name, None)
    return dataclasses.replace(
        r,
        bodies=(*r.bodies, rotor),
        joints=joints,
        motors=("shaft", *r.motors[1:]),
        home=dataclasses.replace(r.home, joints=at),
    )


def elastic_hexapod():
    """A hexapod whose struts have a spring in series with their motor."""
    r = robot("gough_stewart")
    strut = next(j for j in r.joints if j.name == r.motors[0])
    nut = gough.Body("nut", 0.3, (0.0, 0.0, 0.0), np.diag([1e-4] * 3).tolist())
    screw = dataclasses.replace(strut, child="nut", child_frame=gough.Frame(), axes=(gough.Axis(),))
    spring = gough.Axis(spring=gough.Spring(1e6))
    series = dataclasses.replace(
        strut, name="series", parent="nut", parent_frame=gough.Frame(), axes=(spring,)
    )
    joints = tuple(screw if j is strut else j for j in r.joints)
    at = {**r.home.joints, "series": 0.0}
    return dataclasses.replace(
        r,
        bodies=(*r.bodies, nut),
        joints=(*joints, series),
        home=dataclasses.replace(r.home, joints=at),
    )


def spinning_delta():
    """A Delta with one bar of revolution that spins between two balls."""
    r = robot("delta")
    joints = tuple(
        dataclasses.replace(j, kind="spherical", axes=()) if j.name == "u1a" else j
        for j in r.joints
    )
    return dataclasses.replace(r, joints=joints)


def doors(r):
    """Every door to the dynamics of a robot at home, at rest."""
    T, tau = r.home_pose, np.zeros(len(r.motors))
    many = np.broadcast_to(T, (64, 4, 4))
    yield from (
        (
            f"direct {m} {e}",
            gough.options(engine=e)(partial(gough.forward_dynamics, r, T, tau, method=m)),
        )
        for m in METHODS
        for e in ("numpy", "compiled")
    )
    yield "inverse", lambda: gough.inverse_dynamics(r, T)
    yield "inverse, batch", lambda: gough.inverse_dynamics(r, many)
    yield (
        "direct, payload",
        lambda: gough.forward_dynamics(r, T, tau, loads=gough.Loads(payload=0.1)).Vdot_0p,
    )
    yield "inertia", lambda: gough.inertia_matrix(r, T)
    yield "bias", lambda: gough.bias_wrench(r, T)
    yield "cartesian", lambda: gough.cartesian_dynamics(r, T)
    yield (
        "joints",
        lambda: gough.motor_accelerations(r, gough.forward_dynamics(r, T, tau)),
    )
    yield "implicit", lambda: gough.implicit_model(r, T)
    yield "simulate", lambda: gough.simulate(r, T, tau, 2e-3)
    yield "audit", lambda: gough.audit(r, T)
    yield "reactions", lambda: gough.reactions(r, T)
    yield "kernel", lambda: gough.compile(r, "forward_dynamics")
    yield "analyse", lambda: gough.analyse(r, _standing(r))


def _standing(r):
    T = np.broadcast_to(r.home_pose, (5, 4, 4))
    zeros = np.zeros((5, 6))
    return gough.motion.Samples(np.linspace(0.0, 0.4, 5), gough.State(T, zeros, zeros))


@pytest.mark.parametrize("make", [arm, cart, coupled_five_bar, elastic_hexapod])
def test_freedoms_that_matter_are_refused_at_every_door(make, tmp_path):
    r = make()
    for name, door in doors(r):
        with pytest.raises(FrozenFreedom) as caught:
            door()
        assert caught.value.joints, name
    with pytest.raises(FrozenFreedom):
        gough.export_c(r, "forward_dynamics", tmp_path)
    assert [f for f in gough.doctor(r).find("frozen-spin") if f.severity == "error"]


def beyond():
    """An open chain with its platform in the middle: the platform does not feel the last motor."""
    return dataclasses.replace(arm(motors=("j1", "j2", "j3", "j4")), platform="l2")


def driven_spin():
    """A hexapod with a motor on the spin of a strut in the place of its slide."""
    r = ucs_hexapod()
    return dataclasses.replace(r, motors=(*r.motors[:5], "c6.angle"))


def kinematic_doors(r, engine):
    """Every door to positions, rates and accelerations of the motors, at rest at home."""
    T = r.home_pose
    for lead in ((), (3,), (70,)):
        at = np.broadcast_to(T, (*lead, 4, 4))
        for ask in (gough.inverse_kinematics, gough.motor_rates, gough.motor_accelerations):
            yield gough.options(engine=engine)(partial(ask, r, at))
    yield lambda: gough.inverse_jacobian(r, T)
    yield lambda: gough.jacobian(r, T)
    yield lambda: gough.leg_jacobians(r, T)
    yield lambda: gough.posture(r, T)
    yield lambda: gough.singularities(r, T)
    yield lambda: gough.state_from_motors(r, np.zeros(len(r.motors)))
    yield lambda: gough.internal_efforts(r, T)
    for quantity in ("inverse_kinematics", "motor_rates", "motor_accelerations"):
        yield lambda quantity=quantity: gough.compile(r, quantity)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("make", [beyond, arm, coupled_five_bar, driven_spin])
def test_motors_that_the_platform_does_not_feel_have_no_rates(make, engine):
    """One verdict: what dynamics refuses is no rate of zero either."""
    r, named = make(), set()
    tau = np.zeros(len(r.motors))
    dynamics = [
        lambda: gough.inverse_dynamics(r, r.home_pose),
        lambda: gough.forward_dynamics(r, r.home_pose, tau),
    ]
    for door in (*dynamics, *kinematic_doors(r, engine)):
        with pytest.raises(FrozenFreedom) as caught, gough.options(engine=engine):
            door()
        named.add((str(caught.value), caught.value.joints))
    assert len(named) == 1
    assert {m.partition(".")[0] for m in r.assembly.idle_motors} == {*caught.value.joints}


def test_motors_that_are_held_or_left_out_leave_the_rest_as_it_is():
    r, V_r = beyond(), [0.3, -0.2]
    for held in (
        dataclasses.replace(r, motors=("j1", "j2")),
        dataclasses.replace(r, motors=("j1", "j2"), locked=("j3", "j4")),
    ):
        V = gough.freedom_map(held, held.home_pose) @ V_r
        assert np.abs(gough.motor_rates(held, gough.State(held.home_pose, V))).min() > 1e-3


def test_a_motor_or_a_spring_is_named():
    r = coupled_five_bar()
    with pytest.raises(FrozenFreedom, match="'shaft'"):
        gough.forward_dynamics(r, r.home_pose, np.zeros(2))
    r = dataclasses.replace(r, motors=r.motors[1:])
    with pytest.raises(FrozenFreedom, match="spring of 'coupling'"):
        gough.forward_dynamics(r, r.home_pose, np.zeros(1))


def test_what_freezing_costs_is_what_the_free_machine_does():
    """A pendulum below a cart: held, the cart is slower than in maximal coordinates."""
    r = cart()
    (freedom,) = frozen_freedoms(r.assembly)
    assert freedom.joints == ("hinge",)
    p = gough.posture(r, r.home_pose)
    machine = Machine(r, p.bodies, p.twists, r.length)
    free = float(np.linalg.norm(machine.solve(np.array([1.0])).rates["cart"][:3]))
    joints = tuple(
        dataclasses.replace(j, idle="locked") if j.name == "hinge" else j for j in r.joints
    )
    held = dataclasses.replace(r, joints=joints)
    slow = np.abs(gough.forward_dynamics(held, r.home_pose, [1.0]).Vdot_0p[0])
    assert slow == pytest.approx(1.0 / 2.7, rel=1e-9)  # masses of cart and bob together
    assert abs(free - slow) > 0.2 * slow
    assert freedom.effect > 0.2


def test_bodies_of_revolution_may_spin_in_silence():
    r, spinning = robot("delta"), spinning_delta()
    (freedom,) = frozen_freedoms(spinning.assembly)
    assert freedom.cost() <= EXACT
    T = r.home_pose
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tau = gough.inverse_dynamics(spinning, T)
    assert gough.audit(spinning, T).notes == ()
    np.testing.assert_allclose(tau, gough.inverse_dynamics(r, T), rtol=1e-9)


def _slightly_uneven():
    """A Delta with one bar that spins between two balls, its mass centre a little off the axis."""
    r, spinning = robot("delta"), spinning_delta()
    bar = r.body("bar1a")
    (idle,) = spinning.assembly.idle
    aside = np.cross(idle.spin, [0.3, 0.5, 0.8])
    inertia = np.array(bar.inertia) + 2e-2 * np.eye(3) * np.array(bar.inertia).max()
    center = np.array(bar.center) + 2e-4 * aside / np.linalg.norm(aside)
    body = dataclasses.replace(bar, center=center.tolist(), inertia=inertia.tolist())
    bodies = tuple(body if b.name == "bar1a" else b for b in r.bodies)
    return dataclasses.replace(spinning, bodies=bodies)


def test_a_small_effect_is_answered_with_a_warning():
    r = _slightly_uneven()
    (freedom,) = frozen_freedoms(r.assembly)
    assert EXACT < freedom.cost() <= SMALL
    T, tau = r.home_pose, np.zeros(3)
    for _ in range(2):  # also when a kernel is there
        with pytest.warns(GoughWarning, match="bar1a"), gough.options(engine="compiled"):
            gough.inverse_dynamics(r, T)
        with pytest.warns(GoughWarning, match="bar1a"):
            gough.forward_dynamics(r, T, tau)
    with pytest.warns(GoughWarning, match="bar1a"):
        certificate = gough.audit(r, T)
    assert len(certificate.notes) == 1
    assert "bar1a" in str(certificate)
    (finding,) = gough.doctor(r).find("frozen-spin")
    assert finding.severity == "warning"


@pytest.mark.parametrize("joint", ["j1", "j2", "j4"])
def test_a_joint_that_is_held_stays_where_home_has_it(joint):
    """Four methods, a kernel, the direct model and a machine in maximal coordinates agree."""
    r = arm([joint], tuple(j for j in ("j1", "j2", "j3", "j4") if j != joint))
    a = r.assembly
    assert a.idle == ()
    assert r.mobility == 3
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    state = gough.state(r, x + np.array([-0.02, 0.03, 0.05]), [0.1, 0.2, 0.3], [1.0, 2.0, 3.0])
    p = gough.posture(r, state)
    np.testing.assert_allclose(p.joints[joint], a.home_values[joint], atol=1e-12)
    np.testing.assert_allclose(p.joint_rates[joint], 0.0, atol=1e-12)
    tau = gough.inverse_dynamics(r, state)
    for method in METHODS:
        found = gough.inverse_dynamics(r, state, method=method)
        np.testing.assert_allclose(found, tau, rtol=1e-10)
        back = gough.forward_dynamics(r, state, tau, method=method).Vdot_0p
        np.testing.assert_allclose(back, state.Vdot_0p, atol=1e-9)
    with gough.options(engine="compiled"):
        compiled = gough.inverse_dynamics(r, state)
    np.testing.assert_allclose(compiled, tau, rtol=1e-10)
    rigid = _welded(r, joint)
    machine = Machine(rigid, p.bodies, p.twists, a.length)
    answer = machine.solve(tau)
    found = gough.reactions(r, state, frame="child")
    np.testing.assert_allclose(found.wrench, answer.wrenches, atol=1e-9)


def _welded(r, joint):
    """The same machine with a fixed joint where the joint is held."""
    held = r.joint(joint)
    angle = r.assembly.home_values[joint]
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    rotation = (np.array(held.parent_frame.rotation) @ turn).tolist()
    frame = gough.Frame(held.parent_frame.position, rotation)
    fixed = dataclasses.replace(held, kind="fixed", parent_frame=frame, axes=(), idle="")
    return dataclasses.replace(r, joints=tuple(fixed if j is held else j for j in r.joints))


def test_held_joints_are_said_by_the_doctor():
    held = arm(["j2"], ("j1", "j3", "j4"))
    found = gough.doctor(held)
    (finding,) = found.find("held-joint")
    assert finding.joints == ("j2",)
    assert found.healthy
    assert not found.find("not-examined")
    assert "+ 1 held" in str(found)
    r = robot("delta")
    joints = tuple(
        dataclasses.replace(j, idle="locked") if j.name == "u1a" else j for j in r.joints
    )
    free = dataclasses.replace(r, joints=joints)
    (finding,) = gough.doctor(free).find("nothing-to-hold")
    assert finding.joints == ("u1a",)
    assert free.mobility == 3


def test_a_ball_that_is_held_answers_for_the_spin_but_not_exactly():
    """Its rate is held, not its angle: that is said; for bodies of revolution nothing is."""
    r = drawn_delta("spherical", "locked")
    assert all(freedom.held for freedom in frozen_freedoms(r.assembly))
    T = r.home_pose
    with pytest.warns(GoughWarning, match="holds its rate, not its angle"):
        gough.inverse_dynamics(r, T)
    with pytest.warns(GoughWarning, match="make the joint universal"):
        assert "holds its rate" in str(gough.audit(r, T))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gough.inverse_dynamics(turned(r), T)


def test_a_motor_or_a_spring_is_refused_though_the_ball_is_held():
    """A motor, or a spring, on the turn of a rod whose ball says that it is held."""
    r = ucs_hexapod()
    held = tuple(dataclasses.replace(j, idle="locked") if j.name == "s1" else j for j in r.joints)
    driven = dataclasses.replace(r, joints=held, motors=(*r.motors, "c1.angle"), redundant=True)
    wound = tuple(
        dataclasses.replace(j, axes=(gough.Axis(spring=gough.Spring(200.0)), *j.axes[1:]))
        if j.name == "c1"
        else j
        for j in held
    )
    T = r.home_pose
    for odd in (driven, dataclasses.replace(r, joints=wound)):
        with pytest.raises(FrozenFreedom, match=r"c1\.angle"):
            gough.forward_dynamics(odd, T, np.zeros(len(odd.motors)))


@pytest.mark.parametrize("joint", ["j1", "j2", "j4"])
def test_assembly_modes_of_a_machine_with_a_held_joint(joint):
    r = arm([joint], tuple(j for j in ("j1", "j2", "j3", "j4") if j != joint))
    q_a = gough.inverse_kinematics(r, r.home_pose)
    poses = np.asarray(gough.forward_kinematics(r, q_a))
    off = np.abs(poses - r.home_pose).max(axis=(1, 2))
    assert off.min() < 1e-9


@pytest.mark.parametrize(
    ("name", "change"), [("viscous", 5.0), ("centers", 0.03), ("inertias", 0.01)]
)
def test_figures_of_a_simulation_are_measured_like_those_of_a_description(name, change):
    r = spinning_delta()
    figures = own_values(r)[name].copy()
    if name == "viscous":
        figures[r.axis_names.index("u1a")] = change
    else:
        k = [b.name for b in r.bodies].index("bar1a")
        figures[k] += change * (
            np.diag([1.0, 1.5, 2.0]) if name == "inertias" else np.array([0.4, 0.6, 1.0])
        )
    with pytest.raises(FrozenFreedom):
        gough.simulate(r, r.home_pose, None, 2e-3, parameters={name: figures})


def test_a_tiny_moment_beside_the_weight_is_nothing():
    r = spinning_delta()
    tiny = gough.Force("bar1a", n=[1e-12, 2e-12, 3e-12], point=r.body("bar1a").center)
    loads = gough.Loads([tiny])
    assert np.isfinite(gough.inverse_dynamics(r, r.home_pose, loads=loads)).all()


def test_held_joints_have_neither_motor_nor_spring():
    with pytest.raises(DescriptionError, match="idle: locked"):
        arm(["j1"])
    with pytest.raises(DescriptionError, match="held has no spring"):
        arm(["j4"], j4=gough.Axis(spring=gough.Spring(1.0)))
    with pytest.raises(DescriptionError, match="expected 'locked'"):
        gough.Joint("j", "revolute", "a", "b", idle="frozen")


def test_held_joints_survive_a_file():
    r = arm(["j2"], ("j1", "j3", "j4"))
    text = dumps(r)
    assert "idle: locked" in text
    assert loads(text) == r


def test_loads_that_would_spin_a_bar_are_refused():
    """A bar of revolution between two balls: forces through its axis pass, moments do not."""
    r = spinning_delta()
    T = r.home_pose
    bar = r.body("bar1a")
    through, twisted = (
        gough.Loads([gough.Force("bar1a", [1.0, 2.0, -3.0], n, bar.center)])
        for n in (np.zeros(3), [0.0, 0.3, -0.4])
    )
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            gough.inverse_dynamics(r, T, loads=through)
            gough.forward_dynamics(r, T, np.zeros(3), loads=through)
        with pytest.raises(FrozenFreedom, match="of the loads"), gough.options(engine=engine):
            gough.inverse_dynamics(r, T, loads=twisted)
        with pytest.raises(FrozenFreedom, match="of the loads"), gough.options(engine=engine):
            gough.forward_dynamics(r, T, np.zeros(3), loads=twisted)


def test_figures_that_make_a_spin_matter_are_doubted():
    """A kernel that takes mass centres as inputs doubts a bar whose centre leaves its axis."""
    r = spinning_delta()
    kernel = gough.compile(r, "forward_dynamics", parameters=["centers"])
    T, rest, tau = r.home_pose, np.zeros(6), np.zeros(3)
    assert kernel(T, rest, tau)["doubt"].sum() < 1.0
    centers = kernel.defaults["centers"].copy()
    centers[[b.name for b in r.bodies].index("bar1a")] += [0.02, 0.03, 0.05]
    assert kernel(T, rest, tau, centers=centers)["doubt"].sum() >= 1.0


def test_the_drawn_delta_is_refused_unless_its_bars_are_held():
    r = drawn_delta("spherical")
    with pytest.raises(FrozenFreedom, match="bar"):
        gough.inverse_dynamics(r, r.home_pose)
