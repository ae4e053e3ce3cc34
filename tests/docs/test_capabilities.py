"""The table of capabilities: functions that exist, tests that prove them."""

import importlib
import importlib.util
import inspect
import sys

import pytest

import cases
import gough
import loaded
from capabilities import PAGE, ROOT, ROWS, written

PROVED = [row for row in ROWS if row.function]


def _found(path):
    """What a dotted path means, and where it hangs: an attribute of a module or of a class."""
    names = path.split(".")
    for i in range(len(names) - 1, 0, -1):
        try:
            place = importlib.import_module(".".join(names[:i]))
        except ModuleNotFoundError:
            continue
        for name in names[i:-1]:
            place = getattr(place, name)
        return place, names[-1], getattr(place, names[-1])
    raise LookupError(path)


def _test(row):
    """The test of a row, ready to be called."""
    file, name = row.test.split("::")
    spec = importlib.util.spec_from_file_location("proof", ROOT / "tests" / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    owner, _, method = name.rpartition(".")
    test = getattr(getattr(module, owner)() if owner else module, method)
    return module, test


class Broken(Exception):
    """Nothing that a test could take for an answer, or for a refusal."""


def _break(monkeypatch, row, module):
    """Make a function useless wherever it is known by name."""
    place, name, function = _found(row.function)

    def broken(*_, **__):
        raise Broken(row.function)

    monkeypatch.setattr(place, name, broken)
    known = [
        m for key, m in sys.modules.items() if key.partition(".")[0] == "gough" and m is not None
    ]
    for each in (*known, module):
        for key, value in list(vars(each).items()):
            if value is function:
                monkeypatch.setattr(each, key, broken)


def _forget(*modules):
    """Forget answers that other tests of this process have kept: the function must be asked."""
    for module in modules:
        for each in list(vars(module).values()):
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def test_every_capability_has_a_row():
    assert sorted(row.number for row in ROWS) == list(range(1, 73))
    assert all(row.function or row.note for row in ROWS)


def test_the_page_is_up_to_date():
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text, "run: python tests/capabilities.py --write"


@pytest.mark.parametrize("row", PROVED, ids=lambda row: f"{row.number} {row.what}")
def test_a_broken_function_fails_its_test(row, monkeypatch, strangers):
    """Robots are strangers to the test: nothing that the function answered before is kept."""
    module, test = _test(row)
    assert test.__name__ == row.test.rpartition("::")[2].rpartition(".")[2]
    missing = set(inspect.signature(test).parameters) - set(row.arguments) - {"monkeypatch"}
    assert not missing, "a test of the table takes plain arguments only"
    given = (
        {"monkeypatch": monkeypatch} if "monkeypatch" in inspect.signature(test).parameters else {}
    )
    _forget(cases, loaded, module)
    _break(monkeypatch, row, module)
    with pytest.raises(Exception) as caught:
        test(**row.arguments, **given)
    assert isinstance(caught.value, (Broken, AssertionError, gough.GoughError)) or "Broken" in repr(
        caught.value
    )
