"""The geometry of the machine on the bench: measured, fitted, and what the answer is worth.

Measurements are objects of :mod:`gough.calibration.measured`, made of arrays or read from tables;
:func:`gough.calibrate` fits where joints sit, motors, tool and measuring device to them.
"""

from gough.calibration.measured import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Measurements,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.tables import MeasurementTable, read_measurements
from gough.calibration.writing import write_measurements

__all__ = [
    "Distances",
    "Encoders",
    "Heights",
    "Lengths",
    "MeasurementTable",
    "Measurements",
    "Orientations",
    "Poses",
    "Positions",
    "read_measurements",
    "write_measurements",
]
