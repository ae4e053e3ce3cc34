"""Where joints sit as inputs of kernels: the same answers as a robot that is built so."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough.base.spatial import cayley
from gough.dynamics.quantities import PUBLIC
from gough.dynamics.quantities.placements import SEATS, own_seats
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError
from gough.evaluation.compile import whole_program
from gough.evaluation.reference import of_one_state
from gough.geometry.inverse import posed
from robots import relative, robot

PLANAR = ("five_bar",)
LENGTH = 3e-3
"""How far joints are moved, shares of the robot's length, and turned [rad]: a few millimetres."""


def rebuilt(r, seats):
    """The robot with its joints elsewhere, built anew: its home is closed again."""

    def frame(old, point, turn):
        return gough.Frame(point.tolist(), (cayley(turn) @ np.array(old.rotation)).tolist())

    joints = [
        dataclasses.replace(
            j, parent_frame=frame(j.parent_frame, a, v), child_frame=frame(j.child_frame, b, w)
        )
        for j, a, b, v, w in zip(r.joints, *(seats[name] for name in SEATS), strict=True)
    ]
    return dataclasses.replace(r, joints=tuple(joints))


def changes(name, size, seed=4):
    """Small changes of all seats; loops of a planar robot admit those in its plane."""
    rng, r = np.random.default_rng(seed), robot(name)
    found = {key: size * rng.normal(size=(len(r.joints), 3)) for key in SEATS}
    for key, rows in found.items():
        rows *= r.assembly.length if key.endswith("points") else 1.0
        if name in PLANAR:
            rows *= [1.0, 1.0, 0.0] if key.endswith("points") else [0.0, 0.0, 1.0]
    return found


def moved(name, *parts):
    """The robot's own seats and changes of them."""
    own = own_seats(robot(name))
    return {key: own[key] + sum(part[key] for part in parts) for key in SEATS}


@cache
def other(name):
    """Another geometry of a robot, the robot built so, and a state of it by names of inputs."""
    seats = moved(name, changes(name, LENGTH))
    f = rebuilt(robot(name), seats)
    a, rng = f.assembly, np.random.default_rng(2)
    x = a.chart.coordinates(a.T_home)[list(a.free)]
    n, units = a.mobility, a.scales.freedoms
    x, xd, xdd = x + 0.05 * units * rng.normal(size=n), *(units * rng.normal(size=(2, n)))
    state = gough.state(f, x, xd, xdd)
    T, V, Vdot = state.arrays
    return (
        seats,
        f,
        {
            "T_0p": T,
            "V_0p": V,
            "Vdot_0p": Vdot,
            "V_r": V[list(a.free)],
            "Vdot_r": Vdot[list(a.free)],
            "q": gough.inverse_kinematics(f, T),
            "qd": gough.motor_rates(f, state),
            "qdd": gough.motor_accelerations(f, state),
            "tau": rng.normal(size=len(f.motors)),
            "step": np.zeros(6 + n),
        },
    )


def answered(name, quantity, method="legs", **options):
    """What the program of the robot as described answers for the other one, and that one itself."""
    seats, f, state = other(name)
    variant = Variant(method=PUBLIC[quantity].method or method)
    program = whole_program(
        robot(name).assembly,
        quantity,
        dataclasses.replace(variant, parameters=SEATS),
        **options,
    )
    given = {key: state[key] for key in PUBLIC[quantity].inputs}
    if quantity.endswith("under_efforts"):  # those that produce the motion
        given["tau"] = gough.inverse_dynamics(
            f, gough.State(*(state[key] for key in ("T_0p", "V_0p", "Vdot_0p")))
        )
    expected = of_one_state(f.assembly, quantity, variant)(*given.values())
    outputs = dict(zip(PUBLIC[quantity].outputs, expected, strict=True))
    return gough.trace.run(program, {**given, **seats}), outputs


SEATED = [key for key, each in PUBLIC.items() if each.seated]
CASES = (
    [("five_bar", key, "legs") for key in SEATED]
    + [("five_bar", "inverse_dynamics", m) for m in ("tree", "screws", "elements")]
    + [("tilt_3rps", "inverse_dynamics", m) for m in ("tree", "screws", "elements")]
    + [("tilt_3rps", key, "legs") for key in ("forward_kinematics_step", "forward_dynamics")]
    + [("delta", "inverse_dynamics", "screws"), ("space_3ups", "inverse_kinematics", "legs")]
)


