"""Programs: equations of a robot, or of your own, traced with symbols."""

from typing import TYPE_CHECKING

from gough.compiler.targets.casadi_function import casadi_function as casadi
from gough.compiler.tracing.count import Operations, count
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.tracer import trace as function
from gough.evaluation.equations import program
from gough.evaluation.listings.listing import listing_of as listing
from gough.functions.coordinates import coordinates
from gough.synonyms import refuse_unknown

__all__ = [
    "Operations",
    "Program",
    "casadi",
    "coordinates",
    "count",
    "function",
    "listing",
    "program",
    "run",
]

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.trace", __all__)
