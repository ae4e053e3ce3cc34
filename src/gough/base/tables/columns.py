"""Columns of a table as they are given: arrays of equal length under names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gough.base.batch import as_array
from gough.base.tables.whole import file_name
from gough.errors import FileError, InputError, shown

FORMATS = (".csv", ".parquet", ".npz")
"""Endings of table files."""

_LONGEST_NAME = 128


def check_format(path: str | os.PathLike[str]) -> str:
    """The ending of a table file, or an error that lists those there are."""
    ending = Path(file_name(path)).suffix.lower()
    if ending not in FORMATS:
        raise FileError(
            f"has the ending {ending!r}, which is no table" if ending else "has no ending",
            file=file_name(path),
            hint=f"Tables are files of {', '.join(FORMATS)}.",
        )
    return ending


def checked_columns(
    columns: Any, names: Mapping[str, Sequence[str]], *, words: bool = False
) -> dict[str, np.ndarray]:
    """Arrays of equal length; those with names for their columns are taken apart.

    Args:
        columns: by name.
        names: of single columns of an array.
        words: whether a column may hold words.
    """
    if not isinstance(columns, Mapping) or not columns:
        raise InputError("columns: expected arrays by name, at least one", argument="columns")
    for name in names:
        if name not in columns:
            raise InputError(f"names[{shown(name)}] is no column", argument="names")
    pieces: list[tuple[str, np.ndarray]] = []
    for name, given in columns.items():
        array = _text(given) if words else None
        if array is None:
            array = as_array(given, (), f"columns[{shown(name)}]")
        if array.ndim not in (1, 2):
            raise InputError(
                f"columns[{shown(name)}] has shape {array.shape}, expected (K,) or (K, m)",
                argument="columns",
            )
        if name not in names:
            pieces.append((name, array))
        elif array.ndim == 2 and len(names[name]) == array.shape[1]:
            pieces += zip(names[name], array.T, strict=True)
        else:
            raise InputError(
                f"names[{shown(name)}] has {len(names[name])} names for the shape {array.shape}",
                argument="names",
            )
    lengths = {len(array) for _, array in pieces}
    if len(lengths) > 1:
        listed = ", ".join(f"{shown(name)} {len(array)}" for name, array in pieces)
        raise InputError(f"columns have different lengths: {listed}", argument="columns")
    return _by_name(pieces)


def _text(given: Any) -> np.ndarray | None:
    """A column of words, if it is one."""
    if not isinstance(given, np.ndarray) or given.ndim != 1:
        return None
    return np.array(given, dtype=str) if all(isinstance(each, str) for each in given) else None


def flat(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Single columns; those of an array are numbered."""
    pieces: list[tuple[str, np.ndarray]] = []
    for name, array in arrays.items():
        if array.ndim == 1:
            pieces.append((name, array))
        else:
            pieces += ((f"{name}_{i}", column) for i, column in enumerate(array.T))
    return _by_name(pieces)


def _by_name(pieces: Sequence[tuple[str, np.ndarray]]) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, array in pieces:
        if not is_name(name) or name.startswith("#"):  # a line that begins so is a comment
            raise InputError(f"{shown(name)} is no name of a column", argument="columns")
        if name in found:
            raise InputError(f"two columns have the name {shown(name)}", argument="columns")
        found[name] = array
    return found


def is_name(name: Any) -> bool:
    """Whether a column may be called so: printable text without blanks around it."""
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        return False
    return name.isprintable() and name == name.strip()


def arrow() -> tuple[Any, Any]:
    """Pyarrow and its reader and writer of Parquet, loaded on first use."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as err:
        raise FileError(
            "Parquet files need the package pyarrow, which is not installed",
            hint="pip install 'gough[parquet]', or choose .csv or .npz.",
        ) from err
