"""Programs: equations of a robot, or of your own, traced with symbols."""

from typing import TYPE_CHECKING

from gough.kernels.casadi_function import casadi_function as casadi
from gough.kernels.coordinates import coordinates
from gough.kernels.equations import program
from gough.kernels.listing import listing_of as listing
from gough.kernels.tracing.count import Operations, count
from gough.kernels.tracing.interpreter import run
from gough.kernels.tracing.program import Program
from gough.kernels.tracing.tracer import trace as function
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
