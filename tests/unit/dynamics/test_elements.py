"""A robot taken apart into kinematic elements, and what binds their motion, for every robot.

The posture is found leg by leg, by recursions along each; the elements know of directions, spins,
lengths and loops only.
"""

import dataclasses
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from gough.dynamics.elements.decomposition import Decomposition, element_parts
from gough.dynamics.elements.dynamics import implicit_model, solved
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.variables import Variables
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.robot.joint_kinds import KINDS
from numbers_robots import gs_ref
from robots import ALL_NAMES, random_freedoms, relative, robot

# the same through systems of other make, of condition up to some hundred: 1e-13 is met
RATES = 1e-11

FORMULAS = {
    "five_bar": "2BB",  # [OZ] 5.2
    "three_rrr": "3BB",
    "spherical_2dof": "2BSp",
    "agile_eye": "3SpSp",
    "delta": "3BB",  # [OZ] 3.1.1: a parallelogram is one bar
    "delta_with_balls": "3BB",
    "linear_delta": "3TB",
    "delta_4": "3BB-SpS",  # [OZ] 3.1.1: the leg that turns the tool is a screw
    "quattro": "4BB",
    "h4": "4BB",
    "orthoglide": "3TSpBSp",
    "dymo": "3SpSp",  # [OZ] 3.1.1: spindles
    "tilt_3rps": "3T",
    "space_3ups": "3SpS",
    "c5": "6T",
    "gough_stewart": "6S",  # printed 6T, erratum OZ-4
    "gough_stewart_6spu": "6S",
    "sps_hexapod": "6T",
    "hexapod_6rus": "6BSp",
    "hexapod_6pus": "6TSp",
    "rccc": "S-SS",
    "pendulum": "Sp",
}


class Case(NamedTuple):
    """A robot in a motion: by the posture, and by elements."""

    robot: gough.Robot
    V_r: np.ndarray
    posture: gough.Posture
    state: ElementState
    motion: Variables

    @property
    def parts(self) -> Decomposition:
        return self.state.parts


@cache
def case(name: str) -> Case:
    r = robot(name)
    a = r.assembly
    moving = gough.state(r, *random_freedoms(name, 1, 0.1, seed=5))[0]
    T, V, Vdot = moving.arrays
    state = ElementState(Kinematics(a, regular(a, T), V, Vdot))
    motion = state.motion
    return Case(r, V[list(a.free)], gough.posture(r, moving), state, motion)


# decomposition


@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_body_is_in_one_element(name):
    parts = element_parts(robot(name).assembly)
    bodies = [b for e in parts.elements.values() for b in e.bodies]
    assert sorted(bodies) == sorted(b.name for b in robot(name).bodies)
    for e in parts.elements.values():
        assert e.name == e.bodies[0]
        assert {parts.element_of[b] for b in e.bodies} == {e.name}
        assert np.linalg.norm(e.x) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_body_is_carried_once(name):
    """Bodies of legs by one leg each; of every hub body the shares add up to 1."""
    parts = element_parts(robot(name).assembly)
    carried = dict.fromkeys((b.name for b in robot(name).bodies), 0.0)
    for branch in parts.branches:
        for way in branch.own:
            carried[way.body] += 1.0
        for way in branch.hub:
            carried[way.body] += branch.shares.get(way.body, 0.0)
    np.testing.assert_allclose(list(carried.values()), 1.0, rtol=1e-14)
    hub = {robot(name).platform, *(way.body for way in parts.hub)}
    assert hub.isdisjoint(way.body for b in parts.branches for way in b.own)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_joints_are_on_a_way_or_close_a_loop(name):
    """Each joint once: legs stand on the base, the hub hangs on the platform, the rest closes."""
    r, parts = robot(name), element_parts(robot(name).assembly)
    ways = [way.joint.name for b in parts.branches for way in b.own]
    ways += [way.joint.name for way in parts.hub]
    closing = [j.name for j in parts.closing]
    assert sorted(ways + closing) == sorted(j.name for j in r.joints)
    for branch in parts.branches:  # each way begins where one before it has ended
        known = {r.base}
        for way in (*branch.own, *branch.hub):
            ends = (way.joint.parent, way.joint.child)
            assert (way.before, way.body) == (ends if way.sign > 0 else ends[::-1])
            assert way.before in known
            assert way.body not in known
            known.add(way.body)


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas(name):
    assert gough.elements(robot(name)).formula == FORMULAS[name]


