"""Columns to files."""

from __future__ import annotations

import csv
import io
import math
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.tables.columns import arrow, check_format, checked_columns, flat
from gough.base.tables.whole import write_whole


def write_table(
    path: str | os.PathLike[str],
    columns: Mapping[str, Any],
    *,
    names: Mapping[str, Sequence[str]] | None = None,
    gaps: bool = False,
    words: bool = False,
) -> None:
    """Write columns to a CSV, Parquet or NPZ file, by its ending.

    Args:
        path: of the file, which is replaced if it is there.
        columns: arrays ``(K,)`` or ``(K, m)`` by name.  Several columns under one name become
            ``name_0``, ``name_1`` ... in CSV and Parquet; NPZ keeps them together.
        names: of the single columns of such an array, in every format.
        gaps: whether NaN is a number that is not there, which CSV has as an empty cell; otherwise
            it is written as ``nan``.
        words: whether columns of words are written too; reading passes over them.

    Raises:
        FileError: the file cannot be written; one that was there before is untouched.
        InputError: columns of different lengths, twin names, or what is no array of numbers.
    """
    ending = check_format(path)
    arrays = checked_columns(columns, names or {}, words=words)
    if ending == ".npz":
        flat(arrays)  # twins are refused here as well
        content = _npz(arrays)
    elif ending == ".csv":
        content = _csv(flat(arrays), _number if gaps else repr)
    else:
        content = _parquet(flat(arrays))
    write_whole(path, content)


def _csv(columns: Mapping[str, np.ndarray], number: Callable[[float], str]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    if any(column.dtype.kind == "U" for column in columns.values()):
        writer.writerows([c if isinstance(c, str) else number(c) for c in row] for row in rows)
    else:
        text.writelines(",".join(map(number, row)) + "\n" for row in rows)  # repr: exact
    return text.getvalue().encode()


def _number(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """As ``np.savez``, but any name will do, and equal tables are equal files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    return stream.getvalue()


def _parquet(columns: Mapping[str, np.ndarray]) -> bytes:
    pyarrow, parquet = arrow()
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(columns)), stream)
    return stream.getvalue()
