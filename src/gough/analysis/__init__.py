"""What a motion asks of a machine: efforts, speeds, powers, margins, and what stands in its way.

``samples`` samples the motion, ``track`` finds the motors along it, ``conditioning`` computes
distances to singularities, ``legs`` those of each leg and passive joints, ``balance`` the energy
balance, ``sizing`` the figures of a motor's data sheet, ``uses`` their shares of what the motor can
give on its shaft, ``violations`` compares all with limits; ``analyse`` calls them.  ``bearings``
computes what joints carry.  ``doctor`` examines the machine itself: mobility, loops, motors, home.
"""

from typing import TYPE_CHECKING

from gough.analysis.analyse import analyse
from gough.analysis.balance import EnergyBalance
from gough.analysis.bearings import bearing_loads
from gough.analysis.bearings_result import Bearing, BearingLoads
from gough.analysis.conditioning import Conditioning
from gough.analysis.result import Analysis
from gough.analysis.sizing import MotorRating, Sizing
from gough.analysis.uses import Use
from gough.analysis.violations import Violation
from gough.synonyms import refuse_unknown

__all__ = [
    "Analysis",
    "Bearing",
    "BearingLoads",
    "Conditioning",
    "EnergyBalance",
    "MotorRating",
    "Sizing",
    "Use",
    "Violation",
    "analyse",
    "bearing_loads",
]

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.analysis", __all__)
