"""What elastic parts of a robot must have in common: frames that exist, materials that agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.arguments import nearest
from gough.base.english import quoted
from gough.errors import DescriptionError, shown
from gough.robot.body import Body
from gough.robot.body_stiffness import PLATFORM
from gough.robot.frame import Frame
from gough.robot.joint import Joint
from gough.robot.material import Material


def check_elastic(
    bodies: Sequence[Body], joints: Sequence[Joint], platform: str, platform_frame: Frame
) -> None:
    """Refuse stiffness between frames that a body has not, and two materials of one name."""
    materials_of(bodies)
    for body in bodies:
        if body.stiffness is None:
            continue
        path = f"bodies.{body.name}"
        frames = body_frames(body.name, joints)
        if body.name == platform:
            if PLATFORM in frames:
                raise DescriptionError(
                    f"{PLATFORM!r} is a joint of {body.name!r}, and the platform's frame",
                    path=f"{path}.stiffness.frames",
                    hint="Give the joint another name.",
                )
            frames[PLATFORM] = platform_frame
        for i, name in enumerate(body.stiffness.frames):
            if name not in frames:
                raise DescriptionError(
                    f"{shown(name)} is no joint of {body.name!r}",
                    path=f"{path}.stiffness.frames[{i}]",
                    hint=nearest(name, frames),
                )
        missing = [name for name in frames if name not in body.stiffness.frames]
        if missing:
            raise DescriptionError(
                f"lacks {quoted(missing)}: the matrix must know every frame of {body.name!r}",
                path=f"{path}.stiffness.frames",
                hint=f"Frames of the body: {', '.join(frames)}.",
            )
        points = np.array([frames[name].position for name in body.stiffness.frames])
        body.stiffness.check_rigid_modes(points, path)
        body.stiffness.check_mass(points, path)


def body_frames(name: str, joints: Sequence[Joint]) -> dict[str, Frame]:
    """Frames of a body's joints on it, by the joint's name; of a held joint as it is released."""
    found = {}
    for joint in joints:
        free = joint.released
        for end, frame in ((free.parent, free.parent_frame), (free.child, free.child_frame)):
            if end == name:
                found[joint.name] = frame
    return found


def materials_of(bodies: Sequence[Body]) -> dict[str, Material]:
    """Materials of beams by name.

    Raises:
        DescriptionError: two different ones have the same name.
    """
    found: dict[str, Material] = {}
    for body in bodies:
        if body.beam is None:
            continue
        own = body.beam.material
        if found.setdefault(own.name, own) != own:
            raise DescriptionError(
                f"another material is called {own.name!r} as well",
                path=f"bodies.{body.name}.beam.material",
                hint="Give each material a name of its own.",
            )
    return found
