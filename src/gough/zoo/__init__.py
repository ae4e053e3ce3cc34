"""The zoo: known parallel robots, one file each, ready to load and to vary."""

from typing import TYPE_CHECKING

from gough.synonyms import refuse_unknown
from gough.zoo.registry import load, names, parameters

__all__ = ["load", "names", "parameters"]

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.zoo", __all__)
