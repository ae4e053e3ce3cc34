"""Ladders of parallelograms and scissors: machines whose size is a number, with few freedoms."""

from __future__ import annotations

import numpy as np

import gough
from machines import BASE, Drawing

_Z = (0.0, 0.0, 1.0)


def row_of_cranks(count: int) -> gough.Robot:
    """Parallelograms side by side on the base, sharing cranks; the last coupler counts."""
    d = Drawing(31)
    crank = 0.3 * np.array([np.sin(0.3), np.cos(0.3), 0.0])
    feet = [np.array([0.2 * i, 0.01 * (i % 3), 0.0]) for i in range(count + 1)]
    for i, foot in enumerate(feet):
        d.body(f"crank{i}", foot + crank / 2.0)
        d.joint(f"a{i}", "revolute", BASE, f"crank{i}", foot, _Z)
        if i:
            d.body(f"bar{i}", (foot + feet[i - 1]) / 2.0 + crank)
            d.joint(f"l{i}", "revolute", f"crank{i - 1}", f"bar{i}", feet[i - 1] + crank, _Z)
            d.joint(f"r{i}", "revolute", f"bar{i}", f"crank{i}", foot + crank, _Z)
    top = (feet[-1] + feet[-2]) / 2.0 + crank
    return d.robot(f"row{count}", f"bar{count}", ["a0"], top)


def scissors(count: int) -> gough.Robot:
    """A scissor lift: crossing bars, each pair on the one below, a slide at the foot and on top."""
    d = Drawing(32)
    x, y = 0.2 * np.cos(0.5), 0.2 * np.sin(0.5)
    left, right = np.zeros(3), np.array([2.0 * x, 0.0, 0.0])
    d.body("shoe", right)
    d.joint("drive", "prismatic", BASE, "shoe", right, (1.0, 0.0, 0.0))
    below_left, below_right = BASE, "shoe"
    for i in range(count):
        middle = (left + right) / 2.0 + np.array([0.0, y, 0.0])
        a, b = d.body(f"a{i}", middle), d.body(f"b{i}", middle)
        d.joint(f"m{i}", "revolute", a, b, middle, _Z)
        d.joint(f"l{i}", "revolute", below_left, a, left, _Z)
        d.joint(f"r{i}", "revolute", below_right, b, right, _Z)
        up = np.array([0.0, 2.0 * y, 0.0])
        left, right = left + up, right + up
        below_left, below_right = b, a
    d.body("slide", right), d.body("table", (left + right) / 2.0)
    d.joint("lt", "revolute", below_left, "table", left, _Z)
    d.joint("rt", "revolute", below_right, "slide", right, _Z)
    d.joint("s", "prismatic", "slide", "table", right, (1.0, 0.0, 0.0))
    return d.robot(f"scissors{count}", "table", ["drive"], (left + right) / 2.0)


def rail_on_rungs(count: int) -> gough.Robot:
    """Two rails that swing on the base and rungs between them, the last one counts."""
    d = Drawing(33)
    along, across = np.array([np.sin(0.3), np.cos(0.3), 0.0]), np.array([0.2, 0.0, 0.0])
    d.body("left", 0.2 * along), d.body("right", 0.2 * along + across)
    d.joint("a", "revolute", BASE, "left", np.zeros(3), _Z)
    d.joint("b", "revolute", BASE, "right", across, _Z)
    for i in range(count):
        place = 0.1 * (i + 1) * along
        d.body(f"rung{i}", place + across / 2.0)
        d.joint(f"l{i}", "revolute", "left", f"rung{i}", place, _Z)
        d.joint(f"r{i}", "revolute", f"rung{i}", "right", place + across, _Z)
    return d.robot(f"rail{count}", f"rung{count - 1}", ["a"], place + across / 2.0)
