"""Citations in the code name equations and errata that exist.

The keys are ``[BK] (12)``, ``[KI] (21)-(22)``, ``[OZ] (3), (4)`` and ``erratum KI-1``; a paper may
also be named without an equation, ``[GA]``.
"""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT.parent / "shared" / "papers"

# Number of the last equation, and of the last erratum, of each paper; both count from 1.
EQUATIONS = {"BK": 33, "KI": 80, "OZ": 67, "GA": 74}
ERRATA = {"BK": 8, "KI": 12, "OZ": 11, "GA": 12}


def _load() -> ModuleType:
    """The module that also writes the page of equations, by its path."""
    spec = spec_from_file_location("equation_index", ROOT / "docs" / "equation_index.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


citations = _load()


def test_cited_equations_exist() -> None:
    known = {f"{paper} {n}" for paper, last in EQUATIONS.items() for n in range(1, last + 1)}
    cited, _ = citations.index()
    assert cited, "no citation found: has their form changed?"
    assert not {key: places for key, places in cited.items() if key not in known}


def test_cited_errata_exist() -> None:
    known = {f"{paper}-{n}" for paper, last in ERRATA.items() for n in range(1, last + 1)}
    _, cited = citations.index()
    assert not {key: places for key, places in cited.items() if key not in known}


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not beside the repository")
def test_the_known_errata_are_those_of_the_list() -> None:
    text = (PAPERS / "ERRATA.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\*\*([A-Z]{2})-(\d+)\b", text, re.MULTILINE)
    assert {(p, int(n)) for p, n in listed} == {
        (paper, n) for paper, last in ERRATA.items() for n in range(1, last + 1)
    }


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not beside the repository")
@pytest.mark.parametrize("paper", EQUATIONS)
def test_the_known_equations_are_those_of_the_paper(paper: str) -> None:
    (file,) = PAPERS.glob(f"{paper}-*.txt")
    # scanned parentheses of [GA] read as eth and thorn; bracketed years and list numbers are none
    text = file.read_text(encoding="utf-8")
    printed = {int(n) for n in re.findall(r"[(ð](\d{1,2})[)Þ]", text)}
    assert set(range(1, EQUATIONS[paper] + 1)) <= printed
    assert EQUATIONS[paper] + 1 not in printed


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("# [BK] (12)", ["BK 12"]),
        ("# [KI] (21)-(22)", ["KI 21", "KI 22"]),
        ("# [OZ] (3), (4) and (7)", ["OZ 3", "OZ 4", "OZ 7"]),
        ("[BK] (13), [KI] (20).", ["BK 13", "KI 20"]),
        ("# cut, [BK]\n    # (8)", ["BK 8"]),
        ("# the C5 joint of [KI], section 2 (see there)", []),
        ("# [XY] (1)", ["XY 1"]),
        ("# [KI] (9)-(7)", ["KI 9-7"]),
    ],
)
def test_equations_are_read(text: str, keys: list[str]) -> None:
    assert [key for _, key in citations.equations_at(text)] == keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("# [KI] (28), erratum KI-1", ["KI-1"]),
        ("# errata KI-1, KI-2 and GA-3", ["KI-1", "KI-2", "GA-3"]),
        ("# erratum 5", ["erratum"]),
        ("# nothing", []),
    ],
)
def test_errata_are_read(text: str, keys: list[str]) -> None:
    assert [key for _, key in citations.errata_at(text)] == keys


CODE = '''"""A file.  [BK] (1)"""

class Robot:
    """[KI] (9)"""

    @property
    def Psi(self):
        return 0  # [KI] (13), erratum KI-1

    # [BK] (4)

def alone():
    def inner():
        """[BK] (4)-(5)"""
'''


def test_citations_are_found_with_their_functions(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "file.py").write_text(CODE, encoding="utf-8")
    equations, errata = citations.index(tmp_path)
    names = {key: [place.name for place in places] for key, places in equations.items()}
    assert names == {
        "BK 1": [""],
        "KI 9": ["Robot"],
        "KI 13": ["Robot.Psi"],
        "BK 4": ["", "alone.inner"],
        "BK 5": ["alone.inner"],
    }
    assert errata == {"KI-1": [("room/file.py", "Robot.Psi")]}
    page = citations.page(equations, errata)
    assert "| (4) | `room/file.py`, `alone.inner` in `room/file.py` |" in page
    assert "| KI-1 | `Robot.Psi` in `room/file.py` |" in page


def test_the_page_lists_every_citation() -> None:
    equations, errata = citations.index()
    page = citations.page(equations, errata)
    assert len(re.findall(r"^\| \(\d+\) \|", page, re.MULTILINE)) == len(equations)
    assert len(re.findall(r"^\| [A-Z]{2}-\d+ \|", page, re.MULTILINE)) == len(errata)
