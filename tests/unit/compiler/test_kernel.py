"""Kernels as users meet them: arrays of any batch, out, threads, refusals."""

import numpy as np
import pytest

import gough
from gough.compiler.machine_code import kernel as kernels
from gough.errors import InputError, WrongMotors
from robots import random_freedoms, relative, robot

NAME = "five_bar"


@pytest.fixture(scope="module")
def motion():
    return gough.state(robot(NAME), *random_freedoms(NAME, 13, 0.1))


@pytest.fixture(scope="module")
def kernel():
    return gough.compile(robot(NAME), "inverse_dynamics")


def test_what_a_kernel_tells(kernel):
    assert kernel.inputs == {"T_0p": (4, 4), "V_0p": (6,), "Vdot_0p": (6,)}
    assert kernel.outputs == {"tau": (2,), "doubt": (2,)}
    assert kernel.operations.functions == 0
    assert 0.0 < kernel.seconds < 60.0
    assert "inverse_dynamics" in repr(kernel)
    assert gough.compile(robot(NAME), "inverse_dynamics") is kernel  # kept with the robot


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 13])
def test_every_length_of_batch(kernel, motion, count):
    arrays = motion[:count]
    found = kernel(*arrays.arrays)
    assert found["tau"].shape == (count, 2)
    if count:
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(robot(NAME), arrays)
        assert relative(found["tau"], expected) < 1e-13
        assert (found["doubt"].sum(axis=-1) < 1.0).all()


def test_layouts(kernel, motion):
    """Strided, reversed, broadcast and two-dimensional batches, float32 and lists."""
    T, V, Vdot = motion.arrays
    whole = kernel(T, V, Vdot)["tau"]
    assert (kernel(T[::-2], V[::-2], Vdot[::-2])["tau"] == whole[::-2]).all()
    assert (kernel(*(np.asfortranarray(a) for a in motion.arrays))["tau"] == whole).all()
    one = kernel(T[2], V[2], Vdot[2])["tau"]
    assert one.shape == (2,)
    assert relative(one, whole[2]) < 1e-14
    spread = kernel(T[:1], V[:1], Vdot)["tau"]
    assert relative(spread[0], whole[0]) < 1e-14
    square = kernel(*(a[:12].reshape(3, 4, *a.shape[1:]) for a in motion.arrays))["tau"]
    assert (square.reshape(12, 2) == whole[:12]).all()
    crossed = kernel(T[:1, None], V[:1, None], Vdot[None, :5])["tau"]
    assert crossed.shape == (1, 5, 2)
    assert (kernel(T.tolist(), V.tolist(), Vdot_0p=Vdot.tolist())["tau"] == whole).all()


def test_out_and_threads(kernel, motion, monkeypatch):
    monkeypatch.setattr(kernels, "BLOCK", 4)
    many = [np.concatenate([a] * 9) for a in motion.arrays]
    expected = kernel(*many, threads=1)["tau"]
    out = np.full((117, 2), np.nan)
    found = kernel(*many, threads=3, out={"tau": out})
    assert found["tau"] is out
    assert (out == expected).all()


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((13, 3)), "expected float64 of shape"),
        (np.empty((13, 2), dtype=np.float32), "expected float64"),
        (np.empty((26, 2))[::2], "contiguous and writeable"),
        ([0.0], "expected float64"),
    ],
)
def test_places_that_do_not_fit(kernel, motion, out, words):
    with pytest.raises(InputError, match=words):
        kernel(*motion.arrays, out={"tau": out})


def test_refusals(kernel, motion):
    with pytest.raises(InputError, match="takes T_0p, V_0p, Vdot_0p; got T_0p, V_0p"):
        kernel(*motion.arrays[:2])
    with pytest.raises(InputError, match="takes 3 arrays, got 4"):
        kernel(*motion.arrays, 1.0)
    with pytest.raises(InputError, match=r"V_0p has shape \(13, 5\)"):
        kernel(motion.T_0p, motion.V_0p[:, :5], motion.Vdot_0p)
    r = robot(NAME)
    with pytest.raises(InputError, match="unknown quantity 'inverse_dynamic'"):
        gough.compile(r, "inverse_dynamic")
    with pytest.raises(InputError, match="unknown method"):
        gough.compile(r, "inverse_dynamics", method="leg")
    with pytest.raises(InputError, match="no body 'arm9'"):
        gough.compile(r, "inverse_dynamics", loads=gough.Loads(forces=[gough.Force("arm9")]))
    with pytest.raises(InputError, match="knows no loads"):
        gough.compile(r, "inverse_kinematics", loads=gough.Loads(payload=0.0))
    with pytest.raises(WrongMotors):
        gough.compile(robot("contact_tripod"), "inverse_dynamics")


@pytest.mark.parametrize("name", ["five_bar", "gough_stewart", "delta"])
def test_newton_steps_lead_to_the_motors(name):
    """From a pose beside it, a few steps find the pose of motor positions."""
    r = robot(name)
    T = gough.state(r, random_freedoms(name, 2, 0.05)[0]).T_0p
    step = gough.compile(r, "forward_kinematics_step")
    goal, here = gough.inverse_kinematics(r, T[0]), T[1]
    for _ in range(8):
        found = step(here, goal)
        here = found["T_0p"]
    assert np.abs(found["error"]).max() < 1e-12
    assert np.abs(here - T[0]).max() < 1e-10
