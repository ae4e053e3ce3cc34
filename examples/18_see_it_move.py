"""A robot on a page that computes: one file, to be dragged in a browser and sent by mail."""

import tempfile
from pathlib import Path

import gough

robot = gough.zoo.load("delta")
folder = Path(tempfile.mkdtemp())

# the robot alone: drag its platform, move its motors, give it a payload, see all assembly modes
page = gough.view(robot, path=folder / "delta.html")
print(f"{page}: {page.stat().st_size / 1000:.0f} kB, open it in a browser")
assert page.stat().st_size < 700_000

# with a motion: a time line, the path, curves of efforts and speeds, payload and gravity still live
cycle = gough.motion.pick_and_place(robot, cycle=0.5)
gough.view(cycle, path=folder / "cycle.html", modes=False)

# what a simulation did: efforts are those that moved it
held = gough.inverse_dynamics(robot, cycle(0.0))
fall = gough.simulate(robot, cycle.start, 0.5 * held, t_end=0.1)
gough.view(fall, path=folder / "fall.html", modes=False)

# without a path it is the page itself, which a notebook shows: gough.view(robot)
text = gough.view(robot, modes=False)
assert "https:" not in text  # nothing comes from elsewhere
print("drag the platform, or move a slider: the numbers are those of gough.inverse_dynamics")
