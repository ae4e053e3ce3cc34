"""The published JSON Schema is the format: it takes every good file and refuses broken ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import gough
from conftest import ROOT
from gough.robot.file import json_schema, reads
from gough.robot.file.document import parse
from gough.robot.file.schema import PUBLISHED, published_text
from gough.robot.file.text import read_text
from gough.robot.file.writing import describe

EXAMPLES = sorted((ROOT / "examples" / "robots").glob("*.yaml"))


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(json_schema())
    return Draft202012Validator(json_schema())


def test_published_schema_is_up_to_date() -> None:
    """If this fails: python -m gough.robot.file."""
    assert PUBLISHED.read_text(encoding="utf-8") == published_text()


def test_schema_has_an_id_without_a_made_up_host() -> None:
    assert json_schema()["$id"] == "gough-robot-1"
    assert json_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def properties() -> list[tuple[str, dict[str, Any]]]:
    schema = json_schema()
    models = {"robot": schema, **schema["$defs"]}
    return [
        (f"{model}.{name}", field)
        for model, entry in models.items()
        for name, field in entry["properties"].items()
    ]


def test_every_field_has_title_and_description() -> None:
    fields = properties()
    assert len(fields) > 60
    assert [
        name for name, field in fields if not (field.get("title") and field["description"])
    ] == []


def test_every_field_with_a_dimension_says_its_unit() -> None:
    dimensionless = {"rotation", "quaternion_wxyz", "quaternion_xyzw", "z", "x", "axis", "ratio"}
    dimensionless |= {"efficiency", "gough"}
    numeric = {
        name: field
        for name, field in properties()
        if "number" in json.dumps(field.get("type", "")) + json.dumps(field.get("items", ""))
        or name.endswith(".inertia")
    }
    missing = [n for n, f in numeric.items() if "unit" not in f]
    assert {name.partition(".")[2] for name in missing} <= dimensionless


def test_schema_takes_every_example_file(validator: Draft202012Validator) -> None:
    assert len(EXAMPLES) >= 4
    for file in EXAMPLES:
        validator.validate(parse(read_text(file), file.name).data)


def test_schema_takes_every_reference_robot(
    validator: Draft202012Validator, robots: list[gough.Robot], every_kind: gough.Robot
) -> None:
    for robot in [*robots, every_kind]:
        validator.validate(describe(robot))


# each is refused by the reader and by the schema
BROKEN = {
    "unknown key": ("mass: 0.4", "mas: 0.4"),
    "unknown top key": ("motors:", "motor:"),
    "missing kind": ("    kind: revolute\n", ""),
    "unknown kind": ("kind: revolute", "kind: hinge"),
    "number as text": ("mass: 0.4", "mass: '0.4'"),
    "boolean for a number": ("mass: 0.4", "mass: true"),
    "null": ("viscous: 0.1", "viscous:"),
    "short vector": ("[0.1, 0, 0]", "[0.1, 0]"),
    "newer version": ("gough: 1", "gough: 2"),
    "negative mass": ("mass: 0.4", "mass: -0.4"),
    "no mass": ("mass: 0.4\n", "label: forgotten\n"),
    "mass and massless": ("mass: 0.4", "mass: 0.4\n    massless: true"),
    "mass and shape": ("mass: 0.4", "mass: 0.4\n    sphere: {mass: 1, radius: 1}"),
    "bad name": ("  rod1:", "  rod-1:"),
    "two orientations": ("[0, 0, 1]}", "[0, 0, 1], rpy: [0, 0, 0], z: [0, 0, 1]}"),
    "x without z": ("[0, 0, 1]}", "[0, 0, 1], x: [0, 0, 1]}"),
    "ratio and lead": ("viscous: 0.1", "transmission: {ratio: 1, lead: 1}"),
    "efficiency in percent": ("viscous: 0.1", "transmission: {efficiency: 90}"),
    "slack spring": ("viscous: 0.1", "spring: {stiffness: 0}"),
    "spring without stiffness": ("viscous: 0.1", "spring: {rest: 0.1}"),
    "redundant as a number": ("motors:", "redundant: 1\nmotors:"),
    "negative friction": ("viscous: 0.1", "viscous: -0.1"),
    "helical without pitch": ("kind: revolute", "kind: helical"),
    "revolute with pitch": ("kind: revolute", "kind: revolute\n    pitch: 0.1"),
    "frame and parent_frame": ("viscous: 0.1", "frame: {}"),
    "axes and own keys": ("viscous: 0.1", "viscous: 0.1\n    axes: {angle: {}}"),
    "unknown axis": ("viscous: 0.1", "axes: {third: {}}"),
    "empty composite": ("mass: 0.4\n    center: [0.1, 0, 0]\n    inertia: [1e-4, 2e-3, 2e-3]",
                        "composite: []"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_schema_refuses_what_the_reader_refuses(
    validator: Draft202012Validator, small: str, fault: str
) -> None:
    assert validator.is_valid(parse(small, "f").data)
    old, new = BROKEN[fault]
    assert small.count(old) == 1
    broken = small.replace(old, new)
    assert not validator.is_valid(parse(broken, "f").data)
    with pytest.raises(gough.errors.FileError):
        reads(broken)


def test_schema_lies_beside_its_module() -> None:
    assert Path(gough.__file__).parent in PUBLISHED.parents
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json_schema()
