"""The example files: read, assembled as they stand, told nothing about, and said to be exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gough
from conftest import ROOT
from gough.robot.file import dumps, load, read, reads
from gough.robot.remarks import remarks

EXAMPLES = ROOT / "examples" / "robots"
MOBILITY = {
    "delta": 3,
    "elastic_delta": 3,
    "five_bar": 2,
    "geared_delta": 3,
    "granite_table": 3,
    "hexapod": 6,
    "pendulum": 1,
}


@pytest.fixture(params=sorted(MOBILITY))
def example(request: pytest.FixtureRequest) -> Path:
    return EXAMPLES / f"{request.param}.yaml"


def test_every_example_is_listed() -> None:
    ours = [path.stem for path in EXAMPLES.iterdir() if path.suffix == ".yaml"]
    assert sorted(ours) == sorted(MOBILITY)


def test_example_round_trip_is_exact(example: Path) -> None:
    robot = read(example)
    assert robot.name == example.stem
    assert reads(dumps(robot)) == robot


def test_example_has_no_remarks(example: Path) -> None:
    assert remarks(read(example)) == ()


def test_example_loads_with_its_mobility(example: Path) -> None:
    assert load(example).mobility == MOBILITY[example.stem]


def poses(robot: gough.Robot) -> dict[str, np.ndarray]:
    """Body poses at home: as drawn, by home.bodies, or by following hinges from the base."""
    drawn = {name: np.eye(4) for name in (robot.base, *(b.name for b in robot.bodies))}
    if all(gap(joint, drawn) < 1e-6 for joint in robot.joints):
        return drawn
    found = {robot.base: np.eye(4)} | {n: f.matrix for n, f in robot.home.bodies.items()}
    for _ in robot.bodies:
        for joint in robot.joints:
            if joint.parent in found and joint.child not in found:
                q = robot.home.joints.get(joint.name, 0.0)
                turn = gough.Frame(
                    rotation=[[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]]
                ).matrix
                A, B = joint.parent_frame.matrix, joint.child_frame.matrix
                found[joint.child] = found[joint.parent] @ A @ turn @ np.linalg.inv(B)
    return found


def gap(joint: gough.Joint, at: dict[str, np.ndarray]) -> float:
    """How far a joint is from its condition, by the table of CONVENTIONS.md."""
    A = at[joint.parent] @ joint.parent_frame.matrix
    B = at[joint.child] @ joint.child_frame.matrix
    D = np.linalg.inv(A) @ B
    apart, z = D[:3, 3], D[:3, 2]
    return {
        "revolute": max(np.abs(apart).max(), np.abs(z - [0, 0, 1]).max()),
        "prismatic": max(np.abs(apart[:2]).max(), np.abs(D[:3, :3] - np.eye(3)).max()),
        "universal": max(np.abs(apart).max(), abs(z[2])),
        "spherical": np.abs(apart).max(),
        "planar": max(abs(apart[2]), np.abs(z - [0, 0, 1]).max()),
    }[joint.kind]


def test_example_home_closes_without_help(example: Path) -> None:
    """To 1e-12 m: the figures are typed exactly, only rounding is left."""
    robot = read(example)
    at = poses(robot)
    assert {b.name for b in robot.bodies} < at.keys()
    assert {j.name: g for j in robot.joints if (g := gap(j, at)) > 1e-12} == {}
