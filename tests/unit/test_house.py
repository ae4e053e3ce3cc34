"""The order of the house: a room imports only from rooms above it, and keeps its manners."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from house import MAPS, ORDER, about, rooms, table, written
from house_counts import parsed

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
FILES = sorted((SRC / "gough").rglob("*.py"))

# The door of the house shows every room.
DOORS = {"__init__", "__main__", "control", "scenario", "trace", "vision"}
# Users expect ``robot.mobility``: this file may look down, but only when it is asked.
LOOKS_DOWN = {
    ("gough/robot/robot.py", "gough.mechanism.mobility.assembly"),
    ("gough/robot/robot.py", "gough.dynamics.legs.inertia"),
    ("gough/robot/robot.py", "gough.mechanism.mobility.twins"),
    ("gough/robot/robot.py", "gough.geometry.rehoming"),
    ("gough/robot/robot.py", "gough.report.notebook"),
    # a file may be like a robot of the zoo
    ("gough/robot/file/likeness.py", "gough.zoo.makers"),
    # the fastest motion is asked for beside the others, and needs dynamics
    ("gough/motion/__init__.py", "gough.timing.fastest"),
    # results that draw themselves
    ("gough/base/result.py", "gough.report.notebook"),
    ("gough/analysis/result.py", "gough.report.writing"),
    ("gough/timing/result.py", "gough.report.fastest"),
    ("gough/singularity/workspace/locus.py", "gough.report.maps"),
    ("gough/singularity/workspace/result.py", "gough.report.maps"),
    ("gough/singularity/workspace/solid.py", "gough.report.volumes"),
    ("gough/elastic/in_motion/result.py", "gough.report.ringing"),
    ("gough/elastic/vibrations.py", "gough.report.deformed"),
    ("gough/elastic/deflection.py", "gough.report.deformed"),
    ("gough/calibration/result.py", "gough.report.calibrated.page"),
    ("gough/identification/result.py", "gough.report.identified.page"),
}

FORBIDDEN_CALLS = {"print", "input", "eval", "exec"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"}


def modules() -> set[str]:
    """Dotted names of all modules and packages of the library."""
    return {".".join(file.relative_to(SRC).with_suffix("").parts) for file in FILES} | {
        ".".join(file.relative_to(SRC).parent.parts) for file in FILES
    }


def room_of(module: str) -> str:
    """Room of a dotted module name, or the part of it that has a place of its own."""
    parts = module.split(".")[1:]
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in ORDER:
            return ".".join(parts[:end])
    return parts[0] if parts else "__init__"


def imports(tree: ast.AST, package: str, known: set[str]) -> Iterator[tuple[ast.stmt, str]]:
    """Modules of gough that a file imports, also inside functions and for type checking."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, a.name) for a in node.names if a.name.split(".")[0] == "gough")
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*(base if node.level else []), *filter(None, [node.module])])
            if source.split(".")[0] == "gough":
                for alias in node.names:
                    full = f"{source}.{alias.name}"
                    yield node, full if full in known else source


