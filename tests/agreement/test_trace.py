"""Numbers and symbols through the same lines: traced = NumPy, for every robot and quantity."""

import numpy as np
import pytest

import gough
from gough.dynamics.methods import METHODS
from gough.tracing.interpreter import run
from gough.tracing.quantities import QUANTITIES
from robots import ALL_NAMES, REFERENCE_NAMES, cases, random_freedoms, relative, robot

# both sides round differently where CasADi reorders a sum; states are regular
TOLERANCE = 1e-12
# Every method is traced of these, of the others one, for time's sake: a planar robot,
# parallelograms, a pose-dependent Psi, six freedoms, a nacelle, a contact, screws, idle spins.
DIRECT = ["five_bar", "tilt_3rps", "gough_stewart", "c5"]
INVERSE = [*DIRECT, "quattro", "delta_with_balls", "rccc"]


def _arrays(name):
    r = robot(name)
    if name in REFERENCE_NAMES:
        c = cases(name)
        T, V, Vdot = c["T"][:4], c["twist"][:4], c["dtwist"][:4]
    else:
        T, V, Vdot = gough.state(r, *random_freedoms(name, 4, 0.04))
    tau = np.random.default_rng(3).normal(size=(len(T), len(r.motors)))
    found = {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot, "tau": tau}
    return found | {"coordinates": gough.coordinates(r, T)}


def _quantities(name):
    """What is traced of a robot."""
    r = robot(name)
    for quantity, q in QUANTITIES.items():
        if "observed" in quantity or "motors" in quantity:
            continue  # tests/unit/dynamics/test_observed.py
        if quantity.startswith("inverse_dynamics") and not r.assembly.is_square:
            continue
        if quantity.startswith("direct_dynamics") and name not in DIRECT:
            continue
        if quantity.startswith("inverse_dynamics_") and name not in INVERSE:
            continue
        yield quantity, q


@pytest.mark.parametrize("name", ALL_NAMES)
def test_traced_equals_numpy(name):
    """The same lines with numbers, then the public functions, whose pivots are chosen by state."""
    r, arrays = robot(name), _arrays(name)
    traced = {}
    for quantity, q in _quantities(name):
        given = {key: arrays[key] for key in q.inputs}
        traced[quantity] = run(gough.trace(r, quantity), given)
        # dynamics in numbers is slow: one state here, the rest against gough itself
        count = 1 if "dynamics" in quantity else 4
        for i in range(count):
            numbers = q.function(r.assembly, **{key: value[i] for key, value in given.items()})
            assert set(numbers) == set(traced[quantity])
            for key, value in numbers.items():
                scale = max(1.0, float(np.abs(value).max(initial=0.0)))
                deviation = np.abs(traced[quantity][key][i] - value).max(initial=0.0)
                loose = 100.0 if "dynamics" in quantity else 1.0
                assert deviation < loose * TOLERANCE * scale, (quantity, key)

    T, V, Vdot = arrays["T_0p"], arrays["V_0p"], arrays["Vdot_0p"]
    geometry = traced["inverse_geometry"]
    assert np.abs(geometry["residual"]).max(initial=0.0) < 1e-12
    public = {
        ("inverse_geometry", "q"): gough.inverse_geometry(r, T),
        ("inverse_velocity", "qd"): gough.inverse_velocity(r, T, V),
        ("inverse_acceleration", "qdd"): gough.inverse_acceleration(r, T, V, Vdot),
        ("inverse_jacobian", "J_inv"): gough.inverse_jacobian(r, T),
        ("freedom_map", "Psi"): gough.freedom_map(r, T),
    }
    for method in METHODS:
        suffix = "" if method == "legs" else f"_{method}"
        if f"inverse_dynamics{suffix}" in traced:
            tau = gough.inverse_dynamics(r, T, V, Vdot, method=method)
            public[f"inverse_dynamics{suffix}", "tau"] = tau
        if f"direct_dynamics{suffix}" in traced:
            under = gough.direct_dynamics(r, T, V, arrays["tau"], method=method)
            public[f"direct_dynamics{suffix}", "Vdot_0p"] = under
    for (quantity, key), expected in public.items():
        assert relative(traced[quantity][key], expected) < 1e-10, quantity
    if name in REFERENCE_NAMES:
        for quantity in set(traced) - {"inverse_geometry"}:
            assert gough.count(gough.trace(r, quantity)).functions == 0, "no sine, no cosine"
