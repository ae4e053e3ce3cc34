"""Kinematic coordinates and the implicit model of [OZ], as arrays that users take."""

import numpy as np
import pytest

import gough
from cases import acting, efforts, loaded, motion
from gough.errors import SingularPose
from numbers_robots import three_rrr_ref
from robots import ALL_NAMES, SQUARE_NAMES, random_freedoms, relative, robot

# the same through systems of other make, of condition up to some hundred: 4e-14 is met
SAME = 1e-11


@pytest.mark.parametrize("name", ALL_NAMES)
def test_bodies_move_as_the_posture_says(name):
    """[OZ] (49)-(50), (55): velocities of mass centres, angular velocities, from u = M V_r."""
    r, state = robot(name), motion(name)
    k, p = (
        gough.kinematic_coordinates(r, state.T_0p[0]),
        gough.posture(r, gough.State(state.T_0p[0], state.V_0p[0])),
    )
    u = k.M @ state.V_0p[0, list(r.assembly.free)]
    assert k.freedoms == r.freedoms
    assert u.shape == (len(k.variables),)
    assert len(set(k.variables)) == len(k.variables)
    assert list(k.velocities) == list(k.angular) == [body.name for body in r.bodies]
    for body in r.bodies:
        v, w = np.split(p.twists[body.name], 2)
        center = p.bodies[body.name][:3, :3] @ body.center
        fastest = np.abs(p.twists[body.name]).max(initial=1.0)
        velocity = k.velocities[body.name] @ u
        assert np.abs(velocity - v - np.cross(w, center)).max() < SAME * fastest, body.name
        assert np.abs(k.angular[body.name] @ u - w).max() < SAME * fastest, body.name


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart", "delta_4", "c5", "screw_hexapod"])
def test_variables_are_rates_of_what_a_camera_sees(name):
    """Entries of u = M V_r by differences of directions and lengths."""
    r, h = robot(name), 1e-5
    x, xd, _ = (a[0] for a in random_freedoms(name, 1, 0.03))
    state = gough.state(r, x, xd, 0.0 * xd)
    before, after = (gough.observe(r, gough.state(r, x + s * xd, xd, xd)) for s in (-h, h))
    k = gough.kinematic_coordinates(r, state)
    u = dict(zip(k.variables, k.M @ state.V_0p[list(r.assembly.free)], strict=True))
    seen = gough.observe(r, state)
    differences = {}
    for i, element in enumerate(seen.elements):
        rate = (after.x[i] - before.x[i]) / (2 * h)
        differences |= {f"{element}.xd_{axis}": rate[j] for j, axis in enumerate("xyz")}
    for i, length in enumerate(seen.lengths):
        name = length if length in r.axis_names else length.rpartition(".")[0]
        differences[f"{name}.dd"] = (after.d[i] - before.d[i]) / (2 * h)
    common = set(differences) & set(u)
    assert common
    scale = max(1.0, *map(abs, u.values()))
    for variable in common:  # h^2 times third derivatives, and 1e-16 / h
        assert abs(u[variable] - differences[variable]) < 1e-7 * scale, variable


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_efforts_solve_the_implicit_model(name):
    """[OZ] (58): A tau + b = 0 for efforts of another theory, under all loads."""
    r, state = loaded(name), motion(name)
    model = gough.implicit_model(r, state, loads=acting(r))
    tau = efforts(name, "legs")
    assert model.freedoms == r.freedoms
    assert model.motors == tuple(r.motors)
    assert np.abs(model.A[0] @ tau[0] + model.b[0]).max() < SAME * np.abs(model.b).max()
    assert relative(model.A[0].T, gough.inverse_jacobian(r, state.T_0p[0])) < SAME


def test_kane_by_hand():
    """A and b from the public partial velocities: motors at the base, weight, a body at rest."""
    r = robot("three_rrr")
    state = motion("three_rrr")[0]
    k, p = gough.kinematic_coordinates(r, state), gough.posture(r, state)
    b = np.zeros(len(k.variables))
    for body in r.bodies:
        R = p.bodies[body.name][:3, :3]
        w, wd = p.twists[body.name][3:], p.twist_rates[body.name][3:]
        c, I = R @ body.center, R @ np.array(body.inertia) @ R.T  # noqa: E741
        a = p.twist_rates[body.name][:3] + np.cross(wd, c) + np.cross(w, np.cross(w, c))
        force = body.mass * (np.array(r.gravity) - a)
        b += k.velocities[body.name].T @ force
        b -= k.angular[body.name].T @ (I @ wd + np.cross(w, I @ w))
    bare = gough.Loads(friction=False, rotors=False)
    model = gough.implicit_model(r, state, loads=bare)
    assert relative(k.M.T @ b, model.b) < SAME  # [OZ] (52), (56)
    A = np.stack([(k.angular[r.joint(m).child].T @ [0, 0, 1]) @ k.M for m in r.motors], axis=1)
    assert relative(A, model.A) < SAME


def test_batches_and_refusals():
    r = robot("delta")
    T = gough.state(r, random_freedoms("delta", 6, 0.1)[0]).T_0p
    k = gough.kinematic_coordinates(r, T.reshape(2, 3, 4, 4))
    one = gough.kinematic_coordinates(r, T[4])
    assert k.M.shape == (2, 3, len(k.variables), 3)
    assert k.velocities[r.platform].shape == (2, 3, 3, len(k.variables))
    np.testing.assert_allclose(k.M[1, 1], one.M, atol=1e-13)
    planar = three_rrr_ref()
    stretched = np.array(planar.home_pose)
    stretched[:3, 3] = [0.0, -0.2, 0.0]  # leg 1 straight
    with pytest.raises(SingularPose, match="Type 1"):
        gough.kinematic_coordinates(planar, stretched)
    pair = np.stack([stretched, planar.home_pose])
    found = gough.kinematic_coordinates(planar, pair, on_error="nan")
    assert np.isnan(found.M[0]).all()
    assert np.isfinite(found.M[1]).all()
