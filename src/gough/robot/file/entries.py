"""Building blocks of the schema: numbers, vectors, and fields that say their unit."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from gough.robot.names import PATTERN

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Vector = Annotated[list[Number], Field(min_length=3, max_length=3)]
Quaternion = Annotated[list[Number], Field(min_length=4, max_length=4)]
Range = Annotated[list[Number], Field(min_length=2, max_length=2)]
Rows = Annotated[list[Vector], Field(min_length=3, max_length=3)]

TAG = "<"
"""Begins the name of an alternative, which shows up in pydantic's locations but is no key."""


_FORMS = {dict: "<object", list: "<list", str: "<text", bool: "<switch"}


def chosen_by(*forms: str, otherwise: str) -> Discriminator:
    """Discriminator of alternatives by the type of a value; any other type is ``otherwise``."""

    def form(value: Any) -> str:
        found = _FORMS.get(type(value), otherwise)
        return found if found in forms else otherwise

    return Discriminator(form)


def _inertia_form(value: Any) -> str:
    nested = isinstance(value, list) and any(isinstance(row, list) for row in value)
    return "<matrix" if nested else "<diagonal"


Inertia = Annotated[
    Annotated[Rows, Tag("<matrix")] | Annotated[Vector, Tag("<diagonal")],
    Discriminator(_inertia_form),
]

NAMES: dict[str, Any] = {"propertyNames": {"pattern": f"^{PATTERN}$"}}


def key(
    default: Any, description: str, unit: str = "", alias: str | None = None, **keywords: Any
) -> Any:
    """A field with its description and unit; ``keywords`` go to the JSON Schema.

    ``alias`` is the key in the file, where it is no name of Python.

    What a sign or a sum must be is checked where the robot is built, in better words than a schema
    has; the keywords give editors the same information.
    """
    extra = {"unit": unit, **keywords} if unit else keywords
    text = f"{description} [{unit}]" if unit else description
    return Field(default, alias=alias, description=text, json_schema_extra=extra or None)


def _field_title(name: str, _info: Any) -> str:
    return name.replace("_", " ")


def _model_title(model: type[Any]) -> str:
    return model.__name__.removesuffix("Entry").lower()


class Entry(BaseModel):
    """A mapping with fixed keys."""

    model_config = ConfigDict(
        strict=True,
        defer_build=True,  # most processes read no file of each kind
        extra="forbid",
        field_title_generator=_field_title,
        model_title_generator=_model_title,
    )

    def given(self, *names: str) -> dict[str, Any]:
        """Values that the file has, all or some of them."""
        return {
            name: value
            for name in (names or type(self).model_fields)
            if (value := getattr(self, name)) is not None
        }


def exclusive(*keys: str, needed: bool = False) -> dict[str, Any]:
    """JSON Schema: at most one of the keys, or exactly one."""
    one: list[dict[str, Any]] = [{"required": [k]} for k in keys]
    return {"oneOf": one if needed else [*one, without(*keys)]}


def without(*keys: str) -> dict[str, Any]:
    """JSON Schema: none of the keys."""
    return {"not": {"anyOf": [{"required": [k]} for k in keys]}}
