"""A newcomer's questions lead to a file and a name: maps of CONTRIBUTING.md, and equations."""

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "gough"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+\?) \| `([\w/]+\.py)` \| `(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(TEXT)
ASKED = (
    *("distance to Type 2", "joint kind", "a motion", "an integrator", "a quantity to compile"),
    *("to the zoo", "[BK] (21)", "[KI] (28)", "[OZ] (56)", "[GA] (36)", "doubt judged"),
    *("loops closed", "robot file become a robot"),
)


def names(path: Path) -> set[str]:
    """Functions, classes and constants that a file defines."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def test_there_are_twenty_answers_and_more():
    assert len(ROWS) >= 20
    questions = "\n".join(question for question, _, _ in ROWS)
    assert not [asked for asked in ASKED if asked not in questions]


@pytest.mark.parametrize(("question", "file", "name"), ROWS)
def test_an_answer_is_there(question, file, name):
    assert name in names(SRC / file), f"{question} {file} has no {name}"


def test_equations_are_where_the_table_says():
    spec = spec_from_file_location("equation_index", ROOT / "docs" / "equation_index.py")
    assert spec is not None
    assert spec.loader is not None
    index = module_from_spec(spec)
    spec.loader.exec_module(index)
    equations, _ = index.index()
    for question, file, name in ROWS:
        for paper, number in re.findall(r"\[(\w\w)\] \((\d+)\)", question):
            places = {(place.file, place.name) for place in equations[f"{paper} {number}"]}
            assert (file, name) in places, question


def test_paths_in_the_maps_exist():
    """Files that pages name, `room/file.py`, are there."""
    for page in (ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for path in re.findall(r"`([a-z_]+/[\w/]+\.py)`", page.read_text(encoding="utf-8")):
            if "NAME" in path:
                continue
            found = [ROOT / path, SRC / path, ROOT / "docs" / path]
            assert any(each.is_file() for each in found), f"{page.name}: {path}"
