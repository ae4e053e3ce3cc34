"""The door of the house: every public name is there, nothing is loaded before it is asked for."""

import inspect
import subprocess
import sys
from importlib import import_module

import gough


def test_every_name_is_found_where_the_door_says():
    for module, names in gough._PLACES.items():
        for name in names:
            found = getattr(import_module(module), gough._OTHERWISE.get(name, name))
            assert not inspect.ismodule(found), f"{name}: modules are rooms, found only if loaded"
            assert getattr(gough, name) is found
    everything = {*gough._HOME, *gough._ROOMS, "errors", "__version__"}
    assert set(gough.__all__) <= everything
    assert set(gough._HOME) <= set(gough.__all__)


def test_import_brings_no_company():
    code = "import sys, gough; print(*sorted(m for m in sys.modules if '.' not in m))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numpy", "scipy", "casadi", "llvmlite", "matplotlib", "pydantic", "typer"}
    assert not heavy & set(found.stdout.split())
