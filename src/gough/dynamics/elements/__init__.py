"""The theory of [OZ]: kinematic elements, as a camera sees them.  `inverse` and `direct` are it."""

from gough.dynamics.elements.dynamics import balance, direct, inverse

__all__ = ["balance", "direct", "inverse"]
