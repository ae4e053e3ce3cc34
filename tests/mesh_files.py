"""Meshes of our own, made in tests, and files of them."""

from __future__ import annotations

import struct

import numpy as np


def bumpy(steps=12, size=(0.03, 0.05, 0.02), middle=(0.01, 0.02, 0.03)):
    """A closed surface that is not convex, without symmetry: points and triangles."""
    tilts, turns = np.pi * np.arange(1, steps) / steps, 2 * np.pi * np.arange(2 * steps) / steps / 2
    u, v = np.meshgrid(tilts, turns, indexing="ij")
    n = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    n = np.vstack([n, [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    radius = 1.0 + 0.4 * np.sin(4.0 * n[:, :1] + 0.3) * np.cos(3.0 * n[:, 1:2])
    points = (n * radius) * np.array(size) + np.array(middle)
    wide, faces = 2 * steps, []
    top, bottom = len(n) - 2, len(n) - 1
    for k in range(wide):
        after = (k + 1) % wide
        for row in range(steps - 2):
            a, b = row * wide + k, row * wide + after
            faces += [(a, a + wide, b + wide), (a, b + wide, b)]
        last = (steps - 2) * wide
        faces += [(top, k, after), (bottom, last + after, last + k)]
    return points, np.array(faces)


def write_stl(path, points, faces):
    """A binary STL file."""
    corners = np.asarray(points, dtype="<f4")[faces]
    body = b"".join(struct.pack("<3f", 0, 0, 0) + c.tobytes() + b"\0\0" for c in corners)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + body)


def write_obj(path, points, faces):
    """An OBJ file, with a library of materials that lies elsewhere."""
    rows = ["mtllib ../../secret.mtl", *(f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points)]
    rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(rows) + "\n")
