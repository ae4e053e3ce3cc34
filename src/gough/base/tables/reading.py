"""Columns from files."""

from __future__ import annotations

import csv
import io
import math
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gough.base.tables.columns import arrow, check_format, checked_columns, flat, is_name
from gough.base.tables.whole import decoded, file_name, read_bounded
from gough.errors import FileError, InputError, shown

LARGEST_FILE = 2**29
"""Most bytes of a table, unpacked; 10 s of a hexapod at 1 kHz have 20 million."""

_SEPARATORS = ",;\t"
_HEADER_HINT = "The first line names the columns: t,x,y,z."
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", re.I | re.A)
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", re.A)


class Rows(NamedTuple):
    """A table, and where its rows stand.

    Attributes:
        columns: arrays ``(K,)`` of floats by name, in the order of the file.
        lines: of the rows in a CSV file, as an editor counts them; empty for other files.
    """

    columns: dict[str, np.ndarray]
    lines: Sequence[int]


def read_table(path: str | os.PathLike[str], *, finite: bool = True) -> dict[str, np.ndarray]:
    """Columns of a CSV, Parquet or NPZ file, by its ending.

    CSV has names of columns in its first line, then numbers; the separator is a comma, a semicolon
    or a tab; empty lines and lines that begin with ``#`` are passed over.

    Args:
        path: of the file.
        finite: whether NaN and infinity are refused.

    Returns:
        Arrays ``(K,)`` of floats by name, in the order of the file, with K at least 1.

    Raises:
        FileError: it is no table; says file, line and column.
    """
    found = _rows(path)
    if finite:
        _check_finite(found, file_name(path))
    return found.columns


def read_gaps(path: str | os.PathLike[str]) -> Rows:
    """The same for a table with gaps: an empty cell, or NaN, is a number that is not there.

    Raises:
        FileError: it is no table, or has an infinite number; says file, line and column.
    """
    found = _rows(path, gaps=True)
    _check_finite(found, file_name(path), gaps=True)
    return found


def _rows(path: str | os.PathLike[str], *, gaps: bool = False) -> Rows:
    ending = check_format(path)
    file = file_name(path)
    raw = _read(file)
    if ending == ".csv":
        found = _from_csv(raw, file, gaps=gaps)
    else:
        found = (_from_parquet if ending == ".parquet" else _from_npz)(raw, file)
    if not found.columns or not next(iter(found.columns.values())).size:
        raise FileError("holds no numbers", file=file, hint=_HEADER_HINT)
    return found


# From bytes.


def _read(file: str) -> bytes:
    raw, size = read_bounded(file, LARGEST_FILE, "table")
    if size > LARGEST_FILE:
        raise _too_large(file)
    if not raw:
        raise FileError("is empty", file=file, hint=_HEADER_HINT)
    return raw


def _too_large(file: str) -> FileError:
    return FileError(
        f"has more than {LARGEST_FILE} bytes", file=file, hint="Is this the right file?"
    )


def _from_csv(raw: bytes, file: str, *, gaps: bool) -> Rows:
    text = decoded(raw, file, "it is no text", "A CSV table is plain text in UTF-8.")
    split = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [
        (number, line)
        for number, line in enumerate(split, 1)
        if line.strip() and not line.startswith("#")
    ]
    if not kept:
        raise FileError("holds no numbers", file=file, hint=_HEADER_HINT)
    (first, head), rows = kept[0], kept[1:]
    separator = max(_SEPARATORS, key=head.count)  # a comma if there is none
    names = _header(head, separator, file, first)
    if not rows:
        raise FileError("has names of columns, and no numbers", file=file, line=first)
    lines = [number for number, _ in rows]
    body = [line for _, line in rows]
    # NumPy's reader is fast; text that it refuses is read again line by line, to find the error
    try:
        table = np.loadtxt(body, delimiter=separator, comments=None, ndmin=2, quotechar='"')
    except ValueError:
        table = np.empty((0, 0))
    if table.shape != (len(rows), len(names)):
        names, rows = _without_text(names, rows, separator, gaps=gaps)
        table = np.array(list(_slowly(rows, names, separator, file, gaps=gaps)))
    return Rows(dict(zip(names, table.T.copy(), strict=True)), lines)


def _header(head: str, separator: str, file: str, line: int) -> list[str]:
    names = [name.strip() for name in _fields(head, separator, file, line)]
    if all(_NUMBER.fullmatch(name) for name in names):
        raise FileError(
            "has numbers where the names of its columns should be",
            file=file,
            line=line,
            hint=_HEADER_HINT,
        )
    for i, name in enumerate(names):
        if not is_name(name):
            raise FileError(
                f"column {i + 1} has a name that cannot be printed, is empty or endless",
                file=file,
                line=line,
            )
    _check_twins(names, file, line)
    return names


def _check_twins(names: Sequence[str], file: str, line: int | None = None) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            twins = f"columns {names.index(name) + 1} and {i + 1} have the same name"
            raise FileError(twins, file=file, line=line)


