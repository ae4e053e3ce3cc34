"""The format as JSON Schema 2020-12, published beside this file, version by version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from gough.errors import InputError, shown
from gough.robot.file.numbers import REFERENCE
from gough.robot.file.schema import AxisEntry, LikeEntry, RobotEntry
from gough.robot.file.versions import SINCE, VERSION
from gough.robot.joint_kinds import KINDS

PUBLISHED = {
    version: Path(__file__).with_name(f"robot{end}.schema.json")
    for version, end in ((1, "-1"), (2, "-2"), (VERSION, ""))
}
"""Files with the schemas; the newest one takes older files as well."""

_HEAD = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def json_schema(version: int = VERSION) -> dict[str, Any]:
    """The format as JSON Schema.

    Args:
        version: of the format.
    """
    if version not in PUBLISHED:
        raise InputError(
            f"there is no version {shown(version)} of the format",
            hint=f"Known: 1 to {VERSION}.",
            argument="version",
        )
    return _first() if version == 1 else _of_version(version)


def _of_version(version: int) -> dict[str, Any]:
    """A robot by its bodies and joints, or by what it is like; numbers may be named."""
    models: list[tuple[type[BaseModel], Any]] = [(RobotEntry, "validation")]
    _, found = models_json_schema([*models, (LikeEntry, "validation")])
    entries = {
        name: _with_references(_without_nulls(entry)) for name, entry in found["$defs"].items()
    }
    for name in ("RobotEntry", "LikeEntry"):
        entries[name]["properties"]["numbers"]["additionalProperties"] = {"type": "number"}
        known = entries[name]["properties"]["gough"]["enum"]
        known[:] = [number for number in known if number <= version]
    for entry in entries.values():
        _drop_later(entry, version)
    return {
        **_HEAD,
        "$id": f"gough-robot-{version}",
        "title": "gough robot",
        "description": RobotEntry.__doc__,
        "type": "object",
        "if": {"required": ["like"]},
        "then": {"$ref": "#/$defs/LikeEntry"},
        "else": {"$ref": "#/$defs/RobotEntry"},
        "$defs": entries,
    }


def _first() -> dict[str, Any]:
    """Version 1: without the keys that came later."""
    body = _without_nulls(RobotEntry.model_json_schema())
    for entry in (body, *body["$defs"].values()):
        _drop_later(entry, 1)
    later = [{"required": [name]} for name in AxisEntry.model_fields if _later("axis", name, 1)]
    beside = body["$defs"]["JointEntry"]["dependentSchemas"]["axes"]["not"]
    beside["anyOf"] = [each for each in beside["anyOf"] if each not in later]
    before = 0
    while len(body["$defs"]) != before:  # what only dropped entries refer to goes, too
        before, text = len(body["$defs"]), json.dumps(body)
        body["$defs"] = {n: e for n, e in body["$defs"].items() if f'"#/$defs/{n}"' in text}
    version = body["properties"]["gough"]
    del version["enum"]
    body["properties"]["gough"] = {"const": 1, **version}
    return {**_HEAD, "$id": "gough-robot-1", **body, "title": "gough robot"}


def _drop_later(entry: dict[str, Any], version: int) -> None:
    """Take keys and words out of an entry that came after a version."""
    for name, each in list(entry["properties"].items()):
        if _later(entry["title"], name, version):
            del entry["properties"][name]
        elif "enum" in each:
            words = each["enum"]
            words[:] = [w for w in words if not _later(entry["title"], f"{name}={w}", version)]
        elif "enum" in each.get("propertyNames", {}):  # axes: those of the kinds that were there
            words = each["propertyNames"]["enum"]
            kinds = [k for k in KINDS.values() if not _later("joint", f"kind={k.name}", version)]
            words[:] = [word for word in words if any(word in kind.axes for kind in kinds)]


def _later(title: str, name: str, version: int) -> bool:
    """Whether a key of an entry came after a version; a joint has the keys of an axis."""
    entries = ("joint", "axis") if title == "joint" else (title,)
    return any(SINCE.get(f"{entry}.{name}", 1) > version for entry in entries)


def _with_references(schema: Any) -> Any:
    """A schema in which every number may be a reference to a named one."""
    if isinstance(schema, list):
        return [_with_references(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _with_references(entry) for name, entry in schema.items()}
    if found.get("type") == "number":
        found |= {"type": ["number", "string"], "pattern": f"^{REFERENCE.pattern}$"}
    return found


def _without_nulls(schema: Any) -> Any:
    """A schema that does not offer null: absent keys are ``None`` here, but no file can say so."""
    if isinstance(schema, list):
        return [_without_nulls(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {k: _without_nulls(v) for k, v in schema.items() if (k, v) != ("default", None)}
    if {"type": "null"} in kept.get("anyOf", []):
        (only,) = (entry for entry in kept.pop("anyOf") if entry != {"type": "null"})
        kept = {**only, **kept}
    return kept


def published_text(version: int = VERSION) -> str:
    """The text of a published schema file."""
    return json.dumps(json_schema(version), indent=2) + "\n"
