"""Sphinx configuration: MyST pages, Furo; nothing is fetched to build them or to read them."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

from gough._version import __version__

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import equation_index  # noqa: E402  beside this file

project = "gough"
author = "The gough authors"
copyright = "2026, The gough authors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",  # copies MathJax into the pages: formulas need no network
]
exclude_patterns = ["_build", "_generated"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_custom_sections = ["Equations"]

html_theme = "furo"
html_title = f"gough {release}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]


def write_equations(app: Sphinx) -> None:
    equation_index.write(HERE / "_generated" / "equations.md")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_equations)
