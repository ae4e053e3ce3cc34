"""Counts that say how often the library solves one problem: a table, for any copy of it.

    python tests/house_counts.py [PATH]      # PATH: a working tree, by default the one of this file

The source is read, not imported, so that one script judges an old copy and a new one alike; only
the two walks run it, in a process of their own.

lines of code
    Lines that hold more than blanks, comments and docstrings, in files under ``src/gough``.
walk of one state, of one with a payload, of 1e5 states
    What runs below ``gough.inverse_dynamics`` of the Delta, all preparations made before: calls of
    functions of the library, and the functions, files and rooms they lie in.
signatures with an option
    Functions that take a parameter of that name: each hands the option on.
doubts judged
    Comparisons of a kernel's doubt with 1: whether an answer stands.
traces caught
    Places that expect that a robot cannot be traced.
Newton loops
    Loops that solve linear equations for a step of a machine towards closed loops or given motors,
    round by round, by functions of their own file.  Callers of such a loop are not counted.
natural units by hand
    ``[length] * 3 + [1.0] * 3`` and ``J / motor_scales[:, None] * freedom_scales`` spelled out.
"""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

OPTIONS = (
    *("external", "payload", "friction", "rotors", "smoothing", "loads"),
    *("method", "on_error", "threads"),
)
VERDICTS = {"is_valid", "is_one_valid", "is_regular"}
"""Functions that judge a doubt: what they return is no doubt any more."""
SOLVERS = {"lstsq", "pinv", "solve", "least_squares", "rates"}
STEPPING = {"forward_kinematics_step", "newton_step"}
"""Kernels and functions that make one Newton step."""
MACHINE = {"Equations", "equations", "residuals", "dense", "look", "run"}
"""What such a loop asks for in every round: the equations of the machine as it stands."""
KERNELS = {"call", "kernel", "run"}
"""Names by which a kernel is called."""


class Place(NamedTuple):
    """Where something was found."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}"


Trees = dict[str, ast.Module]
Loop = ast.For | ast.While


def read(root: Path) -> dict[str, str]:
    """Text of every file of the library, by its path below ``src/gough``."""
    home = root / "src" / "gough"
    return {
        file.relative_to(home).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(home.rglob("*.py"))
    }


@cache
def parsed(root: Path) -> Trees:
    """Syntax trees of the files of the library."""
    return {file: ast.parse(text) for file, text in read(root).items()}


@cache
def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """All functions and methods of a file, also those inside others."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def code_lines(text: str) -> int:
    """Lines that hold more than blanks, comments and docstrings."""
    silent = {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        tokenize.ENDMARKER,
    }
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in silent:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        # a docstring, of a function, a class, a module or the constant above it
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                lines.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def signatures(trees: Trees, option: str) -> int:
    """Functions that take a parameter of that name."""
    count = 0
    for tree in trees.values():
        for function in functions(tree):
            taken = function.args
            named = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs]
            count += any(a.arg == option for a in named)
    return count


def _innermost(tree: ast.Module, line: int) -> str:
    around = [f for f in functions(tree) if f.lineno <= line <= (f.end_lineno or 0)]
    return max(around, key=lambda f: f.lineno).name if around else "(module)"


