"""Joint kinds: one file each, and what follows from it for all of them."""

from gough.robot.joint_kinds.cylindrical import CYLINDRICAL
from gough.robot.joint_kinds.fixed import FIXED
from gough.robot.joint_kinds.helical import HELICAL
from gough.robot.joint_kinds.kind import BALL, FREE, FREEDOMS, PLANE, SCREW, SLIDE, TURN, JointKind
from gough.robot.joint_kinds.planar import PLANAR
from gough.robot.joint_kinds.planar_contact import PLANAR_CONTACT
from gough.robot.joint_kinds.prismatic import PRISMATIC
from gough.robot.joint_kinds.revolute import REVOLUTE
from gough.robot.joint_kinds.spherical import SPHERICAL
from gough.robot.joint_kinds.universal import UNIVERSAL

KINDS: dict[str, JointKind] = {
    kind.name: kind
    for kind in (
        *(REVOLUTE, PRISMATIC, HELICAL, UNIVERSAL),
        *(CYLINDRICAL, SPHERICAL, PLANAR, PLANAR_CONTACT, FIXED),
    )
}
"""All joint kinds by name."""

__all__ = ["BALL", "FREE", "FREEDOMS", "KINDS", "PLANE", "SCREW", "SLIDE", "TURN", "JointKind"]
