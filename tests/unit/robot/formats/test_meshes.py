"""Meshes of files: masses as MuJoCo has them, and nothing outside the robot's folder is read."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from engines import need_engine
from gough.errors import FileError
from gough.robot.formats import meshes
from gough.robot.formats.loading import read_model
from gough.robot.formats.looks import BUDGET
from gough.robot.formats.meshes import Fault, Mesh, Shelf
from gough.robot.formats.simplified import FEWEST, simplified
from mesh_files import bumpy, write_obj, write_stl

ARM = """<mujoco>
  <compiler meshdir="parts"/>
  <asset><mesh name="m" file="{file}" {mesh}/></asset>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="q" axis="0 1 0"/>
      {inertial}
      <geom type="mesh" mesh="m" {geom} pos="0.1 0.2 0.3" euler="10 20 30"/>
      <geom type="box" size="0.01 0.02 0.03" pos="0 0.1 0"/>
    </body>
  </worldbody>
</mujoco>
"""
INERTIAL = '<inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/>'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    write_stl(tmp_path / "parts" / "part.stl", *bumpy())
    write_obj(tmp_path / "parts" / "part.obj", *bumpy(7))
    return tmp_path


def arm(folder, file="part.stl", mesh="", geom="", inertial=""):
    path = folder / "arm.xml"
    path.write_text(ARM.format(file=file, mesh=mesh, geom=geom, inertial=inertial))
    return path


SCALED = 'scale="0.5 2 -0.7" refpos="0.01 0.02 -0.01" refquat="0.5 0.2 -0.3 0.7"'


@pytest.mark.parametrize("way", ["", "legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize(
    ("file", "mesh", "geom"),
    [
        ("part.stl", "", ""),
        ("part.stl", SCALED, 'density="700"'),
        ("part.obj", 'scale="-1 1 1"', 'mass="0.3"'),
    ],
)
def test_masses_of_meshes_are_those_of_mujoco(folder, way, file, mesh, geom):
    need_engine("mujoco")
    pytest.importorskip("trimesh", reason="pip install 'gough[meshes]' brings trimesh")
    import mujoco

    path = arm(folder, file, mesh + (f' inertia="{way}"' if way else ""), geom)
    theirs, ours = mujoco.MjModel.from_xml_path(str(path)), read_model(path).links["arm"]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, theirs.body_iquat[1])
    R = R.reshape(3, 3)
    inertia = R @ np.diag(theirs.body_inertia[1]) @ R.T
    # MuJoCo finds principal axes by iterations, to 1e-8 or so
    assert ours.mass == pytest.approx(theirs.body_mass[1], rel=1e-7)
    np.testing.assert_allclose(ours.center, theirs.body_ipos[1], atol=1e-7 * 0.4)
    np.testing.assert_allclose(ours.inertia, inertia, atol=1e-7 * np.abs(inertia).max())


def test_a_mesh_within_the_file_needs_nothing_else(folder, monkeypatch):
    monkeypatch.setattr(meshes, "find_spec", lambda name: None)
    points, faces = bumpy(6)
    inside = 'vertex="{}" face="{}" inertia="exact"'.format(
        *(" ".join(map(repr, rows.ravel().tolist())) for rows in (points, faces))
    )
    path = arm(folder)
    path.write_text(path.read_text().replace('file="part.stl"', inside))
    link = read_model(path).links["arm"]
    a, b, c = (points[faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    # points are kept in single precision
    assert link.mass == pytest.approx(1000.0 * (volume + 8.0 * 6e-6), rel=1e-6)


def test_faces_of_both_orientations_have_no_exact_volume(folder):
    pytest.importorskip("trimesh", reason="pip install 'gough[meshes]' brings trimesh")
    points, faces = bumpy()
    faces[0] = faces[0][::-1]
    write_stl(folder / "parts" / "part.stl", points, faces)
    with pytest.raises(FileError, match="both orientations"):
        gough.convert(arm(folder, mesh='inertia="exact"'), platform="arm")


def without_trimesh(folder, monkeypatch):
    monkeypatch.setattr(meshes, "find_spec", lambda name: None)
    return "can only be read with trimesh", "gough\\[meshes\\]"


def without_the_file(folder, monkeypatch):
    (folder / "parts" / "part.stl").unlink()
    return "is not there", "Put it into 'parts'"


@pytest.mark.parametrize("lack", [without_trimesh, without_the_file])
def test_what_a_mesh_is_needed_for_decides(folder, monkeypatch, lack):
    """A mass that depends on it is refused with file, line and remedy; a picture is not."""
    why, remedy = lack(folder, monkeypatch)
    with pytest.raises(FileError, match=rf"(?s)line 8: .*'part.stl', which {why}.*{remedy}"):
        gough.convert(arm(folder), platform="arm")
    found = gough.convert(arm(folder, inertial=INERTIAL), platform="arm")
    (finding,) = (each for each in found.findings if each.code == "meshes")
    assert why in finding.sentence
    assert finding.severity == "note"
    assert [shape.kind for shape in found.robot.bodies[0].shapes] == ["box"]
    assert gough.draw(found.robot)


@pytest.mark.parametrize(
    "name",
    ["../part.stl", "/etc/part.stl", "a\0.stl", "package://x/../../part.stl", "link.stl"],
)
def test_nothing_outside_the_folder_is_read(folder, name):
    write_stl(folder / "part.stl", *bumpy(4))
    inside = folder / "parts"
    (inside / "link.stl").symlink_to(folder / "part.stl")
    found = Shelf(str(inside / "robot.urdf")).mesh(name, np.ones(3))
    assert isinstance(found, Fault)
    assert "outside" in found.why


def test_a_package_is_the_folder_of_its_files(folder):
    pytest.importorskip("trimesh", reason="pip install 'gough[meshes]' brings trimesh")
    (folder / "urdf").mkdir()
    shelf = Shelf(str(folder / "urdf" / "robot.urdf"))
    address = f"package://{folder.name}/parts/part.stl"
    assert isinstance(shelf.mesh(address, np.ones(3)), Fault)
    (folder / "package.xml").write_text("<package/>")
    shelf = Shelf(str(folder / "urdf" / "robot.urdf"))
    for name in (address, "../parts/part.stl"):
        assert isinstance(shelf.mesh(name, np.ones(3)), Mesh)
    assert shelf.mesh(address, np.ones(3)) is shelf.mesh("../parts/part.stl", np.ones(3))
    assert isinstance(shelf.mesh("../../part.stl", np.ones(3)), Fault)


BAD = {
    "empty.stl": b"",
    "short.stl": b"\0" * 80 + (4 * 10**9).to_bytes(4, "little") + b"\0" * 50,
    "no_number.obj": b"v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n",
    "no_point.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
    "bomb.dae": b"<!DOCTYPE x [<!ENTITY a 'b'>]><COLLADA>&a;</COLLADA>",
    "other.exe": b"MZ",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_meshes_have_a_fault(tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name])
    found = Shelf(str(tmp_path / "robot.xml")).mesh(name, np.ones(3))
    assert isinstance(found, Fault)
    assert found.why
    assert found.remedy


def test_large_meshes_are_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(meshes, "LARGEST_MESH", 1000)
    write_stl(tmp_path / "part.stl", *bumpy())
    found = Shelf(str(tmp_path / "robot.xml")).mesh("part.stl", np.ones(3))
    assert isinstance(found, Fault)
    assert "bytes" in found.why


@pytest.mark.parametrize("most", [5, 40, 300, 10**6])
def test_simplified_meshes_stay_where_they_are(most):
    points, faces = bumpy(30)
    found = simplified(Mesh(points, faces), most)
    assert FEWEST <= len(found.triangles) <= max(most, FEWEST)
    np.testing.assert_allclose(found.points.min(axis=0), points.min(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.points.max(axis=0), points.max(axis=0), atol=1e-12)
    a, b, c = (found.points[found.triangles[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0  # faces still look outwards


def test_a_robot_of_many_meshes_has_few_triangles(folder):
    pytest.importorskip("trimesh", reason="pip install 'gough[meshes]' brings trimesh")
    write_stl(folder / "parts" / "part.stl", *bumpy(50))
    geom = '<geom type="mesh" mesh="m" pos="{} 0 0"/>'
    path = arm(folder, inertial=INERTIAL + "".join(geom.format(k) for k in range(8)))
    robot = gough.convert(path, platform="arm").robot
    shapes = [shape for shape in robot.bodies[0].shapes if shape.kind == "mesh"]
    assert len(shapes) == 9
    assert sum(len(shape.points) for shape in shapes) <= BUDGET
    assert 0.5 * BUDGET < sum(len(shape.triangles) for shape in shapes) <= BUDGET
