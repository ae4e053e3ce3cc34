r"""Space robot, 3-UPS with two motors a leg: the slide and the first axis of the universal joint.

::

            platform
         P1 .---------. P2
           /     . P3  \
          || q31       ||              leg: R* on the base, R, P*, S: the R pair is a
          /            ||              universal joint with a cross of its own
    q11  o B1           o B2           order of motors: q11 q31 q12 q32 q13 q33
    ///////// base /////////

Source: [KI] section 4, legs in the frames of its Table 1; the machine of L. Beji (1997).  The
figures are a reference set made up for tests.  It is singular wherever P1 P2 is parallel to the
first axes' plane of legs 1 and 2; home is away from that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.build.homes import choose, held, placed, poses_above, spread
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.gough_stewart import ups_machine


def space_3ups(*, legs: read.Legs, **rest: Any) -> Robot:
    """3-UPS with six motors: angle of the first universal axis [rad] and length of each leg [m].

    Args:
        legs: three mappings, as those of ``gough_stewart``; ``act_u``: motor of the first
            universal axis, ``act_p``: of the slide.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    return ups_machine(legs, 3, _home, turned=True, **rest)


def _home(feet: np.ndarray, points: np.ndarray) -> np.ndarray:
    """A pose in which slides and first axes hold the platform well."""
    base, first = feet[:, :3, 3], feet[:, :3, 2]

    def worth(T: np.ndarray) -> float:
        struts = placed(T, points) - base
        lengths = np.linalg.norm(struts, axis=1)
        if lengths.min() < 0.1 * spread(base):
            return float("nan")
        along = struts / lengths[:, None]
        across = np.cross(first, along)
        sines = np.linalg.norm(across, axis=1)
        if sines.min() < 1e-3:
            return 0.0
        return held(T, points, np.vstack([along, across / sines[:, None]]), sines)

    # good poses are rare: none is taken because it is upright
    return choose(poses_above(base, points), worth, "space_3ups", good=1.0)[0]
