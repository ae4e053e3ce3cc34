"""The theory of [BK] and [KI]: the platform cut off its legs.  `inverse` and `direct` are it.

Its kinematics are those of the whole library: :mod:`gough.kinematics.motion`.
"""

from gough.dynamics.legs.dynamics import (
    balance,
    bias_wrench,
    cartesian_wrench,
    direct,
    inertia_matrix_by_columns,
    inverse,
    platform_and_legs,
)
from gough.dynamics.legs.inertia import inertia_matrix

__all__ = [
    "balance",
    "bias_wrench",
    "cartesian_wrench",
    "direct",
    "inertia_matrix",
    "inertia_matrix_by_columns",
    "inverse",
    "platform_and_legs",
]
