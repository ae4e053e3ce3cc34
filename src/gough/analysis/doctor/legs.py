"""Legs that are alike, compared figure by figure: what one of them has otherwise is named.

Nothing is said where the other legs do not agree themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.leg_figures import odd_figures
from gough.analysis.doctor.leg_points import points_in_legs, points_on_hub
from gough.analysis.doctor.likeness import Chain, alike, chains
from gough.mechanism.topology.topology import Topology, find_topology
from gough.robot import Robot
from gough.robot.finding import Finding

_FEWEST = 3  # legs that can have a majority


def look_at_legs(exam: Examination) -> Iterator[Finding]:
    """Points and figures in which one leg differs from all legs like it."""
    return _compared(exam.robot, exam.assembly.topology, exam.chains)


def compare_legs(robot: Robot) -> Iterator[Finding]:
    """The same for a robot that does not assemble."""
    topology = find_topology(robot)
    return _compared(robot, topology, chains(robot, topology))


def _compared(robot: Robot, topology: Topology, found: list[Chain]) -> Iterator[Finding]:
    hub = {robot.base, *topology.hub.bodies}
    for group in alike(found):
        if len(group) < _FEWEST:
            continue
        yield from points_on_hub(group, hub)
        inside, figures = points_in_legs(group, hub), odd_figures(robot, group)
        both = {finding.bodies for finding in inside} & {each.bodies for each in figures}
        # two legs of three do not show that a body with a shape and a mass of its own is amiss
        meant = both if len(group) == _FEWEST else set()
        yield from (each for each in (*inside, *figures) if each.bodies not in meant)
