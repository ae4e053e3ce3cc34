"""Scenario files: a robot, a motion, and what is asked of them, in a small YAML file."""

from gough.cli.scenario.outputs import planned_files, write_outputs
from gough.cli.scenario.reading import is_scenario, load
from gough.cli.scenario.scenario import Outcome, Scenario
from gough.cli.scenario.short import motion_from_words

__all__ = [
    "Outcome",
    "Scenario",
    "is_scenario",
    "load",
    "motion_from_words",
    "planned_files",
    "write_outputs",
]
