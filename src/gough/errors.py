"""One error tree: what happened, where, how much, and what to do.

Every error carries its figures as attributes, so that programs need not parse sentences.
"""

from __future__ import annotations

import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_REASONS = ContextVar("reasons", default=True)


@contextmanager
def reasons(wanted: bool) -> Iterator[None]:
    """Set whether refusals look for their reason; switched off, it stays off for calls within."""
    before = _REASONS.set(wanted and _REASONS.get())
    try:
        yield
    finally:
        _REASONS.reset(before)


def reasons_wanted() -> bool:
    """Whether it is worth looking for the reason of a refusal, which takes longer than refusing."""
    return _REASONS.get()


class GoughError(Exception):
    """Base of everything gough raises on purpose.

    Args:
        message: what happened, with numbers, and where.
        hint: likely causes and what to do; printed on its own line.
        **data: figures, kept as attributes.
    """

    sample: Any = None
    """Index of the state of a batch that is refused; of one state there is none."""
    argument: str | None = None
    """Name of the argument that is refused, where it is one."""

    def __init__(self, message: str, *, hint: str = "", **data: Any) -> None:
        self.message = message
        self.hint = hint
        self.data = dict(data)
        for key, value in data.items():
            setattr(self, key, value)
        super().__init__(message)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message

    def at_sample(self, index: tuple[int, ...]) -> GoughError:
        """The same error with the index of the batch sample added to its message."""
        if not index:
            return self
        where = index[0] if len(index) == 1 else index
        data = {**self.data, "sample": where}
        return type(self)(f"sample {where}: {self.message}", hint=self.hint, **data)


class DescriptionError(GoughError, ValueError):
    """A robot description that makes no sense; ``path`` says which entry."""

    def __init__(self, message: str, *, path: str = "", hint: str = "", **data: Any) -> None:
        self.reason = message
        super().__init__(f"{path}: {message}" if path else message, hint=hint, **data)
        self.path = path


class FileError(DescriptionError):
    """A robot file that cannot be read; names file, line and key."""

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        path: str = "",
        hint: str = "",
        **data: Any,
    ) -> None:
        where = file if line is None else f"{file}, line {line}"
        text = f"{where}: {message}" if where else message
        super().__init__(text, hint=hint, **data)
        self.reason = message
        self.file, self.line, self.path = file, line, path


class InputError(GoughError, ValueError):
    """An argument of the wrong shape or kind, or with a number that is not finite."""


class NotAssembled(GoughError):
    """The loops of the robot do not close at home."""


class UnreachablePose(GoughError):
    """A leg cannot reach the pose; ``leg`` and ``missing`` say which and by how much."""


class InconsistentPose(GoughError):
    """The pose lies outside the robot's mobility: its legs forbid it."""


class InconsistentTwist(GoughError):
    """A twist or twist rate lies outside the robot's mobility."""


class SingularPose(GoughError):
    """A Jacobian of the robot loses rank; ``condition`` says how close."""


class WrongMotors(GoughError):
    """Fewer motors than freedoms, or more without saying so: no efforts, or not unique ones."""


class FrozenFreedom(GoughError):
    """A freedom that the platform does not feel matters; ``joints`` and ``effect`` say which."""


class SingularInertia(GoughError):
    """The platform can move without inertia: accelerations do not follow from efforts."""


class EffortsInfeasible(GoughError):
    """No motor efforts within the bounds produce the motion; ``excess`` says by how much."""


class NoEfforts(GoughError):
    """A controller, or a function of efforts, has no answer at an instant; says which motor."""


class NotIdentifiable(GoughError):
    """Measurements do not tell what is asked from something else; ``parameters`` names it."""


class NotElastic(GoughError):
    """Data of elastic parts are missing, so that stiffness and vibrations cannot be told."""


class Unstable(GoughError):
    """A machine gives way without end under its loads; ``part`` says which part of it most."""


class TraceError(GoughError):
    """A quantity of a robot cannot be compiled; ``gough.options(engine="numpy")`` says why."""


class GoughWarning(UserWarning):
    """Base of gough's warnings."""


class DescriptionWarning(GoughWarning):
    """A description that is accepted, but looks like a mistake."""


def warn(message: str, category: type[GoughWarning] = GoughWarning) -> None:
    """Warn, at the line outside the library that made the call."""
    level, frame = 1, sys._getframe(0)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "gough":
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(message, category, stacklevel=level)


_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Kinds of characters that are obeyed instead of shown: control, direction of writing, halves."""


def visible(text: str) -> str:
    """Text as a terminal, a page or a picture may have it: what would be obeyed is spelled out.

    Labels and messages may come from a file that is not trusted: escape sequences move a
    terminal's cursor, and marks for writing from right to left turn the words around them, too.
    """
    if text.isprintable():
        return text
    return "".join(
        ascii(c)[1:-1] if c not in "\n\t" and unicodedata.category(c) in _UNSEEN else c
        for c in text
    )


def shown(value: object) -> str:
    """A value as it may appear in a message: quoted, escaped and short."""
    text = " ".join(ascii(value).split())  # arrays are written over several lines
    return text if len(text) <= 60 else text[:57] + "..."
