"""Numbers and symbols through the same lines: traced = NumPy, for every robot and quantity."""

import numpy as np
import pytest

import gough
from gough.tracing.interpreter import run
from gough.tracing.quantities import QUANTITIES
from robots import ALL_NAMES, REFERENCE_NAMES, cases, random_freedoms, relative, robot

# both sides round differently where CasADi reorders a sum; states are regular
TOLERANCE = 1e-12


def _arrays(name):
    r = robot(name)
    if name in REFERENCE_NAMES:
        c = cases(name)
        T, V, Vdot = c["T"], c["twist"], c["dtwist"]
    else:
        T, V, Vdot = gough.state(r, *random_freedoms(name, 10, 0.04))
    return {"T_0p": T, "coordinates": gough.coordinates(r, T), "V_0p": V, "Vdot_0p": Vdot}


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("name", ALL_NAMES)
def test_traced_equals_numpy(name, quantity):
    r, arrays = robot(name), _arrays(name)
    q = QUANTITIES[quantity]
    given = {key: arrays[key] for key in q.inputs}
    traced = run(gough.trace(r, quantity), given)
    for i in range(len(arrays["T_0p"])):
        numbers = q.function(r.assembly, **{key: value[i] for key, value in given.items()})
        assert set(numbers) == set(traced)
        for key, value in numbers.items():
            scale = max(1.0, float(np.abs(value).max(initial=0.0)))
            assert np.abs(traced[key][i] - value).max(initial=0.0) < TOLERANCE * scale


@pytest.mark.parametrize("name", ALL_NAMES)
def test_traced_equals_the_public_functions(name):
    """Fixed pivots, chosen around home, against pivots chosen for each state."""
    r, a = robot(name), _arrays(name)
    T, V, Vdot = a["T_0p"], a["V_0p"], a["Vdot_0p"]

    def traced(quantity):
        keys = QUANTITIES[quantity].inputs
        return run(gough.trace(r, quantity), {key: a[key] for key in keys})

    geometry = traced("inverse_geometry")
    assert np.abs(geometry["residual"]).max(initial=0.0) < 1e-12
    assert relative(geometry["q"], gough.inverse_geometry(r, T)) < 1e-10
    assert relative(traced("inverse_velocity")["qd"], gough.inverse_velocity(r, T, V)) < 1e-10
    expected = gough.inverse_acceleration(r, T, V, Vdot)
    assert relative(traced("inverse_acceleration")["qdd"], expected) < 1e-10
    assert relative(traced("inverse_jacobian")["J_inv"], gough.inverse_jacobian(r, T)) < 1e-10
    assert relative(traced("freedom_map")["Psi"], gough.freedom_map(r, T)) < 1e-10


@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_kinematics_needs_no_trigonometry(name):
    from gough.tracing.count import count

    for quantity in ("newton_step", "inverse_velocity", "inverse_acceleration", "joint_motion"):
        assert count(gough.trace(robot(name), quantity)).functions == 0
