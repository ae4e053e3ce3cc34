"""The geometry of the machine on the bench: measured, fitted, and what the answer is worth.

Measurements are objects of :mod:`gough.calibration.measured`; :func:`gough.calibrate` fits where
joints sit, motors, tool and measuring device to them.
"""

from gough.calibration.klipper import Printer, read_klipper
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

__all__ = [
    "Distances",
    "Encoders",
    "Heights",
    "Lengths",
    "Measurements",
    "Orientations",
    "Poses",
    "Positions",
    "Printer",
    "read_klipper",
]
