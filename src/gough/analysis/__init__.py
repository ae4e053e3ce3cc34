"""What a motion asks of a machine: efforts, speeds, powers, margins, and what stands in its way.

``samples`` takes the motion apart, ``track`` finds the motors along it, ``conditioning`` looks at
singularities, ``legs`` at each leg and at joints without motors, ``balance`` keeps the energy book,
``sizing`` adds up what a data sheet asks for, ``violations`` compares it with limits; ``analyse``
calls them.  ``doctor`` examines the machine itself: mobility, loops, motors, home.
"""

from gough.analysis.analyse import analyse
from gough.analysis.balance import EnergyBalance
from gough.analysis.conditioning import Conditioning
from gough.analysis.result import Analysis
from gough.analysis.sizing import MotorRating, Sizing
from gough.analysis.violations import Violation

__all__ = [
    "Analysis",
    "Conditioning",
    "EnergyBalance",
    "MotorRating",
    "Sizing",
    "Violation",
    "analyse",
]
