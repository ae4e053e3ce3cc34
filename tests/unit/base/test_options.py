"""Options of a block: nested, of a thread, decorated, from the environment."""

import asyncio
import threading

import pytest

import gough
from gough.base.options import Chosen, chosen, from_environment
from gough.errors import InputError


def test_blocks_nest_and_end():
    outside = chosen()
    with gough.options(engine="numpy"):
        with gough.options(threads=2) as inside:
            assert inside == chosen() == Chosen("numpy", 2)
        assert chosen().threads == outside.threads
        assert chosen().engine == "numpy"
    assert chosen() == outside


def test_a_block_ends_with_an_error_too():
    outside = chosen()
    with pytest.raises(ZeroDivisionError), gough.options(engine="numpy"):
        _ = 1 / 0
    assert chosen() == outside


def test_the_same_options_serve_again_and_inside_themselves():
    numpy = gough.options(engine="numpy")
    with numpy, numpy:
        assert chosen().engine == "numpy"
    with numpy:
        assert chosen().engine == "numpy"


def test_threads_have_their_own():
    seen, ready, done = [], threading.Event(), threading.Event()

    def other():
        seen.append(chosen().engine)
        with gough.options(engine="compiled"):
            ready.set()
            done.wait(10.0)

    with gough.options(engine="numpy"):
        thread = threading.Thread(target=other)
        thread.start()
        assert ready.wait(10.0)
        assert chosen().engine == "numpy"
        done.set()
        thread.join()
    assert seen == [from_environment().engine]


def test_one_object_serves_threads_at_the_same_time():
    numpy, seen = gough.options(engine="numpy"), []
    first, second = threading.Event(), threading.Event()

    def early():
        with numpy:
            first.set()
            second.wait(10.0)
            seen.append(chosen().engine)
        seen.append(chosen() == from_environment())

    def late():
        first.wait(10.0)
        with numpy:
            second.set()
            seen.append(chosen().engine)

    threads = [threading.Thread(target=each) for each in (early, late)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, seen)) == ["True", "numpy", "numpy"]


def test_tasks_have_their_own_and_coroutines_are_decorated():
    @gough.options(engine="numpy")
    async def decorated():
        await asyncio.sleep(0.0)
        return chosen().engine

    async def plain():
        await asyncio.sleep(0.0)
        return chosen().engine

    async def both():
        return await asyncio.gather(decorated(), plain(), decorated())

    assert asyncio.run(both()) == ["numpy", from_environment().engine, "numpy"]


def test_generators_are_not_decorated():
    with pytest.raises(InputError, match="is a generator"):

        @gough.options(engine="numpy")
        def several():
            yield chosen()


def test_options_decorate():
    @gough.options(engine="numpy", threads=1)
    def engine(depth):
        return chosen() if not depth else engine(depth - 1)

    assert engine(2) == Chosen("numpy", 1)


@pytest.mark.parametrize(
    "wrong", [{"engine": "fast"}, {"threads": 0}, {"threads": 1.5}, {"engine": 3}]
)
def test_what_is_no_option_is_refused(wrong):
    with pytest.raises(InputError) as caught:
        gough.options(**wrong)
    assert caught.value.data["argument"] in wrong


def test_the_environment_has_defaults(monkeypatch):
    monkeypatch.setenv("GOUGH_ENGINE", "numpy")
    monkeypatch.setenv("GOUGH_THREADS", "3")
    assert from_environment.__wrapped__() == Chosen("numpy", 3)
    for name, value in (("GOUGH_THREADS", "many"), ("GOUGH_ENGINE", "fast")):
        monkeypatch.setenv(name, value)
        with pytest.raises(InputError, match=name):
            from_environment.__wrapped__()


def test_the_engine_decides_who_answers(asked):
    r = gough.zoo.load("five_bar")
    with gough.options(engine="compiled"):
        gough.inverse_dynamics(r, r.home_pose)
    assert not asked
    with gough.options(engine="numpy"):
        gough.inverse_dynamics(r, r.home_pose)
    assert len(asked) == 1


def test_the_engine_may_stand_first_and_classes_are_no_functions():
    with gough.options("numpy") as inside:
        assert inside.engine == "numpy"
    for wrong in (print, "fast"):
        with pytest.raises(InputError, match="engine is"):
            gough.options(wrong)
    with pytest.raises(InputError, match="is a class"):
        gough.options("numpy")(dict)
