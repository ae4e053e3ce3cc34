"""What the machine is: data, validated and frozen."""

from gough.robot.body import Body
from gough.robot.coupling import Coupling
from gough.robot.frame import Frame
from gough.robot.joint import KINDS, Axis, Joint, Limits, Spring
from gough.robot.motor import Motor, Transmission
from gough.robot.robot import Home, Robot

__all__ = [
    "KINDS",
    "Axis",
    "Body",
    "Coupling",
    "Frame",
    "Home",
    "Joint",
    "Limits",
    "Motor",
    "Robot",
    "Spring",
    "Transmission",
]
