"""The page of errors knows every class of the tree."""

import inspect
import re
from pathlib import Path

import gough.errors

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"


def test_every_error_and_warning_is_listed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    classes = [
        name
        for name, value in inspect.getmembers(gough.errors, inspect.isclass)
        if value.__module__ == "gough.errors"
    ]
    assert len(classes) > 10
    assert [name for name in classes if f"`{name}`" not in text] == []


def test_all_errors_live_in_one_tree() -> None:
    """No class below GoughError is defined anywhere else: users find all of them in one place."""
    source = Path(gough.errors.__file__).parent
    elsewhere = [
        file.name
        for file in source.rglob("*.py")
        if file.name != "errors.py"
        and re.search(r"class \w+\(GoughError", file.read_text(encoding="utf-8"))
    ]
    assert elsewhere == []
