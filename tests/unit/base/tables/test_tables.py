"""Tables: what is written comes back exactly; what is no table is refused with its place."""

import csv
import io
import locale
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from gough.base import tables
from gough.base.tables import read_gaps, read_table, reading, whole, write_table
from gough.errors import FileError, InputError

COLUMNS = {
    "t": np.array([0.0, 0.1, 0.30000000000000004]),
    "tau": np.array([[1e-300, -2.5], [np.pi, 1e300], [0.1 + 0.2, -0.0]]),
    "x [m]": np.array([1, 2, 3]),
}


@pytest.mark.parametrize("ending", tables.FORMATS)
def test_numbers_come_back_exactly(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(path, COLUMNS)
    found = read_table(path)
    assert list(found) == ["t", "tau_0", "tau_1", "x [m]"]
    np.testing.assert_array_equal(found["t"], COLUMNS["t"])
    np.testing.assert_array_equal(
        np.stack([found["tau_0"], found["tau_1"]], axis=1), COLUMNS["tau"]
    )
    assert found["x [m]"].dtype == float
    assert np.signbit(found["tau_1"][2])  # minus zero stays one
    before = path.read_bytes()
    write_table(path, COLUMNS)
    assert path.read_bytes() == before  # equal tables are equal files


@pytest.mark.parametrize("ending", tables.FORMATS)
def test_columns_by_names_of_their_own(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(str(path), COLUMNS, names={"tau": ["tau_arm1", "tau,arm2"]})
    assert list(read_table(path)) == ["t", "tau_arm1", "tau,arm2", "x [m]"]


def test_others_read_what_is_written(tmp_path):
    write_table(tmp_path / "a.csv", COLUMNS)
    with (tmp_path / "a.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["t", "tau_0", "tau_1", "x [m]"]
    assert rows[2] == ["0.1", "3.141592653589793", "1e+300", "2.0"]
    write_table(tmp_path / "a.npz", COLUMNS)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as archive:
        assert archive["tau"].shape == (3, 2)


@pytest.mark.parametrize("ending", tables.FORMATS)
def test_nan_is_written_and_read_only_on_request(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(path, {"t": [0.0, 1.0], "q": [1.0, np.nan], "v": [np.inf, 0.0]})
    found = read_table(path, finite=False)
    assert np.isnan(found["q"][1])
    assert np.isinf(found["v"][0])
    with pytest.raises(FileError, match="column 'q' is NaN") as caught:
        read_table(path)
    assert caught.value.path == "q"
    assert caught.value.line == (3 if ending == ".csv" else None)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (b"", "is empty", None),
        (b"\n \n", "holds no numbers", None),
        (b"# only\n# words\n", "holds no numbers", None),
        (b"t,x\n", "no numbers", 1),
        (b"t,x\n0,1\n1\n2,3\n", "has 1 fields, there are 2 columns", 3),
        (b"t,x\n0,1\n\n1,2,3\n", "has 3 fields, there are 2 columns", 4),
        (b"t,x\n0,1\n1,wide\n", "column 'x': 'wide' is not a number", 3),
        (b"t,x\n0,\n", "column 'x': '' is not a number", 2),
        (b"t,x\n0,1_0\n", "'1_0' is not a number", 2),
        (b"t,x\n0,0x10\n", "'0x10' is not a number", 2),
        (b"t,x\n0,1\n1,nan\n", "column 'x' is NaN", 3),
        (b"t,x\n0,1e999\n", "column 'x' is inf", 2),
        (b"t,x,t\n0,1,2\n", "columns 1 and 3 have the same name", 1),
        (b"t,,x\n0,1,2\n", "column 2 has a name that cannot be printed, is empty", 1),
        (b"0,1\n1,2\n", "numbers where the names", 1),
        (b"1\n2\n", "numbers where the names", 1),
        (b'"t\n0\n', "no row of a table", 1),
        (b"t,gr\xf6\xdfe\n0,1\n", "byte 0xf6 is not UTF-8", 1),
        (b"t,x\n0,1\n\x00\x01,2\n", "holds NUL bytes", 3),
        (b"\xff\xfet\x00", "UTF-16", None),
        (b"PK\x03\x04 nonsense", "column 1 has a name that cannot be printed", None),
    ],
)
def test_what_is_no_table(tmp_path, text, message, line):
    path = tmp_path / "bad.csv"
    path.write_bytes(text)
    with pytest.raises(FileError, match=message) as caught:
        read_table(path)
    assert str(path) in caught.value.message
    if line is not None:
        assert caught.value.line == line


def test_a_decimal_comma_is_recognised(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_text("t;x\n0;0,25\n")
    with pytest.raises(FileError, match="'0,25' is not a number") as caught:
        read_table(path)
    assert "decimal point" in caught.value.hint
    path.write_text("t,x\n0,1,0,25\n")
    with pytest.raises(FileError, match="has 4 fields") as caught:
        read_table(path)
    assert "decimal comma" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbft,x\r\n0,1\r\n1,2\r\n",  # as Excel saves it
        b"# measured today\nt;x\n0;1\n\n1;2\n",
        b"t\tx\n0\t1\n1\t2",
        b't, "x"\n 0 , 1e0\n+1.,"2"\n',
    ],
)
def test_usual_dialects(tmp_path, text):
    path = tmp_path / "fine.CSV"
    path.write_bytes(text)
    found = read_table(path)
    assert [list(found), found["t"].tolist()] == [["t", "x"], [0.0, 1.0]]
    assert found["x"].tolist() == [1.0, 2.0]


def test_one_column_is_a_table(tmp_path):
    (tmp_path / "one.csv").write_text("t\n1\n2\n")
    assert read_table(tmp_path / "one.csv")["t"].tolist() == [1.0, 2.0]


def test_the_locale_has_no_effect(tmp_path):
    old = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", old):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            write_table(tmp_path / "a.csv", {"x": [0.25]})
            assert (tmp_path / "a.csv").read_text() == "x\n0.25\n"
            assert read_table(tmp_path / "a.csv")["x"][0] == 0.25
        finally:
            locale.setlocale(locale.LC_NUMERIC, old)


def test_no_pickle_is_opened(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, t=np.array([os.system, None], dtype=object))
    with pytest.raises(FileError, match="no NPZ file of plain arrays"):
        read_table(path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"t": np.zeros(3), "x": np.zeros(4)}, "different lengths"),
        ({"t": np.zeros((2, 2, 2))}, "shape"),
        ({"t": np.float64(1.0)}, "shape"),
        ({"t": np.array(["a", "b"])}, "not an array of numbers"),
        ({"t": np.zeros(2), "x": np.zeros(2) * 1j}, "not an array of numbers"),
        ({}, "at least one"),
        ({"t": np.zeros(0)}, "no numbers"),
    ],
)
def test_npz_files_that_are_no_tables(tmp_path, arrays, message):
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileError, match=message):
        read_table(tmp_path / "bad.npz")


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_truncated_and_foreign_files(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(path, COLUMNS)
    sound = path.read_bytes()
    for content in (sound[: len(sound) // 2], b"t,x\n0,1\n", bytes(range(256))):
        path.write_bytes(content)
        with pytest.raises(FileError, match="is no"):
            read_table(path)


def test_parquet_columns_that_are_no_numbers(tmp_path):
    import pyarrow.parquet

    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"t": [0.0, 1.0], "name": ["a", "b"]}), path)
    with pytest.raises(FileError, match="column 'name' holds string"):
        read_table(path)
    pyarrow.parquet.write_table(pyarrow.table({"t": [0.0, None]}), path)
    with pytest.raises(FileError, match="column 't' is NaN in row 1"):
        read_table(path)
    pyarrow.parquet.write_table(pyarrow.table({"t": [1, 2]}), path)
    assert read_table(path)["t"].tolist() == [1.0, 2.0]


