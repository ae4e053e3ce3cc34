"""Mass of a body from its ``<inertial>`` or from its geoms: primitive shapes and meshes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gough.base import spatial
from gough.robot import inertia as shapes
from gough.robot.formats.meshes import Fault
from gough.robot.formats.mjcf.assets import Assets
from gough.robot.formats.mjcf.compiler import Compiler
from gough.robot.formats.mjcf.mesh_mass import WAYS, filled
from gough.robot.formats.model import Unknown, place_of
from gough.robot.formats.xml import Node
from gough.robot.frame import Frame, rotation_from_axes
from gough.robot.inertia import MassProperties

_WATER = 1000.0  # density of a geom that has none [kg/m^3]
_SHAPES: dict[str, Callable[[float, np.ndarray], MassProperties]] = {
    "sphere": lambda m, s: shapes.sphere(m, s[0]),
    "box": lambda m, s: shapes.box(m, (2.0 * s).tolist()),
    "cylinder": lambda m, s: shapes.cylinder(m, s[0], 2.0 * s[1]),
    "ellipsoid": lambda m, s: shapes.ellipsoid(m, s.tolist()),
    "capsule": lambda m, s: shapes.capsule(m, s[0], 2.0 * s[1]),
}
SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}


def inertial(node: Node, compiler: Compiler) -> MassProperties:
    """Mass properties that an ``<inertial>`` element gives."""
    mass = node.number("mass", -1.0)
    if mass < 0.0:
        node.refuse("has no mass, or a negative one", hint='Write mass="...".')
    R, center = compiler.rotation(node), node.vector("pos")
    full, diagonal = (
        node.numbers("fullinertia", None, (6,)),
        node.numbers("diaginertia", None, (3,)),
    )
    if full is not None:
        xx, yy, zz, xy, xz, yz = full
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        about = np.diag(np.zeros(3) if diagonal is None else diagonal)
    about = R @ about @ R.T
    return {"mass": mass, "center": tuple(center), "inertia": about}


def bounded(solid: MassProperties, compiler: Compiler) -> MassProperties:
    """Mass properties within the bounds of the compiler, which every body keeps."""
    if not (compiler.least_mass or compiler.least_inertia or compiler.balance):
        return solid
    moments, axes = np.linalg.eigh(np.array(solid["inertia"], dtype=float))
    moments = np.maximum(moments, compiler.least_inertia)
    if compiler.balance and moments[0] + moments[1] < moments[2]:
        moments = np.full(3, moments.mean())
    about, mass = axes @ np.diag(moments) @ axes.T, max(solid["mass"], compiler.least_mass)
    return {"mass": mass, "center": solid["center"], "inertia": about}


def kind_of(node: Node) -> str:
    """What a geom is: a shape, a mesh, or something that is neither."""
    return node.get("type", "mesh" if node.get("mesh") else "sphere")


def _weighs(node: Node, compiler: Compiler) -> bool:
    """Whether a geom is part of its body's mass."""
    group = int(node.number("group", 0.0))
    weightless = kind_of(node) in ("plane", "hfield")
    if weightless or not compiler.groups[0] <= group <= compiler.groups[1]:
        return False
    mass = node.number("mass", -1.0)
    return not (mass == 0.0 or (mass < 0.0 and node.number("density", _WATER) == 0.0))


def from_geoms(
    geoms: list[tuple[Node, np.ndarray]], compiler: Compiler, assets: Assets
) -> MassProperties | Unknown | None:
    """Mass properties of all geoms of a body together, none if they have no mass.

    Or why they are not known, if a mesh is not read.
    """
    parts: list[MassProperties | tuple[MassProperties, Frame]] = []
    for node, T in geoms:
        if not _weighs(node, compiler):
            continue
        if node.flag("shellinertia"):
            node.refuse("shellinertia is not supported", hint="Give the body an <inertial>.")
        part = _mesh(node, compiler, assets) if _is_mesh(node) else _primitive(node, compiler)
        if isinstance(part, Unknown):
            return part
        parts.append((part[0], Frame.from_matrix(T @ part[1])))
    return shapes.composite(parts) if parts else None