@pytest.mark.parametrize(("name", "pieces"), [("gough_stewart", 6), ("h4", 8), ("quattro", 12)])
def test_nacelles_are_split_as_in_the_paper(name, pieces):
    """[OZ] 3.2, Fig. 2: each leg has a part of what it holds, and of what no leg holds."""
    parts = element_parts(robot(name).assembly)
    assert sum(len(branch.shares) for branch in parts.branches) == pieces
    for branch in parts.branches:
        assert {way.body for way in branch.hub} == set(branch.shares)
    if name == "h4":  # half of the half that it holds, a quarter of the bar between the halves
        assert all(sorted(b.shares.values()) == [0.25, 0.5] for b in parts.branches)


def test_strut_of_gs_ref():
    """With a massive cross, a spindle; between two balls, a telescope."""
    assert gough.elements(gs_ref()).formula == "6SpS"
    assert gough.elements(gs_ref("spherical")).formula == "6T"


def _renamed(r: gough.Robot, *, backwards: bool) -> gough.Robot:
    """The robot with other names of bodies; if asked, bodies listed from the end."""
    new = {b.name: f"{'zyx'[i % 3]}{i}" for i, b in enumerate(r.bodies)} | {r.base: "base"}
    bodies = [dataclasses.replace(b, name=new[b.name]) for b in r.bodies]
    joints = [dataclasses.replace(j, parent=new[j.parent], child=new[j.child]) for j in r.joints]
    home = dataclasses.replace(r.home, bodies={new[k]: v for k, v in r.home.bodies.items()})
    return dataclasses.replace(
        r,
        bodies=tuple(bodies[::-1] if backwards else bodies),
        joints=tuple(joints),
        platform=new[r.platform],
        home=home,
    )


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(
    "name", ["five_bar", "delta", "delta_4", "quattro", "orthoglide", "rccc", "stranger_in_the_hub"]
)
def test_formula_knows_neither_names_nor_order(name, backwards):
    found = gough.elements(_renamed(robot(name), backwards=backwards))
    known = gough.elements(robot(name))
    assert found.formula == known.formula
    assert sorted(formula for _, formula, _ in found.legs) == sorted(
        formula for _, formula, _ in known.legs
    )


def test_printing():
    assert str(gough.elements(robot("five_bar"))) == (
        "five_bar: 2BB\n"
        "  leg prox1: BB: bar prox1, bar dist1\n"
        "  leg prox2: BB: bar prox2, bar dist2"
    )
    text = str(gough.elements(robot("gough_stewart")))
    assert text.startswith("gough_stewart: 6S\n  leg ")
    assert "screw cyl1 + rod1" in text
    assert text.endswith("shared out among the legs: platform")
    text = str(gough.elements(robot("stranger_in_the_hub")))
    assert text.splitlines()[1] == "  leg arm1: SSp: screw arm1, spindle stranger"


# motion constraints


@pytest.mark.parametrize("name", ALL_NAMES)
def test_motion_constraints(name):
    """[OZ] (55): rates of directions and spins are what the posture's angular velocities make."""
    c = case(name)
    M = c.state.motion_constraints
    size = max(1.0, *(float(np.abs(v).max()) for v in c.posture.twists.values()))
    for e in c.parts.elements.values():
        w = c.posture.twists[e.name][3:]
        if e.fixed:
            assert np.abs(w).max() < RATES * size
            assert ("x", e.name, 0) not in M
            continue
        x = c.posture.bodies[e.name][:3, :3] @ e.x
        for found, expected in (
            (M["x", e.name, 0] @ c.V_r, np.cross(w, x)),
            (M["spin", e.name, 0] @ c.V_r if e.spins else 0.0, w @ x),
            (c.motion.directions[e.name].w, w),
            (c.motion.directions[e.name].wd, c.posture.twist_rates[e.name][3:]),
        ):
            assert np.abs(found - expected).max() < RATES * max(size, np.abs(expected).max())
        for body in e.bodies:  # bodies of one element turn as one
            assert np.abs(c.posture.twists[body][3:] - w).max() < RATES * size


