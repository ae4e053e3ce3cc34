"""What all tests share: profiles of Hypothesis, robots that are kept, the reference folder."""

import atexit
import gc
import os
import secrets
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from gough.compiler.machine_code import native
from gough.evaluation import engine, evaluator
from gough.mechanism.mobility import twins
from kept import assembly_of


def _kernels_of_this_run() -> str:
    """A folder for kernels, empty at the start, that the processes of one run share.

    Tests do not depend on what earlier runs have kept on disk; those of the cache have folders of
    their own.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}-{secrets.token_hex(8)}")
    folder = Path(tempfile.gettempdir()) / f"gough-tests-{run}"
    folder.mkdir(mode=0o700, exist_ok=True)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(folder)


os.environ["GOUGH_CACHE"] = _kernels_of_this_run()

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT.parent / "shared" / "reference"
"""Reference robots and cases; for parameters at collection: ``from conftest import REFERENCE``."""

# The same examples every time, so that a red run can be run again.  No deadline: speed is not a
# law.  For new examples: pytest --hypothesis-profile=explore
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("steady")

# Laws of single states are tested on the NumPy reference, and programs are tested to equal it
# (tests/unit/evaluation).  What answers does not depend on what was asked before, whichever tests
# run.
engine.ASKED = engine.UNITS = float("inf")

# LLVM's plainest code is there four times sooner.  Code as users get it is tested to answer alike,
# for every robot (tests/unit/compiler/test_native.py).
LEVEL_OF = native.level_of
native.level_of = lambda program: 0

# Tracing makes millions of small objects, hardly one of them in a cycle; looking for cycles as
# often as Python does takes a tenth of the time.
gc.set_threshold(200_000, 20, 20)


# The part of the tests for everyday work (``make check``): rooms that are told at once, and of what
# holds for every robot one: three freedoms, legs of three kinds of joints, Psi depends on the pose.
FAST_FOLDERS = (
    *("base", "geometry", "kinematics", "mechanism", "robot", "compiler/tracing"),
    *("test_house.py", "test_seams.py"),
)
FAST_ROBOTS = {"tilt_3rps"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--fast``: the part of the tests for everyday work."""
    parser.addoption("--fast", action="store_true", help="a part of the tests, within a minute")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of one robot in a row, whatever file they are in: it is prepared once a process.

    Processes begin at far ends of the list, and one that is done takes over the far end of what
    another one has before it (worksteal): few robots are ever in two processes.  The first robots
    of the zoo come last, beside the tests without a robot's name, which mostly use these.
    """
    from robots import ALL_NAMES

    places = {name: place for place, name in enumerate(reversed(ALL_NAMES))}

    def robots(item: pytest.Item) -> set[str]:
        given = item.callspec.params.values() if hasattr(item, "callspec") else ()
        return {value for value in given if isinstance(value, str) and value in places}

    def is_fast(item: pytest.Item) -> bool:
        place = item.path.relative_to(ROOT / "tests").as_posix()
        unit = place.startswith(tuple(f"unit/{name}" for name in FAST_FOLDERS))
        if robots(item):
            known = unit or place.startswith(("laws/", "agreement/", "papers/"))
            return known and robots(item) <= FAST_ROBOTS
        return unit

    items.sort(key=lambda item: min((places[name] for name in robots(item)), default=len(places)))
    if config.getoption("fast"):
        config.hook.pytest_deselected(items=[item for item in items if not is_fast(item)])
        items[:] = [item for item in items if is_fast(item)]


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: nobody need look for cycles in it."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """All that is left goes with the process: pytest need not look for cycles in it, five times."""
    gc.freeze()


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots of this test share nothing with equal ones of other tests."""
    monkeypatch.setattr(twins, "assembly_of", assembly_of)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The states that NumPy is asked for, while a test expects its answers from kernels."""
    seen: list[tuple[int, ...]] = []
    look = evaluator.Evaluator.look

    def counted(self, places, *rest, **options):
        known = list(places)
        seen.extend(known)
        return look(self, known, *rest, **options)

    monkeypatch.setattr(evaluator.Evaluator, "look", counted)
    return seen


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
