"""Every joint kind as a chain of elementary moves: turn, slide, screw, ball.

``turn``, ``slide`` and ``screw`` move about or along z and have one coordinate; ``ball`` is a
rotation.  A joint ``A -> B`` is the product of its steps, ``before @ move @ after`` each, so every
algorithm below this room knows four moves instead of all joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.robot.joint_kinds import BALL, JointKind

_I = np.eye(3)
# the third axis of a move along x is x: columns y, z, x
_TO_Z = (_I[:, [1, 2, 0]], _I[:, [2, 0, 1]], _I)
_FLIP = np.diag([1.0, -1.0, -1.0])


@dataclass(frozen=True, eq=False)
class Step:
    """One move between two fixed rotations; ``axis`` is the index of the joint's axis it serves."""

    before: np.ndarray
    move: str
    after: np.ndarray
    axis: int

    def reversed(self) -> Step:
        """The inverse step.

        Half a turn about x takes z to -z, so the coordinate keeps its sign; the coordinate of a
        ball becomes its transpose.
        """
        flip = _I if self.move == BALL else _FLIP
        return Step(self.after.T @ flip, self.move, flip @ self.before.T, self.axis)


def steps(kind: JointKind, *, backwards: bool = False) -> tuple[Step, ...]:
    """Moves of a joint from its parent frame to its child frame, or the other way round."""
    forward = tuple(
        Step(_TO_Z[move.axis], move.what, _TO_Z[move.axis].T @ after, number)
        for move, number, after in kind.chain()
    )
    return tuple(step.reversed() for step in reversed(forward)) if backwards else forward
