"""An elastic Delta: how far it sags, where it shakes, whether it rings at 120 cycles a minute."""

import numpy as np

import gough

robot = gough.load("examples/robots/elastic_delta.yaml")
loads = gough.Loads(payload=0.5)
elastic = gough.elasticity(robot, loads=loads)

# how stiff, how far it sags, and how motors make up for it
z = elastic.compliance[2, 2]
print(f"{1e-6 / z:.3f} N/um down, {1e-6 / elastic.compliance[1, 1]:.3f} N/um sideways")
sag = elastic.deflection()
print(sag)
assert 50e-6 < -sag.platform[2] < 300e-6
worst = sag.parts[int(np.argmax(sag.shares))]
assert worst == "gear of motor1"
offsets = elastic.compensation()
print("offsets of the motors [mrad]", (1e3 * offsets.offsets).round(3).tolist())
assert np.abs(offsets.platform[:3]).max() < 1e-12  # the platform is back; its tilt is not reached

# where it shakes, and who is to blame
vibrations = elastic.vibrations(4)
print(vibrations)
assert vibrations.sentences()[0].count("gear of motor") == 2
gears = [name.startswith("gear") for name in vibrations.parts]
assert vibrations.shares[0, gears].sum() > 0.7  # stiffer arms would not help

# 120 cycles a minute: 0.5 s, of which the gripper needs 25 ms at rest, within 50 um
cycle = gough.motion.pick_and_place(robot, cycle=0.42)
plain = gough.elastic_motion(robot, cycle, loads=loads, rate=400.0)
print(plain)
assert plain.residual[0] > 0.5e-3
assert plain.settling(50e-6) > 1.0  # it rings for a second and more

# the same with a shaper for what rings
shaper = plain.suggested_shaper("zvd")
shaped = gough.elastic_motion(robot, cycle, loads=loads, shaper=shaper, rate=400.0)
print(shaped)
assert shaped.residual[0] < 50e-6 < plain.residual[0] / 10.0
ready = shaped.motion.duration + shaped.settling(50e-6)
print(f"at rest within 50 um after {ready:.3f} s of 0.5 s")
assert ready + 0.025 < 0.5
