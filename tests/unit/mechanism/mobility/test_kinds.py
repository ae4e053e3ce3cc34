"""What the lists of robots in the tests say about them."""

import pytest

from robots import ALL_NAMES, DRIVEN_NAMES, IDLE_NAMES, REDUNDANT_NAMES, SQUARE_NAMES, robot


@pytest.mark.parametrize("name", ALL_NAMES)
def test_the_lists_of_robots_are_right(name):
    r = robot(name)
    assert bool(r.motors) == (name in DRIVEN_NAMES)
    assert bool(r.assembly.idle) == (name in IDLE_NAMES)
    assert (len(r.motors) == r.mobility) == (name in SQUARE_NAMES)
    assert (len(r.motors) > r.mobility) == (name in REDUNDANT_NAMES)
    assert r.assembly.motors_control_platform == (name in DRIVEN_NAMES)
