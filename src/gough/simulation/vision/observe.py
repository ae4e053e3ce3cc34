"""From images to what :func:`gough.inverse_dynamics_observed` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.dynamics.elements.camera import LegStates
from gough.dynamics.elements.decomposition import element_parts
from gough.errors import InputError
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.simulation.vision.camera import Camera
from gough.simulation.vision.cylinders import visible_elements
from gough.simulation.vision.directions import directions
from gough.simulation.vision.image import Image
from gough.simulation.vision.observer import Observer
from gough.simulation.vision.sight import USUAL_BANDWIDTH


def observe(
    robot: Robot,
    camera: Camera,
    images: Image | Sequence[Image],
    *,
    near: LegStates | None = None,
    bandwidth: float | None = None,
    time: float | None = None,
    sensors: LegStates | None = None,
) -> LegStates:
    """Legs in motion as images show them, one after the other.

    Args:
        robot: the machine as it is known.
        camera: the camera as it is known: its orientation and focal length.
        images: from :func:`take`, in the order of time; one alone shows no rates, they are zero.
        near: where the legs point roughly in the first image; as at home if not given.
        bandwidth: of the :class:`Observer` [rad/s]; three tenths of the rate of images if not
            given.
        time: for which the answer is [s]; that of the last image if not given.  Later, as by the
            camera's delay, it is predicted.
        sensors: what else is measured at that instant: its lengths, turns and encoders are added.

    Returns:
        Directions of the legs that are seen, or were not long ago, with the reciprocals of their
        standard deviations as weights, those of ``sensors`` as they are.

    Raises:
        InputError: nothing is seen, or an argument makes no sense; names it.
    """
    pictures = (images,) if isinstance(images, Image) else tuple(images)
    if not pictures or not all(isinstance(each, Image) for each in pictures):
        raise InputError("images: expected images of gough.vision.take", argument="images")
    assembly = assembled(robot)
    names = visible_elements(assembly)
    rough = _at_home(robot) if near is None else dict(zip(near.elements, near.x, strict=True))
    speed = USUAL_BANDWIDTH * camera.rate if bandwidth is None else bandwidth
    observer = Observer(names, 1.0 / camera.rate, speed)
    deviations: dict[str, float] = {}
    for image in pictures:
        observer.predict(image.time)
        rough |= {n: x for n, x, k in zip(names, observer.x, observer.known, strict=True) if k}
        found = directions(camera, image, rough)
        observer.correct({name: each.x for name, each in found.items()})
        deviations |= {n: float(np.sqrt(0.5 * np.trace(d.spread))) for n, d in found.items()}
    if time is not None:
        observer.predict(number(time, "time"))
    kept = np.flatnonzero(observer.known)
    if not len(kept):
        raise nothing_seen(robot, pictures[-1])
    x, w, wd = (array[kept] for array in (observer.x, observer.w, observer.wd))
    xd = np.cross(w, x)
    elements = tuple(names[i] for i in kept)
    noise = camera.noise or 1.0  # without noise only proportions count
    weights = {name: 1.0 / (noise * deviations[name]) for name in elements}
    return _with_sensors(elements, (x, xd, np.cross(wd, x) + np.cross(w, xd)), weights, sensors)


def _at_home(robot: Robot) -> dict[str, np.ndarray]:
    """Where elements point at home."""
    assembly = assembled(robot)
    poses = assembly.equations(*assembly.start).body_poses
    return {e.name: poses[e.name].R @ e.x for e in element_parts(assembly).elements.values()}


def _with_sensors(
    elements: tuple[str, ...],
    arrays: tuple[np.ndarray, np.ndarray, np.ndarray],
    weights: dict[str, float],
    sensors: LegStates | None,
) -> LegStates:
    if sensors is None:
        return LegStates(elements, (), *arrays, weights=weights)
    fields = ("lengths", "d", "dd", "ddd", "turns", "theta", "spin", "spin_rate")
    more: dict[str, Any] = {
        name: getattr(sensors, name) for name in (*fields, "encoders", "q", "qd", "qdd")
    }
    own = {k: v for k, v in (sensors.weights or {}).items() if k not in sensors.elements}
    lengths = more.pop("lengths")
    return LegStates(elements, lengths, *arrays, **more, weights=weights | own)


def nothing_seen(robot: Robot, image: Image) -> InputError:
    """No leg is seen: how much of each is in view."""
    shares = ", ".join(f"{name} {100.0 * share:.0f} %" for name, share in image.shares.items())
    return InputError(
        f"{robot.name}: no leg is seen at {image.time:g} s; in view are of {shares}",
        hint="Likely: the camera looks elsewhere, or something hides the legs.  least_share of "
        "the camera says how much of a leg is enough.",
        argument="images",
    )
