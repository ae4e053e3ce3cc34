"""Build machines from a few numbers: a hexapod from points, a Delta from five lengths."""

import numpy as np

import gough
from gough import build


def ring(radius, degrees):
    a = np.radians(degrees)
    return np.stack([radius * np.cos(a), radius * np.sin(a), 0 * a], axis=1)


base = ring(0.6, [-12, 12, 108, 132, 228, 252])
top = ring(0.3, [-50, 50, 70, 170, 190, 290])
rod = gough.inertia.rod(0.8, (0, 0, -0.4), (0, 0, 0))  # frame at the platform, z along the leg
plate = gough.inertia.cylinder(8.0, 0.3, 0.02)
hexapod = build.hexapod(base, top, legs=build.Leg(distal=rod), platform=plate)
print(gough.sheet(hexapod))

T = hexapod.home_pose  # found: above the base, away from singularities
lengths = np.linalg.norm(T[:3, 3] + top - base, axis=1)
np.testing.assert_allclose(gough.inverse_kinematics(hexapod, T), lengths)

still = np.zeros(6)
tau = gough.inverse_dynamics(hexapod, T)
print("\nforces that hold it [N]:", np.round(tau, 2))
up = (T[2, 3] + top[:, 2] - base[:, 2]) / lengths  # the struts share the weight, by their slopes
assert 8.0 * 9.81 < up @ tau < (8.0 + 6 * 0.8) * 9.81

delta = build.delta(0.16, 0.05, 0.2, 0.48, 0.035)
assert delta.freedoms == ("x", "y", "z")
assert {chain for _, chain in gough.sheet(delta).legs} == {"R* [U S | U S]"}

leg = build.drawn_chain(  # any other chain: its joint string, drawn as it stands
    "R* R P S",
    points=[(0.4, 0, 0), (0.4, 0, 0), (0.4, 0, 0), (0.2, 0, 0.7)],
    directions=[(0, 1, 0), (0.7, 0, 0.2), (-0.2, 0, 0.7), None],
    leg=1,
    links={"fork": None, "tube": None, "piston": None},
)
assert leg.motors == ("r1a",)
