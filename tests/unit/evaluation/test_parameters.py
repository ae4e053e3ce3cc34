"""One kernel, many machines: figures as inputs; and derivatives by what goes in."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.dynamics.quantities.parameters import FIGURES, own_values
from gough.errors import InputError
from robots import random_freedoms, relative, robot


def motion(name, count=2):
    return gough.state(robot(name), *random_freedoms(name, count, 0.05))


def another(r):
    """The same machine made of other stuff, in another field of gravity."""
    bodies = [
        gough.Body(
            b.name,
            1.3 * b.mass + 0.2,
            (np.array(b.center) + 0.01).tolist(),
            (1.5 * np.array(b.inertia) + 0.01 * np.eye(3)).tolist(),
        )
        for b in r.bodies
    ]
    joints = []
    for j in r.joints:
        axes = []
        for what in gough.robot.KINDS[j.kind].axes.values():
            plain = what in ("ball", "plane")
            rest = {} if plain else {"rotor_inertia": 0.01, "spring": gough.Spring(2.0, 0.1)}
            axes.append(gough.Axis(viscous=0.1, coulomb=0.05, **rest))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(
        r, bodies=tuple(bodies), joints=tuple(joints), gravity=(0.3, -1.0, -9.0)
    )


@pytest.mark.parametrize(
    ("name", "method"),
    [("five_bar", m) for m in ("legs", "elements", "screws", "tree")] + [("c5", "legs")],
)
def test_every_figure(name, method):
    r, state = robot(name), motion(name)
    other = another(r)
    kernel = gough.compile(r, "inverse_dynamics", method=method, parameters=FIGURES)
    with gough.options(engine="numpy"):
        own = gough.inverse_dynamics(r, state)
    assert relative(kernel(*state.arrays)["tau"], own) < 1e-12
    values = {name: own_values(other)[name] for name in FIGURES}
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(other, state)
    assert relative(kernel(*state.arrays, **values)["tau"], expected) < 1e-12
    direct = gough.compile(r, "forward_dynamics", method=method, parameters=FIGURES)
    assert (
        relative(direct(state.T_0p, state.V_0p, expected, **values)["Vdot_0p"], state.Vdot_0p)
        < 1e-10
    )


def test_a_batch_of_machines():
    """Masses per sample: efforts are linear in them."""
    r, state = robot("delta"), motion("delta", 1)
    kernel = gough.compile(
        r,
        "inverse_dynamics",
        loads=gough.Loads(friction=False, rotors=False),
        parameters=["masses"],
    )
    masses = kernel.defaults["masses"] * np.array([[1.0], [2.0], [3.0]])
    tau = kernel(*state[0].arrays, masses=masses)["tau"]
    assert tau.shape == (3, 3)
    assert relative(tau[2] - tau[1], tau[1] - tau[0]) < 1e-11


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps"])
def test_derivatives(name):
    """Against differences; by the pose along the robot's freedoms."""
    r = robot(name)
    T, V, Vdot = motion(name, 1)[0].arrays
    kernel = gough.compile(r, "inverse_dynamics", derivatives=("V_0p", "Vdot_0p", "pose"))
    plain, h = gough.compile(r, "inverse_dynamics"), 1e-6
    found = kernel(T, V, Vdot)

    def slope(function, count):
        pairs = [(function(h * e), function(-h * e)) for e in np.eye(count)]
        return np.stack([(a - b) / (2 * h) for a, b in pairs], axis=1)

    def moved(step):
        w = gough.freedom_map(r, T) @ step
        return spatial.pose(spatial.rotation_exp(w[3:]) @ T[:3, :3], T[:3, 3] + w[:3])

    by_V = slope(lambda e: plain(T, V + e, Vdot)["tau"], 6)
    by_Vdot = slope(lambda e: plain(T, V, Vdot + e)["tau"], 6)
    by_pose = slope(lambda e: plain(moved(e), V, Vdot)["tau"], r.mobility)
    assert relative(found["d_tau_d_V_0p"], by_V) < 1e-7
    assert relative(found["d_tau_d_Vdot_0p"], by_Vdot) < 1e-7
    assert relative(found["d_tau_d_pose"], by_pose) < 1e-7
    assert relative(found["tau"], plain(T, V, Vdot)["tau"]) < 1e-13


def test_derivatives_by_parameters():
    """Efforts by masses: the columns of a regressor."""
    r, state = robot("five_bar"), motion("five_bar", 1)
    kernel = gough.compile(
        r,
        "inverse_dynamics",
        loads=gough.Loads(friction=False, rotors=False),
        parameters=("masses", "inertias"),
        derivatives=("masses", "inertias"),
    )
    found = kernel(*state[0].arrays)
    own = kernel.defaults
    rebuilt = found["d_tau_d_masses"] @ own["masses"] + np.einsum(
        "tbij,bij->t", found["d_tau_d_inertias"], own["inertias"]
    )
    assert relative(rebuilt, found["tau"]) < 1e-12


@pytest.mark.parametrize(
    ("quantity", "options", "words"),
    [
        ("inverse_dynamics", {"parameters": ["mass"]}, "has no parameter 'mass'"),
        ("inverse_kinematics", {"parameters": ["masses"]}, "has no parameter 'masses'"),
        ("inverse_dynamics", {"parameters": ["arm"]}, "compile gough.vary(robot, arm=...)"),
        ("inverse_dynamics", {"parameters": ["prox1.mass"]}, "in 'masses', 'centers' and 'inert"),
        ("inverse_dynamics", {"parameters": ["foot1.viscous"]}, "'viscous', 'coulomb', 'rotor_in"),
        ("inverse_dynamics", {"derivatives": ["tau"]}, "cannot be differentiated by 'tau'"),
        ("inverse_dynamics", {"derivatives": ["T_0p"]}, "cannot be differentiated by 'T_0p'"),
    ],
)
def test_refusals(quantity, options, words):
    with pytest.raises(InputError) as caught:
        gough.compile(robot("five_bar"), quantity, **options)
    assert words in str(caught.value)
