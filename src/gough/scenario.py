"""Scenario files: a robot, a motion, and what is asked of them."""

from gough.cli.scenario import (
    Outcome,
    Scenario,
    is_scenario,
    load,
    motion_from_words,
    planned_files,
    write_outputs,
)

__all__ = [
    "Outcome",
    "Scenario",
    "is_scenario",
    "load",
    "motion_from_words",
    "planned_files",
    "write_outputs",
]
