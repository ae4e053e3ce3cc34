"""Programs as functions of CasADi: the numbers of gough, and derivatives that are right."""

import sys

import casadi as ca
import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from gough.compiler.targets.casadi_function import casadi_function
from gough.compiler.tracing.interpreter import run
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError
from gough.evaluation.compile import whole_program
from robots import REFERENCE_NAMES, cases, random_freedoms, relative, robot

SMOOTH = gough.Loads(smoothing=0.1)
# rounding of some thousand operations, in another order than NumPy's
SAME = 1e-11
EXPORTED = ("five_bar", "delta", "gough_stewart", "spherical_2dof")


def test_inputs_and_outputs_are_those_of_the_kernel():
    f = gough.export(robot("delta"), "forward_kinematics_step")
    kernel = gough.compile(robot("delta"), "forward_kinematics_step")
    assert f.name_in() == list(kernel.inputs) == ["T_0p", "q"]
    assert f.name_out() == ["T_0p_out", "error", "off", "size", "type_2", "doubt"]
    assert f.size_in("T_0p") == f.size_out("T_0p_out") == (4, 4)
    assert f.size_in("q") == (3, 1)


@pytest.mark.parametrize("name", [n for n in REFERENCE_NAMES if n in EXPORTED])
def test_values_of_the_reference_cases(name):
    given = cases(name)
    motion = [given[key] for key in ("T", "twist", "dtwist")]
    f = gough.export(robot(name), "inverse_dynamics")
    found = [f(*state) for state in zip(*motion, strict=True)]
    tau, doubt = (np.array([np.array(each[k])[:, 0] for each in found]) for k in range(2))
    assert relative(tau, given["tau"]) < 1e-12  # as gough's own
    assert is_valid(doubt).all()


@pytest.mark.parametrize("method", ["elements", "screws", "tree"])
def test_methods_loads_and_parameters(method):
    r = robot("five_bar")
    x, xd, xdd = (a[0] for a in random_freedoms("five_bar", 1, 0.04))
    T, V, Vdot = gough.state(r, x, xd, xdd).arrays
    loads = gough.Loads([gough.Force("dist2", [1.0, 2.0, 0.0])], payload=0.4)
    f = gough.export(r, method=method, loads=loads, parameters=("masses",))
    masses = np.array([1.1 * body.mass for body in r.bodies])
    found = f(
        T_0p=T,
        V_0p=V,
        Vdot_0p=Vdot,
        point_0=np.zeros(3),
        f_0=[1.0, 2.0, 0.0],
        n_0=np.zeros(3),
        mass=0.4,
        center=np.zeros(3),
        inertia=np.zeros((3, 3)),
        masses=masses,
    )
    kernel = gough.compile(r, "inverse_dynamics", loads=loads, parameters=("masses",))
    expected = kernel(T, V, Vdot, masses=masses)["tau"]
    assert relative(np.array(found["tau"])[:, 0], expected) < 1e-9  # methods differ by rounding


def test_motion_of_the_freedoms_there_and_back():
    """Efforts of a motion, and the accelerations under them: the motion again."""
    r = robot("tilt_3rps")
    x, xd, xdd = (a[0] for a in random_freedoms("tilt_3rps", 1, 0.04))
    tau, q, qd, doubt = gough.export(r, "efforts_from_freedoms")(x, xd, xdd)
    state = gough.state(r, x, xd, xdd)
    for found, expected in (
        (tau, gough.inverse_dynamics(r, state)),
        (q, gough.inverse_kinematics(r, state)),
        (qd, gough.motor_rates(r, state)),
    ):
        assert np.abs(np.array(found)[:, 0] - expected).max() < SAME * np.abs(expected).max()
    again, _, _, other = gough.export(r, "accelerations_from_freedoms")(x, xd, tau)
    assert relative(np.array(again)[:, 0], xdd) < 1e-10  # the inertia matrix is solved
    assert is_valid(np.array(doubt)[:, 0])
    assert is_valid(np.array(other)[:, 0])


def _differences(f, point, k, h):
    """Slopes of the first output by the k-th input, of fourth order."""

    def at(step):
        moved = [a + step if i == k else a for i, a in enumerate(point)]
        return np.array(f(*moved)[0])[:, 0]

    units = h * np.eye(len(point[k]))
    return np.array(
        [(8.0 * (at(d) - at(-d)) - (at(2.0 * d) - at(-2.0 * d))) / (12.0 * h) for d in units]
    ).T


