"""Influence coefficients and partial screws: unit rates of one variable move the whole machine."""

from functools import partial

import numpy as np
import pytest

import gough
from batches import KINDS, check_batch
from crossings import SINGULAR, five_bar
from gough import screw
from gough.errors import InputError, SingularPose
from robots import ALL_NAMES, SQUARE_NAMES, random_freedoms, relative, robot

# the same through systems of other make, of condition up to some hundred: 1e-13 is met
SAME = 1e-11


def _moving(name):
    r = robot(name)
    T, V, _ = gough.state(r, *random_freedoms(name, 1, 0.1, seed=3))[0].arrays
    return r, T, V, gough.posture(r, gough.State(T, V))


def _check(r, p, G, partial, rates):
    """Every joint and every body moves as the posture says, which knows no screw."""
    assert tuple(G.joints) == r.axis_names
    fastest = max(float(np.abs(qd).max()) for qd in p.joint_rates.values())
    for axis, found in G.joints.items():
        assert np.abs(found @ rates - p.joint_rates[axis]).max() < SAME * fastest, axis
    assert list(partial.bodies) == [body.name for body in r.bodies]
    for body, found in partial.bodies.items():
        expected = screw.from_twist(p.twists[body], p.bodies[body][:3, 3])
        assert relative(found @ rates, expected) < SAME, body


@pytest.mark.parametrize("name", SQUARE_NAMES)
def test_motors_move_joints_and_bodies(name):
    """[GA] (17), (20): rates of all joints and twists of all bodies from those of the motors."""
    r, T, V, p = _moving(name)
    G, partial = gough.influence_coefficients(r, T), gough.partial_screws(r, T)
    assert G.variables == partial.variables == tuple(r.motors)
    _check(r, p, G, partial, gough.motor_rates(r, gough.State(T, V)))
    own = np.array([G.joints[motor] for motor in r.motors])
    np.testing.assert_allclose(own, np.eye(len(r.motors)), atol=1e-11)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_freedoms_move_joints_and_bodies(name):
    """The same with respect to V_r, for any number of motors."""
    r, T, V, p = _moving(name)
    G = gough.influence_coefficients(r, T, by="freedoms")
    partial = gough.partial_screws(r, T, by="freedoms")
    assert G.variables == partial.variables == r.freedoms
    _check(r, p, G, partial, V[list(r.assembly.free)])


@pytest.mark.parametrize("name", ["four_rrr", "contact_tripod"])
def test_motors_that_are_not_as_many_as_freedoms_are_refused(name):
    r = robot(name)
    for function in (gough.influence_coefficients, gough.partial_screws):
        with pytest.raises(InputError, match='by="freedoms"'):
            function(r, r.home_pose)


def test_type_2_has_coefficients_of_freedoms_only():
    r = five_bar()
    T = gough.state(r, [0.0, SINGULAR]).T_0p
    with pytest.raises(SingularPose, match="Type 2"):
        gough.influence_coefficients(r, T)
    found = gough.influence_coefficients(r, np.stack([T, r.home_pose]), on_error="nan")
    for rows in found.joints.values():
        assert np.isnan(rows[0]).all()
        assert np.isfinite(rows[1]).all()
    partial = gough.partial_screws(r, T, by="freedoms")
    assert all(np.isfinite(columns).all() for columns in partial.bodies.values())


def test_batches_keep_their_axes():
    r = robot("delta")
    T = gough.state(r, random_freedoms("delta", 6, 0.1)[0]).T_0p
    G = gough.influence_coefficients(r, T.reshape(2, 3, 4, 4))
    partial = gough.partial_screws(r, T.reshape(2, 3, 4, 4))
    one = gough.partial_screws(r, T[4])
    for body, columns in partial.bodies.items():
        assert columns.shape == (2, 3, 6, 3)
        np.testing.assert_allclose(columns[1, 1], one.bodies[body], atol=1e-13)
    for axis, rows in G.joints.items():
        place = r.assembly.axes[axis].what
        assert rows.shape == (2, 3, *({"ball": (3,), "plane": (2,)}.get(place, ())), 3)
    with pytest.raises(InputError, match="motors"):
        gough.partial_screws(r, T, by="joints")


ASKED = (gough.influence_coefficients, gough.partial_screws)


@pytest.mark.parametrize("frame", ["base", "platform"])
@pytest.mark.parametrize("name", KINDS)
def test_batches_are_answered_as_single_states_are(name, frame):
    for function in ASKED:
        check_batch(partial(function, by="freedoms"), name, frame=frame)
        if name in SQUARE_NAMES:
            check_batch(function, name, frame=frame)


@pytest.mark.parametrize("name", ["delta", "quattro"])
def test_kernels_answer_as_numpy_does(name):
    for function in ASKED:
        check_batch(function, name, engine="compiled")


def test_states_of_single_precision():
    r = robot("gough_stewart")
    T = gough.state(r, random_freedoms("gough_stewart", 9, 0.1)[0]).T_0p
    for function in ASKED:
        for by in ("motors", "freedoms"):
            exact, coarse = (vars(function(r, x, by=by)) for x in (T, T.astype(np.float32)))
            for parts, others in zip([*exact.values()][1:], [*coarse.values()][1:], strict=True):
                for key, array in parts.items():
                    np.testing.assert_allclose(others[key], array, atol=1e-5)


def test_a_screw_at_another_point_is_the_velocity_there():
    """[GA] (21): moved to a mass centre, the dual part is its velocity per motor."""
    r, T, V, p = _moving("gough_stewart_6spu")
    body = r.bodies[0]
    center = p.bodies[body.name] @ np.append(body.center, 1.0)
    columns = gough.partial_screws(r, T).bodies[body.name]
    moved = np.stack([screw.moved(column, center[:3]) for column in columns.T], axis=1)
    v, w = np.split(p.twists[body.name], 2)
    found = moved @ gough.motor_rates(r, gough.State(T, V))
    expected = np.concatenate([w, v + np.cross(w, center[:3] - p.bodies[body.name][:3, 3])])
    assert relative(found, expected) < SAME
