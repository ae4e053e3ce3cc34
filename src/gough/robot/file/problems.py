"""Problems of a file in plain sentences: found by the schema, reported in file order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from gough.base.arguments import nearest
from gough.base.english import counted
from gough.errors import DescriptionError, FileError, shown
from gough.robot.file.document import Document
from gough.robot.file.entries import TAG
from gough.robot.file.foreign import foreign_key, misused_key
from gough.robot.file.paths import from_steps, join, printable
from gough.robot.file.versions import models_in

PAGE = "docs/robot-files.md lists every key with its unit and default."

_NO_VALUE = "Give one, or remove the key."
_COUNTS = {2: "two", 3: "three", 4: "four"}
_EXPECTED = {
    "float_type": "a number",
    "int_type": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and at which key."""

    path: str
    message: str
    hint: str = ""
    missing: str = ""
    meant: str = ""

    @property
    def above(self) -> str:
        """Path of the mapping that holds the key."""
        return self.path.rpartition(".")[0]


@contextmanager
def within(*prefix: str) -> Iterator[None]:
    """Completes the relative paths of errors raised inside."""
    try:
        yield
    except DescriptionError as err:
        path = join(*prefix, err.path)
        raise DescriptionError(err.reason, path=path, hint=err.hint, **err.data) from err


@contextmanager
def collecting(problems: list[Problem], *prefix: str) -> Iterator[None]:
    """Notes an error raised inside and continues, so that all can be counted."""
    try:
        yield
    except DescriptionError as err:
        problems.append(Problem(join(*prefix, err.path), err.reason, err.hint))


def refuse(document: Document, problems: Sequence[Problem], page: str = PAGE) -> NoReturn:
    """Raises the first problem in file order, and says how many more there are.

    Where nothing better is known, it names the ``page`` of the format.
    """
    first, *others = sorted(problems, key=lambda problem: document.place(problem.path))
    path = printable(first.path)
    message = f"{path}: {first.message}" if path else first.message
    hint = first.hint or page
    if others:
        message += f" (and {counted(len(others), 'more problem')})"
        listed = [f"{printable(p.path)}: {p.message}" for p in others[:3]]
        hint += f" Also: {'; '.join(listed)}{'; ...' if len(others) > 3 else '.'}"
    raise FileError(
        message,
        file=document.file,
        line=document.place(first.path).line,
        path=path,
        hint=hint,
        more=len(others),
    )


def first_problem(problems: Sequence[Problem]) -> DescriptionError:
    """The error about data that come from no file, of which there is nothing to show."""
    first, *others = problems
    more = f" (and {len(others)} more)" if others else ""
    return DescriptionError(f"{first.message}{more}", path=first.path, hint=first.hint)


def schema_problems(model: type[BaseModel], data: Any) -> list[Problem]:
    """Unknown and missing keys, values of the wrong kind, numbers that are not finite."""
    found = {path: Problem(path, "has no value", _NO_VALUE) for path in _nulls(data)}
    try:
        model.model_validate(data)
    except ValidationError as err:
        for detail in err.errors(include_url=False):
            problem = _translated(model, detail)
            found.setdefault(problem.path, problem)
    misspelt = {(p.above, p.meant) for p in found.values() if p.meant}
    # a misspelt key is one problem, not two
    return [p for p in found.values() if (p.above, p.missing) not in misspelt]


def _nulls(data: Any, path: str = "") -> Iterator[str]:
    """Paths of the nulls: keys whose value was forgotten.  The depth of data is bounded."""
    if data is None:
        yield path
    parts: Mapping[Any, Any] = data if isinstance(data, dict) else {}
    if isinstance(data, list):
        parts = dict(enumerate(data))
    for step, value in parts.items():
        yield from _nulls(value, join(path, from_steps([step])))


def _translated(model: type[BaseModel], detail: ErrorDetails) -> Problem:
    steps = [s for s in detail["loc"] if isinstance(s, int) or not s.startswith(TAG)]
    path, kind, value = from_steps(steps), detail["type"], detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "missing":
        name = str(steps[-1])
        return Problem(path, f"the key {shown(name)} is missing", missing=name)
    if kind == "extra_forbidden":
        known = _known_keys(model, steps[:-1])
        hint = foreign_key(str(steps[-1]), known) or nearest(steps[-1], known)
        meant = next((name for name in known if f"mean {name!r}?" in hint), "")
        return Problem(path, "unknown key", hint, meant=meant)
    if kind == "finite_number":
        return Problem(path, f"{value} is not a finite number")
    if kind in ("too_short", "too_long"):
        wanted = context.get("min_length") or context.get("max_length")
        message = f"expected {_COUNTS.get(wanted or 0, wanted)} entries, got {len(value)}"
        return Problem(path, message)
    expected = _EXPECTED.get(kind)
    if expected is None:
        return Problem(path, str(detail["msg"]))
    hint = misused_key(steps[-1], value) if steps else ""
    hint = hint or _advice(kind, value)
    return Problem(path, f"expected {expected}, got {_value_text(value)}", hint)


def _value_text(value: Any) -> str:
    kinds = {list: "a list", dict: "keys with values", bool: str(value).lower()}
    return kinds.get(type(value), shown(value))


def _advice(kind: str, value: Any) -> str:
    """What a user most likely meant."""
    if kind == "float_type" and isinstance(value, str):
        if "$" in value:
            return "Named numbers stand under 'numbers' at the top level of a 'gough: 2' file."
        try:
            number = float(value.replace(",", "."))
        except ValueError:
            return "Numbers are written plainly, in SI units: 0.25, not a unit or a formula."
        return f"Write {number!r}: without quotes, with a decimal point."
    if kind == "string_type" and isinstance(value, (int, float)):
        return "Put it between quotes if it is meant as text."
    return ""


def _known_keys(model: type[BaseModel], steps: Sequence[str | int]) -> list[str]:
    """Keys of the model that a location leads to."""
    names_follow = False
    for step in steps:
        if names_follow or isinstance(step, int):
            names_follow = False  # the name of a body or a position in a list
            continue
        annotation = model.model_fields[step].annotation
        names_follow = any(get_origin(t) is dict for t in (annotation, *get_args(annotation)))
        model = next(models_in(annotation))
    return [field.alias or name for name, field in model.model_fields.items()]
