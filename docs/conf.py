"""Sphinx configuration: MyST pages, Furo, nothing fetched from the network."""

from gough._version import __version__

project = "gough"
author = "The gough authors"
copyright = "2026, The gough authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_custom_sections = ["Equations"]

html_theme = "furo"
html_title = f"gough {release}"
