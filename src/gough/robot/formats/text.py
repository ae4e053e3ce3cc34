"""XML written: elements with attributes in order, numbers with all their digits, text escaped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gough.base.english import clean


class Element:
    """An element to be written; children are added in order."""

    def __init__(self, tag: str, text: Any = None, /, **attributes: Any) -> None:
        self.tag, self.attributes = tag, {k.rstrip("_"): v for k, v in attributes.items()}
        self.text = "" if text is None else figures(text)
        self.children: list[Element] = []

    def add(self, tag: str, text: Any = None, /, **attributes: Any) -> Element:
        """A child more, which is returned."""
        child = Element(tag, text, **attributes)
        self.children.append(child)
        return child

    def lines(self, depth: int = 0) -> Iterable[str]:
        """The element as text."""
        given = {k: figures(v) for k, v in self.attributes.items() if v is not None}
        head = "".join(f" {key.replace('__', ':')}={quoteattr(v)}" for key, v in given.items())
        indent = "  " * depth
        if not self.children:
            inner = f">{escape(self.text)}</{self.tag}>" if self.text else "/>"
            yield f"{indent}<{self.tag}{head}{inner}"
            return
        yield f"{indent}<{self.tag}{head}>"
        for child in self.children:
            yield from child.lines(depth + 1)
        yield f"{indent}</{self.tag}>"

    def __str__(self) -> str:
        return '<?xml version="1.0"?>\n' + "\n".join(self.lines()) + "\n"


def figures(value: Any) -> str:
    """Numbers with all digits that tell them apart, others as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value) + 0.0)
    values = np.asarray(value, dtype=float).ravel()
    largest = float(np.abs(values).max(initial=0.0))
    return " ".join(repr(clean(float(x), 1e-5 * largest) + 0.0) for x in values)


def rpy_of(R: np.ndarray) -> np.ndarray:
    """Roll, pitch and yaw of a rotation, ``R = Rz(yaw) Ry(pitch) Rx(roll)``."""
    across = float(np.hypot(R[0, 0], R[1, 0]))
    pitch = np.arctan2(-R[2, 0], across)
    if across < 1e-9:  # looking straight up or down: yaw is part of roll
        return np.array([np.arctan2(-R[1, 2], R[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """Unit quaternion w x y z of a rotation."""
    w = 1.0 + R[0, 0] + R[1, 1] + R[2, 2]
    x = 1.0 + R[0, 0] - R[1, 1] - R[2, 2]
    y = 1.0 - R[0, 0] + R[1, 1] - R[2, 2]
    z = 1.0 - R[0, 0] - R[1, 1] + R[2, 2]
    a, b, c = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    d, e, f = R[1, 0] + R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2]
    rows = {w: (w, a, b, c), x: (a, x, d, e), y: (b, d, y, f), z: (c, e, f, z)}
    found = np.array(rows[max(rows)])
    found = found / np.linalg.norm(found)
    return np.asarray(found if found[0] >= 0.0 else -found)
