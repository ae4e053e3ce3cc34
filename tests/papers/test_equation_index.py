"""Citations in the code name equations and errata that exist.

The keys are ``[BK] (12)``, ``[KI] (21)-(22)``, ``[OZ] (3), (4)`` and ``erratum KI-1``; a paper may
also be named without an equation, ``[GA]``.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "gough"
PAPERS = ROOT.parent / "shared" / "papers"

# Number of the last equation, and of the last erratum, of each paper; both count from 1.
EQUATIONS = {"BK": 33, "KI": 80, "OZ": 67, "GA": 74}
ERRATA = {"BK": 8, "KI": 12, "OZ": 11, "GA": 12}

Keys = dict[str, list[str]]

GAP = r"[\s#]*"  # a citation may run over the end of a comment line
NUMBERS = rf"\(\d+\)(?:{GAP}[-–]{GAP}\(\d+\))?"
CITATION = re.compile(rf"\[([A-Z]{{2}})\]{GAP}({NUMBERS}(?:(?:,|{GAP}and){GAP}{NUMBERS})*)")
RANGE = re.compile(rf"\((\d+)\)(?:{GAP}[-–]{GAP}\((\d+)\))?")
ERRATUM = re.compile(
    rf"[Ee]rrat(?:um|a){GAP}([A-Z]{{2}}-\d+(?:(?:,|{GAP}and){GAP}[A-Z]{{2}}-\d+)*)"
)
NAMELESS = re.compile(rf"[Ee]rratum(?!{GAP}[A-Z]{{2}}-\d+)")


def equations_in(text: str) -> list[str]:
    """Equations cited, ``BK 12``, ranges written out."""
    found = []
    for paper, numbers in CITATION.findall(text):
        for first, last in RANGE.findall(numbers):
            if last and int(last) < int(first):
                found.append(f"{paper} {first}-{last}")
            found += [f"{paper} {n}" for n in range(int(first), int(last or first) + 1)]
    return found


def errata_in(text: str) -> list[str]:
    """Errata cited, ``KI-1``; the word without a key counts as an unknown one."""
    keys = [key for run in ERRATUM.findall(text) for key in re.findall(r"[A-Z]{2}-\d+", run)]
    return keys + NAMELESS.findall(text)


def index() -> tuple[Keys, Keys]:
    """Equations and errata, each with the files that cite it."""
    equations: Keys = defaultdict(list)
    errata: Keys = defaultdict(list)
    for file in sorted(SRC.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        where = file.relative_to(SRC).as_posix()
        for key in dict.fromkeys(equations_in(text)):
            equations[key].append(where)
        for key in dict.fromkeys(errata_in(text)):
            errata[key].append(where)
    return dict(equations), dict(errata)


def test_cited_equations_exist() -> None:
    known = {f"{paper} {n}" for paper, last in EQUATIONS.items() for n in range(1, last + 1)}
    cited, _ = index()
    assert cited, "no citation found: has their form changed?"
    assert not {key: files for key, files in cited.items() if key not in known}


def test_cited_errata_exist() -> None:
    known = {f"{paper}-{n}" for paper, last in ERRATA.items() for n in range(1, last + 1)}
    _, cited = index()
    assert not {key: files for key, files in cited.items() if key not in known}


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
    assert equations_in(text) == keys


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
    assert errata_in(text) == keys