def _fields(row: str, separator: str, file: str, line: int) -> list[str]:
    try:
        return next(csv.reader([row], delimiter=separator, strict=True, skipinitialspace=True))
    except (csv.Error, StopIteration) as err:
        raise FileError(f"is no row of a table: {err}", file=file, line=line) from err


def _without_text(
    names: list[str], rows: list[tuple[int, str]], separator: str, *, gaps: bool
) -> tuple[list[str], list[tuple[int, str]]]:
    """The table without columns of words, as logs have for modes and frames.

    Such a column has no number at all; with fewer numbers than words it is no table.
    """
    word = re.compile(r"\s*(?:[^\W\d].*)?" if gaps else r"\s*[^\W\d].*", re.S)
    try:
        cells = list(csv.reader([row for _, row in rows], delimiter=separator, strict=True))
    except csv.Error:
        return names, rows
    if any(len(row) != len(names) for row in cells):
        return names, rows
    words = [
        i
        for i in range(len(names))
        if not any(_NUMBER.fullmatch(row[i].strip()) for row in cells)
        and all(word.fullmatch(row[i]) for row in cells)
        and any(row[i].strip() for row in cells)
    ]
    if not words or 2 * len(words) > len(names):
        return names, rows
    kept = [i for i in range(len(names)) if i not in words]
    some = [
        (number, separator.join(row[i] for i in kept))
        for (number, _), row in zip(rows, cells, strict=True)
    ]
    return [names[i] for i in kept], some


def _slowly(
    rows: Sequence[tuple[int, str]],
    names: Sequence[str],
    separator: str,
    file: str,
    *,
    gaps: bool,
) -> Iterator[list[float]]:
    for line, row in rows:
        fields = [field.strip() for field in _fields(row, separator, file, line)]
        if len(fields) != len(names):
            comma = separator == "," and len(fields) > len(names)
            raise FileError(
                f"has {len(fields)} fields, there are {len(names)} columns",
                file=file,
                line=line,
                hint="Likely: a decimal comma. Write numbers with a point." if comma else "",
            )
        numbers = sum(_NUMBER.fullmatch(field) is not None for field in fields)
        filled = sum(bool(field) for field in fields) if gaps else len(fields)
        if gaps:
            fields = [field or "nan" for field in fields]
        for i, (name, field) in enumerate(zip(names, fields, strict=True)):
            if not _NUMBER.fullmatch(field):
                decimal = _DECIMAL_COMMA.fullmatch(field) is not None
                # what is no table of numbers may be any file: nothing of it is shown
                table = decimal or 2 * numbers >= filled
                place = f"column {shown(name)}: {shown(field)}" if table else f"column {i + 1}"
                raise FileError(
                    f"{place} is not a number",
                    file=file,
                    line=line,
                    path=name if table else "",
                    hint="Write numbers with a decimal point." if decimal else "",
                )
        yield [float(field) for field in fields]


def _from_npz(raw: bytes, file: str) -> Rows:
    hint = "An NPZ table is what numpy.savez writes: plain arrays of numbers."
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        given = {} if unpacked > LARGEST_FILE else _arrays(raw)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, MemoryError) as err:
        raise FileError("is no NPZ file of plain arrays", file=file, hint=hint) from err
    if unpacked > LARGEST_FILE:
        raise _too_large(file)
    try:
        return Rows(flat(checked_columns(given, {})), ())
    except InputError as err:
        raise FileError(err.message, file=file, hint=err.hint or hint) from err


def _arrays(raw: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
        return {name: np.asarray(archive[name]) for name in archive.files}


def _from_parquet(raw: bytes, file: str) -> Rows:
    pyarrow, parquet = arrow()
    try:
        # without threads: those of a program that ends soon may abort it
        table = parquet.ParquetFile(io.BytesIO(raw)).read(use_threads=False)
    except (pyarrow.ArrowException, OSError, ValueError, MemoryError) as err:
        hint = "Was it written to its end?"
        raise FileError("is no Parquet file", file=file, hint=hint) from err
    names = [str(name) for name in table.column_names]
    _check_twins(names, file)
    columns = {}
    for name, column in zip(names, table.columns, strict=True):
        kind = column.type
        if not (pyarrow.types.is_floating(kind) or pyarrow.types.is_integer(kind)):
            raise FileError(f"column {shown(name)} holds {kind}, not numbers", file=file, path=name)
        columns[name] = np.asarray(column.to_numpy(), dtype=float)
    return Rows(columns, ())


def _check_finite(rows: Rows, file: str, *, gaps: bool = False) -> None:
    lines = rows.lines
    for name, column in rows.columns.items():
        bad = np.flatnonzero(np.isinf(column) if gaps else ~np.isfinite(column))
        if bad.size:
            row = int(bad[0])
            value = "NaN" if math.isnan(column[row]) else f"{column[row]:g}"
            raise FileError(
                f"column {shown(name)} is {value}" + ("" if lines else f" in row {row}"),
                file=file,
                line=lines[row] if lines else None,
                path=name,
                hint="Remove the row, or measure again.",
            )
