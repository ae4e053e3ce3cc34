"""Curves of singularities against geometry by hand: links in line, lines through one point."""

from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import InputError
from gough.geometry.newton import AssembledState
from gough.singularity.workspace.locus import singularity_locus
from gough.singularity.workspace.workspace import workspace
from robots import robot as robot_of

FIVE = gough.zoo.parameters("five_bar")["legs"]
THREE = gough.zoo.parameters("three_rrr")["legs"]

EXACT = 1e-9  # what is promised, in lengths of the robot


@cache
def five_bar():
    return singularity_locus(robot_of("five_bar"), x=41, y=41)


def elbow(base, tip, leg):
    """Elbow of a leg of two links, the way its mode says; ``tip`` (K, 2)."""
    way = tip - np.array(base[:2])
    d = np.linalg.norm(way, axis=1)
    cosine = (leg["l_prox"] ** 2 + d**2 - leg["l_dist"] ** 2) / (2.0 * leg["l_prox"] * d)
    angle = np.arctan2(way[:, 1], way[:, 0]) - leg["mode"] * np.arccos(np.clip(cosine, -1.0, 1.0))
    return np.array(base[:2]) + leg["l_prox"] * np.column_stack([np.cos(angle), np.sin(angle)])


def test_type_1_of_a_five_bar_is_a_stretched_or_folded_leg():
    curves = five_bar().curves["Type 1"]
    assert len(curves) == 3
    assert sum(map(len, curves)) > 120
    for curve in curves:
        np.testing.assert_allclose(curve[0], curve[-1], atol=1e-12)  # closed
        d = np.linalg.norm(curve[:, None] - [leg["base_point"][:2] for leg in FIVE], axis=2)
        off = np.minimum(np.abs(d - 0.72), np.abs(d - 0.12)).min(axis=1)
        assert off.max() < EXACT


def test_type_2_of_a_five_bar_has_its_distal_links_in_line():
    curves = five_bar().curves["Type 2"]
    points = np.concatenate(curves)
    assert len(points) > 20
    one, other = (points - elbow(leg["base_point"], points, leg) for leg in FIVE)
    across = (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 0.42**2
    assert np.abs(across).max() < 1e-8  # angles near the border of reach are steep
    in_line = np.linalg.norm(one - other, axis=1) > 0.5  # not on top of each other
    assert in_line.any()
    assert five_bar().curves["constraint"] == []


def test_type_2_of_a_three_rrr_has_three_lines_through_one_point():
    turn = 0.6
    found = singularity_locus(robot_of("three_rrr"), x=41, y=41, at={"rz": turn})
    points = np.concatenate(found.curves["Type 2"])
    assert len(points) > 40
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    lines = []
    for leg in THREE:
        end = points + R @ np.array(leg["platform_point"][:2])
        way = (end - elbow(leg["base_point"], end, leg)) / leg["l_dist"]
        moment = (end[:, 0] * way[:, 1] - end[:, 1] * way[:, 0]) / 0.5
        lines.append(np.column_stack([way, moment]))
    # three lines meet in a point or are parallel: their coordinates are dependent
    assert np.abs(np.linalg.det(np.stack(lines, axis=1))).max() < 1e-8
    for curve in found.curves["Type 1"]:
        off = []
        for leg in THREE:
            end = curve + R @ np.array(leg["platform_point"][:2])
            d = np.linalg.norm(end - leg["base_point"][:2], axis=1)
            off += [np.abs(d - 0.68), np.abs(d - 0.02)]
        assert np.min(off, axis=0).max() < EXACT


def test_curves_of_another_branch():
    legs = [leg | {"mode": -1} for leg in FIVE]
    other = gough.zoo.load("five_bar", legs=legs)
    there = robot_of("five_bar").rehomed(AssembledState(*other.assembly.start))
    found = singularity_locus(there, five_bar().section)
    points = np.concatenate(found.curves["Type 2"])
    one, other = (points - elbow(leg["base_point"], points, leg) for leg in legs)
    across = (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 0.42**2
    assert len(points) > 20
    assert np.abs(across).max() < 1e-8


def test_a_redundant_robot_has_no_curves_of_type_2_and_tables_have_all_points():
    found = singularity_locus(robot_of("four_rrr"), x=21, y=21)
    assert found.curves["Type 2"] == []
    table = found.columns()
    assert set(table) == {"kind", "curve", "x", "y"}
    assert len(table["x"]) == sum(map(len, found.curves["Type 1"])) > 50


def test_wrong_arguments_are_refused():
    robot = robot_of("five_bar")
    with pytest.raises(InputError, match="kinds is 'Type 3', expected 'Type 1'"):
        singularity_locus(robot, kinds=["Type 3"])
    with pytest.raises(InputError, match="two freedoms"):
        singularity_locus(robot, x=11)


def test_pictures_of_curves_and_maps():
    figure = five_bar().draw()
    assert len(figure.axes[0].lines) > 8
    found = workspace(robot_of("five_bar"), x=9, y=9, capability="payload", efforts=5.0)
    told = [text.get_text() for text in found.draw(loci=False).legends[0].get_texts()]
    assert any(text.startswith("part 1: ") and text.endswith(", home") for text in told)
    bar = found.draw("payload", loci=False).axes[1]
    assert bar.get_ylabel() == "payload that can be held [kg]"
    own = figure.axes[0]
    assert found.draw("violated", loci=False, axes=own) is figure
    with pytest.raises(InputError, match="no map 'colour'"):
        found.draw("colour")
    with pytest.raises(InputError, match="expected matplotlib axes"):
        found.draw(axes=3, loci=False)