def _called(node: ast.AST) -> str:
    """Name of what a call calls, without what stands before its last dot."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


# Doubts


def _tells_doubt(node: ast.AST, doubts: set[str]) -> bool:
    """Whether a doubt is in an expression, unless a verdict has been made of it."""
    if _called(node) in VERDICTS:
        return False
    name = getattr(node, "id", getattr(node, "attr", None))
    if name is not None and (name in doubts or name.rstrip("s") == "doubt"):
        return True
    if isinstance(node, ast.Constant) and node.value == "doubt":
        return True
    return any(_tells_doubt(child, doubts) for child in ast.iter_child_nodes(node))


def _doubts_of(scope: ast.AST) -> set[str]:
    """Variables that a doubt was put into, also by way of other variables."""
    found: set[str] = set()
    assigned = [node for node in ast.walk(scope) if isinstance(node, ast.Assign)]
    while True:
        more = {
            target.id
            for node in assigned
            # what a comparison gives is a verdict, judged already where it stands
            if not any(isinstance(part, ast.Compare) for part in ast.walk(node.value))
            and _called(node.value) not in VERDICTS
            and _sums_up(node.value, found)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        if more <= found:
            return found
        found |= more


def _sums_up(value: ast.AST, doubts: set[str]) -> bool:
    """Whether a value is a doubt, a part of one or a sum of some, not a call that is given one."""
    if isinstance(value, ast.Call):
        # doubt.sum(axis=1), sum(doubt)
        inside = value.func.value if isinstance(value.func, ast.Attribute) else value
        return _called(value) in ("sum", "max", "copy") and _tells_doubt(inside, doubts)
    return isinstance(value, ast.BinOp | ast.Subscript | ast.Attribute | ast.Name) and (
        _tells_doubt(value, doubts)
    )


def doubts_judged(trees: Trees) -> list[Place]:
    """Comparisons of a doubt with 1."""
    found = []
    for file, tree in trees.items():
        if not _tells_doubt(tree, set()):
            continue
        scopes = [tree, *functions(tree)]
        known = {id(scope): _doubts_of(scope) for scope in scopes[1:]} | {id(tree): set()}
        seen = set()
        for scope in scopes:
            for node in ast.walk(scope):
                if not isinstance(node, ast.Compare) or node in seen:
                    continue
                sides = [node.left, *node.comparators]
                ones = [s for s in sides if isinstance(s, ast.Constant) and s.value == 1]
                if ones and any(_tells_doubt(s, known[id(scope)]) for s in sides):
                    seen.add(node)
                    found.append(Place(file, node.lineno, _innermost(tree, node.lineno)))
    return sorted(found)


def traces_caught(trees: Trees) -> list[Place]:
    """``except TraceError`` and ``suppress(TraceError)``."""
    found = []
    for file, tree in trees.items():
        for node in ast.walk(tree):
            caught: list[ast.AST] = []
            if isinstance(node, ast.ExceptHandler) and node.type is not None:
                caught = [node.type]
            elif _called(node) == "suppress" and isinstance(node, ast.Call):
                caught = list(node.args)
            names = {getattr(n, "id", "") for part in caught for n in ast.walk(part)}
            if "TraceError" in names:
                found.append(Place(file, node.lineno, _innermost(tree, node.lineno)))
    return found


# Newton loops


def _calls(nodes: Iterable[ast.AST]) -> set[str]:
    """Names of all that is called inside pieces of code."""
    return {name for node in nodes for call in ast.walk(node) if (name := _called(call))}


def _reached(names: set[str], own: dict[str, set[str]]) -> set[str]:
    """Names that are called, also by way of functions of the file, whose calls are given."""
    reached, more = set(names), names & own.keys()
    while more:
        called = set().union(*(own[name] for name in more)) - reached
        reached |= called
        more = called & own.keys()
    return reached


def _is_newton(loop: Loop, own: dict[str, set[str]], steps: bool) -> bool:
    """Whether a loop solves for steps of a machine; ``steps``: its file names a stepping kernel."""
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(n, Loop) and _is_newton(n, own, steps) for n in inside):
        return False  # the loop inside it is one
    called = _calls(loop.body)
    words = {node.value for node in inside if isinstance(node, ast.Constant)}
    if STEPPING & (called | {word for word in words if isinstance(word, str)}):
        return True
    if steps and called & KERNELS:
        return True
    reached = _reached(called, own)
    return bool(reached & SOLVERS and reached & MACHINE)


def newton_loops(trees: Trees) -> list[Place]:
    """Functions with a Newton loop; not those whose loops call one of them, round by round."""
    found = []
    for file, tree in trees.items():
        steps = any(isinstance(n, ast.Constant) and n.value in STEPPING for n in ast.walk(tree))
        if not steps and not _calls([tree]) & (SOLVERS | STEPPING):
            continue
        own = {function.name: _calls(function.body) for function in functions(tree)}
        loops = [
            (node, _innermost(tree, node.lineno))
            for node in ast.walk(tree)
            if isinstance(node, Loop)
        ]
        known = {name for loop, name in loops if _is_newton(loop, own, steps)}
        others = {name: called for name, called in own.items() if name not in known}
        found += [
            Place(file, loop.lineno, name)
            for loop, name in loops
            if _is_newton(loop, others, steps)
        ]
    return sorted(found)


# Natural units


def _three_times(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult)
        and isinstance(node.left, ast.List)
        and len(node.left.elts) == 1
        and getattr(node.right, "value", None) == 3
    )


def natural_units(trees: Trees) -> list[Place]:
    """Scales of a twist or a wrench, and of the motors' Jacobian, spelled out."""
    found = []
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.BinOp):
                continue
            twist = isinstance(node.op, ast.Add) and all(
                _three_times(side) for side in (node.left, node.right)
            )
            text = ast.unparse(node) if isinstance(node.op, ast.Mult) else ""
            jacobian = text.endswith("freedom_scales") and "motor_scales[:, None] *" in text
            if twist or jacobian:
                found.append(Place(file, node.lineno, _innermost(tree, node.lineno)))
    return found


