"""One file format for robots: YAML 1.2, JSON accepted, ``gough: 2`` as its version."""

from gough.robot.file.published import json_schema
from gough.robot.file.reading import load, loads, read, reads
from gough.robot.file.writing import dumps, save

__all__ = ["dumps", "json_schema", "load", "loads", "read", "reads", "save"]
