"""A hexapod under a camera that sees its legs: the zeros of its motors need not be known."""

import numpy as np

import gough
from gough import control, motion, vision

model = gough.zoo.load("gough_stewart")  # what the controllers know
plant = control.perturb(model, zeros=1e-3)  # what is simulated: lengths are counted from elsewhere

# below the base, looking up: 250 images a second, each a period late, edges found to 0.1 px
T_0c = vision.looking(position=(0.0, 0.0, -0.6), target=(0.0, 0.0, 0.4))
camera = vision.Camera(T_0c, focal=600.0, rate=250.0, delay=4e-3, noise=0.1)

# one image: every leg is a pair of lines, and the planes through them contain its direction
image = vision.take(camera, vision.cylinders(plant, model.home_pose, radius=0.015))
seen = vision.observe(model, camera, image)
exact = gough.observe(model, model.home_pose)
for name, x in zip(seen.elements, seen.x, strict=True):
    angle = np.linalg.norm(np.cross(x, exact.x[exact.elements.index(name)]))
    print(f"{name}: off by {1e3 * angle:.2f} mrad, expected {1e3 / seen.weights[name]:.2f}")
    assert angle < 4.0 / seen.weights[name]

# a stroke, by encoders and by legs; joints are where the model has them, to 0.1 mrad of a leg
end = np.array(model.home_pose)
end[:3, 3] += [0.03, 0.02, -0.02]
task = motion.point_to_point(model, None, end, duration=0.2)
sight = vision.Sight(camera, radius=0.015, direction_error=1e-4)
laws = {
    "motors": control.computed_torque(model, task, bandwidth=60.0, period=1e-3),
    "legs": control.computed_torque(model, task, bandwidth=60.0, space="legs", camera=sight),
}
errors = {}
for name, law in laws.items():
    run = gough.simulate(plant, task(0.0), law, task.duration)
    errors[name] = 1e3 * run.tracking.position[-1]
    print(f"feedback on {name:6}: {errors[name]:.3f} mm off at the end")
assert errors["legs"] < 0.3 < errors["motors"]
