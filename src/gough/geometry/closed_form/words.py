"""A closed form in words: which joint follows from which loop, and how."""

from __future__ import annotations

from gough.geometry.closed_form.search import closed_form
from gough.geometry.closed_form.steps import Step
from gough.mechanism.closure.axes import HUB
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import BALL, TURN


def steps_in_words(assembly: Assembly) -> tuple[str, ...]:
    """One line a step of the inverse kinematics; none if it is solved by Newton's method."""
    form = closed_form(assembly)
    return () if form is None else tuple(_line(assembly, step) for step in form.steps)


def _line(assembly: Assembly, step: Step) -> str:
    kind, tree, index = step.stage.key
    if kind == "closing":
        name = step.loop.name
    else:
        topology = assembly.topology
        link = (topology.hub if tree == HUB else topology.legs[tree].tree).links[index]
        name = _axis(assembly, link.joint, link.axis) if link.joint else "a free body"
    return f"{name} {_verb(step)}, round {step.loop.name}{_branch(step)}"


def _axis(assembly: Assembly, joint: str, axis: int) -> str:
    return assembly.robot.joint(joint).axis_names[axis]


def _verb(step: Step) -> str:
    if step.stage.move == BALL:
        return "takes what rotation is left" if not (step.A or step.B) else "swings idly"
    if step.points:
        return "points" if step.stage.move == TURN else "slides"
    if step.stage.move == TURN:
        return "swings"
    return "extends" if step.branches else "slides"


def _branch(step: Step) -> str:
    if not step.branches:
        return ""
    return " (branch +)" if step.sign > 0 else " (branch -)"