@pytest.mark.parametrize("name", ALL_NAMES)
def test_motion_constraints_of_lengths(name):
    """[OZ] (55): slides, planes too; a screw advances by its pitch."""
    c = case(name)
    for joint in c.robot.joints:
        if not KINDS[joint.kind].travel:
            continue
        axis = next(
            (n for n in joint.axis_names if c.state.assembly.axes[n].what in ("slide", "plane")),
            joint.axis_names[0],
        )
        rates = np.atleast_1d(c.posture.joint_rates[axis])
        rates = rates * joint.pitch if joint.kind == "helical" else rates
        for k, rate in enumerate(rates):
            found = c.state.motion_constraints["d", joint.name, k] @ c.V_r
            assert abs(found - rate) < RATES * max(1.0, np.abs(rates).max()), joint.name


@pytest.mark.parametrize("name", ALL_NAMES)
def test_kinematic_coordinates(name):
    """[OZ] (30), (49)-(50): velocities of all bodies, along every leg, hub bodies along each."""
    c = case(name)
    basis = {key: m @ c.V_r for key, m in c.state.motion_constraints.items()}
    size = max(1.0, *(float(np.abs(v).max()) for v in c.posture.twists.values()))
    for chain in c.state.chains:
        for body, point in chain.items():
            if body == c.robot.base:
                continue
            maps = (c.state.velocity(point, np.zeros(3)), c.state.omega(body))
            for i, each in enumerate(maps):
                found = sum(
                    (m @ basis[k] if k[0] == "x" else m * basis[k] for k, m in each.items()),
                    np.zeros(3),
                )
                expected = c.posture.twists[body][3 * i : 3 * i + 3]
                assert np.abs(found - expected).max() < RATES * size, (body, i)


@pytest.mark.parametrize(
    "name", ["offset_hexapod", "six_rrrs", "five_bar", "quattro", "orthoglide"]
)
def test_directions_do_not_change_the_answer(name):
    """Where an element points is a choice: another one gives the same efforts."""
    r = robot(name)
    a = r.assembly
    moving = gough.state(r, *random_freedoms(name, 1, 0.05, seed=6))[0]
    T, V, Vdot = moving.arrays
    parts, rng = element_parts(a), np.random.default_rng(1)
    turned = {}
    for key, e in parts.elements.items():
        x = rng.normal(size=3)
        turned[key] = dataclasses.replace(e, x=x / np.linalg.norm(x), spins=True)
    other = dataclasses.replace(parts, elements=turned)
    state = ElementState(Kinematics(a, regular(a, T), V, Vdot), other)
    found = solved(*implicit_model(state, state.motion, StateLoads(a.gravity)))
    assert relative(found, gough.inverse_dynamics(r, moving)) < 1e-10


# arms: elements that the machine turns about their own direction, or a tip that they do not move

Z, Y, X = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)
ARMS = {
    "yaw through the shoulder": ([(0, 0, 0), (0, 0, 0.3), (0.4, 0, 0.3)], [Z, Y, Y]),
    "yaw in the shoulder": ([(0, 0, 0.3), (0, 0, 0.3), (0.4, 0, 0.3)], [Z, Y, Y]),
    "shoulder beside the yaw axis": ([(0, 0, 0), (0, 0.1, 0.3), (0.4, 0.1, 0.3)], [Z, Y, Y]),
    "shoulder before the yaw axis": ([(0, 0, 0), (0.1, 0, 0.3), (0.5, 0, 0.3)], [Z, Y, Y]),
    "yaw and shoulder": ([(0, 0, 0), (0, 0, 0.3)], [Z, Y]),
    "six axes": (
        [(0, 0, 0), (0, 0, 0.3), (0.4, 0, 0.3), (0.8, 0, 0.3), (0.8, 0, 0.3), (0.8, 0, 0.3)],
        [Z, Y, Y, X, Y, X],
    ),
}
"""Points and axes of turns, one after the other, where all angles are zero."""

