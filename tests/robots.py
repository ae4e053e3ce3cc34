"""Every robot of the tests, built once: the zoo, the machines drawn here, the reference data."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

import gough
from conftest import REFERENCE
from gough.geometry.inverse import motor_positions, posed
from gough.mechanism.mobility.measures import measures_at
from machines import MACHINES
from reference import pose, robot_from_mechanism

REFERENCE_NAMES = sorted(path.stem for path in (REFERENCE / "robots").glob("*.json"))
MACHINE_NAMES = [build.__name__ for build in MACHINES]
REDUNDANT_NAMES = ["four_rrr"]
"""Robots of the zoo with more motors than freedoms; their efforts are not unique."""
ZOO_NAMES = [name for name in gough.zoo.names() if name not in REDUNDANT_NAMES]
"""The others: as many motors as freedoms."""
ALL_NAMES = ZOO_NAMES + REDUNDANT_NAMES + MACHINE_NAMES
# What each is like is written down, so that nothing is assembled before the tests run; checked by
# tests/unit/mobility/test_kinds.py.
MOTORLESS_NAMES = ["contact_tripod"]
IDLE_NAMES = ["sps_hexapod", "ucs_hexapod", "delta_with_balls"]
"""Robots with bodies that spin idly: their angle is no function of the pose."""
DRIVEN_NAMES = [name for name in ALL_NAMES if name not in MOTORLESS_NAMES]
SQUARE_NAMES = [name for name in DRIVEN_NAMES if name not in REDUNDANT_NAMES]
"""Robots with as many motors as freedoms, which control the platform."""
UNFROZEN_NAMES = [name for name in ALL_NAMES if name not in IDLE_NAMES]


@cache
def robot(name: str) -> gough.Robot:
    """A robot by name."""
    if name in gough.zoo.names():
        return gough.zoo.load(name)
    return next(build for build in MACHINES if build.__name__ == name)()


@cache
def mechanism(name: str) -> gough.Robot:
    """A reference robot as the reference describes it, body by body and joint by joint."""
    block = json.loads((REFERENCE / "robots" / f"{name}.json").read_text())
    return robot_from_mechanism(block["mechanism"])


@cache
def cases(name: str) -> dict[str, np.ndarray]:
    """All cases of a reference robot, stacked."""
    found = json.loads((REFERENCE / "cases" / f"{name}.json").read_text())["cases"]
    keys = ("twist", "dtwist", "q", "qd", "qdd", "tau", "tau_rigid")
    stacked = {key: np.array([case[key] for case in found]) for key in keys}
    redundant = np.array([case["check"]["redundant_rows"] for case in found])
    return stacked | {"T": np.array([pose(case) for case in found]), "redundant": redundant}


def random_freedoms(
    name: str, count: int, amplitude: float, seed: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Freedoms around home with random rates and accelerations, ``(count, n)`` each."""
    a = robot(name).assembly
    rng = np.random.default_rng([seed, count])
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + amplitude * a.scales.freedoms * rng.uniform(-1.0, 1.0, (count, a.mobility))
    rates = rng.normal(size=(2, count, a.mobility)) * a.scales.freedoms
    return x, rates[0], rates[1]


def condition(assembly: Any, sample: int) -> float:
    """Condition number of the motors' Jacobian at a sample of an assembly, natural units."""
    solution = assembly.solution(assembly.equations(*assembly.samples[sample]))
    return float(measures_at(assembly, solution).condition)


def relative(found: Any, expected: Any) -> float:
    """Largest deviation, relative to the largest expected entry."""
    scale = float(np.abs(expected).max(initial=0.0))
    return float(np.abs(np.asarray(found) - expected).max(initial=0.0)) / (scale or 1.0)


def motors_from(r: gough.Robot, T_0p: np.ndarray, start: Any) -> np.ndarray:
    """Motor positions at a pose, walked to from an assembled state, on its branch."""
    return np.asarray(motor_positions(r.assembly, posed(r.assembly, T_0p, start)))
