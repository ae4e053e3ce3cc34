"""The tutorials of a user's day, each from an empty folder: files, commands and Python in order.

A page has blocks of three kinds: a file to save (its caption is the name), commands
(``$ gough ...``) with what they print, and Python with public names only, in which figures worked
out by hand are marked.
"""

import ast
import re
import shlex
import sys
from pathlib import Path

import pytest

from gough.cli import main
from gough.cli.app import settings
from printed import differences

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("day-delta.md", "day-hexapod.md", "day-mechanism.md")
KNOWN = {"gough", "numpy", "matplotlib", "math", "json", "pathlib", "subprocess"}

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
            if line != "..." and not any(_shows(line, found) for found in lines):
                return line
        return ""

    def python(self, body, page, line):
        """Run Python; it may import the library's public names only."""
        for node in ast.walk(ast.parse(body)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                assert name.split(".")[0] in KNOWN, name
                assert name == "gough" or not name.startswith("gough."), name
            private = isinstance(node, ast.Attribute) and node.attr.startswith("_")
            assert not private, ast.dump(node)
        exec(compile("\n" * line + body, page, "exec"), self.names)


def _shows(line, printed):
    """Whether a line is shown as it was printed; one that ends in dots is its beginning."""
    if line.endswith(" ..."):
        line = line.removesuffix(" ...")
        printed = " ".join(printed.split())[: len(line)]
    return not differences(line, printed)


@pytest.mark.parametrize("page", PAGES)
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