POSTURES = [
    (0.2, -0.4, 0.9, 0.3, 0.5, 0.2),  # home
    (-np.pi / 2, -np.pi / 2, 0.7, 0.4, -0.7, 1.0),  # upper arm upright, across the base's axes
    (np.pi / 2, np.pi / 4, np.pi / 4, np.pi / 4, np.pi / 4, 0.3),
    (0.3, -np.pi / 2, -0.7, 1.2, -np.pi / 2, -np.pi / 2),
]


@cache
def arm(case: str) -> gough.Robot:
    """An open chain of motors, its platform last; frames of all bodies are the base's at zero."""
    points, axes = ARMS[case]
    tip = (*(points[-1] + np.array([0.4, 0.0, 0.0])).tolist(),)
    bodies, joints = [], []
    for k, (p, z, end) in enumerate(zip(points, axes, [*points[1:], tip], strict=True)):
        center = (np.array(p) + end) / 2 + [0.01, -0.02, 0.015]
        inertia = np.diag([0.02, 0.03, 0.025]) + 0.002
        bodies.append(gough.Body(f"b{k}", 1.0 + k, tuple(center.tolist()), inertia.tolist()))
        x = np.roll(z, 1)
        at = gough.Frame(tuple(map(float, p)), np.stack([x, np.cross(z, x), z], axis=1).tolist())
        parent = bodies[-2].name if k else "base"
        own = (gough.Axis(viscous=0.1, rotor_inertia=0.01),)
        joints.append(gough.Joint(f"j{k}", "revolute", parent, f"b{k}", at, at, own))
    motors = tuple(j.name for j in joints)
    return gough.Robot(
        name="arm",
        bodies=tuple(bodies),
        joints=tuple(joints),
        platform=bodies[-1].name,
        platform_frame=gough.Frame(tip),
        motors=motors,
        home=gough.Home({}, dict(zip(motors, POSTURES[0], strict=False))),
    )


def at_angles(r: gough.Robot, angles: np.ndarray) -> np.ndarray:
    """Pose of the platform where the motors have turned by angles."""
    T = np.eye(4)
    for joint, q in zip(r.joints, angles, strict=False):
        A, turn = joint.parent_frame.matrix, np.eye(4)
        turn[:2, :2] = [[np.cos(q), -np.sin(q)], [np.sin(q), np.cos(q)]]
        T = T @ A @ turn @ np.linalg.inv(A)
    return T @ r.platform_frame.matrix


# upright, two axes do not move the tip along x and y, which are the freedoms of that arm
REGULAR = [
    (case, k)
    for case in ARMS
    for k in range(len(POSTURES))
    if case != "yaw and shoulder" or k % 2 == 0
]


@pytest.mark.parametrize(("case", "posture"), REGULAR)
def test_arms_are_regular_by_every_method(case, posture):
    """A scalar that does not move the tip, at one pose or at all of them, is told by other rows."""
    r = arm(case)
    n, T = len(r.motors), at_angles(r, POSTURES[posture])
    V = gough.freedom_map(r, T) @ np.linspace(0.3, -0.5, n)
    tau = np.linspace(3.0, -2.0, n)
    with gough.options(engine="numpy"):
        moving = gough.forward_dynamics(r, gough.State(T, V), tau)
    for method in ("legs", "elements", "screws", "tree"):
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                efforts = gough.inverse_dynamics(r, moving, method=method)
                found = gough.forward_dynamics(r, moving, tau, method=method)
            # rounding, times the condition of the arm: below a hundred
            assert relative(efforts, tau) < 1e-11
            assert relative(found.Vdot_0p, moving.Vdot_0p) < 1e-11
    assert gough.audit(r, moving).passed


def test_an_arm_with_its_yaw_axis_through_the_shoulder_is_analysed():
    r = arm("yaw through the shoulder")
    ends = [at_angles(r, angles) for angles in (POSTURES[0], (0.3, -0.3, 0.8))]
    motion = gough.motion.point_to_point(r, *(T[:3, 3] for T in ends), duration=0.5)
    assert gough.analyse(r, motion).certificate.passed
