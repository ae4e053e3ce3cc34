"""gough: the dynamics of parallel robots, exact, checked and fast."""

from gough.robot import Axis, Body, Frame, Home, Joint, Limits, Robot, Transmission

__all__ = ["Axis", "Body", "Frame", "Home", "Joint", "Limits", "Robot", "Transmission"]
