"""Robots of the zoo to files of other programs and back: the same efforts, or a named refusal."""

from __future__ import annotations

import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

import gough
from gough.errors import FileError
from robots import robot

FORMATS = {"MJCF": "xml", "URDF": "urdf", "SDF": "sdf"}


@cache
def round_trip(name, suffix):
    """The robot that comes back, or the error that the format cannot hold it."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", gough.GoughWarning)
        path = Path(folder) / f"{name}.{suffix}"
        try:
            gough.save(robot(name), path)
        except FileError as err:
            return err
        return gough.convert(path).robot


def states(machine, count=3, seed=5):
    """States around home."""
    rng = np.random.default_rng(seed)
    n, length = machine.mobility, machine.length
    slides = np.array([0.05 * length if f in "xyz" else 0.1 for f in machine.freedoms])
    found = machine.assembly
    home = found.chart.coordinates(machine.home_pose)[list(found.free)]
    for _ in range(count):
        x, xd, xdd = (slides * rng.uniform(-1.0, 1.0, n) for _ in range(3))
        yield gough.state(machine, home + x, xd * 5.0, xdd * 20.0)


def error(name, suffix):
    """Largest relative difference of efforts and accelerations after a round trip."""
    before, after = robot(name), round_trip(name, suffix)
    worst = 0.0
    for state in states(before):
        a = gough.inverse_dynamics(before, state)
        b = gough.inverse_dynamics(after, state)
        worst = max(worst, np.abs(a - b).max() / np.abs(a).max())
        a = gough.forward_dynamics(before, state, a).Vdot_0p
        b = gough.forward_dynamics(after, state, gough.inverse_dynamics(after, state)).Vdot_0p
        worst = max(worst, np.abs(a - b).max() / max(np.abs(a).max(), 1.0))
    return worst
