"""The door of the house: every public name is there, nothing is loaded before it is asked for."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gough


def test_every_name_is_found_where_the_stub_says():
    for public, (module, name) in gough._PUBLIC.items():
        home = import_module(module)
        found = getattr(home, name, None) or import_module(f"{module}.{name}")
        assert getattr(gough, public) is found
    assert set(gough.__all__) == set(gough._PUBLIC)
    assert {"Motion", "report", "compile", "trace", "errors"} <= set(gough.__all__)


def test_every_name_is_written_once():
    stub = Path(gough.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    names = [line.split()[-1] for line in stub.splitlines() if line.startswith("from ")]
    assert len(names) == len(set(names)) == len(gough.__all__)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'inverse_dynamic'"):
        gough.inverse_dynamic  # noqa: B018


def test_import_brings_no_company():
    code = "import sys, gough; print(*sorted(m for m in sys.modules if '.' not in m))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "scipy", "casadi", "llvmlite", "matplotlib", "pydantic", "typer"}
    assert not heavy & set(found.stdout.split())
