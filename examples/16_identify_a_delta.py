"""A Delta from its logs: a motion that excites, currents without and with a payload, a model."""

import tempfile
from pathlib import Path

import numpy as np

import gough

robot = gough.zoo.load("delta")  # as its designer has it
rng = np.random.default_rng(16)
RATE = 500.0  # samples of the log a second
AMPERE = np.array([1.2, 0.9, -1.1])  # torque per ampere of the three drives, sign included [N m/A]
DELAY = 0.0012  # by which the drives' currents are recorded later than encoders [s]

# what the motors' efforts can show at all, and a motion that shows it
base = gough.base_parameters(robot)
print(f"{base.number} of {len(base.names)} parameters and sums of parameters can be told apart")
swing = gough.excitation_motion(
    robot, duration=6.0, frequency=0.5, harmonics=4, trials=10
)  # 600 find a better one
other = gough.motion.lissajous(
    robot,
    amplitude={"x": 0.09, "y": 0.08, "z": 0.05},
    frequency={"x": 1.0, "y": 1.5, "z": 2.0},
    duration=4.0,
)
print(swing)

# the machine on the bench: heavier platform, lighter bars, friction of another size
own = {body.name: body.mass for body in robot.bodies}
chi = {"platform.m": 1.3 * own["platform"]}
chi |= {f"{name}.m": 0.9 * mass for name, mass in own.items() if name.startswith("bar")}
chi |= {f"{motor}.viscous": 0.05 for motor in robot.motors}
chi |= {f"{motor}.coulomb": 0.12 for motor in robot.motors}
machine = gough.with_parameters(robot, chi)


def recorded(motion: gough.motion.Motion, payload: float = 0.0) -> gough.Log:
    """What a controller would write down: encoders with steps, currents with noise."""
    t = np.arange(0.0, motion.duration, 1.0 / RATE)
    q = np.round(gough.inverse_kinematics(machine, motion(t)) / 1e-5) * 1e-5
    late = motion(np.clip(t - DELAY, 0.0, None))
    tau = gough.inverse_dynamics(machine, late, loads=gough.Loads(payload=payload))
    tau += 0.02 * tau.std(axis=0) * rng.normal(size=tau.shape)
    loads = gough.Loads(payload=payload) if payload else None
    return gough.Log(t, q, currents=tau / AMPERE, loads=loads)


# two runs, one with a weighed payload that shows the gains of the drives; a third one to validate
logs = [recorded(swing.motion), recorded(swing.motion, payload=0.5)]
found = gough.identify(robot, logs, validation=recorded(other))
for sentence in found.findings:
    print("finding:", sentence)
print("gains", found.gains.gains.round(3), "+-", found.gains.std.round(3), "N m/A")
print(f"efforts are recorded {1e3 * found.delay:.2f} ms later than positions")
for name, error, before in zip(
    robot.motors, found.validation.relative, found.validation.before, strict=True
):
    print(
        f"{name}: validation error {100 * error:.2f} %, with the description {100 * before:.1f} %"
    )
assert np.allclose(found.gains.gains, AMPERE, rtol=0.01)
assert abs(found.delay - DELAY) < 4.0 * found.delay_sigma
assert (found.validation.relative < 0.1 * found.validation.before).all()

# a robot like any other, all of whose bodies can exist; gough.report.write_identification makes a
# page of it all, found.draw() one figure
folder = Path(tempfile.mkdtemp())
gough.save(found.robot, folder / "identified.yaml")
found.draw("efforts_validation").savefig(folder / "efforts.png")
masses = {body.name: round(body.mass, 3) for body in found.robot.bodies}
print("masses", masses)
assert abs(masses["platform"] - chi["platform.m"]) < 0.1 * own["platform"]
