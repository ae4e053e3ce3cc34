"""The code that users read first runs: README, documentation, examples."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
# tests/docs/test_printed_results.py and tests/docs/test_days.py run these
ELSEWHERE = ("loads.md", "motor-sizing.md", "day-delta.md", "day-hexapod.md", "day-mechanism.md")
PAGES = [README, *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.name not in ELSEWHERE)]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FENCE = re.compile(
    r"^(?P<fence>`{3,})(?:python|\{code-block\} python)[ \t]*\n(?P<code>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


def blocks(text: str) -> list[tuple[int, str]]:
    """Python blocks of a page, each with the line it starts on."""
    return [(text.count("\n", 0, m.start("code")), m["code"]) for m in FENCE.finditer(text)]


def test_blocks_are_found_with_their_lines() -> None:
    text = "a\n```python\nx = 1\n```\n```yaml\nx: 2\n```\n````{code-block} python\ny = 3\n````\n"
    assert blocks(text) == [(2, "x = 1\n"), (8, "y = 3\n")]


def test_readme_shows_code() -> None:
    assert README.exists(), "there is no README.md"
    assert blocks(README.read_text(encoding="utf-8")), "README.md has no ```python block"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # beside the examples, as a reader would; what pages write is not left in the tree
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": page.stem}
    for line, code in blocks(page.read_text(encoding="utf-8")):
        # leading empty lines make a traceback point into the page
        exec(compile("\n" * line + code, str(page), "exec"), namespace)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_runs(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # in this process: starting one for each example takes longer than most of them
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")


def test_the_example_of_a_foreign_file_runs_with_our_own(monkeypatch, capsys) -> None:
    """Without a file of others, too."""
    own = ROOT / "examples" / "robots" / "tilting_head.xml"
    monkeypatch.setattr(sys, "argv", ["19_from_elsewhere.py", str(own)])
    runpy.run_path(str(ROOT / "examples" / "19_from_elsewhere.py"), run_name="__main__")
    assert "neck.drake.sdf: the same efforts" in capsys.readouterr().out
