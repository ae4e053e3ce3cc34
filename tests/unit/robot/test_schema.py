"""The published JSON Schema is the format: it takes every good file and refuses broken ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import gough
from conftest import ROOT
from gough.robot.file import json_schema, reads, schema
from gough.robot.file.document import parse
from gough.robot.file.published import PUBLISHED, published_text
from gough.robot.file.text import read_text
from gough.robot.file.versions import SINCE, VERSION
from gough.robot.file.writing import describe

EXAMPLES = sorted((ROOT / "examples" / "robots").glob("*.yaml"))


@pytest.fixture(scope="module", params=PUBLISHED)
def validator(request: pytest.FixtureRequest) -> Draft202012Validator:
    """Of each version: the newest takes older files as well."""
    return validator_of(request.param)


def validator_of(version: int) -> Draft202012Validator:
    Draft202012Validator.check_schema(json_schema(version))
    return Draft202012Validator(json_schema(version))


@pytest.mark.parametrize("version", PUBLISHED)
def test_published_schemas_are_up_to_date(version: int) -> None:
    """If this fails: python -m gough.robot.file."""
    assert PUBLISHED[version].read_text(encoding="utf-8") == published_text(version)


@pytest.mark.parametrize("version", PUBLISHED)
def test_schema_has_an_id_without_a_made_up_host(version: int) -> None:
    assert json_schema(version)["$id"] == f"gough-robot-{version}"
    assert json_schema(version)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_there_is_no_other_version() -> None:
    with pytest.raises(gough.errors.InputError, match="no version 4"):
        json_schema(4)


def properties() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{model}.{name}", field)
        for model, entry in json_schema()["$defs"].items()
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
    dimensionless |= {"efficiency", "gough", "up", "shear_y", "shear_z"}
    dimensionless |= {"damping"}  # of a material, a bearing or a body: a loss factor
    numeric = {
        name: field
        for name, field in properties()
        if "number" in json.dumps(field.get("type", "")) + json.dumps(field.get("items", ""))
        or name.endswith(".inertia")
    }
    missing = [n for n, f in numeric.items() if "unit" not in f]
    assert {name.partition(".")[2] for name in missing} <= dimensionless


def test_schema_takes_every_example_file() -> None:
    assert len(EXAMPLES) >= 5
    for file in EXAMPLES:
        data = parse(read_text(file), file.name).data
        validator_of(data["gough"]).validate(data)
        validator_of(VERSION).validate(data)


def test_schema_takes_reference_robots_and_every_kind_of_joint(
    robots: list[gough.Robot], every_kind: gough.Robot
) -> None:
    for robot in [*robots[::3], every_kind]:  # the checker takes a fifth of a second for each
        data = describe(robot)
        validator_of(data["gough"]).validate(data)
        validator_of(2).validate(data)


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
    "newer version": ("gough: 1", "gough: 4"),
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


NEW = {
    "motor": ("viscous: 0.1", "motor: {peak: 2, curve: [[0, 2], [300, 1]]}"),
    "stiffness": ("viscous: 0.1", "transmission: {ratio: 50, stiffness: 9000}"),
    "numbers": ("name: small", "numbers: {reach: 0.1}\nname: small"),
    "locked": ("name: small", "locked: []\nname: small"),
}


@pytest.mark.parametrize("key", NEW)
def test_new_keys_are_of_version_2(small: str, key: str) -> None:
    old, new = NEW[key]
    assert small.count(old) == 1
    first = small.replace(old, new)
    second = first.replace("gough: 1", "gough: 2")
    assert not validator_of(1).is_valid(parse(first, "f").data)
    validator_of(2).validate(parse(second, "f").data)
    reads(second)
    with pytest.raises(gough.errors.FileError, match="came with 'gough: 2'"):
        reads(first)


def test_keys_since_versions_are_keys() -> None:
    """A line of the table that no entry has would let an old file use a new key."""
    models = {
        each.__name__.removesuffix("Entry").lower(): each
        for each in vars(schema).values()
        if isinstance(each, type) and issubclass(each, schema.Entry)
    }
    for line, version in SINCE.items():
        entry, _, key = line.partition(".")
        key, _, word = key.partition("=")
        assert key in models[entry].model_fields, line
        extra = models[entry].model_fields[key].json_schema_extra or {}
        assert not word or word in extra["enum"], line
        assert 1 < version <= VERSION


def test_the_page_has_every_key_and_its_version() -> None:
    page = (ROOT / "docs" / "robot-files.md").read_text(encoding="utf-8")
    versions = page[page.index("## Versions") : page.index("## An example")]
    for line, version in SINCE.items():
        key = line.partition(".")[2].replace("=", ": ")
        assert any(
            f"`{key}`" in row and row.endswith(f"| {version} |") for row in versions.split("\n")
        )
    fields = {name.partition(".")[2] for name, _ in properties()}
    assert not [key for key in sorted(fields) if not re.search(rf"[`{{]{key}[`:]", page)]


BROKEN_NEW = {
    "reference that is none": ("mass: 0.4", "mass: '$reach+1'"),
    "number as text": ("mass: 0.4", "mass: 'reach'"),
    "number that refers": ("reach: 0.1", "reach: $other"),
    "speed and curve": ("viscous: 0.1", "motor: {speed: 1, curve: [[0, 2], [300, 1]]}"),
    "motor with a short curve": ("viscous: 0.1", "motor: {curve: [[0, 2]]}"),
    "motor without torque": ("viscous: 0.1", "motor: {peak: 0}"),
    "loose gear": ("viscous: 0.1", "transmission: {stiffness: 0}"),
    "one locked joint": ("name: small", "locked: hinge\nname: small"),
    "like with bodies": ("name: small", "like: delta\nname: small"),
}


@pytest.mark.parametrize("fault", BROKEN_NEW)
def test_schema_of_version_2_refuses_what_the_reader_refuses(small: str, fault: str) -> None:
    text = small.replace("gough: 1", "gough: 2\nnumbers: {reach: 0.1}").replace(
        "[0.1, 0, 0]", "[$reach, 0, 0]"
    )
    validator_of(2).validate(parse(text, "f").data)
    old, new = BROKEN_NEW[fault]
    assert text.count(old) == 1
    broken = text.replace(old, new)
    assert not validator_of(2).is_valid(parse(broken, "f").data)
    with pytest.raises(gough.errors.FileError):
        reads(broken)


@pytest.mark.parametrize("version", PUBLISHED)
def test_schemas_lie_beside_their_module(version: int) -> None:
    file = PUBLISHED[version]
    assert Path(gough.__file__).parent in file.parents
    assert json.loads(file.read_text(encoding="utf-8")) == json_schema(version)