def lazy(tree: ast.AST) -> set[ast.AST]:
    """Nodes that do not run when the module is imported."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for_types = (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        )
        if for_types or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.update(ast.walk(node))
    return found


def faults_of_order(tree: ast.AST, file: str, known: set[str]) -> list[str]:
    """Imports that look down the house."""
    module = file.removesuffix(".py").replace("/", ".")
    room, package = room_of(module), module.rpartition(".")[0]
    if room in DOORS:
        return []
    faults = []
    for node, target in imports(tree, package, known):
        other = room_of(target)
        if (file, target) in LOOKS_DOWN and node in lazy(tree):
            continue
        if other in DOORS:
            faults.append(f"{file}:{node.lineno} imports the whole house: name the room")
        elif other in ORDER and room in ORDER and ORDER.index(other) > ORDER.index(room):
            faults.append(f"{file}:{node.lineno} {room} imports {target}, a room below it")
    return faults


def faults_of_manners(tree: ast.AST) -> list[str]:
    """Statements that have no place in a library."""
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            faults.append(f"line {node.lineno}: assert")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in FORBIDDEN_CALLS:
                faults.append(f"line {node.lineno}: {node.func.id}()")
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {a.name.split(".")[0] for a in node.names}
            if isinstance(node, ast.ImportFrom):
                names = {(node.module or "").split(".")[0]}
            faults += [f"line {node.lineno}: {name}" for name in names & FORBIDDEN_MODULES]
    return faults


def test_there_is_a_house() -> None:
    assert FILES, f"no Python files under {SRC}"


def test_every_file_is_in_a_known_room() -> None:
    known = {file.relative_to(SRC / "gough").parts[0].removesuffix(".py") for file in FILES}
    unknown = known - set(rooms()) - DOORS - {"_version"}
    assert not unknown, f"give {sorted(unknown)} a place in ORDER, in tests/house.py"


def test_every_folder_says_what_lives_there() -> None:
    folders = sorted({file.parent for file in FILES if "__pycache__" not in file.parts})
    silent = [str(f.relative_to(SRC)) for f in folders if len(about(f)) < 30]
    assert not silent


@pytest.mark.parametrize("page", MAPS)
def test_the_maps_show_the_house(page: str) -> None:
    assert written(page) == table(), "run: python tests/house.py --write"


def test_rooms_import_only_from_rooms_above() -> None:
    known = modules()
    assert not [
        fault
        for file, tree in parsed(ROOT).items()
        for fault in faults_of_order(tree, f"gough/{file}", known)
    ]


def test_library_neither_prints_nor_asserts_nor_runs_text() -> None:
    assert not [
        f"{file} {fault}"
        for file, tree in parsed(ROOT).items()
        for fault in faults_of_manners(tree)
    ]


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("from gough.base import spatial", False),
        ("from gough.errors import GoughError", False),
        ("from .body import Body", False),
        ("from ..errors import GoughError", False),
        ("import numpy", False),
        ("from gough.mechanism.topology import legs", True),
        ("def f():\n    from gough.mechanism.topology import legs", True),
        ("import gough.mechanism.topology.legs", True),
        ("from ..mechanism.topology import legs", True),
        ("from gough import Robot", True),
        ("import gough", True),
    ],
)
def test_the_guard_of_the_order_sees(code: str, wrong: bool) -> None:
    known = {"gough", "gough.base.spatial", "gough.errors", "gough.mechanism.topology"}
    assert bool(faults_of_order(ast.parse(code), "gough/robot/joint.py", known)) is wrong


def test_the_exception_is_lazy() -> None:
    known = {"gough", "gough.mechanism.mobility", "gough.mechanism.mobility.assembly"}
    line = "from gough.mechanism.mobility.assembly import assemble"
    file = "gough/robot/robot.py"
    for_types = f"if TYPE_CHECKING:\n    {line}"
    assert faults_of_order(ast.parse(line), file, known)
    assert not faults_of_order(ast.parse(f"def f():\n    {line}"), file, known)
    assert not faults_of_order(ast.parse(for_types), file, known)
    assert faults_of_order(ast.parse(for_types), "gough/robot/body.py", known)


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("console.print(1)", False),
        ("blueprint(1)", False),
        ("evaluate(1)", False),
        ("print(1)", True),
        ("x = input()", True),
        ("assert x", True),
        ("eval('1')", True),
        ("exec('1')", True),
        ("import pickle", True),
        ("from pickle import loads", True),
    ],
)
def test_the_guard_of_manners_sees(code: str, wrong: bool) -> None:
    assert bool(faults_of_manners(ast.parse(code))) is wrong


def test_the_compiler_knows_no_physics():
    """What it compiles is a program: which quantity, which robot, is the business of others."""
    known = ("base", "compiler", "errors")
    for file in sorted((SRC / "gough" / "compiler").rglob("*.py")):
        package = ".".join(file.relative_to(SRC).parent.parts)
        for _, module in imports(ast.parse(file.read_text(encoding="utf-8")), package, modules()):
            assert module.split(".")[1] in known, (file.name, module)
