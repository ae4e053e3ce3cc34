"""Robots and kernels that threads share: one build, and the answers of one thread."""

import numpy as np
import pytest

import gough
from gough.compiler.tracing.program import Program
from gough.errors import InputError
from gough.evaluation import compile as compiling
from gough.mechanism.mobility import twins
from robots import random_freedoms, robot
from together import together

NAME = "five_bar"


@pytest.fixture
def counted(monkeypatch, strangers):
    """How often robots were assembled and kernels built."""
    calls = {"assembly_of": [], "build_kernel": []}

    def count(module, name):
        plain = getattr(module, name)

        def counting(*args, **options):
            calls[name].append(args[0].name if name == "assembly_of" else args[1])
            return plain(*args, **options)

        monkeypatch.setattr(module, name, counting)

    count(twins, "assembly_of")
    count(compiling, "build_kernel")
    return calls


def test_threads_that_ask_for_a_kernel_of_a_fresh_robot_build_it_once(counted):
    fresh = gough.zoo.load(NAME)
    found = together(8, lambda _: gough.compile(fresh, "inverse_dynamics"))
    assert len(counted["assembly_of"]) == len(counted["build_kernel"]) == 1
    assert all(kernel is found[0] for kernel in found)


def test_threads_that_call_public_functions_of_a_fresh_robot_build_once(counted):
    state = gough.state(robot(NAME), *random_freedoms(NAME, 9, 0.1))
    counted["assembly_of"].clear()  # those of the robot that all tests share
    fresh = gough.zoo.load(NAME)

    @gough.options(engine="compiled", threads=1)  # other threads begin with the environment's
    def efforts(_):
        return gough.inverse_dynamics(fresh, state)

    found = together(6, efforts)
    assert len(counted["assembly_of"]) == len(counted["build_kernel"]) == 1
    assert all((tau == found[0]).all() for tau in found)
    with gough.options(engine="compiled"):
        alone = gough.inverse_dynamics(robot(NAME), state)
    assert (found[0] == alone).all()


@pytest.mark.usefixtures("strangers")
def test_robots_that_are_traced_at_the_same_time_get_their_own_programs():
    names = ["five_bar", "three_rrr", "delta"]

    def program(name: str) -> Program:
        return gough.compile(gough.zoo.load(name), "inverse_dynamics").program

    alone = [program(name) for name in names]
    found = together(2 * len(names), lambda k: program(names[k % len(names)]))
    for k, each in enumerate(found):
        assert each == alone[k % len(names)]


def test_one_kernel_answers_many_threads():
    kernel = gough.compile(robot(NAME), "inverse_dynamics")
    states = [gough.state(robot(NAME), *random_freedoms(NAME, 7, 0.1, seed)) for seed in range(4)]
    alone = [kernel(*each.arrays, threads=1)["tau"] for each in states]
    singles = [[kernel.one([*each[i].arrays])[0] for i in range(7)] for each in states]

    def work(k):
        for _ in range(50):
            assert (kernel(*states[k].arrays, threads=1)["tau"] == alone[k]).all()
            for i in range(7):
                single = kernel.one([*states[k][i].arrays])[0]
                assert (single == singles[k][i]).all()
        return True

    assert all(together(4, work))


# out that overlaps inputs


def overlapping(V: np.ndarray, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """The twists in a buffer, and a place for as many rows of two in it, that many numbers on."""
    count = len(V)
    buffer = np.zeros(V.size + 2 * count + 32)
    twists = buffer[8 : 8 + V.size].reshape(V.shape)
    twists[...] = V
    return twists, buffer[8 + shift : 8 + shift + 2 * count].reshape(count, 2)


@pytest.mark.parametrize("count", [1, 5, 70])
@pytest.mark.parametrize("shift", [-8, -3, 0, 1, 7])
def test_out_may_overlap_an_input(count, shift):
    kernel = gough.compile(robot(NAME), "inverse_dynamics")
    T, V, Vdot = gough.state(robot(NAME), *random_freedoms(NAME, count, 0.1)).arrays
    expected = kernel(T, V, Vdot)["tau"]

    def public(twists, out):
        return gough.inverse_dynamics(robot(NAME), gough.State(T, twists, Vdot), out=out)

    for call in (
        lambda twists, out: kernel(T, twists, Vdot, out={"tau": out})["tau"],
        gough.options(engine="compiled")(public),
        gough.options(engine="numpy")(public),
    ):
        twists, out = overlapping(V, shift)
        found = call(twists, out)
        assert found is out
        assert np.abs(out - expected).max() <= 1e-12 * np.abs(expected).max()


def test_out_may_be_the_input_itself():
    name = next(name for name in gough.zoo.names() if robot(name).mobility == 6)
    kernel = gough.compile(robot(name), "forward_dynamics")
    T, V, _ = gough.state(robot(name), *random_freedoms(name, 70, 0.05)).arrays
    tau = np.random.default_rng(0).normal(size=(70, len(robot(name).motors)))
    expected = kernel(T, V, tau)["Vdot_0p"]
    twists = V.copy()
    assert kernel(T, twists, tau, out={"Vdot_0p": twists})["Vdot_0p"] is twists
    assert (twists == expected).all()


def test_outputs_may_not_share_memory():
    kernel = gough.compile(robot(NAME), "inverse_dynamics")
    T, V, Vdot = gough.state(robot(NAME), *random_freedoms(NAME, 3, 0.1)).arrays
    both = np.zeros((3, 2))
    with pytest.raises(InputError, match="share memory"):
        kernel(T, V, Vdot, out={"tau": both, "doubt": both})
