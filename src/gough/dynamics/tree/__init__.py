"""The classical way, [KI] section 2.1: loops cut, one tree.  `inverse` and `direct` are it."""

from gough.dynamics.tree.dynamics import balance, direct, inverse

__all__ = ["balance", "direct", "inverse"]
