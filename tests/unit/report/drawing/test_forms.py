"""Shapes of descriptions in pictures and on the page: solid, in their place, and nothing beside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.report.drawing.figure import scenes
from gough.report.drawing.forms import corners, solids_of
from gough.report.drawing.places import places
from gough.report.drawing.scene import Form
from gough.report.view.solids import Shapes
from gough.robot import Frame, Shape
from mesh_files import bumpy
from robots import robot

FRAME = Frame.from_rpy((0.1, 0.2, 0.3), (0.3, 0.2, 0.1))
POINTS, FACES = bumpy(8)
MESH = Shape("mesh", frame=FRAME, points=POINTS.tolist(), triangles=FACES.tolist())
a, b, c = (POINTS[FACES[:, k]] for k in range(3))
VOLUMES = {
    "box": (Shape("box", (0.1, 0.2, 0.3), FRAME), 0.006),
    "sphere": (Shape("sphere", (0.1,), FRAME), 4.0 / 3.0 * np.pi * 1e-3),
    "ellipsoid": (Shape("ellipsoid", (0.1, 0.2, 0.3), FRAME), 4.0 / 3.0 * np.pi * 6e-3),
    "cylinder": (Shape("cylinder", (0.1, 0.3), FRAME), np.pi * 3e-3),
    "mesh": (MESH, np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0),
}


@pytest.mark.parametrize("kind", VOLUMES)
def test_faces_enclose_the_volume_of_the_shape(kind):
    shape, volume = VOLUMES[kind]
    form = Form("arm", "link", shape, FRAME.matrix)
    faces = np.concatenate([solid.faces() for solid in solids_of(form)])
    p, q, r, s = (faces[:, k] for k in range(4))
    found = np.einsum("ij,ij->", p, np.cross(q, r)) + np.einsum("ij,ij->", p, np.cross(r, s))
    # round shapes are polyhedra within them, 24 sides or so; faces look outwards: it is positive
    assert found / 6.0 == pytest.approx(volume, rel=0.04 if kind not in ("box", "mesh") else 1e-12)
    seen, box = faces.reshape(-1, 3), corners(form)
    inside = FRAME.matrix[:3, :3]
    for points in (seen, box):
        assert points.shape[1] == 3
    np.testing.assert_allclose((seen @ inside).max(axis=0), (box @ inside).max(axis=0), rtol=0.02)


def test_a_capsule_reaches_as_far_as_its_balls():
    form = Form("arm", "link", Shape("capsule", (0.1, 0.3), FRAME), FRAME.matrix)
    faces = np.concatenate([solid.faces() for solid in solids_of(form)]).reshape(-1, 3)
    across = (faces - FRAME.matrix[:3, 3]) @ FRAME.matrix[:3, :3]
    np.testing.assert_allclose(np.ptp(across, axis=0), [0.2, 0.2, 0.5], rtol=0.02)
    np.testing.assert_allclose(np.ptp(corners(form), axis=0) > 0.0, True)


def dressed(name, *shapes):
    plain = robot(name)
    first = replace(plain.bodies[0], shapes=shapes)
    return replace(plain, bodies=(first, *plain.bodies[1:]))


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart"])
def test_a_body_with_shapes_is_drawn_with_nothing_else(name):
    machine = dressed(name, VOLUMES["box"][0], MESH)
    body = machine.bodies[0].name
    (plain,), (scene,) = scenes(robot(name)), scenes(machine)
    assert body in {part.body for part in (*plain.strokes, *plain.plates)}
    assert body not in {part.body for part in (*scene.strokes, *scene.plates)}
    assert [form.shape for form in scene.forms] == list(machine.bodies[0].shapes)
    others = {part.body for part in (*plain.strokes, *plain.plates)} - {body}
    assert {part.body for part in (*scene.strokes, *scene.plates)} == others
    assert gough.draw(machine)
    at = places(machine.assembly, machine.assembly.equations(*machine.assembly.start))
    np.testing.assert_allclose(scene.forms[0].pose, at.bodies[body] @ FRAME.matrix, atol=1e-12)


def test_the_page_has_each_mesh_once():
    plain = robot("delta")
    bodies = tuple(replace(body, shapes=(MESH,)) for body in plain.bodies)
    assembly = replace(plain, bodies=bodies, base_shapes=(MESH,)).assembly
    home = places(assembly, assembly.equations(assembly.T_home, assembly.home))
    found = Shapes(assembly, home, []).to_dict()
    assert len(found["meshes"]) == 1
    drawn = [part for part in found["primitives"] if part["kind"] == "mesh 0"]
    assert {part["body"] for part in drawn} == set(range(len(plain.bodies) + 1))


def test_kernels_do_not_look_at_shapes(strangers, monkeypatch):
    from gough.dynamics.quantities.variant import Variant
    from gough.evaluation import stored_key

    monkeypatch.setattr(stored_key, "_library", lambda: b"")
    keys = [
        stored_key.key_of(each.assembly, "inverse_dynamics", Variant(), ())
        for each in (robot("five_bar"), dressed("five_bar", MESH))
    ]
    assert keys[0] is not None
    assert keys[0] == keys[1]
