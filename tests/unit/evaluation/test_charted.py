"""A pose from the robot's own coordinates, with symbols: right wherever it is not in doubt."""

import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from gough.compiler.tracing.interpreter import run
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import whole_program
from robots import robot


# how far from home [m, rad], and the share of reachable states that must not be in doubt
@pytest.mark.parametrize(
    ("name", "far", "share"),
    [("five_bar", [0.25, 0.25], 0.9), ("spherical_2dof", [0.8, 0.8], 0.99)],
)
def test_states_far_from_home(name, far, share):
    """Loops closed by a few Newton steps; the judge leads each state from home, step by step."""
    r = robot(name)
    rng = np.random.default_rng(5)
    home = r.assembly.chart.coordinates(np.asarray(r.assembly.T_home))[list(r.assembly.free)]
    x = home + np.array(far) * rng.uniform(-1.0, 1.0, (100, r.mobility))
    xd, xdd = rng.normal(size=(2, 100, r.mobility))
    motion = gough.state(r, x, xd, xdd, on_error="nan")
    expected = gough.inverse_dynamics(r, motion, on_error="nan")
    program = whole_program(r.assembly, "efforts_from_freedoms", Variant())
    found = run(program, {"x": x, "xd": xd, "xdd": xdd})
    reached, certain = np.isfinite(expected).all(axis=1), is_valid(found["doubt"])
    assert not (certain & ~reached).any()  # nothing is answered that the reference refuses
    assert (certain & reached).sum() >= share * reached.sum()
    off = np.abs(found["tau"] - expected).max(axis=1) / np.abs(expected).max(axis=1)
    assert off[certain].max() < 1e-7  # loops are closed to 1e-10, and efforts grow near the rim
    assert np.median(off[certain]) < 1e-13


def test_derivatives_hold_what_newton_has_found():
    """Gough's own derivatives go through the last step alone; they are those of differences."""
    r = robot("spherical_2dof")
    program = whole_program(r.assembly, "efforts_from_freedoms", Variant(), ("x",))
    x, xd, xdd = np.array([0.2, -0.3]), np.array([0.5, 0.4]), np.array([-1.0, 2.0])

    def tau(x):
        return run(program, {"x": x, "xd": xd, "xdd": xdd})["tau"]

    h = 1e-4
    apart = np.stack([(tau(x + d) - tau(x - d)) / (2.0 * h) for d in h * np.eye(2)], axis=-1)
    slopes = run(program, {"x": x, "xd": xd, "xdd": xdd})["d_tau_d_x"]
    # differences of second order are off by h^2 of the third derivative
    assert np.abs(slopes - apart).max() < 1e-6 * np.abs(slopes).max()
