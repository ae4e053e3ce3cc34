"""The theory of [GA]: screws and virtual work.  `inverse` and `direct` are it."""

from gough.dynamics.screws.dynamics import balance, direct, inverse

__all__ = ["balance", "direct", "inverse"]
