"""Configurations of Klipper are read as Python's own parser reads them, set up as Klipper does."""

import configparser
from pathlib import Path

import pytest

from gough.calibration import read_klipper
from gough.calibration.files import klipper_config
from gough.calibration.files.klipper_config import HEADER, read_config
from gough.errors import FileError, GoughWarning

SAMPLE = Path(__file__).resolve().parents[3] / "examples" / "printer.cfg"

ODD = """\
; a comment
[printer]   # another
Kinematics = delta ; with a space before it
speed: 3;4
name : a = b : c
  [alone] : 1
[gcode_macro START]
gcode:
    G28            # home
    {% if x == 1 %}

    M117 [hello]
      deep
  less
empty =
[printer]
speed = 5
"""


def as_klipper(text):
    """Values by section and key without blank lines; keys above the block go before it."""

    def parsed(part):
        parser = configparser.RawConfigParser(strict=False, inline_comment_prefixes=(";", "#"))
        parser.read_string("\n".join(line.partition("#")[0] for line in part.split("\n")))
        found = {(s, k): v for s in parser.sections() for k, v in parser[s].items()}
        return {key: "\n".join(filter(None, value.split("\n"))) for key, value in found.items()}

    head = "\n".join(HEADER)
    above, _, below = text.replace("\r\n", "\n").partition(head)
    saved = "\n".join(line[4:] for line in below.split("\n"))
    return {**parsed(saved), **parsed(above)}


def read(tmp_path, text):
    file = tmp_path / "printer.cfg"
    file.write_bytes(text.encode())
    config = read_config(file)
    return config, {where: each.value for where, each in config.entries.items() if where[1]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [ODD, SAMPLE.read_text(), SAMPLE.read_text() + "\n\n"])
def test_values_are_those_of_pythons_parser(tmp_path, text, end):
    _, values = read(tmp_path, text.replace("\n", end))
    assert values == as_klipper(text)
    assert len(values) >= 5


def test_a_key_above_the_block_counts(tmp_path):
    text = "\n".join(["[printer]", "a = 1", "", *HEADER, "#*# [printer]", "#*# a = 2", "#*# b = 3"])
    assert (
        read(tmp_path, text)[1]
        == as_klipper(text)
        == {("printer", "a"): "1", ("printer", "b"): "3"}
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "block",
    [
        [],
        [*HEADER, "#*# [other]", "#*# x = 1", ""],
        [
            *HEADER,
            "#*# [printer]",
            "#*# speed = 7",
            "#*#\t",
            "#*# [other]",
            "#*# x = 1",
            "#*# \ty",
            "",
        ],
    ],
)
def test_saving_changes_what_it_must_and_nothing_else(tmp_path, block, end):
    text = end.join([*ODD.split("\n"), *block]).replace("#*#\t", "#*#")
    config, before = read(tmp_path, text)
    new = {("printer", "speed"): "9.5", ("gcode_macro START", "gcode"): "G1", ("fresh", "a"): "0"}
    saved = config.saving(new)
    again, after = read(tmp_path, saved)
    assert after == as_klipper(saved) == {**before, **new}
    assert again.saving(new) == saved
    kept = [line for line in text.split("\n") if line.strip()]
    lines = iter(saved.split("\n"))
    for line in kept:  # every line is still there in its order, or a comment, or has its new value
        now = {line, f"#{line}", f"#*# speed = 9.5{end[:-1]}"}
        assert any(each in now for each in lines), line
    assert saved.count("\r") == (saved.count("\n") if end == "\r\n" else 0)


def test_included_files_are_read_in_their_places(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "b.cfg").write_text("[printer]\nspeed = 2\nheat = 20\n")
    (tmp_path / "parts" / "a.cfg").write_text("[printer]\nspeed = 1\n[include c.cfg]\n")
    (tmp_path / "parts" / "c.cfg").write_text("[fan]\npin = 3\n")
    text = "[include parts/[ab].cfg]\n[include none*.cfg]\n[printer]\nheat = 30\n"
    config, values = read(tmp_path, text)
    assert values == {("printer", "speed"): "2", ("printer", "heat"): "30", ("fan", "pin"): "3"}
    with pytest.raises(FileError, match="stands in an included file") as caught:
        config.saving({("fan", "pin"): "4"})
    assert caught.value.file.endswith("c.cfg")
    assert caught.value.line == 2


def test_what_is_not_included_is_said(tmp_path):
    names = ("gone.cfg", "/etc/hostname", "../x.cfg", "**/x.cfg", "x" * 300)
    text = "[printer]\n" + "".join(f"[include {name}]\n" for name in names)
    with pytest.warns(GoughWarning) as caught:
        read(tmp_path, text)
    (warning,) = caught
    for line, name in enumerate(names, start=2):
        assert f"'{name[:20]}" in str(warning.message)
        assert f"(line {line} of printer.cfg)" in str(warning.message)


def test_bounds(tmp_path, monkeypatch):
    with pytest.raises(FileError, match="a file includes itself"):
        read(tmp_path, "[include printer.cfg]\n")
    (tmp_path / "x.cfg").write_text("[fan]\n")
    monkeypatch.setattr(klipper_config, "MOST_FILES", 3)
    with pytest.raises(FileError, match="more than 3 files"):
        read(tmp_path, "[include x.cfg]\n" * 4)
    monkeypatch.setattr(klipper_config, "LARGEST_FILE", 10)
    with pytest.raises(FileError, match="more than 10 bytes"):
        read_klipper(SAMPLE)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "no section"),
        (b"\xff\xfe[\0", "UTF-16"),
        (b"[printer]\n\0", "NUL"),
        (b"[printer]\na = \xe9", "not UTF-8"),
        (b"\x7fELF", "no .section. stands above"),
    ],
)
def test_files_that_are_none(tmp_path, raw, words):
    file = tmp_path / "printer.cfg"
    file.write_bytes(raw)
    with pytest.raises(FileError, match=words):
        read_klipper(file)
