"""The gallery page says what the zoo says."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import gough.zoo
from robots import robot

DOCS = Path(__file__).resolve().parents[4] / "docs"


def load() -> ModuleType:
    """The script that writes the page, by its path."""
    spec = spec_from_file_location("make_figures", DOCS / "figures" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date():
    found = (DOCS / "zoo.md").read_text(encoding="utf-8")
    assert found == load().page(robot), "run: python docs/figures/make.py"


def test_every_robot_has_a_picture_of_moderate_size():
    page = (DOCS / "zoo.md").read_text(encoding="utf-8")
    shown = re.findall(r"figures/zoo/(\w+)\.png", page)
    assert tuple(shown) == gough.zoo.names()
    sizes = {name: (DOCS / "figures" / "zoo" / f"{name}.png").stat().st_size for name in shown}
    assert max(sizes.values()) < 80_000, sizes
    stray = {p.stem for p in (DOCS / "figures" / "zoo").glob("*.png")} - set(shown)
    assert not stray
