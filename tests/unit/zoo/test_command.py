"""``gough zoo``: the list, one robot as a file, and what is refused."""

import pytest
from typer.testing import CliRunner

from gough import zoo
from gough.cli import app
from gough.errors import FileError, InputError
from gough.robot.file.reading import read, reads
from gough.zoo import registry


def run(*words):
    return CliRunner().invoke(app, ["zoo", *map(str, words)], catch_exceptions=False)


def test_the_list_has_legs_mobility_and_label(monkeypatch):
    monkeypatch.setattr(registry, "names", lambda: ("five_bar", "space_3ups"))  # two will do
    done = run()
    assert done.exit_code == 0
    head, five_bar, space = (" ".join(line.split()) for line in done.stdout.splitlines()[:3])
    assert head == "name legs mobility robot"
    assert five_bar.startswith("five_bar 2 2 ")
    assert space.startswith("space_3ups 3 6 ")


def test_a_robot_is_printed_as_a_file():
    done = run("dymo")
    assert done.exit_code == 0
    assert reads(done.stdout) == zoo.load("dymo")


def test_a_robot_is_written_to_a_file(tmp_path):
    assert run("linear_delta", "-o", tmp_path / "mine.yaml").exit_code == 0
    assert read(tmp_path / "mine.yaml") == zoo.load("linear_delta")


def test_an_existing_file_is_not_replaced_by_accident(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("precious")
    with pytest.raises(FileError, match="exists already"):
        run("five_bar", "-o", mine)
    assert mine.read_text() == "precious"
    assert f"gough check {mine}" in run("five_bar", "-o", mine, "--force").stdout
    assert read(mine) == zoo.load("five_bar")


def test_wrong_words_are_refused(tmp_path):
    with pytest.raises(InputError, match="no robot 'dimo'"):
        run("dimo")
    assert run("-o", tmp_path / "which.yaml").exit_code == 2
