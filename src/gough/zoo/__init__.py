"""The zoo: known parallel robots, one file each, ready to load and to vary."""

from gough.zoo.registry import load, names, parameters

__all__ = ["load", "names", "parameters"]
