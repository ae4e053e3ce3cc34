"""Files that are not small UTF-8 text are refused before objects are built."""

from pathlib import Path

import pytest

import gough
from gough.errors import FileError, InputError
from gough.robot.file import read, reads
from gough.robot.file.text import LARGEST_FILE


def refusal(tmp_path: Path, raw: bytes) -> FileError:
    file = tmp_path / "robot.yaml"
    file.write_bytes(raw)
    with pytest.raises(FileError) as caught:
        read(file)
    assert caught.value.file == str(file)
    return caught.value


@pytest.mark.parametrize("raw", [b"", b" \n\n", b"\xef\xbb\xbf", b"# only a comment\n", b"---\n"])
def test_file_empty(tmp_path: Path, raw: bytes) -> None:
    assert "gough: 1" in str(refusal(tmp_path, raw))


def test_file_truncated_in_a_list(tmp_path: Path, small: str) -> None:
    error = refusal(tmp_path, small[: small.index("2e-3")].encode())
    assert "not valid YAML" in str(error)
    assert error.line == 9


def test_file_truncated_between_keys(tmp_path: Path, small: str) -> None:
    assert "'joints' is missing" in str(refusal(tmp_path, small[: small.index("joints")].encode()))


def test_file_binary(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"\x7fELF\n\x02\x00\x00")
    assert "not a text file" in str(error)
    assert error.line == 2


def test_file_utf_16(tmp_path: Path, small: str) -> None:
    assert "UTF-16" in str(refusal(tmp_path, small.encode("utf-16")))


def test_file_latin_1(tmp_path: Path, small: str) -> None:
    text = small.replace("name: small", "name: small\nlabel: Gelenk für Öl")
    error = refusal(tmp_path, text.encode("latin-1"))
    assert error.line == 3
    assert "0xfc" in str(error)
    assert "Save it as UTF-8" in error.hint


def test_file_100_mb(tmp_path: Path) -> None:
    file = tmp_path / "robot.yaml"
    with file.open("wb") as stream:
        stream.truncate(100 * 2**20)  # sparse: refused by its size, not read
    with pytest.raises(FileError, match="104857600 bytes"):
        read(file)


def test_text_beyond_the_cap(small: str) -> None:
    with pytest.raises(FileError, match="at most"):
        reads(small + "#" * LARGEST_FILE)


def test_bom_and_crlf_are_accepted(tmp_path: Path, small: str) -> None:
    file = tmp_path / "robot.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + small.replace("\n", "\r\n").encode())
    assert read(file) == reads(small)


def test_crlf_keeps_line_numbers(tmp_path: Path, small: str) -> None:
    text = small.replace("viscous: 0.1", "viscous: -1").replace("\n", "\r\n")
    assert refusal(tmp_path, text.encode()).line == 16


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\ufffe"])
def test_control_characters_are_refused_with_their_line(small: str, character: str) -> None:
    with pytest.raises(FileError) as caught:
        reads(small.replace("name: small", f'name: small\nlabel: "a{character}b"'))
    assert caught.value.line == 3


def test_half_a_surrogate_pair_in_text(small: str) -> None:
    with pytest.raises(FileError, match="surrogate"):
        reads(small + "# \ud800")


def test_missing_file_folder_and_odd_paths(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read(tmp_path / "none.yaml")
    with pytest.raises(FileError, match="not a file"):
        read(tmp_path)
    with pytest.raises(FileError, match="not a path"):
        read("a\0b")


@pytest.mark.parametrize("path", [None, 3, [], b"robot.yaml", object()])
def test_what_is_no_path_is_refused(path: object) -> None:
    robot = gough.zoo.load("five_bar")
    for work in (gough.load, lambda p: gough.save(robot, p)):
        with pytest.raises(InputError, match="expected the path of a robot file"):
            work(path)
    with pytest.raises(InputError, match=r"expected a gough\.Robot"):
        gough.save(path, "never.yaml")
    if not isinstance(path, str):
        with pytest.raises(InputError, match="expected the text of a robot file"):
            reads(path)
