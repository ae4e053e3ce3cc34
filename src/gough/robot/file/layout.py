"""Plain data as YAML or JSON that reads well: keys on lines of their own, numbers in a row."""

from __future__ import annotations

import json
import re
from typing import Any

from gough.robot.file.scalars import resolve

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?")


def to_yaml(data: dict[str, Any]) -> str:
    """Block mappings, lists on one line."""
    return "".join(f"{line}\n" for line in _yaml_lines(data))


def to_json(data: dict[str, Any]) -> str:
    """Indented objects, lists on one line."""
    return "\n".join(_json_lines(data)) + "\n"


def _yaml_lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for name, value in data.items():
        if isinstance(value, dict) and value:
            lines += [f"{_yaml(name)}:", *(f"  {line}" for line in _yaml_lines(value))]
        else:
            lines.append(f"{_yaml(name)}: {_yaml(value)}")
    return lines


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) and resolve(value) == value else _quoted(value)
    if isinstance(value, dict):  # in a list: on one line, too
        return f"{{{', '.join(f'{_yaml(name)}: {_yaml(each)}' for name, each in value.items())}}}"
    return json.dumps(value, allow_nan=False)


def _quoted(text: str) -> str:
    """Double-quoted; what does not print is written as an escape, as YAML demands."""
    return "".join(
        character if character.isprintable() else _escape(character)
        for character in json.dumps(text, ensure_ascii=False)
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_lines(data: dict[str, Any]) -> list[str]:
    lines = []
    for name, value in data.items():
        nested = isinstance(value, dict) and value
        head, *rest = _json_lines(value) if nested else [json.dumps(value, allow_nan=False)]
        lines += [f"  {json.dumps(name)}: {head}", *(f"  {line}" for line in rest)]
        lines[-1] += ","
    lines[-1] = lines[-1].removesuffix(",")
    return ["{", *lines, "}"]
