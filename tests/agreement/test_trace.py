"""Numbers and symbols through the same lines: traced = NumPy, for every robot and quantity."""

import dataclasses

import numpy as np
import pytest

import gough
from batches import KINDS, check_batch
from gough.base.conditions import Silent
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.tracer import trace as trace_function
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.states import SilentSymbols
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.state_loads import Push, StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import packed_length, unpack
from robots import (
    ALL_NAMES,
    REFERENCE_NAMES,
    cases,
    random_freedoms,
    relative,
    robot,
)

# both sides round differently where symbols reorder a sum; states are regular
TOLERANCE = 1e-12
# Every method is traced of these, of the others one, for time's sake: a planar robot,
# parallelograms, a pose-dependent Psi, six freedoms, a nacelle, a contact, screws, idle spins,
# redundant motors.
DIRECT = ["five_bar", "tilt_3rps", "gough_stewart", "c5"]
INVERSE = [*DIRECT, "quattro", "four_rrr", "delta_with_balls", "rccc"]


def _arrays(name):
    r = robot(name)
    if name in REFERENCE_NAMES:
        c = cases(name)
        T, V, Vdot = c["T"][:2], c["twist"][:2], c["dtwist"][:2]
    else:
        T, V, Vdot = gough.state(r, *random_freedoms(name, 2, 0.04)).arrays
    tau = np.random.default_rng(3).normal(size=(len(T), len(r.motors)))
    found = {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot, "tau": tau}
    return found | {"coordinates": gough.trace.coordinates(r, T)}


KINEMATICS = (
    *("closed_form", "reach", "inverse_kinematics", "jacobians", "motor_rates"),
    *("motor_accelerations", "posture"),
)


def _asked(name):
    """Quantities that are traced of a robot, and the method."""
    r = robot(name)
    yield from ((quantity, "legs") for quantity in KINEMATICS)
    efforts = r.assembly.is_square or (r.redundant and r.assembly.motors_control_platform)
    for method in METHODS:
        if efforts and (method == "legs" or name in INVERSE):
            yield "inverse_dynamics", method
        if name in DIRECT:
            yield "forward_dynamics", method


@pytest.mark.parametrize("name", ALL_NAMES)
def test_traced_equals_numpy(name):
    """The same lines with numbers, then the public functions, whose pivots are chosen by state."""
    r, arrays = robot(name), _arrays(name)
    traced = {}
    for quantity, method in _asked(name):
        program = gough.trace.program(r, quantity, method=method)
        given = {port.name: arrays[port.name] for port in program.inputs}
        found = traced[quantity, method] = run(program, given)
        # dynamics in numbers is slow: one state here, the rest against gough itself
        count = 1 if "dynamics" in quantity else len(arrays["T_0p"])
        loose = 100.0 if "dynamics" in quantity else 1.0
        row = ROWS[quantity].with_joints
        for i in range(count):
            here = {key: value[i] for key, value in given.items()}
            numbers = row.evaluate(SilentSymbols(), r.assembly, Variant(method), here)
            assert set(numbers) == set(found)
            for key, value in numbers.items():
                scale = max(1.0, float(np.abs(value).max(initial=0.0)))
                deviation = np.abs(found[key][i] - value).max(initial=0.0)
                assert deviation < loose * TOLERANCE * scale, (quantity, key)

    T, V, Vdot = arrays["T_0p"], arrays["V_0p"], arrays["Vdot_0p"]
    assert np.abs(traced["reach", "legs"]["off"]).max(initial=0.0) < 1e-11
    state = gough.State(T, V, Vdot)
    public = {
        ("inverse_kinematics", "legs", "q"): gough.inverse_kinematics(r, T),
        ("motor_rates", "legs", "qd"): gough.motor_rates(r, state),
        ("motor_accelerations", "legs", "qdd"): gough.motor_accelerations(r, state),
        ("jacobians", "legs", "J_inv"): gough.inverse_jacobian(r, T),
        ("jacobians", "legs", "Psi"): gough.freedom_map(r, T),
    }
    for quantity, method in traced:
        if quantity == "inverse_dynamics":
            public[quantity, method, "tau"] = gough.inverse_dynamics(r, state, method=method)
        if quantity == "forward_dynamics":
            under = gough.forward_dynamics(r, state, arrays["tau"], method=method)
            public[quantity, method, "Vdot_0p"] = under.Vdot_0p
    for (quantity, method, key), expected in public.items():
        assert relative(traced[quantity, method][key], expected) < 1e-10, quantity
    if name in REFERENCE_NAMES:
        for quantity, method in set(traced) - {("inverse_kinematics", "legs"), ("posture", "legs")}:
            program = gough.trace.program(r, quantity, method=method)
            assert gough.trace.count(program).functions == 0, "no sine, no cosine"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["four_rrr", "tilt_3rps"])