def test_without_pyarrow(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("gough.base.tables.columns.import_module", missing)
    with pytest.raises(FileError, match="need the package pyarrow") as caught:
        write_table(tmp_path / "a.parquet", COLUMNS)
    assert "gough[parquet]" in caught.value.hint
    assert not list(tmp_path.iterdir())


def test_huge_files_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST_FILE", 10_000)
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.npy", bytes(1_000_000))
    assert (tmp_path / "bomb.npz").stat().st_size < 10_000
    (tmp_path / "long.csv").write_bytes(b"t\n" + b"1\n" * 6000)
    for name in ("bomb.npz", "long.csv"):
        with pytest.raises(FileError, match="more than 10000 bytes"):
            read_table(tmp_path / name)


@pytest.mark.parametrize(
    ("columns", "names", "message"),
    [
        ({}, None, "at least one"),
        ([1, 2], None, "arrays by name"),
        ({"t": [1.0], "x": [1.0, 2.0]}, None, "different lengths"),
        ({"t": np.zeros((2, 2, 2))}, None, "expected"),
        ({"t": ["a"]}, None, "not an array of numbers"),
        ({"t": [[1.0], [1.0, 2.0]]}, None, "not an array of numbers"),
        ({"": [1.0]}, None, "no name of a column"),
        ({"a\nb": [1.0]}, None, "no name of a column"),
        ({"#t": [1.0]}, None, "no name of a column"),
        ({3: [1.0]}, None, "no name of a column"),
        ({"q": np.zeros((1, 2)), "q_1": [1.0]}, None, "two columns have the name 'q_1'"),
        ({"q": np.zeros((1, 2))}, {"q": ["a"]}, "1 names for the shape"),
        ({"q": np.zeros((1, 2))}, {"q": ["a", "a"]}, "two columns have the name 'a'"),
        ({"q": [1.0]}, {"p": ["a"]}, "is no column"),
    ],
)
def test_columns_that_are_no_table(tmp_path, columns, names, message):
    for ending in tables.FORMATS:
        with pytest.raises(InputError, match=message):
            write_table(tmp_path / f"a{ending}", columns, names=names)
    assert not list(tmp_path.iterdir())


def test_paths_that_are_none(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        read_table(tmp_path / "missing.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match="is not a file"):
        read_table(tmp_path / "folder.csv")
    with pytest.raises(FileError, match="cannot be written"):
        write_table(tmp_path / "folder.csv" / ".." / "nowhere\0" / "a.csv", COLUMNS)
    write_table(tmp_path / "made" / "here" / "a.csv", COLUMNS)
    with pytest.raises(FileError, match="a file stands where"):
        write_table(tmp_path / "made" / "here" / "a.csv" / "b.csv", COLUMNS)
    with pytest.raises(FileError, match=r"ending '\.xlsx'") as caught:
        write_table(tmp_path / "a.xlsx", COLUMNS)
    assert ".parquet" in caught.value.hint
    with pytest.raises(FileError, match="no ending"):
        read_table(tmp_path / "a")
    with pytest.raises(InputError, match="path of a table"):
        read_table(3)
    with pytest.raises(FileError, match="is not a path"):
        read_table("a\0b.csv")
    with pytest.raises(FileError, match="this is not a path"):
        write_table("a\0b.csv", COLUMNS)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "efforts.csv"
    path.write_text("precious")

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole.os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        write_table(path, COLUMNS)
    assert [p.name for p in tmp_path.iterdir()] == ["efforts.csv"]
    assert path.read_text() == "precious"


def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "efforts.csv"
    path.write_text("precious")

    def interrupted(_self, _target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_table(path, COLUMNS)
    assert [p.name for p in tmp_path.iterdir()] == ["efforts.csv"]
    assert path.read_text() == "precious"


def test_permissions_stay(tmp_path):
    path = tmp_path / "a.csv"
    write_table(path, COLUMNS)
    path.chmod(0o640)
    write_table(path, COLUMNS)
    assert path.stat().st_mode & 0o777 == 0o640


def test_many_rows_are_read_at_once(tmp_path):
    rng = np.random.default_rng(0)
    given = rng.normal(size=(5000, 4)) * 10.0 ** rng.integers(-9, 9, (5000, 4))
    write_table(tmp_path / "a.csv", {"q": given})
    found = np.stack(list(read_table(tmp_path / "a.csv").values()), axis=1)
    np.testing.assert_array_equal(found, given)
    python = np.loadtxt(io.StringIO((tmp_path / "a.csv").read_text()), delimiter=",", skiprows=1)
    np.testing.assert_array_equal(python, given)


@pytest.mark.parametrize("ending", tables.FORMATS)
def test_gaps_come_back_as_gaps(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    columns = {"a": np.array([1.0, np.nan, 0.1 + 0.2]), "b": np.array([np.nan, 2.0, np.nan])}
    write_table(path, columns, gaps=True)
    if ending == ".csv":
        assert path.read_text() == "a,b\n1.0,\n,2.0\n0.30000000000000004,\n"
        with pytest.raises(FileError, match="line 2: column 'b': '' is not a number"):
            read_table(path)
    found, lines = read_gaps(path)
    for name, values in columns.items():
        np.testing.assert_array_equal(found[name], values)
    assert list(lines) == ([2, 3, 4] if ending == ".csv" else [])


def test_gaps_beside_remarks_and_what_is_no_number(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,note,b\n# one\n1,,\n,good,2\n")
    found, lines = read_gaps(path)
    assert list(found) == ["a", "b"]
    assert list(lines) == [3, 4]
    path.write_text("a,b\n1,\n,inf\n")
    with pytest.raises(FileError, match="line 3: column 'b' is inf"):
        read_gaps(path)
    path.write_text("a,b\nsecret,\nword,1\n2,3\n")  # no table: nothing of it is shown
    with pytest.raises(FileError, match="line 2: column 1 is not a number"):
        read_gaps(path)