@pytest.mark.parametrize(("name", "quantity", "method"), CASES)
def test_as_a_robot_that_is_built_so(name, quantity, method):
    """Twelve digits: Newton's steps here, closed forms or other pivots there."""
    found, expected = answered(name, quantity, method)
    assert found["doubt"].sum() < 1e-2
    for key, value in expected.items():
        if key in ("type_2", "stretch"):  # natural units are those of the robot as described
            assert found[key] * value > 0.0
        elif value.size:
            assert np.abs(found[key] - value).max() < 1e-11 * max(np.abs(value).max(), 1.0), key


def test_as_described():
    """Defaults are the robot's own, and turns of zero; some inputs are as good as all."""
    r = robot("five_bar")
    kernel = gough.compile(r, "inverse_kinematics", parameters=("child_turns", "parent_points"))
    assert [*kernel.defaults] == ["parent_points", "child_turns"]
    T = gough.state(r, [0.02, 0.31]).T_0p
    assert relative(kernel(T)["q"], gough.inverse_kinematics(r, T)) < 1e-12
    motor = r.motors[0]
    i = [j.name for j in r.joints].index(motor)
    turned = np.zeros((5, 3))
    turned[i, 2] = 0.1  # frame B is turned on a body that stays: the angle reads more
    q = kernel(T, child_turns=turned)["q"] - kernel(T)["q"]
    assert q == pytest.approx([2.0 * np.arctan(0.05), 0.0], abs=1e-12)


def test_where_motors_put_the_platform():
    """Newton's steps from the pose of the robot as described lead to that of the other one."""
    name = "tilt_3rps"
    seats, _, state = other(name)
    r = robot(name)
    variant = Variant(parameters=SEATS)
    program = whole_program(r.assembly, "forward_kinematics_step", variant)
    T = np.asarray(r.assembly.T_home)
    for _ in range(6):
        found = gough.trace.run(program, {"T_0p": T, "q": state["q"], **seats})
        T = found["T_0p"]
    assert np.abs(T - state["T_0p"]).max() < 1e-12
    assert found["off"] < 1e-11
    assert found["doubt"].sum() < 1e-2


def test_derivatives_hold_the_freedoms():
    """Against differences of robots that are built so, at the same place of the platform."""
    name, wrt = "five_bar", ("child_points", "parent_turns")
    seats, _, state = other(name)
    found, _ = answered(name, "inverse_kinematics", derivatives=wrt)
    place = state["T_0p"][:2, 3]
    for key in wrt:
        way = {k: np.zeros_like(v) for k, v in seats.items()}
        way[key] = changes(name, 1.0, seed=9)[key]
        h = 1e-5  # differences are good to h^2 of curvature, and to 1e-15 / h of rounding
        q = []
        for sign in (1.0, -1.0):
            g = rebuilt(robot(name), {k: seats[k] + sign * h * way[k] for k in SEATS})
            q.append(gough.inverse_kinematics(g, gough.state(g, place).T_0p))
        slope = np.einsum("mij,ij->m", found[f"d_q_d_{key}"], way[key])
        assert relative(slope, (q[0] - q[1]) / (2.0 * h)) < 1e-8
        assert np.abs(np.einsum("kij,ij->k", found[f"d_open_d_{key}"], way[key])).max() < 1e-12
        assert np.abs(found[f"d_open_d_{key}"]).max() > 0.1  # out of the plane no loop closes


def test_loops_that_do_not_close():
    """A planar robot with an axis out of its normal: in doubt, even where it happens to close."""
    r = robot("five_bar")
    T = gough.state(r, [0.02, 0.31]).T_0p
    program = whole_program(r.assembly, "inverse_jacobian", Variant(parameters=SEATS))
    joint = r.joint("elbow1")
    i = r.joints.index(joint)
    seats = moved("five_bar")
    seats["parent_turns"][i] = [0.01, 0.0, 0.0]
    assert not gough.trace.run(program, {"T_0p": T, **seats})["doubt"].sum() < 1.0
    poses = posed(r.assembly, T).body_poses
    both = poses[joint.child].R.T @ poses[joint.parent].R
    seats["child_turns"][i] = both @ seats["parent_turns"][i]
    found = gough.trace.run(program, {"T_0p": T, **seats})
    assert relative(found["q"], gough.inverse_kinematics(r, T)) < 1e-12  # closed, but stuck
    assert not found["doubt"].sum() < 1.0


@pytest.mark.parametrize(
    ("name", "quantity", "words"),
    [
        ("five_bar", "inverse_dynamics_observed", "sums along the legs"),
        ("five_bar", "reach", "closed forms"),
        ("delta_with_balls", "inverse_dynamics", "may spin"),
    ],
)
def test_refusals(name, quantity, words):
    with pytest.raises(InputError) as caught:
        gough.compile(robot(name), quantity, parameters=["child_points"])
    assert words in str(caught.value)
    assert caught.value.argument == "parameters"
