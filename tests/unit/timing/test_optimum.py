"""The least time of another formulation, solved by IPOPT: squared rates as variables."""

import casadi
import numpy as np
import pytest

import gough
from driven import five_bar, with_motors
from robots import robot

CELLS = 120


def least_time(r, path, torque, gear):
    """Least time along a path that is in motion at both ends, from rest to rest.

    Squared rates of the motion's clock at even times, constraints in the middle of each cell; all
    coefficients by inverse dynamics at chosen rates.  Gears lose nothing.
    """
    s = np.linspace(0.0, path.duration, CELLS + 1)
    h, (T, V, W) = s[1], path(0.5 * (s[:-1] + s[1:])).arrays

    def tau(rate, gain):
        return gough.inverse_dynamics(r, gough.State(T, V * rate, W * rate**2 + V * gain))

    still, one, four = tau(1e-9, 0.0), tau(1.0, 0.0), tau(2.0, 0.0)
    inertia = tau(1.0, 1.0) - one
    square = (four - 2.0 * one + still) / 2.0
    viscous = one - still - square
    x = casadi.SX.sym("x", CELLS + 1)
    middle, gain = (x[1:] + x[:-1]) / 2.0, (x[1:] - x[:-1]) / (2.0 * h)
    time = casadi.sum1(2.0 * h / (casadi.sqrt(x[1:]) + casadi.sqrt(x[:-1])))
    shafts = [
        (inertia[:, i] * gain + square[:, i] * middle + viscous[:, i] * casadi.sqrt(middle)) / gear
        + still[:, i] / gear
        for i in range(tau(1.0, 0.0).shape[1])
    ]
    problem = {"x": x, "f": time, "g": casadi.vertcat(*shafts)}
    quiet = {"ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes"}
    solver = casadi.nlpsol("s", "ipopt", problem, quiet)
    low = np.full(CELLS + 1, 1e-8)
    high = np.r_[1e-8, np.full(CELLS - 1, 1e6), 1e-8]
    found = solver(
        x0=np.minimum(np.full(CELLS + 1, 0.1), high), lbx=low, ubx=high, lbg=-torque, ubg=torque
    )
    assert solver.stats()["success"]
    return float(found["f"])


@pytest.mark.parametrize("name", ["delta", "five_bar"])
def test_ipopt_finds_no_faster_law(name):
    if name == "delta":
        gear = gough.Transmission(ratio=10.0)
        r = with_motors(robot("delta"), transmission=gear, motor=gough.Motor(peak=3.0))
        ratio, torque, radius = 10.0, 3.0, 0.1
    else:
        r, ratio, torque, radius = (
            with_motors(five_bar(), motor=gough.Motor(peak=8.0)),
            1.0,
            8.0,
            0.03,
        )
    path = gough.motion.circle(r, radius=radius, turns=0.4, duration=1.0, law="constant")
    found = gough.motion.fastest(r, path)
    # cells of a hundredth of the path, and the ends of IPOPT's law are not quite at rest
    assert found.period == pytest.approx(least_time(r, path, torque, ratio), rel=1e-2)
    assert found.grid.use.min() > 0.999