def test_loads_may_be_symbols(name, method):
    """Wrench, payload and springs in a trace: one program, every load."""
    r = robot(name)
    joints = [
        dataclasses.replace(
            j,
            axes=tuple(dataclasses.replace(a, spring=gough.Spring(3.0, rest=0.2)) for a in j.axes)
            if j.kind in ("revolute", "prismatic")
            else j.axes,
        )
        for j in r.joints
    ]
    r = dataclasses.replace(r, joints=tuple(joints))
    a, body, theory = r.assembly, r.bodies[0].name, METHODS[method]
    shapes = {"T_0p": (4, 4), "V_0p": (6,), "Vdot_0p": (6,), "tau": (len(r.motors),)}
    shapes |= {"coordinates": (packed_length(a.topology),), "point": (3,), "f": (3,), "n": (3,)}
    shapes |= {"mass": (1,), "center": (3,), "inertia": (3, 3)}

    def function(T_0p, coordinates, V_0p, Vdot_0p, tau, point, f, n, mass, center, inertia):
        solution = a.traced(a.equations(T_0p, unpack(a.topology, coordinates)))
        kin = Kinematics(a, solution, V_0p, Vdot_0p, rules=Silent())
        payload = CentralMass(r.platform, mass[0], center, inertia)
        pushes = (Push(body, point, f, n), Push(r.platform, point, n, f))
        loads = StateLoads(a.gravity, pushes, payload, smoothing=0.1)
        return {
            "tau": theory.efforts(kin, loads),
            "Vdot_0p": theory.twist_rate(kin.with_motion(V_0p), tau, loads),
        }

    state = gough.state(r, *random_freedoms(name, 2, 0.04))
    T, V, Vdot = state.arrays
    rng = np.random.default_rng(7)
    given = {
        key: rng.normal(size=(2, *shapes[key])) for key in ("point", "f", "n", "center", "tau")
    }
    given |= {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot, "coordinates": gough.trace.coordinates(r, T)}
    given |= {"mass": np.array([[0.5], [2.0]]), "inertia": np.stack([0.1 * np.eye(3)] * 2)}
    found = run(trace_function("loaded", function, shapes), given)
    point, f, n = given["point"], given["f"], given["n"]
    payload = gough.Payload(given["mass"][:, 0], given["center"], given["inertia"])
    forces = [gough.Force(body, f, n, point), gough.Force(r.platform, n, f, point)]
    loads = gough.Loads(forces, payload, smoothing=0.1)
    expected = gough.inverse_dynamics(r, state, method=method, loads=loads)
    assert relative(found["tau"], expected) < 1e-10
    expected = gough.forward_dynamics(r, state, given["tau"], method=method, loads=loads).Vdot_0p
    assert relative(found["Vdot_0p"], expected) < 1e-10


@pytest.mark.parametrize("name", KINDS)
def test_coordinates_of_batches(name):
    check_batch(gough.trace.coordinates, name)
