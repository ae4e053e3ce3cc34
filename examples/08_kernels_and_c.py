"""A kernel: many states at once, slopes beside them; and the same program as C for a controller."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import gough

robot = gough.zoo.load("five_bar")
rng = np.random.default_rng(0)
x = robot.home_pose[:2, 3] + 0.03 * rng.uniform(-1.0, 1.0, (200, 2))
state = gough.state(robot, x, *rng.normal(size=(2, 200, 2)))

# the public function compiles by itself once there are many states
tau = gough.inverse_dynamics(robot, state)
with gough.options(engine="numpy"):
    plain = gough.inverse_dynamics(robot, state)
np.testing.assert_allclose(tau, plain, rtol=1e-9, atol=1e-9)

# by hand: with slopes, and with the doubt that the public function looks at for you
kernel = gough.compile(robot, "inverse_dynamics", derivatives=("Vdot_0p", "pose"))
found = kernel(*state.arrays)
print(kernel)
print("largest doubt, 1 would be too much:", found["doubt"].sum(axis=-1).max())
assert (found["doubt"].sum(axis=-1) < 1.0).all()

# the slope by the acceleration, along the freedoms, is the inertia the motors feel
Psi = gough.freedom_map(robot, state)
J_inv = gough.inverse_jacobian(robot, state)
felt = np.swapaxes(J_inv, -1, -2) @ found["d_tau_d_Vdot_0p"] @ Psi
np.testing.assert_allclose(felt, gough.inertia_matrix(robot, state), rtol=1e-8, atol=1e-10)

with tempfile.TemporaryDirectory() as folder:
    code, header = gough.export_c(robot, "inverse_dynamics", folder)
    print(next(line for line in header.read_text().splitlines() if line.startswith("int ")))
    compiler = shutil.which("cc")
    if compiler:
        program = Path(folder) / "self_test"
        command = [compiler, "-std=c99", "-DGOUGH_SELF_TEST", str(code), "-o", str(program), "-lm"]
        subprocess.run(command, check=True)
        subprocess.run([program], check=True)
        print("the C code finds the same efforts")
