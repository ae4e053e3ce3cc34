"""Every joint kind as a chain of elementary moves: turn, slide, screw, ball.

``turn``, ``slide`` and ``screw`` move about or along z and have one coordinate; ``ball`` is a
rotation.  A joint ``A -> B`` is the product of its steps, ``before @ move @ after`` each, so every
algorithm below this room knows four moves instead of eight joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.robot import KINDS

TURN, SLIDE, SCREW, BALL = "turn", "slide", "screw", "ball"

_I = np.eye(3)
_Z_TO_X = _I[:, [1, 2, 0]]  # columns y, z, x: the third axis of the move is x
_Z_TO_Y = _I[:, [2, 0, 1]]
_QUARTER_X = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
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


_SLIDE_X = Step(_Z_TO_X, SLIDE, _Z_TO_X.T, 0)
_SLIDE_Y = Step(_Z_TO_Y, SLIDE, _Z_TO_Y.T, 0)

_STEPS: dict[str, tuple[Step, ...]] = {
    "revolute": (Step(_I, TURN, _I, 0),),
    "prismatic": (Step(_I, SLIDE, _I, 0),),
    "helical": (Step(_I, SCREW, _I, 0),),
    "universal": (Step(_I, TURN, _QUARTER_X, 0), Step(_I, TURN, _I, 1)),
    "cylindrical": (Step(_I, TURN, _I, 0), Step(_I, SLIDE, _I, 1)),
    "spherical": (Step(_I, BALL, _I, 0),),
    "planar_contact": (_SLIDE_X, _SLIDE_Y, Step(_I, BALL, _I, 1)),
    "fixed": (),
}

FREE: tuple[Step, ...] = (_SLIDE_X, _SLIDE_Y, Step(_I, SLIDE, _I, 0), Step(_I, BALL, _I, 0))
"""No joint at all: three slides and a ball."""

if set(_STEPS) != set(KINDS):  # pragma: no cover
    raise RuntimeError("a joint kind without moves")


def steps(kind: str, *, backwards: bool = False) -> tuple[Step, ...]:
    """Moves of a joint from its parent frame to its child frame, or the other way round."""
    forward = _STEPS[kind]
    return tuple(step.reversed() for step in reversed(forward)) if backwards else forward
