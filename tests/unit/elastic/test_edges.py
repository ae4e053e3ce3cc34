"""Elastic machines at the edge: free motors, no state at all, spinning bars, cut pairs of modes."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from elastic_machines import with_gears
from gough.errors import DescriptionError, InputError, SingularPose
from robots import robot


def five_bar():
    return with_gears(robot("five_bar"), 3e4)


def test_stiffness_of_a_platform_that_nothing_holds_is_refused():
    """It is zero along some direction: infinite entries would be the contrary of it."""
    with pytest.raises(InputError, match="its motors are free"):
        gough.elasticity(five_bar(), drives="free").stiffness  # noqa: B018
    # both distal bars in one line: 0.42 m each, feet at +-0.16 m, proximal bars of 0.3 m
    height = np.sqrt(0.3**2 - (0.42 - 0.16) ** 2)
    T = gough.state(five_bar(), np.array([0.0, height]))[0]
    with pytest.raises(SingularPose, match="can still move"):
        gough.elasticity(five_bar(), T).stiffness  # noqa: B018
