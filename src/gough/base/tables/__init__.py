"""Tables of numbers in files: CSV, Parquet and NPZ, written whole or not at all.

A table is columns of equal length under names.  What is read is checked: a file that is no table
of finite numbers is refused with file, line and column.  Numbers have a decimal point whatever the
locale, and come back exactly as they were written.
"""

from gough.base.tables.columns import FORMATS, check_format
from gough.base.tables.reading import Rows, read_gaps, read_table
from gough.base.tables.whole import write_whole
from gough.base.tables.writing import write_table

__all__ = [
    "FORMATS",
    "Rows",
    "check_format",
    "read_gaps",
    "read_table",
    "write_table",
    "write_whole",
]
