"""What the machine is: data, validated and frozen."""

from gough.robot.beam import Beam
from gough.robot.bearing import Bearing, Guide
from gough.robot.body import Body
from gough.robot.body_stiffness import BodyStiffness
from gough.robot.coupling import Coupling
from gough.robot.frame import Frame
from gough.robot.home import Home
from gough.robot.joint import Axis, Joint, Limits, Spring
from gough.robot.joint_kinds import KINDS
from gough.robot.material import MATERIALS, Material
from gough.robot.motor import Motor, Transmission
from gough.robot.robot import Robot
from gough.robot.section import Box, CrossSection, Tube
from gough.robot.shape import Shape

__all__ = [
    "KINDS",
    "MATERIALS",
    "Axis",
    "Beam",
    "Bearing",
    "Body",
    "BodyStiffness",
    "Box",
    "Coupling",
    "CrossSection",
    "Frame",
    "Guide",
    "Home",
    "Joint",
    "Limits",
    "Material",
    "Motor",
    "Robot",
    "Shape",
    "Spring",
    "Transmission",
    "Tube",
]
