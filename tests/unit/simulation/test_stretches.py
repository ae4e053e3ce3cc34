"""Steps between changes of loads: none is left out, none crosses a change."""

from itertools import pairwise

import numpy as np
import pytest

from gough.simulation.stretches import stretches

H, STEPS = 0.1, 10


@pytest.mark.parametrize(
    "jumps",
    [
        *([], [0.2], [0.25], [0.25, 0.27], [0.25, 0.3], [0.25, 0.45], [1.0], [0.2, 1.0], [0.95]),
        *([0.3, 0.35, 0.36, 0.4], [0.99, 1.0], [0.03], [0.03, 0.07, 0.1, 0.11], [0.3 + 1e-16]),
    ],
)
def test_they_cover_the_run_and_end_at_every_change(jumps):
    found = stretches(H, STEPS, jumps)
    ends = [part.t + part.steps * part.h for part in found]
    assert [part.t for part in found[1:]] == pytest.approx(ends[:-1])
    assert (found[0].t, ends[-1]) == (0.0, pytest.approx(1.0))
    assert [part.t for part in found if part.changes] == pytest.approx(jumps)
    for before, part in pairwise(found):
        assert not part.changes or before.until == pytest.approx(part.t - 2e-9, abs=1e-15)
    # every whole step begins a recorded instant once
    recorded = [k for part in found if part.first is not None for k in whole_steps(part)]
    assert recorded == list(range(STEPS))
    assert all(part.h <= H * (1.0 + 1e-12) for part in found)
    assert len(found) <= 3 * len(jumps) + 1


def whole_steps(part):
    assert part.t == pytest.approx(part.first * H, abs=1e-12)
    return range(part.first, part.first + part.steps)


def test_changes_after_the_end_are_left_out():
    assert stretches(H, STEPS, [1.01, 3.0]) == stretches(H, STEPS, [])
    assert np.isinf(stretches(H, STEPS, [])[0].until)
