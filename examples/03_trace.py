"""The same NumPy lines called with symbols: a program that can be counted and run on any batch."""

from pathlib import Path

import numpy as np

import gough

robot = gough.load(Path(__file__).parent / "robots" / "hexapod.yaml")
program = gough.trace.program(robot, "motor_accelerations")
print("inputs: ", ", ".join(f"{port.name} {port.shape}" for port in program.inputs))
print("one evaluation:", gough.trace.count(program))

rng = np.random.default_rng(0)
x = np.array([0.0, 0.0, 0.62, 0.0, 0.0, 0.0]) + 0.05 * rng.uniform(-1.0, 1.0, (20, 6))
state = gough.state(robot, x, rng.normal(size=(20, 6)), rng.normal(size=(20, 6)))
T_0p, V_0p, Vdot_0p = state.arrays
found = gough.trace.run(
    program,
    {
        "T_0p": T_0p,
        "coordinates": gough.trace.coordinates(robot, T_0p),  # joints as (cos, sin)
        "V_0p": V_0p,
        "Vdot_0p": Vdot_0p,
    },
)
expected = gough.motor_accelerations(robot, state)
print("traced and NumPy differ by", np.abs(found["qdd"] - expected).max())

assert gough.trace.count(program).functions == 0
np.testing.assert_allclose(found["qdd"], expected, rtol=1e-10, atol=1e-10)
