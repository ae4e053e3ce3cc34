"""A frame of beams, springs and rigid links, solved by OpenSees in a process of its own.

    python tests/opensees_frame.py < frame.json      # answers on standard output

Its own process: the library that it brings along for linear algebra must be found before Python
starts, and it prints when it ends.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines import need_engine


def solved(frame: dict[str, Any]) -> dict[str, np.ndarray]:
    """Compliance of a node, its displacement under weight, and frequencies of a frame.

    Args:
        frame: ``nodes`` by number; ``fixed`` nodes; ``beams``, ``springs``, ``equal`` and ``rigid``
            pairs of nodes, ``masses`` of nodes; ``gravity``; ``out``, the node; ``shear``;
            ``count`` of frequencies.
    """
    if sys.version_info < (3, 13) and sys.platform == "linux" and platform.machine() == "x86_64":
        need_engine("openseespy")  # one of the extra "engines" there
    else:
        pytest.skip("openseespy has no wheel for this system")
    folders = [os.environ.get("LD_LIBRARY_PATH", "")]
    brought = importlib.util.find_spec("openseespylinux")
    if brought is not None and brought.origin is not None:
        folders.insert(0, str(Path(brought.origin).parent / "lib"))
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(frame),
        env=os.environ | {"LD_LIBRARY_PATH": ":".join(filter(None, folders)), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Failed to import openseespy" in done.stderr:
        told = f"openseespy is installed but does not load here: {done.stderr.splitlines()[-1]}"
        pytest.skip(told)  # its wheels suit some systems only
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    return {name: np.array(values) for name, values in json.loads(line).items()}


def _build(ops: Any, frame: dict[str, Any]) -> None:
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    for tag, point in frame["nodes"].items():
        ops.node(int(tag), *point)
    for tag in frame["fixed"]:
        ops.fix(tag, *[1] * 6)
    for tag, figures in frame["masses"].items():
        ops.mass(int(tag), *figures)
    for number, beam in enumerate(frame["beams"], start=1):
        ops.geomTransf("Linear", number, *beam["up"])
        A, E, G, J, Iy, Iz = (beam[key] for key in ("A", "E", "G", "J", "Iy", "Iz"))
        mass = ("-mass", beam["rho"] * A, "-cMass")
        if frame["shear"]:
            shear = (beam["share_y"] * A, beam["share_z"] * A)
            figures = (E, G, A, J, Iy, Iz, *shear, number)
            ops.element("ElasticTimoshenkoBeam", number, *beam["ends"], *figures, *mass)
        else:
            ops.element(
                "elasticBeamColumn", number, *beam["ends"], A, E, G, J, Iy, Iz, number, *mass
            )
    material = 0
    for number, (ends, stiffness) in enumerate(frame["springs"], start=len(frame["beams"]) + 1):
        materials, directions = [], []
        for direction, k in enumerate(stiffness, start=1):
            if k:
                material += 1
                ops.uniaxialMaterial("Elastic", material, k)
                materials.append(material)
                directions.append(direction)
        ops.element("zeroLength", number, *ends, "-mat", *materials, "-dir", *directions)
    for a, b, directions in frame["equal"]:
        ops.equalDOF(a, b, *directions)
    for a, b in frame["rigid"]:
        ops.rigidLink("beam", a, b)


def _static(ops: Any, frame: dict[str, Any], apply: Any) -> list[float]:
    _build(ops, frame)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    apply()
    ops.constraints("Transformation")
    ops.numberer("RCM")
    ops.system("UmfPack")
    ops.integrator("LoadControl", 1.0)
    ops.algorithm("Linear")
    ops.analysis("Static", "-noWarnings")
    assert ops.analyze(1) == 0
    return [float(u) for u in ops.nodeDisp(frame["out"])]


def _weigh(ops: Any, frame: dict[str, Any]) -> None:
    g = np.array(frame["gravity"])
    for tag, figures in frame["masses"].items():
        ops.load(int(tag), *(figures[0] * g), 0.0, 0.0, 0.0)
    for number, beam in enumerate(frame["beams"], start=1):
        a, b = (np.array(frame["nodes"][str(end)]) for end in beam["ends"])
        x = (b - a) / np.linalg.norm(b - a)
        y = np.cross(beam["up"], x)
        y = y / np.linalg.norm(y)
        along = beam["rho"] * beam["A"] * g
        loads = (along @ y, along @ np.cross(x, y), along @ x)
        ops.eleLoad("-ele", number, "-type", "-beamUniform", *map(float, loads))


def main() -> None:
    """Answers a frame on standard input."""
    import openseespy.opensees as ops

    frame = json.loads(sys.stdin.read())
    compliance = [
        _static(ops, frame, lambda w=wrench: ops.load(frame["out"], *w))
        for wrench in np.eye(6).tolist()
    ]
    sag = _static(ops, frame, lambda: _weigh(ops, frame))
    _build(ops, frame)
    ops.constraints("Transformation")
    squares = ops.eigen("-fullGenLapack", frame["count"])
    frequencies = np.sqrt(np.sort(squares)) / (2.0 * np.pi)
    found = {"compliance": np.transpose(compliance), "sag": sag, "frequencies": frequencies}
    sys.stdout.write("\n" + json.dumps({k: np.asarray(v).tolist() for k, v in found.items()}))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
