"""From checked entries to the robot; every problem is noted, with its complete path."""

from __future__ import annotations

from typing import Any

from gough.robot.body import Body
from gough.robot.coupling import Coupling
from gough.robot.file import elastic, joints, solids
from gough.robot.file.body_schema import BodyEntry
from gough.robot.file.entries import Entry
from gough.robot.file.homing import moved_home
from gough.robot.file.likeness import build_like
from gough.robot.file.numbers import resolved
from gough.robot.file.paths import join, prefixes
from gough.robot.file.problems import Problem, collecting, schema_problems
from gough.robot.file.schema import (
    CouplingEntry,
    HomeEntry,
    JointEntry,
    LikeEntry,
    PlatformEntry,
    RobotEntry,
)
from gough.robot.frame import Frame
from gough.robot.home import Home
from gough.robot.material import Material
from gough.robot.names import check_name
from gough.robot.recipe import Recipe, frozen, remember
from gough.robot.robot import LARGEST, Robot
from gough.robot.shape import Shape


def build(data: dict[str, Any]) -> tuple[Robot | None, list[Problem]]:
    """The robot that plain data means, or what is wrong with it.

    A robot of named numbers, or like another one, knows how it was made.
    """
    plain, problems = resolved(data)
    if problems:
        return None, problems
    robot, problems = build_like(plain) if "like" in plain else _described(plain)
    if robot is not None and ("like" in plain or "numbers" in plain):
        numbers = plain.get("numbers", {})
        figures = {**numbers, **robot.parameters}
        remember(robot, Recipe("file", frozen(figures), frozen(data)))
    return robot, problems


def entry_of(data: Any) -> type[Entry]:
    """The entry that plain data are meant for."""
    return LikeEntry if isinstance(data, dict) and "like" in data else RobotEntry


def _described(data: dict[str, Any]) -> tuple[Robot | None, list[Problem]]:
    """The robot of bodies and joints.

    An entry that the schema refuses does not hide what is wrong with the others: those are built.
    """
    for section in ("bodies", "joints"):
        count = len(data[section]) if isinstance(data.get(section), dict) else 0
        if count > LARGEST:  # before time is spent on each
            return None, [Problem(section, f"there are {count}, expected 1 to {LARGEST}")]
    problems = schema_problems(RobotEntry, data)
    sound = not problems
    refused = {path for problem in problems for path in prefixes(problem.path)}
    materials = elastic.materials(data.get("materials"), refused, problems)
    built_bodies = [
        _body(name, BodyEntry.model_validate(entry), materials, problems)
        for name, entry in _untouched(data, "bodies", refused)
    ]
    built_joints = [
        joints.joint(name, JointEntry.model_validate(entry), problems)
        for name, entry in _untouched(data, "joints", refused)
    ]
    if not sound:
        return None, problems
    entry = RobotEntry.model_validate(data)
    home = _home(entry.home or HomeEntry(), problems)
    platform = entry.platform
    if isinstance(platform, str):
        platform = PlatformEntry(body=platform)
    platform_frame = Frame()
    with collecting(problems, "platform.frame"):
        platform_frame = solids.frame(platform.frame)
    if problems:
        return None, problems
    keys = ("gravity", "base", "label", "source", "motors", "redundant", "locked", "precision")
    options = entry.given(*keys)
    looks: tuple[Shape, ...] = ()
    with collecting(problems):
        looks = solids.shapes(entry.base_shapes, "base_shapes")
    couplings = [_coupling(name, each, problems) for name, each in (entry.couplings or {}).items()]
    if problems:
        return None, problems
    robot = None
    with collecting(problems):
        robot = Robot(
            name=entry.name,
            bodies=tuple(body for body in built_bodies if body is not None),
            joints=tuple(joint for joint in built_joints if joint is not None),
            platform=platform.body,
            platform_frame=platform_frame,
            home=home,
            couplings=tuple(each for each in couplings if each is not None),
            base_shapes=looks,
            **options,
        )
        robot = moved_home(robot, entry.home)
    return robot, problems


def _untouched(data: dict[str, Any], section: str, refused: set[str]) -> list[tuple[str, Any]]:
    """Entries of a section that the schema has nothing against."""
    entries = data.get(section)
    if not isinstance(entries, dict):
        return []
    return [(n, e) for n, e in entries.items() if join(section, n) not in refused]


def _body(
    name: str, entry: BodyEntry, materials: dict[str, Material], problems: list[Problem]
) -> Body | None:
    with collecting(problems):
        check_name(name, f"bodies.{name}")
        return solids.body(name, entry, materials)
    return None


def _coupling(name: str, entry: CouplingEntry, problems: list[Problem]) -> Coupling | None:
    with collecting(problems):
        return Coupling(name, entry.axes, **entry.given("offset", "label"))
    return None


def _home(entry: HomeEntry, problems: list[Problem]) -> Home:
    bodies = {}
    for name, at in (entry.bodies or {}).items():
        with collecting(problems, f"home.bodies.{name}"):
            bodies[name] = solids.frame(at)
    return Home(bodies, entry.joints or {})
