"""The tutorials of a user's day, each from an empty folder: files, commands and Python in order.

A page has blocks of four kinds: a file to save (its caption is the name), commands (``$ gough ...``)
with what they print, a figure worked out by hand, and Python with public names only.
"""

import ast
import re
import shlex
import sys
from pathlib import Path

import pytest

from gough.cli import main
from gough.cli.app import settings
from test_printed_results import differences

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("day-delta.md", "day-hexapod.md", "day-mechanism.md")
KNOWN = {"gough", "numpy", "math", "dataclasses", "json", "pathlib", "subprocess"}

FENCE = re.compile(
    r"^```(?:\{code-block\} )?(?P<kind>python|console|yaml|text)\n"
    r"(?::caption: (?P<file>\S+)\n)?(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Day:
    """A folder that is empty in the morning, and what was done in it."""

    def __init__(self, monkeypatch, capsys):
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.names = {"__name__": "day"}
        self.commands = 0

    def save(self, file, body):
        """Write a file as the page shows it."""
        assert not Path(file).is_absolute()
        Path(file).write_text(body.lstrip("\n"), encoding="utf-8")

    def run(self, body):
        """Run commands; what the page shows must be among what they print, in that order."""
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            code, printed = self.gough(command)
            refused = "[exit code 1]" in shown
            assert code == int(refused), f"{command}\n{printed}"
            missing = self.missing(shown.replace("[exit code 1]\n", ""), printed)
            assert not missing, f"{command} does not print {missing!r} but\n{printed}"
            self.commands += 1

    def gough(self, command):
        """Exit code and what a command prints, errors included."""
        words = shlex.split(command)
        assert words[0] == "gough", command
        self.monkeypatch.setattr(sys, "argv", words)
        settings.debug = False
        with pytest.raises(SystemExit) as done:
            main()
        return done.value.code or 0, "".join(self.capsys.readouterr())

    @staticmethod
    def missing(shown, printed):
        """The first line that is shown and not printed; ``...`` stands for any lines."""
        lines = iter(printed.splitlines())
        for line in filter(None, map(str.strip, shown.splitlines())):
            if line != "..." and not any(not differences(line, found) for found in lines):
                return line
        return ""

    def python(self, body, page, line):
        """Run Python; it may import the library's public names only."""
        tree = ast.parse(body)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
                assert all(name.split(".")[0] in KNOWN for name in names), names
                assert all(name == "gough" or not name.startswith("gough.") for name in names), names
            assert not (isinstance(node, ast.Attribute) and node.attr.startswith("_")), ast.dump(node)
        exec(compile("\n" * line + body, page, "exec"), self.names)


@pytest.mark.parametrize("page", [page for page in PAGES if (DOCS / page).exists()])
def test_a_day(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    day, hand = Day(monkeypatch, capsys), 0
    for fence in FENCE.finditer(text):
        if fence["file"]:
            day.save(fence["file"], fence["body"])
        elif fence["kind"] == "console":
            day.run(fence["body"])
        elif fence["kind"] == "python":
            day.python(fence["body"], page, text.count("\n", 0, fence.start("body")))
            hand += fence["body"].count("# by hand")
    assert day.commands > 5
    assert hand > 2, "a day has figures worked out by hand"


def test_what_is_not_printed_is_noticed(tmp_path, monkeypatch, capsys):
    assert not Day.missing("a 1.25\n...\nb 3\n", "x\na 1.26\ny\nb 3\n")
    assert Day.missing("a 1.25\n", "a 1.35\n") == "a 1.25"
    assert Day.missing("b\na\n", "a\nb\n") == "a"
    monkeypatch.chdir(tmp_path)
    day = Day(monkeypatch, capsys)
    with pytest.raises(AssertionError, match="no such file"):
        day.run("$ gough info nothing.yaml\n")
    day.run("$ gough info nothing.yaml\n[exit code 1]\n")
    with pytest.raises(AssertionError):
        day.python("from gough.base import english", "page", 0)