# Walks

_WALK = """
import json, sys
from pathlib import Path
import numpy as np
import gough
home = Path(gough.__file__).parent
robot = gough.zoo.load("delta")
one = gough.state(robot, [0.02, -0.03, -0.47], [0.1, 0.2, -0.3], [1.0, -2.0, 0.5])
arrays = getattr(one, "arrays", one)  # a state was three arrays
many = [np.broadcast_to(a, (100_000, *a.shape)).copy() for a in arrays]
if hasattr(gough, "State"):
    one, many = (one,), (gough.State(*many),)
payload = gough.Loads(payload=gough.Payload(0.3, (0.0, 0.0, -0.02), 1e-3 * np.eye(3)))
def counted(state, **options):
    for _ in range(3):
        gough.inverse_dynamics(robot, *state, **options)
    seen, calls = set(), [0]
    def look(frame, event, _):
        file = Path(frame.f_code.co_filename)
        if event == "call" and home in file.parents:
            calls[0] += 1
            seen.add((file.relative_to(home).as_posix(), frame.f_code.co_qualname))
    sys.setprofile(look)
    gough.inverse_dynamics(robot, *state, **options)
    sys.setprofile(None)
    files = {file for file, _ in seen}
    rooms = {file.split("/")[0] for file in files}
    return {"calls": calls[0], "functions": len(seen), "files": len(files), "rooms": len(rooms)}
found = {}
for name, engine, state, loads in (
    ("one state, numpy", "numpy", one, None),
    ("one state, compiled", "compiled", one, None),
    ("one state, payload", "compiled", one, payload),
    ("1e5 states", "compiled", many, None),
):
    if hasattr(gough, "options"):
        with gough.options(engine=engine, threads=1):
            found[name] = counted(state, loads=loads)
    else:
        found[name] = counted(state, loads=loads, engine=engine, threads=1)
print(json.dumps(found))
"""


def walks(root: Path) -> dict[str, dict[str, int]]:
    """Calls, functions, files and rooms below one call of ``inverse_dynamics``, case by case."""
    given = os.environ | {"PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", _WALK]
    told = subprocess.run(command, env=given, check=True, capture_output=True, text=True)
    found: dict[str, dict[str, int]] = json.loads(told.stdout)
    return found


def table(root: Path) -> Iterator[str]:
    """The counts, line by line, with the places that a reader may want to see."""
    texts, trees = read(root), parsed(root)
    yield f"{'files':44}{len(texts):>8}"
    yield f"{'lines':44}{sum(text.count(chr(10)) for text in texts.values()):>8}"
    yield f"{'lines of code':44}{sum(map(code_lines, texts.values())):>8}"
    for name, counts in walks(root).items():
        for what, count in counts.items():
            yield f"{f'walk of {name}: {what}':44}{count:>8}"
    for option in OPTIONS:
        yield f"{f'signatures with {option}':44}{signatures(trees, option):>8}"
    for name, places in (
        ("doubts judged", doubts_judged(trees)),
        ("traces caught", traces_caught(trees)),
        ("Newton loops", newton_loops(trees)),
        ("natural units by hand", natural_units(trees)),
    ):
        yield f"{name:44}{len(places):>8}   in {len({p.file for p in places})} files"
        yield from (f"    {place}" for place in places)


def main() -> None:
    """Print the table of the working tree that is named."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    for line in table(root.resolve()):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
