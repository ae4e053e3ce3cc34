"""What a kernel on disk depends on, as one digest: with any change another file is meant.

The description of the robot, what is asked of it, the sources of the library, the versions of what
compiles, and the processor.  CasADi and the rooms below this one have no part in a kernel.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gough.base.started import STARTED
from gough.compiler.machine_code.native import processor, vector_width
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.variant import Variant
from gough.mechanism.mobility.assembly import Assembly

ROOMS = (
    *("errors", "base", "screw", "robot", "mechanism", "states", "geometry", "kinematics"),
    "dynamics",
    *("compiler", "evaluation"),
)
"""Rooms whose code makes kernels: this one, and those above it."""

_HOME = Path(__file__).resolve().parents[1]


def key_of(
    assembly: Assembly, quantity: str, variant: Variant, derivatives: tuple[str, ...]
) -> str | None:
    """64 hexadecimal digits that stand for a kernel; ``None`` if it cannot be kept.

    That is so for a quantity that is not the library's own, for an assembly that does not follow
    from its robot, and where the sources are not there or were changed while the process ran.
    """
    robot, library = assembly.robot, _library()
    if library is None or vars(robot).get("assembly") is not assembly:
        return None
    if not ROWS[quantity].formula.__module__.startswith("gough."):
        return None
    request = (robot, quantity, variant, derivatives, vector_width(), processor())
    found = hashlib.sha256(library)
    try:
        for piece in _spelled(request):
            found.update(piece)
    except TypeError:
        return None
    return found.hexdigest()


def sources_stand() -> bool:
    """Whether no source has changed since the process began to load the library.

    Otherwise the code that runs may not be the code that lies on disk.
    """
    try:
        return all(_changed(entry) <= STARTED for entry in _sources())
    except OSError:
        return False


@cache
def _library() -> bytes | None:
    """Digest of the sources as they were loaded, and of what compiles."""
    found = hashlib.sha256()
    try:
        sources = list(_sources())
        for entry in sources:
            content = Path(entry.path).read_bytes()
            name = Path(entry.path).relative_to(_HOME).as_posix()
            found.update(f"{name} {len(content)}\n".encode() + content)
    except OSError:  # not a folder: an archive, for instance
        return None
    if not sources or not sources_stand():  # none: installed as bytecode alone
        return None
    import llvmlite  # noqa: PLC0415  heavy: loaded on first use
    import llvmlite.binding as llvm  # noqa: PLC0415

    versions = (sys.version, np.__version__, llvmlite.__version__, llvm.llvm_version_info)
    found.update(repr(versions).encode())
    return found.digest()


def _sources() -> Iterator[os.DirEntry[str]]:
    """Files of the rooms, in order."""
    folders = [str(_HOME)]
    while folders:
        folder = folders.pop()
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if folder == str(_HOME) and entry.name.removesuffix(".py") not in ROOMS:
                continue
            if entry.is_dir():
                folders.append(entry.path)
            elif entry.name.endswith(".py"):
                yield entry


def _changed(entry: os.DirEntry[str]) -> int:
    """When a file was changed last [ns]; the second time is of its content or its name, too."""
    status = entry.stat()
    return max(status.st_mtime_ns, 0 if os.name == "nt" else status.st_ctime_ns)


def _spelled(value: Any) -> Iterator[bytes]:
    """Plain data and frozen parts of a description, spelled so that no two of them look alike.

    Raises:
        TypeError: it holds something else.
    """
    if value is None or isinstance(value, (bool, int, str)):
        yield f"{type(value).__name__} {value!r}\n".encode()
    elif isinstance(value, float):
        yield f"float {float(value).hex()}\n".encode()
    elif isinstance(value, (tuple, list)):
        yield f"row {len(value)}\n".encode()
        for each in value:
            yield from _spelled(each)
    elif isinstance(value, Mapping):
        yield f"table {len(value)}\n".encode()
        for key, each in value.items():
            yield from _spelled(key)
            yield from _spelled(each)
    elif is_dataclass(value) and not isinstance(value, type):
        own = [field for field in fields(value) if not field.metadata.get("drawn")]
        yield f"{type(value).__name__} {len(own)}\n".encode()
        for field in own:
            yield from _spelled(getattr(value, field.name))
    else:
        raise TypeError(f"{type(value).__name__} has no spelling")
