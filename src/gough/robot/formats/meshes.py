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

LARGEST_MESH = 2**23
"""Most bytes of a mesh file: 8 MiB, 170 000 triangles of a binary STL."""

MOST_BYTES = 3 * 2**24
"""Most bytes of all meshes of a robot: 48 MiB, a million triangles; text counts twice.

Large robots have as many; a million takes about a second and 300 MB.
"""

_TRIANGLE = 50  # bytes that a triangle has in a binary STL; copies count as much
_LONGEST_LINE = 4096  # bytes of a line of text: a face has a few corners
_MOST_PARTS = 1000  # groups, materials and placed geometries of a file; each takes a millisecond
_HEAD = 84  # bytes of a binary STL before its triangles: a comment, and how many there are

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
        if np.array_equal(T, np.eye(4)) and np.array_equal(scale, np.ones(3)):
            return mesh
        key = (found, T.tobytes() + scale.tobytes())
        if key not in self.stretched:
            self.left -= _TRIANGLE * len(mesh.triangles)
            if self.left < 0:
                return _too_many(found)
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
                f"has {size} bytes: a mesh has at most {LARGEST_MESH}, all of a robot "
                f"{MOST_BYTES}, text counted twice",
                "Save it with fewer triangles, or as binary STL.",
            )
        if find_spec("trimesh") is None or (kind == "dae" and find_spec("collada") is None):
            return Fault("can only be read with trimesh", REMEDY)
        try:
            soup = _binary(raw) if kind == "stl" else None
            self.left -= size if soup is not None else 2 * size
            if soup is not None:
                return checked(*soup)
            metre = _checked_text(raw, kind, str(path))
            points, triangles = _loaded(raw, kind, self.left // _TRIANGLE + len(raw) // 10)
            return checked(metre * np.asarray(points, dtype=float), triangles)
        except Exception as err:  # whatever a parser of meshes stumbles on
            ours = isinstance(err, FileError) and not err.file
            why = str(err) if ours else "a parser stumbled on it"
            return Fault(f"cannot be read as {kind.upper()}: {why}", "Save it anew.")


def _too_many(path: Path) -> Fault:
    return Fault(
        f"makes more than {MOST_BYTES // _TRIANGLE} triangles of all meshes together",
        "Save meshes with fewer triangles.",
    )


def _binary(raw: bytes) -> tuple[np.ndarray, np.ndarray] | None:
    """Points and triangles of a binary STL, three points a triangle; none if it is text."""
    count = (len(raw) - _HEAD) // _TRIANGLE
    if count < 1 or int.from_bytes(raw[_HEAD - 4 : _HEAD], "little") != count:
        return None
    if len(raw) != _HEAD + count * _TRIANGLE:
        return None
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    corners = np.frombuffer(raw, record, offset=_HEAD)["corners"].reshape(-1, 3)
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _checked_text(raw: bytes, kind: str, file: str) -> float:
    """The unit of a mesh that is text [m]; refused where its reader would take without bound."""
    if kind == "dae":
        root = parse_xml(raw, file)  # its text declares no entities, once it is parsed
        if _placed(root) > _MOST_PARTS:
            raise FileError(f"it places more than {_MOST_PARTS} geometries")
        return _metre(root)
    if max(map(len, raw.split(b"\n"))) > _LONGEST_LINE:
        raise FileError(f"it has a line of more than {_LONGEST_LINE} bytes")
    parts = raw.count(b"usemtl") + raw.count(b"\no ") + raw.count(b"\ng ") + raw.count(b"solid")
    if parts > _MOST_PARTS:
        raise FileError(f"it has more than {_MOST_PARTS} groups")
    return 1.0


def _placed(root: Node) -> int:
    """How many geometries a COLLADA file places, nodes that stand for others written out."""
    nodes = {node.get("id"): node for node in root.within() if node.tag == "node"}
    counts: dict[int, int] = {}

    def count(node: Node, above: tuple[Node, ...]) -> int:
        if id(node) not in counts:
            if any(node is each for each in above) or len(above) > _MOST_PARTS // 5:
                raise FileError("a node of it holds itself")
            total = 0
            for child in node.children:
                if child.tag == "node":
                    total += count(child, (*above, node))
                elif child.tag == "instance_node":
                    other = nodes.get(child.get("url").removeprefix("#"))
                    total += 0 if other is None else count(other, (*above, node))
                else:
                    total += child.tag.startswith("instance_")
            counts[id(node)] = total
        return counts[id(node)]

    return sum(count(scene, ()) for scene in root.within() if scene.tag == "visual_scene")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _metre(root: Node) -> float:
    """The unit of a COLLADA file [m]."""
    asset = root.first("asset")
    unit = None if asset is None else asset.first("unit")
    return 1.0 if unit is None else unit.number("meter", 1.0)


def _loaded(raw: bytes, kind: str, most: int) -> tuple[Any, Any]:
    """Points and triangles of a file's content, at most so many; nothing else is opened."""
    trimesh = import_module("trimesh")  # an extra
    options = {"skip_materials": True} if kind == "obj" else {}
    found = trimesh.load_scene(io.BytesIO(raw), file_type=kind, process=False, **options)
    placed = [found.graph[name][1] for name in found.graph.nodes_geometry]
    if sum(len(found.geometry[name].faces) for name in placed) > most:
        raise FileError(f"it has more than {most} triangles, copies counted")
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
