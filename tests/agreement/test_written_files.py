"""What gough writes is loaded by MuJoCo, Pinocchio and Drake, which then agree on every effort."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gough
from engine_files import InDrake, InMuJoCo, InPinocchio
from engines import need_engine
from gough.errors import FileError
from gough.zoo.registry import names
from robots import robot
from round_trips import states

# what of the axes an engine has in its own terms: Pinocchio reads neither rotors nor friction
BOTH = {"friction": True, "rotors": True}
NEITHER = {"friction": False, "rotors": False}
ROTORS = {"friction": False, "rotors": True}
CASES = [
    *(("mujoco", InMuJoCo, "xml", BOTH, name) for name in names()),
    *(("pinocchio", InPinocchio, "urdf", NEITHER, name) for name in names()),
    *(("pydrake", InDrake, "drake.sdf", ROTORS, name) for name in names()),
]


@pytest.mark.parametrize(("module", "engine", "suffix", "acting", "name"), CASES)
def test_engines_load_what_is_written_and_agree(tmp_path, module, engine, suffix, acting, name):
    if module == "pydrake":  # 220 MB, with a licence of its own for a solver: no part of [engines]
        pytest.importorskip(module, reason="Drake is not installed: pip install 'gough[drake]'")
    need_engine(module)
    machine, path = robot(name), tmp_path / f"{name}.{suffix}"
    try:
        gough.save(machine, path)
    except FileError as err:
        assert "cannot hold" in err.message  # noqa: PT017
        return
    loaded = engine(path, [body.name for body in machine.bodies])
    loads = gough.Loads(**acting)
    for state in states(machine, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gough.GoughWarning)
            at = gough.posture(machine, state)
            tau = gough.inverse_dynamics(machine, state, loads=loads)
        assert loaded.place(at.bodies, at.twists) < 1e-11
        a = loaded.accelerations(at.twist_rates)
        found = loaded.efforts(a)
        if machine.redundant:  # more motors than freedoms: what they do together counts
            N = loaded.free()
            found, tau = N.T @ loaded.S.T @ found, N.T @ loaded.S.T @ tau
        np.testing.assert_allclose(found, tau, atol=1e-9 * np.abs(tau).max())
        if not machine.redundant:
            np.testing.assert_allclose(
                loaded.falling(tau), a, atol=1e-7 * max(1.0, np.abs(a).max())
            )
