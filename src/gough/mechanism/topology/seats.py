"""Where joints sit on their bodies: as described, or elsewhere; numbers or symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array
from gough.robot import Frame, Joint


class Seat(NamedTuple):
    """A frame on a body: its rotation, and its origin [m], body axes."""

    R: Array
    p: Array

    @classmethod
    def of(cls, frame: Frame) -> Seat:
        """The seat of a frame as described."""
        return cls(np.array(frame.rotation), np.array(frame.position))

    @property
    def inverse(self) -> Seat:
        """The body's frame, seen from this one."""
        return Seat(self.R.T, -(self.R.T @ self.p))

    def carrying(self, other: Seat) -> Seat:
        """A frame that sits on this one, in the axes of the body."""
        return Seat(self.R @ other.R, self.p + self.R @ other.p)


class Seats(NamedTuple):
    """The two frames of a joint: A on its parent, B on its child."""

    A: Seat
    B: Seat

    def on(self, joint: Joint, body: str) -> Seat:
        """The frame on one of the joint's bodies."""
        return self.A if body == joint.parent else self.B


SeatsByJoint = Mapping[str, Seats]


def described_seats(joints: Iterable[Joint]) -> dict[str, Seats]:
    """Frames of joints by name, as their description has them."""
    return {j.name: Seats(Seat.of(j.parent_frame), Seat.of(j.child_frame)) for j in joints}