def _is_mesh(node: Node) -> bool:
    return kind_of(node) not in SIZES or bool(node.get("mesh"))


def _primitive(node: Node, compiler: Compiler) -> tuple[MassProperties, np.ndarray]:
    kind, mass = kind_of(node), node.number("mass", -1.0)
    T, size = placed(node, kind, compiler)
    if mass < 0.0:
        mass = node.number("density", _WATER) * _volume(kind, size)
    return _SHAPES[kind](mass, size), T


def _mesh(
    node: Node, compiler: Compiler, assets: Assets
) -> tuple[MassProperties, np.ndarray] | Unknown:
    """Mass properties of a mesh, as MuJoCo has them."""
    name, kind = node.get("mesh"), kind_of(node)
    if kind != "mesh":
        why = f"a {kind} that is fitted to a mesh" if name else f"a geom of the type {kind!r}"
        return Unknown(place_of(node), f"{why}, which is not read", "Take a primitive shape.")
    mesh = assets.mesh(name)
    own = assets.meshes.get(name, node)
    way = own.get("inertia", WAYS[0])
    if way not in WAYS:
        own.refuse(f"inertia is {way!r}", hint=f"Known: {', '.join(WAYS)}.")
    if way == "convex" and own.number("maxhullvert", -1.0) > 0.0:
        own.refuse("maxhullvert changes the convex hull", hint='Leave it out, or inertia="exact".')
    if (name, way) not in assets.masses:
        assets.masses[name, way] = mesh if isinstance(mesh, Fault) else filled(mesh, way)
    found = assets.masses[name, way]
    if isinstance(found, Fault):
        file = own.get("file") or name
        return Unknown(place_of(node), f"the mesh {file!r}, which {found.why}", found.remedy)
    mass = node.number("mass", -1.0)
    if mass < 0.0:
        mass = node.number("density", _WATER) * found.volume
    about = found.inertia * (mass / found.volume)
    part = {"mass": mass, "center": tuple(found.center), "inertia": about}
    return part, compiler.pose(node)  # type: ignore[return-value]


def placed(node: Node, kind: str, compiler: Compiler) -> tuple[np.ndarray, np.ndarray]:
    """Pose of a geom on its body, and its sizes."""
    ends, count = node.numbers("fromto", None, (6,)), SIZES[kind]
    size = node.numbers("size", None)
    size = np.zeros(0) if size is None else size
    if ends is None:
        if len(size) < count or not (size[:count] > 0.0).all():
            node.refuse(f"a {kind} has {count} positive sizes, got {size.tolist()}")
        return compiler.pose(node), size[:count]
    if kind not in ("capsule", "cylinder", "box", "ellipsoid") or len(size) < 1:
        node.refuse("fromto needs a capsule, cylinder, box or ellipsoid, and a size")
    a, b = ends[:3], ends[3:]
    half = float(np.linalg.norm(b - a)) / 2.0
    if half == 0.0:
        node.refuse("fromto has no length")
    sizes = (
        [size[0], half] if count == 2 else [size[0], size[1] if len(size) > 1 else size[0], half]
    )
    return spatial.pose(rotation_from_axes(a - b), (a + b) / 2.0), np.array(sizes)


def _volume(kind: str, s: np.ndarray) -> float:
    found = {
        "sphere": lambda: 4.0 / 3.0 * math.pi * s[0] ** 3,
        "capsule": lambda: math.pi * s[0] ** 2 * (2.0 * s[1] + 4.0 / 3.0 * s[0]),
        "ellipsoid": lambda: 4.0 / 3.0 * math.pi * s[0] * s[1] * s[2],
        "cylinder": lambda: math.pi * s[0] ** 2 * 2.0 * s[1],
        "box": lambda: 8.0 * s[0] * s[1] * s[2],
    }[kind]()
    return float(found)
