"""The program of a quantity with the figures of its alike legs as inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.english import listed
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.reciprocals import share_reciprocals
from gough.compiler.tracing.tracer import trace
from gough.dynamics.answers.frozen import check_frozen
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.states import Symbols
from gough.dynamics.quantities.variant import Variant
from gough.errors import InputError
from gough.evaluation.exports.alike import differences, kinds_of_legs
from gough.evaluation.exports.figured import Figured
from gough.geometry.closed_form.alike import alike_form
from gough.geometry.closed_form.search import ClosedForm, closed_form
from gough.mechanism.mobility.assembly import Assembly

FIGURES = "figures_"
"""Inputs of this name and a number hold the figures of a kind of legs."""


@dataclass(frozen=True, eq=False)
class LegProgram:
    """A program whose last inputs are figures.

    Attributes:
        program: what it computes.
        kinds: legs that are alike, by their numbers; one input each.
        tables: their figures, a row a leg.
    """

    program: Program
    kinds: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]

    def figure_inputs(self) -> dict[str, np.ndarray]:
        """Figures by the names of their inputs."""
        return {f"{FIGURES}{k}": table for k, table in enumerate(self.tables)}


def leg_program(assembly: Assembly, quantity: str, variant: Variant) -> LegProgram:
    """The program of a quantity, figures of alike legs being inputs.

    Raises:
        InputError: no two legs of the robot are alike, or the method has no legs.
    """
    robot = assembly.robot
    if variant.method != "legs":
        raise InputError(
            f"{robot.name}: legs cannot be shared by the method {variant.method!r}, which solves "
            "one system for the whole machine",
            hint="legs='shared' goes with method='legs'.",
            argument="legs",
        )
    form = closed_form(assembly)
    form = None if form is None else alike_form(assembly, form)
    kinds = [legs for legs in kinds_of_legs(assembly, variant, form) if len(legs) > 1]
    if not kinds:
        raise InputError(
            f"{robot.name}: {_unlike(assembly, variant, form)}, so none can share code with "
            "another",
            hint="legs='flat' writes each leg by itself.",
            argument="legs",
        )
    whole = ROWS[quantity]
    if whole.loaded:
        check_frozen(assembly, friction=variant.friction)
    figured = Figured(assembly, form, kinds)
    tables = [each.table for each in figured.figures]
    names = [f"{FIGURES}{k}" for k in range(len(kinds))]

    def function(**arrays: Any) -> dict[str, Any]:
        moved, axes = figured.with_figures([arrays.pop(name) for name in names])
        return whole.evaluate(Symbols(variant.accept), moved, variant, arrays, figures=axes)

    inputs = whole.input_shapes(assembly, variant)
    inputs |= {name: table.shape for name, table in zip(names, tables, strict=True)}
    program = replace(share_reciprocals(trace(quantity, function, inputs)), robot=robot.name)
    return LegProgram(program, tuple(kinds), tuple(tables))


def _unlike(assembly: Assembly, variant: Variant, form: ClosedForm | None) -> str:
    """Why no leg is like another."""
    found = differences(assembly, variant, form)
    if found is None:
        return f"it has {len(assembly.topology.legs) or 'no'} leg"
    one, other, parts = found
    nacelle = " (they meet at a nacelle, whose joints are found on the way)"
    return (
        f"no two of its legs are alike: {one} and {other} differ in {listed(parts[:2])}"
        f"{nacelle if assembly.topology.hub.links else ''}"
    )