def test_derivatives_through_newtons_steps():
    """The legs decide part of this pose: CasADi's Jacobians, gough's own, and differences."""
    r = robot("five_bar")
    x, xd, xdd = (a[0] for a in random_freedoms("five_bar", 1, 0.04))
    f, inputs = gough.export(r, "efforts_from_freedoms", loads=SMOOTH), ("x", "xd", "xdd")
    jacobians = f.factory("J", [*inputs], [f"jac:tau:{key}" for key in inputs])(x, xd, xdd)
    program = whole_program(
        r.assembly, "efforts_from_freedoms", Variant(smoothing=0.1), ("x", "xd", "xdd")
    )
    own = run(program, dict(zip(inputs, (x, xd, xdd), strict=True)))
    for k, key in enumerate(inputs):
        J = np.array(jacobians[k])
        size = np.abs(J).max()
        assert np.abs(J - own[f"d_tau_d_{key}"]).max() < 1e-9 * size  # two ways to differentiate
        # steps of 1e-3 are off by 1e-12 of the fifth derivative, and round off by 1e-12
        assert np.abs(J - _differences(f, (x, xd, xdd), k, 1e-3)).max() < 1e-6 * size


def test_derivatives_along_a_motion_of_the_pose():
    """By entries of T_0p they mean something along motions: those of a kernel's "pose"."""
    r = robot("delta")
    x, xd, xdd = (a[0] for a in random_freedoms("delta", 1, 0.04))
    T, V, Vdot = gough.state(r, x, xd, xdd).arrays
    f = gough.export(r, loads=SMOOTH)
    J = np.array(f.factory("J", ["T_0p", "V_0p", "Vdot_0p"], ["jac:tau:T_0p"])(T, V, Vdot))
    columns = J[:, 12:15]  # the last column of the pose, CasADi's order
    program = whole_program(r.assembly, "inverse_dynamics", Variant(smoothing=0.1), ("pose",))
    own = run(program, {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot})["d_tau_d_pose"]
    assert np.abs(columns - own).max() < 1e-9 * np.abs(own).max()


def test_selections_and_functions_of_own_programs():
    def own(u, A):
        chosen = [np.minimum(u[0], u[1]), np.maximum(u[0], u[1]), abs(u[0]), u[0] < u[1]]
        chosen += [np.sign(u[0]), np.copysign(u[1], u[0]), np.arctan2(u[0], u[1]), u[0] <= u[0]]
        return {"chosen": np.stack(chosen), "A": A * u[0], "cube": np.stack([A * u[1], A * u[0]])}

    program = gough.trace.function("own", own, {"u": (2,), "A": (2, 3)})
    f = gough.trace.casadi(program, "mine")
    assert f.name() == "mine"
    for u in ([0.3, -0.7], [-0.3, 0.7]):
        inputs = {"u": np.array(u), "A": np.arange(6.0).reshape(2, 3)}
        expected = run(program, inputs)
        found = f(*inputs.values())
        assert f.name_out() == ["chosen", "A_out", "cube"]
        for one, other in zip(found, expected.values(), strict=True):
            array = np.array(one).reshape(other.shape)  # axes behind the first along the columns
            np.testing.assert_allclose(array, other, rtol=1e-15)


def test_what_is_left_out_is_no_zero():
    f = gough.export(robot("five_bar"), "motor_rates")
    found = f(T_0p=np.asarray(robot("five_bar").home_pose))
    assert np.isnan(np.array(found["qd"])).all()
    assert not is_valid(np.array(found["doubt"])[:, 0])


def test_a_pose_out_of_reach_is_in_doubt():
    f = gough.export(robot("five_bar"), "efforts_from_freedoms")
    *_, doubt = f([3.0, 0.0], np.zeros(2), np.zeros(2))
    assert not is_valid(np.array(doubt)[:, 0])


def test_quantities_that_have_joints_or_motors():
    r = robot("five_bar")
    f = gough.export(r, "inverse_dynamics_from_motors")
    q, qd, qdd = np.array(gough.inverse_kinematics(r, r.home_pose)), [0.1, 0.2], [1.0, 2.0]
    expected = gough.inverse_dynamics_from_motors(r, q, qd, qdd)
    assert f.name_out() == ["tau"]
    np.testing.assert_allclose(np.array(f(q, qd, qdd))[:, 0], expected, rtol=1e-11)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "c"}, "export_c"),
        ({"target": "jax"}, "casadi"),
        ({"quantity": "inverse_dynamic"}, "inverse_dynamics"),
        ({"quantity": "closed_form", "method": "tree"}, "no options"),
        ({"parameters": ("mass",)}, "masses"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(InputError) as refused:
        gough.export(robot("five_bar"), **arguments)
    assert message in f"{refused.value.message} {refused.value.hint}"


def test_casadi_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(InputError, match="CasADi is needed") as refused:
        gough.export(robot("five_bar"), "motor_rates")
    assert "pip install casadi" in refused.value.hint


def test_names_that_casadi_refuses():
    program = gough.trace.function("a b", lambda v: {"w": v}, {"v": (1,)})
    with pytest.raises(InputError, match="'a b'"):
        casadi_function(program)
    assert isinstance(casadi_function(program, "ab"), ca.Function)
