"""The least time along a path: motors at their limits, jerk rounded off, heating within bounds.

``path`` takes the geometry out of a motion, ``rows`` the efforts along it, ``limits`` what the
motors allow there, ``profile`` finds the largest speed everywhere by reachability, ``law`` is the
clock that follows from it, ``rounding`` bounds its jerk, ``heating`` slows it until motors keep
cool; ``fastest`` calls them.
"""

from gough.timing.fastest import fastest
from gough.timing.result import Fastest

__all__ = ["Fastest", "fastest"]
