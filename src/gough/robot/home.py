"""Home: one assembled posture of a robot, which picks its branch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gough.robot.frame import Frame
from gough.robot.numbers import check_number
from gough.robot.parts import FrozenDict, check_part, settle


@dataclass(frozen=True)
class Home:
    """An assembled posture that picks the branch; rough figures will do, the loops are closed.

    Args:
        bodies: poses of bodies in the base; of the others it is worked out from the joints.
        joints: coordinates of joint axes [rad or m], by axis name; zero where not given.
    """

    bodies: Mapping[str, Frame] = field(default_factory=dict)
    joints: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_part(self.bodies, Mapping, "home.bodies")  # type: ignore[type-abstract]
        bodies = dict(self.bodies)
        for name, frame in bodies.items():
            check_part(frame, Frame, f"home.bodies.{name}")
        check_part(self.joints, Mapping, "home.joints")  # type: ignore[type-abstract]
        joints = {n: check_number(v, f"home.joints.{n}") for n, v in self.joints.items()}
        settle(self, bodies=FrozenDict(bodies), joints=FrozenDict(joints))
