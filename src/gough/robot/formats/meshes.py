"""Meshes beside a robot file: found inside its folder or package, read with bounds, by trimesh.

A mesh that is not there, or cannot be read, is no error here: a picture does without it, and only
a mass that depends on it is refused.  So what is read is a mesh or a fault, which says why.
"""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gough.base.tables import whole
from gough.errors import FileError, shown
from gough.robot.formats.xml import Node, parse_xml

LARGEST_MESH = 2**25
"""Most bytes of a mesh file: 32 MiB."""

MOST_BYTES = 2**28
"""Most bytes of all meshes of a robot: 256 MiB."""

SUFFIXES = ("stl", "obj", "dae")
"""Kinds of mesh files; COLLADA needs ``pycollada`` beside trimesh."""

REMEDY = "pip install 'gough[meshes]' brings what reads meshes."

_PACKAGE = (
    "package.xml",
    "model.config",
)  # a file that lies in the root of a package of ROS, Gazebo
_ABOVE = 3  # folders above the file in which its package may begin
_SCHEMES = ("package://", "model://")


class Mesh(NamedTuple):
    """Points ``(k, 3)`` and triangles ``(n, 3)``, places of points."""

    points: np.ndarray
    triangles: np.ndarray

    def moved(self, T: np.ndarray, scale: np.ndarray) -> Mesh:
        """The mesh in other axes, then stretched; mirrored faces are turned round."""
        points = (self.points @ T[:3, :3].T + T[:3, 3]) * scale
        flipped = np.prod(scale) < 0.0
        return Mesh(points, self.triangles[:, ::-1] if flipped else self.triangles)


class Fault(NamedTuple):
    """Why there is no mesh: a sentence without its subject, and a remedy."""

    why: str
    remedy: str


class Shelf:
    """Meshes of one robot file, each read once.

    Args:
        file: the robot file; meshes lie in its folder, or in the package of ROS or Gazebo that it
            is part of.
    """

    def __init__(self, file: str) -> None:
        self.folder = Path(file).resolve().parent
        self.root = self.folder
        for each in (self.folder, *list(self.folder.parents)[:_ABOVE]):
            if any((each / name).is_file() for name in _PACKAGE):
                self.root = each
                break
        self.left = MOST_BYTES
        self.known: dict[Path, Mesh | Fault] = {}
        self.stretched: dict[tuple[Path, bytes], Mesh] = {}

    def mesh(
        self, name: str, scale: np.ndarray, folder: str = "", T: np.ndarray | None = None
    ) -> Mesh | Fault:
        """The mesh that a file names; the same one if it is asked for again.

        Args:
            name: a path from the folder of the file, or ``package://NAME/...``.
            scale: along its axes.
            folder: below it, in which paths begin.
            T: the pose of its axes, before it is scaled.
        """
        inside = [path for path in self._places(name, folder) if path.is_relative_to(self.root)]
        if not inside:
            return Fault(
                f"lies outside {self.root.name!r}, the folder of the file",
                "Meshes lie beside or below the robot file: copy it there.",
            )
        found = next((path for path in inside if _is_file(path)), None)
        if found is None:
            below = inside[0].parent.relative_to(self.root).as_posix()
            return Fault("is not there", f"Put it into {shown(below)} of {self.root.name!r}.")
        if found not in self.known:
            self.known[found] = self._read(found)
        mesh, T = self.known[found], np.eye(4) if T is None else T
        if isinstance(mesh, Fault):
            return mesh
        key = (found, T.tobytes() + scale.tobytes())
        if key not in self.stretched:
            self.stretched[key] = mesh.moved(T, scale)
        return self.stretched[key]

    def _places(self, name: str, folder: str) -> list[Path]:
        """Where a mesh may lie, the likeliest first."""
        try:
            for scheme in _SCHEMES:
                if name.startswith(scheme):
                    rest = name.removeprefix(scheme)
                    package, _, within = rest.partition("/")
                    own = [self.root / within] if self.root.name == package else []
                    others = [self.folder / rest, self.root / within, self.folder / within]
                    return [path.resolve() for path in (*own, *others)]
            return [(self.folder / folder / name.removeprefix("file://")).resolve()]
        except (OSError, ValueError, RuntimeError):  # NUL in the name, links in a ring
            return []

    def _read(self, path: Path) -> Mesh | Fault:
        kind = path.suffix.lower().lstrip(".")
        if kind not in SUFFIXES:
            return Fault(
                f"is no mesh that is read: {shown(kind)}", f"Known: {', '.join(SUFFIXES)}."
            )
        try:
            raw, size = whole.read_bounded(str(path), min(LARGEST_MESH, self.left), "mesh")
        except FileError as err:
            return Fault(err.message, err.hint)
        if size > min(LARGEST_MESH, self.left):
            return Fault(
                f"has {size} bytes: a mesh has at most {LARGEST_MESH}, all of a robot {MOST_BYTES}",
                "Save it with fewer triangles.",
            )
        self.left -= size
        if find_spec("trimesh") is None or (kind == "dae" and find_spec("collada") is None):
            return Fault("can only be read with trimesh", REMEDY)
        try:
            metre = _metre(parse_xml(raw, str(path))) if kind == "dae" else 1.0
            points, triangles = _loaded(raw, kind)
            return checked(metre * np.asarray(points, dtype=float), triangles)
        except Exception as err:  # whatever a parser of meshes stumbles on
            ours = isinstance(err, FileError) and not err.file
            why = str(err) if ours else "a parser stumbled on it"
            return Fault(f"cannot be read as {kind.upper()}: {why}", "Save it anew.")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _metre(root: Node) -> float:
    """The unit of a COLLADA file [m]; its text declares no entities, once it is parsed."""
    asset = root.first("asset")
    unit = None if asset is None else asset.first("unit")
    return 1.0 if unit is None else unit.number("meter", 1.0)


def _loaded(raw: bytes, kind: str) -> tuple[Any, Any]:
    """Points and triangles of a file's content; nothing that it refers to is opened."""
    trimesh = import_module("trimesh")  # an extra
    options = {"skip_materials": True} if kind == "obj" else {}
    found = trimesh.load_scene(io.BytesIO(raw), file_type=kind, process=False, **options)
    whole_mesh = found.to_mesh()
    return whole_mesh.vertices, whole_mesh.faces


def checked(points: Any, triangles: Any) -> Mesh:
    """A mesh of finite points, whose triangles name them.

    Raises:
        FileError: it is none.
    """
    # in single precision, as files of meshes and MuJoCo have them
    V = np.asarray(points, dtype=np.float32).astype(float).reshape(-1, 3)
    F = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
    if not len(V) or not len(F) or not np.isfinite(V).all():
        raise FileError("it has no triangles, or points that are not finite")
    if F.min() < 0 or F.max() >= len(V):
        raise FileError("its triangles name points that are not there")
    return Mesh(V, F)
