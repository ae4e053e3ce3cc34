"""The geometry of the machine on the bench: measured, fitted, and what the answer is worth.

Measurements are objects of :mod:`gough.calibration.measured`, made of arrays or read from tables;
:func:`gough.calibrate` fits where joints sit, motors, tool and measuring device to them.
"""

from typing import TYPE_CHECKING

from gough.calibration.files.klipper import Printer, read_klipper
from gough.calibration.files.tables import MeasurementTable, read_measurements
from gough.calibration.files.writing import write_measurements
from gough.calibration.kinds import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.measured import Measurements
from gough.synonyms import refuse_unknown

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
    "Printer",
    "read_klipper",
    "read_measurements",
    "write_measurements",
]

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.calibration", __all__)
