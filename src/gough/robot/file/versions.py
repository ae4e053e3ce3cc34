"""Versions of the file format: which key came with which one.

A version has all keys of those before it, so an older file is read for ever, and becomes a newer
one by the number at its top.  A new key is a field of an entry in ``schema.py`` and a line here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from gough.robot.file.paths import join

VERSION = 3
"""The newest: the largest value of the key ``gough``."""

SINCE = {
    "robot.numbers": 2,
    "robot.locked": 2,
    "robot.couplings": 2,
    "robot.precision": 2,
    "home.motors": 2,
    "like.like": 2,
    "axis.motor": 2,
    "transmission.stiffness": 2,
    "transmission.damping": 2,
    "robot.materials": 2,
    "body.beam": 2,
    "body.stiffness": 2,
    "body.shapes": 2,
    "robot.base_shapes": 2,
    "joint.bearing": 2,
    "joint.guide": 2,
    "joint.idle=drags": 2,
    "joint.kind=planar": 3,
}
"""Keys that version 1 has not, by the entry that has them; and words that a key had not."""


def since(model: type[BaseModel], name: str, value: Any = None) -> int:
    """The version that a key of an entry, or a word that it says, came with."""
    entries = [each.__name__.removesuffix("Entry").lower() for each in model.__mro__]
    words = (name, f"{name}={value}") if isinstance(value, str) else (name,)
    return max(SINCE.get(f"{entry}.{word}", 1) for entry in entries for word in words)


def used_keys(model: type[BaseModel], data: Any, path: str = "") -> Iterator[tuple[str, int]]:
    """Paths of the keys of plain data that an entry knows, each with its version.

    Args:
        model: the entry.
        data: what a file has for it, not checked yet.
        path: of the data in the file.
    """
    if not isinstance(data, dict):
        return
    for name, value in data.items():
        if name not in model.model_fields:
            continue
        here = join(path, name)
        annotation = model.model_fields[name].annotation
        inside = list(models_in(annotation))
        if not inside or isinstance(value, (dict, list)):  # else the key means something else
            yield here, since(model, name, value)
        for inner in inside:
            for step, part in _parts(annotation, value):
                yield from used_keys(inner, part, join(here, step))


def needed_version(model: type[BaseModel], data: Any) -> int:
    """The oldest version that has every key of plain data."""
    return max((version for _, version in used_keys(model, data)), default=1)


def _parts(annotation: Any, value: Any) -> list[tuple[str, Any]]:
    """What a key holds: an entry, entries by name, or a list of them."""
    origins = {get_origin(each) for each in (annotation, *get_args(annotation))}
    if dict in origins and isinstance(value, dict):
        return [(str(name), part) for name, part in value.items()]
    if list in origins and isinstance(value, list):
        return [(f"[{i}]", part) for i, part in enumerate(value)]
    return [("", value)]


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Entries that the value of a key may be made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from models_in(inner)
