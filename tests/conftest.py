"""What all tests share: Hypothesis profiles and the folders beside the repository."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

import kept_programs
from gough.kernels import engine

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT.parent / "shared" / "reference"
"""Reference robots and cases; for parameters at collection: ``from conftest import REFERENCE``."""

# The same examples every time, so that a red run can be run again.  No deadline: speed is not a
# law.  For new examples: pytest --hypothesis-profile=explore
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("steady")

# Laws are tested on the NumPy reference, and kernels are tested to equal it (tests/unit/kernels): a
# law that takes long should not wait for the compiler as well.
engine.PAYS = float("inf")
kept_programs.keep()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one robot in a row, whatever file they are in: it is prepared once a process.

    Processes begin at far ends of the list, and one that is done takes over the far end of what
    another one has before it (worksteal): few robots are ever in two processes.
    """
    from robots import ALL_NAMES

    places = {name: place for place, name in enumerate(ALL_NAMES)}

    def place(item: pytest.Item) -> int:
        given = item.callspec.params.values() if hasattr(item, "callspec") else ()
        named = [places[value] for value in given if isinstance(value, str) and value in places]
        return min(named, default=len(places))

    items.sort(key=place)


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every robot is traced and compiled anew, as the library does."""
    for name, plain in kept_programs.PLAIN.items():
        monkeypatch.setattr(kept_programs.compiling, name, plain)


@pytest.fixture(scope="session")
def reference_folder() -> Path:
    """Folder with ``robots/NAME.json`` and ``cases/NAME.json``."""
    need_reference()
    return REFERENCE


def need_reference() -> None:
    """Skip without the reference robots; in continuous integration their absence is a failure."""
    if not REFERENCE.is_dir():
        told = "the reference robots are not beside the repository (../shared/reference)"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)
