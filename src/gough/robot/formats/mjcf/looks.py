"""What bodies of MJCF look like: the geoms that MuJoCo shows, those for contacts left out."""

from __future__ import annotations

from functools import partial

import numpy as np

from gough.robot.formats.looks import Look, colour_of
from gough.robot.formats.mjcf.assets import Assets
from gough.robot.formats.mjcf.compiler import Compiler
from gough.robot.formats.mjcf.geoms import SIZES, kind_of, placed
from gough.robot.formats.xml import Node
from gough.robot.shape import MESH

_SHOWN = (0, 1, 2)  # groups that MuJoCo's viewer shows unless it is told otherwise
HALVED = {"box": (0.5, 0.5, 0.5), "cylinder": (1.0, 0.5), "capsule": (1.0, 0.5)}
"""MuJoCo has half of edges and lengths."""


def looks_of(
    geoms: list[tuple[Node, np.ndarray]], compiler: Compiler, assets: Assets
) -> tuple[Look, ...]:
    """Looks of the geoms of a body."""
    seen = [(node, T) for node, T in geoms if _can_be_seen(node)]
    shown = [(node, T) for node, T in seen if int(node.number("group")) in _SHOWN] or seen
    # exporters write a body twice: for the eye, touching nothing, and for contacts
    for_the_eye = [(node, T) for node, T in shown if _touches_nothing(node)] or shown
    return tuple(_look(node, T, compiler, assets) for node, T in for_the_eye)


def _can_be_seen(node: Node) -> bool:
    rgba = node.numbers("rgba", None, (4,))
    kind = kind_of(node)
    drawn = kind in SIZES or (kind == MESH and bool(node.get("mesh")))
    return drawn and (rgba is None or rgba[3] > 0.0)


def _touches_nothing(node: Node) -> bool:
    return node.number("contype", 1.0) == 0.0 and node.number("conaffinity", 1.0) == 0.0


def _look(node: Node, T: np.ndarray, compiler: Compiler, assets: Assets) -> Look:
    rgba = node.numbers("rgba", None, (4,))
    colour = colour_of(assets.colours.get(node.get("material")) if rgba is None else rgba)
    kind, name = kind_of(node), node.get("mesh")
    if name:  # of a primitive shape that is fitted to a mesh, the mesh is shown
        file = assets.meshes[name].get("file") if name in assets.meshes else ""
        read = partial(assets.mesh, name)
        return Look(MESH, T @ compiler.pose(node), (), colour, read, file or name)
    at, sizes = placed(node, kind, compiler)
    factors = HALVED.get(kind, (1.0,) * len(sizes))
    full = tuple(float(x / f) for f, x in zip(factors, sizes, strict=True))
    return Look(kind, T @ at, full, colour)
